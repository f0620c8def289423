use trailbrake_sink::Recorder;

use super::super::listener::Listener;
use super::*;

/// The varying values of a packet on a stage. All other channels are those of a plausible car.
#[derive(Clone, Copy, Debug)]
struct On {
    event_s: f32,
    clock: f32,
    distance: f32,
    lap: f32,
    in_pits: f32,
    sector: Option<f32>,
    sectors: [f32; 2],
    completed: f32,
    laps: f32,
    last: f32,
    length: f32,
    engine: f32,
    gear: f32,
    speed: f32,
    bytes: usize,
}

const LENGTH: f32 = 4000.0;
const START: On = On {
    event_s: 60.0,
    clock: 0.0,
    distance: -2.5,
    lap: 0.0,
    in_pits: 0.0,
    sector: None,
    sectors: [0.0; 2],
    completed: 0.0,
    laps: 1.0,
    last: 0.0,
    length: LENGTH,
    engine: 300.0,
    gear: 1.0,
    speed: 0.0,
    bytes: 264,
};

impl On {
    /// The car at a moment of a stage driven at a constant 20 m/s.
    fn at(clock: f32) -> Self {
        let distance = clock * 20.0;
        let sector = (distance / LENGTH * 4.0).floor();
        let sector_time = |number: f32| if sector >= number { 50.0 } else { 0.0 };
        let sectors = [sector_time(1.0), sector_time(2.0)];
        Self { event_s: 60.0 + clock, clock, distance, sectors, speed: 20.0, ..START }
    }

    fn packet(&self) -> Vec<u8> {
        let mut numbers = [0.0_f32; 66];
        let share = self.distance / self.length;
        let sector = self.sector.unwrap_or((share * 4.0).floor().clamp(0.0, 3.0));
        let channels = [
            (0, self.event_s),
            (1, self.clock),
            (2, self.distance),
            (3, if share < 0.0 { 0.0 } else { share + self.lap }),
            // The road goes straight ahead along z.
            (6, 1000.0 + self.distance),
            (7, self.speed),
            (10, self.speed),
            (11, -1.0),
            (16, 1.0),
            (33, self.gear),
            (36, self.lap),
            (37, self.engine),
            (39, 1.0),
            (47, self.in_pits),
            (48, sector),
            (49, self.sectors[0]),
            (50, self.sectors[1]),
            (59, self.completed),
            (60, self.laps),
            (61, self.length),
            (62, self.last),
            (63, 900.0),
            (64, 120.0),
            (65, 6.0),
        ];
        channels.into_iter().for_each(|(place, value)| numbers[place] = value);
        let mut bytes = numbers.map(f32::to_le_bytes).concat();
        bytes.truncate(self.bytes);
        bytes
    }
}

/// Packets of a car waiting at the start.
fn waiting() -> impl Iterator<Item = On> {
    // The engine speed varies: otherwise the game would count as paused.
    (0..30_u8).map(|step| {
        let step = f32::from(step);
        On { event_s: 59.0 + step / 60.0, engine: 300.0 + step, ..START }
    })
}

/// Packets from one stage clock to another, at the game's rate.
fn driving(from: f32, to: f32) -> impl Iterator<Item = On> {
    let steps = ((to - from) * 60.0).round() as u32;
    (0..steps).map(move |step| On::at(from + step as f32 / 60.0))
}

const NO_CAR: [u8; 264] = [0; 264];

fn receive(packets: impl IntoIterator<Item = On>) -> Recorder {
    Listener::of(packets.into_iter().map(|on| on.packet()))
}

fn receive_then_no_car(packets: impl IntoIterator<Item = On>) -> Recorder {
    let away = std::iter::repeat_n(NO_CAR.to_vec(), 3);
    Listener::of(packets.into_iter().map(|on| on.packet()).chain(away))
}

