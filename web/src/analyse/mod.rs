//! Laps laid side by side, as this page knows them: where they come from, which are chosen, what they say together,
//! and what part of them is looked at.

mod address;
mod braked;
mod called;
mod copy;
mod driven;
mod excluded;
mod follow;
mod lanes;
mod layout;
mod measure;
mod names;
mod notes;
mod origin;
mod pair;
mod panels;
mod playing;
mod report;
mod seen;
mod shelf;
mod shown;
mod sought;
mod stint;
mod underway;
mod unsaved;
mod view;

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::analysis::NoComparison;
use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::laps::{Lap, LapFlag};
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::session::LapId;

use crate::cockpit::Cockpit;
use crate::frame;
use crate::seats;

pub(crate) use braked::{Braked, apart};
pub(crate) use lanes::{Built, Choice, INKS, build, choices, slots};
pub(crate) use layout::{Layout, Strip};
pub(crate) use measure::Measure;
pub(crate) use names::Wanted;
pub(crate) use notes::{Kept, PlacedLap as PlacedNote};
pub(crate) use origin::{Name, Origin};
pub(crate) use panels::{CORNERS, Open};
pub(crate) use seen::{Look, Seen, wheel_of};
pub(crate) use shelf::{Shelf, all_time_best};
pub(crate) use shown::Shown;
pub(crate) use sought::Sought;
pub(crate) use view::{Axis, Gesture, Part, View};

use driven::Driven;
use excluded::Excluded;
use names::Names;
use notes::Notes;
use pair::Pair;
use playing::Playing;
use underway::Underway;

/// Laps side by side at most; there are no more colours that can be told apart.
pub(crate) const MOST: usize = INKS.len();
/// So many decoded laps are kept.
const KEPT: usize = 24;

/// What a lap is called, wherever it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) of: Name,
    pub(crate) id: LapId,
}

/// Laps side by side. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct Analyse {
    state: StoredValue<RefCell<State>, LocalStorage>,
    changed: StoredValue<[RwSignal<u32>; ASPECTS]>,
}

/// How many of them there are.
const ASPECTS: usize = Aspect::Seen as usize + 1;

/// What can change by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aspect {
    /// Where laps come from, and which there are.
    List,
    /// Which laps are side by side, and what they say.
    Shown,
    /// What other laps say of it.
    Stint,
    /// What part of them is looked at.
    View,
    /// Where the cursor is.
    Cursor,
    /// Whether the cursor goes along by itself.
    Playing,
    /// What lies over the page.
    Sheet,
    /// Where the measuring cursors are.
    Measure,
    /// The notes.
    Notes,
    /// Which panel is open.
    Panel,
    /// How the track is looked at.
    Seen,
}

/// What lies over the page for a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sheet {
    /// The keys.
    Keys,
    /// Everything that can be done, to be searched.
    Palette,
    /// The channels, to be shown or not.
    Channels,
    /// A note that is being written.
    Note,
    /// The printed report.
    Report,
    /// The figures that can be copied.
    Copy,
    /// What the track and a corner are called.
    Names,
}

