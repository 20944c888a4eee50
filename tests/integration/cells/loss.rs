//! The candidate causes of the paper's loss (`docs/model.md, The loss in the paper`): what each stores, against 64-bit
//! floats.

use crate::support::adapter;
use crate::support::command::{Folder, repository};
use murmuration_core::numbers::BOID;

/// The densities in quanta after some steps of the preset `paper` between walls, and the number of quanta at the start.
fn densities(folder: &Folder, chain: &str, steps: u32) -> (Vec<u32>, u64) {
    let line = format!(
        "render paper --size 48x48 --set world.edges=walls --chain {chain} --engine gpu --steps {steps} \
         --every {steps} --frames npy --overwrite --out frames --json"
    );
    let run = folder.run(&line.split(' ').collect::<Vec<_>>());
    let start = run.object()["quanta_start"].as_u64().unwrap();
    let file = std::fs::read(folder.join(&format!("frames/density-{steps:06}.npy"))).unwrap();
    let begin = 10 + usize::from(u16::from_le_bytes([file[8], file[9]]));
    (file[begin..].chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect(), start)
}

/// A density as a half float, in quanta. `round`: rounds a number of last places.
fn half(quanta: u32, round: fn(f64) -> f64) -> u32 {
    if quanta == 0 {
        return 0;
    }
    // A half float has 11 significant bits.
    let last_place = f64::from(quanta).log2().floor() - 10.0;
    let last_place = last_place.max(0.0).exp2();
    (round(f64::from(quanta) / last_place) * last_place) as u32
}

/// A density as an integer from 0 to `most` for 0 to 1 boid, in quanta.
fn fixed(quanta: u32, most: f64) -> u32 {
    let boids = f64::from(quanta) / f64::from(BOID);
    ((boids.min(1.0) * most).round() / most * f64::from(BOID)).round() as u32
}

/// What a store makes of a density in quanta.
type Store = fn(u32) -> u32;

#[test]
fn a_store_of_each_format_is_that_of_floats() {
    if adapter::shared("the causes of the loss").is_none() {
        return;
    }
    let folder = Folder::new();
    std::fs::create_dir(folder.join("loss")).unwrap();
    for file in std::fs::read_dir(repository().join("examples/loss")).unwrap() {
        let path = file.unwrap().path();
        std::fs::copy(&path, folder.join("loss").join(path.file_name().unwrap())).unwrap();
    }
    let chain = |name: &str| format!("loss/{name}.toml");
    let (exact, start) = densities(&folder, "cell-fast", 1);
    assert_eq!(exact.iter().map(|quanta| u64::from(*quanta)).sum::<u64>(), start);
    let causes: [(&str, Store); 5] = [
        ("half_to_zero", |quanta| half(quanta, f64::trunc)),
        ("half_nearest", |quanta| half(quanta, f64::round_ties_even)),
        ("unorm8", |quanta| fixed(quanta, 255.0)),
        ("unorm16", |quanta| fixed(quanta, 65_535.0)),
        ("maximum", |quanta| quanta.min(4 * BOID)),
    ];
    for (name, stored) in causes {
        let (found, _) = densities(&folder, &chain(name), 1);
        for (cell, (found, exact)) in found.iter().zip(&exact).enumerate() {
            // A quantum is nearly a step of the 16 bits.
            let error = u32::from(name == "unorm16");
            assert!(found.abs_diff(stored(*exact)) <= error, "{name}, cell {cell}: {found} for {exact}");
        }
    }
    // Half floats lose about 2^-11 · 0.7 of each density in a step, whatever the scene.
    for (name, range) in
        [("half_to_zero", 0.030..0.035), ("half_written", 0.5..1.0), ("blending", 0.1..1.0), ("border", 0.02..0.4)]
    {
        let (found, start) = densities(&folder, &chain(name), 100);
        let part = 1.0 - found.iter().map(|quanta| u64::from(*quanta)).sum::<u64>() as f64 / start as f64;
        assert!(range.contains(&part), "{name}: {part}");
    }
}
