//! The pages, one file or folder for each.

mod feeds;
mod live;

pub(crate) use feeds::feeds;
pub(crate) use live::live;
