//! Anonymises other drivers: each car's record contains a name.

use trailbrake_model::Car;
use zerocopy::{FromBytes, FromZeros, IntoBytes};

use super::layout::{Driver, Words};
use super::packet::{Kind, recognise};
use crate::{Anonymise, OtherCars};

/// Removes name and nationality of other cars' drivers, or their records.
pub const LEAVE_OUT: Anonymise = Anonymise { others };

fn others(datagram: &mut Vec<u8>, kept: &[Car], others: OtherCars) -> bool {
    if recognise(datagram) == Ok(Kind::Version) {
        return true;
    }
    let records = datagram.split_first_mut().and_then(|(_, rest)| <[Driver]>::mut_from_bytes(rest).ok());
    let Some(drivers) = records else { return false };
    let is_other = |driver: &Driver| !kept.iter().any(|car| driver.driver_id.get() == u32::from(car.0));
    match others {
        OtherCars::Kept => {}
        OtherCars::Nameless => {
            for driver in drivers.iter_mut().filter(|driver| is_other(driver)) {
                (driver.driver_name, driver.nationality) = (Words::new_zeroed(), Words::new_zeroed());
            }
        }
        OtherCars::LeftOut => {
            let own: Vec<Driver> = drivers.iter().filter(|driver| !is_other(driver)).copied().collect();
            datagram.truncate(1);
            datagram.extend(own.as_bytes());
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    /// A datagram with two cars.
    fn datagram() -> Vec<u8> {
        let mut driver = Driver::new_zeroed();
        driver.driver_name = Words(Text::write("Somebody"));
        let second = Driver { driver_id: 1.into(), ..driver };
        [&[1], driver.as_bytes(), second.as_bytes()].concat()
    }

    fn names(datagram: &[u8]) -> Vec<String> {
        let drivers = <[Driver]>::ref_from_bytes(&datagram[1..]).expect("records");
        drivers.iter().map(|driver| driver.driver_name.read()).collect()
    }

    #[test]
    fn other_drivers_lose_their_names() {
        let mut nameless = datagram();
        assert!(others(&mut nameless, &[Car(1)], OtherCars::Nameless));
        assert_eq!(names(&nameless), ["", "Somebody"]);
        let mut both = datagram();
        assert!(others(&mut both, &[Car(0), Car(1)], OtherCars::Nameless));
        assert_eq!(both, datagram());
        let strange = others(&mut vec![1, 2, 3, 4, 5, 6], &[], OtherCars::Nameless);
        assert!(!strange, "what is no whole record may have names anywhere");
    }

    #[test]
    fn drivers_are_known_by_their_id_in_whatever_order_they_are_sent() {
        let [kind, first @ ..] = &datagram()[..] else { panic!("a datagram") };
        let (one, two) = first.split_at(first.len() / 2);
        let mut swapped = [&[*kind], two, one].concat();
        assert!(others(&mut swapped, &[Car(1)], OtherCars::Nameless));
        assert_eq!(names(&swapped), ["Somebody", ""]);
    }

    #[test]
    fn the_records_of_cars_left_out_are_removed() {
        let mut own = datagram();
        assert!(others(&mut own, &[Car(1)], OtherCars::LeftOut));
        assert_eq!((own.len(), names(&own)), (1 + size_of::<Driver>(), vec!["Somebody".to_owned()]));
    }
}
