//! Every field of every layout becomes a channel, a fact or an event. A field that does not is listed in its row, with
//! the reason; otherwise the test fails and names the field.
//!
//! A new feed adds one row for each of its layouts to `rows`.

mod ac_server;
mod ea_wrc;
mod f1;
mod forza;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

use trailbrake_shared::feed::{Codec, FEEDS, Feed};
use trailbrake_shared::games::table::{FrontFirst, ONLY_VERSION, Version};
use trailbrake_shared::games::{
    Text, Value, Vec3, ac_remote, ac_telemetry_tool, dirt_rally, gran_turismo, imported_laps,
};
use trailbrake_shared::model::{Channel, Event, Fact, LapProgress, Moment, Sample, Sink};
use trailbrake_shared::time::{LapTime, Micros};

/// One layout, in a session where every field has an effect.
#[derive(Clone)]
struct Row {
    feed: Feed,
    layout: String,
    /// Packets sent before: some fields only count when they change.
    before: Vec<Vec<u8>>,
    /// A packet in which each number has an effect.
    plain: Vec<u8>,
    /// The bytes that identify the packet: changed ones make it another packet, or none.
    identity: Vec<usize>,
    /// Bytes that are not tried, of cars of which enough others are, or that make it an equal packet of another year.
    skipped: Vec<Range<usize>>,
    /// Rows of the protocol's tables, without the identity.
    fields: usize,
    /// Fields that become neither channel nor fact nor event. Each has its reason.
    neither: &'static [&'static str],
}

fn rows() -> Vec<Row> {
    let feeds = [
        f1::rows(),
        dirt_rows(),
        gran_turismo_rows(),
        forza::rows(),
        ea_wrc::rows(),
        ac_remote_rows(),
        ac_telemetry_tool_rows(),
        ac_lua_rows(),
        ac_server::rows(),
        imported_rows(),
    ];
    feeds.concat()
}

fn dirt_rows() -> Vec<Row> {
    use dirt_rally::layout::{
        ALL_CHANNELS, Channels, Motion, OlderControls, OlderMotion, OlderSingle, OlderTelemetry,
        TELEMETRY_SIZES,
    };
    // A plausible car at 5 m/s, 150 m into a stage.
    let driving = |seconds: f32| {
        let halves = 0.5_f32.to_le_bytes().repeat(66);
        Channels {
            total_time: seconds,
            lap_time: 9.0,
            lap_distance: 150.0,
            progress: 0.05,
            track_length: Some(3000.0),
            speed: 5.0,
            velocity: Vec3 { x: 3.0, y: 0.0, z: 4.0 },
            right: Vec3 { x: -1.0, y: 0.01, z: 0.01 },
            forward: Vec3 { x: 0.01, y: 0.01, z: 1.0 },
            gear: 2.0,
            native_sli_support: Some(1.0),
            race_position: Some(1.0),
            lap: 0.0,
            laps_completed: Some(0.0),
            total_laps: Some(1.0),
            in_pits: Some(0.0),
            sector: Some(0.0),
            max_rpm: Some(900.0),
            idle_rpm: Some(120.0),
            max_gears: Some(6.0),
            ..Channels::of_bytes(&halves, ALL_CHANNELS)
        }
        .bytes(ALL_CHANNELS)
    };
    let motion = Motion { four_cc: Text(*b"ToCA"), ..Motion::default() };
    let controls = OlderControls { packet_id: 6, ..OlderControls::default() };
    let telemetry = OlderTelemetry { controls, ..OlderTelemetry::default() };
    let [short, long] = [0, 1].map(|place| telemetry.bytes(TELEMETRY_SIZES.at(place)));
    let row = |layout: &str, plain: Vec<u8>, identity: Range<usize>, fields: usize, neither| Row {
        feed: Feed::DirtRally,
        layout: layout.to_owned(),
        before: vec![driving(29.9)],
        plain,
        identity: identity.collect(),
        skipped: Vec::new(),
        fields,
        neither,
    };
    vec![
        row("extradata 3", driving(30.0), 0..0, 43, &[]),
        row("extradata 0", motion.bytes(ONLY_VERSION), 64..68, 8, &[]),
        row("older, first game", OlderSingle::default().bytes(ONLY_VERSION), 0..0, 25, &[]),
        // The meaning of the older description's formats is not documented.
        row("older, id 0", OlderMotion::default().bytes(ONLY_VERSION), 0..1, 15, &["format"]),
        row("older, id 6", long, 0..1, 17, &["controls.format"]),
        // The description lists sizes that have no room for these bytes.
        row("older, id 6, short", short, 0..1, 16, &["controls.format", "unclear"]),
    ]
}

