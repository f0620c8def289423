//! Tables of any program: the driver says once which column is which channel, in which unit, and how time and distance
//! count. A first mapping is guessed from names, units and values.

mod column_unit;
mod field;
mod finished_laps;
mod guess;
mod guessed_names;
mod lap_rows;
mod lap_splitter;
mod mapping;
mod meaning;
mod not_mapped;
mod preview;
mod reading;
mod records;
mod sample;
mod text_decoder;

pub use guess::guess;
pub use mapping::{MappedColumn, TableMapping};
pub use meaning::Meaning;
pub use not_mapped::NotMapped;
pub use preview::{TablePreview, laps_in_words, preview};
pub use reading::MappedTable;
pub use sample::{SAMPLE_BYTES, TableSample};
#[cfg(test)]
mod tests;
