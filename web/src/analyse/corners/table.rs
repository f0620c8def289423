//! The ledger: a row for each corner and straight, with what cost the time. Without a reference, the corners.

use leptos::prelude::*;
use trailbrake_shared::analysis::Comparison;
use trailbrake_shared::analysis::ledger::{PartGroup, PartLoss, RowPlace};
use trailbrake_shared::number::{self, write_signed};
use trailbrake_shared::recording::authored::BEST_FELT;
use trailbrake_shared::units::{DisplayUnit, Unit, Units};

use super::lines::class_of;
use super::parts::{BarScale, part_bars, swatch};
use crate::analyse::{CORNERS, ComparisonStore, DebriefStore, PanelStore, ShownLaps, ViewStore};
use crate::reactive::{EachRow, Rows};
use crate::text::figures::NONE;

/// Least remainder of the delta that has a row, seconds.
const LEAST_S: f64 = 0.0005;

/// A column of the table without a reference.
struct Column {
    head: &'static str,
    /// The tooltip of its head.
    title: &'static str,
    /// The unit of its values, or metres.
    is_speed: bool,
    value: fn(&Figures) -> Option<f64>,
}

const ALONE: [Column; 3] = [
    Column {
        head: "brake m",
        title: "Brake point: metres before the apex",
        is_speed: false,
        value: |it| it.before_apex_m,
    },
    Column { head: "min", title: "Min speed", is_speed: true, value: |it| it.min_ms },
    Column { head: "exit", title: "Exit speed", is_speed: true, value: |it| it.exit_ms },
];

impl Column {
    fn words(&self, figures: &Figures, speed: &DisplayUnit) -> String {
        let words = (self.value)(figures).map(|value| match self.is_speed {
            true => number::write(speed.value(value), speed.decimals),
            false => number::write(value, 0),
        });
        words.unwrap_or_else(|| NONE.to_owned())
    }

    fn head(&self, speed: &DisplayUnit) -> String {
        if self.is_speed { format!("{} {}", self.head, speed.suffix) } else { self.head.to_owned() }
    }
}

/// The row of a corner or a straight.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    place: RowPlace,
    ends_m: [f64; 2],
    name: String,
    title: String,
    /// The rank among the things to fix.
    rank: Option<usize>,
    /// The figures without a reference.
    figures: Figures,
    parts: Vec<PartLoss>,
    scale: BarScale,
    largest: &'static str,
    loss_s: Option<f64>,
}

/// The figures of a corner, in SI units.
#[derive(Clone, Debug, Default, PartialEq)]
struct Figures {
    before_apex_m: Option<f64>,
    min_ms: Option<f64>,
    exit_ms: Option<f64>,
}

/// The last rows: what is in no row, and the sum.
#[derive(Clone, Debug, PartialEq)]
struct Sum {
    elsewhere: Option<String>,
    sum: String,
    class: &'static str,
}

/// The ledger, or the corners without a reference.
#[component]
pub(crate) fn CornerTable() -> impl IntoView {
    let (comparison, view, panel, units) = (
        expect_context::<ComparisonStore>(),
        expect_context::<ViewStore>(),
        expect_context::<PanelStore>(),
        expect_context::<RwSignal<Units>>(),
    );
    let rows = Memo::new(move |_| comparison.shown().map(|shown| rows(&shown)).unwrap_or_default());
    let rows = Rows::new(rows, |row| row.place);
    let compared = Memo::new(move |_| comparison.shown().is_some_and(|shown| shown.compared));
    let here = Memo::new(move |_| {
        let (shown, at) = comparison.shown().zip(view.cursor_m())?;
        let mut corners = shown.comparison().corners.iter();
        corners.find(|corner| (corner.entry_m..=corner.exit_m).contains(&at)).map(|corner| corner.number)
    });
    let stint = Memo::new(move |_| comparison.shown().map(|shown| shown.lap_comparison.stint.laps));
    let sum = Memo::new(move |_| {
        comparison.shown().filter(|shown| shown.compared).and_then(|shown| sum(shown.comparison()))
    });
    let legend = Memo::new(move |_| {
        let is_there = |group: PartGroup| {
            rows.with(|rows| rows.iter().any(|row| row.parts.iter().any(|part| part.part.group() == group)))
        };
        PartGroup::ALL.into_iter().filter(|group| compared.get() && is_there(*group)).collect::<Vec<_>>()
    });
    let heads = move || {
        if compared.get() {
            return view! {
                <th scope="col"><span class="unseen">"parts"</span></th>
                <th scope="col" class="part">"largest part"</th>
                <th scope="col" title="Time lost because of it: there, and after it since its exit was slower">"s"</th>
            }
            .into_any();
        }
        let speed = units.get().shown(Unit::MetresPerSecond);
        let head = |column: &Column| view! { <th scope="col" title=column.title>{column.head(speed)}</th> };
        ALONE.iter().map(head).collect_view().into_any()
    };
    let order = move || if compared.get() { "by time lost" } else { "in track order" };
    view! {
        <section
            class="corner-table"
            id="corners"
            aria-label="Corners and straights"
            data-stint=move || stint.get()
            hidden=move || panel.open() != CORNERS
        >
            <Show when=move || !rows.is_empty()>
                <HatchPattern/>
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{order}</th>
                            {heads}
                        </tr>
                    </thead>
                    <tbody>
                        <EachRow rows let:row><LedgerRow row compared here/></EachRow>
                    </tbody>
                    <tfoot>{move || sum.get().map(sum_rows)}</tfoot>
                </table>
                <ul class="legend">
                    {move || legend.get().into_iter().map(|group| view! { <li>{swatch(group)}{group.label()}</li> }).collect_view()}
                </ul>
            </Show>
        </section>
    }
    .into_any()
}

