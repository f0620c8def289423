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
        let encoded = encode_again(&message);
        let decoded: ToBrowser<'_> = wire::decode(&encoded).expect("an encoded message can be decoded");
        assert_same(&decoded, &message);
    }
    check_owned::<ToRelay>(bytes);
    check_owned::<ToRoom>(bytes);
    check_owned::<FromRoom>(bytes);
}

fn check_owned<M: Serialize + DeserializeOwned + Debug>(bytes: &[u8]) {
    if let Ok(message) = wire::decode_owned::<M>(bytes) {
        let decoded: M =
            wire::decode_owned(&encode_again(&message)).expect("an encoded message can be decoded");
        assert_same(&decoded, &message);
    }
}

fn encode_again<M: Serialize>(message: &M) -> Vec<u8> {
    wire::encode(message).expect("a decoded message can be encoded")
}

/// Compares the debug output, since a rate that is not a number equals nothing, not even itself.
fn assert_same<M: Debug>(meant: &M, message: &M) {
    assert_eq!(format!("{meant:?}"), format!("{message:?}"));
}
