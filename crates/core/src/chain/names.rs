//! The names in WGSL text, and the names that fields and kernels may have. Each field and kernel becomes a function in
//! the shaders, so its name must be unique.

use super::table::Model;
use crate::host::library::Library;
use crate::state::fields::Texel;
use std::collections::BTreeSet;

/// The name of the compute entry point of every shader.
pub const COMPUTE_ENTRY: &str = "murmuration_compute";
/// The name of the vertex entry point of every shader.
pub const VERTEX_ENTRY: &str = "murmuration_vertex";
/// The name of the fragment entry point of every shader.
pub const FRAGMENT_ENTRY: &str = "murmuration_fragment";

/// The words that WGSL reserves.
const RESERVED: &str = "\
    NULL Self alias break case const const_assert continue continuing default diagnostic discard else enable false fn \
    for if let loop override requires return struct switch true var while abstract active alignas alignof as asm \
    asm_fragment async attribute auto await become cast catch class co_await co_return co_yield coherent column_major \
    common compile compile_fragment concept const_cast consteval constexpr constinit crate debugger decltype delete \
    demote demote_to_helper do dynamic_cast enum explicit export extends extern external fallthrough filter final \
    finally friend from fxgroup get goto groupshared highp impl implements import inline instanceof interface layout \
    lowp macro macro_rules match mediump meta mod module move mut mutable namespace new nil noexcept noinline \
    nointerpolation non_coherent noncoherent noperspective null nullptr of operator package packoffset partition pass \
    patch pixelfragment precise precision premerge priv protected pub public readonly ref regardless register \
    reinterpret_cast require resource restrict self set shared sizeof smooth snorm static static_assert static_cast \
    std subroutine super target template this thread_local throw trait try type typedef typeid typename typeof union \
    unless unorm unsafe unsized use using varying virtual volatile wgsl where with writeonly yield";

/// Checks that a field or kernel may have a name: a lower-case word without another meaning in the kernels.
pub(super) fn check_name(taken: &BTreeSet<&str>, name: &str) -> Result<(), String> {
    let mut letters = name.chars();
    let starts = letters.next().is_some_and(|first| first.is_ascii_lowercase());
    if !starts || !letters.all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_') {
        return Err(format!("{name:?} is not a word of lower-case letters, digits and underscores"));
    }
    // The generated part of the shaders names textures and targets after fields.
    let is_generated = name.ends_with("_texture") || name.ends_with("_target");
    if is_generated || name.ends_with('_') || name.contains("__") || taken.contains(name) {
        return Err(format!("the name {name:?} is taken"));
    }
    Ok(())
}

/// The names of the shared and generated parts of a model's shaders, and of WGSL itself.
pub fn taken(library: &Library, model: Model) -> BTreeSet<&'static str> {
    let table = model.table();
    let entries = [COMPUTE_ENTRY, VERTEX_ENTRY, FRAGMENT_ENTRY];
    let words = [table.generated, RESERVED].into_iter().flat_map(str::split_whitespace);
    let shared = table.shared.iter().filter_map(|path| library.text(path)).flat_map(used);
    let beside = table.beside.iter().filter_map(|path| library.text(path)).flat_map(declared);
    let beside = beside.map(|(_, name)| name).filter(|name| table.kernel(name).is_none());
    entries.into_iter().chain(words).chain(shared).chain(beside).collect()
}

/// Splits the name of a field in a chain, such as `density of wolves`, into the field and its owner. `None`: the field
/// belongs to the layer of the chain itself.
pub(super) fn split_name(name: &str) -> (&str, Option<&str>) {
    name.split_once(" of ").map_or((name, None), |(field, owner)| (field, Some(owner)))
}

/// The name of a field in kernels, such as `density_of_wolves`.
pub fn accessor_of(name: &str) -> String {
    name.replace([' ', '-'], "_")
}

/// The WGSL keywords before a declared name.
const DECLARING: [&str; 6] = ["fn", "const", "struct", "alias", "override", "var"];

/// The words, numbers and single signs of WGSL text, without comments, each with its offset in bytes.
pub fn tokens(text: &str) -> Vec<(usize, &str)> {
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

/// The length in bytes of the comment at the beginning of a text; 0 without one. Comments in `/*` and `*/` may be
/// nested.
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

/// Whether a token is a word, not a number or a sign.
pub fn is_word(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// The names that WGSL text declares at its top level, with their offsets.
pub fn declared(text: &str) -> Vec<(usize, &str)> {
    let mut names = Vec::new();
    // The number of open brackets; whether a name comes next; the number of open `<` before this name.
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

/// The words and signs of a function's declaration, from its name to its body. Empty if the text has no such function.
pub fn header<'a>(text: &'a str, function: &str) -> Vec<&'a str> {
    let tokens: Vec<_> = tokens(text).into_iter().map(|(_, token)| token).collect();
    let begin = tokens.windows(2).position(|pair| pair[0] == "fn" && pair[1] == function);
    tokens.into_iter().skip(begin.map_or(usize::MAX, |begin| begin + 1)).take_while(|token| *token != "{").collect()
}

/// The names that WGSL text declares at its top level, or takes from other text or from the language. Names of
/// parameters, members and local variables are left out.
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

/// The content, for a cell, of a field of another layer (another species), from the name of the field in a kernel, such
/// as `density_of_wolves`. `None`: the name has another form.
pub fn texel_of_another(accessor: &str) -> Option<Texel> {
    match accessor.split_once("_of_") {
        Some(("density", _)) => Some(Texel::Amount),
        Some(("control", _)) => Some(Texel::Velocity),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_found_however_they_are_set() {
        let text = "const A = 1;\n  fn b(c: i32) -> i32 { let d = c; return d; }\n\
                    /* fn no() /* */ {} */ struct\nE { f: u32 }\n\
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
