//! Milling: the rotation of a swarm about its centre of mass.

use murmuration_core::parallel::*;
use murmuration_core::state::State;
use murmuration_core::world::Edges;

/// Σ D·(r × V) / Σ D·|r||V|, with r the offset from the centre (in cells from the centre of the first cell): 1 if all boids
/// circle from x towards y, -1 if they circle in the other direction. Offsets on a torus are the shortest, and 0 along an axis at
/// exactly half of it. `None` if no boid moves, or all boids are in the centre.
pub fn milling(state: &State, centre: [f64; 2], edges: Edges) -> Option<f64> {
    let (width, height) = (state.extents.width as usize, state.extents.height as usize);
    let rows: Vec<[f64; 3]> = (0..height)
        .into_par_iter()
        .map(|y| {
            let mut sums = [0.0; 3];
            for x in 0..width {
                let index = y * width + x;
                let density = f64::from(state.density[index]);
                let [u, v] = state.control_of(index).map(f64::from);
                if density == 0.0 || (u, v) == (0.0, 0.0) {
                    continue;
                }
                let across = offset(centre[0], x as f64, width as f64, edges);
                let down = offset(centre[1], y as f64, height as f64, edges);
                sums[0] += density * (across * v - down * u);
                // A single root makes this equal to the cross product to the last bit for right angles.
                sums[1] += density * ((across * across + down * down) * (u * u + v * v)).sqrt();
                sums[2] += density * u.hypot(v);
            }
            sums
        })
        .collect();
    // Summed row by row, so that the number of threads does not affect the rounding.
    let [turning, greatest, moving] =
        rows.iter().fold([0.0; 3], |sums, row| [sums[0] + row[0], sums[1] + row[1], sums[2] + row[2]]);
    // Offsets below a billionth of a cell are rounding errors.
    (greatest > 1e-9 * moving).then(|| (turning / greatest).clamp(-1.0, 1.0))
}

/// The offset along an axis: the shortest on a torus, and 0 at exactly half of it.
pub fn offset(from: f64, to: f64, extent: f64, edges: Edges) -> f64 {
    let short = shortest(to - from, extent, edges);
    if edges == Edges::Torus && (2.0 * short.abs() - extent).abs() < 1e-9 { 0.0 } else { short }
}

/// An offset along an axis, brought to the shortest one on a torus.
pub fn shortest(offset: f64, extent: f64, edges: Edges) -> f64 {
    if edges == Edges::Walls { offset } else { offset - extent * (offset / extent).round() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration_core::numbers::{BOID, ONE, pack};
    use murmuration_core::world::Extents;

    const EXTENTS: Extents = Extents::flat(16, 16);

    /// Four boids around (x, y), each moving at a right angle to its offset.
    fn ring(x: i32, y: i32, speed: i32) -> State {
        let mut state = State::empty(EXTENTS);
        for [across, down] in [[3, 0], [0, 3], [-3, 0], [0, -3]] {
            let index = ((y + down).rem_euclid(16) * 16 + (x + across).rem_euclid(16)) as usize;
            state.density[index] = BOID;
            state.control[index] = pack([-down * speed, across * speed]);
        }
        state
    }

    /// The circular mean has a rounding error, around which a single boid does not rotate.
    #[test]
    fn one_boid_mills_about_nothing() {
        let extents = Extents::flat(97, 61);
        let mut state = State::empty(extents);
        let index = 13 * 97 + 71;
        (state.density[index], state.control[index]) = (1000 * BOID, pack([ONE / 3, ONE / 2]));
        for away in [0.0, 1e-12, -3e-11] {
            assert_eq!(milling(&state, [71.0 + away, 13.0 - away], Edges::Torus), None);
        }
    }

    #[test]
    fn a_ring_mills_at_exactly_one_and_backwards_at_exactly_minus_one() {
        for (x, y, edges) in [(8, 8, Edges::Walls), (8, 8, Edges::Torus), (15, 0, Edges::Torus)] {
            let centre = [f64::from(x), f64::from(y)];
            assert_eq!(milling(&ring(x, y, 4000), centre, edges), Some(1.0));
            assert_eq!(milling(&ring(x, y, -ONE / 3), centre, edges), Some(-1.0));
        }
    }

    #[test]
    fn a_crowd_that_goes_one_way_does_not_mill_and_one_at_rest_says_nothing() {
        let mut state = ring(8, 8, 0);
        assert_eq!(milling(&state, [8.0, 8.0], Edges::Torus), None);
        state.control.fill(pack([ONE, ONE / 2]));
        assert_eq!(milling(&state, [8.0, 8.0], Edges::Torus), Some(0.0));
        let mut one = State::empty(EXTENTS);
        (one.density[35], one.control[35]) = (BOID, pack([ONE, 0]));
        assert_eq!(milling(&one, [3.0, 2.0], Edges::Walls), None);
        assert_eq!(milling(&State::empty(EXTENTS), [3.0, 2.0], Edges::Walls), None);
    }

    #[test]
    fn the_offset_at_half_a_torus_is_0() {
        assert_eq!(offset(0.0, 8.0, 16.0, Edges::Torus), 0.0);
        assert_eq!(offset(15.5, 0.5, 16.0, Edges::Torus), 1.0);
        assert_eq!(offset(1.0, 15.0, 16.0, Edges::Torus), -2.0);
        assert_eq!(offset(1.0, 15.0, 16.0, Edges::Walls), 14.0);
    }
}
