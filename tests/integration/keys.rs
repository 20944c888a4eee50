//! The table of preset keys: the reference shows what it says, and a change costs what it says.

use super::command::repository;
use crate::scenes;
use murmuration::chain::Chain;
use murmuration::engine::cpu;
use murmuration::preset::keys::{Cost, KEYS, Key, Value};
use murmuration::preset::{Overrides, Preset, library};
use murmuration::simulation::{EngineChoice, Input, Simulation};
use std::collections::BTreeSet;

/// The column of the comments in the reference, and the longest line.
const COLUMN: usize = 38;
const LONGEST: usize = 120;

/// The name of a key in a line, and the end of its value: `name = value  # comment`.
fn key_of(line: &str) -> Option<(&str, usize)> {
    let (name, _) = line.split_once(" = ")?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let mut is_quoted = false;
    let end = line.char_indices().find(|(_, c)| {
        is_quoted ^= *c == '"';
        *c == '#' && !is_quoted
    });
    is_name.then(|| (name, line[..end.map_or(line.len(), |(end, _)| end)].trim_end().len()))
}

/// Whether a row is one of individuals.
fn is_of_individuals(row: &Key) -> bool {
    row.needs.is_some_and(|needs| needs.decider == "agents.rules" || needs.words == ["agents"])
}

/// What the table says of a row.
fn comment(row: &Key) -> String {
    let condition = match row.needs {
        Some(needs) if needs.decider == "model" => String::new(),
        Some(needs) => format!("{}: ", needs.words.join(" and ")),
        None => String::new(),
    };
    format!("{condition}{}; {}", row.doc, row.facts()).trim_end_matches("; ").to_owned()
}

/// The reference with the comments that the table says, and the rows that it shows.
fn reference(text: &str) -> (String, Vec<&'static Key>) {
    let (mut lines, mut shown, mut table, mut among_individuals) = (Vec::new(), Vec::new(), String::new(), false);
    for line in text.lines() {
        let (before, rest) = line.strip_prefix("# ").map_or(("", line), |rest| ("# ", rest));
        if rest.trim_start().starts_with('#') && rest.len() - rest.trim_start().len() + 2 >= COLUMN - 4 {
            continue;
        }
        if rest.starts_with('[') && rest.ends_with(']') {
            table = format!("{}.", rest.trim_matches(['[', ']'])).replace("solid.", "solid[0].");
            among_individuals = !before.is_empty() && (among_individuals || table == "agents.");
        }
        let Some((name, end)) = key_of(rest) else {
            lines.push(line.to_owned());
            continue;
        };
        let key = format!("{table}{name}");
        let rows: Vec<&'static Key> = KEYS.iter().filter(|row| row.lies_in(&key)).collect();
        let own = rows.iter().any(|row| is_of_individuals(row) == among_individuals);
        let rows = rows.into_iter().filter(|row| !own || is_of_individuals(row) == among_individuals);
        let rows: Vec<&'static Key> = rows.filter(|row| !shown.iter().any(|other| std::ptr::eq(*other, *row))).collect();
        let parts = rows.iter().map(|row| {
            let name = row.path.rsplit('.').next().filter(|_| !row.matches(&key)).map_or(String::new(), |name| format!("{name}: "));
            name + &comment(row)
        });
        let words = parts.collect::<Vec<_>>().join(". ");
        let mut line = format!("{before}{}", &rest[..end]);
        let mut begins = true;
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            if begins || line.chars().count() + word.chars().count() + 1 > LONGEST {
                if !begins {
                    lines.push(std::mem::replace(&mut line, before.trim_end().to_owned()));
                }
                let room = COLUMN.saturating_sub(line.chars().count()).max(1);
                line += &format!("{}#", " ".repeat(room));
                begins = false;
            }
            line += &format!(" {word}");
        }
        lines.push(line);
        shown.extend(rows);
    }
    (lines.join("\n") + "\n", shown)
}

#[test]
fn the_reference_is_what_the_table_says() {
    let text = library::text("reference").unwrap();
    let (expected, shown) = reference(text);
    let missing: Vec<&str> = KEYS.iter().filter(|row| !shown.iter().any(|other| std::ptr::eq(*other, *row))).map(|row| row.path).collect();
    assert_eq!(missing, Vec::<&str>::new(), "the reference lacks these keys");
    if std::env::var_os("MURMURATION_BLESS").is_some() {
        std::fs::write(repository().join("presets/reference.toml"), &expected).unwrap();
    } else if let Some((line, (is, said))) = text.lines().zip(expected.lines()).enumerate().find(|(_, (is, said))| is != said) {
        panic!("presets/reference.toml:{}: is\n{is}\nand not\n{said}\nMURMURATION_BLESS=1 writes it anew", line + 1);
    }
}
