//! Real laps and stages, on a racing line learnt from them.

use std::net::SocketAddr;

use trailbrake_shared::analysis::{
    CornerTable, LapColumns, Method, NoLine, PlacedLap, ReferenceLine, compare, find_corners,
};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::{Channel, Columns};
use trailbrake_shared::session::{Receiver, Retention};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::wire::Datagram;

/// A file of captured packets of one size.
pub(super) fn packets(file: &str, size: usize) -> Vec<Vec<u8>> {
    trailbrake_captures::read(file).chunks_exact(size).map(<[u8]>::to_vec).collect()
}

/// The laps in packets sent at `hz`.
fn laps(feed: Feed, packets: &[Vec<u8>], hz: u64) -> Vec<(Lap, Columns)> {
    let mut receiver = Receiver::new(Retention { player_bytes: usize::MAX, ..Retention::default() });
    for (nth, bytes) in (0..).zip(packets) {
        let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
        let at = Micros(1_000_000 + nth * 1_000_000 / hz);
        let _ = receiver.receive(&Datagram { at, sender, port: 0, feed: Some(feed), bytes });
    }
    let session = receiver.session().expect("a session");
    let car = session.player().or(session.watched()).expect("a car");
    let state = session.car(car).expect("a car");
    let laps = state.laps.finished().iter().chain(state.laps.current());
    laps.filter_map(|lap| Some((lap.clone(), state.traces.lap(lap.serial)?.clone()))).collect()
}

#[test]
#[ignore = "needs captures"]
fn a_captured_lap_of_gran_turismo_has_its_time_and_its_length() {
    let packets = packets("gran-turismo/gt7-C-plain-replay.368xN.bin.gz", 368);
    let laps = laps(Feed::GranTurismo, &packets, 60);
    let (lap, columns) = laps.first().expect("a lap");
    assert_eq!(lap.time, Some(LapTime(115_244)));
    let lap = LapColumns::new(lap, columns);
    let line = ReferenceLine::learn(&lap).expect("a line");
    // The positions cover 6817.88 m from the first packet to the last; 2.4 m come before them, 0.5 m after.
    let path_m = 6817.88 + 2.4;
    assert!((line.length_m() / path_m - 1.0).abs() < 0.003, "{}", line.length_m());
    assert!(line.residual_m() < 0.15, "{}", line.residual_m());
    // The line is not closed: the replay's first lap begins 124 m behind the line where the game ends it, straight
    // ahead.
    assert!(!line.is_closed());
    let (begin, end) = (line.at(0.0), line.at(line.length_m()));
    let (ahead_m, left_m) = end.seen(begin.position);
    assert!((ahead_m - 124.0).abs() < 3.0 && left_m.abs() < 3.0, "{ahead_m} {left_m}");
    assert!((begin.heading() - end.heading()).abs() < 0.01);
    let placed = PlacedLap::on_line(&lap, &line, None).expect("placed");
    assert_eq!((placed.method, placed.excursions.as_slice()), (Method::Position, &[][..]));
    assert!((placed.clock_at(line.length_m()).expect("a clock") - 115.244).abs() < 1e-3);
    let corners = find_corners(&line);
    let table = CornerTable::of(&lap, &placed, &corners);
    let braked = table.rows.iter().filter(|row| row.brake_on_m.is_some()).count();
    // The README's events count 23 uses of the brake.
    assert!((8..=23).contains(&braked), "{braked} of {}", corners.len());
    for row in &table.rows {
        assert!(
            row.min_ms.is_some_and(|speed| speed < 317.7 / 3.6) && row.seconds.is_some_and(|long| long > 0.0),
            "{row:?}"
        );
    }
}

#[test]
#[ignore = "needs captures"]
fn a_captured_stage_is_a_line_that_leads_from_its_start_to_its_end() {
    let packets = packets("dirt-rally-2/stage-every5th.264xN.bin", 264);
    let mut driven = packets.clone();
    // The game marks the end of the stage with a packet of zeros.
    driven.push(vec![0; 264]);
    let finished = laps(Feed::DirtRally, &driven, 12);
    let (lap, columns) = finished.first().expect("a stage");
    let time = lap.time.expect("a time");
    assert!((time.seconds() - 199.575).abs() < 0.1, "{time}");
    let columns = LapColumns::new(lap, columns);
    let line = ReferenceLine::learn(&columns).expect("a line");
    assert!(!line.is_closed());
    // The game's own distance follows the middle of the road, 5236.7 m.
    assert!((line.length_m() / 5236.7 - 1.0).abs() < 0.03, "{}", line.length_m());
    let placed = PlacedLap::on_line(&columns, &line, None).expect("placed");
    // Its splits are where the game's own distance has them.
    let distances = columns.values(Channel::LapDistance.slot()).expect("distances");
    for (split_s, lap_sector) in [(52.594_59, 0), (105.608_41, 1)] {
        let row = columns.clock_s().partition_point(|clock| *clock < split_s);
        let (own, game) =
            (placed.place_at(split_s).expect("a place") / line.length_m(), distances[row] / 5236.7);
        assert!((own - game).abs() < 0.006, "{own} of the line, {game} of the stage");
        let sectors: f64 =
            lap.sectors[..=lap_sector].iter().map(|sector| sector.expect("a split").seconds()).sum();
        assert!((sectors - split_s).abs() < 0.002, "{sectors}");
    }
    let itself = compare(&columns, &columns).expect("a comparison");
    assert!(itself.delta.iter().all(|(_, delta)| *delta == 0.0) && itself.corners.len() > 20);

    let unfinished = laps(Feed::DirtRally, &packets, 12);
    assert_eq!(unfinished.first().and_then(|(lap, _)| lap.time), None, "the game has not reported a time");
}

