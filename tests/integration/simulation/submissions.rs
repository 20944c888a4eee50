//! A step that is too long for one submission is split between its passes. The bits are equal.

use crate::support::adapter::shared;
use crate::support::individuals::{Start, individuals, rules, setup, space, steps, surroundings};
use crate::support::random::Random;
use crate::support::scenes::{Scene, chain};
use murmuration_core::cells::numbers::Parameters;
use murmuration_core::chain::Chain;
use murmuration_core::chain::plan::Plan;
use murmuration_core::engine::{Dispatch, Engine, IndividualsEngine, LatticeEngine, TotalsReading};
use murmuration_core::individuals::RuleSet;
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::state::{StateReading, SwarmReading, WorldColumns};
use murmuration_core::terrain::Habitat;
use murmuration_core::ticket::ReadingSource;
use murmuration_core::world::Edges;
use murmuration_gpu::{GpuEngine, GpuIndividuals};
use std::sync::Arc;

#[test]
fn cells_are_the_same_however_their_steps_are_cut() {
    let Some(gpu) = shared("cells in several submissions") else { return };
    for (name, preset) in [("cell", "lagoon"), ("cell-fast", "simmer"), ("cell", "droplets")] {
        let scene = Scene::built_in(preset, 40, 36);
        let plan = Arc::new(Plan::new(&chain(name), &scene.rules, &scene.world).unwrap());
        let weights = plan.weights();
        let parameters: Vec<_> =
            (0..9).map(|step| Parameters::new(&scene.rules, &scene.world, &weights, step)).collect();
        // Render passes are split like compute passes, so one preset suffices for them.
        let dispatches = [Dispatch::default(), Dispatch::Fragment];
        for dispatch in dispatches.into_iter().take(if preset == "lagoon" { 2 } else { 1 }) {
            let played = |most: u64| {
                let (gpu, plan) = (gpu.clone(), plan.clone());
                let mut engine = GpuEngine::new(gpu, plan, &scene.rules, &scene.world, &scene.start, dispatch).unwrap();
                engine.set_work_per_submission(most);
                engine.play(&parameters).unwrap();
                (
                    engine.request(StateReading).unwrap().wait().unwrap().hash(),
                    engine.request(TotalsReading).unwrap().wait().unwrap(),
                )
            };
            let expected = played(u64::MAX);
            for most in [0, 700, 1439, 1440, 5000] {
                assert_eq!(played(most), expected, "{preset}, {dispatch:?}, {most} updates in a submission");
            }
        }
    }
}

/// A program that may not wait plays as many steps as there is room for, and asks again.
#[test]
fn steps_are_the_same_where_nothing_is_waited_for() {
    let Some(gpu) = shared("steps that nobody waits for") else { return };
    let scene = Scene::built_in("simmer", 40, 36);
    let plan = Arc::new(Plan::new(&chain("cell-fast"), &scene.rules, &scene.world).unwrap());
    let weights = plan.weights();
    let parameters: Vec<_> = (0..40).map(|step| Parameters::new(&scene.rules, &scene.world, &weights, step)).collect();
    let engine = || {
        let (gpu, plan) = (gpu.clone(), plan.clone());
        GpuEngine::new(gpu, plan, &scene.rules, &scene.world, &scene.start, Dispatch::default()).unwrap()
    };
    let mut expected = engine();
    expected.play(&parameters).unwrap();
    let (mut polled, mut left) = (engine(), &parameters[..]);
    polled.set_work_per_submission(0);
    while !left.is_empty() {
        let progress = polled.play_until(left, None).unwrap();
        assert!(!progress.is_stopped);
        left = &left[progress.steps..];
        let mut space = polled.queue_space();
        while space.poll().unwrap().is_none() {
            std::thread::yield_now();
        }
    }
    assert_eq!(
        polled.request(StateReading).unwrap().wait().unwrap().hash(),
        expected.request(StateReading).unwrap().wait().unwrap().hash()
    );
}

#[test]
fn individuals_are_the_same_however_their_steps_are_cut() {
    let Some(gpu) = shared("individuals in several submissions") else { return };
    let space = space(3, Edges::Torus);
    let begun = individuals(&space, Start::Clumped, 900, &mut Random::new(34));
    let rules = rules(RuleSet::School);
    for (search, name) in [(SearchKind::Grid, "agents-grid"), (SearchKind::Brute, "agents-brute")] {
        let chain = Chain::load(murmuration::host().as_ref(), name).unwrap();
        let setup = setup(&rules, &Habitat::new(space, Vec::new()), search, begun.len());
        let around: Vec<_> = (0..9).map(|step| surroundings(step, 60)).collect();
        let played = |most: u64| {
            let mut engine =
                GpuIndividuals::new(gpu.clone(), &setup, (&begun, &WorldColumns::default()), &chain).unwrap();
            engine.set_work_per_submission(most);
            engine.play(&steps(std::slice::from_ref(&rules), &setup, &around)).unwrap();
            (
                engine.request(SwarmReading).unwrap().wait().unwrap().hash(),
                engine.request(TotalsReading).unwrap().wait().unwrap(),
            )
        };
        let expected = played(u64::MAX);
        for most in [0, 1, 2000, 20_000, 60_000] {
            assert_eq!(played(most), expected, "{name}, {most} updates in a submission");
        }
    }
}
