//! The pedal panel: the pedals of the last seconds in one figure, or eight lanes.

use leptos::prelude::*;
use trailbrake_shared::model::Channel;
use trailbrake_shared::number;
use trailbrake_shared::plot::lane_table::{BRAKE, DEFAULT_LANES, DefaultLane, GEAR, STEERING, THROTTLE};
use trailbrake_shared::units::{Unit, Units};

use super::actions::{Action, ActionContext};
use super::cue::next;
use super::reading::with_unit;
use super::rolling::{LaneChannels, SECONDS, Window, column, has_reference, lane_channels, reference_column};
use super::words::latest;
use crate::cockpit::{Display, TelemetryStore};
use crate::driver_settings::SettingsStore;
use crate::frame::{self, Tick};
use crate::painter::{
    Across, Countdown, Edge, Ink, LaneSpec, LaneStack, LineSpec, Paint, PedalFigure, PedalGears, PedalLines,
    Readout, Says, Sheet, steps,
};
use crate::telemetry::Telemetry;
use crate::text::figures::{NONE, figure as printed, gear};
use crate::ui::{ActionButton, Canvas, Painting};

/// The gutter of the eight lanes, in CSS pixels.
const GUTTER: f32 = 104.0;
/// The longest braking whose peak counts, in seconds, and the least brake that is more than a lift.
const BRAKING_S: f64 = 2.0;
const LIFT: f32 = 0.05;
/// The lines of the pedals' figure, which the legend names.
const KEY: [&DefaultLane; 3] = [&THROTTLE, &BRAKE, &STEERING];

/// Whether the game sends any pedal or the wheel.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    KEY.iter().any(|lane| latest(telemetry, lane_channel(telemetry, lane)).is_some())
}

/// The channel that fills a lane of the watched car.
fn lane_channel(telemetry: &Telemetry, lane: &DefaultLane) -> Channel {
    let car = telemetry.session().and_then(|session| session.car(session.watched()?));
    lane_channels(car).get(column(lane)).copied().unwrap_or(lane.preferred())
}

/// The panel: the pedals in one figure, or eight lanes of one channel each.
#[component]
pub(super) fn TracePanel() -> impl IntoView {
    let context = ActionContext::here();
    let lanes = context.lanes;
    let is_ahead = context.telemetry.sampled(|telemetry| telemetry.session().is_some_and(has_reference));
    let title = move || if is_ahead.get() { "Last 7 s, next 5 s" } else { "Last 12 s" };
    view! {
        <section class="panel trace" aria-label="Pedals">
            <div class="head">
                <h2>{title}</h2>
                <ActionButton action=Action::ToggleLanes class="quiet" pressed=lanes stays=true>
                    {move || if lanes.get() { "Pedals only" } else { "All lanes" }}
                </ActionButton>
                <dl class="key">
                    {KEY.map(|lane| view! { <KeyEntry lane/> })}
                    <div class:absent=move || !is_ahead.get()>
                        <dt class="reference">"Reference"</dt>
                    </div>
                </dl>
            </div>
            {move || match lanes.get() {
                true => view! { <Lanes/> }.into_any(),
                false => view! { <Pedals/> }.into_any(),
            }}
        </section>
    }
    .into_any()
}

/// Eight lanes of one channel each.
#[component]
fn Lanes() -> impl IntoView {
    let (telemetry, display) = (TelemetryStore::here(), Display::here());
    let mount = move |sheet: Sheet| LanePainting {
        scrolling: Scrolling::new(telemetry),
        units: display.units.get_untracked(),
        channels: lane_channels(None),
        lanes: LaneStack::new(
            sheet,
            lane_specs(lane_channels(None), display.units.get_untracked()),
            Some(GUTTER),
        ),
    };
    view! {
        <Canvas class="traces" label="Eight channels over the last seconds, on top of the reference's" mount/>
        <LaneValues/>
    }
}

/// The current values of the lanes, as a table for screen readers.
#[component]
fn LaneValues() -> impl IntoView {
    let (telemetry, display) = (TelemetryStore::here(), Display::here());
    let row = |lane: &'static DefaultLane| {
        let value = telemetry.sampled(move |telemetry| {
            let channel = lane_channel(telemetry, lane);
            let value = latest(telemetry, channel)?;
            Some(match channel {
                Channel::Gear => gear(Some(value)).to_owned(),
                _ => with_unit(value, display.units.get().shown(channel.unit())),
            })
        });
        view! {
            <tr>
                <th scope="row">{lane.name}</th>
                <td>{move || value.get().unwrap_or_else(|| NONE.to_owned())}</td>
            </tr>
        }
    };
    view! {
        <div class="unseen">
            <table data-testid="lane-values">
                <caption>"The lanes now"</caption>
                <tbody>{DEFAULT_LANES.map(row).into_iter().collect_view()}</tbody>
            </table>
        </div>
    }
}

