//! A part of a page that is there only under a condition.

use leptos::prelude::*;

/// Shows its children while `when` says so, and what `fallback` makes at other times.
///
/// Leptos has one that is compiled anew for each place where it stands; of this one the page has the code once.
#[component]
pub fn Show<W>(
    /// Whether they are shown.
    when: W,
    /// What is shown then.
    children: ChildrenFn,
    /// What is shown else; nothing, unless told otherwise.
    #[prop(optional, into)]
    fallback: ViewFn,
) -> AnyView
where
    W: Fn() -> bool + Send + Sync + 'static,
{
    either(Box::new(when), children, fallback)
}

fn either(when: Box<dyn Fn() -> bool + Send + Sync>, children: ChildrenFn, fallback: ViewFn) -> AnyView {
    // What is shown is built anew only when the answer changes, however often it is asked.
    let when = Memo::new(move |_| when());
    (move || if when.get() { children() } else { fallback.run() }).into_any()
}
