//! Laps in lists: their rows, whose they are, and the best of the library.

pub(crate) mod library_best;
mod rows;
pub(crate) mod seats;

pub(crate) use rows::{Ranking, Row, WHY_REPORTED, number};
