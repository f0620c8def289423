//! Numbers in text.

/// A number with its sign; none where it rounds to zero.
pub(super) fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    if text.chars().any(|digit| ('1'..='9').contains(&digit)) { text } else { format!("{:.digits$}", 0.0) }
}
