//! Journals: files with a plan, and a line for each finished run. If the program was killed, it continues from the
//! journal.

use super::plan::{Plan, Results, RunPlan, Shard};
use crate::files::{Output, create_folder, reading};
use murmuration_core::error::{BadInput, Failure};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The maximum size of a journal in bytes.
const MAX_BYTES: u64 = 1 << 30;
/// The advice of the error message for a journal that would be longer.
const FULL: &str = "divide the runs into shards, or take fewer frames";
/// The number of hexadecimal digits of the hash at the end of a line.
const HASH_LETTERS: usize = 16;

/// The line of a run: the number of the run, the fields of the result, and a hash of all text before the hash. Commas
/// separate them.
fn line_of<P: RunPlan>(run: u64, record: &P::Record) -> String {
    let line = format!("{run},{}", P::write(record));
    let hash = hash_of(&line);
    format!("{line},{hash}\n")
}

/// Reads the line of a run, without its line break. Returns the number and the result of the run; `None`: the line is
/// damaged.
fn read_line<P: RunPlan>(line: &str, plan: &P) -> Option<(u64, P::Record)> {
    let (written, hash) = line.rsplit_once(',')?;
    if hash_of(written) != hash {
        return None;
    }
    let fields: Vec<&str> = written.split(',').collect();
    let run = fields[0].parse().ok().filter(|run| *run < plan.runs())?;
    Some((run, plan.read(&fields[1..])?))
}

fn hash_of(line: &str) -> String {
    blake3::hash(line.as_bytes()).to_hex()[..HASH_LETTERS].to_owned()
}

/// The contents of a journal: the plan and the results of the finished runs.
#[derive(Debug)]
pub struct Contents<P: RunPlan = Plan> {
    /// The plan.
    pub plan: P,
    /// The results of the finished runs.
    pub records: Results<P>,
    /// The length in bytes of all undamaged lines. An incomplete or damaged last line is not counted.
    whole: u64,
}

impl<P: RunPlan> Contents<P> {
    /// Reads the bytes of a journal. An incomplete or damaged last line, as a killed process leaves it, is left out.
    /// `origin`: the path of the journal, for messages.
    ///
    /// # Errors
    /// If the bytes are no journal, a line before the last line is damaged, or a run has two different results.
    pub fn from_bytes(origin: &str, bytes: &[u8]) -> Result<Self, BadInput> {
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let wrong = |line: usize, problem: String, cure: &str| BadInput::new(origin, problem, cure).at_line(line);
        let no_journal = format!("name a folder or a file in which {} left its journal", P::OF);
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut lines = text.split_terminator('\n');
        let Some(first) = lines.next() else {
            return Err(wrong(1, format!("is no journal of {}", P::OF), &no_journal));
        };
        let plan = P::from_json(first).map_err(|problem| wrong(1, problem, &no_journal))?;
        let mut contents = Self { plan, records: BTreeMap::new(), whole: first.len() as u64 + 1 };
        let count = text.split_terminator('\n').count();
        for (index, line) in lines.enumerate() {
            let number = index + 2;
            match read_line(line, &contents.plan) {
                Some((run, record)) => {
                    // The texts of the results are compared, because NaN, a measure without a value, does not equal
                    // itself.
                    let written = P::write(&record);
                    let before = contents.records.insert(run, record);
                    if before.is_some_and(|before| P::write(&before) != written) {
                        let problem = format!("has two different results of the run {run}");
                        return Err(wrong(number, problem, "play the runs again into another folder"));
                    }
                    contents.whole += line.len() as u64 + 1;
                }
                None if number == count => break,
                None => {
                    let cure = "delete the line; its run is played again";
                    return Err(wrong(number, "the line is damaged".into(), cure));
                }
            }
        }
        Ok(contents)
    }

    /// Reads the file of a journal.
    ///
    /// # Errors
    /// As [`Self::from_bytes`], or if the file cannot be read.
    pub fn read(path: &Path) -> Result<Self, BadInput> {
        let origin = path.display().to_string();
        let cure = format!("name a folder or a journal of {}", P::OF);
        let unreadable = |problem: String| BadInput::new(&origin, problem, &cure);
        let bytes =
            reading::at_most(MAX_BYTES, path).map_err(|error| unreadable(format!("cannot be read: {error}")))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(unreadable(format!("is longer than {MAX_BYTES} bytes")));
        }
        Self::from_bytes(&origin, &bytes)
    }
}

