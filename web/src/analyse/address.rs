//! What is looked at, as it stands in the address: a link opens just that.

use std::fmt::Write;
use std::rc::Rc;

use trailbrake_shared::model::Car;
use trailbrake_shared::number;
use trailbrake_shared::plot::colouring::Colouring;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::session::LapId;

use super::{
    Axis, Chosen, Key, Look, Measure, Name, Open, Origin, Part, Seen, State, Strip, lanes, layout, wheel_of,
};
use crate::route::{self, Page};
use crate::words::{decoded, encoded};

/// Under what the measuring cursors stand there, metres from the line whatever the axis counts.
const MEASURED: [&str; 2] = ["in", "out"];

/// What an address asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wish {
    /// The address itself.
    said: String,
    /// The recording that the laps are of. Without one no laps are named: what is driven here is driven nowhere else.
    pub(super) of: Option<RecordingId>,
    /// What the files of recordings are called.
    pub(super) files: Vec<(RecordingId, String)>,
    main: Option<Lap>,
    reference: Option<Lap>,
    others: Vec<Lap>,
    without: Vec<Lap>,
    anyway: bool,
    axis: Axis,
    part: Option<Part>,
    cursor: Option<f64>,
    corner: Option<u16>,
    measure: Measure,
    lanes: Option<Vec<Strip>>,
    open: Open,
    seen: Seen,
}

/// A lap, as an address names it: the session, the car, the serial number, and the recording if it is another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lap {
    of: Option<RecordingId>,
    id: LapId,
}

/// What came of a wish.
pub(super) enum Granted {
    /// All of it.
    All,
    /// The recording does not have the lap.
    WithoutItsLap,
    /// Nothing, while nobody has opened the recording.
    Not(Box<Wish>),
}

/// A file's name that is longer stands in no address.
const LONGEST: usize = 120;

impl Wish {
    /// What a fragment asks for; nothing where it only names the page.
    pub(super) fn from_hash(hash: &str) -> Option<Self> {
        let (_, query) = hash.split_once('?')?;
        let value = |key: &str| route::value(hash, key);
        let of = value("recording").and_then(RecordingId::read);
        let number = |key: &str| number::read(value(key)?).filter(|number| number.is_finite());
        let part = || Some(Part { from: number("from")?, to: number("to")? });
        let laps = |key: &str| {
            let text = value(key).filter(|_| of.is_some()).unwrap_or_default();
            text.split(',').filter_map(Lap::read).collect::<Vec<Lap>>()
        };
        let (main, reference, others) = (laps("lap"), laps("reference"), laps("others"));
        let mut files = Vec::new();
        for (id, file) in recordings(of, [&reference, &others])
            .into_iter()
            .zip(value("file").unwrap_or_default().split(','))
        {
            if !file.is_empty() {
                files.push((id, decoded(file)));
            }
        }
        let wish = Self {
            said: hash.to_owned(),
            of,
            files,
            main: main.first().copied(),
            reference: reference.first().copied(),
            others,
            without: laps("without"),
            anyway: value("anyway").is_some(),
            axis: if value("axis") == Some("time") { Axis::Time } else { Axis::Distance },
            part: part(),
            cursor: number("cursor"),
            corner: value("corner").and_then(|corner| corner.parse().ok()),
            measure: Measure { places_m: MEASURED.map(number) },
            lanes: value("lanes").map(layout::read),
            open: Open::named(value("panel").unwrap_or_default(), value("of").unwrap_or_default()),
            seen: Seen {
                by: value("colour").and_then(Colouring::of_id),
                wheel: value("wheel").and_then(wheel_of),
                look: Look::of_word(value("map").unwrap_or_default()),
                lines: value("lines").is_some(),
            },
        };
        (!query.is_empty()).then_some(wish)
    }

