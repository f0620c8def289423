use std::collections::BTreeMap;
use std::net::SocketAddr;

use trailbrake_session::SessionSummary;
use trailbrake_sim::{Options, Request, Start};

use super::*;
use crate::facts::{Labels, LapTable, RecordingId};
use crate::streams_tests::{BEGAN, of_the_simulator};
use crate::{Opening, Packet, Recording, UNCLAIMED, facts, read_whole};

/// A folder in memory that carries out the recorder's actions.
#[derive(Default)]
pub(super) struct Folder {
    pub(super) files: BTreeMap<FileId, File>,
}

#[derive(Default)]
pub(super) struct File {
    name: String,
    pub(super) bytes: Vec<u8>,
    kept: bool,
    pub(super) closed: bool,
}

impl Folder {
    pub(super) fn obey(&mut self, recorder: &mut Recorder) {
        for action in recorder.actions() {
            match action {
                Action::Open { file, name, .. } => {
                    let before = self.files.insert(file, File { name, ..File::default() });
                    assert!(before.is_none());
                }
                Action::Keep { file, name } => {
                    let file = self.open(file);
                    assert!(!std::mem::replace(&mut file.kept, true));
                    file.name = name;
                }
                Action::Discard { file } => {
                    assert!(!self.open(file).kept);
                    self.files.remove(&file);
                }
                Action::Append { file, bytes } => self.open(file).bytes.extend(bytes),
                Action::Close { file } => {
                    assert!(self.open(file).kept);
                    self.open(file).closed = true;
                }
            }
        }
    }

    fn open(&mut self, file: FileId) -> &mut File {
        let file = self.files.get_mut(&file).expect("a file that was opened");
        assert!(!file.closed);
        file
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.files.values().map(|file| file.name.as_str()).collect()
    }
}

impl File {
    pub(super) fn recording(&self) -> Recording {
        open(&self.bytes)
    }

    pub(super) fn packets(&self) -> Vec<Packet> {
        let mut packets = self.recording().all_packets();
        read_whole(&mut packets, &self.bytes);
        assert_eq!((packets.gaps(), packets.damaged()), (&[][..], 0));
        packets.take()
    }
}

fn open(bytes: &[u8]) -> Recording {
    let mut opening = Opening::new(bytes.len() as u64);
    read_whole(&mut opening, bytes);
    opening.finish().expect("a recording")
}

pub(super) fn recorder() -> Recorder {
    let mut ids = 0;
    let new_id = Box::new(move || {
        ids += 1;
        RecordingId(ids)
    });
    Recorder::new(Policy::default(), "the tests", new_id)
}

/// Plays packets to a recorder, shifted by `later_s`, polling it between them.
pub(super) fn play(recorder: &mut Recorder, folder: &mut Folder, packets: &[Packet], later_s: f64) {
    for packet in packets {
        let datagram = packet.datagram();
        recorder.receive(&Datagram { at: datagram.at.plus_seconds(later_s), ..datagram });
        if packet.number % 64 == 0 {
            recorder.poll(packet.at.plus_seconds(later_s));
        }
        folder.obey(recorder);
    }
}

pub(super) fn simulated(feed: Feed, seed: u64, seconds: f64) -> Vec<Packet> {
    of_the_simulator(feed, Options { seed, ..Options::default() }, seconds).packets
}

pub(super) fn bytes(packets: &[Packet]) -> Vec<&[u8]> {
    packets.iter().map(|packet| packet.bytes.as_slice()).collect()
}

#[test]
fn a_session_is_a_file_with_all_its_packets_and_laps() {
    let (mut recorder, mut folder) = (recorder(), Folder::default());
    let packets = simulated(Feed::F1, 5, 240.0);
    play(&mut recorder, &mut folder, &packets, 0.0);
    recorder.stop();
    folder.obey(&mut recorder);
    let names = folder.names();
    assert_eq!(names.len(), 1);
    assert!(
        names[0].starts_with("2026-11-21_1432_f1-2018_") && names[0].ends_with(".trailbrake.mcap"),
        "{names:?}"
    );
    let file = &folder.files[&FileId(0)];
    assert!(file.closed);
    let back = file.packets();
    assert_eq!(bytes(&back), bytes(&packets));
    assert!(back.iter().zip(&packets).all(|(back, sent)| (back.at, back.sender) == (sent.at, sent.sender)));
    let recording = file.recording();
    let laps = recording.facts().get::<LapTable>().expect("a table").expect("laps").laps;
    let summary = recording.facts().get::<SessionSummary>().expect("facts").expect("a summary");
    assert!(summary.participants.len() > 2 && summary.info.is_some());
    let finished = laps.iter().filter(|row| row.lap.time.is_some());
    assert!(finished.clone().count() >= summary.participants.len(), "a lap of everybody");
    for row in finished {
        let seconds = row.to.seconds_since(row.from);
        let time = row.lap.time.expect("a time").seconds();
        assert!((seconds - time).abs() < 0.1, "{row:?} took {seconds}");
    }
}

