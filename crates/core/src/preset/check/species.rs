//! Reads and checks the species of a preset, of cells or of individuals.

use super::individuals;
use super::start::{self, StartPlace};
use crate::cells::numbers::{self, Rules};
use crate::error::BadInput;
use crate::individuals::numbers::{IndividualMeeting, WEIGHT_LIMIT};
use crate::individuals::{IndividualRules, Rule};
use crate::lives::numbers::NOBODY;
use crate::look::{Colouring, Look};
use crate::numbers::{ONE, RULE_ONE, fixed};
use crate::preset::{IndividualModel, Preset, Species};
use crate::source::Source;
use crate::species::keys::{MEETING, MeetingNumbers};
use crate::species::{Meeting, SpeciesRules};
use crate::text::is_missing_value;
use crate::world::{Extents, MAX_SPECIES, MeetingKind};
use toml_edit::Item;

/// The max weight of a rule of individuals.
const HEAVIEST: f64 = (WEIGHT_LIMIT >> 20) as f64;
/// Multiplies the seed of the preset before it is added to the seeds of species, so that sums of different seeds
/// differ.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The tables of the species, each with its index in the preset, sorted by the seeds of the species. So results do not
/// depend on the order in the preset or on the names.
pub(super) fn sources(source: &Source, are_played: bool) -> Result<Vec<(usize, Source)>, BadInput> {
    let count = source.length("species");
    if count == 0 {
        return Ok(Vec::new());
    }
    if are_played {
        return Err(source.wrong("species", "are of cells, and individuals play this", "remove them, or play cells"));
    }
    if count > MAX_SPECIES {
        return Err(source.wrong("species", format!("are {count}"), format!("at most {MAX_SPECIES} are possible")));
    }
    let mut all: Vec<(usize, Source)> = (0..count).map(|index| (index, source.of_species(index))).collect();
    for (index, own) in &all {
        let key = |name: &str| format!("species[{index}].{name}");
        let name = name_of(source, *index);
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-') {
            let cure = "a name is made of letters, digits, _ and -";
            return Err(source.wrong(&key("name"), format!("{name:?} cannot be a name"), cure));
        }
        if is_missing_value(name) {
            let problem = format!("{name:?} is a missing value to readers of tables");
            return Err(source.wrong(&key("name"), problem, "call it otherwise"));
        }
        if (0..*index).any(|other| name_of(source, other) == name) {
            return Err(source.wrong(&key("name"), format!("{name:?} is the name of another"), "call it otherwise"));
        }
        if source.item(&key("seed")).is_none() {
            return Err(source.wrong(
                &key("seed"),
                "is missing",
                "give every species a seed of its own, as in seed = 3",
            ));
        }
        let seed = own.integer("seed")?;
        if all[..*index].iter().any(|(_, other)| other.integer("seed") == Ok(seed)) {
            let cure = "every species needs a seed of its own, by which it is known";
            return Err(source.wrong(&key("seed"), format!("{seed} is the seed of another"), cure));
        }
    }
    all.sort_by_key(|(_, own)| own.integer("seed").unwrap_or_default());
    Ok(all)
}

fn name_of(source: &Source, index: usize) -> &str {
    source.text(&format!("species[{index}].name")).unwrap_or_default()
}

/// Gives the look the colours of the species. In a world of cells with several species, a look with other colours is an
/// error.
pub(super) fn look(
    source: &Source,
    mut look: Look,
    species: &[Species],
    is_of_individuals: bool,
) -> Result<Look, BadInput> {
    for (hue, own) in look.species.iter_mut().zip(species) {
        *hue = own.colour;
    }
    if species.len() > 1 && !is_of_individuals && look.colour != Colouring::Species {
        return Err(source.wrong("look.colour", "species have colours of their own", "remove it"));
    }
    Ok(look)
}

