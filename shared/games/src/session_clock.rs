//! The clock of a session: puts packets in order and says how each one continues the session.
//!
//! Any single packet can be late, repeated, or contain anything, so a contradiction of the packets before is believed only
//! after enough packets in a row confirm it. How a feed's packets tell the time is its [`Policy`].

use std::fmt::Debug;

use trailbrake_model::EventKind;

/// How a packet continues the session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Step {
    /// The first packet of a session, or of its first lap.
    #[default]
    Begins,
    /// Time goes on.
    Flows,
    /// The next lap has begun.
    NextLap,
    /// A later lap: the laps between were not received.
    Jumps,
    /// The session, or the lap, begins again.
    Restarts,
    /// The game went back in time.
    Rewinds { millis: u32 },
    /// Time goes on after a pause.
    Resumes,
    /// The same content as the packet before.
    Still,
    /// The same content for so long that the game must be paused.
    Pauses,
    /// A little older than the newest packet: it arrived out of order.
    Late,
    /// Contradicts the packets before, and no packet after it has confirmed it yet.
    Stray,
}

impl Step {
    /// Whether the packet is in order and brings new values.
    pub(super) const fn moves(self) -> bool {
        !matches!(self, Self::Still | Self::Pauses | Self::Late | Self::Stray)
    }

    /// The event that this is.
    pub(super) const fn event(self) -> Option<EventKind> {
        match self {
            Self::Begins => Some(EventKind::SessionStarted),
            Self::Restarts => Some(EventKind::Restarted),
            Self::Rewinds { millis } => Some(EventKind::Rewound { millis }),
            Self::Pauses => Some(EventKind::Paused),
            Self::Resumes => Some(EventKind::Resumed),
            Self::Flows | Self::NextLap | Self::Jumps | Self::Still | Self::Late | Self::Stray => None,
        }
    }
}

/// How the packets of one feed tell the time.
pub(super) trait Policy: Debug + Default {
    /// What a packet contains about its time.
    type Time: Copy + Debug + Default;

    /// What a packet means, given the newest one, and how many packets in a row it takes to believe that.
    fn judge(&self, newest: &Self::Time, now: &Self::Time) -> (Step, u32);

    /// Whether a packet confirms the `doubted` one before it, which contradicts the `newest` one.
    fn confirms(&self, newest: &Self::Time, doubted: &Self::Time, now: &Self::Time) -> bool;

    /// Whether a packet that brings nothing new shows that the doubted one was a stray.
    fn is_settled_by_late(&self, doubted: Step) -> bool {
        let _ = doubted;
        false
    }

    /// Remembers what the next verdicts depend on, when a packet becomes the newest one.
    fn believe(&mut self, step: Step, newest: Option<&Self::Time>, now: &mut Self::Time) {
        let _ = (step, newest, now);
    }
}

/// Follows the clock of one sender, or of one of its cars.
#[derive(Debug, Default)]
pub(super) struct SessionClock<P: Policy> {
    pub(super) policy: P,
    newest: Option<P::Time>,
    doubt: Doubt<(Step, P::Time)>,
    first: P::Time,
}

impl<P: Policy> SessionClock<P> {
    /// Takes the time of the next packet.
    pub(super) fn step(&mut self, now: P::Time) -> Step {
        let Some(newest) = self.newest else { return self.believe(Step::Begins, now, now) };
        let (step, packets) = self.policy.judge(&newest, &now);
        if !step.moves() {
            if self.doubt.latest().is_some_and(|(doubted, _)| self.policy.is_settled_by_late(*doubted)) {
                self.doubt.settle();
            }
            return step;
        }
        if packets == 1 {
            return self.believe(step, now, now);
        }
        let policy = &self.policy;
        let confirms = |(_, doubted): &(Step, P::Time)| policy.confirms(&newest, doubted, &now);
        match self.doubt.raise((step, now), packets, confirms) {
            Some((step, doubted)) => self.believe(step, doubted, now),
            None => Step::Stray,
        }
    }

    /// Takes the first packet of a session, whatever came before. Returns the newest packet of that.
    pub(super) fn begin(&mut self, now: P::Time) -> Option<P::Time> {
        let before = self.newest;
        self.believe(Step::Begins, now, now);
        before
    }

    /// The newest packet's time.
    pub(super) fn newest(&self) -> Option<&P::Time> {
        self.newest.as_ref()
    }

    /// The first packet of the last step: where that was doubted, the packet that raised the doubt.
    pub(super) fn first(&self) -> &P::Time {
        &self.first
    }

    fn believe(&mut self, step: Step, first: P::Time, mut now: P::Time) -> Step {
        self.policy.believe(step, self.newest.as_ref(), &mut now);
        (self.newest, self.first) = (Some(now), first);
        self.doubt.settle();
        step
    }
}

/// What contradicts the packets before, until enough packets in a row confirm it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Doubt<T> {
    latest: Option<T>,
    packets: u32,
}

impl<T> Doubt<T> {
    /// Doubts `now`, which may confirm the one before. Returns the one before if these are enough `packets` in a row.
    pub(super) fn raise(&mut self, now: T, packets: u32, confirms: impl FnOnce(&T) -> bool) -> Option<T> {
        let before = self.latest.replace(now).filter(confirms);
        self.packets = if before.is_some() { self.packets + 1 } else { 1 };
        if self.packets < packets {
            return None;
        }
        self.settle();
        before
    }

    /// A packet like those before has come: the doubted ones were strays.
    pub(super) fn settle(&mut self) {
        (self.latest, self.packets) = (None, 0);
    }

    /// The latest one that is doubted.
    pub(super) fn latest(&self) -> Option<&T> {
        self.latest.as_ref()
    }
}
