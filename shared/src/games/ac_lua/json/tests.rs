use proptest::prelude::*;

use super::*;

/// What a text shows, as lines.
fn shown(text: &str) -> Result<Vec<String>, Fault> {
    let mut lines = Vec::new();
    read(text.as_bytes(), &mut |path, scalar| lines.push(format!("{path} {scalar}")))?;
    Ok(lines)
}

fn check(text: &str, expected: &[&str]) {
    let expected: Vec<String> = expected.iter().map(|line| (*line).to_owned()).collect();
    assert_eq!(shown(text), Ok(expected), "{text}");
}

fn check_fault(text: &str, at: usize, words: &str) {
    let fault = shown(text).expect_err("a fault");
    assert!(fault.at == at && fault.what.contains(words), "{text}: {fault:?}");
}

#[test]
fn values_are_shown_where_they_stand() {
    check("{}", &[]);
    check(
        r#" { "a" : 1 , "b":{"c":[2.5,-3e2,[ ],{}],"d":null},"e":"x","f":true } "#,
        &["a 1", "b.c.0 2.5", "b.c.1 -300", "b.d null", "e x", "f true"],
    );
    check("{\"a\":1}\r\n\0", &["a 1"]);
    check("{\"a\":1,\"a\":2}", &["a 1", "a 2"]);
}

#[test]
fn what_lua_prints_for_no_number_is_none() {
    check(
        r#"{"a":nan,"b":-nan,"c":inf,"d":-inf,"e":-nan(ind),"f":NaN,"g":Infinity,"h":1e999}"#,
        &[
            "a no number",
            "b no number",
            "c no number",
            "d no number",
            "e no number",
            "f no number",
            "g no number",
            "h no number",
        ],
    );
}

#[test]
fn faults_say_where_they_are() {
    check_fault("", 0, "object");
    check_fault("[1]", 0, "object");
    check_fault("{", 1, "key");
    check_fault(r#"{"a"}"#, 4, ":");
    check_fault(r#"{"a":}"#, 5, "value was expected");
    check_fault(r#"{"a":"#, 5, "ends");
    check_fault(r#"{"a":1"#, 6, ", or the object's }");
    check_fault(r#"{"a":1,}"#, 7, "key");
    check_fault(r#"{"a":[1 2]}"#, 8, ", or the list's ]");
    check_fault(r#"{"a":[1,]}"#, 8, "value was expected");
    check_fault(r#"{"a":1-2}"#, 5, "no number");
    check_fault(r#"{"a":"b"#, 7, "quotes");
    check_fault(r#"{"a":"b\"}"#, 10, "quotes");
    check_fault(r#"{"a":1}x"#, 7, "ended");
    check_fault(r#"{a:1}"#, 1, "key");
    check_fault(r#"{"a":tru}"#, 5, "value was expected");
    let no_text = read(b"{\"a\":\xff}", &mut |_, _| {}).expect_err("a fault");
    assert_eq!((no_text.at, no_text.what.contains("UTF-8")), (5, true));
}

#[test]
fn nesting_ends_somewhere() {
    let nested = |depth: usize| "{\"a\":".repeat(depth) + "1" + &"}".repeat(depth);
    assert_eq!(shown(&nested(DEEPEST)).map(|lines| lines.len()), Ok(1));
    check_fault(&nested(DEEPEST + 1), 5 * (DEEPEST + 1), "too deeply");
    check_fault(&("{\"a\":".to_owned() + &"[".repeat(60_000)), 5 + 16, "too deeply");
}

#[test]
fn names_are_spelt_nested_or_flat_with_letters_or_escapes() {
    let spells = |text: &str, words: &[&str]| {
        let mut same = false;
        read(text.as_bytes(), &mut |path, _| same = path.spells(words)).expect("a text");
        same
    };
    for text in [
        r#"{"tyre_wear_fl":1}"#,
        r#"{"tyre_wear":{"fl":1}}"#,
        r#"{"tyre":{"wear":{"FL":1}}}"#,
        r#"{"tyre_\u0077ear":{"f\u006C":1}}"#,
    ] {
        assert!(spells(text, &["tyre_wear", "fl"]), "{text}");
        assert!(!spells(text, &["tyre_wear", "fr"]) && !spells(text, &["tyre_wear"]), "{text}");
    }
    assert!(spells(r#"{"tyre_wear":[1]}"#, &["tyre_wear", "0"]));
    assert!(!spells(r#"{"tyre_wear_flx":1}"#, &["tyre_wear", "fl"]));
    assert!(!spells(r#"{"tyre_wear_f":1}"#, &["tyre_wear", "fl"]));
    assert!(!spells(r#"{"a\u00zz":1}"#, &["a"]));
}

proptest! {
    #[test]
    fn any_text_is_read_or_has_its_fault_within_it(text in r#"[{}\[\]",:0-9a-z\\ .-]{0,60}"#) {
        if let Err(fault) = shown(&text) {
            prop_assert!(fault.at <= text.len());
        }
    }

    #[test]
    fn numbers_are_read_as_they_were_written(number in proptest::num::f32::NORMAL | proptest::num::f32::ZERO) {
        let mut seen = None;
        let text = format!("{{\"a\":{number:e}}}");
        read(text.as_bytes(), &mut |_, scalar| seen = Some(scalar)).expect("a text");
        let Some(Scalar::Number(seen)) = seen else { panic!("{text}") };
        prop_assert_eq!(seen as f32, number);
    }
}
