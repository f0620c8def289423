//! The values of settings, read from their texts.

use core::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::collections::BTreeMap;

use trailbrake_model::number;

use super::{
    ForwardTarget, Problem, Setting, Texts, TyreLayer, TyreWindows, comes_back, parse, with_current_ids,
};
use crate::TalkOptions;
use crate::feed::Feed;

/// All settings of a driver.
#[derive(Clone, Debug, PartialEq)]
pub struct DriverSettings {
    /// Who writes notes and tasks; empty if not set.
    pub author: String,
    /// Whether the driver rates corners before times are shown.
    pub debrief_first: bool,
    /// Degrees from lock to lock, where the driver set them.
    pub steering_deg: BTreeMap<Feed, f64>,
    /// The windows of tyre temperatures.
    pub tyres: TyreWindows,
    /// The ports of feeds, where they are not the usual ones.
    pub ports: BTreeMap<Feed, Vec<u16>>,
    /// What games that send only on request are asked, and where, as far as the driver set it.
    pub talks: BTreeMap<Feed, TalkOptions>,
    /// Targets of forwarding.
    pub forwards: Vec<ForwardTarget>,
    /// Whether games are recorded.
    pub record: bool,
    /// How many gigabytes of recordings are kept; `None` for all.
    pub keep_gb: Option<f64>,
    /// For how many days recordings are kept; `None` for ever.
    pub keep_days: Option<u32>,
}

impl Default for DriverSettings {
    fn default() -> Self {
        Self {
            author: String::new(),
            debrief_first: false,
            steering_deg: BTreeMap::new(),
            tyres: TyreWindows::default(),
            ports: BTreeMap::new(),
            talks: BTreeMap::new(),
            forwards: Vec::new(),
            record: true,
            keep_gb: None,
            keep_days: None,
        }
    }
}

impl DriverSettings {
    /// Reads settings. Those that can't be read stay at their defaults and are listed.
    pub fn read(texts: &Texts) -> (Self, Vec<Problem>) {
        let (mut settings, mut problems) = (Self::default(), Vec::new());
        // An id of an earlier version counts where the current one has no text.
        let is_replaced = |id: &String| {
            let now = Setting::current_id(id);
            now != *id && texts.contains_key(&now)
        };
        for (id, text) in texts.iter().filter(|(id, _)| !is_replaced(id)) {
            let set = match Setting::of_id(id) {
                Some(setting) => settings.set(setting, text),
                None => Err("There is no such setting.".to_owned()),
            };
            problems.extend(set.err().map(|words| Problem { setting: id.clone(), words }));
        }
        (settings, problems)
    }

    /// What is wrong with changes to settings, in themselves and together with the other settings. `here` are this
    /// machine's addresses, as far as they are known.
    pub fn problems(before: &Texts, changes: &Texts, here: &[IpAddr]) -> Vec<Problem> {
        let mut texts = with_current_ids(before.clone());
        texts.extend(with_current_ids(changes.clone()));
        // As the change names it: under a current id or an older one.
        let name_of: BTreeMap<String, &String> =
            changes.keys().map(|id| (Setting::current_id(id), id)).collect();
        let (settings, mut problems) = Self::read(&texts);
        problems.extend(settings.conflicts(here).into_iter().filter_map(|(involved, words)| {
            let is_changed = |setting: &&Setting| name_of.contains_key(&setting.id());
            involved.iter().find(is_changed).map(|setting| Problem::new(*setting, words))
        }));
        problems.retain_mut(|problem| match name_of.get(&problem.setting) {
            Some(name) => {
                problem.setting.clone_from(name);
                true
            }
            None => false,
        });
        // Games that share a port say the same.
        problems.dedup();
        problems
    }

