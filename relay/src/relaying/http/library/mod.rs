//! The library over HTTP: lists, facts, downloads, uploads and changes.
//!
//! Only Trailbrake's own pages may change anything: browsers send the origin with every such request.

mod change;
mod clip;
mod download;
mod request;
mod response;
mod routes;
mod service;
mod shares;
mod tracks;
mod upload;

pub(super) use routes::routes;
pub(crate) use service::LibraryService;
