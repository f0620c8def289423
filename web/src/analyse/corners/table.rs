//! The corner table: a row for each corner, and the card of the one that is open.

use leptos::html::Tr;
use leptos::prelude::*;
use trailbrake_shared::analysis::lost_because_of;
use trailbrake_shared::number::{self, write_signed};
use trailbrake_shared::recording::authored::BEST_FELT;
use trailbrake_shared::units::Units;
use trailbrake_shared::units::{DisplayUnit, Unit};

use super::card::CornerCard;
use super::lines::class_of;
use crate::analyse::panel_area::PanelArea;
use crate::analyse::{CORNERS, ComparisonStore, DebriefStore, PanelStore, ShownLaps, ViewStore};
use crate::browser;
use crate::reactive::{EachRow, Rows};
use crate::text::figures::NONE;

/// How much of a card is scrolled into view with its corner, CSS pixels.
const CARD: f64 = 120.0;

/// A column of the table.
struct Column {
    head: &'static str,
    /// The tooltip of its head.
    title: &'static str,
    /// The cell's id in its row, for tests.
    figure: Option<&'static str>,
    /// The CSS class of a value.
    class: fn(Option<f64>) -> &'static str,
    value: fn(&Figures) -> Option<f64>,
    form: Form,
    /// Whether the unit of speeds follows the head.
    names_unit: bool,
}

/// How the values of a column are written.
#[derive(Clone, Copy)]
enum Form {
    /// So many decimals.
    Plain(usize),
    /// So many decimals, and a sign before them, `+` included.
    Signed(usize),
    /// A speed in the driver's unit.
    Speed,
    /// A difference of speeds in the driver's unit, signed.
    SpeedDifference,
}

/// The column of a value without a class.
const fn column(
    head: &'static str,
    title: &'static str,
    form: Form,
    value: fn(&Figures) -> Option<f64>,
) -> Column {
    let names_unit = matches!(form, Form::Speed | Form::SpeedDifference);
    Column { head, title, figure: None, class: |_| "", value, form, names_unit }
}

const COMPARED: &[Column] = &[
    Column {
        figure: Some("brake"),
        ..column("brake m", "Brake point against the reference: + is later", Form::Signed(0), |it| it.later_m)
    },
    Column {
        figure: Some("spread"),
        class: |_| "soft",
        ..column("± m", "Spread of the brake point over the laps of the stint", Form::Plain(1), |it| {
            it.spread_m
        })
    },
    // The column beside it names the unit.
    Column {
        figure: Some("min"),
        names_unit: false,
        ..column("min", "Min speed", Form::Speed, |it| it.min_ms)
    },
    column("Δ", "Min speed against the reference", Form::SpeedDifference, |it| it.faster_ms),
    Column {
        figure: Some("lost"),
        class: class_of,
        ..column(
            "loss s",
            "Time lost because of the corner: in it, and after it since its exit was slower",
            Form::Signed(3),
            |it| it.lost_s,
        )
    },
];
const ALONE: &[Column] = &[
    column("brake m", "Brake point: metres before the apex", Form::Plain(0), |it| it.before_apex_m),
    column("min", "Min speed", Form::Speed, |it| it.min_ms),
    column("exit", "Exit speed", Form::Speed, |it| it.exit_ms),
];

impl Column {
    fn words(&self, figures: &Figures, speed: &DisplayUnit) -> String {
        let words = (self.value)(figures).map(|value| match self.form {
            Form::Plain(decimals) => number::write(value, decimals),
            Form::Signed(decimals) => write_signed(value, decimals),
            Form::Speed => number::write(speed.value(value), speed.decimals),
            Form::SpeedDifference => write_signed(value * speed.scale, speed.decimals),
        });
        words.unwrap_or_else(|| NONE.to_owned())
    }

    fn head(&self, speed: &DisplayUnit) -> String {
        if self.names_unit { format!("{} {}", self.head, speed.suffix) } else { self.head.to_owned() }
    }
}

/// The row of a corner.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    number: u16,
    name: String,
    title: String,
    figures: Figures,
}

/// The figures of a corner, in SI units.
#[derive(Clone, Debug, PartialEq)]
struct Figures {
    before_apex_m: Option<f64>,
    min_ms: Option<f64>,
    exit_ms: Option<f64>,
    /// The brake point against the reference: more is later.
    later_m: Option<f64>,
    /// The spread of the brake point over the laps of the stint.
    spread_m: Option<f64>,
    /// The lowest speed against the reference.
    faster_ms: Option<f64>,
    lost_s: Option<f64>,
}

