//! Tests the liveliness of constructed swarms, and compares its parts with direct sums.

use super::*;
use crate::numbers::random::generator;
use crate::numbers::{BOID, ONE};
use crate::state::{Individuals, State};
use crate::world::{Extents, PLACE_BITS, Space};
use std::f64::consts::TAU;

const EXTENTS: [Extents; 2] = [Extents::flat(64, 48), Extents::deep(32, 24, 16)];

/// The liveliness of a constructed swarm of cells. `cell`: density and velocity (Q14) at a step and place.
fn of_cells(extents: Extents, cell: impl Fn(u64, Vector3) -> (u32, Vector3)) -> Liveliness {
    let mut record = LivelinessRecord::new(Blocks::of_cells(extents, Edges::Torus));
    for step in (0..=WINDOW).step_by(INTERVAL as usize) {
        assert_eq!(record.liveliness(), None, "before {WINDOW} steps");
        let mut state = State::empty(extents);
        for index in 0..extents.cells() {
            let (density, mut velocity) = cell(step, extents.cell(index));
            if extents.axes() == 2 {
                velocity[2] = 0;
            }
            state.layers[0].density[index] = density;
            state.layers[0].set_velocity(index, velocity);
        }
        add_cells(&mut record, step, &state);
    }
    record.liveliness().unwrap()
}

fn add_cells(record: &mut LivelinessRecord, step: u64, state: &State) {
    record.add(step, &SwarmSample::from_state(state, record.blocks()), [0; 3]);
}

/// The liveliness of a constructed swarm of individuals. `individuals`: their places (cells) and velocities (Q14) at a
/// step.
fn of_individuals(extents: [u32; 3], individuals: impl Fn(u64) -> Vec<([f64; 3], Vector3)>) -> Liveliness {
    let space = Space { extents, edges: Edges::Torus };
    let mut record = LivelinessRecord::new(Blocks::of_individuals(space, 8 << PLACE_BITS));
    for step in (0..=WINDOW).step_by(INTERVAL as usize) {
        let mut swarm = Individuals::default();
        for (number, (place, velocity)) in individuals(step).into_iter().enumerate() {
            let place = each_axis(|axis| {
                let extent = f64::from(extents[axis]);
                if axis < space.axes() { (place[axis].rem_euclid(extent) * 65536.0) as i32 } else { 0 }
            });
            swarm.push(number as u32, place, velocity);
        }
        record.add(step, &SwarmSample::from_individuals(&swarm, record.blocks()), [0; 3]);
    }
    record.liveliness().unwrap()
}

/// A random heading.
fn heading(random: &mut crate::numbers::random::Random, is_deep: bool) -> Vector3 {
    let half = f64::from(ONE) / 2.0;
    let angle = random.below(1 << 20) as f64 / f64::from(1 << 20) * TAU;
    let z = if is_deep { random.below(1 << 20) as f64 / f64::from(1 << 19) - 1.0 } else { 0.0 };
    let across = (1.0 - z * z).sqrt() * half;
    [(angle.cos() * across) as i32, (angle.sin() * across) as i32, (z * half) as i32]
}

fn square(place: Vector3, middle: Vector3) -> i32 {
    (0..3).map(|axis| (place[axis] - middle[axis]).pow(2)).sum()
}

#[test]
fn a_ball_a_gas_a_crystal_and_a_slab_of_cells_are_dead() {
    for extents in EXTENTS {
        let middle = extents.along_axes().map(|extent| extent as i32 / 2);
        let is_deep = extents.axes() == 3;
        let ball = |_, place| (if square(place, middle) < 50 { BOID } else { 0 }, [0; 3]);
        assert_eq!(of_cells(extents, ball).value(), 0.0, "a ball at rest");
        // A disc that turns about its middle stays in its place.
        let mill = |_, place: Vector3| {
            let d = each_axis(|axis| place[axis] - middle[axis]);
            (if square(place, middle) < 80 { BOID } else { 0 }, [-d[1] * 700, d[0] * 700, 0])
        };
        let mill = of_cells(extents, mill);
        assert!(mill.headings > 0.5 && mill.variance > 0.5 && mill.travel == 0.0, "{mill:?}");
        let gas = |step, place: Vector3| {
            let word = place.iter().fold(step, |word, along| word * 1009 + *along as u64);
            let mut random = generator(word, 7);
            (random.below(2 * u64::from(BOID)) as u32, heading(&mut random, is_deep))
        };
        let gas = of_cells(extents, gas);
        assert!(gas.headings > 0.99 && gas.value() < 0.01, "{gas:?}");
        let crystal = |_, place: Vector3| (if place.iter().sum::<i32>() % 2 == 0 { BOID } else { 0 }, [0; 3]);
        let crystal = of_cells(extents, crystal);
        assert_eq!((crystal.value(), crystal.smoothness), (0.0, 0.0));
        // A slab crosses the world several times.
        let slab = |step, place: Vector3| {
            let x = (place[0] - (step / 2) as i32).rem_euclid(extents.width as i32);
            (if x < 10 { BOID } else { 0 }, [ONE / 2, 0, 0])
        };
        let slab = of_cells(extents, slab);
        assert!(slab.travel > 0.5, "{slab:?}");
        assert_eq!(slab.value(), 0.0, "{slab:?}");
    }
}

