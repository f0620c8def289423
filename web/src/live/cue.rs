//! The corner cue: the next corner, and the metres to its brake point, the reference's or the driver's own.

use leptos::html::{Button, Span};
use leptos::prelude::*;
use trailbrake_shared::number;
use trailbrake_shared::session::{NextCorner, Session};

use super::actions::{Action, ActionContext};
use crate::frame::{self, Phase};

/// The driver gets ready to brake from this distance to the brake point, in metres.
const NEAR_M: f64 = 100.0;
/// Beyond this distance, in metres, the cue counts in steps of ten.
const FAR_M: f64 = 150.0;

/// The player's next corner. `None` without a reference or a known position, and while another car is watched.
fn next(session: &Session) -> Option<NextCorner> {
    let comparison = session.live_comparison();
    let reference = comparison.reference().filter(|_| session.watched() == session.player())?;
    comparison.corners().next(reference, !session.is_stage())
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
    let cockpit = context.cockpit;
    let title = cockpit
        .sampled(|telemetry| telemetry.session().and_then(next).map(|next| next.title).unwrap_or_default());
    let is_own =
        cockpit.sampled(|telemetry| telemetry.session().and_then(next).is_some_and(|next| next.by_hand));
    let (cue, metres) = (NodeRef::<Button>::new(), NodeRef::<Span>::new());
    let subscription = StoredValue::new_local(None);
    Effect::new(move |_| {
        let (Some(cue), Some(metres)) = (cue.get(), metres.get()) else { return };
        let mut shown = None;
        // The distance changes with each frame, so it bypasses the signals.
        subscription.set_value(Some(frame::on(Phase::Draw, move |_| {
            let next = cockpit.look(|telemetry| telemetry.session().and_then(next));
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
            on:click=move |_| context.run(Action::ShowBrakePoints)
            node_ref=cue
        >
            <span data-figure="next-corner">{move || title.get()}</span>
            <span class="metres" data-figure="brake-point" node_ref=metres></span>
        </button>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_gets_exact_near_the_brake_point() {
        let shown: Vec<_> = [437.0, 150.4, 149.6, 99.5, 3.2, 0.0, -6.0].map(distance).to_vec();
        assert_eq!(shown, ["440 m", "150 m", "150 m", "100 m", "3 m", "Brake", "Brake"]);
        assert_eq!([437.0, 99.0, -1.0].map(nearness), ["far", "near", "here"]);
    }
}
