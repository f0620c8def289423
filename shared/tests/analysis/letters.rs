//! The delta of Gran Turismo's packets without a lap clock, compared with that of the same drive's packets with one.

use trailbrake_shared::analysis::{LapColumns, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::gran_turismo::Letter;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::Columns;
use trailbrake_shared::session::{Receiver, Retention};
use trailbrake_shared::sim::gran_turismo::{Dialect, GranTurismo};
use trailbrake_shared::sim::random::Random;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// The laps after the first line, decoded from one kind of packet, of which a fraction is lost.
fn laps(letter: Letter, seed: u64, loses: f64) -> Vec<(Lap, Columns)> {
    let options =
        Options { cars: 1, player: 0, circuit: seed as usize % 3, seed, again: false, ..Options::default() };
    let emitter = Box::new(GranTurismo::new(Dialect::Gt7With(letter)));
    let mut demo = Demo::speaking(emitter, options, Micros(1_000_000));
    let mut receiver = Receiver::new(Retention { player_bytes: usize::MAX, ..Retention::default() });
    let mut chance = Random::new(seed);
    demo.drive(480.0, &mut |at, bytes| {
        let sender = ([127, 0, 0, 1], 33739).into();
        if chance.unit() >= loses {
            let datagram = Datagram { at, sender, port: 33740, feed: Some(Feed::GranTurismo), bytes };
            receiver.receive(&datagram).expect("a packet");
        }
    });
    let car = receiver.session().and_then(|session| session.car(session.player()?)).expect("the car");
    let counting = car.laps.finished().iter().filter(|lap| lap.counts().is_some());
    counting.map(|lap| (lap.clone(), car.traces.lap(lap.serial).expect("columns").clone())).collect()
}

#[test]
fn ticks_and_official_times_give_the_delta_of_the_games_own_clock() {
    let (mut worst, mut squares, mut count) = (0.0_f64, 0.0, 0);
    for seed in 8_401..8_407 {
        let exact = laps(Letter::C, seed, 0.0);
        for (letter, loses) in [(Letter::A, 0.0), (Letter::Tilde, 0.02)] {
            let counted = laps(letter, seed, loses);
            assert!(counted.len() >= 3 && counted.len() <= exact.len(), "{} laps", counted.len());
            let delta = |laps: &[(Lap, Columns)], number: u16| {
                let [lap, reference] = [number, 2]
                    .map(|number| laps.iter().find(|(lap, _)| lap.number == number).expect("a lap"));
                let [lap, reference] = [lap, reference].map(|(lap, columns)| LapColumns::new(lap, columns));
                compare(&lap, &reference).expect("a comparison")
            };
            for (lap, _) in counted.iter().filter(|(lap, _)| lap.number > 2) {
                let [own, known] = [&counted, &exact].map(|laps| delta(laps, lap.number));
                // The line itself, to which both laps are tied, is no evidence.
                for place_m in (300..known.length_m as u32 - 300).step_by(25).map(f64::from) {
                    let off_s = own.at(place_m).expect("a delta") - known.at(place_m).expect("a delta");
                    worst = worst.max(off_s.abs());
                    squares += off_s * off_s;
                    count += 1;
                }
            }
        }
    }
    let rms = (squares / f64::from(count)).sqrt();
    eprintln!("off by {:.2} ms (root mean square), at most {:.2} ms", rms * 1e3, worst * 1e3);
    assert!(count > 1_000 && rms < 1e-3 && worst < 3.5e-3, "{rms} s, {worst} s of {count}");
}
