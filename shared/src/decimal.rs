//! Numbers from the way people and scripts write them.
//!
//! The standard library reads them to the very last bit, for which it needs a table of 10 KB that does not compress. Nobody
//! who looks at telemetry sees that bit, and everybody who opens the page would load the table.

/// Powers of ten that a number of this type can hold exactly.
const EXACT: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];
/// The largest of them.
const LARGEST: u32 = 22;
/// Beyond this exponent everything is nothing or infinite, however many digits stand before it.
const FARTHEST: i32 = 10_000;

/// The number that a text like `-12.5e3` stands for; `None` when it is none.
///
/// Up to 15 digits with up to 22 places after the point are read exactly, others to within some billionths of a billionth
/// of themselves. Numbers too large are infinite.
pub fn read(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (digits, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse().ok()?),
        None => (unsigned, 0_i32),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let mut number: u64 = 0;
    let mut left_out = 0;
    for digit in whole.chars().chain(part.chars()) {
        let digit = u64::from(digit.to_digit(10)?);
        let longer = number.checked_mul(10).and_then(|number| number.checked_add(digit));
        match longer.filter(|_| left_out == 0) {
            Some(longer) => number = longer,
            // What stands so far behind can't be told from nothing.
            None => left_out += 1,
        }
    }
    let places = i32::try_from(part.len()).ok()?;
    let exponent = exponent.clamp(-FARTHEST, FARTHEST).saturating_add(left_out).saturating_sub(places);
    let read = scaled(number as f64, exponent);
    Some(if text.starts_with('-') { -read } else { read })
}

/// A number with its point moved.
fn scaled(mut number: f64, exponent: i32) -> f64 {
    let mut left = exponent.unsigned_abs();
    while left > 0 && number != 0.0 && number.is_finite() {
        let step = left.min(LARGEST);
        let power = EXACT.get(step as usize).copied().unwrap_or(1.0);
        number = if exponent < 0 { number / power } else { number * power };
        left -= step;
    }
    number
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_people_write_is_read_exactly() {
        for text in
            ["0", "-0.0", "1.5", "+3", "0012.50", "299792.458", "1e3", "2.5E-3", "123456789012345", "1e22"]
        {
            assert_eq!(read(text), text.parse().ok(), "{text}");
        }
        assert_eq!(read("-0").map(f64::is_sign_negative), Some(true));
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["", "-", ".", "e5", "1e", "1.2.3", "1-2", "0x10", "nan", "inf", "1e5.5", "--1", "１"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn too_large_is_infinite_and_too_small_is_nothing() {
        assert_eq!(read("1e999"), Some(f64::INFINITY));
        assert_eq!(read("-1e999"), Some(f64::NEG_INFINITY));
        assert_eq!(read("1e-999"), Some(0.0));
        assert_eq!(read("0e999999"), Some(0.0));
        assert_eq!(read(&format!("0.{}1", "0".repeat(1000))), Some(0.0));
        assert_eq!(read(&format!("1{}e-1000", "0".repeat(1000))), Some(1.0));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[-+.eE0-9]{0,24}") {
            // Where both read something, it is the same; leading and trailing points are read by both.
            if let (Some(read), Ok(exact)) = (read(&text), text.parse::<f64>()) {
                prop_assert!(read == exact || (read - exact).abs() <= exact.abs() * 1e-14 + f64::MIN_POSITIVE);
            }
        }

        #[test]
        fn numbers_of_a_sample_come_back_as_they_were(number in proptest::num::f32::NORMAL) {
            prop_assert_eq!(read(&number.to_string()).map(|read| read as f32), Some(number));
        }
    }
}
