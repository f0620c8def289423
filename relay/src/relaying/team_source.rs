//! What a rig's relay passes to its team: recordings under way, and what pages at the hub get.

use std::sync::Arc;

use axum::body::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde::Serialize;
use tokio::sync::watch;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::wire::{self, RigDrive, RoomPages, Status, ToBrowser};

use super::hub::{Hub, Listener};
use super::live::ROOM;
use super::recorders::RecorderHandles;
use super::room::Room;
use super::{rig_drive, tablet_view};
use crate::clock::Clock;
use crate::library::store::RecordingUnderway;
use crate::team::{PageMessages, RigSource};
use crate::version::VERSION;

/// The relay as its team sees it.
pub(crate) struct TeamSource {
    pub(crate) hub: Arc<Hub>,
    pub(crate) status: watch::Receiver<Arc<Status>>,
    pub(crate) recorders: RecorderHandles,
    pub(crate) clock: Clock,
    pub(crate) room: Room,
}

/// Messages for pages at the hub, as pages here get them.
struct Messages {
    listener: Listener,
    status: watch::Receiver<Arc<Status>>,
    clock: Clock,
    /// Whether the next message is the greeting.
    greets: bool,
}

impl RigSource for TeamSource {
    fn underway(&self) -> Vec<RecordingUnderway> {
        self.recorders.folder().map(|recorder| recorder.underway()).unwrap_or_default()
    }

    fn tail(&self, id: RecordingId) -> BoxFuture<'_, Option<(RecordingUnderway, Vec<u8>)>> {
        async move {
            let recorder = self.recorders.folder()?;
            // The recorder answers only for what it records.
            recorder.underway().iter().find(|one| one.id == id)?;
            recorder.tail(id).await
        }
        .boxed()
    }

    fn drive(&self) -> BoxFuture<'_, RigDrive> {
        async move {
            let drive = match self.recorders.folder() {
                Some(recorder) => recorder.drive().await.unwrap_or_default(),
                None => RigDrive::default(),
            };
            let status = Arc::clone(&self.status.borrow());
            RigDrive { sends: rig_drive::sends(&status), help: rig_drive::help(&status), ..drive }
        }
        .boxed()
    }

    fn page_messages(&self) -> Box<dyn PageMessages> {
        let mut status = self.status.clone();
        status.mark_changed();
        let listener = self.hub.listen(ROOM);
        Box::new(Messages { listener, status, clock: self.clock, greets: true })
    }

    fn room_pages(&self) -> RoomPages {
        self.room.pages()
    }

    fn room_changes(&self) -> watch::Receiver<()> {
        self.room.changes()
    }

    fn show_hub_pages(&self, pages: RoomPages) {
        self.room.show_others(pages);
    }

    fn announce_written(&self, id: RecordingId) {
        self.room.announce_written(id);
    }
}

impl Messages {
    fn greeting(&self) -> Bytes {
        let relay = VERSION.to_owned();
        encoded(&ToBrowser::Hello { relay, now: self.clock.now(), started: self.clock.started() })
    }

    /// The status without what is this machine's own business.
    fn status(&mut self) -> Bytes {
        let mut status = Status::clone(&self.status.borrow_and_update());
        tablet_view::hide_in_status(&mut status);
        // The hub has only what is recorded.
        status.recorder.underway.retain(|one| !one.in_memory);
        status.lost_batches = self.listener.lost();
        encoded(&ToBrowser::Status(status))
    }
}

impl PageMessages for Messages {
    fn next(&mut self) -> BoxFuture<'_, Bytes> {
        async move {
            if std::mem::take(&mut self.greets) {
                return self.greeting();
            }
            tokio::select! {
                batch = self.listener.next() => batch.message(),
                Ok(()) = self.status.changed() => self.status(),
            }
        }
        .boxed()
    }

    fn greet(&mut self) {
        self.greets = true;
    }
}

/// A message, which is empty and so ignored where it is too long.
fn encoded<M: Serialize>(message: &M) -> Bytes {
    wire::encode(message).map(Bytes::from).unwrap_or_default()
}
