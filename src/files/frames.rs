//! Frames of a run in a folder: the file names of frames, and the check for frames of other runs. A frame is a picture
//! or an array of one step.

use super::create_folder;
use murmuration_core::error::{BadInput, Failure};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A series of files with the same name and ending, one for each step. An example is `density16-000100.png`. In a deep
/// world each slice of the density has its own file, such as `density16-000100-0012.png`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Series {
    pub name: &'static str,
    pub ending: &'static str,
}

/// All series that the program writes.
pub mod series {
    use super::Series;

    pub const PICTURE: Series = Series { name: "picture", ending: "png" };
    pub const DENSITY16: Series = Series { name: "density16", ending: "png" };
    pub const DENSITY: Series = Series { name: "density", ending: "npy" };
    pub const CONTROL: Series = Series { name: "control", ending: "npy" };
    pub const POSITIONS: Series = Series { name: "positions", ending: "npy" };
    pub const VELOCITIES: Series = Series { name: "velocities", ending: "npy" };
    pub const NUMBERS: Series = Series { name: "numbers", ending: "npy" };
    pub const LIVES: Series = Series { name: "lives", ending: "npy" };
    pub const COMPARISON: Series = Series { name: "compare", ending: "png" };
    pub(super) const ALL: [Series; 9] =
        [PICTURE, DENSITY16, DENSITY, CONTROL, POSITIONS, VELOCITIES, NUMBERS, LIVES, COMPARISON];
}

/// The steps at which a run writes frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// The first step of the run. If the run resumes a checkpoint, frames of earlier steps and of this step belong to
    /// the run before the checkpoint.
    pub first: u64,
    pub last: u64,
    /// The number of steps from one frame to the next, counted from [`Self::first`].
    pub every: u64,
    /// Whether the last step has a frame even if it is not a multiple of `every` after the first step.
    pub has_last: bool,
}

impl Schedule {
    fn has(&self, step: u64) -> bool {
        let is_due = (self.first..=self.last).contains(&step) && (step - self.first).is_multiple_of(self.every);
        is_due || self.has_last && step == self.last
    }
}

/// The ending that is added to the file name of an array for its provenance record.
const RECORD: &str = ".json";

/// The minimum number of digits of a step and of a slice in file names.
const MIN_DIGITS: [usize; 2] = [6, 4];

/// A folder with the frames of a run.
#[derive(Debug)]
pub struct FrameFolder {
    path: PathBuf,
    schedule: Schedule,
    /// The number of slices along z; `None`: the world is flat.
    slices: Option<u32>,
}

/// The parts of a frame's file name, or of the name of the record beside a frame.
struct FrameName {
    series: Series,
    step: u64,
    slice: Option<u32>,
}

impl FrameName {
    /// Parses a file name; `None`: the file is not a frame.
    fn parse(name: &str) -> Option<Self> {
        let name = without_record(name);
        let (name, ending) = name.rsplit_once('.')?;
        let mut parts = name.split('-');
        let name = parts.next()?;
        let series = series::ALL.into_iter().find(|series| (series.name, series.ending) == (name, ending))?;
        let [of_steps, of_slices] = MIN_DIGITS;
        let step = number(parts.next()?, of_steps)?;
        let slice = match parts.next() {
            Some(digits) => Some(number(digits, of_slices)?.try_into().ok()?),
            None => None,
        };
        parts.next().is_none().then_some(Self { series, step, slice })
    }
}

/// The file name without the ending of a record. Any other name stays unchanged.
fn without_record(name: &str) -> &str {
    name.strip_suffix(RECORD).filter(|name| name.ends_with(".npy")).unwrap_or(name)
}

