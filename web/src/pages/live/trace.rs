//! The last seconds: the pedals in one picture, or eight lanes.

use leptos::prelude::*;
use trailbrake_shared::model::Channel;
use trailbrake_shared::units::Unit;

use super::window::{SECONDS, Window, column};
use super::{latest, why_missing};
use crate::browser;
use crate::cockpit::Cockpit;
use crate::figures::{NONE, figure as printed};
use crate::frame;
use crate::painter::{Across, Edge, Ink, LaneSpec, LaneStack, LineSpec, figure};
use crate::show::Show;

/// Where the browser keeps which of the two pictures is shown.
const KEY: &str = "trailbrake-trace";
/// The gutter of the eight lanes, in CSS pixels.
const GUTTER: f32 = 104.0;

/// The panel: the pedals in one picture, or eight lanes of one channel each.
pub(super) fn trace() -> impl IntoView {
    let cockpit = Cockpit::here();
    let lanes = RwSignal::new(browser::kept(KEY).as_deref() == Some("lanes"));
    let change = move |_| {
        lanes.update(|lanes| *lanes = !*lanes);
        browser::keep(KEY, if lanes.get_untracked() { "lanes" } else { "pedals" });
    };
    let shown = [Channel::Throttle, Channel::Brake, Channel::Clutch, Channel::Steering];
    let missing = cockpit.sampled(move |telemetry| {
        let sent = shown.iter().any(|channel| latest(telemetry, *channel).is_some());
        (!sent).then(|| {
            format!("{} All lanes shows what else it sends.", why_missing(telemetry, "pedals or steering"))
        })
    });
    view! {
        <section class="panel trace" aria-label="Last 12 seconds">
            <div class="head">
                <h2>"Last 12 seconds"</h2>
                <button
                    type="button"
                    class="quiet"
                    data-action="lanes"
                    aria-pressed=move || lanes.get().to_string()
                    on:click=change
                >
                    {move || if lanes.get() { "Pedals only" } else { "All lanes" }}
                </button>
                <dl class="key">{shown.map(|channel| key(cockpit, channel))}</dl>
            </div>
            <Show when=move || !lanes.get() && missing.read().is_some()>
                <p class="missing">{move || missing.get()}</p>
            </Show>
            {move || match lanes.get() {
                true => picture(cockpit, "Eight channels over the last 12 seconds", eight, Some(GUTTER)).into_any(),
                false => {
                    picture(cockpit, "Throttle, brake and steering over the last 12 seconds", || vec![pedals()], None)
                        .into_any()
                }
            }}
        </section>
    }
}

fn picture(
    cockpit: Cockpit,
    label: &'static str,
    specs: fn() -> Vec<LaneSpec>,
    gutter: Option<f32>,
) -> impl IntoView {
    figure("traces", label, move |sheet| {
        let mut lanes = LaneStack::new(sheet, specs(), gutter);
        let (mut window, mut edge) = (Window::new(), Edge::default());
        move |tick| {
            cockpit.look(|telemetry| {
                if let Some(source) = telemetry.shown() {
                    window.follow(source.origin, &source.session);
                }
            });
            if let Some(latest) = window.traces.latest() {
                let now = edge.advance(tick.now_ms, latest);
                lanes.show(Across::Rolling { seconds: SECONDS, edge: now });
                if now < latest {
                    // The edge is still on its way to what has arrived.
                    frame::request();
                }
            }
            lanes.paint(tick, &window.traces);
        }
    })
}

/// The eight lanes, in the order in which they are compared everywhere.
fn eight() -> Vec<LaneSpec> {
    let lane = |channel: Channel, name: &'static str, ink, share| LaneSpec {
        name,
        unit: channel.unit(),
        share,
        guides: &[0.0],
        lines: vec![LineSpec::of(channel, column(channel), ink)],
        one_scale: false,
        readouts: Vec::new(),
    };
    vec![
        lane(Channel::Speed, "Speed", Ink::Main, 1.6),
        lane(Channel::Throttle, "Throttle", Ink::Throttle, 1.0),
        lane(Channel::Brake, "Brake", Ink::Brake, 1.0),
        lane(Channel::Gear, "Gear", Ink::Main, 0.8),
        lane(Channel::Rpm, "RPM", Ink::Main, 0.8),
        lane(Channel::Steering, "Steering", Ink::Main, 1.0),
        lane(Channel::GLateral, "G lateral", Ink::Main, 1.0),
        lane(Channel::GLongitudinal, "G long", Ink::Main, 1.0),
    ]
}

/// The lane: steering behind, then throttle, and the brake above all.
fn pedals() -> LaneSpec {
    let line = |channel: Channel, ink, width| LineSpec::of(channel, column(channel), ink).wide(width);
    LaneSpec {
        name: "Pedals",
        unit: Unit::Ratio,
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

/// A line's colour, name and value now. Where a game tells no share of the wheel's lock it may tell the wheel's angle.
fn key(cockpit: Cockpit, channel: Channel) -> impl IntoView {
    let now = cockpit.sampled(move |telemetry| {
        let angle = || latest(telemetry, Channel::SteeringAngle).filter(|_| channel == Channel::Steering);
        match latest(telemetry, channel) {
            None => angle().map(|angle| format!("{}°", printed(Some(angle), Unit::Radians.shown()))),
            share => share.map(|_| printed(share, Unit::Ratio.shown())),
        }
    });
    view! {
        <div class:absent=move || now.read().is_none()>
            <dt data-channel=channel.id()>{channel.label()}</dt>
            <dd data-figure=channel.id()>{move || now.get().unwrap_or_else(|| NONE.to_owned())}</dd>
        </div>
    }
}
