use proptest::prelude::*;
use trailbrake_analysis::balance::Mean;
use trailbrake_analysis::laps::{CarLaps, Lap};
use trailbrake_analysis::ledger::{LedgerRow, RowPlace};
use trailbrake_analysis::progress::PeriodLaps;
use trailbrake_analysis::rally::EvenSplit;
use trailbrake_analysis::tyres::{Trend, WheelTrend};
use trailbrake_analysis::{
    Comparison, Consistency, Corner, CornerBalance, CornerRow, FuelUse, LapColumns, LapEnergy, LapFuel,
    Spread, compare, dampers, grip,
};
use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::units::Units;
use trailbrake_model::{Channel, Columns, LapProgress, Moment, Wheel};

use super::*;

/// Consecutive laps with these times in seconds.
fn laps(times: &[f64]) -> Vec<Lap> {
    let mut laps = CarLaps::default();
    let (mut began, mut last_lap) = (0.0, None);
    for (lap, seconds) in (1..).zip(times.iter().chain([&60.0])) {
        for clock in [0.0, 0.5] {
            let session_time = Some(began + clock);
            let moment = Moment { at: Micros(0), session_time, frame: None };
            let clock = Some(clock as f32);
            laps.progress(&LapProgress { moment, lap, clock, last_lap, ..LapProgress::default() });
        }
        last_lap = Some(LapTime((seconds * 1e3) as u32));
        began += seconds;
    }
    laps.finished().to_vec()
}

fn consistency() -> Figure {
    let lap = Spread {
        counted: 4,
        best_s: 90.0,
        median_s: 90.2,
        deviation_s: 0.2,
        range_s: 0.5,
        outliers: vec![3],
    };
    consistency_figure(
        &laps(&[90.0, 90.5, 97.0, 90.2, 90.1]),
        &Consistency { lap, sectors: vec![None; 3], notes: Vec::new() },
    )
}

fn grip_of(seconds: f64) -> Figure {
    let mut columns = Columns::default();
    for sample in 0..(seconds * 60.0) as u32 {
        let at = f64::from(sample) / 60.0;
        let angle = at * std::f64::consts::TAU / 2.03;
        let moment = Moment { at: Micros(0), session_time: Some(at), frame: None };
        columns.push(
            moment,
            [
                (Channel::GLateral.slot(), (3.0 * angle.sin()) as f32),
                (Channel::GLongitudinal.slot(), (2.0 * angle.cos() - 1.0) as f32),
                (Channel::Speed.slot(), 40.0),
            ],
        );
    }
    let laps = laps(&[60.0]);
    grip_figure(&grip(&LapColumns::new(&laps[0], &columns)).expect("g"))
}

fn damper() -> Figure {
    let bars = (0..60_i32).map(|bar| f64::from(30 - (bar - 29).abs()) / 900.0).collect();
    damper_figure(&dampers::Damper {
        wheel: Wheel::FrontLeft,
        bump_slow: 0.4,
        bump_fast: 0.1,
        rebound_slow: 0.4,
        rebound_fast: 0.1,
        bars,
    })
}

fn trend() -> Figure {
    let wheels = Wheel::ALL.map(|wheel| {
        let from = 360.0 + f64::from(wheel as u8) * 2.0;
        WheelTrend { wheel, values: vec![from, from + 2.0, from + 3.0], per_lap: 1.5 }
    });
    trend_figure(
        &Trend { channel: Channel::TyreSurfaceTemperature, laps: vec![2, 3, 4], wheels },
        &Units::default(),
    )
}

fn progress() -> Figure {
    let period = |first_day, best, median_s| PeriodLaps { first_day, laps: 5, best: LapTime(best), median_s };
    progress_figure(&[
        period(20_000, 91_000, 92.5),
        period(20_001, 90_500, 91.9),
        period(20_007, 89_900, 91.0),
    ])
}

fn fuel() -> Figure {
    let lap = |lap, used| LapFuel { lap, used, left: 40.0 - used };
    let laps = vec![lap(2, 1.8), lap(3, 1.9), lap(4, 1.7)];
    fuel_figure(
        &FuelUse { channel: Channel::Fuel, laps, per_lap: 1.8, left: 38.0, laps_left: Some(21.1) },
        &Units::default(),
    )
}

fn energy() -> Figure {
    let lap = |lap, deployed: f32| LapEnergy {
        lap,
        deployed_j: Some(deployed),
        harvested_mguk_j: Some(1.2e6),
        harvested_mguh_j: None,
        store_change_j: Some(1.2e6 - deployed),
    };
    energy_figure(&[lap(2, 2.0e6), lap(3, 2.6e6), lap(4, 3.1e6)], &Units::default())
}

