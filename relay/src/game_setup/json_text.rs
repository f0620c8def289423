//! Places in the text of a JSON file, for changes that leave everything else as it is, byte for byte.
//!
//! The text has been parsed before, so these functions need not find its mistakes.

use std::ops::Range;

/// The value of a member of the object that begins at `at`.
pub(super) fn member(text: &str, at: usize, name: &str) -> Option<Range<usize>> {
    let mut at = open(text, at, b'{')?;
    while byte(text, at)? == b'"' {
        let key = at..end_of_value(text, at)?;
        let colon = skip_space(text, key.end);
        let value = skip_space(text, colon + 1);
        let end = end_of_value(text, value)?;
        if serde_json::from_str::<String>(text.get(key)?).ok()? == name {
            return Some(value..end);
        }
        at = behind_comma(text, end)?;
    }
    None
}

/// The elements of the array that begins at `at`.
pub(super) fn elements(text: &str, at: usize) -> Option<Vec<Range<usize>>> {
    let mut elements = Vec::new();
    let mut at = open(text, at, b'[')?;
    while byte(text, at)? != b']' {
        let end = end_of_value(text, at)?;
        elements.push(at..end);
        at = behind_comma(text, end)?;
    }
    Some(elements)
}

/// The first place inside brackets.
fn open(text: &str, at: usize, bracket: u8) -> Option<usize> {
    (byte(text, at)? == bracket).then(|| skip_space(text, at + 1))
}

/// The next value, or the closing bracket.
fn behind_comma(text: &str, at: usize) -> Option<usize> {
    let at = skip_space(text, at);
    Some(if byte(text, at)? == b',' { skip_space(text, at + 1) } else { at })
}

fn end_of_value(text: &str, at: usize) -> Option<usize> {
    match byte(text, at)? {
        b'"' => end_of_string(text, at),
        b'{' | b'[' => {
            let (mut at, mut depth) = (at, 0_usize);
            loop {
                match byte(text, at)? {
                    b'"' => {
                        at = end_of_string(text, at)?;
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth -= 1,
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        _ => {
            let rest = text.as_bytes().get(at..)?;
            let ends = |letter: &u8| letter.is_ascii_whitespace() || b",]}".contains(letter);
            Some(at + rest.iter().position(ends).unwrap_or(rest.len()))
        }
    }
}

fn end_of_string(text: &str, at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        match byte(text, at)? {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// The first place from `at` on that is no space.
pub(super) fn skip_space(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    at + rest.iter().take_while(|letter| letter.is_ascii_whitespace()).count()
}

fn byte(text: &str, at: usize) -> Option<u8> {
    text.as_bytes().get(at).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_elements_are_found_whatever_is_around_them() {
        let text =
            r#" {"a": "x\"]}", "ud\u0070" : {"n": -1.5e3,"packets":[ {"b":[1,{}]} , 7,"]" ],"c":null}} "#;
        let udp = member(text, skip_space(text, 0), "udp").expect("a member");
        assert!(text[udp.clone()].starts_with("{\"n\""));
        let packets = member(text, udp.start, "packets").expect("a member");
        let found: Vec<&str> =
            elements(text, packets.start).expect("elements").into_iter().map(|place| &text[place]).collect();
        assert_eq!(found, ["{\"b\":[1,{}]}", "7", "\"]\""]);
        assert_eq!(&text[member(text, udp.start, "n").expect("a number")], "-1.5e3");
        assert_eq!(member(text, udp.start, "d"), None);
        assert_eq!(elements("[]", 0), Some(Vec::new()));
        assert_eq!((elements("[1, ", 0), member("{\"a", 0, "a")), (None, None), "cut off");
    }
}
