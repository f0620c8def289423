//! Decides when to connect, when to wait and when to give up: a state machine without socket and clock.

/// The first wait after a lost connection.
const FIRST_WAIT_MS: f64 = 250.0;
/// The longest wait. Waits double up to it.
const LONGEST_WAIT_MS: f64 = 5_000.0;
/// Waits vary at random by this fraction, so that many tablets do not reconnect at once.
const JITTER: f64 = 0.2;
/// How long an attempt may stay unanswered before it is given up.
const OPEN_LIMIT_MS: f64 = 5_000.0;
/// The relay sends twice a second; after this long without a message the connection is dead.
const SILENCE_LIMIT_MS: f64 = 5_000.0;

/// The state of the link.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Connecting {
        since: f64,
    },
    /// The last message arrived at `received`.
    Connected {
        received: f64,
    },
    Waiting {
        until: f64,
    },
    Outdated,
}

/// What to do with the socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Do nothing.
    Rest,
    /// Open a new connection, dropping any old one.
    Open,
    /// Close the connection for good.
    Close,
}

/// The state of the link as the page shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// The first attempt, before there was any connection.
    Connecting,
    /// Messages arrive.
    Connected,
    /// The connection is lost, and the page tries again.
    Reconnecting {
        /// Seconds to the next attempt, rounded up; 0 while it is made.
        seconds: u32,
    },
    /// The relay has no seat for this page, for this reason. The page tries again.
    TurnedAway(String),
    /// The relay has another version than this page.
    Outdated,
}

/// The state machine of the connection. Times are in milliseconds of the page; `chance` is a random number from 0 to 1.
#[derive(Debug)]
pub(crate) struct Machine {
    state: State,
    /// Attempts in a row without a message.
    failures: i32,
    /// Whether there has ever been a connection.
    met: bool,
    /// Why the relay turned the latest attempt away.
    turned_away: Option<String>,
}

impl Machine {
    /// A connection whose first attempt begins now.
    pub(crate) fn new(now: f64) -> Self {
        Self { state: State::Connecting { since: now }, failures: 0, met: false, turned_away: None }
    }

    /// A message arrived. Only then does the link count as connected: a relay may accept a connection and close it at
    /// once.
    pub(crate) fn received(&mut self, now: f64) {
        if self.state != State::Outdated {
            self.state = State::Connected { received: now };
            self.failures = 0;
            self.met = true;
            self.turned_away = None;
        }
    }

    /// The connection broke, or was refused.
    pub(crate) fn broke(&mut self, now: f64, chance: f64) {
        self.turned_away = None;
        if matches!(self.state, State::Connecting { .. } | State::Connected { .. }) {
            let wait = (FIRST_WAIT_MS * 2f64.powi(self.failures)).min(LONGEST_WAIT_MS);
            self.failures = (self.failures + 1).min(30);
            self.state = State::Waiting { until: now + wait * (1.0 + JITTER * (2.0 * chance - 1.0)) };
        }
    }

    /// The relay has no seat for this page. Further attempts don't change what is shown until one has an outcome.
    pub(crate) fn turned_away(&mut self, reason: String, now: f64, chance: f64) {
        self.broke(now, chance);
        self.turned_away = Some(reason);
    }

    /// The relay has another version: only a reload helps.
    pub(crate) fn outdated(&mut self) -> Order {
        self.state = State::Outdated;
        Order::Close
    }

    /// The page is visible again, or the network is back: connects now instead of waiting on.
    pub(crate) fn retry(&mut self, now: f64) -> Order {
        match self.state {
            State::Waiting { .. } => self.reconnect(now),
            _ => Order::Rest,
        }
    }

    /// The device slept: connects again, since the old connection is dead or holds outdated messages.
    pub(crate) fn reconnect(&mut self, now: f64) -> Order {
        if self.state == State::Outdated {
            return Order::Rest;
        }
        (self.state, self.failures) = (State::Connecting { since: now }, 0);
        Order::Open
    }

    /// Handles the passing of time; call it several times a second.
    pub(crate) fn tick(&mut self, now: f64, chance: f64) -> Order {
        match self.state {
            State::Connecting { since } if now - since > OPEN_LIMIT_MS => {
                self.broke(now, chance);
                Order::Close
            }
            State::Connected { received } if now - received > SILENCE_LIMIT_MS => {
                self.broke(now, chance);
                Order::Close
            }
            State::Waiting { until } if now >= until => {
                self.state = State::Connecting { since: now };
                Order::Open
            }
            _ => Order::Rest,
        }
    }

