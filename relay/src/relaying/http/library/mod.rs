//! The library over HTTP: lists, facts, downloads, uploads, and what may be changed.
//!
//! Whoever wants something changed has to be one of Trailbrake's own pages: browsers say so with every such request.

mod change;
mod clip;
mod download;
mod request;
mod response;
mod routes;
mod service;
mod tracks;
mod upload;

pub(super) use routes::routes;
pub(crate) use service::LibraryService;
