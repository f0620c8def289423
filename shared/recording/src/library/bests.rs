//! The best lap of every game, track and car across recordings, and its progress by day or week.
//!
//! A recording is added when it is made or changed and removed when it is deleted; no other recording is read again.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use trailbrake_analysis::progress::{Period, PeriodLaps, progress};
use trailbrake_analysis::{Fingerprint, KnownTrack, TrackShape};
use trailbrake_games::feed::Feed;
use trailbrake_model::Car;
use trailbrake_model::time::{LapTime, Micros};

use super::IndexStatus;
use crate::lap_catalogue::LapCatalogue;
use crate::{Facts, Info, RecordingId};

/// Laps with equal values here are comparable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Discipline {
    /// The game.
    pub game: String,
    /// The track as the library shows it; a track without a name is identified by its shape.
    pub track: String,
    /// The car as the library shows it; absent where the game sends none.
    pub car: Option<String>,
}

/// A counted lap and where to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptLap {
    /// The recording.
    pub recording: RecordingId,
    /// The session in the recording, counted from 0.
    pub session: u16,
    /// The car in the session.
    pub car: Car,
    /// The lap's serial.
    pub serial: u32,
    /// The lap's number.
    pub number: u16,
    /// Its time.
    pub time: LapTime,
    /// When it began.
    pub at: Micros,
}

/// The player's counted laps of one recording.
#[derive(Clone, Debug, PartialEq)]
pub struct CountedLaps {
    game: String,
    track: Ground,
    /// The track's shape, where the recording knows it.
    shape: Option<Fingerprint>,
    recording: RecordingId,
    /// Whether the recording was cut out of another.
    is_clip: bool,
    /// By car.
    laps: BTreeMap<Option<String>, Vec<KeptLap>>,
}

/// The track of a recording.
#[derive(Clone, Debug, PartialEq)]
enum Ground {
    /// A track with a name.
    Named(String),
    /// A track without a name, by its shape.
    Shaped(Fingerprint),
}

impl CountedLaps {
    /// The laps of a recording. `None` without any, or on an unidentified track: there they compare with nothing.
    pub fn of(facts: &Facts) -> Option<Self> {
        let info: Info = facts.get().ok().flatten()?;
        // Imported files may be anybody's laps, and the driver's own were recorded when they were driven.
        if Feed::from_id(&info.feed).is_some_and(|feed| !feed.info().networked) {
            return None;
        }
        let catalogue = LapCatalogue::of_facts(facts);
        let mut laps: BTreeMap<Option<String>, Vec<KeptLap>> = BTreeMap::new();
        for entry in catalogue.laps().iter().filter(|entry| entry.is_player()) {
            let Some(time) = entry.lap.counts() else { continue };
            laps.entry(entry.model.clone()).or_default().push(KeptLap {
                recording: info.id,
                session: entry.id.session,
                car: entry.id.car,
                serial: entry.id.serial,
                number: entry.lap.number,
                time,
                at: entry.received.as_ref().map(|received| *received.start()).unwrap_or_default(),
            });
        }
        let session = &catalogue.laps().last()?.session;
        let shape = facts.get::<KnownTrack>().ok().flatten().map(|known| known.fingerprint);
        let named = session.layout().map(|name| Ground::Named(name.to_owned()));
        let track = named.or_else(|| shape.clone().map(Ground::Shaped))?;
        let game = session.game()?.to_owned();
        let is_clip = info.parent.is_some();
        (!laps.is_empty()).then_some(Self { game, track, shape, recording: info.id, is_clip, laps })
    }

    /// The same laps on a track with this name.
    pub fn on(self, track: &str) -> Self {
        Self { track: Ground::Named(track.to_owned()), ..self }
    }
}

/// The best lap of a game, track and car, and its progress: a row of the relay's HTTP answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BestLap {
    /// The game, track and car.
    #[serde(flatten)]
    pub discipline: Discipline,
    /// The best lap.
    pub best: KeptLap,
    /// The best and the median lap of each day or week.
    pub progress: Vec<PeriodLaps>,
}

/// The best laps of a library.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BestLaps {
    /// Why the recordings cannot be listed, as text.
    pub trouble: Option<String>,
    /// By game, track and car.
    pub bests: Vec<BestLap>,
    /// What was read to compute them.
    pub looked: IndexStatus,
}

