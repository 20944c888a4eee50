use super::blocks::Block;
use super::movement::mean;
use super::*;
use crate::numbers::random::hash;
use crate::parallel::ThreadPool;
use crate::state::State;
use std::collections::BTreeMap;

const STEPS: u32 = 120;

/// A world in which boids turn round its middle, with its solids.
struct Whirl {
    state: State,
    edges: Edges,
    solids: Vec<bool>,
}

impl Whirl {
    fn new(extents: Extents, edges: Edges, has_solids: bool) -> Self {
        let mut state = State::empty(extents);
        let sides = extents.along_axes().map(|extent| extent as i32);
        let mut solids = vec![false; if has_solids { extents.cells() } else { 0 }];
        for index in 0..extents.cells() {
            let [x, y, z] = cell_of(extents, index);
            let away = [2 * x + 1 - sides[0], 2 * y + 1 - sides[1], 2 * z + 1 - sides[2]];
            let word = hash(index as u32);
            if has_solids && word.is_multiple_of(23) {
                solids[index] = true;
                // Boids under a newly painted solid stay there for a while.
                state.layers[0].density[index] = word >> 20;
                continue;
            }
            let is_inside = away[0] * away[0] + away[1] * away[1] < sides[0] * sides[0];
            state.layers[0].density[index] = if is_inside { word >> 14 } else { word >> 29 };
            let along_z = if extents.depth.is_some() { 900 * (x - y) } else { 0 };
            state.layers[0]
                .set_velocity(index, [-700 * away[1], 700 * away[0], along_z].map(|axis| axis.clamp(-ONE, ONE)));
        }
        Self { state, edges, solids }
    }

    fn flow(&self) -> StateFlow<'_> {
        StateFlow { state: &self.state, edges: self.edges, solids: &self.solids }
    }

    fn parameters(&self, most: u32) -> PointParameters {
        PointParameters::new(7, 0, self.state.total(), most)
    }
}

fn cell_of(extents: Extents, index: usize) -> Vector3 {
    let (index, [width, height, _]) = (index as i32, extents.along_axes().map(|extent| extent as i32));
    [index % width, index / width % height, index / width / height]
}

fn worlds() -> impl Iterator<Item = Whirl> {
    let extents = [Extents::flat(37, 22), Extents::deep(17, 13, 9), Extents::deep(7, 5, 3), Extents::flat(3, 1)];
    extents.into_iter().flat_map(|extents| {
        [Edges::Torus, Edges::Walls].into_iter().flat_map(move |edges| {
            [false, true].into_iter().map(move |has_solids| Whirl::new(extents, edges, has_solids))
        })
    })
}

/// Checks the number of points in each block, without the points that leave. It must be within the tolerance of the
/// wanted number.
fn check_numbers(whirl: &Whirl, points: &Points) {
    let flow = whirl.flow();
    let blocks = Blocks::new(whirl.state.extents);
    let mut counts = vec![0u32; blocks.count()];
    for point in points.list.iter().filter(|point| !point.leaves()) {
        counts[blocks.index_at(point.place) as usize] += 1;
    }
    for (first, counts) in (0..).step_by(blocks.counts[0] as usize).zip(counts.chunks(blocks.counts[0] as usize)) {
        let mut sums = vec![0; counts.len()];
        blocks.add_row(&flow, first, &mut sums);
        for ((index, quanta), count) in (first..).zip(sums).zip(counts) {
            let wanted = Block { index, bin: index, quanta }.wanted(&points.parameters);
            assert!(wanted.abs_diff(*count) <= tolerance(wanted), "block {index}: {count} for {wanted}");
        }
    }
}

#[test]
fn points_are_as_many_as_boids_and_live_softly_and_never_in_solids() {
    for whirl in worlds() {
        let flow = whirl.flow();
        let ends = whirl.state.extents.along_axes().map(|extent| (extent as i32) << PLACE_BITS);
        let mut player = PointPlayer::new(PointPlayer::seeded(&[flow], whirl.parameters(1 << 20)));
        check_numbers(&whirl, player.points());
        assert!(player.points().list.iter().all(|point| point.presence() == u16::MAX));
        for step in 1..=STEPS {
            let before = player.points().list.clone();
            player.step(&[flow], step);
            check_numbers(&whirl, player.points());
            assert!(Points::are_in_order(&player.points().list, whirl.state.extents, 1));
            let mut by_key: BTreeMap<u32, Vec<&Point>> = BTreeMap::new();
            before.iter().for_each(|point| by_key.entry(point.key()).or_default().push(point));
            for point in &player.points().list {
                assert!(!flow.is_solid(cell_at(point.place)), "{point:?}");
                // The place of the point before the step.
                let was: Vector3 =
                    std::array::from_fn(|axis| (point.place[axis] - 4 * point.velocity()[axis]).rem_euclid(ends[axis]));
                let before = by_key.get(&point.key()).and_then(|list| list.iter().find(|old| old.place == was));
                match before {
                    Some(old) => {
                        assert!(old.presence.abs_diff(point.presence) <= PRESENCE_RATE);
                        assert!(point.leaves() || !old.leaves(), "a point that leaves does not come back");
                    }
                    None => {
                        assert_eq!(point.presence, PRESENCE_RATE, "a new point has just begun to appear: {point:?}")
                    }
                }
            }
            // Points disappear only if they have faded, or if a solid covers them.
            let now: BTreeMap<u32, ()> = player.points().list.iter().map(|point| (point.key(), ())).collect();
            let gone = before.iter().filter(|point| !now.contains_key(&point.key()));
            gone.for_each(|point| assert!(point.presence <= PRESENCE_RATE, "{point:?}"));
        }
    }
}

