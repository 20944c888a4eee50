//! The preprocessor of WGSL. A directive takes a whole line:
//!
//! | directive | |
//! |---|---|
//! | `#import "lives/lives"` | adds that file of `shaders/` to the shader, once |
//! | `#ifdef NAME`, `#ifndef NAME` | keeps the lines up to `#else` or `#endif` if the condition is met, or is not |
//! | `#for row in LIST` | repeats the lines up to `#endfor` for each row of a list; `row.column` is a nested list |
//!
//! In a line `#{row.column}` is a text of the row, and `#{NAME}` is a text of the shader. Directives and dropped lines
//! become empty lines. Each line keeps its number in the file.
//!
//! `naga_oil` does not fit. Its preprocessor only finds imports of items written as `module::item`, and kernels call
//! functions by their own names. It ignores unknown directives, and its conditions alone would need `regex` and naga's
//! WGSL writer.

use murmuration_core::chain::names::tokens;
use murmuration_core::error::BadInput;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Display;

/// Texts and lists with their names. A row of a list gives the texts of one repetition of `#for`.
#[derive(Debug, Clone, Default)]
pub struct Row {
    pub(super) texts: Vec<(&'static str, String)>,
    pub(super) lists: Vec<(&'static str, Vec<Row>)>,
}

impl Row {
    /// A row with these texts.
    pub fn new<const N: usize>(texts: [(&'static str, &dyn Display); N]) -> Self {
        Self { texts: texts.map(|(name, text)| (name, text.to_string())).into(), lists: Vec::new() }
    }

    /// Adds a list to the row.
    pub fn with(mut self, name: &'static str, rows: impl IntoIterator<Item = Self>) -> Self {
        self.lists.push((name, rows.into_iter().collect()));
        self
    }
}

/// The names that the directives of a file may use.
#[derive(Debug, Clone, Default)]
pub struct Definitions {
    /// The conditions that `#ifdef` may name, and whether they are met.
    pub conditions: Vec<(&'static str, bool)>,
    /// The texts and lists of the shader.
    pub row: Row,
}

impl<const N: usize> From<[(&'static str, bool); N]> for Definitions {
    fn from(conditions: [(&'static str, bool); N]) -> Self {
        Self { conditions: conditions.into(), row: Row::default() }
    }
}

/// A file without its directives.
#[derive(Debug, PartialEq, Eq)]
pub struct Preprocessed<'a> {
    /// The text.
    pub text: String,
    /// For each line of the text, its number in the file.
    pub lines: Vec<usize>,
    /// The files that the file imports, each with the line of the directive.
    pub imports: Vec<(usize, &'a str)>,
}

/// A block that is open at a line. The first number of each variant is the line where the block begins.
enum Block<'a> {
    /// The line, whether the condition is met, and whether `#else` was read.
    Condition(usize, bool, bool),
    /// The line, the name of the current row, and the rows that are left. The current row is the first of them.
    Loop(usize, &'a str, &'a [Row]),
}

impl Block<'_> {
    fn holds(&self) -> bool {
        match self {
            Self::Condition(_, is_met, _) => *is_met,
            Self::Loop(.., rows) => !rows.is_empty(),
        }
    }
}

/// The problem with a directive, and the advice.
type Mistake = (String, String);

/// The state of the directives at a line.
struct Directives<'a> {
    definitions: &'a Definitions,
    /// The number of the line.
    line: usize,
    /// The open blocks around the line.
    around: Vec<Block<'a>>,
}

impl<'a> Directives<'a> {
    /// Whether the line is kept.
    fn hold(&self) -> bool {
        self.around.iter().all(Block::holds)
    }

    /// The current rows of the loops around the line, and the row of the shader. Each has a prefix for the names of its
    /// texts, such as `row.`.
    fn rows(&self) -> Vec<(String, &'a Row)> {
        let of_loops = self.around.iter().filter_map(|block| match block {
            Block::Loop(_, name, [row, ..]) => Some((format!("{name}."), row)),
            _ => None,
        });
        of_loops.chain([(String::new(), &self.definitions.row)]).collect()
    }

    /// Replaces the names in the line with their texts.
    fn fill<'t>(&self, line: &'t str) -> Cow<'t, str> {
        if !line.contains("#{") {
            return line.into();
        }
        let mut filled = line.to_string();
        for (begin, row) in self.rows() {
            for (name, text) in &row.texts {
                filled = filled.replace(&format!("#{{{begin}{name}}}"), text);
            }
        }
        filled.into()
    }

    /// Executes the directive in the line. Returns the path in the directive if it is a kept `#import`. `#endfor` may
    /// lead back to the beginning of its block.
    fn execute<'t: 'a>(&mut self, content: &'t str) -> Result<Option<&'t str>, Mistake> {
        let line = self.line;
        let words = content.split("//").next().unwrap_or_default().split_whitespace();
        match words.collect::<Vec<_>>()[..] {
            ["#import", quoted] if quoted.len() > 2 && quoted.starts_with('"') && quoted.ends_with('"') => {
                return Ok(self.hold().then_some(&quoted[1..quoted.len() - 1]));
            }
            [directive @ ("#ifdef" | "#ifndef"), name] => {
                let is_met = self.is_defined(name)? == (directive == "#ifdef");
                self.around.push(Block::Condition(line, is_met, false));
            }
            ["#for", row, "in", list] => {
                let rows = if self.hold() { self.list(list)? } else { &[] };
                self.around.push(Block::Loop(line, row, rows));
            }
            ["#else"] => match self.around.last_mut() {
                Some(Block::Condition(_, is_met, has_else @ false)) => (*is_met, *has_else) = (!*is_met, true),
                _ => return Err(without_condition("#else")),
            },
            ["#endif"] if matches!(self.around.last(), Some(Block::Condition(..))) => drop(self.around.pop()),
            ["#endif"] => return Err(without_condition("#endif")),
            ["#endfor"] => match self.around.pop() {
                Some(Block::Loop(first, row, [_, rows @ ..])) if !rows.is_empty() => {
                    self.around.push(Block::Loop(first, row, rows));
                    self.line = first;
                }
                Some(Block::Loop(..)) => {}
                _ => return Err(("`#endfor` without a list".into(), "write `#for row in LIST` before it".into())),
            },
            _ => {
                let cure = "write `#import \"FOLDER/FILE\"`, `#ifdef NAME`, `#ifndef NAME`, `#else`, `#endif`, \
                            `#for row in LIST` or `#endfor`";
                return Err((format!("`{}` is no directive", content.trim()), cure.into()));
            }
        }
        Ok(None)
    }

    fn is_defined(&self, name: &str) -> Result<bool, Mistake> {
        let conditions = &self.definitions.conditions;
        conditions.iter().find(|(known, _)| *known == name).map(|(_, is_defined)| *is_defined).ok_or_else(|| {
            let known = conditions.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            (format!("no condition is called {name:?}"), format!("the conditions are {known}"))
        })
    }

    /// The rows of the list with this name, which is a list of the shader or of a row around the line. Loops are nested
    /// at most two deep, which bounds the length of the text.
    fn list(&self, list: &str) -> Result<&'a [Row], Mistake> {
        let rows = self.rows();
        let mut lists = rows.iter().flat_map(|(begin, row)| row.lists.iter().map(move |own| (begin, own)));
        match lists.find(|(begin, (name, _))| list.strip_prefix(begin.as_str()) == Some(*name)) {
            Some((_, (_, list))) if rows.len() <= 2 => Ok(list),
            _ => Err((format!("no list is called {list:?}"), "write a list of the shader or of a row".into())),
        }
    }

    /// Checks that no block is open after the last line.
    fn check_end(&self, origin: &str) -> Result<(), BadInput> {
        let (line, problem, cure) = match self.around.last() {
            Some(Block::Condition(line, ..)) => (line, "a condition without an end", "add `#endif`"),
            Some(Block::Loop(line, ..)) => (line, "a repetition without an end", "add `#endfor`"),
            None => return Ok(()),
        };
        Err(BadInput::new(origin, problem, cure).at_line(*line))
    }
}

fn without_condition(directive: &str) -> Mistake {
    (format!("`{directive}` without a condition"), "write `#ifdef NAME` or `#ifndef NAME` before it".into())
}

/// Executes the directives of a text. Messages name the text `origin`.
///
/// # Errors
/// If a directive is unknown or misplaced. The error has its line.
pub fn preprocess<'a>(origin: &str, text: &'a str, definitions: &Definitions) -> Result<Preprocessed<'a>, BadInput> {
    // A `#` in a comment is not a directive. A directive's line begins with `#`, so only a comment of several lines
    // (`/* */`) can contain such a line.
    let signs: Option<BTreeSet<usize>> = text
        .contains("/*")
        .then(|| tokens(text).into_iter().filter(|(_, token)| *token == "#").map(|(at, _)| at).collect());
    let place = |begin: &mut usize, content: &'a str| Some((std::mem::replace(begin, *begin + content.len()), content));
    let contents: Vec<_> = text.split_inclusive('\n').scan(0, place).collect();
    let mut done = Preprocessed { text: String::with_capacity(text.len()), lines: Vec::new(), imports: Vec::new() };
    let mut directives = Directives { definitions, line: 0, around: Vec::new() };
    while let Some((begin, content)) = contents.get(directives.line) {
        directives.line += 1;
        let (line, holds) = (directives.line, directives.hold());
        done.lines.push(line);
        let at = begin + content.len() - content.trim_start_matches([' ', '\t']).len();
        let is_sign = text[at..].starts_with('#') && !text[at..].starts_with("#{");
        let is_directive = is_sign && signs.as_ref().is_none_or(|signs| signs.contains(&at));
        if !is_directive && holds {
            done.text.push_str(&directives.fill(content));
            continue;
        }
        done.text.push_str(&content[content.trim_end_matches(['\r', '\n']).len()..]);
        if is_directive {
            let wrong = |(problem, cure): Mistake| BadInput::new(origin, problem, cure).at_line(line);
            done.imports.extend(directives.execute(content).map_err(wrong)?.map(|path| (line, path)));
        }
    }
    directives.check_end(origin)?;
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definitions() -> Definitions {
        let inner = |texts: &[&str]| texts.iter().map(|text| Row::new([("name", text)])).collect::<Vec<_>>();
        let row = |name, index: i32| Row::new([("name", &name), ("index", &index)]);
        let rows = [row("a", 1).with("inner", inner(&[])), row("b", 2).with("inner", inner(&["c", "d"]))];
        let row = Row::new([("SIDE", &3)]).with("LIST", rows).with("NONE", []);
        Definitions { row, ..[("YES", true), ("NO", false)].into() }
    }

    #[test]
    fn every_line_keeps_its_number() {
        let text = "// a\n#import \"shared/numbers\" // exact\n#ifdef YES\nb\n#ifndef YES\nc\n#else\r\nd\n#endif\n\
                    #else\n\
                    #import \"falcon/seen\"\ne\n#endif\n/*\n#no directive\n*/\nf";
        let done = preprocess("x.wgsl", text, &definitions()).unwrap();
        assert_eq!(done.text, "// a\n\n\nb\n\n\n\r\nd\n\n\n\n\n\n/*\n#no directive\n*/\nf");
        assert_eq!(done.imports, [(2, "shared/numbers")]);
        let plain = "fn a() -> u32 {\n    return 1u;\n}\n";
        assert_eq!(preprocess("x.wgsl", plain, &Definitions::default()).unwrap().text, plain);
    }

    #[test]
    fn a_list_stands_once_for_each_row() {
        let text = "#{SIDE}\n#for row in LIST\nx#{row.name}_#{row.index}\n#for z in row.inner\n\
                    #{row.name}#{z.name};\n#endfor\n#endfor\n\
                    #for row in NONE\n#for z in row.inner\nn\n#endfor\n#endfor\ne";
        let done = preprocess("x.wgsl", text, &definitions()).unwrap();
        let lines = done.text.lines().zip(done.lines).filter(|(line, _)| !line.is_empty()).collect::<Vec<_>>();
        assert_eq!(lines, [("3", 1), ("xa_1", 3), ("xb_2", 3), ("bc;", 5), ("bd;", 5), ("e", 13)]);
    }

    #[test]
    fn every_mistake_has_its_line() {
        for (text, line, problem) in [
            ("\n#ifdef NEVER\n#endif", 2, "no condition is called \"NEVER\"; the conditions are YES, NO"),
            ("\n\n#ifdf YES", 3, "`#ifdf YES` is no directive"),
            ("#import shared/numbers", 1, "`#import shared/numbers` is no directive"),
            ("a\n#else", 2, "`#else` without a condition"),
            ("#ifdef NO\n#else\n#else\n#endif", 3, "`#else` without a condition"),
            ("#endif", 1, "`#endif` without a condition"),
            ("\n#ifdef YES\n#ifdef NO\n#endif\n", 2, "a condition without an end"),
            ("\n#for a in LIST\n#for b in LOST\n#endfor\n#endfor", 3, "no list is called \"LOST\""),
            ("#for a in LIST\n#endif", 2, "`#endif` without a condition"),
            ("#ifdef YES\n#endfor", 2, "`#endfor` without a list"),
            ("\n#for a in LIST\n", 2, "a repetition without an end"),
        ] {
            let wrong = preprocess("x.wgsl", text, &definitions()).unwrap_err();
            assert_eq!((wrong.origin.as_str(), wrong.line), ("x.wgsl", Some(line)), "{wrong}");
            assert!(wrong.to_string().contains(problem), "{wrong}");
        }
    }
}
