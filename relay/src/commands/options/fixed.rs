//! The options as texts of settings: what they set can't be changed on the page.

use std::collections::BTreeMap;

use trailbrake_shared::feed::{
    AC_GAME_ADDRESS, AC_SERVER_ADDRESS, ANY_HEARTBEAT, CONSOLE_ADDRESS, Feed, HEARTBEAT,
};
use trailbrake_shared::settings::{Setting, Texts};

use super::{GameAddress, Heartbeat, Options};

/// The settings that options set.
pub(super) fn fixed_texts(options: &Options) -> Texts {
    let mut ports: BTreeMap<Feed, Vec<String>> = BTreeMap::new();
    for own in &options.port {
        ports.entry(own.feed).or_default().push(own.port.to_string());
    }
    let forwards: Vec<String> =
        options.forward.iter().map(|one| format!("{}={}", one.feed.id(), one.to)).collect();
    let heartbeat =
        |Heartbeat(letter): Heartbeat| letter.map_or_else(|| ANY_HEARTBEAT.to_owned(), String::from);
    let texts = [
        (Setting::Forwards.id(), (!forwards.is_empty()).then(|| forwards.join("\n"))),
        (CONSOLE_ADDRESS.id.to_owned(), options.console.map(|ip| ip.to_string())),
        (HEARTBEAT.id.to_owned(), options.heartbeat.map(heartbeat)),
        (AC_GAME_ADDRESS.id.to_owned(), options.ac_game.map(|GameAddress(address)| address.to_string())),
        (AC_SERVER_ADDRESS.id.to_owned(), options.ac_server.map(|address| address.to_string())),
        (Setting::Record.id(), options.no_record.map(|off| if off { "no" } else { "yes" }.to_owned())),
        (Setting::KeepGb.id(), options.keep_gb.map(|gigabytes| gigabytes.to_string())),
        (Setting::KeepDays.id(), options.keep_days.map(|days| days.to_string())),
    ];
    let ports = ports.into_iter().map(|(feed, ports)| (Setting::Ports(feed).id(), Some(ports.join(", "))));
    let texts = texts.into_iter().chain(ports);
    texts.filter_map(|(id, text)| Some((id, text?))).collect()
}
