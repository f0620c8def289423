//! A made-up protocol of three years: rows come, go, and change their form, and some are as long as they are.
#![expect(unreachable_pub, reason = "tables are public where protocols declare them")]

use proptest::prelude::*;
use trailbrake_model::{Channel, Slot, Wheel};
use zerocopy::LE;

use super::*;
use crate::Text;

type F32 = zerocopy::F32<LE>;
type U16 = zerocopy::U16<LE>;
type U32 = zerocopy::U32<LE>;

const YEARS: Versions = Versions(&[2031, 2032, 2033]);
const ALL: [Version; 3] = [YEARS.at(0), YEARS.at(1), YEARS.at(2)];

packets! {
    YEARS;

    /// One car.
    record MadeUpCar [8, 11, 15] {
        speed: U16 => Speed in Kmh,
        throttle: In<u8, Percent> [..2032] | F32 [2032..] => Throttle,
        gear: i8 => Gear,
        wear: RearFirst<u8> [..=2032] => TyreWear in Percent,
        fuel: F32 [2033] => Fuel,
        distance: U32 [2033..] => LapDistance,
    }

    /// Two cars, and what is sent of the player's.
    packet MadeUpPacket [21, 27, 35] {
        code: Text<4>,
        car: Slots<MadeUpCar, 2>,
        buttons: u8,
    }

    /// As many cars as there are.
    packet MadeUpRest [9] {
        ride_height: [F32; 2] => [RideHeightFront, RideHeightRear],
        code: u8,
        car: Rest<MadeUpCar>,
    }
}

/// The literal bytes of a car at 100 km/h in fifth gear at half throttle.
const CARS: [&[u8]; 3] = [
    &[100, 0, 50, 5, 1, 2, 3, 4],
    &[100, 0, 0, 0, 0, 63, 5, 1, 2, 3, 4],
    &[100, 0, 0, 0, 0, 63, 5, 0, 0, 32, 65, 0xe8, 3, 0, 0],
];

fn values(car: &MadeUpCar) -> Vec<(Slot, f32)> {
    let mut values = Values::default();
    values.fill::<true>(car);
    values.get().to_vec()
}

#[test]
fn each_year_is_read_with_its_own_rows() {
    for (version, bytes) in ALL.into_iter().zip(CARS) {
        let car = MadeUpCar::of_bytes(bytes, version);
        assert_eq!((car.speed, car.throttle, car.gear), (100, 0.5, 5), "{version:?}");
        let is_last = version.number() == 2033;
        assert_eq!(car.wear, (!is_last).then_some(RearFirst([1, 2, 3, 4])), "{version:?}");
        assert_eq!((car.fuel, car.distance), (is_last.then_some(10.0), is_last.then_some(1000)));
        assert_eq!(car.bytes(version), bytes, "{version:?}");
        assert_eq!(MadeUpCar::size(version), bytes.len());
    }
    assert_eq!(YEARS.find(2032), Some(ALL[1]));
    assert_eq!(YEARS.find(2030), None);
}

#[test]
fn rows_become_channels_in_the_model_s_units() {
    let wheel = |wheel, percent: f32| (Channel::TyreWear.of(wheel), percent / 100.0);
    let start =
        [(Channel::Speed.slot(), 100.0 / 3.6), (Channel::Throttle.slot(), 0.5), (Channel::Gear.slot(), 5.0)];
    let wear = [
        wheel(Wheel::RearLeft, 1.0),
        wheel(Wheel::RearRight, 2.0),
        wheel(Wheel::FrontLeft, 3.0),
        wheel(Wheel::FrontRight, 4.0),
    ];
    let last = [(Channel::Fuel.slot(), 10.0), (Channel::LapDistance.slot(), 1000.0)];
    for (version, bytes, rest) in
        [(ALL[0], CARS[0], &wear[..]), (ALL[1], CARS[1], &wear[..]), (ALL[2], CARS[2], &last[..])]
    {
        let found = values(&MadeUpCar::of_bytes(bytes, version));
        assert_eq!(found.len(), start.len() + rest.len());
        for ((slot, value), (expected_slot, expected)) in found.iter().zip(start.iter().chain(rest)) {
            assert_eq!(slot, expected_slot);
            assert!((value - expected).abs() < 1e-5, "{slot:?}: {value} for {expected}");
        }
    }
    let mut few = Values::default();
    few.fill::<false>(&MadeUpCar::of_bytes(CARS[2], ALL[2]));
    let slots: Vec<Slot> = few.get().iter().map(|(slot, _)| *slot).collect();
    assert_eq!(slots, [Channel::Speed.slot(), Channel::Throttle.slot(), Channel::LapDistance.slot()]);
}

