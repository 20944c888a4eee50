//! The command line program: commands, arguments and messages.

mod bench;
mod check;
mod compare;
mod memory;
mod options;
mod pacing;
mod panic_report;
mod presets;
mod progress;
mod render;
mod replay;
mod run;
mod sweep;
mod view;

pub use memory::end_without_memory;

use crate::files::access;
use crate::interrupt;
use crate::json::with_exact;
use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::faults;
use murmuration_core::text::one_line;
use murmuration_gpu::fault_injection;
use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::io::{self, Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;

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
  murmuration render my/preset.toml --engine gpu --dispatch fragment --json
  murmuration bench --sight rings:8:4,disc:8/3/6         measure the speed
  murmuration check my/preset.toml my/chain.toml my/rule.wgsl";

#[derive(Debug, Parser)]
#[command(name = "murmuration", version, about = ABOUT, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Let presets, chains, replays and checkpoints name files anywhere on this computer; else those are read that lie in the folders of the
    /// presets and chains given here, and below
    #[arg(long, global = true)]
    allow_files: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open a window on a swarm, and hunt it (also without any command)
    View(view::Arguments),
    /// Play a preset and write frames, data and metrics
    Render(Box<render::Arguments>),
    // Its doc comment in full.
    Compare(compare::Arguments),
    // Its doc comment in full.
    Sweep(Box<sweep::Arguments>),
    /// Play a saved hunt again, to the same bits
    Replay(replay::Arguments),
    /// List the built-in presets
    Presets(presets::Arguments),
    /// Measure the speed of steps
    Bench(bench::Arguments),
    /// Check presets, chains and kernels without playing them, and without a GPU
    Check(check::Arguments),
}

/// Prints a line on standard output.
///
/// # Errors
/// If it cannot be written, such as to a full disk or a closed pipe.
fn say(line: impl Display) -> Result<(), Failure> {
    writeln!(stdout(), "{}", printable(&line.to_string())).map_err(|source| Failure::File {
        action: "cannot write to",
        path: STANDARD_OUTPUT.into(),
        source,
    })
}

/// Prints what `--json` asks for, with the integers that floats lack written out (see [`with_exact`]).
///
/// # Errors
/// As [`say`].
fn say_json(value: Value) -> Result<(), Failure> {
    say(with_exact(value))
}

/// Prints a line on standard error. A failure to do so cannot be reported anywhere.
fn remark(line: impl Display) {
    let _ = writeln!(stderr(), "{}", printable(&line.to_string()));
}

/// A text with its control characters written out, but for the ends of lines and tabs. Names and hashes in the files of strangers would
/// otherwise command the terminal.
fn printable(text: &str) -> String {
    let is_plain = |letter: char| !letter.is_control() || matches!(letter, '\n' | '\t');
    let written = text.chars().map(|letter| match is_plain(letter) {
        true => letter.to_string(),
        false => letter.escape_unicode().to_string(),
    });
    written.collect()
}

/// A complaint about the content of a file, which is named before the part of it that is wrong.
fn within(file: &Path, failure: Failure) -> Failure {
    match failure {
        Failure::BadInput(wrong) => {
            let origin = format!("{}: {}", file.display(), wrong.origin);
            BadInput { origin, ..wrong }.into()
        }
        other => other,
    }
}

/// Whether a reader of standard output has gone, as `head` does when it has seen enough.
fn is_closed_pipe(failure: &Failure) -> bool {
    matches!(failure, Failure::File { path, source, .. } if path == STANDARD_OUTPUT && source.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints an error message.
fn complain(what: impl Display) {
    remark(format_args!("murmuration: {what}"));
}

/// Whether these are arguments of the program, whose name comes first; if not, what is said.
///
/// # Errors
/// If they are not.
#[doc(hidden)]
pub fn check_arguments(arguments: &[String]) -> Result<(), String> {
    Arguments::try_parse_from(arguments).map(drop).map_err(|error| error.to_string())
}

/// A complaint about an argument that has to be text and is not: that without whose bytes the arguments are read.
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

/// A text with its bytes that are not UTF-8 written out.
fn escaped(raw: &OsStr) -> String {
    let chunks = raw.as_encoded_bytes().utf8_chunks();
    chunks.map(|chunk| format!("{}{}", chunk.valid(), chunk.invalid().escape_ascii())).collect()
}

/// Prints the help or the version, or what is wrong with the arguments of the process. Returns the exit status.
fn explain(error: &clap::Error) -> ExitCode {
    if error.kind() == ErrorKind::InvalidUtf8 {
        complain(about_bytes(std::env::args_os().collect()));
        return ExitCode::from(BAD_INPUT);
    }
    // Help and version are not errors. clap chooses the stream.
    let is_help = !error.use_stderr();
    match error.print() {
        Err(source) if is_help && source.kind() != io::ErrorKind::BrokenPipe => {
            complain(format_args!("cannot write to {STANDARD_OUTPUT}: {source}"));
            ExitCode::from(FAILED)
        }
        _ => ExitCode::from(if is_help { 0 } else { BAD_INPUT }),
    }
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    panic_report::install();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return explain(&error),
    };
    if let Err(wrong) = fault_injection::check().and_then(|()| faults::check()) {
        complain(wrong);
        return ExitCode::from(BAD_INPUT);
    }
    if !arguments.allow_files {
        access::confine();
    }
    let is_list = matches!(arguments.command, Some(Command::Presets(_) | Command::Check(_)));
    let done = match arguments.command {
        Some(Command::View(arguments)) => view::run(&arguments),
        Some(Command::Render(arguments)) => render::run(&arguments),
        Some(Command::Compare(arguments)) => compare::run(&arguments),
        Some(Command::Sweep(arguments)) => sweep::run(&arguments),
        Some(Command::Replay(arguments)) => replay::run(&arguments),
        Some(Command::Presets(arguments)) => presets::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Check(arguments)) => check::run(&arguments),
        None => view::run_default(),
    };
    match done {
        Ok(status) => ExitCode::from(status),
        // A list that was read as far as it was wanted.
        Err(failure) if is_list && is_closed_pipe(&failure) => ExitCode::SUCCESS,
        Err(failure) => {
            complain(one_line(&failure.to_string()));
            ExitCode::from(if matches!(failure, Failure::BadInput(_)) { BAD_INPUT } else { FAILED })
        }
    }
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
