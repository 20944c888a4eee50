//! From a chain's file to a checked chain: kernels are found, and names and kinds are compared with the tables.

use super::names::{accessor_of, check_name, split_name, taken};
use super::table::{ANY_AXES, DEEP, FLAT, FieldKind, Invocation, Model, Role};
use super::{Chain, Kernel, Pass, Place};
use crate::error::{BadInput, line_of};
use crate::host::Host;
use crate::host::contents::Texts;
use crate::numbers::{MAX_RULES, RULE_ONE, WEIGHT_LIMIT};
use crate::state::fields::Texel;
use crate::text::{did_you_mean, is_path, parse_toml, stem};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The max number of passes of a chain. Drivers fail with thousands of pipelines.
const MAX_PASSES: usize = 256;

/// Whether a text in TOML is a chain: it has passes, or extends another chain. A preset does neither.
pub fn is_chain(text: &str) -> bool {
    let Ok(document) = toml_edit::Document::parse(text) else {
        return text.lines().any(|line| line.trim_start().starts_with("[[pass]]"));
    };
    ["pass", "rule", "extends", "fields", "conserves"].iter().any(|key| document.as_table().contains_key(key))
}

/// The file of a chain. Only its form is checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChainSpec {
    /// One line.
    description: String,
    /// `cell` by default.
    model: Option<Spanned<String>>,
    /// Whether the sum of the density stays the same. `false`: for chains that show how boids get lost.
    conserves: Option<bool>,
    /// The name or path of another chain, to which this file adds only `rule`s. The passes of that chain come first.
    extends: Option<Spanned<String>>,
    /// The fields stored between passes, with their kinds.
    #[serde(default)]
    fields: BTreeMap<Spanned<String>, Spanned<KindSpec>>,
    #[serde(default)]
    pass: Vec<Spanned<PassSpec>>,
    /// Passes that each write one more control vector for `steer`. The vector has the name of the pass's kernel.
    #[serde(default)]
    rule: Vec<Spanned<RuleSpec>>,
}

/// The kind of a field. A texture may have one size for each axis.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a kind such as \"vector\", or one for each axis")]
enum KindSpec {
    One(String),
    ByAxis([String; 2]),
}

/// One pass: a kernel and its fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PassSpec {
    /// The name of a built-in kernel, or the path of a WGSL file from the chain's folder.
    kernel: Spanned<String>,
    /// The kind of items for each of which the kernel runs once. `None`: the usual kind of the model.
    each: Option<Spanned<Invocation>>,
    sight: Option<Spanned<String>>,
    #[serde(default)]
    read: Vec<Spanned<String>>,
    write: Vec<Spanned<String>>,
    /// The weight of the control vector that the pass writes, if the preset has none.
    weight: Option<Spanned<f64>>,
    axes: Option<Spanned<AxesSpec>>,
}

/// The numbers of axes of the worlds that a kernel is written for: 2 is flat, 3 is deep.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected 2, 3 or [2, 3]")]
enum AxesSpec {
    One(u32),
    Several(Vec<u32>),
}

/// A rule that is added to the extended chain.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleSpec {
    kernel: Spanned<String>,
    sight: Option<Spanned<String>>,
    #[serde(default)]
    read: Vec<Spanned<String>>,
    weight: Option<Spanned<f64>>,
    axes: Option<Spanned<AxesSpec>>,
}

/// The files of a chain while it is read.
pub(super) struct Files<'a> {
    /// The files read so far, each of which extends the next.
    extended: Vec<PathBuf>,
    texts: &'a mut Texts,
    host: &'a dyn Host,
}

impl<'a> Files<'a> {
    pub fn new(host: &'a dyn Host, texts: &'a mut Texts) -> Self {
        Self { extended: Vec::new(), texts, host }
    }
}

