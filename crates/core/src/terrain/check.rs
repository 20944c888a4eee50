//! The terrain of a deep world: noise, voxels of a file, and shapes.

use super::keys::{AVOIDANCE, KEYS, NoiseNumbers};
use super::plan::{TerrainPlan, VoxelFile, is_stack};
use super::rays::RayNumbers;
use super::{Base, Form, MAX_FREQUENCY, NoiseTerrain, PARTS_OF_SHAPES, Shape, Terrain, Tunnels};
use crate::error::BadInput;
use crate::numbers::{Vector3, each_axis, fixed};
use crate::source::conflicts::Conflict;
use crate::source::places::{is_endless, of_smallest_extent, whole_cells, window};
use crate::source::{Source, TERRAIN_FILE};
use crate::world::{Edges, Extents, ScalarField, memory};
use std::path::Path;
use std::sync::Arc;
use toml_edit::Item;

/// The conflicts of rock with endless worlds.
pub(crate) const CONFLICTS: &[Conflict] = &[
    Conflict {
        key: "world.terrain.closed",
        has: |preset| {
            preset.is_endless && preset.source.item("world.terrain.closed").and_then(Item::as_bool) == Some(true)
        },
        problem: "an endless world has no outermost layer",
        cure: "remove it",
    },
    Conflict {
        key: TERRAIN_FILE,
        has: |preset| preset.is_endless && is_of_file(preset.source) && preset.source.item(TERRAIN_FILE).is_some(),
        problem: VOXELS_END,
        cure: "say base = \"noise\"",
    },
    Conflict {
        key: "world.terrain.base",
        has: |preset| preset.is_endless && is_of_file(preset.source),
        problem: VOXELS_END,
        cure: "say base = \"noise\"",
    },
    Conflict {
        key: "world.terrain.shape",
        has: |preset| preset.is_endless && preset.source.length("world.terrain.shape") > 0,
        problem: "lies at fractions of the extents, which an endless world lacks",
        cure: "remove it, or say edges = \"walls\"",
    },
];
const VOXELS_END: &str = "ends where its voxels end, and the world does not";

fn is_of_file(source: &Source) -> bool {
    source.word("world.terrain.base") == Some("file")
}

const TABLE: &str = "world.terrain";
/// The maximum number of shapes. Every voxel is compared with every shape.
const MAX_SHAPES: usize = 256;

/// The rock of the world for the extents of the run (`played`). They differ from the extents in the preset (`written`)
/// if `--size` names others.
///
/// `before`: the plan and the rock of the previous run. This rock is reused if the new plan is equal. `too_large` makes
/// the error from a message about a lack of memory.
pub(crate) fn terrain(
    source: &Source,
    [written, played]: [Extents; 2],
    edges: Edges,
    seed: u64,
    before: (Option<&TerrainPlan>, Option<&Arc<ScalarField>>),
    too_large: impl Fn(String) -> BadInput,
) -> Result<(Option<TerrainPlan>, Option<Arc<ScalarField>>), BadInput> {
    if source.item(TABLE).is_none() {
        return Ok((None, None));
    }
    if before.0.is_none() {
        memory::check_terrain(played, source.host().free_memory()).map_err(too_large)?;
    }
    if played.depth.is_none() {
        let cure = "give world.size a third extent, or say [[world.solid]] instead";
        return Err(source.wrong(TABLE, "is of deep worlds, and this one is flat", cure));
    }
    let base = source.word(&key("base"));
    let terrain = Terrain {
        base: if base == Some("noise") { Base::Noise(noise(source, seed)?) } else { Base::Water },
        shapes: shapes(source, played)?,
        is_closed: source.item(&key("closed")).and_then(Item::as_bool).unwrap_or(!is_endless(source)),
    };
    let file = if base == Some("file") { Some(file(source, written)?) } else { None };
    let at = whole_cells(source, &key("at"))?;
    let origin = window(source)?.map_or([0; 3], |window| window.first);
    let plan = TerrainPlan { terrain, file, extents: played, edges, at, origin };
    let is_same = before.0 == Some(&plan);
    if let (true, Some(file)) = (is_same, &plan.file) {
        for path in file.files(source) {
            source.content(&path);
        }
    }
    let field = match before.1.filter(|_| is_same) {
        Some(field) => field.clone(),
        None => Arc::new(plan.field(source)?),
    };
    Ok((Some(plan), Some(field)))
}

/// The rays of avoidance; `None` without rays. `count`: the number of rays if the preset does not name it.
///
/// # Errors
/// A number is out of bounds.
pub(crate) fn rays(source: &Source, count: u32) -> Result<Option<RayNumbers>, BadInput> {
    let mut numbers = RayNumbers { count, ..RayNumbers::default() };
    source.read(AVOIDANCE, &mut numbers)?;
    Ok((numbers.count > 0).then_some(numbers))
}

fn key(name: &str) -> String {
    format!("{TABLE}.{name}")
}

