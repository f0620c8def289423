//! Components that every page shares.

mod file_button;

pub(crate) use file_button::{ACCEPTED, FileButton, list};
