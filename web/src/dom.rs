//! Elements as pages describe them: lists, panels, forms.
//!
//! A view of Leptos is a type of its own for every shape of element and every closure in it, which makes a page several
//! times as large as one of these parts: plain values of one type. What is drawn over and over is described anew each
//! time, and only what differs from the time before reaches the document. Parts listen to nothing: an element says by
//! `data-action` what a press on it means, and the page listens once.

use leptos::prelude::{Effect, document};
use wasm_bindgen::prelude::*;
use web_sys::{Element, Event, EventTarget, HtmlElement, HtmlInputElement, Node};

/// The namespace of drawings' elements.
const DRAWN: &str = "http://www.w3.org/2000/svg";

/// An element, as it is to be.
#[derive(Debug, PartialEq)]
pub(crate) struct Part {
    tag: &'static str,
    told: Vec<Told>,
    inside: Vec<Piece>,
}

/// Something inside of an element. Each has its place there, also while nothing stands in it.
#[derive(Debug, PartialEq)]
enum Piece {
    Nothing,
    Words(String),
    Part(Part),
}

/// Something that is told of an element.
#[derive(Debug, PartialEq)]
struct Told {
    how: How,
    name: &'static str,
    value: String,
}

/// How something is told of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Attribute,
    /// What people change by using the element, as what stands in a field.
    Property,
    /// The page's policy lets no attribute say it.
    Style,
}

/// An element with a class, which may be empty.
pub(crate) fn part(tag: &'static str, class: &str) -> Part {
    let part = Part { tag, told: Vec::new(), inside: Vec::new() };
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
    let input = part("input", "unseen")
        .set("type", "file")
        .set("accept", crate::ui::ACCEPTED)
        .set("data-action", action);
    let input = input.set("data-testid", action);
    part("label", class).says(words).with(input.mark("multiple", several || action == "open"))
}

impl Part {
    /// Sets an attribute.
    pub(crate) fn set(self, name: &'static str, value: &str) -> Self {
        self.tell(How::Attribute, name, value)
    }

    /// Sets an attribute that says all by being there.
    pub(crate) fn mark(self, name: &'static str, there: bool) -> Self {
        if there { self.set(name, "") } else { self }
    }

    /// Sets a property, which people may change by using the element; it is set again only when it is told otherwise.
    pub(crate) fn put(self, name: &'static str, value: &str) -> Self {
        self.tell(How::Property, name, value)
    }

    /// Sets something of its style.
    pub(crate) fn style(self, name: &'static str, value: &str) -> Self {
        self.tell(How::Style, name, value)
    }

    fn tell(mut self, how: How, name: &'static str, value: &str) -> Self {
        self.told.push(Told { how, name, value: value.to_owned() });
        self
    }

    /// Says something behind what is there.
    pub(crate) fn says(mut self, words: &str) -> Self {
        self.inside.push(Piece::Words(words.to_owned()));
        self
    }

    /// Holds another one behind what is there.
    pub(crate) fn with(self, child: Part) -> Self {
        self.perhaps(Some(child))
    }

    /// Holds another one behind what is there, or a place for it.
    pub(crate) fn perhaps(mut self, child: Option<Part>) -> Self {
        self.inside.push(child.map_or(Piece::Nothing, Piece::Part));
        self
    }

    /// Holds several.
    pub(crate) fn with_all(self, children: Vec<Part>) -> Self {
        children.into_iter().fold(self, Self::with)
    }

    /// Makes the element. Only a name that is no tag's makes none.
    fn make(&self) -> Option<Element> {
        let element = match self.tag {
            "svg" | "path" => document().create_element_ns(Some(DRAWN), self.tag),
            tag => document().create_element(tag),
        };
        let element = element.ok()?;
        renew(&element, &[], &self.inside);
        self.told.iter().for_each(|told| told.tell(&element));
        Some(element)
    }

    /// Makes an element that was another one of the kind into this one.
    fn replace(&self, was: &Part, element: &Element) {
        renew(element, &was.inside, &self.inside);
        for old in &was.told {
            if !self.told.iter().any(|told| told.is_of(old)) {
                old.take_back(element);
            }
        }
        for told in &self.told {
            if !was.told.contains(told) {
                told.tell(element);
            }
        }
    }
}

