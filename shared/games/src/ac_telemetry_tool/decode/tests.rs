use std::collections::BTreeMap;

use trailbrake_model::{Fact, Presence, Sample};
use trailbrake_sink::Recorder;

use super::*;
use crate::ac_telemetry_tool::specimens::two_cars;

/// Bytes before the first record, and of each record.
const TYPE: usize = 1;
const RECORD: usize = 357;

/// A decoder's output, with each sample's car.
#[derive(Default)]
struct DecodedSamples {
    samples: Vec<(Car, BTreeMap<String, f32>)>,
    rest: Recorder,
}

impl Sink for DecodedSamples {
    fn sample(&mut self, sample: &trailbrake_model::Sample<'_>) {
        let Sample { car, values, .. } = *sample;
        let kept: BTreeMap<String, f32> = values.iter().map(|&(slot, value)| (slot.id(), value)).collect();
        assert_eq!(kept.len(), values.len(), "no channel is given twice");
        self.samples.push((car, kept));
    }

    fn progress(&mut self, progress: &LapProgress) {
        self.rest.progress(progress);
    }

    fn event(&mut self, event: Event) {
        self.rest.event(event);
    }

    fn fact(&mut self, moment: Moment, fact: Fact) {
        self.rest.fact(moment, fact);
    }
}

impl DecodedSamples {
    fn newest(&self, car: u8) -> &BTreeMap<String, f32> {
        let mut of_car = self.samples.iter().rev().filter(|(other, _)| *other == Car(car));
        of_car.next().map(|(_, values)| values).expect("a sample")
    }

    fn progress(&self, car: u8) -> LapProgress {
        *self.rest.progress.iter().rev().find(|progress| progress.car == Car(car)).expect("progress")
    }

    fn kinds(&self) -> Vec<(Option<u8>, &'static str)> {
        self.rest.events.iter().map(|event| (event.car.map(|car| car.0), event.kind.name())).collect()
    }
}

/// A plugin that sends 60 times a second.
#[derive(Default)]
struct Plugin {
    decoder: Decoder,
    seen: DecodedSamples,
    frames: u64,
}

impl Plugin {
    fn send(&mut self, packet: &[u8]) -> Result<(), Rejected> {
        self.frames += 1;
        self.decoder.receive(Micros(self.frames * 16_667), packet, &mut self.seen)
    }

    fn sends(&mut self, packet: &[u8]) {
        self.send(packet).expect("a packet that is understood");
    }
}

/// The two cars' packet, with some bytes changed.
fn with(changes: &[(usize, usize, &[u8])]) -> Vec<u8> {
    let mut packet = two_cars();
    for (car, offset, bytes) in changes {
        packet[TYPE + car * RECORD + offset..][..bytes.len()].copy_from_slice(bytes);
    }
    packet
}

/// The first car alone: lap count, lap clock, last lap, speed in km/h, lap fraction.
fn alone(count: i16, clock: u32, last: u32, speed: f32, share: f64) -> Vec<u8> {
    let mut packet = with(&[
        (0, 4, &clock.to_le_bytes()),
        (0, 8, &last.to_le_bytes()),
        (0, 63, &speed.to_le_bytes()),
        (0, 71, &count.to_le_bytes()),
        (0, 85, &share.to_le_bytes()),
    ]);
    packet.truncate(TYPE + RECORD);
    packet
}

fn check_near(values: &BTreeMap<String, f32>, id: &str, expected: f32) {
    let value = values.get(id).copied().unwrap_or_else(|| panic!("no {id}"));
    assert!((value - expected).abs() <= expected.abs() * 1e-6, "{id} is {value} and not {expected}");
}

