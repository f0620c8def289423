//! A path from above, reduced so that the cost of drawing it follows the pixels it takes.

use super::{MapProjection, Polyline};

/// The finest visible detail of a path, metres.
const FINEST_M: f32 = 0.1;
/// Points nearer to each other than this are drawn as one, device pixels.
const APART_PX: f64 = 1.0;
/// A level with fewer points than this is not reduced further.
const FEW: usize = 256;
/// Points that are drawn or skipped together.
const PIECE: usize = 64;
/// Points further apart than this are not joined, metres, unless the game sends positions that rarely.
const BRIDGE_M: f32 = 60.0;
/// Positions also stay joined up to this multiple of their mean distance.
const RARE: f32 = 8.0;

/// The positions of a lap's rows, x and z in metres, with coarser levels through fewer of them.
#[derive(Clone, Debug, Default)]
pub struct TrackPath {
    places: Vec<[f32; 2]>,
    levels: Vec<Level>,
}

/// A path through some of the positions.
#[derive(Clone, Debug)]
struct Level {
    /// Their minimum distance, metres.
    step_m: f32,
    rows: Vec<usize>,
    pieces: Vec<Piece>,
}

/// Consecutive points of a level. The last one is the first of the next piece if they are joined.
#[derive(Clone, Debug)]
struct Piece {
    from: usize,
    to: usize,
    low: [f32; 2],
    high: [f32; 2],
}

impl TrackPath {
    /// The path through positions; a NaN position interrupts it.
    pub fn new(places: Vec<[f32; 2]>) -> Self {
        let mut levels = Vec::new();
        let mut runs = runs(&places);
        let mut step_m = FINEST_M;
        loop {
            let mut level = Level { step_m, rows: Vec::new(), pieces: Vec::new() };
            for run in &mut runs {
                thin(run, &places, step_m);
                level.add(run, &places);
            }
            let few = level.rows.len() < FEW;
            levels.push(level);
            step_m *= 2.0;
            if few || !step_m.is_finite() {
                return Self { places, levels };
            }
        }
    }

    /// The position of each row.
    pub fn places(&self) -> &[[f32; 2]] {
        &self.places
    }

    /// Whether no position is known.
    pub fn is_empty(&self) -> bool {
        self.levels.first().is_none_or(|level| level.rows.is_empty())
    }

    /// The position of a row, if known.
    pub fn place(&self, row: usize) -> Option<[f32; 2]> {
        self.places.get(row).copied().filter(is_known)
    }

    /// The positions of the coarsest level, for the extent of the path.
    pub fn outline(&self) -> impl Iterator<Item = [f32; 2]> + Clone + '_ {
        let rows = self.levels.last().map_or(&[][..], |level| level.rows.as_slice());
        rows.iter().filter_map(|row| self.place(*row))
    }

    /// The row nearest to a position, and its distance in metres.
    pub fn nearest(&self, place: [f32; 2]) -> Option<(usize, f32)> {
        let rows = self.levels.first()?.rows.iter();
        let apart = rows.filter_map(|row| Some((*row, apart_m(self.place(*row)?, place))));
        apart.min_by(|(_, one), (_, other)| one.total_cmp(other))
    }

    /// Draws the visible part on a canvas of this size. `of` gives the line for each section by its row, or `None` to
    /// skip it. The cost depends on the pixels of the path, not on how often the game sent positions.
    pub fn draw(
        &self,
        projection: &MapProjection,
        size: [f32; 2],
        of: &dyn Fn(usize) -> Option<usize>,
        lines: &mut [Polyline],
    ) {
        let apart_m = APART_PX / projection.pixels_per_metre();
        let fine = |level: &&Level| f64::from(level.step_m) <= apart_m;
        let Some(level) = self.levels.iter().rev().find(fine).or(self.levels.first()) else { return };
        for piece in level.pieces.iter().filter(|piece| piece.is_seen(projection, size)) {
            let rows = level.rows.get(piece.from..piece.to).unwrap_or_default();
            let mut last = None;
            for pair in rows.windows(2) {
                let &[from, to] = pair else { continue };
                // The middle row stands for the section better than either end.
                let line = of(from.midpoint(to));
                let ends = self.place(from).zip(self.place(to));
                if let Some((place, (start, end))) = line.zip(ends)
                    && let Some(polyline) = lines.get_mut(place)
                {
                    if last != Some(place) {
                        let [x, y] = projection.project(start);
                        polyline.move_to(x, y);
                    }
                    let [x, y] = projection.project(end);
                    polyline.line_to(x, y);
                }
                last = line;
            }
        }
    }
}

