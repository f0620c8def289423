//! A hub's archive without a server: it takes messages one by one, as `serve` does. For programs that send what no rig
//! sends.

use std::path::Path;

use anyhow::ensure;
use async_nats::{HeaderMap, HeaderName, HeaderValue};

use super::answer::{Answer, TailQuestion};
use super::archive::{Archive, Place, Wish};
use super::hub_folder::HubFolder;
use super::hub_request::HubRequest;
use super::json_message::JsonMessage as _;
use super::rig_message::RigMessage;
use super::rig_name::RigName;
use super::rigs::Rigs;
use super::stream::LastMessage;
use super::subject;
use crate::clock::Clock;

/// The inbox of a new hub.
pub struct Inbox {
    archive: Archive,
    rigs: Rigs,
    /// The number of the last message of a recording.
    sequence: u64,
}

impl Inbox {
    /// Makes a hub in an empty folder, with rigs of these names.
    pub fn create(folder: &Path, rigs: &[&str]) -> anyhow::Result<Self> {
        let (clock, shown) = (Clock::start(), Rigs::default());
        let server = "127.0.0.1".parse().map_err(anyhow::Error::msg)?;
        let hub = HubFolder::create(folder, vec![server], 1 << 30, false)?;
        for rig in rigs {
            hub.add(rig.parse().map_err(anyhow::Error::msg)?, clock)?;
        }
        Ok(Self { archive: Archive::open(hub, shown.clone(), clock)?, rigs: shown, sequence: 0 })
    }

    /// Takes a message of any subject, at the hub or at a rig. An error says what does not hold.
    pub fn take(&mut self, subject: &str, headers: &[(&str, &str)], payload: &[u8]) -> anyhow::Result<()> {
        let headers = header_map(headers);
        if subject.starts_with("tb.rec.") {
            self.take_range(subject, &headers, payload)?;
        } else if subject.starts_with("tb.have.") {
            self.answer(subject, &headers, payload)?;
        } else if subject.starts_with("tb.rig.") {
            self.archive.report(subject, payload);
            self.archive.look();
        } else if subject.starts_with("tb.live.") {
            let read = RigMessage::of(Some(&headers), payload.to_vec().into());
            drop(subject::live_rig(subject).zip(read));
        } else if subject.starts_with("tb.ask.") {
            let request = HubRequest::understand(payload);
            ensure!(HubRequest::understand(&request.text()) == request, "{request:?} is not read as written");
        } else if let Some(answer) = Answer::read(payload) {
            ensure!(
                Answer::read(&answer.text()).as_ref() == Some(&answer),
                "{answer:?} is not read as written"
            );
        }
        Ok(())
    }

    /// Writes everything to the disk, and lists what is there; returns the names of the files.
    pub fn list(&mut self) -> anyhow::Result<Vec<String>> {
        self.archive.sync()?;
        let entries = self.rigs.libraries().into_iter().flat_map(|(_, library)| library.list().recordings);
        Ok(entries.map(|entry| entry.file).collect())
    }

    fn take_range(&mut self, subject: &str, headers: &HeaderMap, payload: &[u8]) -> anyhow::Result<()> {
        self.sequence += 1;
        let place = Place { sequence: self.sequence, time: i128::from(self.sequence) };
        match self.archive.take(place, subject, Some(headers), payload)? {
            Some(Wish::Check(rig, check)) => {
                let checked = check.run();
                self.archive.finish(&rig, check.id, checked);
            }
            None | Some(Wish::ReadAgain | Wish::Ask(..)) => {}
        }
        Ok(())
    }

    fn answer(&mut self, subject: &str, headers: &HeaderMap, payload: &[u8]) -> anyhow::Result<()> {
        let whose = subject.split('.').nth(2).and_then(|name| name.parse::<RigName>().ok());
        let reply = whose.map(|rig| [&subject::inbox(&rig), ".1"].concat());
        let Some((rig, id)) = self.archive.asking(subject, reply.as_deref()) else { return Ok(()) };
        if let Some(TailQuestion { tail_from }) = TailQuestion::read(payload)
            && let Some((range, piece)) = self.archive.tail_piece(&rig, id, tail_from)
        {
            ensure!(range.to - range.from == piece.len() as u64, "a piece has the length that it says");
            return Ok(());
        }
        // The last message of the subject may be anything.
        let last =
            LastMessage { sequence: self.sequence + 1, headers: headers.clone(), payload: payload.to_vec() };
        for last in [None, Some(&last)] {
            let answer = self.archive.answer(&rig, id, last);
            ensure!(
                Answer::read(&answer.text()).as_ref() == Some(&answer),
                "{answer:?} is not read as written"
            );
            ensure!(answer.safe <= answer.next, "{answer:?}: what is safe is there");
        }
        Ok(())
    }
}

/// The headers that a server would pass on.
fn header_map(headers: &[(&str, &str)]) -> HeaderMap {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), value.parse::<HeaderValue>()) {
            map.append(name, value);
        }
    }
    map
}
