//! The table of settings: what the page shows of each.

use super::TyreLayer;
use crate::feed::{FEEDS, Feed, TalkSetting};

/// A setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Setting {
    /// Who writes notes and tasks.
    Author,
    /// Whether the driver rates corners before times are shown.
    DebriefFirst,
    /// How far the wheel turns from lock to lock, for a game that sends only a share of it.
    Steering(Feed),
    /// An end of a tyre layer's temperature window; the upper one if true.
    Tyre(TyreLayer, bool),
    /// The ports at which a game's packets are received.
    Ports(Feed),
    /// What a game that sends only on request is asked, and where.
    Talk(Feed, &'static TalkSetting),
    /// Where packets are forwarded to.
    Forwards,
    /// Whether games are recorded.
    Record,
    /// How many gigabytes of recordings are kept.
    KeepGb,
    /// For how many days recordings are kept.
    KeepDays,
}

/// A section of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The author.
    Author,
    /// What is asked before times are shown.
    Debrief,
    /// Steering ranges.
    Steering,
    /// Tyre windows.
    Tyres,
    /// UDP ports.
    Ports,
    /// Games that send only on request.
    Requests,
    /// Forwarding.
    Forwarding,
    /// What is recorded, and for how long.
    Recording,
}

impl Section {
    /// All sections, in the order of the page.
    pub const ALL: [Self; 8] = [
        Self::Author,
        Self::Debrief,
        Self::Steering,
        Self::Tyres,
        Self::Ports,
        Self::Requests,
        Self::Forwarding,
        Self::Recording,
    ];

    /// Its title and one sentence about it, and whether only the relay's owner sees it.
    const fn row(self) -> (&'static str, &'static str, bool) {
        match self {
            Self::Author => ("Author", "Signs your notes and tasks.", false),
            Self::Debrief => (
                "Debrief",
                "What you felt is worth most before you know the times: Analyse asks for it, and your coach sees it.",
                false,
            ),
            Self::Steering => (
                "Steering range",
                "Degrees from lock to lock. These games send only how much of that is turned; without it, steering is shown in per cent.",
                false,
            ),
            Self::Tyres => (
                "Tyre windows",
                "The temperatures at which your tyres work, in °C. No game sends them.",
                false,
            ),
            Self::Ports => ("Ports", "Where games send to, over UDP. Set the same port in the game.", true),
            Self::Requests => ("Games that send on request", "", true),
            Self::Forwarding => (
                "Forwarding",
                "Passes a game's packets on to another program, unchanged: a game sends to one only.",
                true,
            ),
            Self::Recording => ("Recording", "", true),
        }
    }

    /// Its title.
    pub const fn title(self) -> &'static str {
        self.row().0
    }

    /// One sentence about it; empty if it needs none.
    pub const fn lead(self) -> &'static str {
        self.row().1
    }

    /// Whether it is about the relay, and so for its owner alone.
    pub const fn is_of_relay(self) -> bool {
        self.row().2
    }

    /// Its settings, in order.
    pub fn settings(self) -> Vec<Setting> {
        Setting::all().filter(|setting| setting.section() == self).collect()
    }
}

impl Setting {
    /// All settings, in the order of the page.
    pub fn all() -> impl Iterator<Item = Self> {
        let tyres =
            TyreLayer::ALL.into_iter().flat_map(|layer| [false, true].map(|is| Self::Tyre(layer, is)));
        let steering = FEEDS.iter().filter(|row| row.steering_is_share).map(|row| Self::Steering(row.feed));
        let ports = FEEDS.iter().filter(|row| !row.ports.is_empty()).map(|row| Self::Ports(row.feed));
        let talks = FEEDS
            .iter()
            .flat_map(|row| row.talk_settings.iter().map(|setting| Self::Talk(row.feed, setting)));
        [Self::Author, Self::DebriefFirst]
            .into_iter()
            .chain(steering)
            .chain(tyres)
            .chain(ports)
            .chain(talks)
            .chain([Self::Forwards, Self::Record, Self::KeepGb, Self::KeepDays])
    }

