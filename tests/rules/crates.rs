//! Between crates, dependencies point down: to `shared`, and from its layers to those below.

use crate::tree;

/// What only tests use.
const FOR_TESTS: [&str; 2] = ["trailbrake-captures", "trailbrake-sink"];

/// A layer of `shared`, which is a crate.
pub(crate) struct Layer {
    /// Its folder, such as `shared/model`.
    pub(crate) folder: String,
    /// The layers that it depends on, such as `model`.
    below: Vec<String>,
}

impl Layer {
    fn name(&self) -> &str {
        self.folder.trim_start_matches("shared/")
    }
}

/// The layers of `shared` as ARCHITECTURE.md lists them, bottom first.
pub(crate) fn layers() -> Vec<Layer> {
    let page = tree::text("ARCHITECTURE.md");
    let layer = |line: &str| {
        let mut cells = line.strip_prefix("| `shared/")?.split('|');
        let name = cells.next()?.trim().trim_end_matches('`');
        let below = cells.next()?.split(',').map(|name| name.trim().trim_matches('`').to_owned());
        let below = below.filter(|name| !name.is_empty()).collect();
        (!name.is_empty()).then(|| Layer { folder: format!("shared/{name}"), below })
    };
    let layers: Vec<Layer> = page.lines().filter_map(layer).collect();
    assert!(layers.len() > 5, "ARCHITECTURE.md lists the layers of `shared`");
    layers
}

/// Every Rust file of `shared` that is no integration test, with its text.
pub(crate) fn sources_of_shared() -> Vec<(std::path::PathBuf, String)> {
    let layers = layers().into_iter().map(|layer| layer.folder);
    let all = layers.chain(["shared".to_owned()]);
    all.flat_map(|folder| tree::sources(&format!("{folder}/src"))).collect()
}

/// A section of a manifest.
fn section(folder: &str, name: &str) -> String {
    let manifest = tree::text(format!("{folder}/Cargo.toml"));
    let behind = manifest.split(&format!("[{name}]\n")).nth(1).unwrap_or_default();
    behind.split("\n[").next().unwrap_or_default().to_owned()
}

/// The project's own crates that some lines of a manifest name.
fn own_crates(manifest: &str) -> Vec<String> {
    manifest
        .lines()
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| name.starts_with("trailbrake-") || *name == "xtask")
        .map(str::to_owned)
        .collect()
}

/// The project's own crates that a manifest depends on, for the program or for tests.
fn own_dependencies(folder: &str) -> Vec<String> {
    own_crates(&tree::text(format!("{folder}/Cargo.toml")))
}

fn check(folder: &str, allowed: &[&str]) {
    let wrong: Vec<_> =
        own_dependencies(folder).into_iter().filter(|name| !allowed.contains(&name.as_str())).collect();
    assert!(wrong.is_empty(), "{folder} must not depend on {wrong:?}");
}

#[test]
fn arrows_between_crates_point_down() {
    check("xtask", &[]);
    for helper in ["tests/isolation", "tests/captures"] {
        check(helper, &[]);
    }
    check("tests/sink", &["trailbrake-model"]);
    for above in ["web", "tests/hot_loops"] {
        check(above, &["trailbrake-shared"]);
    }
    // Both isolate tests.
    for above in ["relay", "tests"] {
        check(above, &["trailbrake-isolation", "trailbrake-shared"]);
    }
    check("fuzz", &["trailbrake-relay", "trailbrake-shared", "trailbrake-web"]);
    assert_eq!(own_dependencies("web"), ["trailbrake-shared"], "the reader of manifests sees dependencies");
}

#[test]
fn the_layers_of_shared_depend_on_those_that_the_table_lists() {
    let layers = layers();
    let package = |name: &str| format!("trailbrake-{name}");
    for (place, layer) in layers.iter().enumerate() {
        let lower: Vec<String> = layers.iter().take(place).map(|layer| package(layer.name())).collect();
        let mut listed: Vec<String> = layer.below.iter().map(|name| package(name)).collect();
        assert!(listed.iter().all(|name| lower.contains(name)), "{}: {listed:?} stand below", layer.folder);
        listed.sort();
        let used = own_crates(&section(&layer.folder, "dependencies"));
        assert_eq!(used, listed, "what {} depends on", layer.folder);
        let mut for_tests = own_crates(&section(&layer.folder, "dev-dependencies")).into_iter();
        let higher = for_tests.find(|name| !lower.contains(name) && !FOR_TESTS.contains(&name.as_str()));
        assert_eq!(higher, None, "what the tests of {} depend on", layer.folder);
    }
}

#[test]
fn shared_names_every_layer() {
    let mut layers: Vec<String> =
        layers().iter().map(|layer| format!("trailbrake-{}", layer.name())).collect();
    layers.sort();
    assert_eq!(own_crates(&section("shared", "dependencies")), layers);
    assert_eq!(own_crates(&section("shared", "dev-dependencies")), ["trailbrake-captures"]);
    let workspace = tree::text("Cargo.toml");
    let members = workspace.matches("\"shared/").count();
    assert_eq!(members, 2 * layers.len(), "each is a member and a dependency of the workspace");
}

#[test]
fn shared_depends_on_nothing_that_does_io() {
    let layers = layers().into_iter().map(|layer| layer.folder);
    for folder in layers.chain(["shared".to_owned()]) {
        let dependencies = section(&folder, "dependencies");
        assert!(!dependencies.is_empty(), "{folder} has dependencies");
        for forbidden in
            ["tokio", "axum", "web-sys", "js-sys", "wasm-bindgen", "socket2", "getrandom", "tracing"]
        {
            assert!(!dependencies.contains(forbidden), "{folder} must not depend on {forbidden}");
        }
    }
}

#[test]
fn every_crate_forbids_unsafe_code() {
    let layers = layers().into_iter().map(|layer| format!("{}/src/lib.rs", layer.folder));
    let others =
        ["shared/src/lib.rs", "relay/src/lib.rs", "relay/src/main.rs", "web/src/lib.rs", "xtask/src/main.rs"];
    for root in layers.chain(others.map(str::to_owned)) {
        assert!(tree::text(&root).contains("#![forbid(unsafe_code)]"), "{root}");
    }
}
