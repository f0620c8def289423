//! The braking panel: the last braking zone, frozen until the next one, against the reference's zone for the same
//! corner.

use leptos::prelude::*;
use trailbrake_shared::analysis::{BrakingZone, later};
use trailbrake_shared::model::{Channel, Columns, Line};
use trailbrake_shared::number;
use trailbrake_shared::session::{CarState, Session};

use super::words::latest;
use crate::cockpit::TelemetryStore;
use crate::frame::Tick;
use crate::painter::{BrakingCurve, BrakingFigure, Sheet};
use crate::telemetry::Telemetry;
use crate::text::figures::NONE;
use crate::ui::{Canvas, Painting};

/// Greatest distance from the brake release to the apex, in metres.
const APEX_BEHIND_M: f32 = 120.0;

/// Whether the game sends lap distance and brake, and the watched car is the player's: only their braking is compared.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    let is_player = telemetry.session().is_some_and(|session| session.watched() == session.player());
    is_player
        && [Channel::LapDistance, Channel::Brake].iter().all(|channel| latest(telemetry, *channel).is_some())
}

/// The panel.
#[component]
pub(super) fn BrakingPanel() -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let words = telemetry.sampled(read_words);
    let mount =
        move |sheet: Sheet| BrakingPainting { telemetry, figure: BrakingFigure::new(sheet), shown: None };
    view! {
        <section class="panel braking" aria-label="Last braking zone">
            <div class="head">
                <h2>"Last braking zone"</h2>
                <span data-figure="braking" data-trend=move || words.with(|words| words.trend)>
                    {move || words.with(|words| words.difference.clone())}
                </span>
            </div>
            <Canvas class="brake-curve" label="The brake pedal over the metres before the apex" mount/>
            <BrakingTable/>
            <p class="missing">{move || words.with(|words| words.missing)}</p>
        </section>
    }
    .into_any()
}

/// The values of the curves, as a table for screen readers.
#[component]
fn BrakingTable() -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let zones = telemetry.sampled(|telemetry| telemetry.session().and_then(ZonePair::of));
    let row = |name: &'static str, value: fn(&ZoneFigures) -> String| {
        let cell = move |zone: Option<ZoneFigures>| zone.map_or_else(|| NONE.to_owned(), |zone| value(&zone));
        view! {
            <tr>
                <th scope="row">{name}</th>
                <td>{move || cell(zones.with(|zones| zones.as_ref().map(|pair| pair.latest)))}</td>
                <td>{move || cell(zones.with(|zones| zones.as_ref().and_then(|pair| pair.reference)))}</td>
            </tr>
        }
    };
    view! {
        <div class="unseen">
            <table data-testid="braking-values">
                <caption>"The last braking zone"</caption>
                <thead>
                    <tr>
                        <td></td>
                        <th scope="col">"You"</th>
                        <th scope="col">"Reference"</th>
                    </tr>
                </thead>
                <tbody>
                    {row("Brake point, metres before the apex", |zone| metres(zone.start_m))}
                    {row("Brake released, metres before the apex", |zone| {
                        zone.release_m.map_or_else(|| "still on".to_owned(), metres)
                    })}
                    {row("Most brake", |zone| format!("{} %", number::write(f64::from(zone.peak) * 100.0, 0)))}
                </tbody>
            </table>
        </div>
    }
}

fn metres(metres: f32) -> String {
    number::write(metres.into(), 0)
}

/// The last braking zone, and the reference's at the same corner.
#[derive(Clone, Copy, PartialEq)]
struct ZonePair {
    latest: ZoneFigures,
    reference: Option<ZoneFigures>,
}

/// The values of a braking zone. Distances are metres before the apex.
#[derive(Clone, Copy, PartialEq)]
struct ZoneFigures {
    start_m: f32,
    release_m: Option<f32>,
    peak: f32,
}

impl ZonePair {
    fn of(session: &Session) -> Option<Self> {
        let against = session.live_comparison();
        let zone = against.braking()?;
        let apex_m = apex(session, zone)?;
        let figures = |zone: &BrakingZone| ZoneFigures {
            start_m: apex_m - zone.start_m,
            release_m: zone.release_m.map(|release_m| apex_m - release_m),
            peak: zone.peak,
        };
        Some(Self { latest: figures(zone), reference: against.same_braking().map(figures) })
    }
}

struct BrakingPainting {
    telemetry: TelemetryStore,
    figure: BrakingFigure,
    shown: Option<Identity>,
}

