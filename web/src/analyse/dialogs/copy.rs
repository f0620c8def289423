//! The copy dialog: copies the figures on screen as pictures and CSV, or saves them as files without a clipboard.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::plot::csv::figure_csv;
use web_sys::HtmlCanvasElement;

use crate::analyse::address::AddressStore;
use crate::analyse::canvases::Canvases;
use crate::analyse::{Charts, ComparisonStore, PanelChoice, PanelStore, lanes, map};
use crate::browser::{Handed, hand_out_picture, hand_out_text};
use crate::ui::Dialog;

/// A figure on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Figure {
    Lanes,
    Track,
    /// The corner table, which has no picture.
    Corners,
    /// A figure of the open panel, by its index from the top.
    OfPanel(usize),
}

/// A figure with its name, and the name of its file without the ending.
#[derive(Clone)]
struct NamedFigure {
    figure: Figure,
    name: String,
    file: String,
}

/// What a figure is copied as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Picture,
    Csv,
}

impl Format {
    const fn word(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::Csv => "CSV",
        }
    }

    const fn ending(self) -> &'static str {
        match self {
            Self::Picture => "png",
            Self::Csv => "csv",
        }
    }
}

/// What figures are copied from. Copies are handles to the same.
#[derive(Clone, Copy)]
struct CopySource {
    charts: Charts,
    panel: PanelStore,
    canvases: Canvases,
}

impl CopySource {
    fn here() -> Self {
        Self { charts: expect_context(), panel: expect_context(), canvases: Canvases::here() }
    }
}

#[component]
pub(super) fn CopyDialog(on_close: Callback<()>) -> impl IntoView {
    let (comparison, panel, address) = (
        expect_context::<ComparisonStore>(),
        expect_context::<PanelStore>(),
        expect_context::<AddressStore>(),
    );
    // The figures on screen when the dialog is opened.
    let figures = untrack(|| figures(comparison, panel));
    let status = RwSignal::new(String::new());
    let rows = figures.into_iter().map(|figure| view! { <FigureRow figure status/> }).collect_view();
    view! {
        <Dialog label="Copy" on_close>
            <h2>"Copy"</h2>
            <div class="found">
                <div class="copy-row">
                    <span>"Link to this view"</span>
                    <button
                        type="button"
                        aria-label="Copy the link to this view"
                        data-testid="copy-link"
                        on:click=move |_| copy_link(address, status)
                    >
                        "Link"
                    </button>
                </div>
                {rows}
            </div>
            <p class="soft copied" role="status" data-testid="copied">{move || status.get()}</p>
        </Dialog>
    }
}

#[component]
fn FigureRow(figure: NamedFigure, status: RwSignal<String>) -> impl IntoView {
    let source = CopySource::here();
    let name = figure.name.clone();
    let formats: &[Format] =
        if figure.figure == Figure::Corners { &[Format::Csv] } else { &[Format::Picture, Format::Csv] };
    let button = |format: Format| {
        let figure = figure.clone();
        let label = if format == Format::Picture { "Picture" } else { "CSV" };
        view! {
            <button
                type="button"
                aria-label=format!("{} as {}", figure.name, format.word())
                data-testid=format!("copy-{}-{}", figure.file, format.word().to_ascii_lowercase())
                on:click=move |_| copy(source, &figure, format, status)
            >
                {label}
            </button>
        }
    };
    view! {
        <div class="copy-row">
            <span>{name}</span>
            {formats.iter().copied().map(button).collect_view()}
        </div>
    }
}

/// The figures on screen.
fn figures(comparison: ComparisonStore, panel: PanelStore) -> Vec<NamedFigure> {
    let Some(shown) = comparison.shown() else { return Vec::new() };
    let named =
        |figure, name: &str, file: &str| NamedFigure { figure, name: name.to_owned(), file: file.to_owned() };
    let mut figures = vec![named(Figure::Lanes, "Lanes", "lanes")];
    if shown.laps.first().is_some_and(|lap| !lap.way.is_empty()) {
        figures.push(named(Figure::Track, "Track", "track"));
    }
    match panel.state.with(PanelChoice::panel) {
        None if shown.comparison().corners.is_empty() => {}
        None => figures.push(named(Figure::Corners, "Corners", "corners")),
        Some(open_panel) => {
            let open = panel.figures.get_value();
            for (place, shown) in open.iter().enumerate() {
                let file = match open.len() {
                    1 => open_panel.id.to_owned(),
                    _ => format!("{}-{}", open_panel.id, place + 1),
                };
                figures.push(named(Figure::OfPanel(place), &shown.figure().title, &file));
            }
        }
    }
    figures
}

impl Figure {
    fn picture(self, source: CopySource) -> Option<HtmlCanvasElement> {
        let CopySource { charts, panel, canvases } = source;
        let legend = charts.legend();
        match self {
            Self::Lanes => lanes::picture(canvases, &legend),
            Self::Track => map::picture(canvases, &legend),
            Self::Corners => None,
            Self::OfPanel(place) => panel.figures.with_value(|figures| figures.get(place)?.picture(&legend)),
        }
    }

    fn csv(self, CopySource { charts, panel, .. }: CopySource) -> Option<String> {
        match self {
            Self::Lanes => charts.lanes_csv(),
            Self::Track => charts.track_csv(),
            Self::Corners => charts.corners_csv(),
            Self::OfPanel(place) => {
                panel.figures.with_value(|figures| Some(figure_csv(figures.get(place)?.figure())))
            }
        }
    }
}

/// Copies a figure, or saves it as a file, and shows which in `status`.
fn copy(source: CopySource, figure: &NamedFigure, format: Format, status: RwSignal<String>) {
    let NamedFigure { figure, name, file } = figure.clone();
    let file = format!("{file}.{}", format.ending());
    let (picture, text) = match format {
        Format::Picture => (figure.picture(source), None),
        Format::Csv => (None, figure.csv(source)),
    };
    spawn_local(async move {
        let handed = match (picture, text) {
            (Some(canvas), _) => hand_out_picture(&canvas, &file).await,
            (None, Some(text)) => hand_out_text(&text, &file).await,
            (None, None) => return show_status(status, "There is nothing to copy."),
        };
        show_status(
            status,
            &match handed {
                Handed::Copied => format!("{name} copied as {}.", format.word()),
                Handed::SavedWithout => format!("Saved as {file}: this address has no clipboard."),
                Handed::SavedRefused => format!("Saved as {file}: the browser refused its clipboard."),
                Handed::Nowhere => NOWHERE.to_owned(),
            },
        );
    });
}

const NOWHERE: &str = "The browser can neither copy nor save it.";

/// Copies the address without its host, which is different on every other machine.
fn copy_link(address: AddressStore, status: RwSignal<String>) {
    let link = address.address();
    spawn_local(async move {
        let words = match hand_out_text(&link, "trailbrake-link.txt").await {
            Handed::Copied => {
                "Link copied. Paste it (Ctrl V) on any page of Trailbrake that has the recording."
            }
            Handed::SavedWithout | Handed::SavedRefused => {
                "Saved as trailbrake-link.txt. Paste its line (Ctrl V) on any page of Trailbrake."
            }
            Handed::Nowhere => NOWHERE,
        };
        show_status(status, words);
    });
}

/// Shows the outcome, as long as the dialog is open.
fn show_status(status: RwSignal<String>, words: &str) {
    let _ = status.try_set(words.to_owned());
}
