//! The records of MCAP files, each declared once for writing and reading. Recordings are MCAP files, and laps are
//! exported as MCAP.
//!
//! Not the `mcap` crate: a recording is read by ranges of bytes without IO, its tail is rewritten in place, and a damaged
//! record is skipped where the crate ends with an error. The tests read the written files with it and with other readers.

pub(crate) mod bytes;
mod file;
mod lz4;

use bytes::Bytes;
pub(crate) use file::{Chunk, MAGIC, RECORD_HEADER, put, put_metadata, put_summary};

/// A record, or the fields before its data if it carries any.
pub(crate) trait Record: Sized {
    /// The opcode.
    const OP: u8;

    fn put(&self, out: &mut Vec<u8>);

    /// Reads the fields from the front; `None` if bytes are missing.
    fn take(bytes: &mut Bytes<'_>) -> Option<Self>;
}

/// Declares records with their fields in file order.
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
    /// Describes the encoding of a channel's messages.
    Schema 0x03 { id: u16, name: String, encoding: String, data: Vec<u8> }
    Channel 0x04 {
        id: u16,
        schema_id: u16,
        topic: String,
        message_encoding: String,
        metadata: Vec<(String, String)>,
    }
    /// Followed by the message.
    MessageHeader 0x05 { channel_id: u16, sequence: u32, log_time: u64, publish_time: u64 }
    /// Followed by the messages.
    ChunkHeader 0x06 {
        message_start_time: u64,
        message_end_time: u64,
        uncompressed_size: u64,
        uncompressed_crc: u32,
        compression: String,
        compressed_size: u64,
    }
    /// Time and chunk offset of each message.
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
    /// Followed by the data and a CRC.
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

/// A value that a record's field can hold.
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

/// Reads a byte string prefixed with its length.
fn piece<'a>(bytes: &mut Bytes<'a>) -> Option<&'a [u8]> {
    let len = bytes.u32()?;
    bytes.take(usize::try_from(len).ok()?)
}
