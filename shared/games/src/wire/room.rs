//! The messages of the room, in which the pages of one relay see each other.

use serde::{Deserialize, Serialize};
use trailbrake_model::letters::is_seen;

/// The longest name, in characters.
pub const LONGEST_NAME: usize = 40;
/// The longest view, in bytes. A page with a longer address names itself alone.
pub const LONGEST_VIEW: usize = 3_000;
/// No track is longer, metres.
const LONGEST_LAP_M: f64 = 1e6;

/// A message from a page to the room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToRoom {
    /// Who looks at the page, and at what. It replaces what the page sent before.
    Present(Presence),
    /// The cursor on Analyse, metres from the line; `None` without one.
    Cursor(Option<f64>),
}

/// A message from the room to a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromRoom {
    /// The first message.
    Welcome {
        /// The page's own number in the room.
        own: u32,
        /// Whether the page is on the relay's machine.
        is_owner: bool,
    },
    /// What holds for everybody.
    Rules(RoomRules),
    /// Another page came, or shows something else.
    Member(Member),
    /// The cursor of another page, metres from the line.
    Cursor {
        /// The page.
        of: u32,
        /// Where; `None` without one.
        at_m: Option<f64>,
    },
    /// Another page left.
    Left(u32),
    /// Notes or tasks of a recording changed: 32 hexadecimal digits.
    Written(String),
    /// Sent every two seconds, so that a page notices a dead connection.
    Beat,
}

/// What holds for everybody in the room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomRules {
    /// Whether tablets may change recordings, notes and tasks, and command a game's server.
    pub tablets_may_write: bool,
    /// Pages that were cut off since they sent too much, or nonsense.
    pub cut_off: u32,
}

/// Who looks at a page, and at what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presence {
    /// The author's name that the browser keeps; empty without one.
    pub name: String,
    /// The address fragment, which holds what is shown; empty if it is unknown.
    pub view: String,
    /// The page whose view this one follows.
    pub following: Option<u32>,
}

/// A page in the room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its own number: no other page gets it.
    pub id: u32,
    /// Its number among the pages of its kind.
    pub number: u32,
    /// Where it is.
    pub kind: PageKind,
    /// What it sent last.
    pub presence: Presence,
}

/// Where a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PageKind {
    /// On the relay's machine.
    Own,
    /// On a device that opened the tablets' link.
    Tablet,
    /// At the hub of a team.
    Hub,
}

/// The pages at one end of a room that a rig and its hub share.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RoomPages(pub Vec<RoomPage>);

/// A page in a shared room, for the other end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoomPage {
    /// The page. Numbers are those of its own end.
    pub member: Member,
    /// Its cursor, metres from the line.
    pub cursor_m: Option<f64>,
    /// The page of the other end whose view it follows, by the number that it has there.
    pub follows_there: Option<u32>,
}

impl Member {
    /// What people call it.
    pub fn title(&self) -> String {
        match self.presence.name.as_str() {
            "" => self.device(),
            name => name.to_owned(),
        }
    }

    /// Its device: the relay's own machine, one of those that opened the tablets' link, or one at the hub.
    pub fn device(&self) -> String {
        match (self.kind, self.number) {
            (PageKind::Own, 1) => "Driver's PC".to_owned(),
            (PageKind::Own, number) => format!("Driver's PC {number}"),
            (PageKind::Tablet, number) => format!("Tablet {number}"),
            (PageKind::Hub, number) => format!("Team page {number}"),
        }
    }
}

impl Presence {
    /// The same as plain text within the limits: what other pages may be shown.
    pub fn cleaned(&self) -> Self {
        Self { name: cleaned_name(&self.name), view: cleaned_view(&self.view), following: self.following }
    }
}

/// A name without anything that could hide, move or imitate the words around it.
fn cleaned_name(name: &str) -> String {
    let plain: String = name.chars().map(|letter| if is_seen(letter) { letter } else { ' ' }).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let short: String = words.join(" ").chars().take(LONGEST_NAME).collect();
    short.trim_end().to_owned()
}

/// A fragment of the page's own, as browsers write them; anything else is no view.
fn cleaned_view(view: &str) -> String {
    let is_fragment = view.starts_with("#/") && view.bytes().all(|byte| byte.is_ascii_graphic());
    if is_fragment && view.len() <= LONGEST_VIEW { view.to_owned() } else { String::new() }
}

