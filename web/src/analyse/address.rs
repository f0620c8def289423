//! Restores the view from a link, and writes the view into the address.

use std::fmt::Write;
use std::rc::Rc;

use leptos::prelude::*;
use trailbrake_shared::plot::colouring::Colouring;
use trailbrake_shared::recording::RecordingId;

use super::link::{Followed, Link, MEASURED, PendingLink};
use super::link_laps::{Lap, recordings, write};
use super::{
    Axis, Chosen, ComparisonStore, LaneStore, LapKey, MapStore, MeasureStore, PanelStore, PlaybackStore,
    SelectionStore, SourceId, Sources, ViewStore, lanes,
};
use crate::browser;
use crate::reactive::LocalSignal;
use crate::route::Page;
use crate::text::words::encoded;

/// The longest encoded file name, in bytes, and the longest session description, in characters, that a link contains.
const LONGEST: usize = 120;

/// Writes the fragment of an address, key by key.
struct Writer {
    text: String,
    joint: char,
}

impl Writer {
    fn new() -> Self {
        Self { text: Page::Analyse.hash().to_owned(), joint: '?' }
    }

    /// Begins a key, and lends the text for its value.
    fn key(&mut self, key: &str) -> &mut String {
        self.text.push(std::mem::replace(&mut self.joint, '&'));
        self.text.push_str(key);
        self.text.push('=');
        &mut self.text
    }

    /// Writes a key, unless its value is empty.
    fn word(&mut self, key: &str, word: &str) {
        if !word.is_empty() {
            self.key(key).push_str(word);
        }
    }

    /// Writes a number to three decimals, which is finer than any screen shows.
    fn number(&mut self, key: &str, value: Option<f64>) {
        if let Some(value) = value {
            // Writing into text never fails.
            let _ = write!(self.key(key), "{value:.3}");
        }
    }
}

/// The outcome of following the pending link once more.
pub(super) enum Retried {
    /// No link is pending.
    NoLink,
    /// Its laps are shown.
    Shown,
    /// The recording is open but does not have the main lap, so its latest lap is shown instead.
    WithoutItsLap,
    /// Another recording was opened, and the link is dropped.
    OtherRecording,
    /// Its recording is still not open.
    Waiting,
}

/// The view as its address names it. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct AddressStore {
    pub(super) sources: LocalSignal<Sources>,
    pub(super) selection: SelectionStore,
    pub(super) comparison: ComparisonStore,
    pub(super) view: ViewStore,
    pub(super) measure: MeasureStore,
    pub(super) lanes: LaneStore,
    pub(super) panel: PanelStore,
    pub(super) map: MapStore,
    pub(super) playback: PlaybackStore,
}

impl AddressStore {
    /// Shows what a link names, if its recording is open.
    pub(super) fn show_link(self, link: Link) -> Followed {
        let mut followed = Followed::Whole;
        if let Some(of) = link.of {
            let Some(name) = self.sources.with_untracked(|sources| sources.of_recording(of)) else {
                return Followed::Not(Box::new(link));
            };
            // A clip stands in for the recording that it was cut out of, since its laps keep their ids.
            let clips: Vec<(RecordingId, SourceId)> = self.sources.with_untracked(|sources| {
                let named = recordings(None, [link.reference.as_slice(), &link.others]);
                named.into_iter().filter_map(|id| Some((id, sources.of_recording(id)?))).collect()
            });
            let key = |lap: Lap| {
                let lap = Lap { of: lap.of.filter(|other| *other != of), ..lap };
                let clip = clips.iter().find(|(id, _)| Some(*id) == lap.of);
                clip.map_or_else(|| lap.key(name), |(_, clip)| LapKey { of: *clip, id: lap.id })
            };
            let main = link.main.map(key);
            let found = self.sources.try_update(|sources| {
                sources.listed = Some(name);
                sources.excluded.take(link.without.iter().copied().map(key).collect());
                sources.mark_excluded();
                let main = main.filter(|main| sources.entry(*main).is_some())?;
                sources.list_seat_of(main);
                Some(Chosen {
                    main: Some(main),
                    reference: link.reference.map(key).filter(|key| sources.may_have(*key)),
                    others: link
                        .others
                        .iter()
                        .copied()
                        .map(key)
                        .filter(|key| sources.may_have(*key))
                        .collect(),
                    by_hand: true,
                    anyway: link.anyway,
                })
            });
            match found.flatten() {
                Some(chosen) => self.selection.state.update(|selection| selection.chosen = chosen),
                None => {
                    self.selection.choose_latest();
                    if main.is_some() {
                        followed = Followed::WithoutItsLap;
                    }
                }
            }
        }
        self.view.state.update(|view| {
            (view.axis, view.cursor, view.corner) = (link.axis, link.cursor, link.corner);
            view.restore(link.part);
        });
        self.measure.state.set(link.measure);
        self.panel.state.set(link.panel);
        self.map.state.set(link.map);
        if let Some(strips) = link.lanes {
            self.lanes.state.update(|lanes| lanes.strips = Rc::new(strips));
        }
        followed
    }