/// Reads the species of a preset, in the order of their seeds.
///
/// `seed`: the seed of the preset, if it is given. `is_of_individuals`: the species are of individuals; [`model`] reads
/// their rules. `written`: the extents of the world to which the number of boids in a source belongs. `start_place`:
/// the world in which the start of each species must fit.
pub(super) fn all<'w>(
    source: &Source,
    sources: &[(usize, Source)],
    seed: Option<u64>,
    written: &dyn Fn(&Source) -> Extents,
    start_place: &dyn Fn(usize) -> StartPlace<'w>,
    before: Option<&Preset>,
    is_of_individuals: bool,
) -> Result<Vec<Species>, BadInput> {
    let numbers: Vec<usize> = sources.iter().map(|(index, _)| *index).collect();
    let species = sources.iter().enumerate().map(|(place, (index, own))| {
        if !is_of_individuals {
            let cure = crate::keys::rows::INDIVIDUALS_ONLY;
            check_keys(source, &format!("species[{index}]"), &["most", "grazes"], "model", cure)?;
        }
        let own_rules = if is_of_individuals {
            SpeciesRules { rules: Rules::default(), meetings: Vec::new() }
        } else {
            let rules = numbers::check::rules(own)?;
            let sights: Vec<&str> = rules.sights.keys().map(String::as_str).collect();
            let meetings = meetings(own, *index, &numbers, &sights)?;
            SpeciesRules { rules, meetings }
        };
        let colour = format!("species[{index}].colour");
        Ok(Species {
            name: name_of(source, *index).to_owned(),
            colour: match source.item(&colour) {
                Some(_) => source.decimal(&colour)? as f32,
                None => place as f32 / sources.len() as f32,
            },
            seed: seed_of(own, seed)?,
            own: own_rules,
            start_spec: start::start(own, written(own), &start_place(place), before.filter(|_| place == 0))?,
        })
    });
    let species = species.collect::<Result<Vec<_>, BadInput>>()?;
    check_appetites(source, &species, &numbers)?;
    Ok(species)
}

/// The seed of a species, combined with the seed of the preset if it is given.
fn seed_of(own: &Source, seed: Option<u64>) -> Result<u64, BadInput> {
    Ok((own.integer("seed")? as u64).wrapping_add(seed.unwrap_or(0).wrapping_mul(SPREAD)))
}

/// Reads the individuals of all species, in the order of their seeds. `seed`: the seed of the preset. `base`: this
/// seed, if the preset gives it.
pub(super) fn model(
    source: &Source,
    sources: &[(usize, Source)],
    seed: u64,
    base: Option<u64>,
) -> Result<IndividualModel, BadInput> {
    let numbers: Vec<usize> = sources.iter().map(|(index, _)| *index).collect();
    let mut all = Vec::new();
    for (index, own) in sources {
        check_sights(own, *index)?;
        let mut model = individuals::model(own, seed_of(own, base)?)?;
        let rules = &mut model.rules[0];
        check_species(own, *index, sources.len(), rules)?;
        let grazes = format!("species[{index}].grazes");
        if own.item(&grazes).and_then(Item::as_bool) == Some(false) {
            rules.food = Default::default();
        }
        let most = format!("species[{index}].most");
        rules.most = own.item(&most).map(|_| own.integer(&most)).transpose()?.map(|most| most as u32);
        rules.meetings = individual_meetings(own, *index, &numbers, rules)?;
        all.push(model);
    }
    let joined = |model: IndividualModel, own: IndividualModel| IndividualModel {
        rules: [model.rules, own.rules].concat(),
        ..model
    };
    let Some(model) = all.into_iter().reduce(joined) else { return individuals::model(source, seed) };
    if source.item("food").is_some() && model.rules.iter().all(|rules| rules.food.bite == 0) {
        let cure = "remove [food], or let some species graze";
        return Err(source.wrong("food", "nobody eats it", cure));
    }
    Ok(model)
}

/// Refuses keys that have no effect on individuals with these rules. `count`: the number of species.
fn check_species(own: &Source, index: usize, count: usize, rules: &IndividualRules) -> Result<(), BadInput> {
    let table = format!("species[{index}]");
    if own.item("food").is_none() {
        check_keys(own, &table, &["grazes"], "food.pattern", "say food.pattern, as in pattern = \"patches\"")?;
    }
    if count == 1 {
        check_keys(own, &table, &["most"], "species", "remove it; it is of worlds with several species")?;
    }
    if rules.lives.is_none_or(|lives| lives.rebirth == NOBODY) {
        check_keys(own, &table, &["most"], "lives.rebirth", "say who is born again, as in rebirth = \"starved\"")?;
    }
    Ok(())
}

