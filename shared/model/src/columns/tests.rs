use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::Channel;
use crate::time::Micros;

const FAST: Slot = Channel::Speed.slot();
const ALSO_FAST: Slot = Channel::LapDistance.slot();
const SLOW: Slot = Channel::Fuel.slot();

fn frame(number: u32) -> Moment {
    Moment {
        at: Micros(u64::from(number)),
        session_time: Some(f64::from(number) / 60.0),
        frame: Some(number),
    }
}

/// A minute at 60 Hz with fuel at 2 Hz.
fn minute() -> Columns {
    let mut columns = Columns::default();
    for number in 0..3600 {
        assert!(columns.push(frame(number), [(FAST, number as f32)]));
        assert!(columns.push(frame(number), [(ALSO_FAST, number as f32 * 2.0)]));
        if number % 30 == 0 {
            assert!(columns.push(frame(number), [(SLOW, 100.0 - number as f32)]));
        }
    }
    columns
}

#[test]
fn a_converted_column_takes_the_place_of_the_other() {
    let mut columns = minute();
    columns.convert(SLOW, Channel::Rpm.slot(), |value| value * 2.0);
    assert_eq!(columns.value(SLOW, 60), None);
    assert_eq!(columns.value(Channel::Rpm.slot(), 60), Some(80.0));
    // What is there stays.
    columns.convert(FAST, ALSO_FAST, |value| value * 10.0);
    assert_eq!((columns.value(FAST, 5), columns.value(ALSO_FAST, 5)), (Some(5.0), Some(10.0)));
}

#[test]
fn packets_of_one_frame_share_a_row() {
    let columns = minute();
    assert_eq!(columns.len(), 3600);
    let Some(Line::Every(speeds)) = columns.line(FAST) else { panic!("speed is sent every frame") };
    assert_eq!((speeds.len(), speeds[1234], columns.seconds()[1234]), (3600, 1234.0, 1234.0 / 60.0));
    assert_eq!(columns.value(ALSO_FAST, 1234), Some(2468.0));
    assert_eq!(columns.line(Channel::Brake.slot()), None);
    assert_eq!(columns.slots().collect::<Vec<_>>(), [FAST, ALSO_FAST, SLOW]);
}

#[test]
fn rare_channels_cost_by_their_own_rate() {
    let columns = minute();
    let Some(Line::Some(values)) = columns.line(SLOW) else { panic!("fuel is sent rarely") };
    assert_eq!((values.len(), values[2]), (120, (60, 40.0)));
    assert_eq!(columns.value(SLOW, 61), None);
    assert_eq!(columns.latest(SLOW, 61), Some(40.0));
    let mut bare = minute();
    bare.retain(|slot| slot != SLOW);
    bare.shrink();
    let mut full = minute();
    full.shrink();
    assert!(full.bytes() - bare.bytes() < 2000, "{}", full.bytes() - bare.bytes());
}

#[test]
fn a_channel_that_becomes_rare_or_frequent_changes_shape() {
    let mut columns = Columns::default();
    let mut sent = BTreeMap::new();
    for number in 0..4000_u32 {
        columns.push(frame(number), [(FAST, 0.0)]);
        let every = if (1000..2500).contains(&number) { 100 } else { 1 };
        if number % every == 0 && number >= 40 {
            columns.push(frame(number), [(SLOW, number as f32)]);
            sent.insert(number as usize, number as f32);
        }
        if number == 2499 {
            columns.push(frame(number), []);
        }
    }
    let line = columns.line(SLOW).expect("a column");
    assert_eq!(line.iter().collect::<BTreeMap<_, _>>(), sent);
    assert_eq!((columns.latest(SLOW, 39), columns.latest(SLOW, 1099)), (None, Some(1000.0)));
}

#[test]
fn late_packets_find_their_row_and_very_late_ones_are_dropped() {
    let mut columns = Columns::default();
    for number in [10, 11, 13, 14] {
        columns.push(frame(number), [(FAST, number as f32)]);
    }
    assert!(columns.push(frame(11), [(SLOW, 1.0)]));
    assert!(columns.push(frame(12), [(FAST, 12.0)]));
    assert!(columns.push(frame(9), [(FAST, 9.0)]));
    assert_eq!(
        columns.line(FAST).expect("a column").iter().map(|(_, value)| value).collect::<Vec<_>>(),
        [9.0, 10.0, 11.0, 12.0, 13.0, 14.0]
    );
    assert_eq!(columns.line(SLOW).expect("a column").iter().collect::<Vec<_>>(), [(2, 1.0)]);
    for number in 15..100 {
        columns.push(frame(number), [(FAST, number as f32)]);
    }
    assert!(!columns.push(frame(12), [(FAST, 0.0)]));
    assert_eq!(columns.len(), 91);
}

