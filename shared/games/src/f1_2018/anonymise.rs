//! Removes other drivers' names; nothing else in the packets identifies them.

use trailbrake_model::Car;
use zerocopy::FromBytes;

use super::layout::{Header, Participants};
use super::packet::Kind;
use crate::{Anonymise, Text};

/// Removes the names of drivers in other cars, those of the game included.
pub const LEAVE_OUT: Anonymise = Anonymise { others };

fn others(datagram: &mut [u8], kept: &[Car]) -> bool {
    let participants = Header::ref_from_prefix(datagram)
        .is_ok_and(|(header, _)| Kind::from_id(header.packet_id) == Some(Kind::Participants));
    if !participants {
        return true;
    }
    // A packet of an unknown size may contain names anywhere, so it is dropped.
    let Ok(packet) = Participants::mut_from_bytes(datagram) else { return false };
    for (car, driver) in (0..).map(Car).zip(&mut packet.car) {
        if !kept.contains(&car) {
            driver.name = Text::write("");
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use zerocopy::{FromZeros, IntoBytes};

    use super::*;

    #[test]
    fn drivers_of_other_cars_lose_their_names_and_nothing_else() {
        let mut packet = Participants::new_zeroed();
        packet.header.packet_id = 4;
        for (place, driver) in packet.car.iter_mut().enumerate() {
            driver.name = Text::write("SOMEBODY");
            driver.ai_controlled = u8::from(place == 2);
        }
        let mut bytes = packet.as_bytes().to_vec();
        assert!(others(&mut bytes, &[Car(1)]));
        let left = Participants::ref_from_bytes(&bytes).expect("the packet");
        let names: Vec<String> = left.car.iter().take(4).map(|driver| driver.name.read()).collect();
        assert_eq!(names, ["", "SOMEBODY", "", ""]);
        packet.car.iter_mut().for_each(|driver| driver.name = Text::write(""));
        let mut nameless = *left;
        nameless.car.iter_mut().for_each(|driver| driver.name = Text::write(""));
        assert_eq!(nameless.as_bytes(), packet.as_bytes());
    }

    #[test]
    fn other_packets_stay_and_strange_ones_are_not_given_away() {
        let mut header = Header::new_zeroed();
        header.packet_id = 2;
        assert!(others(&mut [header.as_bytes(), &[7; 800]].concat(), &[]));
        header.packet_id = 4;
        assert!(!others(&mut [header.as_bytes(), b"a name"].concat(), &[]));
    }
}
