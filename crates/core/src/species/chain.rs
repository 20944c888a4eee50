//! The plan of several species. Each species has a chain of passes. It includes a pass for each meeting with another
//! species, and a pass in which species eat each other.

use super::SpeciesRules;
use crate::cells::context::Meal;
use crate::cells::numbers::Rules;
use crate::chain::plan::{FeedingPass, Plan, THE_PRESET};
use crate::chain::table::{FieldKind, Model, Parameter};
use crate::chain::{Chain, Kernel, Pass};
use crate::error::BadInput;
use crate::host::library::Library;
use crate::numbers::MAX_RULES;
use crate::state::fields::Texel;
use crate::world::World;

/// The prefix of the names of control vectors that meetings compute. The number of the other species follows.
pub const MEETING: &str = "meeting_";
const FEED: &str = "feed";

impl Plan {
    /// Plans a chain for each of several species. `names`: the names of the species. `species`: their rules and
    /// meetings.
    ///
    /// # Errors
    /// The errors of [`Plan::new`]. Also if the chain has no pass that sums the rules' control vectors, or if rules and
    /// meetings are more than [`MAX_RULES`].
    pub fn of_species(
        library: &Library,
        chain: &Chain,
        names: &[&str],
        species: &[SpeciesRules],
        world: &World,
    ) -> Result<Self, BadInput> {
        let meeting = |own| with_meetings(library, chain, names, own);
        let parts = species.iter().map(meeting).collect::<Result<Vec<_>, _>>()?;
        let parts: Vec<_> = parts.iter().map(|(chain, rules)| (chain, rules)).collect();
        let feeding: Vec<_> = (0..species.len()).filter_map(|own| feeding(library, species, own)).collect();
        Plan::of_parts(&parts, names, world, &feeding)
    }

    /// The rules of the first species, with their weights (Q10). Meetings are omitted, because their weights have other
    /// keys.
    pub fn weights_of_rules(&self) -> Vec<(String, i32)> {
        let weights = self.layers[0].weights.iter();
        weights.filter(|(rule, _)| !rule.starts_with(MEETING)).cloned().collect()
    }

    /// Plans a chain that may name species. All these species have the rules `rules`, and no species meets another.
    ///
    /// # Errors
    /// The errors of [`Plan::of_species`].
    pub fn of_alike(library: &Library, chain: &Chain, rules: &Rules, world: &World) -> Result<Self, BadInput> {
        let names: Vec<&str> = chain.species_named().into_iter().collect();
        if names.is_empty() {
            return Plan::new(chain, rules, world);
        }
        let own = SpeciesRules { rules: rules.clone(), meetings: Vec::new() };
        Plan::of_species(library, chain, &names, &vec![own; names.len()], world)
    }
}

/// Adds a pass for each meeting of a species to its chain, and the weight of each meeting to its rules. `names`: the
/// names of all species. `own`: the rules and meetings of the species.
fn with_meetings(
    library: &Library,
    chain: &Chain,
    names: &[&str],
    own: &SpeciesRules,
) -> Result<(Chain, Rules), BadInput> {
    let (mut chain, mut rules) = (chain.clone(), own.rules.clone());
    let bad = |problem: &str, cure: &str| BadInput::new(THE_PRESET, problem, cure).at_key("species");
    let is_summing = |pass: &Pass| pass.kernel.signature.is_some_and(|signature| signature.has_sum);
    let Some(mut summing) = chain.passes.iter().position(is_summing) else {
        return Err(bad("the chain sums no rules, so that species cannot meet", "play the chain cell or cell-fast"));
    };
    for meeting in &own.meetings {
        let Some(kernel) = meeting.kind.kernel() else { continue };
        let kernel = built_in(library, kernel);
        // The kernel of a meeting has the prefix `own_` in the names of the species' own fields. The fields of the
        // other species have no prefix.
        let field = |parameter: &Parameter| match parameter.name.strip_prefix("own_") {
            Some(own) => own.to_string(),
            None => format!("{} of {}", parameter.name, names[meeting.other]),
        };
        let read = kernel.signature.map_or(&[][..], |row| row.read).iter().map(field).collect();
        let name = format!("{MEETING}{}", meeting.other);
        chain.fields.insert(name.clone(), FieldKind::Texel(Texel::Vector));
        let summing_pass = &mut chain.passes[summing];
        summing_pass.read.push(name.clone());
        let count = summing_pass.summed().len() + summing_pass.kernel.signature.map_or(0, |row| row.rules.len());
        if count > MAX_RULES {
            return Err(bad(&format!("meetings and rules are more than {MAX_RULES}"), "take meetings away"));
        }
        let place = summing_pass.place.clone();
        rules.weights.insert(name.clone(), meeting.weight);
        let signature = kernel.signature.map_or(&[][..], |row| row.axes);
        let pass = Pass {
            kernel,
            invocation: crate::chain::table::Invocation::Cell,
            axes: signature,
            sight: Some(meeting.sight.clone()),
            read,
            write: vec![name],
            place,
        };
        chain.passes.insert(summing, pass);
        summing += 1;
    }
    Ok((chain, rules))
}

/// The pass in which species `own` eats others and is eaten; `None`: the species does neither.
fn feeding(library: &Library, species: &[SpeciesRules], own: usize) -> Option<FeedingPass> {
    let mut fed = vec![own];
    let mut meals = Vec::new();
    for (eater, of_eater) in species.iter().enumerate() {
        for meeting in of_eater.meetings.iter().filter(|meeting| meeting.eats > 0) {
            if eater != own && meeting.other != own {
                continue;
            }
            let mut place = |species: usize| {
                fed.iter().position(|known| *known == species).unwrap_or_else(|| {
                    fed.push(species);
                    fed.len() - 1
                })
            };
            meals.push(Meal { eater: place(eater), prey: place(meeting.other), rate: meeting.eats });
        }
    }
    (!meals.is_empty()).then(|| FeedingPass { kernel: built_in(library, FEED), layers: fed, meals })
}

/// A built-in kernel of the cells.
fn built_in(library: &Library, name: &str) -> Kernel {
    let table = Model::Cell.table();
    let origin = table.path(name);
    let text = library.text(&origin).unwrap_or_default().to_string();
    Kernel { name: name.to_string(), origin, text, signature: table.kernel(name), is_built_in: true }
}
