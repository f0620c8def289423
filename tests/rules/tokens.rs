//! The words and punctuation of Rust sources.

/// Whether a token is a name that can stand in a path.
pub(crate) fn is_name(token: &str) -> bool {
    const NO_NAMES: &[&str] = &["fn", "impl", "for", "where", "dyn", "mut", "ref", "as", "in", "_"];
    token.starts_with(|first: char| first.is_alphabetic() || first == '_') && !NO_NAMES.contains(&token)
}

/// Splits a source into words and punctuation, without comments, literals and lifetimes.
pub(crate) fn tokens(source: &str) -> Vec<String> {
    let letters: Vec<char> = source.chars().collect();
    let letter = |at: usize| letters.get(at).copied().unwrap_or_default();
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let (mut found, mut at) = (Vec::new(), 0);
    while at < letters.len() {
        match letter(at) {
            '/' if letter(at + 1) == '/' => {
                while at < letters.len() && letter(at) != '\n' {
                    at += 1;
                }
            }
            '/' if letter(at + 1) == '*' => {
                while at < letters.len() && (letter(at), letter(at + 1)) != ('*', '/') {
                    at += 1;
                }
                at += 2;
            }
            '"' => at = behind_text(&letters, at + 1),
            '\'' if letter(at + 1) == '\\' => {
                at += 3;
                while at < letters.len() && letter(at) != '\'' {
                    at += 1;
                }
                at += 1;
            }
            '\'' if letter(at + 2) == '\'' => at += 3,
            '\'' => {
                at += 1;
                while is_word(letter(at)) {
                    at += 1;
                }
            }
            ':' if letter(at + 1) == ':' => {
                found.push("::".to_owned());
                at += 2;
            }
            first if is_word(first) => {
                let begin = at;
                while is_word(letter(at)) {
                    at += 1;
                }
                let word: String = letters[begin..at].iter().collect();
                let is_raw = matches!(word.as_str(), "r" | "br" | "cr") && matches!(letter(at), '"' | '#');
                if is_raw {
                    at = behind_raw_text(&letters, at);
                } else {
                    found.push(word);
                }
            }
            space if space.is_whitespace() => at += 1,
            sign => {
                found.push(sign.to_string());
                at += 1;
            }
        }
    }
    found
}

fn behind_text(letters: &[char], mut at: usize) -> usize {
    while at < letters.len() && letters[at] != '"' {
        at += if letters[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

fn behind_raw_text(letters: &[char], mut at: usize) -> usize {
    let mut marks = 0;
    while letters.get(at) == Some(&'#') {
        (marks, at) = (marks + 1, at + 1);
    }
    let end: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', marks)).collect();
    let found = (at + 1..letters.len()).find(|at| letters[*at..].starts_with(&end));
    found.map_or(letters.len(), |at| at + end.len())
}

/// The tokens without items that are compiled only for tests.
pub(crate) fn without_tests(tokens: &[String]) -> Vec<String> {
    let word = |at: usize| tokens.get(at).map(String::as_str).unwrap_or_default();
    let (mut kept, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        if word(at) == "#" && word(at + 1) == "[" {
            let end = behind_brackets(tokens, at + 1);
            let attribute = &tokens[at..end];
            let has = |name: &str| attribute.iter().any(|token| token == name);
            if word(at + 2) == "cfg" && has("test") && !has("any") && !has("not") {
                at = behind_item(tokens, end);
            } else {
                at = end;
            }
            continue;
        }
        kept.push(tokens[at].clone());
        at += 1;
    }
    kept
}

fn behind_brackets(tokens: &[String], begin: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(begin) {
        match token.as_str() {
            "[" | "(" | "{" => depth += 1,
            "]" | ")" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The index after an item: after its block, its semicolon or, for a field, its comma. Skips leading attributes.
fn behind_item(tokens: &[String], begin: usize) -> usize {
    let word = |at: usize| tokens.get(at).map(String::as_str).unwrap_or_default();
    let mut at = begin;
    while word(at) == "#" {
        at = behind_brackets(tokens, at + 1);
    }
    let is_field = is_name(word(at)) && word(at + 1) == ":";
    while at < tokens.len() {
        match word(at) {
            "(" | "[" => at = behind_brackets(tokens, at),
            "{" => return behind_brackets(tokens, at),
            ";" => return at + 1,
            "," if is_field => return at + 1,
            "}" => return at,
            _ => at += 1,
        }
    }
    at
}
