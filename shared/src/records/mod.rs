//! The records of MCAP files, each declared once for writing and reading: recordings are such files, and laps are
//! exported as one.
//!
//! Others' declarations would do, but for the page: with everything that they can say about a damaged file they are five
//! times as large, and here a damaged record is only passed over. The tests have others read what is written.

pub(crate) mod bytes;
mod file;
mod lz4;

use bytes::Bytes;
pub(crate) use file::{Chunk, MAGIC, RECORD_HEADER, put, put_metadata, put_summary};

/// A record, or what stands before the data of one that has some.
pub(crate) trait Record: Sized {
    /// What records of this kind begin with.
    const OP: u8;

    /// Appends its fields.
    fn put(&self, out: &mut Vec<u8>);

    /// Reads its fields from the front; `None` when they are not all there.
    fn take(bytes: &mut Bytes<'_>) -> Option<Self>;
}

/// Declares records with their fields in order.
macro_rules! records {
    ($($(#[$doc:meta])* $name:ident $op:literal { $($field:ident: $kind:ty),* $(,)? })*) => { $(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub(crate) struct $name {
            $(pub(crate) $field: $kind),*
        }

        impl Record for $name {
            const OP: u8 = $op;

            fn put(&self, out: &mut Vec<u8>) {
                $(self.$field.put(out);)*
            }

            fn take(bytes: &mut Bytes<'_>) -> Option<Self> {
                Some(Self { $($field: Field::take(bytes)?),* })
            }
        }
    )* };
}

records! {
    Header 0x01 { profile: String, library: String }
    Footer 0x02 { summary_start: u64, summary_offset_start: u64, summary_crc: u32 }
    /// How the messages of channels are made.
    Schema 0x03 { id: u16, name: String, encoding: String, data: Vec<u8> }
    Channel 0x04 {
        id: u16,
        schema_id: u16,
        topic: String,
        message_encoding: String,
        metadata: Vec<(String, String)>,
    }
    /// The message stands behind it.
    MessageHeader 0x05 { channel_id: u16, sequence: u32, log_time: u64, publish_time: u64 }
    /// The messages stand behind it.
    ChunkHeader 0x06 {
        message_start_time: u64,
        message_end_time: u64,
        uncompressed_size: u64,
        uncompressed_crc: u32,
        compression: String,
        compressed_size: u64,
    }
    /// Each message's time, and its place in the chunk.
    MessageIndex 0x07 { channel_id: u16, records: Vec<(u64, u64)> }
    ChunkIndex 0x08 {
        message_start_time: u64,
        message_end_time: u64,
        chunk_start_offset: u64,
        chunk_length: u64,
        message_index_offsets: Vec<(u16, u64)>,
        message_index_length: u64,
        compression: String,
        compressed_size: u64,
        uncompressed_size: u64,
    }
    /// The data stands behind it, and then a CRC.
    AttachmentHeader 0x09 { log_time: u64, create_time: u64, name: String, media_type: String, data_size: u64 }
    AttachmentIndex 0x0a {
        offset: u64,
        length: u64,
        log_time: u64,
        create_time: u64,
        data_size: u64,
        name: String,
        media_type: String,
    }
    Statistics 0x0b {
        message_count: u64,
        schema_count: u16,
        channel_count: u32,
        attachment_count: u32,
        metadata_count: u32,
        chunk_count: u32,
        message_start_time: u64,
        message_end_time: u64,
        channel_message_counts: Vec<(u16, u64)>,
    }
    Metadata 0x0c { name: String, metadata: Vec<(String, String)> }
    MetadataIndex 0x0d { offset: u64, length: u64, name: String }
    SummaryOffset 0x0e { group_opcode: u8, group_start: u64, group_length: u64 }
    DataEnd 0x0f { data_section_crc: u32 }
}

/// What a field can hold.
trait Field: Sized {
    fn put(&self, out: &mut Vec<u8>);
    fn take(bytes: &mut Bytes<'_>) -> Option<Self>;
}

macro_rules! numbers {
    ($($number:ident)*) => { $(
        impl Field for $number {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }

            fn take(bytes: &mut Bytes<'_>) -> Option<Self> {
                bytes.$number()
            }
        }
    )* };
}

numbers! { u8 u16 u32 u64 }

impl Field for String {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u32).put(out);
        out.extend(self.as_bytes());
    }

    fn take(bytes: &mut Bytes<'_>) -> Option<Self> {
        Some(std::str::from_utf8(piece(bytes)?).ok()?.to_owned())
    }
}

impl<K: Field, V: Field> Field for (K, V) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(bytes: &mut Bytes<'_>) -> Option<Self> {
        Some((K::take(bytes)?, V::take(bytes)?))
    }
}

impl<T: Field> Field for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        let mut all = Vec::new();
        self.iter().for_each(|one| one.put(&mut all));
        (all.len() as u32).put(out);
        out.extend(all);
    }

    fn take(bytes: &mut Bytes<'_>) -> Option<Self> {
        let mut all = Bytes(piece(bytes)?);
        let mut read = Self::new();
        while !all.0.is_empty() {
            read.push(T::take(&mut all)?);
        }
        Some(read)
    }
}

/// What stands behind its own length.
fn piece<'a>(bytes: &mut Bytes<'a>) -> Option<&'a [u8]> {
    let len = bytes.u32()?;
    bytes.take(usize::try_from(len).ok()?)
}
