//! Overlap queries have equal answers on every engine. No swarm is read back for them.

use crate::support::adapter::shared;
use murmuration_core::engine::Dispatch;
use murmuration_core::numbers::BOID;
use murmuration_core::overlap::{Overlap, OverlapResult};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Simulation};

const GPU: [EngineChoice; 2] =
    [EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] }), EngineChoice::Gpu(Dispatch::Fragment)];

fn simulation(name: &str, size: &[u32], choice: EngineChoice) -> Simulation {
    let set = if size.is_empty() { Vec::new() } else { vec!["start.run_in=0".into()] };
    let (size, depth) = (size.first_chunk().map(|[width, height]| (*width, *height)), size.get(2).copied());
    let overrides = Overrides { size, depth, set, ..Overrides::default() };
    let preset = Preset::load(murmuration::host(), name, &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, choice).unwrap()
}

/// Balls and boxes in a world, at its edges and beyond.
fn queries([width, height, depth]: [f64; 3]) -> Vec<Overlap> {
    let parts = [-0.1, 0.0, 0.13, 0.49, 0.72, 0.999, 1.3];
    let middles = (0..70).map(|index| [index, index / 2, index / 7].map(|number| parts[number % 7]));
    let places = middles.map(|[x, y, z]| [x * width, y * height, z * depth]);
    let all = places.flat_map(|[x, y, z]| {
        let cell = [x, y, z].map(|along| along as i32);
        [
            Overlap::ball([x, y, z], 9.3),
            Overlap::ball([x, y], 20.0),
            Overlap::cuboid([x, y, z], [width, 2.0, 7.5]),
            Overlap::cell(cell.into()),
            Overlap::cell([cell[0], cell[1]].into()),
        ]
    });
    all.chain([Overlap::cuboid([0.0, 0.0], [2000.0, 2000.0])]).collect()
}

fn ask(simulation: &mut Simulation, queries: &[Overlap]) -> Vec<OverlapResult> {
    simulation.overlap(queries).unwrap().wait().unwrap()
}

#[test]
fn every_engine_gives_the_same_answers_and_reads_no_swarm_back() {
    let gpu = shared("overlap queries on a GPU");
    for (name, size) in [
        ("droplets", &[97, 61][..]),
        ("murmuration", &[37, 29, 23]),
        ("three", &[64, 48]),
        ("aquarium", &[]),
        ("flock", &[60, 50, 40]),
    ] {
        let mut on_cpu = simulation(name, size, EngineChoice::Cpu(Default::default()));
        on_cpu.advance(12).unwrap();
        let extents = on_cpu.preset().space().extents;
        let queries = queries(extents.map(f64::from));
        let expected = ask(&mut on_cpu, &queries);
        let quanta = on_cpu.account().unwrap().quanta;
        assert_eq!(expected.last().unwrap().quanta, quanta, "{name}: the whole world");
        let occupied = expected.iter().filter(|result| result.quanta > 0 && result.nearest.is_some()).count();
        assert!(occupied > 20 && occupied < expected.len(), "{name}: {occupied} of {}", expected.len());
        assert!(expected.iter().all(|result| (result.quanta > 0) == result.nearest.is_some()));
        assert!(ask(&mut on_cpu, &[]).is_empty());
        if gpu.is_none() {
            continue;
        }
        for choice in GPU.into_iter().take(if on_cpu.preset().individuals.is_some() { 1 } else { 2 }) {
            let mut on_gpu = simulation(name, size, choice);
            on_gpu.advance(12).unwrap();
            let before = on_gpu.state_readbacks();
            assert!(ask(&mut on_gpu, &queries) == expected, "{name}, {choice:?}");
            // Three queries, and one more query before the answer to the three has come.
            let tickets = [3, 1].map(|count| on_gpu.overlap(&queries[..count]).unwrap());
            for (ticket, count) in tickets.into_iter().zip([3, 1]) {
                assert_eq!(ticket.wait().unwrap(), expected[..count], "{name}, {choice:?}");
            }
            assert!(ask(&mut on_gpu, &[]).is_empty());
            assert_eq!(on_gpu.state_readbacks(), before, "{name}: the swarm is read back");
        }
    }
}

#[test]
fn a_lattice_of_cells_holds_what_its_state_says() {
    let mut swarm = simulation("droplets", &[64, 40], EngineChoice::Cpu(Default::default()));
    swarm.advance(30).unwrap();
    let state = swarm.state().unwrap();
    let cells: Vec<Overlap> = (0..40).flat_map(|y| (0..64).map(move |x| Overlap::cell([x, y].into()))).collect();
    let results = ask(&mut swarm, &cells);
    assert!(results.iter().map(|result| result.quanta).eq(state.layers[0].density.iter().map(|own| u64::from(*own))));
    assert!(results.iter().map(|result| result.quanta).sum::<u64>() > u64::from(BOID));
}