/// Checks that the preset has the sights that the meetings of a species use.
fn check_sights(own: &Source, index: usize) -> Result<(), BadInput> {
    let table = format!("species[{index}].meets");
    for name in own.names(&table) {
        let (kind, sight) = kind_of(own, &format!("{table}.{name}"))?;
        if kind != MeetingKind::Ignore && own.item(&format!("sight.{sight}")).is_none() {
            let cure = format!("add [sight.{sight}] with the radius of a disc, as in disc = 12");
            let key = format!("{table}.{name}.sight");
            return Err(own.wrong(&key, format!("there is no sight {sight:?}"), cure));
        }
    }
    Ok(())
}

/// The position, in the order of seeds, of a species with this name. `own`: the index of the species that meets it.
/// `numbers`: the indices of all species in the preset, in the order of seeds.
fn other_of(source: &Source, own: usize, numbers: &[usize], name: &str) -> Result<usize, BadInput> {
    let key = format!("species[{own}].meets.{name}");
    let Some(other) = numbers.iter().position(|number| name_of(source, *number) == name) else {
        let names: Vec<&str> = numbers.iter().map(|number| name_of(source, *number)).collect();
        let cure = format!("they are {}", names.join(", "));
        return Err(source.wrong(&key, "there is no species of this name", cure));
    };
    if numbers[other] == own {
        let cure = "[weights] says how a species moves among its own";
        return Err(source.wrong(&key, "is the species itself", cure));
    }
    Ok(other)
}

/// Reads the kind of a meeting and the name of its sight. `table`: the key of the meeting.
fn kind_of<'a>(source: &'a Source, table: &str) -> Result<(MeetingKind, &'a str), BadInput> {
    let key = |key: &str| format!("{table}.{key}");
    let kind = match source.word(&key("kind")) {
        Some("flee") => MeetingKind::Flee,
        Some("follow") => MeetingKind::Follow,
        Some("align") => MeetingKind::Align,
        _ => MeetingKind::Ignore,
    };
    if kind == MeetingKind::Ignore {
        let cure = "say kind = \"flee\", \"follow\" or \"align\", or remove it";
        for stray in ["weight", "sight"].into_iter().filter(|stray| source.item(&key(stray)).is_some()) {
            source.refuse(&key(stray), &key("kind"), cure)?;
        }
    }
    let usual = kind.rule().map_or("cohesion", Rule::name);
    Ok((kind, source.text(&key("sight")).unwrap_or(usual)))
}

fn numbers_of(source: &Source, table: &str) -> Result<MeetingNumbers, BadInput> {
    let mut numbers = MeetingNumbers::default();
    source.read_table(MEETING, table, &mut numbers)?;
    Ok(numbers)
}

/// Refuses keys of a table that have no effect because of the value of the key `decider`. `strays`: the names of the
/// keys.
fn check_keys(source: &Source, table: &str, strays: &[&str], decider: &str, cure: &str) -> Result<(), BadInput> {
    let mut strays = strays.iter().map(|key| format!("{table}.{key}")).filter(|key| source.item(key).is_some());
    strays.try_for_each(|key| source.refuse(&key, decider, cure))
}