#[test]
fn another_session_is_another_file_and_the_same_one_coming_back_is_not() {
    let (mut recorder, mut folder) = (recorder(), Folder::default());
    let (one, other) = (simulated(Feed::F1, 5, 40.0), simulated(Feed::F1, 6, 20.0));
    let uid = |packets: &[Packet]| packets[0].bytes[4..12].to_vec();
    assert_ne!(uid(&one), uid(&other));
    let half = one.partition_point(|packet| packet.at.seconds_since(BEGAN) < 20.0);
    play(&mut recorder, &mut folder, &one[..half], 0.0);
    // A glimpse of another session is too short for a file of its own.
    let glimpse = other.partition_point(|packet| packet.at.seconds_since(BEGAN) < 2.0);
    play(&mut recorder, &mut folder, &other[..glimpse], 20.0);
    // The game was restarted in between, and sends from another port.
    let mut rest = one[half..].to_vec();
    rest.iter_mut().for_each(|packet| packet.sender = SocketAddr::from(([192, 168, 1, 20], 50_000)));
    play(&mut recorder, &mut folder, &rest, 10.0);
    play(&mut recorder, &mut folder, &other, 60.0);
    recorder.stop();
    folder.obey(&mut recorder);
    let packets: Vec<Vec<Packet>> = folder.files.values().map(File::packets).collect();
    assert_eq!(packets.iter().map(|packets| uid(packets)).collect::<Vec<_>>(), [uid(&one), uid(&other)]);
    let with_glimpse = [&one[..half], &other[..glimpse], &one[half..]].concat();
    assert_eq!((bytes(&packets[0]), bytes(&packets[1])), (bytes(&with_glimpse), bytes(&other)));
}

#[test]
fn one_packet_of_another_session_costs_no_packet() {
    let (one, other) = (simulated(Feed::F1, 5, 40.0), simulated(Feed::F1, 6, 1.0));
    let at = |seconds: f64| one.partition_point(|packet| packet.at.seconds_since(BEGAN) < seconds);
    let stray = |after: f64| Packet { at: BEGAN.plus_seconds(after), ..other[0].clone() };
    for strays in [vec![0.5], vec![3.0], vec![1.0, 2.0, 4.9], vec![5.0], vec![8.0], vec![3.0, 3.01, 20.0]] {
        let mut sent = one.clone();
        for after in strays.iter().rev() {
            sent.insert(at(*after), stray(*after));
        }
        let (mut recorder, mut folder) = (recorder(), Folder::default());
        play(&mut recorder, &mut folder, &sent, 0.0);
        recorder.stop();
        folder.obey(&mut recorder);
        let files: Vec<Vec<Packet>> = folder.files.values().map(File::packets).collect();
        assert_eq!(files.len(), 1, "{strays:?}");
        assert_eq!(bytes(&files[0]), bytes(&sent), "{strays:?}");
    }
}

#[test]
fn nothing_of_a_few_seconds_is_kept() {
    let (mut recorder, mut folder) = (recorder(), Folder::default());
    play(&mut recorder, &mut folder, &simulated(Feed::F1, 5, 4.5), 0.0);
    recorder.poll(BEGAN.plus_seconds(700.0));
    recorder.stop();
    folder.obey(&mut recorder);
    assert!(folder.files.is_empty());
}