#[test]
fn games_without_frames_have_a_row_for_each_packet() {
    let mut columns = Columns::default();
    for at in [5, 7, 7, 9] {
        let moment = Moment { at: Micros(at), session_time: None, frame: None };
        columns.push(moment, [(FAST, at as f32)]);
    }
    assert_eq!(columns.seconds(), [5e-6, 7e-6, 9e-6]);
}

#[test]
fn splitting_keeps_every_value() {
    let mut head = minute();
    let tail = head.split_off(1800.0 / 60.0);
    assert_eq!((head.len(), tail.len()), (1800, 1800));
    assert_eq!((head.value(FAST, 1799), tail.value(FAST, 0)), (Some(1799.0), Some(1800.0)));
    assert_eq!((head.latest(SLOW, 1799), tail.value(SLOW, 30)), (Some(-1670.0), Some(-1730.0)));
    head.cut_after(59.0 / 60.0);
    assert_eq!((head.len(), head.value(FAST, 59)), (60, Some(59.0)));
    head.cut_after(-1.0);
    assert_eq!((head.len(), head.slots().count()), (0, 0));
}

#[test]
fn thinning_halves_and_loses_no_order() {
    let mut columns = minute();
    columns.thin();
    assert_eq!(columns.len(), 1800);
    assert_eq!((columns.value(FAST, 10), columns.value(SLOW, 15)), (Some(20.0), Some(70.0)));
    assert!(columns.push(frame(3600), [(FAST, 1.0)]));
}

proptest! {
    #[test]
    fn any_order_within_the_window_gives_the_same_columns(
        kinds in prop::collection::vec(1_u8..8, 1..200),
        jitter in prop::collection::vec(0_u32..20, 600),
    ) {
        // Each frame sends some of three channels as separate packets; each packet is late by a few frames.
        let mut packets = Vec::new();
        for (number, kinds) in (0..).zip(&kinds) {
            for (bit, slot) in [FAST, ALSO_FAST, SLOW].into_iter().enumerate() {
                if kinds >> bit & 1 == 1 {
                    packets.push((number, slot, (number * 10) as f32 + bit as f32));
                }
            }
        }
        let mut late: Vec<_> = packets.iter().zip(&jitter).map(|(packet, late)| (packet.0 + late, *packet)).collect();
        late.sort_by_key(|(when, _)| *when);
        let mut columns = Columns::default();
        for (_, (number, slot, value)) in late {
            prop_assert!(columns.push(frame(number), [(slot, value)]));
        }
        prop_assert_eq!(columns.len(), kinds.len());
        for slot in [FAST, ALSO_FAST, SLOW] {
            let sent: BTreeMap<usize, f32> = packets
                .iter()
                .filter(|(_, other, _)| *other == slot)
                .map(|(number, _, value)| (*number as usize, *value))
                .collect();
            let line = columns.line(slot);
            prop_assert_eq!(line.is_some(), !sent.is_empty());
            let Some(line) = line else { continue };
            prop_assert_eq!(&line.iter().collect::<BTreeMap<_, _>>(), &sent);
            for row in 0..kinds.len() {
                prop_assert_eq!(line.value(row), sent.get(&row).copied());
                let latest = sent.range(..=row).next_back().map(|(_, value)| *value);
                prop_assert_eq!(columns.latest(slot, row), latest);
            }
        }
    }

    #[test]
    fn a_split_anywhere_puts_each_value_on_its_side(
        sent in prop::collection::vec(prop::option::of(0.0_f32..9.0), 1..300),
        place in 0_u32..300,
    ) {
        let mut columns = Columns::default();
        for (number, value) in (0..).zip(&sent) {
            columns.push(frame(number), value.map(|value| (SLOW, value)));
        }
        let tail = columns.split_off(f64::from(place) / 60.0);
        for (number, value) in sent.iter().enumerate() {
            let got = match number.checked_sub(place as usize) {
                None => columns.value(SLOW, number),
                Some(row) => tail.value(SLOW, row),
            };
            prop_assert_eq!(got, *value);
        }
    }
}
