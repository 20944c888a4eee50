//! The plan of a step: the passes that are played, and the buffer of each field that they read and write.
//!
//! The plan is made once, from a chain and the numbers of a preset, without a device. The engines on the CPU and on a
//! GPU play the plan. A field of the state that a pass writes is double-buffered. The pass reads the old buffer and
//! writes the new one, which later passes read. After a step, the newest state may be in the other buffer than before.
//! Every second step then plays the same passes with the buffers exchanged. These are the plan's phases.

use super::names::{accessor_of, split_name};
use super::table::{FieldKind, Model};
use super::{Chain, Kernel, Pass};
use crate::cells::BuiltInKernel;
use crate::cells::context::Meal;
use crate::cells::numbers::Rules;
use crate::cells::sight::Sight;
use crate::error::BadInput;
use crate::state::fields::Texel;
use crate::state::{Layer, State};
use crate::text::did_you_mean;
use crate::world::World;
use std::collections::{BTreeMap, BTreeSet};

/// The fields of the state. Engines upload and download their newest buffers.
pub const STATE: [&str; 2] = ["density", "control"];

/// The origin in errors about the preset. A plan does not know the preset's file and lines.
pub const THE_PRESET: &str = "the preset";

/// A field that the engines keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedField {
    /// The name of the field in the chain.
    pub name: String,
    /// The content of the field in a cell.
    pub texel: Texel,
    /// The number of buffers: 2 if the field is double-buffered, else 1.
    pub buffers: usize,
}

/// One buffer of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Index into [`Plan::fields`].
    pub field: usize,
    /// The index of the buffer: 0, or 1 for the second buffer of a double-buffered field.
    pub buffer: usize,
}

/// One pass of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedPass {
    /// Index into [`Plan::kernels`].
    pub kernel: usize,
    /// The name in the plan of each sight of the kernel, in its order. A sight is the set of cells around a cell that a
    /// rule reads. `None`: the rule has weight 0.
    pub sights: Vec<Option<String>>,
    /// The buffers that the kernel reads, in its order.
    pub read: Vec<Slot>,
    /// The buffers that the kernel writes, in its order.
    pub write: Vec<Slot>,
    /// The names that the kernel uses: for the fields that it reads, then for the fields that it writes.
    pub names: [Vec<String>; 2],
    /// The index of the layer whose parameters the kernel takes.
    pub layer: usize,
    /// The meals in which the layer eats or is eaten; empty for other passes.
    pub meals: Vec<Meal>,
}

impl PlannedPass {
    /// The sights of a preset that the kernel reads, in its order; `None` for rules of weight 0.
    pub fn sights_of_fields<'a>(&self, sights: &'a BTreeMap<String, Sight>) -> Vec<Option<&'a Sight>> {
        self.sights.iter().map(|name| name.as_ref().map(|name| &sights[name])).collect()
    }
}

/// A layer of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedLayer {
    /// For each phase: the slots that hold the newest density and the newest control vector before the phase.
    pub state: Vec<[Slot; 2]>,
    /// The control vectors that the steering pass sums, in its order, with their weights (Q10).
    pub weights: Vec<(String, i32)>,
}

/// A checked plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The name of the chain.
    pub chain: String,
    /// Whether the passes leave the sum of the density unchanged.
    pub conserves: bool,
    /// All fields of all layers.
    pub fields: Vec<PlannedField>,
    /// The kernels of all passes.
    pub kernels: Vec<Kernel>,
    /// The passes of each phase: one phase, or two for odd and even steps. Both have the same passes.
    pub phases: Vec<Vec<PlannedPass>>,
    /// The layers: one for each species, at least one.
    pub layers: Vec<PlannedLayer>,
    /// The colour of each layer in pictures, as a vector of length 1 (Q14) whose heading is an angle of the colour
    /// wheel. Empty for one layer.
    pub colours: Vec<[i32; 2]>,
    /// The slot of the field `capacity`: the maximum density of each cell.
    pub capacity: Slot,
    /// The max distance in cells from a cell to a cell that a pass reads for it, at least 1.
    pub reach: i32,
}

