//! The side columns: how wide each is, and whether it is folded. The browser keeps both.

use leptos::html::Div;
use leptos::prelude::*;
use trailbrake_shared::number;
use web_sys::{HtmlElement, KeyboardEvent, PointerEvent};

use crate::browser::{self, keys};

/// In windows narrower than this, CSS pixels, the left column is folded by default: the lanes need the width.
const NARROW: f64 = 1181.0;
/// The least and the greatest width of a column, CSS pixels.
const LEAST: f64 = 180.0;
const MOST: f64 = 560.0;
/// How far an arrow key moves an edge, CSS pixels.
const STEP: f64 = 16.0;
/// The stored word of a folded column.
const FOLDED: &str = "folded";

/// A side of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    const fn key(self) -> &'static str {
        match self {
            Self::Left => keys::ANALYSE_LEFT,
            Self::Right => keys::ANALYSE_RIGHT,
        }
    }

    /// The name of the column.
    const fn label(self) -> &'static str {
        match self {
            Self::Left => "Laps",
            Self::Right => "Panels",
        }
    }

    /// The path of the icon: the page with this column.
    const fn icon(self) -> &'static str {
        match self {
            Self::Left => "M2.5 3.5h11v9h-11zM6.5 3.5v9",
            Self::Right => "M2.5 3.5h11v9h-11zM9.5 3.5v9",
        }
    }

    /// The path of the column in the icon, which is filled while the column is shown.
    const fn icon_column(self) -> &'static str {
        match self {
            Self::Left => "M2.5 3.5h4v9h-4z",
            Self::Right => "M9.5 3.5h4v9h-4z",
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::Left => "edge edge-left",
            Self::Right => "edge edge-right",
        }
    }

    /// The width of a column whose edge is at `x`, in a window this wide. CSS pixels.
    fn width(self, x: f64, window: f64) -> f64 {
        match self {
            Self::Left => x,
            Self::Right => window - x,
        }
    }
}

/// A column.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Column {
    folded: bool,
    /// The column's width, CSS pixels; `None` for the style sheet's default.
    width: Option<f64>,
}

impl Column {
    /// Parses a stored column. Without one, it has the default width and is folded if `folded`.
    fn of_word(word: Option<&str>, folded: bool) -> Self {
        let Some(word) = word else { return Self { folded, width: None } };
        let width = word.split(' ').find_map(number::read).map(|width| width.clamp(LEAST, MOST));
        Self { folded: word.split(' ').any(|word| word == FOLDED), width }
    }

    /// The column as it is stored: `folded`, its width, both or neither.
    fn word(self) -> String {
        let width = self.width.map(|width| format!("{width:.0}"));
        let words = [self.folded.then(|| FOLDED.to_owned()), width];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// Both columns. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    left: RwSignal<Column>,
    right: RwSignal<Column>,
}

impl Columns {
    /// Provides the stored columns to the components of the page.
    pub(super) fn provide() -> Self {
        let column =
            |side: Side, folded| RwSignal::new(Column::of_word(browser::kept(side.key()).as_deref(), folded));
        let narrow = browser::window_width() < NARROW;
        let columns = Self { left: column(Side::Left, narrow), right: column(Side::Right, false) };
        provide_context(columns);
        columns
    }

    pub(super) fn here() -> Self {
        expect_context()
    }

    fn of(self, side: Side) -> RwSignal<Column> {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }

    pub(super) fn is_folded(self, side: Side) -> bool {
        self.of(side).get().folded
    }

    /// The column's width as the style sheet reads it; empty for its default.
    pub(super) fn width(self, side: Side) -> String {
        self.of(side).get().width.map(|width| format!("{width:.0}px")).unwrap_or_default()
    }

    /// Shows a column, if it is folded.
    pub(super) fn unfold(self, side: Side) {
        if self.of(side).get_untracked().folded {
            self.toggle(side);
        }
    }

    fn toggle(self, side: Side) {
        self.of(side).update(|column| column.folded ^= true);
        self.keep(side);
    }

    fn resize(self, side: Side, width: f64) {
        self.of(side).update(|column| column.width = Some(width.clamp(LEAST, MOST)));
    }

