//! Finds which files of a crate depend on which. Every name that a file uses counts as a dependency on the file that
//! defines it.
//!
//! `mod` and `pub use` are not dependencies, and test modules are not read. Method calls are not seen.

use std::collections::{BTreeMap, BTreeSet};

/// The files that each file depends on, all as paths below `src`.
pub(crate) type Dependencies = BTreeMap<String, BTreeSet<String>>;

/// A module's path from the crate root: `["library", "index"]`.
type ModulePath = Vec<String>;

/// What a module declares and uses.
#[derive(Default)]
struct Module {
    file: String,
    definitions: BTreeSet<String>,
    imports: Vec<Import>,
    /// Paths in expressions and types.
    paths: Vec<Vec<String>>,
}

/// One name that a `use` imports.
struct Import {
    name: String,
    path: Vec<String>,
    /// It is a `pub use`, which creates no dependency.
    is_public: bool,
}

/// A crate's modules, parsed from its sources.
pub(crate) struct Crate {
    modules: BTreeMap<ModulePath, Module>,
}

impl Crate {
    /// Parses a crate, given its sources by their paths below `src`.
    pub(crate) fn read(files: &BTreeMap<String, String>) -> Self {
        let mut modules = BTreeMap::new();
        read_module(files, "lib.rs", Vec::new(), &mut modules);
        Self { modules }
    }

    pub(crate) fn dependencies(&self) -> Dependencies {
        self.files_named(|module| {
            let used = module.imports.iter().filter(|import| !import.is_public).map(|import| &import.path);
            used.chain(&module.paths).collect()
        })
    }

    /// Like [`Self::dependencies`], with the files that each file re-exports by `pub use`.
    pub(crate) fn dependencies_and_exports(&self) -> Dependencies {
        self.files_named(|module| {
            module.imports.iter().map(|import| &import.path).chain(&module.paths).collect()
        })
    }

    fn files_named(&self, paths_of: impl Fn(&Module) -> Vec<&Vec<String>>) -> Dependencies {
        let mut found = Dependencies::new();
        for (own, module) in &self.modules {
            for path in paths_of(module) {
                let file = file_of(&self.modules, own, path, 0).filter(|file| *file != module.file);
                if let Some(file) = file {
                    found.entry(module.file.clone()).or_default().insert(file);
                }
            }
        }
        found
    }
}

/// Groups of files that depend on each other in a cycle.
pub(crate) fn cycles(dependencies: &Dependencies) -> Vec<Vec<String>> {
    let reach = |from: &String| {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            let next = dependencies.get(file).into_iter().flatten();
            open.extend(next.filter(|file| reached.insert((*file).clone())));
        }
        reached
    };
    let reached: BTreeMap<&String, BTreeSet<String>> =
        dependencies.keys().map(|file| (file, reach(file))).collect();
    let is_mutual = |one: &String, other: &String| {
        reached[one].contains(other) && reached.get(other).is_some_and(|back| back.contains(one))
    };
    let mut found: Vec<Vec<String>> = Vec::new();
    for file in dependencies.keys().filter(|file| is_mutual(file, file)) {
        match found.iter_mut().find(|cycle| is_mutual(&cycle[0], file)) {
            Some(cycle) => cycle.push(file.clone()),
            None => found.push(vec![file.clone()]),
        }
    }
    found
}

/// Parses a file's module and the modules below it.
fn read_module(
    files: &BTreeMap<String, String>,
    file: &str,
    path: ModulePath,
    modules: &mut BTreeMap<ModulePath, Module>,
) {
    let Some(source) = files.get(file) else { panic!("no file {file}") };
    let tokens = without_tests(&tokens(source));
    let stem = file.trim_end_matches(".rs");
    let folder = match stem.rsplit_once('/') {
        Some((folder, "mod")) => format!("{folder}/"),
        None if stem == "lib" => String::new(),
        _ => format!("{stem}/"),
    };
    for child in read_items(&tokens, file, &path, modules) {
        let own = [format!("{folder}{child}.rs"), format!("{folder}{child}/mod.rs")];
        let own = own.iter().find(|own| files.contains_key(*own));
        let own = own.unwrap_or_else(|| panic!("{file} declares {child}, which has no file"));
        read_module(files, own, [path.clone(), vec![child]].concat(), modules);
    }
}

