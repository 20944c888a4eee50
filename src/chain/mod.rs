//! Chains: which kernels run in which order on which fields.
//!
//! A chain is data. Its file ([`spec`]) is read into a [`Chain`], in which every kernel is found and every field is
//! checked; with the numbers of a preset it becomes a [`plan::Plan`], which both engines play.

pub mod library;
pub mod plan;
pub mod spec;

use crate::error::{BadInput, line_of};
use crate::fields::Texel;
use crate::kernels::{MOST_WRITES, Twin};
use crate::numbers::{MOST_RULES, RULE_ONE, WEIGHT_LIMIT};
use crate::text::{is_path, read_text, stem};
use spec::{ChainSpec, PassSpec, RuleSpec};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The fields that make up the state, and those of the world, which no pass may write.
pub const STATE: [(&str, Texel); 2] = [("density", Texel::Amount), ("control", Texel::Velocity)];
pub const WORLD: [(&str, Texel); 1] = [("capacity", Texel::Amount)];

/// The chain that is played where none is named.
pub const DEFAULT: &str = "cell";

/// A kernel's source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// The name of its function, and of its file without the ending.
    pub name: String,
    /// Where its text comes from, as it is named in errors.
    pub origin: String,
    pub text: String,
    /// The same kernel in Rust, which only built-in ones have.
    pub twin: Option<Twin>,
}

/// A pass of a checked chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    pub kernel: Kernel,
    pub sight: Option<String>,
    /// Names of fields; for a twin in the order of its signature, then the control vectors to be summed.
    pub read: Vec<String>,
    pub write: Vec<String>,
    origin: Place,
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

/// A checked chain: every kernel is there, every field is written once before it is read, and is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The name of its file without the ending.
    pub name: String,
    pub origin: String,
    pub description: String,
    /// Whether the sum of the density stays what it was.
    pub conserves: bool,
    /// The texels of all fields: the state, the world's, and those between passes.
    pub fields: BTreeMap<String, Texel>,
    pub passes: Vec<Pass>,
    /// The weights (Q10) of control vectors that the preset does not name.
    pub weights: BTreeMap<String, i32>,
}

impl Chain {
    /// A built-in chain by name, or a chain's file by its path.
    pub fn load(name_or_path: &str) -> Result<Self, BadInput> {
        Self::load_below(name_or_path, None, &mut Vec::new())
    }

    /// Reads and checks the text of a chain; paths in it are taken from `folder`.
    pub fn read(name: &str, origin: &str, text: &str, folder: Option<&Path>) -> Result<Self, BadInput> {
        Self::read_below(name, origin, text, folder, &mut Vec::new())
    }

    fn load_below(name: &str, folder: Option<&Path>, extended: &mut Vec<PathBuf>) -> Result<Self, BadInput> {
        if !is_path(name) {
            let Some(text) = library::chain(name) else {
                let names = library::chain_names().collect::<Vec<_>>().join(", ");
                return Err(BadInput::new(name, "no chain has this name", format!("one of {names}, or a path")));
            };
            return Self::read_below(name, &format!("passes/{name}.toml"), text, None, extended);
        }
        let path = folder.map_or_else(|| Path::new(name).to_path_buf(), |folder| folder.join(name));
        let origin = path.display().to_string();
        // However the path is spelt: `../a/b.toml` is `b.toml`.
        let file = std::fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        if extended.contains(&file) {
            return Err(BadInput::new(
                origin,
                "the chain extends itself",
                "take `extends` away from one of the chains",
            ));
        }
        extended.push(file);
        let text = read_text(&origin)?;
        Self::read_below(&stem(&origin), &origin, &text, path.parent(), extended)
    }

