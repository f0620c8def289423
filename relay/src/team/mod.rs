//! A team: many rigs send their recordings to one hub, through `nats-server` with JetStream.
//!
//! A rig's file is the truth. Messages are ranges of it, and JetStream only carries and buffers them; a reconnect needs
//! no memory, since the rig asks the hub where to go on.
#![allow(dead_code, reason = "the archive and the publisher use the rest")]

mod certificates;
mod connection;
mod hub;
mod hub_folder;
mod invitation;
mod key_pair;
mod nats_server;
mod rig_name;
mod server_address;
mod server_config;
mod subject;

pub(crate) use hub_folder::HubFolder;
pub use invitation::Invitation;
pub(crate) use nats_server::reload;
pub(crate) use rig_name::RigName;
pub(crate) use server_address::ServerAddress;
