//! Finds the program that has a UDP port open, where the system reports it.

/// The port owner, such as `SimHub (process 4711)`.
#[cfg(target_os = "linux")]
pub(super) fn of_udp_port(port: u16) -> Option<String> {
    linux::inodes(port).iter().find_map(|inode| linux::owner(inode))
}

/// The port owner: this system does not report it.
#[cfg(not(target_os = "linux"))]
pub(super) fn of_udp_port(_port: u16) -> Option<String> {
    None
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::path::Path;

    /// Inodes of the sockets at a port.
    pub(super) fn inodes(port: u16) -> Vec<String> {
        ["/proc/net/udp", "/proc/net/udp6"]
            .iter()
            .filter_map(|table| fs::read_to_string(table).ok())
            .flat_map(|table| inodes_in(&table, port))
            .collect()
    }

    pub(super) fn inodes_in(table: &str, port: u16) -> Vec<String> {
        let suffix = format!(":{port:04X}");
        let rows = table.lines().skip(1).filter_map(|line| {
            let mut columns = line.split_whitespace();
            let local = columns.nth(1)?;
            let inode = columns.nth(7)?;
            (local.ends_with(&suffix) && inode != "0").then(|| inode.to_owned())
        });
        rows.collect()
    }

    /// The process that has a socket open. Processes of other users stay unknown.
    pub(super) fn owner(inode: &str) -> Option<String> {
        let link = format!("socket:[{inode}]");
        let entries = fs::read_dir("/proc").ok()?.flatten();
        let mut processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let id = processes.find(|id| holds(*id, &link))?;
        let name = fs::read_to_string(format!("/proc/{id}/comm")).ok()?;
        Some(format!("{} (process {id})", name.trim()))
    }

    fn holds(process: u32, link: &str) -> bool {
        let Ok(open) = fs::read_dir(format!("/proc/{process}/fd")) else { return false };
        open.flatten().any(|file| fs::read_link(file.path()).is_ok_and(|target| target == Path::new(link)))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::UdpSocket;

    use super::*;

    const TABLE: &str = "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  123: 00000000:5129 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000        0 424242 2 0000000000000000 0
  124: 0100007F:5129 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 0 2 0000000000000000 0
  125: 00000000:83CC 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000        0 424243 2 0000000000000000 0";

    #[test]
    fn sockets_are_found_by_port() {
        assert_eq!(linux::inodes_in(TABLE, 20777), ["424242"]);
        assert_eq!(linux::inodes_in(TABLE, 33740), ["424243"]);
        assert!(linux::inodes_in(TABLE, 1).is_empty());
    }

    #[test]
    fn this_program_is_found_by_its_socket() {
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        let port = socket.local_addr().expect("an address").port();
        let holder = of_udp_port(port).expect("a holder");
        assert!(holder.ends_with(&format!("(process {})", std::process::id())), "{holder}");
    }
}