#[test]
fn both_cars_channels_are_what_their_bytes_say() {
    let mut plugin = Plugin::default();
    plugin.sends(&two_cars());
    let degrees = |degrees: f32| degrees.to_radians();
    let first = plugin.seen.newest(0);
    for (id, value) in [
        ("speed", 45.0),
        ("throttle", 0.75),
        ("brake", 0.25),
        ("clutch", 0.0),
        ("steering_angle", degrees(-42.5)),
        ("gear", 3.0),
        ("rpm", 6500.0),
        ("lap_clock", 43.217),
        ("lap_share", 0.4375),
        ("race_position", 2.0),
        ("track_order", 2.0),
        ("position_x", 100.5),
        ("position_y", 2.25),
        ("position_z", -50.75),
        ("g_lateral", 1.25),
        ("g_vertical", -0.125),
        ("g_longitudinal", -0.5),
        ("drs", 0.0),
        ("drs_allowed", 1.0),
        ("ers_capacity", 4e6),
        ("ers_store", 1.25e6),
        ("tyre_dirt_rr", 1.5),
        ("boost_level", 0.875),
        ("ride_height_front", 0.0625),
        ("ride_height_rear", 0.078_125),
        ("tyre_inner_temperature_fr", 81.0),
        ("wheel_slip_rl", 0.031_25),
        ("slip_angle_fr", degrees(2.5)),
        ("combined_slip_rr", 0.875),
        ("slip_level_fl", 0.25),
        ("velocity_z", 33.5),
        ("local_velocity_x", 0.25),
        ("local_velocity_z", 45.0),
    ] {
        check_near(first, id, value);
    }
    // Nothing is invented: no distance before the line, no boost in a unit, no fuel, no pressure.
    for absent in
        ["lap_distance", "boost", "steering", "fuel", "tyre_pressure_fl", "tyre_surface_temperature_fl"]
    {
        assert_eq!(first.get(absent), None, "{absent}");
    }
    let second = plugin.seen.newest(1);
    for (id, value) in
        [("gear", -1.0), ("speed", 2.0), ("clutch", 0.5), ("lap_share", 0.75), ("race_position", 1.0)]
    {
        check_near(second, id, value);
    }
    assert_eq!((second.get("ers_store"), second.get("ers_capacity")), (None, None), "no such system");
}

#[test]
fn each_cars_lap_is_decoded() {
    let mut plugin = Plugin::default();
    plugin.sends(&two_cars());
    let first = plugin.seen.progress(0);
    assert_eq!((first.lap, first.clock, first.position), (4, Some(43.217), 2));
    assert_eq!((first.last_lap, first.best_lap), (Some(LapTime(91_234)), Some(LapTime(90_871))));
    assert_eq!((first.sector, first.sectors[0], first.sectors[1]), (1, Some(LapTime(28_111)), None));
    assert_eq!((first.invalid, first.pit, first.result), (true, PitStatus::OnTrack, ResultStatus::Active));
    assert_eq!((first.distance, first.total_distance), (None, None));
    let second = plugin.seen.progress(1);
    assert_eq!((second.lap, second.last_lap, second.best_lap, second.sector), (3, None, None, 2));
    assert_eq!(
        (second.invalid, second.pit, second.result),
        (false, PitStatus::InPitArea, ResultStatus::Finished)
    );
    plugin.sends(&with(&[(1, 4, &[1, 0, 1, 0]), (1, 182, &[0])]));
    assert_eq!(plugin.seen.progress(1).pit, PitStatus::Pitting);
}

