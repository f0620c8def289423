//! Who is in the room, and what each page shows: the latest of it, and no history.

use std::sync::Arc;

use tokio::sync::Notify;
use tokio::sync::watch;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::wire::{FromRoom, Member, PageKind, Presence, RoomRules, ToRoom, cleaned_cursor};
#[cfg(feature = "team")]
use trailbrake_shared::wire::{RoomPage, RoomPages};

use super::outbox::Outbox;
use crate::lock::Lock;
use crate::relaying::seats::{NoSeat, Seat, SeatPlan, Seats, Visitor};

/// Most pages in the room at the same time.
const SEATS: SeatPlan = SeatPlan { all: 32, for_devices: 24, of_a_device: 6 };

/// The room, in which the pages of this relay see each other. A rig and its hub share theirs: the pages at the other end are
/// in both. Copies are handles to the same.
#[derive(Clone)]
pub(crate) struct Room {
    seats: Seats,
    state: Arc<Lock<State>>,
    /// Changes when the pages here show something else.
    changes: watch::Sender<()>,
    is_at_hub: bool,
}

#[derive(Default)]
struct State {
    places: Vec<Place>,
    /// The pages at the other end.
    others: Vec<Other>,
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

/// A page at the other end.
#[cfg_attr(not(feature = "team"), expect(dead_code, reason = "a room is shared only in a team"))]
struct Other {
    /// Its number there.
    there: u32,
    /// What it is here.
    member: Member,
    cursor_m: Option<f64>,
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
        Self {
            seats: Seats::new(SEATS),
            state: Arc::default(),
            changes: watch::Sender::default(),
            is_at_hub: false,
        }
    }
}

impl Room {
    /// Lets a page in where there is a seat for it.
    pub(super) fn enter(&self, visitor: Visitor) -> Result<Entered, NoSeat> {
        let seat = self.seats.take(visitor)?;
        let is_owner = visitor == Visitor::Owner;
        let kind = match visitor {
            _ if self.is_at_hub => PageKind::Hub,
            Visitor::Owner => PageKind::Own,
            Visitor::Device(_) => PageKind::Tablet,
        };
        let mut state = self.state.lock();
        state.last = state.last.wrapping_add(1);
        let (id, waits) = (state.last, Arc::new(Notify::new()));
        let number = state.free_number(kind);
        let mut outbox = Outbox::default();
        outbox.put(FromRoom::Welcome { own: id, is_owner });
        outbox.put(FromRoom::Rules(state.rules));
        let places = state.places.iter().filter(|place| place.is_present);
        let here = places.map(|place| (&place.member, place.cursor_m));
        let others = state.others.iter().map(|other| (&other.member, other.cursor_m));
        for (member, cursor_m) in here.chain(others) {
            outbox.put(FromRoom::Member(member.clone()));
            if cursor_m.is_some() {
                outbox.put(FromRoom::Cursor { of: member.id, at_m: cursor_m });
            }
        }
        let member = Member { id, number, kind, presence: Presence::default() };
        let waiting = Arc::clone(&waits);
        waiting.notify_one();
        state.places.push(Place { member, cursor_m: None, is_present: false, outbox, waits: waiting });
        Ok(Entered { room: self.clone(), id, waits, _seat: seat })
    }

    /// The room of pages at a hub.
    #[cfg(feature = "team")]
    pub(crate) fn at_hub() -> Self {
        Self { is_at_hub: true, ..Self::default() }
    }

    /// Changes when the pages here show something else.
    #[cfg(feature = "team")]
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    /// The pages here, for the other end.
    #[cfg(feature = "team")]
    pub(crate) fn pages(&self) -> RoomPages {
        let state = self.state.lock();
        let places = state.places.iter().filter(|place| place.is_present);
        let page = |place: &Place| {
            let mut member = place.member.clone();
            let follows_there = member.presence.following.and_then(|id| state.there(id));
            if follows_there.is_some() {
                member.presence.following = None;
            }
            RoomPage { member, cursor_m: place.cursor_m, follows_there }
        };
        RoomPages(places.map(page).collect())
    }

    /// Shows the pages of the other end as they are now.
    #[cfg(feature = "team")]
    pub(crate) fn show_others(&self, pages: RoomPages) {
        let RoomPages(mut pages) = pages;
        pages.truncate(SEATS.all);
        let mut state = self.state.lock();
        let news = state.take_others(&pages, self.is_at_hub);
        news.iter().for_each(|news| state.send_to_all(None, news));
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
            self.room.changes.send_replace(());
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
            self.room.changes.send_replace(());
        }
    }
}

#[cfg(feature = "team")]
impl State {
    /// The number that a page of the other end has there.
    fn there(&self, id: u32) -> Option<u32> {
        self.others.iter().find(|other| other.member.id == id).map(|other| other.there)
    }

