use proptest::prelude::*;

use super::*;

/// The visited scalars, one line each.
fn shown(text: &str) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    read(text.as_bytes(), &mut |path, scalar| lines.push(format!("{path} {scalar}")))?;
    Ok(lines)
}

fn check(text: &str, expected: &[&str]) {
    let expected: Vec<String> = expected.iter().map(|line| (*line).to_owned()).collect();
    assert_eq!(shown(text), Ok(expected), "{text}");
}

fn check_error(text: &str, words: &str) {
    let error = shown(text).expect_err("an error");
    assert!(error.contains(words), "{text}: {error}");
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
fn what_lua_prints_for_a_non_number_is_text() {
    check(
        r#"{"a":nan,"b":[-nan,inf , -inf],"c":-nan(ind),"d":NaN,"e":Infinity,"f":1e999}"#,
        &["a nan", "b.0 -nan", "b.1 inf", "b.2 -inf", "c -nan(ind)", "d NaN", "e Infinity", "f 1e999"],
    );
    // Quoted text stays unchanged, and so does text that only resembles one of the words.
    check(r#"{"nan":"inf, \"nan: nan","é":nan}"#, &["nan inf, \"nan: nan", "é nan"]);
    check_error(r#"{"a":nope}"#, "expected");
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    check_error("", "EOF");
    check_error("[1]", "expected an object");
    check_error(r#"{"a"}"#, "expected `:` at line 1 column 5");
    check_error(r#"{"a":1"#, "EOF");
    check_error(r#"{"a":1,}"#, "trailing comma");
    check_error(r#"{"a":[1 2]}"#, "expected `,` or `]`");
    check_error(r#"{"a":"b\"}"#, "EOF while parsing a string");
    check_error(r#"{"a":1}x"#, "trailing characters");
    check_error(r#"{a:1}"#, "key must be a string");
    let error = read(b"{\"a\":\xff}", &mut |_, _| {}).expect_err("an error");
    assert!(error.contains("utf-8"), "{error}");
}

#[test]
fn nesting_ends_somewhere() {
    let nested = |depth: usize| "{\"a\":".repeat(depth) + "1" + &"}".repeat(depth);
    assert_eq!(shown(&nested(100)).map(|lines| lines.len()), Ok(1));
    check_error(&nested(200), "recursion limit");
    check_error(&("{\"a\":".to_owned() + &"[".repeat(60_000)), "recursion limit");
}

#[test]
fn names_are_spelt_nested_or_flat_with_letters_or_escapes() {
    let spelling = |text: &str| {
        let mut spelling = String::new();
        read(text.as_bytes(), &mut |path, _| path.spelling().clone_into(&mut spelling)).expect("a text");
        spelling
    };
    for text in [
        r#"{"tyre_wear_fl":1}"#,
        r#"{"tyre_wear":{"fl":1}}"#,
        r#"{"tyre":{"wear":{"FL":1}}}"#,
        r#"{"tyre_\u0077ear":{"f\u006C":1}}"#,
    ] {
        assert_eq!(spelling(text), "tyre_wear_fl", "{text}");
    }
    assert_eq!(spelling(r#"{"tyre_wear":[1]}"#), "tyre_wear_0");
    // What lies beside a list or a table is not in it.
    assert_eq!(spelling(r#"{"a":{"b":[1,[2]],"c":{}},"D":3}"#), "d");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in r#"[{}\[\]",:0-9a-zé\\ .()-]{0,60}"#) {
        let _ = shown(&text);
        // Quoting is idempotent.
        let quoted = quote_non_numbers(&text).into_owned();
        prop_assert_eq!(quote_non_numbers(&quoted).into_owned(), quoted);
    }

    #[test]
    fn numbers_are_read_as_they_were_written(number in proptest::num::f32::NORMAL | proptest::num::f32::ZERO) {
        let mut seen = None;
        let text = format!("{{\"a\":{number:e}}}");
        let show = &mut |_: &Path, scalar: Scalar<'_>| {
            if let Scalar::Number(number) = scalar {
                seen = Some(number as f32);
            }
        };
        read(text.as_bytes(), show).expect("a text");
        prop_assert_eq!(seen, Some(number));
    }
}
