//! The library over HTTP.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::library::{Details, Entry, Listing};
use trailbrake_shared::recording::{Info, RecordingId, Writer};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

use crate::noise::Noise;
use crate::recorded::BEGAN;
use crate::recording::{open, packets, recording_into};
use crate::running::{Running, ask, ask_raw, send, until};

/// What a recording of the tests says of itself.
pub(crate) fn info(id: u128, created: Micros, feed: &str) -> Info {
    Info {
        id: RecordingId(id),
        parent: None,
        created,
        feed: feed.into(),
        program: "the tests".into(),
        others_left_out: false,
    }
}

/// A recording of `seconds` of the simulator.
pub(crate) fn recording(id: u128, seconds: f64) -> Vec<u8> {
    let began = Micros(BEGAN.0 + id as u64 * 1_000_000);
    let info = info(id, began, "gran-turismo");
    let mut writer = Writer::new(&info);
    let mut demo = Demo::new(Feed::GranTurismo, Options::default(), began).expect("a feed that is spoken");
    let (sender, mut now) = (SocketAddr::from(([192, 168, 1, 20], 33739)), began);
    while now.seconds_since(began) < seconds {
        now = now.plus_seconds(0.5);
        demo.advance(now, &mut |at, bytes| {
            writer.take(&Datagram { at, sender, port: 33740, feed: Some(Feed::GranTurismo), bytes });
        });
    }
    let mut bytes = writer.bytes();
    bytes.extend(writer.finish());
    bytes
}

pub(crate) fn put(folder: &Path, name: &str, bytes: &[u8]) {
    fs::write(folder.join(format!("{name}.trailbrake.mcap")), bytes).expect("a file");
}

pub(crate) async fn list(address: SocketAddr) -> Listing {
    ask(address, "GET", "/library", &[]).await.json()
}

pub(crate) fn path(id: u128, rest: &str) -> String {
    format!("/library/{}{rest}", RecordingId(id))
}

#[tokio::test]
async fn beyond_the_limit_the_oldest_go_to_the_bin_which_has_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = recording(1, 3.0).len() as f64;
    for id in 1..=12 {
        put(folder.path(), &format!("one-{id:02}"), &recording(id, 3.0));
    }
    // Eight fit, and two into the bin.
    let keep = format!("--keep-gb={:.9}", one * 8.7 / 1e9);
    let relay = recording_into(folder.path(), &[&keep]);
    let address = relay.report.http;
    let files = |listing: Listing| {
        let mut files: Vec<String> = listing.recordings.into_iter().map(|entry| entry.file).collect();
        files.sort();
        files
    };
    let named = |ids: std::ops::RangeInclusive<u32>| {
        ids.map(|id| format!("one-{id:02}.trailbrake.mcap")).collect::<Vec<String>>()
    };
    until(async || {
        let bin: Listing = ask(address, "GET", "/library/bin", &[]).await.json();
        (files(bin) == named(3..=4)).then_some(())
    })
    .await;
    assert_eq!(files(list(address).await), named(5..=12));
    relay.stop().await;
}

