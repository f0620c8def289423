//! Simplifies lines to the points that make a visible difference.

use super::At;

/// The points of a line without those nearer than `within_mm` to the line through the rest.
pub fn thinned(points: &[At], within_mm: f32) -> Vec<At> {
    let mut keep = vec![false; points.len()];
    for end in [0, points.len().saturating_sub(1)] {
        if let Some(kept) = keep.get_mut(end) {
            *kept = true;
        }
    }
    // Each section between two kept points is split at the point furthest from it.
    let mut stretches = vec![(0, points.len().saturating_sub(1))];
    while let Some((from, to)) = stretches.pop() {
        let (Some(start), Some(end)) = (points.get(from), points.get(to)) else { continue };
        let between = points.iter().enumerate().take(to).skip(from + 1);
        let off = between.map(|(index, point)| (distance(*point, *start, *end), index));
        if let Some((furthest, index)) = off.max_by(|(a, _), (b, _)| a.total_cmp(b))
            && furthest > within_mm
        {
            if let Some(kept) = keep.get_mut(index) {
                *kept = true;
            }
            stretches.extend([(from, index), (index, to)]);
        }
    }
    points.iter().zip(keep).filter_map(|(point, kept)| kept.then_some(*point)).collect()
}

/// The distance of a point from the segment between two others.
fn distance([x, y]: At, [x0, y0]: At, [x1, y1]: At) -> f32 {
    let (along, up) = (x1 - x0, y1 - y0);
    let long = along * along + up * up;
    let share = if long > 0.0 { (((x - x0) * along + (y - y0) * up) / long).clamp(0.0, 1.0) } else { 0.0 };
    (x - x0 - along * share).hypot(y - y0 - up * share)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_lies_on_the_line_is_left_out() {
        let line: Vec<At> = (0..=100).map(|x| [x as f32, if x < 50 { 0.0 } else { 10.0 }]).collect();
        assert_eq!(thinned(&line, 0.01), [[0.0, 0.0], [49.0, 0.0], [50.0, 10.0], [100.0, 10.0]]);
        assert_eq!(thinned(&[], 1.0), Vec::<At>::new());
        assert_eq!(thinned(&[[1.0, 2.0]], 1.0), [[1.0, 2.0]]);
    }

    proptest! {
        #[test]
        fn no_point_is_further_from_the_rest_than_allowed(
            heights in prop::collection::vec(-20.0_f32..20.0, 2..200),
            within in 0.01_f32..2.0,
        ) {
            let line: Vec<At> = heights.iter().enumerate().map(|(x, y)| [x as f32, *y]).collect();
            let thin = thinned(&line, within);
            prop_assert_eq!((thin.first(), thin.last()), (line.first(), line.last()));
            for point in &line {
                let off = thin.windows(2).map(|pair| distance(*point, pair[0], pair[1]));
                prop_assert!(off.fold(f32::INFINITY, f32::min) <= within * 1.001);
            }
        }
    }
}
