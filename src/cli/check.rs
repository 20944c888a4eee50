//! `murmuration check`: parses and validates presets, chains, sweeps, atlases and kernels without a device.

use super::options::PresetOptions;
use super::{BAD_INPUT, complain, say, say_json, with_option};
use crate::files::{access, reading};
use crate::link::Link;
use crate::link::tiles::TileSheet;
use crate::provenance::{KEY, Provenance, program};
use crate::soundness::{check_passes, check_preset};
use crate::sweep::atlas::Atlas;
use crate::sweep::reproduce::Experiment;
use crate::sweep::{Request, Sweep};
use murmuration_core::cells::sight::Sight;
use murmuration_core::chain::look_plan::LookPlan;
use murmuration_core::chain::plan::Plan;
use murmuration_core::chain::table::{FieldKind, Model};
use murmuration_core::chain::{Chain, is_chain};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::numbers::RULE_ONE;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::state::fields::Texel;
use murmuration_core::text::{is_path, one_line, stem};
use murmuration_core::world::{Edges, Extents};
use murmuration_gpu::{look, shader};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Check presets, chains, sweeps, experiments, atlases and sheets of tiles (.toml), kernels (.wgsl) and built-in
/// presets by their names.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Presets, chains, sweeps, experiments, atlases and kernels
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    overrides: PresetOptions,
    /// Print the preset as it takes effect, with all that replaces its numbers, for a file in the working folder
    #[arg(long, conflicts_with = "json")]
    print: bool,
    /// Print a JSON array with an object for each file instead
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let mut objects = Vec::new();
    let mut status = 0;
    if arguments.print {
        let [file] = &arguments.files[..] else {
            return Err(BadInput::new("--print", "there are several files", "name one preset").into());
        };
        return print(file, &arguments.overrides).map(|()| 0);
    }
    for file in &arguments.files {
        let (kind, checked) = check(file, &arguments.overrides);
        let file = file.display().to_string();
        if checked.is_err() {
            status = BAD_INPUT;
        }
        match checked.map_err(with_option) {
            Ok(record) if arguments.json => {
                objects.push(json!({ "file": file, "kind": kind, "ok": true, KEY: record }));
            }
            Ok(_) => say(format_args!("ok  {file} ({})", kind.unwrap_or_default()))?,
            Err(wrong) if arguments.json => objects.push(json!({
                "file": file, "kind": kind, "ok": false,
                "origin": wrong.origin, "line": wrong.line, "key": wrong.key, "problem": wrong.problem,
                "cure": wrong.cure,
                KEY: program(),
            })),
            Err(wrong) => complain(one_line(&wrong.to_string())),
        }
    }
    if arguments.json {
        say_json(json!(objects))?;
    }
    Ok(status)
}

/// The kind of a file, by its name and text. Kinds that are not presets have the text.
enum Content {
    Preset,
    Chain(String),
    Sweep(String),
    Experiment(String),
    Atlas(String),
    Tiles(String),
    Kernel(String),
}

impl Content {
    /// Reads a file. If the file does not exist, a path without an extension names a built-in preset.
    fn read(path: &Path) -> Result<Self, BadInput> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        if ending.is_none() && !is_path(path) && !path.exists() {
            return Ok(Self::Preset);
        }
        access::name(path);
        let text = reading::text(path)?;
        match ending {
            Some("wgsl") => Ok(Self::Kernel(text)),
            Some("toml") if Experiment::is_experiment(&text) => Ok(Self::Experiment(text)),
            Some("toml") if Atlas::is_atlas(&text) => Ok(Self::Atlas(text)),
            Some("toml") if TileSheet::is_sheet(&text) => Ok(Self::Tiles(text)),
            Some("toml") if Request::is_sweep(&text) => Ok(Self::Sweep(text)),
            Some("toml") if is_chain(&text) => Ok(Self::Chain(text)),
            Some("toml") => Ok(Self::Preset),
            _ => {
                let (problem, cure) = ("neither a preset, a chain nor a kernel", "their names end in .toml or .wgsl");
                Err(BadInput::new(path.display().to_string(), problem, cure))
            }
        }
    }

    /// The kind with its article, such as `a chain`, for messages.
    fn described(&self) -> String {
        let article = if matches!(self, Self::Experiment(_) | Self::Atlas(_)) { "an" } else { "a" };
        format!("{article} {}", self.kind())
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Preset => "preset",
            Self::Chain(_) => "chain",
            Self::Sweep(_) => "sweep",
            Self::Experiment(_) => "experiment",
            Self::Atlas(_) => "atlas",
            Self::Tiles(_) => "sheet of tiles",
            Self::Kernel(_) => "kernel",
        }
    }
}

