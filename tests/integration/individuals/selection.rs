//! Selection of neighbours: an individual perceives only its nearest neighbours, or only neighbours in view. The bits
//! are equal by every search and on every engine.

use crate::individuals::gpu::agree;
use crate::individuals::searches::{SEARCHES, next, seen_otherwise};
use crate::support::individuals::{
    SETS, Start, WEIGHT, begin, cells, hunted_at, individuals, options, rules, space, surroundings,
};
use crate::support::random::Random;
use crate::support::{adapter, is_played};
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::individuals::selection::{Selection, cosine};
use murmuration_core::individuals::table::RuleArray;
use murmuration_core::individuals::{IndividualRules, Rule, RuleSet};
use murmuration_core::lanes::InstructionSet;
use murmuration_core::numbers::Vector3;
use murmuration_core::state::Individuals;
use murmuration_core::terrain::Habitat;
use murmuration_core::world::{Edges, Space};

/// A selection from the values of both preset keys.
fn selection(nearest: u32, view: f64) -> Selection {
    let view = cosine(view / 2.0);
    Selection { nearest, view, repulsion_view: view }
}

/// Rules with a selection that depends on the index.
fn selective(set: RuleSet, index: usize) -> IndividualRules {
    let all = [selection(7, 360.0), selection(0, 270.0), selection(1, 200.0), selection(32, 90.0)];
    let mut selection = all[index % all.len()];
    if set.has_zones() {
        selection.repulsion_view = cosine([100.0, 30.0, 180.0][index % 3]);
    }
    IndividualRules { selection, ..rules(set) }
}

#[test]
fn all_searches_threads_and_instruction_sets_select_the_same() {
    let mut random = Random::new(51);
    let mut index = 0;
    for axes in [2, 3] {
        for edges in [Edges::Torus, Edges::Walls] {
            let wide = space(axes, edges);
            let narrow = Space { extents: [[12, 25, 1], [5, 13, 7]][axes - 2], edges };
            for (space, start, count) in [
                (wide, Start::Uniform, 300),
                (wide, Start::Clumped, 200),
                (wide, Start::OnePlace, 80),
                (wide, Start::Edges, 250),
                (narrow, Start::Uniform, 120),
            ] {
                let habitat = Habitat::new(space, Vec::new());
                let begun = individuals(&space, start, count, &mut random);
                index += 1;
                for set in SETS {
                    let rules = selective(set, index + set as usize);
                    let mut ways = SEARCHES.map(|search| options(search, 1, None)).to_vec();
                    let available = InstructionSet::ALL.iter().filter(|set| set.is_available());
                    ways.extend(available.map(|set| options(SearchKind::Grid, 2, Some(*set))));
                    let hashes = ways.iter().map(|on| {
                        let mut played = begin(&rules, &habitat, &begun, *on);
                        played.play(&[surroundings(4, 0); 6]);
                        played.individuals().hash()
                    });
                    let hashes: Vec<_> = hashes.collect();
                    let what = format!("{space:?}, {start:?}, {set:?}, {:?}", rules.selection);
                    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{what}: {hashes:?}");
                }
            }
        }
    }
}

#[test]
fn a_gpu_selects_the_same() {
    let Some(gpu) = adapter::shared("nearest neighbours on the GPU") else { return };
    let mut random = Random::new(52);
    for (index, set) in SETS.into_iter().enumerate() {
        for axes in [2, 3].into_iter().filter(|axes| is_played(index + axes, 2)) {
            let edges = [Edges::Torus, Edges::Walls][index / 2 % 2];
            // The narrow worlds have fewer than three cells of the search along an axis.
            let extents = [[61, 47, 1], [12, 13, 1], [31, 27, 23], [13, 9, 11]][2 * (axes - 2) + index % 2];
            let habitat = Habitat::new(Space { extents, edges }, Vec::new());
            let start = [Start::Uniform, Start::Clumped, Start::OnePlace][index % 3];
            let begun = individuals(&habitat.space, start, 200, &mut random);
            let rules = selective(set, index + axes);
            let steps = [surroundings(4, 0); 12];
            agree(
                &gpu,
                &rules,
                &habitat,
                &begun,
                &steps,
                &format!("{extents:?} {edges:?} {set:?} {:?}", rules.selection),
            );
        }
    }
}

