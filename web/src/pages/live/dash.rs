//! Gear, speed, engine and delta: what is read at a glance.

use leptos::html::{B, Div};
use leptos::prelude::*;
use trailbrake_shared::analysis::Method;
use trailbrake_shared::model::Channel;
use trailbrake_shared::units::Unit;
use web_sys::HtmlElement;

use super::latest;
use crate::cockpit::Cockpit;
use crate::figures::{NONE, clock, figure, gear, number, thousands};
use crate::frame::{self, Phase, Subscription};
use crate::telemetry::Telemetry;

/// How many shift lights the style sheet draws.
const LIGHTS: f32 = 15.0;

/// The panel.
pub(super) fn dash() -> impl IntoView {
    let cockpit = Cockpit::here();
    let unit = Unit::MetresPerSecond.shown();
    let speed = cockpit.sampled(|telemetry| figure(latest(telemetry, Channel::Speed), unit));
    let rpm = cockpit.sampled(|telemetry| {
        latest(telemetry, Channel::Rpm).map_or_else(|| NONE.to_owned(), |rpm| thousands(rpm.max(0.0) as u64))
    });
    let has_lights = cockpit.sampled(|telemetry| latest(telemetry, Channel::RevLights).is_some());
    let gear_now = NodeRef::<Div>::new();
    let engine = NodeRef::<Div>::new();
    let lights = NodeRef::<Div>::new();
    follow_frames(cockpit, gear_now, engine, lights);
    view! {
        <section class="panel dash" aria-label="Dash">
            <div class="gear" data-figure="gear" node_ref=gear_now>{NONE}</div>
            <div class="engine">
                <div class="figures">
                    <span class="speed"><b data-figure="speed">{speed}</b><small>{unit.suffix}</small></span>
                    <span class="rpm"><b data-figure="rpm">{rpm}</b><small>"rpm"</small></span>
                </div>
                <div class="shift-lights" class:absent=move || !has_lights.get() aria-hidden="true">
                    <div class="lit" node_ref=lights></div>
                </div>
                <div class="rpm-bar" aria-hidden="true"><div class="lit" node_ref=engine></div></div>
            </div>
            {delta(cockpit)}
        </section>
    }
}

/// The gear and the engine's bars change as fast as the screen does, past all signals.
fn follow_frames(cockpit: Cockpit, gear_now: NodeRef<Div>, engine: NodeRef<Div>, lights: NodeRef<Div>) {
    let following = StoredValue::new_local(None::<Subscription>);
    Effect::new(move |_| {
        let (Some(gear_now), Some(engine), Some(lights)) = (gear_now.get(), engine.get(), lights.get())
        else {
            return;
        };
        let (mut engine, mut lights) = (Bar::new(engine), Bar::new(lights));
        let mut shown = None;
        let write = move |_: &frame::Tick| {
            let (in_gear, revs, lit) = cockpit.look(|telemetry| {
                (in_gear(telemetry), revs(telemetry), latest(telemetry, Channel::RevLights))
            });
            if shown.as_ref() != Some(&in_gear) {
                gear_now.set_text_content(Some(&in_gear));
                shown = Some(in_gear);
            }
            engine.show(revs.unwrap_or(0.0));
            // A light is on or off.
            lights.show((lit.unwrap_or(0.0) * LIGHTS).round() / LIGHTS);
        };
        following.set_value(Some(frame::on(Phase::Draw, write)));
        frame::request();
    });
}

/// The gear as drivers name it; as its number where a game does not tell how it numbers them.
fn in_gear(telemetry: &Telemetry) -> String {
    match (latest(telemetry, Channel::Gear), latest(telemetry, Channel::GearNumber)) {
        (None, Some(sent)) => number(sent.into(), 0),
        (named, _) => gear(named),
    }
}

/// The engine's speed as a share of its highest.
fn revs(telemetry: &Telemetry) -> Option<f32> {
    let most = latest(telemetry, Channel::MaxRpm).filter(|most| *most > 0.0);
    Some(latest(telemetry, Channel::Rpm)? / most.unwrap_or(Channel::Rpm.range().1))
}

