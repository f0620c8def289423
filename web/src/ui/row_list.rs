//! A list that scrolls and is as high as the rows that it shows whole.

use leptos::html::Div;
use leptos::prelude::*;
use trailbrake_shared::number;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::frame::{self, Phase};

/// How often the rows are measured, in milliseconds.
const PERIOD_MS: f64 = 200.0;

/// The list. Its content is a table.
#[component]
pub(crate) fn RowList(
    #[prop(into)] label: String,
    /// The element that scrolls.
    #[prop(optional)]
    list: NodeRef<Div>,
    children: Children,
) -> impl IntoView {
    let room = NodeRef::<Div>::new();
    let subscription = StoredValue::new_local(None);
    Effect::new(move |_| {
        let (Some(room), Some(list)) = (room.get(), list.get()) else { return };
        let (mut measured_ms, mut fitted) = (f64::NEG_INFINITY, None);
        subscription.set_value(Some(frame::on(Phase::Layout, move |tick| {
            if tick.now_ms - measured_ms >= PERIOD_MS {
                measured_ms = tick.now_ms;
                fit(&room, &list, &mut fitted);
            }
        })));
        frame::request();
    });
    view! {
        <div class="rows" node_ref=room>
            <div class="scroll" tabindex="0" role="group" aria-label=label node_ref=list>
                {children()}
            </div>
        </div>
    }
}

/// Makes the list as high as its whole rows, if its room or its content changed.
fn fit(room: &HtmlElement, list: &HtmlElement, fitted: &mut Option<[i32; 3]>) {
    let state = [room.client_height(), list.scroll_height(), list.scroll_top()];
    if fitted.as_ref() == Some(&state) {
        return;
    }
    let style = list.style();
    // Both calls fail only for an invalid name.
    let _ = style.remove_property("max-height");
    let height = whole_rows(f64::from(room.client_height()), &bottoms(list));
    if let Some(height) = height {
        let _ = style.set_property("max-height", &format!("{}px", number::write(height, 2)));
    }
    *fitted = Some([room.client_height(), list.scroll_height(), list.scroll_top()]);
}

/// The lower ends of the rows below the list's upper end, in CSS pixels. The row that
/// stays in sight is not counted.
fn bottoms(list: &HtmlElement) -> Vec<f64> {
    let top = list.get_bounding_client_rect().top();
    let Ok(rows) = list.query_selector_all("tr:not(.own)") else { return Vec::new() };
    let rows = (0..rows.length()).filter_map(|place| rows.item(place)?.dyn_into::<Element>().ok());
    rows.map(|row| row.get_bounding_client_rect().bottom() - top).filter(|bottom| *bottom > 0.0).collect()
}

/// The height of the rows that fit whole into a room. `None` if all of them fit, or not even one.
fn whole_rows(room: f64, bottoms: &[f64]) -> Option<f64> {
    // Half a pixel is rounding.
    let fits = |bottom: &&f64| **bottom <= room + 0.5;
    if bottoms.iter().all(|bottom| fits(&bottom)) {
        return None;
    }
    bottoms.iter().filter(fits).copied().reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_ends_with_a_whole_row() {
        let even: Vec<f64> = (1..=20).map(|row| f64::from(row) * 27.0).collect();
        assert_eq!(whole_rows(100.0, &even), Some(81.0));
        assert_eq!(whole_rows(108.0, &even), Some(108.0));
        assert_eq!(whole_rows(600.0, &even), None, "all of them fit");
        assert_eq!(whole_rows(20.0, &even), None, "not even one fits");
        // A header, and rows of one and of two lines.
        assert_eq!(whole_rows(100.0, &[26.0, 53.0, 107.0, 134.0]), Some(53.0));
        assert_eq!(whole_rows(100.0, &[]), None);
    }
}
