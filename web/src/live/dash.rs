//! The dash: gear, speed, engine, delta and next corner across the page, to read at a glance.

use leptos::html::Div;
use leptos::prelude::*;
use trailbrake_shared::model::Channel;
use trailbrake_shared::number::{self, thousands};
use trailbrake_shared::units::Unit;
use web_sys::HtmlElement;

use super::brake_points::BrakePointsDialog;
use super::cue::CornerCue;
use super::delta::DeltaPanel;
use super::words::latest;
use crate::cockpit::{Display, TelemetryStore};
use crate::frame::{self, Phase};
use crate::telemetry::Telemetry;
use crate::text::figures::{NONE, figure, gear};

/// Number of shift lights that the style sheet draws.
const LIGHTS: f32 = 15.0;

/// The panel.
#[component]
pub(super) fn Dash() -> impl IntoView {
    let (telemetry, display) = (TelemetryStore::here(), Display::here());
    let unit = move || display.units.get().shown(Unit::MetresPerSecond);
    let speed = telemetry.sampled(move |telemetry| figure(latest(telemetry, Channel::Speed), unit()));
    let rpm = telemetry.sampled(|telemetry| {
        let rpm = latest(telemetry, Channel::Rpm);
        rpm.map_or_else(|| NONE.to_owned(), |rpm| thousands(rpm.max(0.0) as u64))
    });
    let has_lights = telemetry.sampled(|telemetry| latest(telemetry, Channel::RevLights).is_some());
    let (gear, lights, revs) = (NodeRef::new(), NodeRef::new(), NodeRef::new());
    follow_engine(telemetry, gear, lights, revs);
    view! {
        <section class="panel dash" aria-label="Dash">
            <div class="own-car">
                // Gear and bars change with each frame, so they bypass the signals.
                <div class="gear" data-figure="gear" node_ref=gear>{NONE}</div>
                <div class="engine">
                    <div class="figures">
                        <span class="speed">
                            <b data-figure="speed">{move || speed.get()}</b>
                            <small>{move || unit().suffix}</small>
                        </span>
                        <span class="rpm">
                            <b data-figure="rpm">{move || rpm.get()}</b>
                            <small>"rpm"</small>
                        </span>
                    </div>
                    <div class="shift-lights" class:absent=move || !has_lights.get() aria-hidden="true">
                        <div class="lit" node_ref=lights></div>
                    </div>
                    <div class="rpm-bar" aria-hidden="true"><div class="lit" node_ref=revs></div></div>
                </div>
            </div>
            <DeltaPanel/>
            <CornerCue/>
            <BrakePointsDialog/>
        </section>
    }
    .into_any()
}

/// Updates gear and bars with each frame.
fn follow_engine(telemetry: TelemetryStore, gear: NodeRef<Div>, lights: NodeRef<Div>, engine: NodeRef<Div>) {
    let subscription = StoredValue::new_local(None);
    Effect::new(move |_| {
        let (Some(gear), Some(lights), Some(engine)) = (gear.get(), lights.get(), engine.get()) else {
            return;
        };
        let (mut engine, mut lights) = (Bar::new(engine.into()), Bar::new(lights.into()));
        let mut shown = None;
        subscription.set_value(Some(frame::on(Phase::Draw, move |_| {
            let (in_gear, revs, lit) = telemetry.look(|telemetry| {
                (in_gear(telemetry), revs(telemetry), latest(telemetry, Channel::RevLights))
            });
            if shown.as_ref() != Some(&in_gear) {
                gear.set_text_content(Some(&in_gear));
                shown = Some(in_gear);
            }
            // Only whole blocks are lit.
            let whole = |share: Option<f32>| (share.unwrap_or(0.0) * LIGHTS).round() / LIGHTS;
            engine.show(whole(revs));
            lights.show(whole(lit));
        })));
        frame::request();
    });
}

/// The gear as drivers name it, or its raw number if the numbering is unknown.
pub(super) fn in_gear(telemetry: &Telemetry) -> String {
    match (latest(telemetry, Channel::Gear), latest(telemetry, Channel::GearNumber)) {
        (None, Some(sent)) => number::write(sent.into(), 0),
        (named, _) => gear(named),
    }
}

/// Engine speed as a share of the maximum. Without a maximum from the game, of the channel's range.
fn revs(telemetry: &Telemetry) -> Option<f32> {
    let most = latest(telemetry, Channel::MaxRpm).filter(|most| *most > 0.0);
    Some(latest(telemetry, Channel::Rpm)? / most.unwrap_or(Channel::Rpm.range().1))
}

/// A bar that is lit up to a share.
struct Bar {
    element: HtmlElement,
    /// The shown share in thousandths, since finer steps are invisible. -1 before the first one.
    shown: i32,
}

impl Bar {
    fn new(element: HtmlElement) -> Self {
        Self { element, shown: -1 }
    }

    fn show(&mut self, share: f32) {
        let thousandths = (share.clamp(0.0, 1.0) * 1e3).round() as i32;
        if thousandths != self.shown {
            self.shown = thousandths;
            let hidden = number::write(f64::from(1_000 - thousandths) / 10.0, 1);
            let _ = self.element.style().set_property("clip-path", &format!("inset(0 {hidden}% 0 0)"));
        }
    }
}
