//! Who served the page, and for what.

use leptos::prelude::{document, window};

/// The name of all rigs in an address. No rig has it.
const ALL_RIGS: &str = "-";
/// Longest name of a rig.
const LONGEST: usize = 32;

/// Who served the page, and for what. It stays the same while the page is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// The relay on the driver's machine.
    Relay,
    /// A team's hub, for one of its rigs.
    Rig(String),
    /// A team's hub, for the recordings of all rigs as one library.
    AllRigs,
    /// A team's hub, for the overview.
    Overview,
    /// Neither: the viewer on a web host, or a page opened from disk.
    Nobody,
}

impl Home {
    /// Whether a relay served the page, or a hub in its place.
    pub(crate) fn has_relay(&self) -> bool {
        matches!(self, Self::Relay | Self::Rig(_) | Self::AllRigs)
    }

    /// Whether a team's hub served the page.
    pub(crate) fn is_hub(&self) -> bool {
        matches!(self, Self::Rig(_) | Self::AllRigs | Self::Overview)
    }

    /// The address of a path of the relay, which at a hub is a rig's.
    pub(crate) fn path(&self, path: &str) -> String {
        match self {
            Self::Rig(rig) => ["/rig/", rig, path].concat(),
            Self::AllRigs => ["/rig/", ALL_RIGS, path].concat(),
            Self::Relay | Self::Overview | Self::Nobody => path.to_owned(),
        }
    }
}

/// Who served this page.
pub(crate) fn home() -> Home {
    let says = |mark: &str| matches!(document().query_selector(mark), Ok(Some(_)));
    if says(r#"meta[name="trailbrake-team"][content="hub"]"#) {
        return match rig_in(&window().location().search().unwrap_or_default()) {
            None => Home::Overview,
            Some(ALL_RIGS) => Home::AllRigs,
            Some(rig) => Home::Rig(rig.to_owned()),
        };
    }
    let is_viewer = says(r#"meta[name="trailbrake-relay"][content="none"]"#);
    let is_served = matches!(window().location().protocol().as_deref(), Ok("http:" | "https:"));
    if is_served && !is_viewer { Home::Relay } else { Home::Nobody }
}

/// The address of one of the relay's WebSockets; `None` if no relay served this page.
pub(crate) fn socket_address(path: &str) -> Option<String> {
    let home = home();
    if !home.has_relay() {
        return None;
    }
    let location = window().location();
    let scheme = if location.protocol().ok()? == "https:" { "wss" } else { "ws" };
    Some(format!("{scheme}://{}{}", location.host().ok()?, home.path(&["/", path].concat())))
}

/// The address of a page for all rigs.
pub(crate) fn all_rigs_address(fragment: &str) -> String {
    rig_address(ALL_RIGS, fragment)
}

/// The address of a rig's page.
pub(crate) fn rig_address(rig: &str, fragment: &str) -> String {
    ["/?rig=", rig, fragment].concat()
}

/// The rig that an address's query names.
fn rig_in(query: &str) -> Option<&str> {
    let mut pairs = query.trim_start_matches('?').split('&').filter_map(|pair| pair.split_once('='));
    let (_, name) = pairs.find(|(key, _)| *key == "rig")?;
    let fits = |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-';
    let is_name = (1..=LONGEST).contains(&name.len()) && !name.starts_with('-') && name.bytes().all(fits);
    (is_name || name == ALL_RIGS).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_that_of_the_relay_or_of_the_rig() {
        assert_eq!(Home::Relay.path("/library"), "/library");
        assert_eq!(Home::Rig("anna".to_owned()).path("/library"), "/rig/anna/library");
        assert_eq!(Home::AllRigs.path("/library"), "/rig/-/library");
        assert_eq!(Home::Nobody.path("/library"), "/library");
    }

    #[test]
    fn a_query_names_one_rig_or_none() {
        assert_eq!(rig_in("?rig=anna"), Some("anna"));
        assert_eq!(rig_in("?token=1&rig=rig-07"), Some("rig-07"));
        assert_eq!(rig_in("?rig=-"), Some(ALL_RIGS));
        for query in ["", "?", "?rig=", "?rig=../x", "?rig=a%2Fb", "?rig=-a", "?rigs=anna", "?rig=ANNA"] {
            assert_eq!(rig_in(query), None, "{query}");
        }
        assert_eq!(rig_in(&format!("?rig={}", "a".repeat(33))), None);
        let address = rig_address("anna", "#/live");
        assert_eq!(address, "/?rig=anna#/live");
        assert_eq!(all_rigs_address("#/library"), "/?rig=-#/library");
    }
}
