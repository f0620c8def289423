//! Messages over the WebSocket, in both directions.
#![expect(clippy::expect_used, reason = "bringing the program down is how a target reports what it found")]

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use trailbrake_shared::wire::{self, FromRoom, ToBrowser, ToRelay, ToRoom};

/// Decodes a message as each kind that the relay and the browser send.
///
/// A decoded message must encode to bytes that decode to the same message.
pub fn wire(bytes: &[u8]) {
    if let Ok(message) = wire::decode(bytes) {
        let again = said_again(&message);
        let meant: ToBrowser<'_> = wire::decode(&again).expect("the relay's own words are understood");
        assert_same(&meant, &message);
    }
    check_owned::<ToRelay>(bytes);
    check_owned::<ToRoom>(bytes);
    check_owned::<FromRoom>(bytes);
}

fn check_owned<M: Serialize + DeserializeOwned + Debug>(bytes: &[u8]) {
    if let Ok(message) = wire::decode_owned::<M>(bytes) {
        let meant: M = wire::decode_owned(&said_again(&message)).expect("its own words are understood");
        assert_same(&meant, &message);
    }
}

fn said_again<M: Serialize>(message: &M) -> Vec<u8> {
    wire::encode(message).expect("what was understood can be said")
}

/// Compares the debug output, since a rate that is not a number equals nothing, not even itself.
fn assert_same<M: Debug>(meant: &M, message: &M) {
    assert_eq!(format!("{meant:?}"), format!("{message:?}"));
}
