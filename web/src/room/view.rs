//! Views: what pages show, as address fragments.

use trailbrake_shared::wire::LONGEST_VIEW;

use crate::route::{self, Page};

/// The cursor's key in a fragment. The cursor is sent separately, since it changes far more often than the rest.
const CURSOR: &str = "cursor=";

/// The view to send to others: the fragment without its cursor, or only the page's if it is too long.
pub(crate) fn published(fragment: &str) -> String {
    let view = match fragment.split_once('?') {
        Some((page, query)) => {
            let pairs: Vec<&str> = query.split('&').filter(|pair| !pair.starts_with(CURSOR)).collect();
            let joint = if pairs.is_empty() { "" } else { "?" };
            format!("{page}{joint}{}", pairs.join("&"))
        }
        None => fragment.to_owned(),
    };
    if view.len() > LONGEST_VIEW { Page::from_hash(fragment).hash().to_owned() } else { view }
}

/// The recording and the lap along which a view counts metres; `None` if it compares no recorded laps.
fn lap_axis(view: &str) -> Option<(&str, &str)> {
    let is_analyse = view.starts_with(Page::Analyse.hash());
    let lap = route::value(view, "reference").or_else(|| route::value(view, "lap"));
    route::value(view, "recording").zip(lap).filter(|_| is_analyse)
}

/// Whether a lap distance means the same in two views.
pub(super) fn share_axis(one: &str, other: &str) -> bool {
    lap_axis(one).is_some_and(|axis| lap_axis(other) == Some(axis))
}

/// The name of a view's page; empty if the view is unknown.
pub(crate) fn page_label(view: &str) -> &'static str {
    if view.is_empty() { "" } else { Page::from_hash(view).label() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_is_not_a_part_of_the_view() {
        for (fragment, view) in [
            ("#/analyse?recording=0a&lap=0.1.2&cursor=81.5&in=3", "#/analyse?recording=0a&lap=0.1.2&in=3"),
            ("#/analyse?cursor=81.5", "#/analyse"),
            ("#/live", "#/live"),
            ("", ""),
        ] {
            assert_eq!(published(fragment), view);
        }
        let long = format!("#/analyse?recording=0a&without={}", "1.2.3,".repeat(1_000));
        assert_eq!(published(&long), "#/analyse");
    }

    #[test]
    fn metres_are_counted_along_the_reference_or_the_lap_alone() {
        let view = |laps: &str| format!("#/analyse?recording=0a&{laps}");
        assert!(share_axis(&view("lap=0.1.2&reference=0.1.1"), &view("lap=0.1.3&reference=0.1.1&axis=time")));
        assert!(share_axis(&view("lap=0.1.1"), &view("lap=0.1.2&reference=0.1.1")));
        assert!(!share_axis(&view("lap=0.1.2&reference=0.1.1"), &view("lap=0.1.2")));
        assert!(!share_axis(&view("lap=0.1.2"), "#/analyse?recording=0b&lap=0.1.2"));
        assert!(!share_axis(&view("lap=0.1.2"), "#/live?recording=0a&lap=0.1.2"));
        assert!(!share_axis("#/analyse", "#/analyse"));
    }
}
