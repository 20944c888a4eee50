//! From a chain's file to a checked chain: kernels are found, names and texels are held against each other.

use super::spec::{ChainSpec, PassSpec, RuleSpec};
use super::{Chain, Kernel, Pass, Place, STATE, WORLD};
use crate::agents;
use crate::error::{BadInput, line_of};
use crate::fields::Texel;
use crate::host::Host;
use crate::kernels::BuiltInKernel;
use crate::kernels::context::MOST_WRITES;
use crate::numbers::{MOST_RULES, RULE_ONE, WEIGHT_LIMIT};
use crate::text::{is_path, stem};
use crate::texts::Texts;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The files of a chain while it is read.
pub(super) struct Files<'a> {
    /// Those on the way here, each of which extends the next.
    extended: Vec<PathBuf>,
    texts: &'a mut Texts,
    host: &'a dyn Host,
}

impl<'a> Files<'a> {
    pub fn new(host: &'a dyn Host, texts: &'a mut Texts) -> Self {
        Self { extended: Vec::new(), texts, host }
    }
}

/// A chain by name, or by its path from `folder`.
pub(super) fn load(name: &str, folder: Option<&Path>, files: &mut Files<'_>) -> Result<Chain, BadInput> {
    if !is_path(name) {
        let Some(text) = files.host.library().chain(name) else {
            let names = files.host.library().chain_names().collect::<Vec<_>>().join(", ");
            return Err(BadInput::new(name, "no chain has this name", format!("one of {names}, or a path")));
        };
        return read(name, &format!("passes/{name}.toml"), text, None, files);
    }
    let path = folder.map_or_else(|| Path::new(name).to_path_buf(), |folder| folder.join(name));
    let origin = path.display().to_string();
    // However the path is spelt: `../a/b.toml` is `b.toml`.
    let file = files.host.canonical_path(&path);
    if files.extended.contains(&file) {
        return Err(BadInput::new(origin, "the chain extends itself", "take `extends` away from one of the chains"));
    }
    files.extended.push(file);
    let text = files.texts.read(&origin, files.host)?;
    read(&stem(&origin), &origin, &text, path.parent(), files)
}

/// Reads and checks the text of a chain.
pub(super) fn read(
    name: &str,
    origin: &str,
    text: &str,
    folder: Option<&Path>,
    files: &mut Files<'_>,
) -> Result<Chain, BadInput> {
    if agents::chain::is_of_agents(text) {
        return of_agents(name, origin, text);
    }
    let spec = ChainSpec::parse(text, origin)?;
    let file = ChainFile { origin, text, folder };
    if let Some(model) = &spec.model
        && model.get_ref() != "cell"
    {
        let problem = format!("the model {:?}", model.get_ref());
        return Err(file.bad(model, problem, "write model = \"cell\" or model = \"agents\"").at_key("model"));
    }
    let mut chain = match &spec.extends {
        Some(base) => {
            if let Some(pass) = spec.pass.first() {
                let problem = "a chain that extends another adds rules, not passes";
                return Err(file.bad(pass, problem, "write [[rule]], or take `extends` away"));
            }
            let base_chain = load(base.get_ref(), folder, files).map_err(|wrong| match wrong.line {
                Some(_) => wrong,
                None => file.bad(base, format!("{}: {}", wrong.origin, wrong.problem), wrong.cure).at_key("extends"),
            })?;
            if base_chain.search.is_some() {
                let problem = format!("{:?} is a chain of individuals, to which no rules can be added", base.get_ref());
                return Err(file.bad(base, problem, "extend one with model = \"cell\"").at_key("extends"));
            }
            base_chain
        }
        None => Chain {
            fields: STATE.iter().chain(&WORLD).map(|(name, texel)| (name.to_string(), *texel)).collect(),
            ..nothing()
        },
    };
    (chain.name, chain.description) = (name.to_string(), spec.description);
    (chain.origin, chain.named) = (origin.to_string(), origin.to_string());
    chain.conserves &= spec.conserves;
    for (name, texel) in &spec.fields {
        file.add_field(&mut chain, name, texel, files.host)?;
    }
    for pass in spec.pass {
        file.add_pass(&mut chain, pass, files)?;
    }
    for rule in spec.rule {
        file.add_rule(&mut chain, rule, files)?;
    }
    chain.check_flow()?;
    Ok(chain)
}

