//! Recognises Assetto Corsa Competizione's broadcasting messages: they have only a type, but their texts must fill the
//! packet exactly.

/// A part of a message.
enum Part {
    /// A fixed number of bytes.
    Bytes(usize),
    /// A text, preceded by its length in two bytes.
    Text,
    /// Parts that are present when the byte before them is not zero.
    Optional(&'static [Part]),
    /// Repeated parts, preceded by their count in one byte.
    Counted(&'static [Part]),
    /// Repeated parts, preceded by their count in two bytes.
    CountedWide(&'static [Part]),
}

use Part::{Bytes, Counted, CountedWide, Optional, Text};

/// A lap with its splits and flags.
const LAP: [Part; 3] = [Bytes(8), Counted(&[Bytes(4)]), Bytes(4)];

/// The messages by type, from 1.
const MESSAGES: &[(&str, &[&[Part]])] = &[
    ("Registration result", &[&[Bytes(6), Text]]),
    ("Realtime update", &[&[Bytes(18), Text, Text, Text, Optional(&[Bytes(8)]), Bytes(9)], &LAP]),
    ("Realtime car update", &[&[Bytes(37)], &LAP, &LAP, &LAP]),
    ("Entry list", &[&[Bytes(4), CountedWide(&[Bytes(2)])]]),
    ("Track data", &[&[Bytes(4), Text, Bytes(8), Counted(&[Text, Counted(&[Text])]), Counted(&[Text])]]),
    ("Entry list car", &[&[Bytes(3), Text, Bytes(8), Counted(&[Text, Text, Text, Bytes(3)])]]),
    ("Broadcasting event", &[&[Bytes(1), Text, Bytes(8)]]),
];

/// The name of a broadcasting message.
pub(super) fn name(datagram: &[u8]) -> Option<String> {
    let (kind, body) = datagram.split_first()?;
    let (message, parts) = MESSAGES.get(usize::from(kind.checked_sub(1)?))?;
    let rest = parts.iter().try_fold(body, |body, parts| skip(body, parts))?;
    rest.is_empty().then(|| format!("Assetto Corsa Competizione ({message})"))
}

/// The bytes after the parts; `None` when the parts do not fit.
fn skip<'a>(body: &'a [u8], parts: &[Part]) -> Option<&'a [u8]> {
    parts.iter().try_fold(body, |body, part| match part {
        Bytes(count) => body.get(*count..),
        Text => {
            let (len, body) = body.split_first_chunk()?;
            let (text, body) = body.split_at_checked(usize::from(u16::from_le_bytes(*len)))?;
            std::str::from_utf8(text).is_ok().then_some(body)
        }
        Optional(parts) => match body.split_first()? {
            (0, body) => Some(body),
            (_, body) => skip(body, parts),
        },
        Counted(parts) => {
            let (count, body) = body.split_first()?;
            (0..*count).try_fold(body, |body, _| skip(body, parts))
        }
        CountedWide(parts) => {
            let (count, body) = body.split_first_chunk()?;
            (0..u16::from_le_bytes(*count)).try_fold(body, |body, _| skip(body, parts))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Vec<u8> {
        [&(text.len() as u16).to_le_bytes(), text.as_bytes()].concat()
    }

    fn check(message: &[u8], expected: Option<&str>) {
        let expected = expected.map(|name| format!("Assetto Corsa Competizione ({name})"));
        assert_eq!(name(message), expected);
        // With one byte more or less, the message is not recognised.
        assert_eq!(name(&[message, &[0]].concat()), None);
        assert_eq!(name(&message[..message.len() - 1]), None);
    }

    #[test]
    fn messages_are_known_by_what_they_are_made_of() {
        let lap = [[0; 8].as_slice(), &[3], &[0; 12], &[0; 4]].concat();
        let registration = [&[1, 7, 0, 0, 0, 1, 0], text("").as_slice()].concat();
        check(&registration, Some("Registration result"));
        let screens = [text("set1"), text("camera"), text("basic")].concat();
        let update = [&[2], [0; 18].as_slice(), &screens, &[0], &[0; 9], &lap].concat();
        check(&update, Some("Realtime update"));
        let replay = [&[2], [0; 18].as_slice(), &screens, &[1], &[0; 8], &[0; 9], &lap].concat();
        check(&replay, Some("Realtime update"));
        check(&[&[3], [0; 37].as_slice(), &lap, &lap, &lap].concat(), Some("Realtime car update"));
        check(&[4, 0, 0, 0, 0, 2, 0, 5, 0, 6, 0], Some("Entry list"));
        let cameras = [&[1], text("onboard").as_slice(), &[2], &text("a"), &text("b")].concat();
        let track = [&[5], [0; 4].as_slice(), &text("Spa"), &[0; 8], &cameras, &[1], &text("hud")].concat();
        check(&track, Some("Track data"));
        let driver = [text("Ann"), text("Bé"), text("BÉA"), vec![1, 2, 0]].concat();
        let car = [&[6, 1, 0, 3], text("Team").as_slice(), &[0; 8], &[1], &driver].concat();
        check(&car, Some("Entry list car"));
        check(&[&[7, 5], text("Lap").as_slice(), &[0; 8]].concat(), Some("Broadcasting event"));
    }

    #[test]
    fn other_types_and_broken_texts_are_something_else() {
        assert_eq!(name(&[0, 1, 2]), None);
        assert_eq!(name(&[8, 1, 2]), None);
        assert_eq!(name(&[]), None);
        assert_eq!(name(&[&[7, 5, 2, 0, 0xff, 0xfe], [0; 8].as_slice()].concat()), None);
    }
}
