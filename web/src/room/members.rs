//! The pages in the room, as the room reports them.

use trailbrake_shared::wire::{FromRoom, Member, RoomRules};

use super::view::share_axis;

/// The other pages in the room, and its rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Members {
    /// This page's own id, and whether it is on the relay's machine; `None` while it is not in the room.
    own: Option<(u32, bool)>,
    rules: RoomRules,
    others: Vec<Other>,
}

/// Another page.
#[derive(Clone, Debug, PartialEq)]
struct Other {
    member: Member,
    cursor_m: Option<f64>,
}

/// The cursor of another page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PeerCursor {
    /// The cursor's lap distance, in metres from the line.
    pub(crate) at_m: f64,
    /// The name of the page whose cursor it is.
    pub(crate) title: String,
}

impl Members {
    /// Takes a message from the room.
    pub(super) fn take(&mut self, message: FromRoom) {
        match message {
            FromRoom::Welcome { own, is_owner } => {
                *self = Self { own: Some((own, is_owner)), ..Self::default() }
            }
            FromRoom::Rules(rules) => self.rules = rules,
            FromRoom::Member(member) => match self.other_mut(member.id) {
                Some(other) => other.member = member,
                None => self.others.push(Other { member, cursor_m: None }),
            },
            FromRoom::Cursor { of, at_m } => {
                self.other_mut(of).into_iter().for_each(|other| other.cursor_m = at_m);
            }
            FromRoom::Left(id) => self.others.retain(|other| other.member.id != id),
            FromRoom::Written(_) | FromRoom::Beat => {}
        }
    }

    fn other_mut(&mut self, id: u32) -> Option<&mut Other> {
        self.others.iter_mut().find(|other| other.member.id == id)
    }

    /// Whether this page is in the room.
    pub(super) fn is_entered(&self) -> bool {
        self.own.is_some()
    }

    /// This page's own id; `None` while it is not in the room.
    pub(super) fn own_id(&self) -> Option<u32> {
        self.own.map(|(own, _)| own)
    }

    /// Whether this page is on the relay's machine.
    pub(crate) fn is_owner(&self) -> bool {
        self.own.is_some_and(|(_, is_owner)| is_owner)
    }

    pub(crate) fn rules(&self) -> RoomRules {
        self.rules
    }

    /// Whether this page may write notes and tasks. True while it is not in the room: then the relay decides.
    pub(super) fn may_write(&self) -> bool {
        self.own.is_none() || self.is_owner() || self.rules.tablets_may_write
    }

    /// The other pages, in the order in which the room reported them.
    pub(crate) fn others(&self) -> impl Iterator<Item = &Member> {
        self.others.iter().map(|other| &other.member)
    }

    pub(crate) fn get(&self, id: u32) -> Option<&Member> {
        self.others().find(|member| member.id == id)
    }

    /// Another page's cursor, in metres from the line; `None` without one.
    pub(super) fn cursor_m(&self, id: u32) -> Option<f64> {
        self.others.iter().find(|other| other.member.id == id)?.cursor_m
    }

    /// The cursors of the other pages except `but`, in views whose metres mean the same as in `own_view`.
    pub(super) fn cursors(&self, own_view: &str, but: Option<u32>) -> Vec<PeerCursor> {
        let others = self.others.iter().filter(|other| Some(other.member.id) != but);
        let on_axis = others.filter(|other| share_axis(own_view, &other.member.presence.view));
        let cursor = |other: &Other| Some(PeerCursor { at_m: other.cursor_m?, title: other.member.title() });
        on_axis.filter_map(cursor).collect()
    }

    /// The other pages of the circle that would arise if this page followed page `id`; empty if none would.
    pub(super) fn circle(&self, id: u32) -> Vec<u32> {
        let mut circle = vec![id];
        let mut at = id;
        while let Some(next) = self.get(at).and_then(|member| member.presence.following) {
            if Some(next) == self.own_id() {
                return circle;
            }
            if circle.contains(&next) {
                break;
            }
            circle.push(next);
            at = next;
        }
        Vec::new()
    }

    /// Whether this page can follow another one: not if that one follows this page, directly or through others.
    pub(crate) fn can_follow(&self, id: u32) -> bool {
        self.circle(id).is_empty()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use trailbrake_shared::wire::{PageKind, Presence};

    use super::*;

    /// A room with this page, whose id is 1, and others: their id, view and whom they follow.
    pub(in crate::room) fn room(others: &[(u32, &str, Option<u32>)]) -> Members {
        let mut members = Members::default();
        members.take(FromRoom::Welcome { own: 1, is_owner: true });
        others.iter().for_each(|(id, view, following)| show(&mut members, *id, view, *following));
        members
    }

    /// Lets a page show a view and follow another page.
    pub(in crate::room) fn show(members: &mut Members, id: u32, view: &str, following: Option<u32>) {
        let presence = Presence { name: format!("Anna {id}"), view: view.to_owned(), following };
        members.take(FromRoom::Member(Member { id, number: id, kind: PageKind::Tablet, presence }));
    }

    const LAPS: &str = "#/analyse?recording=0a&lap=0.1.2";

    #[test]
    fn cursors_are_seen_on_the_same_laps() {
        let mut members = room(&[(2, LAPS, None), (3, "#/live", None), (4, LAPS, None)]);
        for of in [2, 3, 4, 9] {
            members.take(FromRoom::Cursor { of, at_m: Some(f64::from(of)) });
        }
        let cursor = |id: u32| PeerCursor { at_m: f64::from(id), title: format!("Anna {id}") };
        assert_eq!(members.cursors(LAPS, None), [cursor(2), cursor(4)]);
        assert_eq!(members.cursors(LAPS, Some(2)), [cursor(4)], "the followed one is the page's own");
        assert!(members.cursors("#/live", None).is_empty());
        members.take(FromRoom::Left(2));
        assert_eq!(members.cursors(LAPS, None), [cursor(4)]);
    }

    #[test]
    fn a_tablet_writes_when_it_may() {
        let mut members = Members::default();
        assert!(members.may_write(), "the relay decides");
        members.take(FromRoom::Welcome { own: 1, is_owner: false });
        assert!(!members.may_write());
        members.take(FromRoom::Rules(RoomRules { tablets_may_write: true, cut_off: 0 }));
        assert!(members.may_write());
        members.take(FromRoom::Welcome { own: 2, is_owner: true });
        assert!(members.may_write());
    }

    #[test]
    fn nobody_follows_in_a_circle() {
        let members = room(&[
            (2, "#/live", Some(3)),
            (3, "#/live", Some(1)),
            (4, "#/live", None),
            (5, "#/live", Some(6)),
            (6, "#/live", Some(5)),
            (7, "#/live", Some(99)),
        ]);
        assert_eq!(members.circle(2), [2, 3]);
        let can_follow: Vec<u32> = (2..=7).filter(|id| members.can_follow(*id)).collect();
        assert_eq!(can_follow, [4, 5, 6, 7]);
    }
}