/// Loads a chain by name, or by its path from `folder`.
pub(super) fn load(path: &Path, folder: Option<&Path>, files: &mut Files<'_>) -> Result<Chain, BadInput> {
    if !is_path(path) {
        let name = &*path.to_string_lossy();
        let Some(text) = files.host.library().chain(name) else {
            let names: Vec<&str> = files.host.library().folder("passes").map(|(name, _)| name).collect();
            let meant = did_you_mean(name, names.iter().copied());
            let cure = format!("one of {}, or a path{meant}", names.join(", "));
            return Err(BadInput::new(name, "no chain has this name", cure));
        };
        return read(name, &format!("passes/{name}.toml"), text, None, files);
    }
    let path = folder.map_or_else(|| path.to_path_buf(), |folder| folder.join(path));
    let origin = path.display().to_string();
    // Different spellings of a path give one file: `../a/b.toml` may be `b.toml`.
    let file = files.host.canonical_path(&path);
    if files.extended.contains(&file) {
        return Err(BadInput::new(origin, "the chain extends itself", "take `extends` away from one of the chains"));
    }
    files.extended.push(file);
    let text = files.texts.read(&path, files.host)?;
    read(&stem(&path), &origin, &text, path.parent(), files)
}

/// Reads and checks the text of a chain.
pub(super) fn read(
    name: &str,
    origin: &str,
    text: &str,
    folder: Option<&Path>,
    files: &mut Files<'_>,
) -> Result<Chain, BadInput> {
    let spec: ChainSpec = parse_toml(origin, text, Model::Cell.table().reference)?;
    let mut file = ChainFile { origin, text, folder, taken: BTreeSet::new() };
    let model = match &spec.model {
        Some(written) => Model::named(written.get_ref()).ok_or_else(|| {
            let problem = format!("the model {:?}", written.get_ref());
            let names = Model::ALL.map(|model| format!("model = {:?}", model.name())).join(" or ");
            file.bad(written, "model", problem, format!("write {names}"))
        })?,
        None => Model::Cell,
    };
    file.taken = taken(files.host.library(), model);
    let mut chain = match &spec.extends {
        Some(base) => file.base(base, model, spec.pass.first(), files)?,
        None => empty(model),
    };
    (chain.name, chain.description) = (name.to_string(), spec.description);
    (chain.origin, chain.named) = (origin.to_string(), origin.into());
    chain.conserves &= spec.conserves.unwrap_or(true);
    for (name, kind) in &spec.fields {
        file.add_field(&mut chain, name, kind)?;
    }
    let passes = chain.passes.len() + spec.pass.len() + spec.rule.len();
    if passes > MAX_PASSES {
        let cure = format!("at most {MAX_PASSES}, which every driver takes; join some");
        return Err(BadInput::new(origin, format!("a chain of {passes} passes"), cure));
    }
    for spec in spec.pass {
        let (place, spec) = (file.place(&spec), spec.into_inner());
        let kernel = file.find_kernel(model, &spec.kernel, files)?;
        let pass = file.pass(&mut chain, place, kernel, spec)?;
        chain.passes.push(pass);
    }
    for rule in spec.rule {
        file.add_rule(&mut chain, rule, files)?;
    }
    chain.check_flow()?;
    let mut searches = chain.passes.iter().filter_map(|pass| pass.kernel.signature?.search);
    chain.search = searches.next();
    Ok(chain)
}

/// A chain without passes, for a model.
fn empty(model: Model) -> Chain {
    let fields = model.table().given.iter().map(|given| (given.name.to_string(), given.kind)).collect();
    Chain { model, conserves: true, fields, ..Chain::default() }
}

struct ChainFile<'a> {
    origin: &'a str,
    text: &'a str,
    folder: Option<&'a Path>,
    /// The names that have another meaning in the kernels of its model.
    taken: BTreeSet<&'static str>,
}

