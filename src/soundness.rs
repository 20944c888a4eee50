//! Checks, without a GPU device, whether a preset, its chain and the kernels of the chain can be played.

use murmuration_core::cells::sight::Sight;
use murmuration_core::chain::Chain;
use murmuration_core::chain::plan::{Plan, PlannedPass};
use murmuration_core::chain::table::Model;
use murmuration_core::engine::Dispatch;
use murmuration_core::error::BadInput;
use murmuration_core::preset::Preset;
use murmuration_core::simulation::{check_models, engine_rules, plan};
use murmuration_core::world::World;
use murmuration_gpu::Subdomain;
use murmuration_gpu::shader::{self, ShaderConfig};
use std::collections::BTreeMap;

/// Checks that a chain fits a preset, and that its kernels are valid.
///
/// # Errors
/// If the chain does not fit the preset, or a kernel is not valid. The error names the file and the line.
pub fn check_preset(preset: &Preset, chain: &Chain) -> Result<(), BadInput> {
    check_models(chain, preset)?;
    if chain.model == Model::Individuals {
        return murmuration_gpu::individuals::check(crate::host().library(), chain);
    }
    let plan = plan(chain, preset, &preset.rules, &preset.world)?;
    let rules = engine_rules(preset, &preset.rules);
    check_passes(&plan, &rules.sights, &preset.world)
}

/// Checks the kernels of all passes of a plan. `sights`: maps the name of each sight in the plan to the set of cells
/// that boids see around them.
///
/// # Errors
/// If a kernel is not valid. The error names the file and the line.
pub fn check_passes(plan: &Plan, sights: &BTreeMap<String, Sight>, world: &World) -> Result<(), BadInput> {
    let check = |pass: &PlannedPass| {
        let config = ShaderConfig {
            library: *crate::host().library(),
            subdomain: Subdomain::whole(world.extents),
            edges: world.edges,
            sights,
            dispatch: Dispatch::Fragment,
            capacity: None,
            meals: &pass.meals,
            has_noise: true,
            has_hunters: true,
        };
        shader::check(plan, pass, config)
    };
    plan.phases[0].iter().try_for_each(check)
}