#[test]
fn drivers_and_cars_are_sent_once_and_when_they_change() {
    let mut plugin = Plugin::default();
    plugin.sends(&two_cars());
    plugin.sends(&with(&[(0, 4, &[0, 0, 1, 0])]));
    let facts = |plugin: &Plugin| plugin.seen.rest.facts.clone();
    let sent = facts(&plugin);
    assert!(matches!(sent[0], Fact::Player(Some(PLAYER))));
    let Fact::Vehicle(Car(1), vehicle) = &sent[2] else { panic!("{sent:?}") };
    assert_eq!((vehicle.id.as_deref(), vehicle.tyres.as_deref()), (Some("ks_mazda_miata"), Some("ST")));
    let Fact::Participants(people) = &sent[3] else { panic!("{sent:?}") };
    let drivers: Vec<_> =
        people.iter().map(|who| (who.name.as_str(), who.nationality.name.as_deref(), who.presence)).collect();
    let there = Some(Presence::There);
    assert_eq!(drivers, [("Mara Löwe", Some("ITA"), there), ("José", Some("FR"), there)]);
    assert_eq!((sent.len(), plugin.seen.rest.session().cars), (5, Some(2)), "sent once");
    // Different tyres for the second car.
    plugin.sends(&with(&[(0, 4, &[1, 0, 1, 0]), (1, 167, b"SH")]));
    let sent = facts(&plugin);
    let Fact::Vehicle(Car(1), vehicle) = &sent[5] else { panic!("{sent:?}") };
    assert_eq!(vehicle.tyres.as_deref(), Some("SH"));
}

#[test]
fn who_is_not_connected_takes_part_no_more() {
    let mut plugin = Plugin::default();
    plugin.sends(&two_cars());
    let samples = plugin.seen.samples.len();
    plugin.sends(&with(&[(0, 4, &[0, 0, 1, 0]), (1, 181, &[0])]));
    assert_eq!(plugin.seen.progress(1).result, ResultStatus::Inactive);
    assert_eq!(plugin.seen.samples.len(), samples + 1, "only the other car drives");
    assert_eq!(plugin.seen.rest.session().cars, Some(1));
    let newest = plugin.seen.rest.facts.iter().rev().find_map(|fact| match fact {
        Fact::Participants(people) => Some(people[1].presence),
        _ => None,
    });
    assert_eq!(newest, Some(Some(Presence::Gone)));
    // What stays in its record neither drives nor restarts.
    for _ in 0..10 {
        plugin.sends(&with(&[(0, 4, &[0, 0, 1, 0]), (1, 4, &[0, 0, 0, 0]), (1, 181, &[0])]));
    }
    assert!(plugin.seen.rest.events.iter().all(|event| event.kind != EventKind::Restarted));
    // A car that is missing from the packet has left as well.
    let mut plugin = Plugin::default();
    plugin.sends(&two_cars());
    plugin.sends(&alone(3, 43_300, 91_234, 162.0, 0.44));
    assert_eq!(plugin.seen.progress(1).result, ResultStatus::Inactive);
    assert_eq!(plugin.seen.rest.session().cars, Some(1));
}

#[test]
fn a_bad_record_is_counted_and_the_others_are_used() {
    let mut plugin = Plugin::default();
    let reason = plugin.send(&with(&[(0, 177, &[0])])).expect_err("a reason").to_string();
    assert!(reason.contains("of 2 records, 1 records without their markers"), "{reason}");
    let cars: Vec<u8> = plugin.seen.samples.iter().map(|(car, _)| car.0).collect();
    assert_eq!(cars, [1]);
    for (changes, words) in [
        ((1, 0, &[0, 1, 0, 0][..]), "1 records with a driver id above 255"),
        ((1, 0, &[0, 0, 0, 0]), "1 records of a driver that another record is of"),
        ((0, 59, &[0, 0, 0xc0, 0x7f]), "1 values that are no numbers"),
    ] {
        let mut plugin = Plugin::default();
        let reason = plugin.send(&with(&[changes])).expect_err("a reason").to_string();
        assert!(reason.contains(words), "{reason:?} does not say {words:?}");
        check_near(plugin.seen.newest(0), "speed", 45.0);
    }
}

