//! The source of the swarm in a picture: a state in memory, or the textures of an engine on the device that draws.

use crate::cells::StateTextures;
use crate::device::Gpu;
use murmuration_core::error::Failure;
use murmuration_core::individuals::deposit::deposit;
use murmuration_core::points::{Points, PointsReading};
use murmuration_core::simulation::Simulation;
use murmuration_core::state::{Individuals, State, Swarm};
use murmuration_core::ticket::Ticket;
use murmuration_core::world::Extents;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

/// A swarm on a lattice, to be drawn: cells, or the deposit of individuals.
#[derive(Clone)]
pub enum SwarmSource {
    /// A state in memory, which is uploaded, and the points that stand for its boids. `None`: the simulation keeps no
    /// points.
    Memory(Arc<State>, Option<Arc<Points>>),
    /// The state of an engine on the device that draws. Pictures read the state without a copy.
    Device(Arc<StateTextures>),
}

impl Debug for SwarmSource {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Memory(..) => "SwarmSource::Memory",
            Self::Device(_) => "SwarmSource::Device",
        })
    }
}

impl SwarmSource {
    /// The present state of a simulation, or the deposit of its individuals. The source is on the device if the
    /// engine's device draws, otherwise in memory.
    ///
    /// # Errors
    /// If the state has to be read back, and the device of the engine fails.
    pub fn new(simulation: &mut Simulation, drawn_on: Option<&Gpu>) -> Result<Self, Failure> {
        // If the look draws individuals as points, the picture reads their deposit from memory.
        let drawn_on = drawn_on.filter(|_| on_device(simulation).is_some());
        Ok(swarm_of(simulation, drawn_on)?.0)
    }

    /// Whether the swarm can be drawn as points, which stand for boids. On a device these are deep swarms, and flat
    /// swarms of cells whose points are kept.
    pub(super) fn has_points(&self) -> bool {
        match self {
            Self::Memory(..) => true,
            Self::Device(textures) => textures.extents.depth.is_some() || textures.points().is_some(),
        }
    }

    /// The device on which an engine may change the state while a picture is drawn. `None` for a state in memory and
    /// for a copy.
    pub(super) fn changing_on(&self) -> Option<&Arc<Gpu>> {
        match self {
            Self::Device(textures) if !textures.is_fixed => Some(&textures.gpu),
            _ => None,
        }
    }

    /// The state, if it is in memory.
    pub fn state(&self) -> Option<&Arc<State>> {
        match self {
            Self::Memory(state, _) => Some(state),
            Self::Device(_) => None,
        }
    }

    /// Requests the present state with its densities and control vectors, without falcons and other columns. For
    /// individuals this is their deposit.
    ///
    /// # Errors
    /// If the device fails.
    pub fn request_state(&self) -> Result<Ticket<Arc<State>>, Failure> {
        match self {
            Self::Memory(state, _) => Ok(Ticket::ready(state.clone())),
            Self::Device(textures) => Ok(textures.request()?.map(Arc::new)),
        }
    }

    /// The points of the state, if they are in memory.
    pub fn points(&self) -> Option<&Arc<Points>> {
        match self {
            Self::Memory(_, points) => points.as_ref(),
            Self::Device(_) => None,
        }
    }

    /// The extents of the lattice, in cells.
    pub fn extents(&self) -> Extents {
        match self {
            Self::Memory(state, _) => state.extents,
            Self::Device(textures) => textures.extents,
        }
    }
}

impl From<State> for SwarmSource {
    fn from(state: State) -> Self {
        Self::Memory(Arc::new(state), None)
    }
}

impl From<&State> for SwarmSource {
    /// A copy of the state.
    fn from(state: &State) -> Self {
        state.clone().into()
    }
}

/// The points of the present state, which stand for its boids. `None` if no points are kept. A simulation keeps points
/// from the first picture that shows them.
///
/// # Errors
/// If the device of the engine fails.
pub fn points_of(simulation: &mut Simulation) -> Result<Option<Arc<Points>>, Failure> {
    keep_points(simulation)?;
    Ok(simulation.read(PointsReading)?.map(Arc::new))
}

