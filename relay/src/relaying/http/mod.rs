//! The page, the WebSocket and the library over HTTP.

mod access;
#[cfg(feature = "team")]
mod all_rigs;
mod connections;
#[cfg(feature = "team")]
mod encryption;
mod folder;
mod game_files;
mod header;
mod json;
mod library;
#[cfg(feature = "team")]
mod membership;
mod own_pages;
mod owner;
mod page;
mod rejects;
#[cfg(feature = "team")]
mod rig;
mod room;
mod server;
mod settings;
mod site;
mod tablet_links;
#[cfg(feature = "team")]
mod team;
mod writing;
mod wrong_tokens;

pub(crate) use access::Access;
#[cfg(feature = "team")]
pub(crate) use encryption::Encryption;
pub(crate) use library::LibraryService;
pub(crate) use page::{Page, viewer_file};
pub(crate) use server::{routes, serve};
pub(crate) use site::{LibrarySite, Site};
#[cfg(feature = "team")]
pub(crate) use team::team_routes;
pub(crate) use wrong_tokens::WrongTokens;
