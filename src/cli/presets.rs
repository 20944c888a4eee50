//! `murmuration presets`.

use super::say;
use crate::error::Failure;
use serde_json::json;

/// List the built-in presets with their descriptions.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print a JSON array of {name, description} instead
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    if arguments.json {
        let presets: Vec<_> = crate::preset::descriptions(crate::host())
            .map(|(name, description)| json!({ "name": name, "description": description }))
            .collect();
        say(json!(presets))?;
        return Ok(0);
    }
    for (name, description) in crate::preset::descriptions(crate::host()) {
        let default = if name == crate::preset::DEFAULT { " (default)" } else { "" };
        say(format_args!("{name:<12} {description}{default}"))?;
    }
    Ok(0)
}
