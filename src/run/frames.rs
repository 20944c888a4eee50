//! Writes the frames of a run into a folder: pictures, and arrays of numbers.

use super::{Moment, Observer, RunTime};
use crate::files::frames::{FrameFolder, Schedule, Series, series};
use crate::observe::features::FeatureArray;
use crate::observe::{Caption, FrameKind, npy, write_density, write_png};
use crate::ranks::is_first_rank;
use murmuration_core::error::Failure;
use murmuration_core::numbers::{BOID, ONE};
use murmuration_core::picture::Picture;
use murmuration_core::state::{Individuals, State, Swarm};
use murmuration_core::text::readable::grouped;
use murmuration_core::world::PLACE_BITS;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// An observer of a run that writes pictures and arrays of every few steps into a folder.
pub struct FrameWriter {
    /// The folder; `None`: another rank writes the frames.
    folder: Option<FrameFolder>,
    path: PathBuf,
    every: u64,
    /// The kinds of frames, without duplicates.
    kinds: Vec<FrameKind>,
    /// The arrays of features, such as lives, that are written with the kind [`FrameKind::Individuals`].
    arrays: &'static [FeatureArray],
    files: usize,
    clipped: u64,
    /// The greatest density of a cell in all written frames, in quanta.
    greatest: u32,
}

impl FrameWriter {
    /// Opens a folder for frames of some kinds. Frames are written at the first step of a run and at every
    /// `schedule.every`-th step after it. `arrays`: the arrays of features for the kind [`FrameKind::Individuals`].
    /// `slices`: the number of slices along z; `None`: the world is flat. `overwrites`: whether to remove frames of
    /// other runs that would remain.
    ///
    /// # Errors
    /// As [`FrameFolder::open`].
    pub fn open(
        folder: &Path,
        kinds: &[FrameKind],
        schedule: Schedule,
        arrays: &'static [FeatureArray],
        slices: Option<u32>,
        overwrites: bool,
    ) -> Result<Self, Failure> {
        let mut kinds = kinds.to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        let mut written: Vec<_> = kinds.iter().flat_map(|kind| kind.series()).copied().collect();
        if kinds.contains(&FrameKind::Individuals) {
            written.extend(arrays.iter().map(|(series, ..)| *series));
        }
        let (path, every) = (folder.to_path_buf(), schedule.every.max(1));
        let open = || FrameFolder::open(&path, &written, schedule, slices, overwrites);
        let folder = is_first_rank().then(open).transpose()?;
        Ok(Self { folder, path, every, kinds, arrays, files: 0, clipped: 0, greatest: 0 })
    }

    /// Whether frames of a kind are written.
    pub fn has(&self, kind: FrameKind) -> bool {
        self.kinds.contains(&kind)
    }

    /// The number of files that were written.
    pub fn files(&self) -> usize {
        self.files
    }

    /// The number of pixels in frames of the kind [`FrameKind::Density16`] whose density was above the scale. These
    /// pixels are white.
    pub fn clipped(&self) -> u64 {
        self.clipped
    }

    /// The least scale, in boids per cell, with which the density of no written pixel would have been above the scale.
    pub fn sufficient_scale(&self) -> u32 {
        self.greatest / BOID + 1
    }

    /// Writes a frame of each kind. `read`: the swarm, and its state on the lattice; a picture alone needs neither.
    /// `scale`: the density that is white in frames of density, in boids per cell.
    ///
    /// # Errors
    /// If a file cannot be written. Every file is written atomically.
    fn write(
        &mut self,
        read: Option<(&Swarm, &State)>,
        picture: Option<&Picture>,
        scale: u32,
        caption: &Caption,
    ) -> Result<(), Failure> {
        for kind in self.kinds.clone() {
            match (kind, read) {
                (FrameKind::Picture, _) => {
                    let drawn = picture.ok_or_else(|| Failure::Broken("no picture was drawn for a frame".into()))?;
                    write_png(drawn, &self.file(series::PICTURE, caption.step, None), caption)?;
                    self.files += 1;
                }
                (FrameKind::Density16, Some((_, state))) => self.write_density(&state.merged(), scale, caption)?,
                (FrameKind::Npy, Some((_, state))) => self.write_arrays(state, caption)?,
                (FrameKind::Individuals, Some((Swarm::Individuals(individuals, columns), _))) => {
                    self.write_individuals(individuals, columns.origin(), caption)?;
                }
                (FrameKind::Individuals, Some((Swarm::Cells(_), _))) => {}
                (_, None) => return Err(Failure::Broken(format!("the state was not read for a frame of kind {kind}"))),
            }
        }
        Ok(())
    }

    fn file(&self, series: Series, step: u64, slice: Option<u32>) -> PathBuf {
        self.folder.as_ref().map_or_else(PathBuf::new, |folder| folder.file(series, step, slice))
    }

