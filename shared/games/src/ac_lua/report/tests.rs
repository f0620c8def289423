use super::*;

/// Every value of the older documentation.
const WHOLE: &str = r#"{"speed_ms":42.5,"rpm":6500,"gear":4,"throttle":0.85,"brake":0.0,"clutch":1.0,"steer":0.1,"fuel":0.72,"lap_time_ms":78123,"position":{"x":100.5,"y":2.3,"z":-50.7},"suspension_travel":[0.01,0.02,0.03,0.04],"tyre_wear":[0.98,0.97,0.96,0.95],"damage":{"body":0.1,"suspension":0.2,"engine":0.3,"transmission":0.4,"aero":0.5},"weather":{"track_temp":31.5,"ambient_temp":24.0,"rain":0.25},"tyre_temps":[80,81,82,83]}"#;

fn read(text: &str) -> Result<Report, Rejected> {
    Report::read(text.as_bytes(), &mut |_, _| {})
}

/// The numbers of a field, by part.
fn numbers(text: &str, name: &str) -> Vec<Option<f64>> {
    let report = read(text).unwrap_or_else(|reason| panic!("{text}: {reason}"));
    let (_, numbers) = report.fields().find(|(field, _)| field.name == name).expect("a field");
    numbers.to_vec()
}

fn check_rejected(text: &[u8], words: &str) {
    let reason = recognise(text).expect_err("a reason").to_string();
    assert!(reason.contains(words), "{reason:?} does not say {words:?}");
}

#[test]
fn the_whole_object_is_read() {
    let report = read(WHOLE).expect("a packet");
    assert!(report.fields().all(|(_, numbers)| numbers.iter().all(Option::is_some)), "{report:?}");
    assert_eq!(report.number("lap_time_ms"), Some(78_123.0));
    assert_eq!(numbers(WHOLE, "position"), [100.5, 2.3, -50.7].map(Some));
    assert_eq!(numbers(WHOLE, "damage_transmission"), [Some(0.4)]);
    assert_eq!(numbers(WHOLE, "tyre_temps"), [80.0, 81.0, 82.0, 83.0].map(Some));
}

#[test]
fn nested_or_flat_lists_or_letters_are_the_same() {
    let wheels = [0.1, 0.2, 0.3, 0.4].map(Some);
    for text in [
        r#"{"speed_ms":1,"tyre_wear":[0.1,0.2,0.3,0.4]}"#,
        r#"{"speed_ms":1,"tyre_wear":[0.1,0.2,0.3,0.4,0.5,"x"]}"#,
        r#"{"speed_ms":1,"tyre_wear":{"rr":0.4,"rl":0.3,"fr":0.2,"fl":0.1}}"#,
        r#"{"speed_ms":1,"tyre_wear_fl":0.1,"tyre_wear_fr":0.2,"tyre_wear_rl":0.3,"tyre_wear_rr":0.4}"#,
        r#"{"speed_ms":1,"tyre_wear_0":0.1,"tyre_wear_1":0.2,"tyre_wear_2":0.3,"tyre_wear_3":0.4}"#,
        r#"{"speed_ms":1,"tire_wear":[0.1,0.2,0.3,0.4]}"#,
    ] {
        assert_eq!(numbers(text, "tyre_wear"), wheels, "{text}");
    }
    for text in [
        r#"{"speed_ms":1,"position":{"z":3,"x":1,"y":2}}"#,
        r#"{"speed_ms":1,"position":[1,2,3]}"#,
        r#"{"speed_ms":1,"position_x":1,"position_y":2,"position_z":3}"#,
        r#"{"speed_ms":1,"pos_x":1,"pos_y":2,"pos_z":3.0}"#,
        r#"{"speed_ms":1,"pos":{"x":1e0,"y":2,"z":3}}"#,
    ] {
        assert_eq!(numbers(text, "position"), [1.0, 2.0, 3.0].map(Some), "{text}");
    }
    assert_eq!(numbers(r#"{"speed_ms":1,"track_temp":30}"#, "weather_track_temp"), [Some(30.0)]);
}

#[test]
fn what_is_missing_is_absent_and_what_is_no_number_is_counted() {
    let none = [None; 4];
    for text in [
        r#"{"speed_ms":1}"#,
        r#"{"speed_ms":1,"tyre_wear":null}"#,
        r#"{"speed_ms":1,"tyre_wear":[]}"#,
        r#"{"speed_ms":1,"tyre_wear":[0.1,0.2,0.3]}"#,
        r#"{"speed_ms":1,"tyre_wear":{}}"#,
        r#"{"speed_ms":1,"tyre_wear":0.5}"#,
    ] {
        assert_eq!(numbers(text, "tyre_wear"), none, "{text}");
        assert_eq!(read(text).map(|report| report.not_numbers()), Ok(0), "{text}");
    }
    let text =
        r#"{"speed_ms":"42","rpm":nan,"gear":true,"fuel":null,"tyre_wear":[0.1,null,"x",0.4],"name":"x"}"#;
    assert_eq!(numbers(text, "speed_ms"), [None]);
    assert_eq!(numbers(text, "tyre_wear"), [Some(0.1), None, None, Some(0.4)]);
    assert_eq!(read(text).map(|report| report.not_numbers()), Ok(4));
}

#[test]
fn json_is_the_apps_if_it_looks_like_it() {
    for text in [
        WHOLE,
        r#"{"speed_ms":null}"#,
        r#"{"lap_time_ms":5,"a":{"b":[1]}}"#,
        r#" {"rpm":1,"gear":2,"fuel":3}"#,
    ] {
        assert_eq!(recognise(text.as_bytes()), Ok(PACKET), "{text}");
    }
    check_rejected(b"{}", "too few");
    check_rejected(br#"{"rpm":1,"gear":2}"#, "too few");
    check_rejected(br#"{"car":{"speed_ms":1}}"#, "too few");
    check_rejected(br#"[{"speed_ms":1}]"#, "unknown packet");
    check_rejected(br#""speed_ms""#, "unknown packet");
    check_rejected(b"{\x00\x01\x02", "unknown packet");
    check_rejected(b"", "empty");
}

#[test]
fn broken_text_is_rejected_with_the_place() {
    check_rejected(br#"{"speed_ms":42.5,"rpm":"#, "EOF while parsing a value at line 1 column 23");
    check_rejected(br#"{"speed_ms":42.5 "rpm":1}"#, "expected `,` or `}` at line 1 column 18");
    check_rejected(b"{\"speed_ms\":42.5,\"n\":\"\xff\"}", "unknown packet");
    let deep = format!("{{\"speed_ms\":1,\"a\":{}", "[".repeat(200));
    check_rejected(deep.as_bytes(), "recursion limit");
    let long = format!("{{\"speed_ms\":1{}}}", " ".repeat(LONGEST));
    check_rejected(long.as_bytes(), "unknown packet");
}