    fn read_below(
        name: &str,
        origin: &str,
        text: &str,
        folder: Option<&Path>,
        extended: &mut Vec<PathBuf>,
    ) -> Result<Self, BadInput> {
        let spec = ChainSpec::parse(text, origin)?;
        let place = |offset: usize| Place { file: origin.to_string(), line: line_of(text, offset) };
        if let Some(model) = &spec.model
            && model.get_ref() != "cell"
        {
            return Err(place(model.span().start)
                .bad(format!("the model {:?}", model.get_ref()), "this version plays chains with model = \"cell\"")
                .at_key("model"));
        }
        let mut chain = match &spec.extends {
            Some(base) => {
                if let Some(pass) = spec.pass.first() {
                    return Err(place(pass.span().start).bad(
                        "a chain that extends another adds rules, not passes",
                        "write [[rule]], or drop `extends`",
                    ));
                }
                Self::load_below(base.get_ref(), folder, extended).map_err(|error| {
                    if error.line.is_none() { error.at_line_of(place(base.span().start)) } else { error }
                })?
            }
            None => Chain {
                name: String::new(),
                origin: String::new(),
                description: String::new(),
                conserves: true,
                fields: STATE.iter().chain(&WORLD).map(|(name, texel)| (name.to_string(), *texel)).collect(),
                passes: Vec::new(),
                weights: BTreeMap::new(),
            },
        };
        (chain.name, chain.origin, chain.description) = (name.to_string(), origin.to_string(), spec.description);
        chain.conserves &= spec.conserves;
        for (name, texel) in &spec.fields {
            chain.add_field(name, texel, &place)?;
        }
        for pass in spec.pass {
            let origin = place(pass.span().start);
            chain.add_pass(pass.into_inner(), origin, folder, &place)?;
        }
        for rule in spec.rule {
            let origin = place(rule.span().start);
            chain.add_rule(rule.into_inner(), origin, folder, &place)?;
        }
        chain.check_flow()?;
        Ok(chain)
    }

    fn add_field(
        &mut self,
        name: &Spanned<String>,
        texel: &Spanned<String>,
        place: &impl Fn(usize) -> Place,
    ) -> Result<(), BadInput> {
        let at = place(name.span().start);
        let key = format!("fields.{}", name.get_ref());
        check_name(name.get_ref()).map_err(|problem| {
            at.bad(problem, "a field's name is a lower-case word that no helper of the kernels has").at_key(&key)
        })?;
        let texels = [Texel::Amount, Texel::Velocity, Texel::Vector];
        let Some(texel) = texels.into_iter().find(|known| known.name() == texel.get_ref()) else {
            return Err(at
                .bad(format!("the texel {:?}", texel.get_ref()), "\"amount\", \"velocity\" or \"vector\"")
                .at_key(key));
        };
        if self.fields.insert(name.get_ref().clone(), texel).is_some() {
            return Err(at.bad("the field is there without being declared", "take the line away").at_key(key));
        }
        Ok(())
    }

    fn add_pass(
        &mut self,
        spec: PassSpec,
        origin: Place,
        folder: Option<&Path>,
        place: &impl Fn(usize) -> Place,
    ) -> Result<(), BadInput> {
        let kernel = find_kernel(&spec.kernel, folder, place)?;
        for name in spec.read.iter().chain(&spec.write) {
            self.check_known(name, place)?;
        }
        for (key, names) in [("read", &spec.read), ("write", &spec.write)] {
            let mut seen = BTreeSet::new();
            for name in names {
                if !seen.insert(name.get_ref()) {
                    return Err(place(name.span().start)
                        .bad(format!("{:?} is listed twice", name.get_ref()), "name each field once")
                        .at_key(key));
                }
            }
        }
        for name in &spec.write {
            if WORLD.iter().any(|(world, _)| world == name.get_ref()) {
                return Err(place(name.span().start)
                    .bad(format!("{:?} belongs to the world", name.get_ref()), "no pass may write it")
                    .at_key("write"));
            }
        }
        if spec.write.is_empty() || spec.write.len() > MOST_WRITES {
            return Err(origin
                .bad(format!("{} outputs", spec.write.len()), format!("a pass writes 1 to {MOST_WRITES} fields"))
                .at_key("write"));
        }
        if let Some(weight) = &spec.weight {
            let [only] = spec.write.as_slice() else {
                return Err(place(weight.span().start)
                    .bad("a weight on a pass that writes several fields", "only a control vector has a weight")
                    .at_key("weight"));
            };
            if self.fields.get(only.get_ref()) != Some(&Texel::Vector) {
                return Err(place(weight.span().start)
                    .bad(
                        format!("a weight on a pass that writes {:?}", only.get_ref()),
                        "only a control vector has a weight",
                    )
                    .at_key("weight"));
            }
            self.add_weight(only.get_ref(), weight, place)?;
        }
        let names = |list: Vec<Spanned<String>>| list.into_iter().map(Spanned::into_inner).collect();
        let mut pass = Pass {
            kernel,
            sight: spec.sight.map(Spanned::into_inner),
            read: names(spec.read),
            write: names(spec.write),
            origin,
        };
        self.check_signature(&mut pass)?;
        self.passes.push(pass);
        Ok(())
    }

