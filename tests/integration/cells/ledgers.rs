//! Every ledger of the presets with lives and species, over a thousand steps in a small world.

use murmuration_core::engine::cpu::Options;
use murmuration_core::numbers::BOID;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Simulation};
use murmuration_core::state::Swarm;

const STEPS: u64 = 1000;
const BATCH: u64 = 50;

#[test]
fn every_ledger_balances_over_a_thousand_steps() {
    for (name, size) in [("chase", (80, 50)), ("moods", (80, 50)), ("feeding", (80, 50)), ("three", (48, 48))] {
        let overrides = Overrides { size: Some(size), ..Overrides::default() };
        let preset = Preset::load(murmuration::host(), name, &overrides).unwrap();
        let chain = preset.load_chain(None).unwrap();
        let choice = EngineChoice::Cpu(Options { threads: Some(2), instruction_set: None });
        let mut simulation = Simulation::new(preset, &chain, choice).unwrap();
        let species = simulation.preset().species.len();
        while simulation.step() < STEPS {
            simulation.advance(BATCH).unwrap();
            let account = simulation.account().unwrap();
            let what = format!("{name}, step {}", account.step);
            assert_eq!((account.lost, account.lost_food, account.lost_energy), (0, 0, 0), "{what}");
            for own in 0..species {
                assert_eq!(account.ledger.lost_of(own, account.species[own]), 0, "{what}, species {own}");
                assert_eq!(account.energy_of(own).lost, 0, "{what}, species {own}");
            }
            // The sums of the account are those of the state.
            let swarm = simulation.swarm().unwrap();
            assert_eq!((account.quanta, account.food), (swarm.total(), swarm.food()), "{what}");
            if let Swarm::Individuals(individuals) = &swarm {
                assert_eq!(account.energy, individuals.stores(), "{what}");
                let counts = individuals.counts().map(|count| count * u64::from(BOID));
                assert!(species < 2 || account.species == counts, "{what}");
            }
        }
        let turnover = simulation.account().unwrap().ledger.turnover;
        let moved = turnover.born + turnover.starved + turnover.eaten + turnover.grazed + turnover.energy[0].burnt;
        let of_species: u64 = turnover.species.iter().map(|own| own.eaten).sum();
        assert!(moved + of_species > 0, "{name}: nothing came or went");
    }
}