#[tokio::test]
async fn recordings_are_listed_named_deleted_and_brought_back() {
    let folder = tempfile::tempdir().expect("a folder");
    for id in 1..=3 {
        put(folder.path(), &format!("one-{id}"), &recording(id, 3.0));
    }
    put(folder.path(), "copy-of-3", &recording(3, 3.0));
    put(folder.path(), "broken", b"no recording");
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    let listing = list(address).await;
    let ids: Vec<Option<u128>> = listing.recordings.iter().map(|entry| entry.id.map(|id| id.0)).collect();
    assert_eq!(ids, [Some(3), None, Some(2), Some(1), None], "the newest first");
    assert!(listing.recordings[1].trouble.as_deref().is_some_and(|words| words.contains("copy of")));
    assert!(listing.recordings[4].trouble.is_some(), "what can't be opened says so");

    let named = send(address, "PATCH", &path(2, ""), br#"{"name":" Quick ","tags":["wet","wet",""]}"#).await;
    let entry: Entry = named.json();
    assert_eq!((entry.name.as_deref(), &entry.tags[..]), (Some("Quick"), &["wet".to_owned()][..]));
    for (words, found) in [("quick", 1), ("gran%20turismo", 4), ("gran+turismo%20quick", 1), ("nothing", 0)] {
        let listing: Listing = ask(address, "GET", &format!("/library?q={words}"), &[]).await.json();
        assert_eq!(listing.recordings.len(), found, "{words}");
    }
    for (id, found) in [("2", vec![Some(2)]), ("99", vec![]), ("", vec![])] {
        let id = id.parse().map_or_else(|_| id.to_owned(), |id| RecordingId(id).to_string());
        let answer = ask(address, "GET", &format!("/library?id={id}"), &[]).await;
        let listing: Listing = answer.json();
        let ids: Vec<_> = listing.recordings.iter().map(|entry| entry.id.map(|id| id.0)).collect();
        assert_eq!(ids, found, "{id}");
    }
    let underway: Listing = ask(address, "GET", "/library?underway=1", &[]).await.json();
    assert_eq!(underway.recordings, []);
    let again: Entry = send(address, "PATCH", &path(2, ""), br#"{"name":""}"#).await.json();
    assert_eq!((again.name, again.tags.len()), (None, 1), "what is not named stays");
    let bytes = fs::read(folder.path().join("one-2.trailbrake.mcap")).expect("the file");
    assert_eq!(packets(&bytes), packets(&recording(2, 3.0)), "the packets are untouched");

    assert_eq!(send(address, "DELETE", &path(2, ""), b"").await.status, 200);
    assert_eq!(list(address).await.recordings.len(), 4);
    let bin: Listing = ask(address, "GET", "/library/bin", &[]).await.json();
    assert_eq!(bin.recordings.len(), 1);
    let back: Entry = send(address, "POST", &format!("/library/bin/{}", RecordingId(2)), b"").await.json();
    assert_eq!((back.id, back.tags.len()), (Some(RecordingId(2)), 1), "deleting is undone, tags and all");
    send(address, "DELETE", &path(1, ""), b"").await;
    assert_eq!(send(address, "DELETE", "/library/bin", b"").await.text(), "1");
    assert_eq!(send(address, "POST", &format!("/library/bin/{}", RecordingId(1)), b"").await.status, 404);
    relay.stop().await;
}

#[tokio::test]
async fn what_cannot_be_opened_is_deleted_and_brought_back_by_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "broken", b"no recording");
    put(folder.path(), "one", &recording(1, 3.0));
    put(folder.path(), "the-same", &recording(1, 3.0));
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    for (file, damaged) in [("broken.trailbrake.mcap", true), ("the-same.trailbrake.mcap", false)] {
        let content = fs::read(folder.path().join(file)).expect("the file");
        let entry = list(address).await.recordings.into_iter().find(|entry| entry.file == file);
        let entry = entry.expect("it is listed");
        assert_eq!((entry.id, entry.damaged, entry.trouble.is_some()), (None, damaged, true));
        let binned: Entry = send(address, "DELETE", &format!("/library/{file}"), b"").await.json();
        assert_eq!((list(address).await.recordings.len(), binned.file.as_str()), (2, file));
        let back = send(address, "POST", &format!("/library/bin/{}", binned.file), b"").await;
        assert_eq!(back.status, 200, "{}", back.text());
        assert_eq!(list(address).await.recordings.len(), 3);
        assert_eq!(fs::read(folder.path().join(file)).expect("the file"), content);
    }
    // Two deleted files of the same name: each is restored with its own content.
    let first: Entry = send(address, "DELETE", "/library/broken.trailbrake.mcap", b"").await.json();
    put(folder.path(), "broken", b"another that is none");
    let second: Entry = send(address, "DELETE", "/library/broken.trailbrake.mcap", b"").await.json();
    assert_ne!(first.file, second.file);
    send(address, "POST", &format!("/library/bin/{}", second.file), b"").await;
    let back = fs::read(folder.path().join(&second.file)).expect("the file");
    assert_eq!(back, b"another that is none");
    relay.stop().await;
}