#[test]
fn a_race_restarted_after_its_end_is_recorded_whole() {
    let (mut recorder, mut folder) = (recorder(), Folder::default());
    let restarted_s = 90.0;
    let options = Options {
        seed: 5,
        cars: 3,
        circuit: 1,
        start: Start::Grid,
        laps: 1,
        requests: vec![(restarted_s, Request::Restart { new_identity: false })],
        ..Options::default()
    };
    let packets = of_the_simulator(Feed::F1, options, 140.0).packets;
    let end = |packet: &Packet| packet.bytes[3] == 3 && packet.bytes.ends_with(b"SEND");
    let ended_s = packets.iter().find(|packet| end(packet)).expect("an end").at.seconds_since(BEGAN);
    assert!(ended_s < restarted_s, "the race ended at {ended_s} s");
    play(&mut recorder, &mut folder, &packets, 0.0);
    recorder.stop();
    folder.obey(&mut recorder);
    assert_eq!(folder.names().len(), 1);
    assert_eq!(bytes(&folder.files[&FileId(0)].packets()), bytes(&packets));
}

#[test]
fn games_without_a_name_for_their_sessions_are_recorded_to_the_byte() {
    for feed in [Feed::GranTurismo, Feed::DirtRally] {
        let (mut recorder, mut folder) = (recorder(), Folder::default());
        let packets = simulated(feed, 5, 120.0);
        play(&mut recorder, &mut folder, &packets, 0.0);
        recorder.stop();
        folder.obey(&mut recorder);
        assert_eq!(folder.names().len(), 1, "{feed:?}");
        let back = folder.files[&FileId(0)].packets();
        // Packets from a menu before the session are kept for a few seconds only.
        let from = packets.len() - back.len();
        assert!(packets[from].at.seconds_since(BEGAN) < 5.0, "{feed:?}: {from} are missing");
        assert_eq!(bytes(&back), bytes(&packets[from..]), "{feed:?}");
    }
}

#[test]
fn all_that_a_server_sends_is_kept_between_sessions_too() {
    use trailbrake_games::ac_server::layout::{Chat, ClientLoaded, Connection, EndSession, Session};
    use trailbrake_games::ac_server::{Flavour, Message};
    let joins = |slot: u8, name: &str| {
        Message::NewConnection(Connection {
            driver_name: name.into(),
            driver_guid: format!("765{slot}").as_str().into(),
            car_id: slot,
            car_model: "ks_a".into(),
            car_skin: "01".into(),
        })
    };
    let loads = |slot| Message::ClientLoaded(ClientLoaded { car_id: slot });
    let says = |slot, text: &str| Message::Chat(Chat { car_id: slot, message: text.into() });
    let session = |index| {
        let (session_index, current_session_index) = (index, index);
        let track = "magione".into();
        Message::NewSession(Session {
            protocol_version: 4,
            session_index,
            current_session_index,
            track,
            ..Session::default()
        })
    };
    let sent = [
        // The server was running before.
        (0.0, joins(0, "Ann")),
        (30.0, says(0, "anybody here?")),
        (60.0, joins(1, "Bob")),
        (100.0, session(0)),
        (110.0, loads(0)),
        (120.0, loads(1)),
        (200.0, Message::EndSession(EndSession { report_file: "race.json".into() })),
        (205.0, says(0, "gg")),
        (230.0, says(1, "thanks")),
        (240.0, joins(2, "Cid")),
        (250.0, says(2, "hi")),
        (260.0, session(1)),
        (261.0, loads(2)),
        (270.0, says(2, "go")),
        (300.0, Message::EndSession(EndSession { report_file: "next.json".into() })),
        // Nothing follows.
        (330.0, says(1, "bye")),
        (500.0, says(2, "bye")),
        (1000.0, says(0, "still here")),
        // Another session, just before the program is stopped.
        (1100.0, session(2)),
        (1102.0, says(0, "again?")),
    ];
    let packets: Vec<Packet> = (0..)
        .zip(&sent)
        .map(|(number, (seconds, message))| {
            let bytes = message.write(Flavour::Vanilla);
            let at = BEGAN.plus_seconds(*seconds);
            let sender = SocketAddr::from(([127, 0, 0, 1], 11000));
            Packet::of(
                &Datagram { at, sender, port: 12000, feed: Some(Feed::AcServer), bytes: &bytes },
                number,
            )
        })
        .collect();
    let (mut recorder, mut folder) = (recorder(), Folder::default());
    play(&mut recorder, &mut folder, &packets, 0.0);
    recorder.stop();
    folder.obey(&mut recorder);
    let files: Vec<Vec<Packet>> = folder.files.values().map(File::packets).collect();
    let [first, second] = &files[..] else { panic!("{} files", files.len()) };
    assert_eq!(bytes(first), bytes(&packets[..8]), "with the words right after the session");
    assert_eq!(bytes(second), bytes(&packets[8..]), "with who came before it began, and all after its end");
    let summary: Option<SessionSummary> =
        folder.files.values().last().expect("a file").recording().facts().get().expect("facts");
    let names: Vec<String> =
        summary.expect("a summary").participants.into_iter().map(|one| one.name).collect();
    assert!(names.contains(&"Cid".to_owned()), "{names:?}");
}

