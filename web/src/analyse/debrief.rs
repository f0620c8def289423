//! The debrief: before times are shown, the driver rates corners and says what they felt. Each rating is a note.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::recording::authored::BEST_FELT;
use trailbrake_shared::recording::{NewNote, Note, NoteColour};

use super::notes::BookChange;
use super::{
    BookStore, ComparisonStore, DialogKind, LapKey, NoteEditor, NoteStore, OpenDialog, PlacedNote,
    SelectionStore, SourceId, Sources,
};
use crate::driver_settings::{SettingsStore, keep_author};
use crate::reactive::LocalSignal;

/// A corner to be rated.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RatedCorner {
    pub(crate) name: String,
    pub(crate) apex_m: f64,
}

/// The driver's rating of a corner.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rating {
    pub(crate) apex_m: f64,
    /// How it felt, from 1 to [`BEST_FELT`].
    pub(crate) felt: u8,
    pub(crate) text: String,
}

/// The debrief. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct DebriefStore {
    pub(super) sources: LocalSignal<Sources>,
    pub(super) selection: SelectionStore,
    pub(super) comparison: ComparisonStore,
    pub(super) books: BookStore,
    pub(super) notes: NoteStore,
    pub(super) editor: NoteEditor,
    pub(super) settings: SettingsStore,
    pub(super) dialog: OpenDialog,
    /// The sources whose debrief has ended.
    pub(super) ended: LocalSignal<Vec<SourceId>>,
}

impl DebriefStore {
    /// Opens the debrief whenever one is due. Returns whether one is due: until it ends, the page hides everything
    /// else.
    pub(super) fn follow(self) -> Memo<bool> {
        let due = Memo::new(move |_| self.is_due());
        let ready = Memo::new(move |_| due.get() && self.comparison.shown().is_some());
        Effect::new(move |_| {
            if ready.get() && self.dialog.get_untracked().is_none() {
                self.dialog.set(Some(DialogKind::Debrief));
            }
        });
        due
    }

    /// Whether a debrief is due: the driver has asked for debriefs, the main lap is their own, and its source has
    /// neither ratings nor an ended debrief. It is not due where it could not be saved, or where the lap can't be
    /// shown.
    fn is_due(self) -> bool {
        let Some(main) =
            self.selection.main_lap().filter(|_| self.settings.driver().with(|driver| driver.debrief_first))
        else {
            return false;
        };
        let is_own = self.sources.with(|sources| sources.entry(main).is_some() && sources.is_own(main));
        let is_rated = self.books.state.with(|books| books.has_ratings(main.of));
        let is_over = self.ended.with(|ended| ended.contains(&main.of));
        let fails = self.comparison.trouble().is_some();
        is_own && !is_rated && !is_over && !fails && self.notes.read_only().is_none()
    }

    /// Ends the debrief of the main lap's source, which shows times.
    pub(crate) fn end(self) {
        if let Some(main) = untrack(|| self.selection.main_lap()) {
            self.ended.update(|ended| ended.push(main.of));
        }
        self.dialog.set(None);
    }

    /// The corners of the main lap, in track order.
    pub(crate) fn corners_to_rate(self) -> Vec<RatedCorner> {
        let Some(shown) = untrack(|| self.comparison.shown()) else { return Vec::new() };
        let corners = shown.comparison().corners.iter();
        corners
            .map(|corner| RatedCorner { name: shown.corner_name(corner.number), apex_m: corner.apex_m })
            .collect()
    }

    /// Ends the debrief, and writes a note for each rated corner.
    pub(crate) fn keep(self, author: String, ratings: Vec<Rating>) {
        keep_author(&author);
        let Some((lap, shown)) = untrack(|| self.selection.main_lap().zip(self.comparison.shown())) else {
            return;
        };
        let ratings: Vec<(Rating, Option<f64>)> = ratings
            .into_iter()
            .map(|rating| {
                let clock_s = shown.main_clock_at(rating.apex_m);
                (rating, clock_s)
            })
            .collect();
        self.end();
        spawn_local(async move {
            for (rating, clock_s) in ratings {
                let Some(clock_s) = clock_s else { continue };
                if let Err(why) = self.keep_rating(lap, clock_s, &author, rating).await {
                    self.editor.set_trouble(Some(why));
                    break;
                }
            }
        });
    }

    async fn keep_rating(
        self,
        lap: LapKey,
        clock_s: f64,
        author: &str,
        Rating { apex_m, felt, text }: Rating,
    ) -> Result<(), String> {
        let note = NewNote {
            at: self.books.moment(lap, clock_s, author).await?,
            author: author.to_owned(),
            text,
            car: Some(lap.id.car),
            distance_m: Some(apex_m as f32),
            colour: Some(colour(felt)),
            rank_mm: None,
            felt: Some(felt),
        };
        self.books.change(lap.of, BookChange::WriteNote(note)).await
    }

    /// The ratings of a corner as text, each with its author.
    pub(super) fn felt_words(self, number: u16) -> Vec<String> {
        let words = |note: &Note| format!("{} · {}", note.author, note.words());
        self.ratings(number).iter().map(words).collect()
    }

    /// The worst rating of a corner; `None` if nobody rated it.
    pub(super) fn felt(self, number: u16) -> Option<u8> {
        self.ratings(number).iter().filter_map(|note| note.felt).min()
    }

    fn ratings(self, number: u16) -> Vec<Note> {
        let Some(shown) = self.comparison.shown() else { return Vec::new() };
        let corner = shown.comparison().corners.iter().find(|corner| corner.number == number).cloned();
        let Some(corner) = corner else { return Vec::new() };
        let is_here = |placed: &&PlacedNote| {
            let is_in = |at_m: f64| (corner.entry_m..=corner.exit_m).contains(&at_m);
            placed.note.felt.is_some() && placed.at_m.is_some_and(is_in)
        };
        self.notes.placed().iter().filter(is_here).map(|placed| placed.note.clone()).collect()
    }
}

/// The colour of a rating's note: bad corners stand out on the lanes and the map.
fn colour(felt: u8) -> NoteColour {
    match felt {
        0..=2 => NoteColour::Red,
        BEST_FELT.. => NoteColour::Green,
        _ => NoteColour::Amber,
    }
}