    /// Its id in files and requests.
    pub fn id(self) -> String {
        match self {
            Self::Steering(feed) => format!("steering.{}", feed.id()),
            Self::Ports(feed) => format!("port.{}", feed.id()),
            Self::Talk(_, setting) => setting.id.to_owned(),
            _ => self.row().0.to_owned(),
        }
    }

    /// The setting with an id.
    pub fn of_id(id: &str) -> Option<Self> {
        if let Some(feed) = id.strip_prefix("port.").and_then(Feed::from_id) {
            return feed.info().networked.then_some(Self::Ports(feed));
        }
        if let Some(feed) = id.strip_prefix("steering.").and_then(Feed::from_id) {
            return feed.info().steering_is_share.then_some(Self::Steering(feed));
        }
        Self::all().find(|setting| setting.id() == id)
    }

    /// The current id of the setting with an id, which may be one of an earlier version; unknown ids stay as they are.
    pub fn current_id(id: &str) -> String {
        Self::of_id(id).map_or_else(|| id.to_owned(), Self::id)
    }

    /// Its id where that names no game, its label, a hint, and its section.
    const fn row(self) -> (&'static str, &'static str, &'static str, Section) {
        match self {
            Self::Author => ("author", "Name", "", Section::Author),
            Self::DebriefFirst => ("debrief-first", "Rate corners first", "", Section::Debrief),
            Self::Steering(_) => ("", "", "", Section::Steering),
            Self::Tyre(TyreLayer::Surface, false) => {
                ("tyre-surface-from", "Surface, from", "Empty: 75 to 102 °C.", Section::Tyres)
            }
            Self::Tyre(TyreLayer::Surface, true) => ("tyre-surface-to", "Surface, to", "", Section::Tyres),
            Self::Tyre(TyreLayer::Inside, false) => (
                "tyre-inside-from",
                "Inside, from",
                "Also for games that send one temperature. Empty: not judged.",
                Section::Tyres,
            ),
            Self::Tyre(TyreLayer::Inside, true) => ("tyre-inside-to", "Inside, to", "", Section::Tyres),
            Self::Ports(_) => ("", "", "", Section::Ports),
            Self::Talk(..) => ("", "", "", Section::Requests),
            Self::Forwards => ("forward", "Targets", "", Section::Forwarding),
            Self::Record => ("record", "Record games", "", Section::Recording),
            Self::KeepGb => (
                "keep-gb",
                "Keep at most, GB",
                "The bin goes first, then the oldest without a tag or a note. Empty: no limit.",
                Section::Recording,
            ),
            Self::KeepDays => (
                "keep-days",
                "Keep for, days",
                "Recordings with a tag or a note stay. Empty: no limit.",
                Section::Recording,
            ),
        }
    }

    /// Its label.
    pub fn label(self) -> &'static str {
        match self {
            Self::Steering(feed) | Self::Ports(feed) => feed.info().game,
            Self::Talk(_, setting) => setting.label,
            _ => self.row().1,
        }
    }

    /// What to write into it; empty if the label says it.
    pub fn hint(self) -> String {
        match self {
            Self::Ports(feed) => {
                let usual: Vec<String> = feed.info().ports.iter().map(ToString::to_string).collect();
                format!("Empty: {}.", usual.join(" and "))
            }
            Self::Talk(_, setting) => setting.hint.to_owned(),
            _ => self.row().2.to_owned(),
        }
    }

    /// Its section.
    pub const fn section(self) -> Section {
        self.row().3
    }

    /// Its choices where it is no text: the text of each, and its name.
    pub fn choices(self) -> Vec<(&'static str, &'static str)> {
        match self {
            Self::Talk(_, setting) => setting.choices.to_vec(),
            Self::DebriefFirst => vec![("no", "Off"), ("yes", "On")],
            Self::Record => vec![("yes", "On"), ("no", "Off")],
            _ => Vec::new(),
        }
    }
}