/// Makes the simulation keep points if pictures show cells as points. Returns whether pictures show them so.
///
/// # Errors
/// If the device of the engine fails.
pub fn keep_points(simulation: &mut Simulation) -> Result<bool, Failure> {
    let preset = simulation.preset();
    let are_drawn = preset.individuals.is_none() && preset.look.draws_points(preset.world.extents);
    if are_drawn {
        simulation.keep_points()?;
    }
    Ok(are_drawn)
}

/// The source of individuals that are drawn one by one, beside their deposit on the lattice.
#[derive(Debug, Clone)]
pub enum IndividualsSource {
    /// The individuals are in memory, and are uploaded.
    Memory(Arc<Individuals>),
    /// The individuals are on the device that draws, beside their deposit.
    Device,
}

impl From<&Individuals> for IndividualsSource {
    /// A copy of the individuals.
    fn from(individuals: &Individuals) -> Self {
        Self::Memory(Arc::new(individuals.clone()))
    }
}

/// The present state of a simulation, as in [`SwarmSource::new`], and its individuals if the swarm is one of
/// individuals.
///
/// # Errors
/// As for [`SwarmSource::new`].
pub fn swarm_of(
    simulation: &mut Simulation,
    drawn_on: Option<&Gpu>,
) -> Result<(SwarmSource, Option<IndividualsSource>), Failure> {
    let is_there = |textures: &Arc<StateTextures>| drawn_on.is_some_and(|gpu| textures.gpu.is_same_device(gpu));
    if textures_of(simulation).is_some_and(|textures| is_there(&textures)) {
        keep_points(simulation)?;
        simulation.show()?;
        // `show` may have replaced the engine, or the device may have no room.
        if let Some(textures) = textures_of(simulation).filter(is_there) {
            let individuals = textures.current().bodies.map(|_| IndividualsSource::Device);
            return Ok((SwarmSource::Device(textures), individuals));
        }
    }
    let swarm = simulation.swarm()?;
    source_in_memory(simulation, swarm)
}

/// The source in memory of a swarm that was read from a simulation, with the points of the simulation.
///
/// # Errors
/// If the device of the engine fails.
pub fn source_in_memory(
    simulation: &mut Simulation,
    swarm: Swarm,
) -> Result<(SwarmSource, Option<IndividualsSource>), Failure> {
    Ok(match swarm {
        Swarm::Cells(state) if state.layers.len() > 1 => {
            let shown = Arc::new(simulation.preset().mixed(&state).into_owned());
            (SwarmSource::Memory(shown, points_of(simulation)?), None)
        }
        Swarm::Cells(state) => (SwarmSource::Memory(Arc::new(state), points_of(simulation)?), None),
        Swarm::Individuals(individuals, columns) => {
            let seen = State { columns, ..deposit(&individuals, &simulation.preset().space()) };
            (seen.into(), Some(IndividualsSource::Memory(Arc::new(individuals))))
        }
    })
}

/// The present state and its individuals, as in [`swarm_of`]. Later steps do not change them, because a state on a
/// device is copied.
///
/// # Errors
/// As for [`SwarmSource::new`].
pub fn copy_of(
    simulation: &mut Simulation,
    drawn_on: Option<&Gpu>,
) -> Result<(SwarmSource, Option<IndividualsSource>), Failure> {
    match swarm_of(simulation, drawn_on)? {
        (SwarmSource::Device(textures), individuals) => match textures.copy() {
            Ok(copy) => Ok((SwarmSource::Device(Arc::new(copy)), individuals)),
            // The device has no room, or is lost. In the latter case reading the state replaces the engine.
            Err(Failure::Device(_)) => swarm_of(simulation, None),
            Err(failure) => Err(failure),
        },
        in_memory => Ok(in_memory),
    }
}

/// The textures of a simulation's state, or of the deposit of its individuals when it was last shown. `None` if the
/// engine is not on a device.
fn textures_of(simulation: &Simulation) -> Option<Arc<StateTextures>> {
    simulation.on_device()?.downcast().ok()
}

/// The textures from which pictures read the state. `None` if the engine is not on a device. Also `None` for
/// individuals that are drawn as points, because pictures read them from memory.
pub fn on_device(simulation: &Simulation) -> Option<Arc<StateTextures>> {
    let preset = simulation.preset();
    if preset.individuals.is_some() && preset.look.draws_points(preset.world.extents) {
        return None;
    }
    textures_of(simulation)
}