fn gran_turismo_rows() -> Vec<Row> {
    use gran_turismo::Letter;
    let row = |layout: &str, magic: [u8; 4], version: Version, fields: usize| Row {
        feed: Feed::GranTurismo,
        layout: layout.to_owned(),
        before: vec![gran_turismo_packet(magic, 999).bytes(version)],
        plain: gran_turismo_packet(magic, 1000).bytes(version),
        identity: (0..4).collect(),
        skipped: Vec::new(),
        fields,
        neither: &[
            // Zero in every packet ever captured.
            "reserved_0x93",
            "reserved_0xd4",
            // The cipher's own: the bytes left there after decryption mean nothing.
            "seed",
        ],
    };
    let sizes = [("A", 44), ("B", 44 + 5), ("~", 44 + 5 + 7), ("C", 44 + 5 + 7 + 6)];
    let letters = Letter::ALL.iter().zip(sizes);
    let little = letters.map(|(letter, (name, fields))| {
        row(name, gran_turismo::cipher::MAGIC_LITTLE, letter.version(), fields)
    });
    let big = gran_turismo::cipher::MAGIC_BIG;
    little.chain([row("A of Gran Turismo 6", big, Letter::A.version().in_big_endian(), 44)]).collect()
}

/// Before a race, when grid and number of cars are sent.
fn gran_turismo_packet(magic: [u8; 4], id: i32) -> gran_turismo::layout::Packet {
    let halves = [0.5; 4];
    gran_turismo::layout::Packet {
        magic,
        packet_id: id,
        rotation: Vec3::from([0.1, 0.2, 0.3]),
        rotation_w: 1.0,
        velocity: Vec3::from([0.0, 0.0, -50.0]),
        speed: 50.0,
        fuel_capacity: 100.0,
        current_lap: 2,
        total_laps: 5,
        best_lap: 88_000,
        last_lap: 90_000,
        grid_position: 3,
        cars_before_start: 12,
        rpm_alert_min: 6000,
        rpm_alert_max: 7000,
        flags: 0x0019,
        gears: 0x34,
        throttle: 100,
        brake: 50,
        road_normal: Vec3::from([0.5; 3]),
        road_distance: 0.5,
        wheel_angular_speed: FrontFirst(halves),
        tyre_radius: FrontFirst(halves),
        suspension_height: FrontFirst(halves),
        clutch_pedal: 0.5,
        clutch_engagement: 0.5,
        rpm_after_clutch: 0.5,
        transmission_top_speed: 0.5,
        gear_ratios: [0.5; 8],
        car_code: 3450,
        steering_angle: Some(0.5),
        steering_speed: Some(0.5),
        sway: Some(0.5),
        heave: Some(0.5),
        surge: Some(0.5),
        fuel_mark: Some(63),
        torque_vectoring: Some(FrontFirst(halves)),
        energy_recovery: Some(0.5),
        unnamed_0x154: Some(0.5),
        surface: Some(FrontFirst(*b"TTTT")),
        current_lap_time: Some(20_000),
        wheel_angle_fl: Some(0.5),
        wheel_angle_fr: Some(0.5),
        wheelbase: Some(0.5),
        car_category: Some(Text(*b"GR3\0")),
        ..gran_turismo::layout::Packet::default()
    }
}