/// All that is known and chosen.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) origins: Vec<Origin>,
    /// Whose laps are listed.
    pub(crate) listed: Option<Name>,
    pub(crate) chosen: Chosen,
    pub(crate) excluded: Excluded,
    pub(crate) notes: Notes,
    names: Names,
    pub(crate) shelf: Shelf,
    /// The recordings that are being opened at the relay since chosen laps are of them.
    bringing: Vec<RecordingId>,
    held: Vec<Rc<Driven>>,
    asked: Vec<Key>,
    /// Chosen laps that could not be had, and why: nobody asks for them again by himself.
    missed: Vec<(Key, String)>,
    pub(crate) shown: Option<Rc<Shown>>,
    /// Other laps of the main lap's stint, once they have been read.
    stint: Vec<Rc<Driven>>,
    /// Why nothing is shown, in words.
    pub(crate) trouble: Option<String>,
    /// Whether a lap was to be laid beside the others for which there is no room.
    pub(crate) full: bool,
    /// Why the main lap can't be laid beside the reference.
    pub(crate) refused: Option<NoComparison>,
    pub(crate) view: View,
    pub(crate) measure: Measure,
    /// The lanes that are shown, from the top.
    pub(crate) lanes: Rc<Vec<Strip>>,
    pub(crate) layouts: Vec<Layout>,
    pub(crate) playing: Playing,
    pub(crate) open: Open,
    pub(crate) seen: Seen,
    pub(crate) sheet: Option<Sheet>,
    /// How far the report is, in words, until it is there.
    pub(crate) printing: String,
    /// The printed report, once it is laid out.
    pub(crate) printed: Option<report::Printed>,
    /// What the address asks for and is not there yet.
    pub(crate) sought: Option<Sought>,
    /// What files of recordings are called, as addresses say it.
    files: Vec<(RecordingId, String)>,
    /// What the laps that are driven are called in the recording under way.
    underway: Underway,
    /// The recording that played when it was looked last which laps there are.
    played: Option<Name>,
    /// The origin whose best lap of all was looked for by the shape of its track.
    shelf_by_shape: Option<Name>,
    /// The address that was followed last.
    place: String,
    /// The telemetry's generation that the live laps are of.
    generation: u32,
}

/// The laps that are side by side.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Chosen {
    pub(crate) main: Option<Key>,
    pub(crate) reference: Option<Key>,
    pub(crate) others: Vec<Key>,
    /// Whether somebody has chosen: until then the latest lap is laid beside the best.
    pub(crate) by_hand: bool,
    /// Whether laps of different tracks are laid side by side all the same.
    pub(crate) anyway: bool,
}

impl Chosen {
    /// All of them: the main lap, the reference, the others.
    pub(crate) fn all(&self) -> impl Iterator<Item = Key> + use<'_> {
        self.main.into_iter().chain(self.reference).chain(self.others.iter().copied())
    }

    /// Takes a lap away; the main one stays.
    pub(crate) fn take_away(&mut self, key: Key) {
        self.reference = self.reference.filter(|reference| *reference != key);
        self.others.retain(|other| *other != key);
    }

    /// A lap's place among those that are shown, which gives it its colour.
    pub(crate) fn place(&self, key: Key) -> Option<usize> {
        if self.main == Some(key) {
            Some(0)
        } else if self.reference == Some(key) {
            Some(1)
        } else {
            self.others.iter().position(|other| *other == key).map(|place| place + 2)
        }
    }
}

impl State {
    /// Whose laps are listed.
    pub(crate) fn origin(&self) -> Option<&Origin> {
        self.origins.iter().find(|origin| Some(origin.name) == self.listed)
    }

    /// What is known of a lap before it is decoded.
    pub(crate) fn entry(&self, key: Key) -> Option<(&Origin, &LapEntry)> {
        let origin = self.origins.iter().find(|origin| origin.name == key.of)?;
        Some((origin, origin.entry(key)?))
    }

    /// A decoded lap as the catalogue has it, with its official times.
    fn lap(&self, driven: &Driven) -> Lap {
        self.entry(driven.key).map_or_else(|| driven.lap.clone(), |(_, entry)| entry.lap.clone())
    }

    /// Whether two laps are of one driver in one car and session.
    pub(crate) fn is_same_seat(&self, one: Key, other: Key) -> bool {
        let entries = self.entry(one).zip(self.entry(other).filter(|_| one.of == other.of));
        entries.is_some_and(|((_, one), (_, other))| one.is_of_seat(other))
    }

    /// How long the axis is.
    pub(crate) fn whole(&self) -> f64 {
        self.shown.as_ref().map_or(1.0, |shown| shown.whole(self.view.axis))
    }

    /// The cursor's place, metres from the line.
    pub(crate) fn cursor_m(&self) -> Option<f64> {
        self.place_m(self.view.cursor?)
    }

    /// The place of what is at a point of the axis, metres from the line.
    pub(crate) fn place_m(&self, at: f64) -> Option<f64> {
        self.shown.as_ref()?.place(self.view.axis, at)
    }

