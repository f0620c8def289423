//! Numbers read from text, and written with the minus sign that is as wide as a digit.

/// A finite number in decimal notation. `NaN` and `inf` are none.
pub fn read(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A number with so many decimals. What rounds to zero has no sign.
pub fn write(value: f64, decimals: usize) -> String {
    format!("{}{:.decimals$}", minus(value, decimals), value.abs())
}

/// A difference: like [`write()`], with a plus sign where it is positive.
pub fn write_signed(value: f64, decimals: usize) -> String {
    let text = write(value, decimals);
    if value > 0.0 && !rounds_to_zero(value, decimals) { format!("+{text}") } else { text }
}

/// The minus sign of a number that is written with so many decimals, if it has one.
pub fn minus(value: f64, decimals: usize) -> &'static str {
    if value < 0.0 && !rounds_to_zero(value, decimals) { "−" } else { "" }
}

fn rounds_to_zero(value: f64, decimals: usize) -> bool {
    format!("{:.decimals$}", value.abs()).bytes().all(|byte| matches!(byte, b'0' | b'.'))
}

/// A whole number with narrow spaces between its thousands, which never break a line.
pub fn thousands(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 lap`, `12 laps`.
pub fn count(number: impl TryInto<u64>, one: &str, several: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{} {}", thousands(number), if number == 1 { one } else { several })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_text() {
        for text in
            ["", "-", ".", "e5", "1e", "1.2.3", "1,5", "0x10", "nan", "inf", "-infinity", "1e999", " 1"]
        {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!((read("0012.50"), read("-2.5E-3")), (Some(12.5), Some(-0.0025)));
    }

    #[test]
    fn signs_are_as_wide_as_digits_and_zero_has_none() {
        for (value, decimals, plain, signed) in [
            (-0.1824, 3, "−0.182", "−0.182"),
            (0.25, 2, "0.25", "+0.25"),
            (-0.0004, 3, "0.000", "0.000"),
            (0.0, 1, "0.0", "0.0"),
            (-0.5, 0, "0", "0"),
        ] {
            assert_eq!([write(value, decimals), write_signed(value, decimals)], [plain, signed]);
        }
    }

    #[test]
    fn counts_have_their_nouns() {
        assert_eq!(count(1, "lap", "laps"), "1 lap");
        assert_eq!(count(0, "lap", "laps"), "0 laps");
        assert_eq!(count(1_234_567, "lap", "laps"), "1\u{202f}234\u{202f}567 laps");
    }
}
