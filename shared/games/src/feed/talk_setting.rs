//! What a driver sets for games that send only on request.

use core::cmp::Ordering;
use core::fmt::{self, Debug, Formatter};
use core::net::{IpAddr, SocketAddr};

use crate::{TalkOptions, ac_remote, gran_turismo};

/// The port Assetto Corsa itself listens on. Another program on it keeps the game from opening it.
pub const AC_GAME_PORT: u16 = ac_remote::PORT;
/// Which packet is requested from Gran Turismo: its name, and how the page calls it.
pub const HEARTBEATS: [(&str, &str); 5] =
    [(ANY_HEARTBEAT, "Most detailed"), ("A", "A"), ("B", "B"), ("~", "~"), ("C", "C")];
/// The name for the most detailed packet that the console sends.
pub const ANY_HEARTBEAT: &str = "auto";

/// A setting of a game that sends only on request.
pub struct TalkSetting {
    /// Its id in files and requests.
    pub id: &'static str,
    /// Its label.
    pub label: &'static str,
    /// What to write into it; empty if the label says it.
    pub hint: &'static str,
    /// Its choices where it is no text: the text of each, and its name.
    pub choices: &'static [(&'static str, &'static str)],
    /// Puts what its text says into the options of the game's talk; `None` for the default.
    pub set: fn(&mut TalkOptions, Option<&str>) -> Result<(), String>,
}

impl Debug for TalkSetting {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl PartialEq for TalkSetting {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for TalkSetting {}

impl PartialOrd for TalkSetting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TalkSetting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.id.cmp(other.id)
    }
}

/// Where Gran Turismo runs.
pub const CONSOLE_ADDRESS: TalkSetting = TalkSetting {
    id: "console",
    label: "Gran Turismo: console's address",
    hint: "Empty: looks for it in your networks.",
    choices: &[],
    set: |options, text| {
        options.address = text.map(address).transpose()?.map(gran_turismo::listens_at);
        Ok(())
    },
};

/// Which packet Gran Turismo is asked for.
pub const HEARTBEAT: TalkSetting = TalkSetting {
    id: "heartbeat",
    label: "Gran Turismo: packet",
    hint: "",
    choices: &HEARTBEATS,
    set: |options, text| {
        let read = |text| {
            heartbeat(text)
                .ok_or_else(|| format!("{text} is no packet of Gran Turismo. They are auto, A, B, ~ and C."))
        };
        options.letter = text.map(read).transpose()?.flatten();
        Ok(())
    },
};

/// Where Assetto Corsa runs.
pub const AC_GAME_ADDRESS: TalkSetting = TalkSetting {
    id: "ac-game",
    label: "Assetto Corsa: game's address",
    hint: "Empty: this computer. The port is 9996 unless you add another.",
    choices: &[],
    set: |options, text| {
        let read = |text| {
            game_address(text).ok_or_else(|| format!("{text} is no address. One looks like 192.168.1.7."))
        };
        options.address = text.map(read).transpose()?;
        Ok(())
    },
};

/// Where Assetto Corsa's dedicated server takes requests.
pub const AC_SERVER_ADDRESS: TalkSetting = TalkSetting {
    id: "ac-server",
    label: "Assetto Corsa: server's address and port",
    hint: "UDP_PLUGIN_LOCAL_PORT in its server_cfg.ini.",
    choices: &[],
    set: |options, text| {
        options.address = text.map(|text| socket_address(text, "192.168.1.7:12000")).transpose()?;
        Ok(())
    },
};

/// An address with a port.
pub(crate) fn socket_address(text: &str, example: &str) -> Result<SocketAddr, String> {
    let address: Option<SocketAddr> = text.parse().ok();
    let address =
        address.ok_or_else(|| format!("{text} is no address with a port. One looks like {example}."))?;
    match address.port() {
        0 => Err("No program can listen at port 0. Give the other program's port.".to_owned()),
        _ => Ok(address),
    }
}

/// An address without a port.
fn address(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| format!("{text} is no address. One looks like 192.168.1.7."))
}

/// Where a game listens: an address, and its port where it is not the usual one.
pub fn game_address(text: &str) -> Option<SocketAddr> {
    let with_port = text.parse::<SocketAddr>().ok();
    with_port.or_else(|| text.parse::<IpAddr>().ok().map(|ip| SocketAddr::new(ip, AC_GAME_PORT)))
}

/// The letter of a heartbeat by its name; the inner `None` stands for the most detailed packet.
pub fn heartbeat(name: &str) -> Option<Option<char>> {
    let (name, _) = HEARTBEATS.iter().find(|(known, _)| *known == name)?;
    Some(name.chars().next().filter(|_| *name != ANY_HEARTBEAT))
}
