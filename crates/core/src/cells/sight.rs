//! Sight: the set of perceptual vectors. These are the offsets of the cells that a cell perceives (the paper's Figure
//! 2).

pub(crate) mod keys;

use crate::numbers::{MAX_PERCEIVED, Vector3};
use std::collections::BTreeSet;

/// The max number of perceptual vectors of a sight: 64 KiB of uniforms at 16 bytes per vector.
pub const MAX_VECTORS: usize = 4096;
/// The max component of a perceptual vector, in cells.
pub const MAX_REACH: i32 = 255;

/// A set of distinct perceptual vectors, in cells, ordered by slice, by row and then by column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sight {
    vectors: Vec<Vector3>,
    reach: i32,
    axes: usize,
    contrast: Option<Contrast>,
}

/// Cohesion by contrast: the direction in which the density, blurred by two boxes one after the other, grows.
///
/// C = box_r2(box_r1(p));  v_c,i = n·(C(x+e_i) - C(x-e_i)) / Σ C(x±e_j), over the n axes j
///
/// p is the perceived density, and box_r the sum over the box of radius r around each cell. x is a cell, e_i the offset
/// of one cell along axis i, and v_c,i the component of v_c along this axis.
///
/// This is equation 2 of the paper with a smooth sight, up to a constant. For a blur of variance σ² the centre of the
/// boids in sight is Σ s·p / Σ p = σ²·∇ln C, with the offsets s.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contrast {
    /// The radii of the boxes, in cells.
    pub radii: [i32; 2],
    /// Four weights of each perceptual vector: in the numerator of v_c along x, y and z, and in the divisor. Empty if
    /// there are more than [`MAX_VECTORS`] vectors.
    pub weights: Vec<[i32; 4]>,
}

impl Sight {
    /// The vectors with x² + y² ≤ radius², including the own cell. The radius is in 1/1024 cell.
    ///
    /// # Errors
    /// A message if the sight reaches too far or has too many vectors.
    pub fn disc(radius: u32) -> Result<Self, String> {
        let reach = check_reach(radius / 1024)?;
        let square = u64::from(radius) * u64::from(radius);
        Self::from_set(
            2,
            all_within([reach, reach, 0]).filter(|[x, y, _]| ((x * x + y * y) as u64) << 20 <= square).collect(),
        )
    }

    /// The vectors with |x| ≤ radius and |y| ≤ radius, including the own cell. The radius is in cells.
    ///
    /// # Errors
    /// A message if the sight reaches too far or has too many vectors.
    pub fn square(radius: u32) -> Result<Self, String> {
        let reach = check_reach(radius)?;
        Self::from_set(2, all_within([reach, reach, 0]).collect())
    }

    /// The vectors with x² + y² + z² ≤ radius², including the own cell. The radius is in 1/1024 cell.
    ///
    /// # Errors
    /// A message if the sight reaches too far or has too many vectors.
    pub fn ball(radius: u32) -> Result<Self, String> {
        let reach = check_reach(radius / 1024)?;
        // A ball fills more than half of its cube. A ball that is far too large is refused before its vectors are
        // listed.
        check_number((2 * reach as u64 + 1).pow(3) / 2)?;
        let square = u64::from(radius) * u64::from(radius);
        let within = |[x, y, z]: &Vector3| ((x * x + y * y + z * z) as u64) << 20 <= square;
        Self::from_set(3, all_within([reach; 3]).filter(within).collect())
    }

    /// The vectors with |x|, |y| and |z| ≤ radius, including the own cell. The radius is in cells.
    ///
    /// # Errors
    /// A message if the sight reaches too far or has too many vectors.
    pub fn cube(radius: u32) -> Result<Self, String> {
        let reach = check_reach(radius)?;
        check_number((2 * reach as u64 + 1).pow(3))?;
        Self::from_set(3, all_within([reach; 3]).collect())
    }

