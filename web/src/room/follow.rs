//! Following another page: a state machine that reads neither clock nor address.

use trailbrake_shared::wire::Member;

use super::members::Members;
use super::view::share_axis;
use crate::route::Page;

/// A page that is away for this long has left. A reload takes less, but the page comes back under another id.
const AWAY_MS: f64 = 3_000.0;

/// The followed page, and how much of it this page already shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Following {
    id: u32,
    title: String,
    /// Its view at the last step that made this page show it.
    view: String,
    /// The cursor that this page last pointed at, in metres from the line.
    cursor_m: Option<f64>,
    /// Since when it is away, in milliseconds of the page; `None` while it is in the room.
    away_ms: Option<f64>,
}

/// The next step of following.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// Do nothing.
    Rest,
    /// Show another view.
    Show(String),
    /// Set the cursor to a lap distance, in metres from the line.
    Point(f64),
    /// Stop following.
    Stop(EndOfFollowing),
}

/// Why following ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EndOfFollowing {
    /// The user of this page went to another page.
    OwnNavigation,
    /// The other page left.
    Left(String),
    /// The other page follows this one, directly or through others.
    Circle(String),
}

impl EndOfFollowing {
    /// The words for the user of this page; `None` if they ended it themselves.
    pub(crate) fn words(&self) -> Option<String> {
        match self {
            Self::OwnNavigation => None,
            Self::Left(title) => Some(format!("{title} has left.")),
            Self::Circle(title) => Some(format!("{title} follows you: you lead now.")),
        }
    }
}

impl Following {
    /// Begins to follow a page.
    pub(crate) fn new(member: &Member) -> Self {
        Self { id: member.id, title: member.title(), view: String::new(), cursor_m: None, away_ms: None }
    }

    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    /// The name of the followed page.
    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// The next step; `own` is this page's own view.
    pub(super) fn next(&mut self, members: &Members, own: &str, now_ms: f64) -> Step {
        let Some(member) = self.find(members) else { return self.wait(now_ms) };
        self.away_ms = None;
        self.title = member.title();
        if self.has_to_yield(members) {
            return Step::Stop(EndOfFollowing::Circle(self.title.clone()));
        }
        if is_elsewhere(own, &self.view) && own_page(own) != own_page(&member.presence.view) {
            return Step::Stop(EndOfFollowing::OwnNavigation);
        }
        if member.presence.view != self.view && !member.presence.view.is_empty() {
            self.view.clone_from(&member.presence.view);
            self.cursor_m = None;
            return Step::Show(self.view.clone());
        }
        let cursor_m = members.cursor_m(self.id).filter(|_| share_axis(own, &self.view));
        match cursor_m.filter(|_| cursor_m != self.cursor_m) {
            Some(at_m) => {
                self.cursor_m = cursor_m;
                Step::Point(at_m)
            }
            None => Step::Rest,
        }
    }

    /// Lets the next step point at the cursor again. Call it while this page shows no cursor: the laps may not have
    /// been loaded at the last step.
    pub(super) fn point_again(&mut self) {
        self.cursor_m = None;
    }

    /// The followed page, also after a reload, when it has another id.
    fn find<'a>(&mut self, members: &'a Members) -> Option<&'a Member> {
        let again = || members.others().find(|member| member.title() == self.title);
        let found = members.get(self.id).or_else(again)?;
        self.id = found.id;
        Some(found)
    }

    fn wait(&mut self, now_ms: f64) -> Step {
        let since_ms = *self.away_ms.get_or_insert(now_ms);
        match now_ms - since_ms >= AWAY_MS {
            true => Step::Stop(EndOfFollowing::Left(self.title.clone())),
            false => Step::Rest,
        }
    }

    /// Whether this page has to stop because of a circle. Two pages may begin to follow each other at the same time:
    /// then the one that entered the room last leads.
    fn has_to_yield(&self, members: &Members) -> bool {
        let circle = members.circle(self.id);
        !circle.is_empty() && members.own_id() > circle.into_iter().max()
    }
}

/// Whether this page shows another page than the one it was led to. Going from Connections to Live does not count,
/// since a game that starts causes it.
fn is_elsewhere(own: &str, led_to: &str) -> bool {
    let (own, led_to) = (own_page(own), own_page(led_to));
    led_to.is_some() && own != led_to && (led_to, own) != (Some(Page::Connections), Some(Page::Live))
}

