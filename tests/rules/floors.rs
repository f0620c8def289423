//! Inside `shared`, a module uses only what is on a floor below its own.

use crate::tree;

/// The floors as ARCHITECTURE.md lists them, the bottom one first.
fn floors() -> Vec<String> {
    let page = tree::text("ARCHITECTURE.md");
    let list = page.split("```floors\n").nth(1).and_then(|rest| rest.split("```").next());
    list.expect("a list of floors").lines().map(str::to_owned).collect()
}

/// The modules of this crate that a source names: `crate::NAME`, `use crate::{NAME, …}`.
fn named(source: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut names = Vec::new();
    for rest in source.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(group) => {
                let mut depth = 0;
                let mut item = String::new();
                for letter in group.chars() {
                    match letter {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => names.push(word(std::mem::take(&mut item).trim())),
                        _ if depth == 0 => item.push(letter),
                        _ => {}
                    }
                }
                names.push(word(item.trim()));
            }
            None => names.push(word(rest)),
        }
    }
    names
}

#[test]
fn every_module_stands_on_a_floor() {
    let lib = tree::text("shared/src/lib.rs");
    let floors = floors();
    let module = |line: &str| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.strip_prefix("mod ").map(|module| module.trim_end_matches(';').to_owned())
    };
    let modules: Vec<String> = lib.lines().filter_map(module).collect();
    for module in &modules {
        assert!(floors.contains(module), "ARCHITECTURE.md gives {module} no floor");
    }
    for floor in &floors {
        assert!(modules.contains(floor), "ARCHITECTURE.md lists {floor}, which is not there");
    }
}

#[test]
fn no_module_looks_up() {
    let floors = floors();
    let floor = |name: &str| floors.iter().position(|floor| floor == name);
    let mut wrong = Vec::new();
    let root = tree::top().join("shared/src");
    for (path, source) in tree::sources("shared/src") {
        let inside = path.strip_prefix(&root).expect("below shared/src").to_owned();
        let first = inside.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
        let is_test = inside.to_string_lossy().ends_with("tests.rs");
        let Some(own) = floor(first.trim_end_matches(".rs")).filter(|_| !is_test) else { continue };
        for name in named(&tree::code(&source)) {
            if floor(&name).is_some_and(|other| other > own) {
                wrong.push(format!("{} looks up to {name}", inside.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_reader_of_imports_sees_them() {
    let source =
        "use crate::{feed::{Feed, FEEDS}, model::Sink};\nfn f() -> crate::wire::Status {}\nuse crate::sim;";
    assert_eq!(named(source), ["feed", "model", "wire", "sim"]);
}