/// Two balls that cross each other's paths and meet have liveliness.
#[test]
fn crossing_swarms_are_alive() {
    let swarm = |step: u64, place: Vector3, extents: Extents| {
        let way = (step / 2) as i32;
        let ball = |x: i32, y: i32| {
            let [width, height] = [extents.width as i32, extents.height as i32];
            let middle = [x.rem_euclid(width), y.rem_euclid(height), extents.along_axes()[2] as i32 / 2];
            square(place, middle) < 30
        };
        let balls = [
            (ball(way, extents.height as i32 / 2), [ONE / 2, 0, 0]),
            (ball(extents.width as i32 / 2, way), [0, ONE / 2, 0]),
            (ball(-way, 8), [-ONE / 2, 0, 0]),
            (ball(8, -way), [0, -ONE / 2, 0]),
        ];
        balls.into_iter().find(|(is_in, _)| *is_in).map_or((0, [0; 3]), |(_, velocity)| (BOID, velocity))
    };
    for extents in EXTENTS {
        let liveliness = of_cells(extents, |step, place| swarm(step, place, extents));
        assert!(liveliness.value() > 0.25, "{liveliness:?}");
    }
}

#[test]
fn dead_individuals_have_no_liveliness_and_crossing_flocks_have_some() {
    for extents in [[128, 96, 1], [64, 48, 40]] {
        let is_deep = extents[2] > 1;
        let places = |seed: u64, radius: u64| {
            let mut random = generator(seed, 3);
            let mut draw = || random.below(radius << 10) as f64 / 1024.0;
            (0..400).map(|_| [draw(), draw(), draw()]).collect::<Vec<_>>()
        };
        let ball = of_individuals(extents, |_| places(1, 20).into_iter().map(|place| (place, [0; 3])).collect());
        assert_eq!(ball.value(), 0.0);
        let gas = of_individuals(extents, |step| {
            let mut random = generator(step, 5);
            let places = places(step, 200).into_iter();
            places.map(|place| (place, heading(&mut random, is_deep))).collect()
        });
        assert!(gas.headings > 0.9 && gas.value() < 0.05, "{gas:?}");
        let crystal = of_individuals(extents, |_| {
            (0..400).map(|i| ([f64::from(i % 20) * 3.0, f64::from(i / 20) * 3.0, 0.0], [0; 3])).collect()
        });
        assert_eq!(crystal.value(), 0.0);
        let moved = |place: [f64; 3], velocity: Vector3, step: u64| {
            (each_axis(|axis| place[axis] + step as f64 * f64::from(velocity[axis]) / f64::from(ONE)), velocity)
        };
        let slab = of_individuals(extents, |step| {
            places(1, 20).into_iter().map(|place| moved(place, [ONE / 2, 0, 0], step)).collect()
        });
        assert!(slab.travel > 0.3, "{slab:?}");
        assert_eq!(slab.value(), 0.0, "{slab:?}");
        let ways = [[ONE / 2, 0, 0], [0, ONE / 2, 0], [-ONE / 2, 0, 0], [ONE / 4, ONE / 4, 0]];
        let crossing = of_individuals(extents, |step| {
            places(1, 12).into_iter().enumerate().map(|(index, place)| moved(place, ways[index % 4], step)).collect()
        });
        assert!(crossing.value() > 0.25, "{crossing:?}");
    }
}

