use super::*;
use crate::gran_turismo::tick::Flags;

/// Checks the signals of successive packets; each packet's signals are one text of `name` or `name=value`.
fn check(ticks: &[Tick], expected: &[&str]) {
    let mut signals = Signals::default();
    let seen: Vec<String> = ticks
        .iter()
        .map(|tick| {
            let mut given = Vec::new();
            signals.next(tick, |signal, value| {
                let name = signal.name().trim_start_matches("on_");
                given.push(value.map_or(name.to_owned(), |value| format!("{name}={value}")));
            });
            given.join(" ")
        })
        .collect();
    assert_eq!(seen, expected);
}

const DRIVING: Tick = Tick {
    id: 0,
    lap: 1,
    total_laps: 5,
    best_lap: -1,
    last_lap: -1,
    lap_clock: None,
    time_of_day: 1,
    grid: -1,
    cars: -1,
    flags: Flags(1),
    gear: 3,
    suggested_gear: 15,
    throttle: 0,
    brake: 0,
    rpm: 5000.0,
    rpm_alert_min: 6000,
    rpm_alert_max: 7000,
    speed: 40.0,
    position: [0.0; 3],
    velocity: [0.0; 3],
    car: 1,
};

fn lap(lap: i16) -> Tick {
    Tick { lap, ..DRIVING }
}

fn flags(flags: u16) -> Tick {
    Tick { flags: Flags(flags), ..DRIVING }
}

#[test]
fn the_driver_changes_gear_and_presses_pedals() {
    let with =
        |gear, suggested_gear, throttle, brake| Tick { gear, suggested_gear, throttle, brake, ..DRIVING };
    check(
        &[with(3, 15, 0, 0), with(4, 15, 9, 0), with(4, 3, 255, 0), with(0, 3, 0, 7), with(15, 15, 1, 8)],
        &[
            "running in_race",
            "gear_change=4 throttle=9",
            "suggested_gear=3",
            "gear_change=-1 brake=7",
            "gear_change=0 suggested_gear throttle=1",
        ],
    );
}

#[test]
fn switches_signal_their_edges() {
    let high_beam = 1 << 8;
    let handbrake = 1 << 6;
    let (tcs, asm, limit) = (1 << 11, 1 << 10, 1 << 5);
    check(
        &[flags(1), flags(1 | high_beam | handbrake), flags(1), flags(1 | tcs | asm | limit), flags(1)],
        &[
            "running in_race",
            "flash_lights=1 handbrake=1",
            "",
            "tcs=1 asm=1 rev_limit=1",
            "tcs=0 asm=0 rev_limit=0",
        ],
    );
}

#[test]
fn shift_lights_come_on_above_their_revolutions_and_are_armed_again_below() {
    let turning: Vec<Tick> = [5000.0, 6000.0, 6000.6, 7001.0, 7002.0, 7000.0, 7003.0, 100.0, 8000.0]
        .map(|rpm| Tick { rpm, ..DRIVING })
        .to_vec();
    check(
        &turning,
        &[
            "running in_race",
            "",
            "shift_light_low=6001",
            "shift_light_high=7001",
            "",
            "",
            "shift_light_high=7003",
            "",
            "shift_light_low=8000 shift_light_high=8000",
        ],
    );
}

#[test]
fn the_first_packet_lights_nothing() {
    check(
        &[Tick { rpm: 6500.0, ..DRIVING }, Tick { rpm: 6500.0, ..DRIVING }],
        &["running in_race", "shift_light_low=6500"],
    );
}

#[test]
fn a_race_starts_changes_laps_and_finishes_once() {
    let timed = |lap, last_lap, best_lap| Tick { lap, last_lap, best_lap, total_laps: 2, ..DRIVING };
    check(
        &[
            timed(0, -1, -1),
            timed(1, -1, -1),
            timed(2, 90_000, 90_000),
            timed(3, 91_000, 90_000),
            timed(3, -1, 90_000),
        ],
        &[
            "running in_race",
            "race_start=1 lap_change=1",
            "lap_change=2 best_lap_time=90000 last_lap_time=90000",
            "race_finish=3 lap_change=3 last_lap_time=91000",
            "last_lap_time",
        ],
    );
}

#[test]
fn without_a_number_of_laps_the_finish_comes_with_the_start() {
    let timed = |lap| Tick { total_laps: 0, ..self::lap(lap) };
    check(
        &[timed(0), timed(1), timed(2)],
        &["running in_race", "race_start=1 race_finish=1 lap_change=1", "lap_change=2"],
    );
}

#[test]
fn a_game_goes_from_menu_to_track_to_race_and_back() {
    let menu = Tick { flags: Flags(0), ..lap(-1) };
    let waiting = Tick { flags: Flags(0), ..lap(0) };
    check(
        &[menu, menu, waiting, lap(0), lap(0), menu, menu],
        &["running in_game_menu", "", "at_track lap_change=0", "in_race", "", "race_end lap_change=-1", ""],
    );
    check(
        &[waiting, menu, waiting],
        &["running at_track", "in_game_menu lap_change=-1", "at_track lap_change=0"],
    );
}

#[test]
fn at_the_track_only_the_lap_before_the_line_begins_a_race() {
    let waiting = Tick { flags: Flags(0), ..lap(0) };
    check(&[waiting, lap(1), lap(1)], &["running at_track", "race_start=1 lap_change=1", ""]);
}

#[test]
fn received_first_at_noon_the_race_is_over() {
    let noon = Tick { time_of_day: 43_200_000, ..DRIVING };
    check(&[noon, noon], &["running race_end", ""]);
}

#[test]
fn received_first_in_a_pause_both_are_signalled() {
    check(&[flags(3), flags(3), flags(1)], &["running paused in_race", "paused", ""]);
}

#[test]
fn after_a_pause_the_engine_shows_whether_the_race_goes_on() {
    let at = |flags, rpm| Tick { flags: Flags(flags), rpm, ..DRIVING };
    check(
        &[at(1, 100.0), at(3, 100.0), at(1, 100.0), at(1, 101.0), at(1, 102.0), at(3, 102.0)],
        &["running in_race", "paused", "", "", "in_race", "paused"],
    );
    check(
        &[at(1, 100.0), at(3, 100.0), at(1, 100.0), at(1, 100.0), at(1, 100.0), at(3, 100.0)],
        &["running in_race", "paused", "", "", "race_end", ""],
    );
}

#[test]
fn after_the_end_a_new_lap_count_leads_back_to_the_track() {
    let menu = |total_laps| Tick { flags: Flags(0), total_laps, ..lap(-1) };
    let waiting = |total_laps| Tick { flags: Flags(0), total_laps, ..lap(0) };
    check(
        &[lap(1), menu(0), waiting(0)],
        &["running in_race", "race_end lap_change=-1", "at_track lap_change=0"],
    );
    check(&[lap(1), menu(5), waiting(5)], &["running in_race", "race_end lap_change=-1", "lap_change=0"]);
}