#[tokio::test]
async fn no_name_from_a_client_leads_out_of_the_folder() {
    let above = tempfile::tempdir().expect("a folder");
    let folder = above.path().join("recordings");
    fs::create_dir_all(folder.join("deeper")).expect("a folder");
    put(above.path(), "outside", b"no recording");
    put(&folder.join("deeper"), "below", b"no recording");
    put(&folder, "broken", b"no recording");
    let relay = recording_into(&folder, &[]);
    let address = relay.report.http;
    for name in [
        "nobody.mcap",
        ".in-use",
        "..%2Foutside.trailbrake.mcap",
        "..%5Coutside.trailbrake.mcap",
        "deeper%2Fbelow.trailbrake.mcap",
        "deeper%2F..%2Fbroken.trailbrake.mcap",
        ".%2Fbroken.trailbrake.mcap",
        "%2Fetc%2Fpasswd",
        "C:%5Cbroken.trailbrake.mcap",
        "broken.trailbrake.mcap::$DATA",
        "broken.trailbrake.mcap.",
        "broken.trailbrake.mcap%20",
        "broken.trailbrake.mcap%00",
        "NUL",
        "CON.trailbrake.mcap",
        "COM1",
    ] {
        for (method, path) in [
            ("DELETE", format!("/library/{name}")),
            ("POST", format!("/library/bin/{name}")),
            ("POST", format!("/library/repair/{name}")),
        ] {
            let answer = send(address, method, &path, b"").await;
            assert_eq!(answer.status, 404, "{method} {path}: {}", answer.text());
        }
        for part in ["", "/file", "/tail"] {
            let answer = ask(address, "GET", &format!("/library/{name}{part}"), &[]).await;
            assert_ne!(answer.status, 200, "{name}{part}: {}", answer.text());
        }
    }
    // What comes in under such a name gets one that every system allows, in the folder.
    for (id, name, expected) in [
        (1, "..%2F..%2Fescaped", "escaped"),
        (2, "C:%5CWindows%5Cnul", "C--Windows-nul"),
        (3, "NUL", "recording-NUL"),
        (4, "com1.trailbrake.mcap", "recording-com1"),
        (5, "a.mcap:stream", "a-mcap-stream"),
        (6, "dots...", "dots"),
        (7, "%E2%80%AEgnp.exe%00%1B%5B2J", "gnp-exe---2J"),
    ] {
        let came = send(address, "POST", &format!("/library?name={name}"), &recording(id, 3.0)).await;
        assert_eq!(came.status, 201, "{name}: {}", came.text());
        let entry: Entry = came.json();
        assert_eq!(entry.file, format!("{expected}.trailbrake.mcap"), "{name}");
        assert!(folder.join(&entry.file).is_file(), "{name}");
    }
    let mut left = files(above.path());
    left.sort();
    assert_eq!(left, ["outside.trailbrake.mcap", "recordings"]);
    assert_eq!(fs::read(above.path().join("outside.trailbrake.mcap")).expect("a file"), b"no recording");
    relay.stop().await;
}