impl ChainFile<'_> {
    fn place<T>(&self, of: &Spanned<T>) -> Place {
        Place { file: self.origin.to_string(), line: line_of(self.text, of.span().start) }
    }

    fn bad<T>(&self, of: &Spanned<T>, key: &str, problem: impl Into<String>, cure: impl Into<String>) -> BadInput {
        self.place(of).bad(problem, cure).at_key(key)
    }

    /// Loads the chain that this chain extends.
    fn base(
        &self,
        base: &Spanned<String>,
        model: Model,
        first: Option<&Spanned<PassSpec>>,
        files: &mut Files<'_>,
    ) -> Result<Chain, BadInput> {
        if let Some(pass) = first {
            let problem = "a chain that extends another adds rules, not passes";
            return Err(self.place(pass).bad(problem, "write [[rule]], or take `extends` away"));
        }
        let chain = load(base.get_ref().as_ref(), self.folder, files).map_err(|wrong| match wrong.line {
            Some(_) => wrong,
            None => self.bad(base, "extends", format!("{}: {}", wrong.origin, wrong.problem), wrong.cure),
        })?;
        if chain.model != model || !model.table().has_rules {
            let problem = format!("{:?} is a chain with model = {:?}", base.get_ref(), chain.model.name());
            return Err(self.bad(base, "extends", problem, "extend one with model = \"cell\""));
        }
        Ok(chain)
    }

    fn add_field(&self, chain: &mut Chain, name: &Spanned<String>, kind: &Spanned<KindSpec>) -> Result<(), BadInput> {
        let key = format!("fields.{}", name.get_ref());
        check_name(&self.taken, name.get_ref()).map_err(|problem| {
            self.bad(name, &key, problem, "a field's name is a lower-case word that no helper of the kernels has")
        })?;
        let table = chain.model.table();
        let written: Vec<&str> = match kind.get_ref() {
            KindSpec::One(one) => vec![one],
            KindSpec::ByAxis(axes) => axes.iter().map(String::as_str).collect(),
        };
        let Some(known) = (table.parse_kind)(&written) else {
            let [noun, all] = table.kind;
            let written = written.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>().join(", ");
            return Err(self.bad(kind, &key, format!("the {noun} {written}"), all));
        };
        if chain.fields.insert(name.get_ref().clone(), known).is_some() {
            return Err(self.bad(name, &key, "the field is there already", "take the line away"));
        }
        chain.declared.insert(name.get_ref().clone(), self.place(name));
        Ok(())
    }

    /// Checks a pass. Adds its weight, if it has one, to the chain.
    fn pass(&self, chain: &mut Chain, place: Place, kernel: Kernel, spec: PassSpec) -> Result<Pass, BadInput> {
        let table = chain.model.table();
        let invocation = kernel.signature.map_or(table.invocation, |signature| signature.invocation);
        if spec.each.as_ref().map_or(table.invocation, |each| *each.get_ref()) != invocation {
            let problem = format!("`{}` is not for this", kernel.name);
            let cure = format!("write each = \"{}\"", format!("{invocation:?}").to_lowercase());
            return Err(self.bad(&spec.kernel, "each", problem, cure));
        }
        for (key, names, role) in [("read", &spec.read, Role::Target), ("write", &spec.write, Role::World)] {
            self.check_listed(chain, key, names)?;
            let wrong = names.iter().find(|name| table.given(name.get_ref()).is_some_and(|given| given.role == role));
            if let Some(name) = wrong {
                let (problem, cure) = match role {
                    Role::World => ("belongs to the world", "no pass may write it"),
                    _ => ("is what people see", "no pass may read it"),
                };
                return Err(self.bad(name, key, format!("{:?} {problem}", name.get_ref()), cure));
            }
        }
        if spec.write.is_empty() || spec.write.len() > table.most_writes {
            let problem = format!("{} outputs", spec.write.len());
            return Err(place.bad(problem, format!("a pass writes 1 to {} fields", table.most_writes)).at_key("write"));
        }
        if let Some(sight) = spec.sight.as_ref().filter(|_| !table.has_rules) {
            return Err(self.bad(sight, "sight", "a sight", "only kernels of cells look through one"));
        }
        if let Some(weight) = &spec.weight {
            match spec.write.as_slice() {
                [only] if chain.fields[only.get_ref()] == FieldKind::Texel(Texel::Vector) => {
                    self.add_weight(chain, only.get_ref(), weight)?;
                }
                _ => {
                    let problem = "a weight on a pass that does not write a control vector alone";
                    return Err(self.bad(weight, "weight", problem, "take it away"));
                }
            }
        }
        let names = |list: Vec<Spanned<String>>| list.into_iter().map(Spanned::into_inner).collect();
        let sight = spec.sight.map(Spanned::into_inner);
        let axes = self.axes(&kernel, spec.axes)?;
        let mut pass =
            Pass { kernel, invocation, axes, sight, read: names(spec.read), write: names(spec.write), place };
        chain.check_signature(&mut pass)?;
        Ok(pass)
    }

    /// Adds a rule: a pass that writes one more control vector. It stands just before the pass that steers, which sums
    /// the vector.
    fn add_rule(&self, chain: &mut Chain, spec: Spanned<RuleSpec>, files: &mut Files<'_>) -> Result<(), BadInput> {
        let place = self.place(&spec);
        let RuleSpec { kernel: named, sight, read, weight, axes } = spec.into_inner();
        let kernel = self.find_kernel(chain.model, &named, files)?;
        let sums = |pass: &Pass| pass.kernel.signature.filter(|signature| signature.has_sum);
        let Some((steer, signature)) =
            chain.passes.iter().enumerate().find_map(|(index, pass)| Some((index, sums(pass)?)))
        else {
            return Err(place.bad("the chain has no pass that steers and would sum the rule", "extend one that has"));
        };
        let name = kernel.name.clone();
        let taken = |what: &str| self.bad(&named, "kernel", what, "give the kernel's file another name");
        if signature.rules.contains(&name.as_str()) {
            return Err(taken(&format!("the chain sums a rule {name:?} already")));
        }
        if chain.fields.insert(name.clone(), FieldKind::Texel(Texel::Vector)).is_some() {
            return Err(taken(&format!("the chain has a field {name:?} already")));
        }
        if signature.rules.len() + chain.passes[steer].summed().len() >= MAX_RULES {
            return Err(place.bad(format!("more than {MAX_RULES} rules"), "their sum must fit in 32 bits"));
        }
        let write = vec![Spanned::new(named.span(), name.clone())];
        let pass =
            self.pass(chain, place, kernel, PassSpec { kernel: named, each: None, sight, read, write, weight, axes })?;
        chain.passes[steer].read.push(name);
        chain.passes.insert(steer, pass);
        Ok(())
    }

    /// The numbers of axes of the worlds that a kernel is written for. For a built-in kernel the table gives them, and
    /// for a user's kernel its pass. Without this key the kernel is written for flat worlds.
    fn axes(&self, kernel: &Kernel, spec: Option<Spanned<AxesSpec>>) -> Result<&'static [usize], BadInput> {
        let own = kernel.signature.filter(|_| kernel.is_built_in).map(|signature| signature.axes);
        let Some(spec) = spec else { return Ok(own.unwrap_or(FLAT)) };
        if own.is_some() {
            let cure = "take `axes` away; a built-in kernel has its own";
            return Err(self.bad(&spec, "axes", format!("the axes of `{}` are given", kernel.name), cure));
        }
        let list = match spec.get_ref() {
            AxesSpec::One(one) => vec![*one],
            AxesSpec::Several(several) => several.clone(),
        };
        match list.as_slice() {
            [2] => Ok(FLAT),
            [3] => Ok(DEEP),
            [2, 3] | [3, 2] => Ok(ANY_AXES),
            _ => Err(self.bad(&spec, "axes", format!("the axes {list:?}"), "write 2, 3 or [2, 3]")),
        }
    }

    fn add_weight(&self, chain: &mut Chain, name: &str, weight: &Spanned<f64>) -> Result<(), BadInput> {
        let scaled = (weight.get_ref() * f64::from(RULE_ONE)).round();
        // A NaN lies in no range.
        if !(-f64::from(WEIGHT_LIMIT)..=f64::from(WEIGHT_LIMIT)).contains(&scaled) {
            let problem = format!("the weight {}", weight.get_ref());
            return Err(self.bad(weight, "weight", problem, "a weight lies between -32 and 32"));
        }
        chain.weights.insert(name.to_string(), scaled as i32);
        Ok(())
    }

    /// Checks that every listed name is the name of a field, and is listed once.
    fn check_listed(&self, chain: &Chain, key: &str, names: &[Spanned<String>]) -> Result<(), BadInput> {
        let mut seen = BTreeSet::new();
        for name in names {
            if let (_, Some(species)) = split_name(name.get_ref()) {
                self.check_of_species(chain, key, name, species)?;
            } else if !chain.fields.contains_key(name.get_ref()) {
                let known = chain.fields.keys().cloned().collect::<Vec<_>>().join(", ");
                let problem = format!("no field is called {:?}", name.get_ref());
                return Err(self.bad(name, key, problem, format!("declare it in [fields], or use {known}")));
            }
            if !seen.insert(accessor_of(name.get_ref())) {
                let problem = format!("{:?} is listed twice", name.get_ref());
                return Err(self.bad(name, key, problem, "name each field once"));
            }
        }
        Ok(())
    }

    /// Checks that species have the listed field of another species, and that a kernel can name it. The plan checks
    /// whether the species exists.
    fn check_of_species(
        &self,
        chain: &Chain,
        key: &str,
        name: &Spanned<String>,
        species: &str,
    ) -> Result<(), BadInput> {
        let written = name.get_ref();
        let wrong = |problem: String, cure: &str| Err(self.bad(name, key, problem, cure));
        if chain.model != Model::Cell {
            return wrong(format!("no field is called {written:?}"), "species of cells alone have fields");
        }
        if key == "write" {
            return wrong(format!("{written:?} is another species'"), "a pass writes fields of its own species");
        }
        if chain.kind_of(written).is_none() {
            let cure = format!("say \"density of {species}\" or \"control of {species}\"");
            return wrong(format!("a species has no field like {written:?}"), &cure);
        }
        if species.is_empty() || !species.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
            let cure = "give the species a name of a to z, A to Z, 0 to 9, _ and -";
            return wrong(format!("no kernel can name {written:?}"), cure);
        }
        let accessor = accessor_of(written);
        if chain.fields.contains_key(&accessor) || self.taken.contains(accessor.as_str()) {
            wrong(format!("in kernels {written:?} has a name that is taken, {accessor}"), "rename the species")
        } else {
            Ok(())
        }
    }

    fn find_kernel(&self, model: Model, named: &Spanned<String>, files: &mut Files<'_>) -> Result<Kernel, BadInput> {
        let (name, table) = (named.get_ref(), model.table());
        let bad = |problem: String, cure: String| self.bad(named, "kernel", problem, cure);
        let known = || table.kernels.iter().map(|kernel| kernel.name).collect::<Vec<_>>().join(", ");
        if !is_path(name) {
            let Some(signature) = table.kernel(name) else {
                let cure = format!("one of {}, or the path of a WGSL file", known());
                return Err(bad(format!("no {} is called {name:?}", table.noun), cure));
            };
            let origin = table.path(name);
            let text = files.host.library().text(&origin).unwrap_or_default().to_string();
            return Ok(Kernel { name: name.clone(), origin, text, signature: Some(signature), is_built_in: true });
        }
        let path = self.folder.map_or_else(|| Path::new(name).to_path_buf(), |folder| folder.join(name));
        let origin = path.display().to_string();
        let text = files
            .texts
            .read(&path, files.host)
            .map_err(|wrong| bad(format!("the kernel {} {}", wrong.origin, wrong.problem), wrong.cure))?;
        let name = stem(&path);
        check_name(&self.taken, &name).map_err(|problem| {
            bad(problem, "the file of a kernel is called like its function, which no helper is".into())
        })?;
        let signature = table.kernel(&name).filter(|_| table.has_replaced_kernels);
        if signature.is_none() && !table.has_free_kernels {
            let cure = format!("call the file like the kernel that it replaces: {}", known());
            return Err(bad(format!("no {} is called {name:?}", table.noun), cure));
        }
        Ok(Kernel { name, origin, text, signature, is_built_in: false })
    }
}
