//! The rigs of a team at the hub's page: each has a hub of batches, a status and a library, as its own relay has.

mod rig_recorder;
mod rig_site;
mod rig_sites;
mod shared_room;
mod team_page;

pub(crate) use rig_site::RigSite;
pub(crate) use rig_sites::RigSites;
pub(crate) use team_page::TeamPage;
