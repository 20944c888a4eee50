//! Suggestions for keys that are not in the table.

use super::{KEYS, is_part};

/// The keys that an unknown one may have meant, as `world.edges`, or `start.speed or hunter.speed`; `None`: nothing is near.
///
/// A key of the same name in another table comes first, then the nearest names of the same table, then of all tables.
pub fn suggestion(key: &str) -> Option<String> {
    let parts: Vec<&str> = key.split('.').collect();
    let (name, table) = parts.split_last()?;
    let mut candidates: Vec<(usize, Place, String)> = KEYS
        .iter()
        .filter_map(|row| {
            let own: Vec<&str> = row.path.split('.').collect();
            let (own_name, own_table) = own.split_last()?;
            let distance = distance(name, own_name);
            let is_inside =
                own_table.len() >= table.len() && own_table.iter().zip(table).all(|(own, part)| is_part(own, part));
            let place = match is_inside {
                true if own_table.len() == table.len() => Place::Here,
                true => Place::Below,
                false => Place::Elsewhere,
            };
            // The names and indices of the unknown key, in the place of the stars.
            let path = if is_inside { [table, &own[table.len()..]].concat() } else { own.clone() };
            (*own_name != "*" && distance <= name.len() / 3).then(|| (distance, place, path.join(".")))
        })
        .collect();
    candidates.sort_by_key(|(distance, place, _)| (*distance > 0, *place, *distance));
    let (distance, place) = candidates.first().map(|candidate| (candidate.0, candidate.1))?;
    candidates.retain(|candidate| (candidate.0, candidate.1) == (distance, place));
    candidates.dedup();
    let paths: Vec<String> = candidates.into_iter().map(|(_, _, path)| path).take(3).collect();
    Some(paths.join(" or "))
}

/// Where a key lies, seen from the table of the unknown one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Here,
    Below,
    Elsewhere,
}

/// The number of characters to insert, remove or replace, or of neighbours to exchange, to make one name of the other.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut rows = vec![(0..=to.len()).collect::<Vec<usize>>()];
    for (i, one) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, other) in to.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(one != other);
            let mut least = replaced.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *one == to[j - 1] && from[i - 1] == *other {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_keys_are_recognized() {
        for (key, expected) in [
            ("world.edgs", Some("world.edges")),
            ("movement.wnader", Some("movement.wander")),
            ("speed", Some("start.speed or hunter.speed")),
            ("wander", Some("movement.wander")),
            ("look.color", Some("look.colour")),
            ("sight.cohesion.dics", Some("sight.cohesion.disc")),
            ("world.solid[1].radius", Some("world.solid[1].circle.radius")),
            ("nonsense", None),
        ] {
            assert_eq!(suggestion(key).as_deref(), expected, "{key}");
        }
    }
}
