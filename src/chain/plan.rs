//! The plan of a step: which passes are played, and which buffer of each field they read and write.
//!
//! It is worked out once, from a chain and the numbers of a preset, without a device; both engines play it. A field of
//! the state that a pass writes is double-buffered: the pass reads the old and writes the new, which is from then on
//! the one that is read. Where a step leaves the newest state in the other buffer than it began with, every second step
//! plays the same passes with the buffers exchanged: these are the plan's phases.

use super::{Chain, Kernel, STATE, WORLD};
use crate::error::BadInput;
use crate::fields::Texel;
use crate::kernels::Twin;
use crate::rules::Rules;
use crate::world::World;

/// The origin of a complaint about the preset, whose file and lines a plan does not know.
pub const THE_PRESET: &str = "the preset";

/// A field that the engines keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedField {
    pub name: String,
    pub texel: Texel,
    /// 2 where it is double-buffered, else 1.
    pub buffers: usize,
}

/// One buffer of a field: indices into [`Plan::fields`] and its buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    pub field: usize,
    pub buffer: usize,
}

/// One pass of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedPass {
    /// Index into [`Plan::kernels`].
    pub kernel: usize,
    pub sight: Option<String>,
    pub read: Vec<Slot>,
    pub write: Vec<Slot>,
}

/// A checked plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The name of the chain.
    pub chain: String,
    pub conserves: bool,
    pub fields: Vec<PlannedField>,
    pub kernels: Vec<Kernel>,
    /// The passes of every first, second, … step; one or two phases, the same passes in each.
    pub phases: Vec<Vec<PlannedPass>>,
    /// Where density and control vector are before each phase.
    pub state: Vec<[Slot; 2]>,
    /// The capacity of the cells.
    pub capacity: Slot,
    /// The control vectors that `steer` sums, in its order, with their weights (Q10).
    pub weights: Vec<(String, i32)>,
    /// The farthest that any pass looks, in cells, at least 1.
    pub reach: i32,
}

impl Plan {
    /// Plans a chain for the numbers of a preset.
    ///
    /// Passes that can change nothing are left out: rules of weight 0, the hunter where there is none, walls
    /// without a margin, wandering where nothing wanders.
    pub fn new(chain: &Chain, rules: &Rules, world: &World) -> Result<Self, BadInput> {
        let summed: Vec<&String> = chain
            .passes
            .iter()
            .filter(|pass| pass.kernel.twin == Some(Twin::Steer))
            .flat_map(|pass| &pass.read[1..])
            .collect();
        for name in rules.weights.keys() {
            if !summed.contains(&name) && Twin::named(name).is_none() {
                let names = summed.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
                return Err(BadInput::new(
                    THE_PRESET,
                    format!("the chain {} has no rule {name:?} to be weighted", chain.name),
                    format!("its rules are {names}"),
                )
                .at_key(format!("weights.{name}")));
            }
        }
        let weight = |name: &String| rules.weights.get(name).or(chain.weights.get(name)).copied().unwrap_or(0);
        let is_idle = |pass: &super::Pass| {
            pass.kernel.twin.is_some_and(|twin| twin.is_idle(rules, world))
                || pass.write.iter().all(|name| summed.contains(&name) && weight(name) == 0)
        };
        let mut passes: Vec<super::Pass> = chain.passes.iter().filter(|pass| !is_idle(pass)).cloned().collect();
        let played: Vec<String> = passes.iter().flat_map(|pass| pass.write.clone()).collect();
        let mut weights = Vec::new();
        for pass in &mut passes {
            if pass.kernel.twin == Some(Twin::Steer) {
                pass.read.retain(|name| chain.fields[name] != Texel::Vector || played.contains(name));
                weights = pass.read[1..].iter().map(|name| (name.clone(), weight(name))).collect();
            }
        }

        let mut reach = 1;
        for pass in &passes {
            if let Some(name) = &pass.sight {
                let Some(sight) = rules.sights.get(name) else {
                    let names = rules.sights.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
                    return Err(pass
                        .origin
                        .bad(
                            format!("`{}` looks through the sight {name:?}, which the preset lacks", pass.kernel.name),
                            format!("add [sight.{name}] to the preset, or use one of {names}"),
                        )
                        .at_key("sight"));
                };
                reach = reach.max(sight.reach());
            }
        }

        let used =
            |name: &str| passes.iter().any(|pass| pass.read.iter().chain(&pass.write).any(|other| other == name));
        let is_state = |name: &str| STATE.iter().any(|(state, _)| *state == name);
        let mut fields: Vec<PlannedField> = STATE
            .iter()
            .chain(&WORLD)
            .map(|(name, texel)| PlannedField { name: name.to_string(), texel: *texel, buffers: 1 })
            .collect();
        for (name, texel) in &chain.fields {
            if used(name) && fields.iter().all(|field| field.name != *name) {
                fields.push(PlannedField { name: name.clone(), texel: *texel, buffers: 1 });
            }
        }
        let index = |fields: &[PlannedField], name: &str| {
            fields.iter().position(|field| field.name == name).expect("every used field is planned")
        };
        for name in passes.iter().flat_map(|pass| &pass.write).filter(|name| is_state(name)) {
            let index = index(&fields, name);
            fields[index].buffers = 2;
        }

        let mut kernels: Vec<Kernel> = Vec::new();
        let mut newest = vec![0; fields.len()];
        let (mut phases, mut state) = (Vec::new(), Vec::new());
        loop {
            state.push([0, 1].map(|field| Slot { field, buffer: newest[field] }));
            let mut phase = Vec::new();
            for pass in &passes {
                let kernel = kernels.iter().position(|known| *known == pass.kernel).unwrap_or_else(|| {
                    kernels.push(pass.kernel.clone());
                    kernels.len() - 1
                });
                let slot = |name: &String, newest: &[usize]| {
                    let field = index(&fields, name);
                    Slot { field, buffer: newest[field] }
                };
                let read = pass.read.iter().map(|name| slot(name, &newest)).collect();
                for name in pass.write.iter().filter(|name| is_state(name)) {
                    newest[index(&fields, name)] ^= 1;
                }
                let write = pass.write.iter().map(|name| slot(name, &newest)).collect();
                phase.push(PlannedPass { kernel, sight: pass.sight.clone(), read, write });
            }
            phases.push(phase);
            if newest.iter().all(|buffer| *buffer == 0) {
                break;
            }
        }
        let capacity = Slot { field: index(&fields, "capacity"), buffer: 0 };
        Ok(Self {
            chain: chain.name.clone(),
            conserves: chain.conserves,
            fields,
            kernels,
            phases,
            state,
            capacity,
            weights,
            reach,
        })
    }

    /// The weights (Q10) of the control vectors in `steer`'s order.
    pub fn weights(&self) -> Vec<i32> {
        self.weights.iter().map(|(_, weight)| *weight).collect()
    }

    /// The phase that the step after `step` steps plays.
    pub fn phase_at(&self, step: u64) -> usize {
        (step % self.phases.len() as u64) as usize
    }
}
