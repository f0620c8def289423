//! Random circuits, for tests that must not know the track in advance.

use std::borrow::Cow;

use super::super::random::Random;
use super::catalogue::{CIRCUITS, PAVED, Piece, Plan};
use super::centre::CentreLine;

/// The most attempts.
const DRAWS: u64 = 3_000;
/// The shortest straight, in general and at the line, in metres.
const APART_M: f64 = 25.0;
const AT_LINE_M: f64 = 340.0;
/// The longest straight as drawn, and after closing the lap, in metres.
const LONG_M: f64 = 420.0;
const LONGEST_M: f64 = 1_100.0;
/// Probability of a kink in a straight, the shortest such straight in metres, the kink's angle in degrees and its
/// radius in metres. A kink needs no lift and is not a corner.
const KINKED: f64 = 0.3;
const KINKED_M: f64 = 160.0;
const KINK_DEGREES: [f64; 2] = [2.0, 7.0];
const KINK_RADIUS_M: [f64; 2] = [500.0, 1_000.0];
/// The least sine of the angle between the two straights that close the lap.
const ASLANT: f64 = 0.4;
/// The largest gap between end and start of the lap, in metres.
const CLOSED_M: f64 = 0.001;
/// The least distance between two parts of the track, and the track length up to which parts count as adjacent, in
/// metres.
const BESIDE_M: f64 = 45.0;
const FOLLOWS_M: f64 = 120.0;

/// The circuit with this number, always the same.
pub fn invented(number: u64) -> Plan {
    let mut drawn = (0..DRAWS).filter_map(|draw| draw_one(&mut Random::of(number, [draw, 0, 0, 31])));
    drawn.next().unwrap_or_else(|| CIRCUITS[0].clone())
}

/// Draws one circuit; `None` unless it closes and keeps clear of itself.
fn draw_one(chance: &mut Random) -> Option<Plan> {
    let side = if chance.unit() < 0.5 { -1.0 } else { 1.0 };
    let corners = 8 + (chance.unit() * 6.0) as usize;
    let mut turns: Vec<f64> = Vec::with_capacity(corners);
    for _ in 1..corners {
        let against = if chance.unit() < 0.35 { -1.0 } else { 1.0 };
        turns.push(side * against * chance.between(30.0, 125.0).round());
    }
    let mut straights = vec![chance.between(AT_LINE_M, LONG_M).round()];
    straights.extend((1..corners).map(|_| chance.between(APART_M, LONG_M).round()));
    let kink = |straight: &f64| {
        let [least, most] = KINK_DEGREES;
        let degrees = chance.between(least, most) * if chance.unit() < 0.5 { -1.0 } else { 1.0 };
        let [tight, wide] = KINK_RADIUS_M;
        let radius_m = chance.between(tight, wide);
        (chance.unit() < KINKED && *straight > KINKED_M).then_some((degrees, radius_m))
    };
    let kinks: Vec<Option<(f64, f64)>> = straights.iter().map(kink).collect();
    let bent: f64 = kinks.iter().flatten().map(|(degrees, _)| degrees).sum();
    let last = side * 360.0 - turns.iter().sum::<f64>() - bent;
    if !(35.0..150.0).contains(&last.abs()) {
        return None;
    }
    turns.push(last);
    let mut pieces = Vec::new();
    for ((turn, straight), kink) in turns.iter().zip(straights).zip(kinks) {
        match kink {
            Some((degrees, radius_m)) => pieces.extend([
                Piece::Straight(straight / 2.0),
                Piece::Turn(degrees, radius_m),
                Piece::Straight(straight / 2.0),
            ]),
            None => pieces.push(Piece::Straight(straight)),
        }
        // The larger the angle, the smaller the radius may be.
        let tightest = 3_000.0 / turn.abs();
        let radius = tightest * chance.between(1.0, 3.0);
        pieces.push(Piece::Turn(*turn, radius.clamp(24.0, 300.0).round()));
    }
    pieces.push(Piece::Straight(chance.between(AT_LINE_M, LONG_M).round()));
    let straight = |(index, piece): (usize, &Piece)| matches!(piece, Piece::Straight(_)).then_some(index);
    let straights: Vec<usize> = pieces.iter().enumerate().filter_map(straight).collect();
    let [ahead, back] = [1, 0].map(|least| least + (chance.unit() * 3.0) as usize);
    let slack = [*straights.get(ahead)?, *straights.iter().rev().nth(back)?];
    let [first, second] = slack;
    let turned = |piece: &Piece| if let Piece::Turn(degrees, _) = piece { *degrees } else { 0.0 };
    let between: f64 = pieces.get(first..second)?.iter().map(turned).sum();
    // Two nearly parallel straights can't close a lap by their lengths.
    if libm::sin(between.to_radians()).abs() < ASLANT {
        return None;
    }
    let plan = Plan {
        name: "Invented Ring",
        width_m: chance.between(11.0, 15.0).round(),
        pieces: Cow::Owned(pieces),
        slack,
        ends: None,
        heights_m: Cow::Owned((0..12).map(|_| chance.between(60.0, 75.0)).collect()),
        sectors: [chance.between(0.28, 0.38), chance.between(0.62, 0.72)],
        pit_left: chance.unit() < 0.5,
        pit_m: [310.0, 300.0],
        drs_after_corner: &[1],
        temperatures_c: [21, 30],
        ground: PAVED,
    };
    (straights_are_sound(&plan) && keeps_clear(&plan)).then_some(plan)
}

