//! Replay sends what was received, to a running relay or to a given address.

use std::fs;
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::time::{Duration, Instant};

use trailbrake_isolation::free_port;
use trailbrake_shared::export::pcapng;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::{Info, RecordingId, Writer};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

use crate::race::{Folder, race, run};
use crate::recording::{packets, recording_into, whole};
use crate::running::{ReceivedPackets, Running, settings};

const BEGAN: Micros = Micros(1_795_271_520_000_000);

/// The packets of `seconds` of the simulator, each with its time.
fn driven(feed: Feed, seconds: f64) -> Vec<(Micros, Vec<u8>)> {
    let mut demo = Demo::new(feed, Options::default(), BEGAN).expect("a feed that is spoken");
    let mut sent = Vec::new();
    // In half-second steps: the demo does not catch up after a longer pause.
    for half in 1..=(seconds * 2.0) as u32 {
        let now = BEGAN.plus_seconds(f64::from(half) / 2.0);
        demo.advance(now, &mut |at, bytes| sent.push((at, bytes.to_vec())));
    }
    sent
}

/// Writes a recording of packets by sender and port.
fn recording(path: &Path, feed: Feed, sent: &[(Micros, SocketAddr, u16, Vec<u8>)]) {
    let info = Info {
        id: RecordingId(7),
        parent: None,
        created: BEGAN,
        feed: feed.id().into(),
        program: "the tests".into(),
        others_left_out: false,
    };
    let mut writer = Writer::new(&info);
    for (at, sender, port, bytes) in sent {
        let feed = trailbrake_shared::feed::recognise(bytes).ok().map(|known| known.feed);
        writer.take(&Datagram { at: *at, sender: *sender, port: *port, feed, bytes });
    }
    let mut bytes = writer.bytes();
    bytes.extend(writer.finish());
    fs::write(path, bytes).expect("a file");
}

fn console(port: u16) -> SocketAddr {
    ([192, 168, 1, 20], port).into()
}

/// Runs the command while a relay runs in the same test.
async fn replayed(folder: &Path, file: &str, options: &[&str]) -> anyhow::Result<String> {
    let (file, options) =
        (folder.join(file), options.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>());
    let replay = move || {
        let mut arguments = vec!["trailbrake".to_owned(), "replay".to_owned(), file.display().to_string()];
        arguments.extend(["--config=/dev/null".to_owned()]);
        arguments.extend(options);
        let line = <trailbrake_relay::commands::CommandLine as clap::Parser>::try_parse_from(arguments)?;
        let Some(trailbrake_relay::commands::Command::Replay(request)) = line.command else {
            panic!("a replay")
        };
        let mut notes = Vec::new();
        trailbrake_relay::commands::replay::run(&request, &mut notes)?;
        anyhow::Ok(String::from_utf8(notes)?)
    };
    tokio::task::spawn_blocking(replay).await.expect("no panic")
}

fn bytes(received: &[ReceivedPackets]) -> Vec<&[u8]> {
    received.iter().map(|one| one.bytes.as_slice()).collect()
}

#[tokio::test]
async fn a_recording_sent_into_another_relay_is_recorded_as_the_same_bytes() {
    let (first, second) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let relay = recording_into(second.path(), &["--port=f1-2018=0", "--port=gran-turismo=0"]);
    let http = format!("--http={}", relay.report.http);
    let mut running = Vec::new();
    // Gran Turismo's packets are encrypted, and must be sent as they were received.
    for feed in [Feed::F1, Feed::GranTurismo] {
        let sent = driven(feed, 10.0);
        let from =
            |(at, bytes): &(Micros, Vec<u8>)| (*at, console(5000), feed.info().ports[0], bytes.clone());
        let file = format!("{}.mcap", feed.id());
        recording(&first.path().join(&file), feed, &sent.iter().map(from).collect::<Vec<_>>());
        let (folder, http) = (first.path().to_owned(), http.clone());
        let replay = tokio::spawn(async move { replayed(&folder, &file, &[&http]).await.expect("sent") });
        running.push((feed, sent, replay));
    }
    let mut expected = Vec::new();
    for (feed, sent, replay) in running {
        let notes = replay.await.expect("no panic");
        assert!(notes.starts_with(&format!("sent: {} packets", sent.len())), "{notes}");
        expected.push((feed, sent));
    }
    relay.stop().await;
    let files = whole(second.path());
    assert_eq!(files.len(), expected.len());
    for (feed, sent) in expected {
        let (_, again) =
            files.iter().find(|(name, _)| name.contains(feed.id())).expect("the feed's recording");
        let back = packets(again);
        // Packets from menus are recorded only for a moment before the drive.
        let menu = sent.len() - back.len();
        assert!(menu < sent.len() / 3, "{menu} of {}", sent.len());
        let driven = &sent[menu..];
        assert!(
            back.iter().map(|packet| &packet.bytes).eq(driven.iter().map(|(_, bytes)| bytes)),
            "{feed:?}"
        );
        // The spacing is kept, too: ten seconds take ten seconds.
        let (first, last) = (back.first().expect("a packet"), back.last().expect("a packet"));
        let was = driven[driven.len() - 1].0.seconds_since(driven[0].0);
        let is = last.at.seconds_since(first.at);
        assert!((is - was).abs() < 0.5, "{is} s instead of {was} s");
    }
}

