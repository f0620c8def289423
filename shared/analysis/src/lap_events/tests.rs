use proptest::prelude::*;
use trailbrake_model::{Axis, Channel as C, Columns, EventKind, Slot, Surface};

use super::super::rows::made;
use super::*;

/// The events of a lap with these columns.
fn events_of(columns: &Columns, events: &[(f64, &EventKind)]) -> LapEvents {
    let laps = made::laps(&[60_000]);
    lap_events(&LapColumns::new(&laps[0], columns), events)
}

/// Events of a kind: time, duration and size, in hundredths.
fn found(columns: &Columns, kind: Kind) -> Vec<(i32, i32, Option<i32>)> {
    let all = events_of(columns, &[]);
    assert!(all.can_find(kind), "{all:?}");
    let hundredths = |value: f64| (value * 100.0).round() as i32;
    let of_kind = all.found.iter().filter(|event| event.kind == kind);
    let summary = |one: &LapEvent| {
        (hundredths(one.at.lap_s), hundredths(one.lasts_s), one.size.map(|size| hundredths(f64::from(size))))
    };
    of_kind.map(summary).collect()
}

/// A car at 50 m/s whose front left wheel turns at a fraction of that from second 2 to 3, the others at full speed.
fn turning(share: f32, pedal: C) -> Columns {
    made::columns(300, |seconds| {
        let slow = (2.0..3.0).contains(&seconds);
        let wheels = Wheel::ALL.map(|wheel| {
            let share = if slow && wheel == Wheel::FrontLeft { share } else { 1.0 };
            (C::WheelSpeed.of(wheel), 50.0 * share)
        });
        let other = if pedal == C::Brake { C::Throttle } else { C::Brake };
        wheels.into_iter().chain([(C::Speed.slot(), 50.0), (pedal.slot(), 0.8), (other.slot(), 0.0)])
    })
}

#[test]
fn a_wheel_that_stands_on_the_brakes_locks() {
    assert_eq!(found(&turning(0.2, C::Brake), Kind::LockUp), [(200, 100, Some(80))]);
    assert_eq!(found(&turning(0.9, C::Brake), Kind::LockUp), []);
    assert_eq!(found(&turning(0.2, C::Throttle), Kind::LockUp), [], "nobody brakes");
    let all = events_of(&turning(0.2, C::Brake), &[]);
    assert_eq!(all.found[0].wheel, Some(Wheel::FrontLeft));
}

#[test]
fn a_wheel_that_is_too_fast_on_the_throttle_spins() {
    assert_eq!(found(&turning(1.5, C::Throttle), Kind::Wheelspin), [(200, 100, Some(50))]);
    assert_eq!(found(&turning(1.5, C::Brake), Kind::Wheelspin), []);
}

#[test]
fn a_kerb_is_a_surface() {
    let columns = made::columns(300, |seconds| {
        let surface = if (1.0..1.5).contains(&seconds) { Surface::Kerb } else { Surface::Tarmac };
        Wheel::ALL.map(|wheel| {
            let under = if wheel == Wheel::RearRight { surface } else { Surface::Tarmac };
            (C::Surface.of(wheel), f32::from(under.number()))
        })
    });
    assert_eq!(found(&columns, Kind::Kerb), [(100, 50, None)]);
}

#[test]
fn a_floor_that_touches_the_road_bottoms() {
    let columns = made::columns(300, |seconds| {
        let front = if (1.0..1.2).contains(&seconds) { 0.002 } else { 0.03 };
        [(C::RideHeightFront.slot(), front), (C::RideHeightRear.slot(), 0.05), (C::Speed.slot(), 60.0)]
    });
    assert_eq!(found(&columns, Kind::BottomingFront), [(100, 20, Some(0))]);
    assert_eq!(found(&columns, Kind::BottomingRear), []);
}

