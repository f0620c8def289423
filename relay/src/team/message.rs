//! Messages that carry recordings: each is a range of a file.

use async_nats::HeaderMap;

/// The version of the format.
const VERSION: &str = "1";
/// Most bytes of a file in a message.
pub(super) const MOST_PAYLOAD: u64 = 256 << 10;
/// Largest recording, as for uploads.
const MOST_BYTES: u64 = 16 << 30;
/// Largest tail.
pub(super) const MOST_TAIL: u64 = 16 << 20;

const TB: &str = "Tb";
const KIND: &str = "Kind";
const FROM: &str = "From";
const TO: &str = "To";
const DATA: &str = "Data";
const SIZE: &str = "Size";
const SHA256: &str = "Sha256";
/// The only header of the server that is used: it keeps order, and stores each message once.
const EXPECTED: &str = "Nats-Expected-Last-Subject-Sequence";
/// Headers that a server writes when it stores what it answered.
const OF_SERVER: [&str; 2] = ["Nats-Stream", "Nats-Subject"];

/// A range of a recording's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileRange {
    pub(super) part: FilePart,
    pub(super) from: u64,
    pub(super) to: u64,
}

/// The part of the file that a range belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FilePart {
    /// Before the end of data: it never changes.
    Data,
    /// The tail of a finished recording, with the hash of the whole file.
    End(Tail),
    /// A later tail, with its own hash.
    Facts(Tail),
}

/// Which tail a range belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tail {
    /// Where the data ends and the tail begins.
    pub(super) data: u64,
    /// Where it ends, and with it the file.
    pub(super) size: u64,
    pub(super) hash: Hash,
}

/// A SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hash(pub(super) [u8; 32]);

/// Why a message is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ignored {
    /// It has no header `Tb`, as what a server itself writes.
    NoVersion,
    /// A newer rig sent it.
    NewerVersion,
    /// A server wrote it as an answer to a question.
    OfServer,
    /// Its headers contradict each other or its payload.
    Contradiction,
    /// Its subject names no rig of the team, or no recording.
    Unknown,
    /// Facts before the end of their recording.
    BeforeEnd,
    /// A tail of other packets, or one that can't be opened.
    OtherPackets,
    /// More unfinished recordings than a rig may have.
    TooMany,
}

impl Ignored {
    /// The reason in words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::NoVersion => "not from Trailbrake",
            Self::NewerVersion => "from a newer Trailbrake: update Trailbrake at the hub",
            Self::OfServer => "written by the server itself",
            Self::Contradiction => "with headers that contradict each other",
            Self::Unknown => "of no rig of the team",
            Self::BeforeEnd => "facts before the end of their recording",
            Self::OtherPackets => "facts that don't belong to the recording",
            Self::TooMany => "beyond the unfinished recordings that a rig may have",
        }
    }
}

