//! A source of laps: the live session, or a recording.

use std::rc::Rc;

use trailbrake_shared::export::ImportedLaps;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry};
use trailbrake_shared::laps::LapFlag;
use trailbrake_shared::library::Entry;
use trailbrake_shared::model::Track;
use trailbrake_shared::recording::{DecodedLap, SessionSummary};
use trailbrake_shared::session::{LapContext, LapId, Session};

use super::{LapKey, SourceId};
use crate::browser;
use crate::cockpit::TelemetryStore;
use crate::laps::seats;
use crate::replay::Opened;
use crate::text::dates::date;

/// The title of a session on a track that neither the game nor anybody has named.
const UNNAMED: &str = "Unnamed track";

/// A source of laps.
pub(crate) struct LapSource {
    pub(crate) name: SourceId,
    /// The track, or [`UNNAMED`].
    pub(crate) title: String,
    /// Game, car or driver, and date.
    pub(crate) about: String,
    /// The date alone; `now` for the live session.
    pub(crate) when: String,
    /// Whether the game itself has a name for the track.
    pub(crate) named: bool,
    /// Whether each lap is a run of a rally stage.
    pub(crate) stage: bool,
    /// The finished laps of all drivers.
    pub(crate) catalogue: LapCatalogue,
    /// A lap of the seat whose laps are listed.
    seat: Option<LapId>,
    /// Whether that seat was picked by hand.
    pub(crate) picked: bool,
    /// The recording; `None` for the live session.
    pub(crate) opened: Option<Rc<Opened>>,
}

impl LapSource {
    /// The laps of a session; `None` before one has been finished.
    pub(crate) fn of_session(session: &Session, feed: Feed) -> Option<Self> {
        let catalogue = LapCatalogue::of_session(session, feed).finished();
        let watched = session.watched();
        let seat = catalogue.laps().iter().rfind(|entry| Some(entry.id.car) == watched);
        let seat = seat.or_else(|| seats::first(&catalogue))?;
        let when = "now".to_owned();
        let track = seat.session.track.clone();
        Some(Self {
            name: SourceId::Live,
            title: track.unwrap_or_else(|| UNNAMED.to_owned()),
            about: joined(&[seat.session.game(), Some(&seat.driver_words()), Some(&when)]),
            when,
            named: is_named(&seat.session.summary),
            stage: session.is_stage(),
            seat: Some(seat.id),
            catalogue,
            picked: false,
            opened: None,
        })
    }

    /// The laps of a recording.
    pub(crate) fn of_recording(opened: Rc<Opened>) -> Self {
        let Opened { recording, .. } = opened.as_ref();
        let info = recording.info();
        let summary: SessionSummary = recording.facts().get().ok().flatten().unwrap_or_default();
        let entry = Entry::of_recording("", 0, recording);
        let when = date(info.created, browser::minutes_west(info.created));
        let loaded = entry.car.as_deref().or(entry.driver.as_deref());
        let catalogue = LapCatalogue::of_recording(recording).finished();
        Self {
            name: SourceId::Recording(info.id),
            about: joined(&[entry.game_word(), loaded, Some(&when)]),
            title: entry.track.unwrap_or_else(|| UNNAMED.to_owned()),
            when,
            named: is_named(&summary),
            stage: summary.is_stage(),
            seat: seats::first(&catalogue).map(|entry| entry.id),
            catalogue,
            picked: false,
            opened: Some(opened),
        }
    }

    /// Whether its only lap is of an opened file of another program, and has a time that was computed.
    pub(crate) fn has_computed_time(&self) -> bool {
        let [entry] = self.catalogue.laps() else { return false };
        let is_file = |opened: &Rc<Opened>| {
            opened.source.file().is_some() && opened.recording.info().feed == ImportedLaps::FEED.id()
        };
        entry.lap.flags.has(LapFlag::Inferred)
            && entry.lap.time.is_some()
            && self.opened.as_ref().is_some_and(is_file)
    }

    /// The title and the details in one line.
    pub(crate) fn description(&self) -> String {
        joined(&[Some(self.title.as_str()), Some(self.about.as_str())])
    }

    /// The catalogue entry of a lap; `None` if it is not of this source.
    pub(crate) fn entry(&self, key: LapKey) -> Option<&LapEntry> {
        self.catalogue.get(key.id).filter(|_| key.of == self.name)
    }

    /// The key of one of its laps.
    pub(crate) fn key(&self, entry: &LapEntry) -> LapKey {
        LapKey { of: self.name, id: entry.id }
    }

    /// Names the track of a session as people call it, unless the game has a name for it.
    pub(crate) fn name_track(&mut self, session: u16, name: &str) {
        if !self.named && !name.is_empty() {
            name.clone_into(&mut self.title);
            self.catalogue.name_track(session, name);
        }
    }

    /// A lap of the seat whose laps are listed.
    pub(crate) fn seat(&self) -> Option<&LapEntry> {
        self.catalogue.get(self.seat?)
    }

    /// The laps of the listed seat.
    pub(crate) fn listed(&self) -> impl DoubleEndedIterator<Item = &LapEntry> {
        self.seat().into_iter().flat_map(|seat| self.catalogue.seat_laps(seat))
    }

