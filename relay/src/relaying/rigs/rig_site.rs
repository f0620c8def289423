//! One rig at the hub's page: what it sends, and its library.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use tokio::sync::watch;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::{self, RoomPages, Status, ToBrowser, WireError};

use super::rig_recorder;
use super::shared_room::SharedRoom;
use crate::clock::Clock;
use crate::library::Library;
use crate::lock::Lock;
use crate::relaying::http::{LibraryService, LibrarySite, Page};
use crate::relaying::hub::{Batch, Hub};
use crate::relaying::live::{Live, SEATS};
use crate::relaying::reception::OpenPorts;
use crate::relaying::recorder::RecorderHandle;
use crate::relaying::recorders::RecorderHandles;
use crate::relaying::seats::Seats;
use crate::shutdown::{self, Ending};
use crate::team::{RigName, Rigs, WatchedRig};

/// How long a page waits for a rig's first message.
const PATIENCE: Duration = Duration::from_secs(3);
/// A rig that is watched sends its status twice a second; what is older counts no more.
const FRESH: Duration = Duration::from_secs(2);
/// Pages connect again at most so often because something is missing.
const BETWEEN: Duration = Duration::from_secs(10);
/// How often a waiting page looks.
const LOOK: Duration = Duration::from_millis(25);
/// Most recordings under way of a rig.
const MOST_UNDERWAY: usize = 16;

/// A rig at the hub's page.
pub(crate) struct RigSite {
    name: RigName,
    rigs: Rigs,
    /// Gives each batch of the rig to every page.
    hub: Arc<Hub>,
    status: watch::Sender<Arc<Status>>,
    page: watch::Receiver<Arc<Page>>,
    seats: Seats,
    recorder: RecorderHandle,
    library: LibrarySite,
    room: SharedRoom,
    received: Lock<Received>,
    /// Its drop ends the pages' connections to the rig.
    ending: Lock<Ending>,
}

/// What the rig sent last.
#[derive(Default)]
struct Received {
    /// The number of the next message.
    next: u64,
    /// Whether messages were missing since the pages connected.
    has_gap: bool,
    /// How many batches the rig was too slow for.
    lost: u64,
    /// When the pages' connections were ended last.
    ended: Option<Instant>,
    /// The rig's clock, from its greeting.
    clock: Option<Clock>,
    /// When its status came.
    status: Option<Instant>,
    /// When a message of another version came, and which.
    other_version: Option<(Instant, u8)>,
}

impl Received {
    /// Takes a message's number. Returns whether pages have to connect again, since they miss something.
    fn misses(&mut self, number: u64) -> bool {
        self.has_gap |= number != self.next;
        self.next = number.wrapping_add(1);
        let is_due = self.has_gap && self.ended.is_none_or(|at| at.elapsed() > BETWEEN);
        if is_due {
            (self.has_gap, self.ended) = (false, Some(Instant::now()));
        }
        is_due
    }
}

impl RigSite {
    /// A rig with this library.
    pub(super) fn new(
        name: RigName,
        rigs: Rigs,
        library: Arc<Library>,
        page: watch::Receiver<Arc<Page>>,
        clock: Clock,
    ) -> Self {
        let recorder = rig_recorder::start(rigs.clone(), name.clone());
        let recorders = RecorderHandles::of(recorder.clone());
        let room = SharedRoom::start(rigs.clone(), name.clone());
        let service = Some(LibraryService::new(library, recorders.clone(), clock));
        Self {
            name,
            rigs,
            hub: Arc::default(),
            status: watch::Sender::default(),
            page,
            seats: Seats::new(SEATS),
            recorder,
            library: LibrarySite { service, recorders, room: room.room() },
            room,
            received: Lock::default(),
            ending: Lock::new(shutdown::pair().0),
        }
    }

    /// Takes a message that the rig sent for pages, with its number. What is none is ignored.
    pub(super) fn take(&self, number: u64, message: Bytes) {
        if self.received.lock().misses(number) {
            // What is missing is in the recording: pages connect again, and join late.
            self.end_pages();
        }
        match wire::decode(&message) {
            Ok(ToBrowser::Batch(_)) => self.hub.pass(Batch::received(message.clone())),
            Ok(ToBrowser::Status(status)) => self.take_status(status),
            Ok(ToBrowser::Hello { now, started, .. }) => {
                let clock = Clock::following(started, now);
                let before = self.received.lock().clock.replace(clock);
                if before.is_some_and(|before| before.started() != started) {
                    // It was started again, and so are the pages' connections.
                    self.end_pages();
                }
            }
            Ok(ToBrowser::Reload | ToBrowser::Answer { .. } | ToBrowser::Team(_)) => {}
            Err(WireError::Version { theirs }) => {
                self.received.lock().other_version = Some((Instant::now(), theirs));
            }
            Err(error) => tracing::debug!("a message of {} is ignored: {error}", self.name),
        }
    }

