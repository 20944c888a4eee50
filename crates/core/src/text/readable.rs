//! Numbers as readable text.

use crate::numbers::BOID;

/// Writes an amount in quanta as a number of boids: `16 000`, or `16 000.25` with a fraction.
pub fn boids(quanta: u64) -> String {
    let (whole, part) = (quanta / u64::from(BOID), quanta % u64::from(BOID));
    // Five decimals, so that a single quantum is not shown as 0.
    let part = format!("{:.5}", part as f64 / f64::from(BOID));
    format!("{}{}", grouped(whole), part[1..].trim_end_matches('0').trim_end_matches('.'))
}

/// Writes a signed amount in quanta as a number of boids, as [`boids`].
pub fn signed_boids(quanta: i64) -> String {
    format!("{}{}", if quanta < 0 { "-" } else { "" }, boids(quanta.unsigned_abs()))
}

/// Writes a whole number with a space between groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Writes a rate per second in thousands (k), millions (M) or billions (G) of a unit.
pub fn rate(per_second: f64, unit: &str) -> String {
    match per_second {
        rate if rate >= 1e9 => format!("{:.2} G{unit}/s", rate / 1e9),
        rate if rate >= 1e6 => format!("{:.1} M{unit}/s", rate / 1e6),
        rate => format!("{:.0} k{unit}/s", rate / 1e3),
    }
}

/// Writes a number with few digits, for the label of a chart's axis.
pub fn short(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if size < 1e-12 => "0".into(),
        _ if !(1e-3..1e6).contains(&size) => format!("{value:.0e}"),
        _ => {
            let decimals = (2.0 - size.log10().floor()).clamp(0.0, 5.0) as usize;
            let text = format!("{value:.decimals$}");
            if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::text::readable::*;

    #[test]
    fn digits_are_grouped_and_fractions_shown_if_not_0() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(1234567), "1 234 567");
        assert_eq!(boids(16_000 << 16), "16 000");
        assert_eq!(boids((3 << 16) + (1 << 14)), "3.25");
        assert_eq!(boids(1), "0.00002");
        assert_eq!(boids((1 << 16) - 1), "0.99998");
        assert_eq!(signed_boids(-(3 << 15)), "-1.5");
        assert_eq!(rate(2.5e6, "cell"), "2.5 Mcell/s");
        assert_eq!(rate(12_000.0, "boid"), "12 kboid/s");
    }

    #[test]
    fn numbers_on_an_axis_are_short() {
        let numbers = [0.0, 0.05, 0.125, 1.0, 12.5, 250.0, 52_000.0, 1e7, 2e-5, -0.5];
        assert_eq!(numbers.map(short), ["0", "0.05", "0.125", "1", "12.5", "250", "52000", "1e7", "2e-5", "-0.5"]);
    }
}
