//! The program on the command line: its commands, arguments and messages.

mod bench;
mod check;
mod cite;
mod compare;
mod family_tree;
mod link;
mod memory;
mod options;
mod panic_report;
mod presets;
mod progress;
mod ranks;
mod render;
mod replay;
mod run;
mod shell;
mod sweep;
mod verify;
#[cfg(feature = "window")]
mod view;

pub use memory::end_without_memory;
pub use ranks::launched_processes;

use crate::files::access;
use crate::files::json::with_exact;
use crate::interrupt;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::faults;
use murmuration_core::parallel::start_threads;
use murmuration_core::ranks::Ranks;
use murmuration_core::text::one_line;
use murmuration_core::world::memory::LACK;
use murmuration_gpu::device::fault_injection;
use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::io::{self, Write, stderr, stdout};
use std::path::{MAIN_SEPARATOR, Path};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

const STANDARD_OUTPUT: &str = "standard output";

/// Exit statuses (`docs/design.md, The program`).
const FAILED: u8 = 1;
const BAD_INPUT: u8 = 2;
const INTERRUPTED: u8 = interrupt::STATUS;

const ABOUT: &str = "A swarm as a density on a lattice, moved by a chain of shader passes: exact, the same bits on \
                     every engine, and not one boid lost.";

const EXAMPLES: &str = "\
Examples:
  murmuration                                            open the window; without a display, render into frames/
  murmuration view fog --size 1024x1024                  another preset, on a larger lattice
  murmuration presets                                    list the presets
  murmuration render ribbons --out out --every 20        write every 20th step
  murmuration render fog --size 1024x1024 --steps 2000 --every 100 --out out --metrics out/fog.csv
  murmuration render fog --steps 300 --film fog.gif --width 480
  murmuration render droplets --set weights.cohesion=0.8 --set movement.cruise=0.4 --out out
  murmuration compare shoal-compare --out report         compare cells and individuals; see report/index.html
  murmuration sweep droplets --set weights.cohesion=0:1:0.25 --seeds 1..5 --out cohesion
  murmuration atlas run examples/atlas/regimes.toml --out atlas   what a preset can do; see atlas/index.html
  murmuration reproduce --out results                    published results, made again; see results/index.html
  murmuration render my/preset.toml --engine gpu --dispatch fragment --json
  murmuration link droplets --seed 4 --steps 300         a link that proves itself, for `verify` and for the page
  murmuration bench --sight rings:8:4,disc:8/3/6         measure the speed
  murmuration check my/preset.toml my/chain.toml my/rule.wgsl";

#[derive(Debug, Parser)]
#[command(name = "murmuration", version, about = ABOUT, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Let presets, chains, replays and checkpoints name files anywhere on this computer; else those are read that lie
    /// in the folders of the presets and chains given here, and below
    #[arg(long, global = true)]
    allow_files: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open a window on a swarm, and hunt it (also without any command)
    #[cfg(feature = "window")]
    View(view::Arguments),
    /// Play a preset and write frames, data and metrics
    Render(Box<render::Arguments>),
    // The help shows the doc comment of `Arguments`.
    Compare(compare::Arguments),
    // The help shows the doc comment of `Arguments`.
    Sweep(Box<sweep::Arguments>),
    // The help shows the doc comment of `Arguments`.
    Atlas(sweep::atlas::Arguments),
    // The help shows the doc comment of `Arguments`.
    Reproduce(sweep::reproduce::Arguments),
    /// Play a saved hunt or a link again, to the same bits
    Replay(replay::Arguments),
    /// Print the link of a run, which plays here and in the page
    Link(link::Arguments),
    /// Play links, replays and galleries, and compare the last states with the expected ones
    Verify(verify::Arguments),
    /// Print a BibTeX entry of a run
    Cite(cite::Arguments),
    /// List the built-in presets
    Presets(presets::Arguments),
    /// Measure the speed of steps
    Bench(bench::Arguments),
    /// Check presets, chains and kernels without playing them, and without a GPU
    Check(check::Arguments),
    // The help shows the doc comment of `CompletionsArguments`.
    Completions(shell::CompletionsArguments),
    // The help shows the doc comment of `ManualArguments`.
    Manual(shell::ManualArguments),
}

/// The path of a folder as text, with one separator at its end.
fn with_separator(folder: &Path) -> String {
    format!("{}{MAIN_SEPARATOR}", folder.display().to_string().trim_end_matches(MAIN_SEPARATOR))
}

/// Prints a line on standard output. Only the first of several ranks prints.
///
/// # Errors
/// If the line cannot be written, for example to a full disk or a closed pipe.
fn say(line: impl Display) -> Result<(), Failure> {
    if is_quiet() {
        return Ok(());
    }
    writeln!(stdout(), "{}", printable(&line.to_string())).map_err(|source| Failure::File {
        action: "cannot write to",
        path: STANDARD_OUTPUT.into(),
        source,
    })
}

/// Prints a value as JSON, for the option `--json`. Adds texts for integers that floats cannot hold (see
/// [`with_exact`]).
///
/// # Errors
/// As [`say`].
fn say_json(value: Value) -> Result<(), Failure> {
    say(with_exact(value))
}

