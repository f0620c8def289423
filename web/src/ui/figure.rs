//! A figure with axes, and its table.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::html::Div;
use leptos::prelude::*;
use trailbrake_shared::plot::chart_table::figure_table;
use trailbrake_shared::plot::figure;
use web_sys::HtmlCanvasElement;

use super::{ChartTables, TableButton};
use crate::painter::{self, FigurePainter, Ink};

/// A figure on the page, from which its picture can be copied. Clones are handles to the same figure.
#[derive(Clone)]
pub(crate) struct ShownFigure {
    figure: Rc<figure::Figure>,
    painter: Rc<RefCell<Option<FigurePainter>>>,
}

impl ShownFigure {
    /// A figure that its component will paint.
    pub(crate) fn new(figure: figure::Figure) -> Self {
        Self { figure: Rc::new(figure), painter: Rc::default() }
    }

    /// The figure.
    pub(crate) fn figure(&self) -> &figure::Figure {
        &self.figure
    }

    /// A picture of the figure as it is on screen, below a legend; `None` while it is not on screen.
    pub(crate) fn picture(&self, legend: &[(Ink, String)]) -> Option<HtmlCanvasElement> {
        self.painter.borrow().as_ref()?.picture(legend)
    }
}

/// Returns the cursor's point in a figure, in the units of its axes. Called in each frame.
pub(crate) type CursorPoint = Rc<dyn Fn() -> Option<[f64; 2]>>;

/// Paints a figure, with a button for its table.
#[component]
pub(crate) fn Figure(
    /// The figure to paint.
    figure: ShownFigure,
    /// The cursor's point, for a figure that shows the cursor.
    #[prop(optional_no_strip)]
    point: Option<CursorPoint>,
    /// Whether the table is shown, if one signal decides that for several figures.
    #[prop(optional)]
    table: Option<RwSignal<bool>>,
    /// The figure's name for tests.
    testid: String,
) -> impl IntoView {
    let host = NodeRef::<Div>::new();
    let shown = figure.figure();
    let class = if shown.square { "sheet chart square" } else { "sheet chart" };
    let label = format!("{}: {} over {}", shown.title, shown.y.label, shown.x.label);
    let (of, id) = (shown.title.clone(), format!("{testid}-table"));
    let open = table.unwrap_or_else(|| RwSignal::new(false));
    let tables = {
        let figure = figure.clone();
        move || vec![figure_table(figure.figure())]
    };
    let painting = StoredValue::new_local(None);
    Effect::new(move |_| {
        let Some(host) = host.get() else { return };
        let (figure, point) = (figure.clone(), point.clone());
        painting.set_value(painter::paint(&host, move |sheet| {
            figure.painter.replace(Some(FigurePainter::new(sheet, Rc::clone(&figure.figure))));
            move |_| {
                if let Some(painter) = figure.painter.borrow_mut().as_mut() {
                    painter.paint(point.as_ref().and_then(|point| point()));
                }
            }
        }));
    });
    view! {
        <div class=class role="img" aria-label=label aria-details=id.clone() data-testid=testid node_ref=host></div>
        <TableButton of=of.clone() controls=id.clone() open/>
        <ChartTables of id open tables/>
    }
}
