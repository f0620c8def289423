//! The room of a rig's pages at the hub, shared with the pages at the rig itself.

use std::sync::Arc;
use std::time::{Duration, Instant};

use trailbrake_shared::wire::RoomPages;

use crate::lock::Lock;
use crate::relaying::room::Room;
use crate::shutdown::{self, Ending, Shutdown};
use crate::team::{RigName, Rigs};

/// How often the rig is sent what pages here show, at least while there are any, and at most.
const RENEWED: Duration = Duration::from_secs(5);
const BETWEEN: Duration = Duration::from_millis(100);
/// The pages of a rig that says nothing for so long have gone.
const SILENCE: Duration = Duration::from_secs(15);

/// The room, which is shared until this is dropped.
pub(super) struct SharedRoom {
    room: Room,
    /// When the rig sent last what its pages show.
    received: Arc<Lock<Option<Instant>>>,
    _ending: Ending,
}

impl SharedRoom {
    /// Shares the room of a rig's pages as long as there are any.
    pub(super) fn start(rigs: Rigs, rig: RigName) -> Self {
        let (room, received) = (Room::at_hub(), Arc::<Lock<Option<Instant>>>::default());
        let (ending, shutdown) = shutdown::pair();
        tokio::spawn(share(rigs, rig, room.clone(), Arc::clone(&received), shutdown));
        Self { room, received, _ending: ending }
    }

    pub(super) fn room(&self) -> Room {
        self.room.clone()
    }

    /// Takes what the pages at the rig show.
    pub(super) fn take(&self, pages: RoomPages) {
        *self.received.lock() = Some(Instant::now());
        self.room.show_others(pages);
    }
}

async fn share(
    rigs: Rigs,
    rig: RigName,
    room: Room,
    received: Arc<Lock<Option<Instant>>>,
    mut ended: Shutdown,
) {
    let (mut changes, mut renew) = (room.changes(), tokio::time::interval(RENEWED));
    let mut had_pages = false;
    loop {
        tokio::select! {
            () = ended.wait() => return,
            Ok(()) = changes.changed() => {}
            _ = renew.tick() => {}
        }
        let is_silent = received.lock().is_some_and(|at| at.elapsed() > SILENCE);
        if is_silent {
            *received.lock() = None;
            room.show_others(RoomPages::default());
        }
        let pages = room.pages();
        let has_pages = !pages.0.is_empty();
        if has_pages || had_pages {
            rigs.share_room(&rig, pages).await;
        }
        had_pages = has_pages;
        tokio::time::sleep(BETWEEN).await;
    }
}