/// The events after the session's start, in short.
fn events(recorder: &Recorder) -> Vec<String> {
    let word = |kind: &EventKind| match kind {
        EventKind::Split { number, time } => format!("split {number} {time}"),
        EventKind::Finished { time } => {
            format!("finished {}", time.map_or("-".into(), |time| time.to_string()))
        }
        kind => format!("{kind:?}").to_lowercase(),
    };
    let kinds = recorder.kinds();
    assert_eq!(kinds[0], EventKind::SessionStarted);
    kinds[1..].iter().map(word).collect()
}

#[test]
fn a_stage_starts_is_split_and_finishes_when_the_car_is_taken_away() {
    let recorder = receive_then_no_car(waiting().chain(driving(1.0 / 60.0, 199.99)));
    assert_eq!(
        events(&recorder),
        ["go", "split 1 50.000", "split 2 1:40.000", "split 3 2:30.000", "finished 3:19.967"]
    );
    let last = recorder.progress.last().expect("progress");
    assert_eq!((last.last_lap, last.result), (Some(LapTime(199_967)), ResultStatus::Finished));
    let before = recorder.progress[recorder.progress.len() - 2].moment;
    assert!(last.moment.session_time > before.session_time, "a later moment than the packet before");
    assert_eq!(last.sectors[0], Some(LapTime(50_000)));
    assert_eq!(last.sectors[1], Some(LapTime(50_000)));
    // The lap begins at the start signal, not while the car waits.
    assert_eq!(recorder.progress[0].clock, Some(1.0 / 60.0));
    assert!(recorder.samples.len() > recorder.progress.len());
}

#[test]
fn a_stage_finishes_when_the_game_counts_it() {
    let end = (0..60_u8).map(|step| On {
        completed: 1.0,
        last: 199.512,
        event_s: 259.9 + f32::from(step) / 60.0,
        engine: 300.0 + f32::from(step),
        ..On::at(199.8)
    });
    let recorder = receive_then_no_car(waiting().chain(driving(1.0 / 60.0, 199.8)).chain(end));
    assert_eq!(events(&recorder).last().map(String::as_str), Some("finished 3:19.512"));
    assert_eq!(events(&recorder).iter().filter(|word| word.starts_with("finished")).count(), 1);
    let finished = recorder.progress.iter().find(|progress| progress.last_lap.is_some()).expect("a time");
    assert_eq!((finished.last_lap, finished.result), (Some(LapTime(199_512)), ResultStatus::Finished));
    assert!(recorder.progress.iter().all(|progress| progress.lap == 1));
}

#[test]
fn a_stage_left_before_its_end_is_abandoned() {
    assert_eq!(events(&receive_then_no_car(waiting().chain(driving(1.0 / 60.0, 40.0)))), ["go", "abandoned"]);
    // A stage that never started is not abandoned.
    assert_eq!(events(&receive_then_no_car(waiting())), [""; 0]);
}

#[test]
fn without_split_channels_the_share_of_the_stage_splits_it() {
    let packets = waiting().chain(driving(1.0 / 60.0, 199.99)).map(|on| On { bytes: 152, ..on });
    let recorder = receive_then_no_car(packets);
    let expected = ["go", "split 1 50.000", "split 2 1:40.000", "split 3 2:30.000", "finished 3:19.967"];
    assert_eq!(events(&recorder), expected);
    let last = recorder.progress.last().expect("progress");
    assert_eq!(last.sectors[1], Some(LapTime(50_000)));
    assert_eq!((last.position, recorder.session().track.clone(), recorder.newest_vehicle()), (0, None, None));
}

#[test]
fn lost_packets_lose_no_split_that_the_game_has_timed() {
    let packets = waiting().chain(driving(1.0 / 60.0, 49.0)).chain(driving(120.0, 121.0));
    assert_eq!(events(&receive(packets)), ["go", "split 1 50.000", "split 2 1:40.000"]);
    // The third split has the observed time; splits that were not observed have none.
    let packets = driving(30.0, 49.0).chain(driving(151.0, 152.0)).map(|on| On { sectors: [0.0; 2], ..on });
    assert_eq!(events(&receive(packets)), ["split 3 2:31.000"]);
}

