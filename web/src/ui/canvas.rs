//! An element that is painted with each frame.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::html::Div;
use leptos::prelude::*;

use crate::frame::{self, Phase, Tick};
use crate::painter::Sheet;

/// What is painted. A frame first follows the state, and then draws without changing any.
pub(crate) trait Painting {
    /// Takes in what has changed.
    fn follow(&mut self, tick: &Tick);

    fn paint(&mut self, tick: &Tick);
}

/// The element, for as long as it is on the page. The label says what it shows to those who don't see it.
#[component]
pub(crate) fn Canvas<P: Painting + 'static>(
    class: &'static str,
    label: &'static str,
    /// Makes the painting once the sheet is on the page.
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