#[test]
fn what_no_feed_claims_is_kept_beside_a_game_and_by_itself() {
    let noise = |packet: &Packet| Packet {
        feed: UNCLAIMED.into(),
        bytes: b"what is this".to_vec(),
        ..packet.clone()
    };
    let game = simulated(Feed::F1, 5, 10.0);
    let both: Vec<Packet> = game.iter().flat_map(|packet| [packet.clone(), noise(packet)]).collect();
    let (mut beside, mut folder) = (recorder(), Folder::default());
    play(&mut beside, &mut folder, &both, 0.0);
    beside.stop();
    folder.obey(&mut beside);
    assert_eq!(folder.names().len(), 1);
    assert_eq!(bytes(&folder.files[&FileId(0)].packets()), bytes(&both));
    let alone: Vec<Packet> = game.iter().map(noise).collect();
    let (mut by_itself, mut folder) = (recorder(), Folder::default());
    play(&mut by_itself, &mut folder, &alone, 0.0);
    by_itself.stop();
    folder.obey(&mut by_itself);
    assert_eq!(folder.names(), ["2026-11-21_1432_unclaimed.trailbrake.mcap"]);
    assert_eq!(bytes(&folder.files[&FileId(0)].packets()), bytes(&alone));
}

#[test]
fn two_games_at_once_spoil_neither() {
    let (one, mut other) = (simulated(Feed::F1, 5, 20.0), simulated(Feed::F1, 6, 20.0));
    other.iter_mut().for_each(|packet| packet.sender = SocketAddr::from(([192, 168, 1, 30], 33_739)));
    let mut both: Vec<Packet> = one.iter().chain(&other).cloned().collect();
    both.sort_by_key(|packet| packet.at);
    let (mut recorder, mut folder) = (recorder(), Folder::default());
    play(&mut recorder, &mut folder, &both, 0.0);
    recorder.stop();
    folder.obey(&mut recorder);
    let packets: Vec<Vec<Packet>> = folder.files.values().map(File::packets).collect();
    assert_eq!(packets.len(), 2);
    assert_eq!((bytes(&packets[0]), bytes(&packets[1])), (bytes(&one), bytes(&other)));
}

/// The same packets from many senders, in order.
fn from_each(packets: &[Packet], senders: impl Iterator<Item = SocketAddr> + Clone) -> Vec<Packet> {
    let from = |packet: &Packet| {
        let packet = packet.clone();
        senders.clone().map(move |sender| Packet { sender, ..packet.clone() })
    };
    packets.iter().flat_map(from).collect()
}

#[test]
fn a_game_is_recorded_although_one_machine_sent_another_s_packets_from_many_ports() {
    let game = simulated(Feed::F1, 5, 20.0);
    let ip = game[0].sender.ip();
    let noise = simulated(Feed::AcTelemetryTool, 6, 6.0);
    let sixteen = from_each(&noise, (0..16).map(|port| SocketAddr::new(ip, 40_000 + port)));
    let thousand = from_each(&noise[..2], (0..1000).map(|port| SocketAddr::new(ip, 40_000 + port)));
    for noise in [sixteen, thousand] {
        let (mut recorder, mut folder) = (recorder(), Folder::default());
        play(&mut recorder, &mut folder, &noise, 0.0);
        play(&mut recorder, &mut folder, &game, 6.0);
        assert_eq!(recorder.unrecorded(game[0].at.plus_seconds(26.0)), None);
        recorder.stop();
        folder.obey(&mut recorder);
        let recorded = folder.files.values().filter(|file| file.name.contains("f1-2018"));
        assert_eq!(recorded.map(|file| file.packets().len()).collect::<Vec<_>>(), [game.len()]);
    }
}

