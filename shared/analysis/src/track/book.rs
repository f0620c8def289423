//! The track book: named tracks, and the edits to their corners.

use serde::{Deserialize, Serialize};

use super::fingerprint::{Answer, Fingerprint};
use crate::Corner;

/// A place means the nearest corner within this distance, metres.
const NEAR_M: f64 = 60.0;

/// Laps that begin nearer to each other than this have the same start line, within the resolution of fingerprints,
/// metres.
const SAME_START_M: f64 = 50.0;

/// All named tracks, as plain data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrackBook {
    tracks: Vec<KnownTrack>,
}

/// A known track.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KnownTrack {
    /// Its name; empty for a track in a recording that nobody has named.
    pub name: String,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// The edits to its corners, in the order in which they were made.
    #[serde(default)]
    pub edits: Vec<CornerEdit>,
}

/// An edit to a track's corners. Corners are given by place, since their numbers change with edits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CornerEdit {
    /// Renames the corner at a place.
    Rename {
        /// Metres from the start line.
        at_m: f64,
        /// The new name.
        name: String,
    },
    /// Merges the corner at a place with the next one.
    Merge {
        /// Metres from the start line.
        at_m: f64,
    },
    /// Splits the corner at a place, where the second one begins.
    Split {
        /// Metres from the start line.
        at_m: f64,
    },
}

impl TrackBook {
    /// The track with a fingerprint, and how well it matches.
    pub fn recognise(&self, fingerprint: &Fingerprint) -> Option<(&KnownTrack, Answer)> {
        let (place, answer) = self.place_of(fingerprint)?;
        Some((self.tracks.get(place)?, answer))
    }

    /// The index of the best match among the tracks that are the same.
    fn place_of(&self, fingerprint: &Fingerprint) -> Option<(usize, Answer)> {
        let answers = self.tracks.iter().map(|track| track.fingerprint.same_track(fingerprint)).enumerate();
        let alike = |answer: &Answer| if let Answer::Same { alike, .. } = answer { *alike } else { 0.0 };
        let same = answers.filter(|(_, answer)| answer.is_same());
        same.max_by(|(_, a), (_, b)| alike(a).total_cmp(&alike(b)))
    }

    /// Names a track, or renames a known one.
    pub fn name(&mut self, fingerprint: &Fingerprint, name: &str) {
        match self.known_mut(fingerprint) {
            Some(known) => name.clone_into(&mut known.name),
            None => self.tracks.push(KnownTrack {
                name: name.to_owned(),
                fingerprint: fingerprint.clone(),
                edits: Vec::new(),
            }),
        }
    }

    /// Adds an edit to a known track. Its place is given from the start line of laps with this fingerprint. Returns
    /// whether the track is known.
    pub fn edit(&mut self, fingerprint: &Fingerprint, mut edit: CornerEdit) -> bool {
        let Some((place, Answer::Same { shift_m, .. })) = self.place_of(fingerprint) else { return false };
        let Some(known) = self.tracks.get_mut(place) else { return false };
        edit.turn(&known.fingerprint, further(shift_m));
        known.edits.push(edit);
        true
    }

    /// Undoes the last edit of a known track. Returns whether there was one.
    pub fn take_back(&mut self, fingerprint: &Fingerprint) -> bool {
        self.known_mut(fingerprint).and_then(|track| track.edits.pop()).is_some()
    }

    /// The tracks, in the order in which they were named.
    pub fn tracks(&self) -> &[KnownTrack] {
        &self.tracks
    }

    /// Merges a track from a recording. Of a known track only edits are taken, and only if it has none. A track without
    /// a name is ignored.
    pub fn learn(&mut self, other: KnownTrack) {
        if other.name.is_empty() {
            return;
        }
        match self.known_mut(&other.fingerprint) {
            Some(known) if known.edits.is_empty() => known.edits = other.edits,
            Some(_) => {}
            None => self.tracks.push(other),
        }
    }

    /// The corners found on a track, with the edits of the book.
    pub fn corners(&self, track: &Fingerprint, found: Vec<Corner>) -> Vec<Corner> {
        match self.recognise(track) {
            Some((known, Answer::Same { shift_m, .. })) => known.corners_from(further(shift_m), track, found),
            _ => found,
        }
    }