#[test]
fn fields_stand_where_the_year_has_them_and_are_named() {
    let places = |field: &str| ALL.map(|version| MadeUpCar::place_of(field, version));
    assert_eq!(places("gear"), [Some(3..4), Some(6..7), Some(6..7)]);
    assert_eq!(places("wear"), [Some(4..8), Some(7..11), None]);
    assert_eq!(places("fuel"), [None, None, Some(7..11)]);
    assert_eq!(places("nothing"), [None, None, None]);
    let described = MadeUpCar::described(CARS[0], ALL[0]);
    assert_eq!(described.at("throttle"), Some(&Value::Unsigned(50)), "as sent");
    assert_eq!(described.at("wear.2"), Some(&Value::Unsigned(3)));
    assert_eq!(described.at("fuel"), None);
    assert_eq!(MadeUpCar::described(CARS[2], ALL[2]).at("throttle"), Some(&Value::Float(0.5)));
}

#[test]
fn the_rest_of_a_packet_is_as_many_entries_as_there_are() {
    for (version, bytes) in ALL.into_iter().zip(CARS) {
        let car = MadeUpCar::of_bytes(bytes, version);
        for count in 0..3 {
            let car = Entries::Made(vec![car; count]);
            let sent = MadeUpRest { ride_height: [0.25, 0.5], code: 7, car }.bytes(version);
            assert_eq!(sent, [&[0, 0, 128, 62, 0, 0, 0, 63, 7], &bytes.repeat(count)[..]].concat());
            let read = MadeUpRest::of_bytes(&sent, version);
            assert_eq!((read.car.all().count(), read.code), (count, 7));
            assert!(read.car.all().all(|entry| entry.bytes() == bytes));
            assert_eq!(read.bytes(version), sent);
            let described = MadeUpRest::described(&sent, version);
            assert_eq!(described.at("car.1.gear").is_some(), count == 2);
            assert_eq!(described.at("car.2.gear"), None);
            let mut values = Values::default();
            values.fill::<true>(&read);
            let heights = [(Channel::RideHeightFront.slot(), 0.25), (Channel::RideHeightRear.slot(), 0.5)];
            assert_eq!(values.get(), heights, "a channel for each number");
        }
    }
}

#[test]
fn an_entry_that_is_not_in_use_is_none() {
    for (version, bytes) in ALL.into_iter().zip(CARS) {
        let car = MadeUpCar::of_bytes(bytes, version);
        let made = MadeUpPacket {
            code: Text(*b"SOME"),
            car: Entries::Made(vec![MadeUpCar::default(), car]),
            buttons: 7,
        };
        let sent = made.bytes(version);
        assert_eq!(sent, [b"SOME", &vec![0; bytes.len()][..], bytes, &[7]].concat());
        let read = MadeUpPacket::of_bytes(&sent, version);
        assert_eq!((read.code, read.buttons), (Text(*b"SOME"), 7));
        let used: Vec<Option<MadeUpCar>> =
            read.car.used().map(|entry| entry.map(|entry| entry.read())).collect();
        assert_eq!(used, [None, Some(car)]);
        assert_eq!((read.car.get(0), read.car.get(1), read.car.get(2)), (None, Some(car), None));
        assert_eq!(read.car.all().count(), 2);
        assert_eq!(read.bytes(version), sent);
    }
}

