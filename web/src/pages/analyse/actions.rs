//! Everything that can be done here, in one table: keys, the palette and the sheet of keys all read it.

use trailbrake_shared::plot::colouring::Colouring;

use super::{channels, map, measured, notes, presses};
use crate::analyse::{Analyse, Axis, CORNERS, Key, Look, Measure, Sheet, State};
use crate::browser;
use crate::cockpit::Cockpit;

/// What one press of a key makes of what is shown, and how far it goes on.
const ZOOM: f64 = 1.5;
const PAN: f64 = 0.2;
/// The cursor goes so far by an arrow: a share of what is shown.
const STEP: f64 = 1.0 / 200.0;
/// With Shift it goes so many times further.
const FAR: f64 = 10.0;

/// What an action needs to be done.
pub(super) struct Hands {
    pub(super) cockpit: Cockpit,
    pub(super) analyse: Analyse,
    /// Whether Shift was held.
    pub(super) far: bool,
    /// The digit whose key was pressed.
    pub(super) digit: Option<u8>,
}

/// Something that can be done.
pub(super) struct Action {
    /// By what elements name it.
    pub(super) name: &'static str,
    /// What it does, as the palette says it.
    pub(super) says: &'static str,
    /// The keys for it, as the browser calls them, in small letters; `ctrl+` in front where that is held.
    pub(super) keys: &'static [&'static str],
    pub(super) does: fn(&Hands),
}

macro_rules! actions {
    ($($name:literal $says:literal [$($key:literal)*] $does:expr;)*) => {
        /// Everything, in the order of the sheet.
        pub(super) const ACTIONS: &[Action] =
            &[$(Action { name: $name, says: $says, keys: &[$($key),*], does: $does },)*];
    };
}

