//! Who is in the room, and what each page shows: the latest of it, and no history.

use std::sync::Arc;

use tokio::sync::Notify;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::wire::{FromRoom, Member, Presence, RoomRules, ToRoom, cleaned_cursor};

use super::outbox::Outbox;
use crate::lock::Lock;
use crate::relaying::seats::{NoSeat, Seat, SeatPlan, Seats, Visitor};

/// Most pages in the room at the same time.
const SEATS: SeatPlan = SeatPlan { all: 32, for_devices: 24, of_a_device: 6 };

/// The room, in which the pages of this relay see each other. Copies are handles to the same.
#[derive(Clone)]
pub(crate) struct Room {
    seats: Seats,
    state: Arc<Lock<State>>,
}

#[derive(Default)]
struct State {
    places: Vec<Place>,
    /// The number of the latest page.
    last: u32,
    rules: RoomRules,
}

/// A page's place in the room.
struct Place {
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
    _seat: Seat,
}

impl Default for Room {
    fn default() -> Self {
        Self { seats: Seats::new(SEATS), state: Arc::default() }
    }
}

impl Room {
    /// Lets a page in where there is a seat for it.
    pub(super) fn enter(&self, visitor: Visitor) -> Result<Entered, NoSeat> {
        let seat = self.seats.take(visitor)?;
        let is_owner = visitor == Visitor::Owner;
        let mut state = self.state.lock();
        state.last = state.last.wrapping_add(1);
        let (id, waits) = (state.last, Arc::new(Notify::new()));
        let number = state.free_number(is_owner);
        let mut outbox = Outbox::default();
        outbox.put(FromRoom::Welcome { own: id, is_owner });
        outbox.put(FromRoom::Rules(state.rules));
        for place in state.places.iter().filter(|place| place.is_present) {
            outbox.put(FromRoom::Member(place.member.clone()));
            if place.cursor_m.is_some() {
                outbox.put(FromRoom::Cursor { of: place.member.id, at_m: place.cursor_m });
            }
        }
        let member = Member { id, number, is_owner, presence: Presence::default() };
        let waiting = Arc::clone(&waits);
        waiting.notify_one();
        state.places.push(Place { member, cursor_m: None, is_present: false, outbox, waits: waiting });
        Ok(Entered { room: self.clone(), id, waits, _seat: seat })
    }

    /// Whether a page may change recordings, notes and tasks, and command a game's server.
    pub(crate) fn may_write(&self, is_owner: bool) -> bool {
        is_owner || self.state.lock().rules.tablets_may_write
    }

    /// Allows tablets to do so, or forbids it. Every page learns of it.
    pub(crate) fn let_tablets_write(&self, may_write: bool) {
        self.state.lock().change_rules(|rules| rules.tablets_may_write = may_write);
    }

    /// The rules as they are now.
    pub(crate) fn rules(&self) -> RoomRules {
        self.state.lock().rules
    }

    /// Announces that notes or tasks of a recording changed.
    pub(crate) fn announce_written(&self, id: RecordingId) {
        self.state.lock().send_to_all(None, &FromRoom::Written(id.to_string()));
    }
}

impl Entered {
    /// Takes a message of the page, and sends what changed to the others.
    pub(super) fn take(&self, message: ToRoom) {
        let mut state = self.room.state.lock();
        let Some(place) = state.places.iter_mut().find(|place| place.member.id == self.id) else { return };
        let news = match message {
            ToRoom::Present(presence) => {
                place.is_present = true;
                place.member.presence = presence.cleaned();
                FromRoom::Member(place.member.clone())
            }
            ToRoom::Cursor(at_m) => {
                place.cursor_m = cleaned_cursor(at_m);
                FromRoom::Cursor { of: self.id, at_m: place.cursor_m }
            }
        };
        if place.is_present {
            state.send_to_all(Some(self.id), &news);
        }
    }

    /// Waits until there is something to send to the page.
    pub(super) async fn next(&self) -> Vec<FromRoom> {
        self.waits.notified().await;
        let mut state = self.room.state.lock();
        let place = state.places.iter_mut().find(|place| place.member.id == self.id);
        place.map(|place| place.outbox.take()).unwrap_or_default()
    }

    /// Counts that the page was cut off.
    pub(super) fn count_cut_off(&self) {
        self.room.state.lock().change_rules(|rules| rules.cut_off = rules.cut_off.saturating_add(1));
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        let mut state = self.room.state.lock();
        let was_present = state.places.iter().any(|place| place.member.id == self.id && place.is_present);
        state.places.retain(|place| place.member.id != self.id);
        if was_present {
            state.send_to_all(None, &FromRoom::Left(self.id));
        }
    }
}

impl State {
    /// The lowest number that no other page of the same kind has.
    fn free_number(&self, is_owner: bool) -> u32 {
        let is_taken = |number: &u32| {
            self.places
                .iter()
                .any(|place| place.member.is_owner == is_owner && place.member.number == *number)
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
        for place in self.places.iter_mut().filter(|place| Some(place.member.id) != but) {
            place.outbox.put(message.clone());
            place.waits.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relaying::device::Device;

    fn present(view: &str) -> ToRoom {
        ToRoom::Present(Presence { view: view.to_owned(), ..Presence::default() })
    }

    fn tablet(number: u8) -> Visitor {
        Visitor::Device(Device::at([10, 0, 0, number].into()))
    }

    #[test]
    fn numbers_are_given_again_and_ids_never() {
        let room = Room::default();
        let tablets: Vec<Entered> = (0..3).filter_map(|number| room.enter(tablet(number)).ok()).collect();
        let [_, second, _] = &tablets[..] else { panic!("three tablets") };
        let (owner, before) = (room.enter(Visitor::Owner).expect("room"), second.id);
        assert_eq!(room.state.lock().places.last().expect("the owner").member.number, 1);
        drop((tablets, owner));
        let again = room.enter(tablet(1)).expect("room");
        assert!(again.id > before);
        assert_eq!(room.state.lock().places.first().expect("a tablet").member.number, 1);
    }

    #[test]
    fn a_room_full_of_tablets_has_seats_for_the_owner() {
        let room = Room::default();
        let tablets: Vec<Entered> =
            (0..SEATS.all).filter_map(|number| room.enter(tablet(number as u8)).ok()).collect();
        assert_eq!(tablets.len(), SEATS.for_devices);
        let own: Vec<Entered> = (0..SEATS.all).filter_map(|_| room.enter(Visitor::Owner).ok()).collect();
        assert_eq!(tablets.len() + own.len(), SEATS.all);
    }

    #[tokio::test]
    async fn a_page_that_shows_nothing_yet_is_not_announced() {
        let room = Room::default();
        let one = room.enter(Visitor::Owner).expect("room");
        one.take(present("#/live"));
        one.take(ToRoom::Cursor(Some(12.0)));
        let other = room.enter(tablet(1)).expect("room");
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