/// Whether the closed lap's straights have permitted lengths.
fn straights_are_sound(plan: &Plan) -> bool {
    let closed = CentreLine::closed(plan);
    let sound = closed.iter().all(|piece| match piece {
        Piece::Straight(long_m) => (APART_M..=LONGEST_M).contains(long_m),
        Piece::Turn(..) | Piece::Bend(..) => true,
    });
    let line = [closed.first(), closed.last()];
    sound && line.iter().all(|piece| matches!(piece, Some(Piece::Straight(long)) if *long >= AT_LINE_M))
}

/// Whether no part of the track is too close to another one.
fn keeps_clear(plan: &Plan) -> bool {
    let line = CentreLine::new(plan);
    let step_m = 12.0;
    let count = (line.length_m / step_m) as usize;
    let points: Vec<[f64; 3]> = (0..count).map(|step| line.pose(step as f64 * step_m).position).collect();
    let follows = (FOLLOWS_M / step_m) as usize;
    (3_000.0..7_000.0).contains(&line.length_m)
        && line.gap_m() < CLOSED_M
        && points.iter().enumerate().all(|(index, a)| {
            let others = points.iter().enumerate().skip(index + follows);
            others.filter(|(other, _)| index + count - other >= follows).all(|(_, b)| {
                let ([ax, _, az], [bx, _, bz]) = (a, b);
                (ax - bx).hypot(az - bz) > BESIDE_M
            })
        })
}

#[cfg(test)]
mod tests {
    use super::super::Circuit;
    use super::*;

    #[test]
    fn chance_draws_circuits_that_close_and_differ() {
        let circuits: Vec<Circuit> = (100..112).map(|number| Circuit::new(&invented(number))).collect();
        for circuit in &circuits {
            let length_m = circuit.length_m;
            assert_eq!(circuit.name, "Invented Ring", "chance gave up");
            assert!((8..=13).contains(&circuit.corners.len()), "{}", circuit.corners.len());
            // The end of the lap must lead into its start smoothly.
            let places = (-4..=4).map(|metre| circuit.pose(f64::from(metre).rem_euclid(length_m)).position);
            let places: Vec<[f64; 3]> = places.collect();
            for pair in places.windows(2) {
                let ([x, y, z], [a, b, c]) = (pair[0], pair[1]);
                let step = (x - a).hypot(z - c).hypot(y - b);
                assert!((step - 1.0).abs() < 0.01, "{step} m");
            }
        }
        let same = Circuit::new(&invented(100));
        assert_eq!((same.length_m, same.corners), (circuits[0].length_m, circuits[0].corners.clone()));
        assert!(circuits.iter().skip(1).all(|other| other.length_m != circuits[0].length_m));
    }
}
