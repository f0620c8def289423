//! A recording that is opened and played: its packets take the same way as those that come live.

mod player;
mod source;

use std::rc::Rc;

use leptos::task::spawn_local;
use trailbrake_shared::recording::{OpenError, Opening, Reading, Scan};

use crate::browser;
use crate::cockpit::Cockpit;
use player::Wanted;
use source::Source;

pub(crate) use player::{Jump, Player, SPEEDS};

/// A recording that plays.
pub(crate) struct Replay {
    pub(crate) player: Player,
    source: Rc<Source>,
    fetching: bool,
}

/// How the opening of a file goes.
pub(crate) struct Progress {
    /// The file.
    pub(crate) name: String,
    /// How much of it has been searched, 0 to 1.
    pub(crate) share: f64,
}

/// Why nothing was opened.
pub(crate) enum Refused {
    /// The user did not want to wait.
    Cancelled,
    /// In a driver's words.
    Because(String),
}

impl Replay {
    /// Opens a file: only its index is read. Where it has none all of it is searched for what is whole, as long as
    /// `go_on` says so; the second of what comes back is what a driver should know about that.
    pub(crate) async fn open(
        file: web_sys::File,
        go_on: impl Fn(Progress) -> bool,
    ) -> Result<(Self, Option<String>), Refused> {
        let source = Source::of_file(file);
        let name = source.name();
        let because = |error: OpenError| Refused::Because(format!("{name}: {error}."));
        let mut opening = Opening::new(source.len());
        while let Some(range) = opening.needs() {
            opening.give(&source.bytes(range).await.map_err(Refused::Because)?);
        }
        let (recording, note) = match opening.finish() {
            Ok(recording) => (recording, None),
            Err(OpenError::NoIndex) => {
                let mut scan = Scan::new(source.len());
                while let Some(range) = scan.needs() {
                    if !go_on(Progress { name: name.clone(), share: scan.progress() }) {
                        return Err(Refused::Cancelled);
                    }
                    scan.give(&source.bytes(range).await.map_err(Refused::Because)?);
                }
                let found = scan.finish().map_err(because)?;
                let note = match found.damaged {
                    0 => format!("{name} was not finished. Everything up to its end plays."),
                    1 => format!("{name} was not finished, or is damaged in one place. What is whole plays."),
                    count => format!("{name} is damaged in {count} places. What is whole plays."),
                };
                (found.recording, Some(note))
            }
            Err(error) => return Err(because(error)),
        };
        let player = Player::new(recording, browser::now_ms());
        let player =
            player.ok_or_else(|| Refused::Because(format!("{name}: nothing was recorded in it.")))?;
        Ok((Self { player, source: Rc::new(source), fetching: false }, note))
    }

    /// The file's name.
    pub(crate) fn name(&self) -> String {
        self.source.name()
    }

    /// How many bytes the file has, and how many of them have been read.
    pub(crate) fn bytes(&self) -> (u64, u64) {
        (self.source.len(), self.source.read())
    }

    /// What has to be fetched now; whoever asks fetches it.
    fn fetch(&mut self) -> Option<(Wanted, Rc<Source>)> {
        let wanted = self.player.wants().filter(|_| !self.fetching)?;
        self.fetching = true;
        Some((wanted, Rc::clone(&self.source)))
    }

    /// Takes what was fetched from its source. What came for another recording is of no use.
    fn take(&mut self, from: &Rc<Source>, wanted: &Wanted, bytes: &[u8]) {
        if Rc::ptr_eq(from, &self.source) {
            self.fetching = false;
            self.player.give(wanted, bytes);
        }
    }
}

/// Sees to it that the packets are there when they are due.
pub(crate) fn fetch_ahead(cockpit: Cockpit) {
    let Some((wanted, source)) = cockpit.replay(Replay::fetch).flatten() else { return };
    spawn_local(async move {
        match source.bytes(wanted.range.clone()).await {
            Ok(bytes) => {
                cockpit.replay(|replay| replay.take(&source, &wanted, &bytes));
            }
            Err(words) => {
                cockpit.close_replay();
                cockpit.complain(words);
            }
        }
    });
}
