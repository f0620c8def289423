//! gt-telem's signals, derived as that program does: from each packet and the previous one.

use trailbrake_model::Signal as S;

use super::tick::{Tick, gear, lap_time, suggested};

/// The time of day at which the results of an abandoned race are shown: noon, in milliseconds.
const RESULTS_AT: i32 = 43_200_000;

type SignalValue = (S, Option<i32>);

/// The game's state, in gt-telem's terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    NotRunning,
    Running,
    InMenu,
    AtTrack,
    InRace,
    Paused,
    EndRace,
}

impl State {
    const fn signal(self) -> Option<S> {
        match self {
            Self::NotRunning => None,
            Self::Running => Some(S::Running),
            Self::InMenu => Some(S::InGameMenu),
            Self::AtTrack => Some(S::AtTrack),
            Self::InRace => Some(S::InRace),
            Self::Paused => Some(S::Paused),
            Self::EndRace => Some(S::RaceEnd),
        }
    }
}

/// After a pause, a running engine means that the race goes on; otherwise it was abandoned.
#[derive(Clone, Copy, Debug, Default)]
enum Check {
    #[default]
    NotBegun,
    Skipped,
    Received(f32),
}

/// Follows one sender's packets.
#[derive(Debug, Default)]
pub(super) struct Signals {
    before: Option<Tick>,
    state: State,
    check: Check,
    racing: bool,
    above_low: bool,
    above_high: bool,
}

impl Signals {
    /// Processes the next packet and gives its signals: of the game, the race, the driver.
    pub(super) fn next(&mut self, tick: &Tick, mut give: impl FnMut(S, Option<i32>)) {
        self.game(tick, &mut |state| {
            if let Some(signal) = state.signal() {
                give(signal, None);
            }
        });
        if let Some(before) = self.before.replace(*tick) {
            self.race(&before, tick).into_iter().flatten().for_each(|(signal, value)| give(signal, value));
            driver(&before, tick).into_iter().flatten().for_each(|(signal, value)| give(signal, value));
            self.shift_lights(tick).into_iter().flatten().for_each(|(signal, value)| give(signal, value));
        }
    }

    fn game(&mut self, tick: &Tick, enter: &mut dyn FnMut(State)) {
        let mut go = |state: &mut State, to| {
            *state = to;
            enter(to);
        };
        let state = &mut self.state;
        let (flags, lap) = (tick.flags, tick.lap);
        if *state == State::NotRunning {
            go(state, State::Running);
        }
        match *state {
            State::NotRunning => {}
            State::Running if flags.on_track() => {
                if flags.paused() {
                    go(state, State::Paused);
                }
                // gt-telem falls through to here from the previous line; we do the same.
                go(state, if tick.time_of_day == RESULTS_AT { State::EndRace } else { State::InRace });
            }
            State::Running => go(state, if lap > -1 { State::AtTrack } else { State::InMenu }),
            State::InMenu if lap > -1 => go(state, State::AtTrack),
            State::AtTrack if flags.on_track() && lap == 0 => go(state, State::InRace),
            State::AtTrack if lap == -1 => go(state, State::InMenu),
            State::InRace if flags.paused() => go(state, State::Paused),
            State::InRace if lap == -1 => go(state, State::EndRace),
            State::Paused if !flags.paused() => match self.check {
                Check::NotBegun => self.check = Check::Skipped,
                Check::Skipped => self.check = Check::Received(tick.rpm),
                Check::Received(rpm) => {
                    self.check = Check::NotBegun;
                    go(state, if tick.rpm == rpm { State::EndRace } else { State::InRace });
                }
            },
            State::EndRace if tick.total_laps == 0 && self.before.is_some_and(|before| before.lap != lap) => {
                go(state, State::AtTrack);
            }
            State::InMenu | State::AtTrack | State::InRace | State::Paused | State::EndRace => {}
        }
    }

    fn race(&mut self, before: &Tick, tick: &Tick) -> [Option<SignalValue>; 5] {
        let lap = Some(i32::from(tick.lap));
        let start = before.lap == 0 && tick.lap == 1;
        self.racing |= start;
        let finish = self.racing && i32::from(tick.lap) == i32::from(tick.total_laps) + 1;
        self.racing &= !finish;
        let time = |millis| lap_time(millis).and_then(|time| i32::try_from(time.0).ok());
        [
            start.then_some((S::RaceStart, lap)),
            finish.then_some((S::RaceFinish, lap)),
            (before.lap != tick.lap).then_some((S::LapChange, lap)),
            (before.best_lap != tick.best_lap).then_some((S::BestLapTime, time(tick.best_lap))),
            (before.last_lap != tick.last_lap).then_some((S::LastLapTime, time(tick.last_lap))),
        ]
    }

    fn shift_lights(&mut self, tick: &Tick) -> [Option<SignalValue>; 2] {
        let rpm = Some(tick.rpm.round() as i32);
        let low = tick.rpm > f32::from(tick.rpm_alert_min);
        let high = tick.rpm > f32::from(tick.rpm_alert_max);
        let given = [
            (low && !self.above_low).then_some((S::ShiftLightLow, rpm)),
            (high && !self.above_high).then_some((S::ShiftLightHigh, rpm)),
        ];
        (self.above_low, self.above_high) = (low, high);
        given
    }
}

fn driver(before: &Tick, tick: &Tick) -> [Option<SignalValue>; 9] {
    let (was, is) = (before.flags, tick.flags);
    let switch = |signal, on: bool| (signal, Some(i32::from(on)));
    let rises = |was: bool, is: bool, signal| (!was && is).then_some(switch(signal, true));
    let turns = |was: bool, is: bool, signal| (was != is).then_some(switch(signal, is));
    let pressed = |was: u8, is: u8, signal| (was == 0 && is > 0).then_some((signal, Some(i32::from(is))));
    [
        (before.gear != tick.gear).then_some((S::GearChange, Some(i32::from(gear(tick.gear))))),
        rises(was.high_beam(), is.high_beam(), S::FlashLights),
        rises(was.handbrake(), is.handbrake(), S::Handbrake),
        (before.suggested_gear != tick.suggested_gear)
            .then_some((S::SuggestedGear, suggested(tick.suggested_gear).map(i32::from))),
        turns(was.tcs(), is.tcs(), S::Tcs),
        turns(was.asm(), is.asm(), S::Asm),
        turns(was.rev_limit(), is.rev_limit(), S::RevLimit),
        pressed(before.brake, tick.brake, S::Brake),
        pressed(before.throttle, tick.throttle, S::Throttle),
    ]
}

#[cfg(test)]
mod tests;
