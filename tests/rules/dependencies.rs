//! Finds which files of a crate depend on which. Every name that a file uses counts as a dependency on the file that
//! defines it.
//!
//! An `impl` block outside the file of its type counts both ways: who calls the type's methods needs the block's file.
//!
//! `mod` and `pub use` are not dependencies, and test modules are not read. Method calls are not seen.

use std::collections::{BTreeMap, BTreeSet};

use crate::tokens::{is_name, tokens, without_tests};

/// The root file of a library, and of a program.
const LIBRARY: &str = "lib.rs";
const PROGRAM: &str = "main.rs";

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
    /// The types of `impl` blocks.
    implemented: Vec<Vec<String>>,
}

/// One name that a `use` imports.
struct Import {
    name: String,
    path: Vec<String>,
    /// It is a `pub use`, which creates no dependency.
    is_public: bool,
}

/// An `impl` block outside the file of its type.
struct OutsideImpl {
    file: String,
    name: String,
    file_of_type: String,
}

/// A crate's modules, parsed from its sources.
pub(crate) struct Crate {
    modules: BTreeMap<ModulePath, Module>,
    /// Blocks that count only one way.
    excused: BTreeSet<(String, String)>,
}

impl Crate {
    /// Parses a crate, given its sources by their paths below `src`.
    pub(crate) fn read(files: &BTreeMap<String, String>) -> Self {
        let mut modules = BTreeMap::new();
        let root = if files.contains_key(LIBRARY) { LIBRARY } else { PROGRAM };
        read_module(files, root, Vec::new(), &mut modules);
        Self { modules, excused: BTreeSet::new() }
    }

    /// Lets some `impl` blocks stand outside their types' files, each by its file and its type.
    pub(crate) fn excusing(self, excused: BTreeSet<(String, String)>) -> Self {
        Self { excused, ..self }
    }

    /// The `impl` blocks outside their types' files, each by its file and its type.
    pub(crate) fn impls_outside(&self) -> BTreeSet<(String, String)> {
        self.outside_impls().into_iter().map(|block| (block.file, block.name)).collect()
    }

