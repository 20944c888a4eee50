//! Sights in the forms in which kernels sum over them (columns, mirror images, boxes, runs), and the choice among these
//! forms.

use crate::cells::sight::{Contrast, Sight};
use crate::numbers::Vector3;
use std::collections::BTreeMap;

/// The number of rules that look through a sight: cohesion, separation and alignment, in this order.
pub const LOOKING: usize = 3;
/// The prepared sight of each rule that looks.
pub type Sights<'a> = [Option<&'a PreparedSight>; LOOKING];

/// A sight with the tables that the kernels derive from it.
#[derive(Debug, Clone)]
pub struct PreparedSight {
    /// The perceptual vectors, in cells.
    pub vectors: Vec<Vector3>,
    /// The boxes, if the sight is a contrast.
    pub contrast: Option<Contrast>,
    /// Separation's pull of each vector, s/|s|² (Q10).
    pub pulls: Vec<Vector3>,
    /// The vectors as columns. In a symmetric sight these are only the columns at x = 0.
    pub columns: Vec<Column>,
    /// The columns at x > 0 of a symmetric sight. Each has a mirror image on the left.
    pub mirrored_columns: Vec<Column>,
    /// The vectors grouped with their mirror images, if the sight is symmetric.
    pub mirrored: Option<MirrorGroups>,
    /// The radius in cells, if the sight is a full square or cube.
    pub box_radius: Option<i32>,
    /// The vectors in the form in which a deep world sums them.
    pub deep: DeepSight,
    /// The max component of any vector, in cells.
    pub reach: i32,
}

impl PreparedSight {
    /// Derives the tables of a sight.
    pub fn new(sight: &Sight) -> Self {
        let pulls: Vec<_> = sight.pulls().collect();
        let mirrored = MirrorGroups::new(sight.vectors(), &pulls);
        let (mut own_columns, mut mirrored_columns) = (columns(sight.vectors()), Vec::new());
        if mirrored.is_some() {
            mirrored_columns = own_columns.extract_if(.., |run| run.column > 0).collect();
            own_columns.retain(|run| run.column == 0);
        }
        Self {
            vectors: sight.vectors().to_vec(),
            contrast: sight.as_contrast().cloned(),
            mirrored,
            deep: DeepSight::new(sight.vectors(), &pulls),
            pulls,
            columns: own_columns,
            mirrored_columns,
            box_radius: sight.box_radius(),
            reach: sight.reach(),
        }
    }
}

/// A vertical run of perceptual vectors: (column, first) to (column, last).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// The offset along x, in cells.
    pub column: i32,
    /// The min offset along y, in cells.
    pub first: i32,
    /// The max offset along y, in cells.
    pub last: i32,
}

/// The vertical runs of a sight's vectors, from left to right.
pub fn columns(vectors: &[Vector3]) -> Vec<Column> {
    let mut vectors = vectors.to_vec();
    vectors.sort_unstable();
    let mut columns: Vec<Column> = Vec::new();
    for [x, y, _] in vectors {
        match columns.last_mut() {
            Some(run) if run.column == x && run.last + 1 == y => run.last = y,
            _ => columns.push(Column { column: x, first: y, last: y }),
        }
    }
    columns
}

/// The vectors of a sight that is symmetric about both axes, grouped with their mirror images. The weights in a group
/// differ only by their signs, so one multiplication serves the whole group.
#[derive(Debug, Clone, Default)]
pub struct MirrorGroups {
    /// Whether the own cell is in sight.
    pub has_own: bool,
    /// The pairs (x, 0) and (-x, 0), each as x > 0 and the x component of its pull (Q10).
    pub horizontal: Vec<[i32; 2]>,
    /// The pairs (0, y) and (0, -y), each as y > 0 and the y component of its pull (Q10).
    pub vertical: Vec<[i32; 2]>,
    /// The groups (±x, ±y), each as (x, y) with x, y > 0 and the pull of this vector (Q10).
    pub diagonal: Vec<[[i32; 2]; 2]>,
}

