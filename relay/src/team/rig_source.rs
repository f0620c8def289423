//! What a rig's publisher takes from the relay.

use axum::body::Bytes;
use futures_util::future::BoxFuture;
use tokio::sync::watch;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::wire::{RigDrive, RoomPages};

use crate::library::store::RecordingUnderway;

/// The relay of a rig.
pub(crate) trait RigSource: Send + Sync {
    /// The recordings under way that are certain to be kept.
    fn underway(&self) -> Vec<RecordingUnderway>;

    /// The tail that opens the bytes in the file of a recording under way. They hold every packet that pages were sent.
    fn tail(&self, id: RecordingId) -> BoxFuture<'_, Option<(RecordingUnderway, Vec<u8>)>>;

    /// How the rig drives.
    fn drive(&self) -> BoxFuture<'_, RigDrive>;

    /// The messages that pages get, from now on.
    fn page_messages(&self) -> Box<dyn PageMessages>;

    /// The pages of this rig and what they show, and what changes when that does.
    fn room_pages(&self) -> RoomPages;
    fn room_changes(&self) -> watch::Receiver<()>;

    /// Shows the pages at the hub to those of this rig.
    fn show_hub_pages(&self, pages: RoomPages);

    /// Lets the pages of this rig know that notes or tasks of a recording changed.
    fn announce_written(&self, id: RecordingId);
}

/// Messages for pages.
pub(crate) trait PageMessages: Send {
    /// The next message, once there is one.
    fn next(&mut self) -> BoxFuture<'_, Bytes>;

    /// Greets again: another page may be open.
    fn greet(&mut self);
}