/// Parses the items of a file. Returns the names of the child modules that have their own files.
fn read_items(
    tokens: &[String],
    file: &str,
    path: &ModulePath,
    modules: &mut BTreeMap<ModulePath, Module>,
) -> Vec<String> {
    let new = || Module { file: file.to_owned(), ..Module::default() };
    modules.insert(path.clone(), new());
    // The open modules in this file, each with its brace depth.
    let mut open = vec![(path.clone(), 0)];
    let (mut depth, mut children, mut at) = (0, Vec::new(), 0);
    let word = |at: usize| tokens.get(at).map(String::as_str).unwrap_or_default();
    while at < tokens.len() {
        let (own, base) = open.last().expect("the file's own module").clone();
        let module = modules.get_mut(&own).expect("an open module");
        match word(at) {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                if open.len() > 1 && depth == base - 1 {
                    open.pop();
                }
            }
            "mod" if is_name(word(at + 1)) && word(at + 2) == ";" => children.push(word(at + 1).to_owned()),
            "mod" if is_name(word(at + 1)) && word(at + 2) == "{" => {
                let inner = [own, vec![word(at + 1).to_owned()]].concat();
                modules.insert(inner.clone(), new());
                depth += 1;
                open.push((inner, depth));
                at += 2;
            }
            "use" => {
                let end = (at..tokens.len()).find(|at| word(*at) == ";").unwrap_or(tokens.len());
                let is_public = at > 0 && matches!(word(at - 1), "pub" | ")");
                let mut names = Vec::new();
                read_use(&tokens[at + 1..end], &[], &mut names);
                module.imports.extend(names.into_iter().map(|(name, path)| Import { name, path, is_public }));
                at = end;
            }
            "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union" if depth == base => {
                let name = if word(at + 1) == "mut" { word(at + 2) } else { word(at + 1) };
                if is_name(name) {
                    module.definitions.insert(name.to_owned());
                }
            }
            "macro_rules" if word(at + 1) == "!" => {
                module.definitions.insert(word(at + 2).to_owned());
            }
            name if is_name(name) && word(at + 1) == "::" => {
                let before = if at == 0 { "" } else { word(at - 1) };
                let mut path = vec![name.to_owned()];
                while word(at + 1) == "::" && is_name(word(at + 2)) {
                    path.push(word(at + 2).to_owned());
                    at += 2;
                }
                if path.len() > 1 && before != "::" && before != "." {
                    module.paths.push(path);
                }
            }
            _ => {}
        }
        at += 1;
    }
    children
}

/// Collects the names that a `use` imports, each with its path; `*` stands for all names of a module.
fn read_use(tokens: &[String], above: &[String], names: &mut Vec<(String, Vec<String>)>) {
    let mut path = above.to_vec();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token.as_str() {
            "{" => {
                let mut depth = 0;
                let mut start = at + 1;
                for (place, token) in tokens.iter().enumerate().skip(at) {
                    match token.as_str() {
                        "{" => depth += 1,
                        "}" => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 || depth == 1 && token == "," {
                        if start < place {
                            read_use(&tokens[start..place], &path, names);
                        }
                        start = place + 1;
                    }
                    if depth == 0 {
                        return;
                    }
                }
                return;
            }
            "as" => {
                let name = tokens.get(at + 1).cloned().unwrap_or_default();
                return names.push((name, path));
            }
            "self" if !path.is_empty() => {}
            "::" => {}
            name => path.push(name.to_owned()),
        }
        at += 1;
    }
    let name = path.last().cloned().unwrap_or_default();
    names.push((name, path));
}

/// The file that defines what a path names when used inside module `within`; `None` outside the crate.
fn file_of(
    modules: &BTreeMap<ModulePath, Module>,
    within: &ModulePath,
    path: &[String],
    detours: u32,
) -> Option<String> {
    // Two modules may re-export each other's names.
    if detours > 20 {
        return None;
    }
    let (first, mut rest) = path.split_first()?;
    let mut own = within.clone();
    match first.as_str() {
        "crate" => own.clear(),
        "self" => {}
        "super" => {
            own.pop();
            while let Some(("super", behind)) = rest.split_first().map(|(name, rest)| (name.as_str(), rest)) {
                own.pop();
                rest = behind;
            }
        }
        name => {
            let module = &modules[&own];
            let is_child = modules.contains_key(&[own.clone(), vec![name.to_owned()]].concat());
            let is_import = module.imports.iter().any(|import| import.name == name && import.path != path);
            if !is_child && !is_import && !module.definitions.contains(name) {
                return None;
            }
            rest = path;
        }
    }
    while let Some((name, behind)) = rest.split_first() {
        let module = &modules[&own];
        let child = [own.clone(), vec![name.clone()]].concat();
        let import = module.imports.iter().find(|import| import.name == *name && import.path != path);
        if modules.contains_key(&child) && (!behind.is_empty() || import.is_none()) {
            (own, rest) = (child, behind);
            continue;
        }
        if module.definitions.contains(name) || name == "*" {
            return Some(module.file.clone());
        }
        if let Some(import) = import {
            let whole = [import.path.clone(), behind.to_vec()].concat();
            return file_of(modules, &own, &whole, detours + 1);
        }
        for glob in module.imports.iter().filter(|import| import.name == "*" && import.path != path) {
            let whole = [&glob.path[..glob.path.len() - 1], rest].concat();
            if let Some(file) = file_of(modules, &own, &whole, detours + 1) {
                return Some(file);
            }
        }
        // What a macro generates is defined where the macro is called.
        return Some(module.file.clone());
    }
    Some(modules.get(&own)?.file.clone())
}

