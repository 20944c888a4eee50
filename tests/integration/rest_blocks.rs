//! Blocks in which all cells rest are left out on a GPU, and no bit of the state is another one.

use crate::adapter::shared;
use crate::scenes::{Dice, Player, Scene, assert_same, chain};
use murmuration::chain::plan::Plan;
use murmuration::engine::gpu::GpuEngine;
use murmuration::engine::{Dispatch, LatticeEngine};
use murmuration::numbers::{BOID, ONE};
use murmuration::preset::{Overrides, Preset};
use murmuration::state::State;
use murmuration::world::{Extents, Hunter, HunterKind, Mood};
use std::sync::Arc;

const REST: u32 = 16;

/// A cloud that flies through a sky of dust, and a hunter that flies through the sky far from it and catches the dust.
fn scene(preset: &str, size: (u32, u32), depth: Option<u32>, edges: &str) -> Scene {
    let set = vec![format!("world.edges={edges}"), "start.run_in=0".into(), format!("movement.rest={REST}")];
    let overrides = Overrides { size: Some(size), depth, set, ..Overrides::default() };
    let mut scene: Scene = Preset::load(murmuration::host(), preset, &overrides).unwrap().into();
    let extents = scene.world.extents;
    let [x, y, z] = extents.along_axes().map(|extent| 16 * extent as i32);
    let corners = vec![[x * 3 / 4, y / 4, z / 2], [x * 3 / 4, y * 3 / 4, z / 2]];
    scene.world.hunters = vec![Hunter {
        kind: HunterKind::Path { corners, is_column: depth.is_none(), speed: 900 },
        mood: Mood::Flee,
        reach: 5,
        jaws: 2,
    }];
    scene.start = sky(extents, 0.2);
    scene
}

/// Dust everywhere, and a cloud of a few cells at this part of every axis, all of which flies ahead.
fn sky(extents: Extents, at: f32) -> State {
    let mut dice = Dice::new(7);
    let mut state = State::empty(extents);
    let [width, height, _] = extents.along_axes();
    let middle = extents.along_axes().map(|extent| at * extent as f32);
    for index in 0..extents.cells() {
        let (x, rest) = (index as u32 % width, index as u32 / width);
        let cell = [x, rest % height, rest / height].map(|axis| axis as f32);
        let square: f32 = (0..3).map(|axis| (cell[axis] - middle[axis]).powi(2)).sum();
        state.density[index] = if square < 9.0 { 2 * BOID } else { dice.below(u64::from(REST)) as u32 };
        let component = |dice: &mut Dice| dice.between(i64::from(-ONE), i64::from(ONE)) as i32;
        let chance = [component(&mut dice), component(&mut dice), component(&mut dice)];
        let v = if square < 9.0 { [ONE * 3 / 4, ONE / 2, ONE / 2] } else { chance };
        state.set_velocity(index, if extents.axes() == 3 { v } else { [v[0], v[1], 0] });
    }
    state
}

/// Between the parts the state is replaced, and the threshold of rest falls, which wakes dust up.
#[test]
fn blocks_that_rest_are_left_out_and_no_bit_changes() {
    let Some(gpu) = shared("blocks that rest on the GPU") else { return };
    let chain = chain("cell-fast");
    for scene in [
        scene("murmuration", (43, 26), Some(33), "torus"),
        scene("murmuration", (33, 41), Some(25), "walls"),
        scene("droplets", (91, 66), None, "torus"),
    ] {
        let plan = Arc::new(Plan::new(&chain, &scene.rules, &scene.world).unwrap());
        let dispatch = Dispatch::Compute { workgroup: [64, 1] };
        let mut engine = GpuEngine::new(gpu.clone(), plan, &scene.rules, &scene.world, &scene.start, dispatch).unwrap();
        let mut expected = scene.play(&chain, Player::quick());
        let mut left_out = Vec::new();
        for part in 0..10 {
            match part {
                5 => {
                    let state = sky(scene.world.extents, 0.6);
                    engine.set_state(&state).unwrap();
                    expected.put(&state, 50);
                }
                8 => expected.rules.rest = 6,
                _ => {}
            }
            engine.play(&expected.parameters(10)).unwrap();
            expected.advance(10);
            let what = format!("{:?} {:?}, part {part}", scene.world.extents, scene.world.edges);
            assert_same(&expected.state(), &engine.state().unwrap(), &what);
            left_out.push(engine.blocks_left_out().unwrap());
        }
        let blocks: u32 = scene.world.extents.along_axes().iter().map(|extent| (extent / 8).max(1)).product();
        // The cloud leaves a trail that moves on, and hardly ever is any block far enough from all of it where a lattice has few.
        let some = left_out.iter().filter(|count| (1..blocks as usize).contains(count)).count();
        assert!(some >= 3, "{left_out:?} of {blocks} blocks were left out");
        assert!(expected.caught() > 0, "the hunter caught nothing");
    }
}