    fn known_mut(&mut self, fingerprint: &Fingerprint) -> Option<&mut KnownTrack> {
        let (place, _) = self.place_of(fingerprint)?;
        self.tracks.get_mut(place)
    }
}

impl KnownTrack {
    /// Corners with the edits applied, numbered again.
    pub fn corners(&self, corners: Vec<Corner>) -> Vec<Corner> {
        self.corners_from(0.0, &self.fingerprint, corners)
    }

    /// Like [`Self::corners`], for laps that begin `further_m` further on, as those of another game may.
    fn corners_from(&self, further_m: f64, track: &Fingerprint, mut corners: Vec<Corner>) -> Vec<Corner> {
        for edit in &self.edits {
            let mut edit = edit.clone();
            edit.turn(track, -further_m);
            edit.apply(&mut corners);
        }
        for (number, corner) in (1..).zip(&mut corners) {
            corner.number = number;
        }
        corners
    }
}

impl CornerEdit {
    /// The place of the edit, metres from the start line.
    pub fn at_m(&self) -> f64 {
        let (Self::Rename { at_m, .. } | Self::Merge { at_m } | Self::Split { at_m }) = self;
        *at_m
    }

    /// Moves the place to another start line, `further_m` further back. A stage has only one start.
    fn turn(&mut self, track: &Fingerprint, further_m: f64) {
        let (Self::Rename { at_m, .. } | Self::Merge { at_m } | Self::Split { at_m }) = self;
        if track.closed && further_m != 0.0 {
            *at_m = (*at_m + further_m).rem_euclid(track.length_m);
        }
    }

    /// Applies the edit. Does nothing if the corner no longer exists.
    fn apply(&self, corners: &mut Vec<Corner>) {
        let at_m = &self.at_m();
        let far = |corner: &Corner| (corner.entry_m - at_m).max(at_m - corner.exit_m).max(0.0);
        let nearest = corners.iter().enumerate().min_by(|(_, a), (_, b)| {
            let apex = |corner: &Corner| (corner.apex_m - at_m).abs();
            far(a).total_cmp(&far(b)).then(apex(a).total_cmp(&apex(b)))
        });
        let Some((index, near)) = nearest.filter(|(_, corner)| far(corner) <= NEAR_M) else { return };
        let near = near.clone();
        match self {
            Self::Rename { name, .. } => {
                if let Some(corner) = corners.get_mut(index) {
                    corner.name = Some(name.clone()).filter(|name| !name.is_empty());
                }
            }
            Self::Merge { .. } if index + 1 < corners.len() => {
                let next = corners.remove(index + 1);
                let tighter = if next.radius_m.unwrap_or(f64::MAX) < near.radius_m.unwrap_or(f64::MAX) {
                    &next
                } else {
                    &near
                };
                let merged = Corner {
                    entry_m: near.entry_m,
                    exit_m: next.exit_m,
                    degrees: near.degrees.zip(next.degrees).map(|(one, other)| one + other),
                    name: near.name.clone().or(next.name.clone()),
                    ..tighter.clone()
                };
                corners.splice(index..=index, [merged]);
            }
            Self::Split { .. } if (near.entry_m..near.exit_m).contains(at_m) => {
                let share = (at_m - near.entry_m) / (near.exit_m - near.entry_m);
                let part = |from_m: f64, to_m: f64, share: f64| Corner {
                    entry_m: from_m,
                    exit_m: to_m,
                    apex_m: if (from_m..to_m).contains(&near.apex_m) {
                        near.apex_m
                    } else {
                        (from_m + to_m) / 2.0
                    },
                    degrees: near.degrees.map(|degrees| degrees * share),
                    ..near.clone()
                };
                let first = part(near.entry_m, *at_m, share);
                let second = Corner { name: None, ..part(*at_m, near.exit_m, 1.0 - share) };
                corners.splice(index..=index, [first, second]);
            }
            Self::Merge { .. } | Self::Split { .. } => {}
        }
    }
}

