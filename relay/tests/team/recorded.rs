//! Recordings of the simulator, made without a relay.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::{Info, RecordingBuilder, RecordingId};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// When the simulator's recordings begin.
const BEGAN: Micros = Micros(1_795_271_520_000_000);

/// A recording of some seconds of F1 2018, with all its facts, made before any team was.
pub(crate) fn recorded(id: u128, seconds: u32) -> Vec<u8> {
    recorded_from(id, seconds, BEGAN)
}

/// The same, begun at another time.
pub(crate) fn recorded_from(id: u128, seconds: u32, began: Micros) -> Vec<u8> {
    let info = Info {
        id: RecordingId(id),
        parent: None,
        created: began,
        feed: Feed::F1.id().to_owned(),
        program: "the tests".to_owned(),
        others_left_out: false,
    };
    let mut demo = Demo::new(Feed::F1, Options::default(), began).expect("a feed that is spoken");
    let mut builder = RecordingBuilder::new(&info);
    for half in 1..=seconds * 2 {
        demo.advance(began.plus_seconds(f64::from(half) / 2.0), &mut |at, bytes| {
            let sender = ([192, 168, 1, 20], 33739).into();
            builder.take(&Datagram { at, sender, port: 20777, feed: Some(Feed::F1), bytes });
        });
    }
    let mut bytes = builder.bytes();
    bytes.extend(builder.finish().bytes);
    bytes
}

/// The time now.
pub(crate) fn now() -> Micros {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a time").as_micros();
    Micros(u64::try_from(now).expect("a time"))
}

/// Puts a recording into a library's folder.
pub(crate) fn put(folder: &Path, name: &str, bytes: &[u8]) {
    fs::create_dir_all(folder).expect("a folder");
    fs::write(folder.join(format!("{name}.trailbrake.mcap")), bytes).expect("written");
}