impl Level {
    /// Adds joined points in pieces.
    fn add(&mut self, run: &[usize], places: &[[f32; 2]]) {
        let mut from = self.rows.len();
        self.rows.extend_from_slice(run);
        while from + 1 < self.rows.len() {
            let to = (from + PIECE + 1).min(self.rows.len());
            let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
            for row in self.rows.get(from..to).unwrap_or_default() {
                let [x, z] = places.get(*row).copied().unwrap_or([f32::NAN; 2]);
                low = [low[0].min(x), low[1].min(z)];
                high = [high[0].max(x), high[1].max(z)];
            }
            self.pieces.push(Piece { from, to, low, high });
            from = to - 1;
        }
    }
}

impl Piece {
    fn is_seen(&self, projection: &MapProjection, [width, height]: [f32; 2]) -> bool {
        let ([left, top], [right, bottom]) = (self.low, self.high);
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for corner in [[left, top], [right, top], [left, bottom], [right, bottom]] {
            let [x, y] = projection.project(corner);
            low = [low[0].min(x), low[1].min(y)];
            high = [high[0].max(x), high[1].max(y)];
        }
        // Lines are thick: what lies just outside is visible, too.
        let edge = 16.0;
        high[0] > -edge && low[0] < width + edge && high[1] > -edge && low[1] < height + edge
    }
}

fn is_known(place: &[f32; 2]) -> bool {
    place.iter().all(|metres| metres.is_finite())
}

fn apart_m([x, z]: [f32; 2], [other_x, other_z]: [f32; 2]) -> f32 {
    (x - other_x).hypot(z - other_z)
}

/// The rows of each joined section.
fn runs(places: &[[f32; 2]]) -> Vec<Vec<usize>> {
    let (mut count, mut long_m) = (0.0, 0.0);
    for pair in places.windows(2) {
        if let [one, other] = pair
            && apart_m(*one, *other).is_finite()
        {
            (count, long_m) = (count + 1.0, long_m + apart_m(*one, *other));
        }
    }
    let bridge = BRIDGE_M.max(if count > 0.0 { long_m / count * RARE } else { 0.0 });
    let mut runs: Vec<Vec<usize>> = Vec::new();
    let mut before = [f32::NAN; 2];
    for (row, place) in places.iter().enumerate() {
        match runs.last_mut().filter(|_| apart_m(before, *place) <= bridge) {
            Some(run) => run.push(row),
            None if is_known(place) => runs.push(vec![row]),
            None => {}
        }
        before = *place;
    }
    runs
}

/// Keeps the rows of a run that are at least `step_m` apart, and its ends.
fn thin(run: &mut Vec<usize>, places: &[[f32; 2]], step_m: f32) {
    let place = |row: usize| places.get(row).copied().unwrap_or_default();
    let end = run.last().copied();
    let mut last: Option<usize> = None;
    run.retain(|row| {
        let keep = last.is_none_or(|last| apart_m(place(last), place(*row)) >= step_m) || Some(*row) == end;
        last = if keep { Some(*row) } else { last };
        keep
    });
}

#[cfg(test)]
mod tests {
    use std::f32::consts::TAU;

    use super::super::{MapBox, XAxis};
    use super::*;

    const SPACE: MapBox = MapBox { width: 300.0, height: 300.0, margin: 20.0 };
    const SIZE: [f32; 2] = [300.0, 300.0];

