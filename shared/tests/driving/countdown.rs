//! The countdown in a closed loop: simulated driver, lost and delayed packets, frames, rendered sound.

use trailbrake_shared::feed::Feed;
use trailbrake_shared::session::{DriverChoices, Receiver, Session};
use trailbrake_shared::sim::random::Random;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::sounds::{Countdown, Onset, RATE_HZ, Tone};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

const HZ: u32 = 60;
const LOSES: f64 = 0.02;
const JITTER_S: f64 = 0.03;
const DRIVEN_S: u32 = 330;
/// A tone is right within this time, or within this distance.
const WITHIN_S: f64 = 0.015;
const WITHIN_M: f64 = 1.0;
/// Seconds before the brake point.
const BEFORE_S: [f64; 4] = [1.5, 1.0, 0.5, 0.0];

/// The car on its way to a brake point, by every packet and without delay.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Approach {
    at_s: f64,
    number: u16,
    ahead_s: f64,
    ahead_m: f64,
    by_hand: bool,
    /// Whether the car is still in the corner before.
    in_other: bool,
}

fn approach(session: &Session, at_s: f64) -> Option<Approach> {
    let comparison = session.live_comparison();
    let reference = comparison.reference()?;
    let next = comparison.corners().next(reference, true)?;
    let place_m = comparison.corners().place_m()?;
    let in_other = reference.corners.as_ref()?.is_in_other_corner(place_m, next.number);
    // The newest row may be a frame old.
    let at_s = at_s - (session.now().seconds() - comparison.corners().located_s()?);
    let (ahead_s, ahead_m, by_hand) = (next.ahead_s, next.ahead_m, next.by_hand);
    Some(Approach { at_s, number: next.number, ahead_s, ahead_m, by_hand, in_other })
}

fn receive(receiver: &mut Receiver, feed: Feed, at: Micros, bytes: &[u8]) {
    let datagram = Datagram { at, sender: ([127, 0, 0, 1], 9).into(), port: 0, feed: Some(feed), bytes };
    receiver.receive(&datagram).expect("a packet");
}

/// The moments at which a loudspeaker would begin each tone: found in the rendered sound.
fn rendered(onsets: &[Onset]) -> Vec<Onset> {
    let rate = f64::from(RATE_HZ);
    let mut sound = vec![0.0_f32; (f64::from(DRIVEN_S) * rate) as usize];
    for onset in onsets {
        let from = (onset.at_s * rate).round() as usize;
        for (sample, level) in sound.iter_mut().skip(from).zip(onset.tone.samples()) {
            *sample += level;
        }
    }
    let quiet = (0.02 * rate) as usize;
    let mut found = Vec::new();
    let (mut began, mut last) = (None::<usize>, 0_usize);
    for (index, level) in sound.iter().enumerate().filter(|(_, level)| level.abs() > 0.01) {
        debug_assert!(level.is_finite());
        if index - last > quiet
            && let Some(from) = began.replace(index)
        {
            found.push((from, last));
        }
        began.get_or_insert(index);
        last = index;
    }
    found.extend(began.map(|from| (from, last)));
    let tone = |(from, to): (usize, usize)| {
        let tone = if (to - from) as f64 / rate > 0.15 { Tone::Long } else { Tone::Short };
        Onset { at_s: from as f64 / rate, tone }
    };
    found.into_iter().map(tone).collect()
}

fn drive(feed: Feed, seed: u64, lead_s: f64, points_by_hand: &[f64]) -> (Vec<Onset>, Vec<Approach>) {
    let began = Micros(1_000_000);
    let options = Options { cars: 1, player: 0, seed, again: false, ..Options::default() };
    let mut demo = Demo::new(feed, options, began).expect("a demo");
    let (mut exact, mut page) = (Receiver::default(), Receiver::default());
    let mut chance = Random::new(seed);
    let mut countdown = Countdown::default();
    let (mut onsets, mut approaches) = (Vec::new(), Vec::new());
    let mut on_way: Vec<(f64, Micros, Vec<u8>)> = Vec::new();
    let mut arrived_s = 0.0;
    let choices = DriverChoices { brake_points: points_by_hand.to_vec(), ..DriverChoices::default() };
    [&mut exact, &mut page].into_iter().for_each(|receiver| receiver.choose(choices.clone()));
    for frame in 1..=DRIVEN_S * HZ {
        let now_s = f64::from(frame) / f64::from(HZ);
        demo.drive(now_s, &mut |at, bytes| {
            receive(&mut exact, feed, at, bytes);
            if chance.unit() >= LOSES {
                let sent_s = at.seconds_since(began);
                // Packets keep their order.
                let earliest_s = on_way.last().map_or(0.0, |(arrives_s, ..)| *arrives_s);
                let arrives_s = (sent_s + JITTER_S * chance.unit()).max(earliest_s);
                on_way.push((arrives_s, at, bytes.to_vec()));
            }
        });
        let sent_s = (now_s * f64::from(HZ)).floor() / f64::from(HZ);
        approaches.extend(exact.session().and_then(|session| approach(session, sent_s)));
        while on_way.first().is_some_and(|(arrives_s, ..)| *arrives_s <= now_s) {
            let (arrives_s, at, bytes) = on_way.remove(0);
            receive(&mut page, feed, at, &bytes);
            arrived_s = arrives_s;
        }
        if let Some(session) = page.session() {
            onsets.extend(countdown.follow(session, arrived_s, now_s, lead_s));
        }
    }
    (onsets, approaches)
}

