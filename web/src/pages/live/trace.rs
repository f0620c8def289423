//! The last seconds: the pedals in one picture, or eight lanes.

use trailbrake_shared::model::Channel;
use trailbrake_shared::plot::lane_table::{DEFAULT_LANES, DefaultLane};
use trailbrake_shared::units::Unit;
use web_sys::HtmlElement;

use super::window::{SECONDS, Window, column};
use super::{Live, latest, sheet, why_missing};
use crate::dom::{Part, button, part};
use crate::figures::{NONE, figure as printed};
use crate::frame::{self, Subscription};
use crate::painter::{Across, Edge, Ink, LaneSpec, LaneStack, LineSpec, paint};
use crate::telemetry::Telemetry;

/// The gutter of the eight lanes, in CSS pixels.
const GUTTER: f32 = 104.0;

/// The panel: the pedals in one picture, or eight lanes of one channel each.
pub(super) fn trace(telemetry: &Telemetry, lanes: bool) -> Part {
    let shown = [Channel::Throttle, Channel::Brake, Channel::Clutch, Channel::Steering];
    let sent = shown.iter().any(|channel| latest(telemetry, *channel).is_some());
    let missing = (!lanes && !sent).then(|| {
        let why = why_missing(telemetry, "pedals or steering");
        part("p", "missing").says(&format!("{why} All lanes shows what else it sends."))
    });
    let change = button(if lanes { "Pedals only" } else { "All lanes" }, "quiet", "lanes")
        .set("aria-pressed", if lanes { "true" } else { "false" });
    let keys = shown.map(|channel| key(telemetry, channel)).into();
    part("section", "panel trace")
        .set("aria-label", "Last 12 seconds")
        .with(
            part("div", "head")
                .with(part("h2", "").says("Last 12 seconds"))
                .with(change)
                .with(part("dl", "key").with_all(keys)),
        )
        .perhaps(missing)
        // Each picture has an element of its own.
        .perhaps(lanes.then(|| sheet("traces", "Eight channels over the last 12 seconds")))
        .perhaps((!lanes).then(|| sheet("traces", "Throttle, brake and steering over the last 12 seconds")))
}

/// Paints the picture.
pub(super) fn begin(live: &Live, host: &HtmlElement) -> Option<Subscription> {
    let cockpit = live.cockpit;
    let (specs, gutter) = if live.lanes.get() { (eight(), Some(GUTTER)) } else { (vec![pedals()], None) };
    paint(host, move |sheet| {
        let mut lanes = LaneStack::new(sheet, specs, gutter);
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
    DEFAULT_LANES.into_iter().map(lane_spec).collect()
}

fn lane_spec(lane: &DefaultLane) -> LaneSpec {
    let channel = lane.preferred();
    let ink = match channel {
        Channel::Throttle => Ink::Throttle,
        Channel::Brake => Ink::Brake,
        _ => Ink::Main,
    };
    LaneSpec {
        name: lane.name.into(),
        unit: channel.unit(),
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
fn key(telemetry: &Telemetry, channel: Channel) -> Part {
    let angle = || latest(telemetry, Channel::SteeringAngle).filter(|_| channel == Channel::Steering);
    let now = match latest(telemetry, channel) {
        None => angle().map(|angle| format!("{}°", printed(Some(angle), Unit::Radians.shown()))),
        share => share.map(|_| printed(share, Unit::Ratio.shown())),
    };
    part("div", if now.is_none() { "absent" } else { "" })
        .with(part("dt", "").set("data-channel", channel.id()).says(channel.label()))
        .with(part("dd", "").set("data-figure", channel.id()).says(now.as_deref().unwrap_or(NONE)))
}
