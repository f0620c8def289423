//! The outline of a track before a lap was driven.

use super::{Outline, Session};

/// A partial outline from the longest lap under way, to draw until there is a full one.
pub fn sketch(session: &Session) -> Outline {
    let longest = session.cars().map(|(_, state)| state.traces.current()).max_by_key(|columns| columns.len());
    longest.map(|columns| Outline::of(columns, false).since_jump()).unwrap_or_default()
}
