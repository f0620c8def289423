//! Documents name everything that the program has a name for.

use std::collections::BTreeSet;

use crate::tree;

/// The files that name events and signals.
const NAMERS: [&str; 3] =
    ["shared/model/src/event.rs", "shared/model/src/signal.rs", "shared/session/src/log.rs"];

/// The names in a text: words that begin with `on_`, in these quotes.
fn names(text: &str, quote: char) -> BTreeSet<&str> {
    let is_name = |word: &str| {
        word.len() > 3 && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_')
    };
    text.split(quote).filter(|word| word.starts_with("on_") && is_name(word)).collect()
}

#[test]
fn every_event_and_signal_is_described() {
    let sources = NAMERS.map(tree::text);
    let named: BTreeSet<&str> = sources.iter().flat_map(|source| names(source, '"')).collect();
    let document = tree::text("docs/watch.md");
    let described = names(&document, '`');
    assert!(named.len() > 60, "{named:?}");
    let missing: Vec<_> = named.difference(&described).collect();
    assert!(missing.is_empty(), "docs/watch.md lacks {missing:?}");
    // A field of a collision begins like an event.
    let gone: Vec<_> = described.difference(&named).filter(|name| **name != "on_car_m").collect();
    assert!(gone.is_empty(), "docs/watch.md describes {gone:?}, which nothing is called");
}
