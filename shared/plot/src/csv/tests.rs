use trailbrake_model::units::Unit;

use super::*;
use crate::figure::{Axis, Tone};
use crate::{Domain, Pyramid, TickKind};

#[test]
fn fields_are_such_as_spreadsheets_read() {
    let mut csv = Csv::under(&["Driver, car", "m"]);
    csv.words("=1+1");
    csv.number(Some(-0.1));
    csv.end_row();
    csv.words("the \"boss\"");
    csv.number(Some(f64::NAN));
    csv.end_row();
    csv.words("T1");
    csv.number(None);
    csv.end_row();
    let expected = "\"Driver, car\",m\r\n\"'=1+1\",-0.1\r\n\"the \"\"boss\"\"\",\r\nT1,\r\n";
    assert_eq!(csv.text(), expected);
}

#[test]
fn heads_say_unit_and_lap() {
    assert_eq!(head("Speed", "km/h", "Lap 3"), "Speed km/h (Lap 3)");
    assert_eq!(head("Gear", "", "Lap 3"), "Gear (Lap 3)");
    assert_eq!(head("Delta", "s", ""), "Delta s");
    assert_eq!(head("Lateral g", "g", "Lap 3"), "Lateral g (Lap 3)");
}

#[test]
fn a_figure_lists_every_place_of_every_mark() {
    let axis = |label: &str| Axis {
        label: label.to_owned(),
        domain: Domain::new(-1.0, 1.0),
        ticks: TickKind::Number,
    };
    let mark = |name: &str, tone, shape| Mark { name: name.to_owned(), tone, shape };
    let figure = Figure {
        title: "g-g".to_owned(),
        x: axis("Lateral, g"),
        y: axis("Longitudinal"),
        square: true,
        marks: vec![
            mark("", Tone::Main, Shape::Dots(vec![[0.5, -1.25]])),
            mark("lap", Tone::Main, Shape::Line(vec![[1.0, 0.5]])),
            mark("", Tone::Faint, Shape::Bars(1.0, vec![[2.0, 3.0], [f64::NAN, 4.0]])),
            mark("mean", Tone::Reference, Shape::Level(0.75)),
        ],
    };
    let expected = ",drawn as,\"Lateral, g\",Longitudinal\r\nlap,dot,0.5,-1.25\r\nlap,line,1,0.5\r\n\
        ,bar,2,3\r\n,bar,,4\r\nmean,level,,0.75\r\n";
    assert_eq!(figure_csv(&figure), expected);
}

/// A lap's line with samples at these positions.
fn with_series<T>(x: &[f64], y: &[f32], then: impl FnOnce(Series<'_, [f64], [f32]>) -> T) -> T {
    then(Series { x, y, extents: &Pyramid::over(y) })
}

/// A line of a lane; counts are drawn as steps.
fn line<'a>(whose: &str, unit: Unit, series: Series<'a, [f64], [f32]>, is_main: bool) -> LaneLine<'a> {
    let drawing = if unit == Unit::Count { Drawing::Step } else { Drawing::Line };
    LaneLine { head: head("Speed", "km/h", whose), unit: unit.shown(), drawing, series, is_main }
}

#[test]
fn lanes_have_other_laps_at_the_rows_of_the_main_lap() {
    let rows = [0.0, 10.0, 10.0, 30.0, 40.0];
    let text = with_series(&rows, &[5.0, 10.0, 20.0, f32::NAN, 50.0], |main| {
        // Between two samples, at the last of several, and beyond the end.
        with_series(&[5.0, 15.0, 30.0], &[1.0, 2.0, 4.0], |other| {
            let lines = [
                line("Lap 3", Unit::MetresPerSecond, main, true),
                line("Lap 2", Unit::MetresPerSecond, other, false),
            ];
            lanes_csv("Distance m", &rows, [10.0, 40.0], &lines, 60.0)
        })
    });
    let expected = "Distance m,Speed km/h (Lap 3),Speed km/h (Lap 2)\r\n\
        10,36,5.4\r\n10,72,5.4\r\n30,,14.4\r\n40,180,\r\n";
    assert_eq!(text, expected);
    // Gears hold until they change; samples too far apart give no value.
    for (bridge, gear) in [(60.0, "3"), (5.0, "")] {
        let text = with_series(&[5.0, 15.0], &[3.0, 4.0], |series| {
            let lines = [line("Lap 2", Unit::Count, series, false)];
            lanes_csv("Distance m", &[14.0], [0.0, 40.0], &lines, bridge)
        });
        assert!(text.ends_with(&format!("\r\n14,{gear}\r\n")), "{text}");
    }
}

#[test]
fn a_track_has_positions_even_without_colours() {
    let places = [[1.5, -2.0], [f32::NAN, f32::NAN]];
    let expected = "Distance m,x m,z m\r\n0,1.5,-2\r\n0.25,,\r\n";
    assert_eq!(track_csv(&[0.0, 0.25], &places, None), expected);
}

#[test]
fn a_name_that_hides_a_formula_is_text_and_seen_whole() {
    let mut csv = Csv::default();
    ["\u{200b}=1+1", "An\u{200d}na", "two\nlines", "Zoë 李"].into_iter().for_each(|name| csv.words(name));
    assert_eq!(csv.text(), "\"'=1+1\",Anna,\"two\nlines\",Zoë 李");
}
