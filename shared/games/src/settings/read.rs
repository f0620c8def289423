//! Reads settings from their texts, and says what is wrong with them, in themselves and together.

use core::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::collections::BTreeMap;

use super::{DriverSettings, Problem, Setting, Texts, TyreLayer, comes_back, with_current_ids};
use crate::feed::Feed;

/// Reads settings. Those that can't be read stay at their defaults and are listed.
pub fn read(texts: &Texts) -> (DriverSettings, Vec<Problem>) {
    let (mut settings, mut problems) = (DriverSettings::default(), Vec::new());
    // An id of an earlier version counts where the current one has no text.
    let is_replaced = |id: &String| {
        let now = Setting::current_id(id);
        now != *id && texts.contains_key(&now)
    };
    for (id, text) in texts.iter().filter(|(id, _)| !is_replaced(id)) {
        let set = match Setting::of_id(id) {
            Some(setting) => setting.set(&mut settings, text),
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
    let name_of: BTreeMap<String, &String> = changes.keys().map(|id| (Setting::current_id(id), id)).collect();
    let (settings, mut problems) = read(&texts);
    problems.extend(conflicts(&settings, here).into_iter().filter_map(|(involved, words)| {
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

/// Conflicting settings: those involved, the one to change first, and why.
fn conflicts(settings: &DriverSettings, here: &[IpAddr]) -> Vec<(Vec<Setting>, String)> {
    let mut conflicts = Vec::new();
    for layer in TyreLayer::ALL {
        let ends = [true, false].map(|is_upper| Setting::Tyre(layer, is_upper));
        let words = match [false, true].map(|is_upper| settings.tyres.end(layer, is_upper)) {
            [Some(from), Some(to)] if from >= to => "The window ends above where it begins.",
            [Some(_), None] | [None, Some(_)] => "A window has two ends: enter both, or none.",
            _ => continue,
        };
        conflicts.push((ends.to_vec(), words.to_owned()));
    }
    for (feed, port) in all_ports(settings) {
        if port == 0 {
            conflicts.push((vec![Setting::Ports(feed)], "No game can send to port 0.".to_owned()));
        }
        let own = SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), port);
        if let Some(target) = settings.forwards.iter().find(|target| comes_back(target.to, own, here)) {
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
fn all_ports(settings: &DriverSettings) -> impl Iterator<Item = (Feed, u16)> {
    let feeds = Setting::all().filter_map(|setting| match setting {
        Setting::Ports(feed) => Some(feed),
        _ => None,
    });
    feeds.flat_map(|feed| settings.ports_of(feed).iter().map(move |port| (feed, *port)))
}