/// A car at 30 m/s along z, in free fall for a while from second 2 on, with its suspension extended by `out`.
fn jumping(for_s: f64, out: f32) -> Columns {
    made::columns(300, |seconds| {
        let falls = (2.0..2.0 + for_s).contains(&seconds);
        let suspension = Wheel::ALL.map(|wheel| {
            (C::SuspensionPosition.of(wheel), if falls { -out } else { (seconds as f32).sin().abs() })
        });
        let rest = [
            (C::GVertical.slot(), if falls { -1.0 } else { 0.0 }),
            (C::GLateral.slot(), 0.0),
            (C::GLongitudinal.slot(), 0.0),
            (C::Speed.slot(), 30.0),
            (C::Position.along(Axis::X), 5.0),
            (C::Position.along(Axis::Z), seconds as f32 * 30.0),
        ];
        suspension.into_iter().chain(rest)
    })
}

#[test]
fn a_car_that_falls_freely_jumps() {
    assert_eq!(found(&jumping(0.6, 0.5), Kind::Jump), [(200, 60, Some(1800))]);
    assert_eq!(found(&jumping(0.1, 0.5), Kind::Jump), [], "a bump");
    assert_eq!(found(&jumping(0.6, -0.3), Kind::Jump), [], "a crest, and a wing that holds the car on it");
}

#[test]
fn events_sent_by_the_game_are_not_found_again() {
    let columns = jumping(0.6, 0.5);
    let landed = EventKind::Landed { millis: 580, centimetres: 1760 };
    let hit = EventKind::Hit { milli_g: 12_000 };
    let later = EventKind::Landed { millis: 300, centimetres: 900 };
    let all = events_of(&columns, &[(2.62, &landed), (4.0, &hit), (4.5, &later), (99.0, &hit)]);
    let kinds: Vec<(Kind, Option<f32>)> = all.found.iter().map(|one| (one.kind, one.size)).collect();
    assert_eq!(kinds, [(Kind::Jump, Some(17.6)), (Kind::Impact, Some(12.0)), (Kind::Jump, Some(9.0))]);
    // Impacts sent by the game count even without g channels.
    let silent = made::columns(300, |_| [(C::Speed.slot(), 30.0)]);
    assert!(
        !events_of(&silent, &[]).can_find(Kind::Impact)
            && events_of(&silent, &[(4.0, &hit)]).can_find(Kind::Impact)
    );
}

#[test]
fn a_car_on_no_wheel_jumps_whatever_it_feels() {
    let columns = made::columns(300, |seconds| {
        let load = if (2.0..2.5).contains(&seconds) { 10.0 } else { 3000.0 };
        Wheel::ALL.map(|wheel| (C::TyreLoad.of(wheel), load))
    });
    assert_eq!(found(&columns, Kind::Jump), [(200, 50, None)]);
}

#[test]
fn a_wall_is_an_impact() {
    let columns = made::columns(300, |seconds| {
        let g = if (2.0..2.04).contains(&seconds) { 25.0 } else { 4.0 };
        [(C::GLateral.slot(), g), (C::GLongitudinal.slot(), 0.0)]
    });
    assert_eq!(found(&columns, Kind::Impact), [(200, 5, Some(2500))]);
}

/// A car at 40 m/s with gears by time, and engine speed rising by 100 rpm a second.
fn geared(gear: impl Fn(f64) -> f32) -> Columns {
    made::columns(600, |seconds| {
        let rpm = 6000.0 + seconds as f32 * 100.0;
        [
            (C::Gear.slot(), gear(seconds)),
            (C::Rpm.slot(), rpm),
            (C::Speed.slot(), 40.0),
            (C::MaxRpm.slot(), 6800.0),
        ]
    })
}

