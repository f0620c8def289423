//! What a rig sends to the pages of the hub: messages of `tb.live`.

use async_nats::HeaderMap;
use axum::body::Bytes;
use serde::{Deserialize, Serialize};
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::RoomPages;

use super::json_message::JsonMessage as _;
use super::message::MOST_TAIL;

/// The version of the messages.
const VERSION: &str = "1";
const TB: &str = "Tb";
const KIND: &str = "Kind";
const TAIL: &str = "Tail";
const NUMBER: &str = "Number";
/// Most bytes of a tail's header.
const MOST_HEADER: usize = 4 << 10;
/// Bytes of a tail in one message.
const PIECE: usize = 256 << 10;

/// A message.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RigMessage {
    /// What pages get, as they get it. Messages are numbered, so that the hub notices when one is missing.
    Page(u64, Bytes),
    /// A piece of the tail of a recording under way.
    Tail(TailPiece, Bytes),
    /// There is no such recording under way: the answer to a request.
    NoTail(u64),
    /// What the pages at the rig show.
    Room(RoomPages),
}

/// Which piece of a tail it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TailPiece {
    /// The request.
    pub(super) ticket: u64,
    pub(super) recording: RecordingId,
    /// Bytes of the file before the tail.
    pub(super) len: u64,
    /// The file's name once it is finished.
    pub(super) name: String,
    /// When its first packet was received.
    pub(super) began: Micros,
    /// Where the piece begins in the tail, and the tail's length.
    pub(super) from: u64,
    pub(super) size: u64,
}

impl RigMessage {
    /// The pieces of a tail.
    pub(super) fn pieces(first: &TailPiece, tail: &[u8]) -> Vec<Self> {
        let size = tail.len() as u64;
        let piece = |(number, bytes): (u64, &[u8])| {
            let piece = TailPiece { from: number * PIECE as u64, size, ..first.clone() };
            Self::Tail(piece, Bytes::copy_from_slice(bytes))
        };
        (0..).zip(tail.chunks(PIECE)).map(piece).collect()
    }

    /// Its headers and its payload.
    pub(super) fn parts(self) -> (HeaderMap, Bytes) {
        let mut headers = HeaderMap::new();
        headers.insert(TB, VERSION);
        let payload = match self {
            Self::Page(number, bytes) => {
                headers.insert(KIND, "page");
                headers.insert(NUMBER, number.to_string());
                bytes
            }
            Self::Tail(piece, bytes) => {
                headers.insert(KIND, "tail");
                headers.insert(TAIL, serde_json::to_string(&piece).unwrap_or_default());
                bytes
            }
            Self::NoTail(ticket) => {
                headers.insert(KIND, "no-tail");
                headers.insert(TAIL, ticket.to_string());
                Bytes::new()
            }
            Self::Room(pages) => {
                headers.insert(KIND, "room");
                pages.text().into()
            }
        };
        (headers, payload)
    }

    /// Reads a message; `None` for what is none.
    pub(super) fn of(headers: Option<&HeaderMap>, payload: Bytes) -> Option<Self> {
        let header = |name: &str| headers?.get(name).map(async_nats::HeaderValue::as_str);
        if header(TB) != Some(VERSION) {
            return None;
        }
        let tail = header(TAIL).filter(|tail| tail.len() <= MOST_HEADER);
        match header(KIND)? {
            "page" => Some(Self::Page(header(NUMBER)?.parse().ok()?, payload)),
            "tail" => {
                let piece: TailPiece = serde_json::from_str(tail?).ok()?;
                let end = piece.from.checked_add(payload.len() as u64)?;
                let fits = end <= piece.size && piece.size <= MOST_TAIL && !payload.is_empty();
                fits.then_some(Self::Tail(piece, payload))
            }
            "no-tail" => Some(Self::NoTail(tail?.parse().ok()?)),
            "room" => RoomPages::read(&payload).map(Self::Room),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn piece() -> TailPiece {
        TailPiece {
            ticket: 7,
            recording: RecordingId(9),
            len: 1000,
            name: "2026-11-29_0900_f1 \"spa\"\r\n.mcap".into(),
            began: Micros(5),
            from: 0,
            size: 0,
        }
    }

    #[test]
    fn a_tail_comes_through_in_pieces() {
        let tail: Vec<u8> = (0..600_000_u32).map(|number| number as u8).collect();
        let pieces = RigMessage::pieces(&piece(), &tail);
        assert_eq!(pieces.len(), 3);
        let mut whole = Vec::new();
        for message in pieces {
            let (headers, payload) = message.clone().parts();
            assert_eq!(RigMessage::of(Some(&headers), payload), Some(message.clone()));
            let RigMessage::Tail(piece, bytes) = message else { panic!("a piece") };
            assert_eq!((piece.from, piece.size), (whole.len() as u64, 600_000));
            whole.extend(bytes);
        }
        assert_eq!(whole, tail);
    }

    #[test]
    fn what_a_page_gets_and_a_missing_tail_come_through() {
        for message in [RigMessage::Page(9, Bytes::from_static(b"batch")), RigMessage::NoTail(u64::MAX)] {
            let (headers, payload) = message.clone().parts();
            assert_eq!(RigMessage::of(Some(&headers), payload), Some(message));
        }
        assert_eq!(RigMessage::of(None, Bytes::from_static(b"batch")), None);
    }

    proptest! {
        #[test]
        fn no_message_breaks_the_reader(kind in "page|tail|no-tail|\\PC{0,5}", tail in "\\PC{0,60}", len in 0..9_usize) {
            let mut headers = HeaderMap::new();
            headers.insert(TB, VERSION);
            headers.insert(KIND, kind.as_str());
            headers.insert(TAIL, tail.as_str());
            let _ = RigMessage::of(Some(&headers), Bytes::from(vec![0; len]));
        }
    }
}
