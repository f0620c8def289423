//! Recognises the F1 games after 2018, whose packets begin with the year of their format.

use std::ops::RangeInclusive;

/// The first format of the table below.
const FIRST: u16 = 2019;
/// The event packet: its size changed within a season, so any size that includes the code is accepted.
const EVENT: usize = 3;
/// Bytes of an event's code.
const CODE: usize = 4;

/// The packets by id: name, and the size in each format from 2019 on; 0 where the format has no such packet.
const PACKETS: &[(&str, [usize; 8])] = &[
    ("Motion", [1343, 1464, 1464, 1464, 1349, 1349, 1349, 1325]),
    ("Session", [149, 251, 625, 632, 644, 753, 753, 926]),
    ("Lap Data", [843, 1190, 970, 972, 1131, 1285, 1285, 1399]),
    ("Event", [32, 35, 36, 40, 45, 45, 45, 45]),
    ("Participants", [1104, 1213, 1257, 1257, 1306, 1350, 1284, 1470]),
    ("Car Setups", [843, 1102, 1102, 1102, 1107, 1133, 1133, 1233]),
    ("Car Telemetry", [1347, 1307, 1347, 1347, 1352, 1352, 1352, 1448]),
    ("Car Status", [1143, 1344, 1058, 1058, 1239, 1239, 1239, 1445]),
    ("Final Classification", [0, 839, 839, 1015, 1020, 1020, 1042, 1134]),
    ("Lobby Info", [0, 1169, 1191, 1191, 1218, 1306, 954, 1062]),
    ("Car Damage", [0, 0, 882, 948, 953, 953, 1041, 1133]),
    ("Session History", [0, 0, 1155, 1155, 1460, 1460, 1460, 1460]),
    ("Tyre Sets", [0, 0, 0, 0, 231, 231, 231, 231]),
    ("Motion Ex", [0, 0, 0, 0, 217, 237, 273, 273]),
    ("Time Trial", [0, 0, 0, 0, 0, 101, 101, 104]),
    ("Lap Positions", [0, 0, 0, 0, 0, 0, 1131, 1231]),
    ("Car Telemetry 2", [0, 0, 0, 0, 0, 0, 0, 269]),
];

/// The offset of the packet id in a format's header, and the header's size in bytes.
const fn header(year: u16) -> (usize, usize) {
    match year {
        2019 => (5, 23),
        2020..=2022 => (5, 24),
        _ => (6, 29),
    }
}

/// The name of an F1 packet of one of these years.
pub(super) fn name(datagram: &[u8], years: RangeInclusive<u16>) -> Option<String> {
    let year = u16::from_le_bytes(datagram.get(..2)?.try_into().ok()?);
    if !years.contains(&year) {
        return None;
    }
    let (place, header) = header(year);
    let id = usize::from(*datagram.get(place)?);
    let (packet, sizes) = PACKETS.get(id)?;
    let want = *sizes.get(usize::from(year.checked_sub(FIRST)?))?;
    let len = datagram.len();
    match want {
        0 => None,
        want if want == len || id == EVENT && len >= header + CODE => Some(format!("F1 {year} ({packet})")),
        want if len >= header => Some(format!("F1 {year} ({packet}, {len} bytes instead of {want})")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A packet with format and id; all other bytes are zero.
    fn packet(year: u16, id: u8, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        bytes[..2].copy_from_slice(&year.to_le_bytes());
        bytes[if year >= 2023 { 6 } else { 5 }] = id;
        bytes
    }

    #[test]
    fn every_packet_of_every_year_is_named() {
        let mut named = 0;
        for (id, (packet_name, sizes)) in PACKETS.iter().enumerate() {
            for (year, &size) in (2019..).zip(sizes) {
                if size == 0 {
                    assert_eq!(name(&packet(year, id as u8, 1000), 2019..=2026), None);
                    continue;
                }
                let bytes = packet(year, id as u8, size);
                assert_eq!(name(&bytes, 2019..=2026), Some(format!("F1 {year} ({packet_name})")));
                assert_eq!(name(&bytes, 2000..=2018), None);
                named += 1;
            }
        }
        assert_eq!(named, 8 + 10 + 12 + 12 + 14 + 15 + 16 + 17);
    }

    #[test]
    fn a_patched_size_is_named_as_such_and_a_foreign_packet_not_at_all() {
        let grown = packet(2025, 6, 1400);
        assert_eq!(
            name(&grown, 2019..=2026).as_deref(),
            Some("F1 2025 (Car Telemetry, 1400 bytes instead of 1352)")
        );
        assert_eq!(name(&packet(2021, 3, 33), 2019..=2026).as_deref(), Some("F1 2021 (Event)"));
        assert_eq!(
            name(&packet(2021, 3, 27), 2019..=2026).as_deref(),
            Some("F1 2021 (Event, 27 bytes instead of 36)")
        );
        assert_eq!(name(&packet(2021, 40, 970), 2019..=2026), None);
        assert_eq!(name(&packet(2021, 2, 23), 2019..=2026), None);
        assert_eq!(name(&[0xe5], 2019..=2026), None);
    }
}
