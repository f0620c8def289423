//! The entry of the fuzz targets: reads links as the pages do, since a link can come from anybody.

use crate::analyse::PendingLink;
use crate::demo::Wish;
use crate::library::Query;
use crate::room::published;
use crate::route;

/// Reads an address fragment, or pasted text that holds one, with the parser of every page. Returns the Library page's
/// own fragment for it. Reading that fragment again must return the same.
pub fn read_fragment(text: &str) -> String {
    let fragment = route::pasted(text).unwrap_or(text);
    let _ = (published(fragment), Wish::from_hash(fragment), PendingLink::read(fragment));
    Query::from_hash(fragment).fragment()
}
