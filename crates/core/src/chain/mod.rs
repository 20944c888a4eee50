//! Chains: the kernels of a step or of a picture, their order, and the fields that they read and write.
//!
//! A chain is data, of the cell system, of individuals or of the look. Its file is read into a [`Chain`] (`reading`),
//! with all kernels found and the flow of all fields checked (`flow`). The kernels of the models are in their tables
//! ([`table`]). A chain becomes a plan, which engines and pictures play:
//!
//! - a chain of the cell system, with the numbers of a preset, a [`plan::Plan`];
//! - a chain of individuals an [`individuals_plan::IndividualsPlan`];
//! - a chain of the look a [`look_plan::LookPlan`].

mod cells;
mod flow;
mod individuals;
pub mod individuals_plan;
mod look;
pub mod look_plan;
mod models;
pub mod names;
pub mod plan;
mod reading;
mod signature;
pub mod table;

pub use individuals::{NOTING, SUM_ENERGY, outside_of_chains};
pub use reading::is_chain;

use crate::cells::BuiltInKernel;
use crate::error::BadInput;
use crate::host::Host;
use crate::host::contents::Texts;
use crate::host::file_path::FilePath;
use crate::host::library::Library;
use crate::individuals::search::SearchKind;
use names::split_name;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use table::{FieldKind, Invocation, KernelSignature, Model};

/// The chain of the cell system that is played if none is named.
pub const DEFAULT: &str = "cell-fast";
/// The chain of individuals that is played if none is named.
pub const DEFAULT_OF_INDIVIDUALS: &str = "agents-grid";
/// The built-in chain of the look.
pub const DEFAULT_OF_LOOK: &str = "glow";
/// The chain of the look in the style dusk.
pub const LOOK_AT_DUSK: &str = "dusk";
/// The chain of the look that shows a deep swarm as a cloud.
pub const LOOK_OF_CLOUD: &str = "cloud";
/// The chain of the look that shows values to be read.
pub const LOOK_OF_VALUES: &str = "values";

/// A kernel's source.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// The name of its function, and of its file without the ending.
    pub name: String,
    /// The origin of its text, as errors name it.
    pub origin: String,
    /// The WGSL text; empty for a kernel without a shader.
    pub text: String,
    /// The row in the table of the model of the built-in kernel that this kernel is or replaces. `None`: a user's
    /// kernel with parameters of its own.
    pub signature: Option<&'static KernelSignature>,
    /// Whether the text belongs to the program.
    pub is_built_in: bool,
}

impl Kernel {
    /// The kernel in Rust. Only built-in kernels of the cell system have one.
    pub fn cpu(&self) -> Option<BuiltInKernel> {
        self.signature.filter(|_| self.is_built_in).and_then(|signature| signature.cpu)
    }

    /// Whether the kernel computes rules itself, each with a sight of its own.
    pub fn works_out_rules(&self) -> bool {
        self.signature.is_some_and(|signature| !signature.rules.is_empty())
    }
}

/// A pass of a checked chain.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    /// The kernel that it runs.
    pub kernel: Kernel,
    /// The kind of items, such as cells, for each of which the kernel runs once.
    pub invocation: Invocation,
    /// The numbers of axes of the worlds that its kernel is written for.
    pub axes: &'static [usize],
    /// The name of the kernel's sight in the preset. `None`: the kernel looks through no sight of its own.
    pub sight: Option<String>,
    /// Names of the fields that the pass reads. The fields of a built-in kernel come in the order of its signature,
    /// then the control vectors to be summed.
    pub read: Vec<String>,
    /// Names of the fields that it writes, in the order of the kernel.
    pub write: Vec<String>,
    pub(crate) place: Place,
}

/// The file and line of an item of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    file: String,
    line: usize,
}

impl Place {
    fn bad(&self, problem: impl Into<String>, cure: impl Into<String>) -> BadInput {
        BadInput::new(&self.file, problem, cure).at_line(self.line)
    }
}

