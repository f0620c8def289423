//! Reads links as the pages do: anybody may send one. For the fuzz targets.

use crate::analyse::PendingLink;
use crate::demo::Wish;
use crate::library::Query;
use crate::room::published;
use crate::route;

/// Reads an address fragment, or pasted text that holds one, as every page does. Returns what the library's page makes of
/// it, which must lead to itself.
pub fn read_fragment(text: &str) -> String {
    let fragment = route::pasted(text).unwrap_or(text);
    let _ = (published(fragment), Wish::from_hash(fragment), PendingLink::read(fragment));
    Query::from_hash(fragment).fragment()
}
