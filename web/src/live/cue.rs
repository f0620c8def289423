//! The corner cue: the next corner, and the metres to its brake point, the reference's or the driver's own.

use leptos::html::{Button, Span};
use leptos::prelude::*;
use trailbrake_shared::model::{Channel, Columns};
use trailbrake_shared::number;
use trailbrake_shared::session::{NextCorner, Session};

use super::actions::{Action, ActionContext};
use crate::frame::{self, Phase};
use crate::painter::NEAR_M;
use crate::text::figures::gear;
use crate::ui::{ActionTable, PageAction};

/// The longest corner, in seconds from its brake point, and the speed gained since the slowest place, in metres per
/// second, that ends it.
const CORNER_S: f32 = 10.0;
const OUT_OF_CORNER_M_S: f32 = 3.0;
/// Beyond this distance, in metres, the cue counts in steps of ten.
const FAR_M: f64 = 150.0;

/// The player's next corner. `None` without a reference or a known position, and while another car is watched.
pub(super) fn next(session: &Session) -> Option<NextCorner> {
    let comparison = session.live_comparison();
    let reference = comparison.reference().filter(|_| session.watched() == session.player())?;
    comparison.corners().next(reference, !session.is_stage())
}

/// The reference's gear at the slowest place after a brake point, in words: a hairpin differs from a lift.
fn corner_gear(session: &Session, next: &NextCorner) -> Option<String> {
    let comparison = session.live_comparison();
    let columns = comparison.reference_columns(session.car(session.player()?)?)?;
    let clock_s = comparison.reference()?.curve.clock_at(next.brake_m as f32)?;
    gear_at_slowest(columns, clock_s).map(|in_gear| gear(Some(in_gear)).to_owned())
}

/// The gear at the lowest speed of the first braking after a time of the lap clock.
fn gear_at_slowest(columns: &Columns, clock_s: f32) -> Option<f32> {
    let line = |channel: Channel| columns.line(channel.slot());
    let (clocks, speeds, gears) = (line(Channel::LapClock)?, line(Channel::Speed)?, line(Channel::Gear)?);
    let mut slowest: Option<(f32, usize)> = None;
    for row in 0..columns.len() {
        let Some((clock, speed)) = clocks.value(row).zip(speeds.value(row)) else { continue };
        if clock < clock_s {
            continue;
        }
        match slowest {
            _ if clock > clock_s + CORNER_S => break,
            Some((least, _)) if speed > least + OUT_OF_CORNER_M_S => break,
            Some((least, _)) if speed >= least => {}
            _ => slowest = Some((speed, row)),
        }
    }
    gears.latest(slowest?.1)
}

/// The distance to the brake point as a word for the style sheet.
const fn nearness(ahead_m: f64) -> &'static str {
    if ahead_m <= 0.0 {
        "here"
    } else if ahead_m <= NEAR_M {
        "near"
    } else {
        "far"
    }
}

/// The distance to the brake point in words. At the brake point it is `Brake`.
fn distance(ahead_m: f64) -> String {
    let step = if ahead_m > FAR_M { 10.0 } else { 1.0 };
    match ahead_m {
        ..=0.0 => "Brake".to_owned(),
        metres => format!("{} m", number::write((metres / step).round() * step, 0)),
    }
}

/// The cue, a button that opens the dialog of brake points. It keeps its room while no corner is known, so that nothing
/// moves.
#[component]
pub(super) fn CornerCue() -> impl IntoView {
    let context = ActionContext::here();
    let telemetry = context.telemetry;
    let title = telemetry
        .sampled(|telemetry| telemetry.session().and_then(next).map(|next| next.title).unwrap_or_default());
    let in_gear = telemetry.sampled(|telemetry| {
        let session = telemetry.session()?;
        corner_gear(session, &next(session)?)
    });
    let in_gear = move || in_gear.get().map(|gear| view! { <small>" to gear " {gear}</small> });
    let is_own =
        telemetry.sampled(|telemetry| telemetry.session().and_then(next).is_some_and(|next| next.by_hand));
    let (cue, metres) = (NodeRef::<Button>::new(), NodeRef::<Span>::new());
    let subscription = StoredValue::new_local(None);
    Effect::new(move |_| {
        let (Some(cue), Some(metres)) = (cue.get(), metres.get()) else { return };
        let mut shown = None;
        // The distance changes with each frame, so it bypasses the signals.
        subscription.set_value(Some(frame::on(Phase::Draw, move |_| {
            let next = telemetry.look(|telemetry| telemetry.session().and_then(next));
            let now = next.map(|next| (nearness(next.ahead_m), distance(next.ahead_m)));
            if shown == now {
                return;
            }
            let (near, words) = now.clone().unwrap_or(("none", String::new()));
            // Both elements are in the document.
            let _ = cue.set_attribute("data-near", near);
            metres.set_text_content(Some(&words));
            shown = now;
        })));
        frame::request();
    });
    view! {
        <button
            type="button"
            class="cue"
            title="Your brake points"
            data-near="none"
            data-own=move || is_own.get().to_string()
            data-testid=Action::ShowBrakePoints.id()
            on:click=move |_| Action::ShowBrakePoints.choose(context)
            node_ref=cue
        >
            <span>
                <b data-figure="next-corner">{move || title.get()}</b>
                {in_gear}
            </span>
            <span class="metres" data-figure="brake-point" node_ref=metres></span>
        </button>
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::model::Moment;
    use trailbrake_shared::time::Micros;

    use super::*;

    #[test]
    fn the_gear_of_a_corner_is_that_at_its_slowest_place() {
        let mut columns = Columns::default();
        let speeds = [80.0, 60.0, 40.0, 22.0, 20.0, 24.0, 40.0, 10.0];
        for (frame, (speed, gear)) in
            (0..).zip(speeds.into_iter().zip([8.0, 6.0, 4.0, 3.0, 2.0, 3.0, 4.0, 1.0]))
        {
            let seconds = f64::from(frame);
            let moment = Moment { at: Micros(1), session_time: Some(seconds), frame: Some(frame) };
            let clock = (Channel::LapClock.slot(), seconds as f32);
            columns.push(moment, [clock, (Channel::Speed.slot(), speed), (Channel::Gear.slot(), gear)]);
        }
        assert_eq!(gear_at_slowest(&columns, 1.0), Some(2.0), "the next corner's gear 1 is not this one's");
        assert_eq!(gear_at_slowest(&columns, 6.5), Some(1.0));
        assert_eq!(gear_at_slowest(&columns, 9.0), None);
    }

    #[test]
    fn the_distance_gets_exact_near_the_brake_point() {
        let shown: Vec<_> = [437.0, 150.4, 149.6, 99.5, 3.2, 0.0, -6.0].map(distance).to_vec();
        assert_eq!(shown, ["440 m", "150 m", "150 m", "100 m", "3 m", "Brake", "Brake"]);
        assert_eq!([437.0, 139.0, -1.0].map(nearness), ["far", "near", "here"]);
    }
}
