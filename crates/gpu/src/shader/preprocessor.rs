//! The preprocessor of WGSL. A directive is a line of its own:
//!
//! | directive | |
//! |---|---|
//! | `#import "lives/lives"` | the shader has that file of `shaders/` as well, once |
//! | `#ifdef NAME`, `#ifndef NAME` | the lines as far as `#else` or `#endif` hold where the condition is met, or is not |
//!
//! Directives and lines that do not hold become empty lines, so that every other line keeps its number.
//!
//! `naga_oil` does not fit: its preprocessor reports an import only where an item is written as `module::item`, and kernels call functions by
//! their own names. It also lets an unknown directive pass, and its conditions alone would bring `regex` and the WGSL writer of naga.

use murmuration_core::chain::names::tokens;
use murmuration_core::error::BadInput;
use std::collections::BTreeSet;

/// The names that `#ifdef` may ask for, each with whether it is defined.
pub type Conditions = Vec<(&'static str, bool)>;

/// A file without its directives.
#[derive(Debug, PartialEq, Eq)]
pub struct Preprocessed<'a> {
    /// As many lines as the file has.
    pub text: String,
    /// The files that it imports, each with its line.
    pub imports: Vec<(usize, &'a str)>,
}

/// Carries out the directives of a text; `origin` names it in messages.
///
/// # Errors
/// A directive that is unknown or misplaced, with its line.
pub fn preprocess<'a>(
    origin: &str,
    text: &'a str,
    conditions: &[(&'static str, bool)],
) -> Result<Preprocessed<'a>, BadInput> {
    // A sign within a comment is no directive. A line of a directive begins with the sign, so that only a comment of several lines hides one.
    let signs: Option<BTreeSet<usize>> = text
        .contains("/*")
        .then(|| tokens(text).into_iter().filter(|(_, token)| *token == "#").map(|(at, _)| at).collect());
    let mut done = Preprocessed { text: String::with_capacity(text.len()), imports: Vec::new() };
    // The conditions around a line: where each begins, whether it is met, and whether `#else` has come.
    let mut around: Vec<(usize, bool, bool)> = Vec::new();
    let mut begin = 0;
    for (line, content) in (1..).zip(text.split_inclusive('\n')) {
        let at = begin + content.len() - content.trim_start_matches([' ', '\t']).len();
        begin += content.len();
        let holds = around.iter().all(|(_, is_met, _)| *is_met);
        if !signs.as_ref().map_or(text[at..].starts_with('#'), |signs| signs.contains(&at)) {
            done.text.push_str(if holds { content } else { &content[content.trim_end_matches(['\r', '\n']).len()..] });
            continue;
        }
        done.text.push_str(&content[content.trim_end_matches(['\r', '\n']).len()..]);
        let wrong = |problem: String, cure: &str| Err(BadInput::new(origin, problem, cure).at_line(line));
        let words = content.split("//").next().unwrap_or_default().split_whitespace();
        match words.collect::<Vec<_>>()[..] {
            ["#import", quoted] if quoted.len() > 2 && quoted.starts_with('"') && quoted.ends_with('"') => {
                if holds {
                    done.imports.push((line, &quoted[1..quoted.len() - 1]));
                }
            }
            [directive @ ("#ifdef" | "#ifndef"), name] => {
                let Some((_, is_defined)) = conditions.iter().find(|(known, _)| *known == name) else {
                    let known = conditions.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
                    return wrong(format!("no condition is called {name:?}"), &format!("the conditions are {known}"));
                };
                around.push((line, *is_defined == (directive == "#ifdef"), false));
            }
            ["#else"] => match around.last_mut() {
                Some((_, is_met, has_else @ false)) => (*is_met, *has_else) = (!*is_met, true),
                _ => {
                    return wrong(
                        "`#else` without a condition".into(),
                        "write `#ifdef NAME` or `#ifndef NAME` before it",
                    );
                }
            },
            ["#endif"] if around.pop().is_some() => (),
            ["#endif"] => {
                return wrong("`#endif` without a condition".into(), "write `#ifdef NAME` or `#ifndef NAME` before it");
            }
            _ => {
                let cure = "write `#import \"FOLDER/FILE\"`, `#ifdef NAME`, `#ifndef NAME`, `#else` or `#endif`";
                return wrong(format!("`{}` is no directive", content.trim()), cure);
            }
        }
    }
    match around.last() {
        Some((line, ..)) => Err(BadInput::new(origin, "a condition without an end", "add `#endif`").at_line(*line)),
        None => Ok(done),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONDITIONS: [(&str, bool); 2] = [("YES", true), ("NO", false)];

    #[test]
    fn every_line_keeps_its_number() {
        let text = "// a\n#import \"shared/numbers\" // exact\n#ifdef YES\nb\n#ifndef YES\nc\n#else\r\nd\n#endif\n#else\n\
                    #import \"falcon/seen\"\ne\n#endif\n/*\n#no directive\n*/\nf";
        let done = preprocess("x.wgsl", text, &CONDITIONS).unwrap();
        assert_eq!(done.text, "// a\n\n\nb\n\n\n\r\nd\n\n\n\n\n\n/*\n#no directive\n*/\nf");
        assert_eq!(done.imports, [(2, "shared/numbers")]);
        let plain = "fn a() -> u32 {\n    return 1u;\n}\n";
        assert_eq!(preprocess("x.wgsl", plain, &[]).unwrap().text, plain);
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
        ] {
            let wrong = preprocess("x.wgsl", text, &CONDITIONS).unwrap_err();
            assert_eq!((wrong.origin.as_str(), wrong.line), ("x.wgsl", Some(line)), "{wrong}");
            assert!(wrong.to_string().contains(problem), "{wrong}");
        }
    }
}
