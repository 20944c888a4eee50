//! Checks of users' kernels of individuals, without a device: once for each kind of world whose shaders differ.

use super::shader::{KernelConfig, assemble};
use crate::shader::{Replacement, stem_of, validate_replacement, validate_text};
use murmuration_core::chain::table::Model;
use murmuration_core::chain::{Chain, outside_of_chains};
use murmuration_core::error::BadInput;
use murmuration_core::food::{FoodLattice, FoodRules};
use murmuration_core::host::library::Library;
use murmuration_core::individuals::feature::WorldFeatures;
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::individuals::selection::Selection;
use murmuration_core::individuals::species::{MeetingUnits, SpeciesUnits};
use murmuration_core::individuals::table::RuleArray;
use murmuration_core::individuals::{IndividualRules, RuleSet, Setup};
use murmuration_core::noise::Noise;
use murmuration_core::terrain::Habitat;
use murmuration_core::terrain::rays::{RayNumbers, Rays};
use murmuration_core::world::{Edges, MeetingKind, Space};
use std::sync::Arc;

/// Checks the users' kernels of a chain without a device.
///
/// # Errors
/// As [`check_file`].
pub fn check(library: &Library, chain: &Chain) -> Result<(), BadInput> {
    let mut own = chain.passes.iter().map(|pass| &pass.kernel).filter(|kernel| !kernel.is_built_in);
    own.try_for_each(|kernel| check_file(library, &kernel.origin, &kernel.name, &kernel.text))
}

/// Checks a file of `shaders/individuals/`, or `shaders/shared/vector.wgsl`, with what is put around it, for every set of rules,
/// number of axes and kind of edges. One that is not the built-in file, word for word, is held to the rules for users' kernels.
///
/// # Errors
/// If the kernel is not sound (with its line), or no file has this name.
pub fn check_file(library: &Library, origin: &str, name: &str, text: &str) -> Result<(), BadInput> {
    let table = Model::Individuals.table();
    let shared = table.shared.iter().map(|path| stem_of(path)).find(|path| path.ends_with(&format!("/{name}")));
    let path = shared.map_or_else(|| stem_of(&table.path(name)).into(), String::from);
    let mut is_known = false;
    for signature in table.kernels.iter().chain(outside_of_chains()) {
        let own = table.path(signature.name);
        let Some(built_in) = library.text(&own) else { continue };
        let is_kernel = signature.name == name;
        for config in all_configs() {
            let shader = assemble(library, signature, [&own, built_in], &config);
            // A set takes in its own rules only.
            if shader.has(&path) {
                is_known = true;
                if library.shader(&path) == text {
                    // Each shader is validated once, whichever of its files is asked about.
                    validate_text(&shader)?;
                    continue;
                }
                let replacement =
                    Replacement { replaced: library.shader(&path), kernel: is_kernel.then_some(signature) };
                validate_replacement(replacement, &shader.replace_file(library, &path, origin, text))?;
            }
        }
    }
    if is_known {
        return Ok(());
    }
    let files = table.files(library).map(|(name, _)| name).collect::<Vec<_>>();
    let cure = format!("the files are {}", files.join(", "));
    Err(BadInput::new(origin, format!("no {} is called {name:?}", table.noun), cure))
}

/// One config for each shader that differs in more than numbers. Movements on one of the spaces are swept, with rays.
fn all_configs() -> impl Iterator<Item = KernelConfig> {
    let spaces =
        [([64, 48, 1], Edges::Torus, false), ([64, 48, 1], Edges::Walls, false), ([64, 48, 32], Edges::Torus, true)];
    let numbers = RayNumbers { count: 64, view: 1 << 30, least: 0, reach: 8 << 8, clearance: 8, growth: 512 };
    let worlds = spaces.into_iter().flat_map(|space| [false, true].map(|has_lives| (space, has_lives)));
    RuleSet::ALL.into_iter().flat_map(move |set| {
        worlds.clone().map(move |((extents, edges, is_swept), has_lives)| {
            // Worlds with lives have noise.
            let has_noise = has_lives;
            // Walls have a selection of neighbours, and so has one deep world.
            let has_selection = edges == Edges::Walls || is_swept && has_lives;
            let selection = if has_selection { Selection { nearest: 7, view: -8192 } } else { Selection::ALL };
            let rules = IndividualRules {
                set,
                radii: RuleArray([6 << 16, 2 << 16, 4 << 16, 5 << 16]),
                selection,
                weights: RuleArray::from_fn(|_| 1 << 20),
                force: 1000,
                keep: 1024,
                cruise: 9000,
                min: 100,
                max: 15000,
                turn: [16368, 714],
                crowd: 1024,
                noise: Noise::default(),
                rays: None,
                lives: None,
                food: FoodRules::default(),
                meetings: Vec::new(),
                most: None,
            };
            let space = Space { extents, edges };
            // Walls have food, and the worlds without lives none.
            let has_food = has_lives && (edges == Edges::Walls || extents[2] > 1);
            let food = has_food.then(|| Arc::new(FoodLattice::new(space, 4, 1, &[], |_| false)) as _);
            let features = WorldFeatures(food.into_iter().collect());
            let units = rules.units(1).expect("the radii are small");
            let rays = is_swept.then(|| Arc::new(Rays::new(numbers, space.axes())));
            let gaps = Arc::new(vec![0; usize::from(is_swept)]);
            let habitat = Habitat { rays, gaps, ..Habitat::new(space, vec![true]) };
            let mut species = vec![SpeciesUnits { units, meetings: Vec::new(), has_noise }];
            if has_lives && edges == Edges::Torus {
                let meeting = MeetingUnits { other: 0, kind: MeetingKind::Flee, radius: 1, threshold: 1, jaws: 1 };
                species = vec![SpeciesUnits { units, meetings: vec![meeting; 2], has_noise }; 3];
            }
            let setup = Setup { search: SearchKind::Grid, set, species, has_lives, features, habitat };
            KernelConfig::new(&setup, 0, 64)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shader::{Binding, BindingKind};
    use crate::testing::library;

    #[test]
    fn every_kernel_and_part_is_sound_and_a_mistake_has_its_line() {
        let files = Model::Individuals.table().files(library()).chain([("vector", library().shader("shared/vector"))]);
        for (name, text) in files {
            check_file(library(), name, name, text).unwrap_or_else(|wrong| panic!("{wrong}"));
            let broken = format!("{text}fn broken() -> u32 {{ return -1; }}\n");
            let wrong = check_file(library(), name, name, &broken).unwrap_err();
            assert_eq!(wrong.line, Some(text.lines().count() + 1), "{wrong}");
        }
        assert!(check_file(library(), "x.wgsl", "steer", "").unwrap_err().to_string().contains("the files are "));
    }

    #[test]
    fn no_kernel_binds_more_than_webgpu_promises() {
        let mut most = 0;
        for kernel in Model::Individuals.table().kernels.iter().chain(outside_of_chains()) {
            for config in all_configs() {
                let shader = assemble(library(), kernel, ["", ""], &config);
                let is_buffer = |binding: &&Binding| matches!(binding.kind, BindingKind::Buffer { .. });
                let count = shader.bindings.iter().filter(is_buffer).count() as u32;
                assert!(count <= wgpu::Limits::defaults().max_storage_buffers_per_shader_stage, "{}", kernel.name);
                most = most.max(count);
            }
        }
        // The buffers of `steer_grid` with food.
        assert_eq!(most, 7, "not all buffers are counted");
    }
}
