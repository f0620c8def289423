//! The recordings that match every word and every filter of a search, sorted by a column.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use trailbrake_shared::library::{Entry, folded};
use trailbrake_shared::number::count;
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::time::Micros;

use super::query::{Column, Filter, Query};
use super::words;
use crate::text::dates::date;
use crate::text::figures::{minutes, size};

/// A recording of the list, ready to be searched and sorted.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Listed {
    /// The relay's entry.
    pub(crate) entry: Entry,
    /// The recording's id, or the name of a file that can't be opened.
    pub(crate) key: String,
    /// The game, as drivers call it.
    pub(crate) game: Option<String>,
    /// When the recording began, in local time. Empty for a file that can't be opened.
    pub(crate) date: String,
    /// Everything that the list shows, folded for the search.
    text: String,
}

impl Listed {
    /// Prepares an entry. `minutes_west` is the local clock's offset at its beginning, in minutes west of UTC.
    pub(crate) fn new(entry: Entry, minutes_west: i64) -> Self {
        let date = if entry.id.is_some() { date(entry.created, minutes_west) } else { String::new() };
        let game = words::game(&entry);
        // The page's own texts of date, size and length are searched too.
        let mut text = format!("{}\n{}\n{}", entry.sought_text(), folded(&date), folded(&size(entry.bytes)));
        if entry.seconds > 0.0 {
            text.push('\n');
            text.push_str(&minutes(entry.seconds));
        }
        Self { key: words::key(&entry), game, date, text, entry }
    }

    /// What it is and holds beside laps, each with its name for the style sheet.
    pub(crate) fn badges(&self) -> Vec<(&'static str, String)> {
        let Entry { parent, notes, tasks, .. } = &self.entry;
        let counted =
            |name, number: &u32, one, many| (*number > 0).then(|| (name, count(*number as usize, one, many)));
        let clip = parent.map(|_| ("clip", "clip".to_owned()));
        let counts = [counted("notes", notes, "note", "notes"), counted("tasks", tasks, "task", "tasks")];
        clip.into_iter().chain(counts.into_iter().flatten()).collect()
    }

    /// The values that a filter compares: at most one, but any number of tags.
    fn values(&self, filter: Filter) -> &[String] {
        match filter {
            Filter::Game => self.game.as_slice(),
            Filter::Track => self.entry.track.as_slice(),
            Filter::Car => self.entry.car.as_slice(),
            Filter::Tag => &self.entry.tags,
        }
    }
}

/// The recordings that match the query, in its order. The recording under way stays on top.
pub(crate) fn found(all: &[Arc<Listed>], query: &Query) -> Vec<Arc<Listed>> {
    let wanted = folded(&query.text);
    let wanted: Vec<&str> = wanted.split_whitespace().collect();
    let filters = Filter::ALL.map(|filter| (filter, query.filter(filter)));
    let began: BTreeMap<RecordingId, Micros> =
        all.iter().filter_map(|one| Some((one.entry.id?, one.entry.created))).collect();
    let mut ranked = Vec::new();
    for one in all {
        let fits = wanted.iter().all(|word| one.text.contains(word));
        let fits_filter = |(filter, value): &(Filter, &str)| {
            value.is_empty() || one.values(*filter).iter().any(|own| own == value)
        };
        if fits && filters.iter().all(fits_filter) {
            // By date, a clip is listed below the recording that it was cut out of.
            let parent = one.entry.parent.filter(|_| query.column == Column::Date);
            let of_parent = parent.and_then(|id| began.get(&id)).map(|began| Rank::Number(began.0 as f64));
            ranked.push(Ranked {
                is_child: of_parent.is_some(),
                rank: of_parent.or_else(|| rank(one, query.column)),
                descending: query.descending,
                one,
            });
        }
    }
    ranked.sort();
    ranked.into_iter().map(|ranked| Arc::clone(ranked.one)).collect()
}

/// The values that a filter can be set to, in alphabetical order, each with its number of recordings.
pub(crate) fn choices(all: &[Arc<Listed>], filter: Filter) -> Vec<(String, usize)> {
    let mut choices: Vec<(String, (String, usize))> = Vec::new();
    for value in all.iter().flat_map(|one| one.values(filter)) {
        let folded = folded(value);
        // There are few values, so inserting each in order is cheap.
        let place = choices.partition_point(|(other, (own, _))| (other, own) < (&folded, value));
        match choices.get_mut(place) {
            Some((_, (own, count))) if own == value => *count += 1,
            _ => choices.insert(place, (folded, (value.clone(), 1))),
        }
    }
    choices.into_iter().map(|(_, choice)| choice).collect()
}

