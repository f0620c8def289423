use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use super::scratch::{Scratch, decode_with_notes};

/// An F1 2018 event, the game's shortest packet.
fn event() -> Vec<u8> {
    let mut packet = vec![0; 25];
    packet[..4].copy_from_slice(&[0xe2, 0x07, 1, 3]);
    packet[21..].copy_from_slice(b"SSTA");
    packet
}

/// An IPv4 packet of a protocol, from 192.0.2.7:49152 to 192.0.2.1:20777.
fn ip(protocol: u8, payload: &[u8]) -> Vec<u8> {
    let len = payload.len() as u8 + 28;
    let header = [0x45, 0, 0, len, 0, 9, 0, 0, 64, protocol, 0, 0, 192, 0, 2, 7, 192, 0, 2, 1];
    let udp = [0xc0, 0x00, 0x51, 0x29, 0, len - 20, 0, 0];
    [&header[..], &udp, payload].concat()
}

/// A pcap file of raw IP packets, half a second apart.
fn pcap(packets: &[Vec<u8>]) -> Vec<u8> {
    let mut file = [0xa1b2_c3d4_u32, 0x0004_0002, 0, 0, 65_535, 101].map(u32::to_le_bytes).concat();
    for (nth, packet) in packets.iter().enumerate() {
        let len = packet.len() as u32;
        file.extend([1_700_000_000, 500_000 * nth as u32, len, len].map(u32::to_le_bytes).concat());
        file.extend(packet);
    }
    file
}

#[test]
fn a_capture_s_datagrams_have_their_time_and_their_sender() {
    let file = pcap(&[ip(17, &event()), ip(6, &[0; 20]), ip(17, b"not a game")]);
    let scratch = Scratch::new("pcap", &file);
    let (lines, understood, notes) = decode_with_notes(&scratch.0, &[]).expect("lines");
    assert!(!understood && lines.len() == 2);
    assert_eq!(lines[0]["at"], 1_700_000_000_000_000_u64);
    assert_eq!(lines[0]["sender"], "192.0.2.7:49152");
    assert_eq!((&lines[0]["feed"], &lines[0]["packet"]), (&json!("f1"), &json!("Event")));
    assert_eq!(lines[0]["fields"]["code"], "SSTA");
    assert_eq!(lines[1]["at"], 1_700_000_001_000_000_u64);
    assert_eq!((&lines[1]["offset"], &lines[1]["bytes"]), (&json!(24 + 2 * 16 + 53 + 48), &json!(10)));
    assert_eq!(notes, "left out, being no UDP: 1 TCP\n");
}

#[test]
fn a_damaged_capture_is_decoded_up_to_the_damage() {
    let mut file = pcap(&[ip(17, &event()), ip(17, &event())]);
    file.truncate(file.len() - 10);
    let scratch = Scratch::new("cut", &file);
    let (lines, understood, notes) = decode_with_notes(&scratch.0, &["--feed", "f1-2018"]).expect("lines");
    assert!(!understood && lines.len() == 2);
    assert_eq!(lines[0]["packet"], "Event");
    let reason = "the file ends within a packet, 59 of whose 69 bytes are there";
    assert_eq!(lines[1]["rejected"], format!("the capture is damaged: {reason}"));
    assert_eq!((&lines[1]["offset"], &lines[1]["bytes"]), (&json!(93), &json!(59)));
    assert_eq!(notes, format!("read up to byte 93 of the file; there it is damaged: {reason}\n"));
}

#[test]
fn a_record_size_is_refused_for_a_capture() {
    let scratch = Scratch::new("sized", &pcap(&[ip(17, &event())]));
    let error = decode_with_notes(&scratch.0, &["--record-size", "25"]).expect_err("an error");
    assert!(error.to_string().contains("leave out --record-size"), "{error}");
}

/// Runs a program that converts captures.
fn convert(program: &str, arguments: &[&str], from: &Path, to: &Path) {
    let status = Command::new(program).args(arguments).args([from, to]).stderr(Stdio::null()).status();
    assert!(status.expect("a program that is installed").success(), "{program} {arguments:?}");
}

