//! The sights of a row as written on the command line: `rings:8:4`, `disc:8/3/6` or `box:16/3/16`.

use std::fmt::Display;
use std::str::FromStr;

/// The sights of the three rules: the same rings for all, or the radii of cohesion, separation and alignment, in cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Sights {
    /// The description in tables.
    pub label: String,
    /// The tables `[sight.…]` of a preset.
    pub toml: String,
}

const RULES: [&str; 3] = ["cohesion", "separation", "alignment"];
const EXAMPLES: &str = "write it as rings:8:4, disc:8/3/6 or box:16/3/16";

impl Sights {
    fn new(label: String, form: impl Fn(usize) -> String) -> Self {
        let tables = RULES.iter().enumerate().map(|(rule, name)| format!("[sight.{name}]\n{}\n", form(rule)));
        Self { label, toml: tables.collect() }
    }

    /// Parses one radius for all rules, or one for each.
    fn of_radii<T: FromStr + Display + PartialEq>(form: &str, plural: &str, text: &str) -> Result<Self, String> {
        let radii: Vec<T> = text.split('/').map(number).collect::<Result<_, _>>()?;
        let label = match &radii[..] {
            [cohesion, separation, alignment] if cohesion != separation || separation != alignment => text,
            [_] | [_, _, _] => text.split('/').next().unwrap_or_default(),
            _ => return Err(format!("{} numbers; give one, or one each for {}", radii.len(), RULES.join("/"))),
        };
        let radius = |rule: usize| radii.get(rule).unwrap_or(&radii[0]);
        Ok(Self::new(format!("{plural} {label}"), |rule| format!("{form} = {}", radius(rule))))
    }
}

impl FromStr for Sights {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (form, numbers) = text.split_once(':').ok_or(format!("`{text}` has no form and numbers; {EXAMPLES}"))?;
        match form {
            "rings" => {
                let (directions, radii) = numbers.split_once(':').ok_or(format!("no radius of rings; {EXAMPLES}"))?;
                let lengths: Vec<u32> = radii.split('+').map(number).collect::<Result<_, _>>()?;
                let directions: u32 = number(directions)?;
                let rings = format!("rings = {{ directions = {directions}, radii = {lengths:?} }}");
                Ok(Self::new(format!("rings {directions} at {radii}"), |_| rings.clone()))
            }
            "disc" => Self::of_radii::<f64>("disc", "discs", numbers),
            "box" => Self::of_radii::<u32>("box", "boxes", numbers),
            other => Err(format!("`{other}` is no form of sight; {EXAMPLES}")),
        }
    }
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is no number of this kind; {EXAMPLES}"))
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
            assert_eq!(sights.label, shown);
            assert!(sights.toml.contains(toml), "{}", sights.toml);
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