    /// A rule writes one more control vector, just before `steer`, which sums it.
    fn add_rule(
        &mut self,
        spec: RuleSpec,
        origin: Place,
        folder: Option<&Path>,
        place: &impl Fn(usize) -> Place,
    ) -> Result<(), BadInput> {
        let kernel = find_kernel(&spec.kernel, folder, place)?;
        let Some(steer) = self.passes.iter().position(|pass| pass.kernel.twin == Some(Twin::Steer)) else {
            return Err(origin.bad("the chain has no pass `steer` that would sum the rule", "extend one that has"));
        };
        let name = kernel.name.clone();
        if self.fields.insert(name.clone(), Texel::Vector).is_some() {
            return Err(place(spec.kernel.span().start)
                .bad(format!("the chain has a field {name:?} already"), "give the kernel's file another name")
                .at_key("kernel"));
        }
        for name in &spec.read {
            self.check_known(name, place)?;
        }
        if let Some(weight) = &spec.weight {
            self.add_weight(&name, weight, place)?;
        }
        if self.passes[steer].read.len() > MOST_RULES {
            return Err(origin.bad(format!("more than {MOST_RULES} rules"), "their sum must fit in 32 bits"));
        }
        self.passes[steer].read.push(name.clone());
        let mut pass = Pass {
            kernel,
            sight: spec.sight.map(Spanned::into_inner),
            read: spec.read.into_iter().map(Spanned::into_inner).collect(),
            write: vec![name],
            origin,
        };
        self.check_signature(&mut pass)?;
        self.passes.insert(steer, pass);
        Ok(())
    }

    fn add_weight(
        &mut self,
        name: &str,
        weight: &Spanned<f64>,
        place: &impl Fn(usize) -> Place,
    ) -> Result<(), BadInput> {
        let scaled = (weight.get_ref() * f64::from(RULE_ONE)).round();
        // A NaN lies in no range.
        if !(-f64::from(WEIGHT_LIMIT)..=f64::from(WEIGHT_LIMIT)).contains(&scaled) {
            return Err(place(weight.span().start)
                .bad(format!("the weight {}", weight.get_ref()), "a weight lies between -32 and 32")
                .at_key("weight"));
        }
        self.weights.insert(name.to_string(), scaled as i32);
        Ok(())
    }

    fn check_known(&self, name: &Spanned<String>, place: &impl Fn(usize) -> Place) -> Result<(), BadInput> {
        if self.fields.contains_key(name.get_ref()) {
            return Ok(());
        }
        let known = self.fields.keys().cloned().collect::<Vec<_>>().join(", ");
        Err(place(name.span().start)
            .bad(format!("no field is called {:?}", name.get_ref()), format!("declare it in [fields], or use {known}")))
    }

    /// A built-in kernel is given just what it reads and writes; the fields are put in its order.
    fn check_signature(&self, pass: &mut Pass) -> Result<(), BadInput> {
        let Some(twin) = pass.kernel.twin else {
            return Ok(());
        };
        let signature = twin.signature();
        let (mut read, more) = self.in_order(pass, "read", &pass.read, signature.read)?;
        let (write, unwritten) = self.in_order(pass, "write", &pass.write, signature.write)?;
        for (key, names) in [("read", if signature.sums { &[] } else { more.as_slice() }), ("write", &unwritten)] {
            if let Some(name) = names.first() {
                let problem = format!("`{}` does not {key} {name:?}", twin.name());
                return Err(pass.origin.bad(problem, "take it away").at_key(key));
            }
        }
        for name in &more {
            self.check_texel(name, Texel::Vector, &pass.origin)?;
        }
        if more.len() > MOST_RULES {
            let problem = format!("{} control vectors to sum", more.len());
            return Err(pass.origin.bad(problem, format!("at most {MOST_RULES}, so that their sum fits in 32 bits")));
        }
        if signature.looks && pass.sight.is_none() {
            let problem = format!("`{}` looks through a sight", twin.name());
            return Err(pass.origin.bad(problem, "name one, as in sight = \"cohesion\"").at_key("sight"));
        }
        read.extend(more);
        (pass.read, pass.write) = (read, write);
        Ok(())
    }