    /// Where on the axis the measuring cursors are.
    pub(crate) fn measured(&self) -> [Option<f64>; 2] {
        let shown = self.shown.as_ref();
        self.measure.places_m.map(|place_m| shown?.on_axis(self.view.axis, place_m?))
    }

    /// The latest lap and its best reference, as long as nobody has chosen.
    fn choose_latest(&mut self) {
        let Some(origin) = self.origin().filter(|origin| origin.is_own()) else {
            self.chosen = Chosen::default();
            return;
        };
        let included = || origin.listed().filter(|entry| !entry.lap.flags.has(LapFlag::Excluded));
        let latest = included().rfind(|entry| entry.lap.time.is_some());
        let main = latest.or(included().next_back()).or(origin.listed().next_back());
        let best = main.and_then(|main| origin.catalogue.best_reference(main, None));
        let (main, reference) =
            (main.map(|entry| origin.key(entry)), best.map(|(entry, _)| origin.key(entry)));
        self.chosen = Chosen { main, reference, ..Chosen::default() };
    }

    /// Lists the laps of the seat in which a lap was driven.
    fn list_seat_of(&mut self, key: Key) {
        let origin = self.origins.iter_mut().find(|origin| origin.name == key.of);
        origin.into_iter().for_each(|origin| origin.pick(key.id));
    }

    /// Marks the laps that are left out.
    fn mark_excluded(&mut self) {
        self.origins.iter_mut().for_each(|origin| self.excluded.mark(origin));
    }

    fn put_origin(&mut self, mut origin: Origin) {
        self.excluded.mark(&mut origin);
        self.notes.learn(&origin);
        self.names.learn(&origin);
        // Whose laps are listed stays so, whoever has driven one meanwhile.
        let before = self.origins.iter().find(|known| known.name == origin.name);
        if let Some(seat) = before.and_then(Origin::picked_seat) {
            origin.pick(seat);
        }
        match self.origins.iter_mut().find(|known| known.name == origin.name) {
            Some(known) => *known = origin,
            None => self.origins.push(origin),
        }
    }

    /// Lays the chosen laps side by side, once all of them are decoded.
    fn lay(&mut self) {
        self.stint = Vec::new();
        let held = |key: Key| self.held.iter().find(|driven| driven.key == key);
        let missed = |key: Key| self.missed.iter().find(|(missed, _)| *missed == key);
        self.trouble = self.chosen.all().find_map(missed).map(|(_, why)| why.clone());
        let Some(main) = self.chosen.main.and_then(held) else {
            self.shown = None;
            return;
        };
        let reference = self.chosen.reference.and_then(held);
        let others: Vec<Rc<Driven>> =
            self.chosen.others.iter().filter_map(|key| held(*key)).cloned().collect();
        let book = self.names.book();
        let compared = Shown::new(Pair::new(self, main, reference, self.chosen.anyway), &others, book);
        // What can't be compared is shown by itself.
        let alone = || Shown::new(Pair::new(self, main, None, false), &[], book);
        let (shown, refused) = match compared {
            Ok(shown) => (Ok(shown), None),
            Err(why) => (alone(), Some(why)),
        };
        self.refused = refused;
        match shown {
            Ok(shown) => {
                // Other laps have to be wanted anyway by themselves.
                self.chosen.anyway &= shown.are_strangers();
                self.shown = Some(Rc::new(shown));
                self.call_track();
            }
            Err(why) => (self.shown, self.trouble) = (None, Some(format!("Nothing can be shown: {why}."))),
        }
    }
}

impl Analyse {
    /// Nothing yet; it follows the address for as long as the page is open.
    pub(crate) fn start(cockpit: Cockpit) -> Self {
        let changed = [(); ASPECTS].map(|()| RwSignal::new(0));
        let analyse =
            Self { state: StoredValue::new_local(RefCell::default()), changed: StoredValue::new(changed) };
        provide_context(analyse);
        analyse.remember();
        // It asks for as long as the page is open.
        std::mem::forget(unsaved::ask_before_leaving(analyse));
        analyse.follow(cockpit);
        window_event_listener(leptos::ev::hashchange, move |_| analyse.follow(cockpit));
        analyse
    }

