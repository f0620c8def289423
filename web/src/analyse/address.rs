//! What is looked at, as it stands in the address: a link opens just that.

use std::fmt::Write;
use std::rc::Rc;

use trailbrake_shared::decimal;
use trailbrake_shared::model::Car;
use trailbrake_shared::plot::colouring::Colouring;
use trailbrake_shared::recording::RecordingId;

use super::{Axis, Key, Look, Measure, Name, Open, Part, Seen, State, Strip, lanes, layout, wheel_of};
use crate::route::{self, Page};

/// Under what the measuring cursors stand there, metres from the line whatever the axis counts.
const MEASURED: [&str; 2] = ["in", "out"];

/// What an address asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wish {
    /// The recording that the laps are of, where the address names one.
    of: Name,
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
    session: u16,
    car: Car,
    serial: u32,
}

impl Wish {
    /// What a fragment asks for.
    pub(super) fn from_hash(hash: &str) -> Option<Self> {
        let value = |key: &str| route::value(hash, key);
        let of = value("recording").and_then(RecordingId::read).map_or(Name::Live, Name::Recording);
        let number = |key: &str| decimal::read(value(key)?).filter(|number| number.is_finite());
        let part = || Some(Part { from: number("from")?, to: number("to")? });
        let laps = |key: &str| value(key).unwrap_or_default().split(',').filter_map(Lap::read).collect();
        let wish = Self {
            of,
            main: value("lap").and_then(Lap::read),
            reference: value("reference").and_then(Lap::read),
            others: laps("others"),
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
        wish.main.is_some().then_some(wish)
    }

    /// Shows what is wished for; gives the wish back while its laps are not known.
    pub(super) fn grant(self, state: &mut State) -> Option<Self> {
        let key = |lap: Lap| lap.key(self.of);
        let main = self.main.map(key).filter(|main| state.known(*main).is_some());
        if main.is_none() {
            return Some(self);
        }
        state.chosen.main = main;
        state.chosen.reference = self.reference.map(key);
        state.chosen.others = self.others.iter().copied().map(key).collect();
        (state.chosen.by_hand, state.chosen.anyway) = (true, self.anyway);
        state.excluded.take(self.without.iter().copied().map(key).collect());
        state.mark_excluded();
        main.into_iter().for_each(|main| state.list_seat_of(main));
        state.view.axis = self.axis;
        state.view.cursor = self.cursor;
        state.view.corner = self.corner;
        state.measure = self.measure;
        state.view.restore(self.part);
        state.open = self.open;
        state.seen = self.seen;
        self.lanes.into_iter().for_each(|lanes| state.lanes = Rc::new(lanes));
        None
    }
}

impl Lap {
    fn of(key: Key, than: Name) -> Self {
        let of = match key.of {
            Name::Recording(id) if key.of != than => Some(id),
            _ => None,
        };
        Self { of, session: key.session, car: key.car, serial: key.serial }
    }

    fn key(self, than: Name) -> Key {
        let of = self.of.map_or(than, Name::Recording);
        Key { of, session: self.session, car: self.car, serial: self.serial }
    }

    fn read(text: &str) -> Option<Self> {
        let (of, text) = match text.split_once(':') {
            Some((id, rest)) => (Some(RecordingId::read(id)?), rest),
            None => (None, text),
        };
        let mut parts = text.split('.');
        let lap = Self {
            of,
            session: parts.next()?.parse().ok()?,
            car: Car(parts.next()?.parse().ok()?),
            serial: parts.next()?.parse().ok()?,
        };
        parts.next().is_none().then_some(lap)
    }

    fn write(self, text: &mut String) {
        // Writing into text never fails.
        let _ = self.of.map_or(Ok(()), |id| write!(text, "{id}:"));
        let _ = write!(text, "{}.{}.{}", self.session, self.car.0, self.serial);
    }
}

/// Laps as an address names them, beside one of an origin.
pub(super) fn write_laps(laps: impl Iterator<Item = Key>, beside: Name) -> String {
    let mut text = String::new();
    for key in laps {
        if !text.is_empty() {
            text.push(',');
        }
        Lap::of(key, beside).write(&mut text);
    }
    text
}

/// Laps that an address names beside one of an origin.
pub(super) fn read_laps(text: &str, beside: Name) -> Vec<Key> {
    text.split(',').filter_map(Lap::read).map(|lap| lap.key(beside)).collect()
}

/// The address of what is looked at.
pub(super) fn fragment(state: &State) -> String {
    let mut text = Page::Analyse.hash().to_owned();
    let Some(main) = state.chosen.main else { return text };
    let mut joint = '?';
    let mut key = |text: &mut String, key: &str| {
        text.push(std::mem::replace(&mut joint, '&'));
        text.push_str(key);
        text.push('=');
    };
    if let Name::Recording(id) = main.of {
        key(&mut text, "recording");
        let _ = write!(text, "{id}");
    }
    key(&mut text, "lap");
    Lap::of(main, main.of).write(&mut text);
    if let Some(reference) = state.chosen.reference {
        key(&mut text, "reference");
        Lap::of(reference, main.of).write(&mut text);
    }
    let laps = [("others", state.chosen.others.clone()), ("without", state.excluded.recorded().collect())];
    for (name, laps) in laps {
        if !laps.is_empty() {
            key(&mut text, name);
            text.push_str(&write_laps(laps.into_iter(), main.of));
        }
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
        let key = |serial| Key { of: name, session: 1, car: Car(19), serial };
        let other = Key { of: Name::Recording(RecordingId(7)), session: 0, car: Car(0), serial: 2 };
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
        let hash = fragment(&state);
        assert!(
            hash.starts_with("#/analyse?recording=0000000000000000000000000000fe3d&lap=1.19.4&"),
            "{hash}"
        );
        let wish = Wish::from_hash(&hash).expect("a wish");
        assert_eq!((wish.of, wish.axis, wish.cursor), (name, Axis::Time, Some(17.0)));
        assert_eq!(wish.seen, state.seen);
        assert_eq!(wish.corner, Some(5));
        assert_eq!(wish.part, Some(Part { from: 12.25, to: 20.5 }));
        assert_eq!(wish.measure.places_m, [None, Some(340.5)]);
        assert_eq!(wish.others.first().and_then(|lap| lap.of), Some(RecordingId(7)));
        assert_eq!(wish.reference, Some(Lap { of: None, session: 1, car: Car(19), serial: 2 }));
        assert_eq!(wish.lanes.as_deref(), Some(state.lanes.as_slice()));
        assert_eq!((wish.open.id, wish.open.wanted.as_str()), ("often", "gear"));
        assert!(wish.grant(&mut state).is_some(), "no such recording is open");
    }

    #[test]
    fn senseless_addresses_ask_for_nothing() {
        for hash in [
            "#/analyse",
            "#/analyse?lap=",
            "#/analyse?lap=1.2",
            "#/analyse?lap=1.2.3.4",
            "#/analyse?lap=x:1.2.3",
        ] {
            assert_eq!(Wish::from_hash(hash), None, "{hash}");
        }
        let wish = Wish::from_hash("#/analyse?lap=0.0.3&from=NaN&to=5&cursor=inf").expect("a wish");
        assert_eq!((wish.of, wish.part, wish.cursor), (Name::Live, None, None));
    }
}
