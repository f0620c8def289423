//! Everything heard from the relay, in plain buffers. Nothing here is reactive: pages look at it when they paint.

mod faults;
mod ports;
mod rate;
mod readout;

use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::Decode;
use trailbrake_shared::wire::{self, Datagram, ToBrowser, WireError};

pub(crate) use faults::Fault;
pub(crate) use ports::{FeedRow, Ports};
pub(crate) use readout::Readout;

use faults::Faults;
use rate::Rate;

/// A sender that is silent for this long has stopped.
const SILENT_MS: f64 = 3_000.0;
/// More senders than this and the one that was silent for longest is forgotten.
const SENDERS: usize = 16;
/// What is said when the relay had to leave packets out for this page.
const TOO_SLOW: &str = "This device is too slow for every packet, and some were left out for it: the figures have gaps. \
                        The relay itself lost nothing.";

/// Where telemetry comes from: one program that sends one feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The feed.
    pub(crate) feed: Feed,
    /// The address it sends from.
    pub(crate) sender: SocketAddr,
}

/// What a message of the relay was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// Its greeting.
    Hello,
    /// Packets.
    Packets,
    /// How its ports are.
    Status,
    /// It asks for the page to be loaded anew.
    Reload,
}

/// One program that sends, with what it told.
pub(crate) struct Sender {
    /// Who it is.
    pub(crate) origin: Origin,
    /// What it told.
    pub(crate) readout: Readout,
    decoder: Box<dyn Decode>,
    rate: Rate,
    heard: f64,
}

impl Sender {
    /// Packets a second.
    pub(crate) fn per_second(&self) -> f32 {
        self.rate.per_second()
    }
}

/// Everything heard.
#[derive(Default)]
pub(crate) struct Telemetry {
    senders: Vec<Sender>,
    shown: Option<Origin>,
    /// How the relay's ports are.
    pub(crate) ports: Ports,
    /// What went wrong.
    faults: Faults,
}

impl Telemetry {
    /// Takes a message of the relay. Times are in milliseconds of the page.
    pub(crate) fn receive(&mut self, message: &[u8], now: f64) -> Result<Heard, WireError> {
        let decoded = wire::decode(message);
        if let Err(error) = &decoded {
            self.faults.note(format!("From the relay: {error}"));
        }
        Ok(match decoded? {
            ToBrowser::Hello { .. } => Heard::Hello,
            ToBrowser::Reload => Heard::Reload,
            ToBrowser::Status(status) => {
                let lost = self.ports.lost_batches();
                self.ports.take(status);
                if self.ports.lost_batches() > lost {
                    self.faults.note(TOO_SLOW.to_owned());
                }
                Heard::Status
            }
            ToBrowser::Batch(datagrams) => {
                for datagram in &datagrams {
                    self.decode(datagram, now);
                }
                Heard::Packets
            }
        })
    }

    /// Lets time go on; to be called several times a second.
    pub(crate) fn tick(&mut self, now: f64) {
        self.ports.tick(now);
        for sender in &mut self.senders {
            sender.rate.tick(now);
        }
    }

    /// The sender that is shown: it stays until it falls silent and another one sends.
    pub(crate) fn shown(&self) -> Option<&Sender> {
        self.senders.iter().find(|sender| Some(sender.origin) == self.shown)
    }

    /// The sender that is shown, while it sends.
    pub(crate) fn sending(&self, now: f64) -> Option<&Sender> {
        self.shown().filter(|sender| now - sender.heard <= SILENT_MS)
    }

    /// What went wrong, the latest first.
    pub(crate) fn faults(&self) -> Vec<Fault> {
        self.faults.list()
    }

    /// The driver took note of what went wrong.
    pub(crate) fn clear_faults(&mut self) {
        self.faults.clear();
    }