    /// Sets a setting from its text. An empty one means the default.
    pub fn set(&mut self, setting: Setting, text: &str) -> Result<(), String> {
        let text = text.trim();
        let is_default = text.is_empty();
        let given = || (!is_default).then_some(text);
        match setting {
            Setting::Author => self.author = parse::name(text)?,
            Setting::DebriefFirst => self.debrief_first = !is_default && parse::yes_or_no(text)?,
            Setting::Steering(feed) => {
                let degrees =
                    given().map(|text| parse::number_from(text, [30.0, 2000.0], "degrees")).transpose()?;
                replace(&mut self.steering_deg, feed, degrees);
            }
            Setting::Tyre(layer, is_upper) => {
                let celsius = |text| parse::number_from(text, [-50.0, 300.0], "a temperature, in °C,");
                self.tyres.set_end(layer, is_upper, given().map(celsius).transpose()?);
            }
            Setting::Ports(feed) => {
                let ports = parse::ports(text)?;
                replace(&mut self.ports, feed, (!ports.is_empty()).then_some(ports));
            }
            Setting::Talk(feed, setting) => {
                let mut options = self.talk_of(feed);
                (setting.set)(&mut options, given())?;
                replace(&mut self.talks, feed, (options != TalkOptions::default()).then_some(options));
            }
            Setting::Forwards => self.forwards = parse::forwards(text)?,
            Setting::Record => self.record = is_default || parse::yes_or_no(text)?,
            Setting::KeepGb => {
                let above_zero = |text: &str| number::read(text).filter(|gigabytes| *gigabytes > 0.0);
                let read = |text| above_zero(text).ok_or("Enter gigabytes, a number above 0.");
                self.keep_gb = given().map(read).transpose()?;
            }
            Setting::KeepDays => {
                let above_zero = |text: &str| text.parse::<u32>().ok().filter(|days| *days > 0);
                let read = |text| above_zero(text).ok_or("Enter days, a whole number above 0.");
                self.keep_days = given().map(read).transpose()?;
            }
        }
        Ok(())
    }

    /// Conflicting settings: those involved, the one to change first, and why.
    fn conflicts(&self, here: &[IpAddr]) -> Vec<(Vec<Setting>, String)> {
        let mut conflicts = Vec::new();
        for layer in TyreLayer::ALL {
            let ends = [true, false].map(|is_upper| Setting::Tyre(layer, is_upper));
            let words = match [false, true].map(|is_upper| self.tyres.end(layer, is_upper)) {
                [Some(from), Some(to)] if from >= to => "The window ends above where it begins.",
                [Some(_), None] | [None, Some(_)] => "A window has two ends: enter both, or none.",
                _ => continue,
            };
            conflicts.push((ends.to_vec(), words.to_owned()));
        }
        for (feed, port) in self.all_ports() {
            if port == 0 {
                conflicts.push((vec![Setting::Ports(feed)], "No game can send to port 0.".to_owned()));
            }
            let own = SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), port);
            if let Some(target) = self.forwards.iter().find(|target| comes_back(target.to, own, here)) {
                let words = format!(
                    "Packets sent to {} would come back: Trailbrake itself listens on port {port}. \
                     Give the port of the other program.",
                    target.to,
                );
                conflicts.push((vec![Setting::Forwards, Setting::Ports(feed)], words));
            }
        }
        conflicts
    }

    /// Every feed with each of its ports.
    fn all_ports(&self) -> impl Iterator<Item = (Feed, u16)> {
        let feeds = Setting::all().filter_map(|setting| match setting {
            Setting::Ports(feed) => Some(feed),
            _ => None,
        });
        feeds.flat_map(|feed| self.ports_of(feed).iter().map(move |port| (feed, *port)))
    }

    /// The ports of a feed.
    pub fn ports_of(&self, feed: Feed) -> &[u16] {
        self.ports.get(&feed).map_or(feed.info().ports, Vec::as_slice)
    }

    /// What the driver set for the game that a feed asks.
    pub fn talk_of(&self, feed: Feed) -> TalkOptions {
        self.talks.get(&feed).copied().unwrap_or_default()
    }
}

/// Sets or removes the value of a feed.
fn replace<T>(values: &mut BTreeMap<Feed, T>, feed: Feed, value: Option<T>) {
    match value {
        Some(value) => drop(values.insert(feed, value)),
        None => drop(values.remove(&feed)),
    }
}
