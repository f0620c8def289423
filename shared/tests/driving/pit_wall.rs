//! What engineers read during a race: the timing table, and how long the fuel lasts.

use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::{Car, Channel, PitStatus};
use trailbrake_shared::session::{Gap, Rank, Receiver, Session, fuel_use, timing_table};
use trailbrake_shared::sim::{Demo, Options, Start};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

const CARS: usize = 6;
const PLAYER: usize = 2;
const SECONDS: u32 = 345;

/// A race, received until the middle of a lap, and the player's fuel at the end of each of their laps.
fn race() -> (Demo, Receiver, Vec<f64>) {
    let options = Options {
        start: Start::Grid,
        cars: CARS,
        laps: 9,
        player: PLAYER,
        again: false,
        ..Options::default()
    };
    let mut demo = Demo::new(Feed::F1, options, Micros(1_000_000)).expect("a demo");
    let (mut receiver, mut tank, mut laps) = (Receiver::default(), Vec::new(), 0);
    for second in 1..=SECONDS * 10 {
        demo.drive(f64::from(second) / 10.0, &mut |at, bytes| {
            let sender = ([127, 0, 0, 1], 5000).into();
            let datagram = Datagram { at, sender, port: 20777, feed: Some(Feed::F1), bytes };
            receiver.receive(&datagram).expect("a packet");
        });
        let finished = demo.truth().sessions[0].finished.iter().filter(|lap| lap.car == PLAYER).count();
        if finished > laps {
            laps = finished;
            let car = receiver.session().and_then(|session| session.car(Car(PLAYER as u8)));
            tank.extend(car.and_then(|car| car.value(Channel::Fuel)).map(f64::from));
        }
    }
    (demo, receiver, tank)
}

fn seconds(gap: Gap) -> Option<f32> {
    match gap {
        Gap::Leader => Some(0.0),
        Gap::Seconds(seconds) => Some(seconds),
        Gap::Laps(_) | Gap::Unknown => None,
    }
}

#[test]
fn intervals_sectors_and_fuel_are_those_of_the_race() {
    let (demo, receiver, tank) = race();
    let session: &Session = receiver.session().expect("a session");
    let rows = timing_table(session);
    assert_eq!(rows.len(), CARS);
    let mut compared = 0;
    for pair in rows.windows(2) {
        let [ahead, behind] = pair else { panic!("two rows") };
        if [ahead, behind].iter().any(|row| row.pit != PitStatus::OnTrack) {
            continue;
        }
        let gaps = seconds(ahead.gap).zip(seconds(behind.gap)).zip(seconds(behind.interval));
        if let Some(((ahead, behind), interval)) = gaps {
            // The gap to the leader is by the leader's pace, the interval by that of the car in front.
            assert!((behind - ahead - interval).abs() < 1.0, "{ahead} {behind} {interval}");
            assert!(interval > 0.0);
            compared += 1;
        }
    }
    assert!(compared >= 2, "{rows:?}");

    let truth = &demo.truth().sessions[0];
    let mut complete = 0;
    for row in &rows {
        let driven: Vec<_> = truth.finished.iter().filter(|lap| lap.car == usize::from(row.car.0)).collect();
        let stops = truth.pit_stops.iter().filter(|stop| stop.car == usize::from(row.car.0)).count();
        assert_eq!(usize::from(row.stops), stops, "{row:?}");
        let [Some(first), Some(second), Some(third)] = row.sectors[..] else { continue };
        let last = driven.last().expect("a lap");
        let shown = [first, second, third].map(|sector| sector.time.0);
        let off = shown.iter().zip(&last.sectors_ms).map(|(shown, known)| shown.abs_diff(*known)).max();
        assert!(off <= Some(1), "{shown:?}, not {:?}", last.sectors_ms);
        complete += 1;
    }
    let ranked = rows.iter().flat_map(|row| row.sectors.iter().enumerate());
    let ranked: Vec<_> = ranked.filter_map(|(place, sector)| Some((place, (*sector)?))).collect();
    for (place, sector) in &ranked {
        let (best, _) = session.bests().sectors[*place].expect("a best sector");
        assert!(sector.rank != Rank::Best || sector.time <= best, "{place} {sector:?} {best}");
    }
    assert!(complete > 0 && ranked.iter().any(|(_, sector)| sector.rank != Rank::Best));

    let fuel = fuel_use(session, Car(PLAYER as u8)).expect("fuel");
    let used: Vec<f64> = tank.windows(2).map(|pair| pair[0] - pair[1]).collect();
    let mean = used.iter().sum::<f64>() / used.len() as f64;
    assert!(used.len() >= 2 && (fuel.per_lap - mean).abs() < 0.1 * mean, "{} of {used:?}", fuel.per_lap);
    assert_eq!(fuel_use(session, Car(PLAYER as u8 + 1)), None, "only the player's laps keep their fuel");
}