fn file(source: &Source, extents: Extents) -> Result<VoxelFile, BadInput> {
    let Some(path) = source.text(TERRAIN_FILE) else {
        let cure = "add an array or a stack of pictures, as in file = \"caves.npy\" or file = \"caves-##.png\"";
        return Err(source.wrong(TERRAIN_FILE, "is missing", cure));
    };
    let is_array = Path::new(path).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy"));
    if !is_array && !is_stack(Path::new(path)) {
        let problem = "is neither an array nor a stack of pictures";
        let cure = "name an NPY file, or write # for each digit of the numbers of the pictures, as in caves-##.png";
        return Err(source.wrong(TERRAIN_FILE, problem, cure));
    }
    Ok(VoxelFile { path: source.resolve(TERRAIN_FILE, path), extents })
}

fn noise(source: &Source, seed: u64) -> Result<NoiseTerrain, BadInput> {
    let mut numbers = NoiseNumbers { seed, ..NoiseNumbers::default() };
    source.read(KEYS, &mut numbers)?;
    let NoiseNumbers { scale, squash, octaves, .. } = numbers;
    let frequency = |scale: f64| (f64::from(MAX_FREQUENCY) / scale).round() as u64;
    let [across, along_z] = [scale, scale * squash].map(frequency);
    let finest = across.max(along_z) << (octaves - 1);
    if finest > MAX_FREQUENCY.into() {
        let problem = format!("octave {octaves} of noise would be finer than a cell");
        let least = 1u32 << (octaves - 1);
        let cure = format!("take fewer octaves, or a scale (and a scale · squash) of at least {least} cells");
        return Err(source.wrong(&key("scale"), problem, cure));
    }
    let tunnels = Tunnels { width: numbers.tunnel_width, frequency: frequency(numbers.tunnel_scale) as u32 };
    Ok(NoiseTerrain {
        seed: numbers.seed,
        frequency: across as u32,
        vertical_frequency: along_z as u32,
        octaves,
        threshold: numbers.threshold,
        floor_height: numbers.floor_height,
        floor_width: numbers.floor_width,
        tunnels: Some(tunnels).filter(|tunnels| tunnels.width > 0),
    })
}

fn shapes(source: &Source, extents: Extents) -> Result<Vec<Shape>, BadInput> {
    let list = key("shape");
    let count = source.length(&list);
    if count > MAX_SHAPES {
        let cure = format!("at most {MAX_SHAPES} are possible; a file can hold any number of them");
        return Err(source.wrong(&list, format!("there are {count} shapes"), cure));
    }
    (0..count).map(|index| shape(source, &format!("{list}[{index}]"), extents)).collect()
}

fn shape(source: &Source, key: &str, extents: Extents) -> Result<Shape, BadInput> {
    let Some(form) = source.choice(key, &["sphere", "box", "torus", "cylinder"])? else {
        let cure = "add sphere, box, torus or cylinder, as in sphere = { at = [0.5, 0.5, 0.5], radius = 0.1 }";
        return Err(source.wrong(key, "says no form", cure));
    };
    let of_form = |name: &str| format!("{key}.{form}.{name}");
    let length = |name: &str| {
        let fraction = source.decimal(&of_form(name))?;
        Ok(of_smallest_extent(fraction, extents, PARTS_OF_SHAPES) as i32)
    };
    let place = |name: &str| {
        let fractions = source.numbers(&of_form(name))?;
        let along = |axis: usize| fraction_of(fractions[axis], extents, axis) - PARTS_OF_SHAPES / 2;
        Ok([along(0), along(1), along(2)])
    };
    let axis = ["x", "y", "z"].into_iter().position(|axis| Some(axis) == source.word(&of_form("axis"))).unwrap_or(2);
    let (form, centre) = match form {
        "box" => corners(place("from")?, place("to")?).ok_or_else(|| {
            let cure = "`from` is the corner with the smaller fractions on every axis";
            source.wrong(&of_form("to"), "lies before `from`", cure)
        })?,
        "torus" => (Form::Torus { radius: length("radius")?, tube: length("tube")?, axis }, place("at")?),
        "cylinder" => {
            let half = fraction_of(source.decimal(&of_form("length"))?, extents, axis) / 2;
            (Form::Cylinder { radius: length("radius")?, half, axis }, place("at")?)
        }
        _ => (Form::Sphere { radius: length("radius")? }, place("at")?),
    };
    let is_subtracted = source.item(&format!("{key}.subtract")).and_then(Item::as_bool).unwrap_or(false);
    Ok(Shape { form, centre, is_subtracted })
}

/// A fraction of the extent along an axis, in 1/[`PARTS_OF_SHAPES`] cell.
fn fraction_of(fraction: f64, extents: Extents, axis: usize) -> i32 {
    fixed(fraction * f64::from(extents.along_axes()[axis]), PARTS_OF_SHAPES) as i32
}

/// The box between two corners, and its middle; `None`: `from` is above `to` on an axis.
fn corners(from: Vector3, to: Vector3) -> Option<(Form, Vector3)> {
    let half = each_axis(|axis| (to[axis] - from[axis]) / 2);
    let centre = each_axis(|axis| from[axis] + half[axis]);
    from.iter().zip(&to).all(|(from, to)| from <= to).then_some((Form::Box { half }, centre))
}
