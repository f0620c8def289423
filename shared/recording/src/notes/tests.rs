use proptest::prelude::*;
use trailbrake_model::time::Micros;

use super::*;
use crate::authored::{Authored, AuthoredError, AuthoredKind, deleted, merge, together};
use crate::facts::{self, Facts, RecordingId};

const ID: RecordingId = RecordingId(3);

fn note(at: u64, author: &str, text: &str) -> Note {
    Note {
        recording: ID,
        at: Micros(at),
        author: author.to_owned(),
        text: text.to_owned(),
        car: None,
        distance_m: None,
        colour: NoteColour::Amber,
        rank_mm: None,
        ranked: None,
        written: None,
        felt: None,
        others: Vec::new(),
    }
}

fn with(notes: &[(&Note, u64)]) -> Facts {
    let mut facts = Facts::default();
    for (note, written) in notes {
        facts.store(&note.name(), note.stored(Micros(*written)));
    }
    facts
}

fn check(one: &Facts, other: &Facts, expected: &[(&str, &[&str])]) {
    let merged = merge((ID, one), (ID, other)).expect("copies of one");
    assert_eq!(merge((ID, other), (ID, one)), Ok(merged.clone()), "either way round");
    assert_eq!(merge((ID, &merged), (ID, other)), Ok(merged.clone()), "once more changes nothing");
    let notes = notes(&merged);
    let texts: Vec<(&str, Vec<&str>)> = notes
        .iter()
        .map(|note| (note.text.as_str(), note.others.iter().map(String::as_str).collect()))
        .collect();
    let expected: Vec<(&str, Vec<&str>)> =
        expected.iter().map(|(text, others)| (*text, others.to_vec())).collect();
    assert_eq!(texts, expected);
}

#[test]
fn notes_of_two_people_are_put_together() {
    let (ann, bob) = (note(5, "Ann", "brakes late"), note(5, "Bob", "off line"));
    let early = note(2, "Bob", "good start");
    let (one, other) = (with(&[(&ann, 9)]), with(&[(&bob, 8), (&early, 8)]));
    check(&one, &other, &[("good start", &[]), ("brakes late", &[]), ("off line", &[])]);
}

#[test]
fn no_wording_is_lost() {
    let (first, second) = (note(5, "Ann", "brakes late"), note(5, "Ann", "brakes far too late"));
    check(&with(&[(&first, 9)]), &with(&[(&second, 10)]), &[("brakes far too late", &["brakes late"])]);
    check(&with(&[(&first, 9)]), &with(&[(&first, 10)]), &[("brakes late", &[])]);
}

#[test]
fn what_was_deleted_stays_deleted_unless_it_was_written_again() {
    let note = note(5, "Ann", "brakes late");
    let mut deleted = with(&[(&note, 9)]);
    deleted.remove(Micros(20), &note.name());
    check(&deleted, &with(&[(&note, 9)]), &[]);
    check(&deleted, &with(&[(&note, 30)]), &[("brakes late", &[])]);
    // Somebody moved it in the plan and did not know that it was deleted.
    let moved = Note { rank_mm: Some(1), ranked: Some(Micros(30)), written: Some(Micros(9)), ..note.clone() };
    check(&deleted, &with(&[(&moved, 30)]), &[]);
}

#[test]
fn a_change_is_later_than_what_it_changes_whatever_the_clock_says() {
    let note = note(5, "Ann", "brakes late");
    let ours = with(&[(&note, 900)]);
    let (name, gone) = deleted(&ours, AuthoredKind::Note, &note.name(), Micros(20)).expect("a note");
    let mut without = ours.clone();
    without.store(&name, gone);
    check(&without, &ours, &[]);
    assert_eq!(
        deleted(&without, AuthoredKind::Note, &name, Micros(21)),
        Err(AuthoredError::NotThere(AuthoredKind::Note))
    );
    assert_eq!(
        deleted(&ours, AuthoredKind::Note, "labels", Micros(21)),
        Err(AuthoredError::NotThere(AuthoredKind::Note))
    );
}

#[test]
fn strangers_are_not_merged() {
    let facts = Facts::default();
    let error = merge((ID, &facts), (RecordingId(4), &facts)).expect_err("a reason");
    assert!(error.to_string().contains("two recordings"), "{error}");
}

