//! The shape of a track, which identifies it when a game does not name it.

use serde::{Deserialize, Serialize};

use crate::number;

/// Half the width of a start line, in metres, from where it was first crossed.
const HALF_LINE_M: f32 = 30.0;

/// The bounding rectangle of a track, seen from above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bounds {
    /// The smallest x and z, metres.
    pub low: [f32; 2],
    /// The largest x and z, metres.
    pub high: [f32; 2],
}

impl Bounds {
    /// The rectangle of one point, x and z.
    pub const fn at(point: [f32; 2]) -> Self {
        Self { low: point, high: point }
    }

    /// Extends the rectangle to include a point.
    pub fn hold(&mut self, [x, z]: [f32; 2]) {
        let ([low_x, low_z], [high_x, high_z]) = (self.low, self.high);
        self.low = [low_x.min(x), low_z.min(z)];
        self.high = [high_x.max(x), high_z.max(z)];
    }

    /// The intersection of two rectangles relative to their union, 0 to 1.
    pub fn overlap(&self, other: &Self) -> f32 {
        let ([ax, az], [bx, bz]) = (self.low, other.low);
        let ([cx, cz], [dx, dz]) = (self.high, other.high);
        let shared = (cx.min(dx) - ax.max(bx)).max(0.0) * (cz.min(dz) - az.max(bz)).max(0.0);
        let all = self.area() + other.area() - shared;
        if all > 0.0 { shared / all } else { 0.0 }
    }

    fn area(&self) -> f32 {
        let ([low_x, low_z], [high_x, high_z]) = (self.low, self.high);
        (high_x - low_x) * (high_z - low_z)
    }
}

/// The start line, seen from above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StartLine {
    /// Where it was crossed, x and z, metres.
    pub point: [f32; 2],
    /// The driving direction, of length 1.
    pub heading: [f32; 2],
}

impl StartLine {
    /// The line at the second point, across the direction from the first; `None` when the points coincide.
    pub fn across([ax, az]: [f32; 2], [bx, bz]: [f32; 2]) -> Option<Self> {
        let length = (bx - ax).hypot(bz - az);
        (length.is_finite() && length > 0.0)
            .then(|| Self { point: [bx, bz], heading: [(bx - ax) / length, (bz - az) / length] })
    }

    /// Whether a step from one point to another crosses the line in its direction.
    pub fn crossed(&self, from: [f32; 2], to: [f32; 2]) -> bool {
        let (before, side_before) = self.seen_from(from);
        let (after, side_after) = self.seen_from(to);
        if before > 0.0 || after <= 0.0 {
            return false;
        }
        let part = -before / (after - before);
        (side_before + (side_after - side_before) * part).abs() <= HALF_LINE_M
    }

    /// A point's distance past the line, and its lateral distance, in metres.
    fn seen_from(&self, [x, z]: [f32; 2]) -> (f32, f32) {
        let ([px, pz], [hx, hz]) = (self.point, self.heading);
        let (dx, dz) = (x - px, z - pz);
        (dx * hx + dz * hz, dx * hz - dz * hx)
    }
}

/// What identifies a track.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrackPrint {
    /// The driver's name for it; empty until then.
    pub name: String,
    /// Its bounding rectangle.
    pub bounds: Bounds,
    /// Its start line.
    pub line: StartLine,
}

/// The longest name of a track, in characters; longer ones are cut.
const LONGEST_NAME: usize = 60;

impl TrackPrint {
    /// The track with the driver's name, cleaned; `None` when nothing is left of the name.
    pub fn named(&self, name: &str) -> Option<Self> {
        let words: Vec<&str> = name.split_whitespace().collect();
        let kept: String =
            words.join(" ").chars().filter(|letter| !letter.is_control()).take(LONGEST_NAME).collect();
        let name = kept.trim().to_owned();
        (!name.is_empty()).then(|| Self { name, ..self.clone() })
    }

    /// The text form that [`TrackPrint::read`] parses: the name, then the numbers, separated by tabs.
    pub fn write(&self) -> String {
        let numbers = self.numbers().map(|number| number.to_string());
        format!("{}\t{}", self.name, numbers.join("\t"))
    }

