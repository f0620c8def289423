//! The corner table: a row for each corner, and the card of the one that is open.

use leptos::html::Tr;
use leptos::prelude::*;
use trailbrake_shared::analysis::lost_because_of;
use trailbrake_shared::number::{self, write_signed};
use trailbrake_shared::recording::notes::BEST_FELT;
use trailbrake_shared::units::Units;
use trailbrake_shared::units::{DisplayUnit, Unit};

use super::card::CornerCard;
use super::lines::class_of;
use crate::analyse::panel_area::PanelArea;
use crate::analyse::{CORNERS, ComparisonStore, DebriefStore, PanelStore, ShownLaps, ViewStore};
use crate::browser;
use crate::text::figures::NONE;

/// How much of a card is scrolled into view with its corner, CSS pixels.
const CARD: f64 = 120.0;

/// The head of a column.
struct Head {
    words: &'static str,
    /// The tooltip.
    title: &'static str,
    /// Whether the unit of speeds follows the words.
    of_speed: bool,
}

const fn head(words: &'static str, title: &'static str) -> Head {
    Head { words, title, of_speed: false }
}

const fn speed_head(words: &'static str, title: &'static str) -> Head {
    Head { words, title, of_speed: true }
}

const COMPARED: &[Head] = &[
    head("corner", "The corner"),
    head("brake m", "Brake point against the reference: + is later"),
    head("± m", "Spread of the brake point over the laps of the stint"),
    head("min", "Min speed"),
    speed_head("Δ", "Min speed against the reference"),
    head("loss s", "Time lost because of the corner: in it, and after it since its exit was slower"),
];
const ALONE: &[Head] = &[
    head("corner", "The corner"),
    head("brake m", "Brake point: metres before the apex"),
    speed_head("min", "Min speed"),
    speed_head("exit", "Exit speed"),
];

/// The row of a corner.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    number: u16,
    name: String,
    title: String,
    cells: Vec<Cell>,
}

/// A cell of a row.
#[derive(Clone, Debug, PartialEq)]
struct Cell {
    /// The CSS class.
    class: &'static str,
    /// The cell's id in its row, for tests.
    figure: Option<&'static str>,
    words: String,
}

impl Cell {
    fn new(words: Option<String>) -> Self {
        Self { class: "", figure: None, words: words.unwrap_or_else(|| NONE.to_owned()) }
    }

    fn class(self, class: &'static str) -> Self {
        Self { class, ..self }
    }

    fn figure(self, figure: &'static str) -> Self {
        Self { figure: Some(figure), ..self }
    }
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
    let speed = move || units.get().shown(Unit::MetresPerSecond);
    let rows = Memo::new(move |_| comparison.shown().map(|shown| rows(&shown, speed())).unwrap_or_default());
    let numbers = Memo::new(move |_| rows.with(|rows| rows.iter().map(|row| row.number).collect::<Vec<_>>()));
    let compared = Memo::new(move |_| comparison.shown().is_some_and(|shown| shown.compared));
    let here = Memo::new(move |_| {
        let (shown, at) = comparison.shown().zip(view.cursor_m())?;
        let mut corners = shown.comparison().corners.iter();
        corners.find(|corner| (corner.entry_m..=corner.exit_m).contains(&at)).map(|corner| corner.number)
    });
    let stint = Memo::new(move |_| comparison.shown().map(|shown| shown.lap_comparison.stint.laps));
    let heads = move || if compared.get() { COMPARED } else { ALONE };
    let order = move || if compared.get() { "by time lost" } else { "in track order" };
    view! {
        <section
            class="corner-table"
            id="corners"
            aria-label="Corners"
            data-stint=move || stint.get()
            hidden=move || panel.open() != CORNERS
        >
            <Show when=move || numbers.with(|numbers| !numbers.is_empty())>
                <div class="head"><h2>"Corners"</h2><span>{order}</span></div>
                <table>
                    <thead>
                        <tr>
                            {move || heads().iter().map(|Head { words, title, of_speed }| view! {
                                <th scope="col" title=*title>
                                    {*words}
                                    {of_speed.then(|| format!(" {}", speed().suffix))}
                                </th>
                            }).collect_view()}
                        </tr>
                    </thead>
                    <tbody>
                        <For each=move || numbers.get() key=|number| *number let:number>
                            <CornerRow number rows here/>
                        </For>
                    </tbody>
                </table>
            </Show>
        </section>
    }
    .into_any()
}