#[test]
fn an_old_note_reads_as_before_and_a_later_colour_is_kept() {
    let old = br#"{"version":1,"recording":"00000000000000000000000000000003","at":5,"author":"Ann","text":"late"}"#;
    let read = facts::read::<Note>(old).expect("a note");
    assert_eq!(read, note(5, "Ann", "late"));
    assert_eq!(facts::write(&read), old, "it is written as it was");
    let later = old.to_vec();
    let later = String::from_utf8(later).expect("text").replace("\"late\"", "\"late\",\"colour\":\"teal\"");
    let read = facts::read::<Note>(later.as_bytes()).expect("a note");
    assert_eq!(read.colour, NoteColour::Other("teal".to_owned()));
    assert_eq!(facts::write(&read), later.as_bytes());
    for colour in NoteColour::ALL {
        assert_eq!(NoteColour::of_word(colour.word()), colour);
    }
}

#[test]
fn one_persons_words_and_another_ones_order_are_merged() {
    let first = note(5, "Ann", "late");
    let reworded = Note { text: "far too late".into(), colour: NoteColour::Red, ..first.clone() };
    let moved =
        Note { rank_mm: Some(70), ranked: Some(Micros(30)), written: Some(Micros(9)), ..first.clone() };
    let (one, other) = (with(&[(&reworded, 20)]), with(&[(&moved, 30)]));
    check(&one, &other, &[("far too late", &["late"])]);
    let merged = together(&one, &other);
    let [merged] = &notes(&merged)[..] else { panic!("one note") };
    assert_eq!((&merged.colour, merged.rank_mm), (&NoteColour::Red, Some(70)));
}

fn at_m(distance_m: f32, text: &str) -> Note {
    Note { distance_m: Some(distance_m), ..note(distance_m as u64, "Ann", text) }
}

/// The texts of a plan after one note was moved, and how many notes were written for that.
fn after_move(plan: &[Note], place: usize, by: isize) -> (Vec<String>, usize) {
    let mut sorted = plan.to_vec();
    sorted.sort_by(plan_order);
    let ranks = moved(&sorted.iter().collect::<Vec<_>>(), place, by);
    for (place, rank_mm) in &ranks {
        sorted[*place].rank_mm = Some(*rank_mm);
    }
    sorted.sort_by(plan_order);
    (sorted.into_iter().map(|note| note.text).collect(), ranks.len())
}

#[test]
fn notes_stand_in_the_order_of_their_places_until_they_are_moved() {
    let plan = [at_m(900.0, "c"), at_m(100.0, "a"), at_m(500.0, "b"), note(1, "Ann", "lap")];
    let check = |place, by, expected: &str, written| {
        let (texts, count) = after_move(&plan, place, by);
        assert_eq!((texts.join(" ").as_str(), count), (expected, written), "{place} by {by}");
    };
    check(0, -1, "lap a b c", 0);
    check(3, 1, "lap a b c", 0);
    check(9, -1, "lap a b c", 0);
    check(3, -1, "lap a c b", 1);
    check(1, -1, "a lap b c", 1);
    check(1, 1, "lap b a c", 1);
    check(0, 3, "a b c lap", 1);
}

#[test]
fn where_there_is_no_room_between_two_notes_those_behind_make_some() {
    let same = |text: &str, at| Note { at: Micros(at), ..at_m(100.0, text) };
    let plan = [same("a", 1), same("b", 2), same("c", 3), at_m(900.0, "d")];
    assert_eq!(after_move(&plan, 0, 1), (["b", "a", "c", "d"].map(str::to_owned).to_vec(), 2));
    assert_eq!(after_move(&plan, 2, -1), (["a", "c", "b", "d"].map(str::to_owned).to_vec(), 2));
}

