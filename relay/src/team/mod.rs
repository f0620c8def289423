//! A team: many rigs send their recordings to one hub, through `nats-server` with JetStream.
//!
//! A rig's file is the truth. Messages are ranges of it, and JetStream only carries and buffers them; a reconnect needs
//! no memory, since the rig asks the hub where to go on.

mod acknowledgements;
mod answer;
mod archive;
mod archived_file;
mod certificates;
mod connection;
mod digest;
mod finished_file;
mod finished_sending;
mod hub;
mod hub_folder;
mod hub_request;
mod inbox;
mod invitation;
mod json_message;
mod key_pair;
mod lag;
mod membership;
mod membership_file;
mod message;
mod nats_server;
mod page_link;
mod page_links;
mod page_sending;
mod position;
mod presence;
mod publisher;
mod publisher_plan;
mod rig_archive;
mod rig_message;
mod rig_name;
mod rig_source;
mod rigs;
mod secret_file;
mod sender;
mod sending;
mod serve;
mod server_address;
mod server_config;
mod stream;
mod subject;

pub(crate) use digest::of_file as hash_of;
pub(crate) use hub_folder::HubFolder;
pub use inbox::Inbox;
pub use invitation::Invitation;
pub(crate) use membership::{Membership, MembershipParts, place_in};
pub(crate) use membership_file::MembershipFile;
pub(crate) use nats_server::reload;
pub(crate) use page_link::{Role, read_person};
pub(crate) use page_links::PageLinks;
pub(crate) use rig_name::RigName;
pub(crate) use rig_source::{PageMessages, RigSource};
pub(crate) use rigs::{ForPages, Rigs, WatchedRig};
pub(crate) use serve::{follow_rigs, forget_messages, serve};
pub(crate) use server_address::ServerAddress;
