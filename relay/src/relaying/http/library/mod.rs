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

#[cfg(feature = "team")]
pub(super) use request::parse_body;
#[cfg(feature = "team")]
pub(super) use response::answer;
pub(super) use routes::routes;
#[cfg(feature = "team")]
pub(super) use routes::{BestsQuery, ListQuery, UnnamedTrack};
pub(crate) use service::LibraryService;
