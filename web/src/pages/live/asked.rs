//! A recording that the address asks for and that does not play yet, or can't be had from here.

use crate::cockpit::Asked;
use crate::dom::{Part, button, chooser, part};
use crate::replay::{Link, Place};

/// What becomes of it.
pub(super) fn asked(asked: &Asked) -> Option<Part> {
    match asked {
        Asked::Nothing => None,
        Asked::Opening(link) => {
            let name = link.file.clone().unwrap_or_else(|| link.id.to_string());
            let words =
                part("p", "asked").set("role", "status").set("data-figure", "opening").says("Opening ");
            Some(words.with(part("code", "").says(&name)))
        }
        Asked::Missing { link, why } => Some(missing(link, why)),
    }
}

fn missing(link: &Link, why: &str) -> Part {
    let begins = match link.place {
        None => "",
        Some(Place::At(_)) => " It begins where the link says.",
        Some(Place::Lap(_)) => " It begins at the lap that the link names.",
    };
    let id = link.id.to_string();
    let (what, name) = match &link.file {
        Some(file) => ("the file ", file),
        None => ("the file of the recording ", &id),
    };
    let advice = part("p", "").says("If you have it, drop ").says(what).with(part("code", "").says(name));
    let wanted = part("code", "").set("data-figure", "wanted").says(&id);
    let actions = part("p", "actions")
        .with(chooser("Open the file", "button plain", "open", false))
        .with(button("Look again", "", "again"))
        .with(part("span", "").says("Recording ").with(wanted));
    part("section", "asked")
        .set("role", "alert")
        .set("data-figure", "missing-recording")
        .with(part("h2", "").says("This link's recording is not here"))
        .with(part("p", "").set("data-figure", "why").says(why))
        .with(advice.says(" anywhere on this page, or open it.").says(begins))
        .with(actions)
}
