//! Lines on the terminal, in the form of the block printed at the start.

use std::io::Write as _;

/// A row with a name and a text.
pub(crate) fn row(name: &str, words: &str) -> String {
    format!("  {name:<14} {words}")
}

/// Prints a row below the block. A closed output is no error.
pub(crate) fn report(name: &str, words: &str) {
    let _ = std::io::stdout().write_all(format!("{}\n", row(name, words)).as_bytes());
}
