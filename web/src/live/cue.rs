//! The next corner with the metres to its brake point: the reference's, or one's own.

use leptos::html::{Button, Span};
use leptos::prelude::*;
use trailbrake_shared::number;
use trailbrake_shared::session::{NextCorner, Session};

use super::actions::{Action, ActionContext};
use crate::frame::{self, Phase};

/// From here on the driver gets ready to brake, metres.
const NEAR_M: f64 = 100.0;
/// Further away the distance is shown in steps of ten, metres.
const FAR_M: f64 = 150.0;

/// The next corner of the player, while the player is watched.
fn next(session: &Session) -> Option<NextCorner> {
    let comparison = session.live_comparison();
    let reference = comparison.reference().filter(|_| session.watched() == session.player())?;
    comparison.corners().next(reference, !session.is_stage())
}

/// How near the brake point is, for the style sheet.
const fn nearness(ahead_m: f64) -> &'static str {
    if ahead_m <= 0.0 {
        "here"
    } else if ahead_m <= NEAR_M {
        "near"
    } else {
        "far"
    }
}

/// The distance in words.
fn distance(ahead_m: f64) -> String {
    let step = if ahead_m > FAR_M { 10.0 } else { 1.0 };
    match ahead_m {
        ..=0.0 => "Brake".to_owned(),
        metres => format!("{} m", number::write((metres / step).round() * step, 0)),
    }
}

/// The cue, and the way to one's own brake points. Its place stays while there is none, so that nothing moves.
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
        // The distance changes with each frame.
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
