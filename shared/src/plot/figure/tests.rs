use proptest::prelude::*;

use super::*;
use crate::analysis::progress::PeriodLaps;
use crate::analysis::tyres::{Trend, WheelTrend};
use crate::analysis::{Consistency, LapColumns, Spread, dampers, grip};
use crate::laps::{CarLaps, Lap};
use crate::model::{Channel, Columns, LapProgress, Moment, Wheel};
use crate::time::{LapTime, Micros};

/// Laps one after the other with these times in seconds.
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
        &Consistency { lap, sectors: [None, None, None] },
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
    trend_figure(&Trend { channel: Channel::TyreSurfaceTemperature, laps: vec![2, 3, 4], wheels })
}

fn progress() -> Figure {
    let period = |first_day, best, median_s| PeriodLaps { first_day, laps: 5, best: LapTime(best), median_s };
    progress_figure(&[
        period(20_000, 91_000, 92.5),
        period(20_001, 90_500, 91.9),
        period(20_007, 89_900, 91.0),
    ])
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
    // Braking lies below, and goes further than accelerating here.
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
        ("grip", grip_of(4.0)),
        (
            "spread",
            spread_figure(
                "Braking for turn 5",
                "brake on, m before the apex",
                &[(1, 92.0), (2, 88.0), (3, 95.0)],
            ),
        ),
    ] {
        let drawn = svg::draw(&figure, 480, 320).expect("a drawing");
        // One element a line, so that a difference can be read.
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
