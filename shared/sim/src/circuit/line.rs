//! The racing line: the smoothest path within the track's width.

use super::super::ring::{Curve, Ring, Shape};
use super::centre::CentreLine;

/// Final distance between the line's knots, in metres.
const KNOT_SPACING_M: f64 = 9.0;

/// Refinement levels, each halving the distance between knots.
const LEVELS: u32 = 4;

/// The racing line of a centre line, at most `reach_m` to either side.
///
/// It minimises the squared curvature, from which outside, apex, outside follows.
pub(super) fn smoothest(centre: &CentreLine, reach_m: f64) -> Curve {
    let coarsest =
        (centre.length_m / KNOT_SPACING_M / f64::from(1 << (LEVELS - 1))).round().max(8.0) as usize;
    let mut knots = Ring::new(vec![0.0; coarsest]);
    for level in 0..LEVELS {
        if level > 0 {
            let coarse = Curve::new(knots);
            let count = coarsest << level;
            knots = Ring::new((0..count).map(|i| coarse.at(i as f64, count as f64).value).collect());
        }
        relax(centre, &mut knots, reach_m);
    }
    Curve::new(knots)
}

/// Moves each knot in turn to where the curvature around it is least.
fn relax(centre: &CentreLine, knots: &mut Ring<f64>, reach_m: f64) {
    let count = knots.len() as i64;
    let spacing = centre.length_m / count as f64;
    // The mean curvature around each knot, so that no corner falls between two coarse knots.
    let turned = |from: f64, to: f64| {
        let turned = centre.course(to).heading - centre.course(from).heading;
        // The heading jumps at the start line.
        if to.rem_euclid(centre.length_m) < from.rem_euclid(centre.length_m) { 0.0 } else { turned }
    };
    let curvature = Ring::new(
        (0..count)
            .map(|i| turned((i as f64 - 0.5) * spacing, (i as f64 + 0.5) * spacing) / spacing)
            .collect(),
    );
    let per_knot = 1.0 / (spacing * spacing);
    for _ in 0..120 {
        for i in 0..count {
            let [before, here, after] =
                [i - 1, i, i + 1].map(|k| CurvatureTerm::at(&curvature, knots, k, per_knot));
            let pull = (before.root * before.beside + after.root * after.beside) + here.root * here.own;
            let stiffness = before.beside * before.beside + after.beside * after.beside + here.own * here.own;
            let moved = knots.at(i) - pull / stiffness;
            knots.set(i, moved.clamp(-reach_m, reach_m));
        }
    }
}

/// The square root of a knot's contribution to the line's total squared curvature, and the derivatives of that root by
/// the knot's own offset and by a neighbour's.
struct CurvatureTerm {
    root: f64,
    own: f64,
    beside: f64,
}

impl CurvatureTerm {
    fn at(curvature: &Ring<f64>, knots: &Ring<f64>, i: i64, per_knot: f64) -> Self {
        let own = curvature.at(i);
        let here = knots.at(i);
        let bend = (knots.at(i - 1) - 2.0 * here + knots.at(i + 1)) * per_knot;
        // Further inside the turn is tighter, but shorter.
        let along = (1.0 - here * own).max(0.2);
        let beside = per_knot / (along * along.sqrt());
        Self {
            root: own / along.sqrt() + bend / (along * along.sqrt()),
            own: (0.5 * own * own + 1.5 * own * bend / along) / (along * along.sqrt()) - 2.0 * beside,
            beside,
        }
    }
}

/// The curvature of a path at an offset from a centre line.
pub(super) fn path_curvature(curvature: f64, curvature_rate: f64, offset: Shape) -> f64 {
    let (n, slant) = (offset.value, offset.rate);
    let along = (1.0 - n * curvature).max(0.05);
    let turning = along * along * curvature
        + along * offset.bend
        + slant * (2.0 * slant * curvature + n * curvature_rate);
    let speed = along * along + slant * slant;
    turning / (speed * speed.sqrt())
}
