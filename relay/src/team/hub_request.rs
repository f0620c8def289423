//! What the hub asks of a rig: messages of `tb.ask`.

use serde::{Deserialize, Serialize};
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::wire::RoomPages;

use super::json_message::JsonMessage;

/// A request. Older rigs take each as the first kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct HubRequest {
    /// Send a recording again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) again: Option<AgainRequest>,
    /// Send what pages get for so many seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) live_s: Option<u64>,
    /// Send the tail of a recording under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tail: Option<TailRequest>,
    /// Somebody wrote into a finished recording at the hub: compare it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) written: Option<RecordingId>,
    /// What the pages at the hub show: let yours see it, and say what yours show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) room: Option<RoomPages>,
}

/// Asks for a recording from a byte on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct AgainRequest {
    pub(super) recording: RecordingId,
    pub(super) from: u64,
}

/// Asks for the tail of a recording under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TailRequest {
    pub(super) recording: RecordingId,
    /// Repeated in the answer.
    pub(super) ticket: u64,
}

impl JsonMessage for HubRequest {
    const MOST_BYTES: usize = RoomPages::MOST_BYTES;
}

impl HubRequest {
    /// Reads a request; what is not understood asks for everything again.
    pub(super) fn understand(bytes: &[u8]) -> Self {
        let again = || AgainRequest { recording: RecordingId(0), from: 0 };
        Self::read(bytes).unwrap_or_else(|| Self { again: Some(again()), ..Self::default() })
    }

    /// Asks to compare a finished recording, into which somebody wrote at the hub.
    pub(super) fn written(id: RecordingId) -> Self {
        Self { written: Some(id), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_request_comes_through_and_nonsense_asks_for_everything() {
        let tail = Some(TailRequest { recording: RecordingId(7), ticket: u64::MAX });
        let written = Some(RecordingId(9));
        let request = HubRequest { live_s: Some(15), tail, written, ..HubRequest::default() };
        assert_eq!(HubRequest::understand(&request.text()), request);
        let again = r#"{"again":{"recording":"000000000000000000000000000000ff","from":9}}"#;
        let read = HubRequest::understand(again.as_bytes()).again.expect("a request");
        assert_eq!((read.recording, read.from), (RecordingId(255), 9));
        for nonsense in ["", "again", r#"{"live_s":-1}"#, &format!("{{\"x\":\"{}\"}}", "x".repeat(200_000))] {
            assert!(HubRequest::understand(nonsense.as_bytes()).again.is_some(), "{nonsense}");
        }
    }

    proptest! {
        #[test]
        fn no_request_breaks_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = HubRequest::understand(&bytes);
        }
    }
}