/// The hatching of what is not the driver's doing.
#[component]
fn HatchPattern() -> impl IntoView {
    view! {
        <svg class="unseen" width="0" height="0" aria-hidden="true">
            <defs>
                <pattern id="part-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                    <rect width="2" height="5"></rect>
                </pattern>
            </defs>
        </svg>
    }
}

fn sum_rows(sum: Sum) -> impl IntoView {
    let Sum { elsewhere, sum, class } = sum;
    view! {
        {elsewhere.map(|seconds| view! {
            <tr class="elsewhere"><th scope="row" colspan="2">"before the line, or without data"</th><td class="part"></td><td>{seconds}</td></tr>
        })}
        <tr class="sum"><th scope="row" colspan="2">"Sum, the lap's delta"</th><td class="part"></td><td class=class data-figure="sum">{sum}</td></tr>
    }
}

/// The row of a corner or a straight.
#[component]
fn LedgerRow(row: Memo<Row>, compared: Memo<bool>, here: Memo<Option<u16>>) -> impl IntoView {
    let (view, debrief, units) = (
        expect_context::<ViewStore>(),
        expect_context::<DebriefStore>(),
        expect_context::<RwSignal<Units>>(),
    );
    let number = row.with_untracked(|row| row.place.corner);
    let open = Memo::new(move |_| number.is_some() && view.state.with(|view| view.corner) == number);
    let felt = Memo::new(move |_| number.and_then(|number| debrief.felt(number)));
    let press = move |_| match (number, open.get_untracked()) {
        (Some(_), true) => view.change(&|view, _| view.open_corner(None)),
        (Some(number), false) => view.show_corner(number),
        (None, _) => {
            let [from_m, to_m] = row.with_untracked(|row| row.ends_m);
            view.show_stretch([from_m, to_m, from_m]);
        }
    };
    let cells = move || {
        if compared.get() {
            return row.with(|row| {
                let loss = row.loss_s.map_or_else(|| NONE.to_owned(), |loss_s| write_signed(loss_s, 3));
                view! {
                    <td class="bars">{part_bars(&row.parts, row.scale)}</td>
                    <td class="part">{row.largest}</td>
                    <td class=class_of(row.loss_s) data-figure="lost">{loss}</td>
                }
                .into_any()
            });
        }
        let (figures, speed) = (row.with(|row| row.figures.clone()), units.get());
        let speed = speed.shown(Unit::MetresPerSecond);
        let cell = |column: &Column| view! { <td>{column.words(&figures, speed)}</td> };
        ALONE.iter().map(cell).collect_view().into_any()
    };
    view! {
        <tr
            data-corner=number
            class:here=move || number.is_some() && here.get() == number
            class:opened=move || open.get()
            class:straight=number.is_none()
        >
            <th scope="row">
                <button
                    type="button"
                    title=move || row.with(|row| row.title.clone())
                    aria-expanded=move || number.map(|_| if open.get() { "true" } else { "false" })
                    on:click=press
                >
                    {move || row.with(|row| row.name.clone())}
                </button>
                {move || row.with(|row| row.rank).map(|rank| view! { <i class="rank">{rank}</i> })}
                {move || felt.get().map(|felt| view! {
                    <span class="felt-mark" title=format!("Felt {felt} of {BEST_FELT}") data-figure="felt-mark">{felt}</span>
                })}
            </th>
            {cells}
        </tr>
    }
}

/// The rows, the largest loss first; without a reference, the corners in track order.
fn rows(shown: &ShownLaps) -> Vec<Row> {
    let comparison = shown.comparison();
    let ledger = &comparison.ledger.rows;
    let to_fix = &shown.lap_comparison.stint.to_fix;
    let scale = BarScale::of(ledger);
    let mut rows: Vec<Row> = ledger
        .iter()
        .filter(|row| shown.compared || row.place.corner.is_some())
        .map(|row| {
            let name = comparison.title_of(row, &|number| shown.corner_name(number));
            let place = comparison.corners.iter().position(|corner| Some(corner.number) == row.place.corner);
            let title = place.and_then(|place| comparison.corners.get(place)).map(|corner| corner.title());
            let figures = place.and_then(|place| comparison.rows(place)).map(|(lap, _)| Figures {
                before_apex_m: lap.before_apex_m,
                min_ms: lap.min_ms,
                exit_ms: lap.exit_ms,
            });
            Row {
                place: row.place,
                ends_m: [row.from_m, row.to_m],
                title: title.unwrap_or_else(|| name.clone()),
                name,
                rank: to_fix.rank(row.place),
                figures: figures.unwrap_or_default(),
                parts: row.parts.clone(),
                scale,
                largest: row.largest().map_or("", |part| part.part.label()),
                loss_s: row.loss_s,
            }
        })
        .collect();
    if shown.compared {
        let loss_s = |row: &Row| row.loss_s.unwrap_or_default();
        rows.sort_by(|one, other| loss_s(other).total_cmp(&loss_s(one)));
    }
    rows
}

/// The last rows of a ledger. `None` without rows.
fn sum(comparison: &Comparison) -> Option<Sum> {
    let rows = &comparison.ledger.rows;
    let known_s: f64 = rows.iter().filter_map(|row| row.loss_s).sum();
    let (_, delta_s) = comparison.delta.last().filter(|_| !rows.is_empty())?;
    let rest_s = delta_s - known_s;
    Some(Sum {
        elsewhere: (rest_s.abs() >= LEAST_S).then(|| write_signed(rest_s, 3)),
        sum: write_signed(*delta_s, 3),
        class: class_of(Some(*delta_s)),
    })
}
