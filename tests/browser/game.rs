//! Sends packets of format 2018 with given numbers.

use std::net::UdpSocket;

use trailbrake_shared::games::f1_2018::{FORMAT, Kind, VERSION, layout};
use zerocopy::{FromZeros, IntoBytes};

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
        let mut packet = layout::Telemetry::new_zeroed();
        packet.header.packet_format = FORMAT.into();
        packet.header.packet_version = VERSION;
        packet.header.packet_id = Kind::CarTelemetry.id();
        packet.header.session_uid = 77.into();
        packet.header.session_time = (self.frame as f32 / 60.0).into();
        packet.header.frame_identifier = self.frame.into();
        let car = &mut packet.car[0];
        car.speed = dashboard.speed.into();
        car.gear = dashboard.gear;
        car.engine_rpm = dashboard.rpm.into();
        car.throttle = dashboard.throttle;
        car.brake = dashboard.brake;
        self.send_bytes(packet.as_bytes());
    }

    pub(crate) fn send_bytes(&self, bytes: &[u8]) {
        self.socket.send_to(bytes, ("127.0.0.1", self.to)).expect("a packet sent");
    }
}
