//! Names of clips: where and of which laps.

use trailbrake_analysis::KnownTrack;
use trailbrake_games::feed::Feed;

use super::facts::{Facts, Info, Labels, track_title};
use super::{LapRow, SessionSummary};

/// More laps and runs of laps than this are only counted.
const MOST_LISTED: usize = 6;
/// What the laps begin with in the name of a clip.
const LAPS: &str = ", lap";

/// The name of a clip of these laps: `Spa, laps 3 and 7`. It begins with the recording's name, else its track, else its
/// game. `known` is the driver's own name for the track.
pub fn clip_name(facts: &Facts, known: Option<&KnownTrack>, laps: &[LapRow]) -> String {
    let laps = laps_in_words(laps.iter().map(|row| row.lap.number));
    match place(facts, known) {
        Some(place) => format!("{place}, {laps}"),
        None => laps,
    }
}

/// Laps by number, in words: `lap 3`, `laps 3 and 7`, `laps 2 to 5 and 9`.
pub fn laps_in_words(numbers: impl Iterator<Item = u16>) -> String {
    let mut numbers: Vec<u16> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut listed = Vec::new();
    for run in numbers.chunk_by(|one, next| one.checked_add(1) == Some(*next)) {
        match run {
            [first, _, .., last] => listed.push(format!("{first} to {last}")),
            short => listed.extend(short.iter().map(u16::to_string)),
        }
    }
    match listed.as_slice() {
        [] => "no lap".to_owned(),
        [_] if numbers.len() == 1 => format!("lap {}", listed.concat()),
        _ if listed.len() > MOST_LISTED => format!("{} laps", numbers.len()),
        [before @ .., last] if !before.is_empty() => format!("laps {} and {last}", before.join(", ")),
        run => format!("laps {}", run.concat()),
    }
}

fn place(facts: &Facts, known: Option<&KnownTrack>) -> Option<String> {
    // A fact that can't be read names nothing.
    let labels: Labels = facts.get().ok().flatten().unwrap_or_default();
    let info: Option<Info> = facts.get().ok().flatten();
    let summary: SessionSummary = facts.get().ok().flatten().unwrap_or_default();
    let is_clip = info.as_ref().is_some_and(|info| info.parent.is_some());
    let own = labels.name.map(|name| match name.rsplit_once(LAPS).filter(|_| is_clip) {
        // The laps of a clip of a clip are named once.
        Some((place, _)) => place.to_owned(),
        None => name,
    });
    let known = || known.map(|known| known.name.clone()).filter(|name| !name.is_empty());
    let game = || Some(Feed::from_id(&info.as_ref()?.feed)?.info().game.to_owned());
    own.or_else(known).or_else(|| track_title(facts, &summary)).or_else(|| summary.game.clone()).or_else(game)
}

#[cfg(test)]
mod tests {
    use trailbrake_model::time::Micros;

    use super::super::RecordingId;
    use super::*;

    #[test]
    fn laps_are_listed_as_people_do() {
        for (numbers, words) in [
            (&[3][..], "lap 3"),
            (&[7, 3, 3], "laps 3 and 7"),
            (&[3, 4], "laps 3 and 4"),
            (&[2, 3, 4, 5], "laps 2 to 5"),
            (&[2, 3, 4, 9, 12], "laps 2 to 4, 9 and 12"),
            (&[1, 3, 5, 7, 9, 11, 13], "7 laps"),
            (&[u16::MAX, 1], "laps 1 and 65535"),
            (&[], "no lap"),
        ] {
            assert_eq!(laps_in_words(numbers.iter().copied()), words, "{numbers:?}");
        }
    }

    #[test]
    fn a_clip_is_named_after_its_recording_else_its_game() {
        let info = Info {
            id: RecordingId(1),
            parent: None,
            created: Micros(1),
            feed: Feed::F1.id().to_owned(),
            program: "the tests".to_owned(),
            others_left_out: false,
        };
        let mut facts = Facts::default();
        assert_eq!(clip_name(&facts, None, &[]), "no lap");
        facts.put(Micros(1), &info);
        assert_eq!(clip_name(&facts, None, &[]), "F1 2018 to 25, no lap");
        let named = |name: &str| Labels { name: Some(name.to_owned()), tags: Vec::new() };
        facts.put(Micros(1), &named("Wet, laps of Ann"));
        assert_eq!(clip_name(&facts, None, &[]), "Wet, laps of Ann, no lap");
        facts.put(Micros(2), &Info { parent: Some(RecordingId(2)), ..info });
        facts.put(Micros(2), &named("Spa, laps 3 and 7"));
        assert_eq!(clip_name(&facts, None, &[]), "Spa, no lap");
    }
}
