//! Checks messages about wrong presets: each names the file, the line of the key, the key, the problem and the advice.

use std::collections::BTreeMap;

/// Checks a message about a text that was read as `mine.toml`. `problem`: the expected problem.
///
/// # Errors
/// If the message does not name the file, states another problem, has no advice or names a wrong line. The right line
/// is the line of the key, or of the innermost existing table of the key.
pub fn check_message(text: &str, message: &str, problem: &str) -> Result<(), String> {
    let told = message.strip_prefix("mine.toml:").and_then(|rest| rest.split_once(": "));
    let Some((line, Some((key, _)))) = told.map(|(line, rest)| (line, rest.split_once(": "))) else {
        return Err(format!("no file, line and key: {message}"));
    };
    if !message.contains(problem) || !message.contains(';') {
        return Err(format!("another problem than {problem:?}, or no cure: {message}"));
    }
    let expected = line_of(text, key);
    if line.parse() == Ok(expected) { Ok(()) } else { Err(format!("not in line {expected}: {message}")) }
}

/// The line of a key such as `species[0].meets.tuna.kind`, or of its innermost existing table.
fn line_of(text: &str, key: &str) -> usize {
    let (mut lines, mut table) = (BTreeMap::new(), String::new());
    // The number of tables of each array above the present line.
    let mut arrays: BTreeMap<String, usize> = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        let path = if let Some(header) = line.strip_prefix("[[").and_then(|rest| rest.split("]]").next()) {
            let count = arrays.entry(header.to_owned()).or_default();
            *count += 1;
            table = format!("{header}[{}]", *count - 1);
            table.clone()
        } else if let Some(header) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            let first = header.split('.').next().unwrap_or_default();
            table = match arrays.get(first) {
                Some(count) => header.replacen(first, &format!("{first}[{}]", count - 1), 1),
                None => header.to_owned(),
            };
            table.clone()
        } else if let Some((name, _)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
            if table.is_empty() { name.trim().to_owned() } else { format!("{table}.{}", name.trim()) }
        } else {
            continue;
        };
        // A table without a header begins at the first table within it.
        for end in ends_of_parts(&path) {
            lines.entry(path[..end].to_owned()).or_insert(index + 1);
        }
    }
    ends_of_parts(key).rev().find_map(|end| lines.get(&key[..end]).copied()).unwrap_or(1)
}

/// The end of each part of a path.
fn ends_of_parts(path: &str) -> impl DoubleEndedIterator<Item = usize> {
    let inner = path.char_indices().filter(|(_, sign)| ".[".contains(*sign)).map(|(at, _)| at);
    inner.chain([path.len()]).collect::<Vec<_>>().into_iter()
}

#[test]
fn a_message_with_another_line_is_told_from_a_right_one() {
    let text = "seed = 1\n[world]\nsize = 3\n[[species]]\n[[species]]\nname = \"a\"\n[species.meets.b]\nkind = 2\n";
    for (key, line) in [
        ("seed", 1),
        ("world.size", 3),
        ("world.edges", 2),
        ("species", 4),
        ("species[1]", 5),
        ("species[1].name", 6),
        ("species[1].meets", 7),
        ("species[1].meets.b.kind", 8),
        ("species[0].seed", 4),
        ("nothing", 1),
    ] {
        for told in 1..9 {
            let message = format!("mine.toml:{told}: {key}: is wrong; take another");
            assert_eq!(check_message(text, &message, "is wrong").is_ok(), told == line, "{message}");
        }
    }
    for lacking in
        ["mine.toml: seed: is wrong; take another", "mine.toml:1: seed: is wrong", "mine.toml:1: seed: is; b"]
    {
        assert!(check_message(text, lacking, "is wrong").is_err(), "{lacking}");
    }
}
