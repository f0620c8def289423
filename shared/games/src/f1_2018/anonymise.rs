//! Removes other drivers: their names, or their whole entries, which then read as empty slots.

use trailbrake_model::Car;
use zerocopy::{FromBytes, FromZeros};

use super::layout::{CARS, CarLap, CarSetups, Header, LapData, Motion, Participants, Status, Telemetry};
use super::packet::Kind;
use crate::{Anonymise, OtherCars, Text};

/// Removes drivers in other cars, those of the game included.
pub const LEAVE_OUT: Anonymise =
    Anonymise { others: |datagram, kept, others| leave_out(datagram, kept, others) };

fn leave_out(datagram: &mut [u8], kept: &[Car], others: OtherCars) -> bool {
    let Ok((header, _)) = Header::ref_from_prefix(datagram) else { return true };
    let (kind, player) = (Kind::from_id(header.packet_id), Car(header.player_car_index));
    match others {
        OtherCars::Kept => true,
        // A packet of an unknown size may contain names anywhere, so it is dropped.
        OtherCars::Nameless if kind == Some(Kind::Participants) => remove_names(datagram, kept).is_some(),
        OtherCars::Nameless => true,
        OtherCars::LeftOut => kind.and_then(|kind| empty_slots(kind, datagram, kept, player)).is_some(),
    }
}

fn remove_names(datagram: &mut [u8], kept: &[Car]) -> Option<()> {
    let packet = Participants::mut_from_bytes(datagram).ok()?;
    other_slots(&mut packet.car, kept).for_each(|driver| driver.name = Text::write(""));
    Some(())
}

/// Empties the slots of other cars, and what is sent of the player only, if the player is not kept. `None` for a packet
/// of an unknown size, which nothing reads.
fn empty_slots(kind: Kind, datagram: &mut [u8], kept: &[Car], player: Car) -> Option<()> {
    let is_player_kept = kept.contains(&player);
    match kind {
        Kind::Motion => {
            let packet = Motion::mut_from_bytes(datagram).ok()?;
            empty(&mut packet.car, kept);
            if !is_player_kept {
                *packet = Motion { header: packet.header, car: packet.car, ..Motion::new_zeroed() };
            }
        }
        Kind::LapData => {
            // The grid positions stay: a packet has a grid if one of them is not 0.
            for slot in other_slots(&mut LapData::mut_from_bytes(datagram).ok()?.car, kept) {
                *slot = CarLap { grid_position: slot.grid_position, ..CarLap::new_zeroed() };
            }
        }
        Kind::Participants => empty(&mut Participants::mut_from_bytes(datagram).ok()?.car, kept),
        Kind::CarSetups => empty(&mut CarSetups::mut_from_bytes(datagram).ok()?.car, kept),
        Kind::CarTelemetry => {
            let packet = Telemetry::mut_from_bytes(datagram).ok()?;
            empty(&mut packet.car, kept);
            if !is_player_kept {
                packet.button_status.zero();
            }
        }
        Kind::CarStatus => empty(&mut Status::mut_from_bytes(datagram).ok()?.car, kept),
        // They are about no car.
        Kind::Session | Kind::Event => (datagram.len() == kind.size()).then_some(())?,
    }
    Some(())
}

fn empty<T: FromZeros>(slots: &mut [T; CARS], kept: &[Car]) {
    other_slots(slots, kept).for_each(FromZeros::zero);
}

/// The slots of cars that are not kept.
fn other_slots<'a, T>(slots: &'a mut [T; CARS], kept: &[Car]) -> impl Iterator<Item = &'a mut T> {
    let others = (0..).map(Car).zip(slots).filter(|(car, _)| !kept.contains(car));
    others.map(|(_, slot)| slot)
}

#[cfg(test)]
mod tests {
    use zerocopy::IntoBytes;

    use super::*;

    /// A packet of a kind in which no byte is zero.
    fn full(kind: Kind) -> Vec<u8> {
        let mut header = Header::new_zeroed();
        (header.packet_id, header.player_car_index) = (kind.id(), 1);
        [header.as_bytes(), &vec![7; kind.size() - header.as_bytes().len()]].concat()
    }

    #[test]
    fn drivers_of_other_cars_lose_their_names_and_nothing_else() {
        let mut packet = Participants::new_zeroed();
        packet.header.packet_id = 4;
        for (place, driver) in packet.car.iter_mut().enumerate() {
            driver.name = Text::write("SOMEBODY");
            driver.ai_controlled = u8::from(place == 2);
        }
        let mut bytes = packet.as_bytes().to_vec();
        assert!(leave_out(&mut bytes, &[Car(1)], OtherCars::Nameless));
        let left = Participants::ref_from_bytes(&bytes).expect("the packet");
        let names: Vec<String> = left.car.iter().take(4).map(|driver| driver.name.read()).collect();
        assert_eq!(names, ["", "SOMEBODY", "", ""]);
        packet.car.iter_mut().for_each(|driver| driver.name = Text::write(""));
        let mut nameless = *left;
        nameless.car.iter_mut().for_each(|driver| driver.name = Text::write(""));
        assert_eq!(nameless.as_bytes(), packet.as_bytes());
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
