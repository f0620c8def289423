//! Elements made by hand, for pages of many parts that change seldom: lists, panels, forms.
//!
//! A view of Leptos is a type of its own for every shape of element and every closure in it. That is quick where
//! figures change ten times a second; here it would only make the page larger, several times over. What is made here
//! listens to nothing either: an element says by `data-action` what a press on it means, and the page listens once.

use leptos::prelude::{Effect, document};
use wasm_bindgen::prelude::*;
use web_sys::{Element, Event, EventTarget};

/// An element that is being made.
pub(crate) struct Part(Option<Element>);

/// An element with a class, which may be empty.
pub(crate) fn part(tag: &str, class: &str) -> Part {
    // Only a name that is no tag's would make none.
    let part = Part(document().create_element(tag).ok());
    if class.is_empty() { part } else { part.set("class", class) }
}

/// A button; its action says what a press means.
pub(crate) fn button(words: &str, class: &str, action: &str) -> Part {
    part("button", class).set("type", "button").set("data-action", action).says(words)
}

/// A link.
pub(crate) fn link(words: &str, class: &str, href: &str) -> Part {
    part("a", class).set("href", href).says(words)
}

/// A button by which people choose files.
pub(crate) fn chooser(words: &str, class: &str, action: &str, several: bool) -> Part {
    let input = part("input", "unseen").set("type", "file").set("accept", ".mcap").set("data-action", action);
    part("label", class).says(words).with(input.mark("multiple", several))
}

impl Part {
    /// Sets an attribute.
    pub(crate) fn set(self, name: &str, value: &str) -> Self {
        if let Some(element) = &self.0 {
            // Only a name that is no attribute's is refused.
            let _ = element.set_attribute(name, value);
        }
        self
    }

    /// Sets an attribute that says all by being there.
    pub(crate) fn mark(self, name: &str, there: bool) -> Self {
        if there { self.set(name, "") } else { self }
    }

    /// Says something behind what is there.
    pub(crate) fn says(self, words: &str) -> Self {
        if let Some(element) = &self.0 {
            let _ = element.append_with_str_1(words);
        }
        self
    }

    /// Holds another one behind what is there.
    pub(crate) fn with(self, child: Part) -> Self {
        if let (Some(element), Some(child)) = (&self.0, &child.0) {
            let _ = element.append_with_node_1(child);
        }
        self
    }

    /// Holds several.
    pub(crate) fn with_all(self, children: Vec<Part>) -> Self {
        children.into_iter().fold(self, Self::with)
    }
}

/// Puts parts into an element, in the place of what was there.
pub(crate) fn fill(host: &Element, parts: Vec<Part>) {
    host.replace_children_with_node_0();
    for part in parts {
        if let Some(element) = &part.0 {
            let _ = host.append_with_node_1(element);
        }
    }
}

/// Puts parts into the element that has an id, if it is in the document.
pub(crate) fn fill_id(id: &str, parts: Vec<Part>) {
    if let Some(host) = document().get_element_by_id(id) {
        fill(&host, parts);
    }
}

/// What an event means by what stands on its target: the element, the word for it, and of what.
pub(crate) fn meant(event: &Event) -> Option<(Element, String, String)> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let on = target.closest("[data-action]").ok()??;
    let (action, of) = (on.get_attribute("data-action")?, on.get_attribute("data-of"));
    Some((on, action, of.unwrap_or_default()))
}

/// Does something now, and again whenever something changes that it has looked at.
pub(crate) fn whenever(work: Box<dyn Fn()>) {
    Effect::new(move |_| work());
}

/// Listens to an element, or to the window, until it is dropped.
pub(crate) struct Listening {
    to: EventTarget,
    what: &'static str,
    does: Closure<dyn Fn(Event)>,
}

impl Listening {
    /// Begins to listen.
    pub(crate) fn begin(to: &EventTarget, what: &'static str, does: Box<dyn Fn(Event)>) -> Self {
        let does = Closure::wrap(does);
        let _ = to.add_event_listener_with_callback(what, does.as_ref().unchecked_ref());
        Self { to: to.clone(), what, does }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.to.remove_event_listener_with_callback(self.what, self.does.as_ref().unchecked_ref());
    }
}