/// The driver's counted laps of all recordings, by game, track and car.
#[derive(Clone, Debug, Default)]
pub struct Bests {
    laps: BTreeMap<Discipline, BTreeMap<RecordingId, Vec<KeptLap>>>,
    /// The recordings that were cut out of others.
    clips: BTreeSet<RecordingId>,
    /// The tracks without a name, and their provisional titles.
    unnamed: Vec<(Fingerprint, String)>,
    /// The shapes of all tracks that have one.
    shapes: Vec<KnownShape>,
}

/// The shape of a track, as one recording has it.
#[derive(Clone, Debug, PartialEq)]
struct KnownShape {
    game: String,
    /// The track's name or provisional title.
    title: String,
    shape: Fingerprint,
}

impl Bests {
    /// Adds or replaces the laps of a recording.
    pub fn put(&mut self, facts: &Facts) {
        if let Some(info) = facts.get::<Info>().ok().flatten() {
            self.remove(info.id);
        }
        if let Some(laps) = CountedLaps::of(facts) {
            self.add(laps);
        }
    }

    /// Adds the laps of a new recording.
    pub fn add(&mut self, counted: CountedLaps) {
        let CountedLaps { game, track, shape, recording, is_clip, laps } = counted;
        if is_clip {
            self.clips.insert(recording);
        }
        let track = match track {
            Ground::Named(name) => name,
            Ground::Shaped(shape) => self.unnamed(shape),
        };
        let shape = shape.map(|shape| KnownShape { game: game.clone(), title: track.clone(), shape });
        let is_new = |shape: &KnownShape| !self.shapes.contains(shape);
        if let Some(shape) = shape.filter(is_new) {
            self.shapes.push(shape);
        }
        for (car, laps) in laps {
            let discipline = Discipline { game: game.clone(), track: track.clone(), car };
            self.laps.entry(discipline).or_default().insert(recording, laps);
        }
    }

    /// The title of a track without a name: its length, plus a number if several have the same length.
    fn unnamed(&mut self, shape: Fingerprint) -> String {
        if let Some(title) = self.unnamed_track(&shape) {
            return title.to_owned();
        }
        let kind = if shape.closed { "circuit" } else { "stage" };
        let title = format!("Unnamed {kind} of {:.0} m", shape.length_m);
        let alike = self.unnamed.iter().filter(|(_, known)| known.starts_with(&title)).count();
        let title = if alike == 0 { title } else { format!("{title}, {}", alike + 1) };
        self.unnamed.push((shape, title.clone()));
        title
    }

    /// The title of a track without a name, if it was driven.
    pub fn unnamed_track(&self, shape: &Fingerprint) -> Option<&str> {
        let same = |(known, _): &&(Fingerprint, String)| known.same_track(shape).is_same();
        self.unnamed.iter().find(same).map(|(_, title)| title.as_str())
    }

    /// The title of a track without a name that has this shape, or the name or title of the only track that a part of
    /// a lap can be of.
    pub fn track_of(&self, shape: &TrackShape) -> Option<&str> {
        match shape {
            TrackShape::Whole(shape) => self.unnamed_track(shape),
            TrackShape::Part { game, part } => {
                let of_game = self.shapes.iter().filter(|known| known.game == *game);
                part.only_fit(of_game.map(|known| (known.title.as_str(), &known.shape)))
            }
        }
    }

    /// Removes a recording.
    pub fn remove(&mut self, recording: RecordingId) {
        self.clips.remove(&recording);
        self.laps.retain(|_, recordings| {
            recordings.remove(&recording);
            !recordings.is_empty()
        });
    }

    /// The best lap of every game, track and car.
    pub fn all(&self) -> impl Iterator<Item = (&Discipline, &KeptLap)> {
        self.laps.keys().filter_map(|discipline| Some((discipline, self.best(discipline)?)))
    }