impl Painting for BrakingPainting {
    fn follow(&mut self, _: &Tick) {
        self.telemetry.look(|telemetry| {
            let Some(session) = telemetry.session() else { return };
            let identity = Identity::of(session);
            if identity != self.shown {
                let (latest, reference) = curves(session).unwrap_or_default();
                self.figure.show(latest, reference);
                self.shown = identity;
            }
        });
    }

    fn paint(&mut self, _: &Tick) {
        self.figure.paint();
    }
}

/// Identifies the drawn zones. The curves are rebuilt when it changes.
#[derive(Clone, Copy, PartialEq)]
struct Identity {
    start_m: f32,
    points: usize,
    release_m: Option<f32>,
    reference_m: Option<f32>,
    /// The apex moves on while the car still slows down.
    apex_m: Option<f32>,
}

impl Identity {
    fn of(session: &Session) -> Option<Self> {
        let against = session.live_comparison();
        let zone = against.braking()?;
        Some(Self {
            start_m: zone.start_m,
            points: zone.points.len(),
            release_m: zone.release_m,
            reference_m: against.same_braking().map(|same| same.start_m),
            apex_m: apex(session, zone),
        })
    }
}

fn curves(session: &Session) -> Option<(BrakingCurve, Option<BrakingCurve>)> {
    let against = session.live_comparison();
    let zone = against.braking()?;
    let apex_m = apex(session, zone)?;
    Some((curve(zone, apex_m), against.same_braking().map(|same| curve(same, apex_m))))
}

fn curve(zone: &BrakingZone, apex_m: f32) -> BrakingCurve {
    let (metres, brake) = zone.points.iter().map(|(metres, brake)| (metres - apex_m, *brake)).unzip();
    BrakingCurve { metres, brake }
}

/// The lap distance of the minimum speed, in metres: on the reference lap if it braked for the same corner, else on the
/// driver's lap so far. Falls back to the end of the zone.
fn apex(session: &Session, zone: &BrakingZone) -> Option<f32> {
    let car = session.car(session.player()?)?;
    let reference = session.live_comparison().reference_columns(car);
    let same = session.live_comparison().same_braking().zip(reference);
    let found = match same {
        Some((same, columns)) => slowest(columns, same),
        None => slowest(own_columns(car, zone)?, zone),
    };
    found.or(zone.points.last().map(|(metres, _)| *metres))
}

/// The columns of the zone's lap: the current lap, or the last one if the current lap has not come as far as the zone.
fn own_columns<'a>(car: &'a CarState, zone: &BrakingZone) -> Option<&'a Columns> {
    let here = car.value(Channel::LapDistance)?;
    if here >= zone.start_m { Some(car.traces.current()) } else { car.traces.last() }
}

fn slowest(columns: &Columns, zone: &BrakingZone) -> Option<f32> {
    let end_m = zone.release_m.or(zone.points.last().map(|(metres, _)| *metres))? + APEX_BEHIND_M;
    let distance = columns.line(Channel::LapDistance.slot())?;
    let speed = columns.line(Channel::Speed.slot())?;
    let rows = first_row(distance, columns.len(), zone.start_m)..columns.len();
    let places = rows.filter_map(|row| Some((distance.value(row)?, speed.value(row)?)));
    let near = places.take_while(|(metres, _)| *metres <= end_m);
    near.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(metres, _)| metres)
}

/// The first row at or beyond a lap distance, by binary search.
fn first_row(distance: Line<'_>, rows: usize, metres: f32) -> usize {
    let (mut from, mut to) = (0, rows);
    while from < to {
        let middle = from + (to - from) / 2;
        if distance.latest(middle).is_none_or(|other| other < metres) {
            from = middle + 1
        } else {
            to = middle
        }
    }
    from
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Words {
    difference: String,
    trend: &'static str,
    missing: &'static str,
}

fn read_words(telemetry: &Telemetry) -> Words {
    let mut words = Words::default();
    let Some(session) = telemetry.session() else { return words };
    let against = session.live_comparison();
    let Some(zone) = against.braking() else {
        words.missing = "Your next braking zone appears here.";
        return words;
    };
    if let Some(same) = against.same_braking() {
        let than = against.chosen().zip(against.reference()).map(|(_, lap)| format!("lap {}", lap.number));
        let metres = zone.later_than(same);
        words.difference = later(metres, than.as_deref().unwrap_or("best"));
        words.trend = if metres >= 0.5 {
            "ahead"
        } else if metres <= -0.5 {
            "behind"
        } else {
            "level"
        };
    } else {
        words.difference = format!("peak {} %", number::write(f64::from(zone.peak) * 100.0, 0));
    }
    words
}
