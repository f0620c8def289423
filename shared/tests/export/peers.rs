//! Checks exported files with independent programs and libraries, where they are installed.
//!
//! `cargo xtask peers` installs the libraries, and names the Python that has them in `TRAILBRAKE_PYTHON`.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::{about, datagram, laps, sent};
use trailbrake_shared::export::csv::{self, Rows};
use trailbrake_shared::export::{decoded, motec, pcapng};
use trailbrake_shared::lap_catalogue::Drivers;
use trailbrake_shared::model::Channel;
use trailbrake_shared::time::Micros;

/// What a program prints that gets a file at its standard input.
fn printed(command: &mut Command, file: &[u8]) -> String {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a program that starts");
    let mut input = child.stdin.take().expect("its input");
    std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(file).expect("a program that reads"));
        let output = child.wait_with_output().expect("an end");
        assert!(output.status.success(), "{command:?}");
        String::from_utf8(output.stdout).expect("text")
    })
}

#[test]
#[ignore = "needs Python"]
fn a_standard_reader_of_tables_reads_ours() {
    const PROGRAM: &str = "
import csv, io, sys
rows = list(csv.DictReader(io.TextIOWrapper(sys.stdin.buffer, 'utf-8', newline=''), strict=True))
assert all(None not in row and None not in row.values() for row in rows)
print(len(rows), sum(float(row['speed [m/s]'] or 0) for row in rows), repr(rows[0]['driver']))";
    let mut laps = laps(Drivers::Player);
    laps[0].driver = "=\"A\", or B".to_owned();
    let mut text = String::new();
    csv::write(&laps, &about(), Rows::Native, &mut text).expect("text");
    let printed = printed(Command::new("python3").args(["-c", PROGRAM]), text.as_bytes());
    let mut words = printed.trim().splitn(3, ' ');
    let mut number = || words.next().and_then(|word| word.parse::<f64>().ok()).expect("a number");
    assert_eq!(number() as usize, laps.iter().map(|lap| lap.columns.len()).sum::<usize>());
    let speeds = laps.iter().filter_map(|lap| lap.columns.line(Channel::Speed.slot()));
    let sum: f64 = speeds.flat_map(|line| line.iter().map(|(_, value)| f64::from(value))).sum();
    assert!((number() - sum).abs() < sum * 1e-6);
    assert_eq!(words.next(), Some("'\\'=\"A\", or B'"));
}

#[test]
#[ignore = "needs Python libraries: run cargo xtask peers"]
fn the_official_library_reads_decoded_messages() {
    const PROGRAM: &str = "
import io, sys
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory
reader = make_reader(io.BytesIO(sys.stdin.buffer.read()), decoder_factories=[DecoderFactory()])
summary = reader.get_summary()
total = 0.0
for schema, channel, message, content in reader.iter_decoded_messages(topics=['/telemetry']):
    assert (schema.encoding, channel.message_encoding) == ('protobuf', 'protobuf')
    total += content.speed if content.HasField('speed') else 0
metadata = [record for record in reader.iter_metadata()]
print(summary.statistics.message_count, len(summary.channels), total, metadata[0].metadata['game'])";
    let laps = laps(Drivers::Player);
    let file = decoded::write(&laps, &about());
    let python = std::env::var_os("TRAILBRAKE_PYTHON");
    let python = python.expect("TRAILBRAKE_PYTHON must name a Python with the libraries of MCAP's makers");
    let printed = printed(Command::new(python).args(["-c", PROGRAM]), &file);
    let words: Vec<&str> = printed.trim().splitn(4, ' ').collect();
    let summary = mcap::Summary::read(&file).expect("MCAP").expect("a summary");
    assert_eq!(words[0].parse().ok(), summary.stats.map(|stats| stats.message_count));
    assert_eq!(words[1].parse().ok(), Some(summary.channels.len()));
    let speeds = laps.iter().filter_map(|lap| lap.columns.line(Channel::Speed.slot()));
    let sum: f64 = speeds.flat_map(|line| line.iter().map(|(_, value)| f64::from(value))).sum();
    assert!((words[2].parse::<f64>().expect("a sum") - sum).abs() < sum * 1e-6);
    assert_eq!(words[3], "F1 2018");
}