    /// What `start` provided to the components.
    pub(crate) fn here() -> Self {
        // Only a component outside of the app has none, and there is no such component.
        use_context().unwrap_or_else(|| Self::start(Cockpit::here()))
    }

    /// A value of the state, read again when one of its aspects changes.
    pub(crate) fn memo<T>(
        self,
        aspects: &'static [Aspect],
        read: impl Fn(&State) -> T + Send + Sync + 'static,
    ) -> Memo<T>
    where
        T: PartialEq + Send + Sync + 'static,
    {
        Memo::new(move |_| {
            self.track(aspects);
            self.read(&read)
        })
    }

    /// Looks at what is known.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        self.state.with_value(|state| read(&state.borrow()))
    }

    /// Lets whoever calls be called again when something changes.
    pub(crate) fn track(&self, aspects: &[Aspect]) {
        let changed = self.changed.get_value();
        aspects.iter().filter_map(|aspect| changed.get(*aspect as usize)).for_each(Track::track);
    }

    fn change(&self, aspects: &[Aspect], change: impl FnOnce(&mut State)) {
        self.state.with_value(|state| change(&mut state.borrow_mut()));
        self.say_changed(aspects);
    }

    /// A function of its own, where each change would have one otherwise.
    #[inline(never)]
    fn say_changed(&self, aspects: &[Aspect]) {
        let changed = self.changed.get_value();
        for changed in aspects.iter().filter_map(|aspect| changed.get(*aspect as usize)) {
            changed.update(|count| *count = count.wrapping_add(1));
        }
        frame::request();
    }

    /// Chooses other laps.
    pub(crate) fn choose(&self, cockpit: Cockpit, change: impl FnOnce(&mut Chosen)) {
        self.change(&[Aspect::List], |state| {
            change(&mut state.chosen);
            state.chosen.by_hand = true;
            // Who chooses wants what the address asked for no more.
            state.sought = None;
            state.missed.clear();
            let Chosen { main, reference, others, .. } = &mut state.chosen;
            others.retain(|other| Some(*other) != *main && Some(*other) != *reference);
            if reference.is_none() && !others.is_empty() {
                // Without a reference nothing could be said of several laps.
                *reference = Some(others.remove(0));
            }
            state.full = others.len() > MOST - 2;
            others.truncate(MOST - 2);
        });
        self.settle(cockpit);
        self.say_address();
    }

    /// Looks at another part, or puts the cursor elsewhere.
    pub(crate) fn view(&self, change: &dyn Fn(&mut View, f64)) {
        self.view_by(None, change);
    }

    /// The same as a part of a gesture.
    pub(crate) fn view_by(&self, gesture: Option<Gesture>, change: &dyn Fn(&mut View, f64)) {
        self.move_view(gesture, change);
        self.say_address();
    }

    /// The same without a word in the address.
    fn move_view(&self, gesture: Option<Gesture>, change: &dyn Fn(&mut View, f64)) {
        let seen = |state: &State| (state.view.part(), state.view.axis, state.view.corner);
        let before = self.read(seen);
        self.change(&[Aspect::Cursor], |state| {
            let whole = state.whole();
            state.view.belongs_to(gesture);
            change(&mut state.view, whole);
        });
        if self.read(seen) != before {
            self.change(&[Aspect::View], |_| ());
        }
    }

    /// Counts metres or seconds along the axis, by turns.
    pub(crate) fn turn_axis(&self) {
        let Some(shown) = self.read(|state| state.shown.clone()) else { return };
        self.view(&|view, _| match view.axis {
            Axis::Distance => view.turn(Axis::Time, |place| shown.on_axis(Axis::Time, place)),
            Axis::Time => view.turn(Axis::Distance, |clock| shown.place(Axis::Time, clock)),
        });
    }

    /// Lays something over the page, or takes it away.
    pub(crate) fn ask(&self, sheet: Option<Sheet>) {
        self.change(&[Aspect::Sheet], |state| state.sheet = sheet);
    }

    /// Lists the laps of another origin, counted among those that are not listed.
    pub(crate) fn list_other(&self, place: usize) {
        self.change(&[Aspect::List], |state| {
            let others = state.origins.iter().map(|origin| origin.name);
            let name = others.filter(|name| Some(*name) != state.listed).nth(place);
            state.listed = name.or(state.listed);
            state.shelf = Shelf::default();
        });
        self.ask_shelf();
    }

    /// Lists the laps of another seat of the origin that is listed.
    pub(crate) fn list_seat(&self, place: usize) {
        self.change(&[Aspect::List], |state| {
            let listed = state.listed;
            let origin = state.origins.iter_mut().find(|origin| Some(origin.name) == listed);
            let Some(origin) = origin else { return };
            let seat = seats::at(&origin.catalogue, place).map(|entry| entry.id);
            seat.into_iter().for_each(|seat| origin.pick(seat));
        });
    }

    /// Decodes what is chosen and not decoded yet, and lays it side by side when all is there.
    fn settle(&self, cockpit: Cockpit) {
        self.bring(cockpit);
        let missing: Vec<Key> = self.read(|state| {
            let held = |key: &Key| state.held.iter().any(|driven| driven.key == *key);
            let missed = |key: &Key| state.missed.iter().any(|(missed, _)| missed == key);
            let missing = |key: &Key| !held(key) && !missed(key) && !state.asked.contains(key);
            state.chosen.all().filter(missing).collect()
        });
        for key in missing {
            self.decode(cockpit, key);
        }
        let waits = self.read(|state| {
            let brought = |key: Key| state.bringing.iter().any(|id| Name::Recording(*id) == key.of);
            state.chosen.all().any(|key| state.asked.contains(&key) || brought(key))
        });
        if !waits {
            const LAID: &[Aspect] =
                &[Aspect::List, Aspect::Shown, Aspect::Stint, Aspect::View, Aspect::Cursor, Aspect::Notes];
            self.change(LAID, |state| {
                state.lay();
                state.place_notes();
            });
            self.learn_stint(cockpit);
            self.ask_shelf_by_shape();
            self.say_address();
            self.name_driven(cockpit);
        }
    }

    /// Decodes a lap: of the session it is there already, out of a recording it is read.
    fn decode(&self, cockpit: Cockpit, key: Key) {
        let Some((opened, entry)) =
            self.read(|state| state.entry(key).map(|(origin, entry)| (origin.opened.clone(), entry.clone())))
        else {
            return;
        };
        let Some(opened) = opened else {
            let decoded = origin::driven_now(cockpit, &entry);
            let why = format!(
                "Lap {} is not kept: of the driver's laps those of long ago are not, of others' all but the last and the best.",
                entry.lap.number
            );
            self.hold(key, decoded.map(|decoded| Driven::new(key, &entry, decoded)), || why);
            return;
        };
        self.change(&[], |state| state.asked.push(key));
        let analyse = *self;
        spawn_local(async move {
            let read = origin::read(&opened, &entry).await;
            analyse.change(&[], |state| state.asked.retain(|asked| *asked != key));
            match read {
                Ok(decoded) => analyse.hold(key, Some(Driven::new(key, &entry, decoded)), String::new),
                Err(trouble) => analyse.hold(key, None, || trouble.words()),
            }
            analyse.settle(cockpit);
        });
    }

    fn hold(&self, key: Key, driven: Option<Driven>, why: impl FnOnce() -> String) {
        self.change(&[], |state| match driven {
            Some(driven) => {
                let wanted: Vec<Key> = state.chosen.all().collect();
                if state.held.len() >= KEPT
                    && let Some(place) = state.held.iter().position(|held| !wanted.contains(&held.key))
                {
                    state.held.remove(place);
                }
                state.held.push(Rc::new(driven));
            }
            None => state.missed.push((key, why())),
        });
    }
}