    /// Parses the text form.
    pub fn read(line: &str) -> Option<Self> {
        let (name, numbers) = line.split_once('\t')?;
        let numbers: Vec<f32> =
            numbers.split('\t').map(|number| Some(number::read(number)? as f32)).collect::<Option<_>>()?;
        let [ax, az, bx, bz, px, pz, hx, hz] = numbers.try_into().ok()?;
        let bounds = Bounds { low: [ax, az], high: [bx, bz] };
        let print =
            Self { name: String::new(), bounds, line: StartLine { point: [px, pz], heading: [hx, hz] } };
        print.numbers().iter().all(|number| number.is_finite()).then_some(())?;
        print.named(name)
    }

    fn numbers(&self) -> [f32; 8] {
        let (Bounds { low: [ax, az], high: [bx, bz] }, line) = (self.bounds, self.line);
        let StartLine { point: [px, pz], heading: [hx, hz] } = line;
        [ax, az, bx, bz, px, pz, hx, hz]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_named_track_survives_being_written(name in "\\PC{1,80}", numbers in any::<[f32; 8]>()) {
            let [ax, az, bx, bz, px, pz, hx, hz] = numbers.map(|number| if number.is_finite() { number } else { 1.5 });
            let print = TrackPrint {
                name: String::new(),
                bounds: Bounds { low: [ax, az], high: [bx, bz] },
                line: StartLine { point: [px, pz], heading: [hx, hz] },
            };
            if let Some(named) = print.named(&name) {
                prop_assert_eq!(TrackPrint::read(&named.write()), Some(named));
            }
        }

        #[test]
        fn any_line_is_read_or_left(line in ".*") {
            let _ = TrackPrint::read(&line);
        }
    }

    #[test]
    fn a_name_is_what_is_left_of_it() {
        let print = TrackPrint {
            name: String::new(),
            bounds: Bounds::at([0.0, 0.0]),
            line: StartLine { point: [0.0, 0.0], heading: [0.0, 1.0] },
        };
        let named = |name: &str| print.named(name).map(|print| print.name);
        assert_eq!(named("  Old\tmill \n loop "), Some("Old mill loop".into()));
        assert_eq!(named(" \t\n"), None);
        assert_eq!(named(&"x".repeat(99)).map(|name| name.len()), Some(60));
        for line in
            ["", "Old mill", "Old mill\t1\t2", "Old mill\t1\t2\t3\t4\t5\t6\t7\tx", "\t1\t2\t3\t4\t5\t6\t7\t8"]
        {
            assert_eq!(TrackPrint::read(line), None, "{line:?}");
        }
        assert_eq!(TrackPrint::read("Old mill\t1\t2\t3\t4\t5\t6\t7\tNaN"), None);
    }

    #[test]
    fn rectangles_overlap_by_what_they_share() {
        let mut one = Bounds::at([0.0, 0.0]);
        one.hold([10.0, 4.0]);
        assert_eq!(one.overlap(&one), 1.0);
        let mut half = Bounds::at([5.0, 4.0]);
        half.hold([15.0, 0.0]);
        assert!((one.overlap(&half) - 20.0 / 60.0).abs() < 1e-6);
        assert_eq!(one.overlap(&Bounds { low: [20.0, 0.0], high: [30.0, 4.0] }), 0.0);
        assert_eq!(Bounds::at([1.0, 1.0]).overlap(&Bounds::at([1.0, 1.0])), 0.0);
    }

    #[test]
    fn a_line_is_crossed_in_its_direction_and_near_its_middle() {
        let line = StartLine::across([0.0, -1.0], [0.0, 0.0]).expect("a line");
        assert_eq!(line.heading, [0.0, 1.0]);
        assert!(line.crossed([3.0, -0.5], [3.0, 0.5]));
        assert!(!line.crossed([3.0, 0.5], [3.0, -0.5]), "backwards");
        assert!(!line.crossed([3.0, 0.5], [3.0, 1.5]), "already past");
        assert!(!line.crossed([31.0, -0.5], [31.0, 0.5]), "beside it");
        assert!(line.crossed([40.0, -1.0], [0.0, 1.0]), "aslant");
        assert_eq!(StartLine::across([1.0, 1.0], [1.0, 1.0]), None);
    }
}