#[test]
fn a_lap_ends_when_the_count_rises_and_the_way_begins_at_the_line() {
    let mut plugin = Plugin::default();
    plugin.sends(&alone(3, 90_000, 91_234, 180.0, 0.995));
    plugin.sends(&alone(3, 90_016, 91_234, 180.0, 0.000_1));
    assert_eq!(plugin.seen.progress(0).distance, Some(0.0), "the line was crossed just now");
    plugin.sends(&alone(4, 10, 90_022, 180.0, 0.000_2));
    let line = plugin.seen.progress(0);
    assert_eq!((line.lap, line.last_lap), (5, Some(LapTime(90_022))));
    let metres = line.distance.expect("a distance");
    assert!((metres - 0.5).abs() < 1e-6, "ten milliseconds at 50 m/s are not {metres} m");
    plugin.sends(&alone(4, 30, 90_022, 180.0, 0.000_4));
    let on = plugin.seen.progress(0).distance.expect("a distance");
    assert!((on - 1.5).abs() < 1e-6, "{on}");
    assert_eq!(plugin.seen.newest(0).get("lap_distance"), Some(&on));
    assert_eq!(plugin.seen.kinds(), [(None, "on_session_start")]);
}

#[test]
fn a_restart_concerns_all_or_one_and_another_driver_is_another_session() {
    let mut plugin = Plugin::default();
    plugin.sends(&alone(3, 43_000, 91_234, 100.0, 0.5));
    for clock in 0..8 {
        plugin.sends(&alone(0, clock * 16, 0, 0.0, 0.98));
    }
    assert_eq!(plugin.seen.kinds(), [(None, "on_session_start"), (None, "on_restart")]);
    assert_eq!(plugin.seen.progress(0).lap, 1);

    let mut plugin = Plugin::default();
    plugin.sends(&two_cars());
    for clock in 0..8_u8 {
        // The first car drives on while the second restarts.
        plugin.sends(&with(&[(0, 4, &[clock, 0xa9]), (1, 4, &[clock, 0, 0, 0]), (1, 71, &[0, 0])]));
    }
    assert_eq!(plugin.seen.kinds(), [(None, "on_session_start"), (Some(1), "on_restart")]);

    plugin.sends(&with(&[(0, 97, b"Mira")]));
    assert_eq!(plugin.seen.kinds().last(), Some(&(None, "on_session_start")));

    // A car that has left cannot restart.
    let mut plugin = Plugin::default();
    plugin.sends(&two_cars());
    plugin.sends(&alone(3, 43_300, 91_234, 100.0, 0.5));
    for clock in 0..8 {
        plugin.sends(&alone(0, clock * 16, 0, 0.0, 0.98));
    }
    assert_eq!(plugin.seen.kinds().last(), Some(&(None, "on_restart")));
}

#[test]
fn a_game_that_stands_still_is_paused() {
    let mut plugin = Plugin::default();
    for _ in 0..60 {
        plugin.sends(&two_cars());
    }
    assert_eq!(plugin.seen.samples.len(), 2, "nothing new after the first");
    plugin.sends(&with(&[(0, 4, &[0, 0, 1, 0])]));
    assert_eq!(plugin.seen.kinds(), [(None, "on_session_start"), (None, "on_pause"), (None, "on_resume")]);
}

#[test]
fn a_version_is_reported_once() {
    let mut plugin = Plugin::default();
    for bytes in [[23, 0, 0, 0x48, 0x41], [23, 0, 0, 0x48, 0x41], [23, 1, 0, 0, 0]] {
        plugin.sends(&bytes);
    }
    let versions: Vec<String> = plugin
        .seen
        .rest
        .events
        .iter()
        .map(|event| match &event.kind {
            EventKind::Other(words) => words.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(versions[0], "Plugin version 12.5 (bytes 00 00 48 41)");
    assert_eq!(versions[1..], ["Plugin version 1 (bytes 01 00 00 00)"]);
}

#[test]
fn as_many_cars_as_a_datagram_holds_are_followed() {
    let mut packet = vec![22];
    for car in 0..183_u32 {
        let mut record = two_cars()[TYPE..][..RECORD].to_vec();
        record[..4].copy_from_slice(&car.to_le_bytes());
        packet.extend(record);
    }
    let mut plugin = Plugin::default();
    plugin.sends(&packet);
    assert_eq!(plugin.seen.samples.len(), 183);
    assert_eq!(plugin.seen.rest.session().cars, Some(183));
}
