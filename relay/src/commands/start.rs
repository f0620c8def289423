//! How the user started the program.

use std::env;

/// How the program was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// By a double click on Windows: its window closes with the program.
    DoubleClick,
    /// Without any option.
    Plain,
    /// With options.
    Options,
}

/// Shells and terminals of Windows set one of these; Explorer sets none.
const SHELLS: [&str; 2] = ["PROMPT", "WT_SESSION"];

impl Start {
    /// How this process was started.
    pub fn here() -> Self {
        let has_shell = SHELLS.iter().any(|name| env::var_os(name).is_some());
        match env::args_os().len() {
            0 | 1 if cfg!(windows) && !has_shell => Self::DoubleClick,
            0 | 1 => Self::Plain,
            _ => Self::Options,
        }
    }
}