    /// The address of the view, or the pending link.
    pub(crate) fn address(self) -> String {
        untrack(|| self.write())
    }

    /// Writes the view into the address whenever it changes, unless the address has changed and was not followed yet.
    /// `followed` is the address that was followed last.
    pub(super) fn keep(self, followed: RwSignal<String>) {
        let address = Memo::new(move |_| self.write());
        Effect::new(move |_| {
            let (address, followed) = (address.get(), followed.get());
            let fragment = browser::fragment();
            let is_followed = followed == fragment || browser::is_named(&fragment);
            if Page::from_hash(&fragment) == Page::Analyse && is_followed {
                browser::name_place(&address);
            }
        });
    }

    /// Follows the pending link. `opens_other` says whether a recording was opened instead of the one that it names: then
    /// the link is dropped.
    pub(super) fn retry_link(self, opens_other: bool) -> Retried {
        let pending = self.selection.state.try_update(|selection| selection.pending.take());
        let Some(pending) = pending.flatten() else { return Retried::NoLink };
        match self.show_link(*pending.link) {
            Followed::Whole => Retried::Shown,
            Followed::WithoutItsLap => Retried::WithoutItsLap,
            Followed::Not(_) if opens_other => Retried::OtherRecording,
            Followed::Not(link) => {
                let pending = PendingLink { link, ..pending };
                self.selection.state.update(|selection| selection.pending = Some(pending));
                Retried::Waiting
            }
        }
    }