#[test]
fn late_reception_repeats_no_start_and_no_splits() {
    assert_eq!(events(&receive(driving(120.0, 121.0))), [""; 0]);
    let over = On { completed: 1.0, last: 199.0, ..On::at(199.5) };
    assert_eq!(events(&receive([over, On { event_s: 270.0, ..over }])), [""; 0]);
}

#[test]
fn going_back_to_the_start_is_a_restart() {
    let again = |on: On| On { event_s: on.event_s + 100.0, ..on };
    let packets = waiting()
        .chain(driving(1.0 / 60.0, 60.0))
        .chain(waiting().chain(driving(1.0 / 60.0, 55.0)).map(again));
    let recorder = receive(packets);
    assert_eq!(events(&recorder), ["go", "split 1 50.000", "restarted", "go", "split 1 50.000"]);
    // Also when the first packets after the restart are lost.
    let packets = waiting().chain(driving(1.0 / 60.0, 60.0)).chain(driving(0.3, 5.0).map(again));
    assert_eq!(events(&receive(packets)), ["go", "split 1 50.000", "restarted", "go"]);
    // Also when the game removes the car in between.
    let first = waiting().chain(driving(1.0 / 60.0, 20.0)).map(|on| on.packet());
    let second = waiting().chain(driving(1.0 / 60.0, 5.0)).map(again).map(|on| on.packet());
    let recorder = Listener::of(first.chain([NO_CAR.to_vec()]).chain(second));
    assert_eq!(events(&recorder), ["go", "abandoned", "restarted", "go"]);
}

#[test]
fn being_put_back_on_the_road_is_no_restart() {
    let back = |on: On| On { distance: on.distance - 15.0, ..on };
    let packets = waiting().chain(driving(1.0 / 60.0, 40.0)).chain(driving(40.0, 45.0).map(back));
    assert_eq!(events(&receive(packets)), ["go", "recovered"]);
    // Rolling backwards is neither, at any packet rate.
    let rolling = (0..50_u8).map(|step| {
        let clock = 41.0 + f32::from(step) / 5.0;
        On { distance: 800.0 - f32::from(step) * 2.0, speed: 10.0, ..On::at(clock) }
    });
    assert_eq!(events(&receive(waiting().chain(driving(1.0 / 60.0, 40.0)).chain(rolling))), ["go"]);
}

#[test]
fn being_put_back_on_the_road_for_penalty_seconds_is_reported_with_them() {
    // The clock jumps ahead, and the car is set aside; the distance falls no more than the clock does.
    let later = |on: On| On { event_s: on.event_s - 15.0, distance: on.distance - 300.0 + 13.0, ..on };
    let packets = waiting().chain(driving(1.0 / 60.0, 40.0)).chain(driving(55.0, 60.0).map(later));
    assert_eq!(events(&receive(packets)), ["go", "recovered", "penalty { millis: 15000 }"]);
    // Lost packets are no penalty: both clocks run on.
    let packets = waiting().chain(driving(1.0 / 60.0, 30.0)).chain(driving(45.0, 48.0));
    assert_eq!(events(&receive(packets)), ["go"]);
    // A penalty where the car stays, as for an early start.
    let ahead = |on: On| On { event_s: on.event_s - 5.0, distance: on.distance - 100.0, ..on };
    let packets = waiting().chain(driving(1.0 / 60.0, 10.0)).chain(driving(15.0, 20.0).map(ahead));
    assert_eq!(events(&receive(packets)), ["go", "penalty { millis: 5000 }"]);
}

