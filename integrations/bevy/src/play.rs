//! Plays the steps of swarms in the game's fixed time.

use crate::hunter::Hunters;
use crate::swarm::SimulationGuards;
use crate::{Swarm, SwarmError, SwarmHunter, SwarmSimulation, SwarmSpace, SwarmSystems};
use bevy::prelude::*;
use murmuration::{Failure, Input, Pointer, Simulation};
use murmuration_core::world::MAX_HUNTERS;
use murmuration_gpu::{SubmissionBatch, device_of};

/// The maximum time in seconds that a swarm may lag behind its pace on a slow device. Further due steps are skipped.
const MAX_DELAY: f64 = 0.1;

/// The progress of a swarm in time, and the player's hunter that was last applied to the simulation.
#[derive(Component, Debug, Default)]
pub(crate) struct Pace {
    /// The number of steps that are due but not played yet, with a fraction.
    due: f64,
    pointer: Option<Pointer>,
    /// The reach of the hunter's jaws, in cells.
    jaws: u32,
}

impl Pace {
    /// The part of a step (0 to 1) that is due since the last step. `overstep`: the seconds since the last tick of the
    /// game's fixed time.
    pub(crate) fn fraction(&self, swarm: &Swarm, overstep: f64) -> f64 {
        (self.due + steps_in(swarm, overstep)).clamp(0.0, 1.0)
    }

    /// Plays the due steps, of which `steps` are new, but at most `most`. A busy device may play fewer.
    fn play(&mut self, simulation: &mut Simulation, steps: f64, most: f64) -> Result<(), Failure> {
        self.due = (self.due + steps).min(most);
        let before = simulation.step();
        simulation.try_advance(self.due as u64)?;
        self.due -= (simulation.step() - before) as f64;
        Ok(())
    }

    /// Applies new, moved and removed hunters to the simulation, as inputs.
    fn tell(&mut self, simulation: &mut Simulation, mut hunters: Hunters) -> Result<(), Failure> {
        // Only changes are applied, because the game may apply inputs with a hunter itself.
        if hunters.pointer != self.pointer {
            simulation.apply(Input::Hunter(hunters.pointer))?;
            self.pointer = hunters.pointer;
        }
        if hunters.jaws != self.jaws {
            simulation.apply(Input::Jaws(hunters.jaws))?;
            self.jaws = hunters.jaws;
        }
        // The numbers of the game's own targets begin at 0, so the plugin's numbers count down from the maximum.
        let number = |index: usize| u32::MAX - index as u32;
        let present = simulation.targets().list();
        let own: Vec<_> = (0..=MAX_HUNTERS)
            .map_while(|index| present.iter().find(|(own, ..)| *own == number(index)).map(|(_, _, target)| target))
            .cloned()
            .collect();
        let world = &simulation.preset().world;
        let of_game = present.len() - own.len();
        let room = if world.window.is_some() { 0 } else { MAX_HUNTERS.saturating_sub(world.hunters.len() + of_game) };
        hunters.others.truncate(room);
        for index in hunters.others.len()..own.len() {
            simulation.apply(Input::Target { number: number(index), target: None })?;
        }
        for (index, target) in hunters.others.into_iter().enumerate() {
            if own.get(index) != Some(&target) {
                simulation.apply(Input::Target { number: number(index), target: Some(target) })?;
            }
        }
        Ok(())
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(FixedUpdate, play.in_set(SwarmSystems::Play));
}

/// The number of steps of a swarm in a time, with a fraction. 0 in a pause.
fn steps_in(swarm: &Swarm, seconds: f64) -> f64 {
    if swarm.is_paused { 0.0 } else { seconds * f64::from(swarm.steps_per_second * swarm.speed).max(0.0) }
}

type Swarms<'w, 's> = Query<
    'w,
    's,
    (
        Entity,
        &'static Swarm,
        &'static SwarmSimulation,
        &'static mut Pace,
        &'static SwarmSpace,
        &'static GlobalTransform,
    ),
    Without<SwarmError>,
>;

/// Plays the due steps of all swarms. The steps are submitted to the device together, and no swarm is drawn before the
/// submission.
fn play(mut commands: Commands, time: Res<Time>, mut swarms: Swarms, hunters: Query<(&SwarmHunter, &GlobalTransform)>) {
    let seconds = time.delta_secs_f64();
    let playing = swarms.iter().filter(|(_, swarm, ..)| steps_in(swarm, seconds) > 0.0);
    let playing: Vec<SwarmSimulation> = playing.map(|(_, _, simulation, ..)| simulation.clone()).collect();
    let mut simulations = SimulationGuards::new(playing.iter());
    // All swarms of the plugin have one host (`SwarmHost`), so they share a device.
    let gpu = simulations.iter().find_map(device_of);
    let batch = gpu.as_ref().map(|gpu| gpu.batch());
    let mut failed = Vec::new();
    for (entity, swarm, simulation, mut pace, space, transform) in &mut swarms {
        let steps = steps_in(swarm, seconds);
        let Some(simulation) = simulations.get(simulation).filter(|_| steps > 0.0) else { continue };
        let most = steps.max(steps_in(swarm, MAX_DELAY)) + 1.0;
        let hunters = SwarmHunter::of_swarm(hunters.iter(), entity, space, transform);
        let played = pace.tell(simulation, hunters).and_then(|()| pace.play(simulation, steps, most));
        for remark in simulation.remarks() {
            warn!("swarm {entity}: {remark}");
        }
        failed.extend(played.err().map(|failure| (entity, failure)));
    }
    if let Some(Err(failure)) = batch.map(SubmissionBatch::finish) {
        // The number of steps that the device has made is unknown.
        error!("the steps of all swarms: {failure}");
    }
    for (entity, failure) in failed {
        commands.entity(entity).insert(SwarmError::new(entity, &failure));
    }
}
