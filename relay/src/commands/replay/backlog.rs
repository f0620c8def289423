//! Bytes that wait to be received at ports of this machine, where the system reports them. UDP gives no sign when a
//! queue is full, so a sender at full speed would lose packets without this.

/// The most bytes waiting at one of these ports; `None` where the system does not report it.
#[cfg(target_os = "linux")]
pub(super) fn at(ports: &[u16]) -> Option<u64> {
    let tables = ["/proc/net/udp", "/proc/net/udp6"];
    let tables = tables.iter().filter_map(|table| std::fs::read_to_string(table).ok());
    tables.filter_map(|table| in_table(&table, ports)).max()
}

/// This system does not report it.
#[cfg(not(target_os = "linux"))]
pub(super) fn at(_ports: &[u16]) -> Option<u64> {
    None
}

#[cfg(any(target_os = "linux", test))]
fn in_table(table: &str, ports: &[u16]) -> Option<u64> {
    let rows = table.lines().skip(1).filter_map(|line| {
        let mut columns = line.split_whitespace();
        let (_, port) = columns.nth(1)?.rsplit_once(':')?;
        let (_, waiting) = columns.nth(2)?.split_once(':')?;
        let port = u16::from_str_radix(port, 16).ok()?;
        ports.contains(&port).then(|| u64::from_str_radix(waiting, 16).ok())?
    });
    rows.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  123: 00000000:5129 00000000:0000 07 00000000:00000900 00:00000000 00000000  1000        0 424242 2 0000000000000000 0
  124: 0100007F:5129 00000000:0000 07 00000000:00000300 00:00000000 00000000     0        0 0 2 0000000000000000 0
  125: 00000000:83CC 00000000:0000 07 00000000:00001200 00:00000000 00000000  1000        0 424243 2 0000000000000000 0";

    #[test]
    fn the_fullest_of_the_ports_counts() {
        assert_eq!(in_table(TABLE, &[20777]), Some(0x900));
        assert_eq!(in_table(TABLE, &[33740]), Some(0x1200));
        assert_eq!(in_table(TABLE, &[20777, 33740]), Some(0x1200));
        assert_eq!(in_table(TABLE, &[1]), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_nobody_has_received_yet_waits() {
        let receiver = std::net::UdpSocket::bind("127.0.0.1:0").expect("a socket");
        let port = receiver.local_addr().expect("an address").port();
        assert_eq!(at(&[port]), Some(0));
        let sender = std::net::UdpSocket::bind("127.0.0.1:0").expect("a socket");
        sender.send_to(&[7; 1000], ("127.0.0.1", port)).expect("sent");
        assert!(at(&[port]).is_some_and(|waiting| waiting >= 1000), "{:?}", at(&[port]));
    }
}
