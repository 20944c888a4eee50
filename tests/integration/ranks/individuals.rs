//! Individuals over several ranks: each rank holds the individuals of its slab. The bits are equal to the bits of one
//! process.

use crate::ranks::worlds::ranks_of;
use crate::support::individuals::*;
use crate::support::random::Random;
use murmuration_core::engine::cpu::CpuIndividuals;
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::individuals::selection::Selection;
use murmuration_core::individuals::table::RuleArray;
use murmuration_core::individuals::{IndividualRules, RuleSet};
use murmuration_core::noise::Noise;
use murmuration_core::ranks::BALANCE_INTERVAL;
use murmuration_core::state::{Individuals, Ledger, WorldColumns};
use murmuration_core::terrain::Habitat;
use murmuration_core::world::{Edges, Space};
use std::sync::Arc;

/// The individuals in the order of their numbers, and the sums.
type Outcome = (Individuals, Ledger);

/// Plays steps with a hunter with open jaws, in one process and on several ranks, and compares the outcomes. Returns
/// whether the swarm is divided at the end, so that each individual is on one rank.
#[track_caller]
fn compare(rules: &IndividualRules, habitat: &Habitat, start: &Individuals, ranks: usize, steps: u32) -> bool {
    let hunted: Vec<Surroundings> = (0..steps).map(|step| surroundings(step, 3)).collect();
    let (search, options) = options(SearchKind::Grid, 1, None);
    let setup = setup(rules, habitat, search, start.len());
    let play = |engine: CpuIndividuals| -> (Outcome, usize) {
        let mut played = Played { engine, rules: vec![rules.clone()], setup: setup.clone() };
        played.play(&hunted);
        let outcome = (played.individuals().in_order(), played.totals());
        // Readings leave the slabs unchanged.
        played.play(&hunted[..1]);
        (outcome, played.engine.held())
    };
    let (expected, alone) =
        play(CpuIndividuals::new(&setup, (start, &WorldColumns::default()), options, None).unwrap());
    let on_ranks = ranks_of(ranks, |ranks| {
        play(
            CpuIndividuals::on_ranks(&setup, (start, &WorldColumns::default()), options, None, Arc::new(ranks))
                .unwrap(),
        )
    });
    let what = format!("{:?}, {:?}, {ranks} ranks", rules.set, habitat.space);
    for (rank, (outcome, _)) in on_ranks.iter().enumerate() {
        assert_eq!(outcome.1, expected.1, "{what}: the sums of rank {rank}");
        assert!(outcome.0 == expected.0, "{what}: the individuals of rank {rank}");
    }
    let held: usize = on_ranks.iter().map(|(_, held)| held).sum();
    assert!(held == alone || held == ranks * alone, "{what}: ranks hold {held} of {alone} individuals");
    held == alone
}

/// All rule sets, both kinds of edges, two and three axes. The borders of the slabs move during the run.
#[test]
fn slabs_have_the_individuals_of_one_process() {
    let (mut cases, mut divided) = (0, 0);
    for (case, set) in SETS.into_iter().enumerate() {
        for axes in [2, 3] {
            let edges = if (case + axes) % 2 == 0 { Edges::Torus } else { Edges::Walls };
            let space = long_space(axes, edges);
            let habitat = Habitat::new(space, solids(&space));
            let start = individuals(&space, Start::Uniform, 900, &mut Random::new(case as u64));
            for ranks in [2, 3] {
                cases += 1;
                divided += usize::from(compare(&rules(set), &habitat, &start, ranks, 2 * BALANCE_INTERVAL as u32 + 2));
            }
        }
    }
    // Flocks gather in few rows, and are then shared by all ranks.
    assert!(4 * divided > 3 * cases, "only {divided} of {cases} swarms are divided");
}

/// Noise, nearest neighbours, and slabs of a single row. On a torus of three rows each slab has both others as
/// neighbours on both sides.
#[test]
fn thin_slabs_and_noise_have_the_individuals_of_one_process() {
    let mut noise = Noise::default();
    noise.set_angle(1.6);
    let noisy = IndividualRules { noise, ..rules(RuleSet::Reynolds) };
    let nearest = IndividualRules { selection: Selection { nearest: 7, ..Selection::ALL }, ..noisy.clone() };
    let wide = IndividualRules { radii: RuleArray([15.0, 6.0, 11.0, 12.0].map(cells)), ..rules(RuleSet::Flock) };
    for edges in [Edges::Torus, Edges::Walls] {
        let habitat = Habitat::new(space(2, edges), Vec::new());
        let start = individuals(&habitat.space, Start::Uniform, 400, &mut Random::new(7));
        for (rules, ranks) in [(&noisy, 3), (&nearest, 7), (&wide, 2), (&wide, 3)] {
            let is_divided = compare(rules, &habitat, &start, ranks, 60);
            assert!(is_divided, "{:?}, {ranks} ranks", rules.set);
        }
    }
}

/// Individuals in few rows are shared by all ranks until they have spread.
#[test]
fn individuals_in_few_rows_are_shared_until_they_spread() {
    let habitat = Habitat::new(long_space(2, Edges::Torus), Vec::new());
    let start = individuals(&habitat.space, Start::OneCell, 300, &mut Random::new(3));
    let alone = IndividualRules { weights: RuleArray([0; _]), ..rules(RuleSet::Reynolds) };
    assert!(!compare(&alone, &habitat, &start, 2, 20), "individuals of one cell are divided");
    // No individual turns, so 300 headings lead in all directions.
    assert!(compare(&alone, &habitat, &start, 2, 5 * BALANCE_INTERVAL as u32), "individuals everywhere are shared");
}

fn long_space(axes: usize, edges: Edges) -> Space {
    Space { extents: if axes == 2 { [37, 211, 1] } else { [27, 19, 101] }, edges }
}
