//! Recordings of the simulator, made by the recorder without a relay.

use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::recorder::{Action, Policy};
use trailbrake_shared::recording::{Recorder, RecordingId};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// When the simulator's recordings begin.
pub(crate) const BEGAN: Micros = Micros(1_795_271_520_000_000);

/// A recording of `seconds` of a feed, with all its facts.
pub(crate) fn recorded(feed: Feed, id: u128, seconds: f64) -> Vec<u8> {
    let mut demo = Demo::new(feed, Options::default(), BEGAN).expect("a feed that is spoken");
    recorded_from(feed, id, seconds, &mut |now, send| demo.advance(now, send))
}

/// Takes each packet that a game sends, with its time.
type TakePacket<'a> = dyn FnMut(Micros, &[u8]) + 'a;

/// A recording of `seconds` of packets of a feed. `advance` sends those until a time.
pub(crate) fn recorded_from(
    feed: Feed,
    id: u128,
    seconds: f64,
    advance: &mut dyn FnMut(Micros, &mut TakePacket<'_>),
) -> Vec<u8> {
    let mut recorder = Recorder::new(Policy::default(), "the tests", Box::new(move || RecordingId(id)));
    let (sender, mut now) = (SocketAddr::from(([192, 168, 1, 20], 33739)), BEGAN);
    while now.seconds_since(BEGAN) < seconds {
        now = now.plus_seconds(0.5);
        advance(now, &mut |at, bytes| {
            recorder.receive(&Datagram { at, sender, port: 20777, feed: Some(feed), bytes });
        });
        recorder.poll(now);
    }
    recorder.stop();
    let actions = recorder.actions();
    let kept = actions.iter().find_map(|action| match action {
        Action::Keep { file, .. } => Some(*file),
        _ => None,
    });
    let appended = actions.into_iter().filter_map(|action| match action {
        Action::Append { file, bytes } => (Some(file) == kept).then_some(bytes),
        Action::Open { .. } | Action::Keep { .. } | Action::Discard { .. } | Action::Close { .. } => None,
    });
    appended.flatten().collect()
}