    fn keep(self, side: Side) {
        browser::keep(side.key(), &self.of(side).get_untracked().word());
    }
}

/// The button that folds a column, or unfolds it.
#[component]
pub(super) fn FoldButton(side: Side) -> impl IntoView {
    let columns = Columns::here();
    let folded = move || columns.is_folded(side);
    let title = move || format!("{} {}", if folded() { "Show" } else { "Hide" }, side.label().to_lowercase());
    view! {
        <button
            type="button"
            class="quiet fold"
            data-testid=format!("fold-{}", side.label().to_lowercase())
            aria-expanded=move || if folded() { "false" } else { "true" }
            title=title
            on:click=move |_| columns.toggle(side)
        >
            <svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
                <path d=side.icon()></path>
                <path class="column" d=side.icon_column()></path>
            </svg>
            {side.label()}
        </button>
    }
}

/// The edge of a column, which is dragged to resize it.
#[component]
pub(super) fn ColumnEdge(side: Side) -> impl IntoView {
    let columns = Columns::here();
    let dragging = RwSignal::new(false);
    let (edge, width) = (NodeRef::<Div>::new(), RwSignal::new(LEAST));
    Effect::new(move |_| {
        columns.of(side).track();
        if edge.get().is_some() {
            // The width is measured, since the default is in the style sheet. The column is laid out with the next
            // frame.
            request_animation_frame(move || {
                if let Some(edge) = edge.try_get_untracked().flatten() {
                    width.set(side.width(middle(&edge), browser::window_width()).round());
                }
            });
        }
    });
    let press = move |event: PointerEvent| {
        if let Some(edge) = browser::target(&event).filter(|_| event.button() == 0) {
            let _ = edge.set_pointer_capture(event.pointer_id());
            dragging.set(true);
        }
    };
    let drag = move |event: PointerEvent| {
        if dragging.get_untracked() {
            columns.resize(side, side.width(event.client_x().into(), browser::window_width()));
        }
    };
    let release = move |_| {
        if dragging.get_untracked() {
            dragging.set(false);
            columns.keep(side);
        }
    };
    let reset = move |_| {
        columns.of(side).update(|column| column.width = None);
        columns.keep(side);
    };
    let strike = move |event: KeyboardEvent| {
        let step = match event.key().as_str() {
            "ArrowLeft" => -STEP,
            "ArrowRight" => STEP,
            _ => return,
        };
        // The page's own arrow keys move the cursor.
        event.stop_propagation();
        event.prevent_default();
        if let Some(edge) = browser::target(&event) {
            columns.resize(side, side.width(middle(&edge) + step, browser::window_width()));
            columns.keep(side);
        }
    };
    view! {
        <Show when=move || !columns.is_folded(side)>
            <div
                class=side.class()
                role="separator"
                aria-orientation="vertical"
                aria-valuemin=LEAST
                aria-valuemax=MOST
                aria-valuenow=move || width.get()
                aria-label=format!("Width of {}", side.label().to_lowercase())
                tabindex="0"
                node_ref=edge
                on:pointerdown=press
                on:pointermove=drag
                on:pointerup=release
                on:pointercancel=release
                on:dblclick=reset
                on:keydown=strike
            ></div>
        </Show>
    }
}

/// The middle of an edge, CSS pixels from the window's left.
fn middle(edge: &HtmlElement) -> f64 {
    let bounds = edge.get_bounding_client_rect();
    (bounds.left() + bounds.right()) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_column_comes_back() {
        for column in [
            Column::default(),
            Column { folded: true, width: None },
            Column { folded: true, width: Some(300.0) },
            Column { folded: false, width: Some(240.0) },
        ] {
            assert_eq!(Column::of_word(Some(&column.word()), true), column);
        }
        assert_eq!(Column::of_word(None, true), Column { folded: true, width: None });
        assert_eq!(Column::of_word(Some("9000"), false).width, Some(MOST));
    }

    #[test]
    fn an_edge_is_as_far_from_its_side_as_its_column_is_wide() {
        assert_eq!(Side::Left.width(240.0, 1400.0), 240.0);
        assert_eq!(Side::Right.width(1060.0, 1400.0), 340.0);
    }
}
