//! `murmuration completions` and `murmuration manual`: the commands and options as completions of a shell and as man
//! pages.

use super::say;
use crate::files::create_folder;
use clap::CommandFactory;
use clap_complete::Shell;
use murmuration_core::error::Failure;
use std::path::PathBuf;

/// Print the completions of all commands and options for a shell
#[derive(Debug, clap::Args)]
pub struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

/// Write a man page of each command into a folder
#[derive(Debug, clap::Args)]
pub struct ManualArguments {
    /// The folder of the pages, made if it is missing: murmuration.1, murmuration-render.1 and so on
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

pub fn completions(arguments: &CompletionsArguments) -> Result<u8, Failure> {
    let mut command = super::Arguments::command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    say(String::from_utf8_lossy(&script).trim_end())?;
    Ok(0)
}

pub fn manual(arguments: &ManualArguments) -> Result<u8, Failure> {
    create_folder(&arguments.out)?;
    let path = arguments.out.display().to_string();
    let failed = |source| Failure::File { action: "cannot write the man pages into", path, source };
    clap_mangen::generate_to(super::Arguments::command(), &arguments.out).map_err(failed)?;
    Ok(0)
}
