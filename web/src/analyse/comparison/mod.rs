//! The compared laps: their selection, loading and comparison.

mod braked;
mod choose;
mod compare;
mod compared;
mod lap_names;
mod loaded_lap;
mod loading;
mod loads;
mod pair;
mod selection;
mod shown;

pub(crate) use braked::{Braked, apart};
pub(crate) use compared::Compared;
pub(crate) use loaded_lap::LoadedLap;
pub(crate) use loaded_lap::Values;
pub(crate) use loads::Loads;
pub(crate) use selection::{Chosen, Selection};
pub(crate) use shown::Delta;
pub(crate) use shown::{ShownLap, ShownLaps};

#[cfg(test)]
pub(crate) mod tests {
    pub(crate) use super::pair::Pair;
    pub(crate) use super::pair::tests::decoded;
}
