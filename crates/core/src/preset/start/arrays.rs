//! Starts of individuals whose places and velocities come from arrays.

use crate::error::BadInput;
use crate::host::raster::{VectorList, Vectors};
use crate::lanes::vector::length;
use crate::numbers::{ONE, Vector3, each_axis};
use crate::source::Source;
use crate::world::{PLACE_BITS, Space, World};
use std::path::PathBuf;
use std::sync::Arc;

/// The keys that give the paths of the arrays.
pub const POSITIONS: &str = "start.positions";
pub const VELOCITIES: &str = "start.velocities";

/// The places and velocities of a start from arrays, checked against the world.
#[derive(Debug, Clone)]
pub struct StartArrays {
    /// The path of the array of places, and the path of the array of velocities if it is given.
    pub paths: [Option<PathBuf>; 2],
    /// The place of each individual (Q16 of a cell).
    pub positions: Arc<Vec<Vector3>>,
    /// The velocity of each individual, in cells a step (Q14). Empty: the preset gives the headings in another way.
    pub velocities: Arc<Vec<Vector3>>,
}

/// Starts are equal if their arrays have equal contents, whatever the paths.
impl PartialEq for StartArrays {
    fn eq(&self, other: &Self) -> bool {
        (&self.positions, &self.velocities) == (&other.positions, &other.velocities)
    }
}

impl StartArrays {
    /// The paths of the two arrays: of the places and, if given, of the velocities.
    ///
    /// # Errors
    /// If the preset gives no path for the places.
    pub fn paths(source: &Source) -> Result<[Option<PathBuf>; 2], BadInput> {
        let path = |key: &str| {
            let own = source.own_key(key);
            source.text(key).map(|path| source.resolve(&own, path))
        };
        if path(POSITIONS).is_none() {
            let cure = "name the array of places, as in positions = \"positions-000100.npy\"";
            return Err(source.wrong(POSITIONS, "is missing", cure));
        }
        Ok([POSITIONS, VELOCITIES].map(path))
    }

    /// Reads the arrays of a start. `space`: the space of the individuals. `max`: their max speed, in cells a step
    /// (Q14).
    ///
    /// # Errors
    /// If a file is not an array of vectors, or a speed exceeds `max`. If a place is outside of the world, in a solid
    /// or in rock.
    pub fn read(
        source: &Source,
        paths: [Option<PathBuf>; 2],
        world: &World,
        space: &Space,
        max: i32,
    ) -> Result<Self, BadInput> {
        let [places, moves] = &paths;
        let places = Array::read(source, POSITIONS, places, space)?;
        let positions = places.positions(world, space)?;
        let velocities = match moves {
            None => Vec::new(),
            Some(_) => {
                let moves = Array::read(source, VELOCITIES, moves, space)?;
                let rows = moves.list.vectors.len();
                let count = positions.len();
                if rows != count {
                    let problem = format!("has {rows} rows, and the array of places has {count}");
                    return Err(moves.wrong(problem, "give a row for each individual in both, in the same order"));
                }
                moves.velocities(max)?
            }
        };
        Ok(Self { paths, positions: Arc::new(positions), velocities: Arc::new(velocities) })
    }
}

/// An array of vectors, as the file has it, with the key that gives its path.
struct Array<'a> {
    source: &'a Source,
    key: &'static str,
    path: String,
    list: VectorList,
}

impl<'a> Array<'a> {
    /// Reads the array. It is an error if the vectors have too few components, or a z other than 0 in a flat world.
    fn read(source: &'a Source, key: &'static str, path: &Option<PathBuf>, space: &Space) -> Result<Self, BadInput> {
        let path = path.clone().unwrap_or_default();
        let list = source.vector_list(key, &path)?;
        let array = Self { source, key, path: path.display().to_string(), list };
        if array.list.axes < space.axes() {
            let (problem, cure) = ("has two columns, and the world is deep", "give three columns: x, y and z");
            return Err(array.wrong(problem.into(), cure));
        }
        let is_flat = space.axes() == 2;
        if let Some(row) = array.row(|v| v.iter().any(|n| !n.is_finite())) {
            return Err(array.wrong(format!("row {row} has a component that is no number"), "give finite numbers"));
        }
        if let Some(row) = array.row(|v| is_flat && v[2] != 0.0) {
            let problem = format!("row {row} has a third component, and the world is flat");
            return Err(array.wrong(problem, "give two columns, or a third extent to world.size"));
        }
        Ok(array)
    }

