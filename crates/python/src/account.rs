//! The account of a simulation as a dictionary of Python.

use murmuration::{Account, Preset};
use murmuration_core::state::{Entry, Unit};
use serde_json::{Map, Value, json};

/// The entries of an account by name. Amounts of boids are in quanta (1/65536 boid), except `boids` itself. `food` and
/// `energy` have amounts of food and of energy.
pub fn describe_account(account: &Account, preset: &Preset) -> Value {
    let Account { step, quanta, lost, ledger } = account;
    let mut described =
        json!({ "step": step, "boids": *quanta as f64 / f64::from(murmuration::BOID), "quanta": quanta });
    let of_all = [Entry::Start, Entry::Spawned, Entry::Caught, Entry::Born, Entry::Starved, Entry::Eaten];
    for entry in of_all {
        described[entry.row().name] = json!(ledger.sum(entry));
    }
    described["lost"] = json!(lost);
    if preset.features.named("food").is_some() {
        let entries = [
            ("now", Entry::FoodPresent),
            ("start", Entry::FoodStart),
            ("grown", Entry::FoodGrown),
            ("grazed", Entry::FoodGrazed),
            ("fed", Entry::FoodFed),
            ("removed", Entry::FoodRemoved),
        ];
        let amounts = entries.map(|(name, entry)| (name.to_owned(), json!(ledger.sum(entry))));
        let mut food = Value::Object(amounts.into_iter().collect());
        food["lost"] = json!(ledger.lost(Unit::Food));
        described["food"] = food;
    }
    if preset.species.len() > 1 {
        let own = preset.species.iter().enumerate().map(|(index, own)| {
            let of = |entry: Entry| ledger[entry][index];
            let names = ["caught", "born", "eaten", "starved", "refused"];
            let amount = |name: &str| json!(ledger.named(Unit::Quanta, name, index));
            let turnover: Map<_, _> = names.iter().map(|name| ((*name).to_owned(), amount(name))).collect();
            let lost = ledger.lost_of(Unit::Quanta, index);
            let (quanta, start, spawned) = (of(Entry::Present), of(Entry::Start), of(Entry::Spawned));
            let described =
                json!({ "quanta": quanta, "start": start, "spawned": spawned, "turnover": turnover, "lost": lost });
            (own.name.clone(), described)
        });
        described["species"] = own.collect::<Map<_, _>>().into();
    }
    if preset.individuals.as_ref().is_some_and(|model| model.has_lives()) {
        described["energy"] = json!({ "now": ledger.sum(Entry::EnergyPresent), "lost": ledger.lost(Unit::Energy) });
    }
    described
}