/// Expects three events of a single sender, half a second apart, starting at `first` microseconds.
fn check_events(file: &Path, first: u64, what: &str) {
    let (lines, understood, notes) = decode_with_notes(file, &[]).expect("lines");
    assert!(understood && lines.len() == 3, "{what}: {lines:?}");
    for (nth, line) in lines.iter().enumerate() {
        assert_eq!(line["packet"], "Event", "{what}");
        assert_eq!(line["at"], first + 500_000 * nth as u64, "{what}");
        assert_eq!(line["sender"], "192.0.2.7:49152", "{what}");
    }
    assert_eq!(notes, "", "{what}");
}

/// Wireshark's own programs write every form of both formats.
#[test]
#[ignore = "needs Wireshark"]
fn what_wireshark_writes_is_read() {
    const FIRST: u64 = 1_700_000_000_000_000;
    let from = Scratch::new("wireshark-from", &pcap(&[ip(17, &event()), ip(17, &event()), ip(17, &event())]));
    check_events(&from.0, FIRST, "the file itself");
    for form in ["pcap", "nsecpcap", "pcapng"] {
        let to = Scratch::new(form, &[]);
        convert("editcap", &["-F", form], &from.0, &to.0);
        check_events(&to.0, FIRST, form);
    }
    // Link types that raw IP can be relabelled as.
    for link in ["rawip4", "rawip"] {
        let to = Scratch::new(link, &[]);
        convert("editcap", &["-F", "pcapng", "-T", link], &from.0, &to.0);
        check_events(&to.0, FIRST, link);
    }
    let shifted = Scratch::new("shifted", &[]);
    convert("editcap", &["-t", "3600"], &from.0, &shifted.0);
    check_events(&shifted.0, FIRST + 3_600_000_000, "shifted by an hour");

    let snapped = Scratch::new("snapped", &[]);
    convert("editcap", &["-s", "40"], &from.0, &snapped.0);
    let (lines, understood, _) = decode_with_notes(&snapped.0, &[]).expect("lines");
    assert!(!understood && lines.len() == 3);
    let reason = lines[0]["rejected"].as_str().expect("a reason");
    assert!(reason.contains("40 of 53 bytes were kept"), "{reason}");
}

/// Wireshark turns a hex dump into an Ethernet capture with its own headers.
#[test]
#[ignore = "needs Wireshark"]
fn what_text2pcap_writes_is_read() {
    let bytes: Vec<String> = event().iter().map(|byte| format!("{byte:02x}")).collect();
    let from = Scratch::new("dump", format!("0000 {}\n", bytes.join(" ")).as_bytes());
    let to = Scratch::new("dumped", &[]);
    let arguments = ["-q", "-4", "192.0.2.7,192.0.2.1", "-u", "49152,20777"];
    convert("text2pcap", &arguments, &from.0, &to.0);
    let (lines, understood, _) = decode_with_notes(&to.0, &[]).expect("lines");
    assert!(understood && lines.len() == 1, "{lines:?}");
    assert_eq!((&lines[0]["packet"], &lines[0]["sender"]), (&json!("Event"), &json!("192.0.2.7:49152")));
}

/// `tcpdump` reads a capture and writes it in its own form.
#[test]
#[ignore = "needs tcpdump"]
fn what_tcpdump_writes_is_read() {
    let from = Scratch::new("tcpdump-from", &pcap(&[ip(17, &event()), ip(17, &event()), ip(17, &event())]));
    for precision in ["micro", "nano"] {
        let to = Scratch::new(precision, &[]);
        let precision = format!("--time-stamp-precision={precision}");
        let mut command = Command::new("tcpdump");
        command.args([&precision, "-r"]).arg(&from.0).arg("-w").arg(&to.0).stderr(Stdio::null());
        assert!(command.status().expect("tcpdump").success(), "{command:?}");
        check_events(&to.0, 1_700_000_000_000_000, &precision);
    }
}