/// A corner's row, and its card below.
#[component]
fn CornerRow(number: u16, rows: Memo<Vec<Row>>, here: Memo<Option<u16>>) -> impl IntoView {
    let (view, debrief) = (expect_context::<ViewStore>(), expect_context::<DebriefStore>());
    let area = PanelArea::here();
    let line = NodeRef::<Tr>::new();
    let row = Memo::new(move |_| rows.with(|rows| rows.iter().find(|row| row.number == number).cloned()));
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
    let name = move || row.with(|row| row.as_ref().map(|row| row.name.clone()));
    let title = move || row.with(|row| row.as_ref().map(|row| row.title.clone()));
    let cells = move || row.with(|row| row.as_ref().map(|row| row.cells.clone())).unwrap_or_default();
    view! {
        <tr data-corner=number class:here=move || here.get() == Some(number) node_ref=line>
            <th scope="row">
                <button
                    type="button"
                    title=title
                    aria-expanded=move || if open.get() { "true" } else { "false" }
                    on:click=press
                >
                    {name}
                </button>
                {move || felt.get().map(|felt| view! {
                    <span class="felt-mark" title=format!("Felt {felt} of {BEST_FELT}") data-figure="felt-mark">{felt}</span>
                })}
            </th>
            {move || cells().into_iter().map(cell).collect_view()}
        </tr>
        <Show when=move || open.get()>
            <tr class="opened">
                <td colspan=COMPARED.len()><CornerCard number/></td>
            </tr>
        </Show>
    }
}

fn cell(cell: Cell) -> impl IntoView {
    view! { <td class=cell.class data-figure=cell.figure>{cell.words}</td> }
}

/// The rows of the corners, the largest loss first; without a reference, in track order.
fn rows(shown: &ShownLaps, speed: &DisplayUnit) -> Vec<Row> {
    let comparison = shown.comparison();
    let mut places: Vec<usize> = (0..comparison.corners.len()).collect();
    let loss = |place: usize| lost_because_of(comparison, place).unwrap_or_default();
    if shown.compared {
        places.sort_by(|one, other| loss(*other).total_cmp(&loss(*one)));
    }
    places.into_iter().filter_map(|place| row(shown, place, speed)).collect()
}

fn row(shown: &ShownLaps, place: usize, speed: &DisplayUnit) -> Option<Row> {
    let comparison = shown.comparison();
    let corner = comparison.corners.get(place)?;
    let [lap, reference] = comparison.tables.each_ref().map(|table| table.rows.get(place));
    let (lap, reference) = (lap?, reference?);
    let min = Cell::new(lap.min_ms.map(|ms| number::write(speed.value(ms), speed.decimals)));
    let cells = if shown.compared {
        let later = lap.brake_on_m.zip(reference.brake_on_m).map(|(lap, reference)| lap - reference);
        let faster = lap.min_ms.zip(reference.min_ms).map(|(lap, reference)| (lap - reference) * speed.scale);
        let lost = lost_because_of(comparison, place);
        let spread = shown.lap_comparison.stint.brake_spread_m.get(place).copied().flatten();
        vec![
            Cell::new(later.map(|metres| write_signed(metres, 0))).figure("brake"),
            Cell::new(spread.map(|metres| number::write(metres, 1))).class("soft").figure("spread"),
            min.figure("min"),
            Cell::new(faster.map(|faster| write_signed(faster, speed.decimals))),
            Cell::new(lost.map(|lost| write_signed(lost, 3))).class(class_of(lost)).figure("lost"),
        ]
    } else {
        vec![
            Cell::new(lap.before_apex_m.map(|metres| number::write(metres, 0))),
            min,
            Cell::new(lap.exit_ms.map(|ms| number::write(speed.value(ms), speed.decimals))),
        ]
    };
    Some(Row { number: corner.number, name: shown.corner_name(corner.number), title: corner.title(), cells })
}