    fn decode(&mut self, datagram: &Datagram<'_>, now: f64) {
        // What no feed claims, and what is not decoded, is told by the ports' status.
        let Some(feed) = datagram.feed else { return };
        self.ports.count(feed, datagram.sender, now);
        let Some(codec) = feed.info().codec else { return };
        let origin = Origin { feed, sender: datagram.sender };
        if self.sending(now).is_none() {
            self.shown = Some(origin);
        }
        let known = self.senders.iter().position(|sender| sender.origin == origin);
        let place = known.unwrap_or_else(|| {
            self.make_room();
            self.senders.push(Sender {
                origin,
                readout: Readout::default(),
                decoder: (codec.decoder)(),
                rate: Rate::new(now),
                heard: now,
            });
            self.senders.len() - 1
        });
        let Some(sender) = self.senders.get_mut(place) else { return };
        sender.heard = now;
        sender.rate.add(1);
        if let Err(rejected) = sender.decoder.receive(datagram.at, datagram.bytes, &mut sender.readout) {
            self.faults.note(format!("Packet from {}: {rejected}", datagram.sender));
        }
    }

    fn make_room(&mut self) {
        while self.senders.len() >= SENDERS {
            let others =
                self.senders.iter().enumerate().filter(|(_, other)| Some(other.origin) != self.shown);
            let Some((place, _)) = others.min_by(|(_, a), (_, b)| a.heard.total_cmp(&b.heard)) else {
                return;
            };
            self.senders.remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::time::Micros;

    use super::*;

    fn batch(port: u16, feed: Option<Feed>, bytes: &[u8]) -> Vec<u8> {
        let sender = SocketAddr::from(([127, 0, 0, 1], port));
        let datagram = Datagram { at: Micros(1), sender, port: 20777, feed, bytes };
        wire::encode(&ToBrowser::Batch(vec![datagram])).expect("a message")
    }

    /// An event packet of a session that starts.
    fn start() -> Vec<u8> {
        let mut bytes = vec![0xe2, 0x07, 1, 3];
        bytes.resize(21, 0);
        bytes.extend_from_slice(b"SSTA");
        bytes
    }

    fn shown_port(telemetry: &Telemetry) -> Option<u16> {
        telemetry.shown().map(|sender| sender.origin.sender.port())
    }

    #[test]
    fn the_first_sender_stays_until_it_falls_silent() {
        let mut telemetry = Telemetry::default();
        for (port, now) in [(1, 0.0), (2, 10.0), (1, 20.0), (2, 3_000.0)] {
            let message = batch(port, Some(Feed::F12018), &start());
            assert_eq!(telemetry.receive(&message, now), Ok(Heard::Packets));
        }
        assert_eq!(shown_port(&telemetry), Some(1));
        assert!(telemetry.sending(3_021.0).is_none());
        assert_eq!(shown_port(&telemetry), Some(1), "nobody else sends: the last picture stays");
        telemetry.receive(&batch(2, Some(Feed::F12018), &start()), 3_021.0).expect("a message");
        assert_eq!(shown_port(&telemetry), Some(2));
        assert!(telemetry.sending(3_021.0).is_some());
    }

    #[test]
    fn a_flood_of_senders_is_bounded_and_spares_the_shown_one() {
        let mut telemetry = Telemetry::default();
        for port in 1..100 {
            let message = batch(port, Some(Feed::F12018), &start());
            telemetry.receive(&message, f64::from(port)).expect("a message");
        }
        assert_eq!(telemetry.senders.len(), SENDERS);
        assert_eq!(shown_port(&telemetry), Some(1));
    }

    #[test]
    fn what_is_not_understood_is_said_in_words() {
        let mut telemetry = Telemetry::default();
        assert!(telemetry.receive(&[1, 99], 0.0).is_err());
        telemetry.receive(&batch(1, Some(Feed::F12018), &start()[..20]), 0.0).expect("a message");
        telemetry.receive(&batch(1, None, &[1, 2, 3]), 0.0).expect("a message");
        let words: Vec<String> = telemetry.faults().into_iter().map(|fault| fault.words).collect();
        assert_eq!(words.len(), 2, "{words:?}");
        assert!(
            words[0].starts_with("Packet from 127.0.0.1:1: ") && words[1].starts_with("From the relay: ")
        );
        telemetry.clear_faults();
        assert!(telemetry.faults().is_empty());
    }
}
