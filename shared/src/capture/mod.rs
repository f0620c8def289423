//! Packet captures, pcap and pcapng, taken apart down to the UDP datagrams that they hold.
//!
//! A file goes through these from the top down: `pcap` or `pcapng` finds the packets, `link` takes off what the
//! network card saw, `ip` the addresses; `fragments` puts together what was sent in pieces.

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

pub use damage::{Damage, Fault};
pub use packet::{Datagram, Packet, SkipReason};
pub use reader::{Reader, Step};
pub use skipped_packets::{Other, Skipped};

#[cfg(test)]
mod files;
#[cfg(test)]
mod fragments_tests;
#[cfg(test)]
mod link_tests;
#[cfg(test)]
mod reader_tests;
