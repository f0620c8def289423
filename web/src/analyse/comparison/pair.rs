//! The two compared laps, and the stint that they belong to.

use std::rc::Rc;

use trailbrake_shared::analysis::{
    ComparedLap, Comparing, Comparison, LapColumns, LapComparison, NoComparison, PlacedLaps, TrackBook,
};
use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::session::RivalLap;

use super::loaded_lap::LoadedLap;
use crate::analyse::{LapKey, Sources};
use crate::reactive::is_same;

/// The main lap and its reference, with their official times.
pub(crate) struct Pair {
    pub(crate) main: Rc<LoadedLap>,
    reference: Option<Rc<LoadedLap>>,
    /// The main lap and the reference with their official times; without a reference, the main lap twice.
    laps: [Lap; 2],
    /// Whether both laps are of the same driver, car and session.
    pub(crate) same_seat: bool,
    /// Whether the reference is another counted lap of the main lap's stint.
    pub(crate) reference_in_stint: bool,
    /// Whether laps of different tracks are compared, too, by lap fraction.
    anyway: bool,
    /// The other counted laps of the main lap's stint, without the reference.
    pub(crate) stint: Vec<LapKey>,
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        let facts = |pair: &Self| (pair.same_seat, pair.reference_in_stint, pair.anyway);
        Rc::ptr_eq(&self.main, &other.main)
            && is_same(&self.reference, &other.reference)
            && facts(self) == facts(other)
            && (&self.laps, &self.stint) == (&other.laps, &other.stint)
    }
}

impl Pair {
    /// A pair of laps; without a reference, the main lap alone.
    pub(crate) fn new(
        sources: &Sources,
        main: &Rc<LoadedLap>,
        reference: Option<&Rc<LoadedLap>>,
        anyway: bool,
    ) -> Self {
        let other = reference.unwrap_or(main);
        let (mut stint, mut reference_in_stint) = (Vec::new(), false);
        if let Some((source, entry)) = sources.entry(main.key) {
            let laps = source.catalogue.stint(entry).into_iter().map(|entry| source.key(entry));
            stint = laps.filter(|key| *key != other.key).collect();
            let is_in_stint = |other: &LapEntry| other.is_of_stint(entry) && other.lap.counts().is_some();
            reference_in_stint = main.key != other.key && source.entry(other.key).is_some_and(is_in_stint);
        }
        Self {
            laps: [main, other].map(|loaded| sources.lap(loaded)),
            same_seat: sources.is_same_seat(main.key, other.key),
            main: Rc::clone(main),
            reference: reference.cloned(),
            reference_in_stint,
            anyway,
            stint,
        }
    }

    /// The lap that the main lap is compared with; without a reference, the main lap itself.
    pub(crate) fn reference(&self) -> &Rc<LoadedLap> {
        self.reference.as_ref().unwrap_or(&self.main)
    }

    /// The lap that the main lap is compared with, for Live.
    pub(crate) fn rival(&self, driver: String) -> RivalLap {
        let [_, lap] = &self.laps;
        let name = lap.time.map_or_else(|| driver.clone(), |time| format!("{driver} {time}"));
        self.reference().rival(name, lap.clone())
    }

    /// Whether there is a reference.
    pub(crate) fn has_reference(&self) -> bool {
        self.reference.is_some()
    }

    /// Compares the two laps. The stint is [added](Self::with_stint) once it is read.
    pub(crate) fn compare(&self, book: &TrackBook) -> Result<LapComparison, NoComparison> {
        self.comparing(book, |comparing| {
            let comparison = comparing.compare(&comparing.main)?;
            Ok(LapComparison::with_stint(comparing, comparison, Vec::new()))
        })
    }

