//! Who is in the room, and what each page shows: the latest of it, and no history.

use std::sync::Arc;

use tokio::sync::Notify;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::wire::{FromRoom, Member, Presence, RoomRules, ToRoom, cleaned_cursor};

use super::outbox::Outbox;
use crate::lock::Lock;

/// Most pages in the room at the same time.
const MOST: usize = 32;

/// The room, in which the pages of this relay see each other. Copies are handles to the same.
#[derive(Clone, Default)]
pub(crate) struct Room(Arc<Lock<State>>);

#[derive(Default)]
struct State {
    seats: Vec<Seat>,
    /// The number of the latest page.
    last: u32,
    rules: RoomRules,
}

/// A page's place in the room.
struct Seat {
    member: Member,
    cursor_m: Option<f64>,
    /// Whether the page has sent what it shows. Before that, the other pages do not list it.
    is_present: bool,
    outbox: Outbox,
    /// Wakes the page's task when something waits.
    waits: Arc<Notify>,
}

/// A page in the room, for as long as this exists.
pub(super) struct Entered {
    room: Room,
    id: u32,
    waits: Arc<Notify>,
}

impl Room {
    /// Lets a page in; `None` when the room is full.
    pub(super) fn enter(&self, is_owner: bool) -> Option<Entered> {
        let mut state = self.0.lock();
        if state.seats.len() >= MOST {
            return None;
        }
        state.last = state.last.wrapping_add(1);
        let (id, waits) = (state.last, Arc::new(Notify::new()));
        let number = state.free_number(is_owner);
        let mut outbox = Outbox::default();
        outbox.put(FromRoom::Welcome { own: id, is_owner });
        outbox.put(FromRoom::Rules(state.rules));
        for seat in state.seats.iter().filter(|seat| seat.is_present) {
            outbox.put(FromRoom::Member(seat.member.clone()));
            if seat.cursor_m.is_some() {
                outbox.put(FromRoom::Cursor { of: seat.member.id, at_m: seat.cursor_m });
            }
        }
        let member = Member { id, number, is_owner, presence: Presence::default() };
        let waiting = Arc::clone(&waits);
        waiting.notify_one();
        state.seats.push(Seat { member, cursor_m: None, is_present: false, outbox, waits: waiting });
        Some(Entered { room: self.clone(), id, waits })
    }

    /// Whether a page may change recordings, notes and tasks, and command a game's server.
    pub(crate) fn may_write(&self, is_owner: bool) -> bool {
        is_owner || self.0.lock().rules.tablets_may_write
    }

    /// Allows tablets to do so, or forbids it. Every page learns of it.
    pub(crate) fn let_tablets_write(&self, may_write: bool) {
        self.0.lock().change_rules(|rules| rules.tablets_may_write = may_write);
    }

    /// The rules as they are now.
    pub(crate) fn rules(&self) -> RoomRules {
        self.0.lock().rules
    }

    /// Announces that notes or tasks of a recording changed.
    pub(crate) fn announce_written(&self, id: RecordingId) {
        self.0.lock().send_to_all(None, &FromRoom::Written(id.to_string()));
    }
}

impl Entered {
    /// Takes a message of the page, and sends what changed to the others.
    pub(super) fn take(&self, message: ToRoom) {
        let mut state = self.room.0.lock();
        let Some(seat) = state.seats.iter_mut().find(|seat| seat.member.id == self.id) else { return };
        let news = match message {
            ToRoom::Present(presence) => {
                seat.is_present = true;
                seat.member.presence = presence.cleaned();
                FromRoom::Member(seat.member.clone())
            }
            ToRoom::Cursor(at_m) => {
                seat.cursor_m = cleaned_cursor(at_m);
                FromRoom::Cursor { of: self.id, at_m: seat.cursor_m }
            }
        };
        if seat.is_present {
            state.send_to_all(Some(self.id), &news);
        }
    }

    /// Waits until there is something to send to the page.
    pub(super) async fn next(&self) -> Vec<FromRoom> {
        self.waits.notified().await;
        let mut state = self.room.0.lock();
        let seat = state.seats.iter_mut().find(|seat| seat.member.id == self.id);
        seat.map(|seat| seat.outbox.take()).unwrap_or_default()
    }

    /// Counts that the page was cut off.
    pub(super) fn count_cut_off(&self) {
        self.room.0.lock().change_rules(|rules| rules.cut_off = rules.cut_off.saturating_add(1));
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        let mut state = self.room.0.lock();
        let was_present = state.seats.iter().any(|seat| seat.member.id == self.id && seat.is_present);
        state.seats.retain(|seat| seat.member.id != self.id);
        if was_present {
            state.send_to_all(None, &FromRoom::Left(self.id));
        }
    }
}

impl State {
    /// The lowest number that no other page of the same kind has.
    fn free_number(&self, is_owner: bool) -> u32 {
        let is_taken = |number: &u32| {
            self.seats.iter().any(|seat| seat.member.is_owner == is_owner && seat.member.number == *number)
        };
        (1..).find(|number| !is_taken(number)).unwrap_or(1)
    }

    fn change_rules(&mut self, change: impl FnOnce(&mut RoomRules)) {
        let before = self.rules;
        change(&mut self.rules);
        if self.rules != before {
            let rules = FromRoom::Rules(self.rules);
            self.send_to_all(None, &rules);
        }
    }

    fn send_to_all(&mut self, but: Option<u32>, message: &FromRoom) {
        for seat in self.seats.iter_mut().filter(|seat| Some(seat.member.id) != but) {
            seat.outbox.put(message.clone());
            seat.waits.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn present(view: &str) -> ToRoom {
        ToRoom::Present(Presence { view: view.to_owned(), ..Presence::default() })
    }

    #[test]
    fn numbers_are_given_again_and_ids_never() {
        let room = Room::default();
        let tablets: Vec<Entered> = (0..3).filter_map(|_| room.enter(false)).collect();
        let [_, second, _] = &tablets[..] else { panic!("three tablets") };
        let (owner, before) = (room.enter(true).expect("room"), second.id);
        assert_eq!(room.0.lock().seats.last().expect("the owner").member.number, 1);
        drop((tablets, owner));
        let again = room.enter(false).expect("room");
        assert!(again.id > before);
        assert_eq!(room.0.lock().seats.first().expect("a tablet").member.number, 1);
    }

    #[test]
    fn a_full_room_lets_nobody_in() {
        let room = Room::default();
        let mut seats: Vec<Entered> = (0..MOST).filter_map(|_| room.enter(false)).collect();
        assert_eq!(seats.len(), MOST);
        assert!(room.enter(true).is_none());
        seats.pop();
        assert!(room.enter(true).is_some());
    }

    #[tokio::test]
    async fn a_page_that_shows_nothing_yet_is_not_announced() {
        let room = Room::default();
        let one = room.enter(true).expect("room");
        one.take(present("#/live"));
        one.take(ToRoom::Cursor(Some(12.0)));
        let other = room.enter(false).expect("room");
        let news = other.next().await;
        assert_eq!(news.len(), 4, "{news:?}");
        assert!(matches!(news.last(), Some(FromRoom::Cursor { at_m: Some(12.0), .. })), "{news:?}");
        assert_eq!(one.next().await.len(), 2, "welcome and rules alone");
        other.take(ToRoom::Cursor(Some(1.0)));
        drop(other);
        room.let_tablets_write(true);
        let news = one.next().await;
        assert_eq!(news, [FromRoom::Rules(RoomRules { tablets_may_write: true, cut_off: 0 })]);
    }
}