#[tokio::test]
async fn everything_survives_moving_the_folder() {
    let above = tempfile::tempdir().expect("a folder");
    let (here, there) = (above.path().join("here"), above.path().join("there"));
    fs::create_dir(&here).expect("a folder");
    put(&here, "one", &recording(1, 3.0));
    put(&here, "two", &recording(2, 3.0));
    let relay = recording_into(&here, &[]);
    send(relay.report.http, "PATCH", &path(1, ""), br#"{"name":"Mine","tags":["a"]}"#).await;
    send(relay.report.http, "DELETE", &path(2, ""), b"").await;
    relay.stop().await;
    fs::rename(&here, &there).expect("moved");
    let relay = recording_into(&there, &[]);
    let listing = list(relay.report.http).await;
    assert_eq!(listing.recordings[0].name.as_deref(), Some("Mine"));
    let bin: Listing = ask(relay.report.http, "GET", "/library/bin", &[]).await.json();
    assert_eq!(bin.recordings[0].id, Some(RecordingId(2)));
    relay.stop().await;
}

#[tokio::test]
async fn a_range_is_what_it_says_and_a_changed_file_is_sent_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = recording(1, 30.0);
    put(folder.path(), "one", &bytes);
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    let file = path(1, "/file");
    let whole = ask(address, "GET", &file, &[]).await;
    assert_eq!((whole.status, &whole.body), (200, &bytes));
    assert_eq!(whole.header("content-disposition"), Some("attachment; filename=\"one.trailbrake.mcap\""));
    let tag = whole.header("etag").expect("a tag").to_owned();
    let part = ask(address, "GET", &file, &[("range", "bytes=100-299"), ("if-range", &tag)]).await;
    assert_eq!((part.status, &part.body[..]), (206, &bytes[100..300]));
    assert_eq!(part.header("content-range"), Some(format!("bytes 100-299/{}", bytes.len()).as_str()));
    let head = ask(address, "HEAD", &file, &[]).await;
    assert_eq!(head.header("content-length"), Some(bytes.len().to_string().as_str()));
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(ask(address, "GET", &file, &[("range", "bytes=999999999-")]).await.status, 416);
    send(address, "PATCH", &path(1, ""), br#"{"name":"longer"}"#).await;
    let changed = ask(address, "GET", &file, &[("range", "bytes=100-299"), ("if-range", &tag)]).await;
    assert_eq!(changed.status, 200, "the file is another");
    assert_eq!(open(&changed.body).info().id, RecordingId(1));
    for wrong in
        ["/library/nobody", "/library/../Cargo.toml", &path(9, ""), &path(9, "/file"), &path(9, "/tail")]
    {
        assert_eq!(ask(address, "GET", wrong, &[]).await.status, 404, "{wrong}");
    }
    // A page that asks for the tail of a recording that has just ended asks for its file again.
    let ended = ask(address, "GET", &path(1, "/tail"), &[]).await;
    assert_eq!((ended.status, ended.body.len()), (204, 0));
    relay.stop().await;
}

/// The visible files of a folder.
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder");
    let name = |entry: std::io::Result<fs::DirEntry>| {
        entry.expect("an entry").file_name().into_string().expect("text")
    };
    entries.map(name).filter(|name| !name.starts_with('.')).collect()
}

#[tokio::test]
async fn what_is_no_recording_is_refused_with_what_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    let other = "is not a recording. Open .mcap, .pcap, iRacing .ibt, MoTeC .ld or lap .csv files.";
    for (name, bytes, words) in [
        ("README.md", &b"# Trailbrake\nNo packets in here.\n"[..], other),
        ("race.bin", &[0xe2, 0x07, 1, 6, 3, 0, 0, 0, 9, 9], other),
        ("short.bin", b"x", other),
        ("race.pcap", &[0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0], "is a capture"),
        ("race.pcapng", &[0x0a, 0x0d, 0x0d, 0x0a, 0x1c, 0, 0, 0, 0x4d, 0x3c], "is a capture"),
        ("lap.ld", &[0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2], "is a MoTeC log"),
        ("lap.ibt", &[2, 0, 0, 0, 1, 0, 0, 0, 60, 0], "is a telemetry file of iRacing"),
        ("lap.csv", b"driver,car,lap\nAnn,1,1\n", "is a table of laps"),
    ] {
        let refused = send(address, "POST", &format!("/library?name={name}"), bytes).await;
        let reason = refused.text();
        assert_eq!(refused.status, 422, "{name}: {reason}");
        assert!(reason.starts_with(name) && reason.contains(words), "{name}: {reason}");
        assert!(files(folder.path()).is_empty(), "{name}");
    }
    relay.stop().await;
}

