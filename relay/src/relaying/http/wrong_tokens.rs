//! Counts wrong tokens, and slows down the clients that try them. One client never slows down another.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use trailbrake_shared::number::count;

use crate::relaying::allowance::{Allowance, Rate};
use crate::relaying::device::Device;

/// Wrong tokens of one client: ten at once, and then six a minute.
const RATE: Rate = Rate { at_once: 10.0, per_second: 0.1 };
/// Most clients remembered; the one that tried nothing for longest makes room.
const MOST_CLIENTS: usize = 64;
/// Most letters remembered of a wrong token.
const LONGEST: usize = 64;
/// Least time between two lines in the terminal.
const QUIET: Duration = Duration::from_secs(600);

/// Where a request has its token. A page of another site can make a browser offer a link, but no cookie, so it never
/// slows down a tablet that is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Address,
    Cookie,
}

/// The wrong tokens since the page was opened to tablets.
#[derive(Debug, Default)]
pub(crate) struct WrongTokens {
    /// The client that tried last at the end.
    clients: Vec<Client>,
    tries: u64,
    last: Option<IpAddr>,
    logged: Option<Logged>,
}

#[derive(Debug)]
struct Client {
    device: Device,
    place: Place,
    allowance: Allowance,
    /// The latest one. A page left open repeats the token of an earlier link, which is no guess.
    token: String,
}

#[derive(Debug)]
struct Logged {
    tries: u64,
    at: Instant,
}

impl WrongTokens {
    /// Whether a client has to wait before its next token is looked at.
    pub(super) fn slows_down(&mut self, client: IpAddr, place: Place, now: Instant) -> bool {
        self.find(client, place).is_some_and(|client| !client.allowance.has_room(now))
    }

    /// Counts a wrong token. Returns a line for the terminal: the first soon, later ones seldom.
    pub(super) fn add(&mut self, ip: IpAddr, place: Place, token: &str, now: Instant) -> Option<String> {
        let token: String = token.chars().take(LONGEST).collect();
        let known = self.clients.iter().position(|known| known.is(ip, place));
        let mut client = match known {
            Some(known) => self.clients.remove(known),
            None => Client {
                device: Device::at(ip),
                place,
                allowance: Allowance::new(RATE, now),
                token: String::new(),
            },
        };
        let is_repeated = known.is_some() && client.token == token;
        if !is_repeated {
            client.allowance.take(now);
            client.token = token;
        }
        if self.clients.len() == MOST_CLIENTS {
            self.clients.remove(0);
        }
        self.clients.push(client);
        if is_repeated {
            return None;
        }
        self.tries = self.tries.saturating_add(1);
        self.last = Some(ip);
        self.line(ip, now)
    }

    /// How many there were, and where the latest came from.
    pub(crate) fn report(&self) -> (u64, Option<IpAddr>) {
        (self.tries, self.last)
    }

    fn line(&mut self, ip: IpAddr, now: Instant) -> Option<String> {
        let before = match &self.logged {
            Some(logged) if now.saturating_duration_since(logged.at) < QUIET => return None,
            logged => logged.as_ref().map_or(0, |logged| logged.tries),
        };
        self.logged = Some(Logged { tries: self.tries, at: now });
        let tries = count(self.tries - before, "wrong link", "wrong links");
        Some(format!("Links: {tries}, the last one from {ip}. A client that goes on is slowed down."))
    }

    fn find(&mut self, ip: IpAddr, place: Place) -> Option<&mut Client> {
        self.clients.iter_mut().find(|client| client.is(ip, place))
    }
}

impl Client {
    fn is(&self, ip: IpAddr, place: Place) -> bool {
        self.device == Device::at(ip) && self.place == place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUESSER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 7));

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn a_client_that_guesses_is_slowed_down_alone() {
        let (mut wrong, start) = (WrongTokens::default(), Instant::now());
        for guess in 0..10 {
            assert!(!wrong.slows_down(GUESSER, Place::Address, start), "{guess}");
            wrong.add(GUESSER, Place::Address, &guess.to_string(), start);
        }
        assert!(wrong.slows_down(GUESSER, Place::Address, start));
        assert!(!wrong.slows_down(GUESSER, Place::Cookie, start), "it may have the cookie already");
        assert!(!wrong.slows_down(ip("10.0.0.8"), Place::Address, start));
        assert!(wrong.slows_down(GUESSER, Place::Address, start + Duration::from_secs(9)));
        assert!(!wrong.slows_down(GUESSER, Place::Address, start + Duration::from_secs(11)));
        assert_eq!(wrong.report(), (10, Some(GUESSER)));
    }

    #[test]
    fn a_page_that_was_left_open_is_no_guesser() {
        let (mut wrong, start) = (WrongTokens::default(), Instant::now());
        for second in 0..3_600 {
            wrong.add(GUESSER, Place::Cookie, "old", start + Duration::from_secs(second));
        }
        assert_eq!(wrong.report().0, 1);
        assert!(!wrong.slows_down(GUESSER, Place::Cookie, start + Duration::from_secs(3_600)));
    }

    #[test]
    fn many_clients_take_little_memory() {
        let (mut wrong, start) = (WrongTokens::default(), Instant::now());
        for guess in 0..20_u8 {
            wrong.add(ip(&format!("2001:db8::{guess}")), Place::Address, &guess.to_string(), start);
        }
        assert_eq!(wrong.clients.len(), 1, "one network is one client");
        assert!(wrong.slows_down(ip("2001:db8::ffff"), Place::Address, start));
        for host in 0..200 {
            wrong.add(ip(&format!("10.0.1.{host}")), Place::Address, &"x".repeat(100_000), start);
        }
        assert_eq!(wrong.clients.len(), MOST_CLIENTS);
        assert!(wrong.clients.iter().all(|client| client.token.len() <= LONGEST));
        assert_eq!(wrong.report().0, 220);
    }

    #[test]
    fn the_terminal_gets_one_line_and_then_seldom() {
        let (mut wrong, start) = (WrongTokens::default(), Instant::now());
        let mut line = |guess: u64, second| {
            wrong.add(GUESSER, Place::Address, &guess.to_string(), start + Duration::from_secs(second))
        };
        let first = "Links: 1 wrong link, the last one from 10.0.0.7. A client that goes on is slowed down.";
        assert_eq!(line(0, 0).as_deref(), Some(first));
        assert!((1..=500).all(|guess| line(guess, 1).is_none()));
        let later = line(501, 601).expect("a line");
        assert!(later.contains("501 wrong links"), "{later}");
    }
}
