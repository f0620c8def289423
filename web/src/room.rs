//! The room of one relay's pages: who else is there, whose view this page follows, and whether this page may write.

mod follow;
mod members;
mod publisher;
mod view;

use leptos::prelude::*;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::wire::{self, FromRoom, Presence, ToRoom, WireError};

pub(crate) use follow::{Following, Step};
pub(crate) use members::{Members, PeerCursor};
pub(crate) use view::{page_label, published};

use crate::browser;
use crate::link::{Link, Shown};
use publisher::Publisher;

/// Why a page may not write notes and tasks.
pub(crate) const READ_ONLY: &str =
    "Read-only: allow tablets to write on Trailbrake's own computer, under People.";

/// The room, as this page sees it. Copies are handles to the same room.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    link: StoredValue<Option<Link>, LocalStorage>,
    publisher: StoredValue<Publisher>,
    /// The other pages in the room, and its rules.
    pub(crate) members: RwSignal<Members>,
    /// The page whose view this one follows.
    pub(crate) following: RwSignal<Option<Following>>,
    /// Whether the cursors of others are shown.
    pub(crate) shows_cursors: RwSignal<bool>,
    may_write: Memo<bool>,
}

impl Room {
    /// The state before the page enters the room.
    pub(crate) fn new() -> Self {
        let members = RwSignal::new(Members::default());
        Self {
            link: StoredValue::new_local(None),
            publisher: StoredValue::new(Publisher::default()),
            members,
            following: RwSignal::new(None),
            shows_cursors: RwSignal::new(true),
            may_write: Memo::new(move |_| members.with(Members::may_write)),
        }
    }

    /// Provides the room to all components below.
    pub(crate) fn provide() -> Self {
        let room = Self::new();
        provide_context(room);
        room
    }

    /// The room that was provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Enters the room for as long as the page is open. Calls back with each recording whose notes or tasks changed,
    /// and with the reason if the relay cuts this page off.
    pub(crate) fn enter(
        self,
        on_written: impl Fn(RecordingId) + 'static,
        cut_off: impl Fn(String) + 'static,
    ) {
        let read = move |message: Vec<u8>| {
            let written = self.take(&message);
            written.into_iter().for_each(&on_written);
        };
        let link = Link::to_room(read, cut_off);
        self.link.set_value(link);
    }

    /// Why this page may not write notes and tasks into the relay's recordings; `None` if it may.
    pub(crate) fn read_only(self) -> Option<&'static str> {
        (!self.may_write.get()).then_some(READ_ONLY)
    }

    /// Begins to follow another page, by its id.
    pub(crate) fn follow(self, id: u32) {
        let following = self.members.with_untracked(|members| members.get(id).map(Following::new));
        self.following.set(following);
    }

    /// Stops following, as when the user presses *Stop* or Escape, or changes the view on this page.
    pub(crate) fn stop_following(self) {
        if self.following.with_untracked(Option::is_some) {
            self.following.set(None);
        }
    }

    /// Sends this page's view and cursor if they changed, and returns the next step of following. Call it ten times a
    /// second.
    pub(crate) fn tick(self, name: String, fragment: &str, cursor_m: Option<f64>) -> Step {
        let link = self.link.get_value();
        let Some(link) = link else { return Step::Rest };
        link.tick();
        let is_connected = link.shown() == Shown::Connected;
        if !is_connected {
            if self.members.with_untracked(Members::is_entered) {
                self.members.set(Members::default());
            }
            return Step::Rest;
        }
        let now_ms = browser::now_ms();
        let following = self.following.with_untracked(|following| following.as_ref().map(Following::id));
        let presence = Presence { name, view: published(fragment), following };
        self.publish(&link, presence, cursor_m, now_ms);
        self.next_step(fragment, cursor_m.is_some(), now_ms)
    }

    /// The cursors of others on the laps that this page shows.
    pub(crate) fn cursors(self) -> Vec<PeerCursor> {
        if !self.shows_cursors.get() {
            return Vec::new();
        }
        let followed = self.following.with(|following| following.as_ref().map(Following::id));
        let own = self.publisher.with_value(|publisher| publisher.view().to_owned());
        self.members.with(|members| members.cursors(&own, followed))
    }

    fn publish(self, link: &Link, presence: Presence, cursor_m: Option<f64>, now_ms: f64) {
        let messages = self.publisher.try_update_value(|publisher| publisher.due(presence, cursor_m, now_ms));
        for message in messages.unwrap_or_default() {
            self.send(link, &message);
        }
    }

    fn send(self, link: &Link, message: &ToRoom) {
        // Encoding fails only above the size limit, and names and views are shorter.
        if let Ok(bytes) = wire::encode(message) {
            link.send(&bytes);
        }
    }

    fn next_step(self, fragment: &str, has_cursor: bool, now_ms: f64) -> Step {
        let step = self.following.try_update_untracked(|following| {
            let following = following.as_mut()?;
            if !has_cursor {
                following.point_again();
            }
            Some(self.members.with_untracked(|members| following.next(members, fragment, now_ms)))
        });
        let step = step.flatten().unwrap_or(Step::Rest);
        if matches!(step, Step::Stop(_)) {
            self.following.set(None);
        }
        step
    }

    /// Takes a message of the room. Returns the recording whose notes or tasks changed.
    fn take(self, message: &[u8]) -> Option<RecordingId> {
        match wire::decode_owned::<FromRoom>(message) {
            Ok(FromRoom::Beat) => None,
            Ok(FromRoom::Written(id)) => RecordingId::read(&id),
            Ok(message) => {
                if matches!(message, FromRoom::Welcome { .. }) {
                    self.publisher.set_value(Publisher::default());
                }
                self.members.update(|members| members.take(message));
                None
            }
            Err(WireError::Version { .. }) => {
                self.link.with_value(|link| link.iter().for_each(Link::outdated));
                None
            }
            // Skip a damaged message: the next one of its kind replaces it.
            Err(_) => None,
        }
    }
}