fn ac_remote_rows() -> Vec<Row> {
    use ac_remote::layout::{Answer, Lap, Update};
    use ac_remote::{ANSWER, Kind, UPDATE, VERSION, WideText};
    use trailbrake_shared::games::table::ONLY_VERSION;
    // Half a minute into the second lap, and two packets later.
    let driving = |clock: i32| {
        let mut update = Update::of_bytes(&0.5_f32.to_le_bytes().repeat(82), ONLY_VERSION);
        (update.identifier, update.size) = (UPDATE, Kind::Update.size() as i32);
        (update.abs_enabled, update.abs_acting, update.tc_acting) = (0, 0, 0);
        (update.tc_enabled, update.in_pit, update.engine_limiter_on) = (0, 0, 0);
        (update.lap_time, update.last_lap, update.best_lap) = (clock, 90_000, 89_000);
        (update.lap_count, update.gear) = (1, 4);
        update.bytes(ONLY_VERSION)
    };
    let mut answer = Answer { identifier: ANSWER, version: VERSION, ..Answer::default() };
    let mut lap = Lap { car_identifier: 3, lap: 5, time: 88_000, ..Lap::default() };
    for name in [&mut answer.car_name, &mut answer.driver_name, &mut answer.track_name, &mut lap.driver_name]
    {
        *name = WideText::write("Ada");
    }
    (answer.track_config, lap.car_name) = (WideText::write("gp"), WideText::write("abarth500"));
    let row = |kind: Kind, plain: &[u8], identity: Range<usize>, fields: usize, neither| Row {
        feed: Feed::AcRemote,
        layout: kind.name().to_owned(),
        before: vec![driving(30_000)],
        plain: plain.to_vec(),
        identity: identity.collect(),
        skipped: Vec::new(),
        fields,
        neither,
    };
    let update_fields_that_say_nothing: &[&str] = &[
        // Gaps left by the game's compiler.
        "padding_1",
        "padding_26",
        // Zero in every packet ever captured.
        "slip_angle_contact_patch",
        "slope",
        // The same in other units.
        "speed_kmh",
        "speed_mph",
        // Zero in every packet ever captured.
        "tyre_slip",
    ];
    vec![
        row(Kind::Answer, &answer.bytes(ONLY_VERSION), 200..208, 4, &[]),
        row(Kind::Update, &driving(30_033), 0..1, 40 + 2, update_fields_that_say_nothing),
        row(Kind::Lap, &lap.bytes(ONLY_VERSION), 0..0, 5, &[]),
    ]
}

fn ac_telemetry_tool_rows() -> Vec<Row> {
    use ac_telemetry_tool::layout::{Driver, TELEMETRY, TEST_FLOAT, TEST_INT, VERSION, Words};
    use trailbrake_shared::games::table::ONLY_VERSION;
    let driver = |id: u32, lap_time: u32| {
        let mut driver = Driver::of_bytes(&[0x3f; 357], ONLY_VERSION);
        (driver.driver_id, driver.lap_time) = (id, lap_time);
        (driver.lap_count, driver.gear) = (3, 4);
        (driver.leaderboard_position, driver.track_position) = (2, 5);
        (driver.last_lap, driver.best_lap) = (90_000, 89_000);
        driver.current_sectors = [30_000, 31_000, 0];
        driver.spline_position = 0.5;
        (driver.test_float, driver.test_int) = (TEST_FLOAT, TEST_INT);
        (driver.driver_name, driver.nationality) = (Words::write("Mara"), Words::write("ITA"));
        (driver.car_name, driver.tyre_compound) = (Words::write("abarth500"), Words::write("SM"));
        (driver.connected, driver.in_pit, driver.in_pit_lane) = (1, 0, 0);
        driver.bytes(ONLY_VERSION)
    };
    // Two drivers, so that a record without its markers is noticed among those that have them.
    let driving = |lap_time: u32| [&[TELEMETRY], &driver(0, lap_time)[..], &driver(1, lap_time)].concat();
    let version = |content: u8| vec![VERSION, content, 0, 0x48, 0x41];
    vec![
        Row {
            feed: Feed::AcTelemetryTool,
            layout: "Telemetry".to_owned(),
            before: vec![driving(40_000)],
            plain: driving(40_016),
            identity: (0..1).collect(),
            skipped: Vec::new(),
            fields: 47,
            neither: &[
                // The third is sent when the lap is over, which the lap count shows.
                "drivers.current_sectors",
                // They were the current ones while they were driven.
                "drivers.last_sectors",
                // The meaning is not documented.
                "drivers.unknown_200",
                "drivers.unknown_345",
                "drivers.unknown_44",
            ],
        },
        Row {
            feed: Feed::AcTelemetryTool,
            layout: "Version".to_owned(),
            before: vec![version(1)],
            plain: version(2),
            identity: (0..1).collect(),
            skipped: Vec::new(),
            // The same four bytes are shown in three ways.
            fields: 1,
            neither: &[],
        },
    ]
}

