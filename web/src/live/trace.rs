//! The pedal panel: the pedals of the last seconds in one figure, or eight lanes.

use leptos::prelude::*;
use trailbrake_shared::model::Channel;
use trailbrake_shared::plot::lane_table::{DEFAULT_LANES, DefaultLane};
use trailbrake_shared::units::{Unit, Units};

use super::actions::{Action, ActionContext};
use super::reading::with_unit;
use super::rolling::{SECONDS, Window, column, has_reference, reference_column};
use super::words::latest;
use crate::cockpit::Cockpit;
use crate::driver_settings::SettingsStore;
use crate::figures::{NONE, figure as printed, gear};
use crate::frame::{self, Tick};
use crate::painter::{
    Across, Edge, Ink, LaneSpec, LaneStack, LineSpec, Paint, PedalFigure, PedalLines, Readout, Says, Sheet,
};
use crate::telemetry::Telemetry;
use crate::ui::{Canvas, Painting};

/// The gutter of the eight lanes, in CSS pixels.
const GUTTER: f32 = 104.0;
/// The channels of the legend.
const KEY: [Channel; 4] = [Channel::Throttle, Channel::Brake, Channel::Clutch, Channel::Steering];

/// Whether the game sends any pedal or the wheel.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    let sent = |channel: &Channel| latest(telemetry, *channel).is_some();
    KEY.iter().any(sent) || sent(&Channel::SteeringAngle)
}

