//! A figure as a part of a page: it is made when its element is there, paints with each frame, and goes with it.

use leptos::html::Div;
use leptos::prelude::*;

use super::Sheet;
use crate::frame::{self, Phase, Subscription, Tick};

/// An element with a figure in it. `class` gives it its size; `label` says what it shows to those who do not see it;
/// `make` makes the figure, which is then called with each frame.
pub fn figure<P>(
    class: &'static str,
    label: &'static str,
    make: impl FnOnce(Sheet) -> P + 'static,
) -> impl IntoView
where
    P: FnMut(&Tick) + 'static,
{
    let host = NodeRef::<Div>::new();
    let make = StoredValue::new_local(Some(make));
    let painting = StoredValue::new_local(None::<Subscription>);
    Effect::new(move |_| {
        let Some(host) = host.get() else { return };
        let Some(make) = make.try_update_value(Option::take).flatten() else { return };
        let Some(sheet) = Sheet::mount(&host) else { return };
        let mut paint = make(sheet);
        painting.set_value(Some(frame::on(Phase::Draw, move |tick| paint(tick))));
        frame::request();
    });
    view! { <div class=format!("sheet {class}") role="img" aria-label=label node_ref=host></div> }
}