/// Reads the meetings of a species of cells with other species.
fn meetings(source: &Source, own: usize, numbers: &[usize], sights: &[&str]) -> Result<Vec<Meeting>, BadInput> {
    let table = format!("species[{own}].meets");
    let mut meetings = Vec::new();
    for name in source.names(&table) {
        let key = |key: &str| format!("{table}.{name}.{key}");
        let other = other_of(source, own, numbers, name)?;
        check_keys(source, &format!("{table}.{name}"), &["jaws", "meal"], "model", "say what it eats by `eats`")?;
        let (kind, sight) = kind_of(source, &format!("{table}.{name}"))?;
        let numbers = numbers_of(source, &format!("{table}.{name}"))?;
        if !sights.contains(&sight) {
            let cure = format!("add [sight.{sight}], or take one of {}", sights.join(", "));
            return Err(source.wrong(&key("sight"), format!("there is no sight {sight:?}"), cure));
        }
        let weight = fixed(numbers.weight, RULE_ONE) as i32;
        meetings.push(Meeting { other, kind, weight, sight: sight.to_owned(), eats: numbers.eats });
    }
    meetings.sort_by_key(|meeting| meeting.other);
    Ok(meetings)
}

/// Reads the meetings of a species of individuals with other species.
fn individual_meetings(
    source: &Source,
    own: usize,
    numbers: &[usize],
    rules: &IndividualRules,
) -> Result<Vec<IndividualMeeting>, BadInput> {
    let table = format!("species[{own}].meets");
    let mut meetings = Vec::new();
    for name in source.names(&table) {
        let key = |key: &str| format!("{table}.{name}.{key}");
        let other = other_of(source, own, numbers, name)?;
        check_keys(source, &format!("{table}.{name}"), &["eats"], "model", "say how near it eats by `jaws`")?;
        let (kind, sight) = kind_of(source, &format!("{table}.{name}"))?;
        let MeetingNumbers { weight, jaws, meal, .. } = numbers_of(source, &format!("{table}.{name}"))?;
        if weight.abs() > HEAVIEST {
            let cure = format!("it must be from -{HEAVIEST} to {HEAVIEST}");
            return Err(source.wrong(&key("weight"), format!("{weight} is too much for individuals"), cure));
        }
        let radius = match kind.rule() {
            Some(_) => individuals::radius(source, sight)?,
            None => 0,
        };
        if jaws == 0 {
            check_keys(
                source,
                &format!("{table}.{name}"),
                &["meal"],
                &key("jaws"),
                "say how near it eats, as in jaws = 1.5",
            )?;
        }
        if rules.lives.is_none() {
            let cure = "remove it, or give individuals lives by lives.rebirth = \"starved\"";
            check_keys(source, &format!("{table}.{name}"), &["meal"], "lives.rebirth", cure)?;
        }
        // Individuals without lives may eat others too, but they have no hunger that a meal reduces.
        let meal = if rules.lives.is_some() { meal } else { 0 };
        let rule = kind.rule().unwrap_or(Rule::Cohesion);
        let weight = individuals::in_sums(rules.set, rules.force, rule, weight);
        meetings.push(IndividualMeeting { other, kind, weight, radius, jaws, meal });
    }
    meetings.sort_by_key(|meeting| meeting.other);
    Ok(meetings)
}

/// Checks two sums of rates `eats` of each species: of all that it eats, and of all that eat it. Each sum must be at
/// most
/// 1. [`crate::cells::context::Meal`] tells why.
fn check_appetites(source: &Source, species: &[Species], numbers: &[usize]) -> Result<(), BadInput> {
    let sum = |rates: &mut dyn Iterator<Item = &Meeting>| rates.map(|meeting| meeting.eats).sum::<u32>();
    let in_words = |sum: u32| f64::from(sum) / f64::from(ONE);
    for (place, own) in species.iter().enumerate() {
        let [eats, is_eaten] = [
            sum(&mut own.own.meetings.iter()),
            sum(&mut species.iter().flat_map(|other| &other.own.meetings).filter(|meeting| meeting.other == place)),
        ];
        let cure = "lower `eats` until they are at most 1 together";
        let key = format!("species[{}].meets", numbers[place]);
        if eats > ONE as u32 {
            let problem = format!("{} eats {} of a cell in a step", own.name, in_words(eats));
            return Err(source.wrong(&key, problem, cure));
        }
        if is_eaten > ONE as u32 {
            let problem = format!("others eat {} of {} in a step", in_words(is_eaten), own.name);
            let key = format!("species[{}].name", numbers[place]);
            return Err(source.wrong(&key, problem, cure));
        }
    }
    Ok(())
}