/// A journal that is open for writing. The file is locked, so that no other process writes it.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Opens the journal of a plan, or creates it. Returns the journal, and the results of the runs in the journal.
    ///
    /// # Errors
    /// If the journal has another plan, is damaged or is being written by another process, or the system refuses.
    pub fn open<P: RunPlan>(path: &Path, plan: &P) -> Result<(Self, Results<P>), Failure> {
        let origin = path.display().to_string();
        let refused = |problem: &str, cure: &str| Failure::from(BadInput::new(&origin, problem, cure));
        let failed = |source| Failure::File { action: "cannot write", path: origin.clone(), source };
        if path.exists() && !path.is_file() {
            return Err(refused("is no plain file", "name another folder"));
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        // Only a lock of another process is an error, because some file systems have no locks.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(refused("another process writes this journal", "wait for it, or name another folder"));
        }
        let mut bytes = Vec::new();
        (&mut file).take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(refused(&format!("is longer than {MAX_BYTES} bytes"), FULL));
        }
        let first = plan.to_json() + "\n";
        let mut journal = Self { file, path: path.to_path_buf() };
        // A new journal is empty. If a process was killed while it wrote the plan, the journal has only a part of the
        // plan.
        if first.as_bytes().starts_with(&bytes) {
            journal.truncate(0)?;
            journal.append(&first)?;
            return Ok((journal, BTreeMap::new()));
        }
        let contents = Contents::<P>::from_bytes(&origin, &bytes)?;
        if let Some(how) = contents.plan.difference(plan) {
            let problem = format!("is the journal of {} with {how}", P::OTHER);
            return Err(refused(&problem, "name another folder, or remove this journal if its runs are of no use"));
        }
        journal.truncate(contents.whole)?;
        Ok((journal, contents.records))
    }

    /// Appends the results of runs, and waits until they are on the disk.
    ///
    /// # Errors
    /// If the journal would be longer than 1 GiB, or the system refuses.
    pub fn add<P: RunPlan>(&mut self, finished: &[(u64, P::Record)]) -> Result<(), Failure> {
        let lines: String = finished.iter().map(|(run, record)| line_of::<P>(*run, record)).collect();
        let length = self.file.metadata().map_err(|source| self.failure(source))?.len();
        if length + lines.len() as u64 > MAX_BYTES {
            let problem = format!("would be longer than {MAX_BYTES} bytes");
            return Err(BadInput::new(self.path.display().to_string(), problem, FULL).into());
        }
        self.append(&lines)
    }

    fn append(&mut self, text: &str) -> Result<(), Failure> {
        let written = Output(&mut self.file).write_all(text.as_bytes());
        written.and_then(|()| self.file.sync_data()).map_err(|source| self.failure(source))
    }

    fn truncate(&mut self, length: u64) -> Result<(), Failure> {
        let done = self.file.set_len(length).and_then(|()| self.file.seek(SeekFrom::End(0)));
        done.map(drop).map_err(|source| self.failure(source))
    }

    fn failure(&self, source: io::Error) -> Failure {
        Failure::File { action: "cannot write", path: self.path.display().to_string(), source }
    }
}

/// The open journal of a shard, with the results of the finished runs in memory.
#[derive(Debug)]
pub struct Kept<P: RunPlan> {
    journal: Journal,
    /// The results of the finished runs of the shard.
    pub results: Results<P>,
}

impl<P: RunPlan> Kept<P> {
    /// Opens or creates the journal of a shard in a folder. A missing folder is created.
    ///
    /// # Errors
    /// As [`Journal::open`].
    pub fn open(folder: &Path, plan: &P, shard: Shard) -> Result<Self, Failure> {
        create_folder(folder)?;
        let (journal, mut results) = Journal::open(&folder.join(shard.file_name("journal", "txt")), plan)?;
        // The program writes only runs of this shard into a journal of this name. A user may have added other runs.
        results.retain(|run, _| plan.has(shard, *run));
        Ok(Self { journal, results })
    }

    /// Adds results of runs to the journal and to `results`.
    ///
    /// # Errors
    /// If the journal cannot be written. `results` then has the new results too.
    pub fn add(&mut self, finished: Vec<(u64, P::Record)>) -> Result<(), Failure> {
        let added = if finished.is_empty() { Ok(()) } else { self.journal.add::<P>(&finished) };
        self.results.extend(finished);
        added
    }
}

