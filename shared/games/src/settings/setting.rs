//! The table of settings: what the page shows of each, how its text is read, and what it sets.

use std::borrow::Cow;

use super::values::replace;
use super::{DriverSettings, Section, TyreLayer, parse};
use crate::TalkOptions;
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

/// The row of a setting.
struct Row {
    /// Its id in files and requests.
    id: Cow<'static, str>,
    section: Section,
    label: &'static str,
    /// What to write into it; empty if the label says it.
    hint: Cow<'static, str>,
    /// Its choices where it is no text: the text of each, and its name. The first is the default.
    choices: &'static [(&'static str, &'static str)],
    set: Set,
}

/// What the text of a setting sets; `None` is the default.
enum Set {
    Plain(fn(&mut DriverSettings, Option<&str>) -> Result<(), String>),
    OfGame(Feed, fn(&mut DriverSettings, Feed, Option<&str>) -> Result<(), String>),
    OfTyre(TyreLayer, bool),
    OfTalk(Feed, &'static TalkSetting),
}

impl Row {
    /// A setting that is a text without a hint.
    fn new(id: impl Into<Cow<'static, str>>, section: Section, label: &'static str, set: Set) -> Self {
        Self { id: id.into(), section, label, hint: "".into(), choices: &[], set }
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

    /// The settings of a section, in order.
    pub fn of_section(section: Section) -> Vec<Self> {
        Self::all().filter(|setting| setting.section() == section).collect()
    }

    fn row(self) -> Row {
        match self {
            Self::Author => Row::new(
                "author",
                Section::Author,
                "Name",
                Set::Plain(|settings, text| {
                    settings.author = text.map(parse::name).transpose()?.unwrap_or_default();
                    Ok(())
                }),
            ),
            Self::DebriefFirst => Row {
                choices: &[("no", "Off"), ("yes", "On")],
                ..Row::new(
                    "debrief-first",
                    Section::Debrief,
                    "Rate corners first",
                    Set::Plain(|settings, text| {
                        settings.debrief_first = text.map_or(Ok(false), parse::yes_or_no)?;
                        Ok(())
                    }),
                )
            },
            Self::Steering(feed) => Row::new(
                format!("steering.{}", feed.id()),
                Section::Steering,
                feed.info().game,
                Set::OfGame(feed, |settings, feed, text| {
                    let degrees = text.map(|text| parse::number_from(text, [30.0, 2000.0], "degrees"));
                    replace(&mut settings.steering_deg, feed, degrees.transpose()?);
                    Ok(())
                }),
            ),
            Self::Tyre(layer, is_upper) => {
                let (id, label, hint) = match (layer, is_upper) {
                    (TyreLayer::Surface, false) => {
                        ("tyre-surface-from", "Surface, from", "Empty: 75 to 102 °C.")
                    }
                    (TyreLayer::Surface, true) => ("tyre-surface-to", "Surface, to", ""),
                    (TyreLayer::Inside, false) => (
                        "tyre-inside-from",
                        "Inside, from",
                        "Also for games that send one temperature. Empty: not judged.",
                    ),
                    (TyreLayer::Inside, true) => ("tyre-inside-to", "Inside, to", ""),
                };
                Row { hint: hint.into(), ..Row::new(id, Section::Tyres, label, Set::OfTyre(layer, is_upper)) }
            }
            Self::Ports(feed) => {
                let usual: Vec<String> = feed.info().ports.iter().map(ToString::to_string).collect();
                let set = |settings: &mut DriverSettings, feed, text: Option<&str>| {
                    let ports = text.map(parse::ports).transpose()?.filter(|ports| !ports.is_empty());
                    replace(&mut settings.ports, feed, ports);
                    Ok(())
                };
                Row {
                    hint: format!("Empty: {}.", usual.join(" and ")).into(),
                    ..Row::new(
                        format!("port.{}", feed.id()),
                        Section::Ports,
                        feed.info().game,
                        Set::OfGame(feed, set),
                    )
                }
            }
            Self::Talk(feed, setting) => Row {
                hint: setting.hint.into(),
                choices: setting.choices,
                ..Row::new(setting.id, Section::Requests, setting.label, Set::OfTalk(feed, setting))
            },
            Self::Forwards => Row::new(
                "forward",
                Section::Forwarding,
                "Targets",
                Set::Plain(|settings, text| {
                    settings.forwards = text.map(parse::forwards).transpose()?.unwrap_or_default();
                    Ok(())
                }),
            ),
            Self::Record => Row {
                choices: &[("yes", "On"), ("no", "Off")],
                ..Row::new(
                    "record",
                    Section::Recording,
                    "Record games",
                    Set::Plain(|settings, text| {
                        settings.record = text.map_or(Ok(true), parse::yes_or_no)?;
                        Ok(())
                    }),
                )
            },
            Self::KeepGb => Row {
                hint: "The bin goes first, then the oldest without a tag or a note. Empty: no limit.".into(),
                ..Row::new(
                    "keep-gb",
                    Section::Recording,
                    "Keep at most, GB",
                    Set::Plain(|settings, text| {
                        settings.keep_gb = text.map(parse::gigabytes).transpose()?;
                        Ok(())
                    }),
                )
            },
            Self::KeepDays => Row {
                hint: "Recordings with a tag or a note stay. Empty: no limit.".into(),
                ..Row::new(
                    "keep-days",
                    Section::Recording,
                    "Keep for, days",
                    Set::Plain(|settings, text| {
                        settings.keep_days = text.map(parse::days).transpose()?;
                        Ok(())
                    }),
                )
            },
        }
    }

    /// Sets what the text of this setting says. An empty one means the default.
    pub fn set(self, settings: &mut DriverSettings, text: &str) -> Result<(), String> {
        let text = Some(text.trim()).filter(|text| !text.is_empty());
        match self.row().set {
            Set::Plain(set) => set(settings, text),
            Set::OfGame(feed, set) => set(settings, feed, text),
            Set::OfTyre(layer, is_upper) => {
                settings.tyres.set_end(layer, is_upper, text.map(parse::celsius).transpose()?);
                Ok(())
            }
            Set::OfTalk(feed, setting) => {
                let mut options = settings.talk_of(feed);
                (setting.set)(&mut options, text)?;
                let is_usual = options == TalkOptions::default();
                replace(&mut settings.talks, feed, (!is_usual).then_some(options));
                Ok(())
            }
        }
    }

    /// Its id in files and requests.
    pub fn id(self) -> String {
        self.row().id.into_owned()
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

    /// Its label.
    pub fn label(self) -> &'static str {
        self.row().label
    }

    /// What to write into it; empty if the label says it.
    pub fn hint(self) -> String {
        self.row().hint.into_owned()
    }

    /// Its section.
    pub fn section(self) -> Section {
        self.row().section
    }

    /// Its choices where it is no text: the text of each, and its name.
    pub fn choices(self) -> &'static [(&'static str, &'static str)] {
        self.row().choices
    }
}