#[test]
fn a_summary_names_authors_and_first_words() {
    let words = "Turn in later, and stay on the brake until the car has rotated";
    let ours = [note(1, "Ann", "kerb"), note(2, "Ann", "gone"), note(3, "Ann", "same")];
    let reworded = Note { text: "the inner kerb".into(), ..ours[0].clone() };
    let theirs: Vec<Note> = (10..15).map(|at| note(at, "Bob", words)).collect();
    let before = with(&ours.each_ref().map(|note| (note, 9)));
    let mut after = with(&[(&reworded, 10), (&ours[2], 12)]);
    theirs.iter().for_each(|note| after.store(&note.name(), note.stored(Micros(10))));
    after.remove(Micros(20), &ours[1].name());
    let merged = MergedNotes::between(&before, &after);
    let quote = "“Turn in later, and stay on the brake…”";
    assert_eq!(
        merged.sentences(),
        [
            format!("5 notes by Bob added: {quote}, {quote}, {quote} and 2 more."),
            "1 note by Ann changed: “the inner kerb”.".to_owned(),
            "1 note by Ann deleted: “gone”.".to_owned(),
        ]
    );
    let back = MergedNotes::between(&after, &before);
    assert_eq!((back.added, back.deleted), (merged.deleted, merged.added));
    assert!(MergedNotes::between(&after, &after).is_empty());
    let long = note(1, "Ann", &"x".repeat(60));
    let added = MergedNotes { added: vec![long], ..MergedNotes::default() };
    assert_eq!(added.sentences(), [format!("1 note by Ann added: “{}…”.", "x".repeat(40))]);
}

/// A copy: versions of a few notes, written, moved or deleted at a few times.
fn copies() -> impl Strategy<Value = Facts> {
    let colours = prop::sample::select(vec!["amber", "red", "teal"]);
    let version = (
        (0_u64..3, prop::sample::select(vec!["Ann", "Bob"]), prop::sample::select(vec!["late", "wide", ""])),
        (
            colours,
            prop::option::of(0_i64..3),
            prop::option::of(0_u64..4),
            prop::option::of(0_u64..4),
            0_u64..6,
        ),
        prop::option::of(0_i16..3),
    );
    prop::collection::vec(version, 0..8).prop_map(|versions| {
        let mut facts = Facts::default();
        for ((at, author, text), (colour, rank_mm, ranked, written, stored), metres) in versions {
            let note = Note {
                colour: NoteColour::of_word(colour),
                rank_mm,
                ranked: ranked.map(Micros),
                written: written.map(|written| Micros(written.min(stored))),
                distance_m: metres.map(f32::from),
                ..note(at, author, text)
            };
            match text.is_empty() {
                true => facts.remove(Micros(stored), &note.name()),
                false => facts.store(&note.name(), note.stored(Micros(stored))),
            }
        }
        facts
    })
}

proptest! {
    #[test]
    fn copies_merge_to_the_same_whichever_comes_first(one in copies(), other in copies()) {
        let merged = together(&one, &other);
        prop_assert_eq!(&together(&other, &one), &merged);
        prop_assert_eq!(&together(&merged, &other), &merged);
        prop_assert_eq!(&together(&one, &merged), &merged);
        // Every note is of one of the copies, and what both gained leads to the same notes.
        for (own, theirs) in [(&one, &other), (&other, &one)] {
            let gained = MergedNotes::between(own, &merged);
            prop_assert!(gained.added.iter().all(|note| theirs.json(&note.name()).is_some()));
            let lost = MergedNotes::between(&merged, own);
            prop_assert_eq!((&gained.added, &gained.deleted), (&lost.deleted, &lost.added));
            prop_assert_eq!(gained.changed.len(), lost.changed.len());
        }
    }

    #[test]
    fn a_moved_note_stands_where_it_was_moved_to(
        places in prop::collection::vec(0_u8..4, 1..8), place in 0_usize..8, by in -3_isize..4,
    ) {
        let notes = places.iter().enumerate();
        let plan: Vec<Note> =
            notes.map(|(nth, metres)| Note { at: Micros(nth as u64), ..at_m(f32::from(*metres), &nth.to_string()) }).collect();
        let mut expected = plan.clone();
        expected.sort_by(plan_order);
        let to = place.checked_add_signed(by).filter(|to| *to < plan.len());
        if let Some(to) = to.filter(|_| place < plan.len()) {
            let note = expected.remove(place);
            expected.insert(to, note);
        }
        let expected: Vec<String> = expected.into_iter().map(|note| note.text).collect();
        prop_assert_eq!(after_move(&plan, place, by).0, expected);
    }
}