    /// A circle of 1 km diameter with this many positions.
    fn circle(count: usize) -> TrackPath {
        let turns = (0..=count).map(|at| at as f32 / count as f32 * TAU);
        TrackPath::new(turns.map(|turn| [500.0 * turn.cos(), 500.0 * turn.sin()]).collect())
    }

    fn fit(way: &TrackPath) -> MapProjection {
        MapProjection::fit(way.outline(), XAxis::MODEL, 0.0, SPACE)
    }

    fn points(way: &TrackPath, projection: &MapProjection) -> usize {
        let mut lines = [Polyline::default()];
        way.draw(projection, SIZE, &|_| Some(0), &mut lines);
        lines[0].points().len()
    }

    #[test]
    fn a_million_rows_cost_no_more_than_a_few_thousand() {
        let (few, many) = (circle(5000), circle(1_000_000));
        let (cheap, dear) = (points(&few, &fit(&few)), points(&many, &fit(&many)));
        // The circle is 260 pixels wide, and 817 around.
        assert!((400..1700).contains(&cheap), "{cheap}");
        assert!((400..1700).contains(&dear), "{dear}");
    }

    #[test]
    fn zooming_in_shows_more_of_less() {
        let way = circle(1_000_000);
        let near = MapProjection::fit([[490.0, -10.0], [510.0, 10.0]], XAxis::MODEL, 0.0, SPACE);
        let seen = points(&way, &near);
        // Three hundred pixels from edge to edge, and the rest of the visible pieces.
        assert!((100..1200).contains(&seen), "{seen}");
        let far = MapProjection::fit([[2000.0, 0.0], [2010.0, 10.0]], XAxis::MODEL, 0.0, SPACE);
        assert_eq!(points(&way, &far), 0);
    }

    #[test]
    fn every_stretch_is_in_one_line_and_lines_meet() {
        let way = circle(1000);
        let projection = fit(&way);
        let mut lines = [Polyline::default(), Polyline::default()];
        way.draw(&projection, SIZE, &|row| Some(usize::from(row >= 500)), &mut lines);
        let ends = |line: &Polyline| (line.points()[0], line.points()[line.points().len() - 1]);
        let [(first, joint), (again, last)] = [ends(&lines[0]), ends(&lines[1])];
        assert_eq!((joint, first), (again, projection.project(way.places()[0])));
        assert!((last[0] - first[0]).abs() < 0.01 && (last[1] - first[1]).abs() < 0.01, "it leads around");
        let mut none = [Polyline::default()];
        way.draw(&projection, SIZE, &|_| None, &mut none);
        assert!(none[0].is_empty());
    }

    #[test]
    fn missing_positions_and_resets_split_the_path() {
        let mut places: Vec<[f32; 2]> = (0..100).map(|metres| [metres as f32, 0.0]).collect();
        places[50] = [f32::NAN, 0.0];
        places.extend((0..100).map(|metres| [metres as f32, 300.0]));
        let way = TrackPath::new(places);
        let mut lines = [Polyline::default()];
        way.draw(
            &MapProjection::fit([[0.0, 0.0], [100.0, 300.0]], XAxis::MODEL, 0.0, SPACE),
            SIZE,
            &|_| Some(0),
            &mut lines,
        );
        let lengths = lines[0].runs().map(|run| run[run.len() - 1][0] - run[0][0]).collect::<Vec<_>>();
        assert_eq!(lengths.len(), 3 + 1, "each piece is a line of its own: {lengths:?}");
        assert_eq!((way.place(50), way.place(49)), (None, Some([49.0, 0.0])));
        assert!(TrackPath::new(Vec::new()).is_empty() && TrackPath::new(vec![[f32::NAN; 2]]).is_empty());
    }

    #[test]
    fn the_nearest_row_is_found() {
        let way = circle(1000);
        let (row, metres) = way.nearest([0.0, 520.0]).expect("a row");
        assert_eq!((row, metres.round()), (250, 20.0));
        assert_eq!(TrackPath::default().nearest([0.0, 0.0]), None);
    }
}