/// A bar of which so much is seen.
struct Bar {
    element: HtmlElement,
    /// Thousandths; finer steps could not be seen.
    shown: i32,
}

impl Bar {
    fn new(element: impl Into<HtmlElement>) -> Self {
        Self { element: element.into(), shown: -1 }
    }

    fn show(&mut self, share: f32) {
        let thousandths = (share.clamp(0.0, 1.0) * 1e3).round() as i32;
        if thousandths != self.shown {
            self.shown = thousandths;
            let hidden = number(f64::from(1_000 - thousandths) / 10.0, 1);
            let _ = self.element.style().set_property("clip-path", &format!("inset(0 {hidden}% 0 0)"));
        }
    }
}

/// What the delta is, or why there is none.
#[derive(Clone, Debug, PartialEq)]
struct Delta {
    seconds: Option<f32>,
    why: String,
    /// The lap under way: its number and its clock.
    lap: String,
    /// The reference.
    against: String,
    /// What tells where the car is beside it, in words.
    by: &'static str,
}

fn delta(cockpit: Cockpit) -> impl IntoView {
    let now = cockpit.sampled(read_delta);
    let figure = NodeRef::<B>::new();
    let trend = move || match now.read().seconds {
        Some(behind) if behind >= 0.0005 => "behind",
        Some(behind) if behind <= -0.0005 => "ahead",
        Some(_) => "level",
        None => "none",
    };
    let words = move || match now.read().seconds {
        // The sign is printed also when it says "slower": colour is never the only cue.
        Some(behind) if behind >= 0.0005 => format!("+{}", number(behind.into(), 3)),
        Some(behind) => number(behind.into(), 3),
        None => NONE.to_owned(),
    };
    view! {
        <div class="delta" data-trend=trend title=move || now.read().by>
            <b data-figure="delta" node_ref=figure>{words}</b>
            <span>{move || now.read().lap.clone()}</span>
            <span>{move || {
                let now = now.read();
                if now.seconds.is_some() { now.against.clone() } else { now.why.clone() }
            }}</span>
        </div>
    }
}

fn read_delta(telemetry: &Telemetry) -> Delta {
    let nothing =
        Delta { seconds: None, why: String::new(), lap: String::new(), against: String::new(), by: "" };
    let Some(session) = telemetry.session() else { return nothing };
    let against = session.against();
    let progress = session.watched().and_then(|car| session.car(car)?.progress);
    let run = session.watched().and_then(|car| Some(session.car(car)?.laps.run().saturating_add(1)));
    let lap = progress.map(|progress| {
        let name = match run.filter(|_| session.is_stage()) {
            Some(run) => format!("run {run}"),
            None => format!("lap {}", progress.lap),
        };
        match progress.clock {
            Some(seconds) => format!("{name} · {}", clock(seconds)),
            None => name,
        }
    });
    if session.player().is_none()
        && let Some(car) = session.watched()
    {
        // There is nobody whose laps to compare; whose figures these are has to be said instead.
        let why = match session.picked() {
            Some(picked) if picked == car => format!("shown: {}", session.name(car)),
            _ => format!("shown: the leader, {}", session.name(car)),
        };
        return Delta { why, lap: lap.unwrap_or_default(), ..nothing };
    }
    let reference = against.reference().map(|reference| match against.chosen() {
        Some(_) if session.is_stage() => format!("chosen {}", reference.curve.time()),
        Some(_) => format!("lap {} · {}", reference.number, reference.curve.time()),
        None => format!("best {}", reference.curve.time()),
    });
    Delta {
        seconds: against.delta().ok(),
        why: against.delta().err().map(|why| why.to_string()).unwrap_or_default(),
        lap: lap.unwrap_or_default(),
        against: reference.unwrap_or_default(),
        by: against.method().map(Method::words).unwrap_or_default(),
    }
}