/// The corner table.
#[component]
pub(crate) fn CornerTable() -> impl IntoView {
    let (comparison, view, panel, units) = (
        expect_context::<ComparisonStore>(),
        expect_context::<ViewStore>(),
        expect_context::<PanelStore>(),
        expect_context::<RwSignal<Units>>(),
    );
    let rows = Memo::new(move |_| comparison.shown().map(|shown| rows(&shown)).unwrap_or_default());
    let rows = Rows::new(rows, |row| row.number);
    let compared = Memo::new(move |_| comparison.shown().is_some_and(|shown| shown.compared));
    let here = Memo::new(move |_| {
        let (shown, at) = comparison.shown().zip(view.cursor_m())?;
        let mut corners = shown.comparison().corners.iter();
        corners.find(|corner| (corner.entry_m..=corner.exit_m).contains(&at)).map(|corner| corner.number)
    });
    let stint = Memo::new(move |_| comparison.shown().map(|shown| shown.lap_comparison.stint.laps));
    let heads = move || {
        let speed = units.get().shown(Unit::MetresPerSecond);
        let head = |column: &Column| view! { <th scope="col" title=column.title>{column.head(speed)}</th> };
        columns(compared.get()).iter().map(head).collect_view()
    };
    let order = move || if compared.get() { "by time lost" } else { "in track order" };
    view! {
        <section
            class="corner-table"
            id="corners"
            aria-label="Corners"
            data-stint=move || stint.get()
            hidden=move || panel.open() != CORNERS
        >
            <Show when=move || !rows.is_empty()>
                <div class="head"><h2>"Corners"</h2><span>{order}</span></div>
                <table>
                    <thead>
                        <tr>
                            <th scope="col" title="The corner">"corner"</th>
                            {heads}
                        </tr>
                    </thead>
                    <tbody>
                        <EachRow rows let:row><CornerRow row compared here/></EachRow>
                    </tbody>
                </table>
            </Show>
        </section>
    }
    .into_any()
}

/// The columns beside the corner's name.
fn columns(compared: bool) -> &'static [Column] {
    if compared { COMPARED } else { ALONE }
}

/// A corner's row, and its card below.
#[component]
fn CornerRow(row: Memo<Row>, compared: Memo<bool>, here: Memo<Option<u16>>) -> impl IntoView {
    let (view, debrief, units) = (
        expect_context::<ViewStore>(),
        expect_context::<DebriefStore>(),
        expect_context::<RwSignal<Units>>(),
    );
    let area = PanelArea::here();
    let line = NodeRef::<Tr>::new();
    let number = row.with_untracked(|row| row.number);
    let open = Memo::new(move |_| view.state.with(|view| view.corner == Some(number)));
    Effect::new(move |_| {
        // A key may open a corner that is out of view.
        if let (true, Some(area), Some(line)) = (open.get(), area.element(), line.get()) {
            browser::scroll_to_show(&area, &line, 0.0);
            // The card is laid out with the next frame.
            request_animation_frame(move || browser::scroll_to_show(&area, &line, CARD));
        }
    });
    let felt = Memo::new(move |_| debrief.felt(number));
    let press = move |_| match open.get_untracked() {
        true => view.change(&|view, _| view.open_corner(None)),
        false => view.show_corner(number),
    };
    let cells = move || {
        let (figures, speed) = (row.with(|row| row.figures.clone()), units.get());
        let speed = speed.shown(Unit::MetresPerSecond);
        let cell = |column: &Column| {
            let class = (column.class)((column.value)(&figures));
            view! { <td class=class data-figure=column.figure>{column.words(&figures, speed)}</td> }
        };
        columns(compared.get()).iter().map(cell).collect_view()
    };
    view! {
        <tr data-corner=number class:here=move || here.get() == Some(number) node_ref=line>
            <th scope="row">
                <button
                    type="button"
                    title=move || row.with(|row| row.title.clone())
                    aria-expanded=move || if open.get() { "true" } else { "false" }
                    on:click=press
                >
                    {move || row.with(|row| row.name.clone())}
                </button>
                {move || felt.get().map(|felt| view! {
                    <span class="felt-mark" title=format!("Felt {felt} of {BEST_FELT}") data-figure="felt-mark">{felt}</span>
                })}
            </th>
            {cells}
        </tr>
        <Show when=move || open.get()>
            <tr class="opened">
                <td colspan=1 + COMPARED.len()><CornerCard number/></td>
            </tr>
        </Show>
    }
}

/// The rows of the corners, the largest loss first; without a reference, in track order.
fn rows(shown: &ShownLaps) -> Vec<Row> {
    let comparison = shown.comparison();
    let mut places: Vec<usize> = (0..comparison.corners.len()).collect();
    let loss = |place: usize| lost_because_of(comparison, place).unwrap_or_default();
    if shown.compared {
        places.sort_by(|one, other| loss(*other).total_cmp(&loss(*one)));
    }
    places.into_iter().filter_map(|place| row(shown, place)).collect()
}

fn row(shown: &ShownLaps, place: usize) -> Option<Row> {
    let comparison = shown.comparison();
    let corner = comparison.corners.get(place)?;
    let [lap, reference] = comparison.tables.each_ref().map(|table| table.rows.get(place));
    let (lap, reference) = (lap?, reference?);
    let figures = Figures {
        before_apex_m: lap.before_apex_m,
        min_ms: lap.min_ms,
        exit_ms: lap.exit_ms,
        later_m: lap.brake_on_m.zip(reference.brake_on_m).map(|(lap, reference)| lap - reference),
        spread_m: shown.lap_comparison.stint.brake_spread_m.get(place).copied().flatten(),
        faster_ms: lap.min_ms.zip(reference.min_ms).map(|(lap, reference)| lap - reference),
        lost_s: lost_because_of(comparison, place),
    };
    Some(Row {
        number: corner.number,
        name: shown.corner_name(corner.number),
        title: corner.title(),
        figures,
    })
}
