use super::outline::Outline;
use super::*;

/// Half a road's width: how far beside an outline cars are driven here, metres.
const NOISE_M: f32 = 15.0;
/// The places, as shares of a lap, where the car joins.
const JOINS: [f32; 6] = [0.0, 0.13, 0.37, 0.61, 0.83, 0.97];
/// Metres from one change of the noise to the next: as if the car were thrown about, as if it weaved, as if it kept a line.
const WAVES_M: [f32; 3] = [25.0, 60.0, 150.0];
/// Metres from one packet to the next.
const PACKET_M: f32 = 5.0;

/// Numbers from −1 to 1 that are the same in every run.
struct Noise(u64);

impl Noise {
    fn new(seed: usize) -> Self {
        let mut noise = Self((seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            noise.next();
        }
        noise
    }

    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    }
}

/// A way along an outline, with noise beside it.
#[derive(Clone, Copy, Debug)]
struct Way {
    from_m: f32,
    length_m: f32,
    backwards: bool,
    wave_m: f32,
    seed: usize,
}

impl Way {
    /// So many laps from a share of the lap on.
    fn laps(outline: &Outline, from: f32, laps: f32, wave_m: f32) -> Self {
        let length_m = outline.length_m();
        let seed = (length_m * 10.0 + from * 1000.0 + wave_m) as usize;
        Self { from_m: from * length_m, length_m: length_m * laps, backwards: false, wave_m, seed }
    }

    /// The positions in the packets.
    fn positions(self, outline: &Outline) -> Vec<Point> {
        let mut noise = Noise::new(self.seed);
        let waves: Vec<f32> =
            (0..self.length_m as usize / self.wave_m as usize + 3).map(|_| noise.next() * NOISE_M).collect();
        let mut positions = Vec::new();
        for packet in 0..(self.length_m / PACKET_M) as usize {
            let driven_m = packet as f32 * PACKET_M;
            let at_m = if self.backwards { self.from_m - driven_m } else { self.from_m + driven_m };
            if !outline.is_loop() && !(0.0..=outline.length_m()).contains(&at_m) {
                break;
            }
            let wave = driven_m / self.wave_m;
            let share = wave.fract() * wave.fract() * (3.0 - 2.0 * wave.fract());
            let beside_m = waves[wave as usize] * (1.0 - share) + waves[wave as usize + 1] * share;
            let [dx, dz] =
                heading(outline.point(at_m - 2.0), outline.point(at_m + 2.0)).unwrap_or([1.0, 0.0]);
            let [x, z] = outline.point(at_m);
            positions.push([x - dz * beside_m, z + dx * beside_m]);
        }
        positions
    }
}

/// What was recognised along a path, each with the metres driven until then. The line is crossed where the outline's is.
fn recognised(
    recogniser: &mut Recogniser,
    positions: &[Point],
    line: Option<Point>,
) -> Vec<(f32, FoundTrack)> {
    let mut found: Vec<(f32, FoundTrack)> = Vec::new();
    let mut driven_m = 0.0;
    for (index, &here) in positions.iter().enumerate() {
        driven_m += index.checked_sub(1).map_or(0.0, |last| apart(positions[last], here));
        recogniser.drive(here);
        let nearest = |line: Point| {
            let beside = index.checked_sub(1).zip(positions.get(index + 1));
            beside.is_some_and(|(last, &next)| {
                let from_m = apart(line, here);
                from_m < 2.0 * NOISE_M && from_m <= apart(line, positions[last]) && from_m < apart(line, next)
            })
        };
        if line.is_some_and(nearest) {
            recogniser.cross_line(here);
        }
        if let Some(now) = recogniser.found().filter(|now| found.last().map(|(_, last)| last) != Some(now)) {
            found.push((driven_m, now));
        }
    }
    found
}

fn of(layout: &Layout, is_reverse: bool) -> FoundTrack {
    FoundTrack { track: layout.track, layout: Some(FoundLayout { name: layout.name, is_reverse }) }
}

fn metres_until(found: &[(f32, FoundTrack)], is_meant: impl Fn(&FoundTrack) -> bool) -> Option<f32> {
    found.iter().find(|(_, found)| is_meant(found)).map(|(driven_m, _)| *driven_m)
}

