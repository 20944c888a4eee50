//! Links to runs: the part of a web address behind `#` describes a run. Browsers do not send that part to servers
//! (`docs/formats.md`, Links).
//!
//! Links come from strangers. So a link names a built-in preset and chain, or contains a replay. A link contains no
//! path, and the size of its inflated replay is limited.

pub mod gallery;
pub mod tiles;
pub mod verification;

use crate::host::host_without_files;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use form_urlencoded::Serializer;
use murmuration_core::chain::Chain;
use murmuration_core::engine::platform::SharedHost;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::numbers::BOID;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::replay::{Replay, memory_of};
use murmuration_core::text::{is_path, stem};
use murmuration_core::world::Extents;
use std::borrow::Cow;
use std::fmt;
use std::io::Read;
use std::sync::Arc;

/// The maximum size of the part of a link behind `#`, in bytes.
pub const MAX_LINK_BYTES: usize = 32 << 10;
/// The maximum size of the inflated text of a replay, in bytes.
const MAX_REPLAY_BYTES: u64 = 1 << 22;
/// The number of hexadecimal digits of a state hash in a link.
const HASH_DIGITS: usize = 64;
/// The number of hexadecimal digits of the shortened effective hash in a link.
const EFFECTIVE_DIGITS: usize = 16;

/// Punctuation that may follow a link in a sentence.
const AFTER_LINK: &str = ".,;:!?’”»>";
/// Brackets and quotes that may surround a link. Within a link they occur in pairs.
const AROUND_LINK: [(char, char); 5] = [('(', ')'), ('[', ']'), ('{', '}'), ('"', '"'), ('\'', '\'')];

const KEYS: &str = "preset, size, seed, set, chain, individuals, steps, hash, of and replay";

/// A run that a link describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The run that is played.
    pub run: LinkedRun,
    /// The first 16 hexadecimal digits of the hash of preset, settings and chain when the link was made
    /// ([`Preset::effective_hash`]); `None`: not in the link.
    pub effective: Option<String>,
}

/// The run of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkedRun {
    /// A run of a built-in preset without inputs.
    Preset {
        /// The name of the preset.
        preset: String,
        /// The changes of the preset that the link contains.
        overrides: Overrides,
        /// The name of a built-in chain; `None`: the chain of the preset.
        chain: Option<String>,
        /// The number of steps of the run; `None`: not in the link.
        steps: Option<u64>,
        /// The hash of the state after `steps` steps; `None`: not in the link.
        hash: Option<String>,
    },
    /// A run with inputs, or of a preset that is not built in.
    Replay(Arc<Replay>),
}

/// The estimated cost of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// The memory that the run needs, in bytes.
    pub memory: u64,
    /// The time that one thread of a web page needs for the whole run, in seconds.
    pub seconds: f64,
}

/// The number of seconds that one thread of a web page needs for a step of one cell.
const SECONDS_OF_CELL: f64 = 40e-9;
/// The number of seconds that one thread of a web page needs for a step of one individual.
const SECONDS_OF_INDIVIDUAL: f64 = 2e-6;

/// An error about the part of a link with this key; about the whole link if the key is empty. `cure`: the advice of the
/// message.
fn wrong(key: &str, problem: impl Into<String>, cure: impl Into<String>) -> BadInput {
    let origin = if key.is_empty() { "the link".to_owned() } else { format!("the link: {key}") };
    BadInput::new(origin, problem, cure)
}

impl Link {
    /// Whether a text is a link or an address that contains a link, and not the path of a file.
    pub fn is_link(text: &str) -> bool {
        let is_run = |run: &str| ["preset=", "replay="].iter().any(|key| run.starts_with(key));
        split_at_mark(text).is_some_and(|(base, run)| base.is_empty() || base.contains("://") || is_run(run))
    }

    /// Parses a link. Only the part of the text behind `#` is read. A text from a messenger may have `%23` for `#`, and
    /// punctuation behind the link.
    ///
    /// # Errors
    /// `BadInput`: the link is too long, or a part of it is unknown, missing or wrong.
    pub fn parse(text: &str) -> Result<Self, BadInput> {
        if text.len() > MAX_LINK_BYTES + 2048 {
            return Err(wrong(
                "",
                format!("has {} bytes", text.len()),
                format!("a link has at most {MAX_LINK_BYTES} bytes"),
            ));
        }
        let Some((_, run)) = split_at_mark(text) else {
            return Err(wrong("", "has no `#`", "a link begins with `#`, as in #preset=droplets&seed=4"));
        };
        if run.len() > MAX_LINK_BYTES {
            return Err(wrong(
                "",
                format!("has {} bytes", run.len()),
                format!("a link has at most {MAX_LINK_BYTES} bytes"),
            ));
        }
        let mut parts = LinkParts::default();
        for (key, value) in form_urlencoded::parse(run.as_bytes()) {
            parts.add(key, value.into_owned())?;
        }
        parts.link()
    }