    /// Places another lap and the reference, whose columns are `reference`, on one line.
    pub(crate) fn place_other<'a>(
        &'a self,
        other: &ComparedLap<'a>,
        reference: &'a LapColumns<'a>,
        book: &TrackBook,
    ) -> Result<PlacedLaps<'a>, NoComparison> {
        PlacedLaps::of(other, &self.reference().compared(reference), book, self.anyway)
    }

    /// Compares another lap with the reference.
    pub(crate) fn compare_other(
        &self,
        other: &LoadedLap,
        book: &TrackBook,
    ) -> Result<Comparison, NoComparison> {
        let [columns, reference] = [other.columns(), self.reference().columns()];
        Ok(self.place_other(&other.compared(&columns), &reference, book)?.compare())
    }

    /// The comparison of the two laps, with the other laps of the stint.
    pub(crate) fn with_stint(
        &self,
        comparison: &Comparison,
        others: Vec<(Lap, Comparison)>,
        book: &TrackBook,
    ) -> LapComparison {
        let (laps, others): (Vec<Lap>, Vec<Comparison>) = others.into_iter().unzip();
        let others = laps.iter().zip(others).collect();
        self.comparing(book, |comparing| LapComparison::with_stint(comparing, comparison.clone(), others))
    }

    /// Lends both laps as the input of a comparison.
    fn comparing<T>(&self, book: &TrackBook, compare: impl FnOnce(&Comparing<'_>) -> T) -> T {
        let (main, reference) = (&self.main, self.reference());
        let columns: [LapColumns<'_>; 2] = [main.columns(), reference.columns()];
        let ([lap, other], [own, best]) = (&self.laps, &columns);
        compare(&Comparing {
            main: ComparedLap { lap, columns: own, combo: &main.combo, own_line: &main.own_line },
            reference: ComparedLap {
                lap: other,
                columns: best,
                combo: &reference.combo,
                own_line: &reference.own_line,
            },
            same_seat: self.same_seat,
            reference_in_stint: self.reference_in_stint,
            book,
            anyway: self.anyway,
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use trailbrake_shared::model::{Car, Channel, Columns, Moment};
    use trailbrake_shared::recording::DecodedLap;
    use trailbrake_shared::session::LapContext;
    use trailbrake_shared::time::Micros;

    use super::super::ShownLaps;
    use super::*;
    use crate::analyse::sources::tests::{key, loaded};
    use crate::laps::seats::tests::catalogue;

    /// The samples of a lap of 4 km at a steady speed.
    fn columns(seconds: f64) -> Columns {
        let mut columns = Columns::default();
        for row in 0..(seconds * 10.0) as u32 {
            let clock = f64::from(row) / 10.0;
            let moment = Moment { at: Micros(0), session_time: Some(clock), frame: Some(row) };
            let speed = 4000.0 / seconds;
            let values =
                [(Channel::LapClock, clock), (Channel::Speed, speed), (Channel::LapDistance, clock * speed)];
            columns.push(moment, values.map(|(channel, value)| (channel.slot(), value as f32)));
        }
        columns
    }

    /// A decoded lap of a catalogue.
    pub(crate) fn decoded(sources: &Sources, key: LapKey) -> Rc<LoadedLap> {
        let (_, entry) = sources.entry(key).expect("a lap");
        let mut lap = entry.lap.clone();
        lap.began_s = 0.0;
        let columns = columns(lap.time.expect("a time").seconds());
        let decoded = DecodedLap { car: Car(1), lap, columns, context: LapContext::default() };
        Rc::new(LoadedLap::new(key, entry, decoded))
    }

    #[test]
    fn advice_is_that_of_the_two_laps_until_the_stint_of_the_catalogue_is_read() {
        let times: Vec<u32> = (0..16).map(|lap| 60_000 + 100 * lap).collect();
        let sources = loaded(catalogue(&[(0, 1, Some("Ann"), &times), (0, 3, Some("Cid"), &[59_000])]));
        let [main, reference] = [key(1, 16), key(1, 1)].map(|key| decoded(&sources, key));
        let book = TrackBook::default();
        let pair = Pair::new(&sources, &main, Some(&reference), false);
        assert!(pair.same_seat && pair.reference_in_stint);
        assert_eq!(pair.stint, (2..16).map(|serial| key(1, serial)).collect::<Vec<_>>());
        // An overlaid lap has no advice.
        let overlaid = decoded(&sources, key(1, 8));
        let shown = ShownLaps::new(Rc::new(pair), &[overlaid], &book).expect("a comparison");
        assert_eq!((shown.laps.len(), shown.lap_comparison.stint.laps), (3, 1));
        let stint: Vec<Rc<LoadedLap>> = shown.pair.stint.iter().map(|key| decoded(&sources, *key)).collect();
        let others = stint.iter().map(|loaded| {
            (sources.lap(loaded), shown.pair.compare_other(loaded, &book).expect("a comparison"))
        });
        let whole = shown.with_stint(others.collect(), &book).lap_comparison;
        assert_eq!(whole.numbers, (2..16).collect::<Vec<u16>>());
        // The same result as comparing all of them at once.
        let columns: Vec<LapColumns<'_>> = stint.iter().map(|loaded| loaded.columns()).collect();
        let stint: Vec<ComparedLap<'_>> =
            (stint.iter().zip(&columns)).map(|(loaded, columns)| loaded.compared(columns)).collect();
        let at_once = shown
            .pair
            .comparing(&book, |comparing| LapComparison::new(comparing, &stint))
            .expect("a comparison");
        assert_eq!((&whole.stint, whole.stint.laps), (&at_once.stint, 15));
        assert_eq!(whole.theoretical_best, at_once.theoretical_best);
        assert_eq!(whole.theoretical_best.laps.len(), 16);
    }

    #[test]
    fn a_decoded_lap_is_what_the_session_says_it_is_on_its_own_clock() {
        let sources = loaded(catalogue(&[(0, 1, Some("Ann"), &[60_000, 61_000])]));
        let (_, entry) = sources.entry(key(1, 2)).expect("a lap");
        let mut lap = sources.entry(key(1, 1)).expect("a lap").1.lap.clone();
        (lap.began_s, lap.time) = (7.5, entry.lap.time);
        let (columns, context) = (columns(61.0), LapContext::default());
        let decoded = DecodedLap { car: Car(1), lap, columns, context };
        let loaded = LoadedLap::new(key(1, 2), entry, decoded);
        assert_eq!((loaded.lap.number, loaded.lap.serial, loaded.lap.began_s), (2, 2, 7.5));
    }

    #[test]
    fn another_driver_s_lap_is_of_no_stint() {
        let sources =
            loaded(catalogue(&[(0, 3, Some("Cid"), &[60_000, 61_000]), (0, 3, Some("Bea"), &[60_500])]));
        let [main, reference] = [key(3, 1), key(3, 3)].map(|key| decoded(&sources, key));
        let pair = Pair::new(&sources, &main, Some(&reference), false);
        assert!(!pair.same_seat && !pair.reference_in_stint);
        assert_eq!(pair.stint, [key(3, 2)]);
        // A lap without a reference is compared with itself.
        let alone = Pair::new(&sources, &main, None, false);
        assert!(alone.same_seat && !alone.reference_in_stint && !alone.has_reference());
        assert!(alone.compare(&TrackBook::default()).expect("a comparison").warnings.is_empty());
    }
}