/// A place that can be on a lap.
pub fn cleaned_cursor(at_m: Option<f64>) -> Option<f64> {
    at_m.filter(|at_m| (0.0..=LONGEST_LAP_M).contains(at_m))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::wire::{decode_owned, encode};

    fn presence() -> impl Strategy<Value = Presence> {
        (any::<String>(), any::<String>(), any::<Option<u32>>())
            .prop_map(|(name, view, following)| Presence { name, view, following })
    }

    proptest! {
        #[test]
        fn messages_come_through_whole(presence in presence(), id: u32, number: u32, is_owner: bool, at_m: f64) {
            let at_m = Some(at_m).filter(|at_m| !at_m.is_nan());
            for message in [ToRoom::Present(presence.clone()), ToRoom::Cursor(at_m)] {
                let sent = encode(&message).expect("a message");
                prop_assert_eq!(decode_owned::<ToRoom>(&sent).expect("the same message"), message);
            }
            for message in [
                FromRoom::Welcome { own: id, is_owner },
                FromRoom::Rules(RoomRules { tablets_may_write: is_owner, cut_off: number }),
                FromRoom::Member(Member { id, number, kind: PageKind::Tablet, presence }),
                FromRoom::Cursor { of: id, at_m },
                FromRoom::Left(id),
                FromRoom::Written("0a".to_owned()),
                FromRoom::Beat,
            ] {
                let sent = encode(&message).expect("a message");
                prop_assert_eq!(decode_owned::<FromRoom>(&sent).expect("the same message"), message);
            }
        }

        #[test]
        fn whatever_a_page_sends_is_plain_and_short(sent in presence()) {
            let cleaned = sent.cleaned();
            prop_assert!(cleaned.name.chars().count() <= LONGEST_NAME);
            prop_assert!(cleaned.name.chars().all(is_seen), "{:?}", cleaned.name);
            prop_assert_eq!(cleaned.name.trim(), &cleaned.name);
            prop_assert!(cleaned.view.is_empty() || cleaned.view == sent.view);
            prop_assert_eq!(cleaned.cleaned(), cleaned);
        }

        #[test]
        fn a_view_is_a_fragment_of_printable_characters(rest in "[ -~]{0,40}", noise in "\\PC{1,4}") {
            let view = format!("#/{rest}");
            let expected = if rest.contains(' ') { "" } else { view.as_str() };
            prop_assert_eq!(cleaned_view(&view), expected);
            if !noise.is_ascii() {
                prop_assert_eq!(cleaned_view(&format!("{view}{noise}")), "");
            }
        }

        #[test]
        fn any_bytes_are_a_message_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut versioned = vec![crate::wire::VERSION];
            versioned.extend(bytes);
            let _ = decode_owned::<ToRoom>(&versioned);
            let _ = decode_owned::<FromRoom>(&versioned);
        }
    }

    #[test]
    fn names_stay_names() {
        assert_eq!(cleaned_name("  Anna\t\nMaria  "), "Anna Maria");
        assert_eq!(cleaned_name("Zoë 李"), "Zoë 李");
        assert_eq!(cleaned_name("Anna\u{202e}gnp"), "Anna gnp");
        assert_eq!(cleaned_name("\u{200b}\u{feff}\u{0}"), "");
        assert_eq!(cleaned_name(&"x".repeat(500)).len(), LONGEST_NAME);
    }

    #[test]
    fn only_short_fragments_are_views() {
        let long = |length: usize| format!("#/{}", "x".repeat(length - 2));
        assert_eq!(cleaned_view("#/analyse?recording=0a"), "#/analyse?recording=0a");
        for view in
            ["", "javascript:alert(1)", "http://evil.example/#/live", "#live", &long(LONGEST_VIEW + 1)]
        {
            assert_eq!(cleaned_view(view), "", "{view}");
        }
        assert_eq!(cleaned_view(&long(LONGEST_VIEW)), long(LONGEST_VIEW));
    }

    #[test]
    fn a_cursor_is_on_a_lap() {
        assert_eq!(cleaned_cursor(Some(812.5)), Some(812.5));
        for at_m in [None, Some(f64::NAN), Some(-1.0), Some(f64::INFINITY), Some(1e9)] {
            assert_eq!(cleaned_cursor(at_m), None, "{at_m:?}");
        }
    }

    #[test]
    fn a_page_without_a_name_is_called_by_its_device() {
        let member = |kind, number, name: &str| Member {
            id: 7,
            number,
            kind,
            presence: Presence { name: name.to_owned(), ..Presence::default() },
        };
        assert_eq!(member(PageKind::Own, 1, "").title(), "Driver's PC");
        assert_eq!(member(PageKind::Own, 2, "").title(), "Driver's PC 2");
        assert_eq!(member(PageKind::Tablet, 1, "").title(), "Tablet 1");
        assert_eq!(member(PageKind::Hub, 2, "").title(), "Team page 2");
        assert_eq!(member(PageKind::Tablet, 1, "Anna").title(), "Anna");
    }
}
