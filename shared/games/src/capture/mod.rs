//! Reads packet captures (pcap and pcapng) down to their UDP datagrams.
//!
//! The layers from the top: `pcap` or `pcapng` finds the packets, `link` removes the link-layer header, `ip` reads the
//! addresses, and `fragments` reassembles fragmented datagrams.
//!
//! The file formats are read by hand, since a damaged capture is read as far as possible: what is skipped is counted and
//! named, and the packets after it are still read.

mod damage;
mod fragments;
mod ip;
mod link;
mod order;
mod packet;
mod pcap;
mod pcapng;
mod reader;
mod record;
mod skipped_packets;
mod stream;

pub use damage::{Damage, Fault};
pub use packet::{Datagram, Packet, SkipReason};
pub use reader::{Reader, Step};
pub use skipped_packets::{Other, Skipped};
pub use stream::PacketStream;

#[cfg(test)]
mod files;
#[cfg(test)]
mod fragments_tests;
#[cfg(test)]
mod link_tests;
#[cfg(test)]
mod reader_tests;
