//! Runs of the binary, each in a new folder.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The maximum duration of a run. No run of the tests takes so long, even on busy cores.
const PATIENCE: Duration = Duration::from_secs(120);

/// The path of a preset in `tests/fixtures/presets`: an older version of a built-in preset with frozen numbers.
pub fn fixture(name: &str) -> String {
    repository().join("tests/fixtures/presets").join(format!("{name}.toml")).display().to_string()
}

/// A folder that is removed when the test ends.
pub struct Folder(TempDir);

/// The result of a run.
#[derive(Debug)]
pub struct Finished {
    /// The exit status; `None`: a signal ended the run.
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
    pub took: Duration,
}

pub struct Running {
    child: Process,
    out: JoinHandle<String>,
    err: JoinHandle<String>,
    begun: Instant,
}

/// A process that is killed at the end of its test, even if the test fails.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn join(&self, path: &str) -> PathBuf {
        self.path().join(path)
    }

    /// Writes a file and creates its folders.
    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        std::fs::create_dir_all(self.join(path).parent().unwrap()).unwrap();
        std::fs::write(self.join(path), bytes).unwrap();
    }

    /// The relative paths of all files and folders in this folder.
    pub fn names(&self) -> BTreeSet<String> {
        fn walk(folder: &Path, root: &Path, names: &mut BTreeSet<String>) {
            for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let path = entry.path();
                names.insert(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
                if entry.file_type().unwrap().is_dir() {
                    walk(&path, root, names);
                }
            }
        }
        let mut names = BTreeSet::new();
        walk(self.path(), self.path(), &mut names);
        names
    }

    pub fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Finished {
        self.start(arguments).finish()
    }

    pub fn start<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_murmuration"));
        command.args(arguments);
        self.spawn(command)
    }

    /// Starts the program in this folder, which is also its PATH.
    pub fn start_in_path<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_murmuration"));
        command.args(arguments).env("PATH", self.path());
        self.spawn(command)
    }

    /// Runs a line of shell, in which `"$@"` is the program with its arguments.
    pub fn shell(&self, line: &str, arguments: &[&str]) -> Finished {
        let mut command = Command::new("sh");
        command.args(["-c", line, "sh", env!("CARGO_BIN_EXE_murmuration")]).args(arguments);
        self.spawn(command).finish()
    }

    fn spawn(&self, mut command: Command) -> Running {
        // Tests must not depend on a display.
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env("RUST_BACKTRACE", "0");
        command.current_dir(self.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let begun = Instant::now();
        let mut child = command.spawn().unwrap();
        let (out, err) = (drained(child.stdout.take().unwrap()), drained(child.stderr.take().unwrap()));
        Running { child: Process(child), out, err, begun }
    }
}

fn drained(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).unwrap();
        String::from_utf8(bytes).expect("the program speaks UTF-8")
    })
}

impl Running {
    /// The process identifier.
    pub fn id(&self) -> u32 {
        self.child.0.id()
    }

    /// Kills the run. A run that has ended is left alone.
    pub fn kill(&mut self) {
        self.child.0.kill().unwrap();
    }

    /// Sends a signal, such as `INT` for Ctrl-C.
    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        let id = self.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// Waits until a condition holds, or the run ends.
    pub fn wait_until(&mut self, holds: impl Fn() -> bool) {
        while !holds() && self.child.0.try_wait().unwrap().is_none() {
            assert!(self.begun.elapsed() < PATIENCE, "waited too long");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for the end. A run that hangs is killed, and the test fails.
    pub fn finish(mut self) -> Finished {
        let status: ExitStatus = loop {
            if let Some(status) = self.child.0.try_wait().unwrap() {
                break status;
            }
            if self.begun.elapsed() > PATIENCE {
                self.child.0.kill().unwrap();
                self.child.0.wait().unwrap();
                panic!("the program hangs");
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let took = self.begun.elapsed();
        Finished { status: status.code(), out: self.out.join().unwrap(), err: self.err.join().unwrap(), took }
    }
}

impl Finished {
    /// The object that `--json` prints on the last line.
    pub fn object(&self) -> serde_json::Value {
        let last = self.out.lines().last().unwrap_or_else(|| panic!("nothing was printed: {self:?}"));
        serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Checks that the run has succeeded. On standard error only the progress of a long run is allowed.
    pub fn succeeded(self) -> Self {
        let is_progress = |line: &&str| {
            let begins = ["step ", "run "].iter().any(|begin| line.starts_with(begin));
            begins && [" left", " before step 0"].iter().any(|end| line.ends_with(end))
        };
        let complaints: Vec<&str> = self.err.lines().filter(|line| !is_progress(line)).collect();
        assert_eq!((self.status, complaints.as_slice()), (Some(0), [].as_slice()), "{self:?}");
        self
    }

    /// The only line on standard error, which begins with the program's name.
    pub fn complaint(&self) -> &str {
        let line = self.err.strip_suffix('\n').unwrap_or_else(|| panic!("no complaint: {self:?}"));
        assert!(!line.contains('\n') && !line.contains("panicked"), "more than one line: {self:?}");
        line.strip_prefix("murmuration: ").unwrap_or_else(|| panic!("the program did not say its name: {self:?}"))
    }
}

/// The root of the repository.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