#[tokio::test]
async fn each_game_goes_to_its_own_port_and_two_senders_stay_two() {
    let folder = tempfile::tempdir().expect("a folder");
    let (f1, gt) = (driven(Feed::F1, 1.0), driven(Feed::GranTurismo, 1.0));
    let mut mixed: Vec<_> = f1.iter().map(|(at, bytes)| (*at, console(5000), 20777, bytes.clone())).collect();
    mixed.extend(gt.iter().map(|(at, bytes)| (*at, console(33739), 33740, bytes.clone())));
    mixed.extend(gt.iter().map(|(at, bytes)| (at.plus_seconds(0.001), console(33800), 33740, bytes.clone())));
    // Packets that no feed recognises are sent, too.
    mixed.push((BEGAN.plus_seconds(0.5), console(5000), 20777, b"no game".to_vec()));
    mixed.sort_by_key(|(at, ..)| *at);
    recording(&folder.path().join("two.mcap"), Feed::F1, &mixed);
    let relay = Running::start(settings(&["--port=f1-2018=0", "--port=gran-turismo=0"]));
    let mut browser = relay.browser().await;
    let http = format!("--http={}", relay.report.http);
    replayed(folder.path(), "two.mcap", &[&http, "--speed=4"]).await.expect("sent");
    let received = browser.datagrams(mixed.len()).await;
    let (f1_port, gt_port) = (relay.address_of(Feed::F1).port(), relay.address_of(Feed::GranTurismo).port());
    assert_ne!(f1_port, gt_port);
    for one in &received {
        let expected = if one.feed == Some(Feed::GranTurismo) { gt_port } else { f1_port };
        assert!(one.port == expected || one.feed.is_none(), "{:?} by {}", one.feed, one.port);
    }
    let of = |sender: SocketAddr| {
        received.iter().filter(move |one| one.sender == sender).cloned().collect::<Vec<_>>()
    };
    let mut senders: Vec<SocketAddr> = received.iter().map(|one| one.sender).collect();
    senders.sort();
    senders.dedup();
    assert_eq!(senders.len(), 3);
    for sender in senders {
        let own = of(sender);
        let was: Vec<&[u8]> = match own[0].feed {
            Some(Feed::GranTurismo) => gt.iter().map(|(_, bytes)| bytes.as_slice()).collect(),
            _ => mixed.iter().filter(|one| one.1 == console(5000)).map(|one| one.3.as_slice()).collect(),
        };
        assert!(bytes(&own) == was, "other packets of {sender}");
    }
    relay.stop().await;
}

/// What a socket receives, with times, until nothing arrives for a while.
fn listen(socket: &UdpSocket) -> Vec<(Instant, Vec<u8>)> {
    let mut received = Vec::new();
    let mut room = vec![0; 64 << 10];
    let patience = |packets: &Vec<_>| if packets.is_empty() { 30 } else { 3 };
    loop {
        socket.set_read_timeout(Some(Duration::from_secs(patience(&received)))).expect("a timeout");
        match socket.recv(&mut room) {
            Ok(len) => received.push((Instant::now(), room[..len].to_vec())),
            Err(_) => return received,
        }
    }
}

/// Writes a capture of a few packets, at the given milliseconds.
fn capture(path: &Path, at_ms: &[u64]) {
    let mut capture = pcapng::beginning();
    for at in at_ms {
        let at = Micros(BEGAN.0 + at * 1000);
        let datagram =
            Datagram { at, sender: console(5000), port: 20777, feed: None, bytes: &at.0.to_le_bytes() };
        capture.extend(pcapng::packet(&datagram).expect("a packet"));
    }
    fs::write(path, capture).expect("a file");
}

#[tokio::test]
async fn packets_keep_their_distance_at_any_speed() {
    let folder = tempfile::tempdir().expect("a folder");
    let at_ms = [0, 40, 80, 400, 800, 810];
    capture(&folder.path().join("few.pcapng"), &at_ms);
    for (speed, times) in [("0.5", 0.5), ("1", 1.0), ("2", 2.0)] {
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        let to = format!("--to={}", socket.local_addr().expect("an address"));
        let receiving = std::thread::spawn(move || listen(&socket));
        replayed(folder.path(), "few.pcapng", &[&to, "--speed", speed]).await.expect("sent");
        let received = receiving.join().expect("no panic");
        assert_eq!(received.len(), at_ms.len());
        for ((when, bytes), at) in received.iter().zip(at_ms) {
            assert_eq!(*bytes, (BEGAN.0 + at * 1000).to_le_bytes());
            let (is, due) = ((*when - received[0].0).as_secs_f64(), at as f64 / 1e3 / times);
            // The first one may itself have arrived a little late.
            assert!(is > due - 0.1 && is < due + 0.4, "speed {speed}: {is:.3} s, due at {due:.3} s");
        }
    }
}

