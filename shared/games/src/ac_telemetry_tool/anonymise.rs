//! Anonymises other drivers: each car's record contains a name.

use trailbrake_model::Car;
use zerocopy::{FromBytes, FromZeros};

use super::layout::{Driver, Words};
use super::packet::{Kind, recognise};
use crate::Anonymise;

/// Removes name and nationality of other cars' drivers.
pub const LEAVE_OUT: Anonymise = Anonymise { others };

fn others(datagram: &mut [u8], kept: &[Car]) -> bool {
    if recognise(datagram) == Ok(Kind::Version) {
        return true;
    }
    let records = datagram.split_first_mut().and_then(|(_, rest)| <[Driver]>::mut_from_bytes(rest).ok());
    let Some(drivers) = records else { return false };
    for (_, driver) in (0..).map(Car).zip(drivers).filter(|(car, _)| !kept.contains(car)) {
        (driver.driver_name, driver.nationality) = (Words::new_zeroed(), Words::new_zeroed());
    }
    true
}

#[cfg(test)]
mod tests {
    use zerocopy::IntoBytes;

    use super::*;
    use crate::Text;

    #[test]
    fn other_drivers_lose_their_names() {
        let mut driver = Driver::new_zeroed();
        driver.driver_name = Words(Text::write("Somebody"));
        let mut datagram = [&[1], driver.as_bytes(), driver.as_bytes()].concat();
        let before = datagram.clone();
        assert!(others(&mut datagram, &[Car(1)]));
        let drivers = <[Driver]>::ref_from_bytes(&datagram[1..]).expect("two records");
        assert_eq!(
            drivers.iter().map(|driver| driver.driver_name.read()).collect::<Vec<_>>(),
            ["", "Somebody"]
        );
        assert!(others(&mut before.clone(), &[Car(0), Car(1)]));
        assert!(!others(&mut [1, 2, 3, 4, 5, 6], &[]), "what is no whole record may have names anywhere");
    }
}