    /// `directions` (6, 14, 26 or 50) vectors on a sphere of each radius, rounded to cells, without the own cell. The
    /// directions are the faces of a cube, its corners, its edges, and 24 between the faces and the corners, as in
    /// Lebedev's grids. One of each kind is computed and reflected, so that no direction is special. Vectors that
    /// coincide count once.
    ///
    /// # Errors
    /// A message if the number of directions or a radius is not possible, or if there are too many vectors.
    pub fn directions(directions: u32, radii: &[u32]) -> Result<Self, String> {
        const EDGE: f64 = std::f64::consts::FRAC_1_SQRT_2;
        // 1/√3, and 1/√11 with 3/√11, as constants, because math libraries differ.
        const CORNER: f64 = 0.577_350_269_189_625_8;
        const BETWEEN: f64 = 0.301_511_344_577_763_63;
        let kinds: &[[f64; 3]] = &[[1.0, 0.0, 0.0], [CORNER; 3], [EDGE, EDGE, 0.0], [BETWEEN, BETWEEN, 3.0 * BETWEEN]];
        let kinds = match directions {
            6 => &kinds[..1],
            14 => &kinds[..2],
            26 => &kinds[..3],
            50 => kinds,
            other => return Err(format!("{other} directions; 6, 14, 26 or 50 are possible")),
        };
        let mut set = BTreeSet::new();
        for &radius in check_radii(radii)? {
            let far = f64::from(check_reach(radius)?);
            for kind in kinds {
                let [x, y, z] = kind.map(|component| (component * far).round() as i32);
                for [x, y, z] in [[x, y, z], [x, z, y], [y, x, z], [y, z, x], [z, x, y], [z, y, x]] {
                    set.extend((0..8).map(|signs| {
                        [(x, 1), (y, 2), (z, 4)]
                            .map(|(component, bit)| if signs & bit == 0 { component } else { -component })
                    }));
                }
            }
        }
        Self::from_set(3, set)
    }

    /// Cohesion by contrast over two boxes with these radii in cells, on 2 or 3 axes.
    ///
    /// # Errors
    /// A message if the boxes reach too far or are too large for exact sums.
    pub fn contrast(radii: [u32; 2], axes: usize) -> Result<Self, String> {
        let [first, second] = [check_reach(radii[0])?, check_reach(radii[1])?];
        let reach = check_reach(radii[0] + radii[1] + 1)?;
        let sums = contrast_sums([first, second], axes);
        let most = ((1 << 30) - 1) / (sums * 2 * axes as u64);
        if most == 0 {
            return Err(format!("the boxes {first} and {second} are too large for exact sums; make them smaller"));
        }
        let number = (2 * reach as u64 + 1).pow(axes as u32);
        let mut vectors = Vec::new();
        if number <= MAX_VECTORS as u64 {
            vectors = all_within([reach, reach, if axes == 3 { reach } else { 0 }]).collect();
        }
        let weights = vectors.iter().map(|v| contrast_weights(*v, [first, second], axes)).collect();
        Ok(Self { vectors, reach, axes, contrast: Some(Contrast { radii: [first, second], weights }) })
    }

    /// `directions` (4, 8, 16 or 32) vectors on a circle of each radius, rounded to cells, without the own cell. One
    /// octant is computed and reflected, so that no direction is special. Vectors that coincide count once.
    ///
    /// # Errors
    /// A message if the number of directions or a radius is not possible, or if there are too many vectors.
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
        let mut set = BTreeSet::new();
        for &radius in check_radii(radii)? {
            let far = check_reach(radius)?;
            for &angle in angles {
                let (cosine, sine) = OCTANT[angle];
                let (x, y) = ((cosine * f64::from(far)).round() as i32, (sine * f64::from(far)).round() as i32);
                for (x, y) in [(x, y), (y, x)] {
                    set.extend([[x, y, 0], [-x, y, 0], [x, -y, 0], [-x, -y, 0]]);
                }
            }
        }
        Self::from_set(2, set)
    }

    /// The vectors of a list on two axes, in cells.
    ///
    /// # Errors
    /// A message if a vector is listed twice or reaches too far, or if there are too many vectors.
    pub fn list(vectors: &[[i32; 2]]) -> Result<Self, String> {
        Self::listed(2, vectors.iter().map(|[x, y]| [*x, *y, 0]))
    }

    /// The vectors of a list on three axes, in cells.
    ///
    /// # Errors
    /// A message if a vector is listed twice or reaches too far, or if there are too many vectors.
    pub fn deep_list(vectors: &[Vector3]) -> Result<Self, String> {
        Self::listed(3, vectors.iter().copied())
    }

    fn listed(axes: usize, vectors: impl Iterator<Item = Vector3>) -> Result<Self, String> {
        let mut set = BTreeSet::new();
        for v in vectors {
            if v.iter().any(|component| !(-MAX_REACH..=MAX_REACH).contains(component)) {
                let v = &v[..axes];
                return Err(format!("the vector {v:?} reaches farther than {MAX_REACH} cells"));
            }
            if !set.insert(v) {
                let v = &v[..axes];
                return Err(format!("the vector {v:?} is listed twice"));
            }
        }
        Self::from_set(axes, set)
    }

    fn from_set(axes: usize, set: BTreeSet<Vector3>) -> Result<Self, String> {
        let mut vectors: Vec<_> = set.into_iter().collect();
        vectors.sort_by_key(|[x, y, z]| (*z, *y, *x));
        if vectors.is_empty() || vectors == [[0; 3]] {
            return Err("a sight that sees no other cell".into());
        }
        check_number(vectors.len() as u64)?;
        let reach = vectors.iter().flatten().map(|component| component.abs()).max().unwrap_or(0);
        Ok(Self { vectors, reach, axes, contrast: None })
    }

    /// The perceptual vectors, in cells. On two axes every z is 0. A contrast of large boxes lists none.
    pub fn vectors(&self) -> &[Vector3] {
        &self.vectors
    }

    /// The number of axes: 2 or 3.
    pub fn axes(&self) -> usize {
        self.axes
    }

    /// The boxes, if the sight is a contrast.
    pub fn as_contrast(&self) -> Option<&Contrast> {
        self.contrast.as_ref()
    }

    /// The max component of any vector, in cells.
    pub fn reach(&self) -> i32 {
        self.reach
    }

    /// The radius in cells, if the sight is a full square or cube.
    pub fn box_radius(&self) -> Option<i32> {
        let side = 2 * self.reach as usize + 1;
        (self.contrast.is_none() && self.vectors.len() == side.pow(self.axes as u32)).then_some(self.reach)
    }

    /// The max perceived density for which every sum over this sight fits in 32 bits (`docs/design.md, Numbers`).
    pub fn most_perceived(&self) -> u32 {
        if let Some(contrast) = &self.contrast {
            let most = ((1 << 30) - 1) / (contrast_sums(contrast.radii, self.axes) * 2 * self.axes as u64);
            return MAX_PERCEIVED.min(most as u32);
        }
        let n = self.vectors.len() as u32;
        MAX_PERCEIVED.min(((1 << 31) - 1) / (1024 * n)).min(((1 << 30) - 1) / (n * self.reach as u32))
    }

    /// Separation's pull of each vector, s/|s|² (Q10), rounded to nearest; 0 for the own cell.
    pub fn pulls(&self) -> impl Iterator<Item = Vector3> + '_ {
        self.vectors.iter().map(|&[x, y, z]| {
            let square = (x * x + y * y + z * z).max(1);
            [x, y, z].map(|component| crate::numbers::ratio(component, square))
        })
    }
}

