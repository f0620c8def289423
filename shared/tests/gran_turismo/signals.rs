//! Each signal that scripts wait for, from the packet to the count with its time.

use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::gran_turismo::Letter;
use trailbrake_shared::games::gran_turismo::cipher::Scheme;
use trailbrake_shared::games::gran_turismo::layout::Packet;
use trailbrake_shared::model::Signal;
use trailbrake_shared::session::Receiver;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

const ON_TRACK: u16 = 1;
const PAUSED: u16 = 1 << 1;
const REV_LIMIT: u16 = 1 << 5;
const HANDBRAKE: u16 = 1 << 6;
const HIGH_BEAM: u16 = 1 << 8;
const ASM: u16 = 1 << 10;
const TCS: u16 = 1 << 11;

/// A console that sends a packet after each change.
struct Console {
    packet: Packet,
    receiver: Receiver,
}

impl Console {
    /// In its menu.
    fn new() -> Self {
        let packet = Packet {
            magic: *b"0S7G",
            rotation_w: 1.0,
            current_lap: -1,
            total_laps: 1,
            best_lap: -1,
            last_lap: -1,
            gears: 0xf3,
            engine_rpm: 5000.0,
            rpm_alert_min: 6000,
            rpm_alert_max: 7000,
            ..Packet::default()
        };
        Self { packet, receiver: Receiver::default() }
    }

    fn send(&mut self, change: impl FnOnce(&mut Packet)) {
        self.packet.packet_id += 60;
        change(&mut self.packet);
        let mut bytes = self.packet.bytes(Letter::A.version());
        Scheme::Gt7A.seal([1, 2, 3, 4], &mut bytes);
        let at = Micros(self.packet.packet_id.cast_unsigned().into());
        let sender = SocketAddr::from(([192, 168, 1, 20], 33739));
        let datagram = Datagram { at, sender, port: 33740, feed: Some(Feed::GranTurismo), bytes: &bytes };
        self.receiver.receive(&datagram).expect("a packet that is understood");
    }
}

#[test]
fn every_signal_is_counted_at_its_second() {
    let mut console = Console::new();
    // One packet per second on the game's clock.
    console.send(|_| {});
    console.send(|packet| packet.current_lap = 0);
    console.send(|packet| packet.flags = ON_TRACK);
    console.send(|packet| (packet.current_lap, packet.gears) = (1, 0xf4));
    console.send(|packet| packet.gears = 0x34);
    console.send(|packet| packet.flags = ON_TRACK | HIGH_BEAM);
    console.send(|packet| packet.flags = ON_TRACK | HANDBRAKE);
    console.send(|packet| packet.flags = ON_TRACK | TCS);
    console.send(|packet| packet.flags = ON_TRACK | ASM);
    console.send(|packet| packet.flags = ON_TRACK | REV_LIMIT);
    console.send(|packet| packet.brake = 9);
    console.send(|packet| (packet.brake, packet.throttle) = (0, 9));
    console.send(|packet| packet.engine_rpm = 6001.0);
    console.send(|packet| packet.engine_rpm = 7001.0);
    console.send(|packet| packet.flags = ON_TRACK | PAUSED);
    console.send(|packet| packet.flags = ON_TRACK);
    console.send(|packet| packet.engine_rpm = 7002.0);
    console.send(|packet| packet.engine_rpm = 7003.0);
    console.send(|packet| (packet.current_lap, packet.last_lap) = (2, 90_000));
    console.send(|packet| packet.best_lap = 90_000);
    console.send(|packet| packet.current_lap = -1);

    let session = console.receiver.session().expect("a session");
    let expected: &[(Signal, &[f64])] = &[
        (Signal::Running, &[1.0]),
        (Signal::InGameMenu, &[1.0]),
        (Signal::AtTrack, &[2.0]),
        (Signal::InRace, &[3.0, 18.0]),
        (Signal::Paused, &[15.0]),
        (Signal::RaceEnd, &[21.0]),
        (Signal::RaceStart, &[4.0]),
        (Signal::RaceFinish, &[19.0]),
        (Signal::LapChange, &[2.0, 4.0, 19.0, 21.0]),
        (Signal::BestLapTime, &[20.0]),
        (Signal::LastLapTime, &[19.0]),
        (Signal::GearChange, &[4.0]),
        (Signal::SuggestedGear, &[5.0]),
        (Signal::FlashLights, &[6.0]),
        (Signal::Handbrake, &[7.0]),
        (Signal::Tcs, &[8.0, 9.0]),
        (Signal::Asm, &[9.0, 10.0]),
        (Signal::RevLimit, &[10.0, 15.0]),
        (Signal::Brake, &[11.0]),
        (Signal::Throttle, &[12.0]),
        (Signal::ShiftLightLow, &[13.0]),
        (Signal::ShiftLightHigh, &[14.0]),
    ];
    // The other signals belong to other games.
    for &signal in Signal::ALL {
        let known = expected.iter().find(|(known, _)| *known == signal);
        let seconds = known.map_or(&[][..], |(_, seconds)| *seconds);
        let times: Vec<f64> = session.signals().times(signal).collect();
        assert_eq!(times, seconds, "{}", signal.name());
        assert_eq!(session.signals().count(signal), seconds.len() as u64);
    }
}