    /// Shows what the pages at the rig show.
    pub(super) fn show_rigs_pages(&self, pages: RoomPages) {
        self.room.take(pages);
    }

    fn take_status(&self, mut status: Status) {
        {
            let mut received = self.received.lock();
            received.status = Some(Instant::now());
            // What the rig was too slow for is missing here, and no page's own fault.
            let lost = std::mem::take(&mut status.lost_batches);
            received.has_gap |= lost > received.lost;
            received.lost = lost;
        }
        // Pages open what the archive has: what it has nothing of yet is listed a moment later.
        status.recorder.underway.truncate(MOST_UNDERWAY);
        status.recorder.underway.retain(|one| {
            let id = RecordingId::read(&one.id);
            id.and_then(|id| self.rigs.underway(&self.name, id)).is_some_and(|one| one.len > 0)
        });
        self.status.send_replace(Arc::new(status));
    }

    /// Ends the pages' connections to the rig, which then connect again.
    pub(super) fn end_pages(&self) {
        *self.ending.lock() = shutdown::pair().0;
    }

    /// What a page's connection needs, once the rig sends; or why it does not, in words. The rig sends as long as the
    /// first part of the answer lives.
    pub(crate) async fn live(&self) -> Result<(WatchedRig, Live), String> {
        let (watched, begun) = (self.rigs.watch(&self.name), Instant::now());
        let clock = loop {
            {
                let received = self.received.lock();
                let is_fresh = received.status.is_some_and(|at| at.elapsed() < FRESH);
                if let Some(clock) = received.clock.filter(|_| is_fresh) {
                    break clock;
                }
                if let Some((_, theirs)) = received.other_version.filter(|(at, _)| at.elapsed() < FRESH) {
                    return Err(self.other_version(theirs));
                }
            }
            if begun.elapsed() > PATIENCE {
                let online = self.rigs.is_online(&self.name);
                let what = if online { "sends nothing at the moment" } else { "is offline" };
                return Err(format!("{} {what}", self.name));
            }
            tokio::time::sleep(LOOK).await;
        };
        let shutdown = self.ending.lock().receiver();
        let live = Live {
            hub: Arc::clone(&self.hub),
            status: self.status.subscribe(),
            // Pages at the hub see from the overview how the rig stands.
            team: watch::channel(None).1,
            page: self.page.clone(),
            shutdown,
            ports: OpenPorts::default(),
            seats: self.seats.clone(),
            clock,
        };
        Ok((watched, live))
    }

    fn other_version(&self, theirs: u8) -> String {
        let older = theirs < wire::VERSION;
        let which = if older { self.name.as_str() } else { "the hub" };
        format!("{} has another version of Trailbrake than the hub: update {which}", self.name)
    }

    /// The routes' state for the rig's library.
    pub(crate) fn library(&self) -> &LibrarySite {
        &self.library
    }

    /// The seats of pages that show the rig live.
    pub(crate) fn seats(&self) -> &Seats {
        &self.seats
    }

    /// Lets the rig know that somebody wrote into a recording here.
    pub(crate) async fn written(&self, id: RecordingId) {
        self.rigs.written(&self.name, id).await;
    }

    /// Looks which recordings of the rig are under way, and how much of each is here. Blocks on the disk.
    pub(crate) fn look(&self) {
        let status = Arc::clone(&self.status.borrow());
        let is_fresh = self.received.lock().status.is_some_and(|at| at.elapsed() < FRESH);
        let listed = status.recorder.underway.iter().filter(|_| is_fresh);
        let mut ids: Vec<(RecordingId, Micros, Micros)> =
            listed.filter_map(|one| Some((RecordingId::read(&one.id)?, one.began, one.last))).collect();
        let reported = self.rigs.recording(&self.name);
        if let Some(id) = reported.filter(|id| ids.iter().all(|(listed, ..)| listed != id)) {
            ids.push((id, Micros::default(), Micros::default()));
        }
        let underway = ids.into_iter().filter_map(|(id, began, last)| {
            let mut one = self.rigs.underway(&self.name, id).filter(|one| one.len > 0)?;
            one.began = began;
            Some((one, last))
        });
        self.recorder.set_underway(underway.collect());
    }

    /// Whether a recording is under way at the rig.
    pub(crate) fn records(&self, id: RecordingId) -> bool {
        self.recorder.underway().iter().any(|one| one.id == id)
    }
}