impl Plan {
    /// Plans a chain for the numbers of a preset.
    ///
    /// Passes without effect are left out: rules of weight 0, the hunter without hunters, walls without a margin,
    /// wandering with a fraction of 0.
    ///
    /// # Errors
    /// If the chain lacks a rule for which the preset has a weight, if a rule of the chain has no weight, or if the
    /// preset lacks a sight. Also if a kernel is not written for worlds with this number of axes.
    pub fn new(chain: &Chain, rules: &Rules, world: &World) -> Result<Self, BadInput> {
        Self::of_parts(&[(chain, rules)], &[], world, &[])
    }

    /// Plans the chains of several layers, each with its rules. Passes that read fields of another layer come first, so
    /// that all of them see the state before the step. Passes in which species eat come last. All of them read the
    /// state before the first of them. `names`: the names by which chains know the layers, in their order.
    pub(crate) fn of_parts(
        parts: &[(&Chain, &Rules)],
        names: &[&str],
        world: &World,
        feeding: &[FeedingPass],
    ) -> Result<Self, BadInput> {
        let (first, _) = parts[0];
        let mut passes = Vec::new();
        let (mut meeting, mut fields, mut weighed, mut reach) = (Vec::new(), Vec::new(), Vec::new(), 1);
        for (layer, (chain, rules)) in parts.iter().enumerate() {
            check_species_named(chain, names)?;
            let weights = weights(chain, rules)?;
            let live = live_passes(chain, &weights, |kernel| kernel.is_idle(rules, world));
            live.iter().try_for_each(|pass| pass.check_axes(world.extents.axes()))?;
            reach = reach.max(farthest_reach(&live, &weights, rules)?);
            for field in planned_fields(chain, &live) {
                let field = PlannedField { name: name_of(&field.name, layer), ..field };
                if !fields.contains(&field) {
                    fields.push(field);
                }
            }
            weighed.push(live.iter().flat_map(summed).map(|name| (name.to_string(), weights[name])).collect());
            for pass in live {
                let is_meeting = pass.read.iter().any(|name| split_name(name).1.is_some());
                let list = if is_meeting { &mut meeting } else { &mut passes };
                list.push(PassDraft::new(pass, layer, &weights, names));
            }
        }
        meeting.append(&mut passes);
        meeting.extend(feeding.iter().map(PassDraft::of_feeding));
        for field in &mut fields {
            let is_fed = |pass: &PassDraft| !pass.meals.is_empty() && pass.write.contains(&field.name);
            if meeting.iter().any(is_fed) {
                field.buffers = 2;
            }
        }
        let mut plan = Self {
            chain: first.name.clone(),
            conserves: first.conserves,
            layers: weighed.into_iter().map(|weights| PlannedLayer { state: Vec::new(), weights }).collect(),
            colours: Vec::new(),
            reach,
            kernels: Vec::new(),
            phases: Vec::new(),
            capacity: Slot { field: index_of(&fields, "capacity"), buffer: 0 },
            fields,
        };
        plan.add_phases(&meeting);
        Ok(plan)
    }

    /// The slots of the density and of the control vector of each layer before a phase.
    pub fn states(&self, phase: usize) -> impl Iterator<Item = [Slot; 2]> {
        self.layers.iter().map(move |layer| layer.state[phase])
    }

    /// Each layer of a state with the slots of its density and control vector before the first phase. The state must
    /// have the layers of the plan.
    pub fn slots_of<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (&'a Layer, [Slot; 2])> {
        debug_assert_eq!(state.layers.len(), self.layers.len(), "the layers of the state are the layers of the plan");
        state.layers.iter().zip(self.states(0))
    }