fn all_within([width, height, depth]: Vector3) -> impl Iterator<Item = Vector3> {
    (-depth..=depth).flat_map(move |z| (-height..=height).flat_map(move |y| (-width..=width).map(move |x| [x, y, z])))
}

/// The sum of all weights of a blur by two boxes.
fn contrast_sums(radii: [i32; 2], axes: usize) -> u64 {
    radii.map(|radius| (2 * radius as u64 + 1).pow(axes as u32)).iter().product()
}

/// The weight of a cell at this offset in a blur by two boxes.
fn blur_weight(offset: Vector3, radii: [i32; 2], axes: usize) -> i32 {
    offset[..axes].iter().map(|offset| blur_weight_along(*offset, radii)).product()
}

/// The weight of a cell at this offset along one axis.
fn blur_weight_along(offset: i32, [first, second]: [i32; 2]) -> i32 {
    (first + second + 1 - offset.abs()).clamp(0, 2 * first.min(second) + 1)
}

impl Contrast {
    /// The weight in the blur of a cell at this offset along one axis.
    #[inline(always)]
    pub(crate) fn weight_along(&self, offset: i32) -> i32 {
        blur_weight_along(offset, self.radii)
    }
}

/// The weights of a cell at this offset in a contrast: in the numerator along x, y and z, then in the divisor.
fn contrast_weights(offset: Vector3, radii: [i32; 2], axes: usize) -> [i32; 4] {
    let mut weights = [0; 4];
    for axis in 0..axes {
        let neighbour = |step: i32| {
            let mut from = offset;
            from[axis] -= step;
            blur_weight(from, radii, axes)
        };
        let (ahead, behind) = (neighbour(1), neighbour(-1));
        weights[axis] = axes as i32 * (ahead - behind);
        weights[3] += ahead + behind;
    }
    weights
}

/// Refuses more than [`MAX_VECTORS`] perceptual vectors.
fn check_number(number: u64) -> Result<(), String> {
    if number <= MAX_VECTORS as u64 {
        Ok(())
    } else {
        Err(format!("{number} perceptual vectors; at most {MAX_VECTORS} are possible"))
    }
}

/// Refuses an empty list and a radius of 0.
fn check_radii(radii: &[u32]) -> Result<&[u32], String> {
    match radii {
        [] => Err("no radii; give at least one, as in radii = [4]".into()),
        radii if radii.contains(&0) => Err("a ring of radius 0; the least is 1".into()),
        radii => Ok(radii),
    }
}

/// Refuses a reach of more than [`MAX_REACH`] cells.
fn check_reach(reach: u32) -> Result<i32, String> {
    let possible = i32::try_from(reach).ok().filter(|reach| *reach <= MAX_REACH);
    possible.ok_or_else(|| format!("a reach of {reach} cells; at most {MAX_REACH} are possible"))
}
