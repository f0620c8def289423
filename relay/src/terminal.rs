//! Lines on the terminal, in the form of the block that is printed at the start.

use std::io::Write as _;

/// A name and what there is to say about it.
pub(crate) fn row(name: &str, words: &str) -> String {
    format!("  {name:<14} {words}")
}

/// Prints a row of its own below the block. Without a terminal there is nobody to read it.
pub(crate) fn report(name: &str, words: &str) {
    let _ = std::io::stdout().write_all(format!("{}\n", row(name, words)).as_bytes());
}
