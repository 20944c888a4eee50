//! The buffers of fields: their number (`docs/kernels.md, Fields of a chain`), and the buffers that passes read and
//! write.

use crate::shaders::plan::{ECHO, ECHOED, in_folder, planned};
use crate::species::cells as species;
use crate::support::scenes::{Scene, chain, movement};
use murmuration_core::chain::plan::{Plan, PlannedPass, STATE, Slot};
use murmuration_core::error::BadInput;
use murmuration_core::simulation::plan;
use murmuration_core::world::Edges;
use std::collections::BTreeSet;

/// A use of a field in a plan: a column of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    Written,
    Read,
    Unused,
}

impl Use {
    fn new(plan: &Plan, field: &str) -> Self {
        let is_it = |slot: &Slot| plan.fields[slot.field].name == field;
        let mut passes = plan.phases.iter().flatten();
        match () {
            () if passes.clone().any(|pass| pass.write.iter().any(is_it)) => Self::Written,
            () if passes.any(|pass| pass.read.iter().any(is_it)) => Self::Read,
            () => Self::Unused,
        }
    }
}

/// The table of buffers in `docs/kernels.md, Fields of a chain`: the field names in the first column, and the other
/// columns.
struct Table(Vec<(String, [String; 3])>);

impl Table {
    fn read() -> Self {
        let page = include_str!("../../../docs/kernels.md");
        let rows = page.lines().skip_while(|line| !line.contains("| buffers of a field |")).skip(2);
        let rows = rows.map_while(|line| line.trim().strip_prefix('|')?.strip_suffix('|'));
        let cells = |row: &str| row.split('|').map(|cell| cell.trim().to_string()).collect::<Vec<_>>();
        let rows: Vec<_> = rows
            .map(|row| match &cells(row)[..] {
                [names, written, read, unused] => (names.clone(), [written, read, unused].map(String::clone)),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(rows.len(), 3, "the table of the page");
        Self(rows)
    }

    /// The table's entry for a field. Each species has its own fields.
    fn buffers(&self, field: &str, column: Use) -> &str {
        let own = format!("`{}`", field.split(" of ").next().unwrap());
        let row = self.0.iter().find(|(names, _)| names.contains(&own) || names == "any other").unwrap();
        &row.1[column as usize]
    }
}

/// Follows the buffers through all phases. Every read finds the last written values, and no pass writes a buffer that
/// it reads. After the last phase every field is in its first buffer.
pub fn follow(plan: &Plan) {
    let mut newest: Vec<usize> = vec![0; plan.fields.len()];
    for (phase, passes) in plan.phases.iter().enumerate() {
        assert_eq!(plan.layers[0].state[phase], [0, 1].map(|field| Slot { field, buffer: newest[field] }));
        let mut made = BTreeSet::new();
        for pass in passes {
            for slot in &pass.read {
                let field = &plan.fields[slot.field];
                assert_eq!(slot.buffer, newest[slot.field], "an old {} is read", field.name);
                let is_there = slot.field < 2 || *slot == plan.capacity || made.contains(&slot.field);
                assert!(is_there, "{} is read before it is made", field.name);
            }
            for slot in &pass.write {
                assert!(slot.buffer < plan.fields[slot.field].buffers, "a buffer that is not there");
                assert!(!pass.read.contains(slot), "a pass reads the buffer that it writes");
                assert_ne!(*slot, plan.capacity, "a pass writes the world");
                newest[slot.field] = slot.buffer;
                made.insert(slot.field);
            }
        }
    }
    assert_eq!(plan.phases.len(), plan.layers[0].state.len());
    assert!(newest.iter().all(|buffer| *buffer == 0), "the phases do not return to their start");
    let table = Table::read();
    for field in &plan.fields {
        let use_of_it = Use::new(plan, &field.name);
        assert_eq!(field.buffers.to_string(), table.buffers(&field.name, use_of_it), "buffers of {}", field.name);
    }
}

#[test]
fn buffers_go_round() {
    let mut phases = BTreeSet::new();
    for seed in 0..300 {
        let scene = Scene::random(seed);
        for chain in crate::support::scenes::cell_chains().map(chain) {
            let plan = planned(&scene, &chain);
            follow(&plan);
            phases.insert(plan.phases.len());
            let signature = |pass: &PlannedPass| plan.kernels[pass.kernel].signature.unwrap();
            let steer = plan.phases[0].iter().find(|pass| signature(pass).has_sum).unwrap();
            let signature = signature(steer);
            let read = steer.read[signature.read.len()..].iter().map(|slot| plan.fields[slot.field].name.as_str());
            let summed: Vec<&str> = signature.rules.iter().copied().chain(read).collect();
            let weighted: Vec<&str> = plan.layers[0].weights.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(summed, weighted, "each vector that is summed has its own weight");
            let reaches = plan.phases[0].iter().flat_map(|pass| pass.sights.iter().flatten());
            let farthest = reaches.map(|name| scene.rules.sights[name].reach()).max().unwrap_or(1);
            assert_eq!(plan.reach, farthest.max(1));
        }
    }
    // In a step the chains alternate the buffers of the control vector once or three times. `cell-fast` does it twice,
    // and its density returns to its buffer in one step unless catching or wandering adds a pass.
    assert_eq!(phases, BTreeSet::from([1, 2]));
}

/// A step that alternates every buffer twice ends in the first buffers.
#[test]
fn one_phase_is_enough_where_a_step_returns_to_its_start() {
    let chain = movement();
    let mut scene = Scene::busy(9, 9, Edges::Torus);
    let plan = planned(&scene, &chain);
    follow(&plan);
    assert_eq!(plan.phases.len(), 1);
    scene.rules.wander = 0;
    let plan = planned(&scene, &chain);
    follow(&plan);
    assert_eq!(plan.phases.len(), 2);
}

/// A chain of these passes with a user's kernel `mine`, which returns its first field.
fn own_chain(passes: &str) -> Result<murmuration_core::chain::Chain, BadInput> {
    let text = format!("description = 'x'\n{passes}");
    let vector = "fn mine(cell: Cell) -> Vector {\n    return Vector(0);\n}\n";
    let amount = "fn full(cell: Cell) -> u32 {\n    return 7u;\n}\n";
    in_folder(&[("own.toml", &text), ("mine.wgsl", vector), ("full.wgsl", amount)])
}

/// Passes that read and write a field of the state, only write it, only read it, or do not use it. The last case has a
/// field that is not part of the state.
#[test]
fn fields_have_the_buffers_that_the_design_says() {
    let scene = Scene::busy(12, 9, Edges::Torus);
    let table = Table::read();
    let mut seen = BTreeSet::new();
    for (passes, uses) in [
        (
            "[[pass]]\nkernel = 'mine.wgsl'\nread = []\nwrite = ['control']\n",
            &[("control", Use::Written), ("density", Use::Unused), ("capacity", Use::Unused)][..],
        ),
        (
            "[[pass]]\nkernel = 'mine.wgsl'\nread = ['control', 'density']\nwrite = ['control']\n",
            &[("control", Use::Written), ("density", Use::Read)],
        ),
        (
            "[[pass]]\nkernel = 'full.wgsl'\nread = ['capacity']\nwrite = ['density']\n",
            &[("control", Use::Unused), ("density", Use::Written), ("capacity", Use::Read)],
        ),
        (
            "[[pass]]\nkernel = 'full.wgsl'\nread = ['control']\nwrite = ['density']\n",
            &[("control", Use::Read), ("capacity", Use::Unused)],
        ),
        (
            "[fields]\nsum = 'vector'\n[[pass]]\nkernel = 'mine.wgsl'\nread = ['density']\nwrite = ['sum']\n\
             [[pass]]\nkernel = 'steer'\nread = ['control', 'sum']\nwrite = ['control']\n",
            &[("sum", Use::Written), ("density", Use::Read), ("control", Use::Written)],
        ),
    ] {
        let mut scene = scene.clone();
        scene.rules.weights.extend(passes.contains("sum").then(|| ("sum".to_string(), 512)));
        let plan = planned(&scene, &own_chain(passes).unwrap_or_else(|bad| panic!("{bad}")));
        for (name, expected) in uses {
            assert_eq!(Use::new(&plan, name), *expected, "{name} in\n{passes}");
            let kind = STATE.iter().chain(&["capacity"]).find(|given| *given == name).unwrap_or(&"any other");
            seen.insert((*kind, *expected));
        }
        follow(&plan);
    }
    // Without a hunter the pass of the rule `hunter` is left out, so the field before that pass is read instead.
    let hunted = ECHOED.replace("cohesion", "hunter");
    let echo = ECHO.replace("cohesion", "hunter");
    let mut calm = scene.clone();
    calm.world.hunters.clear();
    for (chain, expected) in [(&hunted[..], Use::Read), ("description = 'x'\nextends = 'cell'\n", Use::Unused)] {
        let chain = in_folder(&[("own.toml", chain), ("echo.wgsl", &echo)]).unwrap_or_else(|bad| panic!("{bad}"));
        let plan = planned(&calm, &chain);
        let field = plan.fields.iter().find(|field| field.name == "hunter");
        let kept = field.map_or(0, |field| field.buffers);
        assert_eq!(
            (Use::new(&plan, "hunter"), kept.to_string().as_str()),
            (expected, table.buffers("hunter", expected))
        );
        seen.insert(("any other", expected));
    }
    let refused = own_chain("[[pass]]\nkernel = 'full.wgsl'\nread = ['density']\nwrite = ['capacity']\n").err();
    assert_eq!(table.buffers("capacity", Use::Written), refused.map_or("allowed", |_| "refused"));
    seen.insert(("capacity", Use::Written));
    let other = [Use::Written, Use::Read, Use::Unused];
    let all: BTreeSet<_> = ["density", "control", "capacity", "any other"]
        .into_iter()
        .flat_map(|kind| other.map(|of| (kind, of)))
        .collect();
    assert_eq!(seen, all, "every entry of the table is tried");
}

/// Each species has its own fields, and the pass that feeds it writes its density.
#[test]
fn fields_of_several_species_have_the_buffers_that_the_design_says() {
    let table = Table::read();
    for chain in ["cell", "cell-fast"] {
        let preset = species::preset(species::BUSY, &[]);
        let plan = plan(&crate::support::scenes::chain(chain), &preset, &preset.rules, &preset.world);
        let plan = plan.unwrap_or_else(|bad| panic!("{bad}"));
        for field in &plan.fields {
            let column = Use::new(&plan, &field.name);
            assert_eq!(field.buffers.to_string(), table.buffers(&field.name, column), "{chain}: {}", field.name);
        }
        assert!(plan.fields.iter().any(|field| field.name == "density of 2" && field.buffers == 2), "{chain}");
    }
}