    /// All best laps as rows, or only those comparable with one recording. `ahead_s` is the local clock's offset from
    /// UTC, in seconds.
    pub fn rows(&self, of: Option<RecordingId>, period: Period, ahead_s: i32) -> Vec<BestLap> {
        let is_meant = |discipline: &Discipline| {
            let recordings = self.laps.get(discipline);
            of.is_none_or(|of| recordings.is_some_and(|recordings| recordings.contains_key(&of)))
        };
        let row = |(discipline, best): (&Discipline, &KeptLap)| BestLap {
            discipline: discipline.clone(),
            best: *best,
            progress: self.progress(discipline, period, ahead_s),
        };
        self.all().filter(|(discipline, _)| is_meant(discipline)).map(row).collect()
    }

    /// The best lap; of equal ones the first driven. A clip's lap counts as its recording's where that is there.
    pub fn best(&self, discipline: &Discipline) -> Option<&KeptLap> {
        let laps = self.laps.get(discipline)?.values().flatten();
        laps.min_by_key(|lap| (lap.time, lap.at, self.clips.contains(&lap.recording)))
    }

    /// The best and the median lap of each day or week. `ahead_s` is the local clock's offset from UTC, in seconds.
    pub fn progress(&self, discipline: &Discipline, period: Period, ahead_s: i32) -> Vec<PeriodLaps> {
        let laps = self.laps.get(discipline).into_iter().flat_map(BTreeMap::values).flatten();
        let mut driven: Vec<(Micros, LapTime)> = laps.map(|lap| (lap.at, lap.time)).collect();
        // A lap that was clipped into its own recording was driven only once.
        driven.sort_unstable();
        driven.dedup();
        progress(&driven, period, ahead_s)
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_analysis::laps::{CarLaps, Lap};
    use trailbrake_analysis::{ReferenceLine, Stretch};
    use trailbrake_model::{LapProgress, Moment, SessionInfo, Track, Vehicle};

    use super::*;
    use crate::{LapRow, LapTable, SessionSummary};

    const HOUR_US: u64 = 3_600_000_000;

    /// Consecutive laps with these times in milliseconds.
    fn laps(times: &[u32]) -> Vec<Lap> {
        let mut laps = CarLaps::default();
        let (mut began, mut last_lap) = (0.0, None);
        for (lap, millis) in (1..).zip(times.iter().chain([&60_000])) {
            for clock in [0.0, 0.5] {
                let moment = Moment { at: Micros(0), session_time: Some(began + clock), frame: None };
                let clock = Some(clock as f32);
                laps.progress(&LapProgress { moment, lap, clock, last_lap, ..LapProgress::default() });
            }
            last_lap = Some(LapTime(*millis));
            began += f64::from(*millis) / 1e3;
        }
        laps.finished().to_vec()
    }

    /// The facts of a recording with these laps, begun in this hour.
    fn facts(id: u128, hour: u64, track: Option<&str>, times: &[u32]) -> Facts {
        let mut facts = Facts::default();
        let (feed, program) = ("gran-turismo".to_owned(), "trailbrake".to_owned());
        let created = Micros(hour * HOUR_US);
        let id = RecordingId(id);
        facts.put(created, &Info { id, parent: None, created, feed, program, others_left_out: false });
        let track = track.map(|name| Track {
            id: name.to_lowercase(),
            name: Some(name.to_owned()),
            recognised: None,
        });
        let vehicle = Some(Vehicle { name: Some("Kart".into()), ..Vehicle::default() });
        let info = Some(SessionInfo { track, ..SessionInfo::default() });
        facts.put(
            created,
            &SessionSummary { info, vehicle, player: Some(Car(0)), ..SessionSummary::default() },
        );
        let row = |car: u8, lap: Lap| LapRow {
            car: Car(car),
            session: 0,
            driver: None,
            model: Some("Kart".into()),
            player: None,
            from: created.plus_seconds(lap.began_s),
            to: created,
            lap,
        };
        // Another driver is much faster.
        let rows = laps(times)
            .into_iter()
            .map(|lap| row(0, lap))
            .chain(laps(&[20_000]).into_iter().map(|lap| row(1, lap)));
        facts.put(created, &LapTable { decoder: 1, laps: rows.collect(), ..LapTable::default() });
        facts
    }

    fn credited(bests: &Bests) -> Vec<(&str, u128, u32)> {
        bests.all().map(|(what, lap)| (what.track.as_str(), lap.recording.0, lap.time.0)).collect()
    }

    #[test]
    fn the_best_lap_of_each_track_is_kept_as_recordings_come_and_go() {
        let mut bests = Bests::default();
        bests.put(&facts(1, 1, Some("Spa"), &[91_000, 90_000]));
        bests.put(&facts(2, 2, Some("Spa"), &[89_000]));
        bests.put(&facts(3, 3, Some("Monza"), &[80_000]));
        bests.put(&facts(4, 4, None, &[10_000]));
        assert_eq!(credited(&bests), [("Monza", 3, 80_000), ("Spa", 2, 89_000)]);
        let (spa, lap) = bests.all().nth(1).expect("Spa");
        assert_eq!(
            (spa.game.as_str(), spa.car.as_deref(), lap.number),
            (Feed::GranTurismo.info().game, Some("Kart"), 1)
        );
        // The fastest lap is gone from the table, and the recording is put again.
        bests.put(&facts(2, 2, Some("Spa"), &[92_000]));
        assert_eq!(credited(&bests), [("Monza", 3, 80_000), ("Spa", 1, 90_000)]);
        bests.remove(RecordingId(1));
        bests.remove(RecordingId(3));
        assert_eq!(credited(&bests), [("Spa", 2, 92_000)]);
    }

    #[test]
    fn equal_laps_go_to_who_drove_first() {
        let mut bests = Bests::default();
        bests.put(&facts(1, 9, Some("Spa"), &[90_000]));
        bests.put(&facts(2, 2, Some("Spa"), &[90_000]));
        assert_eq!(credited(&bests), [("Spa", 2, 90_000)]);
    }

    #[test]
    fn a_clip_s_lap_is_its_recording_s_as_long_as_that_is_there() {
        // The clip's id is the smaller one, and it is added first.
        let mut clip = facts(1, 5, Some("Spa"), &[90_000]);
        let info: Info = clip.get().expect("an info").expect("an info");
        clip.put(info.created, &Info { parent: Some(RecordingId(2)), ..info });
        let mut bests = Bests::default();
        bests.put(&clip);
        bests.put(&facts(2, 5, Some("Spa"), &[90_000]));
        assert_eq!(credited(&bests), [("Spa", 2, 90_000)]);
        bests.remove(RecordingId(2));
        assert_eq!(credited(&bests), [("Spa", 1, 90_000)]);
    }

    #[test]
    fn progress_goes_over_all_recordings_and_counts_each_lap_once() {
        let mut bests = Bests::default();
        bests.put(&facts(1, 10, Some("Spa"), &[91_000, 90_000]));
        // A copy of the same laps, and another session a day later.
        bests.put(&facts(2, 10, Some("Spa"), &[91_000, 90_000]));
        bests.put(&facts(3, 34, Some("Spa"), &[89_000]));
        let (spa, _) = bests.all().next().expect("Spa");
        let days = bests.progress(spa, Period::Day, 0);
        assert_eq!(
            days.iter().map(|day| (day.laps, day.best.0)).collect::<Vec<_>>(),
            [(2, 90_000), (1, 89_000)]
        );
    }

    #[test]
    fn without_a_player_no_lap_is_a_best_and_no_watched_replay_is() {
        let session = |facts: &Facts| facts.get::<SessionSummary>().expect("a fact").expect("a session");
        let mut spectated = facts(1, 1, Some("Spa"), &[80_000]);
        let without = SessionSummary { player: None, ..session(&spectated) };
        spectated.put(Micros(1), &without);
        let mut watched = facts(2, 1, Some("Spa"), &[81_000]);
        let mut table: LapTable = watched.get().expect("a fact").expect("laps");
        table.laps.iter_mut().for_each(|row| row.lap.mark_replay());
        watched.put(Micros(1), &table);
        let mut bests = Bests::default();
        [spectated, watched, facts(3, 2, Some("Spa"), &[90_000])].iter().for_each(|facts| bests.put(facts));
        assert_eq!(credited(&bests), [("Spa", 3, 90_000)]);
    }

    #[test]
    fn laps_that_were_imported_are_nobodys_best() {
        let mut imported = facts(1, 1, Some("Spa"), &[80_000]);
        let info: Info = imported.get().expect("an info").expect("an info");
        imported.put(info.created, &Info { feed: Feed::ImportedLaps.id().to_owned(), ..info });
        let mut bests = Bests::default();
        bests.put(&imported);
        bests.put(&facts(2, 2, Some("Spa"), &[90_000]));
        assert_eq!(credited(&bests), [("Spa", 2, 90_000)]);
    }

    /// A closed path with this many bulges.
    fn path(swells: f64) -> Vec<[f64; 3]> {
        let point = |step: u32| {
            let angle = std::f64::consts::TAU * f64::from(step) / 900.0;
            let radius = 400.0 * (1.0 + 0.1 * (swells * angle).sin());
            [radius * angle.sin(), 0.0, radius * angle.cos()]
        };
        (0..=900).map(point).collect()
    }

    /// The shape of that path.
    fn shape(swells: f64) -> Fingerprint {
        Fingerprint::of(&ReferenceLine::through(&path(swells), 0.0).expect("a line"))
    }

    #[test]
    fn an_unnamed_track_is_identified_by_its_shape_until_somebody_names_it() {
        let unnamed = |id, swells, time| {
            let mut facts = facts(id, id as u64, None, &[time]);
            let fingerprint = shape(swells);
            facts.put(Micros(1), &KnownTrack { name: String::new(), fingerprint, edits: Vec::new() });
            facts
        };
        let mut bests = Bests::default();
        for (id, swells, time) in [(1, 3.0, 91_000), (2, 3.0, 90_000), (3, 5.0, 80_000)] {
            bests.put(&unnamed(id, swells, time));
        }
        let lines = credited(&bests);
        assert_eq!(lines.iter().map(|(_, id, _)| *id).collect::<Vec<_>>(), [2, 3], "{lines:?}");
        assert!(lines.iter().all(|(track, ..)| track.starts_with("Unnamed circuit of 2")), "{lines:?}");
        let [first, second] = [3.0, 5.0].map(|swells| shape(swells).length_m.round());
        assert_ne!(first, second, "their lengths differ");
        // Two different tracks of equal length stay two.
        let mut like = shape(7.0);
        like.length_m = shape(3.0).length_m;
        let mut facts = unnamed(4, 3.0, 70_000);
        facts.put(Micros(2), &KnownTrack { name: String::new(), fingerprint: like, edits: Vec::new() });
        bests.put(&facts);
        assert!(credited(&bests).iter().any(|(track, id, _)| *id == 4 && track.ends_with(" m, 2")));
        let named = CountedLaps::of(&unnamed(5, 3.0, 60_000)).expect("laps").on("Old mill");
        bests.add(named);
        assert!(credited(&bests).contains(&("Old mill", 5, 60_000)));
    }

    #[test]
    fn a_part_of_a_lap_names_the_only_track_that_it_can_be_of() {
        let mut bests = Bests::default();
        let put = |bests: &mut Bests, id, swells, name: Option<&str>| {
            let mut facts = facts(id, id as u64, None, &[90_000]);
            let known = KnownTrack { name: String::new(), fingerprint: shape(swells), edits: Vec::new() };
            facts.put(Micros(1), &known);
            let counted = CountedLaps::of(&facts).expect("laps");
            bests.add(match name {
                Some(name) => counted.on(name),
                None => counted,
            });
        };
        put(&mut bests, 1, 3.0, Some("Old mill"));
        put(&mut bests, 2, 5.0, None);
        put(&mut bests, 3, 5.0, None);
        let half = |swells: f64| {
            let part = path(swells).into_iter().skip(200).take(500).collect::<Vec<_>>();
            let line = ReferenceLine::through(&part, 0.0).expect("a line");
            let game = Feed::GranTurismo.info().game.to_owned();
            TrackShape::Part { game, part: Stretch::of(&line).expect("enough") }
        };
        assert_eq!(bests.track_of(&half(3.0)), Some("Old mill"));
        assert!(bests.track_of(&half(5.0)).is_some_and(|title| title.starts_with("Unnamed circuit of")));
        assert_eq!(bests.track_of(&half(8.0)), None, "nobody drove there");
    }

    #[test]
    fn a_recording_without_facts_changes_nothing() {
        let mut bests = Bests::default();
        bests.put(&Facts::default());
        assert_eq!(bests.all().count(), 0);
    }
}