#[test]
fn what_is_missing_reads_as_zero() {
    for version in ALL {
        assert_eq!(MadeUpCar::of_bytes(&[9; 3], version), MadeUpCar::default());
        let read = MadeUpPacket::of_bytes(b"SOME", version);
        assert_eq!((read.car.all().count(), read.buttons), (0, 0));
    }
}

#[test]
fn values_that_are_no_numbers_are_left_out_and_counted() {
    #[derive(Default)]
    struct Seen(Vec<f32>);
    impl trailbrake_model::Sink for Seen {
        fn sample(&mut self, sample: &trailbrake_model::Sample<'_>) {
            self.0.extend(sample.values.iter().map(|(_, value)| value));
        }
        fn progress(&mut self, _: &trailbrake_model::LapProgress) {}
        fn event(&mut self, _: trailbrake_model::Event) {}
        fn fact(&mut self, _: trailbrake_model::Moment, _: trailbrake_model::Fact) {}
    }
    let moment =
        trailbrake_model::Moment { at: trailbrake_model::time::Micros(0), session_time: None, frame: None };
    for (fuel, left, odd) in [(f32::NAN, 4, 1), (f32::INFINITY, 4, 1), (3.0, 5, 0)] {
        let car = MadeUpCar { fuel: Some(fuel), distance: Some(5), ..MadeUpCar::default() };
        let (mut values, mut seen) = (Values::default(), Seen::default());
        values.fill::<true>(&car);
        assert_eq!(values.give(&mut seen, trailbrake_model::Car(0), moment), odd);
        assert_eq!(seen.0.len(), left, "{fuel}");
    }
}

#[test]
fn numbers_are_sent_in_the_byte_order_of_the_version() {
    type Either = EitherOrder<U16, zerocopy::U16<zerocopy::BE>>;
    for (version, bytes) in [(ALL[1], [2, 1]), (ALL[1].in_big_endian(), [1, 2])] {
        let mut sent = Vec::new();
        Either::write(&0x0102, version, &mut sent);
        assert_eq!(sent, bytes);
        assert_eq!(Either::read(&sent, &mut 0, version), 0x0102);
        assert_eq!(Either::describe(&sent, &mut 0, version), Value::Unsigned(0x0102));
    }
}

measures! {
    /// A number that says nothing when it is negative.
    OnceKnown: |number| number * 2.0, if number >= 0.0;
}

#[test]
fn numbers_that_say_that_there_is_no_value_become_none() {
    let mut values = Values::default();
    RearFirst([3.0_f32, -1.0, f32::NAN, 0.0]).put::<OnceKnown, true>(Channel::BrakeTemperature, &mut values);
    values.put(Channel::Fuel, Some(7_u8));
    values.put(Channel::Gear, None::<i8>);
    let [rear_left, front_right] =
        [Wheel::RearLeft, Wheel::FrontRight].map(|wheel| Channel::BrakeTemperature.of(wheel));
    assert_eq!(values.get(), [(rear_left, 6.0), (front_right, 0.0), (Channel::Fuel.slot(), 7.0)]);
    values.clear();
    assert_eq!(values.get(), []);
}

proptest! {
    #[test]
    fn whatever_was_sent_is_written_again(bytes in prop::collection::vec(any::<u8>(), 35), place in 0_usize..3) {
        let version = ALL[place];
        let size = MadeUpPacket::size(version);
        let sent = &bytes[..size];
        prop_assert_eq!(MadeUpPacket::of_bytes(sent, version).bytes(version), sent);
        // A car's values are those that were sent, so that only a number in another unit may be another of its bits.
        let mut car = MadeUpCar::of_bytes(sent, version);
        let again = MadeUpCar::of_bytes(&car.bytes(version), version);
        car.throttle = again.throttle;
        prop_assert_eq!(format!("{:?}", again), format!("{car:?}"));
    }
}
