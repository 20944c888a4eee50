//! `murmuration presets`: lists the built-in presets.

use super::{say, say_json};
use crate::provenance::{KEY, program};
use murmuration_core::error::Failure;
use murmuration_core::preset::{DEFAULT, descriptions};
use serde_json::{Value, json};

/// List the built-in presets with their descriptions.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print a JSON array of {name, description, provenance} instead
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let presets = descriptions(crate::host());
    if arguments.json {
        let object = |(name, description)| json!({ "name": name, "description": description, KEY: program() });
        say_json(Value::from_iter(presets.map(object)))?;
        return Ok(0);
    }
    for (name, description) in presets {
        let default = if name == DEFAULT { " (default)" } else { "" };
        say(format_args!("{name:<12} {description}{default}"))?;
    }
    Ok(0)
}