    /// Adds phases until the newest buffer of every field is the first one again. Each write of a pass to a
    /// double-buffered field makes the other buffer the newest one.
    fn add_phases(&mut self, passes: &[PassDraft]) {
        let mut newest = vec![0; self.fields.len()];
        loop {
            let slot = |name: &str, newest: &[usize]| {
                let field = index_of(&self.fields, name);
                Slot { field, buffer: newest[field] }
            };
            let state = |layer| STATE.map(|name| slot(&name_of(name, layer), &newest));
            let states: Vec<_> = (0..self.layers.len()).map(state).collect();
            self.layers.iter_mut().zip(states).for_each(|(layer, state)| layer.state.push(state));
            let mut phase = Vec::new();
            let mut before_feeding = None;
            for pass in passes {
                let kernel = self.kernels.iter().position(|known| *known == pass.kernel).unwrap_or_else(|| {
                    self.kernels.push(pass.kernel.clone());
                    self.kernels.len() - 1
                });
                let seen = if pass.meals.is_empty() {
                    &newest
                } else {
                    &*before_feeding.get_or_insert_with(|| newest.clone())
                };
                let read = pass.read.iter().map(|name| slot(name, seen)).collect();
                for name in &pass.write {
                    let field = index_of(&self.fields, name);
                    newest[field] ^= self.fields[field].buffers - 1;
                }
                let write = pass.write.iter().map(|name| slot(name, &newest)).collect();
                let PassDraft { names, layer, meals, sights, .. } = pass.clone();
                phase.push(PlannedPass { kernel, sights, read, write, names, layer, meals });
            }
            self.phases.push(phase);
            if newest.iter().all(|buffer| *buffer == 0) {
                return;
            }
        }
    }

    /// Whether an engine for this plan can also play the other plan. They may differ only in the weights, which are
    /// parameters of a step.
    pub fn has_passes_of(&self, other: &Self) -> bool {
        let is_same_rule = |((own, _), (other, _)): (&(String, i32), &(String, i32))| own == other;
        (&self.fields, &self.kernels, &self.phases) == (&other.fields, &other.kernels, &other.phases)
            && (&self.colours, self.capacity, self.reach) == (&other.colours, other.capacity, other.reach)
            && self.layers.len() == other.layers.len()
            && self.layers.iter().zip(&other.layers).all(|(own, other)| {
                own.state == other.state
                    && own.weights.len() == other.weights.len()
                    && own.weights.iter().zip(&other.weights).all(is_same_rule)
            })
    }

    /// The number of passes at the beginning of a phase that do not change the state. Up to there a step can be
    /// abandoned as if it had not begun.
    pub fn passes_before_change(&self, phase: usize) -> usize {
        let changes =
            |pass: &PlannedPass| pass.write.iter().any(|slot| self.states(phase).any(|state| state.contains(slot)));
        self.phases[phase].iter().position(changes).unwrap_or(self.phases[phase].len())
    }

    /// The weights (Q10) of the control vectors of the first layer, in the order in which the kernel `steer` sums them.
    pub fn weights(&self) -> Vec<i32> {
        self.layers[0].weights.iter().map(|(_, weight)| *weight).collect()
    }
}

/// A pass whose fields are known by name, but have no buffers yet. The names are unique among the fields of all layers.
#[derive(Clone)]
struct PassDraft {
    kernel: Kernel,
    sights: Vec<Option<String>>,
    read: Vec<String>,
    write: Vec<String>,
    names: [Vec<String>; 2],
    layer: usize,
    meals: Vec<Meal>,
}

impl PassDraft {
    fn new(pass: Pass, layer: usize, weights: &BTreeMap<String, i32>, names: &[&str]) -> Self {
        let of_plan = |name: Option<String>| name.map(|name| name_of(&name, layer));
        let sights = sights(&pass, weights).into_iter().map(of_plan).collect();
        let of = |name: &String| match split_name(name) {
            (field, Some(other)) => name_of(field, names.iter().position(|name| *name == other).unwrap_or(layer)),
            (field, None) => name_of(field, layer),
        };
        let [read, write] = [&pass.read, &pass.write].map(|names| names.iter().map(of).collect());
        // The parameters of a built-in kernel have names of their own. The vectors that it sums keep their names in the
        // chain.
        let signature = pass.kernel.signature.filter(|_| pass.kernel.is_built_in);
        let parameters = signature.map_or([&[][..]; 2], |signature| [signature.read, signature.write]);
        let names = [(pass.read, parameters[0]), (pass.write, parameters[1])].map(|(names, parameters)| {
            let mut names: Vec<String> = names.iter().map(|name| accessor_of(name)).collect();
            names.iter_mut().zip(parameters).for_each(|(name, parameter)| *name = parameter.name.to_string());
            names
        });
        Self { kernel: pass.kernel, sights, read, write, names, layer, meals: Vec::new() }
    }

