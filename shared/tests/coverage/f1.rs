//! The packets of all years of F1.

use std::ops::Range;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::f1::layout::{
    CarDamage, CarLap, CarMotion, CarResult, CarSetup, CarStatus, CarTelemetry, CarTelemetry2, Header,
    LapPositions, LobbyPlayer, Participant, Session, SessionHistory, TyreSets, YEARS, cars,
};
use trailbrake_shared::games::f1::{Kind, VERSION};
use trailbrake_shared::games::table::Version;

use super::Row;

/// Fields of each kind in the description of each year, without the header; 0 where the year has no such packet.
const FIELDS: [(Kind, [usize; 9]); 16] = [
    (Kind::Motion, [19, 19, 19, 19, 19, 10, 10, 10, 10]),
    (Kind::Session, [20, 20, 26, 46, 50, 57, 85, 85, 101]),
    (Kind::LapData, [17, 17, 25, 24, 26, 31, 35, 35, 35]),
    (Kind::Participants, [7, 8, 8, 10, 10, 12, 13, 15, 15]),
    (Kind::CarSetups, [20, 20, 19, 19, 19, 19, 21, 21, 21]),
    (Kind::CarTelemetry, [15, 16, 19, 19, 19, 19, 19, 19, 19]),
    (Kind::CarStatus, [26, 27, 30, 23, 23, 25, 25, 25, 26]),
    (Kind::FinalClassification, [0, 0, 14, 14, 15, 15, 15, 16, 16]),
    (Kind::LobbyInfo, [0, 0, 6, 7, 7, 8, 11, 11, 11]),
    (Kind::CarDamage, [0, 0, 0, 18, 21, 21, 21, 22, 22]),
    (Kind::SessionHistory, [0, 0, 0, 15, 15, 18, 18, 18, 18]),
    (Kind::TyreSets, [0, 0, 0, 0, 0, 11, 11, 11, 11]),
    (Kind::MotionEx, [0, 0, 0, 0, 0, 14, 19, 22, 22]),
    (Kind::TimeTrial, [0, 0, 0, 0, 0, 0, 36, 36, 36]),
    (Kind::LapPositions, [0, 0, 0, 0, 0, 0, 0, 3, 3]),
    (Kind::CarTelemetry2, [0, 0, 0, 0, 0, 0, 0, 0, 8]),
];

/// Header fields that identify no packet.
const HEADER_FIELDS: [usize; 9] = [4, 6, 7, 7, 7, 9, 9, 9, 9];

/// The events by code: the first year, and how many fields are behind the code in each.
const EVENTS: [(&[u8; 4], [Option<usize>; 9]); 22] = [
    (b"SSTA", [Some(0); 9]),
    (b"SEND", [Some(0); 9]),
    (b"NEWS", [Some(0); 9]),
    (b"FTLP", from(2019, [0, 2, 2, 2, 2, 2, 2, 2, 2])),
    (b"RTMT", from(2019, [0, 1, 1, 1, 1, 1, 1, 2, 2])),
    (b"DRSE", from(2019, [0; 9])),
    (b"DRSD", from(2019, [0, 0, 0, 0, 0, 0, 0, 1, 1])),
    (b"TMPT", from(2019, [1; 9])),
    (b"CHQF", from(2019, [0; 9])),
    (b"RCWN", from(2019, [1; 9])),
    (b"PENA", from(2020, [7; 9])),
    (b"SPTP", from(2020, [0, 0, 2, 4, 6, 6, 6, 6, 6])),
    (b"STLG", from(2021, [1; 9])),
    (b"LGOT", from(2021, [0; 9])),
    (b"DTSV", from(2021, [1; 9])),
    (b"SGSV", from(2021, [0, 0, 0, 1, 1, 1, 1, 2, 2])),
    (b"FLBK", from(2021, [2; 9])),
    (b"BUTN", from(2021, [1; 9])),
    (b"RDFL", from(2022, [0; 9])),
    (b"OVTK", from(2023, [2; 9])),
    (b"SCAR", from(2024, [2; 9])),
    (b"COLL", from(2024, [0, 0, 0, 0, 0, 0, 2, 2, 3])),
];

const fn from(year: usize, fields: [usize; 9]) -> [Option<usize>; 9] {
    let mut of_years = [None; 9];
    let mut place = year - 2018;
    while place < of_years.len() {
        of_years[place] = Some(fields[place]);
        place += 1;
    }
    of_years
}

