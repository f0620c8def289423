//! A figure as a part of a page: it paints with each frame for as long as somebody keeps it.

use web_sys::HtmlElement;

use super::Sheet;
use crate::frame::{self, Phase, Subscription, Tick};

/// Has a figure painted into an element. `make` makes the figure, which is then called with each frame until what comes
/// back is dropped; `None` when the browser cannot draw.
pub fn paint<P>(host: &HtmlElement, make: impl FnOnce(Sheet) -> P) -> Option<Subscription>
where
    P: FnMut(&Tick) + 'static,
{
    let painting = frame::on(Phase::Draw, make(Sheet::mount(host)?));
    frame::request();
    Some(painting)
}
