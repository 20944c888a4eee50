//! Settings: texts `key=value` that change a preset. They come from `--set`, from the panel of the window and from
//! replays.

use crate::error::BadInput;
use toml_edit::{DocumentMut, InlineTable, Item, Key, Value};

/// One `key=value`.
#[derive(Debug, Clone)]
pub(super) struct Setting {
    /// The key, as in `world.solid[1].circle.radius`.
    pub key: String,
    path: Vec<Step>,
    value: Value,
    /// The setting as it was written.
    text: String,
}

/// The name of the command-line argument whose values are settings, for error messages.
pub(super) const ARGUMENT: &str = "set";
/// The only key of a preset that may be one table or a list of tables.
pub(super) const LIST_OR_TABLE: &str = "hunter";

/// A part of a dotted key: a name in a table, or an index in a list.
#[derive(Debug, Clone, PartialEq)]
enum Step {
    Name(String),
    Index(usize),
}

impl Setting {
    /// Reads `key=value`: a dotted key with indices, and a TOML value or a bare word.
    pub fn parse(text: &str) -> Result<Self, BadInput> {
        let refused = |problem: &str| {
            let cure = "write it as key=value, as in weights.cohesion=0.8";
            BadInput::of_argument(ARGUMENT, text, problem, cure)
        };
        let (key, value) = text.split_once('=').ok_or_else(|| refused("there is no `=` in it"))?;
        let path = parse_path(key).ok_or_else(|| refused("what stands before `=` is not a dotted key"))?;
        let value = match value.trim().parse::<Value>() {
            Ok(value) => value,
            Err(_) if is_bare_word(value.trim()) => Value::from(value.trim()),
            Err(_) => return Err(refused("what stands after `=` is not a value of TOML")),
        };
        Ok(Self { key: join(&path), path, value, text: text.to_owned() })
    }

    /// An error that names the setting. `cure`: the advice at the end of the message.
    pub fn wrong(&self, problem: impl Into<String>, cure: impl Into<String>) -> BadInput {
        BadInput::of_argument(ARGUMENT, &self.text, problem, cure)
    }

    /// Whether an error about `key` may come from this setting: one key contains the other, or both are equal.
    pub fn touches(&self, key: &str) -> bool {
        is_within(key, &self.key) || is_within(&self.key, key)
    }

    /// Adapts a key that begins with [`LIST_OR_TABLE`] to the document. The index `[0]` is added if the document has a
    /// list of one table, and removed if the document has a single table.
    ///
    /// # Errors
    /// The document has several tables, and the key has no index.
    pub fn resolved(mut self, document: &DocumentMut) -> Result<Self, BadInput> {
        let [Step::Name(name), next, ..] = &self.path[..] else { return Ok(self) };
        let (true, Some(item)) = (name == LIST_OR_TABLE, document.get(name)) else { return Ok(self) };
        match (length(item), next) {
            (None, Step::Index(0)) if item.is_table_like() => drop(self.path.remove(1)),
            (Some(1), Step::Name(_)) => self.path.insert(1, Step::Index(0)),
            (Some(several), Step::Name(_)) => {
                let cure = format!("say which, as in {name}[0]{}", &self.key[name.len()..]);
                return Err(self.wrong(format!("there are {several} of `{name}`"), cure).at_key(self.key));
            }
            _ => {}
        }
        self.key = join(&self.path);
        Ok(self)
    }

    /// Writes the value at the key in a document. Missing tables are added. Missing elements of lists are refused.
    pub fn lay_over(&self, document: &mut DocumentMut) -> Result<(), BadInput> {
        let wrong = |depth: usize, problem: &str| {
            let problem = problem.replace('*', &join(&self.path[..depth]));
            self.wrong(problem, "set it as a whole, in the notation of TOML").at_key(&self.key)
        };
        let mut item: &mut Item = document.as_item_mut();
        for (depth, step) in self.path.iter().enumerate() {
            item = match step {
                Step::Name(name) => {
                    // New tables are inline tables, because standard and inline tables can both contain them.
                    if item.is_none() {
                        *item = Item::Value(InlineTable::new().into());
                    }
                    let table = item.as_table_like_mut().ok_or_else(|| wrong(depth, "`*` is not a table"))?;
                    table.entry(name).or_insert(Item::None)
                }
                Step::Index(index) => element(item, *index).map_err(|problem| wrong(depth, &problem))?,
            };
        }
        match item {
            // The blanks and comments around the old value are kept.
            Item::Value(old) => {
                let decor = old.decor().clone();
                *old = self.value.clone();
                *old.decor_mut() = decor;
            }
            other => {
                *other = match (&*other, self.value.clone()) {
                    // A list of tables can only contain tables.
                    (Item::Table(_), Value::InlineTable(table)) => Item::Table(table.into_table()),
                    (_, value) => Item::Value(value),
                }
            }
        }
        Ok(())
    }
}

/// Removes spaces and quotes from a dotted key; `None`: the text is not a dotted key.
pub fn normalized(key: &str) -> Option<String> {
    parse_path(key).map(|path| join(&path))
}

/// The number of elements of a list of tables or values; `None` if the item is not a list.
pub(super) fn length(item: &Item) -> Option<usize> {
    item.as_array_of_tables().map(|tables| tables.len()).or(item.as_array().map(|values| values.len()))
}

/// An element of a list of tables or values, or the problem with its index.
fn element(list: &mut Item, index: usize) -> Result<&mut Item, String> {
    match length(list) {
        None => Err("`*` is not a list".into()),
        Some(0) => Err("the list `*` is empty".into()),
        Some(length) => list.get_mut(index).ok_or(format!("the list `*` ends with [{}]", length - 1)),
    }
}

