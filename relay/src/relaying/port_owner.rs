//! Finds the program that has a UDP port open, where the system reports it.

/// The port owner, such as `SimHub (process 4711)`.
#[cfg(target_os = "linux")]
pub(super) fn of_udp_port(port: u16) -> Option<String> {
    linux::inodes(port).iter().find_map(|inode| linux::owner(inode))
}

/// The port owner, such as `SimHub.exe (process 4711)`.
#[cfg(windows)]
pub(super) fn of_udp_port(port: u16) -> Option<String> {
    let output = |program: &str, arguments: &[&str]| {
        let output = std::process::Command::new(program).args(arguments).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let id = windows::process_at(&output("netstat", &["-ano", "-p", "UDP"])?, port)?;
    let only_it = format!("PID eq {id}");
    let list = output("tasklist", &["/FI", &only_it, "/FO", "CSV", "/NH"]).unwrap_or_default();
    let name = windows::first_name(&list).unwrap_or("a program");
    Some(format!("{name} (process {id})"))
}

/// The port owner: this system does not report it.
#[cfg(not(any(target_os = "linux", windows)))]
pub(super) fn of_udp_port(_port: u16) -> Option<String> {
    None
}

/// Reads the output of Windows' own tools. Their words depend on the system's language, their columns do not.
#[cfg(any(windows, test))]
mod windows {
    /// The process with a port, in rows such as `UDP  0.0.0.0:20777  *:*  4711`.
    pub(super) fn process_at(table: &str, port: u16) -> Option<u32> {
        let suffix = format!(":{port}");
        table.lines().find_map(|row| {
            let columns: Vec<&str> = row.split_whitespace().collect();
            match columns.as_slice() {
                ["UDP", local, _, id] if local.ends_with(&suffix) => id.parse().ok(),
                _ => None,
            }
        })
    }

    /// The name in the first row of `"name","id",…`.
    pub(super) fn first_name(list: &str) -> Option<&str> {
        list.lines().find_map(|row| row.strip_prefix('"')?.split('"').next())
    }
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

#[cfg(test)]
mod windows_tests {
    use super::windows::{first_name, process_at};

    #[test]
    fn the_owner_stands_in_the_tables_of_windows() {
        let table = "\r\nAktive Verbindungen\r\n\r\n  Proto  Lokale Adresse         Remoteadresse          Status           PID\r\n  \
                     UDP    0.0.0.0:2077           *:*                                    12\r\n  \
                     UDP    0.0.0.0:20777          *:*                                    4711\r\n  \
                     UDP    [::]:33740             *:*                                    5\r\n";
        assert_eq!(process_at(table, 20777), Some(4711));
        assert_eq!(process_at(table, 33740), Some(5));
        assert_eq!(process_at(table, 777), None);
        assert_eq!(
            first_name("\"SimHubWPF.exe\",\"4711\",\"Console\",\"1\",\"9 K\"\r\n"),
            Some("SimHubWPF.exe")
        );
        assert_eq!(first_name("INFO: No tasks are running which match the specified criteria.\r\n"), None);
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
