//! The track outline, learnt from the positions of cars.

/// Distance between the positions of an outline.
const SPACING_METRES: f32 = 5.0;
/// Gaps up to this length, as slow senders leave them, are drawn through.
const BRIDGE_METRES: f32 = 60.0;

/// Maximum length: no stage is longer, and a game that reports more is wrong.
const LONGEST_METRES: f32 = 100_000.0;

/// One position for every few metres of a lap, filled in as cars pass.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackOutline {
    places: Vec<Option<[f32; 2]>>,
    known: usize,
    /// Whether the lap length is unknown: the outline grows as it is driven.
    open: bool,
    /// Whether it ends where it begins.
    round: bool,
    /// Whether nothing is left to learn, although places between slow packets are unknown.
    finished: bool,
}

impl TrackOutline {
    /// The outline of a circuit of which only the lap length is known.
    pub fn new(lap_metres: f32) -> Self {
        let metres = if lap_metres.is_finite() { lap_metres.clamp(0.0, LONGEST_METRES) } else { 0.0 };
        Self {
            places: vec![None; (metres / SPACING_METRES).ceil() as usize],
            known: 0,
            open: false,
            round: true,
            finished: false,
        }
    }

    /// The outline of a point-to-point track of this length, such as a rally stage.
    pub fn one_way(metres: f32) -> Self {
        Self { round: false, ..Self::new(metres) }
    }

    /// The outline of a track of unknown length.
    pub fn open() -> Self {
        Self { places: Vec::new(), known: 0, open: true, round: false, finished: false }
    }

    /// Learns the position (x and z in metres) at a lap distance. Returns whether it was new. The first car to pass
    /// decides, so that the picture does not move.
    pub fn learn(&mut self, lap_metres: f32, place: [f32; 2]) -> bool {
        if !(lap_metres >= 0.0 && place.iter().all(|metres| metres.is_finite())) {
            return false;
        }
        let index = (lap_metres / SPACING_METRES) as usize;
        if self.open && lap_metres <= LONGEST_METRES && index >= self.places.len() {
            self.places.resize(index + 1, None);
        }
        match self.places.get_mut(index) {
            Some(known @ None) => {
                *known = Some(place);
                self.known += 1;
                true
            }
            _ => false,
        }
    }

    /// Marks the outline as whole: it is learnt from a complete lap.
    pub fn finish(&mut self) {
        self.finished = true;
    }

    /// Whether it leads around the complete lap or along the complete stage.
    pub fn is_whole(&self) -> bool {
        self.finished || (!self.open && self.known > 0 && self.known == self.places.len())
    }

    /// Whether the lap length is unknown, so that the outline grows as it is driven.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// How many positions are known.
    pub fn known(&self) -> usize {
        self.known
    }

    /// The known positions in lap order.
    pub fn places(&self) -> impl Iterator<Item = [f32; 2]> + Clone + '_ {
        self.places.iter().flatten().copied()
    }

    /// The outline to draw: short gaps are closed, long ones interrupt it, and on a circuit the end of the lap meets
    /// its beginning.
    pub fn line(&self) -> impl Iterator<Item = Option<[f32; 2]>> + '_ {
        let bridge = (BRIDGE_METRES / SPACING_METRES) as usize;
        // Goes once around, and on to the first position if it lies near the line.
        let again = self.places.iter().take(if self.round { bridge } else { 0 });
        let around = self.places.iter().chain(again.map(|place| place as &Option<_>));
        let lap = self.places.len();
        let mut hole = 0;
        let mut closed = false;
        around
            .enumerate()
            .flat_map(move |(index, place)| {
                if closed {
                    return [None, None];
                }
                let Some(place) = *place else {
                    hole += 1;
                    return [None, None];
                };
                let interrupted = std::mem::take(&mut hole) > bridge;
                closed = index >= lap;
                if interrupted { [Some(None), Some(Some(place))] } else { [Some(Some(place)), None] }
            })
            .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lap of 1 km, of which these metres have been driven.
    fn driven(metres: impl Iterator<Item = u16>) -> TrackOutline {
        let mut outline = TrackOutline::new(1000.0);
        for metre in metres {
            outline.learn(f32::from(metre), [f32::from(metre), 0.0]);
        }
        outline
    }

    #[test]
    fn a_whole_lap_is_one_closed_line() {
        let outline = driven(0..1000);
        assert!(outline.is_whole());
        let line: Vec<_> = outline.line().collect();
        assert_eq!(line.len(), 201, "200 places and the first again");
        assert_eq!((line[0], line[200]), (Some([0.0, 0.0]), Some([0.0, 0.0])));
    }

    #[test]
    fn a_way_of_unknown_length_grows_and_is_not_closed() {
        let mut outline = TrackOutline::open();
        for metre in [0.0, 5.0, 10.0, 40.0] {
            assert!(outline.learn(metre, [metre, 0.0]));
        }
        assert!(!outline.learn(f32::INFINITY, [0.0, 0.0]) && !outline.learn(2e5, [0.0, 0.0]));
        let line: Vec<_> = outline.line().flatten().map(|[x, _]| x).collect();
        assert_eq!((line.as_slice(), outline.known()), (&[0.0, 5.0, 10.0, 40.0][..], 4));
        assert!(!outline.is_whole());
    }

    #[test]
    fn one_way_leads_elsewhere() {
        let mut outline = TrackOutline::one_way(100.0);
        for metre in 0..100_u8 {
            outline.learn(f32::from(metre), [f32::from(metre), 0.0]);
        }
        let line: Vec<_> = outline.line().flatten().map(|[x, _]| x).collect();
        assert_eq!((line.len(), line.last(), outline.is_whole()), (20, Some(&95.0), true));
    }

    #[test]
    fn slow_senders_leave_no_holes_but_unknown_stretches_do() {
        let sparse: Vec<_> = driven((0..1000).step_by(20)).line().collect();
        assert_eq!(sparse.iter().flatten().count(), 51);
        assert!(sparse.iter().all(Option::is_some));
        let halves: Vec<_> = driven((0..300).chain(600..800)).line().collect();
        let breaks: Vec<_> = (0..halves.len()).filter(|&index| halves[index].is_none()).collect();
        assert_eq!(breaks, [60, 101], "after 300 m, and where the lap's end is still unknown");
    }

    #[test]
    fn the_first_car_decides_and_nonsense_is_ignored() {
        let mut outline = TrackOutline::new(1000.0);
        assert!(outline.learn(12.0, [1.0, 2.0]));
        assert!(!outline.learn(14.0, [9.0, 9.0]));
        for (metres, place) in
            [(-1.0, [0.0; 2]), (f32::NAN, [0.0; 2]), (5000.0, [0.0; 2]), (50.0, [f32::NAN, 0.0])]
        {
            assert!(!outline.learn(metres, place), "{metres} {place:?}");
        }
        assert_eq!(outline.places().collect::<Vec<_>>(), [[1.0, 2.0]]);
        assert_eq!(TrackOutline::new(f32::NAN).line().count(), 0);
    }
}
