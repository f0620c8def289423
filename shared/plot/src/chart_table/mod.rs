//! Charts as tables, for those who don't see them: made of what is drawn, and reduced to what a person reads.
//!
//! - [`figure_table`]: the table of a figure.
//! - [`brake_point_table`]: the table of a map's brake points.
//! - [`places`], [`table_along`]: the table of what is drawn along a lap, at round places and corners.

mod brake_points;
mod figure;
mod places;

pub use brake_points::brake_point_table;
pub use figure::figure_table;
pub use places::{TablePlace, places, table_along};