    /// Writes the density and the control vectors of a lattice as arrays.
    fn write_arrays(&mut self, state: &State, caption: &Caption) -> Result<(), Failure> {
        let axes = npy::axes(state);
        let density = json!({ "unit": "boid", "scale": 1.0 / f64::from(BOID), "axes": axes });
        self.write_array(series::DENSITY, caption, density, |path| npy::write_density(path, state))?;
        let axes = [&axes[..], &["axis"]].concat();
        let control = json!({ "unit": "cell/step", "scale": 1.0 / f64::from(ONE), "axes": axes });
        self.write_array(series::CONTROL, caption, control, |path| npy::write_control(path, state))
    }

    /// Writes the positions, velocities and numbers of individuals and the arrays of features. `origin`: the place of
    /// the first cell of the window of an endless world, in cells; `None`: the world has edges.
    fn write_individuals(
        &mut self,
        individuals: &Individuals,
        origin: Option<[i64; 3]>,
        caption: &Caption,
    ) -> Result<(), Failure> {
        let individuals = individuals.in_order();
        let axes = ["individual", "axis"];
        let scale = 1.0 / f64::from(1 << PLACE_BITS);
        let positions = json!({ "unit": "cell", "scale": scale, "axes": axes, "origin": origin });
        self.write_array(series::POSITIONS, caption, positions, |path| {
            npy::write_vectors(path, &individuals.positions)
        })?;
        let velocities = json!({ "unit": "cell/step", "scale": 1.0 / f64::from(ONE), "axes": axes });
        self.write_array(series::VELOCITIES, caption, velocities, |path| {
            npy::write_vectors(path, &individuals.velocities)
        })?;
        let numbers = json!({ "axes": ["individual"] });
        self.write_array(series::NUMBERS, caption, numbers, |path| npy::write_numbers(path, &individuals))?;
        self.arrays.iter().try_for_each(|(series, record, array)| {
            self.write_array(*series, caption, record(), |path| npy::write(path, &array(&individuals)))
        })
    }

    /// Writes an array, and its provenance record beside it. `of`: the unit, the scale and the axes of the array, for
    /// the record.
    fn write_array(
        &mut self,
        series: Series,
        caption: &Caption,
        of: Value,
        write: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let path = self.file(series, caption.step, None);
        write(&path)?;
        let more = Map::from_iter([("array".to_owned(), of)]);
        caption.provenance.write_beside(&path, caption.step, more)?;
        self.files += 1;
        Ok(())
    }

    /// Writes the density as 16-bit grey pictures. A deep world has a picture for each slice. `scale`: the density of
    /// white, in boids per cell.
    fn write_density(&mut self, state: &State, scale: u32, caption: &Caption) -> Result<(), Failure> {
        let is_deep = state.extents.depth.is_some();
        let cells = state.extents.columns().cells();
        for (slice, density) in (0..).zip(state.layers[0].density.chunks_exact(cells)) {
            let file = self.file(series::DENSITY16, caption.step, is_deep.then_some(slice));
            self.clipped += write_density(density, state.extents.columns(), scale, &file, caption)?;
            self.files += 1;
        }
        self.greatest = self.greatest.max(state.layers[0].density.iter().copied().max().unwrap_or(0));
        Ok(())
    }
}

impl Observer for FrameWriter {
    fn until_due(&self, time: RunTime) -> u64 {
        time.until(self.every)
    }

    fn takes_last(&self, is_stopped: bool) -> bool {
        is_stopped
    }

    fn observe(&mut self, moment: &mut Moment<'_>) -> Result<(), Failure> {
        let has_arrays = self.kinds.iter().any(|kind| *kind != FrameKind::Picture);
        let reading = if has_arrays { moment.lattice()? } else { None };
        let picture = if self.has(FrameKind::Picture) { moment.picture_with_legend()? } else { None };
        if self.folder.is_none() {
            return Ok(());
        }
        let read = reading.as_ref().and_then(|reading| Some((&reading.swarm, reading.state()?)));
        if let Some((_, state)) = read.filter(|_| self.has(FrameKind::Density16)) {
            moment.model.frame_scale.get_or_insert_with(|| default_scale(state));
        }
        let (scale, caption) = (moment.model.frame_scale.unwrap_or(1), moment.caption());
        self.write(read, picture.as_ref(), scale, &caption)
    }