/// Fields that become nothing, each with its reason.
const NEITHER: &[&str] = &[
    // The game's own patch level.
    "header.game_major_version",
    "header.game_minor_version",
    // Names the game only where a newer one sends an older format.
    "header.game_year",
    // Goes on over flashbacks, which the frame and the time show.
    "header.overall_frame_identifier",
    // The second driver of a split screen is one of the cars.
    "header.secondary_player_car_index",
    // They name a save of the game.
    "season_link",
    "session_link",
    "weekend_link",
    // The temperatures show it.
    "weather_forecast_samples.air_change",
    "weather_forecast_samples.track_change",
    // What the game's own display shows, and in which units.
    "mfd_panel",
    "mfd_panel_2",
    "speed_units",
    "speed_units_2",
    "temperature_units",
    "temperature_units_2",
    // Each light of those whose share is sent.
    "car.rev_lights_bits",
    // The time runs or does not.
    "car.pit_lane_timer_active",
    // Best times that the laps themselves have.
    "car.best_lap_num",
    "car.best_lap_sectors",
    "car.best_s1",
    "car.best_s1_lap",
    "car.best_s2",
    "car.best_s2_lap",
    "car.best_s3",
    "car.best_s3_lap",
    // Said with the next packet about the session.
    "time_trial_pb_car",
    "time_trial_rival_car",
    // The connection, and a level of another mode of the game.
    "car.network_id",
    "car.tech_level",
    // The rules name the class of the cars.
    "car.regulations_2026",
    // One of the sets says that it is fitted.
    "fitted_index",
    // The laps themselves say it.
    "detail.car",
    "detail.lap_time",
    // Of speeds only the car's own is news, and of them the best.
    "detail.driver_fastest",
    "detail.fastest_car",
    "detail.fastest_speed",
    // The rewind says where it went.
    "detail.frame",
    "detail.session_time",
];

pub(super) fn rows() -> Vec<Row> {
    let versions = || (0..YEARS.len()).map(|place| (place, YEARS.at(place)));
    let packets = FIELDS.iter().flat_map(|(kind, fields)| {
        versions().filter_map(move |(place, version)| {
            packet_row(*kind, version, fields[place] + HEADER_FIELDS[place])
        })
    });
    let events = EVENTS.iter().flat_map(|(code, fields)| {
        versions().filter_map(move |(place, version)| {
            Some(event_row(code, version, fields[place]? + 1 + HEADER_FIELDS[place]))
        })
    });
    packets.chain(events).collect()
}

fn header(kind: Kind, version: Version) -> Vec<u8> {
    let header = Header {
        packet_format: version.number(),
        packet_version: VERSION,
        packet_id: kind.id(),
        session_uid: 77,
        session_time: 10.0,
        frame_identifier: 600,
        player_car_index: 0,
        game_year: Some(1),
        game_major_version: Some(1),
        game_minor_version: Some(1),
        overall_frame_identifier: Some(600),
        secondary_player_car_index: Some(255),
    };
    header.bytes(version)
}

/// A packet in which 0x3f in every byte makes every number a normal value.
fn packet(kind: Kind, version: Version) -> Option<Vec<u8>> {
    let mut bytes = header(kind, version);
    bytes.resize(kind.size(version)?, 0x3f);
    Some(bytes)
}

