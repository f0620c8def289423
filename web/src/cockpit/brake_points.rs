//! The brake points that the driver set on each track, stored in the browser.

use leptos::prelude::*;
use trailbrake_shared::model::TrackPrint;

use super::TelemetryStore;
use crate::browser::{self, keys};
use crate::telemetry::Telemetry;

/// Points closer together than this count as one, in metres.
const SAME_M: f64 = 2.0;
/// Unnamed tracks are the same if their bounds overlap by at least this share and their start lines are closer together
/// than this, in metres.
const SAME_SHARE: f32 = 0.95;
const SAME_LINE_M: f32 = 60.0;

/// The brake points of the current track.
#[derive(Clone, Copy)]
pub(crate) struct BrakePoints {
    /// Lap distances in metres, ascending.
    pub(crate) points: RwSignal<Vec<f64>>,
    track: StoredValue<Option<Track>>,
    telemetry: TelemetryStore,
}

/// What identifies a track.
#[derive(Clone, Debug, PartialEq)]
enum Track {
    /// Game, track name and length in metres as one text. The name is empty if the game sends only the length.
    Named(String),
    /// The shape of a track that the game does not name.
    Print(TrackPrint),
}

impl Track {
    /// The track of the shown session. `None` until it is known.
    fn of(telemetry: &Telemetry) -> Option<Self> {
        let session = telemetry.session()?;
        let track = session.own_track();
        // A track that is recognised, or that the driver names, is identified by its shape, so that it keeps its points
        // whatever it is called.
        let sent = track.filter(|track| track.recognised.is_none());
        let print = match sent {
            Some(track) => telemetry.choices().tracks.iter().find(|print| print.name == track.id),
            None => session.track_print(),
        };
        if let Some(print) = print {
            return Some(Self::Print(TrackPrint { name: String::new(), ..print.clone() }));
        }
        if track.is_some() && sent.is_none() {
            return None;
        }
        let length_m = session.info().and_then(|info| info.track_length_m).map(f32::round);
        let name = sent.map(|track| track.id.as_str()).unwrap_or_default();
        if name.is_empty() && length_m.is_none() {
            return None;
        }
        let length_m = length_m.unwrap_or_default();
        Some(Self::Named(format!("{} {name} {length_m}", telemetry.game()?).replace(['\t', '\n'], " ")))
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Named(one), Self::Named(other)) => one == other,
            (Self::Print(one), Self::Print(other)) => {
                let ([x, z], [other_x, other_z]) = (one.line.point, other.line.point);
                one.bounds.overlap(&other.bounds) >= SAME_SHARE
                    && (x - other_x).hypot(z - other_z) < SAME_LINE_M
            }
            _ => false,
        }
    }

    /// The text form: a name, or the numbers of a shape.
    fn write(&self) -> String {
        match self {
            Self::Named(name) => format!("name\t{name}"),
            Self::Print(print) => print.named("print").map(|print| print.write()).unwrap_or_default(),
        }
    }

    fn read(line: &str) -> Option<Self> {
        match line.split_once('\t')? {
            ("name", name) => Some(Self::Named(name.to_owned())),
            _ => Some(Self::Print(TrackPrint { name: String::new(), ..TrackPrint::read(line)? })),
        }
    }
}

/// Reads the stored points of all tracks. Each track has two lines: its text form, and its points in metres.
fn read_kept(kept: &str) -> Vec<(Track, Vec<f64>)> {
    let lines: Vec<&str> = kept.lines().collect();
    let entry = |pair: &[&str]| {
        let [track, metres] = pair else { return None };
        let metres = metres.split(' ').filter_map(|metres| metres.parse::<f64>().ok());
        Some((Track::read(track)?, metres.filter(|metres| metres.is_finite()).collect()))
    };
    lines.chunks(2).filter_map(entry).collect()
}

/// Rounds to what is stored, so that the page shows the same metre before and after it is loaded again.
fn round(points: &mut [f64]) {
    points.iter_mut().for_each(|metres| *metres = (*metres * 10.0).round() / 10.0);
}

fn write_kept(entries: &[(Track, Vec<f64>)]) -> String {
    let entry = |(track, points): &(Track, Vec<f64>)| {
        let metres: Vec<String> = points.iter().map(|metres| format!("{metres:.1}")).collect();
        format!("{}\n{}", track.write(), metres.join(" "))
    };
    entries.iter().filter(|(_, points)| !points.is_empty()).map(entry).collect::<Vec<_>>().join("\n")
}

