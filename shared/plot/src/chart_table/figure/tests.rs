use proptest::prelude::*;
use trailbrake_analysis::rally::EvenSplit;
use trailbrake_model::Channel;
use trailbrake_model::units::Units;

use super::*;
use crate::Domain;
use crate::figure::{Histogram, histogram_figure, splits_beside, wheels_figure};

fn figure(ticks: TickKind, marks: Vec<Mark>) -> Figure {
    let axis = |label: &str, ticks| Axis { label: label.to_owned(), domain: Domain::new(0.0, 10.0), ticks };
    Figure {
        title: "Fuel".to_owned(),
        x: axis("lap", ticks),
        y: axis("litres", TickKind::Number),
        square: false,
        marks,
    }
}

fn mark(name: &str, tone: Tone, shape: Shape) -> Mark {
    Mark { name: name.to_owned(), tone, shape }
}

fn words(table: &Table) -> Vec<Vec<String>> {
    let row = |row: &Row| [row.name.clone()].into_iter().chain(row.cells.iter().map(Cell::words)).collect();
    table.rows.iter().map(row).collect()
}

#[test]
fn laps_have_a_row_each_and_levels_come_last() {
    let marks = vec![
        mark("median", Tone::Reference, Shape::Level(2.5)),
        mark("outliers", Tone::Off, Shape::Dots(vec![[3.0, 9.0]])),
        mark("laps", Tone::Main, Shape::Bars(0.7, vec![[2.0, 2.0], [1.0, 3.0]])),
    ];
    let table = figure_table(&figure(TickKind::Whole, marks));
    assert_eq!(table.title, "Fuel: litres");
    assert_eq!(table.heads, ["lap", "laps", "outliers"]);
    let expected =
        [vec!["1", "3.00", "–"], vec!["2", "2.00", "–"], vec!["3", "–", "9.00"], vec!["median", "2.50"]];
    assert_eq!(words(&table), expected);
}

#[test]
fn bars_beside_each_other_share_a_row() {
    let bars = |nth: u8, aside: f64| {
        let points = vec![[1.0 + aside, f64::from(nth)], [2.0 + aside, f64::from(nth) + 3.0]];
        mark(["entry", "middle", "exit"][usize::from(nth)], Tone::One(nth), Shape::Bars(0.23, points))
    };
    let marks = vec![bars(0, -0.23), bars(1, 0.0), bars(2, 0.23)];
    let table = figure_table(&figure(TickKind::Whole, marks));
    assert_eq!(table.heads, ["lap", "entry", "middle", "exit"]);
    assert_eq!(words(&table), [vec!["1", "0.00", "1.00", "2.00"], vec!["2", "3.00", "4.00", "5.00"]]);
}

#[test]
fn lap_times_are_written_to_the_millisecond() {
    let mut figure =
        figure(TickKind::Whole, vec![mark("laps", Tone::Main, Shape::Dots(vec![[4.0, 83.456]]))]);
    figure.y.ticks = TickKind::Time;
    assert_eq!(words(&figure_table(&figure)), [vec!["4", "1:23.456"]]);
}

#[test]
fn splits_are_named_by_their_ends() {
    let split = |share: f64| EvenSplit { share, clock_s: share * 80.0, part_s: 20.0 };
    let splits = [0.25, 0.5, 0.75, 1.0].map(split);
    let table = figure_table(&splits_beside(&splits, &splits));
    assert_eq!(table.heads[1..], ["lap", "reference"]);
    let names: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["0 to 25", "25 to 50", "50 to 75", "75 to 100"]);
}

#[test]
fn lines_are_read_at_round_places_and_not_in_gaps() {
    let along = |slope: f64| (0..=100_u32).map(|at| [f64::from(at) * 10.0, f64::from(at) * slope]).collect();
    let mut lines: [Vec<[f64; 2]>; 4] = [1.0, 2.0, 3.0, 4.0].map(along);
    lines[3].truncate(51);
    let table = figure_table(&wheels_figure(Channel::TyreTemperature, 1000.0, lines, &Units::default()));
    assert_eq!(table.heads[1..], ["FL", "FR", "RL", "RR"]);
    let half = table.rows.iter().find(|row| row.name == "500 m").expect("half way");
    assert_eq!(half.cells[0], Cell::Number(50.0, 0));
    assert_eq!(half.cells[3], Cell::Number(200.0, 0));
    assert_eq!(table.rows.last().expect("the end").cells[3], Cell::Nothing);
}

#[test]
fn a_g_g_diagram_has_its_envelope_in_each_direction() {
    let envelope = vec![[0.0, 1.0], [2.5, 0.0], [0.0, -4.0], [-3.0, -0.1]];
    let samples = vec![[0.0, 9.0], [1.0, 1.0]];
    let marks =
        vec![mark("", Tone::Main, Shape::Dots(samples)), mark("lap", Tone::Main, Shape::Line(envelope))];
    let table = figure_table(&Figure { square: true, ..figure(TickKind::Number, marks) });
    assert_eq!(table.heads, ["direction", "lap"]);
    let found: Vec<(String, String)> =
        table.rows.iter().map(|row| (row.name.clone(), row.cells[0].words())).collect();
    let expected = ["1.00", "–", "2.50", "–", "4.00", "–", "3.00", "–"];
    assert_eq!(
        found,
        DIRECTIONS.into_iter().zip(expected).map(|(name, g)| (name.into(), g.into())).collect::<Vec<_>>()
    );
}

proptest! {
    /// The table has the bars of the figure, and all of them.
    #[test]
    fn the_bins_of_a_histogram_are_all_there(
        lap in prop::collection::vec((-40.0_f64..300.0, 0.1_f64..2.0), 1..60), whole: bool
    ) {
        let lap: Vec<(f64, f64)> =
            lap.into_iter().map(|(value, s)| (if whole { value.round() } else { value }, s)).collect();
        let histogram =
            Histogram { title: "Speed".into(), unit: "km/h", whole, lap: lap.clone(), reference: lap };
        let drawn = histogram_figure(&histogram);
        let table = figure_table(&drawn);
        let Shape::Bars(_, bars) = &drawn.marks[0].shape else { panic!("bars") };
        let bars: Vec<f64> = bars.iter().map(|[_, share]| *share).filter(|share| *share > 0.0).collect();
        let cells = |column: usize| -> Vec<f64> {
            let value = |row: &Row| match row.cells[column] {
                Cell::Number(value, _) => value,
                _ => 0.0,
            };
            table.rows.iter().map(value).filter(|share| *share > 0.0).collect()
        };
        prop_assert_eq!(&cells(0), &bars);
        prop_assert_eq!(cells(0), cells(1));
    }
}
