//! Sends packets of format 2018 with given numbers.

use std::net::UdpSocket;

use trailbrake_shared::games::f1::{Kind, VERSION, layout};
use trailbrake_shared::games::table::Entries;

/// A game that sends to the relay.
pub(crate) struct Game {
    socket: UdpSocket,
    to: u16,
    frame: u32,
}

/// The player's dashboard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dashboard {
    /// km/h.
    pub(crate) speed: u16,
    pub(crate) gear: i8,
    /// Revolutions per minute.
    pub(crate) rpm: u16,
    /// Per cent.
    pub(crate) throttle: u8,
    /// Per cent.
    pub(crate) brake: u8,
}

impl Game {
    /// A game that sends to a port of this machine.
    pub(crate) fn new(to: u16) -> Self {
        Self { socket: UdpSocket::bind("127.0.0.1:0").expect("a socket"), to, frame: 0 }
    }

    pub(crate) fn send(&mut self, dashboard: Dashboard) {
        self.frame += 1;
        let header = layout::Header {
            packet_format: layout::YEAR_2018.number(),
            packet_version: VERSION,
            packet_id: Kind::CarTelemetry.id(),
            session_uid: 77,
            session_time: self.frame as f32 / 60.0,
            frame_identifier: self.frame,
            ..layout::Header::default()
        };
        let car = layout::CarTelemetry {
            speed: dashboard.speed,
            gear: dashboard.gear,
            engine_rpm: dashboard.rpm,
            throttle: f32::from(dashboard.throttle) / 100.0,
            brake: f32::from(dashboard.brake) / 100.0,
            ..layout::CarTelemetry::default()
        };
        let packet =
            layout::Telemetry { header, car: Entries::Made(vec![car]), ..layout::Telemetry::default() };
        self.send_bytes(&packet.bytes(layout::YEAR_2018));
    }

    pub(crate) fn send_bytes(&self, bytes: &[u8]) {
        self.socket.send_to(bytes, ("127.0.0.1", self.to)).expect("a packet sent");
    }
}