    /// The state of the link as the page shows it.
    pub(crate) fn shown(&self, now: f64) -> Shown {
        match self.state {
            State::Connected { .. } => Shown::Connected,
            State::Outdated => Shown::Outdated,
            State::Connecting { .. } | State::Waiting { .. } if let Some(reason) = &self.turned_away => {
                Shown::TurnedAway(reason.clone())
            }
            State::Connecting { .. } if !self.met && self.failures == 0 => Shown::Connecting,
            State::Connecting { .. } => Shown::Reconnecting { seconds: 0 },
            State::Waiting { until } => {
                Shown::Reconnecting { seconds: ((until - now) / 1e3).ceil().max(0.0) as u32 }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVEN: f64 = 0.5;

    /// Lets every attempt fail at once and notes how long each wait was.
    fn waits(machine: &mut Machine, chance: f64, count: usize) -> Vec<f64> {
        let mut now = 0.0;
        let mut waits = Vec::new();
        for _ in 0..count {
            machine.broke(now, chance);
            let start = now;
            while machine.tick(now, chance) != Order::Open {
                now += 1.0;
            }
            waits.push(now - start);
        }
        waits
    }

    #[test]
    fn waits_double_up_to_five_seconds() {
        let mut machine = Machine::new(0.0);
        assert_eq!(waits(&mut machine, EVEN, 7), [250.0, 500.0, 1000.0, 2000.0, 4000.0, 5000.0, 5000.0]);
    }

    #[test]
    fn chance_spreads_the_waits_by_a_fifth() {
        assert_eq!(waits(&mut Machine::new(0.0), 0.0, 2), [200.0, 400.0]);
        assert_eq!(waits(&mut Machine::new(0.0), 1.0, 2), [300.0, 600.0]);
    }

    #[test]
    fn only_a_message_makes_the_waits_short_again() {
        let mut machine = Machine::new(0.0);
        waits(&mut machine, EVEN, 5);
        machine.received(1e6);
        machine.broke(1e6, EVEN);
        assert_eq!(machine.tick(1e6 + 249.0, EVEN), Order::Rest);
        assert_eq!(machine.tick(1e6 + 250.0, EVEN), Order::Open);
    }

    #[test]
    fn a_silent_connection_is_given_up() {
        let mut machine = Machine::new(0.0);
        machine.received(100.0);
        assert_eq!(machine.tick(5_000.0, EVEN), Order::Rest);
        assert_eq!(machine.tick(5_101.0, EVEN), Order::Close);
        assert_eq!(machine.tick(5_351.0, EVEN), Order::Open);
        assert_eq!(machine.tick(10_352.0, EVEN), Order::Close, "the attempt hangs");
    }

    #[test]
    fn a_device_that_slept_for_an_hour_connects_at_once() {
        const HOUR_MS: f64 = 3_600_000.0;
        let mut connected = Machine::new(0.0);
        connected.received(10.0);
        let mut waiting = Machine::new(0.0);
        waits(&mut waiting, EVEN, 5);
        waiting.broke(20.0, EVEN);
        for mut machine in [connected, waiting, Machine::new(0.0)] {
            assert_eq!(machine.reconnect(HOUR_MS), Order::Open);
            assert_eq!(machine.tick(HOUR_MS + 100.0, EVEN), Order::Rest, "the attempt has its time");
            machine.received(HOUR_MS + 200.0);
            assert_eq!(machine.shown(HOUR_MS + 200.0), Shown::Connected);
            machine.broke(HOUR_MS + 300.0, EVEN);
            assert_eq!(machine.tick(HOUR_MS + 550.0, EVEN), Order::Open, "the next wait is the shortest");
        }
    }

    #[test]
    fn a_page_that_becomes_visible_waits_no_longer() {
        let mut machine = Machine::new(0.0);
        assert_eq!(machine.retry(1.0), Order::Rest, "it is connecting");
        machine.received(10.0);
        assert_eq!(machine.retry(20.0), Order::Rest, "it is connected");
        waits(&mut machine, EVEN, 5);
        machine.broke(1e4, EVEN);
        assert_eq!(machine.tick(1e4 + 10.0, EVEN), Order::Rest);
        assert_eq!(machine.retry(1e4 + 10.0), Order::Open);
    }

    #[test]
    fn an_old_page_stays_old() {
        let mut machine = Machine::new(0.0);
        machine.received(1.0);
        assert_eq!(machine.outdated(), Order::Close);
        machine.broke(2.0, EVEN);
        machine.received(3.0);
        assert_eq!(machine.tick(1e9, EVEN), Order::Rest);
        assert_eq!((machine.retry(1e9), machine.reconnect(1e9)), (Order::Rest, Order::Rest));
        assert_eq!(machine.shown(1e9), Shown::Outdated);
    }

    #[test]
    fn a_page_without_a_seat_says_why_until_an_attempt_ends_otherwise() {
        let reason = || "too many pages are open".to_owned();
        let mut machine = Machine::new(0.0);
        machine.turned_away(reason(), 10.0, EVEN);
        assert_eq!(machine.shown(20.0), Shown::TurnedAway(reason()));
        assert_eq!(machine.tick(260.0, EVEN), Order::Open);
        assert_eq!(machine.shown(270.0), Shown::TurnedAway(reason()), "while it tries again");
        machine.received(280.0);
        assert_eq!(machine.shown(290.0), Shown::Connected);
        machine.turned_away(reason(), 300.0, EVEN);
        machine.tick(550.0, EVEN);
        machine.broke(560.0, EVEN);
        assert!(matches!(machine.shown(570.0), Shown::Reconnecting { .. }), "the relay has gone");
    }

    #[test]
    fn people_see_what_happens() {
        let mut machine = Machine::new(0.0);
        assert_eq!(machine.shown(0.0), Shown::Connecting);
        machine.received(10.0);
        assert_eq!(machine.shown(20.0), Shown::Connected);
        waits(&mut machine, EVEN, 4);
        machine.broke(0.0, EVEN);
        assert_eq!(machine.shown(100.0), Shown::Reconnecting { seconds: 4 });
        assert_eq!(machine.shown(9_000.0), Shown::Reconnecting { seconds: 0 });
        assert_eq!(machine.tick(9_000.0, EVEN), Order::Open);
        assert_eq!(machine.shown(9_000.0), Shown::Reconnecting { seconds: 0 });
    }
}