    fn outside_impls(&self) -> Vec<OutsideImpl> {
        let mut found = Vec::new();
        for (own, module) in &self.modules {
            for path in &module.implemented {
                let file_of_type = file_of(&self.modules, own, path, 0).filter(|file| *file != module.file);
                if let (Some(file_of_type), Some(name)) = (file_of_type, path.last()) {
                    found.push(OutsideImpl { file: module.file.clone(), name: name.clone(), file_of_type });
                }
            }
        }
        found
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
        for OutsideImpl { file, name, file_of_type } in self.outside_impls() {
            found.entry(file.clone()).or_default().insert(file_of_type.clone());
            if !self.excused.contains(&(file.clone(), name)) {
                found.entry(file_of_type).or_default().insert(file);
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
        None if path.is_empty() => String::new(),
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
            // `use<'a>` in a type names what it captures.
            "use" if word(at + 1) != "<" => {
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
            "impl" if depth == base && is_item(at.checked_sub(1).map(word)) => {
                module.implemented.extend(implemented_type(&tokens[at + 1..]));
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

/// Whether an item can begin behind a token.
fn is_item(before: Option<&str>) -> bool {
    before.is_none_or(|before| matches!(before, "{" | "}" | ";" | "unsafe"))
}

/// The path of the type that an `impl` block is for, given the tokens behind `impl`; `None` for a tuple or a slice.
fn implemented_type(tokens: &[String]) -> Option<Vec<String>> {
    let (mut path, mut depth, mut is_path) = (Vec::new(), 0, true);
    for (at, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "<" => depth += 1,
            // The arrow of a function in a bound closes nothing.
            ">" if at > 0 && tokens[at - 1] != "-" => depth -= 1,
            _ if depth > 0 => {}
            "{" | "where" => break,
            // What stood before was a trait.
            "for" => (path, is_path) = (Vec::new(), true),
            "&" | "mut" | "dyn" | "::" => {}
            name if is_path && is_name(name) => path.push(name.to_owned()),
            _ => is_path = false,
        }
    }
    Some(path).filter(|path| !path.is_empty())
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

/// The module whose names a `use` that ends with `*` imports; `None` outside the crate.
fn module_of(
    modules: &BTreeMap<ModulePath, Module>,
    within: &ModulePath,
    path: &[String],
) -> Option<ModulePath> {
    let mut own = within.clone();
    for name in path.iter().take_while(|name| *name != "*") {
        match name.as_str() {
            "crate" => own.clear(),
            "self" => {}
            "super" => drop(own.pop()),
            name => own.push(name.to_owned()),
        }
    }
    modules.contains_key(&own).then_some(own)
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
            let knows = |module: &ModulePath| {
                let is_child = modules.contains_key(&[module.as_slice(), &[name.to_owned()]].concat());
                let module = &modules[module];
                let is_import =
                    module.imports.iter().any(|import| import.name == name && import.path != path);
                is_child || is_import || module.definitions.contains(name)
            };
            if !knows(&own) {
                let globs = modules[&own].imports.iter().filter(|import| import.name == "*");
                let mut opened = globs.filter_map(|glob| module_of(modules, &own, &glob.path));
                let other = opened.find(|module| knows(module))?;
                return file_of(modules, &other, path, detours + 1);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(files: &[(&str, &str)]) -> Crate {
        let files = files.iter().map(|(file, source)| ((*file).to_owned(), (*source).to_owned())).collect();
        Crate::read(&files)
    }

    fn arrows(own: &Crate) -> Vec<String> {
        let found = own.dependencies();
        found.iter().flat_map(|(from, to)| to.iter().map(move |to| format!("{from} → {to}"))).collect()
    }

    fn check(files: &[(&str, &str)], expected: &[&str]) {
        assert_eq!(arrows(&read(files)), expected);
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
    fn an_impl_outside_the_file_of_its_type_counts_both_ways() {
        let files = [
            ("lib.rs", "mod far; mod near; mod traits; mod types; pub use types::Plain;"),
            ("far.rs", "use super::*; impl Plain { fn f(other: impl Fn(Plain) -> Plain) -> impl Sized {} }"),
            (
                "near.rs",
                "struct Own; impl Own {} impl From<Own> for u8 {} fn f() { impl Own {} } impl<T> [T] {}",
            ),
            (
                "traits.rs",
                "use crate::types; trait Trait<T> {} macro_rules! all { () => { impl Trait<u8> for $name {} } }\n\
                 impl<F: Fn(u8) -> u8> Trait<F> for types::Generic<F> where F: Clone {}",
            ),
            (
                "types.rs",
                "pub struct Plain; pub struct Generic<F>(F); impl Plain {} #[cfg(test)] mod tests { impl Own {} }",
            ),
        ];
        check(
            &files,
            &[
                "far.rs → lib.rs",
                "far.rs → types.rs",
                "traits.rs → types.rs",
                "types.rs → far.rs",
                "types.rs → traits.rs",
            ],
        );
        let pair = |file: &str, name: &str| (file.to_owned(), name.to_owned());
        let own = read(&files);
        let blocks = BTreeSet::from([pair("far.rs", "Plain"), pair("traits.rs", "Generic")]);
        assert_eq!(own.impls_outside(), blocks);
        let excused = own.excusing(BTreeSet::from([pair("far.rs", "Plain")]));
        let expected =
            ["far.rs → lib.rs", "far.rs → types.rs", "traits.rs → types.rs", "types.rs → traits.rs"];
        assert_eq!(arrows(&excused), expected);
    }

    #[test]
    fn the_root_of_a_program_is_its_main_file() {
        check(
            &[
                ("main.rs", "mod one; mod two;"),
                ("one.rs", "use crate::two::Two;"),
                ("two.rs", "pub struct Two; fn f() { crate::one::f() }"),
            ],
            &["one.rs → two.rs", "two.rs → one.rs"],
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
