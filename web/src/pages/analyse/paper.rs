//! The printed report over the page: to be looked at, printed and taken along.

use js_sys::encode_uri_component;

use crate::analyse::State;
use crate::dom::{Part, button, part};

/// What lies over the page: the sheet of paper and what can be done with it, or why there is none.
pub(super) fn parts(state: &State) -> Vec<Part> {
    match &state.printed {
        None => vec![part("p", "soft").set("role", "status").says(&state.printing)],
        Some(Err(why)) => vec![part("p", "").set("role", "alert").says(why)],
        Some(Ok([picture, page])) => {
            let picture = address("image/svg+xml", picture);
            let take = |words: &str, name: &str, href: &str| {
                part("a", "button").set("href", href).set("download", name).says(words)
            };
            let tools = part("p", "tools")
                .with(button("Print or save as PDF", "primary", "print"))
                .with(take("Save as .svg", "lap-report.svg", &picture))
                .with(take("Save as .html", "lap-report.html", &address("text/html", page)));
            let paper = part("img", "paper")
                .set("id", "paper")
                .set("alt", "The report of the lap")
                .set("src", &picture);
            vec![tools, part("div", "found").with(paper)]
        }
    }
}

/// An address that is the content itself: nothing has to be given back later.
fn address(kind: &str, content: &str) -> String {
    format!("data:{kind};charset=utf-8,{}", String::from(encode_uri_component(content)))
}
