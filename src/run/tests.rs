use super::*;
use crate::open;

/// A model that only counts steps, and stops at the step `stop_at`.
#[derive(Default)]
struct Counter {
    step: u64,
    pieces: Vec<u64>,
    stop_at: Option<u64>,
}

impl Stepper for Counter {
    fn step(&self) -> u64 {
        self.step
    }

    fn play(&mut self, steps: u64) -> Result<u64, Failure> {
        let done = steps.min(self.stop_at.unwrap_or(u64::MAX) - self.step);
        self.pieces.push(steps);
        self.step += done;
        Ok(done)
    }

    fn wait(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn stop_when(&mut self, _: StopCheck) {}

    fn remarks(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// An observer that records the numbers of played steps at which it is called, and of the reports of the progress.
struct Recorder {
    every: u64,
    takes_last: bool,
    observed: Vec<u64>,
    reported: Vec<u64>,
    is_finished: bool,
    fails_at: Option<u64>,
}

impl Recorder {
    fn every(every: u64) -> Self {
        Self { every, takes_last: false, observed: vec![], reported: vec![], is_finished: false, fails_at: None }
    }
}

impl<T> Observer<T> for Recorder {
    fn until_due(&self, time: RunTime) -> u64 {
        time.until(self.every)
    }

    fn takes_last(&self, is_stopped: bool) -> bool {
        self.takes_last && is_stopped
    }

    fn observe(&mut self, moment: &mut Moment<'_, T>) -> Result<(), Failure> {
        self.observed.push(moment.time.played);
        if self.fails_at == Some(moment.time.played) { Err(Failure::Broken("full".into())) } else { Ok(()) }
    }

    fn finish(&mut self, _: &mut Moment<'_, T>) -> Result<(), Failure> {
        self.is_finished = true;
        Ok(())
    }

    fn progress(&mut self, time: RunTime, _: &[String]) {
        self.reported.push(time.played);
    }
}

fn play(model: &mut Counter, steps: u64, recorder: &mut Recorder) -> Played {
    let first = model.step;
    Run::new(model).to(first + steps).with(recorder).play().unwrap()
}

#[test]
fn every_due_step_is_observed_and_pieces_grow_between_them() {
    let (mut model, mut recorder) = (Counter::default(), Recorder::every(500));
    let played = play(&mut model, 1030, &mut recorder);
    assert_eq!((played.steps, model.step, played.is_stopped), (1030, 1030, false));
    assert_eq!(recorder.observed, [0, 500, 1000]);
    assert!(model.pieces.iter().max() >= Some(&64), "{:?}", model.pieces);
    assert!(recorder.reported.is_sorted() && recorder.reported.last() == Some(&1030) && recorder.is_finished);
    let mut idle = Recorder::every(1);
    assert_eq!(play(&mut Counter::default(), 0, &mut idle).steps, 0);
    assert_eq!(idle.observed, [0]);
    // Only steps that the run plays count, not earlier steps of the model.
    let mut later = Recorder::every(4);
    play(&mut Counter { step: 7, ..Counter::default() }, 9, &mut later);
    assert_eq!(later.observed, [0, 4, 8]);
}

#[test]
fn a_stopped_run_ends_after_its_last_whole_step() {
    let (mut model, mut recorder) = (Counter { stop_at: Some(7), ..Counter::default() }, Recorder::every(u64::MAX));
    let played = play(&mut model, u64::MAX, &mut recorder);
    assert!(played.steps == 7 && played.is_stopped && recorder.observed == [0], "{played:?}");
    // The recorder observes the last step because `takes_last` is true. If the last step is due, it is observed once.
    for (stop_at, observed) in [(8, vec![0, 4, 8]), (9, vec![0, 4, 8, 9])] {
        let mut recorder = Recorder { takes_last: true, ..Recorder::every(4) };
        play(&mut Counter { stop_at: Some(stop_at), ..Counter::default() }, 20, &mut recorder);
        assert_eq!(recorder.observed, observed);
    }
}

#[test]
fn observers_complete_their_results_after_a_failure() {
    let (mut failing, mut other) = (Recorder { fails_at: Some(3), ..Recorder::every(3) }, Recorder::every(2));
    let mut model = Counter::default();
    let run = Run::new(&mut model).to(9).with(&mut other).with(&mut failing);
    assert!(run.play().unwrap_err().to_string().contains("full"));
    assert!(failing.is_finished && other.is_finished);
    assert_eq!((failing.observed, other.observed), (vec![0, 3], vec![0, 2]));
}

#[test]
fn a_run_with_observers_ends_in_the_state_of_one_without() {
    let start = || open("droplets").size(48, 32).start().unwrap();
    let (mut observed, mut alone) = (start(), start());
    let mut metrics = Metrics::every(7, &observed);
    let played = Run::new(&mut observed).to(40).with(&mut metrics).play().unwrap();
    alone.play(40).unwrap();
    assert_eq!(observed.state_hash().unwrap(), alone.state_hash().unwrap());
    let steps: Vec<u64> = metrics.rows().iter().map(|row| row.step).collect();
    assert_eq!((steps, played.steps), (vec![0, 7, 14, 21, 28, 35], 40));
    // A run to a step that was already passed plays nothing.
    assert_eq!(Run::new(&mut observed).to(12).play().unwrap().steps, 0);
}