fn median(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    values[values.len() / 2]
}

#[test]
fn the_table_is_read_as_it_is_written() {
    assert_eq!(LAYOUTS.len(), 84);
    let tracks: std::collections::BTreeSet<_> = LAYOUTS.iter().map(|layout| layout.track).collect();
    assert_eq!(tracks.len(), 40);
    let of_track = LAYOUTS.chunk_by(|one, other| one.track == other.track).count();
    assert_eq!(of_track, tracks.len(), "the layouts of a track are neighbours");
    for layout in LAYOUTS.iter() {
        let length_m = layout.outline.length_m();
        assert!((900.0..31_000.0).contains(&length_m), "{}: {length_m} m", layout.name);
        for misspelt in ["Nordeschleife", "Giles", "BB Raceway", "Saint-Croix"] {
            assert!(!layout.name.contains(misspelt) && !layout.track.contains(misspelt), "{}", layout.name);
        }
    }
    // The lengths that the source measured.
    for (name, metres) in [
        ("Autódromo de Interlagos", 4218.5),
        ("Nürburgring Nordschleife", 20_701.6),
        ("Special Stage Route X", 30_394.8),
        ("Tsukuba Circuit", 2069.4),
    ] {
        let layout = LAYOUTS.iter().find(|layout| layout.name == name).expect(name);
        let length_m = layout.outline.length_m();
        assert!((length_m - metres).abs() < metres * 0.01, "{name}: {length_m} m");
    }
}

#[test]
fn every_layout_is_recognised_wherever_it_is_joined() {
    let (mut tracks_m, mut layouts_shares, mut late) = (Vec::new(), Vec::new(), 0);
    for layout in LAYOUTS.iter() {
        let outline = &layout.outline;
        for (from, wave_m) in JOINS.iter().flat_map(|from| WAVES_M.map(|wave_m| (*from, wave_m))) {
            if !outline.is_loop() && from > 0.5 {
                continue;
            }
            // The smallest circuits are shorter than what it takes.
            let laps = (2500.0 / outline.length_m()).max(2.0);
            let way = Way::laps(outline, from, laps, wave_m);
            let found =
                recognised(&mut Recogniser::default(), &way.positions(outline), Some(outline.start()));
            let what = format!("{} from {from}, {wave_m} m: {found:?}", layout.name);
            let is_right = |found: &FoundTrack| {
                found.track == layout.track && found.layout.is_none_or(|_| *found == of(layout, false))
            };
            assert!(found.iter().all(|(_, found)| is_right(found)), "{what}");
            tracks_m.push(metres_until(&found, |_| true).expect(&what));
            if !outline.is_loop() {
                continue;
            }
            let until_m = metres_until(&found, |found| *found == of(layout, false)).expect(&what);
            layouts_shares.push(until_m / outline.length_m().max(2000.0));
            late += usize::from(until_m > outline.length_m().max(2000.0) * 1.05);
        }
    }
    let most = |values: &[f32]| values.iter().copied().fold(0.0, f32::max);
    assert!(most(&tracks_m) < 2400.0, "a track took {} m", most(&tracks_m));
    assert!(median(tracks_m.clone()) < 1150.0, "{} m", median(tracks_m));
    // Where two layouts part for a moment alone, at a chicane, so much noise may hide it on the first lap.
    assert!(late * 50 < layouts_shares.len(), "{late} of {} took more than a lap", layouts_shares.len());
    assert!(median(layouts_shares.clone()) < 0.4, "{}", median(layouts_shares));
}

#[test]
fn a_lap_that_begins_at_a_line_is_recognised_sooner() {
    let until_m = |is_crossed: bool| {
        let metres = LAYOUTS.iter().filter(|layout| layout.outline.is_loop()).map(|layout| {
            let outline = &layout.outline;
            let way = Way { from_m: -300.0, ..Way::laps(outline, 0.0, 2500.0 / outline.length_m(), 60.0) };
            let line = is_crossed.then(|| outline.start());
            let found = recognised(&mut Recogniser::default(), &way.positions(outline), line);
            metres_until(&found, |_| true).expect(layout.name)
        });
        median(metres.collect())
    };
    let [with, without] = [true, false].map(until_m);
    assert!(with < 0.75 * without, "{with} m with the line, {without} m without");
}