fn balance() -> Figure {
    let mean = |understeer| Mean { understeer, seconds: 1.0 };
    let corner = |number, [entry, middle, exit]: [Option<f64>; 3]| CornerBalance {
        number,
        entry: entry.map(mean),
        middle: middle.map(mean),
        exit: exit.map(mean),
    };
    let corners =
        [corner(1, [Some(0.01), Some(0.03), Some(-0.01)]), corner(2, [None, Some(0.02), Some(0.005)])];
    corner_balance_figure(Channel::SlipAngle, &corners, &Units::default())
}

fn splits() -> Figure {
    let split = |part: u8| EvenSplit {
        share: f64::from(part) / 4.0,
        clock_s: f64::from(part) * 20.0,
        part_s: 18.0 + f64::from(part),
    };
    splits_figure(&[1, 2, 3, 4].map(split))
}

/// A lap of this duration on a straight of 2 km, whose first half is driven faster by a fraction of `faster`.
fn straight(seconds: f64, faster: f64) -> (Lap, Columns) {
    let mut lap = laps(&[seconds]).remove(0);
    lap.began_s = 0.0;
    let mut columns = Columns::default();
    for row in 0..(seconds * 20.0) as u32 {
        let clock = f64::from(row) / 20.0;
        let share = clock / seconds;
        let metres = 2000.0 * (share + faster * share * (1.0 - share));
        let speed = 2000.0 / seconds * (1.0 + faster * (1.0 - 2.0 * share));
        let moment = Moment { at: Micros(0), session_time: Some(clock), frame: Some(row) };
        columns.push(
            moment,
            [
                (Channel::LapClock.slot(), clock as f32),
                (Channel::LapDistance.slot(), metres as f32),
                (Channel::Speed.slot(), speed as f32),
            ],
        );
    }
    (lap, columns)
}

fn compared() -> Comparison {
    let ((lap, columns), (best, best_columns)) = (straight(50.5, 0.1), straight(50.0, 0.0));
    let (lap, best) = (LapColumns::new(&lap, &columns), LapColumns::new(&best, &best_columns));
    let mut comparison = compare(&lap, &best).expect("a comparison");
    // A straight has no corners: these two stand in for a circuit's.
    let row = |number, loss_s| LedgerRow {
        place: RowPlace::corner(number),
        loss_s: Some(loss_s),
        ..LedgerRow::default()
    };
    comparison.ledger.rows = vec![row(1, 0.11), row(2, -0.08)];
    comparison
}

#[test]
fn a_delta_is_slower_above_and_ends_with_the_difference() {
    let figure = delta_figure(&compared());
    let Shape::Line(line) = &figure.marks[1].shape else { panic!("a line") };
    let [metres, seconds] = *line.last().expect("a place");
    assert!((metres - 2000.0).abs() < 5.0 && (seconds - 0.5).abs() < 1e-9, "{metres} {seconds}");
    // The lap that was faster at first was ahead in the middle.
    assert!(line.iter().any(|[_, delta]| *delta < -0.5));
    assert!(figure.y.domain.low() < -0.5 && figure.y.domain.high() >= 0.5);
}