#[cfg(test)]
mod tests {
    use super::super::moments::{Moments, Record};
    use super::super::plan::{ParameterValues, Records};
    use super::*;
    use std::fs;

    fn plan() -> Plan {
        let values = ["0.1", "0.2"].map(String::from).into();
        let parameters = vec![ParameterValues { key: "noise.angle".into(), values }];
        let (seeds, measures) = (vec![3, 5], vec!["polarisation".into()]);
        Plan { parameters, seeds, measures, ..Plan::new("droplets".into()) }
    }

    fn record(value: f64) -> Record {
        Record { state_hash: "ab".repeat(32), lost: 0, measures: vec![Moments::new(&[value, 1.0 / 3.0])] }
    }

    #[test]
    fn a_journal_goes_on_without_its_torn_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.txt");
        let (mut journal, records) = Journal::open(&path, &plan()).unwrap();
        assert!(records.is_empty());
        let busy = Journal::open(&path, &plan()).unwrap_err().to_string();
        assert!(busy.contains("another process writes this journal; wait for it"), "{busy}");
        journal.add::<Plan>(&[(2, record(0.25)), (0, record(0.5))]).unwrap();
        drop(journal);
        let whole = fs::read(&path).unwrap();
        let two = Records::from([(0, record(0.5)), (2, record(0.25))]);
        let first_line = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        // The journal is cut at many places. All complete lines stay.
        for length in (0..whole.len()).step_by(23).chain([first_line - 1, first_line, whole.len() - 1, whole.len()]) {
            fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, records) = Journal::open(&path, &plan()).unwrap();
            let lines = whole[..length].iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(records.len(), lines.saturating_sub(1), "{length}");
            assert!(records.iter().all(|(run, record)| two[run] == *record));
            assert!(length > first_line || fs::read(&path).unwrap() == whole[..first_line]);
            let missing: Vec<_> = two.clone().into_iter().filter(|(run, _)| !records.contains_key(run)).collect();
            journal.add::<Plan>(&missing).unwrap();
            drop(journal);
            assert_eq!(Contents::<Plan>::read(&path).unwrap().records, two);
        }
    }

    #[test]
    fn a_damaged_line_is_named_and_another_sweep_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.txt");
        let (mut journal, _) = Journal::open(&path, &plan()).unwrap();
        journal.add::<Plan>(&[(0, record(0.5)), (1, record(0.25))]).unwrap();
        drop(journal);
        let text = fs::read_to_string(&path).unwrap();
        let opened =
            |plan: &Plan| Journal::open(&path, plan).map(|(_, records)| records).map_err(|wrong| wrong.to_string());
        fs::write(&path, text.replacen("\n0,", "\n2,", 1)).unwrap();
        let said = opened(&plan()).unwrap_err();
        assert!(said.contains("journal.txt:2: the line is damaged; delete the line"), "{said}");
        // A damaged last line is dropped. A loss of power can damage the last line.
        fs::write(&path, text.replacen("\n1,", "\n3,", 1)).unwrap();
        assert_eq!(opened(&plan()).unwrap().into_keys().collect::<Vec<_>>(), [0]);
        fs::write(&path, &text).unwrap();
        for (other, how) in [
            (Plan { seeds: vec![3], ..plan() }, "other seeds"),
            (Plan { steps: 2, ..plan() }, "another number of steps"),
            (Plan { effective: "x".into(), ..plan() }, "another text of the preset"),
            (Plan { preset: "paper".into(), ..plan() }, "another preset"),
        ] {
            let said = opened(&other).unwrap_err();
            assert!(said.contains(how) && said.contains("name another folder"), "{said}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let line = line_of::<Plan>(0, &record(0.125));
        fs::write(&path, format!("{text}{line}")).unwrap();
        assert!(opened(&plan()).unwrap_err().contains("has two different results of the run 0"));
        for other in ["", "no journal", "no journal\n", "{}\n"] {
            let said = Contents::<Plan>::from_bytes("x", other.as_bytes()).unwrap_err().to_string();
            assert!(said.starts_with("x:1: is no journal of a sweep"), "{said}");
        }
    }
}
