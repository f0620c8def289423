//! The packets byte for byte: little endian, without gaps. Parts of variable size follow the header.

use zerocopy::LE;

use crate::Text;

type U16 = zerocopy::U16<LE>;
type U32 = zerocopy::U32<LE>;
type U64 = zerocopy::U64<LE>;

layouts! {
    /// The start of every packet.
    struct Header[24] {
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
    struct Head[377] {
        header: Header,
        program: Text<32>,
        game: Text<64>,
        driver: Text<64>,
        vehicle: Text<64>,
        track: Text<96>,
        occasion: Text<32>,
        player: u8,
    }

    /// A lap's times and remarks. A time of zero is missing.
    struct Lap[51] {
        header: Header,
        began_us: U64,
        time_ms: U32,
        sectors_ms: [U32; 3],
        remarks: U16,
        over: u8,
    }

    /// The start of a packet of channels, with the index of its first channel.
    struct ChannelsHeader[26] {
        header: Header,
        first: U16,
    }
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;

    #[test]
    fn fields_stand_where_the_document_says() {
        assert_eq!(offset_of!(Header, version), 4);
        assert_eq!(offset_of!(Header, kind), 5);
        assert_eq!(offset_of!(Header, size), 6);
        assert_eq!(offset_of!(Header, session), 8);
        assert_eq!((offset_of!(Header, car), offset_of!(Header, run), offset_of!(Header, lap)), (12, 13, 14));
        assert_eq!(offset_of!(Header, time_us), 16);
        let head = [
            offset_of!(Head, program),
            offset_of!(Head, game),
            offset_of!(Head, driver),
            offset_of!(Head, vehicle),
            offset_of!(Head, track),
            offset_of!(Head, occasion),
            offset_of!(Head, player),
        ];
        assert_eq!(head, [24, 56, 120, 184, 248, 344, 376]);
        let lap = [
            offset_of!(Lap, began_us),
            offset_of!(Lap, time_ms),
            offset_of!(Lap, sectors_ms),
            offset_of!(Lap, remarks),
            offset_of!(Lap, over),
        ];
        assert_eq!(lap, [24, 32, 36, 48, 50]);
        assert_eq!(offset_of!(ChannelsHeader, first), 24);
    }
}
