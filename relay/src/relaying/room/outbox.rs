//! What a page still has to be sent: of each subject only the latest.

use trailbrake_shared::wire::FromRoom;

/// Messages that wait for a page. However slow it is, they are no more than there are pages and changed recordings.
#[derive(Debug, Default)]
pub(super) struct Outbox(Vec<FromRoom>);

impl Outbox {
    /// Lets a message wait, in the place of those that it makes pointless.
    pub(super) fn put(&mut self, message: FromRoom) {
        self.0.retain(|waiting| !replaces(&message, waiting));
        self.0.push(message);
    }

    /// Everything that waits, the oldest first.
    pub(super) fn take(&mut self) -> Vec<FromRoom> {
        std::mem::take(&mut self.0)
    }
}

/// Whether a message makes an older one pointless.
fn replaces(message: &FromRoom, older: &FromRoom) -> bool {
    match (message, older) {
        (FromRoom::Rules(_), FromRoom::Rules(_)) => true,
        (FromRoom::Written(id), FromRoom::Written(other)) => id == other,
        (FromRoom::Member(member), FromRoom::Member(other)) => member.id == other.id,
        (FromRoom::Cursor { of, .. }, FromRoom::Cursor { of: other, .. }) => of == other,
        (FromRoom::Left(id), FromRoom::Member(member)) => *id == member.id,
        (FromRoom::Left(id), FromRoom::Cursor { of, .. }) => id == of,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::wire::{Member, PageKind, Presence};

    use super::*;

    fn member(id: u32, view: &str) -> FromRoom {
        let presence = Presence { view: view.to_owned(), ..Presence::default() };
        FromRoom::Member(Member { id, number: id, kind: PageKind::Tablet, presence })
    }

    #[test]
    fn a_slow_page_gets_only_the_latest() {
        let mut outbox = Outbox::default();
        for view in 0..100 {
            outbox.put(member(1, &format!("#/analyse?from={view}")));
            outbox.put(member(2, "#/live"));
            outbox.put(FromRoom::Cursor { of: 1, at_m: Some(f64::from(view)) });
            outbox.put(FromRoom::Written("0a".into()));
        }
        let latest = [
            member(1, "#/analyse?from=99"),
            member(2, "#/live"),
            FromRoom::Cursor { of: 1, at_m: Some(99.0) },
            FromRoom::Written("0a".into()),
        ];
        assert_eq!(outbox.take(), latest);
        assert!(outbox.take().is_empty());
    }

    #[test]
    fn a_page_that_left_has_no_view_and_no_cursor() {
        let mut outbox = Outbox::default();
        outbox.put(member(1, "#/live"));
        outbox.put(FromRoom::Cursor { of: 1, at_m: None });
        outbox.put(member(2, "#/live"));
        outbox.put(FromRoom::Left(1));
        assert_eq!(outbox.take(), [member(2, "#/live"), FromRoom::Left(1)]);
    }
}
