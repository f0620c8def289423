//! What this program is: its version, and the commit it was built from.

/// The version.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The name and version that recordings keep of the program that wrote them.
pub(crate) const PROGRAM: &str = concat!("trailbrake ", env!("CARGO_PKG_VERSION"));
/// The commit of a release, such as `0a1b2c3 of 2026-11-22`.
pub(crate) const COMMIT: &str = env!("TRAILBRAKE_BUILD");
/// What `--version` prints after the name.
pub(crate) const DETAILS: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit ",
    env!("TRAILBRAKE_BUILD"),
    "\nlicence MIT or Apache-2.0; those of its libraries are in licences.txt, beside the program and on its page",
);