    /// The index of the first row whose vector fulfils a condition. The condition gets the numbers of the file: cells
    /// for floats, parts of a cell for integers.
    fn row(&self, mut is_meant: impl FnMut([f64; 3]) -> bool) -> Option<usize> {
        match &self.list.vectors {
            Vectors::Whole(vectors) => vectors.iter().position(|v| is_meant(v.map(f64::from))),
            Vectors::Decimal(vectors) => vectors.iter().position(|v| is_meant(*v)),
        }
    }

    /// An error message about the array.
    fn wrong(&self, problem: String, cure: &str) -> BadInput {
        self.source.wrong(self.key, format!("{}: {problem}", self.path), cure)
    }

    /// The vectors in parts of a cell. Integers are such parts already. Floats are in cells, and are multiplied by
    /// `parts` and rounded by `rounded`.
    fn in_parts(&self, parts: f64, rounded: fn(f64) -> f64) -> Vec<[i64; 3]> {
        match &self.list.vectors {
            Vectors::Whole(vectors) => vectors.iter().map(|v| v.map(i64::from)).collect(),
            Vectors::Decimal(vectors) => vectors.iter().map(|v| v.map(|n| rounded(n * parts) as i64)).collect(),
        }
    }

    /// The places (Q16 of a cell). It is an error if a place is outside of the world, in a solid or in rock. Floats are
    /// rounded down, so that no place is at the far end of the world.
    fn positions(&self, world: &World, space: &Space) -> Result<Vec<Vector3>, BadInput> {
        let parts = f64::from(1 << PLACE_BITS);
        let ends = space.extents.map(|extent| i64::from(extent) << PLACE_BITS);
        let width = space.extents[0] as usize;
        let columns = width * space.extents[1] as usize;
        let place = |(row, parts_along): (usize, [i64; 3])| {
            let problem = |is: &str| {
                let at = parts_along[..space.axes()].iter().map(|along| (*along as f64 / parts).to_string());
                format!("row {row} is at ({}), {is}", at.collect::<Vec<_>>().join(", "))
            };
            if parts_along.iter().zip(ends).any(|(along, end)| !(0..end).contains(along)) {
                let problem = problem(&format!("outside of the world of {} cells", space.deep_extents()));
                return Err(self.wrong(problem, "every component is from 0 to less than the extent"));
            }
            let place = parts_along.map(|along| along as i32);
            let [x, y, z] = each_axis(|axis| (place[axis] >> PLACE_BITS) as usize);
            let column = y * width + x;
            let is_rock = |rock: &[i16]| rock.get(z * columns + column).is_some_and(|value| *value > 0);
            if world.solids.get(column) == Some(&true) || world.rock.as_ref().is_some_and(|rock| is_rock(&rock.values))
            {
                return Err(self.wrong(problem("in rock or in a solid"), "move it, or remove the row"));
            }
            Ok(place)
        };
        self.in_parts(parts, f64::floor).into_iter().enumerate().map(place).collect()
    }

    /// The velocities, in cells a step (Q14). It is an error if a speed exceeds `max`. Floats are rounded to nearest,
    /// so a speed may exceed `max` by one unit.
    fn velocities(&self, max: i32) -> Result<Vec<Vector3>, BadInput> {
        let parts = f64::from(ONE);
        let velocity = |(row, v): (usize, [i64; 3])| {
            let is_long = v.iter().any(|n| n.unsigned_abs() > 2 * max as u64);
            let held = v.map(|n| n as i32);
            if is_long || length(held) > max + 1 {
                let speed = v.iter().map(|n| (*n as f64 / parts).powi(2)).sum::<f64>().sqrt();
                let most = f64::from(max) / parts;
                let problem = format!("row {row} has a speed of {speed:.4} cells a step, above movement.max = {most}");
                return Err(self.wrong(problem, "slow it down, or raise movement.max"));
            }
            Ok(held)
        };
        self.in_parts(parts, f64::round).into_iter().enumerate().map(velocity).collect()
    }
}
