//! An element that is painted in each frame.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::html::Div;
use leptos::prelude::*;

use crate::frame::{self, Phase, Tick};
use crate::painter::Sheet;

/// A painting. Each frame first calls `follow` and then `paint`, which draws without changing the state.
pub(crate) trait Painting {
    /// Updates the painting to the current state.
    fn follow(&mut self, tick: &Tick);

    fn paint(&mut self, tick: &Tick);
}

/// An element with a painting. The label describes it for screen readers.
#[component]
pub(crate) fn Canvas<P: Painting + 'static>(
    class: &'static str,
    label: &'static str,
    /// Makes the painting, once the element is on the page.
    mount: impl Fn(Sheet) -> P + 'static,
) -> impl IntoView {
    let host = NodeRef::<Div>::new();
    let subscriptions = StoredValue::new_local(Vec::new());
    Effect::new(move |_| {
        let Some(sheet) = host.get().and_then(|host| Sheet::mount(&host)) else { return };
        let painting = Rc::new(RefCell::new(mount(sheet)));
        let following = Rc::clone(&painting);
        let follow = frame::on(Phase::Layout, move |tick| following.borrow_mut().follow(tick));
        let draw = frame::on(Phase::Draw, move |tick| painting.borrow_mut().paint(tick));
        subscriptions.set_value(vec![follow, draw]);
        frame::request();
    });
    view! { <div class=format!("sheet {class}") role="img" aria-label=label node_ref=host></div> }
}
