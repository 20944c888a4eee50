//! The names in WGSL text: which are declared, and which are used.

use std::collections::BTreeSet;

/// The words that declare a name.
const DECLARING: [&str; 6] = ["fn", "const", "struct", "alias", "override", "var"];

/// The words and signs of WGSL text, without comments, each with its offset.
fn tokens(text: &str) -> Vec<(usize, &str)> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let comment = comment_length(rest);
        let length = match comment {
            0 if is_part(first) => rest.find(|letter| !is_part(letter)).unwrap_or(rest.len()),
            0 => first.len_utf8(),
            _ => comment,
        };
        if comment == 0 {
            tokens.push((text.len() - rest.len(), &rest[..length]));
        }
        rest = rest[length..].trim_start();
    }
    tokens
}

/// The bytes of the comment with which a text begins. A comment in `/*` and `*/` may hold others.
fn comment_length(text: &str) -> usize {
    if text.starts_with("//") {
        // The line breaks of WGSL.
        return text.find(['\n', '\u{b}', '\u{c}', '\r', '\u{85}', '\u{2028}', '\u{2029}']).unwrap_or(text.len());
    }
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        match text.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] if depth > 0 => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return if at > 1 { at } else { 0 };
        }
    }
    text.len()
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn is_word(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// The names that WGSL text declares at its top level, with their offsets.
pub fn declared(text: &str) -> Vec<(usize, &str)> {
    let mut names = Vec::new();
    // How many brackets are open, whether a name is declared next, and how many `<` stand before it.
    let (mut depth, mut is_next, mut template) = (0u32, false, 0u32);
    for (at, token) in tokens(text) {
        match token {
            "{" | "(" => depth += 1,
            "}" | ")" => depth = depth.saturating_sub(1),
            "<" if is_next => template += 1,
            ">" if is_next => template = template.saturating_sub(1),
            _ if depth > 0 || template > 0 => {}
            _ if is_next && is_word(token) => {
                names.push((at, token));
                is_next = false;
            }
            _ => is_next |= DECLARING.contains(&token),
        }
    }
    names
}

/// The words and signs of a function's declaration, from its name to its body; none if the text has no such function.
pub fn header<'a>(text: &'a str, function: &str) -> Vec<&'a str> {
    let tokens: Vec<_> = tokens(text).into_iter().map(|(_, token)| token).collect();
    let begin = tokens.windows(2).position(|pair| pair[0] == "fn" && pair[1] == function);
    tokens.into_iter().skip(begin.map_or(usize::MAX, |begin| begin + 1)).take_while(|token| *token != "{").collect()
}

/// The names that WGSL text declares at its top level or takes from elsewhere (from other text or from the language), without
/// those of its parameters, members and local variables.
pub fn used(text: &str) -> BTreeSet<&str> {
    let tokens = tokens(text);
    let at = |index: usize| tokens.get(index).map_or("", |(_, token)| *token);
    let (mut used, mut local) = (BTreeSet::new(), BTreeSet::new());
    for (index, (_, token)) in tokens.iter().enumerate().filter(|(_, (_, token))| is_word(token)) {
        let before = if index == 0 { "" } else { at(index - 1) };
        if matches!(before, "let" | "var" | "const") || at(index + 1) == ":" {
            local.insert(*token);
        } else if !matches!(before, "." | "@") {
            used.insert(*token);
        }
    }
    let own = declared(text).into_iter().map(|(_, name)| name);
    used.difference(&local).copied().chain(own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_found_however_they_are_set() {
        let text = "const A = 1;\n  fn b(c: i32) -> i32 { let d = c; return d; }\n/* fn no() /* */ {} */ struct\nE { f: u32 }\n\
                    @must_use fn\tg() -> u32 { return 1u; } // fn not_this\nvar<private> h: i32; alias J = i32;";
        let names: Vec<_> = declared(text).into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["A", "b", "E", "g", "h", "J"]);
    }

    #[test]
    fn local_names_are_not_used_ones() {
        let text = "fn f(a: i32) -> vec2<i32> { let b = a.x; var c = abs(b); return vec2<i32>(c, other()); }";
        let words = ["abs", "f", "fn", "i32", "let", "other", "return", "var", "vec2"];
        assert_eq!(used(text).into_iter().collect::<Vec<_>>(), words);
    }
}
