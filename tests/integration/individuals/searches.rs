//! Individuals: equal bits by every search, thread count and instruction set. Every rule agrees with its document, and
//! no individual is lost.

use crate::support::individuals::{
    Played, SETS, Start, WEIGHT, begin, cells, hunted_at, individuals, nothing_around, options, rules, solids, space,
    surroundings,
};
use crate::support::random::Random;
use crate::support::size;
use murmuration_core::engine::cpu::{CpuIndividuals, Options};
use murmuration_core::individuals::rules::{Aquarium, Flock, Reynolds, School, Steering};
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::individuals::selection::Selection;
use murmuration_core::individuals::situation::{Situation, Sums};
use murmuration_core::individuals::species::{SpeciesNumbers, SpeciesUnits};
use murmuration_core::individuals::sums::{IndividualsInUnits, NeighbourSource, OffsetMethod, gather};
use murmuration_core::individuals::table::RuleArray;
use murmuration_core::individuals::{IndividualRules, Rule, RuleSet, Units};
use murmuration_core::lanes::{InstructionSet, Lanes, MAX_LANES, PortableLanes};
use murmuration_core::numbers::{ONE, RULE_ONE, Vector3};
use murmuration_core::state::Individuals;
use murmuration_core::terrain::Habitat;
use murmuration_core::world::{Edges, Space};

pub const SEARCHES: [SearchKind; 3] = [SearchKind::Brute, SearchKind::Octree, SearchKind::Grid];

