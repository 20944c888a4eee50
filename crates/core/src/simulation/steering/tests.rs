use super::*;
use crate::preset::{Overrides, Preset};
use crate::simulation::EngineChoice;
use crate::simulation::replay::ReplayReading;

fn simulation(preset: &str) -> Simulation {
    let overrides = Overrides { size: Some((24, 20)), ..Overrides::default() };
    let preset = Preset::load(crate::testing::host(), preset, &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, EngineChoice::Cpu(Default::default())).unwrap()
}

/// Runs some steps and turns every velocity by a right angle, three times. Returns the state hash at the end. `order`:
/// puts the individuals into the order in which `set_velocities` gets them.
fn turned(mut simulation: Simulation, order: fn(&Individuals) -> Individuals) -> String {
    for _ in 0..3 {
        simulation.advance(4).unwrap();
        let Swarm::Individuals(individuals, columns) = simulation.swarm().unwrap() else { unreachable!() };
        let mut individuals = order(&individuals);
        let [x, y, _] = &mut individuals.velocities;
        std::mem::swap(x, y);
        x.iter_mut().for_each(|along| *along = -*along);
        simulation.set_velocities(Swarm::Individuals(individuals, columns)).unwrap();
    }
    simulation.advance(2).unwrap();
    assert_eq!(simulation.account().unwrap().lost, 0);
    simulation.state_hash().unwrap()
}

/// Python returns individuals in the order of their numbers. No search for neighbours keeps them in this order.
#[test]
fn individuals_may_be_in_any_order() {
    let mut played = 0;
    for (name, _) in crate::testing::library().folder("presets") {
        let overrides = Overrides { size: Some((48, 40)), ..Overrides::default() };
        let Ok(preset) = Preset::load(crate::testing::host(), name, &overrides) else { continue };
        for chain in ["agents-brute", "agents-grid", "agents-octree"] {
            let chain = preset.load_chain(Some(chain.as_ref())).unwrap();
            let cpu = EngineChoice::Cpu(Default::default());
            let begin = || Simulation::before_run_in(preset.clone(), &chain, cpu);
            let (Ok(stored), Ok(ordered)) = (begin(), begin()) else { continue };
            assert_eq!(turned(stored, Individuals::clone), turned(ordered, Individuals::in_order), "{name}");
            played += 1;
        }
    }
    assert!(played >= 30, "{played}");
    let mut simulation = simulation("moods");
    simulation.advance(3).unwrap();
    let Swarm::Individuals(mut individuals, columns) = simulation.swarm().unwrap() else { unreachable!() };
    individuals.numbers.swap(0, 1);
    assert!(simulation.set_velocities(Swarm::Individuals(individuals, columns)).is_err());
}

/// Too long vectors are shortened, other changes are refused, and no boid is lost.
#[test]
fn velocities_alone_are_replaced() {
    for preset in ["droplets", "veils", "three", "moods", "smoke"] {
        let mut simulation = simulation(preset);
        simulation.advance(3).unwrap();
        let mut swarm = simulation.swarm().unwrap();
        match &mut swarm {
            Swarm::Cells(state) => {
                let layer = &mut state.layers[0];
                (0..layer.density.len()).for_each(|cell| layer.set_velocity(cell, [ONE, -ONE, 0]));
            }
            Swarm::Individuals(individuals, _) => individuals.velocities[0].fill(20 * ONE),
        }
        simulation.set_velocities(swarm.clone()).unwrap();
        let set = simulation.swarm().unwrap();
        match (&set, &swarm) {
            (Swarm::Cells(state), _) => {
                let [x, y, z] = state.layers[0].velocity(7);
                assert!(z != 0 || (x == -y && (11_584..=11_586).contains(&x)), "{preset}: {x} {y} {z}");
            }
            (Swarm::Individuals(set, _), Swarm::Individuals(individuals, _)) => {
                assert!(set.velocities[0].iter().all(|along| (1..=2 * ONE).contains(along)), "{preset}");
                assert_eq!(set.positions, individuals.positions);
            }
            _ => unreachable!(),
        }
        let wrong = match swarm {
            Swarm::Cells(mut state) => {
                state.layers[0].density[3] += 1;
                Swarm::Cells(state)
            }
            Swarm::Individuals(mut individuals, columns) => {
                individuals.positions[1][0] += 1;
                Swarm::Individuals(individuals, columns)
            }
        };
        let refused = simulation.set_velocities(wrong).unwrap_err().to_string();
        assert!(refused.contains("something other than the velocities"), "{refused}");
        assert_eq!(simulation.swarm().unwrap().hash(), set.hash(), "{preset}");
        simulation.advance(20).unwrap();
        assert_eq!(simulation.account().unwrap().lost, 0, "{preset}");
        assert!(simulation.read(ReplayReading).is_err());
    }
}
