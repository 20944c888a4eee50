//! Whole shaders around the agents' kernels: the numbers of the world and of the rules, as constants, and the buffers.

use super::kernels::{Buffer, CELLS_EACH, KERNELS, Kernel, PARTS, part, space};
use crate::agents::rules::{AgentRules, RuleSet, Units, Weights};
use crate::agents::search::grid::Layout;
use crate::agents::steer::{coarse, most_apart, weigh};
use crate::agents::{Space, Vector3};
use crate::error::BadInput;
use crate::kernels::parameters::Parameters;
use crate::library::Library;
use crate::shader::{validate_text, world_declarations};
use crate::world::{Edges, Extents};
use std::fmt::Write;

/// What the shaders of individuals depend on.
#[derive(Debug, Clone)]
pub struct Setting {
    pub rules: AgentRules,
    pub units: Units,
    pub space: Space,
    pub has_solids: bool,
    pub layout: Layout,
    /// Invocations of a workgroup.
    pub workgroup: u32,
}

impl Setting {
    /// Cells of the search, and the bin after the last one.
    pub fn bins(&self) -> u32 {
        self.layout.count() as u32 + 1
    }

    /// Bins of a block.
    pub fn block(&self) -> u32 {
        self.workgroup * CELLS_EACH
    }

    pub fn blocks(&self) -> u32 {
        self.bins().div_ceil(self.block())
    }

    /// Bytes of a vector with as many axes as the world, in an array.
    pub fn offset_bytes(&self) -> u64 {
        if self.space.axes() == 2 { 8 } else { 16 }
    }
}

/// The numbers of a step with those of the rules among them: no shader depends on these, so that they may change between two
/// steps. Their places are those of `shaders/agents/rules.wgsl`.
pub fn numbers(step: &Parameters, rules: &AgentRules, units: &Units) -> Parameters {
    let Weights { cohesion, separation, alignment, clarity, hunter, walls } = rules.weights;
    let mut step = *step;
    for (place, weight) in [cohesion, separation, alignment, clarity, hunter, walls].into_iter().enumerate() {
        step.weights[place] = weigh(weight, units);
    }
    step.weights[6..9].copy_from_slice(&[units.weights as i32, rules.force, most_apart(rules, units)]);
    (step.keep, step.cruise, step.max, step.crowd) = (rules.keep, rules.cruise, rules.max, rules.crowd.max(1));
    step
}

/// The whole shader of a kernel. Its own text comes first, so that lines in error messages are its own.
pub fn assemble(library: &Library, kernel: &Kernel, setting: &Setting) -> String {
    let mut shader = kernel.text(library).to_string();
    for name in PARTS.iter().filter(|name| kernel.parts.contains(name)) {
        shader.push_str(part(library, name));
    }
    for each in kernel.uses {
        let access = if each.is_written { "read_write" } else { "read" };
        let (binding, name, kind) = (each.buffer.binding(), each.name, each.kind);
        let _ = writeln!(shader, "@group(0) @binding({binding}) var<storage, {access}> {name}: {kind};");
    }
    shader.push_str(&declarations(setting));
    shader.push_str(&exact_helpers(library));
    shader
}

/// What every kernel may call that is not only the agents'.
fn exact_helpers(library: &Library) -> String {
    ["numbers", "lattice", "space"].map(|name| library.shader(&format!("shared/{name}"))).concat()
}

/// The names that stand for the world, the rules and the units.
fn declarations(setting: &Setting) -> String {
    let Setting { rules, units, space, layout, .. } = setting;
    let axes = space.axes();
    let mut text = world_declarations(Extents { width: space.extents[0], height: space.extents[1] }, space.edges);
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    line("alias Vector3 = vec3<i32>;".into());
    line(format!("alias Offset = vec{axes}<i32>;"));
    line(format!("alias UnsignedOffset = vec{axes}<u32>;"));
    line(format!("alias FlatBool = vec{axes}<bool>;"));
    line(match axes {
        2 => "fn flat(v: Vector3) -> Offset { return v.xy; }\n\
              fn in_space(v: Offset) -> Vector3 { return Vector3(v, 0); }"
            .into(),
        _ => "fn flat(v: Vector3) -> Offset { return v; }\nfn in_space(v: Offset) -> Vector3 { return v; }".into(),
    });
    let vector = |v: Vector3| format!("Vector3({}, {}, {})", v[0], v[1], v[2]);
    line(format!("const EXTENTS = {};", vector(space.extents.map(|extent| extent as i32))));
    line(format!("const UNIT_EXTENTS = {};", vector(units.extents(space))));
    line(format!("const CELLS = {};", vector(layout.cells.map(|cells| cells as i32))));
    let narrow: Vec<String> = layout.narrow(space)[..axes].iter().map(bool::to_string).collect();
    line(format!("const NARROW = FlatBool({});", narrow.join(", ")));
    for (name, value) in [
        ("SCHOOL", 0),
        ("FLOCK", 1),
        ("HALF_FLOCK", 2),
        ("REYNOLDS", 3),
        ("SET", set_number(rules.set)),
        ("AXES", axes as i32),
        ("REACH", units.reach),
        ("RESOLUTION", units.resolution),
        ("UNITS_IN_CELL", units.cell()),
        ("SEES_COHESION", units.cohesion),
        ("SEES_SEPARATION", units.separation),
        ("SEES_ALIGNMENT", units.alignment),
        ("SEES_CLARITY", units.clarity),
        ("COHESION_REACH", rules.cohesion.div_ceil(1 << units.place).max(1) as i32),
        ("COARSE", coarse(units)),
    ] {
        line(format!("const {name}: i32 = {value};"));
    }
    for (name, value) in [
        ("WORKGROUP", setting.workgroup),
        ("CELLS_EACH", CELLS_EACH),
        ("BINS", setting.bins()),
        ("BLOCK", setting.block()),
        ("BLOCKS", setting.blocks()),
        ("PLACE_UNIT", units.place),
        ("VELOCITY_UNIT", units.velocity),
    ] {
        line(format!("const {name}: u32 = {value}u;"));
    }
    line(format!("const HAS_SOLIDS = {};", setting.has_solids));
    line(format!("const IS_FAR = {};", layout.is_far(space, units)));
    text
}

