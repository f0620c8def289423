//! The layout of an `.ld` file: a header, three linked descriptions, a list of channels, and samples.

use zerocopy::byteorder::little_endian::{I16, U16, U32};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

/// The magic number at the start of the file.
pub(super) const MARK: u32 = 0x40;
/// Offsets that i2 and other writers use; some pointers are 16 bits wide.
pub(super) const EVENT_AT: usize = 0x6e2;
pub(super) const VENUE_AT: usize = 0x1336;
pub(super) const VEHICLE_AT: usize = 0x1f54;
pub(super) const CHANNELS_AT: usize = 0x3448;

/// Number families of samples. Together with the width in bytes they give the number type.
pub(super) const FLOAT: u16 = 7;
pub(super) const INTEGERS: [u16; 3] = [0, 3, 5];

/// Fixed-length text, padded with zeros.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub(super) struct Text<const LEN: usize>([u8; LEN]);

impl<const LEN: usize> Text<LEN> {
    /// As much of a text as fits before a final zero; characters outside Latin-1 become question marks.
    pub(super) fn of(text: &str) -> Self {
        let mut bytes = [0; LEN];
        let letters = text.chars().map(|letter| u8::try_from(letter).unwrap_or(b'?'));
        bytes.iter_mut().take(LEN - 1).zip(letters).for_each(|(to, from)| *to = from);
        Self(bytes)
    }

    /// The text up to its first zero. Real files contain Latin-1 characters.
    pub(super) fn text(&self) -> String {
        let text = self.0.iter().take_while(|byte| **byte != 0);
        text.map(|byte| char::from(*byte))
            .filter(|letter| !letter.is_control())
            .collect::<String>()
            .trim()
            .to_owned()
    }
}

/// Declares a part of the file with its size in bytes and its fields in order.
macro_rules! part {
    ($(#[$doc:meta])* $part:ident $size:literal { $($field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
        #[repr(C)]
        pub(super) struct $part {
            $(pub(super) $field: $type,)*
        }

        const _: () = assert!(size_of::<$part>() == $size);

        impl Default for $part {
            fn default() -> Self {
                Self::new_zeroed()
            }
        }
    };
}

part! {
    /// The header, up to the first description.
    Header 0x6e2 {
        mark: U32,
        _unknown_04: [u8; 4],
        channels_at: U32,
        samples_at: U32,
        _unknown_10: [u8; 20],
        event_at: U32,
        _unknown_28: [u8; 24],
        constant_40: U16,
        constant_42: U16,
        constant_44: U16,
        device_serial: U32,
        device_type: Text<8>,
        device_version: U16,
        constant_54: U16,
        channel_count: U32,
        _unknown_5a: [u8; 4],
        date: Text<16>,
        _unknown_6e: [u8; 16],
        time: Text<16>,
        _unknown_8e: [u8; 16],
        driver: Text<64>,
        vehicle: Text<64>,
        _unknown_11e: [u8; 64],
        venue: Text<64>,
        _unknown_19e: [u8; 1088],
        pro_logging: U32,
        _unknown_5e2: [u8; 66],
        short_comment: Text<64>,
        _unknown_664: [u8; 126],
    }
}

part! {
    /// The first description: the event.
    Event 1154 {
        name: Text<64>,
        session: Text<64>,
        comment: Text<1024>,
        venue_at: U16,
    }
}

part! {
    /// The second description: the venue.
    Venue 1100 {
        name: Text<64>,
        _unknown_40: [u8; 1034],
        vehicle_at: U16,
    }
}

part! {
    /// The third description: the vehicle.
    Vehicle 260 {
        id: Text<64>,
        _unknown_40: [u8; 128],
        weight: U32,
        kind: Text<32>,
        comment: Text<32>,
    }
}

part! {
    /// A channel: its neighbours in the list, the offset of its samples, and how to convert them.
    Channel 124 {
        previous_at: U32,
        next_at: U32,
        samples_at: U32,
        sample_count: U32,
        counter: U16,
        family: U16,
        width: U16,
        rate_hz: U16,
        shift: I16,
        multiplier: I16,
        scale: I16,
        decimals: I16,
        name: Text<32>,
        short_name: Text<8>,
        unit: Text<12>,
        _unknown_54: [u8; 40],
    }
}