#[test]
fn points_are_the_same_on_any_number_of_threads() {
    let whirl = Whirl::new(Extents::deep(33, 29, 21), Edges::Torus, true);
    let play = |threads| {
        ThreadPool::new(Some(threads), "test").unwrap().install(|| {
            let mut player = PointPlayer::new(PointPlayer::seeded(&[whirl.flow()], whirl.parameters(30_000)));
            (1..=20).for_each(|step| player.step(&[whirl.flow()], step));
            player.points().clone()
        })
    };
    let one = play(1);
    assert!(one.list.len() > 10_000);
    assert_eq!(one, play(3));
}

#[test]
fn a_small_swarm_has_room_for_twice_its_boids() {
    let room = |boids: u64, most| {
        let quanta = boids * u64::from(BOID);
        PointParameters::new(1, 0, quanta, most).with_room_for(quanta).most
    };
    assert_eq!([room(0, 120_000), room(16_383, 120_000), room(16_384, 120_000)], [32_768, 32_768, 65_536]);
    assert_eq!(
        [room(1 << 44, 120_000), room(1 << 44, 9), room(u64::from(MAX_POINTS), MAX_POINTS)],
        [160_000, 12, 5_592_405]
    );
}

#[test]
fn a_budget_makes_each_point_stand_for_several_boids() {
    let each = |boids: u64, most| PointParameters::new(1, 0, boids * u64::from(BOID), most).boids_each;
    assert_eq!([each(0, 10), each(1000, 1000), each(1001, 1000), each(1 << 44, 0)], [1, 1, 2, 1 << 22]);
    let whirl = Whirl::new(Extents::flat(64, 64), Edges::Torus, false);
    for most in [1, 500, 5_000] {
        let parameters = whirl.parameters(most);
        let mut player = PointPlayer::new(PointPlayer::seeded(&[whirl.flow()], parameters));
        for step in 1..=40 {
            player.step(&[whirl.flow()], step);
            check_numbers(&whirl, player.points());
            assert!(player.points().list.len() <= parameters.most as usize);
        }
    }
}

#[test]
fn a_point_leaves_where_no_boids_are_and_is_gone_where_a_solid_is_put() {
    let mut whirl = Whirl::new(Extents::flat(24, 24), Edges::Walls, false);
    let mut player = PointPlayer::new(PointPlayer::seeded(&[whirl.flow()], whirl.parameters(10_000)));
    assert!(player.points().list.len() > 500);
    whirl.state.layers[0].density.fill(200);
    for step in 1..16 {
        player.step(&[whirl.flow()], step);
        assert!(player.points().list.iter().all(Point::leaves));
    }
    player.step(&[whirl.flow()], 16);
    assert!(player.points().list.is_empty());

    let mut whirl = Whirl::new(Extents::flat(24, 24), Edges::Walls, false);
    let mut player = PointPlayer::new(PointPlayer::seeded(&[whirl.flow()], whirl.parameters(10_000)));
    whirl.solids = vec![true; whirl.state.extents.cells()];
    player.step(&[whirl.flow()], 1);
    assert!(player.points().list.is_empty());
}

#[test]
fn a_mirrored_state_has_mirrored_means() {
    for (extents, edges) in [(Extents::flat(9, 6), Edges::Walls), (Extents::deep(5, 6, 7), Edges::Torus)] {
        let whirl = Whirl::new(extents, edges, false);
        for axis in 0..extents.axes() {
            let mut mirrored = Whirl::new(extents, edges, false);
            let end = extents.along_axes()[axis] as i32;
            for index in 0..extents.cells() {
                let mut cell = cell_of(extents, index);
                cell[axis] = end - 1 - cell[axis];
                let other = extents.deep_index(cell, edges).unwrap();
                mirrored.state.layers[0].density[other] = whirl.state.layers[0].density[index];
                let mut v = whirl.state.layers[0].velocity(index);
                v[axis] = -v[axis];
                mirrored.state.layers[0].set_velocity(other, v);
            }
            for number in 0..2_000u32 {
                let mut place: Vector3 = std::array::from_fn(|axis| {
                    let word = hash(3 * number + axis as u32) >> 8;
                    if axis < extents.axes() {
                        (word % (extents.along_axes()[axis] << PLACE_BITS)).max(1) as i32
                    } else {
                        0
                    }
                });
                let mut expected = mean(&whirl.flow(), place);
                place[axis] = (end << PLACE_BITS) - place[axis];
                expected.iter_mut().for_each(|v| v[axis] = -v[axis]);
                assert_eq!(mean(&mirrored.flow(), place), expected);
            }
        }
    }
}

#[test]
fn points_of_another_world_do_not_fit() {
    let whirl = Whirl::new(Extents::deep(12, 8, 8), Edges::Torus, false);
    let points = PointPlayer::seeded(&[whirl.flow()], whirl.parameters(1_000));
    assert!(Points::are_in_order(&points.list, Extents::deep(12, 8, 8), 1));
    assert!(!Points::are_in_order(&points.list, Extents::deep(12, 8, 4), 1));
    let mut fast = points.list.clone();
    fast[3].velocity[1] = i16::MIN;
    assert!(!Points::are_in_order(&fast, Extents::deep(12, 8, 8), 1));
    let mut mixed = points.list.clone();
    mixed.reverse();
    assert!(!Points::are_in_order(&mixed, Extents::deep(12, 8, 8), 1));
    let bytes: Vec<[u8; 24]> = points.list.iter().map(Point::to_le_bytes).collect();
    assert_eq!(bytes.iter().map(Point::from_le_bytes).collect::<Vec<_>>(), points.list);
}
