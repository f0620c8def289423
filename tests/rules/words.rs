//! User-visible text uses plain words: string literals and the command line's help.

use crate::crates;
use crate::tree;

/// Words and phrases that no string may contain.
const BANNED: [&str; 8] = ["told", "untold", "heard", "unheard", "laid beside", "anew", "whoever", "shelf"];
/// The crates that are checked, besides `shared`.
const READ: [&str; 3] = ["relay/src", "web/src", "xtask/src"];

/// The string literals of a source, without its tests. For a command, also its doc comments, which clap prints as help.
fn strings(source: &str, is_command: bool) -> Vec<String> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let mut found = Vec::new();
    let mut code = String::new();
    for line in source.lines() {
        match line.trim_start().strip_prefix("//") {
            Some(comment) if is_command && comment.starts_with('/') => found.push(comment.to_owned()),
            Some(_) => {}
            None => code.extend([line, "\n"]),
        }
    }
    let mut rest = code.chars().peekable();
    while let Some(letter) = rest.next() {
        // A quote or an escape in a character literal does not begin a string.
        if letter == '\'' && rest.peek() == Some(&'"') {
            rest.next();
        }
        if letter != '"' {
            continue;
        }
        let mut text = String::new();
        while let Some(letter) = rest.next() {
            match letter {
                '"' => break,
                '\\' => text.extend(rest.next().filter(|escaped| escaped.is_alphanumeric()).map(|_| ' ')),
                _ => text.push(letter),
            }
        }
        found.push(text);
    }
    found
}

/// The first banned word or phrase that a text contains.
fn banned(text: &str) -> Option<&'static str> {
    let words: Vec<String> = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let spoken = format!(" {} ", words.join(" "));
    let lays = spoken.find(" lay ").is_some_and(|lay| spoken[lay..].contains(" beside "));
    let listed = BANNED.into_iter().find(|word| spoken.contains(&format!(" {word} ")));
    listed.or(lays.then_some("lay … beside"))
}

#[test]
fn strings_are_in_plain_words() {
    let mut wrong = Vec::new();
    let others = READ.into_iter().flat_map(tree::sources);
    for (path, source) in crates::sources_of_shared().into_iter().chain(others) {
        if tree::is_test(&path) {
            continue;
        }
        let name = path.to_string_lossy();
        for text in strings(&source, name.contains("relay/src/commands")) {
            wrong.extend(banned(&text).map(|word| format!("{name}: \"{word}\" in {text:?}")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_reader_of_strings_sees_them() {
    let source = "/// Laid beside.\nfn f() { let a = \"it was \\\"heard\\\" there\"; let b = '\"'; } // told\n#[cfg(test)]\nconst C: &str = \"shelf\";";
    let found: Vec<_> = strings(source, true).iter().filter_map(|text| banned(text)).collect();
    assert_eq!(found, ["laid beside", "heard"]);
    assert_eq!(strings(source, false).len(), 1);
    assert_eq!((banned("Lay it down beside me"), banned("a shelfful, retold")), (Some("lay … beside"), None));
}