/// Prints a line on standard error. Only the first of several ranks prints.
fn remark(line: impl Display) {
    if !is_quiet() {
        shout(line);
    }
}

/// Prints a line on standard error, on any rank. A failure to print is ignored, because it cannot be reported.
fn shout(line: impl Display) {
    let _ = writeln!(stderr(), "{}", printable(&line.to_string()));
}

/// A text with its control characters escaped, except newlines and tabs. Otherwise names and hashes in untrusted files
/// could send commands to the terminal.
fn printable(text: &str) -> String {
    let is_plain = |letter: char| !letter.is_control() || matches!(letter, '\n' | '\t');
    let written =
        |letter: char| if is_plain(letter) { letter.to_string() } else { letter.escape_unicode().to_string() };
    text.chars().map(written).collect()
}

/// Adds the path of a file to an error in the contents of the file.
fn within(file: &Path, failure: Failure) -> Failure {
    match failure {
        Failure::BadInput(wrong) => {
            let origin = format!("{}: {}", file.display(), wrong.origin);
            BadInput { origin, is_argument: false, ..wrong }.into()
        }
        other => other,
    }
}

/// Changes an error about an argument, so that it names the argument as an option, such as `--seed`.
fn with_option(wrong: BadInput) -> BadInput {
    let origin = if wrong.is_argument { format!("--{}", wrong.origin) } else { wrong.origin };
    BadInput { origin, is_argument: false, ..wrong }
}

/// Changes the advice of an error about too little memory, so that it names the option `--memory` and its present bound
/// in MiB. Other errors stay as they are.
fn name_memory_bound(failure: Failure, bound: u64) -> Failure {
    match failure {
        Failure::BadInput(wrong) if wrong.problem.ends_with(LACK) => {
            BadInput { cure: format!("if you trust it, raise --memory, which is {bound}"), ..wrong }.into()
        }
        other => other,
    }
}

