//! The marks at the beginning of EA SPORTS WRC's packets. No other game's packets carry one.

/// What a marked packet reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SessionMark {
    /// A stage is loaded.
    Start,
    /// The car is on a stage.
    Update,
    /// The stage is over.
    End,
    /// The game is paused.
    Pause,
    /// The game goes on after a pause.
    Resume,
}

impl SessionMark {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Start, Self::Update, Self::End, Self::Pause, Self::Resume];

    /// The number of bytes.
    pub const SIZE: usize = 4;

    /// The mark of a datagram: four letters, in either order and case.
    pub fn of(datagram: &[u8]) -> Option<Self> {
        let mark: [u8; Self::SIZE] = *datagram.first_chunk()?;
        let [a, b, c, d] = mark.map(|letter| letter.to_ascii_uppercase());
        Self::ALL.into_iter().find(|known| [[a, b, c, d], [d, c, b, a]].contains(&known.bytes()))
    }

    /// Its four letters.
    pub const fn bytes(self) -> [u8; Self::SIZE] {
        match self {
            Self::Start => *b"SESS",
            Self::Update => *b"SESU",
            Self::End => *b"SESE",
            Self::Pause => *b"SESP",
            Self::Resume => *b"SESR",
        }
    }

    /// The kind of packet, in the game's word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "session_start",
            Self::Update => "session_update",
            Self::End => "session_end",
            Self::Pause => "session_pause",
            Self::Resume => "session_resume",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_in_either_order_and_case() {
        for (bytes, mark) in [
            (b"SESS....", Some(SessionMark::Start)),
            (b"SESU....", Some(SessionMark::Update)),
            (b"USES....", Some(SessionMark::Update)),
            (b"sesu....", Some(SessionMark::Update)),
            (b"ESES....", Some(SessionMark::End)),
            (b"SESP....", Some(SessionMark::Pause)),
            (b"RSES....", Some(SessionMark::Resume)),
            (b"SESX....", None),
        ] {
            assert_eq!(SessionMark::of(bytes), mark);
        }
        assert_eq!(SessionMark::of(b"SES"), None);
        assert!(SessionMark::ALL.into_iter().all(|mark| SessionMark::of(&mark.bytes()) == Some(mark)));
    }
}
