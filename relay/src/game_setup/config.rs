//! The game's list of what it sends where: entries are added to it and taken out again.

use std::fmt;
use std::net::IpAddr;
use std::ops::Range;

use anyhow::Context;
use serde_json::Value;

use super::json_text::{elements, member, skip_space};

/// The name of Trailbrake's structure.
pub(super) const NAME: &str = "trailbrake";

/// The schema that is known.
const SCHEMA: u64 = 2;
/// What some editors write before the text.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// An entry: which packet goes where.
pub(super) struct Entry {
    pub(super) packet: &'static str,
    pub(super) hz: u16,
    pub(super) ip: IpAddr,
    pub(super) port: u16,
}

/// The file's text, with the places of its entries.
pub(super) struct Config {
    text: String,
    /// Behind the bracket that opens the list.
    list: usize,
    entries: Vec<Range<usize>>,
}

impl Entry {
    /// The entry as it is written.
    pub(super) fn text(&self) -> String {
        let Self { packet, hz, ip, port } = self;
        format!(
            "{{ \"structure\": \"{NAME}\", \"packet\": \"{packet}\", \"ip\": \"{ip}\", \"port\": {port}, \
             \"frequencyHz\": {hz}, \"bEnabled\": true }}"
        )
    }
}

impl Config {
    /// Reads the file. Fails for anything else than the game writes.
    pub(super) fn read(bytes: &[u8]) -> anyhow::Result<Self> {
        let text = std::str::from_utf8(bytes).context("it is no text")?.to_owned();
        let from = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let value: Value =
            serde_json::from_str(text.get(from..).unwrap_or_default()).context("it is broken")?;
        let schema = value.get("schema").and_then(Value::as_u64);
        anyhow::ensure!(schema == Some(SCHEMA), "its schema is not {SCHEMA}");
        let start = skip_space(&text, from);
        let list = member(&text, start, "udp").and_then(|udp| member(&text, udp.start, "packets"));
        let list = list.context("it has no list udp.packets")?;
        let entries = elements(&text, list.start).context("its udp.packets is no list")?;
        Ok(Self { text, list: list.start + 1, entries })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text with these entries in place of Trailbrake's own.
    pub(super) fn with(&self, entries: &[Entry]) -> String {
        let own: Vec<&str> = self.own().filter_map(|place| self.text.get(place)).collect();
        if own.iter().copied().eq(entries.iter().map(Entry::text)) {
            return self.text.clone();
        }
        let mut text = self.without();
        let others = self.entries.iter().filter(|place| !self.is_own(place));
        // What was taken out before the last of the others moved it.
        let Some(last) = others.clone().next_back() else {
            text.insert_str(self.list, &lines(entries, "\n\t\t\t").join(","));
            return text;
        };
        let shorter: usize =
            self.removed().iter().filter(|place| place.end <= last.start).map(Range::len).sum();
        let space = self.space_before(others.clone().next().unwrap_or(last));
        let added: String = lines(entries, space).iter().map(|line| format!(",{line}")).collect();
        text.insert_str(last.end - shorter, &added);
        text
    }

    /// The text without Trailbrake's entries.
    pub(super) fn without(&self) -> String {
        let mut text = self.text.clone();
        for place in self.removed().into_iter().rev() {
            text.replace_range(place, "");
        }
        text
    }

    /// What to take out: Trailbrake's entries, each with what parts it from its neighbour.
    fn removed(&self) -> Vec<Range<usize>> {
        let mut removed = Vec::new();
        let mut other_before = None;
        for (number, place) in self.entries.iter().enumerate() {
            if !self.is_own(place) {
                other_before = Some(place);
                continue;
            }
            let before = number.checked_sub(1).and_then(|number| self.entries.get(number));
            removed.push(match (other_before, self.entries.get(number + 1)) {
                // From the end of the entry before, with the comma.
                (Some(_), _) => before.map_or(place.start, |before| before.end)..place.end,
                // To the beginning of the next one, with the comma.
                (None, Some(next)) => place.start..next.start,
                (None, None) => before.map_or(self.list, |before| before.end.max(place.start))..place.end,
            });
        }
        // With no other entry left, the space before the first one was Trailbrake's, too.
        if other_before.is_none()
            && let Some(first) = removed.first_mut()
        {
            first.start = self.list;
        }
        removed
    }

    fn own(&self) -> impl Iterator<Item = Range<usize>> {
        self.entries.iter().filter(|place| self.is_own(place)).cloned()
    }

    fn is_own(&self, place: &Range<usize>) -> bool {
        let entry = self.text.get(place.clone()).and_then(|entry| serde_json::from_str::<Value>(entry).ok());
        entry.is_some_and(|entry| entry.get("structure").and_then(Value::as_str) == Some(NAME))
    }

    /// The space that stands before an entry.
    fn space_before(&self, entry: &Range<usize>) -> &str {
        let before = self.text.get(..entry.start).unwrap_or_default();
        before.get(before.trim_end().len()..).unwrap_or_default()
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn lines(entries: &[Entry], space: &str) -> Vec<String> {
    entries.iter().map(|entry| format!("{space}{}", entry.text())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the game writes it, with tabs and the lines of Windows.
    const GAME: &str = "{\r\n\t\"schema\": 2,\r\n\t\"udp\":\r\n\t{\r\n\t\t\"packets\": [\r\n\t\t\t{\r\n\t\t\t\t\"structure\": \
                        \"wrc\",\r\n\t\t\t\t\"bEnabled\": false\r\n\t\t\t},\r\n\t\t\t{\r\n\t\t\t\t\"structure\": \"mine\",\r\n\
                        \t\t\t\t\"note\": \"trailbrake\"\r\n\t\t\t}\r\n\t\t]\r\n\t},\r\n\t\"lcd\": {\"bDisplayGears\": true},\
                        \r\n\t\"unknown\": [1, 2]\r\n}";

    fn entries(port: u16) -> Vec<Entry> {
        let entry = |packet| Entry { packet, hz: 0, ip: [127, 0, 0, 1].into(), port };
        ["session_start", "session_update"].map(entry).into()
    }

    fn read(text: &str) -> Config {
        Config::read(text.as_bytes()).expect("a file of the game")
    }

    #[test]
    fn what_is_added_can_be_taken_out_to_the_byte() {
        let texts = [
            GAME,
            r#"{"schema":2,"udp":{"packets":[]}}"#,
            r#"{"schema":2,"udp":{"packets":[ ]},"dBox":{}}"#,
            r#"{"schema":2,"udp":{"packets":[{"structure":"wrc"}]}}"#,
            "\u{feff}{\"schema\":2,\"udp\":{\"packets\":[\n{\"structure\":\"wrc\"}\n]}}\n",
        ];
        for text in texts {
            let added = read(text).with(&entries(20777));
            let value: Value = serde_json::from_str(added.trim_start_matches(BYTE_ORDER_MARK)).expect("JSON");
            let list = value["udp"]["packets"].as_array().expect("a list");
            let own: Vec<&Value> = list.iter().filter(|entry| entry["structure"] == NAME).collect();
            assert_eq!((own.len(), own[1]["packet"].as_str()), (2, Some("session_update")), "{added}");
            assert_eq!(read(&added).without(), text, "{added}");
            // Once is enough, and another port replaces it.
            assert_eq!(read(&added).with(&entries(20777)), added);
            let moved = read(&added).with(&entries(20778));
            assert_eq!(moved, added.replace("20777", "20778"));
        }
    }

    #[test]
    fn everything_else_stays_where_the_driver_has_it() {
        let own = r#"{"structure":"trailbrake"}"#;
        let other = r#"{"structure":"other"}"#;
        let file = |list: &str| format!(r#"{{"schema":2,"udp":{{"packets":[{list}],"x":1}}}}"#);
        for (list, left) in [
            (format!("{own},{other}"), other.to_owned()),
            (format!("{other} , {own},{other}"), format!("{other},{other}")),
            (format!("{own} , {own}, {other}"), other.to_owned()),
            (format!("{other}, {own}, {own}"), other.to_owned()),
            (own.to_owned(), String::new()),
        ] {
            assert_eq!(read(&file(&list)).without(), file(&left), "{list}");
            let with = read(&file(&list)).with(&entries(1));
            assert_eq!(read(&with).without(), file(&left), "{with}");
        }
    }

    #[test]
    fn what_the_game_did_not_write_is_refused() {
        for (text, words) in [
            ("{", "broken"),
            (r#"{"udp":{"packets":[]}}"#, "schema"),
            (r#"{"schema":3,"udp":{"packets":[]}}"#, "schema"),
            (r#"{"schema":2,"udp":{}}"#, "no list"),
            (r#"{"schema":2,"udp":{"packets":{}}}"#, "no list"),
        ] {
            let error = format!("{:#}", Config::read(text.as_bytes()).expect_err(text));
            assert!(error.contains(words), "{text}: {error}");
        }
        assert!(Config::read(&[0xff, 0xfe]).is_err());
    }
}
