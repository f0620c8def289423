//! Gear, speed, engine and delta: what is read at a glance.

use trailbrake_shared::analysis::Method;
use trailbrake_shared::model::Channel;
use trailbrake_shared::number::{self, thousands};
use trailbrake_shared::units::Unit;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::{Live, latest};
use crate::dom::{Part, part};
use crate::figures::{NONE, clock, figure, gear};
use crate::frame::{self, Phase, Subscription};
use crate::telemetry::Telemetry;

/// How many shift lights the style sheet draws.
const LIGHTS: f32 = 15.0;

/// The panel.
pub(super) fn dash(telemetry: &Telemetry) -> Part {
    let unit = Unit::MetresPerSecond.shown();
    let speed = figure(latest(telemetry, Channel::Speed), unit);
    let rpm = latest(telemetry, Channel::Rpm);
    let rpm = rpm.map_or_else(|| NONE.to_owned(), |rpm| thousands(rpm.max(0.0) as u64));
    let of = |class: &str, name: &str, value: &str, unit: &str| {
        let value = part("b", "").set("data-figure", name).says(value);
        part("span", class).with(value).with(part("small", "").says(unit))
    };
    let bar = |class: &str| part("div", class).set("aria-hidden", "true").with(part("div", "lit"));
    let has_lights = latest(telemetry, Channel::RevLights).is_some();
    part("section", "panel dash")
        .set("aria-label", "Dash")
        // The gear and the engine's bars change as fast as the screen does: they are none of this drawing's.
        .with(part("div", "gear").set("data-figure", "gear").says(NONE))
        .with(
            part("div", "engine")
                .with(
                    part("div", "figures")
                        .with(of("speed", "speed", &speed, unit.suffix))
                        .with(of("rpm", "rpm", &rpm, "rpm")),
                )
                .with(bar(if has_lights { "shift-lights" } else { "shift-lights absent" }))
                .with(bar("rpm-bar")),
        )
        .with(delta(&read_delta(telemetry)))
}

/// Has gear and bars follow each frame.
pub(super) fn begin(live: &Live, dash: &HtmlElement) -> Option<Subscription> {
    let inside = |selector| dash.query_selector(selector).ok()??.dyn_into::<HtmlElement>().ok();
    let gear_now = inside(".gear")?;
    let (mut engine, mut lights) =
        (Bar::new(inside(".rpm-bar .lit")?), Bar::new(inside(".shift-lights .lit")?));
    let cockpit = live.cockpit;
    let mut shown = None;
    let following = frame::on(Phase::Draw, move |_| {
        let (in_gear, revs, lit) = cockpit
            .look(|telemetry| (in_gear(telemetry), revs(telemetry), latest(telemetry, Channel::RevLights)));
        if shown.as_ref() != Some(&in_gear) {
            gear_now.set_text_content(Some(&in_gear));
            shown = Some(in_gear);
        }
        engine.show(revs.unwrap_or(0.0));
        // A light is on or off.
        lights.show((lit.unwrap_or(0.0) * LIGHTS).round() / LIGHTS);
    });
    frame::request();
    Some(following)
}

/// The gear as drivers name it; as its number where a game does not tell how it numbers them.
fn in_gear(telemetry: &Telemetry) -> String {
    match (latest(telemetry, Channel::Gear), latest(telemetry, Channel::GearNumber)) {
        (None, Some(sent)) => number::write(sent.into(), 0),
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

/// What the delta is, or why there is none.
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

fn delta(now: &Delta) -> Part {
    let (trend, words) = match now.seconds {
        // The sign is printed also when it says "slower": colour is never the only cue.
        Some(behind) if behind >= 0.0005 => ("behind", format!("+{}", number::write(behind.into(), 3))),
        Some(behind) if behind <= -0.0005 => ("ahead", number::write(behind.into(), 3)),
        Some(behind) => ("level", number::write(behind.into(), 3)),
        None => ("none", NONE.to_owned()),
    };
    part("div", "delta")
        .set("data-trend", trend)
        .set("title", now.by)
        .with(part("b", "").set("data-figure", "delta").says(&words))
        .with(part("span", "").says(&now.lap))
        .with(part("span", "").says(if now.seconds.is_some() { &now.against } else { &now.why }))
}

fn read_delta(telemetry: &Telemetry) -> Delta {
    let nothing =
        Delta { seconds: None, why: String::new(), lap: String::new(), against: String::new(), by: "" };
    let Some(session) = telemetry.session() else { return nothing };
    let against = session.live_comparison();
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
        _ if reference.serial.is_none() => format!("all-time best {}", reference.curve.time()),
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