#[tokio::test]
async fn nothing_is_left_of_an_upload_that_is_cancelled() {
    let folder = tempfile::tempdir().expect("a folder");
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    let bytes = recording(7, 20.0);
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("a connection");
    let head = format!(
        "POST /library?name=a HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\nx-trailbrake: page\r\ncontent-length: {}\r\n\r\n",
        bytes.len()
    );
    tokio::io::AsyncWriteExt::write_all(&mut stream, head.as_bytes()).await.expect("sent");
    tokio::io::AsyncWriteExt::write_all(&mut stream, &bytes[..bytes.len() / 2]).await.expect("sent");
    until(async || (!files(folder.path()).is_empty()).then_some(())).await;
    drop(stream);
    until(async || files(folder.path()).is_empty().then_some(())).await;
    assert!(list(address).await.recordings.is_empty());
    relay.stop().await;
}

#[tokio::test]
async fn a_list_of_thousands_opens_no_file_twice() {
    const MANY: u64 = 5000;
    let folder = tempfile::tempdir().expect("a folder");
    for id in 1..=u128::from(MANY) {
        put(folder.path(), &format!("short-{id:04}"), &empty_recording(id));
    }
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    let first = list(address).await;
    assert_eq!((first.recordings.len() as u64, first.looked.files), (MANY, MANY));
    assert!(first.recordings.windows(2).all(|pair| pair[0].created >= pair[1].created), "the newest first");
    let again = list(address).await;
    assert_eq!((again.looked.files, again.looked.bytes), (0, 0), "nothing has changed");
    let found: Listing = ask(address, "GET", "/library?q=short-4711", &[]).await.json();
    assert_eq!((found.recordings.len(), found.looked.files), (1, 0));
    put(folder.path(), "another", &empty_recording(9999));
    let one_more = list(address).await;
    assert_eq!((one_more.recordings.len() as u64, one_more.looked.files), (MANY + 1, 1));
    relay.stop().await;
}

/// A recording without packets.
fn empty_recording(id: u128) -> Vec<u8> {
    let mut writer = Writer::new(&Info {
        id: RecordingId(id),
        parent: None,
        created: Micros(BEGAN.0 + id as u64 * 1_000_000),
        feed: "gran-turismo".into(),
        program: "the tests".into(),
        others_left_out: false,
    });
    [writer.bytes(), writer.finish()].concat()
}

#[tokio::test]
async fn uploads_are_looked_through() {
    let folder = tempfile::tempdir().expect("a folder");
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    let bytes = recording(7, 20.0);
    let brought = send(address, "POST", "/library?name=My%20lap.trailbrake.mcap", &bytes).await;
    assert_eq!(brought.status, 201, "{}", brought.text());
    let entry: Entry = brought.json();
    assert_eq!((entry.id, entry.file.as_str()), (Some(RecordingId(7)), "My-lap.trailbrake.mcap"));
    assert_eq!(ask(address, "GET", &path(7, "/file"), &[]).await.body, bytes);

    let twice = send(address, "POST", "/library", &bytes).await;
    assert_eq!(twice.status, 200, "{}", twice.text());
    assert_eq!(ask(address, "GET", &path(7, "/file"), &[]).await.body, bytes, "nothing new, nothing written");
    let mut damaged = recording(8, 20.0);
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x10;
    for (garbage, status) in [(damaged, 422), (Noise::seeded(5).bytes(50_000), 422), (vec![], 422)] {
        let refused = send(address, "POST", "/library", &garbage).await;
        assert_eq!(refused.status, status, "{}", refused.text());
    }
    let promised = format!(
        "POST /library HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\nx-trailbrake: page\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n",
        20_u64 << 30
    );
    assert_eq!(ask_raw(address, promised.as_bytes()).await.status, 413);
    assert_eq!(files(folder.path()), ["My-lap.trailbrake.mcap"], "nothing is left of what was refused");
    relay.stop().await;
}

