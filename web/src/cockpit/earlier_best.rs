//! The driver's best lap of earlier sessions, as the reference until this session has a lap.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::analysis::{Combo, ReferenceLine, Stretch, TrackShape};
use trailbrake_shared::lap_catalogue::LapCatalogue;
use trailbrake_shared::recording::DecodedLap;
use trailbrake_shared::session::{DeltaTarget, LapId, sketch, take_earlier_best};

use super::TelemetryStore;
use crate::browser;
use crate::laps::library_best;
use crate::replay::recorded_lap;
use crate::telemetry::Telemetry;

/// How long until the library is asked again for a track without a name, in milliseconds, and how often it is.
const AGAIN_MS: f64 = 5_000.0;
const MOST_ASKED: u32 = 12;

/// What a best lap is wanted for.
#[derive(Clone, PartialEq)]
struct Wanted {
    combo: Combo,
    /// The source and the session of a track without a name: the next may be on another.
    session: Option<(u32, u32)>,
}

/// The search for the library's best lap with this car on this track.
#[derive(Default)]
struct Search {
    of: Option<Wanted>,
    /// `None` while the lap is being looked up, and if there is none.
    lap: Option<DecodedLap>,
    /// Whether the lap was found.
    is_found: bool,
    /// Whether the library has been asked and has not answered.
    is_asking: bool,
    /// How often it was asked.
    asked: u32,
    /// When it was looked up, milliseconds of the page.
    asked_ms: f64,
}

/// The driver's best lap of earlier sessions. Copies are handles to the same lap.
#[derive(Clone, Copy)]
pub(super) struct EarlierBest {
    telemetry: TelemetryStore,
    search: StoredValue<Search, LocalStorage>,
}

impl EarlierBest {
    /// None looked up yet.
    pub(super) fn new(telemetry: TelemetryStore) -> Self {
        Self { telemetry, search: StoredValue::new_local(Search::default()) }
    }

    /// Looks up the driver's best lap with this car on this track and gives it to the live session, so that there is a
    /// delta from the first corner on. Every beat of the pulse calls this.
    pub(super) fn find(self) {
        if !self.telemetry.shows_games() {
            return;
        }
        let Some(wanted) = self.telemetry.look(wanted_best) else { return };
        let now_ms = browser::now_ms();
        let (asked, is_due) = self.search.with_value(|search| {
            if search.of.as_ref() != Some(&wanted) {
                return (0, true);
            }
            // More of a track without a name is driven by then.
            let is_open = !search.is_found && !search.is_asking && search.asked < MOST_ASKED;
            let again = wanted.session.is_some() && is_open && now_ms - search.asked_ms >= AGAIN_MS;
            (search.asked, again)
        });
        if !is_due {
            let give = |best: &DecodedLap, telemetry: &mut Telemetry| {
                let session = telemetry.session_mut();
                session.is_some_and(|session| take_earlier_best(session, &best.lap, &best.columns))
            };
            self.search.update_value(|search| {
                // A lap that can't serve as a reference is dropped.
                search.lap.take_if(|best| {
                    !self.telemetry.change(|telemetry| give(best, telemetry)).unwrap_or(true)
                });
            });
            return;
        }
        let shape = match (&wanted.session, &wanted.combo.game) {
            (Some(_), Some(game)) => self.telemetry.look(|telemetry| shape_so_far(telemetry, game)),
            _ => None,
        };
        let is_asking = wanted.session.is_none() || shape.is_some();
        let (of, asked) = (Some(wanted.clone()), asked + u32::from(is_asking));
        self.search.set_value(Search { of, asked_ms: now_ms, is_asking, asked, ..Search::default() });
        if !is_asking {
            return;
        }
        spawn_local(async move {
            // Without a reference there is no delta until the first lap is complete.
            let lap = match library_best::find(&wanted.combo, shape.as_ref()).await {
                Some(best) => {
                    let id = LapId { session: best.session, car: best.car, serial: best.serial };
                    recorded_lap(best.recording, id).await
                }
                None => None,
            };
            self.search.update_value(|search| {
                if search.of.as_ref() == Some(&wanted) {
                    search.is_asking = false;
                    search.is_found = lap.is_some();
                    search.lap = lap;
                }
            });
        });
    }
}

/// What the session still needs the best lap of earlier sessions for: it has no reference, or its delta is against the
/// all-time best.
fn wanted_best(telemetry: &Telemetry) -> Option<Wanted> {
    let source = telemetry.shown()?;
    let session = &source.session;
    let against = session.live_comparison();
    let is_wanted = against.reference().is_none() || against.target() == DeltaTarget::AllTimeBest;
    if !is_wanted || against.has_earlier() {
        return None;
    }
    let player = session.player()?;
    let catalogue = LapCatalogue::of_session(session, source.origin.feed);
    let entry = catalogue.laps().iter().find(|entry| entry.id.car == player)?;
    let combo = entry.combo();
    let session = combo.track.is_none().then(|| (telemetry.generation(), session.number()));
    Some(Wanted { combo, session })
}

/// The shape of the lap under way, once that tells enough.
fn shape_so_far(telemetry: &Telemetry, game: &str) -> Option<TrackShape> {
    let driven = sketch(telemetry.session()?);
    let path: Vec<[f64; 3]> = driven.points.iter().map(|point| point.position.map(f64::from)).collect();
    let part = Stretch::of(&ReferenceLine::through(&path, 0.0)?)?;
    Some(TrackShape::Part { game: game.to_owned(), part })
}