#[test]
fn a_layout_driven_against_its_direction_is_its_track_and_no_other_layout() {
    for layout in LAYOUTS.iter().filter(|layout| layout.outline.is_loop()) {
        let outline = &layout.outline;
        for (from, wave_m) in JOINS.iter().flat_map(|from| WAVES_M.map(|wave_m| (*from, wave_m))) {
            let way = Way {
                backwards: true,
                ..Way::laps(outline, from, (2500.0 / outline.length_m()).max(1.3), wave_m)
            };
            let found = recognised(&mut Recogniser::default(), &way.positions(outline), None);
            let what = format!("{} from {from}, {wave_m} m: {found:?}", layout.name);
            assert!(!found.is_empty(), "{what}");
            let is_right = |found: &FoundTrack| match found.layout {
                None => true,
                // The other direction is a layout of its own, a few metres beside this one.
                Some(other) if !layout.has_reverse => !other.is_reverse,
                Some(_) => *found == of(layout, true),
            };
            assert!(found.iter().all(|(_, found)| found.track == layout.track && is_right(found)), "{what}");
        }
    }
}

/// A made-up circuit around the origin, as large and as winding as real ones.
fn invented(seed: usize) -> Outline {
    let mut noise = Noise::new(seed + 9000);
    let mut between = |low: f32, high: f32| low + (high - low) * (noise.next() + 1.0) / 2.0;
    let (size_m, flat, turn) =
        (between(250.0, 1100.0), between(0.4, 1.0), between(0.0, std::f32::consts::TAU));
    let (middle_x, middle_z) = (between(-400.0, 400.0), between(-400.0, 400.0));
    let swells: Vec<(f32, f32, f32)> = (2_u8..9)
        .map(f32::from)
        .map(|count| (count, between(-1.0, 1.0) / count, between(0.0, std::f32::consts::TAU)))
        .collect();
    let point = |step: u16| {
        let angle = f32::from(step) / 400.0 * std::f32::consts::TAU;
        let swell: f32 =
            swells.iter().map(|(count, height, phase)| height * (count * angle + phase).cos()).sum();
        let (x, z) = (size_m * (1.0 + swell) * angle.cos(), size_m * (1.0 + swell) * angle.sin() * flat);
        [middle_x + x * turn.cos() - z * turn.sin(), middle_z + x * turn.sin() + z * turn.cos()]
    };
    Outline::new(&(0..400).map(point).collect::<Vec<_>>(), true)
}

#[test]
fn tracks_that_are_not_listed_are_not_named() {
    let mut followed_m = 0.0;
    for seed in 0..400 {
        let outline = invented(seed);
        let laps = (6000.0 / outline.length_m()).max(1.2);
        let way = Way { backwards: seed % 2 == 0, ..Way::laps(&outline, 0.0, laps, WAVES_M[seed % 3]) };
        let positions = way.positions(&outline);
        let found = recognised(&mut Recogniser::default(), &positions, Some(outline.start()));
        assert_eq!(found, [], "invented track {seed}");
        followed_m += way.length_m;
    }
    assert!(followed_m > 1e6, "{followed_m} m");
}

#[test]
fn a_real_track_that_is_missing_in_the_table_is_not_named() {
    let tracks = LAYOUTS.chunk_by(|one, other| one.track == other.track);
    for own in tracks {
        let others: Vec<Layout> =
            layouts::read_all().into_iter().filter(|layout| layout.track != own[0].track).collect();
        let others: &'static [Layout] = others.leak();
        for (layout, wave_m) in own.iter().flat_map(|layout| WAVES_M.map(|wave_m| (layout, wave_m))) {
            let outline = &layout.outline;
            for backwards in [false, true] {
                let way = Way { backwards, ..Way::laps(outline, 0.0, 1.5, wave_m) };
                let positions = way.positions(outline);
                let found = recognised(&mut Recogniser::among(others), &positions, Some(outline.start()));
                assert_eq!(found, [], "{}, {wave_m} m", layout.name);
            }
        }
    }
}

