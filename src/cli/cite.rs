//! `murmuration cite`: a run as an entry of a bibliography.

use super::say;
use crate::files::read_short_replay;
use crate::link::{Link, LinkedRun};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::simulation::replay::LONGEST;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// Print a BibTeX entry of a run: its version, its steps and the hash by which others can check it.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A link (`#…`, or a whole address) or a saved replay (.json)
    #[arg(value_name = "LINK|FILE")]
    run: String,
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let run = &arguments.run;
    let link = match Link::is_link(run) {
        true => Link::parse(run)?,
        false => {
            Link { run: LinkedRun::Replay(Arc::new(read_short_replay(Path::new(run), LONGEST)?)), effective: None }
        }
    };
    let (preset, chain) = link.load()?;
    let Some((steps, hash)) = link.end() else {
        let cure = "make one with `murmuration link PRESET --steps N`";
        return Err(BadInput::new("the link", "tells no hash, by which others could check the run", cure).into());
    };
    let address = if run.contains("://") { format!("  howpublished = {{\\url{{{run}}}}},\n") } else { String::new() };
    say(format_args!(
        "@misc{{murmuration-{name}-{short},\n  title = {{Murmuration: {name}, {size}, seed {seed}, {steps} steps}},\n  \
         year = {{{year}}},\n{address}  note = {{Murmuration {version}, chain {chain}. BLAKE3 of the state after {steps} \
         steps: {hash}. BLAKE3 of the preset and the chain as they take effect: {effective}}},\n}}",
        name = preset.name,
        short = &hash[..8.min(hash.len())],
        size = preset.size(),
        seed = preset.seed,
        year = year(),
        version = env!("CARGO_PKG_VERSION"),
        chain = chain.name,
        effective = preset.effective_hash(&chain),
    ))?;
    Ok(0)
}

/// The present year, by the mean length of years.
fn year() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    1970 + since.as_secs() / 31_556_952
}