    /// The fastest counted lap of the listed seat.
    pub(crate) fn fastest_listed(&self) -> Option<&LapEntry> {
        seats::fastest(&self.catalogue, self.seat()?)
    }

    /// Whether the listed laps are compared automatically: those of a recording, of a picked seat, or of the player. In
    /// a live session another driver's laps are compared only on request.
    pub(crate) fn is_own(&self) -> bool {
        let own = |seat: &LapEntry| seat.session.summary.player.is_none() || seat.is_players_seat();
        self.picked || self.opened.is_some() || self.seat().is_some_and(own)
    }

    /// The laps of all drivers in the session of the listed seat.
    pub(crate) fn session(&self) -> impl Iterator<Item = &LapEntry> {
        let session = self.seat().map(|seat| seat.id.session);
        self.catalogue.laps().iter().filter(move |entry| Some(entry.id.session) == session)
    }

    /// Lists the laps of the seat in which a lap was driven, if there is such a lap.
    pub(crate) fn pick(&mut self, id: LapId) {
        if self.catalogue.get(id).is_some() {
            (self.seat, self.picked) = (Some(id), true);
        }
    }

    /// A lap of the seat that was picked by hand; `None` if none was.
    pub(crate) fn picked_seat(&self) -> Option<LapId> {
        self.seat.filter(|_| self.picked)
    }
}

/// A lap of the live session with its channels; `None` once the session has dropped them.
pub(crate) fn live_lap(telemetry: TelemetryStore, entry: &LapEntry) -> Option<DecodedLap> {
    let LapId { car, serial, .. } = entry.id;
    telemetry.look(|telemetry| {
        let session = telemetry.session()?;
        let columns = session.seat_of(car, serial)?.state.traces.lap(serial)?.clone();
        let context = LapContext::of(session, car, &entry.lap);
        Some(DecodedLap { car, lap: entry.lap.clone(), columns, context })
    })
}

/// Whether the game sends a name for the track.
fn is_named(summary: &SessionSummary) -> bool {
    summary.track().is_some_and(Track::is_named)
}

fn joined(words: &[Option<&str>]) -> String {
    let words: Vec<&str> = words.iter().copied().flatten().filter(|word| !word.is_empty()).collect();
    words.join(" · ")
}

#[cfg(test)]
pub(crate) mod tests {
    use trailbrake_shared::model::Car;

    use super::super::Sources;
    use super::super::excluded::Excluded;
    use super::*;
    use crate::analyse::Chosen;

    /// A live session with these laps, listing the seat of the first one.
    pub(crate) fn loaded(catalogue: LapCatalogue) -> Sources {
        let source = LapSource {
            name: SourceId::Live,
            title: String::new(),
            about: String::new(),
            when: String::new(),
            named: false,
            stage: false,
            seat: catalogue.laps().first().map(|entry| entry.id),
            catalogue,
            picked: false,
            opened: None,
        };
        Sources { listed: Some(SourceId::Live), all: vec![source], ..Sources::default() }
    }

    pub(crate) fn key(car: u8, serial: u32) -> LapKey {
        LapKey { of: SourceId::Live, id: LapId { session: 0, car: Car(car), serial } }
    }

    #[test]
    fn the_latest_lap_is_compared_with_the_best_of_its_seat_and_else_of_the_session() {
        let chosen = |sources: &Sources| {
            let Chosen { main, reference, .. } = Chosen::latest(sources);
            (main, reference)
        };
        let others = (0, 3, Some("Cid"), [80_000].as_slice());
        let mut sources =
            loaded(seats::tests::catalogue(&[(0, 1, Some("Ann"), &[91_000, 90_000, 92_000]), others]));
        assert_eq!(chosen(&sources), (Some(key(1, 3)), Some(key(1, 2))));
        let mut excluded = Excluded::default();
        excluded.take(vec![key(1, 2)]);
        sources.all.iter_mut().for_each(|source| excluded.mark(source));
        assert_eq!(chosen(&sources), (Some(key(1, 3)), Some(key(1, 1))));
        let sources = loaded(seats::tests::catalogue(&[(0, 1, Some("Ann"), &[91_000]), others]));
        assert_eq!(chosen(&sources), (Some(key(1, 1)), Some(key(3, 1))));
        // Another driver's laps are compared only on request.
        let sources = loaded(seats::tests::catalogue(&[others]));
        assert_eq!(chosen(&sources), (None, None));
    }

    #[test]
    fn a_lap_of_the_driver_before_is_somebody_else_s() {
        let catalogue = seats::tests::catalogue(&[
            (0, 3, Some("Cid"), &[80_000, 79_000]),
            (0, 3, Some("Bea"), &[95_000]),
        ]);
        let sources = loaded(catalogue);
        let whose = |other: LapKey| sources.whose(other, Some(key(3, 1)));
        assert_eq!(whose(key(3, 2)), None);
        assert_eq!(whose(key(3, 3)).as_deref(), Some("Bea"));
        let listed = sources.all.iter().flat_map(|source| source.listed().map(|entry| source.key(entry)));
        assert_eq!(listed.collect::<Vec<LapKey>>(), [key(3, 1), key(3, 2)]);
    }
}