    /// The web address in a text that contains a link, as browsers expect it: with a scheme such as `https://`, and
    /// with `#` before the run. `None`: the text has no address before the run.
    pub fn address(text: &str) -> Option<String> {
        let (base, run) = split_at_mark(text).filter(|(base, _)| !base.is_empty())?;
        let scheme = if base.contains("://") { "" } else { "https://" };
        Some(format!("{scheme}{base}#{run}"))
    }

    /// The link of the built-in preset with a name, without a number of steps and a hash.
    pub fn from_preset(preset: &str) -> Self {
        let overrides = Overrides::default();
        let preset = preset.to_owned();
        Self { run: LinkedRun::Preset { preset, overrides, chain: None, steps: None, hash: None }, effective: None }
    }

    /// The link of a run whose last state is known. A run of a built-in preset without inputs is stored with the name
    /// of the preset. Any other run is stored as a replay.
    ///
    /// # Errors
    /// `BadInput`: the run cannot be loaded, or needs files that the replay does not contain.
    pub fn from_replay(host: &SharedHost, replay: Arc<Replay>) -> Result<Self, BadInput> {
        let (preset, chain) = replay.load(host)?;
        let effective = Some(shortened(&preset.effective_hash(&chain)));
        let source = &replay.preset;
        let name = stem(&source.origin);
        let is_built_in = host.library().preset(&name) == Some(&source.text) && !is_path(&*replay.chain);
        if !is_built_in || !replay.events.is_empty() || source.overrides.scales_boids {
            return Ok(Self { run: LinkedRun::Replay(replay), effective });
        }
        let own_chain = preset.load_chain(None)?;
        let chain = (chain.name != own_chain.name).then_some(chain.name);
        let steps = Some(replay.steps);
        let hash = Some(replay.state_hash.clone());
        let run = LinkedRun::Preset { preset: name, overrides: source.overrides.clone(), chain, steps, hash };
        Ok(Self { run, effective })
    }

    /// Loads the preset and the chain of the link. No file is read.
    ///
    /// # Errors
    /// `BadInput`: the preset, the chain or a setting is unknown or wrong, or names a file.
    pub fn load(&self) -> Result<(Preset, Chain), Failure> {
        let host = host_without_files();
        match &self.run {
            LinkedRun::Preset { preset, overrides, chain, .. } => {
                let preset = Preset::load(host, preset, overrides)?;
                let chain = preset.load_chain(chain.as_ref().map(AsRef::as_ref))?;
                Ok((preset, chain))
            }
            LinkedRun::Replay(replay) => Ok(replay.load(host)?),
        }
    }

    /// Whether the effective hash of preset and chain differs from the hash in the link. Then the preset, the chain or
    /// the link was changed. False if the link has no effective hash.
    pub fn is_of_another_version(&self, preset: &Preset, chain: &Chain) -> bool {
        self.effective.as_ref().is_some_and(|effective| *effective != shortened(&preset.effective_hash(chain)))
    }

    /// The run as a replay, with the hash of its last state; `None`: the link has no hash. `preset` and `chain`: the
    /// results of [`Self::load`].
    pub fn replay(&self, preset: &Preset, chain: &Chain) -> Option<Arc<Replay>> {
        match &self.run {
            LinkedRun::Replay(replay) => Some(replay.clone()),
            LinkedRun::Preset { steps: Some(steps), hash: Some(hash), .. } => {
                Some(Arc::new(Replay::of_steps(preset, chain, *steps, hash.clone())))
            }
            LinkedRun::Preset { .. } => None,
        }
    }

    /// The number of steps, and the hash of the state after the last step; `None`: the link lacks one of them.
    pub fn end(&self) -> Option<(u64, &str)> {
        match &self.run {
            LinkedRun::Preset { steps, hash, .. } => steps.zip(hash.as_deref()),
            LinkedRun::Replay(replay) => Some((replay.total_steps(), &replay.state_hash)),
        }
    }

