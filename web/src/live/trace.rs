//! The last seconds: the pedals in one picture, or eight lanes.

use leptos::prelude::*;
use trailbrake_shared::model::Channel;
use trailbrake_shared::plot::lane_table::{DEFAULT_LANES, DefaultLane};
use trailbrake_shared::units::{Unit, Units};

use super::actions::{Action, ActionContext};
use super::rolling::{SECONDS, Window, column};
use super::words::latest;
use crate::cockpit::Cockpit;
use crate::figures::{NONE, figure as printed};
use crate::frame::{self, Tick};
use crate::painter::{Across, Edge, Ink, LaneSpec, LaneStack, LineSpec, Sheet};
use crate::telemetry::Telemetry;
use crate::ui::{Canvas, Painting};

/// The gutter of the eight lanes, in CSS pixels.
const GUTTER: f32 = 104.0;
/// The channels of the key.
const KEY: [Channel; 4] = [Channel::Throttle, Channel::Brake, Channel::Clutch, Channel::Steering];

/// Whether the game sends any pedal or the wheel.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    let sent = |channel: &Channel| latest(telemetry, *channel).is_some();
    KEY.iter().any(sent) || sent(&Channel::SteeringAngle)
}

/// The panel: the pedals in one picture, or eight lanes of one channel each.
#[component]
pub(super) fn TracePanel() -> impl IntoView {
    let context = ActionContext::here();
    let lanes = context.lanes;
    view! {
        <section class="panel trace" aria-label="Last 12 seconds">
            <div class="head">
                <h2>"Last 12 seconds"</h2>
                <button
                    type="button"
                    class="quiet"
                    aria-pressed=move || if lanes.get() { "true" } else { "false" }
                    data-testid=Action::ToggleLanes.id()
                    on:click=move |_| context.run(Action::ToggleLanes)
                >
                    {move || if lanes.get() { "Pedals only" } else { "All lanes" }}
                </button>
                <dl class="key">{KEY.map(|channel| view! { <KeyEntry channel/> })}</dl>
            </div>
            {move || match lanes.get() {
                true => view! { <Traces label="Eight channels over the last 12 seconds" all=true/> }.into_any(),
                false => {
                    view! { <Traces label="Throttle, brake and steering over the last 12 seconds" all=false/> }
                        .into_any()
                }
            }}
        </section>
    }
    .into_any()
}

/// The picture.
#[component]
fn Traces(label: &'static str, all: bool) -> impl IntoView {
    let cockpit = Cockpit::here();
    let mount = move |sheet: Sheet| {
        let (specs, gutter) =
            if all { (eight(cockpit.units.get_untracked()), Some(GUTTER)) } else { (vec![pedals()], None) };
        RollingPainting {
            cockpit,
            lanes: LaneStack::new(sheet, specs, gutter),
            window: Window::new(),
            edge: Edge::default(),
        }
    };
    view! { <Canvas class="traces" label mount/> }
}

struct RollingPainting {
    cockpit: Cockpit,
    lanes: LaneStack,
    window: Window,
    edge: Edge,
}

impl Painting for RollingPainting {
    fn follow(&mut self, tick: &Tick) {
        self.cockpit.look(|telemetry| {
            if let Some(source) = telemetry.shown() {
                self.window.follow(source.origin, &source.session);
            }
        });
        if let Some(latest) = self.window.traces.latest() {
            let now = self.edge.advance(tick.now_ms, latest);
            self.lanes.show(Across::Rolling { seconds: SECONDS, edge: now });
            if now < latest {
                // The edge has not reached the latest sample yet.
                frame::request();
            }
        }
    }

    fn paint(&mut self, tick: &Tick) {
        self.lanes.paint(tick, &self.window.traces);
    }
}

/// The eight lanes, in the order in which they are compared everywhere.
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
    LaneSpec {
        name: lane.name.into(),
        unit: units.shown(channel.unit()),
        share: lane.weight,
        guides: &[0.0],
        lines: vec![LineSpec::of(channel, column(channel), ink)],
        one_scale: false,
        readouts: Vec::new(),
    }
}

/// The lane: steering behind, then throttle, and the brake above all.
fn pedals() -> LaneSpec {
    let line = |channel: Channel, ink, width| LineSpec::of(channel, column(channel), ink).wide(width);
    LaneSpec {
        name: "Pedals".into(),
        unit: Unit::Ratio.shown(),
        share: 1.0,
        guides: &[0.0, 0.5, 1.0],
        lines: vec![
            line(Channel::Steering, Ink::Soft, 1.2),
            line(Channel::Throttle, Ink::Throttle, 2.0),
            line(Channel::Brake, Ink::Brake, 2.0),
        ],
        one_scale: false,
        readouts: Vec::new(),
    }
}

/// A line's name in its colour, and its value.
#[component]
fn KeyEntry(channel: Channel) -> impl IntoView {
    let cockpit = Cockpit::here();
    let now = cockpit.sampled(move |telemetry| value_words(telemetry, channel, cockpit.units.get()));
    view! {
        <div class:absent=move || now.with(Option::is_none)>
            <dt data-channel=channel.id()>{channel.label()}</dt>
            <dd data-figure=channel.id()>{move || now.get().unwrap_or_else(|| NONE.to_owned())}</dd>
        </div>
    }
}

/// A channel's value. A game that sends no share of the wheel's lock may send the wheel's angle.
fn value_words(telemetry: &Telemetry, channel: Channel, units: Units) -> Option<String> {
    let angle = || latest(telemetry, Channel::SteeringAngle).filter(|_| channel == Channel::Steering);
    match latest(telemetry, channel) {
        None => angle().map(|angle| match units.shown(Unit::Radians) {
            degrees if degrees.suffix == "°" => format!("{}°", printed(Some(angle), degrees)),
            other => format!("{} {}", printed(Some(angle), other), other.suffix),
        }),
        share => share.map(|_| printed(share, Unit::Ratio.shown())),
    }
}