    /// Shows what is wished for, unless nobody has opened the recording.
    pub(super) fn grant(self, state: &mut State) -> Granted {
        let mut granted = Granted::All;
        if let Some(of) = self.of {
            let Some(name) = state.named(of) else { return Granted::Not(Box::new(self)) };
            // Laps that were cut out are called as they were.
            let key = |lap: Lap| Lap { of: lap.of.filter(|other| *other != of), ..lap }.key(name);
            state.listed = Some(name);
            state.excluded.take(self.without.iter().copied().map(key).collect());
            state.mark_excluded();
            let main = self.main.map(key);
            match main.filter(|main| state.entry(*main).is_some()) {
                Some(main) => {
                    state.chosen = Chosen {
                        main: Some(main),
                        reference: self.reference.map(key).filter(|key| state.has(*key)),
                        others: self.others.iter().copied().map(key).filter(|key| state.has(*key)).collect(),
                        by_hand: true,
                        anyway: self.anyway,
                    };
                    state.list_seat_of(main);
                }
                None => {
                    state.choose_latest();
                    if main.is_some() {
                        granted = Granted::WithoutItsLap;
                    }
                }
            }
        }
        state.view.axis = self.axis;
        state.view.cursor = self.cursor;
        state.view.corner = self.corner;
        state.measure = self.measure;
        state.view.restore(self.part);
        state.open = self.open;
        state.seen = self.seen;
        self.lanes.into_iter().for_each(|lanes| state.lanes = Rc::new(lanes));
        granted
    }
}

impl State {
    /// What an address calls so: the recording itself, else one that was cut out of it.
    fn named(&self, id: RecordingId) -> Option<Name> {
        let name = Name::Recording(id);
        let is_clip = |origin: &&Origin| {
            origin.opened.as_ref().is_some_and(|opened| opened.recording.info().parent == Some(id))
        };
        let own = self.origins.iter().find(|origin| origin.name == name);
        own.or_else(|| self.origins.iter().find(is_clip)).map(|origin| origin.name)
    }

    /// Whether a lap can be had as far as is known: one of a recording that nobody has opened yet may be.
    fn has(&self, key: Key) -> bool {
        let is_open = self.origins.iter().any(|origin| origin.name == key.of);
        !is_open || self.entry(key).is_some()
    }
}

/// The recordings of which an address names laps, in the order in which it does.
fn recordings(first: Option<RecordingId>, laps: [&[Lap]; 2]) -> Vec<RecordingId> {
    let mut recordings: Vec<RecordingId> = first.into_iter().collect();
    for lap in laps.into_iter().flatten() {
        if let Some(id) = lap.of.filter(|id| !recordings.contains(id)) {
            recordings.push(id);
        }
    }
    recordings
}

impl Lap {
    fn of(key: Key, than: Name) -> Self {
        let of = match key.of {
            Name::Recording(id) if key.of != than => Some(id),
            _ => None,
        };
        Self { of, id: key.id }
    }

    fn key(self, than: Name) -> Key {
        let of = self.of.map_or(than, Name::Recording);
        Key { of, id: self.id }
    }

    fn read(text: &str) -> Option<Self> {
        let (of, text) = match text.split_once(':') {
            Some((id, rest)) => (Some(RecordingId::read(id)?), rest),
            None => (None, text),
        };
        let mut parts = text.split('.');
        let id = LapId {
            session: parts.next()?.parse().ok()?,
            car: Car(parts.next()?.parse().ok()?),
            serial: parts.next()?.parse().ok()?,
        };
        parts.next().is_none().then_some(Self { of, id })
    }

    fn write(self, text: &mut String) {
        // Writing into text never fails.
        let _ = self.of.map_or(Ok(()), |id| write!(text, "{id}:"));
        let LapId { session, car, serial } = self.id;
        let _ = write!(text, "{session}.{}.{serial}", car.0);
    }
}

/// Laps as an address names them, beside one of an origin.
pub(super) fn write_laps(laps: impl Iterator<Item = Key>, beside: Name) -> String {
    let mut text = String::new();
    write(&mut text, &laps.map(|key| Lap::of(key, beside)).collect::<Vec<Lap>>());
    text
}

