//! Pedals and steering over the last seconds.

use leptos::prelude::*;
use trailbrake_shared::model::Channel;
use trailbrake_shared::units::Unit;

use super::latest;
use super::window::{CHANNELS, SECONDS, Window};
use crate::cockpit::Cockpit;
use crate::figures::figure as printed;
use crate::frame;
use crate::painter::{Across, Edge, Ink, LaneSpec, LaneStack, LineSpec, figure};

/// The panel.
pub(super) fn trace() -> impl IntoView {
    let cockpit = Cockpit::here();
    let shown = [Channel::Throttle, Channel::Brake, Channel::Clutch, Channel::Steering];
    view! {
        <section class="panel trace" aria-label="Last 12 seconds">
            <div class="head">
                <h2>"Last 12 seconds"</h2>
                <dl class="key">{shown.map(|channel| key(cockpit, channel))}</dl>
            </div>
            {figure("traces", "Throttle, brake and steering over the last 12 seconds", move |sheet| {
                let mut lanes = LaneStack::new(sheet, vec![pedals()], None);
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
            })}
        </section>
    }
}

/// The lane: steering behind, then throttle, and the brake above all.
fn pedals() -> LaneSpec {
    let line = |channel: Channel, ink, width| {
        let column = CHANNELS.iter().position(|other| *other == channel).unwrap_or_default();
        LineSpec::of(channel, column, ink).wide(width)
    };
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
    }
}

/// A line's colour, name and value now.
fn key(cockpit: Cockpit, channel: Channel) -> impl IntoView {
    let now = cockpit.sampled(move |telemetry| latest(telemetry, channel));
    view! {
        <div class:absent=move || now.get().is_none()>
            <dt data-channel=channel.id()>{channel.label()}</dt>
            <dd data-figure=channel.id()>{move || printed(now.get(), Unit::Ratio.shown())}</dd>
        </div>
    }
}