#[tokio::test]
async fn at_full_speed_nothing_is_lost() {
    let folder = Folder::new("full-speed");
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let to = format!("--to={}", socket.local_addr().expect("an address"));
    // A receiver that pauses now and then, as a busy program does.
    let receiving = std::thread::spawn(move || {
        let (mut all, mut room, mut count) = (Vec::new(), vec![0; 64 << 10], 0);
        socket.set_read_timeout(Some(Duration::from_secs(5))).expect("a timeout");
        while let Ok(len) = socket.recv(&mut room) {
            all.extend_from_slice(&room[..len]);
            count += 1;
            if count % 5000 == 0 {
                std::thread::sleep(Duration::from_millis(100));
            }
        }
        all
    });
    let began = Instant::now();
    let notes = replayed(&folder.path(""), "race.pcapng", &[&to, "--speed=max"]).await.expect("sent");
    let took = began.elapsed();
    let received = receiving.join().expect("no panic");
    assert!(received == race().sent, "{} of {} bytes: {notes}", received.len(), race().sent.len());
    assert!(took < Duration::from_secs(120), "260 s of racing took {took:?}");
}

#[tokio::test]
async fn it_begins_at_a_lap_and_a_little_before() {
    let folder = Folder::new("from-lap");
    run(&folder, "import", "race.pcapng", &["-o", "race.trailbrake.mcap"]).expect("a recording");
    let lap = race().laps.iter().find(|lap| lap.car == 1 && lap.number == 2).expect("the lap");
    let mut sizes = Vec::new();
    for file in ["race.pcapng", "race.trailbrake.mcap"] {
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        let to = format!("--to={}", socket.local_addr().expect("an address"));
        let receiving = std::thread::spawn(move || listen(&socket));
        replayed(&folder.path(""), file, &[&to, "--speed=max", "--from=2"]).await.expect("sent");
        let received: Vec<u8> =
            receiving.join().expect("no panic").into_iter().flat_map(|(_, bytes)| bytes).collect();
        assert!(race().sent.ends_with(&received), "{file}: the end of the race");
        fs::write(folder.path("from.bin"), &received).expect("a file");
        let (printed, _) =
            run(&folder, "laps", "from.bin", &["--feed=f1-2018", "--stream", "--json"]).expect("laps");
        let line = crate::race::json_lines(&printed).into_iter().find(|line| line["lap"] == 2);
        assert_eq!(line.expect("the lap")["time_ms"], lap.time_ms, "{printed}");
        sizes.push(received.len());
    }
    assert!(sizes.iter().all(|size| *size < race().sent.len() * 3 / 4), "{sizes:?}");
    let error = replayed(&folder.path(""), "race.pcapng", &["--to=127.0.0.1:9", "--from=9"]).await;
    assert!(error.expect_err("an error").to_string().contains("drove no lap 9"));
}

#[cfg(unix)]
#[test]
fn a_loop_goes_on_until_it_is_ended_and_says_what_it_sent() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().expect("a folder");
    capture(&folder.path().join("few.pcapng"), &[0, 100, 200]);
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    socket.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    let mut command = Command::new(env!("CARGO_BIN_EXE_trailbrake"));
    command.arg("replay").arg(folder.path().join("few.pcapng"));
    command.arg(format!("--to={}", socket.local_addr().expect("an address"))).args(["--loop", "--speed=2"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
    let mut room = [0; 100];
    for round in 0..3 {
        for at in [0, 100, 200] {
            let len = socket.recv(&mut room).expect("a packet");
            assert_eq!(room[..len], (BEGAN.0 + at * 1000_u64).to_le_bytes(), "round {round}");
        }
    }
    let ended =
        Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(ended.success());
    let output = child.wait_with_output().expect("an end");
    let printed = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(printed.starts_with("stopped: ") && printed.lines().count() == 1, "{printed}");
}

#[tokio::test]
async fn what_cannot_be_replayed_is_reported() {
    let folder = Folder::new("replay-mistakes");
    let error = |options: &'static [&'static str], file: &'static str| {
        let path = folder.path("");
        async move { format!("{:#}", replayed(&path, file, options).await.expect_err("an error")) }
    };
    let nobody = format!("127.0.0.1:{}", free_port());
    let http: &'static str = format!("--http={nobody}").leak();
    let words = error(vec![http].leak(), "race.pcapng").await;
    assert!(words.contains(&format!("no Trailbrake runs at http://{nobody}/")), "{words}");
    fs::write(folder.path("empty.bin"), b"").expect("a file");
    let words = error(&["--to=127.0.0.1:9", "--record-size=5"], "empty.bin").await;
    assert!(words.contains("holds no packet to send"), "{words}");
    assert!(error(&["--to=127.0.0.1:9"], "missing.pcapng").await.contains("cannot be read"));
}
