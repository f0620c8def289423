//! What the terminal shows at the start: one block with everything a driver needs to know.

use std::fmt::Write as _;

use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::wire::{PortState, PortStatus};

use crate::relaying::{Link, Report};
use crate::terminal::row;
use crate::version::VERSION;

/// The block, ready to be printed.
pub fn block(report: &Report) -> String {
    let mut lines = vec![format!("Trailbrake {}", VERSION), String::new()];
    lines.push(row("This computer", &report.url()));
    if let Some(wanted) = report.instead_of {
        lines.push(row("", &format!("port {wanted} in use, using {}", report.http.port())));
    }
    lines.extend(tablets(&report.tablets));
    lines.push(String::new());
    lines.extend(ports(&report.ports));
    let addresses: Vec<String> = report.addresses.iter().map(ToString::to_string).collect();
    if !addresses.is_empty() {
        lines.push(row("", &format!("from another machine or console, send to {}", addresses.join(" or "))));
    }
    if cfg!(windows) {
        lines.push(row("", "if Windows asks about the firewall, allow private networks"));
    }
    for forward in &report.forwards {
        lines.push(row("Passing on", &format!("{} to {}", forward.feed.info().game, forward.to)));
    }
    lines.push(row("Recording", &report.recording));
    lines.extend(report.settings.iter().map(|words| row("Settings", words)));
    lines.push(String::new());
    lines.push("  Ctrl+C ends it.".to_owned());
    let mut block = String::new();
    for line in lines {
        let _ = writeln!(block, "{}", line.trim_end());
    }
    block
}

fn tablets(links: &[Link]) -> Vec<String> {
    let Some(first) = links.first() else {
        return vec![row("A tablet", "open it on the page (Connections), or start with --lan")];
    };
    let mut lines: Vec<String> = links.iter().map(|link| row("A tablet", &link.url())).collect();
    lines.push(String::new());
    lines.extend(code(&first.url()));
    lines
}

/// The link as a QR code. Block characters draw the light parts, since most terminals are dark.
fn code(url: &str) -> Vec<String> {
    let Ok(code) = QrCode::new(url) else { return Vec::new() };
    let picture = code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
    picture.lines().map(|line| format!("  {line}")).collect()
}

fn ports(ports: &[PortStatus]) -> Vec<String> {
    let mut lines: Vec<String> = ports.iter().map(port).collect();
    // Several sockets may talk to the same game and have the same line.
    lines.dedup();
    lines.iter().enumerate().map(|(rank, line)| row(if rank == 0 { "Games" } else { "" }, line)).collect()
}

fn port(port: &PortStatus) -> String {
    let number = match port.state {
        PortState::Asks { .. } => "any".to_owned(),
        _ => port.port.to_string(),
    };
    format!("UDP {number:<6} {:<52} {}", games(&port.feeds), state(&port.state))
}

fn games(feeds: &[Feed]) -> String {
    let games: Vec<&str> = feeds.iter().map(|feed| feed.info().game).collect();
    games.join(" · ")
}

fn state(state: &PortState) -> String {
    match state {
        PortState::Open => "open".into(),
        PortState::Asks { game } => format!("asks the game at {game}"),
        PortState::Taken { holder: Some(holder) } => {
            format!("TAKEN by {holder}: close it, or have the game send to another port and use --port")
        }
        PortState::Taken { holder: None } => {
            "TAKEN by another program: close it, or have the game send to another port and use --port".into()
        }
        PortState::Failed { why } => format!("NOT OPEN: {why}"),
    }
}