actions! {
    "back" "Cursor back (with Shift ten times as far)" ["arrowleft"] |hands| step(hands, -STEP);
    "on" "Cursor on (with Shift ten times as far)" ["arrowright"] |hands| step(hands, STEP);
    "sample-back" "Cursor one sample back" [","] |hands| sample(hands.analyse, false);
    "sample-on" "Cursor one sample on" ["."] |hands| sample(hands.analyse, true);
    "start" "Cursor to the start" ["home"] |hands| hands.analyse.view(&|view, whole| view.point(0.0, whole));
    "end" "Cursor to the end" ["end"] |hands| hands.analyse.view(&|view, whole| view.point(whole, whole));
    "corner-back" "Previous corner or event" ["["] |hands| corner(hands.analyse, false);
    "corner-on" "Next corner or event" ["]"] |hands| corner(hands.analyse, true);
    "zoom-in" "Zoom in" ["+" "=" "w"] |hands| zoom(hands.analyse, 1.0 / ZOOM);
    "zoom-out" "Zoom out" ["-" "s"] |hands| zoom(hands.analyse, ZOOM);
    "pan-back" "Go back" ["a"] |hands| hands.analyse.view(&|view, whole| view.pan(-PAN, whole));
    "pan-on" "Go on" ["d"] |hands| hands.analyse.view(&|view, whole| view.pan(PAN, whole));
    "corner-here" "Zoom to the corner" ["c"] |hands| corner_here(hands.analyse);
    "all" "Show the whole lap" ["0" "z" "l"] |hands| hands.analyse.view(&|view, whole| view.show(None, whole));
    "undo" "Undo the last zoom" ["ctrl+z"] |hands| hands.analyse.view(&|view, _| view.undo());
    "measure-in" "Measure from the cursor" ["i"] |hands| measured::put(hands.analyse, 0);
    "measure-out" "Measure to the cursor" ["o"] |hands| measured::put(hands.analyse, 1);
    "zoom-measured" "Zoom to what is measured" [] |hands| measured::zoom(hands.analyse);
    "clear-measure" "Measure nothing any more" ["escape"] |hands| hands.analyse.measure(|measure| *measure = Measure::default());
    "axis" "Distance or time along the axis" ["x"] |hands| hands.analyse.turn_axis();
    "channels" "Choose channels" ["v"] |hands| hands.analyse.ask(Some(Sheet::Channels));
    "recall-layout" "Show a layout by its number" ["1" "2" "3" "4" "5" "6" "7" "8" "9"] channels::recall_by_digit;
    "save-layout" "Save these lanes as a layout"
        ["shift+1" "shift+2" "shift+3" "shift+4" "shift+5" "shift+6" "shift+7" "shift+8" "shift+9"]
        channels::save_by_digit;
    "usual-lanes" "Show the usual channels" [] |hands| hands.analyse.usual_lanes();
    "play" "Play or pause" [" "] |hands| hands.analyse.play();
    "quicker" "Play quicker" [">"] |hands| hands.analyse.change_speed(1);
    "slower" "Play slower" ["<"] |hands| hands.analyse.change_speed(-1);
    "next-lap" "Next lap" ["n"] |hands| lap(hands, 1);
    "previous-lap" "Previous lap" ["p"] |hands| lap(hands, -1);
    "fastest" "Fastest lap" ["f"] |hands| look_at(hands, hands.analyse.read(fastest));
    "refer" "Make this lap the reference" ["r"] |hands| refer(hands);
    "note" "Note at the cursor" ["m"] |hands| notes::begin(hands.analyse);
    "bring-note-back" "Bring back the note that was deleted" [] |hands| hands.analyse.bring_note_back();
    "save-notes" "Save a copy of the file with the notes" [] |hands| hands.analyse.save_notes();
    "shelf" "Make the shelf's lap the reference" [] |hands| hands.analyse.refer_to_shelf(hands.cockpit);
    "exclude" "Leave this lap out, or take it in again" ["e"] |hands| exclude(hands);
    "anyway" "Compare laps of different tracks anyway" [] |hands| {
        hands.analyse.choose(hands.cockpit, |chosen| chosen.anyway = true);
    };
    "gg" "g-g diagram, and back" ["g"] |hands| hands.analyse.turn_panel("gg");
    "panel-corners" "Panel: corners" [] |hands| hands.analyse.open_panel(CORNERS);
    "panel-often" "Panel: histograms" [] |hands| hands.analyse.open_panel("often");
    "colour" "Colour the track by the next thing" ["t"] |hands| hands.analyse.colour_next();
    "colour-delta" "Colour the track by delta" [] |hands| colour(hands, Colouring::Delta);
    "colour-speed" "Colour the track by speed" [] |hands| colour(hands, Colouring::Speed);
    "colour-pedals" "Colour the track by pedals" [] |hands| colour(hands, Colouring::Pedals);
    "colour-gear" "Colour the track by gear" [] |hands| colour(hands, Colouring::Gear);
    "colour-slip" "Colour the track by slip" [] |hands| colour(hands, Colouring::Slip);
    "colour-temperature" "Colour the track by tyre temperature" [] |hands| colour(hands, Colouring::Temperature);
    "colour-surface" "Colour the track by surface" [] |hands| colour(hands, Colouring::Surface);
    "panel-tyres" "Panel: tyres and brakes" [] |hands| hands.analyse.open_panel("tyres");
    "panel-suspension" "Panel: suspension" [] |hands| hands.analyse.open_panel("suspension");
    "panel-balance" "Panel: balance" [] |hands| hands.analyse.open_panel("balance");
    "panel-consistency" "Panel: consistency" [] |hands| hands.analyse.open_panel("consistency");
    "panel-fuel" "Panel: fuel and recovered energy" [] |hands| hands.analyse.open_panel("fuel");
    "panel-splits" "Panel: splits, surfaces and jumps" [] |hands| hands.analyse.open_panel("splits");
    "panel-setup" "Panel: set-up" [] |hands| hands.analyse.open_panel("setup");
    "map-follow" "Track: follow the lanes, or stay" [] |hands| map::turn_following(hands.analyse);
    "map-all" "Track: show all of it" [] |hands| hands.analyse.see(|seen| seen.look = Look::All);
    "map-in" "Track: nearer" [] |hands| map::zoom(hands.analyse, true);
    "map-out" "Track: further away" [] |hands| map::zoom(hands.analyse, false);
    "map-lines" "Track: lines of all laps, also from afar" [] |hands| hands.analyse.see(|seen| seen.lines ^= true);
    "open-recording" "Open a recording" ["ctrl+o"] |_| browser::press("[data-action=open]");
    "report" "Report: the lap on one page, to print or save" [] |hands| hands.analyse.report(hands.cockpit);
    "copy" "Copy a link, a figure or a table" [] |hands| hands.analyse.ask(Some(Sheet::Copy));
    "names" "Name the track and its corners; merge or split a corner" [] |hands| hands.analyse.begin_naming();
    "print" "Print the page" [] |_| browser::print();
    "keys" "All keys" ["?"] |hands| hands.analyse.ask(Some(Sheet::Keys));
    "palette" "Find a command" ["ctrl+k"] |hands| hands.analyse.ask(Some(Sheet::Palette));
}

/// The action of a name.
pub(super) fn named(name: &str) -> Option<&'static Action> {
    ACTIONS.iter().find(|action| action.name == name)
}

/// The action of a key.
pub(super) fn of_key(key: &str) -> Option<&'static Action> {
    ACTIONS.iter().find(|action| action.keys.contains(&key))
}

/// A key as it is printed.
pub(super) fn printed(key: &str) -> String {
    match key {
        "arrowleft" => "←".to_owned(),
        "arrowright" => "→".to_owned(),
        " " => "Space".to_owned(),
        "home" => "Home".to_owned(),
        "end" => "End".to_owned(),
        "escape" => "Esc".to_owned(),
        key => match key.split_once('+').filter(|(_, rest)| !rest.is_empty()) {
            Some(("ctrl", rest)) => format!("Ctrl {}", rest.to_ascii_uppercase()),
            Some(("shift", rest)) => format!("Shift {rest}"),
            _ => key.to_ascii_uppercase(),
        },
    }
}