fn ac_lua_rows() -> Vec<Row> {
    let object = |clock: u32| {
        format!(
            r#"{{"speed_ms":42,"rpm":6500,"gear":4,"throttle":3,"brake":2,"clutch":1,"steer":5,"fuel":72,
            "lap_time_ms":{clock},"position":{{"x":100,"y":2,"z":50}},"suspension_travel":[1,2,3,4],
            "tyre_wear":[9,8,7,6],"damage":{{"body":1,"suspension":2,"engine":3,"transmission":4,"aero":5}},
            "weather":{{"track_temp":31,"ambient_temp":24,"rain":1}},"tyre_temps":[80,81,82,83]}}"#
        )
        .into_bytes()
    };
    vec![Row {
        feed: Feed::AcLua,
        layout: "JSON".to_owned(),
        before: vec![object(40_000)],
        plain: object(40_016),
        // No byte identifies the packet: a misspelt key only drops its value.
        identity: (0..0).collect(),
        skipped: Vec::new(),
        // Each wheel's value has a name of its own.
        fields: 18 + 3 * 4,
        neither: &[],
    }]
}

fn imported_rows() -> Vec<Row> {
    use imported_laps::{Heading, LapSummary, Remark, Stamp, channels, head, lap, values};
    let stamp = |time_us| Stamp { session: 7, car: 3, run: 1, lap: 4, time_us };
    let heading = Heading {
        program: "CSV",
        game: "F1 2018",
        driver: "Ada",
        vehicle: "McLaren",
        track: "Spa",
        occasion: "Race",
        player: true,
    };
    let speed = || Channel::Speed.slot();
    let summary = LapSummary {
        began_us: 40_000_000,
        time: Some(LapTime(90_000)),
        sectors: [Some(LapTime(10_000)), Some(LapTime(11_000)), Some(LapTime(69_000))],
        remarks: Remark::Pit.bit(),
        over: false,
    };
    let named = channels(stamp(69_900_000), &[speed()]).concat();
    let before = vec![head(stamp(69_000_000), &heading), named.clone(), lap(stamp(69_900_000), &summary)];
    let lap_is_over = lap(stamp(130_000_000), &LapSummary { over: true, ..summary });
    let row = |layout: &str, before: &[Vec<u8>], plain: Vec<u8>, fields, neither| Row {
        feed: Feed::ImportedLaps,
        layout: layout.to_owned(),
        before: before.to_vec(),
        plain,
        // Magic, version, kind and size.
        identity: (0..8).collect(),
        skipped: Vec::new(),
        fields,
        neither,
    };
    // The author of the file is only for inspecting packets. Runs and laps come from the lap packets.
    let head_is_silent: &[&str] = &["header.lap", "header.run", "program"];
    // Sent with the values that follow.
    let lap_is_silent: &[&str] = &["began_us", "sectors_ms"];
    let names_are_silent: &[&str] = &["header.car", "header.lap", "header.run"];
    let header = 5;
    vec![
        row("head", &before[1..], head(stamp(70_000_000), &heading), header + 7, head_is_silent),
        row("channels", &before, named, header + 2, names_are_silent),
        row("lap", &before, lap_is_over, header + 5, lap_is_silent),
        row("values", &before, values(stamp(70_000_000), [Some(50.0)].into_iter()), header + 1, &[]),
    ]
}

#[test]
fn every_field_is_a_channel_a_fact_or_an_event() {
    let (mut explained, mut silent) = (BTreeSet::new(), BTreeSet::new());
    for row in rows() {
        let (fields, ignored) = row.probe();
        let context = format!("{}, {}", row.feed.id(), row.layout);
        let unexplained: Vec<&String> =
            ignored.iter().filter(|field| !row.neither.contains(&field.as_str())).collect();
        assert!(unexplained.is_empty(), "{context}: {unexplained:?}");
        assert_eq!(fields.len(), row.fields, "{context}: {fields:#?}");
        explained.extend(row.neither.iter().map(|field| (row.feed, (*field).to_owned())));
        silent.extend(ignored.into_iter().map(|field| (row.feed, field)));
    }
    let needless: Vec<_> = explained.difference(&silent).collect();
    assert!(needless.is_empty(), "they become something: {needless:?}");
}