impl BrakePoints {
    /// No points, until the track is known.
    pub(super) fn kept(telemetry: TelemetryStore) -> Self {
        let own = Self { points: RwSignal::new(Vec::new()), track: StoredValue::new(None), telemetry };
        let track = telemetry.sampled(Track::of);
        Effect::new(move |_| own.follow(track.get()));
        Effect::new(move |_| {
            let points = own.points.get();
            telemetry.choose(|choices| choices.brake_points = points);
        });
        own
    }

    /// The points that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Sets a point at the car's lap distance. Returns whether that is known.
    pub(crate) fn set_here(self) -> bool {
        let place_m =
            self.telemetry.look(|telemetry| telemetry.session()?.live_comparison().corners().place_m());
        if let Some(place_m) = place_m.filter(|place_m| *place_m >= 0.0) {
            self.add(place_m);
        }
        place_m.is_some()
    }

    /// Moves the point at `at_m` by `by_m` metres. If the lap length is known, it wraps around at the start line.
    pub(crate) fn shift(self, at_m: f64, by_m: f64) {
        let length_m = self.telemetry.look(|telemetry| {
            let reference = telemetry.session()?.live_comparison().reference()?;
            Some(f64::from(reference.curve.length_m()))
        });
        let to_m = at_m + by_m;
        let to_m = length_m.map_or(to_m.max(0.0), |length_m| to_m.rem_euclid(length_m));
        self.change(|points| {
            points.iter_mut().filter(|point| **point == at_m).for_each(|point| *point = to_m);
        });
    }

    /// Deletes a point.
    pub(crate) fn delete(self, at_m: f64) {
        self.change(|points| points.retain(|point| *point != at_m));
    }

    /// Deletes all points of this track.
    pub(crate) fn clear(self) {
        self.change(Vec::clear);
    }

    /// Loads the stored points of the current track whenever the track changes.
    fn follow(self, track: Option<Track>) {
        let is_known = self.track.with_value(|known| match (known, &track) {
            (Some(known), Some(track)) => known.is_same(track),
            (known, track) => known.is_none() && track.is_none(),
        });
        if is_known {
            return;
        }
        let kept = read_kept(&browser::kept(keys::BRAKE_POINTS).unwrap_or_default());
        let own = track.as_ref().and_then(|track| kept.into_iter().find(|(other, _)| other.is_same(track)));
        self.points.set(own.map(|(_, points)| points).unwrap_or_default());
        self.track.set_value(track);
    }

    /// Adds a point at a lap distance. Points within `SAME_M` of it are replaced.
    fn add(self, place_m: f64) {
        self.change(|points| {
            points.retain(|at_m| (at_m - place_m).abs() >= SAME_M);
            points.push(place_m);
        });
    }

    /// Changes the points of this track, rounds, sorts and stores them.
    fn change(self, change: impl FnOnce(&mut Vec<f64>)) {
        self.points.update(|points| {
            change(points);
            round(points);
            points.sort_by(f64::total_cmp);
        });
        if let Some(track) = self.track.get_value() {
            let mut kept = read_kept(&browser::kept(keys::BRAKE_POINTS).unwrap_or_default());
            kept.retain(|(other, _)| !other.is_same(&track));
            kept.push((track, self.points.get_untracked()));
            browser::keep(keys::BRAKE_POINTS, &write_kept(&kept));
        }
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::model::{Bounds, StartLine};

    use super::*;

    #[test]
    fn points_are_kept_for_each_track() {
        let print = |x: f32| {
            let bounds = Bounds { low: [x, 0.0], high: [x + 900.0, 600.0] };
            Track::Print(TrackPrint {
                name: String::new(),
                bounds,
                line: StartLine { point: [x + 20.0, 40.0], heading: [0.0, 1.0] },
            })
        };
        let named = Track::Named("F1 2018 Spa 7004".to_owned());
        let entries = vec![(named.clone(), vec![120.5, 900.0]), (print(0.0), vec![42.0])];
        assert_eq!(read_kept(&write_kept(&entries)), entries);
        // 785.46 m is 785 m in the list; stored as 785.5 m, it must not come back as 786 m.
        let mut points = vec![785.46, 0.04];
        round(&mut points);
        let entries = vec![(named.clone(), points)];
        assert_eq!(read_kept(&write_kept(&entries)), entries);
        // A track without points is not stored.
        assert_eq!(write_kept(&[(named.clone(), Vec::new())]), "");
        assert!(read_kept("rubbish\nname\tA\n1 x 2\nname\tB").is_empty());
        assert!(
            print(0.0).is_same(&print(4.0))
                && !print(0.0).is_same(&print(200.0))
                && !named.is_same(&print(0.0))
        );
    }
}