impl MirrorGroups {
    /// Groups the vectors; `None` if the sight is not symmetric.
    pub fn new(vectors: &[Vector3], pulls: &[Vector3]) -> Option<Self> {
        let has = |x: i32, y: i32| vectors.contains(&[x, y, 0]);
        if !vectors.iter().all(|&[x, y, _]| has(-x, y) && has(x, -y)) {
            return None;
        }
        let mut mirrored = Self { has_own: has(0, 0), ..Self::default() };
        for (&[x, y, _], &[pull_x, pull_y, _]) in vectors.iter().zip(pulls) {
            match (x, y) {
                (1.., 0) => mirrored.horizontal.push([x, pull_x]),
                (0, 1..) => mirrored.vertical.push([y, pull_y]),
                (1.., 1..) => mirrored.diagonal.push([[x, y], [pull_x, pull_y]]),
                _ => (),
            }
        }
        Some(mirrored)
    }
}

/// The vectors of a sight in the form in which a deep world sums them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeepSight {
    /// The lengths of the runs, longest first. Empty if the vectors do not form runs along x that are centred on x = 0.
    pub levels: Vec<Level>,
    /// The middles of the runs, level by level; all vectors if there are no levels.
    pub looks: Vec<Vector3>,
    /// The vectors that separation sums: first the pairs of opposite vectors, then the others, without the own cell.
    pub pulled: Vec<Vector3>,
    /// The number of pairs of opposite vectors.
    pub opposite: usize,
    /// The pull (Q10) of the first vector of each pair, then the pull of each vector outside of pairs.
    pub pulls: Vec<Vector3>,
}

/// The runs of one length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// A run goes from x = -half to x = half, in cells.
    pub half: i32,
    /// The min |x| that no shorter run reaches, in cells.
    pub inner: i32,
    /// The number of runs.
    pub rows: usize,
}

impl DeepSight {
    fn new(vectors: &[Vector3], pulls: &[Vector3]) -> Self {
        let mut own = Self::default();
        for (s, pull) in vectors.iter().zip(pulls).filter(|(s, _)| **s != [0; 3]) {
            if s > &[0; 3] && vectors.contains(&s.map(|component| -component)) {
                own.pulled.splice(2 * own.opposite..2 * own.opposite, [*s, s.map(|component| -component)]);
                own.pulls.insert(own.opposite, *pull);
                own.opposite += 1;
            } else if !vectors.contains(&s.map(|component| -component)) {
                own.pulled.push(*s);
                own.pulls.push(*pull);
            }
        }
        match runs(vectors) {
            Some(runs) => {
                for &(half, middle) in &runs {
                    match own.levels.last_mut() {
                        Some(level) if level.half == half => level.rows += 1,
                        _ => own.levels.push(Level { half, inner: 0, rows: 1 }),
                    }
                    own.looks.push(middle);
                }
                for shorter in 1..own.levels.len() {
                    own.levels[shorter - 1].inner = own.levels[shorter].half + 1;
                }
            }
            None => own.looks = vectors.to_vec(),
        }
        own
    }
}

/// The runs along x that these vectors form, longest first. A run from x = -h to x = h is given as h and the vector of
/// the run with x = 0. `None` if the vectors do not form runs that are centred on x = 0.
fn runs(vectors: &[Vector3]) -> Option<Vec<(i32, Vector3)>> {
    let mut runs = BTreeMap::<[i32; 2], Vec<i32>>::new();
    for [x, y, z] in vectors {
        runs.entry([*z, *y]).or_default().push(*x);
    }
    let run = |([z, y], mut cells): ([i32; 2], Vec<i32>)| {
        cells.sort_unstable();
        let half = cells.len() as i32 / 2;
        cells.into_iter().eq(-half..=half).then_some((half, [0, y, z]))
    };
    let mut runs = runs.into_iter().map(run).collect::<Option<Vec<_>>>()?;
    runs.sort_by_key(|(half, _)| -half);
    Some(runs)
}

