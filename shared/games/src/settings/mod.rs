//! What a driver sets on the page: author, steering range, tyre windows, and how the relay receives, forwards and records.
//!
//! A setting is a text, as the driver writes it. Page, relay and the file that keeps it read it with one function, so they
//! agree on what is wrong with it and say so in the same words.

mod forward_target;
mod parse;
mod read;
mod report;
mod section;
mod setting;
#[cfg(test)]
mod tests;
mod tyre_windows;
mod values;

pub use forward_target::{ForwardTarget, comes_back};
pub use read::{problems, read};
pub use report::{Problem, SettingsReport, Texts, with_current_ids};
pub use section::Section;
pub use setting::Setting;
pub use tyre_windows::{TyreLayer, TyreWindow, TyreWindows};
pub use values::DriverSettings;