/// When and how fast the car passed each place that a tone belongs to.
fn passed(approaches: &[Approach], lead_s: f64) -> Vec<(Onset, f64)> {
    let mut passed = Vec::new();
    for pair in approaches.windows(2) {
        let &[from, to] = pair else { continue };
        if from.number != to.number || to.ahead_s > from.ahead_s + 1.0 || to.at_s <= from.at_s {
            continue;
        }
        for before_s in BEFORE_S {
            let [was, is] = [from.ahead_s, to.ahead_s].map(|ahead_s| ahead_s - before_s - lead_s);
            if was > 0.0 && is <= 0.0 && !from.in_other && !to.in_other {
                let at_s = from.at_s + (to.at_s - from.at_s) * was / (was - is);
                let tone = if before_s == 0.0 { Tone::Long } else { Tone::Short };
                passed.push((Onset { at_s, tone }, (from.ahead_m - to.ahead_m) / (to.at_s - from.at_s)));
            }
        }
    }
    passed
}

#[test]
fn tones_sound_where_they_belong() {
    const BY_HAND_M: &[f64] = &[700.0, 1500.0, 3100.0];
    for (feed, seed, lead_s, by_hand) in [
        (Feed::F1, 3101, 0.0, &[][..]),
        (Feed::F1, 3102, 0.2, &[]),
        (Feed::GranTurismo, 3103, 0.0, &[]),
        (Feed::F1, 3105, 0.1, BY_HAND_M),
    ] {
        let (onsets, approaches) = drive(feed, seed, lead_s, by_hand);
        assert_eq!(approaches.iter().any(|approach| approach.by_hand), !by_hand.is_empty(), "{feed:?}");
        let (sounded, expected) = (rendered(&onsets), passed(&approaches, lead_s));
        assert!(expected.len() > 30, "{feed:?}: {} tones", expected.len());
        let mut missed = 0;
        for (tone, speed_ms) in &expected {
            let off_s = sounded
                .iter()
                .filter(|onset| onset.tone == tone.tone)
                .map(|onset| (onset.at_s - tone.at_s).abs())
                .fold(f64::INFINITY, f64::min);
            if off_s > 0.3 {
                missed += 1;
                continue;
            }
            let is_right = off_s <= WITHIN_S || off_s * speed_ms <= WITHIN_M;
            assert!(is_right, "{feed:?}: {tone:?} is {off_s} s off at {speed_ms} m/s");
        }
        // Nothing sounds in a corner.
        let in_corner = |onset: &Onset| {
            let margin_s = WITHIN_S + 1.0 / f64::from(HZ);
            let near = approaches.iter().filter(|near| (near.at_s - onset.at_s).abs() <= margin_s);
            near.clone().count() > 0 && near.clone().all(|near| near.in_other)
        };
        assert!(!sounded.iter().any(in_corner), "{feed:?}: a tone in a corner");
        // Where corners follow each other quickly, the first tones of the next are missed in both.
        assert!(missed * 50 <= expected.len(), "{feed:?}: {missed} of {} missed", expected.len());
        assert!(sounded.len() <= expected.len() + expected.len() / 20, "{feed:?}: {}", sounded.len());
    }
}

#[test]
fn a_game_that_stops_sending_is_not_counted_down() {
    let feed = Feed::F1;
    let options = Options { cars: 1, player: 0, seed: 3104, again: false, ..Options::default() };
    let mut demo = Demo::new(feed, options, Micros(0)).expect("a demo");
    let mut receiver = Receiver::default();
    let mut countdown = Countdown::default();
    let mut now_s = 0.0;
    // Until shortly before a brake point of the second lap.
    for _ in 0..200 * HZ {
        now_s += 1.0 / f64::from(HZ);
        demo.drive(now_s, &mut |at, bytes| receive(&mut receiver, feed, at, bytes));
        let Some(session) = receiver.session() else { continue };
        countdown.follow(session, now_s, now_s, 0.0);
        if approach(session, now_s).is_some_and(|approach| (0.6..0.9).contains(&approach.ahead_s)) {
            break;
        }
    }
    let session = receiver.session().expect("a session");
    assert!(approach(session, now_s).is_some_and(|approach| approach.ahead_s > 0.5), "it comes nearer");
    let late = (1..300).map(|frame| now_s + f64::from(frame) / f64::from(HZ));
    let onsets: Vec<Onset> =
        late.flat_map(|later_s| countdown.follow(session, now_s, later_s, 0.0)).collect();
    assert!(onsets.len() <= 1, "{onsets:?}");
}
