//! One recording beside the list: what it is called, what is in it, and what can be done with it.

use leptos::prelude::document;
use trailbrake_shared::library::Entry;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::{facts, notes};
use crate::dom::{Part, button, fill, fill_id, link, part};
use crate::library::{Library, Listed, State, title};
use crate::route::Page;

/// What can be done with a recording depends on this.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Whole,
    Binned,
    Broken,
}

/// Draws what stays for as long as the same recording is open: fields in which somebody writes among it.
pub(super) fn draw(library: &Library) {
    let Some(panel) = document().get_element_by_id("details") else { return };
    let what = library.read(|state| {
        state.opened().map(|one| format!("{:?} {}", kind(state, one), one.key)).unwrap_or_default()
    });
    if panel.get_attribute("data-of").unwrap_or_default() == what {
        return;
    }
    let _ = panel.set_attribute("data-of", &what);
    let parts = library.read(|state| state.opened().map(|one| skeleton(kind(state, one))));
    fill(&panel, parts.unwrap_or_default());
    panel.set_scroll_top(0);
    // What is to be in it may have been drawn before it was there.
    draw_actions(library);
    draw_words(library);
}

/// Draws what can be done with the recording.
pub(super) fn draw_actions(library: &Library) {
    let actions = library.read(|state| state.opened().map(|one| actions(state, one)).unwrap_or_default());
    fill_id("actions", actions);
}

fn kind(state: &State, one: &Listed) -> Kind {
    match (one.entry.id, state.query.bin) {
        (_, true) => Kind::Binned,
        (None, false) => Kind::Broken,
        (Some(_), false) => Kind::Whole,
    }
}

fn skeleton(kind: Kind) -> Vec<Part> {
    let place = |tag, class, id| part(tag, class).set("id", id);
    let mut parts = vec![button("Close", "quiet", "close-details")];
    if kind == Kind::Whole {
        // The name is changed where it stands. Without one the field says what the list would.
        let name =
            place("input", "title", "title").set("aria-label", "Name").set("title", "Name this recording");
        parts.push(name.set("maxlength", "200").set("data-action", "name"));
    } else {
        parts.push(place("h2", "title", "title"));
    }
    parts.push(place("p", "soft", "when"));
    parts.push(place("div", "actions", "actions"));
    if kind != Kind::Broken {
        parts.push(place("dl", "facts", "facts").set("data-figure", "facts"));
    }
    if kind == Kind::Whole {
        let field = part("input", "").set("aria-label", "Add a tag").set("placeholder", "Add a tag");
        let field = field.set("maxlength", "200").set("data-action", "tag");
        parts.push(part("h2", "").says("Tags"));
        parts.push(part("div", "tags").with(place("span", "chips", "chips")).with(field));
        parts.push(place("div", "", "laps"));
        parts.push(place("div", "", "taking"));
        parts.push(notes::skeleton());
    }
    parts
}

/// Draws what is said of the recording.
pub(super) fn draw_words(library: &Library) {
    library.read(|state| {
        let Some(one) = state.opened() else { return };
        say_title(one);
        let when = [Some(one.date.clone()), one.game.clone(), one.entry.driver.clone()];
        let when: Vec<String> = when.into_iter().flatten().filter(|words| !words.is_empty()).collect();
        fill_id("when", vec![part("span", "").says(&when.join(" · "))]);
        let known = state.known.as_ref().and_then(|known| known.as_ref().ok());
        let mut rows = Vec::new();
        for (what, how) in facts::rows(one, known.map(AsRef::as_ref)) {
            rows.extend([part("dt", "").says(what), part("dd", "").says(&how)]);
        }
        if let Some(Err(words)) = &state.known {
            rows.push(part("dd", "note").says(words));
        }
        fill_id("facts", rows);
        let chip = |tag: &String| {
            let hint = format!("Take the tag {tag} away");
            button(&format!("{tag} ×"), "tag", "untag").set("data-of", tag).set("title", &hint)
        };
        fill_id("chips", one.entry.tags.iter().map(chip).collect());
    });
}

fn say_title(one: &Listed) {
    let Some(heading) = document().get_element_by_id("title") else { return };
    let Some(field) = heading.dyn_ref::<HtmlInputElement>() else {
        return heading.set_text_content(Some(&title(&one.entry)));
    };
    field.set_placeholder(&title(&Entry { name: None, ..one.entry.clone() }));
    let writing = document().active_element().is_some_and(|active| active == heading);
    if !writing {
        field.set_value(one.entry.name.as_deref().unwrap_or_default());
    }
}

fn actions(state: &State, one: &Listed) -> Vec<Part> {
    match kind(state, one) {
        Kind::Whole => {
            let to = |page: Page| [page.hash(), "?recording=", &one.key].concat();
            let download = link("Download", "button plain", &format!("/library/{}/file", one.key));
            let last = match one.entry.underway {
                true => part("span", "soft").says("being recorded"),
                false => delete(one),
            };
            let repaired = state.repaired.as_ref().filter(|(key, _)| *key == one.key);
            let said = repaired.map(|(_, words)| {
                let words = words.iter().map(|words| part("p", "").says(words)).collect();
                part("div", "note").set("data-figure", "repaired").with_all(words)
            });
            let mut actions = vec![
                link("Play", "button", &to(Page::Live)).set("data-action", "play-recording"),
                link("Analyse", "button plain", &to(Page::Analyse)).set("data-action", "analyse-recording"),
                download.set("download", "").set("data-action", "download"),
                last,
            ];
            actions.extend(said);
            actions
        }
        Kind::Binned => {
            let mut actions = broken(one);
            actions.push(button("Take out of the bin", "primary", "restore"));
            actions
        }
        Kind::Broken => {
            let mut actions = broken(one);
            if one.entry.damaged {
                let repair = if state.repairing.as_ref() == Some(&one.key) {
                    part("span", "soft").set("role", "status").says("Looking for what is whole…")
                } else {
                    button("Repair", "primary", "repair").set("data-of", &one.key)
                };
                actions.push(repair);
            }
            actions.push(delete(one));
            let what = match one.entry.damaged {
                true => {
                    "Repair puts what is whole of it in its place, and keeps the file as it is beside it, with .broken behind its name. "
                }
                false => "",
            };
            actions.push(part("p", "soft").says(&format!("{what}The file is in {}.", state.shelf.folder)));
            actions
        }
    }
}

fn delete(one: &Listed) -> Part {
    button("Delete", "plain", "delete").set("data-of", &one.key)
}

/// Why a file can't be opened, if so.
fn broken(one: &Listed) -> Vec<Part> {
    let trouble = one.entry.trouble.as_deref().map(crate::words::sentence);
    let say = |words: String| part("p", "note").set("data-figure", "broken").says(&words);
    trouble.map(say).into_iter().collect()
}