    fn of_feeding(FeedingPass { kernel, layers, meals }: &FeedingPass) -> Self {
        let density = |of: &usize| name_of("density", *of);
        let named = |place: usize| if place == 0 { "density".to_string() } else { format!("density_{place}") };
        let capacity = || "capacity".to_string();
        Self {
            kernel: kernel.clone(),
            sights: Vec::new(),
            read: [capacity()].into_iter().chain(layers.iter().map(density)).collect(),
            write: vec![density(&layers[0])],
            names: [
                [capacity()].into_iter().chain((0..layers.len()).map(named)).collect(),
                vec!["density".to_string()],
            ],
            layer: layers[0],
            meals: meals.clone(),
        }
    }
}

/// The pass in which a layer (a species of cells) eats and is eaten.
pub(crate) struct FeedingPass {
    pub kernel: Kernel,
    /// The layer itself, then the layers that it eats or that eat it.
    pub layers: Vec<usize>,
    /// The meals. They name layers by their index in `layers`.
    pub meals: Vec<Meal>,
}

/// The name of a field or sight of a layer in the plan of all layers. For the first layer it is the name in the chain.
pub fn name_of(name: &str, layer: usize) -> String {
    if layer == 0 || name == "capacity" { name.to_string() } else { format!("{name} of {layer}") }
}

/// Checks that every species exists whose fields a chain names.
fn check_species_named(chain: &Chain, names: &[&str]) -> Result<(), BadInput> {
    for (pass, name) in chain.passes.iter().flat_map(|pass| pass.read.iter().map(move |name| (pass, name))) {
        let Some(species) = split_name(name).1.filter(|species| !names.contains(species)) else { continue };
        let problem = format!("`{}` reads {name:?}, and the preset has no species {species:?}", pass.kernel.name);
        let cure = match names {
            [] => format!("add [[species]] with name = {species:?} to it, or take the rule away"),
            _ => format!("its species are {}{}", names.join(", "), did_you_mean(species, names.iter().copied())),
        };
        return Err(pass.bad("read", problem, cure));
    }
    Ok(())
}

fn is_state(name: &str) -> bool {
    STATE.contains(&name)
}

fn index_of(fields: &[PlannedField], name: &str) -> usize {
    fields.iter().position(|field| field.name == name).expect("every field of a planned pass is planned")
}

/// The weight (Q10) of every control vector that a chain sums: the preset's, else the chain's.
fn weights(chain: &Chain, rules: &Rules) -> Result<BTreeMap<String, i32>, BadInput> {
    let summed: BTreeSet<&str> = chain.passes.iter().flat_map(summed).collect();
    // A preset may have a weight for a built-in rule that the chain lacks, but not for an unknown rule.
    if let Some(name) =
        rules.weights.keys().find(|name| !summed.contains(name.as_str()) && Model::Cell.table().kernel(name).is_none())
    {
        let problem = format!("the chain {} has no rule {name:?} to be weighted", chain.name);
        let names = summed.into_iter().collect::<Vec<_>>().join(", ");
        let wrong = BadInput::new(THE_PRESET, problem, format!("its rules are {names}"));
        return Err(wrong.at_key(format!("weights.{name}")));
    }
    let mut weights = BTreeMap::new();
    let given = |name: &str| rules.weights.get(name).or(chain.weights.get(name)).copied();
    for pass in &chain.passes {
        for name in own_rules(pass) {
            weights.insert(name.to_string(), given(name).unwrap_or(0));
        }
        for name in pass.write.iter().filter(|name| summed.contains(name.as_str())) {
            let weight = given(name);
            if weight.is_none() && !pass.kernel.is_built_in {
                let cure = format!("set weights.{name} in the preset, or `weight` here");
                return Err(pass.bad("weight", format!("the rule {name:?} has no weight"), cure));
            }
            weights.insert(name.clone(), weight.unwrap_or(0));
        }
    }
    Ok(weights)
}

