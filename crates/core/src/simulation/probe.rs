//! Probes. A probe of a cell has the content of the cell, and the input and output of each rule in the next step. A
//! probe of an individual has its data, and the rock that its rays meet.

use super::Simulation;
use crate::cells::numbers::{Parameters, Rules};
use crate::cells::sight::Sight;
use crate::chain::plan::{Plan, Slot};
use crate::engine::{AnyEngine, EngineConfig, LatticeEngine, VectorReading, other_model};
use crate::error::Failure;
use crate::individuals::deposit::DepositReading;
use crate::individuals::find::{Individual, IndividualQuery};
use crate::numbers::{Vector3, each_axis, unpack};
use crate::state::{Layer, RegionReading, State};
use crate::terrain::Habitat;
use crate::terrain::avoidance::RayTrace;
use crate::terrain::rays::Rays;
use crate::ticket::{ReadingSource, Ticket, reading};
use crate::world::{Edges, Extents, World, pieces};
use std::sync::Arc;

/// The data of a cell. In a flat world the z component of each vector is 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// The index of the cell along x, y and z.
    pub cell: Vector3,
    /// The number of completed steps.
    pub step: u64,
    /// The density of the cell, in quanta.
    pub density: u32,
    /// The capacity of the cell, in quanta; 0 for a solid.
    pub capacity: u32,
    /// The control vector of the cell (Q14 of a cell a step).
    pub control: Vector3,
    /// The rules' control vectors for this cell in the next step, in the order of the chain; empty for individuals.
    pub outputs: Vec<RuleOutput>,
}

reading! {
    /// A probe of a cell within the lattice at the present state. The swarm does not change.
    ///
    /// A second engine copies the state and makes one step, with a separate pass for every rule. The outputs of these
    /// passes are then read.
    ProbeReading {
        /// The index of the cell along x, y and z.
        cell: Vector3,
    } -> Probe
}

reading! {
    /// An individual, and the rock that its rays meet. A line finds no individual behind rock. A swarm of cells is
    /// refused. `None`: no individual matches.
    IndividualProbeReading {
        /// The line or the number by which the individual is found.
        query: IndividualQuery,
    } -> Option<IndividualProbe>
}

/// The output of one rule for the cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleOutput {
    /// The name of the rule's control vector.
    pub rule: String,
    /// The control vector (Q10).
    pub vector: Vector3,
    /// The weight of the vector in the sum of all rules (Q10).
    pub weight: i32,
    /// The perceived density at each vector of the rule's sight; empty for a rule without a sight.
    pub perceptions: Vec<Perception>,
}

/// A perceptual vector s from a cell x, and the perceived density p(x+s) at the end of the vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Perception {
    /// The perceptual vector s, in cells.
    pub offset: Vector3,
    /// The perceived density of the cell at this offset, p(x+s), in 2^`shift` quanta. At most
    /// [`Rules::most_perceived`](crate::cells::numbers::Rules::most_perceived).
    pub perceived: u32,
}

/// The data of an individual.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndividualProbe {
    /// The number of completed steps.
    pub step: u64,
    /// The individual itself.
    pub individual: Individual,
    /// The place of the first cell of an endless world's window, in cells from the world's origin; `None`: the world
    /// has edges.
    pub origin: Option<[i64; 3]>,
    /// The distance from the individual's cell to rock and walls, in quarters of a cell, rounded down; `None`: the
    /// world has no [`Habitat::gap_field`].
    pub gap: Option<i32>,
    /// The rays of the individual in the next step; `None`: it uses no rays.
    pub rays: Option<RayTrace>,
    /// The length of rays (Q8 of a cell); 0: the individual uses no rays.
    pub reach: i32,
}

impl IndividualProbe {
    /// The data of an individual at a step.
    pub fn new(step: u64, individual: Individual, habitat: &Habitat) -> Self {
        let Individual { place, velocity, .. } = individual;
        let trace = |rays: &Arc<Rays>| rays.trace_all(habitat, place, velocity);
        Self {
            step,
            individual,
            origin: habitat.origin,
            gap: habitat.is_swept().then(|| habitat.gap(place)),
            rays: habitat.rays.as_ref().and_then(trace),
            reach: habitat.rays.as_ref().map_or(0, |rays| rays.numbers.reach),
        }
    }
}

/// The second engine of a probe. Its plan is the chain with a separate pass for every rule.
pub(super) struct ProbeEngine {
    engine: Box<dyn LatticeEngine>,
    plan: Arc<Plan>,
}

/// A rule of the next step, before its control vector is read back.
struct ProbedRule {
    name: String,
    weight: i32,
    /// The sight; `None`: the rule has no perception.
    sight: Option<Sight>,
}

