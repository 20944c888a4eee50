//! The fast chain equals the paper's chain to the last bit: on every preset, instruction set and sight, and in ten
//! thousand small worlds. `agreement.rs` compares presets and random worlds on the GPU with the paper's chain.

use crate::support::scenes::{EDGES, Player, Scene, assert_same, chain, presets};
use crate::support::{adapter, size};
use murmuration_core::cells::sight::Sight;
use murmuration_core::lanes::InstructionSet;

/// The number of small random worlds.
fn worlds() -> u64 {
    size(2_000, 10_000)
}

/// A CPU player whose instruction set changes with the index.
fn cpu(index: u64) -> Player {
    let sets: Vec<_> = InstructionSet::ALL.iter().copied().filter(|set| set.is_available()).collect();
    Player::Cpu { threads: 1 + (index / 3 % 3) as usize, set: sets[index as usize % sets.len()] }
}

fn compare(scene: &Scene, steps: u64, players: impl IntoIterator<Item = Player>) {
    let expected = scene.after(steps, &chain("cell"), Player::quick());
    for player in players {
        let actual = scene.after(steps, &chain("cell-fast"), player);
        assert_same(&expected, &actual, &format!("{}, {steps} steps: {player}", scene.name));
    }
}

#[test]
fn every_preset_is_the_same_by_the_fast_chain() {
    for name in presets() {
        compare(&Scene::built_in(name, 97, 66), 60, (0..3).map(cpu));
    }
}

#[test]
fn thousands_of_worlds_are_the_same_by_the_fast_chain() {
    for seed in 0..worlds() {
        compare(&Scene::random(seed), 3, [cpu(seed)]);
    }
}

/// Every form of sight with every radius from 1 to 32, on lattices wider and narrower than the sight.
#[test]
fn every_radius_is_the_same_by_the_fast_chain() {
    for radius in 1..=32 {
        let sights = [
            Sight::disc(radius << 10),
            Sight::disc((radius << 10) + 512),
            Sight::square(radius.min(31)),
            Sight::rings(16, &[radius]),
        ];
        for (index, sight) in sights.into_iter().enumerate() {
            let size = if (radius as usize + index).is_multiple_of(2) { [75, 70] } else { [31, 13] };
            let mut scene = Scene::busy(size[0], size[1], EDGES[index / 2]);
            let sight = sight.unwrap();
            scene.rules.sights.values_mut().for_each(|own| *own = sight.clone());
            compare(&scene, 2, [cpu(u64::from(radius) + index as u64)]);
        }
    }
}

/// Sights of every form with different reaches in one pass, on lattices wider and narrower than the sights.
#[test]
fn every_reach_is_the_same_by_the_fast_chain_on_the_gpu() {
    if adapter::shared("sights of the fast chain on the GPU").is_none() {
        return;
    }
    let sights = |index: usize, radius: u32| match index % 3 {
        0 => Sight::disc(radius << 10),
        1 => Sight::square(radius),
        _ => Sight::rings(8, &[radius]),
    };
    for (index, radii) in [[1, 4, 2], [16, 3, 9], [5, 17, 31], [31, 1, 17]].into_iter().enumerate() {
        for (form, size) in [[75, 70], [31, 13]].into_iter().enumerate() {
            let mut scene = Scene::busy(size[0], size[1], EDGES[index % 2]);
            for (rule, (sight, radius)) in scene.rules.sights.values_mut().zip(radii).enumerate() {
                *sight = sights(index + form + rule, radius).unwrap();
            }
            scene.name = format!("{}, radii {radii:?}, forms from {}", scene.name, (index + form) % 3);
            compare(&scene, 2, [Player::Compute([64, 1]), Player::Fragment, cpu(index as u64)]);
        }
    }
}

/// Cohesion and alignment with equal boxes, which share the sums of columns, and with different boxes. The boxes are
/// narrower and wider than the lattice.
#[test]
fn boxes_are_the_same_by_the_fast_chain_on_the_gpu() {
    if adapter::shared("boxes of the fast chain on the GPU").is_none() {
        return;
    }
    for (index, radii) in [[5, 5], [9, 4], [3, 17], [31, 31]].into_iter().enumerate() {
        for (form, size) in [[75, 130], [19, 23]].into_iter().enumerate() {
            let mut scene = Scene::busy(size[0], size[1], EDGES[(index + form) % 2]);
            for (rule, radius) in ["cohesion", "alignment"].into_iter().zip(radii) {
                scene.rules.sights.insert(rule.into(), Sight::square(radius).unwrap());
            }
            scene.name = format!("{}, boxes {radii:?}", scene.name);
            compare(&scene, 2, [Player::Compute([[64, 1], [8, 8]][index % 2]), cpu(index as u64)]);
        }
    }
}

/// Cohesion by contrast. The boxes are narrower and wider than the lattice.
#[test]
fn contrasts_are_the_same_by_the_fast_chain() {
    let has_device = adapter::shared("contrasts of the fast chain on the GPU").is_some();
    for (index, radii) in [[1, 1], [2, 1], [1, 3], [9, 5], [15, 15]].into_iter().enumerate() {
        for (form, size) in [[75, 70], [31, 13]].into_iter().enumerate() {
            let mut scene = Scene::busy(size[0], size[1], EDGES[(index + form) % 2]);
            scene.rules.sights.insert("cohesion".into(), Sight::contrast(radii, 2).unwrap());
            scene.name = format!("{}, a contrast of {radii:?}", scene.name);
            let device = has_device.then_some(Player::Compute([64, 1]));
            compare(&scene, 2, [cpu(index as u64), cpu(index as u64 + 1)].into_iter().chain(device));
        }
    }
}

/// For these boxes the paper's chain would list too many cells. So the fast chain on the CPU is compared with the fast
/// chain on the GPU.
#[test]
fn large_contrasts_are_the_same_on_both_engines() {
    if adapter::shared("large contrasts on the GPU").is_none() {
        return;
    }
    for (edges, radii) in EDGES.into_iter().zip([[22, 20], [40, 7]]) {
        let mut scene = Scene::busy(75, 50, edges);
        scene.rules.sights.insert("cohesion".into(), Sight::contrast(radii, 2).unwrap());
        let of = |player| scene.after(2, &chain("cell-fast"), player);
        assert_same(&of(Player::Compute([64, 1])), &of(cpu(0)), &scene.name);
    }
}

/// Some drivers count the turns of all loops of an invocation, and stop an invocation with too many.
#[test]
fn the_largest_sights_are_the_same_by_the_fast_chain_on_the_gpu() {
    if adapter::shared("large sights of the fast chain on the GPU").is_none() {
        return;
    }
    let mut scene = Scene::busy(64, 150, EDGES[0]);
    for (sight, reach) in scene.rules.sights.values_mut().zip([29, 30, 31]) {
        // A checkerboard, so that no column can be reused.
        let cells = (-reach..=reach).flat_map(|x| (-reach..=reach).map(move |y| [x, y]));
        *sight = Sight::list(&cells.filter(|[x, y]| (x + y) % 2 == 0).collect::<Vec<_>>()).unwrap();
    }
    compare(&scene, 1, [Player::Compute([64, 1])]);
}

/// One block of columns, several blocks, and a partial block.
#[test]
fn every_width_is_the_same_by_the_fast_chain() {
    for width in [1, 2, 31, 32, 33, 511, 512, 513, 544, 1030] {
        compare(&Scene::busy(width, 9, EDGES[width as usize % 2]), 3, (0..3).map(cpu));
    }
}