fn own_page(view: &str) -> Option<Page> {
    (!view.is_empty()).then(|| Page::from_hash(view))
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::wire::{FromRoom, PageKind};

    use super::super::members::tests::{room, show};
    use super::*;

    const LAPS: &str = "#/analyse?recording=0a&lap=0.1.2";
    const OTHER_LAPS: &str = "#/analyse?recording=0a&lap=0.1.3";

    fn follow(members: &Members, id: u32) -> Following {
        Following::new(members.get(id).expect("a member"))
    }

    #[test]
    fn the_other_s_view_and_cursor_are_shown_once() {
        let mut members = room(&[(2, LAPS, None)]);
        let mut following = follow(&members, 2);
        assert_eq!(following.next(&members, "#/live", 0.0), Step::Show(LAPS.into()));
        assert_eq!(following.next(&members, LAPS, 100.0), Step::Rest);
        members.take(FromRoom::Cursor { of: 2, at_m: Some(812.5) });
        assert_eq!(following.next(&members, LAPS, 200.0), Step::Point(812.5));
        assert_eq!(following.next(&members, LAPS, 300.0), Step::Rest);
        following.point_again();
        assert_eq!(following.next(&members, LAPS, 350.0), Step::Point(812.5));
        show(&mut members, 2, OTHER_LAPS, None);
        assert_eq!(following.next(&members, LAPS, 400.0), Step::Show(OTHER_LAPS.into()));
        assert_eq!(following.next(&members, LAPS, 500.0), Step::Rest, "other laps than the cursor's");
        assert_eq!(following.next(&members, OTHER_LAPS, 600.0), Step::Point(812.5));
        show(&mut members, 2, "", None);
        assert_eq!(following.next(&members, OTHER_LAPS, 700.0), Step::Rest, "nobody knows where it is");
    }

    #[test]
    fn own_navigation_stops_following() {
        let mut members = room(&[(2, LAPS, None)]);
        let mut following = follow(&members, 2);
        following.next(&members, "#/live", 0.0);
        let stopped = Step::Stop(EndOfFollowing::OwnNavigation);
        assert_eq!(following.clone().next(&members, "#/library", 100.0), stopped);
        // The game starts, and both go to Live by themselves, this page first.
        show(&mut members, 2, "#/connections", None);
        following.next(&members, LAPS, 200.0);
        assert_eq!(following.next(&members, "#/live", 300.0), Step::Rest);
        show(&mut members, 2, "#/live", None);
        assert_eq!(following.next(&members, "#/live", 400.0), Step::Show("#/live".into()));
        assert_eq!(following.next(&members, LAPS, 500.0), stopped);
    }

    #[test]
    fn who_leaves_is_not_followed_any_more_but_who_reloads_is() {
        let mut members = room(&[(2, LAPS, None)]);
        let mut following = follow(&members, 2);
        following.next(&members, LAPS, 0.0);
        members.take(FromRoom::Left(2));
        assert_eq!(following.next(&members, LAPS, 100.0), Step::Rest);
        assert_eq!(following.next(&members, LAPS, 3_000.0), Step::Rest);
        let left = Step::Stop(EndOfFollowing::Left("Anna 2".into()));
        assert_eq!(following.clone().next(&members, LAPS, 3_100.0), left);
        let presence = trailbrake_shared::wire::Presence {
            name: "Anna 2".into(),
            view: OTHER_LAPS.into(),
            following: None,
        };
        members.take(FromRoom::Member(Member { id: 7, number: 1, kind: PageKind::Tablet, presence }));
        assert_eq!(following.next(&members, LAPS, 2_000.0), Step::Show(OTHER_LAPS.into()));
        assert_eq!(following.id(), 7);
    }

    #[test]
    fn two_pages_that_follow_each_other_come_to_rest() {
        // Each sees the other, and both pressed the button at the same time.
        let mut of_first = room(&[(2, OTHER_LAPS, Some(1))]);
        let mut of_second = Members::default();
        of_second.take(FromRoom::Welcome { own: 2, is_owner: false });
        show(&mut of_second, 1, LAPS, Some(2));
        let (mut first, mut second) = (follow(&of_first, 2), follow(&of_second, 1));
        let circle = Step::Stop(EndOfFollowing::Circle("Anna 1".into()));
        assert_eq!(second.next(&of_second, OTHER_LAPS, 0.0), circle);
        assert_eq!(first.next(&of_first, LAPS, 0.0), Step::Show(OTHER_LAPS.into()));
        show(&mut of_first, 2, OTHER_LAPS, None);
        assert_eq!(first.next(&of_first, OTHER_LAPS, 100.0), Step::Rest);
    }
}
