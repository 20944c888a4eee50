//! The sights of a row as written on the command line: `rings:8:4`, `disc:8/3/6` or `box:16/3/16`.

use std::fmt;
use std::str::FromStr;

/// The sights of the three rules.
#[derive(Debug, Clone, PartialEq)]
pub enum Sights {
    /// The same rings for all rules, with radii in cells.
    Rings { directions: u32, radii: Vec<u32> },
    /// The radii of cohesion, separation and alignment, in cells.
    Discs([f64; 3]),
    /// The reach along each axis of cohesion, separation and alignment, in cells.
    Boxes([u32; 3]),
}

const RULES: [&str; 3] = ["cohesion", "separation", "alignment"];
const EXAMPLES: &str = "write it as rings:8:4, disc:8/3/6 or box:16/3/16";

impl Sights {
    /// The tables `[sight.…]` of a preset.
    pub fn toml(&self) -> String {
        let form = |rule: usize| match self {
            Self::Rings { directions, radii } => format!("rings = {{ directions = {directions}, radii = {radii:?} }}"),
            Self::Discs(radii) => format!("disc = {}", radii[rule]),
            Self::Boxes(radii) => format!("box = {}", radii[rule]),
        };
        (0..3).map(|rule| format!("[sight.{}]\n{}\n", RULES[rule], form(rule))).collect()
    }
}

impl FromStr for Sights {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (form, numbers) = text.split_once(':').ok_or(format!("`{text}` has no form and numbers; {EXAMPLES}"))?;
        match form {
            "rings" => {
                let (directions, radii) = numbers.split_once(':').ok_or(format!("no radius of rings; {EXAMPLES}"))?;
                let radii = radii.split('+').map(number).collect::<Result<_, _>>()?;
                Ok(Self::Rings { directions: number(directions)?, radii })
            }
            "disc" => Ok(Self::Discs(for_each_rule(numbers)?)),
            "box" => Ok(Self::Boxes(for_each_rule(numbers)?)),
            other => Err(format!("`{other}` is no form of sight; {EXAMPLES}")),
        }
    }
}

/// Parses one number for all rules, or one for each.
fn for_each_rule<T: FromStr + Copy>(text: &str) -> Result<[T; 3], String> {
    let numbers: Vec<T> = text.split('/').map(number).collect::<Result<_, _>>()?;
    match numbers[..] {
        [all] => Ok([all; 3]),
        [cohesion, separation, alignment] => Ok([cohesion, separation, alignment]),
        _ => Err(format!("{} numbers; give one, or one each for {}", numbers.len(), RULES.join("/"))),
    }
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is no number of this kind; {EXAMPLES}"))
}

impl fmt::Display for Sights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [form, a, b, c] = match self {
            Self::Rings { directions, radii } => {
                let radii: Vec<String> = radii.iter().map(u32::to_string).collect();
                return write!(f, "rings {directions} at {}", radii.join("+"));
            }
            Self::Discs([a, b, c]) => ["discs".into(), a.to_string(), b.to_string(), c.to_string()],
            Self::Boxes([a, b, c]) => ["boxes".into(), a.to_string(), b.to_string(), c.to_string()],
        };
        if a == b && b == c { write!(f, "{form} {a}") } else { write!(f, "{form} {a}/{b}/{c}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sights_are_read_as_they_are_asked_for() {
        for (text, shown, toml) in [
            ("rings:8:4", "rings 8 at 4", "[sight.separation]\nrings = { directions = 8, radii = [4] }\n"),
            ("rings:16:2+5", "rings 16 at 2+5", "radii = [2, 5]"),
            ("disc:8/3/6", "discs 8/3/6", "[sight.alignment]\ndisc = 6\n"),
            ("disc:5.5", "discs 5.5", "[sight.cohesion]\ndisc = 5.5\n"),
            ("box:16/3/16", "boxes 16/3/16", "[sight.separation]\nbox = 3\n"),
        ] {
            let sights: Sights = text.parse().unwrap();
            assert_eq!(sights.to_string(), shown);
            assert!(sights.toml().contains(toml), "{}", sights.toml());
        }
    }

    #[test]
    fn what_is_no_sight_is_refused_with_an_example() {
        for (text, problem) in [
            ("disc", "`disc` has no form"),
            ("ball:4", "`ball` is no form"),
            ("disc:8/3", "2 numbers; give one, or one each"),
            ("disc:x", "`x` is no number"),
            ("box:1.5", "`1.5` is no number"),
            ("rings:8", "no radius of rings"),
            ("rings:8:", "`` is no number"),
        ] {
            let wrong = text.parse::<Sights>().unwrap_err();
            assert!(wrong.contains(problem), "{wrong}");
        }
    }
}