/// The sums that a rule takes over its sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SumKind {
    /// Cohesion: Σ p and Σ s·p.
    Centre,
    /// Separation: Σ p·s/|s|².
    Pressure,
    /// Alignment: Σ p and Σ p·V.
    Momentum,
}

impl SumKind {
    /// The sums of each rule that looks.
    pub const BY_RULE: [Self; LOOKING] = [Self::Centre, Self::Pressure, Self::Momentum];

    /// Whether the sums of a cell come from the sums of the cell above, by the gain and the loss of each column. This
    /// takes two reads per column instead of one per vector. Pressure does not slide, because pulls change from row to
    /// row.
    pub fn slides(self, vectors: &[Vector3], columns: usize) -> bool {
        self != Self::Pressure && 2 * columns < vectors.len()
    }

    /// The radius in cells of the box, if the sums are made as box sums. `None` for radii below 3, at which box sums
    /// are slower on CPU and GPU, and for pressure, which has no box sums.
    pub fn box_radius(self, sight_box: Option<i32>) -> Option<i32> {
        sight_box.filter(|radius| self != Self::Pressure && *radius >= 3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The runs of a ball and of a cube hold each vector once. `inner` is the least |x| that no shorter run reaches.
    #[test]
    fn runs_hold_every_vector_once() {
        let within = |is_in: fn(i32) -> bool| {
            let along = || -4..=4;
            let all = along().flat_map(|z| along().flat_map(move |y| along().map(move |x| [x, y, z])));
            all.filter(|[x, y, z]| is_in(x * x + y * y + z * z)).collect::<Vec<Vector3>>()
        };
        let ball = within(|square| square <= 16);
        let cells = within(|_| true);
        for (vectors, halves) in [(&ball, &[4, 3, 2, 1, 0][..]), (&cells, &[4])] {
            let own = DeepSight::new(vectors, vectors);
            assert_eq!(own.levels.iter().map(|level| level.half).collect::<Vec<_>>(), halves);
            assert_eq!(own.levels.last().unwrap().inner, 0);
            assert!(own.levels.windows(2).all(|pair| pair[0].inner == pair[1].half + 1));
            let mut looks = own.looks.iter();
            let mut runs: Vec<Vector3> = Vec::new();
            for level in &own.levels {
                for [_, y, z] in looks.by_ref().take(level.rows) {
                    runs.extend((-level.half..=level.half).map(|x| [x, *y, *z]));
                }
            }
            runs.sort_unstable();
            let mut sorted = vectors.clone();
            sorted.sort_unstable();
            assert_eq!(runs, sorted);
        }
    }

    #[test]
    fn vectors_with_holes_make_no_runs() {
        for vectors in [&[[-1, 0, 0], [1, 0, 0]][..], &[[0, 0, 0], [1, 0, 0]], &[[1, 2, 0]], &[[0; 3], [0; 3]]] {
            let own = DeepSight::new(vectors, vectors);
            assert_eq!((own.levels.len(), &own.looks[..]), (0, vectors));
        }
    }

    #[test]
    fn opposite_vectors_are_paired_and_the_own_cell_pulls_nothing() {
        let vectors = [[0, 1, 0], [-1, 2, 0], [0; 3], [1, 0, 0], [0, -1, 0], [1, -2, 0]];
        let pulls = vectors.map(|v| v.map(|n| 10 * n));
        let own = DeepSight::new(&vectors, &pulls);
        let pairs = [[[0, 1, 0], [0, -1, 0]], [[1, -2, 0], [-1, 2, 0]]];
        assert_eq!((own.opposite, &own.pulled[..4], &own.pulled[4..]), (2, pairs.as_flattened(), &[[1, 0, 0]][..]));
        assert_eq!(own.pulls, [[0, 10, 0], [10, -20, 0], [10, 0, 0]]);
    }
}