#[test]
fn what_was_lost_in_corners_stands_up_and_what_was_gained_hangs_down() {
    let figure = corners_figure(&compared());
    let bars = |name: &str| match &figure.marks.iter().find(|mark| mark.name == name).expect("a mark").shape {
        Shape::Bars(_, bars) => bars.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(bars("lost").iter().map(|[turn, _]| *turn).collect::<Vec<_>>(), [1.0]);
    assert_eq!(bars("gained").iter().map(|[turn, _]| *turn).collect::<Vec<_>>(), [2.0]);
    assert!((bars("lost")[0][1] - 0.11).abs() < 1e-9 && (bars("gained")[0][1] + 0.08).abs() < 1e-9);
    assert!(figure.y.domain.low() < 0.0 && figure.y.domain.high() > 0.1);
}

#[test]
fn energy_that_the_game_does_not_count_has_no_line() {
    let names: Vec<String> = energy().marks.iter().map(|mark| mark.name.clone()).collect();
    assert_eq!(names, ["deployed", "MGU-K", "store"]);
    assert_eq!(energy().y.label, "energy, MJ");
}

#[test]
fn balance_has_a_bar_for_each_measured_part_of_each_corner() {
    let figure = balance();
    let count = |mark: &Mark| match &mark.shape {
        Shape::Bars(_, bars) => bars.len(),
        _ => 0,
    };
    assert_eq!(figure.marks.iter().map(count).collect::<Vec<_>>(), [1, 2, 2]);
    assert_eq!(figure.y.label, "Slip angle, °: understeer above");
}

#[test]
fn where_braking_began_has_a_figure_for_each_corner_with_enough_laps() {
    let lap = |metres: [Option<f64>; 2]| {
        let mut comparison = compared();
        let corner = |number| Corner {
            number,
            name: None,
            left: None,
            entry_m: 0.0,
            apex_m: 0.0,
            exit_m: 0.0,
            degrees: None,
            radius_m: None,
        };
        comparison.corners = vec![corner(1), corner(2)];
        comparison.tables[0].rows =
            metres.map(|before_apex_m| CornerRow { before_apex_m, ..CornerRow::default() }).to_vec();
        comparison
    };
    let laps = [lap([Some(90.0), None]), lap([Some(92.0), Some(30.0)]), lap([Some(88.0), Some(31.0)])];
    let [one, two, three] = &laps;
    let figures = braking_figures(&[(4, one), (5, two), (7, three)]);
    let [(1, figure)] = &figures[..] else { panic!("one corner: {figures:?}") };
    assert_eq!(figure.title, "Braking for Turn 1");
    assert!(figure.marks.iter().any(|mark| mark.shape == Shape::Level(90.0)), "{figure:?}");
    assert!(braking_figures(&[]).is_empty());
}

#[test]
fn what_does_not_count_stands_apart() {
    let figure = consistency();
    let dots = |tone| figure.marks.iter().find(|mark| mark.tone == tone).map(|mark| mark.shape.clone());
    assert_eq!(dots(Tone::Off), Some(Shape::Dots(vec![[3.0, 97.0]])));
    assert!(matches!(dots(Tone::Main), Some(Shape::Dots(places)) if places.len() == 4));
    assert_eq!(dots(Tone::Reference), Some(Shape::Level(90.2)));
    assert_eq!((figure.x.domain.low(), figure.x.domain.high()), (0.5, 5.5));
    assert!(figure.y.domain.low() <= 90.0 && figure.y.domain.high() >= 97.0);
}

#[test]
fn grip_is_as_wide_as_it_is_high_and_closes() {
    let figure = grip_of(40.0);
    assert!(figure.square && figure.x.domain == figure.y.domain && figure.x.domain.high() >= 3.0);
    let Shape::Line(envelope) = &figure.marks[1].shape else { panic!("an envelope") };
    assert!(envelope.len() > 20 && envelope.first() == envelope.last());
    // Braking is at the bottom, and here reaches further than acceleration.
    let lowest = envelope.iter().map(|[_, y]| *y).fold(0.0, f64::min);
    let highest = envelope.iter().map(|[_, y]| *y).fold(0.0, f64::max);
    assert!((lowest + 3.0).abs() < 0.1 && (highest - 1.0).abs() < 0.1, "{lowest} {highest}");
}

#[test]
fn a_trend_is_shown_in_the_driver_s_unit() {
    let figure = trend();
    assert_eq!(figure.y.label, "Tyre surface temperature, °C");
    assert_eq!(
        figure.marks.iter().map(|mark| mark.name.as_str()).collect::<Vec<_>>(),
        ["FL", "FR", "RL", "RR"]
    );
    let Shape::Line(first) = &figure.marks[0].shape else { panic!("a line") };
    assert_eq!(first[1], [3.0, 362.0]);
}

#[test]
fn a_histogram_counts_all_values() {
    let figure = histogram("Speed", "km/h", &[0.0, 1.0, 1.5, 10.0, f64::NAN], 2);
    let Shape::Bars(width, bars) = &figure.marks[0].shape else { panic!("bars") };
    assert_eq!((*width, bars.as_slice()), (5.0, [[2.5, 75.0], [7.5, 25.0]].as_slice()));
}

#[test]
fn figures_are_drawn_as_they_were() {
    for (name, figure) in [
        ("consistency", consistency()),
        ("damper", damper()),
        ("trend", trend()),
        ("progress", progress()),
        ("fuel", fuel()),
        ("energy", energy()),
        ("balance", balance()),
        ("splits", splits()),
        ("corners", corners_figure(&compared())),
        ("delta", delta_figure(&compared())),
        ("grip", grip_of(4.0)),
        (
            "spread",
            spread_figure(
                "Braking for turn 5",
                "brake point, m before the apex",
                &[(1, 92.0), (2, 88.0), (3, 95.0)],
            ),
        ),
    ] {
        let drawn = svg::draw(&figure, 480, 320).expect("a drawing");
        // One element per line, so that a difference is readable.
        insta::assert_snapshot!(name, drawn.replace("><", ">\n<"));
    }
}

proptest! {
    #[test]
    fn anything_can_be_drawn(
        values in prop::collection::vec((any::<u16>(), prop::num::f64::ANY), 0..30),
        bars in 0_usize..500,
        wide in 0_u32..900,
        high in 0_u32..900,
    ) {
        let numbers: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
        for figure in [spread_figure("", "", &values), histogram("", "", &numbers, bars), progress_figure(&[])] {
            prop_assert!(svg::draw(&figure, wide, high).is_ok());
        }
    }
}