#[test]
fn no_direction_is_special_to_a_selection() {
    let mut random = Random::new(53);
    for (index, (set, extents)) in [
        (RuleSet::School, [53, 53, 1]),
        (RuleSet::Flock, [27, 27, 23]),
        (RuleSet::Reynolds, [53, 53, 1]),
        (RuleSet::Aquarium, [27, 27, 23]),
    ]
    .into_iter()
    .enumerate()
    {
        for edges in [Edges::Torus, Edges::Walls] {
            let habitat = Habitat::new(Space { extents, edges }, Vec::new());
            let begun = individuals(&habitat.space, Start::Uniform, 250, &mut random);
            let centre = (extents[0] as i32 - 1) * 8;
            let after = |begun: &Individuals| {
                let mut played = begin(&selective(set, index), &habitat, begun, options(SearchKind::Grid, 2, None));
                played.play(&[hunted_at([centre, centre], 1, 0); 8]);
                played.individuals().in_order()
            };
            let straight = after(&begun);
            for (exchange, mirror) in [(true, [false, false]), (false, [true, false]), (true, [true, true])] {
                let turned = after(&seen_otherwise(&begun, extents, exchange, mirror));
                let expected = seen_otherwise(&straight, extents, exchange, mirror);
                assert_eq!(turned, expected, "{set:?} {edges:?} {mirror:?}");
            }
        }
    }
}

/// The velocities after a step with alignment alone.
fn aligned(begun: &[(Vector3, Vector3)], selection: Selection) -> Vec<Vector3> {
    let mut weights = RuleArray::default();
    weights[Rule::Alignment] = WEIGHT;
    let radii = RuleArray([6.0; 4].map(cells));
    next(IndividualRules { weights, selection, radii, ..rules(RuleSet::Reynolds) }, begun)
}

#[test]
fn the_nearest_are_counted_without_oneself_and_lower_numbers_go_first() {
    let still = [0; 3];
    // Four individuals at equal distances with different velocities. The first individual rests in their middle.
    let begun = [
        ([100, 100, 0], still),
        ([103, 100, 0], [3000, 0, 0]),
        ([97, 100, 0], [0, 3000, 0]),
        ([100, 103, 0], [-3000, 0, 0]),
        ([100, 97, 0], [0, -6000, 0]),
    ];
    // The new velocity is the mean of the k nearest neighbours and of the individual itself.
    for (nearest, expected) in [
        (1, [1500, 0, 0]),
        (2, [1000, 1000, 0]),
        (3, [0, 750, 0]),
        (4, [0, -600, 0]),
        (5, [0, -600, 0]),
        (0, [0, -600, 0]),
    ] {
        let to = aligned(&begun, selection(nearest, 360.0))[0];
        // Control vectors are in 1/1024 cell a step, so a velocity may have an error of 1/1024 cell a step.
        assert!((0..3).all(|axis| (to[axis] - expected[axis]).abs() <= 16), "{nearest}: {to:?}, not {expected:?}");
    }
    // The nearest individual is taken, even if other neighbours have lower numbers.
    let mut nearer = begun;
    nearer[4].0 = [100, 98, 0];
    let to = aligned(&nearer, selection(1, 360.0))[0];
    assert!((to[1] + 3000).abs() <= 16, "{to:?}");
}

#[test]
fn those_behind_are_hidden_and_one_at_rest_sees_all_around() {
    let begun = |own: Vector3, other: Vector3| [(own, [4000, 0, 0]), (other, [4000, 3000, 0])];
    let middle = [100, 100, 0];
    // Offsets with their angles from the heading.
    for (offset, angle) in
        [([4, 0], 0.0), ([3, 3], 45.0), ([0, 4], 90.0), ([-3, -3], 135.0), ([-4, 1], 165.96), ([-4, 0], 180.0)]
    {
        for view in [60.0f64, 89.0, 91.0, 179.0, 181.0, 269.0, 271.0, 330.0, 340.0, 360.0] {
            let other = [100 + offset[0], 100 + offset[1], 0];
            let to = aligned(&begun(middle, other), selection(0, view))[0];
            assert_eq!(to != [4000, 0, 0], angle <= view / 2.0, "{offset:?}, {view}: {to:?}");
        }
    }
    let to = aligned(&[(middle, [0; 3]), ([96, 100, 0], [4000, 0, 0])], selection(0, 10.0))[0];
    assert!((to[0] - 2000).abs() <= 16, "{to:?}");
}
