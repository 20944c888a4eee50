//! The rock of a preset as the preset describes it: noise, shapes, and an array or a stack of pictures with voxels.

use super::{Base, Terrain};
use crate::error::BadInput;
use crate::host::raster::{Raster, SOLID};
use crate::numbers::each_axis;
use crate::source::{Source, TERRAIN_FILE};
use crate::world::{Edges, Extents, ScalarField};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The character that stands for a digit of the picture's number in the name of a stack of pictures.
const DIGIT: char = '#';

/// The rock of a preset, before its scalar field is computed.
#[derive(Debug, Clone, PartialEq)]
pub struct TerrainPlan {
    /// The noise and the shapes. The voxels of `file` are not read yet.
    pub terrain: Terrain,
    pub file: Option<VoxelFile>,
    /// The extents of the world of the run.
    pub extents: Extents,
    pub edges: Edges,
    /// The place in the noise, in voxels, that is the origin of the world.
    pub at: [i64; 3],
    /// The first voxel of an endless world's window at the start, in cells from the world's origin; 0 in other worlds.
    pub origin: [i64; 3],
}

/// A file with an array of voxels, or a stack of pictures with one picture for each layer.
#[derive(Debug, Clone, PartialEq)]
pub struct VoxelFile {
    pub path: PathBuf,
    /// The extents of the world in the preset. The file must have these extents.
    pub extents: Extents,
}

impl TerrainPlan {
    /// Reads the file and computes the scalar field of the rock.
    ///
    /// # Errors
    /// If the file cannot be read or has other extents, or the whole world is rock.
    pub fn field(&self, source: &Source) -> Result<ScalarField, BadInput> {
        let mut terrain = self.terrain.clone();
        if let Some(file) = &self.file {
            terrain.base = Base::Voxels(Arc::new(file.voxels(source)?.resampled(self.extents)));
        }
        let open = terrain.field(self.extents, self.edges, self.in_noise(self.origin));
        if open.values.iter().all(|value| *value > 0) {
            let key = if self.file.is_some() { TERRAIN_FILE } else { "world.terrain" };
            let cure = "leave room for boids: raise the threshold, or take shapes away";
            return Err(source.wrong(key, "the whole world is rock", cure));
        }
        Ok(if terrain.is_closed { open.closed() } else { open })
    }

    /// A warning if a stack of pictures gives no rock. (A cause can be pictures whose values are the labels 0 and 1.)
    /// `field`: the scalar field of the rock.
    pub fn note(&self, source: &Source, field: &ScalarField) -> Option<BadInput> {
        self.file.as_ref().filter(|file| is_stack(&file.path))?;
        if field.values.iter().any(|value| *value > 0) {
            return None;
        }
        let problem = format!("no pixel of its pictures is rock: {SOLID} and more of 255 is");
        Some(source.wrong(TERRAIN_FILE, problem, "draw rock in white (255)"))
    }

    /// Converts the place of a voxel in the world to its place in the noise, in voxels.
    pub fn in_noise(&self, place: [i64; 3]) -> [i64; 3] {
        each_axis(|axis| place[axis] + self.at[axis])
    }
}

impl VoxelFile {
    /// The paths of all files with the voxels: one array, or a picture for each layer.
    pub fn files(&self, source: &Source) -> Vec<PathBuf> {
        if !is_stack(&self.path) {
            return vec![self.path.clone()];
        }
        let first = self.first_number(source);
        (first..first + self.extents.slices()).map(|number| numbered(&self.path, number)).collect()
    }

    /// The number of the first picture: 1 if there is a picture whose number is the number of layers, and no picture 0.
    /// Otherwise 0.
    fn first_number(&self, source: &Source) -> u32 {
        let [zero, layers] = [0, self.extents.slices()].map(|number| numbered(&self.path, number));
        // If pictures of the stack were read before, their numbers decide.
        match [&zero, &layers].map(|path| source.content(path).is_some()) {
            [true, _] => 0,
            [false, true] => 1,
            [false, false] => u32::from(!source.is_there(&zero) && source.is_there(&layers)),
        }
    }

    fn voxels(&self, source: &Source) -> Result<Raster<i16>, BadInput> {
        if !is_stack(&self.path) {
            let raster = source.voxels(TERRAIN_FILE, &self.path)?;
            self.check("the array", raster.extents(), self.extents, source)?;
            return Ok(raster);
        }
        let mut values = Vec::with_capacity(self.extents.cells());
        for path in self.files(source) {
            let picture = source.raster(TERRAIN_FILE, &path, false).map_err(|wrong| BadInput {
                cure: format!("{}; a stack has a picture for each layer, numbered from 0 or from 1", wrong.cure),
                ..wrong
            })?;
            self.check(&format!("{}: the picture", path.display()), picture.extents(), self.extents.columns(), source)?;
            // Maps a brightness of 128 to 255 to rock (above 0), and 0 to 127 to water.
            values.extend(picture.values().iter().map(|brightness| (2 * *brightness as i16 - 255) * 64));
        }
        let raster = Raster::new(self.extents, values);
        raster.ok_or_else(|| {
            source.wrong(TERRAIN_FILE, "holds another number of voxels than the world", "check its pictures")
        })
    }

    fn check(&self, what: &str, is: Extents, needed: Extents, source: &Source) -> Result<(), BadInput> {
        if is == needed {
            return Ok(());
        }
        let listed =
            |extents: Extents| extents.along_axes()[..extents.axes()].iter().map(u32::to_string).collect::<Vec<_>>();
        let mut shape = listed(needed);
        let problem = format!("{what} has {}", listed(is).join(" × "));
        let unit = if needed.depth.is_some() { "voxels" } else { "pixels" };
        let needed = shape.join(" × ");
        shape.reverse();
        let cure = format!("it must have {needed} as world.size says, which is shape ({})", shape.join(", "));
        Err(source.wrong(TERRAIN_FILE, format!("{problem} {unit}"), cure))
    }
}

/// Whether a path names a stack of pictures: its file name contains `#`.
pub fn is_stack(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().contains(DIGIT))
}

/// The path of one picture of a stack: the characters `#` are replaced by the number.
fn numbered(path: &Path, number: u32) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (Some(first), Some(last)) = (name.find(DIGIT), name.rfind(DIGIT)) else { return path.to_path_buf() };
    let digits = last + 1 - first;
    path.with_file_name(format!("{}{number:0digits$}{}", &name[..first], &name[last + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_has_a_picture_for_each_layer() {
        let of = |path: &str, number| numbered(Path::new(path), number).display().to_string();
        assert_eq!([0, 10].map(|number| of("a#/rock-##.png", number)), ["a#/rock-00.png", "a#/rock-10.png"]);
        assert_eq!((of("#.png", 10), of("z###.png", 7)), ("10.png".into(), "z007.png".into()));
        assert!(is_stack(Path::new("#.png")) && !is_stack(Path::new("a#/rock.npy")));
    }
}
