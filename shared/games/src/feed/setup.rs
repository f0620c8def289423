//! What to do in each game so that it sends, with text to copy.

/// Where a game runs, seen from Trailbrake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamePlace {
    /// On the computer that Trailbrake runs on.
    ThisComputer,
    /// On a console or another computer of the network.
    Elsewhere,
}

/// One step of setting up a game. `{address}` and `{port}` stand for what the game has to send to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetupStep {
    /// What to do.
    pub text: &'static str,
    /// What to enter or to paste.
    pub copy: Option<&'static str>,
    /// Where the game runs that needs this step; `None` for anywhere.
    pub place: Option<GamePlace>,
}

const fn step(text: &'static str) -> SetupStep {
    SetupStep { text, copy: None, place: None }
}

const fn copied(text: &'static str, copy: &'static str) -> SetupStep {
    SetupStep { text, copy: Some(copy), place: None }
}

impl SetupStep {
    const fn at(self, place: GamePlace) -> Self {
        Self { place: Some(place), ..self }
    }

    /// What to do, with address and port filled in.
    pub fn text(&self, address: &str, port: Option<u16>) -> String {
        fill(self.text, address, port)
    }

    /// What to enter or to paste, with address and port filled in.
    pub fn copy(&self, address: &str, port: Option<u16>) -> Option<String> {
        self.copy.map(|copy| fill(copy, address, port))
    }

    /// Whether a game needs this step where it runs.
    pub fn is_for(&self, place: GamePlace) -> bool {
        self.place.is_none_or(|own| own == place)
    }
}

fn fill(template: &str, address: &str, port: Option<u16>) -> String {
    let port = port.map_or_else(|| "PORT".to_owned(), |port| port.to_string());
    template.replace("{address}", address).replace("{port}", &port)
}

pub(super) const F1: &[SetupStep] = &[
    step("In the game, open Settings › Telemetry settings (UDP telemetry settings)."),
    step(
        "UDP telemetry: on. Broadcast mode: off. Send rate: 60 Hz. Format: the newest. Your telemetry: public.",
    ),
    copied("UDP IP address:", "{address}"),
    copied("UDP port:", "{port}"),
    copied(
        "Or, on a PC, close the game and change this line of hardware_settings_config.xml (Documents › My Games › your F1 › \
         hardwaresettings):",
        "<udp enabled=\"true\" broadcast=\"false\" ip=\"{address}\" port=\"{port}\" sendRate=\"60\" />",
    ),
    step("Drive out."),
];

pub(super) const DIRT_RALLY: &[SetupStep] = &[
    step("Close the game: it writes its settings when it ends."),
    copied(
        "Open this file; for the first game, in the folder DiRT Rally:",
        "%USERPROFILE%\\Documents\\My Games\\DiRT Rally 2.0\\hardwaresettings\\hardware_settings_config.xml",
    ),
    copied(
        "In <motion_platform>, change the line <udp …> to:",
        "<udp enabled=\"true\" extradata=\"3\" ip=\"{address}\" port=\"{port}\" delay=\"1\" />",
    ),
    step("Leave <custom_udp …> at enabled=\"false\": its packets are not supported."),
    step("Start the game and drive a stage."),
];

pub(super) const EA_WRC: &[SetupStep] = &[
    step("Start the game once: it makes its telemetry folder. Then close it."),
    copied(
        "On the game's computer, press Set up the game's files here, or run this in a terminal. Either shows what it would write, \
         and asks:",
        "trailbrake setup ea-wrc --address {address} --port {port}",
    ),
    step(
        "Or, with fewer values: in Documents › My Games › WRC › telemetry, open config.json, and in its entry of structure wrc \
         set ip to {address}, port to {port} and bEnabled to true.",
    ),
    step("Start the game and drive a stage: it sends nothing in menus."),
];

pub(super) const FORZA: &[SetupStep] = &[
    step(
        "In the game, open the settings with Data Out. Motorsport 7: Options › HUD. Motorsport 2023: Settings › Gameplay and HUD \
         › UDP Race Telemetry. Horizon: Settings › HUD and Gameplay.",
    ),
    step("Data Out: on. Packet format, in Motorsport: Car Dash or Dash. Horizon has one format."),
    copied("Data Out IP address:", "{address}"),
    copied("Data Out IP port:", "{port}"),
    copied(
        "If nothing arrives from a game of the Microsoft Store, let it send to its own PC: run this as administrator, with the \
         game's package name in place of NAME (Get-AppxPackage *Forza* lists it):",
        "CheckNetIsolation LoopbackExempt -a -n=NAME",
    )
    .at(GamePlace::ThisComputer),
    step("Drive out: the game sends nothing in menus."),
];