    /// The fields that a kernel wants, in its order, and those that are listed beyond them.
    fn in_order(
        &self,
        pass: &Pass,
        key: &str,
        listed: &[String],
        wanted: &[(&str, Texel)],
    ) -> Result<(Vec<String>, Vec<String>), BadInput> {
        for (name, texel) in wanted {
            if !listed.iter().any(|listed| listed == name) {
                let all = wanted.iter().map(|(name, _)| format!("{name:?}")).collect::<Vec<_>>().join(", ");
                let problem = format!("`{}` is not given {name:?}", pass.kernel.name);
                return Err(pass.origin.bad(problem, format!("{key} = [{all}]")).at_key(key));
            }
            self.check_texel(name, *texel, &pass.origin)?;
        }
        let ordered = wanted.iter().map(|(name, _)| name.to_string()).collect();
        let more = listed.iter().filter(|listed| wanted.iter().all(|(name, _)| name != listed)).cloned().collect();
        Ok((ordered, more))
    }

    fn check_texel(&self, name: &str, wanted: Texel, origin: &Place) -> Result<(), BadInput> {
        match self.fields.get(name) {
            Some(texel) if *texel != wanted => Err(origin.bad(
                format!("{name:?} is declared as \"{}\", but the kernel wants \"{}\"", texel.name(), wanted.name()),
                format!("{name} = \"{}\" in [fields]", wanted.name()),
            )),
            _ => Ok(()),
        }
    }

    /// Every intermediate field is written once, before it is read, and is read.
    fn check_flow(&self) -> Result<(), BadInput> {
        let is_state = |name: &str| STATE.iter().chain(&WORLD).any(|(state, _)| *state == name);
        let writer = |name: &str| self.passes.iter().position(|pass| pass.write.iter().any(|written| written == name));
        if self.passes.is_empty() {
            return Err(BadInput::new(&self.origin, "a chain without passes", "add [[pass]], or extends = \"cell\""));
        }
        for (index, pass) in self.passes.iter().enumerate() {
            for name in pass.read.iter().filter(|name| !is_state(name)) {
                match writer(name) {
                    None => {
                        return Err(pass
                            .origin
                            .bad(
                                format!("`{}` reads {name:?}, which no pass writes", pass.kernel.name),
                                "add the pass that writes it, or take it away",
                            )
                            .at_key("read"));
                    }
                    Some(later) if later >= index => {
                        let (problem, cure) = if self.depends(later, index) {
                            ("a cycle: each of the passes waits for the other", "break it")
                        } else {
                            ("it is written only later", "move the pass that writes it up")
                        };
                        return Err(pass
                            .origin
                            .bad(
                                format!(
                                    "`{}` reads {name:?} from `{}`: {problem}",
                                    pass.kernel.name, self.passes[later].kernel.name
                                ),
                                cure,
                            )
                            .at_key("read"));
                    }
                    Some(_) => {}
                }
            }
            for name in pass.write.iter().filter(|name| !is_state(name)) {
                if writer(name) != Some(index) {
                    return Err(pass
                        .origin
                        .bad(format!("{name:?} is written twice in a step"), "give the second output another name")
                        .at_key("write"));
                }
                if !self.passes.iter().any(|reader| reader.read.contains(name)) {
                    return Err(pass
                        .origin
                        .bad(
                            format!("no pass reads {name:?}, which `{}` writes", pass.kernel.name),
                            "list it where it is needed (a control vector in steer's read), or take the pass away",
                        )
                        .at_key("write"));
                }
            }
        }
        if let Some(second) = self.passes.iter().filter(|pass| pass.kernel.twin == Some(Twin::Steer)).nth(1) {
            return Err(second.origin.bad("a second pass `steer`", "let one sum all the control vectors"));
        }
        self.check_outflows(writer)?;
        for name in self.fields.keys().filter(|name| !is_state(name)) {
            if writer(name).is_none() {
                return Err(BadInput::new(&self.origin, format!("no pass writes the field {name:?}"), "take it away")
                    .at_key(format!("fields.{name}")));
            }
        }
        Ok(())
    }

