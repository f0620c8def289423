//! Whether a hub served the page, and which rig of its team the page shows.

use leptos::prelude::{document, window};

/// The name of all rigs in an address. No rig has it.
const ALL_RIGS: &str = "-";
/// Longest name of a rig.
const LONGEST: usize = 32;

/// Whether a team's hub served this page.
pub(crate) fn is_hub() -> bool {
    matches!(document().query_selector(r#"meta[name="trailbrake-team"][content="hub"]"#), Ok(Some(_)))
}

/// The rig that this page shows, which may be all of them; `None` for a page of a relay, and for the overview of a team.
pub(crate) fn rig() -> Option<String> {
    if !is_hub() {
        return None;
    }
    rig_in(&window().location().search().unwrap_or_default()).map(str::to_owned)
}

/// Whether this page shows all rigs of a team.
pub(crate) fn is_overview() -> bool {
    is_hub() && rig().is_none()
}

/// Whether this page shows the recordings of all rigs as one library.
pub(crate) fn is_of_all_rigs() -> bool {
    rig().as_deref() == Some(ALL_RIGS)
}

/// The address of a page for all rigs.
pub(crate) fn all_rigs_address(fragment: &str) -> String {
    rig_address(ALL_RIGS, fragment)
}

/// The address of a path of the relay, which at a hub is a rig's.
pub(crate) fn own_path(path: &str) -> String {
    match rig() {
        Some(rig) => ["/rig/", &rig, path].concat(),
        None => path.to_owned(),
    }
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