    /// The estimated memory and time of the whole run with its run-in, up to the number of steps in the link.
    /// `bytes_a_cell`: the bytes that an engine needs for each cell ([`memory`](murmuration_core::world::memory)).
    /// `preset`: the result of [`Self::load`].
    pub fn cost(&self, preset: &Preset, bytes_a_cell: u64) -> Cost {
        let steps = self.end().map_or(0, |(steps, _)| steps);
        let events = match &self.run {
            LinkedRun::Replay(replay) => replay.events.as_slice(),
            LinkedRun::Preset { .. } => &[],
        };
        let memory = memory_of(preset, events, bytes_a_cell);
        let seconds_of_step = match &preset.individuals {
            Some(_) => (preset.start_spec.quanta() / u64::from(BOID)) as f64 * SECONDS_OF_INDIVIDUAL,
            None => (preset.layers() * preset.size().cells()) as f64 * SECONDS_OF_CELL,
        };
        let steps = steps.saturating_add(preset.start_spec.run_in()).saturating_add(1);
        Cost { memory, seconds: steps as f64 * seconds_of_step }
    }

    /// The text of the link, which begins with `#`.
    ///
    /// # Errors
    /// `BadInput`: the text would be longer than [`MAX_LINK_BYTES`].
    pub fn write(&self) -> Result<String, BadInput> {
        let mut text = Serializer::for_suffix(String::from("#"), 1);
        let mut add = |key: &str, value: &str| {
            text.append_pair(key, value);
        };
        match &self.run {
            LinkedRun::Preset { preset, overrides, chain, steps, hash } => {
                add("preset", preset);
                overrides.written_size().iter().for_each(|size| add("size", size));
                overrides.seed.iter().for_each(|seed| add("seed", &seed.to_string()));
                overrides.individuals.then(|| add("individuals", "true"));
                overrides.set.iter().for_each(|set| add("set", set));
                chain.iter().for_each(|chain| add("chain", chain));
                steps.iter().for_each(|steps| add("steps", &steps.to_string()));
                hash.iter().for_each(|hash| add("hash", hash));
            }
            LinkedRun::Replay(replay) => add("replay", &deflate(replay)),
        }
        self.effective.iter().for_each(|effective| add("of", effective));
        let text = text.finish();
        if text.len() - 1 > MAX_LINK_BYTES {
            let problem = format!("would have {} bytes, and may have {MAX_LINK_BYTES}", text.len() - 1);
            return Err(wrong("", problem, "save the replay as a file instead"));
        }
        Ok(text)
    }
}

impl fmt::Display for Link {
    /// Writes a description of the run for users.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.run {
            LinkedRun::Preset { preset, overrides, steps, .. } => {
                f.write_str(preset)?;
                overrides.written_size().map_or(Ok(()), |size| write!(f, " {size}"))?;
                overrides.seed.map_or(Ok(()), |seed| write!(f, ", seed {seed}"))?;
                overrides.set.iter().try_for_each(|set| write!(f, ", {set}"))?;
                steps.map_or(Ok(()), |steps| write!(f, ", {steps} steps"))
            }
            LinkedRun::Replay(replay) => {
                write!(f, "a replay of {}, {} steps", stem(&replay.preset.origin), replay.total_steps())
            }
        }
    }
}

/// Splits a text at `#` into the address and the run. `None`: the text has no `#`.
fn split_at_mark(text: &str) -> Option<(&str, &str)> {
    let (base, run) = text.trim().split_once('#').or_else(|| text.trim().split_once("%23"))?;
    Some((base, trimmed(run)))
}

/// The text of a run without the punctuation and the brackets that surround it in a sentence.
fn trimmed(run: &str) -> &str {
    let run = run.trim_end_matches(|letter: char| letter.is_whitespace() || AFTER_LINK.contains(letter));
    let count = |sign: char| run.matches(sign).count();
    let is_behind = |(open, close): &(char, char)| {
        let has_partner = if open == close { count(*close) % 2 == 0 } else { count(*close) <= count(*open) };
        run.ends_with(*close) && !has_partner
    };
    match AROUND_LINK.iter().find(|pair| is_behind(pair)) {
        Some((_, close)) => trimmed(&run[..run.len() - close.len_utf8()]),
        None => run,
    }
}

/// Checks that the value of a key is a name of a built-in preset or chain, not a path.
fn bare_name(key: &str, name: String) -> Result<String, BadInput> {
    if is_path(&name) || name.contains(':') {
        return Err(wrong(
            key,
            format!("`{name}` is a path or an address"),
            "a link names what is built in, and no files",
        ));
    }
    Ok(name)
}

fn number(key: &str, text: &str) -> Result<u64, BadInput> {
    let parsed = text.parse().ok().filter(|number| *number <= i64::MAX as u64);
    parsed.ok_or_else(|| wrong(key, format!("`{text}` is not a whole number"), format!("from 0 to {}", i64::MAX)))
}