/// The rules that a pass computes and sums itself.
fn own_rules(pass: &Pass) -> &'static [&'static str] {
    pass.kernel.signature.map_or(&[], |signature| signature.rules)
}

/// The control vectors that a pass sums, in its order.
fn summed(pass: &Pass) -> impl Iterator<Item = &str> {
    own_rules(pass).iter().copied().chain(pass.summed().iter().map(String::as_str))
}

/// The names of the sights that a pass reads. The sight that the chain names comes first, then the sights of the pass's
/// own rules. `None`: the rule has weight 0.
fn sights(pass: &Pass, weights: &BTreeMap<String, i32>) -> Vec<Option<String>> {
    let own =
        own_rules(pass).iter().filter(|name| Model::Cell.table().kernel(name).is_some_and(|kernel| kernel.has_sight));
    let weighed = own.map(|name| (weights[*name] != 0).then(|| name.to_string()));
    pass.sight.clone().map(Some).into_iter().chain(weighed).collect()
}

/// The passes that have an effect. The remaining passes do not sum the vectors of the left-out passes.
fn live_passes(chain: &Chain, weights: &BTreeMap<String, i32>, is_idle: impl Fn(BuiltInKernel) -> bool) -> Vec<Pass> {
    let is_summing = |pass: &Pass| pass.kernel.signature.is_some_and(|signature| signature.has_sum);
    let is_read_elsewhere =
        |name: &String| chain.passes.iter().any(|pass| !is_summing(pass) && pass.read.contains(name));
    let is_weightless = |name: &String| weights.get(name) == Some(&0) && !is_read_elsewhere(name);
    let is_live = |pass: &&Pass| !pass.kernel.cpu().is_some_and(&is_idle) && !pass.write.iter().all(&is_weightless);
    let mut passes: Vec<Pass> = chain.passes.iter().filter(is_live).cloned().collect();
    let written: Vec<String> = passes.iter().flat_map(|pass| pass.write.clone()).collect();
    for pass in passes.iter_mut().filter(|pass| is_summing(pass)) {
        pass.read.retain(|name| !weights.contains_key(name) || written.contains(name));
    }
    passes
}

/// The max reach of any pass through its sights, in cells, at least 1.
fn farthest_reach(passes: &[Pass], weights: &BTreeMap<String, i32>, rules: &Rules) -> Result<i32, BadInput> {
    let mut reach = 1;
    for pass in passes {
        for name in sights(pass, weights).into_iter().flatten() {
            let Some(sight) = rules.sights.get(&name) else {
                let names = rules.sights.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
                let problem =
                    format!("`{}` looks through the sight {name:?}, which the preset lacks", pass.kernel.name);
                let cure = format!("add [sight.{name}] to the preset, or use one of {names}");
                return Err(pass.bad("sight", problem, cure));
            };
            if sight.vectors().is_empty() && own_rules(pass).is_empty() {
                let problem =
                    format!("`{}` looks cell by cell, and the boxes of its contrast are too large", pass.kernel.name);
                return Err(pass.bad("sight", problem, "make the boxes smaller, or play the chain cell-fast"));
            }
            reach = reach.max(sight.reach());
        }
    }
    Ok(reach)
}

/// The given fields, and the fields that the passes use. A field of the state that is written has two buffers.
fn planned_fields(chain: &Chain, passes: &[Pass]) -> Vec<PlannedField> {
    let uses = |name: &String| passes.iter().any(|pass| pass.read.contains(name) || pass.write.contains(name));
    let given = chain.model.table().given.iter().map(|given| (given.name.to_string(), given.kind));
    let stored = chain.fields.iter().filter(|(name, _)| !chain.is_given(name) && uses(name));
    given
        .chain(stored.map(|(name, kind)| (name.clone(), *kind)))
        .filter_map(|(name, kind)| {
            let FieldKind::Texel(texel) = kind else { return None };
            let is_written = passes.iter().any(|pass| pass.write.contains(&name));
            let buffers = if is_state(&name) && is_written { 2 } else { 1 };
            Some(PlannedField { name, texel, buffers })
        })
        .collect()
}
