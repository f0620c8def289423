//! The options as texts of settings: what they set can't be changed on the page.

use std::collections::BTreeMap;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::settings::{HEARTBEATS, Setting, Texts};

use super::{GameAddress, Heartbeat, Options};

impl Options {
    /// The settings that these options set.
    pub(super) fn fixed(&self) -> Texts {
        let mut ports: BTreeMap<Feed, Vec<String>> = BTreeMap::new();
        for own in &self.port {
            ports.entry(own.feed).or_default().push(own.port.to_string());
        }
        let forwards: Vec<String> =
            self.forward.iter().map(|one| format!("{}={}", one.feed.id(), one.to)).collect();
        let heartbeat = self.heartbeat.and_then(|Heartbeat(wanted)| {
            HEARTBEATS.iter().find(|(_, letter)| *letter == wanted).map(|(name, _)| (*name).to_owned())
        });
        let texts = [
            (Setting::Forwards, (!forwards.is_empty()).then(|| forwards.join("\n"))),
            (Setting::Console, self.console.map(|ip| ip.to_string())),
            (Setting::Heartbeat, heartbeat),
            (Setting::AcGame, self.ac_game.map(|GameAddress(address)| address.to_string())),
            (Setting::AcServer, self.ac_server.map(|address| address.to_string())),
            (Setting::Record, self.no_record.map(|off| if off { "no" } else { "yes" }.to_owned())),
            (Setting::KeepGb, self.keep_gb.map(|gigabytes| gigabytes.to_string())),
            (Setting::KeepDays, self.keep_days.map(|days| days.to_string())),
        ];
        let ports = ports.into_iter().map(|(feed, ports)| (Setting::Ports(feed), Some(ports.join(", "))));
        let texts = texts.into_iter().chain(ports);
        texts.filter_map(|(setting, text)| Some((setting.id(), text?))).collect()
    }
}