fn digits(key: &str, text: String, count: usize) -> Result<String, BadInput> {
    let is_hash = text.len() == count && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    is_hash
        .then_some(text)
        .ok_or_else(|| wrong(key, "is no hash", format!("{count} hexadecimal digits, in small letters")))
}

/// The first [`EFFECTIVE_DIGITS`] digits of an effective hash.
fn shortened(hash: &str) -> String {
    hash.chars().take(EFFECTIVE_DIGITS).collect()
}

fn deflate(replay: &Replay) -> String {
    let mut deflated = ZlibEncoder::new(Vec::new(), Compression::best());
    let written = serde_json::to_writer(&mut deflated, replay).map_err(Into::into);
    let bytes = written.and_then(|()| deflated.finish()).expect("a replay is written into memory");
    URL_SAFE_NO_PAD.encode(bytes)
}

fn inflate(text: &str) -> Result<Replay, BadInput> {
    let cure = "copy the whole link";
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|error| wrong("replay", error.to_string(), cure))?;
    let mut replay = String::new();
    let mut inflated = ZlibDecoder::new(&bytes[..]).take(MAX_REPLAY_BYTES + 1);
    inflated.read_to_string(&mut replay).map_err(|error| wrong("replay", format!("is damaged: {error}"), cure))?;
    if replay.len() as u64 > MAX_REPLAY_BYTES {
        return Err(wrong("replay", format!("is longer than {MAX_REPLAY_BYTES} bytes"), "send it as a file"));
    }
    Replay::from_json("the link: replay", &replay)
}

/// The keys and values of a link that were read up to now.
#[derive(Default)]
struct LinkParts<'a> {
    /// The keys that were read up to now.
    known: Vec<Cow<'a, str>>,
    preset: Option<String>,
    chain: Option<String>,
    overrides: Overrides,
    steps: Option<u64>,
    hash: Option<String>,
    effective: Option<String>,
    replay: Option<Replay>,
}

impl<'a> LinkParts<'a> {
    /// Stores a key with its value.
    fn add(&mut self, key: Cow<'a, str>, value: String) -> Result<(), BadInput> {
        if key != "set" && self.known.contains(&key) {
            return Err(wrong(&key, "stands twice", "leave one of them"));
        }
        match &*key {
            "preset" => self.preset = Some(bare_name(&key, value)?),
            "chain" => self.chain = Some(bare_name(&key, value)?),
            "size" => {
                let size: Extents = value
                    .parse()
                    .map_err(|problem: String| wrong(&key, problem, "write it as WxH or WxHxD, as in 256x256"))?;
                self.overrides.size = Some((size.width, size.height));
                self.overrides.depth = size.depth;
            }
            "seed" => self.overrides.seed = Some(number(&key, &value)?),
            "set" => self.overrides.set.push(value),
            "individuals" if value == "true" => self.overrides.individuals = true,
            "individuals" => return Err(wrong(&key, format!("is `{value}`"), "write true, or leave it out")),
            "steps" => self.steps = Some(number(&key, &value)?),
            "hash" => self.hash = Some(digits(&key, value, HASH_DIGITS)?),
            "of" => self.effective = Some(digits(&key, value, EFFECTIVE_DIGITS)?),
            "replay" => self.replay = Some(inflate(&value)?),
            _ => {
                let cure = format!("the link was changed: take `{key}` away; the keys of a link are {KEYS}");
                return Err(wrong(&key, "is not known", cure));
            }
        }
        self.known.push(key);
        Ok(())
    }

    /// The link that all stored keys give.
    fn link(self) -> Result<Link, BadInput> {
        let Self { known, preset, chain, overrides, steps, hash, effective, replay } = self;
        let run = match (preset, replay) {
            (Some(preset), None) => {
                if hash.is_some() && steps.is_none() {
                    return Err(wrong("hash", "stands without steps", "name the step that has this hash"));
                }
                LinkedRun::Preset { preset, overrides, chain, steps, hash }
            }
            (None, Some(replay)) => {
                if !known.iter().all(|key| matches!(&**key, "replay" | "of")) {
                    let cure = "a replay brings all of them; it takes `of` alone";
                    return Err(wrong("replay", "stands beside other keys", cure));
                }
                LinkedRun::Replay(Arc::new(replay))
            }
            (Some(_), Some(_)) => return Err(wrong("replay", "stands beside a preset", "leave one of them")),
            (None, None) => return Err(wrong("", "names neither a preset nor a replay", "write #preset=NAME")),
        };
        Ok(Link { run, effective })
    }
}

#[cfg(test)]
mod tests;
