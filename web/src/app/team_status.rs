//! How this rig stands with its team, in the header.

use leptos::prelude::*;
use trailbrake_shared::number::count;
use trailbrake_shared::wire::{TeamLink, TeamStatus};

use crate::cockpit::TelemetryStore;

/// The hub counts as live while it is less behind than this, in seconds.
const LIVE_S: u32 = 5;

/// Whether the team sees what this rig drives. Without a team there is none.
#[component]
pub(super) fn TeamLine() -> impl IntoView {
    let team = TelemetryStore::here().sampled(|telemetry| telemetry.team.clone());
    let words = move || team.with(|team| team.as_ref().map(words));
    let reason = move || {
        let team = team.get()?;
        Some(team.trouble.unwrap_or_else(|| format!("The team sees this rig as {}", team.rig)))
    };
    view! {
        <Show when=move || team.with(Option::is_some)>
            <span
                class="pill team-line"
                data-testid="team-line"
                data-state=move || team.with(|team| team.as_ref().map(state))
                title=reason
            >
                <span class="dot"></span>
                <span class="words">{words}</span>
            </span>
            // For screen readers: the state only, since the seconds change all the time.
            <span class="unseen" role="status">
                {move || team.with(|team| team.as_ref().map(|team| format!("Team: {}", state(team))))}
            </span>
        </Show>
    }
}

fn state(team: &TeamStatus) -> &'static str {
    match team.link {
        TeamLink::Connecting => "connecting",
        TeamLink::Connected if team.behind_s < LIVE_S => "connected",
        TeamLink::Connected => "behind",
        TeamLink::Offline => "offline",
        TeamLink::KeyRefused => "refused",
        TeamLink::Paused => "paused",
    }
}

fn words(team: &TeamStatus) -> String {
    let waiting = count(team.waiting as usize, "recording", "recordings");
    match team.link {
        TeamLink::Connecting => "Team: connecting".to_owned(),
        TeamLink::Connected if team.behind_s >= LIVE_S => format!("Team: {} s behind", team.behind_s),
        TeamLink::Connected if team.waiting > 0 => format!("Team: sending {waiting}"),
        TeamLink::Connected => "Team: live".to_owned(),
        TeamLink::Offline if team.waiting > 0 => format!("Team: offline, {waiting} waiting"),
        TeamLink::Offline => "Team: offline".to_owned(),
        TeamLink::KeyRefused => "Team: key no longer valid".to_owned(),
        TeamLink::Paused => "Team: paused".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_the_team_has() {
        let team = |link, behind_s, waiting| TeamStatus { link, behind_s, waiting, ..TeamStatus::default() };
        let said = |team: TeamStatus| (state(&team), words(&team));
        let expect = |state, words: &str| (state, words.to_owned());
        assert_eq!(said(team(TeamLink::Connected, 1, 0)), expect("connected", "Team: live"));
        assert_eq!(said(team(TeamLink::Connected, 12, 3)), expect("behind", "Team: 12 s behind"));
        assert_eq!(said(team(TeamLink::Connected, 0, 1)), expect("connected", "Team: sending 1 recording"));
        assert_eq!(
            said(team(TeamLink::Offline, 40, 3)),
            expect("offline", "Team: offline, 3 recordings waiting")
        );
        assert_eq!(said(team(TeamLink::Offline, 40, 0)), expect("offline", "Team: offline"));
        assert_eq!(said(team(TeamLink::KeyRefused, 0, 2)), expect("refused", "Team: key no longer valid"));
    }
}