/// The variance of headings must equal a direct sum over all pairs of cells in a block.
#[test]
fn the_variance_is_a_mean_over_pairs() {
    let extents = Extents::flat(12, 8);
    let mut state = State::empty(extents);
    let mut random = generator(4, 4);
    for index in 0..extents.cells() {
        state.layers[0].density[index] = random.below(u64::from(BOID)) as u32;
        let velocity = heading(&mut random, false);
        state.layers[0]
            .set_velocity(index, if index % 7 == 0 { [0; 3] } else { [velocity[0] + ONE / 3, velocity[1], 0] });
    }
    let unit = |index: usize| {
        let [x, y, _] = state.layers[0].velocity(index).map(f64::from);
        let length = x.hypot(y);
        (length > 0.0).then(|| [x / length, y / length])
    };
    let (mut order, mut weight) = (0.0, 0.0);
    for block in 0..6 {
        let is_in = |index: usize| index % 12 / 4 == block % 3 && index / 12 / 4 == block / 3;
        let cells: Vec<_> = (0..extents.cells()).filter(|index| is_in(*index) && unit(*index).is_some()).collect();
        let (mut products, mut pairs) = (0.0, 0.0);
        for one in &cells {
            for other in cells.iter().filter(|other| *other != one) {
                let both = f64::from(state.layers[0].density[*one]) * f64::from(state.layers[0].density[*other]);
                let (u, w) = (unit(*one).unwrap(), unit(*other).unwrap());
                products += both * (u[0] * w[0] + u[1] * w[1]);
                pairs += both;
            }
        }
        let moving: f64 = cells.iter().map(|index| f64::from(state.layers[0].density[*index])).sum();
        order += moving * products / pairs;
        weight += moving;
    }
    let found = SwarmSample::from_state(&state, &Blocks::of_cells(extents, Edges::Torus));
    let measures = crate::measures::Measures::from_state(&state, Edges::Torus);
    assert!((found.order - order / weight).abs() < 1e-12, "{} {}", found.order, order / weight);
    assert!((found.polarisation - measures.polarisation()).abs() < 1e-12);
}

/// Groups split and join. Each number of a list is the group of a block; 0: the block is in no group.
#[test]
fn splits_and_merges_are_counted_by_the_boids_that_change_parts() {
    let weight = |_| 1;
    // A group moves.
    assert_eq!(mixed(&[1, 1, 1, 0], &[0, 1, 1, 1], weight), 0);
    // One group ends, and another group begins in other blocks.
    assert_eq!(mixed(&[1, 1, 0, 0], &[0, 0, 1, 1], weight), 0);
    // The smaller group joins the larger group.
    assert_eq!(mixed(&[1, 1, 1, 0, 2, 2], &[1, 1, 1, 1, 1, 1], weight), 2);
    // A group of two blocks splits from a larger group.
    assert_eq!(mixed(&[1, 1, 1, 1, 1, 1], &[1, 1, 1, 0, 2, 2], weight), 2);
    // Two groups exchange a block. Neither splits nor joins.
    assert_eq!(mixed(&[1, 1, 1, 0, 2, 2], &[1, 1, 0, 2, 2, 2], weight), 0);
}

/// The sums for stripes of the whole world.
fn stripe_sums(state: &State, edges: Edges) -> StripeSums {
    StripeSums::of_rows(&StripeSums::by_row(&CellRows::new(state), edges))
}

#[test]
fn stripes_are_told_from_slopes_and_from_chance() {
    for extents in [Extents::flat(96, 96), Extents::deep(48, 48, 48)] {
        for edges in [Edges::Torus, Edges::Walls] {
            let with = |density: &dyn Fn(Vector3) -> f64| {
                let mut state = State::empty(extents);
                for index in 0..extents.cells() {
                    state.layers[0].density[index] = (density(extents.cell(index)) * f64::from(BOID)) as u32;
                }
                stripe_sums(&state, edges).ratio()
            };
            let wave = |length: f64| move |place: Vector3| 1.0 + 0.5 * (f64::from(place[0]) * TAU / length + 0.7).sin();
            let expected = |length: f64| {
                let power = |k: f64| (2.0 - 2.0 * k.cos()).powi(2);
                let [short, long] = [power(TAU / length), power(2.0 * TAU / length)];
                (16.0 * short - long) / (15.0 * short.max(long))
            };
            for length in [2.4, 3.0, 4.0, 6.0, 12.0, 48.0] {
                let found = with(&wave(length)).unwrap();
                let within = if edges == Edges::Torus { 0.002 } else { 0.1 };
                assert!((found / expected(length) - 1.0).abs() < within || found.abs() < 0.01, "{length}: {found}");
            }
            assert!(with(&wave(48.0)).unwrap() < 0.01);
            assert!(with(&wave(2.4)).unwrap() > 1.0);
            assert_eq!(with(&|_| 1.0), None);
            let chance = with(&|place| {
                let word = place.iter().fold(0, |word, along| word * 1009 + *along as u64);
                generator(word, 9).below(1000) as f64 / 500.0
            });
            assert!((chance.unwrap() - 1.0).abs() < 0.05, "{chance:?}");
        }
    }
}