impl ProbeEngine {
    /// Converts the parameters of a step from the simulation's plan `played` to this plan, whose rules have another
    /// order. Only the weights of the first species are converted, because only this species is probed.
    fn parameters(&self, mut all: Vec<Parameters>, played: &Plan) -> Vec<Parameters> {
        // Hunters with jaws would remove the boids of a cell before its rules run.
        all.iter_mut().flat_map(|parameters| &mut parameters.hunters).for_each(|hunter| hunter.jaws = 0);
        let weights = std::mem::take(&mut all[0].weights);
        for ((rule, _), own) in self.plan.layers[0].weights.iter().zip(&mut all[0].weights) {
            let index = played.layers[0].weights.iter().position(|(name, _)| name == rule);
            *own = index.map_or(0, |index| weights[index]);
        }
        all
    }

    /// Returns the rules of the chain with these weights (Q10), and a ticket for their control vectors in a cell. Both
    /// are in the order of the chain.
    fn request_vectors(
        &mut self,
        weights: &[i32],
        rules: &Rules,
        cell: Vector3,
    ) -> Result<(Vec<ProbedRule>, Ticket<Vec<Vector3>>), Failure> {
        let (mut probed, mut vectors) = (Vec::new(), Vec::new());
        for ((name, _), weight) in self.plan.layers[0].weights.iter().zip(weights) {
            let field = self.plan.fields.iter().position(|field| field.name == *name);
            let field = field.expect("every summed control vector is a field");
            vectors.push(self.engine.request(VectorReading { slot: Slot { field, buffer: 0 }, cell })?);
            let passes = &self.plan.phases[0];
            let pass = passes.iter().find(|pass| pass.write.iter().any(|slot| slot.field == field));
            let sight = pass.and_then(|pass| pass.sights.first()?.as_ref()).map(|sight| rules.sights[sight].clone());
            probed.push(ProbedRule { name: name.clone(), weight: *weight, sight });
        }
        Ok((probed, Ticket::all(vectors)))
    }
}

impl ReadingSource<ProbeReading> for Simulation {
    fn request(&mut self, ProbeReading { cell }: ProbeReading) -> Result<Ticket<Probe>, Failure> {
        let EngineConfig::Cells { plan: played, .. } = &self.engine.config else {
            return self.probe_of_individuals(cell);
        };
        let played = played.clone();
        let parameters = self.cell_parameters(self.engine.step).collect();
        let (rules, world) = self.planned_for();
        let capacities = world.capacities();
        self.prepare_probe(&rules, &world, &capacities)?;
        let (Some(probing), AnyEngine::Lattice(playing)) = (&mut self.probing, &mut self.engine.engine) else {
            return Err(other_model());
        };
        probing.engine.take_state_of(playing.as_mut())?;
        let reach = rules.sights.values().map(Sight::reach).max().unwrap_or(0);
        let near = Surroundings::request(playing.as_mut(), &world, cell, reach)?;
        let parameters = probing.parameters(parameters, &played);
        probing.engine.play(&parameters)?;
        let (probed, vectors) = probing.request_vectors(&parameters[0].weights, &rules, cell)?;
        let step = self.engine.step;
        let capacity = world.extents.deep_index(cell, Edges::Walls).map_or(0, |index| capacities[index]);
        Ok(near.and(vectors).map(move |(near, vectors)| {
            let perceive =
                |&offset: &Vector3| Perception { offset, perceived: perceived(near.density(offset), &rules) };
            let output = |(rule, vector): (ProbedRule, Vector3)| RuleOutput {
                rule: rule.name,
                vector,
                weight: rule.weight,
                perceptions: rule.sight.map_or(Vec::new(), |sight| sight.vectors().iter().map(perceive).collect()),
            };
            let outputs = probed.into_iter().zip(vectors).map(output).collect();
            let density = near.density([0; 3]).unwrap_or(0);
            Probe { cell, step, density, capacity, control: near.control, outputs }
        }))
    }
}

impl ReadingSource<IndividualProbeReading> for Simulation {
    fn request(&mut self, reading: IndividualProbeReading) -> Result<Ticket<Option<IndividualProbe>>, Failure> {
        let IndividualProbeReading { query } = reading;
        let Some(habitat) = self.habitat() else { return Err(other_model()) };
        // The record of lives must contain all deaths up to the step of the returned individual.
        self.engine.request_ends()?;
        let query = IndividualQuery { line: query.line.map(|line| line.before_rock(&habitat)), ..query };
        let found = self.engine.attempt(|engine| engine.request(query))?;
        let step = self.engine.step;
        Ok(found.map(move |found| found.map(|individual| IndividualProbe::new(step, individual, &habitat))))
    }
}

