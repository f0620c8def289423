//! The subjects of a team's messages.

use trailbrake_shared::recording::RecordingId;

use super::rig_name::RigName;

/// What the stream keeps: the ranges of all recordings.
pub(super) const ALL_RECORDED: &str = "tb.rec.*.*";
/// All questions where to go on.
pub(super) const ALL_HAVE: &str = "tb.have.*.*";
/// What all rigs report of themselves.
pub(super) const ALL_RIGS: &str = "tb.rig.*";
/// What all rigs send to pages.
pub(super) const ALL_LIVE: &str = "tb.live.*";

/// Ranges of a recording's file.
pub(super) fn recorded(rig: &RigName, id: RecordingId) -> String {
    format!("tb.rec.{rig}.{id}")
}

/// All recordings of a rig.
pub(super) fn all_recorded(rig: &RigName) -> String {
    format!("tb.rec.{rig}.*")
}

/// The question where to go on with a recording.
pub(super) fn have(rig: &RigName, id: RecordingId) -> String {
    format!("tb.have.{rig}.{id}")
}

/// What a rig reports of itself.
pub(super) fn rig(rig: &RigName) -> String {
    format!("tb.rig.{rig}")
}

/// What a rig sends to pages.
pub(super) fn live(rig: &RigName) -> String {
    format!("tb.live.{rig}")
}

/// What the hub asks of a rig.
pub(super) fn ask(rig: &RigName) -> String {
    format!("tb.ask.{rig}")
}

/// Where answers to a rig go. No other rig reads them.
pub(super) fn inbox(rig: &RigName) -> String {
    format!("_INBOX_{rig}")
}

/// Whether an answer to a rig may go there. A rig could name any subject, and the hub may write to all.
pub(super) fn is_inbox_of(subject: &str, rig: &RigName) -> bool {
    subject
        .strip_prefix("_INBOX_")
        .and_then(|rest| rest.strip_prefix(rig.as_str()))
        .is_some_and(|rest| rest.len() > 1 && rest.starts_with('.') && !rest.contains(['*', '>', ' ']))
}

/// The subjects that a rig may publish.
pub(super) fn published(rig: &RigName) -> [String; 4] {
    [all_recorded(rig), live(rig), self::rig(rig), format!("tb.have.{rig}.*")]
}

/// The subjects that a rig may subscribe to.
pub(super) fn subscribed(rig: &RigName) -> [String; 2] {
    [ask(rig), format!("{}.>", inbox(rig))]
}

/// Rig and recording of a subject below `tb.KIND`, unless it is none.
pub(super) fn rig_and_recording(subject: &str, kind: &str) -> Option<(RigName, RecordingId)> {
    let (rig, id) = subject.strip_prefix("tb.")?.strip_prefix(kind)?.strip_prefix('.')?.split_once('.')?;
    let id = RecordingId::read(id)?;
    let rig = rig.parse().ok()?;
    // One recording has one subject.
    (recorded(&rig, id).rsplit('.').next() == subject.rsplit('.').next()).then_some((rig, id))
}

/// The rig of a subject `tb.live.RIG`.
pub(super) fn live_rig(subject: &str) -> Option<RigName> {
    subject.strip_prefix("tb.live.")?.parse().ok()
}

/// The rig of a subject `tb.rig.RIG`.
pub(super) fn reporting_rig(subject: &str) -> Option<RigName> {
    subject.strip_prefix("tb.rig.")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_names_one_rig_and_one_recording_or_nothing() {
        let (rig, id) = ("anna".parse().expect("a name"), RecordingId(255));
        let subject = recorded(&rig, id);
        assert_eq!(subject, "tb.rec.anna.000000000000000000000000000000ff");
        assert_eq!(rig_and_recording(&subject, "rec"), Some((rig.clone(), id)));
        assert_eq!(rig_and_recording(&have(&rig, id), "have"), Some((rig, id)));
        for wrong in [
            "tb.rec.anna",
            "tb.rec.anna.",
            "tb.rec.anna.*",
            "tb.rec.anna.ff",
            "tb.rec.anna.000000000000000000000000000000FF",
            "tb.rec.anna.000000000000000000000000000000ff.x",
            "tb.rec...000000000000000000000000000000ff",
            "tb.rec.con.000000000000000000000000000000ff",
            "tb.recanna.000000000000000000000000000000ff",
            "rec.anna.000000000000000000000000000000ff",
        ] {
            assert_eq!(rig_and_recording(wrong, "rec"), None, "{wrong}");
        }
    }

    #[test]
    fn an_answer_goes_to_the_asking_rig_alone() {
        let rig = "anna".parse().expect("a name");
        assert!(is_inbox_of("_INBOX_anna.abc.1", &rig));
        for wrong in [
            "_INBOX_anna",
            "_INBOX_anna.",
            "_INBOX_anna2.a",
            "_INBOX.a",
            "tb.rec.bob.1",
            "_INBOX_bob.a",
            "_INBOX_anna.>",
        ] {
            assert!(!is_inbox_of(wrong, &rig), "{wrong}");
        }
    }
}
