//! Numbers whose meaning changed from one year to another, or that other games number otherwise.

use trailbrake_model::Surface;

use crate::table::{Measure, SentMeasure};

/// The surfaces by the number that the games send.
const SURFACES: [Surface; 12] = [
    Surface::Tarmac,
    Surface::Kerb,
    Surface::Concrete,
    Surface::Rock,
    Surface::Gravel,
    Surface::Mud,
    Surface::Sand,
    Surface::Grass,
    Surface::Water,
    Surface::Cobbles,
    Surface::Metal,
    Surface::Ridged,
];

/// The modes of ERS deployment as format 2018 numbers them, by the number in format 2020: none, medium, overtake, hotlap.
const ERS_MODES_2020: [f32; 4] = [0.0, 2.0, 4.0, 5.0];
/// The same by the number from format 2021 on: none, medium, hotlap, overtake.
const ERS_MODES_2021: [f32; 4] = [0.0, 2.0, 5.0, 4.0];

/// The number in another numbering. A number that the list lacks is far from all that it has.
fn renumbered(numbers: &[f32], sent: f32) -> f32 {
    numbers.get(sent as usize).copied().unwrap_or(sent + UNKNOWN)
}

/// The number that was sent for one in another numbering.
fn sent(numbers: &[f32], number: f32) -> f32 {
    let place = numbers.iter().position(|known| *known == number);
    place.map_or(number - UNKNOWN, |place| place as f32)
}

/// Numbers without a meaning lie above all others.
const UNKNOWN: f32 = 256.0;

/// The ERS modes of format 2020.
#[derive(Clone, Copy, Debug)]
pub struct ErsModes2020;

/// The ERS modes of formats from 2021 on.
#[derive(Clone, Copy, Debug)]
pub struct ErsModes2021;

/// The surfaces under a wheel.
#[derive(Clone, Copy, Debug)]
pub struct Surfaces;

impl Measure for ErsModes2020 {
    fn from_sent(sent: f32) -> f32 {
        renumbered(&ERS_MODES_2020, sent)
    }
}

impl SentMeasure for ErsModes2020 {
    fn to_sent(value: f32) -> f32 {
        sent(&ERS_MODES_2020, value)
    }
}

impl Measure for ErsModes2021 {
    fn from_sent(sent: f32) -> f32 {
        renumbered(&ERS_MODES_2021, sent)
    }
}

impl SentMeasure for ErsModes2021 {
    fn to_sent(value: f32) -> f32 {
        sent(&ERS_MODES_2021, value)
    }
}

impl Measure for Surfaces {
    fn from_sent(sent: f32) -> f32 {
        let surface = SURFACES.get(sent as usize).copied().unwrap_or(Surface::Other(sent as u8));
        f32::from(surface.number())
    }
}

impl SentMeasure for Surfaces {
    fn to_sent(value: f32) -> f32 {
        let is_it = |surface: &Surface| f32::from(surface.number()) == value;
        SURFACES.iter().position(is_it).map_or(value - UNKNOWN, |place| place as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_back() {
        for number in 0..=255_u8 {
            let number = f32::from(number);
            assert_eq!(ErsModes2020::to_sent(ErsModes2020::from_sent(number)), number);
            assert_eq!(ErsModes2021::to_sent(ErsModes2021::from_sent(number)), number);
            assert_eq!(Surfaces::to_sent(Surfaces::from_sent(number)), number);
        }
        assert_eq!([2.0, 3.0].map(ErsModes2020::from_sent), [4.0, 5.0], "overtake, then hotlap");
        assert_eq!([2.0, 3.0].map(ErsModes2021::from_sent), [5.0, 4.0], "hotlap, then overtake");
        assert_eq!(Surfaces::from_sent(7.0), f32::from(Surface::Grass.number()));
    }
}
