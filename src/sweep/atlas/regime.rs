//! Regimes: kinds of swarms, defined by conditions on measures, such as `milling >= 0.65` (`docs/formats.md`, Atlases).

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A kind of swarms, such as `mill`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regime {
    /// The name of the regime. Several regimes may have the same name.
    pub name: String,
    /// The conditions. A combination has the regime if all conditions hold.
    pub conditions: Vec<Condition>,
}

/// A condition on a measure or on the ratio of two measures: it is at least, at most, above or below a threshold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Condition {
    measure: String,
    divisor: Option<String>,
    comparison: Comparison,
    threshold: f64,
}

/// The relation of a number to a threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    AtLeast,
    AtMost,
    Above,
    Below,
}

/// The comparisons with their signs. Parsing takes the first match, so `>=` stands before `>`.
const SIGNS: [(&str, Comparison); 4] =
    [(">=", Comparison::AtLeast), ("<=", Comparison::AtMost), (">", Comparison::Above), ("<", Comparison::Below)];

/// The name for combinations without a regime.
pub const NO_REGIME: &str = "other";

/// The name and the conditions of each default regime. A combination has the first regime whose conditions hold.
const USUAL: [(&str, &str); 9] = [
    ("living", "liveliness >= 0.5"),
    ("mill", "milling >= 0.65 and polarisation < 0.35"),
    ("crystal", "stripes >= 0.5 or coverage >= 0.5 and mean_speed < 0.02"),
    ("gas", "coverage >= 0.8 and polarisation < 0.35"),
    ("polar liquid", "coverage >= 0.8 and polarisation >= 0.65"),
    (
        "slab",
        "greatest_part >= 0.9 and gyration_axis_2 / gyration_axis_1 < 0.5 \
         or greatest_part >= 0.9 and gyration_axis_3 / gyration_axis_1 < 0.5",
    ),
    ("ball", "greatest_part >= 0.9 and gyration_axis_2 / gyration_axis_1 >= 0.5"),
    ("bands", "coverage < 0.8 and polarisation >= 0.65"),
    ("shoals", "coverage < 0.8 and greatest_part < 0.9"),
];

impl Regime {
    /// The regimes of an atlas whose file has no regimes.
    pub fn usual() -> Vec<Self> {
        let regimes = |(name, text): (&str, &str)| Self::alternatives(name, text);
        let all: Result<Vec<_>, String> = USUAL.into_iter().map(regimes).collect();
        all.expect("a test reads the conditions").concat()
    }

    /// Parses conditions into regimes with this name, one for each alternative. `or` separates alternatives, `and`
    /// separates the conditions of an alternative.
    ///
    /// # Errors
    /// If a condition is not a measure or a ratio of two measures, a comparison and a number, such as `milling >=
    /// 0.65`.
    pub fn alternatives(name: &str, conditions: &str) -> Result<Vec<Self>, String> {
        let regime = |conditions: &str| {
            let conditions = conditions.split(" and ").map(str::parse).collect::<Result<_, _>>()?;
            Ok(Self { name: name.into(), conditions })
        };
        conditions.split(" or ").map(regime).collect()
    }

    /// Whether all conditions hold. `value`: gives the value of the measure with a name; `None`: the measure has no
    /// value. A condition on a measure without a value does not hold.
    pub fn holds(&self, value: &impl Fn(&str) -> Option<f64>) -> bool {
        self.conditions.iter().all(|condition| condition.holds(value))
    }

    /// The names of the measures in the conditions.
    pub fn measures(&self) -> impl Iterator<Item = &str> {
        self.conditions.iter().flat_map(|condition| [Some(&*condition.measure), condition.divisor.as_deref()]).flatten()
    }

    /// The conditions as text, joined by `and`.
    pub fn rule(&self) -> String {
        self.conditions.iter().map(Condition::to_string).collect::<Vec<_>>().join(" and ")
    }
}

impl Condition {
    fn holds(&self, value: &impl Fn(&str) -> Option<f64>) -> bool {
        let divisor = self.divisor.as_ref().map_or(Some(1.0), |name| value(name));
        let ratio = value(&self.measure).zip(divisor).map(|(measure, divisor)| measure / divisor);
        ratio.is_some_and(|ratio| match self.comparison {
            Comparison::AtLeast => ratio >= self.threshold,
            Comparison::AtMost => ratio <= self.threshold,
            Comparison::Above => ratio > self.threshold,
            Comparison::Below => ratio < self.threshold,
        })
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.measure)?;
        self.divisor.iter().try_for_each(|divisor| write!(f, " / {divisor}"))?;
        let sign = SIGNS.iter().find(|(_, comparison)| *comparison == self.comparison).map_or("", |(sign, _)| sign);
        write!(f, " {sign} {}", self.threshold)
    }
}

impl From<Condition> for String {
    fn from(condition: Condition) -> Self {
        condition.to_string()
    }
}

impl TryFrom<String> for Condition {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{}` is no condition", text.trim());
        let (sign, comparison) = SIGNS.into_iter().find(|(sign, _)| text.contains(sign)).ok_or_else(wrong)?;
        let (left, right) = text.split_once(sign).ok_or_else(wrong)?;
        let threshold = right.trim().parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wrong)?;
        let (measure, divisor) = left.split_once('/').map_or((left, None), |(over, under)| (over, Some(under)));
        let name = |text: &str| {
            let name = text.trim();
            let is_name =
                !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte));
            is_name.then(|| name.to_owned()).ok_or_else(wrong)
        };
        Ok(Self { measure: name(measure)?, divisor: divisor.map(name).transpose()?, comparison, threshold })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regime_follows_from_its_thresholds() {
        let regimes = Regime::usual();
        let name_of = |values: &[(&str, f64)]| {
            let value = |name: &str| values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
            regimes.iter().find(|regime| regime.holds(&value)).map(|regime| regime.name.clone()).unwrap_or_default()
        };
        assert_eq!(name_of(&[("liveliness", 0.5)]), "living");
        assert_eq!(name_of(&[("milling", 0.9), ("polarisation", 0.1)]), "mill");
        assert_eq!(name_of(&[("milling", 0.9)]), "", "a measure without a value decides nothing");
        assert_eq!(name_of(&[("coverage", 0.9), ("polarisation", 0.1)]), "gas");
        let flat = [("greatest_part", 1.0), ("gyration_axis_1", 4.0), ("gyration_axis_2", 3.0)];
        assert_eq!(name_of(&flat), "ball");
        assert_eq!(name_of(&[&flat[..], &[("gyration_axis_3", 1.0)]].concat()), "slab");
        assert_eq!(name_of(&[("coverage", 0.3), ("greatest_part", 0.4), ("polarisation", 0.2)]), "shoals");
    }

    #[test]
    fn conditions_are_written_as_they_are_read() {
        for regime in Regime::usual() {
            assert_eq!(Regime::alternatives(&regime.name, &regime.rule()).unwrap(), [regime]);
        }
        for wrong in ["", "a", "a = 1", "a >= x", "a >= 1 < 2", "a b < 1", "/ b < 1", "a < inf", "a < 1 or"] {
            assert!(Regime::alternatives("x", wrong).is_err(), "{wrong}");
        }
        let value = |_: &str| Some(1.0);
        let holds = ["a >= 1", "a <= 1", "a > 1", "a < 1", "a > 0.5", "a < 1.5"]
            .map(|text| Regime::alternatives("x", text).unwrap()[0].holds(&value));
        assert_eq!(holds, [true, true, false, false, true, true]);
    }
}
