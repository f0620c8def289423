//! Prints the outcome of a server command.

use std::fmt::Write as _;
use std::io::Write as _;

use trailbrake_shared::games::{Described, Value};

use super::connection::REFUSED;
use crate::terminal::Plain;

/// The outcome of a command: Trailbrake's report, and the server's messages.
pub(super) struct Reply {
    pub(super) words: String,
    pub(super) messages: Vec<Described>,
}

/// Prints a reply. A closed output is no error.
pub(super) fn print(done: &Reply) {
    let _ = Plain::new(std::io::stdout()).write_all(lines(done).as_bytes());
}

fn lines(done: &Reply) -> String {
    if done.messages.is_empty() {
        return format!("{}\n", done.words);
    }
    done.messages.iter().map(message).collect()
}

/// A message of the server: its reason for rejecting, or a line for each field.
fn message(message: &Described) -> String {
    let mut lines = String::new();
    let Value::Record(fields) = &message.fields else { return lines };
    for (name, value) in fields {
        let value = plain(value);
        let _ = match message.packet {
            REFUSED => writeln!(lines, "the server says: {value}"),
            _ => writeln!(lines, "{name:<22} {value}"),
        };
    }
    lines
}

fn plain(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Signed(number) => number.to_string(),
        Value::Unsigned(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Double(number) => number.to_string(),
        Value::List(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Record(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{name} {}", plain(value)));
            fields.collect::<Vec<_>>().join(" ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_printed_a_line_per_field_and_a_refusal_in_one_line() {
        let printed = |messages| lines(&Reply { words: "passed on".into(), messages });
        assert_eq!(printed(Vec::new()), "passed on\n");
        let fields = Value::Record(vec![("name", Value::Text("Race".into())), ("laps", Value::Unsigned(7))]);
        let answer = printed(vec![Described { packet: "SESSION_INFO", fields }]);
        assert_eq!(answer, "name                   Race\nlaps                   7\n");
        let fields = Value::Record(vec![("text", Value::Text("no car".into()))]);
        assert_eq!(printed(vec![Described { packet: REFUSED, fields }]), "the server says: no car\n");
    }
}