fn step(hands: &Hands, share: f64) {
    let share = if hands.far { share * FAR } else { share };
    hands.analyse.view(&|view, whole| {
        let part = view.shown(whole);
        let from = view.cursor.unwrap_or(part.from);
        view.point(from + part.length() * share, whole);
    });
}

/// The cursor goes to the next sample of the main lap, or to the one before.
fn sample(analyse: Analyse, onward: bool) {
    let next = analyse.read(|state| {
        let lap = state.shown.as_ref()?.laps.first()?;
        let rows = match state.view.axis {
            Axis::Distance => &lap.distance_m,
            Axis::Time => &lap.clock_s,
        };
        let at = state.view.cursor.unwrap_or_default();
        match onward {
            true => rows.get(rows.partition_point(|row| *row <= at)).copied(),
            false => rows.get(rows.partition_point(|row| *row < at).checked_sub(1)?).copied(),
        }
    });
    if let Some(next) = next {
        analyse.view(&|view, whole| view.point(next, whole));
    }
}

fn zoom(analyse: Analyse, factor: f64) {
    analyse.view(&|view, whole| {
        let part = view.shown(whole);
        let about = view.cursor.filter(|at| (part.from..=part.to).contains(at));
        view.zoom(factor, about.unwrap_or((part.from + part.to) / 2.0), whole);
    });
}

/// Goes to the next corner or event behind the cursor, or to the one before.
fn corner(analyse: Analyse, onward: bool) {
    let next = analyse.read(|state| {
        let shown = state.shown.as_ref()?;
        let at = state.cursor_m().unwrap_or(if onward { f64::NEG_INFINITY } else { f64::INFINITY });
        // The cursor stands on a place once it was sent there.
        let ahead = |place: &f64| if onward { *place > at + 1.0 } else { *place < at - 1.0 };
        let corners = shown.comparison().corners.iter().map(|corner| (corner.apex_m, Some(corner.number)));
        let events = shown.events().into_iter().map(|(place, _)| (place, None));
        let places = corners.chain(events).filter(|(place, _)| ahead(place));
        let far = |place: f64| if onward { place } else { -place };
        places.min_by(|(one, _), (other, _)| far(*one).total_cmp(&far(*other)))
    });
    match next {
        Some((_, Some(number))) => presses::to_corner(analyse, number),
        Some((place, None)) => presses::to_place(analyse, place),
        None => {}
    }
}

fn corner_here(analyse: Analyse) {
    let here = analyse.read(|state| {
        let at = state.cursor_m()?;
        let corners = state.shown.as_ref()?.comparison().corners.iter();
        let off = |apex_m: f64| (apex_m - at).abs();
        corners.min_by(|one, other| off(one.apex_m).total_cmp(&off(other.apex_m))).map(|corner| corner.number)
    });
    here.into_iter().for_each(|number| presses::to_corner(analyse, number));
}

/// Looks at the lap that was driven before or behind the one that is looked at; the reference stays what it is.
fn lap(hands: &Hands, by: isize) {
    let next = hands.analyse.read(|state| {
        let origin = state.origin()?;
        let keys = origin.listed().map(|entry| origin.key(entry));
        let laps: Vec<Key> = keys.filter(|key| Some(*key) != state.chosen.reference).collect();
        let here = laps.iter().position(|key| Some(*key) == state.chosen.main)?;
        laps.get(here.checked_add_signed(by)?).copied()
    });
    look_at(hands, next);
}

fn look_at(hands: &Hands, key: Option<Key>) {
    key.into_iter().for_each(|key| presses::look_at(hands.cockpit, hands.analyse, key));
}

fn refer(hands: &Hands) {
    let main = hands.analyse.read(|state| state.chosen.main);
    main.into_iter().for_each(|key| presses::refer_to(hands.cockpit, hands.analyse, key));
}

fn exclude(hands: &Hands) {
    let main = hands.analyse.read(|state| state.chosen.main);
    main.into_iter().for_each(|key| hands.analyse.exclude(hands.cockpit, key));
}

fn colour(hands: &Hands, by: Colouring) {
    hands.analyse.see(|seen| seen.by = Some(by));
}

fn fastest(state: &State) -> Option<Key> {
    let origin = state.origin()?;
    origin.fastest_listed().map(|entry| origin.key(entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_and_no_name_means_two_things() {
        let mut names: Vec<&str> = ACTIONS.iter().map(|action| action.name).collect();
        let mut keys: Vec<&str> = ACTIONS.iter().flat_map(|action| action.keys).copied().collect();
        for words in [&mut names, &mut keys] {
            words.sort_unstable();
            let count = words.len();
            words.dedup();
            assert_eq!(words.len(), count);
        }
        assert!(keys.iter().all(|key| *key == key.to_ascii_lowercase()));
    }

    #[test]
    fn keys_are_printed_as_they_stand_on_keyboards() {
        let prints: Vec<String> =
            ["arrowleft", "ctrl+z", " ", "r", "[", "+", "shift+3"].into_iter().map(printed).collect();
        assert_eq!(prints, ["←", "Ctrl Z", "Space", "R", "[", "+", "Shift 3"]);
    }
}
