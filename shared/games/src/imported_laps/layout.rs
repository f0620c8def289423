//! The packets byte for byte: little endian, without gaps.

use zerocopy::LE;

use crate::table::{MOST_VERSIONS, ONE_VERSION, Rest, Sent, Sizes, Version};
use crate::{Text, Value};

type F32 = zerocopy::F32<LE>;
type U16 = zerocopy::U16<LE>;
type U32 = zerocopy::U32<LE>;
type U64 = zerocopy::U64<LE>;

packets! {
    ONE_VERSION;

    /// The start of every packet.
    record Header [24] {
        mark: Text<4>,
        version: u8,
        kind: u8,
        size: U16,
        session: U32,
        car: u8,
        run: u8,
        lap: U16,
        time_us: U64,
    }

    /// Driver, car, track and source of the laps.
    record Head [377] {
        header: Header,
        program: Text<32>,
        game: Text<64>,
        driver: Text<64>,
        vehicle: Text<64>,
        track: Text<96>,
        occasion: Text<32>,
        player: u8,
    }

    /// The names of channels, with the index of the first one.
    packet Channels [26] {
        header: Header,
        first: U16,
        names: Names,
    }

    /// A lap's times and remarks. A time of zero is missing.
    record Lap [51] {
        header: Header,
        began_us: U64,
        time_ms: U32,
        sectors_ms: [U32; 3],
        remarks: U16,
        over: u8,
    }

    /// The values of one moment, in the order of the channels; NaN for a missing value.
    packet Values [24] {
        header: Header,
        values: Rest<F32>,
    }
}

/// The rest of a packet: texts, each preceded by its length in one byte.
#[derive(Clone, Copy, Debug)]
pub struct Names;

impl<'a> Sent<'a> for Names {
    type Value = &'a [u8];
    const SIZES: Sizes = [0; MOST_VERSIONS];
    const VARIES: bool = true;

    fn read(bytes: &'a [u8], at: &mut usize, _: Version) -> &'a [u8] {
        let rest = bytes.get(*at..).unwrap_or_default();
        *at += rest.len();
        rest
    }

    fn write(value: &&'a [u8], _: Version, out: &mut Vec<u8>) {
        out.extend_from_slice(value);
    }

    fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value {
        let names = texts(Self::read(bytes, at, version));
        Value::List(names.map(|name| Value::Text(name.unwrap_or_default().to_owned())).collect())
    }
}

/// The names, of which one that is not UTF-8 or is cut off is `None`.
pub(super) fn texts(mut rest: &[u8]) -> impl Iterator<Item = Option<&str>> {
    std::iter::from_fn(move || {
        let (len, behind) = rest.split_first()?;
        let Some((text, behind)) = behind.split_at_checked((*len).into()) else {
            rest = &[];
            return Some(None);
        };
        rest = behind;
        Some(std::str::from_utf8(text).ok())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ONLY_VERSION;

    #[test]
    fn fields_stand_where_the_document_says() {
        let begin = |place: Option<std::ops::Range<usize>>| place.map(|place| place.start);
        let header = |field| begin(Header::place_of(field, ONLY_VERSION));
        assert_eq!(["mark", "version", "kind", "size"].map(header), [0, 4, 5, 6].map(Some));
        assert_eq!(["session", "car", "run", "lap", "time_us"].map(header), [8, 12, 13, 14, 16].map(Some));
        let head = |field| begin(Head::place_of(field, ONLY_VERSION));
        let texts = ["program", "game", "driver", "vehicle", "track", "occasion", "player"];
        assert_eq!(texts.map(head), [24, 56, 120, 184, 248, 344, 376].map(Some));
        let lap = |field| begin(Lap::place_of(field, ONLY_VERSION));
        let times = ["began_us", "time_ms", "sectors_ms", "remarks", "over"];
        assert_eq!(times.map(lap), [24, 32, 36, 48, 50].map(Some));
        assert_eq!(Channels::place_of("first", ONLY_VERSION), Some(24..26));
        assert_eq!(Channels::size(ONLY_VERSION), 26, "the names begin behind it");
        assert_eq!(Values::size(ONLY_VERSION), 24, "the values begin behind it");
    }
}
