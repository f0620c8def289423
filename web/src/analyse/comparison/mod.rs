//! The compared laps: their selection, loading and comparison.

mod braked;
mod choosing;
mod compared;
mod loaded_lap;
mod loading;
mod loads;
mod pair;
mod selection;
mod shown;
mod stint_reader;
mod store;

pub(crate) use braked::{Braked, apart};
pub(crate) use choosing::SelectionStore;
pub(crate) use loaded_lap::LoadedLap;
pub(crate) use loaded_lap::Values;
pub(crate) use loading::LapLoader;
pub(crate) use loads::Loads;
pub(crate) use selection::{Chosen, Selection};
pub(crate) use shown::{ShownLap, ShownLaps};
pub(crate) use stint_reader::StintReader;
pub(crate) use store::ComparisonStore;

#[cfg(test)]
pub(crate) mod tests {
    pub(crate) use super::pair::Pair;
    pub(crate) use super::pair::tests::decoded;
}
