//! What arrives through a team's server, and the file that makes a rig a member.
#![expect(clippy::expect_used, reason = "bringing the program down is how a target reports what it found")]

use std::fs;

use trailbrake_relay::team::{Inbox, Invitation};

use crate::own_folder;

/// The rigs of the team.
const RIGS: [&str; 2] = ["anna", "ben"];

/// Messages, each after its length in two bytes, little-endian. A message is its subject, lines of headers, an empty line and
/// the payload. A hub takes all of them, and afterwards lists its recordings.
pub fn team_messages(bytes: &[u8]) {
    let folder = own_folder("team");
    let _ = fs::remove_dir_all(&folder);
    let mut inbox = Inbox::create(&folder, &RIGS).expect("a hub");
    let mut rest = bytes;
    while let Some((len, following)) = rest.split_first_chunk() {
        let len = usize::from(u16::from_le_bytes(*len)).min(following.len());
        let (message, after) = following.split_at(len);
        let end = message.windows(2).position(|two| two == b"\n\n").unwrap_or(message.len());
        let (head, payload) = message.split_at(end);
        let payload = payload.strip_prefix(b"\n\n").unwrap_or(payload);
        let head = String::from_utf8_lossy(head);
        let mut lines = head.lines();
        let subject = lines.next().unwrap_or_default();
        let headers: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(": ")).collect();
        inbox.take(subject, &headers, payload).expect("what the hub says holds");
        rest = after;
    }
    let files = inbox.list().expect("a list");
    let is_one_name = |file: &String| !file.contains(['/', '\\']) && !file.starts_with('.');
    assert!(files.iter().all(is_one_name), "{files:?}");
    let _ = fs::remove_dir_all(&folder);
}

/// The file that a hub's owner sends to a driver: what can be read is read again as it was written.
pub fn invitation(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(read) = text.parse::<Invitation>() else { return };
    let written = read.text().expect("an invitation has a text");
    let again: Invitation = written.parse().expect("its text is an invitation");
    assert_eq!(again.text().expect("a text"), written);
}
