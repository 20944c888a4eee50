//! The ledgers of all presets with lives and species, over a thousand steps in a small world.

use murmuration_core::engine::cpu::Options;
use murmuration_core::numbers::BOID;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Simulation};
use murmuration_core::state::{Entry, Swarm, Unit};

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
            assert_eq!(
                (account.lost, account.ledger.lost(Unit::Food), account.ledger.lost(Unit::Energy)),
                (0, 0, 0),
                "{what}"
            );
            for own in 0..species {
                let lost = Unit::ALL.map(|unit| account.ledger.lost_of(unit, own));
                assert_eq!(lost, lost.map(|_| 0), "{what}, species {own}");
            }
            // The sums of the account equal the sums of the state.
            let swarm = simulation.swarm().unwrap();
            assert_eq!(account.quanta, swarm.total(), "{what}");
            if let Swarm::Individuals(individuals, _) = &swarm {
                let food = swarm.columns().named("food").iter().map(|food| u64::from(*food)).sum::<u64>();
                assert_eq!(account.ledger.sum(Entry::FoodPresent), food, "{what}");
                assert_eq!(account.ledger[Entry::EnergyPresent], individuals.stores(), "{what}");
                let counts = individuals.counts().map(|count| count * u64::from(BOID));
                assert_eq!(account.ledger[Entry::Present], counts, "{what}");
            }
        }
        let ledger = simulation.account().unwrap().ledger;
        let moved = |unit: Unit| ledger.changes(unit, None).into_iter().map(|(_, amount)| amount).sum::<u64>();
        assert!(Unit::ALL.map(moved).into_iter().sum::<u64>() > 0, "{name}: nothing came or went");
    }
}
