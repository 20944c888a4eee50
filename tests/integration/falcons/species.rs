//! Falcons hunt several species of cells as one swarm. A further test: the sums over several species on a device.

use crate::species::cells::{BUSY, begun, cpu, deep, hashes, preset, state};
use crate::support::measures::check_on_device;
use crate::support::{adapter, size};
use murmuration_core::engine::Dispatch;
use murmuration_core::falcons::{Falcon, FalconsReading};
use murmuration_core::simulation::{EngineChoice, Simulation};
use murmuration_core::state::Swarm;
use murmuration_core::state::sums::{StateSums, SumsReading};

const FALCONS: &str = "[[hunter]]\nkind = \"falcon\"\njaws = 2\nrest = 9\n[[hunter]]\nkind = \"falcon\"\nspeed = 1.3\n\
    rest = 6\nsight = 11\n[[hunter]]\nat = [0.7, 0.3]\nreach = 8\njaws = 3\n";

/// A world of three species with falcons.
fn with_falcons(text: &str) -> String {
    let one = "[hunter]\nat = [0.7, 0.3]\nreach = 8\njaws = 3\n";
    assert!(text.contains(one));
    text.replace(one, FALCONS)
}

fn falcons(simulation: &mut Simulation) -> Vec<Falcon> {
    simulation.request(FalconsReading).unwrap().wait().unwrap()
}

#[test]
fn falcons_hunt_all_species_alike_on_every_engine() {
    let gpu = adapter::shared("falcons over species on the GPU");
    for (text, chains, steps) in
        [(with_falcons(BUSY), ["cell-fast", "cell"], 30), (with_falcons(&deep()), ["cell-fast", "cell-deep"], 12)]
    {
        let of = || preset(&text, &["world.edges=torus"]);
        let (expected, account) = hashes(begun(of(), chains[0], cpu(1, None)), steps);
        let mut others = vec![(chains[0], cpu(3, None)), (chains[1], cpu(2, None))];
        if gpu.is_some() {
            // In the suite one dispatch plays each world.
            let dispatches = [Dispatch::Compute { workgroup: [8, 4] }, Dispatch::Fragment];
            let dispatches = dispatches
                .into_iter()
                .filter(|dispatch| size((*dispatch == Dispatch::Fragment) == (steps == 30), true));
            others.extend(dispatches.map(|dispatch| (chains[0], EngineChoice::Gpu(dispatch))));
        }
        for (chain, choice) in others {
            assert_eq!(hashes(begun(of(), chain, choice), steps), (expected.clone(), account), "{chain}, {choice:?}");
        }
        // Every species perceives the falcons at their present places, not at their places at the start.
        let mut still = begun(preset(&text, &["world.edges=torus", "hunter[0].speed=0.1"]), chains[0], cpu(2, None));
        still.advance(steps as u64).unwrap();
        let [now, other] = [&mut begun(of(), chains[0], cpu(2, None)), &mut still].map(|simulation| {
            let left = steps as u64 - simulation.step();
            simulation.advance(left).unwrap();
            state(simulation)
        });
        for species in 0..3 {
            assert!(now.layers[species] != other.layers[species], "species {species} does not see them");
        }
    }
}

/// A swarm at rest with two falcons. The test adds species to this text.
const AT_REST: &str = "description = \"at rest\"\n[world]\nsize = [40, 28]\n[start]\nboids = 0\n[sight.cohesion]\n\
    disc = 2\n[sight.separation]\ndisc = 1\n[sight.alignment]\ndisc = 1\n[look]\nstyle = \"cloud\"\n[[hunter]]\n\
    kind = \"falcon\"\nrest = 5\n[[hunter]]\nkind = \"falcon\"\nat = [0.2, 0.9]\nrest = 8\nsight = 9\n";

#[test]
fn falcons_see_the_sum_of_all_species() {
    let several = format!("{AT_REST}[[species]]\nname = \"a\"\nseed = 1\n[[species]]\nname = \"b\"\nseed = 2\n");
    let mut one = begun(preset(AT_REST, &[]), "cell-fast", cpu(1, None));
    let mut choices = vec![cpu(2, None)];
    if adapter::shared("what falcons see of species").is_some() {
        choices.push(EngineChoice::Gpu(Dispatch::default()));
    }
    // Quanta below and above the unit of perceived density, and sums beyond 32 bits.
    let quanta = |cell: usize, species: usize| match (cell * 7 + species) % 5 {
        0 => 3_000,
        1 => 70_000 * (1 + cell as u32 % 9),
        2 if cell.is_multiple_of(11) => u32::MAX - 5,
        _ => 0,
    };
    let start = state(&mut one);
    let layer =
        |species| (0..start.layers[0].density.len()).map(move |cell| quanta(cell, species)).collect::<Vec<u32>>();
    let sum = layer(0).iter().zip(layer(1)).map(|(a, b)| a.saturating_add(b)).collect();
    let mut summed = start.clone();
    summed.layers[0].density = sum;
    one.put_back(&Swarm::Cells(summed)).unwrap();
    let flown: Vec<_> = (0..25)
        .map(|_| {
            one.advance(1).unwrap();
            falcons(&mut one)
        })
        .collect();
    assert_ne!(flown[0], flown[24]);
    for choice in choices {
        let mut both = begun(preset(&several, &[]), "cell-fast", choice);
        let mut begins = state(&mut both);
        begins.layers[0].density = layer(0);
        begins.layers[1].density = layer(1);
        both.put_back(&Swarm::Cells(begins)).unwrap();
        for (step, expected) in flown.iter().enumerate() {
            both.advance(1).unwrap();
            assert_eq!(&falcons(&mut both), expected, "{choice:?}, step {step}");
        }
    }
}

#[test]
fn a_device_sums_species_as_one_swarm() {
    if adapter::shared("sums of species").is_none() {
        return;
    }
    for text in [BUSY.to_string(), deep()] {
        for dispatch in [Dispatch::default(), Dispatch::Fragment] {
            let mut simulation = begun(preset(&text, &[]), "cell-fast", EngineChoice::Gpu(dispatch));
            for steps in [0, 5, 1] {
                simulation.advance(steps).unwrap();
                let before = simulation.state_readbacks();
                let shift = simulation.preset().rules.shift;
                let made = simulation.request(SumsReading { shift }).unwrap().wait().unwrap();
                assert_eq!(simulation.state_readbacks(), before, "nothing is read back");
                let expected = StateSums::new(&state(&mut simulation).merged(), shift);
                assert_eq!(made, expected);
                // In memory, mean control vectors are rounded to 1/16384 cell a step.
                check_on_device(&mut simulation, "species");
            }
        }
    }
}
