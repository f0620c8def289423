//! Recordings of the simulator, made by the recorder without a relay.

use std::fs;
use std::path::Path;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::recorder::{Action, Policy};
use trailbrake_shared::recording::{Recorder, RecordingId};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// When the simulator's recordings begin.
const BEGAN: Micros = Micros(1_795_271_520_000_000);

/// A recording of some seconds of F1 2018, with all its facts.
pub(crate) fn recorded(id: u128, seconds: u32) -> Vec<u8> {
    let mut demo = Demo::new(Feed::F1, Options::default(), BEGAN).expect("a feed that is spoken");
    let mut recorder = Recorder::new(Policy::default(), "the tests", Box::new(move || RecordingId(id)));
    for half in 1..=seconds * 2 {
        let now = BEGAN.plus_seconds(f64::from(half) / 2.0);
        demo.advance(now, &mut |at, bytes| {
            let sender = ([192, 168, 1, 20], 33739).into();
            recorder.receive(&Datagram { at, sender, port: 20777, feed: Some(Feed::F1), bytes });
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
        _ => None,
    });
    appended.flatten().collect()
}

/// Puts a recording into a library's folder.
pub(crate) fn put(folder: &Path, name: &str, bytes: &[u8]) {
    fs::create_dir_all(folder).expect("a folder");
    fs::write(folder.join(format!("{name}.trailbrake.mcap")), bytes).expect("written");
}