/// Replaces the paths of files in the value of a setting with file names, for texts that are shared with others. A
/// setting without paths stays unchanged.
pub fn without_folders(setting: &str) -> String {
    fn shorten(value: &mut Value) {
        match value {
            Value::String(text) => {
                let Some((_, name)) = text.value().rsplit_once(['/', '\\']) else { return };
                let name = Value::from(name);
                let around = text.decor().clone();
                *value = name;
                *value.decor_mut() = around;
            }
            Value::Array(list) => list.iter_mut().for_each(shorten),
            Value::InlineTable(table) => table.iter_mut().for_each(|(_, value)| shorten(value)),
            _ => {}
        }
    }
    let Ok(mut parsed) = Setting::parse(setting) else { return setting.to_owned() };
    let written = parsed.value.to_string();
    shorten(&mut parsed.value);
    let shortened = parsed.value.to_string();
    if shortened == written { setting.to_owned() } else { format!("{}={shortened}", parsed.key) }
}

/// Splits a key into its parts: dotted TOML names, each with any number of indices. `None`: the text is not a key.
fn parse_path(key: &str) -> Option<Vec<Step>> {
    let mut path = Vec::new();
    for (number, part) in key.split('[').enumerate() {
        let mut names = part;
        if number > 0 {
            let (index, rest) = part.split_once(']')?;
            path.push(Step::Index(index.trim().parse().ok()?));
            if rest.trim().is_empty() {
                continue;
            }
            names = rest.trim().strip_prefix('.')?;
        }
        let names = Key::parse(names.trim()).ok()?;
        path.extend(names.iter().map(|name| Step::Name(name.get().to_owned())));
    }
    Some(path)
}

fn join(path: &[Step]) -> String {
    let mut key = String::new();
    for step in path {
        match step {
            Step::Name(name) if key.is_empty() => key.push_str(name),
            Step::Name(name) => key.extend([".", name]),
            Step::Index(index) => key.push_str(&format!("[{index}]")),
        }
    }
    key
}

/// Whether a dotted key is `table` itself or inside it.
pub(super) fn is_within(key: &str, table: &str) -> bool {
    key.strip_prefix(table).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

fn is_bare_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_control() || "[]{}\"'=,#".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[world]\nsize = [8, 8] # cells\n[[world.solid]]\nmask = \"a\"\n[[world.solid]]\n\
                        circle = { at = [0.5, 0.5], radius = 0.1 }\n[hunter]\npath = [[0, 0], [1, 1]]\n";

    fn lay(setting: &str) -> Result<String, String> {
        let mut document: DocumentMut = TEXT.parse().unwrap();
        let laid = Setting::parse(setting).and_then(|setting| setting.lay_over(&mut document));
        laid.map(|()| document.to_string()).map_err(|wrong| wrong.to_string())
    }

    #[test]
    fn a_shared_setting_names_files_without_their_folders() {
        for (setting, expected) in [
            ("start.file=/home/someone/maps/a.png", "start.file=\"a.png\""),
            (
                "world.solid=[{ mask = 'my\\\\b.png' }, { circle = { radius = 1 } }]",
                "world.solid=[{ mask = \"b.png\" }, { circle = { radius = 1 } }]",
            ),
            ("weights.cohesion = 0.80", "weights.cohesion = 0.80"),
            ("look.style=dusk", "look.style=dusk"),
        ] {
            assert_eq!(without_folders(setting), expected);
        }
    }

    #[test]
    fn a_setting_reaches_into_lists() {
        for (setting, from, to) in [
            ("world.solid[1].circle.radius=0.3", "radius = 0.1", "radius = 0.3"),
            (" world . \"solid\" [ 1 ] . circle . at[0] = 0.25", "at = [0.5,", "at = [0.25,"),
            ("world.solid[0].mask=b", "mask = \"a\"", "mask = \"b\""),
            ("world.size[1]=9", "[8, 8] # cells", "[8, 9] # cells"),
            ("hunter.path[1][0]=0.5", "[1, 1]]", "[0.5, 1]]"),
        ] {
            assert_eq!(lay(setting), Ok(TEXT.replace(from, to)), "{setting}");
        }
        let text = lay("world.solid[1]={ mask = 'b' }").unwrap();
        let document: DocumentMut = text.parse().unwrap();
        assert_eq!(document["world"]["solid"][1]["mask"].as_str(), Some("b"), "{text}");
    }

    #[test]
    fn an_index_that_leads_nowhere_is_refused() {
        let whole = "set it as a whole, in the notation of TOML";
        for (setting, problem) in [
            ("world.solid[2].mask=b", "the list `world.solid` ends with [1]"),
            ("world.solid[1].circle[0]=b", "`world.solid[1].circle` is not a list"),
            ("hunter.path[0].x=1", "`hunter.path[0]` is not a table"),
            ("weights.none[0]=1", "`weights.none` is not a list"),
        ] {
            let key = setting.split_once('=').unwrap().0;
            assert_eq!(lay(setting), Err(format!("set {setting}: {key}: {problem}; {whole}")));
        }
        for setting in ["world.solid[x].mask=b", "world.solid[1=2", "[1].x=2", "world.solid[-1].mask=1", "a[1]b=2"] {
            assert!(lay(setting).unwrap_err().contains("what stands before `=` is not a dotted key"), "{setting}");
        }
    }
}
