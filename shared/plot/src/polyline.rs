//! Lines in device pixels, split into runs.

/// Points in device pixels, in uninterrupted runs. Cleared and refilled each frame, so that memory is allocated once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polyline {
    points: Vec<[f32; 2]>,
    /// The index of each run's first point.
    starts: Vec<usize>,
}

impl Polyline {
    /// Removes all points but keeps the memory.
    pub fn clear(&mut self) {
        self.points.clear();
        self.starts.clear();
    }

    /// Begins a new run.
    pub fn move_to(&mut self, x: f32, y: f32) {
        self.starts.push(self.points.len());
        self.points.push([x, y]);
    }

    /// Continues from the last point; without one, begins a run.
    pub fn line_to(&mut self, x: f32, y: f32) {
        if self.starts.is_empty() {
            return self.move_to(x, y);
        }
        self.points.push([x, y]);
    }

    /// The runs, each of at least one point.
    pub fn runs(&self) -> impl Iterator<Item = &[[f32; 2]]> {
        let ends = self.starts.iter().skip(1).copied().chain([self.points.len()]);
        self.starts.iter().zip(ends).filter_map(|(&start, end)| self.points.get(start..end))
    }

    /// The points of all runs.
    pub fn points(&self) -> &[[f32; 2]] {
        &self.points
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_what_was_drawn() {
        let mut line = Polyline::default();
        assert_eq!(line.runs().count(), 0);
        line.line_to(0.0, 1.0);
        line.line_to(1.0, 1.0);
        line.move_to(5.0, 2.0);
        line.move_to(7.0, 3.0);
        line.line_to(8.0, 3.0);
        let runs: Vec<_> = line.runs().map(<[_]>::to_vec).collect();
        let expected = [vec![[0.0, 1.0], [1.0, 1.0]], vec![[5.0, 2.0]], vec![[7.0, 3.0], [8.0, 3.0]]];
        assert_eq!(runs, expected);
        line.clear();
        assert!(line.is_empty());
    }
}
