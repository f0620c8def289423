//! Anonymises other drivers: each car's record contains a name.

use trailbrake_model::Car;

use super::layout::Driver;
use super::packet::{Kind, recognise};
use crate::table::ONLY_VERSION;
use crate::{Anonymise, OtherCars};

/// Removes name and nationality of other cars' drivers, or their records.
pub const LEAVE_OUT: Anonymise = Anonymise { others };

fn others(datagram: &mut Vec<u8>, kept: &[Car], others: OtherCars) -> bool {
    if recognise(datagram) == Ok(Kind::Version) {
        return true;
    }
    let size = Driver::size(ONLY_VERSION);
    let Some((_, records)) = datagram.split_first_mut().filter(|(_, rest)| rest.len().is_multiple_of(size))
    else {
        return false;
    };
    let is_other = |record: &[u8]| {
        let id = Driver::of_bytes(record, ONLY_VERSION).driver_id;
        !kept.iter().any(|car| id == u32::from(car.0))
    };
    match others {
        OtherCars::Kept => {}
        OtherCars::Nameless => {
            let names = ["driver_name", "nationality"].map(|field| Driver::place_of(field, ONLY_VERSION));
            for record in records.chunks_exact_mut(size).filter(|record| is_other(record)) {
                for place in names.iter().flatten().cloned() {
                    record.get_mut(place).unwrap_or_default().fill(0);
                }
            }
        }
        OtherCars::LeftOut => {
            let own: Vec<&[u8]> = records.chunks_exact(size).filter(|record| !is_other(record)).collect();
            let own = own.concat();
            datagram.truncate(1);
            datagram.extend(own);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ac_telemetry_tool::layout::{Telemetry, Words};
    use crate::table::Entries;

    /// A datagram with two cars.
    fn datagram() -> Vec<u8> {
        let driver = Driver { driver_name: Words::write("Somebody"), ..Driver::default() };
        let second = Driver { driver_id: 1, ..driver };
        let drivers = Entries::Made(vec![driver, second]);
        Telemetry { packet_type: 1, drivers }.bytes(ONLY_VERSION)
    }

    fn names(datagram: &[u8]) -> Vec<String> {
        let telemetry = Telemetry::of_bytes(datagram, ONLY_VERSION);
        telemetry.drivers.all().map(|driver| driver.read().driver_name.read()).collect()
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
        assert_eq!((own.len(), names(&own)), (1 + 357, vec!["Somebody".to_owned()]));
    }
}