    /// Writes the address. During playback a subscriber is notified once a second.
    fn write(self) -> String {
        let selection = self.selection.state.read();
        if let Some(pending) = &selection.pending {
            return pending.link.fragment.clone();
        }
        let (sources, lanes, map, panel) =
            (self.sources.read(), self.lanes.state.read(), self.map.state.get(), self.panel.state.read());
        let view = match self.playback.state.get().plays() {
            true => self.view.state.read_untracked(),
            false => self.view.state.read(),
        };
        let chosen = &selection.chosen;
        let mut writer = Writer::new();
        let recorded = |key: &LapKey| sources.recorded(*key);
        if let Some(main) = chosen.main.as_ref().and_then(recorded)
            && let SourceId::Recording(id) = main.of
        {
            writer.word("recording", &id.to_string());
            let named = |keys: &[LapKey]| -> Vec<Lap> {
                keys.iter().filter_map(recorded).map(|key| Lap::of(key, main.of)).collect()
            };
            let (reference, others) = (named(chosen.reference.as_slice()), named(&chosen.others));
            let files = recordings(Some(id), [&reference, &others]).into_iter().map(|id| {
                // Overlong names are left out; their comma stays, so that the others keep their position.
                let name = sources.file(id).map(|name| encoded(&name)).filter(|name| name.len() <= LONGEST);
                name.unwrap_or_default()
            });
            writer.key("file").push_str(&files.collect::<Vec<_>>().join(","));
            // Describes the recording to people who don't have it.
            if let Some(source) = sources.get(main.of) {
                let words: String = source.description().chars().take(LONGEST).collect();
                writer.key("session").push_str(&encoded(&words));
            }
            for (name, laps) in [
                ("lap", named(&[main])),
                ("reference", reference),
                ("others", others),
                ("without", named(sources.excluded.laps())),
            ] {
                if !laps.is_empty() {
                    write(writer.key(name), &laps);
                }
            }
        } else if self.comparison.shown().is_none() {
            return writer.text;
        }
        writer.word("anyway", if chosen.anyway { "1" } else { "" });
        writer.word("corner", &view.corner.map(|corner| corner.to_string()).unwrap_or_default());
        writer.word("axis", if view.axis == Axis::Time { "time" } else { "" });
        if *lanes.strips != lanes::usual() {
            writer.key("lanes").push_str(&lanes::written(&lanes.strips));
        }
        writer.word("panel", panel.id);
        writer.word("of", &panel.wanted);
        writer.word("colour", map.by.map_or("", Colouring::id));
        writer.word("wheel", &map.wheel.map(|wheel| wheel.short().to_ascii_lowercase()).unwrap_or_default());
        writer.word("map", &map.look.word().unwrap_or_default());
        writer.word("lines", if map.lines { "all" } else { "" });
        let part = view.part();
        writer.number("from", part.map(|part| part.from));
        writer.number("to", part.map(|part| part.to));
        writer.number("cursor", view.cursor);
        for (name, place_m) in MEASURED.into_iter().zip(self.measure.state.get().places_m) {
            writer.number(name, place_m);
        }
        writer.text
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::model::{Car, Wheel};
    use trailbrake_shared::plot::MapWindow;
    use trailbrake_shared::recording::RecordingId;
    use trailbrake_shared::session::LapId;

    use super::*;
    use crate::analyse::{Analyse, MapArea, MapView, PanelChoice, Part};

    #[test]
    fn a_link_leads_back_to_what_was_shown() {
        let owner = Owner::new();
        owner.set();
        let analyse = Analyse::empty();
        analyse.lanes.state.update(|lanes| lanes.strips = Rc::new(lanes::read("speed~150,brake")));
        let name = SourceId::Recording(RecordingId(0xfe3d));
        let key = |serial| LapKey { of: name, id: LapId { session: 1, car: Car(19), serial } };
        let other = LapKey {
            of: SourceId::Recording(RecordingId(7)),
            id: LapId { session: 0, car: Car(0), serial: 2 },
        };
        analyse.selection.state.update(|selection| {
            selection.chosen = Chosen {
                main: Some(key(4)),
                reference: Some(key(2)),
                others: vec![other, key(9)],
                ..Chosen::default()
            };
        });
        analyse.view.state.update(|view| {
            view.axis = Axis::Time;
            view.show(Some(Part { from: 12.25, to: 20.5 }), 90.0);
            (view.cursor, view.corner) = (Some(17.0), Some(5));
        });
        analyse.measure.state.update(|measure| measure.drop(1, 340.5));
        analyse.panel.state.set(PanelChoice::named("often", "gear"));
        let look = MapWindow::new([-120.5, 33.0], 250.0).map_or(MapArea::All, MapArea::At);
        let (by, wheel) = (Some(Colouring::Temperature), Some(Wheel::RearLeft));
        analyse.map.state.set(MapView { by, wheel, look, lines: true });
        analyse.sources.update(|sources| sources.name_file(RecordingId(0xfe3d), "spa, wet.mcap"));
        let hash = analyse.address.address();
        assert!(
            hash.starts_with(
                "#/analyse?recording=0000000000000000000000000000fe3d&file=spa%2c%20wet.mcap,&lap=1.19.4&"
            ),
            "{hash}"
        );
        let hash = hash.replace("&lap=", "&session=Spa%20%c2%b7%20F1%202018&lap=");
        let link = Link::from_hash(&hash).expect("a link");
        assert_eq!(link.session.as_deref(), Some("Spa · F1 2018"));
        assert_eq!((link.of, link.axis, link.cursor), (Some(RecordingId(0xfe3d)), Axis::Time, Some(17.0)));
        assert_eq!(link.map, analyse.map.state.get());
        assert_eq!(link.corner, Some(5));
        assert_eq!(link.part, Some(Part { from: 12.25, to: 20.5 }));
        assert_eq!(link.measure.places_m, [None, Some(340.5)]);
        assert_eq!(link.others.first().and_then(|lap| lap.of), Some(RecordingId(7)));
        assert_eq!(link.reference, Some(Lap { of: None, id: LapId { session: 1, car: Car(19), serial: 2 } }));
        assert_eq!(link.lanes.as_deref(), Some(analyse.lanes.state.read().strips.as_slice()));
        assert_eq!((link.panel.id, link.panel.wanted.as_str()), ("often", "gear"));
        assert_eq!(link.files, [(RecordingId(0xfe3d), "spa, wet.mcap".to_owned())]);
        assert!(matches!(analyse.address.show_link(link), Followed::Not(_)), "no such recording is open");
    }

    #[test]
    fn a_live_lap_is_in_a_link_once_it_is_in_a_recording() {
        let owner = Owner::new();
        owner.set();
        let analyse = Analyse::empty();
        let live = LapKey { of: SourceId::Live, id: LapId { session: 0, car: Car(7), serial: 2 } };
        analyse.selection.state.update(|selection| selection.chosen.main = Some(live));
        assert_eq!(analyse.address.address(), "#/analyse");
        let id = LapId { session: 1, car: Car(7), serial: 5 };
        let there = LapKey { of: SourceId::Recording(RecordingId(9)), id };
        analyse.sources.update(|sources| sources.underway.know(live, there));
        assert_eq!(
            analyse.address.address(),
            "#/analyse?recording=00000000000000000000000000000009&file=&lap=1.7.5"
        );
    }
}