#[test]
fn gears_are_changed_up_and_down_and_missed() {
    let columns = geared(|seconds| match seconds {
        s if s < 1.0 => 3.0,
        // Through neutral, as with a lever.
        s if s < 1.1 => 0.0,
        s if s < 2.0 => 4.0,
        s if s < 3.0 => 3.0,
        // Into neutral and back into the same gear.
        s if s < 3.2 => 0.0,
        s if s < 4.0 => 3.0,
        // Into neutral for too long.
        s if s < 5.0 => 0.0,
        _ => 4.0,
    });
    let all = events_of(&columns, &[]);
    let shifts: Vec<_> =
        all.found.iter().filter(|one| one.gears.is_some()).map(|one| (one.kind, one.gears)).collect();
    assert_eq!(
        shifts,
        [
            (Kind::ShiftUp, Some((3, 4))),
            (Kind::ShiftDown, Some((4, 3))),
            (Kind::MissedShift, Some((3, 3))),
            (Kind::MissedShift, Some((3, 4))),
        ]
    );
    assert!((all.found[0].size.expect("revolutions") - 6098.0).abs() < 1.0);
    let parked = made::columns(300, |seconds| {
        let gear = if seconds < 2.0 { 0.0 } else { 1.0 };
        [(C::Gear.slot(), gear), (C::Rpm.slot(), 1000.0), (C::Speed.slot(), 0.0)]
    });
    assert_eq!(found(&parked, Kind::MissedShift).len() + found(&parked, Kind::ShiftUp).len(), 0);
}

#[test]
fn the_limiter_is_the_games_or_the_highest_revolutions() {
    let columns = geared(|_| 4.0);
    // 99 % of 6800 is reached after 7.32 s, and the engine stays above it.
    assert_eq!(found(&columns, Kind::RevLimit), [(733, 265, Some(699_833))]);
    let switch = made::columns(300, |seconds| {
        let on = (1.0..1.1).contains(&seconds);
        [(C::RevLimiter.slot(), f32::from(u8::from(on))), (C::Rpm.slot(), 7000.0)]
    });
    assert_eq!(found(&switch, Kind::RevLimit), [(100, 10, Some(700_000))]);
}

#[test]
fn aids_are_found_by_switches_and_by_what_they_hold_back() {
    let on = |seconds: f64| (1.0..1.5).contains(&seconds);
    let switches = made::columns(300, |seconds| {
        [C::AbsActive, C::TcsActive, C::AsmActive, C::Handbrake]
            .map(|channel| (channel.slot(), f32::from(u8::from(on(seconds)))))
    });
    for kind in [Kind::Abs, Kind::TractionControl, Kind::StabilityControl, Kind::Handbrake] {
        assert_eq!(found(&switches, kind), [(100, 50, None)], "{kind:?}");
    }
    let held_back = |applied: f32| {
        made::columns(300, |seconds| {
            [
                (C::Brake.slot(), 0.9),
                (C::BrakeApplied.slot(), if on(seconds) { applied * 0.7 } else { applied }),
            ]
        })
    };
    assert_eq!(found(&held_back(0.9), Kind::Abs), [(100, 50, Some(90))]);
    assert!(!events_of(&held_back(0.0), &[]).can_find(Kind::Abs), "a replay");
}

#[test]
fn kinds_without_channels_are_unavailable() {
    let all = events_of(&made::columns(10, |_| [(C::TimeOfDay.slot(), 1.0)]), &[]);
    assert_eq!((all.found.len(), all.unavailable.len()), (0, Kind::ALL.len()));
}

proptest! {
    #[test]
    fn events_are_in_order_whatever_is_sent(
        sent in prop::collection::vec(prop::array::uniform12(prop_oneof![prop::num::f32::ANY, -2.0_f32..9.0]), 0..120),
    ) {
        let slots: [Slot; 12] = [
            C::Speed.slot(), C::Brake.slot(), C::Throttle.slot(), C::Gear.slot(), C::Rpm.slot(), C::GLateral.slot(),
            C::GLongitudinal.slot(), C::GVertical.slot(), C::WheelSpeed.of(Wheel::FrontLeft),
            C::WheelSlip.of(Wheel::FrontRight), C::RevLimiter.slot(), C::Handbrake.slot(),
        ];
        let columns = made::columns(sent.len(), |seconds| {
            slots.into_iter().zip(sent[(seconds * 60.0).round() as usize])
        });
        let all = events_of(&columns, &[]);
        prop_assert!(all.found.is_sorted_by(|one, other| one.at.lap_s <= other.at.lap_s));
        prop_assert!(all.found.iter().all(|one| one.lasts_s >= 0.0));
    }
}