    /// Adds messages for the user about frames of an earlier run that remain in the folder, and about pixels above the
    /// scale.
    fn finish(&mut self, moment: &mut Moment<'_>) -> Result<(), Failure> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let step = moment.time.step;
        let left = if moment.is_stopped { folder.count_after(step)? } else { 0 };
        if left > 0 {
            let folder = self.path.display();
            moment.note(format!("{left} frames of an earlier run, of steps after {step}, are still in {folder}"));
        }
        if let (clipped @ 1.., Some(scale)) = (self.clipped, moment.model.frame_scale) {
            moment.note(format!(
                "{} pixels of density were above the scale of {scale} boids a cell, and are white; \
                 --scale {} has room for all",
                grouped(clipped),
                self.sufficient_scale()
            ));
        }
        Ok(())
    }
}

/// The default scale of frames of density, in boids per cell: the least power of two that is at least four times the
/// greatest density of `state`.
fn default_scale(state: &State) -> u32 {
    let greatest = u64::from(state.merged().layers[0].density.iter().copied().max().unwrap_or(0));
    let boids = (4 * greatest).div_ceil(u64::from(BOID)).max(1);
    boids.next_power_of_two().min(u64::from(BOID)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::glow;
    use murmuration_core::look::Look;
    use murmuration_core::world::{Edges, Extents, World};

    const SCHEDULE: Schedule = Schedule { first: 0, last: 100, every: 50, has_last: false };

    fn scene() -> (State, World, Look, Caption) {
        let extents = Extents::flat(12, 10);
        let mut state = State::empty(extents);
        state.layers[0].density[30] = 1 << 18;
        let world = World { capacity: 1 << 30, ..World::empty(extents, Edges::Torus) };
        let look = Look { exposure: 2.0, bloom: 0.5, ..Look::default() };
        (state, world, look, Caption { provenance: Default::default(), step: 100 })
    }

    #[test]
    fn a_frame_has_a_file_for_each_kind() {
        let (state, world, look, caption) = scene();
        let folder = tempfile::tempdir().unwrap();
        let into = folder.path().join("new/frames");
        let swarm = Swarm::Cells(state.clone());
        let picture = glow(&state, &world, &look);
        let kinds = [&FrameKind::ALL.map(|(kind, ..)| kind)[..], &[FrameKind::Picture]].concat();
        let mut writer = FrameWriter::open(&into, &kinds, SCHEDULE, &[], None, false).unwrap();
        writer.write(Some((&swarm, &state)), Some(&picture), 16, &caption).unwrap();
        let entries = std::fs::read_dir(&into).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        let expected = [
            "control-000100.npy",
            "control-000100.npy.json",
            "density-000100.npy",
            "density-000100.npy.json",
            "density16-000100.png",
            "picture-000100.png",
        ];
        assert_eq!(names, expected);
        assert_eq!((writer.files(), writer.clipped()), (4, 0));

        let file = std::fs::File::open(into.join("picture-000100.png")).unwrap();
        let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut bytes).unwrap();
        assert_eq!(bytes, glow(&state, &world, &look).bytes);
        let steps = &reader.info().uncompressed_latin1_text;
        assert!(steps.iter().any(|text| text.keyword == "murmuration:step" && text.text == "100"));
    }

    #[test]
    fn a_file_in_the_place_of_the_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("taken");
        std::fs::write(&taken, b"mine").unwrap();
        let failed = FrameWriter::open(&taken, &[FrameKind::Npy], SCHEDULE, &[], None, false);
        assert!(matches!(failed, Err(Failure::File { .. })));
        assert_eq!(std::fs::read(&taken).unwrap(), b"mine");
    }

    #[test]
    fn pixels_above_the_scale_are_counted_and_a_sufficient_scale_is_known() {
        let (mut state, .., caption) = scene();
        state.layers[0].density[..3].copy_from_slice(&[2 * BOID - 1, 2 * BOID, 5 * BOID]);
        let folder = tempfile::tempdir().unwrap();
        let swarm = Swarm::Cells(state.clone());
        let clipped = |scale: u32| {
            let mut writer =
                FrameWriter::open(folder.path(), &[FrameKind::Density16], SCHEDULE, &[], None, false).unwrap();
            writer.write(Some((&swarm, &state)), None, scale, &caption).unwrap();
            (writer.clipped(), writer.sufficient_scale())
        };
        assert_eq!([1, 2, 5, 6].map(clipped), [(4, 6), (3, 6), (1, 6), (0, 6)]);
    }

    #[test]
    fn the_default_scale_is_four_times_the_greatest_density_rounded_up_to_a_power_of_two() {
        for (greatest, scale) in [
            (0, 1),
            (1, 1),
            (BOID / 4, 1),
            (BOID / 4 + 1, 2),
            (BOID, 4),
            (BOID + 1, 8),
            (40 * BOID, 256),
            (1 << 30, 65_536),
            (u32::MAX, 65_536),
        ] {
            let mut state = State::empty(Extents::flat(2, 2));
            state.layers[0].density[3] = greatest;
            assert_eq!(default_scale(&state), scale, "{greatest}");
        }
    }
}