/// A chain of individuals, whose passes its search knows.
fn of_agents(name: &str, origin: &str, text: &str) -> Result<Chain, BadInput> {
    let agents::chain::Chain { description, search } = agents::chain::Chain::read(origin, text)?;
    let (name, origin) = (name.to_string(), origin.to_string());
    Ok(Chain { name, named: origin.clone(), origin, description, search: Some(search), ..nothing() })
}

/// A chain before anything is read.
fn nothing() -> Chain {
    Chain {
        name: String::new(),
        origin: String::new(),
        named: String::new(),
        description: String::new(),
        search: None,
        conserves: true,
        fields: BTreeMap::new(),
        passes: Vec::new(),
        weights: BTreeMap::new(),
        declared: BTreeMap::new(),
        files: Texts::default(),
    }
}

/// A chain's file while it is read.
struct ChainFile<'a> {
    origin: &'a str,
    text: &'a str,
    folder: Option<&'a Path>,
}

impl ChainFile<'_> {
    fn place<T>(&self, of: &Spanned<T>) -> Place {
        Place { file: self.origin.to_string(), line: line_of(self.text, of.span().start) }
    }

    fn bad<T>(&self, about: &Spanned<T>, problem: impl Into<String>, cure: impl Into<String>) -> BadInput {
        self.place(about).bad(problem, cure)
    }

    fn add_field(
        &self,
        chain: &mut Chain,
        name: &Spanned<String>,
        texel: &Spanned<String>,
        host: &dyn Host,
    ) -> Result<(), BadInput> {
        let key = format!("fields.{}", name.get_ref());
        check_name(name.get_ref(), host).map_err(|problem| {
            self.bad(name, problem, "a field's name is a lower-case word that no helper of the kernels has")
                .at_key(&key)
        })?;
        let texels = [Texel::Amount, Texel::Velocity, Texel::Vector];
        let Some(known) = texels.into_iter().find(|known| known.name() == texel.get_ref()) else {
            let problem = format!("the texel {:?}", texel.get_ref());
            return Err(self.bad(texel, problem, "\"amount\", \"velocity\" or \"vector\"").at_key(key));
        };
        if chain.fields.insert(name.get_ref().clone(), known).is_some() {
            return Err(self.bad(name, "the field is there already", "take the line away").at_key(key));
        }
        chain.declared.insert(name.get_ref().clone(), self.place(name));
        Ok(())
    }

    fn add_pass(&self, chain: &mut Chain, spec: Spanned<PassSpec>, files: &mut Files<'_>) -> Result<(), BadInput> {
        let place = self.place(&spec);
        let spec = spec.into_inner();
        let kernel = self.find_kernel(&spec.kernel, files)?;
        for (key, names) in [("read", &spec.read), ("write", &spec.write)] {
            self.check_listed(chain, key, names)?;
        }
        if let Some(name) = spec.write.iter().find(|name| WORLD.iter().any(|(world, _)| world == name.get_ref())) {
            let problem = format!("{:?} belongs to the world", name.get_ref());
            return Err(self.bad(name, problem, "no pass may write it").at_key("write"));
        }
        if spec.write.is_empty() || spec.write.len() > MOST_WRITES {
            let problem = format!("{} outputs", spec.write.len());
            return Err(place.bad(problem, format!("a pass writes 1 to {MOST_WRITES} fields")).at_key("write"));
        }
        if let Some(weight) = &spec.weight {
            match spec.write.as_slice() {
                [only] if chain.fields[only.get_ref()] == Texel::Vector => {
                    self.add_weight(chain, only.get_ref(), weight)?;
                }
                _ => {
                    let problem = "a weight on a pass that does not write a control vector alone";
                    return Err(self.bad(weight, problem, "take it away").at_key("weight"));
                }
            }
        }
        let names = |list: Vec<Spanned<String>>| list.into_iter().map(Spanned::into_inner).collect();
        let sight = spec.sight.map(Spanned::into_inner);
        let mut pass = Pass { kernel, sight, read: names(spec.read), write: names(spec.write), place };
        chain.check_signature(&mut pass)?;
        chain.passes.push(pass);
        Ok(())
    }

    /// A rule writes one more control vector, just before the pass that steers, which sums it.
    fn add_rule(&self, chain: &mut Chain, spec: Spanned<RuleSpec>, files: &mut Files<'_>) -> Result<(), BadInput> {
        let place = self.place(&spec);
        let spec = spec.into_inner();
        let kernel = self.find_kernel(&spec.kernel, files)?;
        let sums = |pass: &Pass| pass.kernel.twin.map(BuiltInKernel::signature).filter(|signature| signature.sums);
        let Some((steer, signature)) =
            chain.passes.iter().enumerate().find_map(|(index, pass)| Some((index, sums(pass)?)))
        else {
            return Err(place.bad("the chain has no pass that steers and would sum the rule", "extend one that has"));
        };
        let name = kernel.name.clone();
        if signature.rules.contains(&name.as_str()) {
            let problem = format!("the chain sums a rule {name:?} already");
            return Err(self.bad(&spec.kernel, problem, "give the kernel's file another name").at_key("kernel"));
        }
        if chain.fields.insert(name.clone(), Texel::Vector).is_some() {
            let problem = format!("the chain has a field {name:?} already");
            return Err(self.bad(&spec.kernel, problem, "give the kernel's file another name").at_key("kernel"));
        }
        self.check_listed(chain, "read", &spec.read)?;
        if let Some(weight) = &spec.weight {
            self.add_weight(chain, &name, weight)?;
        }
        // What it reads beside the rules comes first.
        let summed = signature.rules.len() + chain.passes[steer].read.len() - signature.read.len();
        if summed >= MOST_RULES {
            return Err(place.bad(format!("more than {MOST_RULES} rules"), "their sum must fit in 32 bits"));
        }
        chain.passes[steer].read.push(name.clone());
        let read = spec.read.into_iter().map(Spanned::into_inner).collect();
        let sight = spec.sight.map(Spanned::into_inner);
        let mut pass = Pass { kernel, sight, read, write: vec![name], place };
        chain.check_signature(&mut pass)?;
        chain.passes.insert(steer, pass);
        Ok(())
    }

    fn add_weight(&self, chain: &mut Chain, name: &str, weight: &Spanned<f64>) -> Result<(), BadInput> {
        let scaled = (weight.get_ref() * f64::from(RULE_ONE)).round();
        // A NaN lies in no range.
        if !(-f64::from(WEIGHT_LIMIT)..=f64::from(WEIGHT_LIMIT)).contains(&scaled) {
            let problem = format!("the weight {}", weight.get_ref());
            return Err(self.bad(weight, problem, "a weight lies between -32 and 32").at_key("weight"));
        }
        chain.weights.insert(name.to_string(), scaled as i32);
        Ok(())
    }

    /// Every name that is listed is that of a field, and is listed once.
    fn check_listed(&self, chain: &Chain, key: &str, names: &[Spanned<String>]) -> Result<(), BadInput> {
        let mut seen = BTreeSet::new();
        for name in names {
            if !chain.fields.contains_key(name.get_ref()) {
                let known = chain.fields.keys().cloned().collect::<Vec<_>>().join(", ");
                let problem = format!("no field is called {:?}", name.get_ref());
                return Err(self.bad(name, problem, format!("declare it in [fields], or use {known}")).at_key(key));
            }
            if !seen.insert(name.get_ref()) {
                let problem = format!("{:?} is listed twice", name.get_ref());
                return Err(self.bad(name, problem, "name each field once").at_key(key));
            }
        }
        Ok(())
    }

    fn find_kernel(&self, named: &Spanned<String>, files: &mut Files<'_>) -> Result<Kernel, BadInput> {
        let name = named.get_ref();
        let bad = |problem: String, cure: String| self.bad(named, problem, cure).at_key("kernel");
        if !is_path(name) {
            let (Some(text), Some(twin)) = (files.host.library().kernel(name), BuiltInKernel::named(name)) else {
                let names = files.host.library().kernel_names().collect::<Vec<_>>().join(", ");
                let cure = format!("one of {names}, or the path of a WGSL file");
                return Err(bad(format!("no kernel is called {name:?}"), cure));
            };
            let origin = format!("shaders/cell/{name}.wgsl");
            return Ok(Kernel { name: name.clone(), origin, text: text.to_string(), twin: Some(twin) });
        }
        let path = self.folder.map_or_else(|| Path::new(name).to_path_buf(), |folder| folder.join(name));
        let origin = path.display().to_string();
        let text = files.texts.read(&origin, files.host).map_err(|wrong| {
            let cure = "name a WGSL file from the chain's folder";
            bad(format!("the kernel {} {}", wrong.origin, wrong.problem), cure.into())
        })?;
        let name = stem(&origin);
        check_name(&name, files.host).map_err(|problem| {
            bad(problem, "the file of a kernel is called like its function, which no helper is".into())
        })?;
        Ok(Kernel { name, origin, text, twin: None })
    }
}