    /// What is given is taken once, from the very state that gave it: else boids come from nowhere.
    fn check_outflows(&self, writer: impl Fn(&str) -> Option<usize>) -> Result<(), BadInput> {
        for (index, pass) in self.passes.iter().enumerate() {
            if pass.kernel.twin == Some(Twin::Advect)
                && let Some(given) = writer("outflow_x")
                && let Some(between) = self.passes[given + 1..index]
                    .iter()
                    .find(|between| STATE.iter().any(|(state, _)| between.write.iter().any(|name| name == state)))
            {
                let problem = format!("`{}` changes the state between `outflow` and `advect`", between.kernel.name);
                return Err(between
                    .origin
                    .bad(problem, "let one `advect` follow `outflow` before anything else moves"));
            }
        }
        Ok(())
    }

    /// Whether the pass `from` needs, by way of intermediate fields, something that the pass `to` writes.
    fn depends(&self, from: usize, to: usize) -> bool {
        let mut waiting = vec![from];
        let mut seen = BTreeSet::new();
        while let Some(index) = waiting.pop() {
            if index == to {
                return true;
            }
            if seen.insert(index) {
                for name in &self.passes[index].read {
                    if !STATE.iter().chain(&WORLD).any(|(state, _)| state == name) {
                        waiting.extend(self.passes.iter().position(|pass| pass.write.contains(name)));
                    }
                }
            }
        }
        false
    }
}

impl BadInput {
    fn at_line_of(self, place: Place) -> Self {
        BadInput {
            line: Some(place.line),
            problem: format!("{}: {}", self.origin, self.problem),
            origin: place.file,
            ..self
        }
    }
}

fn find_kernel(
    name: &Spanned<String>,
    folder: Option<&Path>,
    place: &impl Fn(usize) -> Place,
) -> Result<Kernel, BadInput> {
    let at = place(name.span().start);
    let given = name.get_ref();
    if !is_path(given) {
        return match (library::kernel(given), Twin::named(given)) {
            (Some(text), Some(twin)) => Ok(Kernel {
                name: given.clone(),
                origin: format!("shaders/cell/{given}.wgsl"),
                text: text.to_string(),
                twin: Some(twin),
            }),
            _ => {
                let names = library::kernel_names().collect::<Vec<_>>().join(", ");
                Err(at
                    .bad(
                        format!("no kernel is called {given:?}"),
                        format!("one of {names}, or the path of a WGSL file"),
                    )
                    .at_key("kernel"))
            }
        };
    }
    let path = folder.map_or_else(|| Path::new(given).to_path_buf(), |folder| folder.join(given));
    let origin = path.display().to_string();
    let text = read_text(&origin).map_err(|error| {
        at.bad(format!("the kernel {} {}", error.origin, error.problem), "name a WGSL file from the chain's folder")
            .at_key("kernel")
    })?;
    let name = stem(&origin);
    check_name(&name).map_err(|problem| {
        at.bad(problem, "the file of a kernel is called like its function, which no helper is").at_key("kernel")
    })?;
    Ok(Kernel { name, origin, text, twin: None })
}

/// Whether a name can be that of a field or kernel: a lower-case word that means nothing else to the kernels.
fn check_name(name: &str) -> Result<(), String> {
    let mut letters = name.chars();
    let starts = letters.next().is_some_and(|first| first.is_ascii_lowercase());
    if !starts || !letters.all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_') {
        return Err(format!("{name:?} is not a word of lower-case letters, digits and underscores"));
    }
    if name.ends_with('_') || name.contains("__") || crate::shader::is_taken(name) {
        return Err(format!("the name {name:?} is taken"));
    }
    Ok(())
}