#[test]
#[ignore = "needs captures"]
fn captured_laps_lose_nothing_to_themselves_by_any_part() {
    let gran_turismo = packets("gran-turismo/gt7-C-plain-replay.368xN.bin.gz", 368);
    let mut stage = packets("dirt-rally-2/stage-every5th.264xN.bin", 264);
    stage.push(vec![0; 264]);
    for (feed, packets, hz) in [(Feed::GranTurismo, gran_turismo, 60), (Feed::DirtRally, stage, 12)] {
        let laps = laps(feed, &packets, hz);
        let (lap, columns) = laps.first().expect("a lap");
        let lap = LapColumns::new(lap, columns);
        let itself = compare(&lap, &lap).expect("a comparison");
        let ledger = itself.ledger;
        let known = ledger.rows.iter().filter(|row| row.loss_s == Some(0.0) && row.parts.is_empty());
        assert!(known.count() > ledger.rows.len() * 9 / 10, "{ledger:?}");
        assert!(ledger.rows.iter().all(|row| row.parts.is_empty()), "{ledger:?}");
    }
}

#[test]
#[ignore = "needs captures"]
fn a_stage_and_its_ends_at_full_rate_differ_by_no_part() {
    let whole = laps(Feed::DirtRally, &packets("dirt-rally-2/stage-every5th.264xN.bin", 264), 12);
    let (lap, columns) = whole.first().expect("a stage");
    let whole = LapColumns::new(lap, columns);
    for end in ["dirt-rally-2/stage-first600.264xN.bin", "dirt-rally-2/stage-last600.264xN.bin"] {
        let laps = laps(Feed::DirtRally, &packets(end, 264), 60);
        let (lap, columns) = laps.first().expect("a part of the stage");
        let part = LapColumns::new(lap, columns);
        let comparison = compare(&part, &whole).expect("a comparison");
        let ledger = comparison.ledger;
        let rows: Vec<_> = ledger.rows.iter().filter(|row| row.loss_s.is_some()).collect();
        assert!(!rows.is_empty(), "{end}: {ledger:?}");
        for row in rows {
            assert!(row.parts.iter().all(|part| part.whole_s().abs() <= 0.02), "{end}: {row:?}");
        }
    }
}

#[test]
#[ignore = "needs captures"]
fn the_captured_crossing_of_monza_ends_an_incomplete_lap() {
    let packets = packets("assetto-corsa-ksudp/monza-packets-7441-8640.328xN.bin", 328);
    let laps = laps(Feed::AcRemote, &packets, 60);
    let (lap, columns) = laps.first().expect("a lap");
    assert_eq!(lap.time, Some(LapTime(344_684)));
    let columns = LapColumns::new(lap, columns);
    assert_eq!(columns.seconds(), 344.684);
    // The last packet before the line came less than a frame before it.
    let last_s = *columns.clock_s().last().expect("a row");
    assert!((0.0..0.02).contains(&(344.684 - last_s)), "{last_s}");
    assert_eq!(ReferenceLine::learn(&columns).map(|line| line.length_m()), Err(NoLine::Incomplete));
    // The next lap's clock begins at the line.
    let (next, columns) = laps.get(1).expect("the next lap");
    assert_eq!((lap.number + 1, next.time), (next.number, None));
    let first_s = *LapColumns::new(next, columns).clock_s().first().expect("a row");
    assert!((0.0..0.05).contains(&first_s), "{first_s}");
}

#[test]
#[ignore = "needs captures"]
fn a_capture_cut_anywhere_is_laid_beside_the_whole_one_or_refused() {
    let packets = packets("gran-turismo/gt7-C-plain-replay.368xN.bin.gz", 368);
    let whole = laps(Feed::GranTurismo, &packets, 60);
    for cut in (0..packets.len()).step_by(431).chain([1, 2, 3, packets.len() - 1]) {
        let some = laps(Feed::GranTurismo, packets.get(..cut.max(1)).expect("packets"), 60);
        for (lap, columns) in &some {
            let columns = LapColumns::new(lap, columns);
            let (own, reference) = (&columns, LapColumns::new(&whole[0].0, &whole[0].1));
            let _ = ReferenceLine::learn(own);
            let _ = compare(own, &reference).map(|comparison| comparison.losses.len());
        }
    }
}