impl Piece {
    fn make(&self) -> Option<Node> {
        match self {
            Self::Nothing => None,
            Self::Words(words) => Some(document().create_text_node(words).into()),
            Self::Part(part) => Some(part.make()?.into()),
        }
    }
}

impl Told {
    fn is_of(&self, other: &Told) -> bool {
        self.how == other.how && self.name == other.name
    }

    fn tell(&self, element: &Element) {
        // Only a name that is none is refused.
        match (self.how, element.dyn_ref::<HtmlElement>()) {
            (How::Attribute, _) => drop(element.set_attribute(self.name, &self.value)),
            (How::Property, _) => {
                drop(js_sys::Reflect::set(element, &self.name.into(), &(&self.value).into()))
            }
            (How::Style, Some(element)) => drop(element.style().set_property(self.name, &self.value)),
            (How::Style, None) => {}
        }
    }

    fn take_back(&self, element: &Element) {
        match (self.how, element.dyn_ref::<HtmlElement>()) {
            (How::Attribute, _) => drop(element.remove_attribute(self.name)),
            (How::Style, Some(element)) => drop(element.style().remove_property(self.name)),
            (How::Property, _) | (How::Style, None) => {}
        }
    }
}

/// Makes what is inside of an element into something else, place by place.
fn renew(host: &Element, was: &[Piece], now: &[Piece]) {
    if was == now {
        return;
    }
    let mut next = host.first_child();
    for place in 0..was.len().max(now.len()) {
        let was = was.get(place).unwrap_or(&Piece::Nothing);
        let now = now.get(place).unwrap_or(&Piece::Nothing);
        let here = if *was == Piece::Nothing { None } else { next.take() };
        if let Some(here) = &here {
            next = here.next_sibling();
        }
        match (was, now, here) {
            (was, now, _) if was == now => {}
            (Piece::Words(_), Piece::Words(words), Some(here)) => here.set_text_content(Some(words)),
            (Piece::Part(was), Piece::Part(now), Some(here)) if was.tag == now.tag => {
                here.dyn_ref().into_iter().for_each(|element| now.replace(was, element));
            }
            (_, now, here) => {
                now.make()
                    .into_iter()
                    .for_each(|made| drop(host.insert_before(&made, here.as_ref().or(next.as_ref()))));
                here.into_iter().for_each(|here| drop(host.remove_child(&here)));
            }
        }
    }
}

/// What is drawn over and over in an element: of each time only what differs from the time before reaches the document.
pub(crate) struct Drawing {
    host: Element,
    drawn: Vec<Piece>,
}

impl Drawing {
    /// Nothing yet, in the place of what was there: pages follow each other in one element.
    pub(crate) fn begin(host: &Element) -> Self {
        host.replace_children_with_node_0();
        Self { host: host.clone(), drawn: Vec::new() }
    }

    /// Draws parts. Each has its place, also while it is not there.
    pub(crate) fn draw(&mut self, parts: Vec<Option<Part>>) {
        let pieces = parts.into_iter().map(|part| part.map_or(Piece::Nothing, Piece::Part)).collect();
        let was = std::mem::replace(&mut self.drawn, pieces);
        renew(&self.host, &was, &self.drawn);
    }
}

/// Puts parts into an element, in the place of what was there.
pub(crate) fn fill(host: &Element, parts: Vec<Part>) {
    host.replace_children_with_node_0();
    for part in parts {
        if let Some(element) = part.make() {
            let _ = host.append_with_node_1(&element);
        }
    }
}

/// Puts parts into the element that has an id, if it is in the document.
pub(crate) fn fill_id(id: &str, parts: Vec<Part>) {
    if let Some(host) = document().get_element_by_id(id) {
        fill(&host, parts);
    }
}

/// What stands in a field.
pub(crate) fn value(field: &Element) -> String {
    let value = js_sys::Reflect::get(field, &"value".into());
    value.ok().and_then(|value| value.as_string()).unwrap_or_default()
}

/// Forgets what stands in a field.
pub(crate) fn forget(field: &Element) {
    if let Some(input) = field.dyn_ref::<HtmlInputElement>() {
        input.set_value("");
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