fn is_name(token: &str) -> bool {
    const NO_NAMES: &[&str] = &["fn", "impl", "for", "where", "dyn", "mut", "ref", "as", "in", "_"];
    token.starts_with(|first: char| first.is_alphabetic() || first == '_') && !NO_NAMES.contains(&token)
}

/// Splits a source into words and punctuation, without comments, literals and lifetimes.
fn tokens(source: &str) -> Vec<String> {
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
fn without_tests(tokens: &[String]) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let files = files.iter().map(|(file, source)| ((*file).to_owned(), (*source).to_owned())).collect();
        let found = Crate::read(&files).dependencies();
        let found = found.iter().flat_map(|(from, to)| to.iter().map(move |to| format!("{from} → {to}")));
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_name_counts_to_the_file_that_defines_it() {
        check(
            &[
                ("lib.rs", "mod one; mod two; pub use two::Two;"),
                (
                    "one.rs",
                    "use crate::two::{Two, deep::make as build}; fn f() { crate::two::deep::other() }",
                ),
                ("two/mod.rs", "pub mod deep; pub use deep::{Two, make};"),
                ("two/deep.rs", "pub struct Two; pub fn make() {} pub fn other() {}"),
            ],
            &["one.rs → two/deep.rs"],
        );
    }

    #[test]
    fn paths_are_followed_from_where_they_stand() {
        check(
            &[
                ("lib.rs", "mod folder; mod word;"),
                ("folder/mod.rs", "mod child; mod neighbour; use child::Child; pub struct Parent;"),
                (
                    "folder/child.rs",
                    "use super::{Parent, neighbour}; pub struct Child; fn f() { neighbour::f() }",
                ),
                (
                    "folder/neighbour.rs",
                    "mod inner { use super::super::super::word::*; } fn f(w: self::Own) {} enum Own {}",
                ),
                ("word.rs", "pub fn word() { let x = std::mem::take(y); Vec::<u8>::new() }"),
            ],
            &[
                "folder/child.rs → folder/mod.rs",
                "folder/child.rs → folder/neighbour.rs",
                "folder/mod.rs → folder/child.rs",
                "folder/neighbour.rs → word.rs",
            ],
        );
    }

    #[test]
    fn tests_comments_and_texts_are_not_read() {
        check(
            &[
                ("lib.rs", "mod one; mod two; #[cfg(test)] mod not_there;"),
                (
                    "one.rs",
                    "// use crate::two::A;\n/* crate::two::A */ const T: &str = \"crate::two::A\";\n\
                     const R: &str = r#\"\"crate::two::A\"#; const C: char = '\"';\n\
                     struct S<'a> { #[cfg(test)] field: crate::two::A, other: &'a u8 }\n\
                     #[cfg(test)] mod tests { use crate::two::A; }",
                ),
                ("two.rs", "pub struct A; #[cfg(not(test))] use crate::one::S;"),
            ],
            &["two.rs → one.rs"],
        );
    }

    #[test]
    fn cycles_are_found_and_nothing_else() {
        let check = |arrows: &[(&str, &str)], expected: &[&[&str]]| {
            let mut dependencies = Dependencies::new();
            for (from, to) in arrows {
                dependencies.entry((*from).to_owned()).or_default().insert((*to).to_owned());
            }
            assert_eq!(cycles(&dependencies), expected);
        };
        check(&[("a", "b"), ("b", "c"), ("a", "c")], &[]);
        check(&[("a", "b"), ("b", "a"), ("c", "a")], &[&["a", "b"]]);
        check(
            &[("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d")],
            &[&["a", "b", "c"], &["d", "e"]],
        );
    }
}