/// The sort key of a recording.
#[derive(PartialEq, PartialOrd)]
enum Rank {
    Number(f64),
    Text(String),
}

/// A recording with its sort key. `None` for a missing value.
struct Ranked<'a> {
    rank: Option<Rank>,
    /// Whether it is listed below the recording that it was cut out of.
    is_child: bool,
    descending: bool,
    one: &'a Arc<Listed>,
}

impl Ord for Ranked<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let (own, others) = (&self.one.entry, &other.one.entry);
        let ranked = match (&self.rank, &other.rank) {
            (Some(rank), Some(others)) => {
                let order = rank.partial_cmp(others).unwrap_or(Ordering::Equal);
                if self.descending { order.reverse() } else { order }
            }
            // Missing values come last in both directions.
            (rank, others) => others.is_some().cmp(&rank.is_some()),
        };
        let newest = || others.created.cmp(&own.created).then_with(|| own.file.cmp(&others.file));
        let below = || self.is_child.cmp(&other.is_child);
        others.underway.cmp(&own.underway).then(ranked).then_with(below).then_with(newest)
    }
}

impl PartialOrd for Ranked<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked<'_> {}

fn rank(one: &Listed, column: Column) -> Option<Rank> {
    let entry = &one.entry;
    let text = |text: Option<&String>| text.map(|text| Rank::Text(folded(text)));
    let number = |value: f64| (value > 0.0).then_some(Rank::Number(value));
    match column {
        Column::Date => number(entry.created.0 as f64),
        Column::Track => text(entry.track.as_ref()),
        Column::Car => text(entry.car.as_ref()),
        Column::Name => text(entry.name.as_ref().or(entry.tags.first())),
        Column::Game => text(one.game.as_ref()),
        Column::Driver => text(entry.driver_and_rig().as_ref()),
        Column::Laps => number(f64::from(entry.laps)),
        Column::Best => number(entry.best.map_or(0.0, |best| f64::from(best.0))),
        Column::Length => number(entry.seconds),
        Column::Size => number(entry.bytes as f64),
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::time::LapTime;

    use super::*;

    /// Recordings by number, the newest first: track, car, best, tag.
    fn recordings() -> Vec<Arc<Listed>> {
        let rows = [
            (4, Some("Spa"), Some("Ferrari"), Some(103_512), "wet"),
            (3, Some("Nürburgring"), Some("Ferrari"), Some(418_000), ""),
            (2, Some("monza"), Some("Williams"), None, "league"),
            (1, None, Some("Formula Fast"), Some(90_001), "wet"),
        ];
        rows.map(|(id, track, car, best, tag)| {
            let entry = Entry {
                id: Some(RecordingId(id)),
                file: format!("{id}.mcap"),
                bytes: 1_000_000 * id as u64,
                feed: Some("f1-2018".into()),
                created: Micros(1_795_271_520_000_000 + id as u64 * 60_000_000),
                seconds: 200.0,
                track: track.map(str::to_owned),
                car: car.map(str::to_owned),
                best: best.map(LapTime),
                tags: (!tag.is_empty()).then(|| tag.to_owned()).into_iter().collect(),
                ..Entry::default()
            };
            Arc::new(Listed::new(entry, 0))
        })
        .into()
    }

    fn check(fragment: &str, expected: &[u128]) {
        let found = found(&recordings(), &Query::from_hash(fragment));
        let ids: Vec<u128> = found.iter().filter_map(|one| Some(one.entry.id?.0)).collect();
        assert_eq!(ids, expected, "{fragment}");
    }

    #[test]
    fn every_word_has_to_fit_something_that_is_shown() {
        check("#/library", &[4, 3, 2, 1]);
        check("#/library?q=ferrari", &[4, 3]);
        check("#/library?q=NURBURG", &[3]);
        check("#/library?q=wet%201:43.512", &[4]);
        check("#/library?q=wet%20monza", &[]);
        check("#/library?q=21%20nov%2014:36", &[4]);
        check("#/library?q=3:20%20f1", &[4, 3, 2, 1]);
        check("#/library?q=2.0%20mb", &[2]);
    }

    #[test]
    fn filters_fit_the_whole_value() {
        check("#/library?track=Spa", &[4]);
        check("#/library?track=Sp", &[]);
        check("#/library?tag=wet&car=Ferrari", &[4]);
        check("#/library?game=F1%202018%20to%2025&q=williams", &[2]);
    }

    #[test]
    fn columns_sort_both_ways_and_what_is_missing_comes_last() {
        check("#/library?sort=best", &[1, 4, 3, 2]);
        check("#/library?sort=-best", &[3, 4, 1, 2]);
        check("#/library?sort=track", &[2, 3, 4, 1]);
        check("#/library?sort=-size", &[4, 3, 2, 1]);
        check("#/library?sort=date", &[1, 2, 3, 4]);
        check("#/library?sort=name", &[2, 4, 1, 3]);
    }

    #[test]
    fn thousands_are_searched_and_sorted() {
        let tracks = ["Spa", "Monza", "Imola", "Suzuka"];
        let listed: Vec<Arc<Listed>> = (0..5_000_u32)
            .map(|number| {
                let entry = Entry {
                    id: Some(RecordingId(number.into())),
                    file: format!("{number}.mcap"),
                    created: Micros(1_795_271_520_000_000 + u64::from(number * 7 % 5_000) * 60_000_000),
                    track: tracks.get(number as usize % tracks.len()).map(|track| (*track).to_owned()),
                    best: Some(LapTime(80_000 + number * 13 % 5_000)),
                    ..Entry::default()
                };
                Arc::new(Listed::new(entry, 0))
            })
            .collect();
        let imola = found(&listed, &Query::from_hash("#/library?q=imola&sort=best"));
        assert_eq!(imola.len(), 1_250);
        assert!(
            imola.is_sorted_by_key(|one| one.entry.best)
                && imola.iter().all(|one| one.entry.id.is_some_and(|id| id.0 % 4 == 2))
        );
        let all = found(&listed, &Query::from_hash("#/library"));
        assert!(
            all.len() == 5_000 && all.is_sorted_by(|newer, older| newer.entry.created >= older.entry.created)
        );
        let counts: Vec<usize> =
            choices(&listed, Filter::Track).into_iter().map(|(_, count)| count).collect();
        assert_eq!(counts, [1_250; 4]);
    }

    #[test]
    fn clips_are_listed_below_their_recording_by_date() {
        let mut listed = recordings();
        for (id, parent, minute) in [(11, 3, 9), (12, 3, 1), (13, 99, 5)] {
            let created = Micros(1_795_271_520_000_000 + minute * 60_000_000);
            let (id, parent) = (Some(RecordingId(id)), Some(RecordingId(parent)));
            listed.push(Arc::new(Listed::new(Entry { id, parent, created, ..Entry::default() }, 0)));
        }
        let order = |fragment: &str| {
            let found = found(&listed, &Query::from_hash(fragment));
            found.iter().filter_map(|one| Some(one.entry.id?.0)).collect::<Vec<u128>>()
        };
        assert_eq!(order("#/library"), [13, 4, 3, 11, 12, 2, 1]);
        assert_eq!(order("#/library?sort=date"), [1, 2, 3, 11, 12, 4, 13]);
    }

    #[test]
    fn a_row_says_that_it_is_a_clip_and_what_a_coach_put_into_it() {
        let badges = |entry: Entry| {
            Listed::new(entry, 0).badges().into_iter().map(|(_, words)| words).collect::<Vec<_>>()
        };
        assert_eq!(badges(Entry::default()), Vec::<String>::new());
        let parent = Some(RecordingId(3));
        assert_eq!(
            badges(Entry { parent, notes: 2, tasks: 1, ..Entry::default() }),
            ["clip", "2 notes", "1 task"]
        );
    }

    #[test]
    fn the_recording_under_way_stays_on_top() {
        let mut listed = recordings();
        let mut running = Listed::clone(&listed[3]);
        running.entry.underway = true;
        listed[3] = Arc::new(running);
        for fragment in ["#/library", "#/library?sort=track", "#/library?sort=-best"] {
            let found = found(&listed, &Query::from_hash(fragment));
            assert_eq!(found[0].entry.id, Some(RecordingId(1)), "{fragment}");
        }
    }

    #[test]
    fn choices_are_counted_and_in_the_alphabet_s_order() {
        let expected = [("monza", 1), ("Nürburgring", 1), ("Spa", 1)];
        assert_eq!(
            choices(&recordings(), Filter::Track),
            expected.map(|(word, count)| (word.to_owned(), count))
        );
        assert_eq!(choices(&recordings(), Filter::Tag), [("league".to_owned(), 1), ("wet".to_owned(), 2)]);
    }
}