#[test]
fn another_stage_car_or_clock_is_another_session() {
    let first = || waiting().chain(driving(1.0 / 60.0, 10.0));
    let longer = On { length: 5000.0, event_s: 71.0, ..START };
    let longer = [longer, On { event_s: 71.1, ..longer }];
    assert_eq!(events(&receive(first().chain(longer))), ["go", "sessionstarted"]);
    let earlier = |on: On| On { event_s: on.event_s - 50.0, ..on };
    let recorder = receive(first().chain(first().map(earlier)));
    assert_eq!(events(&recorder), ["go", "sessionstarted", "go"]);
    assert_eq!(recorder.facts.iter().filter(|fact| matches!(fact, Fact::Session(_))).count(), 2);
}

#[test]
fn a_game_that_stands_still_is_paused() {
    let still = (1..40_u8).map(|step| On { event_s: 70.0 + f32::from(step) / 60.0, ..On::at(9.9) });
    let drive = || waiting().chain(driving(1.0 / 60.0, 9.9)).chain([On::at(9.9)]);
    let on = driving(9.95, 11.0).map(|on| On { event_s: on.event_s + 0.8, ..on });
    let before = receive(drive()).samples.len();
    let recorder = receive(drive().chain(still).chain(on));
    assert_eq!(events(&recorder), ["go", "paused", "resumed"]);
    assert_eq!(recorder.samples.len(), before + 63, "a frame that stands still is sampled once");
}

#[test]
fn the_service_area_is_entered_and_left() {
    let service = (0..5_u8).map(|step| On { event_s: f32::from(step) / 60.0, engine: 0.0, ..START });
    let recorder = receive(service.chain(waiting()));
    let kinds = recorder.kinds();
    assert_eq!(kinds, [EventKind::ServiceEntered, EventKind::SessionStarted, EventKind::ServiceLeft]);
    assert_eq!(recorder.samples.len(), 30, "a car in service is not driven");
    let inside = driving(5.0, 6.0).map(|on| On { in_pits: 2.0, ..on });
    let recorder = receive(waiting().chain(driving(1.0 / 60.0, 5.0)).chain(inside).chain(driving(6.0, 7.0)));
    assert_eq!(events(&recorder), ["go", "serviceentered", "serviceleft"]);
    assert!(recorder.progress.iter().any(|progress| progress.pit == PitStatus::InPitArea));
}

#[test]
fn rallycross_has_laps() {
    let lap = |number: u8, completed: f32, last: f32| {
        driving(1.0 / 60.0, 60.0).map(move |on| On {
            event_s: on.event_s + f32::from(number) * 60.0,
            lap: f32::from(number),
            laps: 3.0,
            length: 1200.0,
            sectors: [0.0; 2],
            completed,
            last,
            ..on
        })
    };
    let grid = waiting().map(|on| On { laps: 3.0, length: 1200.0, distance: 1190.0, ..on });
    let end = On {
        event_s: 250.0,
        completed: 3.0,
        last: 59.5,
        laps: 3.0,
        length: 1200.0,
        lap: 2.0,
        ..On::at(60.0)
    };
    let recorder =
        receive(grid.chain(lap(0, 0.0, 0.0)).chain(lap(1, 1.0, 60.1)).chain(lap(2, 2.0, 59.9)).chain([end]));
    let words = events(&recorder);
    assert_eq!(
        (words.first().map(String::as_str), words.last().map(String::as_str)),
        (Some("go"), Some("finished 59.500"))
    );
    assert_eq!(words.iter().filter(|word| word.starts_with("split 1 15.0")).count(), 3);
    assert!(!words.iter().any(|word| word == "restarted" || word == "recovered"), "{words:?}");
    let laps: Vec<(u16, Option<LapTime>)> =
        [0, 3600, 7200].map(|at| (recorder.progress[at].lap, recorder.progress[at].last_lap)).to_vec();
    assert_eq!(laps, [(1, None), (2, Some(LapTime(60_100))), (3, Some(LapTime(59_900)))]);
    // Before the start line, the circuit game counts up to the track length.
    assert_eq!(recorder.samples[0].1["lap_distance"], -10.0);
    assert_eq!((recorder.session().kind, recorder.session().total_laps), (SessionKind::Race(1), Some(3)));
}
