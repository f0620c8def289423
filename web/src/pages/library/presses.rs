//! What a press on something, or a change of a field, means.

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, HtmlInputElement};

use super::notes;
use crate::cockpit::Cockpit;
use crate::dom::{Listening, forget, meant, value};
use crate::library::{Column, Filter, Library};
use crate::opener;

/// Listens to everything in an element.
pub(super) fn listen(cockpit: Cockpit, library: &Library, main: &HtmlElement) -> Vec<Listening> {
    let (pressing, typing, changing) = (library.clone(), library.clone(), library.clone());
    vec![
        Listening::begin(main, "click", Box::new(move |event| pressed(&pressing, &event))),
        Listening::begin(main, "input", Box::new(move |event| typed(&typing, &event))),
        Listening::begin(main, "change", Box::new(move |event| changed(cockpit, &changing, &event))),
    ]
}

fn pressed(library: &Library, event: &Event) {
    let Some((_, action, of)) = meant(event) else { return };
    match action.as_str() {
        "row" => library.open(Some(of)),
        "sort" => {
            let column = Column::ALL.into_iter().find(|(_, word, _)| *word == of);
            library.look(|query| column.into_iter().for_each(|(column, ..)| query.sort_by(column)));
        }
        "widen" => library.look(crate::library::Query::widen),
        "bin" => library.turn_to(true),
        "leave-bin" => library.turn_to(false),
        "empty-bin" => library.ask_whether_sure(true),
        "keep-bin" => library.ask_whether_sure(false),
        "empty-bin-for-good" => library.empty_bin(),
        "restore" => library.restore(),
        "undo" => library.undo(),
        "close-details" => library.open(None),
        "delete" => library.delete(&of),
        "repair" => library.repair(&of),
        "note" => {
            let about = field(notes::ABOUT).parse().ok();
            library.note(&field(notes::AUTHOR), &field(notes::TEXT), about, notes::clear);
        }
        "take-note-away" => library.take_note_away(&of),
        "save-ticked" => library.save_ticked(),
        "untag" => library.tag(&of, false),
        "cancel-arrival" => of.parse().into_iter().for_each(|number| library.cancel(number)),
        _ => {}
    }
}

fn typed(library: &Library, event: &Event) {
    if let Some((on, action, _)) = meant(event)
        && action == "search"
    {
        library.look(|query| query.text = value(&on));
    }
}

fn changed(cockpit: Cockpit, library: &Library, event: &Event) {
    let Some((on, action, of)) = meant(event) else { return };
    let files = on.dyn_ref::<HtmlInputElement>().and_then(HtmlInputElement::files);
    match (action.as_str(), files) {
        ("filter", _) => {
            let filter = Filter::ALL.into_iter().find(|filter| filter.word() == of);
            let value = value(&on);
            library.look(|query| filter.into_iter().for_each(|filter| query.set(filter, value.clone())));
        }
        ("name", _) => library.rename(&value(&on)),
        ("tag", _) => {
            library.tag(&value(&on), true);
            forget(&on);
        }
        ("tick", _) => of.parse().into_iter().for_each(|place| library.tick(place)),
        ("leave-out", _) => {
            let out = on.dyn_ref::<HtmlInputElement>().is_none_or(HtmlInputElement::checked);
            library.take_others(!out);
        }
        ("whose", _) => value(&on).parse().into_iter().for_each(|place| library.look_at_seat(place)),
        ("import", Some(files)) => {
            library.bring(&files);
            // The same file can be chosen again.
            forget(&on);
        }
        ("open", _) => opener::opened(cockpit, &on),
        _ => {}
    }
}

/// What stands in the field of an id.
fn field(id: &str) -> String {
    document().get_element_by_id(id).map(|field| value(&field)).unwrap_or_default()
}