#[test]
fn a_reader_of_motec_logs_by_others_reads_ours() {
    let mut laps = laps(Drivers::Player);
    // A log's characters have one byte each. The reader takes them for UTF-8, which is the same for ASCII only.
    laps.iter_mut().for_each(|lap| lap.driver = "Ann Baker".to_owned());
    let motec::Log { ld, .. } = motec::write(&laps, &about()).expect("laps");
    let mut file = std::io::Cursor::new(&ld);
    let mut reader = motec_i2::LDReader::new(&mut file);
    let header = reader.read_header().expect("a header");
    assert_eq!((header.driver.as_str(), header.device_type.as_str()), (laps[0].driver.as_str(), "ADL"));
    assert_eq!(header.date_string, "14/11/2023");
    let event = reader.read_event().expect("read").expect("an event");
    assert_eq!(event.name, "F1 2018");
    assert_eq!(reader.read_venue().expect("read").expect("a venue").name, header.venue);
    assert_eq!(reader.read_vehicle().expect("read").expect("a vehicle").id, header.vehicleid);
    let channels = reader.read_channels().expect("channels");
    assert_eq!(channels.len(), header.num_channels as usize);
    let own = motec::read_ld(&ld).expect("a log");
    assert_eq!(channels.len(), own.channels.len());
    for (channel, own) in channels.iter().zip(&own.channels) {
        assert_eq!((&channel.name, &channel.unit), (&own.name, &own.unit));
        assert_eq!(channel.sample_rate, own.rate_hz, "{}", own.name);
        let samples = reader.channel_data(channel).expect("samples");
        let read = samples.iter().map(|sample| sample.decode_f64(channel) as f32);
        assert!(read.eq(own.samples.iter().copied()), "{}", own.name);
    }
    // The values they read are those driven, in the unit that the file names.
    let speed = channels.iter().find(|channel| channel.name == "Ground Speed").expect("speed");
    let read: Vec<f64> = {
        let samples = reader.channel_data(speed).expect("samples");
        samples.iter().map(|sample| sample.decode_f64(speed)).collect()
    };
    let fastest = read.iter().copied().fold(0.0, f64::max) / 3.6;
    let lines = laps.iter().filter_map(|lap| lap.columns.line(Channel::Speed.slot()));
    let driven = lines.flat_map(|line| line.iter().map(|(_, value)| f64::from(value))).fold(0.0, f64::max);
    assert!((fastest - driven).abs() < 0.5, "{fastest} m/s, driven at {driven}");
}

/// A capture of packets that were sent, as a file that goes with the test.
struct Capture {
    file: PathBuf,
    packets: &'static [(Micros, Vec<u8>)],
}

impl Capture {
    fn new(test: &str) -> Self {
        let packets = &sent()[..2000];
        let mut capture = pcapng::beginning();
        for packet in packets {
            capture.extend(pcapng::packet(&datagram(packet)).expect("a packet"));
        }
        let name = format!("trailbrake-export-{}-{test}.pcapng", std::process::id());
        let file = std::env::temp_dir().join(name);
        std::fs::write(&file, capture).expect("a file");
        Self { file, packets }
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

#[test]
#[ignore = "needs Wireshark"]
fn wireshark_reads_captures_of_ours() {
    let capture = Capture::new("tshark");
    let mut tshark = Command::new("tshark");
    // Checksums too, which Wireshark does not look at unless asked to.
    tshark.args(["-o", "udp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE", "-r"]).arg(&capture.file);
    tshark.args(["-T", "fields", "-e", "udp.payload", "-e", "udp.srcport", "-e", "udp.dstport"]);
    tshark.args(["-e", "udp.checksum.status", "-e", "ip.checksum.status", "-e", "frame.time_epoch"]);
    let printed = printed(tshark.stderr(Stdio::null()), &[]);
    assert_eq!(printed.lines().count(), capture.packets.len());
    for (line, (at, bytes)) in printed.lines().zip(capture.packets) {
        let fields: Vec<&str> = line.split('\t').collect();
        let payload: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(fields[0], payload);
        assert_eq!(fields[1..5], ["5000", "20777", "1", "1"]);
        assert!(
            fields[5].starts_with(&format!("{}.{:06}", at.0 / 1_000_000, at.0 % 1_000_000)),
            "{}",
            fields[5]
        );
    }
}

#[test]
#[ignore = "needs tcpdump"]
fn tcpdump_reads_captures_of_ours() {
    let capture = Capture::new("tcpdump");
    let mut tcpdump = Command::new("tcpdump");
    tcpdump.args(["-n", "-r"]).arg(&capture.file).arg("udp and src port 5000 and dst port 20777");
    let printed = printed(tcpdump.stderr(Stdio::null()), &[]);
    assert_eq!(printed.lines().count(), capture.packets.len());
    assert!(!printed.contains("bad"), "tcpdump finds a fault");
}