    /// Takes the pages of the other end in the place of those before; returns what changed for the pages here.
    fn take_others(&mut self, pages: &[RoomPage], is_at_hub: bool) -> Vec<FromRoom> {
        let is_there = |other: &Other| pages.iter().any(|page| page.member.id == other.there);
        let (stay, gone): (Vec<Other>, Vec<Other>) = self.others.drain(..).partition(is_there);
        self.others = stay;
        let mut news: Vec<FromRoom> = gone.iter().map(|other| FromRoom::Left(other.member.id)).collect();
        let known = self.others.len();
        // All have numbers here before one follows another.
        for page in pages {
            if !self.others.iter().any(|other| other.there == page.member.id) {
                self.last = self.last.wrapping_add(1);
                let member = Member { id: self.last, ..page.member.clone() };
                self.others.push(Other { there: page.member.id, member, cursor_m: None });
            }
        }
        let ids: Vec<(u32, u32)> = self.others.iter().map(|other| (other.there, other.member.id)).collect();
        let here = |there: u32| ids.iter().find(|(known, _)| *known == there).map(|(_, id)| *id);
        for (index, other) in self.others.iter_mut().enumerate() {
            let Some(page) = pages.iter().find(|page| page.member.id == other.there) else { continue };
            let presence = page.member.presence.cleaned();
            let following = page.follows_there.or_else(|| here(presence.following?));
            let kind = match page.member.kind {
                _ if !is_at_hub => PageKind::Hub,
                PageKind::Own => PageKind::Own,
                PageKind::Tablet | PageKind::Hub => PageKind::Tablet,
            };
            let presence = Presence { following, ..presence };
            let member = Member { id: other.member.id, number: page.member.number, kind, presence };
            if index >= known || other.member != member {
                other.member = member.clone();
                news.push(FromRoom::Member(member));
            }
            let cursor_m = cleaned_cursor(page.cursor_m);
            if other.cursor_m != cursor_m {
                other.cursor_m = cursor_m;
                news.push(FromRoom::Cursor { of: other.member.id, at_m: cursor_m });
            }
        }
        news
    }
}

impl State {
    /// The lowest number that no other page of the same kind has.
    fn free_number(&self, kind: PageKind) -> u32 {
        let is_taken = |number: &u32| {
            self.places.iter().any(|place| place.member.kind == kind && place.member.number == *number)
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

    /// Lets the rooms of a rig and its hub know what the other's pages show.
    #[cfg(feature = "team")]
    fn share(rig: &Room, hub: &Room) {
        let (here, there) = (rig.pages(), hub.pages());
        hub.show_others(here);
        rig.show_others(there);
    }

    #[cfg(feature = "team")]
    #[tokio::test]
    async fn pages_at_a_rig_and_at_its_hub_see_each_other() {
        let (rig, hub) = (Room::default(), Room::at_hub());
        let stranger = hub.enter(tablet(7)).expect("room");
        drop(stranger);
        let [driver, coach] = [&rig, &hub].map(|room| room.enter(Visitor::Owner).expect("room"));
        for page in [&driver, &coach] {
            page.take(present("#/live"));
        }
        coach.take(ToRoom::Cursor(Some(812.0)));
        share(&rig, &hub);
        let news = driver.next().await;
        let Some(FromRoom::Member(member)) = news.get(2) else { panic!("{news:?}") };
        assert_eq!((member.kind, member.presence.view.as_str()), (PageKind::Hub, "#/live"));
        assert_eq!(news.get(3), Some(&FromRoom::Cursor { of: member.id, at_m: Some(812.0) }));
        let at_rig = member.id;
        let news = coach.next().await;
        let Some(FromRoom::Member(member)) = news.get(2) else { panic!("{news:?}") };
        assert_eq!((member.kind, member.title().as_str()), (PageKind::Own, "Driver's PC"));
        let at_hub = member.id;

        // Each follows the other, by the numbers of its own end.
        let following = |id| ToRoom::Present(Presence { following: Some(id), ..Presence::default() });
        driver.take(following(at_rig));
        coach.take(following(at_hub));
        share(&rig, &hub);
        for (page, other) in [(&driver, &coach), (&coach, &driver)] {
            let news = page.next().await;
            let [FromRoom::Member(member)] = &news[..] else { panic!("{news:?}") };
            assert_eq!(member.presence.following, Some(page.id), "{}", other.id);
        }
        // A page that comes later sees them, too; what did not change is sent to nobody.
        let late = hub.enter(tablet(1)).expect("room");
        assert!(
            late.next().await.iter().any(|news| matches!(news, FromRoom::Member(one) if one.id == at_hub))
        );
        share(&rig, &hub);
        drop(driver);
        share(&rig, &hub);
        assert_eq!(coach.next().await, [FromRoom::Left(at_hub)]);
        rig.show_others(RoomPages::default());
        assert!(rig.state.lock().others.is_empty());
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
