//! The game's phase: driving, replay, pause, menu.

use super::tick::Tick;

/// A car faster than this, in m/s, while nobody drives is in a replay.
const REPLAY_FROM_MPS: f32 = 1.0;

/// The game's phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// In a menu; the packets hold stale values.
    #[default]
    Menu,
    /// Loading; the packets hold stale values.
    Loading,
    /// In a race's menu or at its start, before anything moves.
    AtTrack,
    /// The player drives.
    Driving,
    /// The game is paused.
    Paused,
    /// A replay is shown.
    Replay,
}

impl Phase {
    /// Whether the packet's car is moving round the track.
    pub(super) const fn live(self) -> bool {
        matches!(self, Self::Driving | Self::Replay)
    }
}

/// Follows the game's phase.
#[derive(Debug, Default)]
pub(super) struct Phases {
    /// No flag marks a replay. A car that moves while nobody is on track means one; this is remembered while the car
    /// stops.
    replay: bool,
    menu_ticks: u32,
}

impl Phases {
    /// The phase at the next packet.
    pub(super) fn next(&mut self, tick: &Tick) -> Phase {
        let flags = tick.flags;
        let menu = !flags.on_track() && tick.lap < 0 && !flags.loading();
        self.menu_ticks = if menu { self.menu_ticks.saturating_add(1) } else { 0 };
        if flags.loading() {
            return Phase::Loading;
        }
        if menu {
            self.replay = false;
            return Phase::Menu;
        }
        if flags.on_track() {
            self.replay = false;
        } else if !flags.paused() && tick.speed > REPLAY_FROM_MPS {
            self.replay = true;
        }
        match (flags.paused(), flags.on_track(), self.replay) {
            (true, ..) => Phase::Paused,
            (_, true, _) => Phase::Driving,
            (.., true) => Phase::Replay,
            _ => Phase::AtTrack,
        }
    }

    pub(super) fn replay(&self) -> bool {
        self.replay
    }

    /// The number of packets since the game entered the menu.
    pub(super) fn menu_ticks(&self) -> u32 {
        self.menu_ticks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gran_turismo::tick::Flags;

    fn check(ticks: &[(u16, i16, f32)], expected: &[Phase]) {
        let mut phases = Phases::default();
        let seen: Vec<Phase> = ticks
            .iter()
            .map(|&(flags, lap, speed)| {
                phases.next(&Tick { flags: Flags(flags), lap, speed, ..Tick::default() })
            })
            .collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_race_is_loaded_driven_paused_and_left() {
        check(
            &[
                (0, -1, 0.0),
                (4, -1, 30.0),
                (0, 0, 0.0),
                (1, 0, 0.0),
                (9, 1, 50.0),
                (3, 1, 50.0),
                (0, -1, 0.0),
            ],
            &[
                Phase::Menu,
                Phase::Loading,
                Phase::AtTrack,
                Phase::Driving,
                Phase::Driving,
                Phase::Paused,
                Phase::Menu,
            ],
        );
    }

    #[test]
    fn what_moves_with_nobody_on_track_is_a_replay_even_when_it_stops() {
        check(
            &[(8, 1, 60.0), (8, 1, 0.0), (2, 1, 0.0), (8, 2, 0.0), (1, 0, 0.0), (0, 0, 0.0)],
            &[Phase::Replay, Phase::Replay, Phase::Paused, Phase::Replay, Phase::Driving, Phase::AtTrack],
        );
    }

    #[test]
    fn some_modes_count_no_laps_and_are_driven_all_the_same() {
        check(&[(1, -1, 20.0)], &[Phase::Driving]);
    }
}
