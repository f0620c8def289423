//! Numbers, dates and words as text.

pub(crate) mod dates;
pub(crate) mod figures;
pub(crate) mod words;
