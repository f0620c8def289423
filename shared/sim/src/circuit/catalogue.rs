//! The demo's circuits. All are invented, none is modelled on a real one.

use std::borrow::Cow;

use super::ground::{Ground, TARMAC};

/// A piece of a circuit's plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Piece {
    /// A straight, in metres.
    Straight(f64),
    /// A corner: angle in degrees (left positive) and radius in metres, with transitions at both ends.
    Turn(f64, f64),
    /// A bend of transitions alone: angle in degrees (left positive) and the smallest radius in metres, in its middle.
    Bend(f64, f64),
}

impl Piece {
    /// Its length, in metres.
    pub(super) fn length_m(&self) -> f64 {
        match *self {
            Self::Straight(length_m) => length_m,
            Self::Turn(degrees, radius_m) => {
                let arc_m = radius_m * degrees.abs().to_radians();
                arc_m + ease_m(arc_m)
            }
            Self::Bend(degrees, radius_m) => 2.0 * radius_m * degrees.abs().to_radians(),
        }
    }
}

/// Length of either transition of a corner with this arc, in metres.
pub(super) fn ease_m(arc_m: f64) -> f64 {
    (0.35 * arc_m).clamp(12.0, 60.0)
}

/// The ends of a road that is not closed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// Road before the start, in metres.
    pub before_m: f64,
    /// Distance from start to finish, in metres. The road goes on behind it.
    pub finish_m: f64,
}

/// A plan of a circuit, before it is closed and has a racing line, or of a rally stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The circuit's name.
    pub name: &'static str,
    /// Track width, in metres.
    pub width_m: f64,
    /// The lap from start line to start line.
    pub pieces: Cow<'static, [Piece]>,
    /// Indices of the two straights whose lengths are adjusted to close the lap.
    pub slack: [usize; 2],
    /// The ends of a rally stage; `None` for a circuit.
    pub ends: Option<Ends>,
    /// Heights above sea level in metres, at equal distances around the lap.
    pub heights_m: Cow<'static, [f64]>,
    /// Where sectors 2 and 3 begin, as fractions of the lap.
    pub sectors: [f64; 2],
    /// Whether the pit lane is on the left.
    pub pit_left: bool,
    /// Distance of the pit entry before the line and of the pit exit after it, in metres.
    pub pit_m: [f64; 2],
    /// The corners (from 1) after which DRS may be opened.
    pub drs_after_corner: &'static [usize],
    /// Air and track temperature, in °C.
    pub temperatures_c: [i8; 2],
    /// Where each kind of ground begins, in metres from the line.
    pub ground: &'static [(f64, Ground)],
}

/// Tarmac all around.
pub(super) const PAVED: &[(f64, Ground)] = &[(f64::MIN, TARMAC)];

use Piece::{Straight, Turn};