/// Whether a failure says that the program that reads standard output has ended, as `head` does after its last line.
fn is_closed_pipe(failure: &Failure) -> bool {
    matches!(failure, Failure::File { path, source, .. }
        if path == STANDARD_OUTPUT && source.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints an error message. A rank other than the first keeps the message, because the first rank may print it too.
fn complain(what: impl Display) {
    let message = format!("murmuration: {what}");
    if is_quiet() {
        keep_unsaid(message);
    } else {
        shout(message);
    }
}

/// Adds a message to the unprinted error messages of a rank other than the first.
fn keep_unsaid(message: String) {
    UNSAID.lock().unwrap_or_else(PoisonError::into_inner).push(message);
}

/// Whether this process is a rank other than the first. Such a rank prints nothing.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// The unprinted error messages of a rank other than the first.
static UNSAID: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Checks arguments of the program. The first one is the name of the program. The error is the message for the user.
///
/// # Errors
/// If the arguments are wrong.
#[doc(hidden)]
pub fn check_arguments(arguments: &[String]) -> Result<(), String> {
    Arguments::try_parse_from(arguments).map(drop).map_err(|error| error.to_string())
}

/// An error about an argument that is not UTF-8. The error names the last argument that has to be replaced so that the
/// arguments can be read.
fn about_bytes(mut arguments: Vec<OsString>) -> BadInput {
    let is_wrong = |arguments: &[OsString]| {
        Arguments::try_parse_from(arguments).is_err_and(|error| error.kind() == ErrorKind::InvalidUtf8)
    };
    let mut origin = String::new();
    for index in 1..arguments.len() {
        if arguments[index].to_str().is_some() || !is_wrong(&arguments) {
            continue;
        }
        let option = arguments[index - 1].to_str().filter(|before| before.starts_with("--"));
        origin = option.map_or(String::new(), |option| format!("{option} ")) + &escaped(&arguments[index]);
        arguments[index] = arguments[index].to_string_lossy().into_owned().into();
    }
    BadInput::new(origin, "is not UTF-8", "paths of files may have any bytes; all else is text")
}

/// A text in which bytes that are not UTF-8 are escaped.
fn escaped(raw: &OsStr) -> String {
    let chunks = raw.as_encoded_bytes().utf8_chunks();
    chunks.map(|chunk| format!("{}{}", chunk.valid(), chunk.invalid().escape_ascii())).collect()
}

/// Prints the help, the version, or the error in the arguments of the process. Returns the exit status.
fn explain(error: &clap::Error) -> u8 {
    if error.kind() == ErrorKind::InvalidUtf8 {
        complain(about_bytes(std::env::args_os().collect()));
        return BAD_INPUT;
    }
    // Help and version are not errors. clap chooses between standard output and standard error.
    let is_help = !error.use_stderr();
    let printed = if is_quiet() {
        let help = "murmuration: some ranks were asked for help or the version, and others were not".to_owned();
        keep_unsaid(if is_help { help } else { error.render().to_string() });
        Ok(())
    } else {
        error.print()
    };
    match printed {
        Err(source) if is_help && source.kind() != io::ErrorKind::BrokenPipe => {
            complain(format_args!("cannot write to {STANDARD_OUTPUT}: {source}"));
            FAILED
        }
        _ if is_help => 0,
        _ => BAD_INPUT,
    }
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    ExitCode::from(perform(None).unwrap_or_else(|failed| failed))
}

/// The result of the program on a rank.
pub struct RankEnd {
    /// The exit status.
    pub status: u8,
    /// Whether the rank failed, so that other ranks may wait for it for ever. An interrupted run, or a run that lost
    /// boids, is no such failure, because it ends on all ranks.
    pub has_failed: bool,
    /// The error messages that this rank did not print. The first rank may have printed equal messages.
    pub unsaid: Vec<String>,
}

/// Runs the program with the arguments of the process, as one of several ranks. Every rank plays its part of one world,
/// or of the runs of a sweep. Only the first rank prints. `launched`: the value of [`launched_processes`] before the
/// ranks were joined.
///
/// An error may concern this rank alone. The other ranks then wait for this rank, and the caller has to end them.
pub fn run_on_ranks(ranks: Arc<dyn Ranks>, launched: Option<String>) -> RankEnd {
    IS_QUIET.store(!ranks.is_first(), Ordering::Relaxed);
    let (status, has_failed) = match perform(Some((ranks, launched))) {
        Ok(status) => (status, false),
        Err(status) => (status, true),
    };
    RankEnd { status, has_failed, unsaid: std::mem::take(&mut UNSAID.lock().unwrap_or_else(PoisonError::into_inner)) }
}

/// Runs the program, as one of several ranks if `ranks` are given. Returns the exit status.
///
/// # Errors
/// The exit status of a failure.
fn perform(ranks: Option<(Arc<dyn Ranks>, Option<String>)>) -> Result<u8, u8> {
    panic_report::install();
    let table = match &ranks {
        Some((ranks, _)) => ranks::command(&**ranks),
        None => Arguments::command(),
    };
    let matches = table.clone().try_get_matches().map_err(|error| explain(&error))?;
    let arguments =
        Arguments::from_arg_matches(&matches).map_err(|error| explain(&error.format(&mut table.clone())))?;
    if let Err(wrong) = fault_injection::check().and_then(|()| faults::check()) {
        complain(wrong);
        return Err(BAD_INPUT);
    }
    if !arguments.allow_files {
        access::confine();
    }
    start_threads().map_err(|failure| {
        complain(one_line(&failure.to_string()));
        FAILED
    })?;
    let is_list = matches!(arguments.command, Some(Command::Presets(_) | Command::Check(_) | Command::Completions(_)));
    if let Some((ranks, launched)) = &ranks {
        ranks::begin(ranks, launched.as_deref(), &table, &matches).map_err(report)?;
    }
    let done = match arguments.command {
        #[cfg(feature = "window")]
        Some(Command::View(arguments)) => view::run(&arguments),
        Some(Command::Render(arguments)) => render::run(&arguments),
        Some(Command::Compare(arguments)) => compare::run(&arguments),
        Some(Command::Sweep(arguments)) => match &ranks {
            Some((ranks, _)) => sweep::run_on_ranks(*arguments, &**ranks),
            None => sweep::run(&arguments),
        },
        Some(Command::Reproduce(arguments)) => sweep::reproduce::run(&arguments),
        Some(Command::Atlas(arguments)) => sweep::atlas::run(&arguments),
        Some(Command::Replay(arguments)) => replay::run(&arguments),
        Some(Command::Link(arguments)) => link::run(&arguments),
        Some(Command::Verify(arguments)) => verify::run(&arguments),
        Some(Command::Cite(arguments)) => cite::run(&arguments),
        Some(Command::Presets(arguments)) => presets::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Check(arguments)) => check::run(&arguments),
        Some(Command::Completions(arguments)) => shell::completions(&arguments),
        Some(Command::Manual(arguments)) => shell::manual(&arguments),
        #[cfg(feature = "window")]
        None => view::run_default(),
        #[cfg(not(feature = "window"))]
        None => render::run_default("this program is built without the feature `window`"),
    };
    match done {
        Ok(status) => Ok(status),
        // The program that reads the list has read enough and has ended.
        Err(failure) if is_list && is_closed_pipe(&failure) => Ok(0),
        Err(failure) => Err(report(failure)),
    }
}

/// Prints a failure, with arguments named as options of the command. Returns the exit status.
fn report(failure: Failure) -> u8 {
    let (said, status) = match failure {
        Failure::BadInput(wrong) => (with_option(wrong).to_string(), BAD_INPUT),
        other => (other.to_string(), FAILED),
    };
    complain(one_line(&said));
    status
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_commands_the_terminal() {
        assert_eq!(printable("a\tb\nÄ群"), "a\tb\nÄ群");
        assert_eq!(printable("\u{1b}[2J\u{7}\u{9b}x\r"), "\\u{1b}[2J\\u{7}\\u{9b}x\\u{d}");
    }
}