/// The pedals in one figure.
#[component]
fn Pedals() -> impl IntoView {
    let telemetry = TelemetryStore::here();
    let mount = move |sheet: Sheet| {
        let lines = PedalLines { car: KEY.map(column), reference: [&THROTTLE, &BRAKE].map(reference_column) };
        PedalPainting { scrolling: Scrolling::new(telemetry), figure: PedalFigure::new(sheet, lines) }
    };
    let label =
        "Throttle, brake and steering over the last seconds, and the reference's pedals and gears ahead";
    view! { <Canvas class="traces" label mount/> }
}

/// A window of traces that scrolls at an even pace.
struct Scrolling {
    telemetry: TelemetryStore,
    window: Window,
    edge: Edge,
}

impl Scrolling {
    fn new(telemetry: TelemetryStore) -> Self {
        Self { telemetry, window: Window::new(), edge: Edge::default() }
    }

    /// Takes the new samples, and returns the time at the window's edge, in seconds. `None` before the first sample.
    fn follow(&mut self, tick: &Tick) -> Option<f64> {
        self.telemetry.look(|telemetry| {
            if let Some(source) = telemetry.shown() {
                self.window.follow(source.origin, &source.session);
            }
        });
        let latest = self.window.traces.car.latest()?;
        let now = self.edge.advance(tick.now_ms, latest);
        if now < latest {
            // The edge has not reached the latest sample yet.
            frame::request();
        }
        Some(now)
    }
}

struct LanePainting {
    scrolling: Scrolling,
    units: Units,
    /// The channels of the lanes.
    channels: LaneChannels,
    lanes: LaneStack,
}

impl Painting for LanePainting {
    fn follow(&mut self, tick: &Tick) {
        if let Some(edge) = self.scrolling.follow(tick) {
            let channels = self.scrolling.window.channels;
            if channels != self.channels {
                self.channels = channels;
                self.lanes.set_lanes(lane_specs(channels, self.units));
            }
            self.lanes.show(Across::Rolling { seconds: SECONDS, edge, ahead: self.scrolling.window.ahead_s });
        }
    }

    fn paint(&mut self, tick: &Tick) {
        self.lanes.paint(tick, &self.scrolling.window.traces);
    }
}

struct PedalPainting {
    scrolling: Scrolling,
    figure: PedalFigure,
}

impl Painting for PedalPainting {
    fn follow(&mut self, tick: &Tick) {
        if let Some(edge) = self.scrolling.follow(tick) {
            let Window { reference, traces, ahead_s, .. } = &self.scrolling.window;
            let at = |(seconds, values): &(f64, [f32; DEFAULT_LANES.len()])| {
                values.get(column(&GEAR)).filter(|gear| gear.is_finite()).map(|gear| (*seconds, *gear))
            };
            let gears = PedalGears {
                car: gear_steps(traces.car.samples(column(&GEAR))),
                reference: gear_steps(reference.rows().iter().filter_map(at)),
            };
            self.figure.show(SECONDS, edge, *ahead_s, gears);
            let next = self.scrolling.telemetry.look(|telemetry| telemetry.session().and_then(next));
            let countdown = next.map(|next| {
                let at_s = edge + next.ahead_s;
                let words = brake_words(reference.rows(), at_s).unwrap_or_default();
                Countdown { ahead_m: next.ahead_m, at_s, words }
            });
            self.figure.count_down(countdown);
        }
    }

    fn paint(&mut self, _: &Tick) {
        self.figure.paint(&self.scrolling.window.traces);
    }
}

fn gear_steps(samples: impl IntoIterator<Item = (f64, f32)>) -> Vec<(f64, f64, String)> {
    steps(samples).into_iter().map(|(from, to, in_gear)| (from, to, gear(Some(in_gear)))).collect()
}

