//! Removes other drivers: their names, or their whole entries, which then read as empty slots.

use core::ops::Range;

use trailbrake_model::Car;

use super::layout::{
    self, CarDamage, CarLap, CarMotion, CarResult, CarSetup, CarSetups, CarStatus, CarTelemetry,
    CarTelemetry2, Damage, Event, FinalClassification, Happened, Header, LapData, LapPositions, LobbyInfo,
    LobbyPlayer, Motion, Participant, Participants, SessionHistory, Status, Telemetry, Telemetry2, TimeTrial,
    TyreSets,
};
use super::packet::{Kind, read_event, recognise};
use crate::table::{Sent, Version};
use crate::{Anonymise, OtherCars};

/// Stands for no car.
const NO_CAR: u8 = 255;

/// Removes drivers in other cars, those of the game included.
pub const LEAVE_OUT: Anonymise =
    Anonymise { others: |datagram, kept, others| leave_out(datagram, kept, others) };

fn leave_out(datagram: &mut [u8], kept: &[Car], others: OtherCars) -> bool {
    let Ok((kind, version)) = recognise(datagram) else {
        // A packet of an unknown size may contain names anywhere, so it is dropped.
        return others == OtherCars::Kept || others == OtherCars::Nameless && !may_have_names(datagram);
    };
    match others {
        OtherCars::Kept => true,
        OtherCars::Nameless => {
            let name = match kind {
                Kind::Participants => Participant::place_of("name", version),
                // Places in a lobby are no cars: nobody knows whose they are.
                Kind::LobbyInfo => return false,
                Kind::Event => return drop_leftovers(datagram, version),
                _ => return true,
            };
            let connection = Participant::place_of("network_id", version);
            for slot in slots(datagram, kind, version, kept) {
                fill_zeros(slot, name.clone());
                fill_zeros(slot, connection.clone());
            }
            true
        }
        OtherCars::LeftOut => leave_cars_out(kind, version, datagram, kept),
    }
}

/// Whether a packet that is not read may contain names.
fn may_have_names(datagram: &[u8]) -> bool {
    let Some(version) = datagram.first_chunk().and_then(|year| layout::YEARS.find(u16::from_le_bytes(*year)))
    else {
        return false;
    };
    if datagram.len() < Header::size(version) {
        return false;
    }
    let kind = Kind::from_id(Header::of_bytes(datagram, version).packet_id);
    matches!(kind, Some(Kind::Participants | Kind::LobbyInfo))
}

/// Empties the slots of other cars, and what is sent of the player only, if the player is not kept. Returns whether
/// anything is left.
fn leave_cars_out(kind: Kind, version: Version, datagram: &mut [u8], kept: &[Car]) -> bool {
    let is_player_kept = kept.contains(&Car(Header::of_bytes(datagram, version).player_car_index));
    match kind {
        // The people in a lobby have no cars yet.
        Kind::LobbyInfo => return false,
        Kind::MotionEx => return is_player_kept,
        Kind::TimeTrial => {
            fill_zeros(datagram, TimeTrial::place_of("rival", version));
            return is_player_kept;
        }
        Kind::Event => {
            let happened = Happened::of(&read_event(datagram), version);
            let cars = happened.map(|happened| happened.cars()).unwrap_or_default();
            let are_kept = cars.into_iter().flatten().all(|car| kept.contains(&Car(car)));
            return are_kept && drop_leftovers(datagram, version);
        }
        Kind::SessionHistory => {
            return is_about(SessionHistory::place_of("car_index", version), datagram, kept);
        }
        Kind::TyreSets => return is_about(TyreSets::place_of("car_index", version), datagram, kept),
        _ => {}
    }
    // The grid positions stay: a packet has a grid if one of them is not 0.
    let grid = if kind == Kind::LapData { CarLap::place_of("grid_position", version) } else { None };
    for slot in slots(datagram, kind, version, kept) {
        let whole = slot.len();
        let (begin, end) = grid.as_ref().map_or((whole, whole), |grid| (grid.start, grid.end));
        fill_zeros(slot, Some(0..begin));
        fill_zeros(slot, Some(end..whole));
    }
    if !is_player_kept {
        let whole = datagram.len();
        let behind = behind_slots(kind, version, whole);
        if let Some(bytes) = behind.and_then(|behind| datagram.get_mut(behind)) {
            // Behind the laps stand two indices of cars.
            bytes.fill(if kind == Kind::LapData { NO_CAR } else { 0 });
        }
    }
    true
}

/// Drops what is left over behind the fields of an event: it may be anything that was in memory.
fn drop_leftovers(datagram: &mut [u8], version: Version) -> bool {
    let fields = Happened::size(read_event(datagram).code, version);
    let begin = Event::place_of("detail", version).map_or(datagram.len(), |detail| detail.start + fields);
    let whole = datagram.len();
    fill_zeros(datagram, Some(begin.min(whole)..whole));
    true
}