/// All circuits of the demo.
pub static CIRCUITS: [Plan; 3] = [
    // Clockwise, with a fast top end, an uphill hairpin and downhill esses.
    Plan {
        name: "Karvala Ring",
        width_m: 13.0,
        pieces: Cow::Borrowed(&[
            Straight(316.0),
            Turn(-95.0, 34.0),
            Straight(72.0),
            Turn(72.0, 55.0),
            Straight(342.0),
            Turn(-72.0, 160.0),
            Straight(431.0),
            Turn(-38.0, 190.0),
            Straight(554.0),
            Turn(-100.0, 26.0),
            Straight(453.0),
            Turn(62.0, 110.0),
            Straight(84.0),
            Turn(-88.0, 85.0),
            Straight(59.0),
            Turn(58.0, 110.0),
            Straight(61.0),
            Turn(-40.0, 120.0),
            Straight(417.0),
            Turn(-115.0, 40.0),
            Straight(121.0),
            Turn(74.0, 130.0),
            Straight(87.0),
            Turn(-78.0, 90.0),
            Straight(316.0),
        ]),
        slack: [8, 24],
        ends: None,
        heights_m: Cow::Borrowed(&[
            112.0, 112.0, 112.0, 114.0, 118.0, 124.0, 131.0, 137.0, 141.0, 144.0, 146.0, 143.0, 136.0, 128.0,
            121.0, 116.0, 113.0, 111.0, 110.0, 111.0, 112.0, 112.0,
        ]),
        sectors: [0.31, 0.66],
        pit_left: false,
        pit_m: [300.0, 270.0],
        drs_after_corner: &[4, 12],
        temperatures_c: [19, 27],
        ground: PAVED,
    },
    // Anticlockwise and short, along a coast: a long straight, a tight hairpin, a flowing return.
    Plan {
        name: "Costa Mirela",
        width_m: 12.0,
        pieces: Cow::Borrowed(&[
            Straight(372.0),
            Turn(85.0, 32.0),
            Straight(432.0),
            Turn(65.0, 85.0),
            Straight(212.0),
            Turn(-80.0, 45.0),
            Straight(26.0),
            Turn(75.0, 50.0),
            Straight(316.0),
            Turn(-30.0, 160.0),
            Straight(71.0),
            Turn(40.0, 140.0),
            Straight(201.0),
            Turn(150.0, 24.0),
            Straight(227.0),
            Turn(-55.0, 70.0),
            Straight(58.0),
            Turn(60.0, 65.0),
            Straight(60.0),
            Turn(-65.0, 60.0),
            Straight(206.0),
            Turn(-40.0, 120.0),
            Straight(147.0),
            Turn(95.0, 48.0),
            Straight(367.0),
            Turn(60.0, 70.0),
            Straight(372.0),
        ]),
        slack: [8, 26],
        ends: None,
        heights_m: Cow::Borrowed(&[
            6.0, 6.0, 6.5, 8.0, 11.0, 15.0, 19.0, 21.0, 20.0, 17.0, 14.0, 13.0, 14.0, 16.0, 15.0, 12.0, 9.0,
            7.0, 6.0, 6.0,
        ]),
        sectors: [0.34, 0.64],
        pit_left: true,
        pit_m: [320.0, 300.0],
        drs_after_corner: &[1, 13],
        temperatures_c: [27, 41],
        ground: PAVED,
    },
    // A figure of eight that crosses itself on a bridge.
    Plan {
        name: "Hoshimine Crossing",
        width_m: 14.0,
        pieces: Cow::Borrowed(&[
            Straight(385.0),
            Turn(100.0, 34.0),
            Straight(997.0),
            Turn(45.0, 300.0),
            Straight(304.0),
            Turn(-105.0, 28.0),
            Straight(194.0),
            Turn(-70.0, 110.0),
            Straight(60.0),
            Turn(-80.0, 70.0),
            Straight(683.0),
            Turn(-80.0, 60.0),
            Straight(60.0),
            Turn(30.0, 150.0),
            Straight(158.0),
            Turn(30.0, 140.0),
            Straight(289.0),
            Turn(-40.0, 200.0),
            Straight(256.0),
            Turn(140.0, 40.0),
            Straight(199.0),
            Turn(30.0, 300.0),
            Straight(151.0),
            Turn(-60.0, 60.0),
            Straight(20.0),
            Turn(60.0, 70.0),
            Straight(385.0),
        ]),
        slack: [2, 26],
        ends: None,
        heights_m: Cow::Borrowed(&[
            58.0, 58.0, 57.0, 55.0, 52.0, 48.0, 45.0, 44.0, 46.0, 51.0, 56.0, 59.0, 60.0, 58.0, 56.0, 55.0,
            54.0, 52.0, 50.0, 51.0, 54.0, 57.0, 58.0, 58.0,
        ]),
        sectors: [0.36, 0.68],
        pit_left: true,
        pit_m: [310.0, 290.0],
        drs_after_corner: &[1, 5, 13],
        temperatures_c: [23, 33],
        ground: PAVED,
    },
];