#[test]
fn who_still_sends_keeps_the_place_and_who_has_none_is_named() {
    let game = simulated(Feed::F1, 5, 40.0);
    let senders = |count: u8| (1..=count).map(|host| SocketAddr::from(([10, 0, 0, host], 20_777)));
    let others = simulated(Feed::AcTelemetryTool, 6, 20.0);
    let began = game[0].at;
    // Sixteen machines send for twenty seconds; the game begins after ten, and goes on alone.
    let mut both = from_each(&others, senders(16));
    both.extend(game.iter().map(|packet| Packet { at: packet.at.plus_seconds(10.0), ..packet.clone() }));
    both.sort_by_key(|packet| packet.at);
    let until = |seconds: f64| both.partition_point(|packet| packet.at < began.plus_seconds(seconds));
    let (mut recorder, mut folder) = (recorder(), Folder::default());
    play(&mut recorder, &mut folder, &both[..until(15.0)], 0.0);
    let refused = recorder.unrecorded(began.plus_seconds(15.0)).expect("a game that is not recorded");
    assert_eq!((refused.feed, refused.sender), (Feed::F1, game[0].sender));
    play(&mut recorder, &mut folder, &both[until(15.0)..], 0.0);
    assert_eq!(recorder.unrecorded(began.plus_seconds(50.0)), None);
    recorder.stop();
    folder.obey(&mut recorder);
    let packets = |name: &str| -> Vec<usize> {
        let files = folder.files.values().filter(|file| file.name.contains(name));
        files.map(|file| file.packets().len()).collect()
    };
    assert_eq!(packets("ac-telemetry-tool"), [others.len(); 16], "each is whole");
    let [recorded] = packets("f1-2018")[..] else { panic!("{:?}", folder.names()) };
    assert!(recorded > game.len() / 2, "{recorded} of {} packets", game.len());
}

#[test]
fn a_recording_under_way_is_no_more_than_a_second_behind_and_takes_notes() {
    let (mut recorder, mut folder) = (recorder(), Folder::default());
    let packets = simulated(Feed::F1, 5, 150.0);
    let file = FileId(0);
    for second in 0..150 {
        let within = |packet: &&Packet| packet.at.seconds_since(BEGAN) as u64 == second;
        let packets: Vec<Packet> = packets.iter().filter(within).cloned().collect();
        play(&mut recorder, &mut folder, &packets, 0.0);
        recorder.poll(BEGAN.plus_seconds(second as f64 + 1.0));
        folder.obey(&mut recorder);
        if second == 100 {
            let labels = Labels { name: Some("Quick".into()), tags: Vec::new() };
            let fact = StoredFact { at: BEGAN.plus_seconds(100.0), json: facts::write(&labels) };
            assert!(recorder.write(file, "labels", fact.clone()));
            assert!(!recorder.write(FileId(7), "labels", fact));
            folder.obey(&mut recorder);
        }
    }
    assert_eq!(recorder.files().collect::<Vec<_>>(), [(file, Some(Feed::F1))]);
    let mut whole = folder.files[&file].bytes.clone();
    whole.extend(recorder.tail(file).expect("a tail"));
    let recording = open(&whole);
    let behind = packets.last().expect("a packet").at.seconds_since(recording.time().expect("a time").end);
    assert!(behind < 2.0, "{behind} s behind");
    assert!(recording.laps().laps.iter().any(|row| row.lap.time.is_some()), "the earlier laps are there");
    let labels = recording.facts().get::<Labels>().expect("a fact").expect("labels");
    assert_eq!(labels.name.as_deref(), Some("Quick"));
    assert!(recorder.tail(FileId(3)).is_none());
}

#[test]
fn what_is_kept_in_memory_does_not_grow_with_the_session() {
    let (mut recorder, mut folder) = (recorder(), Folder::default());
    let mut most = [0; 2];
    for packet in simulated(Feed::F1, 5, 600.0) {
        recorder.receive(&packet.datagram());
        if packet.number % 64 == 0 {
            recorder.poll(packet.at);
        }
        folder.obey(&mut recorder);
        // Before the first lap is over, and after some more.
        let late = usize::from(packet.at.seconds_since(BEGAN) > 60.0);
        most[late] = recorder.bytes().max(most[late]);
    }
    let laps = open_laps(&mut recorder, &folder);
    assert!(laps > 3 * 20, "{laps} laps");
    assert!(most[0] > 50_000 && most[1] <= most[0] * 11 / 10, "{most:?}");
    assert!(most[1] < 1 << 20, "{most:?}");
}

/// The laps of the recording under way.
fn open_laps(recorder: &mut Recorder, folder: &Folder) -> usize {
    let mut whole = folder.files[&FileId(0)].bytes.clone();
    whole.extend(recorder.tail(FileId(0)).expect("a tail"));
    open(&whole).laps().laps.len()
}
