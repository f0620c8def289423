//! Finds consoles: they answer a search on the network, awake or in standby.

use core::net::IpAddr;
use std::collections::BTreeMap;

use trailbrake_model::time::Micros;

use super::heartbeat::Pace;

/// The consoles' port for searches.
pub(super) const PORT: u16 = 9302;
/// The search message.
pub(super) const SEARCH: &str = "SRCH * HTTP/1.1\ndevice-discovery-protocol-version:00030010";

/// Seconds between searches.
const SEARCH_S: f64 = 3.2;
/// Seconds between searches while no console seems to be there.
const RARE_SEARCH_S: f64 = 10.0;
/// A console without an answer for this many seconds is removed.
const GONE_S: f64 = 12.0;
/// A limit above the number of consoles in any home: more answers do not come from consoles.
const MOST: usize = 16;

/// A console that answered.
#[derive(Clone, Debug)]
struct Console {
    awake: bool,
    /// PS4 or PS5.
    kind: String,
    answered_at: Micros,
}

/// Searches for consoles and stores the answers.
#[derive(Debug, Default)]
pub(super) struct Finder {
    searched: Option<Micros>,
    consoles: BTreeMap<IpAddr, Console>,
}

impl Finder {
    /// Whether a search is due; if so, the search counts as done.
    pub(super) fn due(&mut self, now: Micros, pace: Pace) -> bool {
        let every_s = match pace {
            Pace::Usual => SEARCH_S,
            Pace::Rare => RARE_SEARCH_S,
        };
        let due = self.searched.is_none_or(|searched| now.seconds_since(searched) >= every_s);
        if due {
            self.searched = Some(now);
        }
        due
    }

    /// Whether any console has answered recently.
    pub(super) fn knows_any(&self) -> bool {
        !self.consoles.is_empty()
    }

    /// Processes a datagram; returns whether it was an answer to a search.
    pub(super) fn receive(&mut self, now: Micros, from: IpAddr, datagram: &[u8]) -> bool {
        let Some(answer) = datagram.strip_prefix(b"HTTP/1.1 ") else { return false };
        let answer = String::from_utf8_lossy(answer);
        let awake = match answer.get(..3) {
            Some("200") => true,
            Some("620") => false,
            _ => return true,
        };
        let kind = answer.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.trim().eq_ignore_ascii_case("host-type").then(|| value.trim())
        });
        let kind: String =
            kind.unwrap_or_default().chars().filter(char::is_ascii_alphanumeric).take(8).collect();
        if self.consoles.len() < MOST || self.consoles.contains_key(&from) {
            self.consoles.insert(from, Console { awake, kind, answered_at: now });
        }
        true
    }

    /// Removes consoles that have not answered recently.
    pub(super) fn forget_silent(&mut self, now: Micros) {
        self.consoles.retain(|_, console| now.seconds_since(console.answered_at) < GONE_S);
    }

    /// The consoles that are on.
    pub(super) fn awake(&self) -> impl Iterator<Item = IpAddr> {
        self.consoles.iter().filter(|(_, console)| console.awake).map(|(address, _)| *address)
    }

    /// The console that is on, if it is the only one.
    pub(super) fn only_awake(&self) -> Option<IpAddr> {
        let mut awake = self.awake();
        match (awake.next(), awake.next()) {
            (only, None) => only,
            _ => None,
        }
    }

    /// A console in standby, if none is on.
    pub(super) fn standby(&self) -> Option<IpAddr> {
        if self.awake().next().is_some() {
            return None;
        }
        self.consoles.keys().next().copied()
    }

    /// Whether a console has answered that it is on.
    pub(super) fn is_awake(&self, address: IpAddr) -> bool {
        self.consoles.get(&address).is_some_and(|console| console.awake)
    }

    /// The console's name in messages.
    pub(super) fn called(&self, address: IpAddr) -> String {
        match self.consoles.get(&address).map(|console| console.kind.as_str()) {
            Some(kind) if !kind.is_empty() => format!("the {kind} at {address}"),
            _ => format!("the console at {address}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: IpAddr = IpAddr::V4(core::net::Ipv4Addr::new(192, 168, 1, 20));

    fn answered(text: &str) -> Finder {
        let mut finder = Finder::default();
        assert!(finder.receive(Micros(0), ADDRESS, text.as_bytes()));
        finder
    }

    #[test]
    fn answers_say_who_is_on_and_who_is_in_standby() {
        let on = answered("HTTP/1.1 200 Ok\nhost-id:1234\nhost-type:PS5\nhost-name:Rig\n");
        assert_eq!((on.only_awake(), on.standby()), (Some(ADDRESS), None));
        assert_eq!(on.called(ADDRESS), "the PS5 at 192.168.1.20");
        let off = answered("HTTP/1.1 620 Server Standby\r\nHost-Type: PS4\r\n");
        assert_eq!((off.only_awake(), off.standby()), (None, Some(ADDRESS)));
        assert_eq!(off.called(ADDRESS), "the PS4 at 192.168.1.20");
        assert_eq!(answered("HTTP/1.1 404 No\n").called(ADDRESS), "the console at 192.168.1.20");
    }

    #[test]
    fn what_is_no_answer_is_left_to_others() {
        assert!(!Finder::default().receive(Micros(0), ADDRESS, b"0S7G"));
        for torn in ["HTTP/1.1 ", "HTTP/1.1 2", "HTTP/1.1 é"] {
            assert_eq!(answered(torn).standby(), None);
        }
    }

    #[test]
    fn the_silent_are_forgotten() {
        let mut finder = answered("HTTP/1.1 200 Ok\n");
        finder.forget_silent(Micros(11_000_000));
        assert!(finder.is_awake(ADDRESS));
        finder.forget_silent(Micros(12_000_000));
        assert!(!finder.is_awake(ADDRESS));
    }
}
