//! Chains: which kernels run in which order on which fields.
//!
//! A chain is data. Its file ([`spec`]) is read into a [`Chain`] (`reading`), in which every kernel is found and
//! every field is accounted for (`flow`); with the numbers of a preset it becomes a [`plan::Plan`], which both
//! engines play.

mod flow;
pub mod plan;
mod reading;
pub mod spec;

use crate::agents::search::SearchKind;
use crate::error::BadInput;
use crate::fields::Texel;
use crate::host::Host;
use crate::kernels::BuiltInKernel;
use crate::texts::Texts;
use std::collections::BTreeMap;
use std::path::Path;

/// The fields that make up the state, and those of the world, which no pass may write.
pub const STATE: [(&str, Texel); 2] = [("density", Texel::Amount), ("control", Texel::Velocity)];
pub const WORLD: [(&str, Texel); 1] = [("capacity", Texel::Amount)];

/// The chain that is played where none is named.
pub const DEFAULT: &str = "cell-fast";

/// A kernel's source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// The name of its function, and of its file without the ending.
    pub name: String,
    /// Where its text comes from, as it is named in errors.
    pub origin: String,
    pub text: String,
    /// The same kernel in Rust, which only built-in ones have.
    pub twin: Option<BuiltInKernel>,
}

/// A pass of a checked chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    pub kernel: Kernel,
    pub sight: Option<String>,
    /// Names of fields; for a twin in the order of its signature, then the control vectors to be summed.
    pub read: Vec<String>,
    pub write: Vec<String>,
    place: Place,
}

/// Where something stands in a chain's file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    file: String,
    line: usize,
}

impl Place {
    fn bad(&self, problem: impl Into<String>, cure: impl Into<String>) -> BadInput {
        BadInput::new(&self.file, problem, cure).at_line(self.line)
    }
}

impl Pass {
    /// A complaint about one of the pass's keys.
    fn bad(&self, key: &str, problem: impl Into<String>, cure: impl Into<String>) -> BadInput {
        self.place.bad(problem, cure).at_key(key)
    }
}

/// A checked chain: every kernel is there, every field is written once before it is read, and is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The name of its file without the ending.
    pub name: String,
    pub origin: String,
    /// The name or path by which it was loaded.
    pub named: String,
    pub description: String,
    /// How individuals find their neighbours; `None`: the chain is of the cell system. One of individuals has no
    /// fields and no passes here, because the search says what they are.
    pub search: Option<SearchKind>,
    /// Whether the sum of the density stays what it was.
    pub conserves: bool,
    /// The texels of all fields: the state, the world's, and those between passes.
    pub fields: BTreeMap<String, Texel>,
    pub passes: Vec<Pass>,
    /// The weights (Q10) of control vectors that the preset does not name.
    pub weights: BTreeMap<String, i32>,
    /// Where the fields between passes are declared.
    declared: BTreeMap<String, Place>,
    /// What was read from disk: the chain, those that it extends, and their kernels.
    pub files: Texts,
}

impl Chain {
    /// A built-in chain by name, or a chain's file by its path.
    ///
    /// # Errors
    /// Where there is no such chain, or anything in it or in a kernel's file that it names is wrong.
    pub fn load(host: &dyn Host, name_or_path: &str) -> Result<Self, BadInput> {
        Self::load_from(host, name_or_path, &mut Texts::default())
    }

    /// As [`Chain::load`], but what is kept in `texts` is not read from disk; what is read stands there afterwards,
    /// where something is wrong too.
    ///
    /// # Errors
    /// As [`Chain::load`].
    pub fn load_from(host: &dyn Host, name_or_path: &str, texts: &mut Texts) -> Result<Self, BadInput> {
        let chain = reading::load(name_or_path, None, &mut reading::Files::new(host, texts))?;
        Ok(Self { named: name_or_path.to_string(), files: texts.clone(), ..chain })
    }

    /// Reads and checks the text of a chain; paths in it are taken from `folder`.
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

    /// The same system with a pass for every rule, as in `cell`: instead of each pass that does the work of several, those
    /// several.
    ///
    /// # Panics
    /// Where the built-in chain `cell` cannot be read.
    pub fn rule_by_rule(&self, host: &dyn Host) -> Self {
        let cell = Self::load(host, "cell").expect("the built-in chains are sound");
        let behaviour = [
            BuiltInKernel::Cohesion,
            BuiltInKernel::Separation,
            BuiltInKernel::Alignment,
            BuiltInKernel::Hunter,
            BuiltInKernel::Walls,
            BuiltInKernel::Steer,
        ];
        let mut chain = Self { passes: Vec::new(), ..self.clone() };
        for pass in &self.passes {
            let several: &[BuiltInKernel] = match pass.kernel.twin {
                Some(BuiltInKernel::Behaviour) => &behaviour,
                Some(BuiltInKernel::Movement) => &[BuiltInKernel::Outflow, BuiltInKernel::Advect],
                _ => {
                    chain.passes.push(pass.clone());
                    continue;
                }
            };
            let of_cell =
                cell.passes.iter().filter(|pass| pass.kernel.twin.is_some_and(|twin| several.contains(&twin)));
            for single in of_cell {
                let mut single = single.clone();
                if single.kernel.twin == Some(BuiltInKernel::Steer) {
                    single.read.extend(pass.read[BuiltInKernel::Behaviour.signature().read.len()..].iter().cloned());
                }
                let fields = single.read.iter().chain(&single.write);
                chain.fields.extend(fields.filter_map(|name| Some((name.clone(), *cell.fields.get(name)?))));
                chain.passes.push(single);
            }
        }
        chain
    }
}

/// Whether a field is there without a pass that writes it.
fn is_given(name: &str) -> bool {
    STATE.iter().chain(&WORLD).any(|(given, _)| *given == name)
}