impl FileRange {
    /// The headers of a message with this range.
    pub(super) fn headers(&self, expected: u64) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(TB, VERSION);
        let (kind, tail) = match self.part {
            FilePart::Data => ("data", None),
            FilePart::End(tail) => ("end", Some(tail)),
            FilePart::Facts(tail) => ("facts", Some(tail)),
        };
        headers.insert(KIND, kind);
        headers.insert(FROM, self.from.to_string());
        headers.insert(TO, self.to.to_string());
        if let Some(tail) = tail {
            headers.insert(DATA, tail.data.to_string());
            headers.insert(SIZE, tail.size.to_string());
            headers.insert(SHA256, tail.hash.to_string());
        }
        headers.insert(EXPECTED, expected.to_string());
        headers
    }

    /// The range of a message, unless that is to be ignored.
    pub(super) fn of(headers: Option<&HeaderMap>, payload: &[u8]) -> Result<Self, Ignored> {
        let text = |name: &str| headers.and_then(|headers| headers.get(name)).map(|value| value.as_str());
        if OF_SERVER.into_iter().any(|name| text(name).is_some()) {
            return Err(Ignored::OfServer);
        }
        match text(TB) {
            Some(VERSION) => {}
            Some(other) if other.parse().is_ok_and(|version: u64| version > 1) => {
                return Err(Ignored::NewerVersion);
            }
            _ => return Err(Ignored::NoVersion),
        }
        let number = |name: &str| {
            let digits = text(name).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
            digits.and_then(|digits| digits.parse::<u64>().ok())
        };
        let read = || {
            let (from, to) = (number(FROM)?, number(TO)?);
            let part = match text(KIND)? {
                "data" => FilePart::Data,
                kind => {
                    let tail =
                        Tail { data: number(DATA)?, size: number(SIZE)?, hash: text(SHA256)?.parse().ok()? };
                    let fits = tail.data <= from && to <= tail.size && tail.size - tail.data <= MOST_TAIL;
                    match kind {
                        "end" if fits => FilePart::End(tail),
                        "facts" if fits => FilePart::Facts(tail),
                        _ => return None,
                    }
                }
            };
            let len = to.checked_sub(from)?;
            let fits = len == payload.len() as u64 && 0 < len && len <= MOST_PAYLOAD && to <= MOST_BYTES;
            fits.then_some(Self { part, from, to })
        };
        read().ok_or(Ignored::Contradiction)
    }
}

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::str::FromStr for Hash {
    type Err = ();

    fn from_str(digits: &str) -> Result<Self, ()> {
        let mut bytes = [0; 32];
        let is_hash = digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hash {
            return Err(());
        }
        for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| ())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| ())?;
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts() -> impl Strategy<Value = FilePart> {
        let tail = (0_u64..1000, any::<[u8; 32]>());
        let tail = tail.prop_map(|(data, hash)| Tail { data, size: data + 5000, hash: Hash(hash) });
        prop_oneof![
            Just(FilePart::Data),
            tail.clone().prop_map(FilePart::End),
            tail.prop_map(FilePart::Facts),
        ]
    }

    proptest! {
        #[test]
        fn a_range_comes_back_from_its_headers(part in parts(), from in 1000_u64..2000, len in 1_usize..3000) {
            let range = FileRange { part, from, to: from + len as u64 };
            prop_assert_eq!(FileRange::of(Some(&range.headers(7)), &vec![0; len]), Ok(range));
            prop_assert_eq!(FileRange::of(Some(&range.headers(7)), &vec![0; len + 1]), Err(Ignored::Contradiction));
        }

        #[test]
        fn no_header_breaks_the_reader(
            values in prop::collection::vec(("Tb|Kind|From|To|Data|Size|Sha256|Nats-Stream", "1|2|data|end|facts|0|18446744073709551615|-1|[a-z0-9]{64}"), 0..8),
            payload in prop::collection::vec(any::<u8>(), 0..20),
        ) {
            let mut headers = HeaderMap::new();
            headers.insert("Tb", "1");
            for (name, value) in &values {
                headers.insert(name.as_str(), value.as_str());
            }
            if let Ok(range) = FileRange::of(Some(&headers), &payload) {
                prop_assert_eq!(range.to - range.from, payload.len() as u64);
                prop_assert!(range.to <= MOST_BYTES);
            }
        }
    }

    #[test]
    fn what_is_forged_or_garbage_is_ignored_for_a_reason() {
        let range = FileRange { part: FilePart::Data, from: 10, to: 13 };
        let with = |name: &str, value: &str| {
            let mut headers = range.headers(0);
            headers.insert(name, value);
            FileRange::of(Some(&headers), b"abc")
        };
        assert_eq!(with("Other", "x"), Ok(range));
        for (name, value, reason) in [
            ("Tb", "2", Ignored::NewerVersion),
            ("Tb", "", Ignored::NoVersion),
            ("Nats-Stream", "REC", Ignored::OfServer),
            ("Nats-Subject", "tb.rec.anna.x", Ignored::OfServer),
            ("Kind", "more", Ignored::Contradiction),
            ("Kind", "end", Ignored::Contradiction),
            ("From", "14", Ignored::Contradiction),
            ("From", "18446744073709551615", Ignored::Contradiction),
            ("From", "18446744073709551616", Ignored::Contradiction),
            ("From", "+10", Ignored::Contradiction),
            ("To", "18446744073709551615", Ignored::Contradiction),
            ("To", "9", Ignored::Contradiction),
        ] {
            assert_eq!(with(name, value), Err(reason), "{name}: {value}");
        }
        assert_eq!(FileRange::of(None, b"abc"), Err(Ignored::NoVersion));
        assert_eq!(FileRange::of(Some(&HeaderMap::new()), b"{\"stream\":\"REC\"}"), Err(Ignored::NoVersion));
        // Near 2^64, where sums would overflow.
        let near = FileRange { part: FilePart::Data, from: u64::MAX - 3, to: u64::MAX };
        assert_eq!(FileRange::of(Some(&near.headers(0)), b"abc"), Err(Ignored::Contradiction));
        let tail = Tail { data: u64::MAX - 3, size: u64::MAX, hash: Hash([0; 32]) };
        let near = FileRange { part: FilePart::End(tail), ..near };
        assert_eq!(FileRange::of(Some(&near.headers(0)), b"abc"), Err(Ignored::Contradiction));
    }
}
