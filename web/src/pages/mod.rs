//! The pages, one file or folder for each.

mod analyse;
mod library;
mod live;

pub(crate) use analyse::AnalysePage;
pub(crate) use library::library;
pub(crate) use live::live;
