//! A session's track: its names, and its outline as one car drove it.

use trailbrake_analysis::laps::Lap;
use trailbrake_model::{Columns, SessionInfo, Track};

use super::Outline;
use super::outline::TrackKey;

/// The track's names and its outline.
#[derive(Clone, Debug, Default)]
pub(super) struct SessionTrack {
    /// The track without the track book: as the game sends it, the driver names it on the page, or it was recognised.
    own: Option<Track>,
    /// The track's name in the track book.
    name_in_book: Option<String>,
    outline: Option<(TrackKey, Outline)>,
}

impl SessionTrack {
    /// The track of the next session, which may be the same: the outline stays.
    pub(super) fn of_next_session(&mut self) -> Self {
        let outline = self.outline.take().filter(|(track, _)| *track != TrackKey::default());
        Self { outline, ..Self::default() }
    }

    /// The track without the track book's name for it.
    pub(super) fn own(&self) -> Option<&Track> {
        self.own.as_ref()
    }

    /// Takes the track as the game sends it. Returns it as it is shown.
    pub(super) fn take(&mut self, sent: Option<Track>) -> Option<Track> {
        self.own = Track::or_recognised(sent, self.own.as_ref());
        self.shown()
    }

    /// Takes the track's name in the track book. Returns whether it is another one.
    pub(super) fn take_name_in_book(&mut self, name: Option<&str>) -> bool {
        let is_new = self.name_in_book.as_deref() != name;
        if is_new {
            self.name_in_book = name.map(str::to_owned);
        }
        is_new
    }

    /// The track as it is shown: a name in the track book goes before a recognised one, and stands for the game's id.
    pub(super) fn shown(&self) -> Option<Track> {
        let own = self.own.as_ref();
        let Some(name) = self.name_in_book.as_ref().filter(|_| !own.is_some_and(Track::is_named)) else {
            return own.cloned();
        };
        let id = own.filter(|own| own.recognised.is_none()).map_or(name, |own| &own.id);
        Some(Track { id: id.clone(), name: Some(name.clone()), recognised: None })
    }

    /// The outline, if it is that of the session's track.
    pub(super) fn outline(&self, info: Option<&SessionInfo>) -> Option<&Outline> {
        self.outline.as_ref().filter(|(track, _)| *track == TrackKey::of(info)).map(|(_, outline)| outline)
    }

    /// Takes an outline of the session's track, unless there is one.
    pub(super) fn take_outline(&mut self, info: Option<&SessionInfo>, outline: Outline) {
        if self.outline(info).is_none() && outline.is_whole() {
            self.outline = Some((TrackKey::of(info), outline));
        }
    }

    /// Learns the outline from a counted lap, unless there is one.
    pub(super) fn learn_outline(
        &mut self,
        info: Option<&SessionInfo>,
        lap: &Lap,
        columns: Option<&Columns>,
        is_stage: bool,
    ) {
        if self.outline(info).is_some() || lap.counts().is_none() {
            return;
        }
        if let Some(columns) = columns {
            self.take_outline(info, Outline::of(columns, !is_stage));
        }
    }

    /// Keeps the outline of the track with this key, which has another key now.
    pub(super) fn keep_outline(&mut self, before: &TrackKey, now: TrackKey) {
        if let Some((of, _)) = self.outline.as_mut().filter(|(of, _)| of == before) {
            *of = now;
        }
    }
}