/// Parses a decimal number; `None`: the text has fewer than `least` digits or another character.
fn number(digits: &str, least: usize) -> Option<u64> {
    let is_number = digits.len() >= least && digits.bytes().all(|digit| digit.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

impl FrameFolder {
    /// Opens a folder for the frames of a run, and creates a missing folder. `written`: the series that the run writes.
    /// `slices`: the number of slices along z; `None`: the world is flat. `overwrites`: whether to remove frames of
    /// other runs that this run does not replace.
    ///
    /// # Errors
    /// `BadInput` if frames of another run would remain beside the frames of this run, and `overwrites` is false.
    /// `File` if the folder cannot be created or read, or a frame cannot be removed.
    pub fn open(
        path: &Path,
        written: &[Series],
        schedule: Schedule,
        slices: Option<u32>,
        overwrites: bool,
    ) -> Result<Self, Failure> {
        create_folder(path)?;
        let folder = Self { path: path.to_path_buf(), schedule, slices };
        let others = folder.frames(|file, frame| !folder.is_own(written, file, frame))?;
        match others.first() {
            Some(_) if overwrites => {
                for other in &others {
                    fs::remove_file(other).map_err(|source| failure("cannot remove", other, source))?;
                }
                Ok(folder)
            }
            Some(first) => {
                let count = count(&others);
                let name = first.file_name().unwrap_or_default().display().to_string();
                let frames = if count == 1 { "frame" } else { "frames" };
                let problem =
                    format!("has {count} {frames} of another run that would remain among the new ones ({name})");
                let cure = "name another folder, or add --overwrite to remove them";
                Err(BadInput::of_argument("out", path.display(), problem, cure).into())
            }
            None => Ok(folder),
        }
    }

    /// The path of the file of a series at a step. `slice`: the number of a slice in a deep world; `None`: the series
    /// has one file for each step.
    pub fn file(&self, series: Series, step: u64, slice: Option<u32>) -> PathBuf {
        self.path.join(self.name(series, step, slice))
    }

    /// The number of frames in the folder with a step after `step`. If this run has ended at `step`, these frames
    /// belong to an earlier run.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn count_after(&self, step: u64) -> Result<usize, Failure> {
        Ok(count(&self.frames(|_, frame| frame.step > step)?))
    }

    /// The file name of a frame. All steps have as many digits as the last step of the run, so that names sort by step.
    fn name(&self, series: Series, step: u64, slice: Option<u32>) -> String {
        let digits = |last: u64, least: usize| last.to_string().len().max(least);
        let [of_steps, of_slices] = MIN_DIGITS;
        let Series { name, ending } = series;
        let name = format!("{name}-{step:0width$}", width = digits(self.schedule.last, of_steps));
        match slice {
            Some(slice) => {
                let last = u64::from(self.slices.unwrap_or(1).saturating_sub(1));
                format!("{name}-{slice:0width$}.{ending}", width = digits(last, of_slices))
            }
            None => format!("{name}.{ending}"),
        }
    }

    /// Whether a file is a frame of this run, or of the run before the checkpoint from which this run resumes.
    fn is_own(&self, written: &[Series], file: &str, frame: &FrameName) -> bool {
        let is_named_so = self.name(frame.series, frame.step, frame.slice) == without_record(file);
        let is_slice_there = frame.slice.is_none_or(|slice| self.slices.is_some_and(|slices| slice < slices));
        let is_written = written.contains(&frame.series) && self.schedule.has(frame.step) && is_slice_there;
        let is_before_checkpoint = self.schedule.first > 0 && frame.step <= self.schedule.first;
        is_named_so && (is_written || is_before_checkpoint)
    }

    /// The paths of the frames that `is_wanted` accepts, sorted.
    fn frames(&self, is_wanted: impl Fn(&str, &FrameName) -> bool) -> Result<Vec<PathBuf>, Failure> {
        let unreadable = |source| failure("cannot read the folder", &self.path, source);
        let mut frames = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let name = entry.file_name();
            let Some((name, frame)) = name.to_str().and_then(|name| Some((name, FrameName::parse(name)?))) else {
                continue;
            };
            if is_wanted(name, &frame) && !entry.path().is_dir() {
                frames.push(entry.path());
            }
        }
        frames.sort();
        Ok(frames)
    }
}

/// The number of frames among these files. A frame and its record count as one frame, and so does a record alone.
fn count(files: &[PathBuf]) -> usize {
    let frames: BTreeSet<_> = files.iter().map(|file| without_record(file.to_str().unwrap_or_default())).collect();
    frames.len()
}

fn failure(action: &'static str, path: &Path, source: io::Error) -> Failure {
    Failure::File { action, path: path.display().to_string(), source }
}

#[cfg(test)]
mod tests {
    use super::series::{DENSITY, DENSITY16, PICTURE};
    use super::*;

    const FROM_START: Schedule = Schedule { first: 0, last: 10, every: 2, has_last: false };