/// How much further on laps begin, metres; 0 within the resolution of fingerprints, which is a part of the track.
fn further(shift_m: f64) -> f64 {
    if shift_m.abs() < SAME_START_M { 0.0 } else { shift_m }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ReferenceLine;

    fn corner(entry_m: f64, left: bool) -> Corner {
        let (apex_m, exit_m) = (entry_m + 40.0, entry_m + 90.0);
        Corner {
            number: 0,
            name: None,
            left: Some(left),
            entry_m,
            apex_m,
            exit_m,
            degrees: Some(80.0),
            radius_m: Some(entry_m / 10.0),
        }
    }

    fn fingerprint(by: f64) -> Fingerprint {
        begun(by, 0.0)
    }

    /// The same track, with laps that begin further on by a fraction of it.
    fn begun(by: f64, share: f64) -> Fingerprint {
        let point = |step: u32| {
            let angle = std::f64::consts::TAU * (f64::from(step) / 1500.0 + share);
            let radius = 500.0 * (1.0 + by * (3.0 * angle).sin() + 0.1 * (5.0 * angle).cos());
            [radius * angle.sin(), 0.0, radius * angle.cos()]
        };
        let points: Vec<[f64; 3]> = (0..=1500).map(point).collect();
        Fingerprint::of(&ReferenceLine::through(&points, 0.0).expect("a line"))
    }

    #[test]
    fn a_track_is_named_once_and_known_from_then_on() {
        let mut book = TrackBook::default();
        let (mine, other) = (fingerprint(0.2), fingerprint(-0.05));
        assert!(book.recognise(&mine).is_none());
        assert!(!book.edit(&mine, CornerEdit::Merge { at_m: 0.0 }), "nothing is known of it yet");
        book.name(&mine, "Old mill");
        book.name(&other, "New mill");
        book.name(&mine, "Mill loop");
        let json = serde_json::to_string(&book).expect("json");
        let book: TrackBook = serde_json::from_str(&json).expect("a book");
        let known = |fingerprint| book.recognise(fingerprint).map(|(track, _)| track.name.clone());
        assert_eq!((known(&mine), known(&other)), (Some("Mill loop".into()), Some("New mill".into())));
    }

    #[test]
    fn corners_are_renamed_merged_and_split_by_place() {
        let corners =
            vec![corner(100.0, true), corner(300.0, false), corner(400.0, false), corner(900.0, true)];
        let edits = vec![
            CornerEdit::Rename { at_m: 340.0, name: "Mill".into() },
            CornerEdit::Merge { at_m: 330.0 },
            CornerEdit::Split { at_m: 150.0 },
            CornerEdit::Split { at_m: 600.0 },
            CornerEdit::Merge { at_m: 940.0 },
        ];
        let known = KnownTrack { name: "Loop".into(), fingerprint: fingerprint(0.2), edits };
        let corners = known.corners(corners);
        let listed: Vec<(u16, String, f64, f64)> = corners
            .iter()
            .map(|corner| (corner.number, corner.title(), corner.entry_m, corner.exit_m))
            .collect();
        let expected = [
            (1, "Turn 1".to_owned(), 100.0, 150.0),
            (2, "Turn 2".to_owned(), 150.0, 190.0),
            (3, "Mill".to_owned(), 300.0, 490.0),
            (4, "Turn 4".to_owned(), 900.0, 990.0),
        ];
        assert_eq!(listed, expected);
        assert_eq!(corners[2].degrees, Some(160.0));
    }

    #[test]
    fn an_edit_applies_where_it_was_made_on_laps_with_another_start_line() {
        let (mine, theirs) = (fingerprint(0.2), begun(0.2, 0.25));
        let further_m = mine.length_m * 0.25;
        let mut book = TrackBook::default();
        book.name(&mine, "Old mill");
        assert!(book.edit(&theirs, CornerEdit::Rename { at_m: 340.0, name: "Mill".into() }));
        let names = |book: &TrackBook, track: &Fingerprint, entry_m: f64| {
            book.corners(track, vec![corner(entry_m, true)])[0].name.clone()
        };
        let mill = Some("Mill".to_owned());
        assert_eq!(names(&book, &theirs, 300.0), mill);
        let Some((known, Answer::Same { shift_m, .. })) = book.recognise(&theirs) else { panic!("unknown") };
        assert!((shift_m - further_m).abs() < SAME_START_M, "{shift_m} for {further_m}");
        assert!((known.edits[0].at_m() - 340.0 - shift_m).abs() < 1e-6, "{:?}", known.edits);
        assert_eq!(names(&book, &mine, 300.0 + further_m), mill);
        assert_eq!(names(&book, &mine, 300.0), None);
        assert!(book.take_back(&mine) && !book.take_back(&mine), "there was one change");
        assert_eq!(names(&book, &theirs, 300.0), None);
    }
}