fn write(text: &mut String, laps: &[Lap]) {
    for (place, lap) in laps.iter().enumerate() {
        text.push_str(if place > 0 { "," } else { "" });
        lap.write(text);
    }
}

/// Laps that an address names beside one of an origin.
pub(super) fn read_laps(text: &str, beside: Name) -> Vec<Key> {
    text.split(',').filter_map(Lap::read).map(|lap| lap.key(beside)).collect()
}

/// The address of what is looked at, or of what is looked for.
pub(super) fn fragment(state: &State) -> String {
    if let Some(sought) = &state.sought {
        return sought.wish.said.clone();
    }
    let mut text = Page::Analyse.hash().to_owned();
    let mut joint = '?';
    let mut key = |text: &mut String, key: &str| {
        text.push(std::mem::replace(&mut joint, '&'));
        text.push_str(key);
        text.push('=');
    };
    let recorded = |key: &Key| state.recorded(*key);
    if let Some(main) = state.chosen.main.as_ref().and_then(recorded)
        && let Name::Recording(id) = main.of
    {
        key(&mut text, "recording");
        let _ = write!(text, "{id}");
        let named = |keys: &[Key]| -> Vec<Lap> {
            keys.iter().filter_map(recorded).map(|key| Lap::of(key, main.of)).collect()
        };
        let reference: Vec<Key> = state.chosen.reference.into_iter().collect();
        let (reference, others) = (named(&reference), named(&state.chosen.others));
        key(&mut text, "file");
        for (place, id) in recordings(Some(id), [&reference, &others]).into_iter().enumerate() {
            text.push_str(if place > 0 { "," } else { "" });
            // A name without end helps nobody.
            let name = state.file(id).map(|name| encoded(&name)).filter(|name| name.len() <= LONGEST);
            text.push_str(&name.unwrap_or_default());
        }
        let laps = [
            ("lap", named(&[main])),
            ("reference", reference),
            ("others", others),
            ("without", named(state.excluded.laps())),
        ];
        for (name, laps) in laps {
            if !laps.is_empty() {
                key(&mut text, name);
                write(&mut text, &laps);
            }
        }
    } else if state.shown.is_none() {
        return text;
    }
    if state.chosen.anyway {
        key(&mut text, "anyway");
        text.push('1');
    }
    if let Some(corner) = state.view.corner {
        key(&mut text, "corner");
        let _ = write!(text, "{corner}");
    }
    if state.view.axis == Axis::Time {
        key(&mut text, "axis");
        text.push_str("time");
    }
    if *state.lanes != lanes::usual() {
        key(&mut text, "lanes");
        text.push_str(&layout::written(&state.lanes));
    }
    for (name, value) in [("panel", state.open.id), ("of", &state.open.wanted)] {
        if !value.is_empty() {
            key(&mut text, name);
            text.push_str(value);
        }
    }
    if let Some(by) = state.seen.by {
        key(&mut text, "colour");
        text.push_str(by.id());
    }
    if let Some(wheel) = state.seen.wheel {
        key(&mut text, "wheel");
        text.push_str(&wheel.short().to_ascii_lowercase());
    }
    if let Some(word) = state.seen.look.word() {
        key(&mut text, "map");
        text.push_str(&word);
    }
    if state.seen.lines {
        key(&mut text, "lines");
        text.push_str("all");
    }
    // Thousandths are enough on every screen.
    let mut number = |name: &str, value: f64| {
        key(&mut text, name);
        let _ = write!(text, "{value:.3}");
    };
    if let Some(part) = state.view.part() {
        number("from", part.from);
        number("to", part.to);
    }
    if let Some(cursor) = state.view.cursor {
        number("cursor", cursor);
    }
    for (name, place_m) in MEASURED.into_iter().zip(state.measure.places_m) {
        place_m.into_iter().for_each(|place_m| number(name, place_m));
    }
    text
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::model::Wheel;
    use trailbrake_shared::plot::MapWindow;

    use super::*;

    #[test]
    fn an_address_leads_back_to_what_was_looked_at() {
        let mut state = State { lanes: Rc::new(layout::read("speed~150,brake")), ..State::default() };
        let name = Name::Recording(RecordingId(0xfe3d));
        let key = |serial| Key { of: name, id: LapId { session: 1, car: Car(19), serial } };
        let other =
            Key { of: Name::Recording(RecordingId(7)), id: LapId { session: 0, car: Car(0), serial: 2 } };
        state.chosen.main = Some(key(4));
        state.chosen.reference = Some(key(2));
        state.chosen.others = vec![other, key(9)];
        state.view.axis = Axis::Time;
        state.view.show(Some(Part { from: 12.25, to: 20.5 }), 90.0);
        state.view.cursor = Some(17.0);
        state.view.corner = Some(5);
        state.measure.drop(1, 340.5);
        state.open = Open::named("often", "gear");
        let look = MapWindow::new([-120.5, 33.0], 250.0).map_or(Look::All, Look::At);
        let (by, wheel) = (Some(Colouring::Temperature), Some(Wheel::RearLeft));
        state.seen = Seen { by, wheel, look, lines: true };
        state.know_file(RecordingId(0xfe3d), "spa, wet.mcap");
        let hash = fragment(&state);
        assert!(
            hash.starts_with(
                "#/analyse?recording=0000000000000000000000000000fe3d&file=spa%2c%20wet.mcap,&lap=1.19.4&"
            ),
            "{hash}"
        );
        let wish = Wish::from_hash(&hash).expect("a wish");
        assert_eq!((wish.of, wish.axis, wish.cursor), (Some(RecordingId(0xfe3d)), Axis::Time, Some(17.0)));
        assert_eq!(wish.seen, state.seen);
        assert_eq!(wish.corner, Some(5));
        assert_eq!(wish.part, Some(Part { from: 12.25, to: 20.5 }));
        assert_eq!(wish.measure.places_m, [None, Some(340.5)]);
        assert_eq!(wish.others.first().and_then(|lap| lap.of), Some(RecordingId(7)));
        assert_eq!(wish.reference, Some(Lap { of: None, id: LapId { session: 1, car: Car(19), serial: 2 } }));
        assert_eq!(wish.lanes.as_deref(), Some(state.lanes.as_slice()));
        assert_eq!((wish.open.id, wish.open.wanted.as_str()), ("often", "gear"));
        assert_eq!(wish.files, [(RecordingId(0xfe3d), "spa, wet.mcap".to_owned())]);
        assert!(matches!(wish.grant(&mut state), Granted::Not(_)), "no such recording is open");
    }

    #[test]
    fn what_is_driven_and_stands_in_no_recording_is_no_lap_of_an_address() {
        let mut state = State { lanes: Rc::new(lanes::usual()), ..State::default() };
        let live = Key { of: Name::Live, id: LapId { session: 0, car: Car(7), serial: 2 } };
        state.chosen.main = Some(live);
        assert_eq!(fragment(&state), "#/analyse");
        let id = LapId { session: 1, car: Car(7), serial: 5 };
        let there = Key { of: Name::Recording(RecordingId(9)), id };
        state.underway.know(live, there);
        assert_eq!(fragment(&state), "#/analyse?recording=00000000000000000000000000000009&file=&lap=1.7.5");
    }

    #[test]
    fn senseless_addresses_ask_for_nothing() {
        for hash in ["#/analyse", "#/analyse?"] {
            assert_eq!(Wish::from_hash(hash), None, "{hash}");
        }
        for lap in ["", "1.2", "1.2.3.4", "x:1.2.3"] {
            let hash = format!("#/analyse?recording={}&lap={lap}", RecordingId(7));
            assert_eq!(Wish::from_hash(&hash).expect("a wish").main, None, "{hash}");
        }
        let wish = Wish::from_hash("#/analyse?lap=0.0.3&from=NaN&to=5&cursor=inf").expect("a wish");
        assert_eq!((wish.of, wish.main, wish.part, wish.cursor), (None, None, None, None));
    }
}