/// Checks a file. Returns the kind of the file, and the provenance that results of it would have.
fn check(path: &Path, overrides: &PresetOptions) -> (Option<&'static str>, Result<Value, BadInput>) {
    let content = match Content::read(path) {
        Ok(content) => content,
        Err(wrong) => return (None, Err(wrong)),
    };
    let file = &*path.display().to_string();
    let checked = match &content {
        Content::Preset => load(path, overrides).and_then(|(preset, chain)| {
            check_preset(&preset, &chain)?;
            Ok(Provenance::from_preset(&preset, &chain).record(0))
        }),
        _ if overrides.is_any() => {
            let problem = format!("is {}, and --set, --size, --seed and --chain are for presets", content.described());
            Err(BadInput::new(file, problem, "check it by itself"))
        }
        Content::Chain(text) => check_chain(path, text).map(|()| program()),
        Content::Sweep(text) => {
            let sweep = |request| Sweep::new(crate::host(), request).map_err(|failure| bad_input(path, failure));
            check_sweep(Request::from_text(path, text).and_then(sweep))
        }
        Content::Experiment(text) => {
            let read = Experiment::from_text(crate::host(), path, text).map_err(|failure| bad_input(path, failure));
            check_sweep(read.map(|(_, sweep)| sweep))
        }
        Content::Atlas(text) => {
            let read = Atlas::from_text(crate::host(), path, text).map_err(|failure| bad_input(path, failure));
            check_sweep(read.map(|atlas| atlas.sweep))
        }
        Content::Tiles(text) => TileSheet::parse(file, text).and_then(|sheet| {
            sheet.tile.iter().try_for_each(|tile| {
                let link = Link::parse(&tile.link)?;
                link.load().map(drop).map_err(|failure| bad_input(path, failure))
            })?;
            Ok(program())
        }),
        Content::Kernel(text) => check_kernel(file, &stem(path), text).map(|()| program()),
    };
    (Some(content.kind()), checked)
}

/// Loads a preset with its overrides and its chain, as the command `render` does.
fn load(path: &Path, overrides: &PresetOptions) -> Result<(Preset, Chain), BadInput> {
    overrides.load(path, false).map_err(|failure| match failure {
        Failure::BadInput(wrong) => wrong,
        other => BadInput::new(path.display().to_string(), other.to_string(), "free memory, or try again"),
    })
}

/// Prints the text of a preset after all overrides, such as `--set`.
fn print(path: &Path, overrides: &PresetOptions) -> Result<(), Failure> {
    let content = Content::read(path)?;
    if !matches!(content, Content::Preset) {
        let problem = format!("is {}, and takes effect as it is", content.described());
        return Err(BadInput::new(path.display().to_string(), problem, "name a preset").into());
    }
    let (preset, chain) = load(path, overrides)?;
    check_preset(&preset, &chain)?;
    let folder = std::path::absolute(".").map_err(|source| Failure::File {
        action: "cannot find",
        path: "the working folder".into(),
        source,
    })?;
    let text = preset.as_text(&*chain.named, &folder, None)?;
    let origin = folder.join(format!("{}.toml", preset.name));
    preset.check_saved(&origin, &text)?;
    let again = Preset::from_text(preset.host(), &origin, &text, &Overrides::default())?;
    if again.effective_hash(&again.load_chain(None)?) != preset.effective_hash(&chain) {
        let problem = format!("{} would be another preset than the one that takes effect", origin.display());
        return Err(Failure::Broken(problem));
    }
    say(text.trim_end())
}