#[tokio::test]
async fn foreign_pages_read_nothing_and_wrong_changes_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "one", &recording(1, 3.0));
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    assert_eq!(ask(address, "GET", "/library", &[("host", "evil.example")]).await.status, 403);
    assert_eq!(list(address).await.recordings.len(), 1);
    for (body, words) in [
        (&b"{"[..], "not understood"),
        (br#"{"file":"x"}"#, "unknown field"),
        (br#"{"name":"two\nlines"}"#, "one line"),
    ] {
        let refused = send(address, "PATCH", &path(1, ""), body).await;
        assert_eq!(refused.status, 400);
        assert!(refused.text().contains(words), "{}", refused.text());
    }
    let long = format!("{{\"name\":\"{}\"}}", "x".repeat(100_000));
    assert_eq!(send(address, "PATCH", &path(1, ""), long.as_bytes()).await.status, 413);
    relay.stop().await;
}

#[tokio::test]
async fn a_list_of_thousands_reads_little_and_nothing_twice() {
    const MANY: u128 = 5000;
    /// The bytes first read from a file's end, plus what its index may add.
    const MOST_OF_A_FILE: u64 = 80 << 10;
    let folder = tempfile::tempdir().expect("a folder");
    let long = recording(MANY + 1, 240.0);
    put(folder.path(), "long", &long);
    assert!(long.len() as u64 > 10 * MOST_OF_A_FILE, "{}", long.len());
    let short = recording(1, 1.0);
    let place = short.windows(32).position(|digits| digits == RecordingId(1).to_string().as_bytes());
    assert!(place.is_some());
    for id in 1..=MANY {
        put(folder.path(), &format!("short-{id:04}"), &with_id(id));
    }
    let relay: Running = recording_into(folder.path(), &[]);
    let first = list(relay.report.http).await;
    assert_eq!(first.recordings.len(), 5001);
    assert!(first.recordings.iter().all(|entry| entry.trouble.is_none()));
    assert_eq!(first.looked.files, 5001);
    let shorts: u64 = first.recordings.iter().map(|entry| entry.bytes).filter(|bytes| *bytes < 80_000).sum();
    assert!(first.looked.bytes <= shorts + MOST_OF_A_FILE, "{} of {shorts}", first.looked.bytes);
    let again = list(relay.report.http).await;
    assert_eq!((again.recordings.len(), again.looked.files, again.looked.bytes), (5001, 0, 0));
    put(folder.path(), "short-0001", &recording(1, 2.0));
    assert_eq!(list(relay.report.http).await.looked.files, 1, "only what has changed");
    let details: Details = ask(relay.report.http, "GET", &path(77, ""), &[]).await.json();
    assert_eq!(details.entry.file, "short-0077.trailbrake.mcap");
    relay.stop().await;
}

/// The shortest recording possible.
fn with_id(id: u128) -> Vec<u8> {
    let info = info(id, BEGAN, "gran-turismo");
    let mut writer = Writer::new(&info);
    let sender = SocketAddr::from(([192, 168, 1, 20], 33739));
    writer.take(&Datagram { at: BEGAN, sender, port: 33740, feed: None, bytes: &[7; 300] });
    let mut bytes = writer.bytes();
    bytes.extend(writer.finish());
    bytes
}

#[tokio::test]
async fn what_is_too_old_makes_way_unless_it_has_a_tag() {
    let folder = tempfile::tempdir().expect("a folder");
    for id in 1..=2 {
        put(folder.path(), &format!("one-{id}"), &recording(id, 3.0));
    }
    let relay = recording_into(folder.path(), &[]);
    send(relay.report.http, "PATCH", &path(1, ""), br#"{"tags":["kept"]}"#).await;
    relay.stop().await;
    // One byte is too small a limit for any recording.
    let relay = recording_into(folder.path(), &["--keep-gb=0.000000001"]);
    let left =
        until(async || Some(list(relay.report.http).await.recordings).filter(|left| left.len() == 1)).await;
    assert_eq!(left.iter().map(|entry| entry.id).collect::<Vec<_>>(), [Some(RecordingId(1))]);
    relay.stop().await;
}
