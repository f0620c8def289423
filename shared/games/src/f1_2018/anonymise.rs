//! Removes other drivers: their names, or their whole entries, which then read as empty slots.

use core::ops::Range;

use trailbrake_model::Car;

use super::layout::{
    CarLap, CarMotion, CarSetup, CarSetups, CarStatus, CarTelemetry, Header, LapData, Motion, Participant,
    Participants, Status, Telemetry, YEAR,
};
use super::packet::Kind;
use crate::table::Sent;
use crate::{Anonymise, OtherCars};

/// Removes drivers in other cars, those of the game included.
pub const LEAVE_OUT: Anonymise =
    Anonymise { others: |datagram, kept, others| leave_out(datagram, kept, others) };

fn leave_out(datagram: &mut [u8], kept: &[Car], others: OtherCars) -> bool {
    if datagram.len() < Header::size(YEAR) {
        return true;
    }
    let header = Header::of_bytes(datagram, YEAR);
    let (kind, player) = (Kind::from_id(header.packet_id), Car(header.player_car_index));
    match others {
        OtherCars::Kept => true,
        // A packet of an unknown size may contain names anywhere, so it is dropped.
        OtherCars::Nameless if kind == Some(Kind::Participants) => {
            let is_whole = datagram.len() == Kind::Participants.size();
            let name = Participant::place_of("name", YEAR);
            if is_whole {
                slots(datagram, Kind::Participants, kept).for_each(|slot| fill_zeros(slot, name.clone()));
            }
            is_whole
        }
        OtherCars::Nameless => true,
        OtherCars::LeftOut => kind.is_some_and(|kind| empty_slots(kind, datagram, kept, player)),
    }
}

/// Empties the slots of other cars, and what is sent of the player only, if the player is not kept. Returns whether the
/// packet has the size of its kind: no other is read.
fn empty_slots(kind: Kind, datagram: &mut [u8], kept: &[Car], player: Car) -> bool {
    if datagram.len() != kind.size() {
        return false;
    }
    for slot in slots(datagram, kind, kept) {
        // The grid positions stay: a packet has a grid if one of them is not 0.
        let grid = CarLap::place_of("grid_position", YEAR).filter(|_| kind == Kind::LapData);
        let (begin, end) = grid.map_or((slot.len(), slot.len()), |grid| (grid.start, grid.end));
        fill_zeros(slot, Some(0..begin));
        let whole = slot.len();
        fill_zeros(slot, Some(end..whole));
    }
    if !kept.contains(&player) {
        let whole = datagram.len();
        fill_zeros(datagram, behind_slots(kind, whole));
    }
    true
}

/// Where a packet's slots are, and the size of one.
fn cars(kind: Kind) -> Option<(Range<usize>, usize)> {
    let (place, size) = match kind {
        Kind::Motion => (Motion::place_of("car", YEAR), CarMotion::SIZES),
        Kind::LapData => (LapData::place_of("car", YEAR), CarLap::SIZES),
        Kind::Participants => (Participants::place_of("car", YEAR), Participant::SIZES),
        Kind::CarSetups => (CarSetups::place_of("car", YEAR), CarSetup::SIZES),
        Kind::CarTelemetry => (Telemetry::place_of("car", YEAR), CarTelemetry::SIZES),
        Kind::CarStatus => (Status::place_of("car", YEAR), CarStatus::SIZES),
        // They are about no car.
        Kind::Session | Kind::Event => return None,
    };
    Some((place?, YEAR.of(&size)))
}

/// What stands behind the slots, which is the player's alone.
fn behind_slots(kind: Kind, whole: usize) -> Option<Range<usize>> {
    cars(kind).map(|(slots, _)| slots.end..whole)
}

/// The slots of cars that are not kept.
fn slots<'a>(datagram: &'a mut [u8], kind: Kind, kept: &[Car]) -> impl Iterator<Item = &'a mut [u8]> {
    let place = cars(kind).and_then(|(place, size)| Some((datagram.get_mut(place)?, size)));
    let (bytes, size) = place.unwrap_or((&mut [], 1));
    let others = (0..).map(Car).zip(bytes.chunks_exact_mut(size)).filter(|(car, _)| !kept.contains(car));
    others.map(|(_, slot)| slot)
}

fn fill_zeros(bytes: &mut [u8], place: Option<Range<usize>>) {
    if let Some(bytes) = place.and_then(|place| bytes.get_mut(place)) {
        bytes.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::CARS;
    use super::*;
    use crate::Text;
    use crate::table::Entries;

    /// A packet of a kind in which no byte is zero.
    fn full(kind: Kind) -> Vec<u8> {
        let header = Header { packet_id: kind.id(), player_car_index: 1, ..Header::default() };
        let mut bytes = header.bytes(YEAR);
        bytes.resize(kind.size(), 7);
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
            let header = Header { packet_id: 4, ..Header::default() };
            Participants { header, num_cars: 20, car }.bytes(YEAR)
        };
        let mut bytes = packet(|_| "SOMEBODY");
        assert!(leave_out(&mut bytes, &[Car(1)], OtherCars::Nameless));
        assert_eq!(bytes, packet(|place| if place == 1 { "SOMEBODY" } else { "" }));
    }

    #[test]
    fn names_are_all_that_a_nameless_packet_loses() {
        for kind in Kind::ALL.iter().filter(|kind| **kind != Kind::Participants) {
            let mut bytes = full(*kind);
            assert!(leave_out(&mut bytes, &[], OtherCars::Nameless));
            assert_eq!(bytes, full(*kind), "{kind:?}");
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
        for kind in Kind::ALL {
            assert!(!leave_out(&mut strange(*kind), &[], OtherCars::LeftOut), "{kind:?}");
        }
        let mut unknown = full(Kind::Motion);
        unknown[3] = 99;
        assert!(!leave_out(&mut unknown, &[], OtherCars::LeftOut));
    }
}