/// Checks a kernel. A kernel of the cells is a function of a cell, and a kernel of the look a function of a pixel. Any
/// other text is a shared file, or a file of the individuals or the look, or a replacement of such a file under its
/// name.
fn check_kernel(file: &str, name: &str, text: &str) -> Result<(), BadInput> {
    let library = crate::host().library();
    let is_of = |model: Model| library.text(&model.table().path(name)).is_some();
    let is_shared_by_individuals =
        Model::Individuals.table().shared.iter().any(|path| library.text(path) == Some(text));
    if murmuration_gpu::is_shared(library, text) {
        murmuration_gpu::check_shared(library, file, text)
    } else if shader::is_cell_kernel(text, name) {
        shader::check_kernel(library, file, name, text)
    } else if is_of(Model::Look) || shader::is_pixel_kernel(text, name) {
        look::shader::check_kernel(library, file, name, text)
    } else if is_shared_by_individuals || is_of(Model::Individuals) {
        murmuration_gpu::individuals::check_file(library, file, name, text)
    } else {
        shader::check_kernel(library, file, name, text)
    }
}

/// Prints the notes of a sweep, which was checked with every combination of its values when it was read. Returns the
/// provenance of its plan.
fn check_sweep(sweep: Result<Sweep, BadInput>) -> Result<Value, BadInput> {
    let sweep = sweep?;
    sweep.notes.iter().for_each(super::remark);
    Ok(sweep.plan.record())
}

/// Converts a failure in a file's sweep to bad input. Any other failure names the file.
fn bad_input(path: &Path, failure: Failure) -> BadInput {
    match failure {
        Failure::BadInput(wrong) => wrong,
        other => BadInput::new(path.display().to_string(), other.to_string(), ""),
    }
}

/// Checks a chain with a weight for every rule and a sight for every pass. The chain is checked in a flat world and in
/// a deep world, if its kernels are for both.
fn check_chain(path: &Path, text: &str) -> Result<(), BadInput> {
    let file = &*path.display().to_string();
    let chain = Chain::read(crate::host().as_ref(), &stem(path), file, text, path.parent())?;
    match chain.model {
        Model::Cell => {}
        Model::Individuals => return murmuration_gpu::individuals::check(crate::host().library(), &chain),
        Model::Look => return look::shader::check(crate::host().library(), &LookPlan::new(&chain)?),
    }
    let reference = crate::host().library().preset("reference").unwrap_or_default();
    let mut preset = Preset::from_text(crate::host(), "presets/reference.toml", reference, &Overrides::default())?;
    let rules = chain.fields.iter().filter(|(_, kind)| **kind == FieldKind::Texel(Texel::Vector));
    preset.rules.weights = rules.map(|(name, _)| (name.clone(), RULE_ONE)).collect();
    preset.world.solids = Default::default();
    let mut worlds = vec![2, 3];
    worlds.retain(|axes| chain.passes.iter().all(|pass| pass.axes.contains(axes)));
    if worlds.is_empty() {
        // Some kernels of the chain are for flat worlds only, and others for deep worlds only. The plan for a flat
        // world fails with an error that names them.
        worlds.push(2);
    }
    for axes in worlds {
        let sight = if axes == 2 { Sight::square(1) } else { Sight::cube(1) };
        let sight = sight.map_err(|problem| BadInput::new(file, problem, ""))?;
        preset.world.extents = if axes == 2 { Extents::flat(64, 64) } else { Extents::deep(16, 16, 16) };
        preset.rules.sights.values_mut().for_each(|own| *own = sight.clone());
        for pass in &chain.passes {
            let own = pass.kernel.signature.map_or(&[][..], |signature| signature.rules);
            for name in pass.sight.clone().into_iter().chain(own.iter().map(ToString::to_string)) {
                preset.rules.sights.insert(name, sight.clone());
            }
        }
        // All layers have equal passes, so only the first layer is checked.
        let mut plan = Plan::of_alike(crate::host().library(), &chain, &preset.rules, &preset.world)?;
        plan.phases[0].retain(|pass| pass.layer == 0);
        for edges in [Edges::Torus, Edges::Walls] {
            preset.world.edges = edges;
            check_passes(&plan, &preset.rules.sights, &preset.world)?;
        }
    }
    Ok(())
}