impl Simulation {
    /// Frees the second engine that probes of cells use. The next probe makes a new engine.
    pub fn end_probe(&mut self) {
        self.probing = None;
    }

    /// Makes the second engine if there is none. Otherwise sets the capacities of its cells, in quanta.
    fn prepare_probe(&mut self, rules: &Rules, world: &World, capacities: &[u32]) -> Result<(), Failure> {
        if let Some(ProbeEngine { engine, .. }) = &mut self.probing {
            return engine.set_capacities(capacities);
        }
        let chain = self.chain.rule_by_rule(self.preset.host().as_ref(), world.extents.axes());
        let plan = super::plan(&chain, &self.preset, rules, world)?;
        let rules = super::engine_rules(&self.preset, rules);
        let config = EngineConfig::Cells { plan: plan.clone(), rules, world: world.clone() };
        let engine = self
            .engine
            .beside(&config, State::new(world.extents, vec![Layer::empty(world.extents); plan.layers.len()]))?;
        self.probing = Some(ProbeEngine { engine, plan });
        Ok(())
    }

    /// A probe of a cell in a swarm of individuals: the amount and the velocity that the individuals deposit in the
    /// cell. The probe has no rules.
    fn probe_of_individuals(&mut self, cell: Vector3) -> Result<Ticket<Probe>, Failure> {
        let world = &self.preset.world;
        let index = (cell[1] * world.extents.width as i32 + cell[0]) as usize;
        let capacity = if world.solids.get(index) == Some(&true) { 0 } else { world.capacity };
        let words = self.engine.request(DepositReading { cell: [cell[0], cell[1]] })?;
        let step = self.engine.step;
        let outputs = Vec::new();
        Ok(words.map(move |[density, control]| {
            let [x, y] = unpack(control);
            Probe { cell, step, density, capacity, control: [x, y, 0], outputs }
        }))
    }
}

/// The densities of the cells around a cell.
struct Surroundings {
    /// Parts of the lattice that together cover a square or a cube around the cell, each with the offset of its first
    /// cell.
    pieces: Vec<(Vector3, State)>,
    /// The control vector of the cell in the middle (Q14 of a cell a step).
    control: Vector3,
}

impl Surroundings {
    /// Requests the square or the cube around a cell, wrapped on a torus. `reach`: the number of cells on each side of
    /// the cell.
    fn request(
        engine: &mut dyn LatticeEngine,
        world: &World,
        cell: Vector3,
        reach: i32,
    ) -> Result<Ticket<Self>, Failure> {
        let extents = world.extents.along_axes().map(|extent| extent as i32);
        let reach = [reach, reach, if world.extents.depth.is_some() { reach } else { 0 }];
        let [x, y, z] =
            each_axis(|axis| pieces(cell[axis] - reach[axis], 2 * reach[axis] + 1, extents[axis], world.edges));
        let mut read = Vec::new();
        for slices in z {
            for rows in y.clone() {
                for columns in x.clone() {
                    let parts = [columns, rows, slices];
                    let depth = world.extents.depth.map(|_| slices.length);
                    let size = Extents { width: columns.length, height: rows.length, depth };
                    let first = each_axis(|axis| parts[axis].in_range as i32 - reach[axis]);
                    let state = engine.request(RegionReading { first: parts.map(|part| part.on_lattice), size })?;
                    read.push(state.map(move |state| (first, state)));
                }
            }
        }
        Ok(Ticket::all(read).map(|pieces| {
            let own =
                pieces.iter().find_map(|piece| index_in(piece, [0; 3]).map(|index| piece.1.layers[0].velocity(index)));
            Self { pieces, control: own.unwrap_or_default() }
        }))
    }

    /// The density, in quanta, of the cell at an offset from the middle; `None` outside of the world.
    fn density(&self, offset: Vector3) -> Option<u32> {
        self.pieces.iter().find_map(|piece| index_in(piece, offset).map(|index| piece.1.layers[0].density[index]))
    }
}

/// The index, within one part of the lattice, of the cell at an offset; `None`: the part does not contain the cell.
fn index_in((first, state): &(Vector3, State), offset: Vector3) -> Option<usize> {
    state.extents.deep_index(each_axis(|axis| offset[axis] - first[axis]), Edges::Walls)
}

/// The perceived density of a cell, from its density in quanta; 0 outside of the world.
fn perceived(density: Option<u32>, rules: &Rules) -> u32 {
    density.map_or(0, |density| (density >> rules.shift).min(rules.most_perceived()))
}