#[test]
fn a_car_that_leaves_for_another_track_is_recognised_there() {
    let by_name = |name: &str| &LAYOUTS.iter().find(|layout| layout.name == name).expect("a layout").outline;
    let (suzuka, tsukuba) = (by_name("Suzuka Circuit"), by_name("Tsukuba Circuit"));
    let mut recogniser = Recogniser::default();
    let titles = |found: Vec<(f32, FoundTrack)>| -> Vec<String> {
        found.into_iter().filter_map(|(_, found)| found.fact().name).collect()
    };
    let found = recognised(&mut recogniser, &Way::laps(suzuka, 0.3, 1.0, 60.0).positions(suzuka), None);
    assert_eq!(titles(found), ["Suzuka Circuit"]);
    // A reset to the track, or a pause of the packets, changes nothing.
    recogniser.leave();
    let found = recognised(&mut recogniser, &Way::laps(suzuka, 0.8, 0.4, 60.0).positions(suzuka), None);
    assert_eq!(titles(found), ["Suzuka Circuit"]);
    // Across country, where no listed layout leads, then on another track.
    let away: Vec<Point> = (0..500).map(|step| [5000.0 + 5.0 * step as f32, 4000.0]).collect();
    assert_eq!(titles(recognised(&mut recogniser, &away, None)), ["Suzuka Circuit"; 2]);
    assert!(recogniser.found().is_some_and(|found| found.layout.is_none()));
    let found = recognised(&mut recogniser, &Way::laps(tsukuba, 0.3, 2.0, 60.0).positions(tsukuba), None);
    assert_eq!(titles(found).last().map(String::as_str), Some("Tsukuba Circuit"));
}

#[test]
fn a_chicane_that_was_missed_once_is_put_right_on_the_next_lap() {
    let layouts: Vec<&Layout> =
        LAYOUTS.iter().filter(|layout| layout.track == "Autodromo Nazionale Monza").collect();
    let [chicane, straight] = layouts.as_slice() else { panic!("{layouts:?}") };
    let lap =
        |layout: &Layout, laps: f32| Way::laps(&layout.outline, 0.0, laps, 150.0).positions(&layout.outline);
    let mut recogniser = Recogniser::default();
    let path = [
        lap(straight, 0.4),
        lap(chicane, 2.4).split_off((chicane.outline.length_m() * 0.4 / PACKET_M) as usize),
    ];
    let found = recognised(&mut recogniser, &path.concat(), None);
    assert_eq!(found.last().map(|(_, found)| *found), Some(of(chicane, false)), "{found:?}");
}

#[test]
fn a_layout_that_is_not_listed_is_its_track_without_a_layout() {
    let suzuka = LAYOUTS.iter().find(|layout| layout.name == "Suzuka Circuit").expect("Suzuka");
    let outline = &suzuka.outline;
    let way = Way { wave_m: 150.0, ..Way::laps(outline, 0.0, 0.5, 150.0) };
    let mut path = way.positions(outline);
    // A new road leads off the circuit, and back to its line.
    let from = *path.last().expect("a position");
    let (x, z) = (from[0], from[1]);
    path.extend((0..200).map(|step| [x - 3.5 * step as f32, z - 3.5 * step as f32]));
    let mut recogniser = Recogniser::default();
    recognised(&mut recogniser, &path, None);
    assert_eq!(recogniser.found(), Some(FoundTrack { track: "Suzuka Circuit", layout: None }));
}

#[test]
fn a_car_that_turns_on_the_spot_shows_no_track() {
    for layout in LAYOUTS.iter() {
        let [x, z] = layout.outline.start();
        let circle = (0..4000_u16).map(|step| {
            let angle = f32::from(step) * 0.2;
            [x + 15.0 * angle.cos(), z + 15.0 * angle.sin()]
        });
        let found = recognised(&mut Recogniser::default(), &circle.collect::<Vec<_>>(), None);
        assert_eq!(found, [], "{}", layout.name);
    }
}

#[test]
fn anything_that_is_no_position_is_survived() {
    let mut recogniser = Recogniser::default();
    for step in 0..2000_u16 {
        let far = f32::from(step) * 1e34;
        let here = [[f32::NAN, 0.0], [far, -far], [f32::MAX, f32::MIN], [f32::INFINITY, 1.0]];
        recogniser.drive(here[usize::from(step % 4)]);
        recogniser.cross_line([f32::NAN, far]);
    }
    assert_eq!(recogniser.found(), None);
}