impl Pass {
    /// The control vectors that it reads in order to sum them.
    pub fn summed(&self) -> &[String] {
        let signature = self.kernel.signature.filter(|signature| signature.has_sum);
        signature.map_or(&[], |signature| &self.read[signature.read.len()..])
    }

    /// Checks that the kernel is written for worlds with this number of axes.
    ///
    /// # Errors
    /// If the kernel is not.
    pub fn check_axes(&self, axes: usize) -> Result<(), BadInput> {
        if self.axes.contains(&axes) {
            return Ok(());
        }
        let name = &self.kernel.name;
        let (world, cure) = match (axes, self.kernel.is_built_in) {
            (2, true) => ("flat", "play a chain of flat worlds, such as cell or cell-fast"),
            (_, true) => ("deep", "play a chain of deep worlds: cell-deep or cell-fast"),
            (2, false) => ("flat", "give the world a third extent, or write axes = 2 if the kernel is written for it"),
            (_, false) => ("deep", "take the third extent away, or write axes = 3 if the kernel is written for it"),
        };
        Err(self.bad("axes", format!("`{name}` is not written for {world} worlds"), cure))
    }

    /// Whether it draws over the existing pixels.
    pub fn keeps(&self) -> bool {
        self.kernel.signature.is_some_and(|signature| signature.drawing.blend.keeps())
    }

    /// An error at one of the pass's keys.
    fn bad(&self, key: &str, problem: impl Into<String>, cure: impl Into<String>) -> BadInput {
        self.place.bad(problem, cure).at_key(key)
    }
}

/// A checked chain. Every kernel exists. Every field between passes is written once, and is read after this.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chain {
    /// The name of its file without the ending.
    pub name: String,
    /// The path or name of the chain, as messages say it.
    pub origin: String,
    /// The name or path with which it was loaded.
    pub named: FilePath,
    /// A description in one line of the system that the chain plays.
    pub description: String,
    /// The model that it is written for.
    pub model: Model,
    /// The method by which individuals find their neighbours; `None` in the other models.
    pub search: Option<SearchKind>,
    /// Whether the sum of the density stays the same.
    pub conserves: bool,
    /// The kinds of all fields: given fields, and fields between passes.
    pub fields: BTreeMap<String, FieldKind>,
    /// The passes, in the order in which they run.
    pub passes: Vec<Pass>,
    /// The weights (Q10) of control vectors, for presets that do not name them.
    pub weights: BTreeMap<String, i32>,
    /// The declarations of the fields between passes.
    declared: BTreeMap<String, Place>,
    /// The texts that were read from disk: the chain, the chains that it extends, and their kernels.
    pub files: Texts,
}

impl Chain {
    /// Loads a built-in chain by name, or a chain's file by its path.
    ///
    /// # Errors
    /// If there is no such chain, or if the chain or a kernel's file that it names has an error.
    pub fn load(host: &dyn Host, name_or_path: impl AsRef<Path>) -> Result<Self, BadInput> {
        Self::load_from(host, name_or_path, &mut Texts::default())
    }

    /// As [`Chain::load`], but reads no file from disk whose text is in `texts`. Texts that are read are added to
    /// `texts`, also if there is an error.
    ///
    /// # Errors
    /// As [`Chain::load`].
    pub fn load_from(host: &dyn Host, name_or_path: impl AsRef<Path>, texts: &mut Texts) -> Result<Self, BadInput> {
        let name_or_path = name_or_path.as_ref();
        let chain = reading::load(name_or_path, None, &mut reading::Files::new(host, texts))?;
        Ok(Self { named: name_or_path.into(), files: texts.clone(), ..chain })
    }

    /// Reads and checks the text of a chain. Its paths are relative to `folder`.
    ///
    /// # Errors
    /// As [`Chain::load`].
    pub fn read(
        host: &dyn Host,
        name: &str,
        origin: &str,
        text: &str,
        folder: Option<&Path>,
    ) -> Result<Self, BadInput> {
        reading::read(name, origin, text, folder, &mut reading::Files::new(host, &mut Texts::default()))
    }