/// Whether a packet about one car is about one that is kept.
fn is_about(place: Option<Range<usize>>, datagram: &[u8], kept: &[Car]) -> bool {
    let car = place.and_then(|place| datagram.get(place.start));
    car.is_some_and(|car| kept.contains(&Car(*car)))
}

/// Where a packet's slots are, and the size of one.
fn cars(kind: Kind, version: Version) -> Option<(Range<usize>, usize)> {
    let (place, size) = match kind {
        Kind::Motion => (Motion::place_of("car", version), CarMotion::SIZES),
        Kind::LapData => (LapData::place_of("car", version), CarLap::SIZES),
        Kind::Participants => (Participants::place_of("car", version), Participant::SIZES),
        Kind::CarSetups => (CarSetups::place_of("car", version), CarSetup::SIZES),
        Kind::CarTelemetry => (Telemetry::place_of("car", version), CarTelemetry::SIZES),
        Kind::CarStatus => (Status::place_of("car", version), CarStatus::SIZES),
        Kind::FinalClassification => (FinalClassification::place_of("car", version), CarResult::SIZES),
        Kind::LobbyInfo => (LobbyInfo::place_of("car", version), LobbyPlayer::SIZES),
        Kind::CarDamage => (Damage::place_of("car", version), CarDamage::SIZES),
        Kind::CarTelemetry2 => (Telemetry2::place_of("car", version), CarTelemetry2::SIZES),
        Kind::LapPositions => (LapPositions::place_of("position", version), layout::Place::SIZES),
        // They are about no car, or about one.
        Kind::Session
        | Kind::Event
        | Kind::SessionHistory
        | Kind::TyreSets
        | Kind::MotionEx
        | Kind::TimeTrial => {
            return None;
        }
    };
    Some((place?, version.of(&size)))
}

/// What stands behind the slots, which is the player's alone.
fn behind_slots(kind: Kind, version: Version, whole: usize) -> Option<Range<usize>> {
    cars(kind, version).map(|(slots, _)| slots.end..whole)
}

/// The slots of cars that are not kept. A table of positions has those of all cars again and again.
fn slots<'a>(
    datagram: &'a mut [u8],
    kind: Kind,
    version: Version,
    kept: &[Car],
) -> impl Iterator<Item = &'a mut [u8]> {
    let place = cars(kind, version).and_then(|(place, size)| Some((datagram.get_mut(place)?, size)));
    let (bytes, size) = place.unwrap_or((&mut [], 1));
    let numbers = (0..layout::cars(version) as u8).cycle().map(Car);
    let others = numbers.zip(bytes.chunks_exact_mut(size)).filter(|(car, _)| !kept.contains(car));
    others.map(|(_, slot)| slot)
}

