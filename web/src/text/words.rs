//! Text for the page and its address.

/// Words that begin with a capital letter.
pub(crate) fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters.next().into_iter().map(|letter| letter.to_ascii_uppercase()).collect();
    first + letters.as_str()
}

/// Makes a clause a sentence: with a capital first letter, and a full stop unless it already ends with punctuation.
pub(crate) fn sentence(words: &str) -> String {
    let stop = if words.ends_with(['.', '!', '?', ':']) { "" } else { "." };
    capitalised(words) + stop
}

/// Percent-encodes a value for an address.
pub(crate) fn encoded(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => text.push(byte.into()),
            _ => {
                text.push('%');
                for digit in [byte >> 4, byte & 15] {
                    text.extend(char::from_digit(digit.into(), 16));
                }
            }
        }
    }
    text
}

/// Decodes a percent-encoded value from an address; `+` is a space. Invalid codes stay as they are.
pub(crate) fn decoded(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let code = behind.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let code = code.filter(|_| first == b'%').and_then(|two| u8::from_str_radix(two, 16).ok());
        bytes.push(code.unwrap_or(if first == b'+' { b' ' } else { first }));
        rest = behind.get(if code.is_some() { 2 } else { 0 }..).unwrap_or_default();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_sentences() {
        assert_eq!(sentence("asks the game"), "Asks the game.");
        assert_eq!(sentence("why not?"), "Why not?");
        assert_eq!(sentence(""), ".");
    }

    #[test]
    fn values_survive_an_address() {
        for value in ["", "spa, wet", "a=b&c#d%20", "Nürburgring\n", "~.-_"] {
            let text = encoded(value);
            assert_eq!(decoded(&text), value, "{text}");
            assert!(
                text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"%-_.~".contains(&byte)),
                "{text}"
            );
        }
        assert_eq!([decoded("100%"), decoded("%zz"), decoded("a+b")], ["100%", "%zz", "a b"]);
    }
}
