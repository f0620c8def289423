//! Circuits made up by chance, as many as one likes: for tests that must not know the track beforehand.

use std::borrow::Cow;

use super::super::random::Random;
use super::catalogue::{CIRCUITS, Piece, Plan};
use super::centre::CentreLine;

/// How often chance may draw before it gives up.
const DRAWS: u64 = 3_000;
/// Straights are at least this long: between corners to the same side, which nearer together are driven in one sweep as one
/// corner, between others, and at the line, metres.
const SAME_SIDE_M: f64 = 150.0;
const APART_M: f64 = 25.0;
const AT_LINE_M: f64 = 340.0;
/// The longest straight that chance draws, and that closing the lap may leave, metres.
const LONG_M: f64 = 420.0;
const LONGEST_M: f64 = 1_100.0;
/// The straights whose lengths close the lap lie aslant to one another: the sine of the angle between them.
const ASLANT: f64 = 0.4;
/// How far the lap's end may miss its beginning, metres.
const CLOSED_M: f64 = 0.001;
/// Two stretches of the track are at least this far apart, metres, unless they follow one another so closely.
const BESIDE_M: f64 = 45.0;
const FOLLOWS_M: f64 = 120.0;

/// The circuit of a number: the same whenever it is asked for.
pub fn invented(number: u64) -> Plan {
    let mut drawn = (0..DRAWS).filter_map(|draw| draw_one(&mut Random::of(number, [draw, 0, 0, 31])));
    drawn.next().unwrap_or_else(|| CIRCUITS[0].clone())
}

/// A circuit, if chance has drawn one that closes and keeps clear of itself.
fn draw_one(chance: &mut Random) -> Option<Plan> {
    let side = if chance.unit() < 0.5 { -1.0 } else { 1.0 };
    let corners = 8 + (chance.unit() * 6.0) as usize;
    let mut turns: Vec<f64> = Vec::with_capacity(corners);
    for _ in 1..corners {
        let against = if chance.unit() < 0.35 { -1.0 } else { 1.0 };
        turns.push(side * against * chance.between(30.0, 125.0).round());
    }
    let last = side * 360.0 - turns.iter().sum::<f64>();
    if !(35.0..150.0).contains(&last.abs()) {
        return None;
    }
    turns.push(last);
    let mut pieces = vec![Piece::Straight(chance.between(AT_LINE_M, LONG_M).round())];
    for (turn, next) in turns.iter().zip(turns.iter().skip(1).map(Some).chain([None])) {
        // The more a corner turns, the tighter it may be.
        let tightest = 3_000.0 / turn.abs();
        let radius = tightest * chance.between(1.0, 2.6);
        pieces.push(Piece::Turn(*turn, radius.clamp(24.0, 220.0).round()));
        let least = match next {
            Some(next) if next.signum() == turn.signum() => SAME_SIDE_M,
            Some(_) => APART_M,
            None => AT_LINE_M,
        };
        pieces.push(Piece::Straight(chance.between(least, LONG_M.max(least + 1.0)).round()));
    }
    let (first, second) = (1 + (chance.unit() * 3.0) as usize, corners - (chance.unit() * 3.0) as usize);
    let between: f64 = turns.iter().take(second).skip(first).sum();
    // Two straights that run nearly alike can't close a lap by being longer or shorter.
    if libm::sin(between.to_radians()).abs() < ASLANT {
        return None;
    }
    let slack = [2 * first, 2 * second];
    let plan = Plan {
        name: "Invented Ring",
        width_m: chance.between(11.0, 15.0).round(),
        pieces: Cow::Owned(pieces),
        slack,
        heights_m: Cow::Owned((0..12).map(|_| chance.between(60.0, 75.0)).collect()),
        sectors: [chance.between(0.28, 0.38), chance.between(0.62, 0.72)],
        pit_left: chance.unit() < 0.5,
        pit_m: [310.0, 300.0],
        drs_after_corner: &[1],
        temperatures_c: [21, 30],
    };
    (straights_are_sound(&plan) && keeps_clear(&plan)).then_some(plan)
}

/// Whether closing the lap leaves every straight long enough and none too long.
fn straights_are_sound(plan: &Plan) -> bool {
    let closed = CentreLine::closed(plan);
    let mut drawn = plan.pieces.iter().zip(&closed);
    let sound = drawn.all(|(drawn, closed)| match (drawn, closed) {
        (Piece::Straight(drawn), Piece::Straight(closed)) => {
            (drawn.min(SAME_SIDE_M)..=LONGEST_M).contains(closed)
        }
        _ => true,
    });
    let line = [closed.first(), closed.last()];
    sound && line.iter().all(|piece| matches!(piece, Some(Piece::Straight(long)) if *long >= AT_LINE_M))
}

/// Whether no stretch comes near another one.
fn keeps_clear(plan: &Plan) -> bool {
    let line = CentreLine::close(plan);
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
            // The last metres lead to the first ones as they lead on everywhere else.
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