fn fill_zeros(bytes: &mut [u8], place: Option<Range<usize>>) {
    if let Some(bytes) = place.and_then(|place| bytes.get_mut(place)) {
        bytes.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::YEARS;
    use super::*;
    use crate::Text;
    use crate::table::Entries;

    const YEAR: Version = YEARS.at(0);
    const CARS: usize = 20;

    fn header() -> Header {
        Header { packet_format: 2018, packet_version: 1, ..Header::default() }
    }

    /// The kinds of format 2018.
    fn kinds() -> impl Iterator<Item = Kind> {
        Kind::ALL.iter().copied().filter(|kind| kind.size(YEAR).is_some())
    }

    /// A packet of a kind in which no byte is zero.
    fn full(kind: Kind) -> Vec<u8> {
        let header = Header { packet_id: kind.id(), player_car_index: 1, ..header() };
        let mut bytes = header.bytes(YEAR);
        bytes.resize(kind.size(YEAR).expect("a size"), 7);
        bytes
    }

    #[test]
    fn drivers_of_other_cars_lose_their_names_and_nothing_else() {
        let packet = |name: fn(u8) -> &'static str| {
            let driver = |place: u8| Participant {
                ai_controlled: u8::from(place == 2),
                race_number: 7,
                name: Text::write(name(place)),
                ..Participant::default()
            };
            let car = Entries::Made((0..20).map(driver).collect());
            let header = Header { packet_id: 4, ..header() };
            Participants { header, num_cars: 20, car }.bytes(YEAR)
        };
        let mut bytes = packet(|_| "SOMEBODY");
        assert!(leave_out(&mut bytes, &[Car(1)], OtherCars::Nameless));
        assert_eq!(bytes, packet(|place| if place == 1 { "SOMEBODY" } else { "" }));
    }

    #[test]
    fn names_are_all_that_a_nameless_packet_loses() {
        for kind in kinds().filter(|kind| *kind != Kind::Participants) {
            let mut bytes = full(kind);
            assert!(leave_out(&mut bytes, &[], OtherCars::Nameless));
            assert_eq!(bytes, full(kind), "{kind:?}");
        }
    }

    #[test]
    fn what_stays_of_cars_left_out_is_the_own_slot() {
        // The size of a car's slot, of what comes before the slots, and of what stays of another car.
        for (kind, slot, before, grid) in [
            (Kind::Motion, 60, 21, 0),
            (Kind::LapData, 41, 21, 1),
            (Kind::Participants, 53, 22, 0),
            (Kind::CarSetups, 41, 21, 0),
            (Kind::CarTelemetry, 53, 21, 0),
            (Kind::CarStatus, 52, 21, 0),
        ] {
            for (kept, tail) in [(Car(1), 7), (Car(2), 0)] {
                let mut bytes = full(kind);
                assert!(leave_out(&mut bytes, &[kept], OtherCars::LeftOut));
                let (head, rest) = bytes.split_at(before);
                let (slots, after) = rest.split_at(slot * CARS);
                assert_eq!(head, &full(kind)[..before], "{kind:?}");
                for (car, slot) in (0..).map(Car).zip(slots.chunks(slot)) {
                    let left = slot.iter().filter(|byte| **byte != 0).count();
                    assert_eq!(left, if car == kept { slot.len() } else { grid }, "{kind:?} {car:?}");
                }
                assert!(after.iter().all(|byte| *byte == tail), "{kind:?}: the player's own values");
            }
        }
        for kind in [Kind::Session, Kind::Event] {
            let mut bytes = full(kind);
            assert!(leave_out(&mut bytes, &[], OtherCars::LeftOut));
            assert_eq!(bytes, full(kind));
        }
    }

    #[test]
    fn strange_packets_are_not_shared() {
        let strange = |kind: Kind| [&full(kind)[..21], b"a name"].concat();
        assert!(!leave_out(&mut strange(Kind::Participants), &[], OtherCars::Nameless));
        for kind in kinds() {
            assert!(!leave_out(&mut strange(kind), &[], OtherCars::LeftOut), "{kind:?}");
        }
        let mut unknown = full(Kind::Motion);
        unknown[3] = 99;
        assert!(!leave_out(&mut unknown, &[], OtherCars::LeftOut));
    }

    /// A packet of format 2025 from bytes behind its header.
    fn of_2025(kind: Kind, fields: &[(Range<usize>, &[u8])]) -> Vec<u8> {
        let year = YEARS.find(2025).expect("a year");
        let head = Header {
            packet_format: 2025,
            packet_version: 1,
            packet_id: kind.id(),
            player_car_index: 1,
            ..Header::default()
        };
        let mut bytes = head.bytes(year);
        bytes.resize(kind.size(year).expect("a size"), 7);
        for (place, content) in fields {
            bytes[place.clone()].copy_from_slice(content);
        }
        bytes
    }

    #[test]
    fn what_newer_games_say_of_others_is_left_out() {
        let others = [Car(1)];
        // Its detail begins behind header and code.
        let event = |code: &[u8], detail: &[u8]| {
            of_2025(Kind::Event, &[(29..33, code), (33..33 + detail.len(), detail)])
        };
        for (code, detail, is_shared) in [
            (&b"FTLP"[..], &[5][..], false),
            (b"FTLP", &[1], true),
            (b"OVTK", &[1, 5], false),
            (b"CHQF", &[], true),
        ] {
            let mut bytes = event(code, detail);
            assert_eq!(leave_out(&mut bytes, &others, OtherCars::LeftOut), is_shared, "{code:?} {detail:?}");
        }
        // What is left over behind the fields goes in any case.
        let mut bytes = event(b"CHQF", &[]);
        assert!(leave_out(&mut bytes, &others, OtherCars::Nameless));
        assert!(bytes[33..].iter().all(|byte| *byte == 0));
        let mut bytes = of_2025(Kind::TimeTrial, &[]);
        assert!(leave_out(&mut bytes, &others, OtherCars::LeftOut));
        assert!(bytes[29..77].iter().all(|byte| *byte == 7) && bytes[77..].iter().all(|byte| *byte == 0));
        for (kind, car, is_shared) in [(Kind::SessionHistory, 1, true), (Kind::TyreSets, 2, false)] {
            let mut bytes = of_2025(kind, &[(29..30, &[car])]);
            assert_eq!(leave_out(&mut bytes, &others, OtherCars::LeftOut), is_shared, "{kind:?}");
        }
        for others in [OtherCars::Nameless, OtherCars::LeftOut] {
            assert!(!leave_out(&mut of_2025(Kind::LobbyInfo, &[]), &[Car(0)], others), "{others:?}");
        }
        // Behind the laps, 255 is no car.
        let mut bytes = of_2025(Kind::LapData, &[]);
        assert!(leave_out(&mut bytes, &[Car(3)], OtherCars::LeftOut));
        assert_eq!(bytes[1283..], [255, 255]);
        // The id of the connection goes with the name.
        let mut bytes = of_2025(Kind::Participants, &[]);
        assert!(leave_out(&mut bytes, &others, OtherCars::Nameless));
        let year = YEARS.find(2025).expect("a year");
        let network = Participant::place_of("network_id", year).expect("a field");
        assert_eq!((bytes[30 + network.start], bytes[30 + Participant::size(year) + network.start]), (0, 7));
    }
}
