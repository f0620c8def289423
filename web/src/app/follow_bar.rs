//! The bar below the header while this page follows another one.

use leptos::prelude::*;

use super::analyse_state::AnalyseState;
use crate::analyse::AddressFollower;
use crate::cockpit::Navigation;
use crate::room::Room;
use crate::route::Page;

/// Shows whom the page follows, with a button to stop.
#[component]
pub(super) fn FollowBar() -> impl IntoView {
    let (navigation, state, room) = (Navigation::here(), AnalyseState::here(), Room::here());
    let title = Memo::new(move |_| {
        room.following.with(|following| following.as_ref().map(|following| following.title().to_owned()))
    });
    let misses = move || state.follower.get().is_some_and(AddressFollower::misses_recording);
    let is_missing = move || navigation.page.get() == Page::Analyse && misses();
    let words = move || title.get().map(|title| words(&title, is_missing()));
    view! {
        <Show when=move || title.with(Option::is_some)>
            <div class="faults follow-bar" role="status" data-testid="follow-bar">
                <span>{words}</span>
                <button type="button" data-testid="stop-following" on:click=move |_| room.stop_following()>
                    "Stop"
                </button>
            </div>
        </Show>
    }
}

fn words(title: &str, is_missing: bool) -> String {
    match is_missing {
        true => format!(
            "Following {title} · Their recording is not in Trailbrake's library. Ask them to import it, or for the file."
        ),
        false => format!("Following {title}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_that_only_the_other_has_is_named_missing() {
        assert_eq!(words("Anna", false), "Following Anna");
        assert!(words("Anna", true).contains("not in Trailbrake's library"));
    }
}