fn packet_row(kind: Kind, version: Version, fields: usize) -> Option<Row> {
    let mut plain = packet(kind, version)?;
    let slot = match kind {
        Kind::Motion => CarMotion::size(version),
        Kind::LapData => CarLap::size(version),
        Kind::Participants => Participant::size(version),
        Kind::CarSetups => CarSetup::size(version),
        Kind::CarTelemetry => CarTelemetry::size(version),
        Kind::CarStatus => CarStatus::size(version),
        Kind::FinalClassification => CarResult::size(version),
        Kind::LobbyInfo => LobbyPlayer::size(version),
        Kind::CarDamage => CarDamage::size(version),
        Kind::CarTelemetry2 => CarTelemetry2::size(version),
        _ => 0,
    };
    let begin = Header::size(version)
        + usize::from(matches!(kind, Kind::Participants | Kind::FinalClassification | Kind::LobbyInfo));
    // The first two cars and the last one stand for all, but in the oldest year.
    let skipped = match version.number() {
        2018 => 0..0,
        _ => begin + 2 * slot..begin + (cars(version) - 1) * slot.max(1),
    };
    let skipped = if slot == 0 { 0..0 } else { skipped };
    // Times in milliseconds that a lap can have.
    let times: &[&str] =
        if version.number() >= 2021 { &["last_lap_time", "current_lap_time", "best_lap_time"] } else { &[] };
    for car in 0..cars(version) {
        let place = |field: &str| match kind {
            Kind::LapData => CarLap::place_of(field, version),
            Kind::FinalClassification => CarResult::place_of(field, version),
            _ => None,
        };
        for place in times.iter().filter_map(|field| place(field)) {
            let at = begin + car * slot + place.start;
            if place.len() == 4 {
                plain[at..at + 4].copy_from_slice(&90_000_u32.to_le_bytes());
            }
        }
    }
    let mut set = |place: Option<usize>, bytes: &[u8]| {
        if let Some(place) = place {
            plain[place..place + bytes.len()].copy_from_slice(bytes);
        }
    };
    let start = |place: Option<Range<usize>>| place.map(|place| place.start);
    match kind {
        // Cars that exist, sessions of a weekend, as many entries as there are.
        Kind::SessionHistory => set(start(SessionHistory::place_of("car_index", version)), &[1, 100]),
        Kind::LapPositions => set(start(LapPositions::place_of("num_laps", version)), &[50]),
        Kind::TyreSets => set(start(TyreSets::place_of("car_index", version)), &[1]),
        Kind::Session => {
            let sessions = [1, 2, 3, 5, 6, 7, 10, 11, 12, 15, 16, 17];
            set(start(Session::place_of("weekend_structure", version)), &sessions);
            set(start(Session::place_of("num_weather_forecast_samples", version)), &[64]);
            set(start(Session::place_of("num_sessions_in_weekend", version)), &[64]);
        }
        Kind::FinalClassification => {
            let reason = start(CarResult::place_of("result_reason", version));
            (0..cars(version)).for_each(|car| set(reason.map(|reason| begin + car * slot + reason), &[2]));
        }
        _ => {}
    }
    // The first entries of long lists stand for all.
    let rest = match kind {
        Kind::SessionHistory => {
            SessionHistory::place_of("laps", version).map(|laps| laps.start + 28..laps.end - 14)
        }
        Kind::Session => Session::place_of("weather_forecast_samples", version)
            .map(|entries| entries.start + 16..entries.end.saturating_sub(8)),
        Kind::LapPositions => {
            LapPositions::place_of("position", version).map(|all| all.start + 50..all.end - 2)
        }
        _ => None,
    };
    let skipped = rest.unwrap_or(skipped);
    Some(row(kind.name().to_owned(), version, plain, skipped, fields))
}

fn event_row(code: &[u8; 4], version: Version, fields: usize) -> Row {
    let mut plain = packet(Kind::Event, version).expect("an event");
    let begin = Header::size(version);
    plain[begin..begin + 4].copy_from_slice(code);
    // Cars that exist, the fastest of all, a safety car that returns.
    let details = plain.len() - begin - 4;
    plain[begin + 4..].copy_from_slice(&[1, 2, 3, 4, 5, 1, 7, 8, 9, 10, 11, 12][..details]);
    if code == b"SCAR" {
        plain[begin + 5] = 1;
    }
    row(format!("Event {}", String::from_utf8_lossy(code)), version, plain, 0..0, fields)
}

fn row(layout: String, version: Version, plain: Vec<u8>, skipped: Range<usize>, fields: usize) -> Row {
    let before = packet(Kind::Event, version).expect("an event");
    Row {
        feed: Feed::F1,
        layout: format!("{layout} of {}", version.number()),
        before: vec![before],
        plain,
        identity: identity(version),
        // Some packets are alike in several years.
        skipped: vec![skipped, 0..2],
        fields,
        neither: NEITHER,
    }
}

/// Version and id identify the packets of a format.
fn identity(version: Version) -> Vec<usize> {
    let places = ["packet_version", "packet_id"];
    places.iter().flat_map(|field| Header::place_of(field, version).expect("a field")).collect()
}
