//! The pages, one file or folder for each.

mod feeds;
mod library;
mod live;

pub(crate) use feeds::feeds;
pub(crate) use library::library;
pub(crate) use live::live;