pub(super) const GRAN_TURISMO: &[SetupStep] = &[
    step("Connect the console and this computer to the same network. Switch the console on."),
    step("Start Gran Turismo and drive. There is nothing to set in the game: Trailbrake asks the console."),
    copied(
        "If the console is not found, start Trailbrake with its address in place of 192.168.1.9:",
        "trailbrake --console 192.168.1.9",
    ),
];

pub(super) const AC_REMOTE: &[SetupStep] = &[
    copied(
        "Start Trailbrake with the address of the game's computer in place of 192.168.1.7:",
        "trailbrake --ac-game 192.168.1.7",
    )
    .at(GamePlace::Elsewhere),
    step("Allow UDP port 9996 in the firewall of the game's computer.").at(GamePlace::Elsewhere),
    step("Load a session. There is nothing to set in the game: Trailbrake asks it."),
];

pub(super) const AC_TELEMETRY_TOOL: &[SetupStep] = &[
    step(
        "Copy the plugin's folder Telemetry_Tool_plugin into the game's apps/python, and enable it in the game's settings.",
    ),
    copied("In its config.ini, set the address. It sends to port {port}:", "to_ip={address}"),
    step("Drive out."),
];

pub(super) const AC_LUA: &[SetupStep] = &[
    step("Copy Trailbrake's folder docs/ac-lua-app/trailbrake into the game's apps/lua."),
    copied("Put this into its config.lua:", "return { host = '{address}', port = {port} }"),
    step("Drive out."),
];

pub(super) const AC_SERVER: &[SetupStep] = &[
    copied(
        "In server_cfg.ini, below [SERVER]:",
        "UDP_PLUGIN_ADDRESS={address}:{port}\nUDP_PLUGIN_LOCAL_PORT=11000",
    ),
    copied("For positions and commands, start Trailbrake with:", "trailbrake --ac-server 127.0.0.1:11000")
        .at(GamePlace::ThisComputer),
    copied(
        "For positions and commands, start Trailbrake with the server's address in place of 192.168.1.7:",
        "trailbrake --ac-server 192.168.1.7:11000",
    )
    .at(GamePlace::Elsewhere),
    step("Restart the server."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::FEEDS;

    #[test]
    fn steps_name_the_address_and_the_port_that_is_open() {
        let copies = |steps: &[SetupStep]| -> Vec<String> {
            steps.iter().filter_map(|step| step.copy("10.0.0.5", Some(31_005))).collect()
        };
        assert!(copies(DIRT_RALLY)[1].contains("extradata=\"3\" ip=\"10.0.0.5\" port=\"31005\""));
        assert_eq!(copies(F1)[..2], ["10.0.0.5", "31005"]);
        assert_eq!(copies(AC_LUA), ["return { host = '10.0.0.5', port = 31005 }"]);
        assert!(copies(AC_SERVER)[0].starts_with("UDP_PLUGIN_ADDRESS=10.0.0.5:31005\n"));
        assert!(AC_TELEMETRY_TOOL[1].text("10.0.0.5", Some(31_005)).contains("port 31005"));
        assert_eq!(copies(AC_TELEMETRY_TOOL), ["to_ip=10.0.0.5"]);
    }

    #[test]
    fn every_game_has_steps_wherever_it_runs() {
        for place in [GamePlace::ThisComputer, GamePlace::Elsewhere] {
            for info in FEEDS.iter().filter(|info| info.networked) {
                assert!(info.setup.iter().any(|step| step.is_for(place)), "{} {place:?}", info.id);
            }
        }
    }

    #[test]
    fn no_step_names_a_port_that_an_option_changes() {
        for info in FEEDS {
            for step in info.setup {
                let fixed = |text: &str| info.ports.iter().any(|port| text.contains(&port.to_string()));
                assert!(!fixed(step.text) && !step.copy.is_some_and(fixed), "{}: {step:?}", info.id);
            }
        }
    }
}