/// What the reference does at a brake point: how hard it brakes in the seconds after it, or that it only lifts. `None` if
/// its brake is not known there.
fn brake_words(rows: &[(f64, [f32; DEFAULT_LANES.len()])], at_s: f64) -> Option<String> {
    let zone = rows.iter().filter(|(seconds, _)| (at_s - 0.5..at_s + BRAKING_S).contains(seconds));
    let brake = zone.filter_map(|(_, values)| values.get(column(&BRAKE)).copied());
    let peak = brake.filter(|brake| brake.is_finite()).reduce(f32::max)?;
    Some(match peak {
        peak if peak < LIFT => "lift".to_owned(),
        peak => format!("brake {} %", number::write(f64::from(peak) * 100.0, 0)),
    })
}

/// The eight lanes, in the order that every page uses, with the channel that fills each.
fn lane_specs(channels: LaneChannels, units: Units) -> Vec<LaneSpec> {
    DEFAULT_LANES.into_iter().zip(channels).map(|(lane, channel)| lane_spec(lane, channel, units)).collect()
}

fn lane_spec(lane: &DefaultLane, channel: Channel, units: Units) -> LaneSpec {
    let ink = match lane.preferred() {
        Channel::Throttle => Ink::Throttle,
        Channel::Brake => Ink::Brake,
        _ => Ink::Main,
    };
    let reference = LineSpec::of(channel, reference_column(lane), Ink::Reference);
    LaneSpec {
        name: lane.name.into(),
        unit: units.shown(channel.unit()),
        share: lane.weight,
        guides: &[0.0],
        lines: vec![
            LineSpec { paint: Paint::thin(Ink::Reference, 0.8), width: 1.2, ..reference },
            LineSpec::of(channel, column(lane), ink),
        ],
        one_scale: true,
        readouts: vec![Readout { ink, says: Says::Values(vec![1]) }],
    }
}

/// An entry of the legend: a line's name in its colour, and its value.
#[component]
fn KeyEntry(lane: &'static DefaultLane) -> impl IntoView {
    let (display, telemetry, settings) = (Display::here(), TelemetryStore::here(), SettingsStore::here());
    let now = telemetry.sampled(move |telemetry| {
        let range_deg = telemetry.shown().and_then(|source| settings.steering_deg(source.origin.feed));
        value_words(telemetry, lane_channel(telemetry, lane), display.units.get(), range_deg)
    });
    view! {
        <div class:absent=move || now.with(Option::is_none)>
            <dt data-channel=lane.id>{lane.name}</dt>
            <dd data-figure=lane.id>{move || now.get().unwrap_or_else(|| NONE.to_owned())}</dd>
        </div>
    }
}

/// A channel's value in words. `steering_deg` is the wheel's range: steering that is sent as a share is an angle if the
/// driver has set that.
fn value_words(
    telemetry: &Telemetry,
    channel: Channel,
    units: Units,
    steering_deg: Option<f64>,
) -> Option<String> {
    let value = latest(telemetry, channel)?;
    let angle = match channel {
        Channel::Steering => steering_deg.map(|range| value * (range / 2.0).to_radians() as f32),
        channel if channel.unit() == Unit::Radians => Some(value),
        _ => None,
    };
    let shown = units.shown(Unit::Radians);
    Some(match angle {
        // Beside the line, tenths of a degree would only flicker.
        Some(angle) if shown.suffix == "°" => {
            format!("{}°", number::write(f64::from(angle).to_degrees(), 0))
        }
        Some(angle) => format!("{} {}", printed(Some(angle), shown), shown.suffix),
        // A share stands without its sign.
        None if channel.unit() == Unit::Ratio => printed(Some(value), Unit::Ratio.shown()),
        None => with_unit(value, units.shown(channel.unit())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lift_is_no_braking() {
        let row = |seconds: f64, brake: f32| {
            let mut values = [f32::NAN; DEFAULT_LANES.len()];
            values[column(&BRAKE)] = brake;
            (seconds, values)
        };
        let rows = [row(1.0, 0.0), row(5.0, 0.1), row(5.5, 0.951), row(9.0, 1.0), row(20.0, 0.02)];
        assert_eq!(brake_words(&rows, 5.0).as_deref(), Some("brake 95 %"));
        assert_eq!(brake_words(&rows, 20.0).as_deref(), Some("lift"));
        let unknown = [row(20.0, f32::NAN)];
        assert_eq!([brake_words(&[], 20.0), brake_words(&unknown, 20.0)], [None, None]);
    }
}
