//! Recognises Project CARS and Automobilista 2.

/// Later versions append a few fields to a packet: at most this many bytes.
const APPENDED: usize = 32;

/// The second game's packets: type, name, minimum size in bytes.
const SECOND: &[(u8, &str, usize)] = &[
    (0, "Car physics", 555),
    (1, "Race definition", 308),
    (2, "Participants", 1136),
    (3, "Timings", 1059),
    (4, "Game state", 24),
    (7, "Time stats", 1024),
    (8, "Vehicle names", 1164),
    (8, "Class names", 1452),
];

/// The first game's packets: type, name, size in bytes.
const FIRST: &[(u8, &str, usize)] = &[(0, "Telemetry", 1367), (1, "Names", 1347), (2, "More names", 1028)];

/// The name of a packet of Project CARS 2 or Automobilista 2.
pub(super) fn second(datagram: &[u8]) -> Option<String> {
    // Two counters, then part number and number of parts, then the type.
    let &[part, parts, kind, _] = datagram.get(8..12)?.first_chunk::<4>()?;
    let known = SECOND
        .iter()
        .find(|&&(id, _, least)| id == kind && (least..=least + APPENDED).contains(&datagram.len()));
    if !((1..=parts).contains(&part)) {
        return None;
    }
    let (_, packet, _) = known?;
    Some(format!("Project CARS 2 or Automobilista 2 ({packet})"))
}

/// The name of a packet of Project CARS.
pub(super) fn first(datagram: &[u8]) -> Option<String> {
    let kind = datagram.get(2)? & 0b11;
    let known = FIRST.iter().find(|&&(id, _, len)| id == kind && len == datagram.len());
    known.map(|(_, packet, _)| format!("Project CARS ({packet})"))
}
