//! The pace of swarms: steps by the game's fixed time.

use crate::{Swarm, SwarmError, SwarmHunter, SwarmSimulation, SwarmSpace, SwarmSystems};
use bevy::prelude::*;
use murmuration::{Failure, Input, Pointer, Simulation};

/// A swarm whose device is too slow is this many seconds behind at most, and then slower than its pace.
const LONGEST_DELAY: f64 = 0.1;

/// The time of a swarm, and what it was told last of its hunter.
#[derive(Component, Debug, Default)]
pub(crate) struct Pace {
    /// Steps that are due, with a fraction.
    due: f64,
    hunter: Option<Pointer>,
    jaws: u32,
}

impl Pace {
    /// The part of a step (0 to 1) by which time has gone on since the last whole step, so much fixed time after the last tick.
    pub(crate) fn fraction(&self, swarm: &Swarm, overstep: f64) -> f64 {
        (self.due + steps_in(swarm, overstep)).clamp(0.0, 1.0)
    }

    fn play(&mut self, simulation: &mut Simulation, steps: f64, most: f64) -> Result<(), Failure> {
        self.due = (self.due + steps).min(most);
        let before = simulation.step();
        simulation.try_advance(self.due as u64)?;
        self.due -= (simulation.step() - before) as f64;
        Ok(())
    }

    fn tell(&mut self, simulation: &mut Simulation, (hunter, jaws): (Option<Pointer>, u32)) -> Result<(), Failure> {
        if hunter != self.hunter {
            simulation.apply(Input::Hunter(hunter))?;
            self.hunter = hunter;
        }
        if jaws != self.jaws {
            simulation.apply(Input::Jaws(jaws))?;
            self.jaws = jaws;
        }
        Ok(())
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(FixedUpdate, play.in_set(SwarmSystems::Play));
}

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

fn play(mut commands: Commands, time: Res<Time>, mut swarms: Swarms, hunters: Query<(&SwarmHunter, &GlobalTransform)>) {
    for (entity, swarm, simulation, mut pace, space, transform) in &mut swarms {
        let steps = steps_in(swarm, time.delta_secs_f64());
        if steps == 0.0 {
            continue;
        }
        let simulation = &mut *simulation.lock();
        let most = steps.max(steps_in(swarm, LONGEST_DELAY)) + 1.0;
        let hunter = SwarmHunter::of_swarm(hunters.iter(), entity, space, transform);
        let played = pace.tell(simulation, hunter).and_then(|()| pace.play(simulation, steps, most));
        for remark in simulation.remarks() {
            warn!("swarm {entity}: {remark}");
        }
        if let Err(failure) = played {
            commands.entity(entity).insert(SwarmError::new(entity, &failure));
        }
    }
}