    fn open(folder: &Path, written: &[Series], schedule: Schedule, overwrites: bool) -> Result<FrameFolder, String> {
        FrameFolder::open(folder, written, schedule, None, overwrites).map_err(|failure| failure.to_string())
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn write(folder: &FrameFolder, series: Series) {
        for step in (0..=folder.schedule.last).filter(|step| folder.schedule.has(*step)) {
            fs::write(folder.file(series, step, None), step.to_string()).unwrap();
        }
    }

    #[test]
    fn a_run_is_refused_where_frames_of_another_would_remain() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        write(&open(path, &[PICTURE], FROM_START, false).unwrap(), PICTURE);
        // The new run replaces all frames of the earlier run, because their names are equal.
        assert!(open(path, &[PICTURE], FROM_START, false).is_ok());
        assert!(open(path, &[PICTURE, DENSITY], FROM_START, false).is_ok());
        let fewer = Schedule { last: 4, every: 4, ..FROM_START };
        let refused = open(path, &[PICTURE], fewer, false).unwrap_err();
        let expected = "has 4 frames of another run that would remain among the new ones (picture-000002.png)";
        assert!(refused.starts_with("out ") && refused.contains(expected), "{refused}");
        assert!(refused.ends_with("name another folder, or add --overwrite to remove them"), "{refused}");
        assert!(open(path, &[DENSITY16], FROM_START, false).is_err(), "another kind");
        let longer = Schedule { last: 1_000_000, ..FROM_START };
        assert!(open(path, &[PICTURE], longer, false).is_err(), "names of other lengths do not sort");
        assert_eq!(names(path).len(), 6, "nothing is removed unless asked for");
    }

    #[test]
    fn overwriting_removes_frames_of_other_runs_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        write(&open(path, &[PICTURE], FROM_START, false).unwrap(), PICTURE);
        let others = [
            "density16-000003.png",
            "density16-000002-0001.png",
            "positions-000004.npy",
            "positions-000004.npy.json",
            "compare-000000.png",
        ];
        let of_the_user = [
            "notes.txt",
            "picture-3.png",
            "picture-000003.txt",
            "picture-000003-a.png",
            "my-000003.png",
            "picture.png",
            "picture-000003.png.json",
            "table-000003.npy.json",
        ];
        others.iter().chain(&of_the_user).for_each(|name| fs::write(path.join(name), "").unwrap());
        fs::create_dir(path.join("picture-000099.png")).unwrap();
        let fewer = Schedule { last: 4, every: 4, ..FROM_START };
        open(path, &[PICTURE], fewer, true).unwrap();
        let mut expected: Vec<&str> = of_the_user.to_vec();
        expected.extend(["picture-000000.png", "picture-000004.png", "picture-000099.png"]);
        expected.sort_unstable();
        assert_eq!(names(path), expected);
    }

    #[test]
    fn a_resumed_run_adds_to_its_own_frames() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        write(&open(path, &[PICTURE], FROM_START, false).unwrap(), PICTURE);
        write(&open(path, &[PICTURE, DENSITY], FROM_START, false).unwrap(), DENSITY);
        let resumed = Schedule { first: 10, last: 30, every: 5, has_last: false };
        write(&open(path, &[PICTURE], resumed, false).unwrap(), PICTURE);
        let steps = [0, 2, 4, 6, 8, 10, 15, 20, 25, 30];
        assert_eq!(names(path)[6..], steps.map(|step| format!("picture-{step:06}.png")));
        let earlier = Schedule { first: 4, last: 30, every: 5, has_last: false };
        assert!(open(path, &[PICTURE], earlier, false).is_err(), "steps after the checkpoint are of another run");
    }

    #[test]
    fn names_sort_by_step_and_slice() {
        let schedule = Schedule { first: 0, last: 12_000_000, every: 1, has_last: false };
        let folder = FrameFolder { path: PathBuf::new(), schedule, slices: Some(16_384) };
        let steps = [0, 999_999, 1_000_000, 12_000_000];
        let names = steps.map(|step| folder.name(PICTURE, step, None));
        assert!(names.is_sorted(), "{names:?}");
        assert_eq!(names[1], "picture-00999999.png");
        let slices = [0, 9_999, 10_000, 16_383].map(|slice| folder.name(DENSITY16, 5, Some(slice)));
        assert!(slices.is_sorted(), "{slices:?}");
        assert_eq!(slices[0], "density16-00000005-00000.png");
    }

    #[test]
    fn frames_after_the_end_of_a_run_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let frames = open(folder.path(), &[PICTURE], FROM_START, false).unwrap();
        write(&frames, PICTURE);
        assert_eq!([3, 4, 10].map(|step| frames.count_after(step).unwrap()), [4, 3, 0]);
    }
}
