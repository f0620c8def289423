//! The actions of the Live page. Buttons, keys, command palette and key sheet read this one table.

use leptos::prelude::*;
use trailbrake_shared::session::DeltaTarget;

use super::preset::Preset;
use super::view_store::ViewStore;
use crate::browser::{self, keys};
use crate::cockpit::{BrakePoints, DeltaChoice, Playback, TelemetryStore};
use crate::replay::Player;
use crate::route::Page;
use crate::telemetry::Connection;
use crate::ui::{ActionTable, KeyPress, PageAction, action_table};

/// An arrow key jumps this many seconds, and `FAR` times as many with Shift.
const STEP_S: f64 = 5.0;
const FAR: f64 = 10.0;

/// The condition under which an action is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// A session is shown.
    Session,
    /// A recording plays.
    Replay,
    /// The browser supports full screen.
    FullScreen,
}

action_table! {
    /// An action of the page.
    pub(super) enum Action requires Need;

    "View":
    ToggleLanes "lanes" "Pedals only / all lanes" ["l"] Session;
    ShowDriver "view-driver" "Driver view" ["1"] Session;
    ShowEngineer "view-engineer" "Engineer view" ["2"] Session;
    ShowRally "view-rally" "Rally view" ["3"] Session;
    ShowServer "view-server" "Server view" ["4"] Session;
    ChoosePanels "panels" "Choose panels" ["p"] Session;
    FullScreen "full-screen" "Full screen on / off" ["f"] FullScreen;

    "Comparison":
    NextTarget "next-target" "Delta to the next: session best, all-time best, theoretical best" ["d"] Session;
    CompareWithBest "compare-best" "Delta to the session best" [] Session;
    CompareWithAllTimeBest "compare-all-time" "Delta to the all-time best" [] Session;
    CompareWithTheoreticalBest "compare-theoretical" "Delta to the theoretical best" [] Session;
    SetBrakePoint "set-brake-point" "Set a brake point here" ["b"] Session;
    ShowBrakePoints "brake-points" "Your brake points" [] Session;

    "Recording":
    Play "play" "Play / pause" [" "] Replay;
    JumpBack "jump-back" "5 s back (Shift: 50 s)" ["arrowleft"] Replay;
    JumpForward "jump-forward" "5 s forward (Shift: 50 s)" ["arrowright"] Replay;
    ToStart "to-start" "To the start" ["home"] Replay;
    ToEnd "to-end" "To the end" ["end"] Replay;
    CloseRecording "close-recording" "Close the recording" [] Replay;
}

/// What actions need to run. The page provides it to its components. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub(super) struct ActionContext {
    pub(super) telemetry: TelemetryStore,
    pub(super) playback: Playback,
    delta: DeltaChoice,
    own_points: BrakePoints,
    /// Whether the pedal panel shows all eight lanes, not only the pedals.
    pub(super) lanes: RwSignal<bool>,
    /// The shown panels and their arrangement.
    pub(super) view: ViewStore,
    /// Whether the panel dialog is open.
    pub(super) choosing_panels: RwSignal<bool>,
    /// Whether the dialog of brake points is open.
    pub(super) brake_points: RwSignal<bool>,
}

impl Action {
    /// The action that shows a preset.
    pub(super) const fn of_preset(preset: Preset) -> Self {
        match preset {
            Preset::Driver => Self::ShowDriver,
            Preset::Engineer => Self::ShowEngineer,
            Preset::Rally => Self::ShowRally,
            Preset::Server => Self::ShowServer,
        }
    }
}

impl ActionContext {
    pub(super) fn new() -> Self {
        let telemetry = TelemetryStore::here();
        Self {
            telemetry,
            playback: Playback::here(),
            delta: DeltaChoice::here(),
            own_points: BrakePoints::here(),
            lanes: RwSignal::new(browser::kept(keys::TRACE).as_deref() == Some("lanes")),
            view: ViewStore::kept(telemetry),
            choosing_panels: RwSignal::new(false),
            brake_points: RwSignal::new(false),
        }
    }

    /// The context that the page provided.
    pub(super) fn here() -> Self {
        expect_context()
    }
}

impl PageAction for Action {
    type Page = ActionContext;

    fn is_possible(self, page: ActionContext) -> bool {
        match self.need() {
            None => true,
            Some(Need::Session) => page.telemetry.track(|telemetry| telemetry.session().is_some()),
            Some(Need::FullScreen) => browser::can_be_full_screen(),
            Some(Need::Replay) => page.telemetry.shows(Connection::Replay),
        }
    }

    fn run(self, page: ActionContext, press: &KeyPress) {
        let ActionContext { telemetry, playback, delta, .. } = page;
        let step = if press.shift { STEP_S * FAR } else { STEP_S };
        let jump = |seconds: f64| {
            playback.steer(|player| Some(player.jump(player.position().plus_seconds(seconds))));
        };
        match self {
            Self::ToggleLanes => {
                page.lanes.update(|lanes| *lanes = !*lanes);
                browser::keep(keys::TRACE, if page.lanes.get_untracked() { "lanes" } else { "pedals" });
            }
            Self::ShowDriver => page.view.pick(Preset::Driver),
            Self::ShowEngineer => page.view.pick(Preset::Engineer),
            Self::ShowRally => page.view.pick(Preset::Rally),
            Self::ShowServer => page.view.pick(Preset::Server),
            Self::ChoosePanels => page.choosing_panels.set(true),
            Self::FullScreen => browser::switch_full_screen(),
            Self::NextTarget => delta.compare_with(next_target(telemetry)),
            Self::CompareWithBest => delta.compare_with(DeltaTarget::SessionBest),
            Self::CompareWithAllTimeBest => delta.compare_with(DeltaTarget::AllTimeBest),
            Self::CompareWithTheoreticalBest => delta.compare_with(DeltaTarget::TheoreticalBest),
            Self::SetBrakePoint => {
                if !page.own_points.set_here() {
                    page.brake_points.set(true);
                }
            }
            Self::ShowBrakePoints => page.brake_points.set(true),
            Self::Play => playback.steer(Player::toggle),
            Self::JumpBack => jump(-step),
            Self::JumpForward => jump(step),
            Self::ToStart => playback.steer(|player| Some(player.jump(player.time().start))),
            Self::ToEnd => playback.steer(|player| Some(player.jump(player.time().end))),
            Self::CloseRecording => close(telemetry, playback),
        }
    }
    fn are_keys_free(page: ActionContext) -> bool {
        !page.choosing_panels.get_untracked()
    }
}

/// The delta's target after the current one, in a cycle of the three bests.
fn next_target(telemetry: TelemetryStore) -> DeltaTarget {
    match telemetry.look(|telemetry| telemetry.session().map(|session| session.live_comparison().target())) {
        Some(DeltaTarget::SessionBest) => DeltaTarget::AllTimeBest,
        Some(DeltaTarget::AllTimeBest) => DeltaTarget::TheoreticalBest,
        _ => DeltaTarget::SessionBest,
    }
}

fn close(telemetry: TelemetryStore, playback: Playback) {
    // Read this first: after closing, no recording plays and `game_waits` is false.
    let waits = telemetry.look(|telemetry| telemetry.game_waits(browser::now_ms()));
    playback.close();
    browser::go_to(if waits { Page::Live } else { Page::Connections }.hash());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::check_actions;

    #[test]
    fn no_key_and_no_id_means_two_actions() {
        check_actions::<Action>();
    }
}
