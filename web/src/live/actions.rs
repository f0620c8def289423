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
use crate::ui::{Command, KeyPress, PageActions, PageDialog, action_table};

/// An arrow key jumps this many seconds, and `FAR` times as many with Shift.
const STEP_S: f64 = 5.0;
const FAR: f64 = 10.0;

/// A heading of the key sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    View,
    Comparison,
    Replay,
    Page,
}

impl Group {
    const fn label(self) -> &'static str {
        match self {
            Self::View => "View",
            Self::Comparison => "Comparison",
            Self::Replay => "Recording",
            Self::Page => "Page",
        }
    }
}

/// The condition under which an action is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Nothing,
    /// A session is shown.
    Session,
    /// A recording plays.
    Replay,
    /// The browser supports full screen.
    FullScreen,
}

action_table! {
    ToggleLanes "lanes" View "Pedals only / all lanes" ["l"] Session;
    ShowDriver "view-driver" View "Driver view" ["1"] Session;
    ShowEngineer "view-engineer" View "Engineer view" ["2"] Session;
    ShowRally "view-rally" View "Rally view" ["3"] Session;
    ShowServer "view-server" View "Server view" ["4"] Session;
    ChoosePanels "panels" View "Choose panels" ["p"] Session;
    FullScreen "full-screen" View "Full screen on / off" ["f"] FullScreen;
    NextTarget "next-target" Comparison "Delta to the next: session best, all-time best, theoretical best" ["d"] Session;
    CompareWithBest "compare-best" Comparison "Delta to the session best" [] Session;
    CompareWithAllTimeBest "compare-all-time" Comparison "Delta to the all-time best" [] Session;
    CompareWithTheoreticalBest "compare-theoretical" Comparison "Delta to the theoretical best" [] Session;
    SetBrakePoint "set-brake-point" Comparison "Set a brake point here" ["b"] Session;
    ShowBrakePoints "brake-points" Comparison "Your brake points" [] Session;

    Play "play" Replay "Play / pause" [" "] Replay;
    JumpBack "jump-back" Replay "5 s back (Shift: 50 s)" ["arrowleft"] Replay;
    JumpForward "jump-forward" Replay "5 s forward (Shift: 50 s)" ["arrowright"] Replay;
    ToStart "to-start" Replay "To the start" ["home"] Replay;
    ToEnd "to-end" Replay "To the end" ["end"] Replay;
    CloseRecording "close-recording" Replay "Close the recording" [] Replay;

    ShowKeys "keys" Page "All keys" ["?"] Nothing;
    ShowPalette "palette" Page "Find a command" ["ctrl+k"] Nothing;
    About "about" Page "About Trailbrake" [] Nothing;
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
    pub(super) dialog: RwSignal<Option<PageDialog>>,
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
    /// Creates the context and provides it to the components below.
    pub(super) fn provide() -> Self {
        let telemetry = TelemetryStore::here();
        let context = Self {
            telemetry,
            playback: Playback::here(),
            delta: DeltaChoice::here(),
            own_points: BrakePoints::here(),
            lanes: RwSignal::new(browser::kept(keys::TRACE).as_deref() == Some("lanes")),
            view: ViewStore::kept(telemetry),
            choosing_panels: RwSignal::new(false),
            dialog: RwSignal::new(None),
            brake_points: RwSignal::new(false),
        };
        provide_context(context);
        context
    }

    /// The context that the page provided.
    pub(super) fn here() -> Self {
        expect_context()
    }

    fn is_possible(self, action: Action) -> bool {
        match action.row().need {
            Need::Nothing => true,
            Need::Session => self.telemetry.look(|telemetry| telemetry.session().is_some()),
            Need::FullScreen => browser::can_be_full_screen(),
            Need::Replay => untrack(|| self.telemetry.shows(Connection::Replay)),
        }
    }

    /// Runs an action that was chosen without a key.
    pub(super) fn run(self, action: Action) {
        self.run_by(action, &KeyPress::default());
    }

    fn run_by(self, action: Action, press: &KeyPress) {
        let Self { telemetry, playback, delta, .. } = self;
        let step = if press.shift { STEP_S * FAR } else { STEP_S };
        let jump = |seconds: f64| {
            playback.steer(|player| Some(player.jump(player.position().plus_seconds(seconds))));
        };
        match action {
            Action::ToggleLanes => {
                self.lanes.update(|lanes| *lanes = !*lanes);
                browser::keep(keys::TRACE, if self.lanes.get_untracked() { "lanes" } else { "pedals" });
            }
            Action::ShowDriver => self.view.pick(Preset::Driver),
            Action::ShowEngineer => self.view.pick(Preset::Engineer),
            Action::ShowRally => self.view.pick(Preset::Rally),
            Action::ShowServer => self.view.pick(Preset::Server),
            Action::ChoosePanels => self.choosing_panels.set(true),
            Action::FullScreen => browser::switch_full_screen(),
            Action::NextTarget => delta.compare_with(next_target(telemetry)),
            Action::CompareWithBest => delta.compare_with(DeltaTarget::SessionBest),
            Action::CompareWithAllTimeBest => delta.compare_with(DeltaTarget::AllTimeBest),
            Action::CompareWithTheoreticalBest => delta.compare_with(DeltaTarget::TheoreticalBest),
            Action::SetBrakePoint => {
                if !self.own_points.set_here() {
                    self.brake_points.set(true);
                }
            }
            Action::ShowBrakePoints => self.brake_points.set(true),
            Action::Play => playback.steer(Player::toggle),
            Action::JumpBack => jump(-step),
            Action::JumpForward => jump(step),
            Action::ToStart => playback.steer(|player| Some(player.jump(player.time().start))),
            Action::ToEnd => playback.steer(|player| Some(player.jump(player.time().end))),
            Action::CloseRecording => close(telemetry, playback),
            Action::ShowKeys => self.dialog.set(Some(PageDialog::Keys)),
            Action::ShowPalette => self.dialog.set(Some(PageDialog::Palette)),
            Action::About => self.dialog.set(Some(PageDialog::About)),
        }
    }
}

impl PageActions for ActionContext {
    fn commands(self) -> Vec<Command> {
        Action::commands(|action| self.is_possible(action), move |action| self.run(action))
    }

    fn dialog(self) -> RwSignal<Option<PageDialog>> {
        self.dialog
    }

    fn run_key(self, press: &KeyPress) -> bool {
        if self.choosing_panels.get_untracked() {
            return false;
        }
        let action = Action::of_key(&press.name).filter(|action| self.is_possible(*action));
        action.into_iter().for_each(|action| self.run_by(action, press));
        action.is_some()
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

    #[test]
    fn no_key_and_no_id_means_two_actions() {
        let mut ids: Vec<&str> = Action::ALL.iter().map(|action| action.id()).collect();
        let mut keys: Vec<&str> = Action::ALL.iter().flat_map(|action| action.keys()).copied().collect();
        for words in [&mut ids, &mut keys] {
            words.sort_unstable();
            let count = words.len();
            words.dedup();
            assert_eq!(words.len(), count);
        }
    }
}