/// The panel: the pedals in one figure, or eight lanes of one channel each.
#[component]
pub(super) fn TracePanel() -> impl IntoView {
    let context = ActionContext::here();
    let lanes = context.lanes;
    let is_ahead = context.cockpit.sampled(|telemetry| telemetry.session().is_some_and(has_reference));
    let title = move || if is_ahead.get() { "Last 7 s, next 5 s" } else { "Last 12 s" };
    view! {
        <section class="panel trace" aria-label="Pedals">
            <div class="head">
                <h2>{title}</h2>
                <button
                    type="button"
                    class="quiet"
                    aria-pressed=move || if lanes.get() { "true" } else { "false" }
                    data-testid=Action::ToggleLanes.id()
                    on:click=move |_| context.run(Action::ToggleLanes)
                >
                    {move || if lanes.get() { "Pedals only" } else { "All lanes" }}
                </button>
                <dl class="key">
                    {KEY.map(|channel| view! { <KeyEntry channel/> })}
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
    let cockpit = Cockpit::here();
    let mount = move |sheet: Sheet| LanePainting {
        scrolling: Scrolling::new(cockpit),
        lanes: LaneStack::new(sheet, eight(cockpit.units.get_untracked()), Some(GUTTER)),
    };
    view! {
        <Canvas class="traces" label="Eight channels over the last seconds, on top of the reference's" mount/>
        <LaneValues/>
    }
}

/// The current values of the lanes, as a table for screen readers.
#[component]
fn LaneValues() -> impl IntoView {
    let cockpit = Cockpit::here();
    let row = |lane: &'static DefaultLane| {
        let channel = lane.preferred();
        let value = cockpit.sampled(move |telemetry| {
            let value = latest(telemetry, channel)?;
            Some(match channel {
                Channel::Gear => gear(Some(value)).to_owned(),
                _ => with_unit(value, cockpit.units.get().shown(channel.unit())),
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
    let cockpit = Cockpit::here();
    let mount = move |sheet: Sheet| {
        let lines = PedalLines {
            car: [Channel::Throttle, Channel::Brake, Channel::Steering].map(column),
            reference: [Channel::Throttle, Channel::Brake].map(reference_column),
        };
        PedalPainting { scrolling: Scrolling::new(cockpit), figure: PedalFigure::new(sheet, lines) }
    };
    let label =
        "Throttle, brake and steering over the last seconds, and the reference's pedals and gears ahead";
    view! { <Canvas class="traces" label mount/> }
}

/// A window of traces that scrolls at an even pace.
struct Scrolling {
    cockpit: Cockpit,
    window: Window,
    edge: Edge,
}

impl Scrolling {
    fn new(cockpit: Cockpit) -> Self {
        Self { cockpit, window: Window::new(), edge: Edge::default() }
    }

    /// Takes the new samples, and returns the time at the window's edge, in seconds. `None` before the first sample.
    fn follow(&mut self, tick: &Tick) -> Option<f64> {
        self.cockpit.look(|telemetry| {
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
    lanes: LaneStack,
}

impl Painting for LanePainting {
    fn follow(&mut self, tick: &Tick) {
        if let Some(edge) = self.scrolling.follow(tick) {
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
            let Window { reference, ahead_s, .. } = &self.scrolling.window;
            let gears = reference.steps(column(Channel::Gear)).into_iter();
            let gears = gears.map(|(from, to, in_gear)| (from, to, gear(Some(in_gear))));
            self.figure.show(SECONDS, edge, *ahead_s, gears.collect());
        }
    }

    fn paint(&mut self, _: &Tick) {
        self.figure.paint(&self.scrolling.window.traces);
    }
}

/// The eight lanes, in the order that every page uses.
fn eight(units: Units) -> Vec<LaneSpec> {
    DEFAULT_LANES.iter().map(|lane| lane_spec(lane, units)).collect()
}

fn lane_spec(lane: &DefaultLane, units: Units) -> LaneSpec {
    let channel = lane.preferred();
    let ink = match channel {
        Channel::Throttle => Ink::Throttle,
        Channel::Brake => Ink::Brake,
        _ => Ink::Main,
    };
    let reference = LineSpec::of(channel, reference_column(channel), Ink::Reference);
    LaneSpec {
        name: lane.name.into(),
        unit: units.shown(channel.unit()),
        share: lane.weight,
        guides: &[0.0],
        lines: vec![
            LineSpec { paint: Paint::thin(Ink::Reference, 0.8), width: 1.2, ..reference },
            LineSpec::of(channel, column(channel), ink),
        ],
        one_scale: true,
        readouts: vec![Readout { ink, says: Says::Values(vec![1]) }],
    }
}

/// An entry of the legend: a line's name in its colour, and its value.
#[component]
fn KeyEntry(channel: Channel) -> impl IntoView {
    let (cockpit, settings) = (Cockpit::here(), SettingsStore::here());
    let now = cockpit.sampled(move |telemetry| {
        let range_deg = telemetry.shown().and_then(|source| settings.steering_deg(source.origin.feed));
        value_words(telemetry, channel, cockpit.units.get(), range_deg)
    });
    view! {
        <div class:absent=move || now.with(Option::is_none)>
            <dt data-channel=channel.id()>{channel.label()}</dt>
            <dd data-figure=channel.id()>{move || now.get().unwrap_or_else(|| NONE.to_owned())}</dd>
        </div>
    }
}

/// A channel's value in words. `steering_deg` is the wheel's range. Steering is an angle if the driver has set that or
/// the game sends the angle, else a share.
fn value_words(
    telemetry: &Telemetry,
    channel: Channel,
    units: Units,
    steering_deg: Option<f64>,
) -> Option<String> {
    let of_range = |share: f32| Some(share * (steering_deg? / 2.0).to_radians() as f32);
    let sent = || latest(telemetry, Channel::SteeringAngle);
    let angle = || latest(telemetry, channel).and_then(of_range).or_else(sent);
    let angle = if channel == Channel::Steering { angle() } else { None };
    match latest(telemetry, channel).filter(|_| angle.is_none()) {
        None => angle.map(|angle| match units.shown(Unit::Radians) {
            degrees if degrees.suffix == "°" => format!("{}°", printed(Some(angle), degrees)),
            other => format!("{} {}", printed(Some(angle), other), other.suffix),
        }),
        share => share.map(|_| printed(share, Unit::Ratio.shown())),
    }
}
