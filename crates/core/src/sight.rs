//! Sight: the set of perceptual vectors, the offsets of the cells that a cell perceives (the paper's Figure 2).

use crate::numbers::MOST_PERCEIVED;
use std::collections::BTreeSet;

/// The most perceptual vectors of one sight: 64 KiB of uniforms at 16 bytes per vector.
pub const MOST_VECTORS: usize = 4096;
/// The largest component of a perceptual vector, in cells.
pub const FARTHEST_REACH: i32 = 255;

/// A set of distinct perceptual vectors, in cells, ordered by row and then by column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    vectors: Vec<[i32; 2]>,
    reach: i32,
}

impl Sight {
    /// The vectors with x² + y² ≤ radius², including the own cell. The radius is in 1/1024 cell.
    pub fn disc(radius: u32) -> Result<Self, String> {
        let reach = check_reach(radius / 1024)?;
        let square = u64::from(radius) * u64::from(radius);
        Self::from_set(all_within(reach).filter(|[x, y]| ((x * x + y * y) as u64) << 20 <= square).collect())
    }

    /// The vectors with |x| ≤ radius and |y| ≤ radius, including the own cell. The radius is in cells.
    pub fn square(radius: u32) -> Result<Self, String> {
        Self::from_set(all_within(check_reach(radius)?).collect())
    }

    /// `directions` (4, 8, 16 or 32) vectors on a circle of each radius, rounded to cells, without the own cell.
    /// One octant is computed and reflected, so that no direction is special; vectors that coincide count once.
    pub fn rings(directions: u32, radii: &[u32]) -> Result<Self, String> {
        // Cosine and sine of 0°, 11.25°, 22.5°, 33.75° and 45°, as constants, because math libraries differ.
        const OCTANT: [(f64, f64); 5] = [
            (1.0, 0.0),
            (0.980_785_280_403_230_4, 0.195_090_322_016_128_27),
            (0.923_879_532_511_286_7, 0.382_683_432_365_089_8),
            (0.831_469_612_302_545_2, 0.555_570_233_019_602_2),
            (std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2),
        ];
        let angles: &[usize] = match directions {
            4 => &[0],
            8 => &[0, 4],
            16 => &[0, 2, 4],
            32 => &[0, 1, 2, 3, 4],
            other => return Err(format!("{other} directions; 4, 8, 16 or 32 are possible")),
        };
        if radii.is_empty() {
            return Err("no radii; give at least one, as in radii = [4]".into());
        }
        let mut set = BTreeSet::new();
        for &radius in radii {
            if radius == 0 {
                return Err("a ring of radius 0; the least is 1".into());
            }
            let far = check_reach(radius)?;
            for &angle in angles {
                let (cosine, sine) = OCTANT[angle];
                let (x, y) = ((cosine * f64::from(far)).round() as i32, (sine * f64::from(far)).round() as i32);
                for (x, y) in [(x, y), (y, x)] {
                    set.extend([[x, y], [-x, y], [x, -y], [-x, -y]]);
                }
            }
        }
        Self::from_set(set)
    }

    /// The vectors of a list without duplicates.
    pub fn list(vectors: &[[i32; 2]]) -> Result<Self, String> {
        let mut set = BTreeSet::new();
        for &v in vectors {
            if v.iter().any(|component| !(-FARTHEST_REACH..=FARTHEST_REACH).contains(component)) {
                return Err(format!("the vector {v:?} reaches farther than {FARTHEST_REACH} cells"));
            }
            if !set.insert(v) {
                return Err(format!("the vector {v:?} is listed twice"));
            }
        }
        Self::from_set(set)
    }

    fn from_set(set: BTreeSet<[i32; 2]>) -> Result<Self, String> {
        let mut vectors: Vec<_> = set.into_iter().collect();
        vectors.sort_by_key(|[x, y]| (*y, *x));
        if vectors.is_empty() || vectors == [[0, 0]] {
            return Err("a sight that sees no other cell".into());
        }
        if vectors.len() > MOST_VECTORS {
            return Err(format!("{} perceptual vectors; at most {MOST_VECTORS} are possible", vectors.len()));
        }
        let reach = vectors.iter().flatten().map(|component| component.abs()).max().unwrap_or(0);
        Ok(Self { vectors, reach })
    }

    /// The perceptual vectors, in cells.
    pub fn vectors(&self) -> &[[i32; 2]] {
        &self.vectors
    }

    /// The largest component of any vector, in cells.
    pub fn reach(&self) -> i32 {
        self.reach
    }

    /// The radius of the box that the sight fills, if it does.
    pub fn box_radius(&self) -> Option<i32> {
        let side = 2 * self.reach as usize + 1;
        (self.vectors.len() == side * side).then_some(self.reach)
    }

    /// The greatest perceived density for which every sum over this sight fits in 32 bits (`docs/design.md`, "Numbers").
    pub fn most_perceived(&self) -> u32 {
        let n = self.vectors.len() as u32;
        MOST_PERCEIVED.min(((1 << 31) - 1) / (1024 * n)).min(((1 << 30) - 1) / (n * self.reach as u32))
    }

    /// Separation's pull of each vector, s/|s|² in Q10, rounded to nearest; 0 for the own cell.
    pub fn pulls(&self) -> impl Iterator<Item = [i32; 2]> + '_ {
        self.vectors.iter().map(|&[x, y]| {
            let square = (x * x + y * y).max(1);
            [crate::numbers::ratio(x, square), crate::numbers::ratio(y, square)]
        })
    }
}

fn all_within(reach: i32) -> impl Iterator<Item = [i32; 2]> {
    (-reach..=reach).flat_map(move |y| (-reach..=reach).map(move |x| [x, y]))
}

/// A reach in cells within the bound.
fn check_reach(reach: u32) -> Result<i32, String> {
    let possible = i32::try_from(reach).ok().filter(|reach| *reach <= FARTHEST_REACH);
    possible.ok_or_else(|| format!("a reach of {reach} cells; at most {FARTHEST_REACH} are possible"))
}