#[test]
fn every_feed_that_is_decoded_has_its_rows() {
    let listed: BTreeSet<Feed> = rows().iter().map(|row| row.feed).collect();
    let decoded: BTreeSet<Feed> =
        FEEDS.iter().filter(|row| row.codec.is_some()).map(|row| row.feed).collect();
    assert_eq!(listed, decoded);
}

impl Row {
    /// Changes every byte, and so every number of every car and wheel, one at a time. Returns the names of all fields,
    /// and of those with a number that has no effect.
    fn probe(&self) -> (BTreeSet<String>, BTreeSet<String>) {
        let codec = self.feed.info().codec.expect("a decoder");
        let describe = self.feed.describe();
        let (was, output) = (describe(&self.plain).expect("a packet"), self.output(codec, &self.plain));
        let (mut numbers, mut effective) = (BTreeSet::new(), BTreeSet::new());
        for place in
            (0..self.plain.len()).filter(|place| !self.skipped.iter().any(|skipped| skipped.contains(place)))
        {
            for change in [0x01, 0x3f, 0x40, 0x80, 0xff] {
                let mut other = self.plain.clone();
                other[place] ^= change;
                let now = describe(&other).ok().filter(|now| now.packet == was.packet);
                if self.identity.contains(&place) {
                    assert_eq!(now, None, "byte {place} is no part of what it is recognised by");
                    continue;
                }
                // Some values make it an invalid packet; bytes behind the end of a text are not part of it.
                let Some(number) = now.and_then(|now| changed(&was.fields, &now.fields)) else { continue };
                if !effective.contains(&number) && self.output(codec, &other) != output {
                    effective.insert(number.clone());
                }
                numbers.insert(number);
            }
        }
        let ignored = numbers.difference(&effective).map(|number| field(number)).collect();
        (numbers.iter().map(|number| field(number)).collect(), ignored)
    }

    /// All decoder output of a packet, alone and after those before it, as text, so that NaN equals NaN.
    fn output(&self, codec: Codec, datagram: &[u8]) -> String {
        let mut words = Words::default();
        for before in [&[][..], &self.before] {
            let mut decoder = (codec.decoder)();
            for (packet, at) in before.iter().zip((0..).map(|place| Micros(1_000_000 + place))) {
                let _ = decoder.receive(at, packet, &mut Words::default());
            }
            let outcome = decoder.receive(Micros(1_016_667), datagram, &mut words);
            words.note(outcome);
        }
        words.0
    }
}

/// The path of the number that differs, such as `car.3.tyres_wear.2`.
fn changed(was: &Value, now: &Value) -> Option<String> {
    let below = |name: &str, was: &Value, now: &Value| {
        let path = changed(was, now)?;
        Some(if path.is_empty() { name.to_owned() } else { format!("{name}.{path}") })
    };
    match (was, now) {
        (Value::Record(was), Value::Record(now)) => {
            was.iter().zip(now).find_map(|((name, was), (_, now))| below(name, was, now))
        }
        (Value::List(was), Value::List(now)) => (0..)
            .zip(was.iter().zip(now))
            .find_map(|(place, (was, now)): (usize, _)| below(&place.to_string(), was, now)),
        // As text, so that NaN equals NaN.
        _ => (format!("{was:?}") != format!("{now:?}")).then(String::new),
    }
}

/// The field of a number: its path without cars, wheels and axes.
fn field(number: &str) -> String {
    let names =
        number.split('.').filter(|step| step.parse::<u16>().is_err() && !["x", "y", "z"].contains(step));
    names.collect::<Vec<_>>().join(".")
}

/// Writes all output as text.
#[derive(Default)]
struct Words(String);

impl Words {
    fn note(&mut self, what: impl std::fmt::Debug) {
        write!(self.0, "{what:?} ").expect("room");
    }
}

impl Sink for Words {
    fn sample(&mut self, sample: &Sample<'_>) {
        self.note(sample);
    }

    fn progress(&mut self, progress: &LapProgress) {
        self.note(progress);
    }

    fn event(&mut self, event: Event) {
        self.note(event);
    }

    fn fact(&mut self, moment: Moment, fact: Fact) {
        self.note((moment, fact));
    }
}