/// The sums for stripes on a small torus must equal direct sums. A transposed state must have the same sums.
#[test]
fn stripes_are_plain_sums_and_have_no_direction() {
    for (width, height) in [(1, 1), (2, 3), (4, 5), (9, 6)] {
        let mut random = generator(width, height);
        let (width, height) = (width as u32, height as u32);
        let mut state = State::empty(Extents::flat(width, height));
        state.layers[0].density.iter_mut().for_each(|density| *density = random.below(1 << 20) as u32);
        let mut turned = State::empty(Extents::flat(height, width));
        for index in 0..state.layers[0].density.len() {
            let (x, y) = (index % width as usize, index / width as usize);
            turned.layers[0].density[x * height as usize + y] = state.layers[0].density[index];
        }
        for edges in [Edges::Torus, Edges::Walls] {
            let at = |x: i64, y: i64| {
                let index = state.extents.deep_index([x as i32, y as i32, 0], edges)?;
                Some(f64::from(state.layers[0].density[index]))
            };
            let mut sums = [0.0; 2];
            for (x, y) in (0..i64::from(height)).flat_map(|y| (0..i64::from(width)).map(move |x| (x, y))) {
                for [dx, dy] in [[1, 0], [0, 1]] {
                    let around = [-2, -1, 1, 2].map(|by| at(x + by * dx, y + by * dy));
                    if let [Some(far), Some(near), Some(after), Some(far_after)] = around {
                        sums[0] += (near + after - 2.0 * at(x, y).unwrap()).powi(2);
                        sums[1] += (far + far_after - 2.0 * at(x, y).unwrap()).powi(2);
                    }
                }
            }
            let found = stripe_sums(&state, edges);
            // The terms are integers, and their sums are below 2^53, so sums of floats are exact.
            assert_eq!([found.short, found.long], sums, "{width} {height} {edges:?}");
            assert_eq!(stripe_sums(&turned, edges), found);
        }
    }
}

/// A missing sample begins a new window.
#[test]
fn a_gap_begins_anew() {
    let mut record = LivelinessRecord::new(Blocks::of_cells(Extents::flat(16, 16), Edges::Torus));
    let mut state = State::empty(Extents::flat(16, 16));
    state.layers[0].density[0] = 64 * BOID;
    let steps = (0..=WINDOW).step_by(INTERVAL as usize);
    steps.clone().for_each(|step| add_cells(&mut record, step, &state));
    assert!(record.liveliness().is_some());
    add_cells(&mut record, WINDOW + INTERVAL, &state);
    assert!(record.liveliness().is_some());
    add_cells(&mut record, WINDOW + 3 * INTERVAL, &state);
    assert_eq!(record.liveliness(), None);
}

/// The data of blocks move with the window of an endless world.
#[test]
fn a_window_that_travels_carries_its_blocks() {
    let space = Space { extents: [128, 96, 64], edges: Edges::Walls };
    let ways = [[ONE / 4, 0, 0], [ONE / 8, ONE / 16, 0]];
    let record = |is_moved: bool| {
        let mut record = LivelinessRecord::new(Blocks::of_individuals(space, 8 << PLACE_BITS));
        for step in (0..=WINDOW).step_by(INTERVAL as usize) {
            // In the second half of the steps the window is moved by 32 cells.
            let origin = if is_moved && step >= WINDOW / 2 { [32, 0, 0] } else { [0; 3] };
            let mut swarm = Individuals::default();
            for number in 0..60u32 {
                let velocity = ways[number as usize % 2];
                let place = each_axis(|axis| {
                    let first = [40 + number as i64 % 5 * 4, 30 + number as i64 / 8 * 4, 20][axis];
                    let way = step as i64 % 200 * i64::from(velocity[axis]) * 4;
                    (((first - origin[axis]) << PLACE_BITS) + way) as i32
                });
                swarm.push(number, place, velocity);
            }
            record.add(step, &SwarmSample::from_individuals(&swarm, record.blocks()), origin);
        }
        record.liveliness().unwrap()
    };
    assert_eq!(record(true), record(false));
}