impl Chain {
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
                return Err(pass.bad(key, problem, "take it away"));
            }
        }
        if let Some(name) = more.iter().find(|name| signature.rules.contains(&name.as_str())) {
            let problem = format!("`{}` works out {name:?} itself", twin.name());
            return Err(pass.bad("read", problem, "give the other one another name"));
        }
        for name in &more {
            self.check_texel(name, Texel::Vector, &pass.place)?;
        }
        if signature.rules.len() + more.len() > MOST_RULES {
            let problem = format!("{} control vectors to sum", more.len());
            return Err(pass.bad("read", problem, format!("at most {MOST_RULES}, so that their sum fits in 32 bits")));
        }
        if signature.looks && pass.sight.is_none() {
            let problem = format!("`{}` looks through a sight", twin.name());
            return Err(pass.bad("sight", problem, "name one, as in sight = \"cohesion\""));
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
                return Err(pass.bad(key, problem, format!("{key} = [{all}]")));
            }
            self.check_texel(name, *texel, &pass.place)?;
        }
        let ordered = wanted.iter().map(|(name, _)| name.to_string()).collect();
        let more = listed.iter().filter(|listed| wanted.iter().all(|(name, _)| name != listed)).cloned().collect();
        Ok((ordered, more))
    }

    fn check_texel(&self, name: &str, wanted: Texel, place: &Place) -> Result<(), BadInput> {
        match self.fields.get(name) {
            Some(texel) if *texel != wanted => Err(place.bad(
                format!("{name:?} is declared as \"{}\", but the kernel wants \"{}\"", texel.name(), wanted.name()),
                format!("{name} = \"{}\" in [fields]", wanted.name()),
            )),
            _ => Ok(()),
        }
    }
}

/// Whether a name can be that of a field or kernel: a lower-case word that means nothing else to the kernels.
fn check_name(name: &str, host: &dyn Host) -> Result<(), String> {
    let mut letters = name.chars();
    let starts = letters.next().is_some_and(|first| first.is_ascii_lowercase());
    if !starts || !letters.all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_') {
        return Err(format!("{name:?} is not a word of lower-case letters, digits and underscores"));
    }
    // Fields give their names to textures and targets in the generated part of the shaders.
    let is_generated = name.ends_with("_texture") || name.ends_with("_target");
    if is_generated
        || name.ends_with('_')
        || name.contains("__")
        || host.gpu().is_some_and(|gpu| gpu.is_name_taken(name))
    {
        return Err(format!("the name {name:?} is taken"));
    }
    Ok(())
}
