//! Sights as the kernels sum over them: columns, mirror images, boxes, and which of these a sum is made by.

use crate::numbers::Vector3;
use crate::sight::{Contrast, Sight};

/// The rules that look through a sight: cohesion, separation and alignment, in this order.
pub const LOOKING: usize = 3;
/// The prepared sight of each rule that looks.
pub type Sights<'a> = [Option<&'a PreparedSight>; LOOKING];

/// A sight with the tables that the kernels derive from it.
#[derive(Debug, Clone)]
pub struct PreparedSight {
    /// The perceptual vectors, in cells.
    pub vectors: Vec<Vector3>,
    /// Whether it is a contrast, and of which boxes.
    pub contrast: Option<Contrast>,
    /// Separation's pull of each vector, s/|s|² (Q10).
    pub pulls: Vec<Vector3>,
    /// The same vectors by columns.
    pub columns: Vec<Column>,
    /// The same vectors by mirror images, if the sight is symmetric.
    pub mirrored: Option<MirrorGroups>,
    /// The radius of the box that the sight fills, if it does.
    pub box_radius: Option<i32>,
    /// The largest component of any vector, in cells.
    pub reach: i32,
}

impl PreparedSight {
    pub fn new(sight: &Sight) -> Self {
        let pulls: Vec<_> = sight.pulls().collect();
        Self {
            vectors: sight.vectors().to_vec(),
            contrast: sight.as_contrast().cloned(),
            mirrored: MirrorGroups::new(sight.vectors(), &pulls),
            pulls,
            columns: columns(sight.vectors()),
            box_radius: sight.box_radius(),
            reach: sight.reach(),
        }
    }
}

/// A vertical run of perceptual vectors: (column, first) to (column, last).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub column: i32,
    pub first: i32,
    pub last: i32,
}

/// The vertical runs of a sight's vectors, from the left.
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

/// The vectors of a sight that is symmetric about both axes, grouped with their mirror images. The weights in a group differ
/// by their signs only, so one multiplication serves the whole group.
#[derive(Debug, Clone, Default)]
pub struct MirrorGroups {
    /// Whether the own cell is in sight.
    pub has_own: bool,
    /// (x, 0) and (-x, 0), as x and the pull.
    pub horizontal: Vec<[i32; 2]>,
    /// (0, y) and (0, -y), as y and the pull.
    pub vertical: Vec<[i32; 2]>,
    /// (±x, ±y), as (x, y) and the pull.
    pub diagonal: Vec<[[i32; 2]; 2]>,
}

impl MirrorGroups {
    /// `None` if the sight is not symmetric.
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

/// What a rule sums over its sight.
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
    /// That of each rule that looks.
    pub const BY_RULE: [Self; LOOKING] = [Self::Centre, Self::Pressure, Self::Momentum];

    /// Whether the sums of a cell are made from those of the cell above, by what each column gains and loses, because that
    /// takes fewer reads than single vectors: two per column. Pulls change from row to row, so pressure never is.
    pub fn slides(self, vectors: &[Vector3], columns: &[Column]) -> bool {
        self != Self::Pressure && 2 * columns.len() < vectors.len()
    }

    /// The radius of the box that the sums are made over, if they are: from a radius of 3 on, where that is faster on CPU and
    /// GPU. There is no such sum of pressure.
    pub fn box_radius(self, sight_box: Option<i32>) -> Option<i32> {
        sight_box.filter(|radius| self != Self::Pressure && *radius >= 3)
    }
}