#[test]
fn all_searches_threads_and_instruction_sets_give_the_same_bits() {
    let mut random = Random::new(1);
    for axes in [2, 3] {
        for edges in [Edges::Torus, Edges::Walls] {
            let space = space(axes, edges);
            for (start, count) in [
                (Start::Uniform, 300),
                (Start::Uniform, 1),
                (Start::Uniform, 0),
                (Start::Clumped, 200),
                (Start::OneCell, 100),
                (Start::OnePlace, 60),
                (Start::Borders, 250),
                (Start::Edges, 250),
            ] {
                let free = Habitat::new(space, Vec::new());
                let blocked = Habitat::new(space, solids(&space));
                let begun = individuals(&space, start, count, &mut random);
                for set in SETS {
                    let habitat = if set == RuleSet::Flock { &free } else { &blocked };
                    let mut ways: Vec<(SearchKind, Options)> = SEARCHES.map(|search| options(search, 1, None)).into();
                    ways.push(options(SearchKind::Grid, 3, None));
                    let available = InstructionSet::ALL.iter().filter(|set| set.is_available());
                    ways.extend(available.flat_map(|set| {
                        [SearchKind::Octree, SearchKind::Grid].map(|search| options(search, 2, Some(*set)))
                    }));
                    let mut all_individuals: Vec<Played<CpuIndividuals>> =
                        ways.iter().map(|options| begin(&rules(set), habitat, &begun, *options)).collect();
                    let (steps, lured_from) = size((8, 5), (25, 16));
                    for step in 0..steps {
                        let hashes: Vec<_> = all_individuals
                            .iter_mut()
                            .map(|individuals| {
                                individuals.play(&[
                                    surroundings(4 * step, i32::from(step >= lured_from)),
                                    surroundings(4 * step + 1, 0),
                                ]);
                                (individuals.individuals().hash(), individuals.caught())
                            })
                            .collect();
                        for (way, hash) in ways.iter().zip(&hashes) {
                            assert_eq!(
                                hash, &hashes[0],
                                "{axes} axes, {edges:?}, {start:?}, {set:?}, step {step}: {way:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_world_narrower_than_the_sight_sees_everyone_once() {
    let mut random = Random::new(2);
    for extents in [[4, 4, 1], [7, 13, 1], [12, 25, 1], [5, 6, 7], [13, 6, 30]] {
        for edges in [Edges::Torus, Edges::Walls] {
            let habitat = Habitat::new(Space { extents, edges }, Vec::new());
            let begun = individuals(&habitat.space, Start::Uniform, 120, &mut random);
            for set in SETS {
                let portable = Some(InstructionSet::Portable);
                let ways = SEARCHES.into_iter().flat_map(|search| [(search, None), (search, portable)]);
                let hashes: Vec<_> = ways
                    .map(|(search, lanes)| {
                        let mut played = begin(&rules(set), &habitat, &begun, options(search, 1, lanes));
                        played.play(&[surroundings(0, 0); 20]);
                        played.individuals().hash()
                    })
                    .collect();
                assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{extents:?} {edges:?} {set:?}");
            }
        }
    }
}

/// The sums of the equations in f64, from exact positions.
#[derive(Debug, Default, Clone, Copy)]
struct Exact {
    cohesion: [f64; 3],
    cohering: f64,
    separation: [f64; 3],
    inverse: [f64; 3],
    alignment: [f64; 3],
    aligning: f64,
    clarity: [f64; 3],
    /// The zones of repulsion, orientation and attraction, each without the zones inside it.
    apart: [f64; 3],
    crowding: f64,
    oriented: [f64; 3],
    attracted: [f64; 3],
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|axis| a[axis] * b[axis]).sum()
}

fn length(v: [f64; 3]) -> f64 {
    dot(v, v).sqrt()
}

fn scaled(v: [f64; 3], by: f64) -> [f64; 3] {
    v.map(|n| n * by)
}

fn plus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| a[axis] + b[axis])
}

fn direction(v: [f64; 3]) -> [f64; 3] {
    if length(v) == 0.0 { v } else { scaled(v, 1.0 / length(v)) }
}

fn limited(v: [f64; 3], most: f64) -> [f64; 3] {
    if length(v) > most { scaled(direction(v), most) } else { v }
}

/// A velocity in cells a step. `v`: the velocity in 1/16384 cell a step.
fn speed(v: Vector3) -> [f64; 3] {
    v.map(|n| f64::from(n) / f64::from(ONE))
}

/// The neighbours that an individual sees, with their offsets in cells: of the individuals that are in view and within
/// the greatest radius of a rule, the nearest by the selection of the rules.
fn neighbours(
    individuals: &Individuals,
    index: usize,
    space: &Space,
    rules: &IndividualRules,
) -> Vec<(usize, [f64; 3])> {
    let own = individuals.position(index);
    let offset = |other: usize| {
        let place = individuals.position(other);
        [0, 1, 2].map(|axis| {
            let extent = f64::from(space.extents[axis]);
            let straight = f64::from(place[axis] - own[axis]) / 65536.0;
            if space.edges == Edges::Torus { straight - (straight / extent).round() * extent } else { straight }
        })
    };
    let heading = direction(speed(individuals.velocity(index)));
    let repulsion = f64::from(rules.radii[Rule::Separation]) / 65536.0;
    let view = |far: f64| if far < repulsion { rules.selection.repulsion_view } else { rules.selection.view };
    let seeing = rules.set.rules().filter(|rule| rule.sees_neighbours());
    let greatest = f64::from(seeing.map(|rule| rules.radii[rule]).max().unwrap()) / 65536.0;
    let others = (0..individuals.len()).filter(|other| *other != index).map(|other| (other, offset(other)));
    let is_seen = |(_, d): &(usize, [f64; 3])| {
        let far = length(*d);
        far < greatest && dot(direction(*d), heading) >= f64::from(view(far)) / f64::from(ONE)
    };
    let mut seen: Vec<_> = others.filter(is_seen).collect();
    seen.sort_by(|(_, a), (_, b)| length(*a).total_cmp(&length(*b)));
    let most = if rules.selection.nearest == 0 { seen.len() } else { rules.selection.nearest as usize };
    seen.truncate(most);
    seen
}

fn exact(individuals: &Individuals, index: usize, space: &Space, rules: &IndividualRules) -> Exact {
    let mut sums = Exact::default();
    for (other, d) in neighbours(individuals, index, space, rules) {
        let far = length(d);
        let within = |radius: u32| far < f64::from(radius) / 65536.0;
        if within(rules.radii[Rule::Cohesion]) {
            sums.cohesion = plus(sums.cohesion, d);
            sums.cohering += 1.0;
        }
        if within(rules.radii[Rule::Separation]) {
            sums.separation = plus(sums.separation, d);
            sums.inverse = plus(sums.inverse, scaled(d, 1.0 / far.max(1.0).powi(2)));
        }
        if within(rules.radii[Rule::Alignment]) {
            sums.alignment = plus(sums.alignment, speed(individuals.velocity(other)));
            sums.aligning += 1.0;
        }
        if within(rules.radii[Rule::Separation]) {
            sums.apart = plus(sums.apart, scaled(direction(d), -1.0));
            sums.crowding += 1.0;
        } else if within(rules.radii[Rule::Alignment]) {
            sums.oriented = plus(sums.oriented, direction(speed(individuals.velocity(other))));
        } else if within(rules.radii[Rule::Cohesion]) {
            sums.attracted = plus(sums.attracted, direction(d));
        }
        if within(rules.radii[Rule::Clarity]) && dot(d, speed(individuals.velocity(index))) > 0.0 {
            sums.clarity = plus(sums.clarity, d);
        }
    }
    sums
}

fn weight(weight: i32) -> f64 {
    f64::from(weight) / f64::from(WEIGHT)
}

/// The next velocity by the document of a rule set, without hunter, roost and margin.
fn expected(sums: &Exact, velocity: [f64; 3], rules: &IndividualRules) -> [f64; 3] {
    let [max, force, cruise] = [rules.max, rules.force, rules.cruise].map(|n| f64::from(n) / f64::from(ONE));
    let RuleArray([cohesion, separation, alignment, clarity, ..]) = rules.weights;
    match rules.set {
        RuleSet::School => {
            let asked = plus(
                scaled(direction(sums.cohesion), weight(cohesion)),
                plus(
                    scaled(direction(sums.separation), -weight(separation)),
                    scaled(direction(sums.alignment), weight(alignment)),
                ),
            );
            let mut acceleration = limited(asked, force);
            acceleration[2] = 0.0;
            limited(plus(velocity, acceleration), max)
        }
        RuleSet::Flock | RuleSet::HalfFlock => {
            let asked = |x: [f64; 3]| {
                let wanted = plus(scaled(direction(x), max), scaled(velocity, -1.0));
                if length(x) == 0.0 { [0.0; 3] } else { limited(wanted, force) }
            };
            let way = direction(velocity);
            let lateral = plus(sums.clarity, scaled(way, -dot(sums.clarity, way)));
            let force = [
                scaled(asked(sums.alignment), weight(alignment)),
                scaled(asked(scaled(sums.separation, -1.0)), weight(separation)),
                scaled(asked(sums.cohesion), weight(cohesion)),
                scaled(asked(scaled(lateral, -1.0)), weight(clarity)),
            ];
            limited(force.into_iter().fold(velocity, plus), max)
        }
        RuleSet::Reynolds | RuleSet::Vicsek => {
            let reach = f64::from(rules.radii[Rule::Cohesion]) / 65536.0;
            let crowd = f64::from(rules.crowd) / f64::from(RULE_ONE);
            // The individual counts among those that it sees.
            let pulled = scaled(sums.cohesion, 1.0 / (sums.cohering + 1.0) / reach);
            let apart = scaled(sums.inverse, -1.0 / crowd).map(|n| n.clamp(-4.0, 4.0));
            let mean = scaled(plus(sums.alignment, velocity), 1.0 / (sums.aligning + 1.0));
            let forced = plus(scaled(pulled, weight(cohesion)), scaled(apart, weight(separation)));
            if rules.set == RuleSet::Vicsek {
                let asked = plus(forced, scaled(mean, weight(alignment)));
                return scaled(direction(if length(asked) > 0.0 { asked } else { velocity }), max);
            }
            let aligned = plus(mean, scaled(velocity, -1.0));
            let asked = plus(forced, scaled(aligned, weight(alignment)));
            let keep = f64::from(rules.keep) / f64::from(RULE_ONE);
            let wanted = plus(scaled(velocity, keep), asked).map(|n| n.clamp(-2.0, 2.0));
            let is = length(wanted);
            let towards = if cruise > 0.0 { is + (cruise - is) / 4.0 } else { is };
            scaled(direction(wanted), towards.min(max)).map(|n| n.clamp(-1.0, 1.0))
        }
        RuleSet::Couzin => {
            let zones = plus(scaled(sums.oriented, weight(alignment)), scaled(sums.attracted, weight(cohesion)));
            let asked = direction(if sums.crowding > 0.0 { scaled(sums.apart, weight(separation)) } else { zones });
            let (heading, [cosine, sine]) = (direction(velocity), rules.turn.map(|n| f64::from(n) / f64::from(ONE)));
            let along = dot(asked, heading);
            let across = direction(plus(asked, scaled(heading, -along)));
            let turned = if length(asked) == 0.0 {
                heading
            } else if along >= cosine {
                asked
            } else {
                plus(scaled(heading, cosine), scaled(across, sine))
            };
            scaled(direction(turned), max)
        }
        RuleSet::Aquarium => {
            let mean = |sum: [f64; 3], count: f64| if count == 0.0 { sum } else { scaled(sum, 1.0 / count) };
            let aligned = plus(mean(sums.alignment, sums.aligning), scaled(velocity, -1.0));
            let asked = [
                scaled(mean(sums.cohesion, sums.cohering), weight(cohesion)),
                scaled(sums.separation.map(|n| n.clamp(-32.0, 32.0)), -weight(separation)),
                scaled(aligned, if sums.aligning == 0.0 { 0.0 } else { weight(alignment) }),
            ];
            let wanted = limited(asked.into_iter().fold(velocity, plus), max);
            let least = f64::from(rules.min) / f64::from(ONE);
            if length(wanted) < least { scaled(direction(wanted), least) } else { wanted }
        }
    }
}

/// Plays a step. Returns the 95 % quantile and the maximum of the velocities' deviations from the document.
fn deviations(rules: &IndividualRules, space: Space, begun: &Individuals) -> [f64; 2] {
    let mut played = begin(rules, &Habitat::new(space, Vec::new()), begun, options(SearchKind::Grid, 1, None));
    played.play(&[nothing_around()]);
    let after = played.individuals().in_order();
    let mut farthest = Vec::new();
    for index in 0..begun.len() {
        let sums = exact(begun, index, &space, rules);
        let wanted = expected(&sums, speed(begun.velocity(index)), rules);
        let off = plus(speed(after.velocity(index)), scaled(wanted, -1.0));
        farthest.push(length(off));
        // The individual moves by its new velocity.
        for axis in 0..3 {
            let end = (space.extents[axis] as i32) << 16;
            let to = (begun.position(index)[axis] + 4 * after.velocity(index)[axis]).rem_euclid(end);
            assert_eq!(after.position(index)[axis], to);
        }
    }
    // Positions are rounded to 1/512 of the radius or better. So the neighbours may differ at the edge of the radius. A
    // sum of offsets that nearly cancel has an uncertain direction, and 1/|d|² doubles the error of d.
    farthest.sort_by(f64::total_cmp);
    [farthest[farthest.len() * 95 / 100], farthest[farthest.len() - 1]]
}

/// The rule sets whose formulas [`expected`] has.
const DOCUMENTED: [RuleSet; 6] =
    [RuleSet::School, RuleSet::Flock, RuleSet::Reynolds, RuleSet::Aquarium, RuleSet::Couzin, RuleSet::Vicsek];

/// The rules of a set with one weight or the first four weights.
fn weighted(set: RuleSet, only: Option<usize>) -> IndividualRules {
    let unit = if set == RuleSet::Aquarium { WEIGHT / 16 } else { WEIGHT };
    let weights = RuleArray::from_fn(|rule| match rule as usize {
        index if index < 4 && only.is_none_or(|only| only == index) => unit / (index as i32 + 2),
        _ => 0,
    });
    // The limit on turns is below most turns, and large enough to matter.
    IndividualRules { weights, turn: [11_585, 11_585], ..rules(set) }
}

#[test]
fn every_rule_is_that_of_its_document() {
    let mut random = Random::new(3);
    for set in DOCUMENTED {
        for axes in [2, 3] {
            // Each rule alone, and all together.
            for only in [Some(0), Some(1), Some(2), Some(3), None] {
                let space = space(axes, Edges::Torus);
                let begun = individuals(&space, Start::Uniform, if axes == 2 { 150 } else { 500 }, &mut random);
                let [most, last] = deviations(&weighted(set, only), space, &begun);
                // Directions to the nearest are less exact, and so are sums that nearly cancel if all have equal
                // speeds.
                let bound = match set {
                    RuleSet::Vicsek => 0.03,
                    RuleSet::Reynolds | RuleSet::Couzin => 0.01,
                    _ => 0.004,
                };
                assert!(most < bound, "{set:?}, {axes} axes, rule {only:?}: {most}, at most {last}");
            }
        }
    }
}

#[test]
fn every_set_sums_over_the_nearest_and_those_in_view() {
    let mut random = Random::new(5);
    for set in DOCUMENTED {
        for axes in [2, 3] {
            let space = space(axes, Edges::Torus);
            let begun = individuals(&space, Start::Uniform, if axes == 2 { 150 } else { 500 }, &mut random);
            let all = weighted(set, None);
            let around = all.selection.view;
            for (nearest, view, repulsion_view) in
                [(6, around, around), (0, -9000, -9000), (3, -9000, -9000), (1, 5000, 5000), (0, 3000, around)]
            {
                if view != repulsion_view && !set.has_zones() {
                    continue;
                }
                let selection = Selection { nearest, view, repulsion_view };
                let [most, last] = deviations(&IndividualRules { selection, ..all.clone() }, space, &begun);
                // The mean heading of one or two nearly opposite neighbours has an uncertain direction.
                let bound = if set == RuleSet::Vicsek { 0.02 } else { 0.01 };
                assert!(most < bound, "{set:?}, {axes} axes, {selection:?}: {most}, at most {last}");
            }
        }
    }
}

/// Weights for some rules; the others are 0.
fn only(some: &[(Rule, i32)]) -> RuleArray<i32> {
    let mut weights = RuleArray::default();
    for (rule, weight) in some {
        weights[*rule] = *weight;
    }
    weights
}

/// The velocities after a step, by these weights.
fn next_by(set: RuleSet, begun: &[(Vector3, Vector3)], weights: RuleArray<i32>) -> Vec<Vector3> {
    next(IndividualRules { weights, ..rules(set) }, begun)
}

/// The velocities after a step, far from any edge.
pub fn next(rules: IndividualRules, begun: &[(Vector3, Vector3)]) -> Vec<Vector3> {
    let rules = IndividualRules { cruise: 0, min: 0, ..rules };
    let habitat = Habitat::new(Space { extents: [200, 200, 1], edges: Edges::Walls }, Vec::new());
    let mut individuals = Individuals::default();
    for (number, (place, velocity)) in begun.iter().enumerate() {
        individuals.push(number as u32, place.map(|n| n << 16), *velocity);
    }
    let mut played = begin(&rules, &habitat, &individuals, options(SearchKind::Brute, 1, None));
    played.play(&[nothing_around()]);
    let after = played.individuals().in_order();
    (0..after.len()).map(|index| after.velocity(index)).collect()
}

#[test]
fn a_lone_individual_goes_straight_on() {
    for set in SETS {
        // The maximum speed.
        let went = [9000, -12_000, 0];
        let mut weights = rules(set).weights;
        weights[Rule::Roost] = 0;
        let next = next_by(set, &[([100, 100, 0], went)], weights)[0];
        // The mean of headings is in 1/1024 of the maximum speed.
        let most = if set == RuleSet::Vicsek { 8 } else { 0 };
        assert!((0..3).all(|axis| (next[axis] - went[axis]).abs() <= most), "{set:?} {next:?}");
    }
}

#[test]
fn two_head_on_turn_as_the_rule_alone_says() {
    let begun = [([100, 100, 0], [2000, 0, 0]), ([102, 100, 0], [-2000, 0, 0])];
    for set in SETS {
        let cohesion = next_by(set, &begun, only(&[(Rule::Cohesion, WEIGHT / 8)]));
        let separation = next_by(set, &begun, only(&[(Rule::Separation, WEIGHT / 8)]));
        let alignment = next_by(set, &begun, only(&[(Rule::Alignment, WEIGHT / 8)]));
        // All have equal speeds.
        let (on, back) = (vec![[15_000, 0, 0], [-15_000, 0, 0]], vec![[-15_000, 0, 0], [15_000, 0, 0]]);
        if set == RuleSet::Couzin {
            // A request for the opposite of a heading has no effect.
            assert_eq!([cohesion, separation, alignment], [0, 1, 2].map(|_| on.clone()));
            continue;
        }
        if set == RuleSet::Vicsek {
            // A mean of opposite headings has no effect.
            assert_eq!([cohesion, separation, alignment], [on.clone(), back, on]);
            continue;
        }
        if set == RuleSet::HalfFlock {
            // Neither is above the other, so neither sees the other.
            assert_eq!([cohesion, separation, alignment], [0, 1, 2].map(|_| vec![[2000, 0, 0], [-2000, 0, 0]]));
            continue;
        }
        assert!(cohesion[0][0] > 2000 && cohesion[1][0] < -2000, "{set:?} {cohesion:?}");
        assert!(separation[0][0] < 2000 && separation[1][0] > -2000, "{set:?} {separation:?}");
        assert!(alignment[0][0] < 2000 && alignment[1][0] > -2000, "{set:?} {alignment:?}");
        for turned in [cohesion, separation, alignment] {
            assert_eq!(turned[0], turned[1].map(|n| -n), "what holds for one holds for the other");
        }
    }
}

#[test]
fn the_middle_one_of_three_in_a_line_is_pulled_nowhere() {
    let begun = [[98, 100, 0], [100, 100, 0], [102, 100, 0]].map(|place| (place, [0, 1500, 0]));
    for set in [RuleSet::School, RuleSet::Flock, RuleSet::Reynolds] {
        let weights = only(&[(Rule::Cohesion, WEIGHT / 8), (Rule::Separation, WEIGHT / 16)]);
        let after = next_by(set, &begun, weights);
        assert_eq!(after[1], [0, 1500, 0], "{set:?}");
        assert_eq!(after[0][0], -after[2][0], "{set:?}");
        assert_ne!(after[0][0], 0, "{set:?}");
    }
    // The second individual, ahead and to one side, blocks the view of the first. The first evades to the other side.
    let begun = [([100, 100, 0], [0, 1500, 0]), ([99, 103, 0], [0, 1500, 0])];
    let after = next_by(RuleSet::Flock, &begun, only(&[(Rule::Clarity, WEIGHT / 8)]));
    assert!(after[0][0] > 0 && after[1] == [0, 1500, 0], "{after:?}");
}

/// Transforms a world: `exchange` swaps the axes x and y, `mirror` reverses directions.
pub fn seen_otherwise(individuals: &Individuals, extents: [u32; 3], exchange: bool, mirror: [bool; 2]) -> Individuals {
    let mut seen = Individuals::default();
    for index in 0..individuals.len() {
        let (mut place, mut velocity) = (individuals.position(index), individuals.velocity(index));
        for axis in 0..2 {
            if mirror[axis] {
                place[axis] = ((extents[axis] as i32) << 16) - 1 - place[axis];
                velocity[axis] = -velocity[axis];
            }
        }
        if exchange {
            place.swap(0, 1);
            velocity.swap(0, 1);
        }
        seen.push(individuals.numbers[index], place, velocity);
    }
    seen
}

#[test]
fn no_direction_is_special() {
    let mut random = Random::new(4);
    for (set, extents) in [
        (RuleSet::School, [53, 53, 1]),
        (RuleSet::Flock, [53, 53, 1]),
        (RuleSet::Reynolds, [53, 53, 1]),
        (RuleSet::Flock, [27, 27, 23]),
        (RuleSet::Reynolds, [27, 27, 23]),
        (RuleSet::Couzin, [53, 53, 1]),
        (RuleSet::Couzin, [27, 27, 23]),
    ] {
        for edges in [Edges::Torus, Edges::Walls] {
            let habitat = Habitat::new(Space { extents, edges }, Vec::new());
            let begun = individuals(&habitat.space, Start::Uniform, 250, &mut random);
            let centre = (extents[0] as i32 - 1) * 8;
            let hunted = hunted_at([centre, centre], 1, 2);
            let after = |begun: &Individuals| {
                let mut played = begin(&rules(set), &habitat, begun, options(SearchKind::Grid, 2, None));
                played.play(&[hunted; 12]);
                played.individuals().in_order()
            };
            let straight = after(&begun);
            for (exchange, mirror) in [(true, [false, false]), (false, [true, false]), (true, [true, true])] {
                let turned = after(&seen_otherwise(&begun, extents, exchange, mirror));
                assert_eq!(
                    seen_otherwise(&straight, extents, exchange, mirror),
                    turned,
                    "{set:?} {edges:?} {mirror:?}"
                );
            }
        }
    }
}

fn worst<S: Steering>(set: RuleSet, cells_away: f64) {
    let most = 1 << 20;
    let rules = IndividualRules {
        radii: RuleArray([cells(200.0); Rule::OF_NEIGHBOURS.len()]),
        max: 2 * ONE,
        force: 2 * ONE,
        weights: RuleArray([8, -8, 8, -8, 8, 8, 8, 8].map(|weight| weight * WEIGHT)),
        crowd: 1,
        ..rules(set)
    };
    let units: Units = rules.units(most).unwrap();
    // The crowd has the maximum distance and speed that fit, and all its individuals are on one side.
    let far = (cells_away * f64::from(units.cell())) as i32;
    let fast = (2 * ONE) >> units.velocity;
    let place = far << units.place;
    let crowd = Individuals {
        numbers: vec![0; most],
        positions: [vec![place; most], vec![0; most], vec![place / 2; most]],
        velocities: [vec![2 * ONE; most], vec![2 * ONE; most], vec![2 * ONE; most]],
        ..Individuals::default()
    };
    let mut measured = IndividualsInUnits::default();
    measured.fill(&crowd, &units, &bytemuck::Zeroable::zeroed());
    let side_by_side = |v: Vector3| v.map(PortableLanes::splat);
    let mut own = measured.own(0..1, &units);
    (own.place, own.velocity) = (side_by_side([0; 3]), side_by_side([fast, 0, fast]));
    let mut sums = Sums::none();
    let source = NeighbourSource { measured: &measured, units: &units, extents: [i32::MAX; 3], is_torus: false };
    gather::<S, true, 3, PortableLanes>(&mut sums, &own, &source, OffsetMethod::Near, 0..most);
    let first_lane = |lanes: PortableLanes| {
        let mut list = [0; MAX_LANES];
        lanes.store(&mut list);
        list[0]
    };
    let [cohesion, alignment] = [Rule::Cohesion, Rule::Alignment].map(|rule| sums.0[rule as usize].map(first_lane));
    assert_eq!((cohesion[3], cohesion[0]), (1 << 20, far << 20));
    assert_eq!(alignment[0], fast << 20);
    let parameters = SpeciesNumbers::new(&rules, &SpeciesUnits::new(&rules, &units));
    for velocity in [[2 * ONE, 0, 0], [-ONE, ONE, ONE]] {
        let individual = Situation {
            velocity: side_by_side(velocity),
            velocity_in_units: side_by_side([fast, 0, fast]),
            sums,
            met: side_by_side([0; 3]),
            surroundings: [[4096, -4096, 0], [1152; 3], [1024, -1024, 4096], [4096, 0, 0]].map(side_by_side),
            parameters: &parameters,
            units: &units,
        };
        let turned = S::steer(&individual);
        for lanes in turned {
            let mut list = [0; PortableLanes::COUNT];
            lanes.store(&mut list);
            assert!(list.iter().all(|n| n.abs() <= 2 * ONE), "{list:?}");
        }
    }
}

#[test]
fn the_worst_case_of_every_sum_fits() {
    for cells_away in [0.3, 1.0, 100.0, 178.0] {
        worst::<School>(RuleSet::School, cells_away);
        worst::<Flock>(RuleSet::Flock, cells_away);
        worst::<Reynolds>(RuleSet::Reynolds, cells_away);
        worst::<Aquarium>(RuleSet::Aquarium, cells_away);
    }
    // A larger number is summed in coarser units.
    let units = rules(RuleSet::Flock).units(1 << 24).unwrap();
    assert_eq!((units.resolution, units.reach <= 64), (64, true));
}

#[test]
fn nobody_leaves_enters_a_solid_or_vanishes() {
    let mut random = Random::new(5);
    for (set, axes) in [(RuleSet::School, 2), (RuleSet::School, 3), (RuleSet::Flock, 3), (RuleSet::Reynolds, 2)] {
        let space = space(axes, Edges::Walls);
        let habitat = Habitat::new(space, solids(&space));
        let mut begun = individuals(&space, Start::Uniform, 40, &mut random);
        let is_solid =
            |place: Vector3| habitat.solids[((place[1] >> 16) * space.extents[0] as i32 + (place[0] >> 16)) as usize];
        begun.take(|individuals, index| is_solid(individuals.position(index)), &mut Individuals::default());
        let count = begun.len() as u64;
        let mut played = begin(&rules(set), &habitat, &begun, options(SearchKind::Grid, 1, None));
        for step in 0..10_000 {
            // The jaws open towards the end.
            played.play(&[surroundings(step, i32::from(step >= 9000))]);
            let individuals = played.individuals();
            assert_eq!(individuals.len() as u64 + played.caught(), count, "{set:?}, step {step}");
            for index in 0..individuals.len() {
                let place = individuals.position(index);
                let is_inside = (0..3).all(|axis| (0..(space.extents[axis] as i32) << 16).contains(&place[axis]));
                assert!(is_inside && !is_solid(place), "{set:?}, step {step}: {place:?}");
            }
        }
        let mut numbers = played.individuals().numbers.clone();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), played.individuals().len(), "each keeps its number");
    }
}
