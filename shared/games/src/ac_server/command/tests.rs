//! Tests every command against literal bytes, written from the protocol's table.

use super::*;

fn check(command: Command, bytes: &[u8]) {
    let request = command.request().expect("a request");
    assert_eq!(request.datagram(), bytes, "{command:?}");
    assert_eq!(Request::read(bytes), Some(request));
}

#[test]
fn every_command_is_asked_byte_by_byte() {
    let text = |text: &str| text.to_owned();
    check(Command::Interval { millis: 100 }, &[0xc8, 0x64, 0x00]);
    check(Command::CarInfo { slot: 23 }, &[0xc9, 23]);
    check(Command::Tell { slot: 3, text: text("A") }, &[0xca, 3, 1, 0x41, 0, 0, 0]);
    check(Command::Say { text: text("Hi") }, &[0xcb, 2, 0x48, 0, 0, 0, 0x69, 0, 0, 0]);
    check(Command::SessionInfo { index: None }, &[0xcc, 0xff, 0xff]);
    check(Command::SessionInfo { index: Some(2) }, &[0xcc, 2, 0]);
    let race = Command::SetSession {
        index: 1,
        name: text("GP"),
        kind: 3,
        laps: 12,
        seconds: 1800,
        wait_seconds: 90,
    };
    let bytes = [
        &[0xcd, 1, 2][..],
        &[0x47, 0, 0, 0, 0x50, 0, 0, 0, 3],
        &[12, 0, 0, 0, 0x08, 0x07, 0, 0, 90, 0, 0, 0],
    ];
    check(race, &bytes.concat());
    check(Command::Kick { slot: 7 }, &[0xce, 7]);
    check(Command::Next, &[0xcf]);
    check(Command::Restart, &[0xd0]);
    check(Command::Admin { text: text("/é") }, &[0xd1, 2, 0x2f, 0, 0, 0, 0xe9, 0, 0, 0]);
}

#[test]
fn a_text_has_at_most_255_characters_however_many_bytes_they_are() {
    let say = |text: String| Command::Say { text }.request();
    let longest = say("é".repeat(255)).expect("a request").datagram();
    assert_eq!((longest[1], longest.len()), (255, 2 + 255 * 4));
    assert_eq!(say("a".repeat(256)), Err(CommandError::TooLong { letters: 256 }));
}

#[test]
fn what_no_server_should_be_asked_is_refused_in_words() {
    for (command, words) in [
        (Command::Interval { millis: 0 }, "0 ms is too short"),
        (Command::Interval { millis: 49 }, "from 50 ms on"),
        (Command::Say { text: "  ".into() }, "nothing in the text"),
        (Command::Tell { slot: 1, text: "a\nb".into() }, "line break"),
        (Command::Admin { text: "help".into() }, "begins with a slash"),
    ] {
        let reason = command.request().expect_err("a reason").to_string();
        assert!(reason.contains(words), "{reason}");
    }
}

#[test]
fn letters_that_the_chat_may_not_show_cause_a_caution() {
    assert!(Command::Say { text: "è".into() }.caution().is_some());
    assert_eq!(Command::Tell { slot: 1, text: "e".into() }.caution(), None);
    assert_eq!(Command::Next.caution(), None);
}
