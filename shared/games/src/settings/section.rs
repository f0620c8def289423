//! The sections of the settings.

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
}
