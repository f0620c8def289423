//! The plugin's requests to the server.

use super::kinds::messages;
use super::layout::Flavour;
use super::layout::{Chat, Interval, SessionIndex, SetSession, Slot, Text};

messages! {
    /// A request from the plugin.
    enum Request {
        Interval(Interval) [200] "REALTIMEPOS_INTERVAL";
        CarInfo(Slot) [201] "GET_CAR_INFO";
        Chat(Chat) [202] "SEND_CHAT";
        Broadcast(Text) [203] "BROADCAST_CHAT";
        SessionInfo(SessionIndex) [204] "GET_SESSION_INFO";
        SetSession(SetSession) [205] "SET_SESSION_INFO";
        Kick(Slot) [206] "KICK_USER";
        NextSession(()) [207] "NEXT_SESSION";
        RestartSession(()) [208] "RESTART_SESSION";
        Admin(Text) [209] "ADMIN_COMMAND";
    }
}

impl Request {
    /// Parses a datagram; `None` if it is no request or has trailing bytes.
    pub fn read(datagram: &[u8]) -> Option<Self> {
        Self::begins(datagram, Flavour::Vanilla)
            .filter(|(_, rest)| rest.is_empty())
            .map(|(request, _)| request)
    }

    /// The datagram.
    pub fn datagram(&self) -> Vec<u8> {
        self.write(Flavour::Vanilla)
    }
}
