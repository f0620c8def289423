//! Numbers read from text.

/// A finite number as people write it; `nan` and `inf` are none.
pub fn read(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_finite_numbers_are_read() {
        for text in ["", "-", ".", "e5", "1e", "1.2.3", "0x10", "nan", "inf", "-infinity", "1e999", " 1"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!((read("0012.50"), read("-2.5E-3")), (Some(12.5), Some(-0.0025)));
    }
}