fn set_number(set: RuleSet) -> i32 {
    match set {
        RuleSet::School => 0,
        RuleSet::Flock => 1,
        RuleSet::HalfFlock => 2,
        RuleSet::Reynolds => 3,
    }
}

/// Checks a file of `shaders/agents/`, or `shaders/shared/space.wgsl`, with what is put around it, for every set of rules,
/// number of axes and kind of edges.
///
/// # Errors
/// Where the text is not sound WGSL (with its line), or none of the agents' files has this name.
pub fn check_file(library: &Library, origin: &str, name: &str, text: &str) -> Result<(), BadInput> {
    let uses_it = |kernel: &&Kernel| kernel.name == name || kernel.parts.contains(&name) || name == "space";
    let mut kernels = KERNELS.iter().filter(uses_it).peekable();
    if kernels.peek().is_none() {
        let known = KERNELS.iter().map(|kernel| kernel.name).chain(PARTS.iter().copied());
        let cure = format!("the files are {}", known.collect::<Vec<_>>().join(", "));
        return Err(BadInput::new(origin, format!("no kernel of the agents is called {name:?}"), cure));
    }
    for kernel in kernels {
        for setting in all_settings() {
            let whole = assemble(library, kernel, &setting);
            let built_in = if kernel.name == name {
                kernel.text(library)
            } else {
                if name == "space" { space(library) } else { part(library, name) }
            };
            validate_text(origin, text, &format!("{text}{}", whole.replacen(built_in, "\n", 1)))?;
        }
    }
    Ok(())
}

/// One setting for each shader that differs in more than numbers.
fn all_settings() -> impl Iterator<Item = Setting> {
    let sets = [RuleSet::School, RuleSet::Flock, RuleSet::HalfFlock, RuleSet::Reynolds];
    let spaces = [([64, 48, 1], Edges::Torus), ([64, 48, 1], Edges::Walls), ([64, 48, 32], Edges::Torus)];
    sets.into_iter().flat_map(move |set| {
        spaces.into_iter().map(move |(extents, edges)| {
            let rules = AgentRules {
                set,
                cohesion: 6 << 16,
                separation: 2 << 16,
                alignment: 4 << 16,
                clarity: 5 << 16,
                weights: Weights { cohesion: 1 << 20, ..Weights::default() },
                force: 1000,
                keep: 1024,
                cruise: 9000,
                max: 15000,
                crowd: 1024,
            };
            let space = Space { extents, edges };
            let units = rules.units(1).expect("the radii are small");
            let layout = Layout::new(&space, &units);
            Setting { rules, units, space, has_solids: true, layout, workgroup: 64 }
        })
    })
}

/// What is bound for a kernel, beside the parameters: each buffer once.
pub fn buffers(kernel: &Kernel) -> impl Iterator<Item = (Buffer, bool)> {
    kernel.uses.iter().map(|each| (each.buffer, each.is_written))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::library;

    #[test]
    fn every_kernel_and_part_is_sound_and_a_mistake_has_its_line() {
        let parts = PARTS.iter().map(|name| (*name, part(library(), name)));
        let kernels = KERNELS.iter().map(|kernel| (kernel.name, kernel.text(library())));
        for (name, text) in kernels.chain(parts).chain([("space", space(library()))]) {
            check_file(library(), name, name, text).unwrap_or_else(|wrong| panic!("{wrong}"));
            let broken = format!("{text}fn broken() -> u32 {{ return -1; }}\n");
            let wrong = check_file(library(), name, name, &broken).unwrap_err();
            assert_eq!(wrong.line, Some(text.lines().count() + 1), "{wrong}");
        }
        assert!(check_file(library(), "x.wgsl", "steer", "").unwrap_err().to_string().contains("the files are count"));
    }

    #[test]
    fn no_kernel_binds_more_than_webgpu_promises() {
        for kernel in KERNELS {
            assert!(kernel.uses.len() as u32 <= wgpu::Limits::defaults().max_storage_buffers_per_shader_stage);
            assert!(!kernel.text(library()).is_empty(), "{} has no file", kernel.name);
        }
    }
}