    /// The names of the built-in chains of a model.
    pub fn names(library: &Library, model: Model) -> impl Iterator<Item = &'static str> {
        let key = format!("model = {:?}", model.name());
        let chains = library.folder("passes");
        chains.filter(move |(_, text)| text.lines().any(|line| line == key)).map(|(name, _)| name)
    }

    /// Whether a field exists without a pass that writes it. `name` may name a field of another layer.
    pub fn is_given(&self, name: &str) -> bool {
        self.model.table().given(split_name(name).0).is_some()
    }

    /// The kind of a field of this layer or of another layer.
    fn kind_of(&self, name: &str) -> Option<FieldKind> {
        match split_name(name) {
            (field, Some(_)) if self.model == Model::Cell && plan::STATE.contains(&field) => self.fields.get(field),
            (_, Some(_)) => None,
            (field, None) => self.fields.get(field),
        }
        .copied()
    }

    /// The names of the other layers (species) whose fields the passes of this chain read.
    pub fn species_named(&self) -> BTreeSet<&str> {
        self.passes.iter().flat_map(|pass| &pass.read).filter_map(|name| split_name(name).1).collect()
    }

    /// The field whose memory a field uses: the first of the fields that were replaced in place, or the field itself.
    pub fn memory_of<'a>(&'a self, name: &'a str) -> &'a str {
        let pairs =
            self.passes.iter().filter_map(|pass| pass.kernel.signature).flat_map(|signature| signature.in_place);
        pairs.into_iter().find(|[by, _]| *by == name).map_or(name, |[_, gone]| self.memory_of(gone))
    }

    /// The phases of a step of individuals on the CPU.
    pub fn phases(&self) -> impl Iterator<Item = &'static str> {
        self.passes.iter().filter_map(|pass| pass.kernel.signature).flat_map(|signature| signature.phases).copied()
    }

    /// The system for worlds with this number of axes, with one pass for every rule as in `cell` or `cell-deep`. Passes
    /// that do the work of several passes are replaced by those passes.
    ///
    /// # Panics
    /// If the built-in chain cannot be read.
    pub fn rule_by_rule(&self, host: &dyn Host, axes: usize) -> Self {
        let (cell, movement): (_, &[BuiltInKernel]) = match axes {
            2 => ("cell", &[BuiltInKernel::Outflow, BuiltInKernel::Advect]),
            _ => (
                "cell-deep",
                &[BuiltInKernel::OutflowAlongAxes, BuiltInKernel::OutflowAlongDiagonals, BuiltInKernel::AdvectInSpace],
            ),
        };
        let cell = Self::load(host, cell).expect("the built-in chains are sound");
        let behaviour = [
            BuiltInKernel::Cohesion,
            BuiltInKernel::Separation,
            BuiltInKernel::Alignment,
            BuiltInKernel::Hunter,
            BuiltInKernel::Walls,
            BuiltInKernel::Roost,
            BuiltInKernel::Steer,
        ];
        let mut chain = Self { passes: Vec::new(), ..self.clone() };
        for pass in &self.passes {
            let several: &[BuiltInKernel] = match pass.kernel.cpu() {
                Some(BuiltInKernel::Behaviour) => &behaviour,
                Some(BuiltInKernel::Movement) => movement,
                _ => {
                    chain.passes.push(pass.clone());
                    continue;
                }
            };
            let of_cell =
                cell.passes.iter().filter(|pass| pass.kernel.cpu().is_some_and(|kernel| several.contains(&kernel)));
            for single in of_cell {
                let mut single = single.clone();
                if single.kernel.cpu() == Some(BuiltInKernel::Steer) {
                    single.read.extend(pass.summed().iter().cloned());
                }
                let fields = single.read.iter().chain(&single.write);
                chain.fields.extend(fields.filter_map(|name| Some((name.clone(), *cell.fields.get(name)?))));
                chain.passes.push(single);
            }
        }
        chain
    }
}
