//! The viewer in one file: a page that opens from disk, with room for recordings.
//!
//! `trailbrake export --format html` and the page's Share put recordings into it (`shared::export::single_file`).

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::Compression;
use sha2::{Digest, Sha256};

use crate::page_files::{self, Files};
use crate::page_parts::{self, LOADER};
use crate::project::Project;

/// Its name beside the page's files.
pub(crate) const NAME: &str = "viewer.html";
/// What starts the app there.
const START: &str = "web/viewer/single_file.js";

/// The lines of `index.html` that name other files.
const ICON: &str = r#"<link rel="icon" href="icon.svg" type="image/svg+xml">"#;
const THEME: &str = r#"<script src="theme.js"></script>"#;
const STYLE: &str = r#"<link rel="stylesheet" href="style.css">"#;
/// What the style sheet calls the font.
const FONT: &str = r#"url("inter.woff2")"#;
/// How lines begin there that ask for other files early.
const EARLY: [&str; 2] = [r#"<link rel="modulepreload""#, r#"<link rel="preload""#];
const BOOT: &str = r#"<script type="module" src="boot.js"></script>"#;
const CHARSET: &str = r#"<meta charset="utf-8">"#;
const END: &str = "</body>";
/// Where recordings are put, as `shared::export::single_file` finds it.
const ROOM: &str = "<!-- recordings -->";

/// Makes the file of the page's other files, but for some parts that it never needs.
pub(crate) fn make(
    project: &Project,
    files: &Files,
    left_out: &BTreeSet<&str>,
    compression: Compression,
) -> Result<String> {
    let start = std::fs::read_to_string(project.path(START))?;
    let text = |name: &str| page_files::text_of(files, name);
    let (loader, names) = without_fetching(&text(LOADER)?)?;
    let bindings = without_import(&text("trailbrake_web.js")?, &names)?;
    let script = format!("{loader}\n{bindings}\n{}\n{start}", text("begin.js")?);
    let packed = |name: &str| {
        let module = files.get(name).with_context(|| format!("the page has no {name}"))?;
        anyhow::Ok(BASE64_STANDARD.encode(page_files::gzip(module, compression)?))
    };
    let mut modules = vec![("module".to_owned(), packed("trailbrake_web_bg.wasm")?)];
    for path in files.keys().filter(|path| !left_out.contains(path.as_str())) {
        if let Some(id) = page_parts::part_id(path) {
            modules.push((id.to_owned(), packed(path)?));
        }
    }
    let font = files.get("inter.woff2").context("the page has no font")?;
    enclose(&Parts {
        index: text("index.html")?,
        icon: text("icon.svg")?,
        theme: text("theme.js")?,
        style: with_font(&text("style.css")?, font)?,
        licences: text("licences.txt")?,
        modules,
        script,
    })
}

/// The loader of the page's parts, taking them from the file itself, and the names that it defines.
fn without_fetching(loader: &str) -> Result<(String, Vec<String>)> {
    let mut own = String::new();
    let mut names = Vec::new();
    for line in loader.lines() {
        if line == r#"import { initSync } from "./trailbrake_web.js";"# {
            continue;
        }
        let line = match line.strip_prefix("export const ") {
            Some(definition) => {
                names.extend(definition.split(' ').next().map(str::to_owned));
                format!("const {definition}")
            }
            None => line.to_owned(),
        };
        let fetched = line.split_once(r#"fetch(new URL("./"#).and_then(|(before, rest)| {
            let (path, after) = rest.split_once(r#"", import.meta.url))"#)?;
            Some(format!("{before}unpack(\"{}\"){after}", page_parts::part_id(path)?))
        });
        own.push_str(&fetched.unwrap_or(line));
        own.push('\n');
    }
    if ["import ", "import.meta", "fetch(", "export "].iter().any(|other| own.contains(other)) {
        bail!("{LOADER} takes from other files in another way than expected");
    }
    Ok((own, names))
}

/// The bindings, which take `names` from the same script instead of from the loader. They import it once for each.
fn without_import(bindings: &str, names: &[String]) -> Result<String> {
    let from = format!(" from \"./{LOADER}\"");
    let all = format!("= {{ {} }};", names.join(", "));
    let mut own = String::new();
    for line in bindings.lines() {
        match line.strip_prefix("import * as ").and_then(|rest| rest.split_once(&from)) {
            Some((name, _)) => own.push_str(&format!("const {name} {all}")),
            None => own.push_str(line),
        }
        own.push('\n');
    }
    if own.contains(&from) {
        bail!("the bindings import {LOADER} in another way than expected");
    }
    Ok(own)
}

/// The style sheet with the font inside.
fn with_font(style: &str, font: &[u8]) -> Result<String> {
    if style.matches(FONT).count() != 1 {
        bail!("style.css does not have {FONT} once");
    }
    let inside = format!("url(\"data:font/woff2;base64,{}\")", BASE64_STANDARD.encode(font));
    Ok(style.replacen(FONT, &inside, 1))
}

/// What the file is made of.
struct Parts {
    index: String,
    icon: String,
    theme: String,
    style: String,
    licences: String,
    /// The modules by the names of their elements.
    modules: Vec<(String, String)>,
    script: String,
}

fn enclose(parts: &Parts) -> Result<String> {
    let Parts { index, icon, theme, style, licences, modules, script } = parts;
    for (text, end) in [(theme, "</script"), (script, "</script"), (style, "</style"), (licences, "</script")]
    {
        if text.to_ascii_lowercase().contains(end) {
            bail!("a part of {NAME} contains {end}, which would end its element");
        }
    }
    let policy = format!(
        "default-src 'none'; script-src {} {} 'wasm-unsafe-eval'; style-src {}; img-src data: blob:; font-src data:; media-src data: blob:; \
         base-uri 'none'; form-action 'none'",
        hash(theme),
        hash(script),
        hash(style)
    );
    let head = format!(
        "{CHARSET}\n  <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n  \
         <meta name=\"trailbrake-relay\" content=\"none\">"
    );
    let icon = format!(
        r#"<link rel="icon" href="data:image/svg+xml;base64,{}" type="image/svg+xml">"#,
        BASE64_STANDARD.encode(icon)
    );
    let modules: Vec<String> = modules
        .iter()
        .map(|(name, code)| format!("<script type=\"text/plain\" id=\"{name}\">{code}</script>"))
        .collect();
    let modules = modules.join("\n  ");
    let rest = format!(
        "<script type=\"text/plain\" id=\"licences\">{licences}</script>\n  \
         {modules}\n  {ROOM}\n  \
         <script type=\"module\">{script}</script>\n{END}"
    );
    let is_early = |line: &str| EARLY.iter().any(|early| line.trim_start().starts_with(early));
    let lines = index.split_inclusive('\n').filter(|line| !is_early(line));
    let mut page: String = lines.collect();
    for (line, with) in [
        (CHARSET, head),
        (ICON, icon),
        (THEME, format!("<script>{theme}</script>")),
        (STYLE, format!("<style>{style}</style>")),
        (BOOT, String::new()),
        (END, rest),
    ] {
        if page.matches(line).count() != 1 {
            bail!("index.html does not have {line} once");
        }
        page = page.replacen(line, &with, 1);
    }
    Ok(page)
}

/// A text as the policy names it.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> Parts {
        let index = std::fs::read_to_string(Project::locate().unwrap().path("index.html")).unwrap();
        let text = str::to_owned;
        Parts {
            index,
            icon: text("<svg/>"),
            theme: text("alert(1)"),
            style: text("a{}"),
            licences: text("MIT"),
            modules: vec![("module".to_owned(), text("AGFzbQ=="))],
            script: text("await begin()"),
        }
    }

    #[test]
    fn the_font_is_in_the_file() {
        let style = with_font("@font-face { src: url(\"inter.woff2\") format(\"woff2\") }", b"wOF2").unwrap();
        assert_eq!(style, "@font-face { src: url(\"data:font/woff2;base64,d09GMg==\") format(\"woff2\") }");
        assert!(with_font("a{}", b"wOF2").is_err());
        let own = page_files::one_style_sheet(&Project::locate().unwrap().path("web/style")).unwrap();
        with_font(&String::from_utf8(own).unwrap(), b"wOF2").unwrap();
    }

    #[test]
    fn the_file_names_no_other_file_and_allows_only_its_own_scripts() {
        let page = enclose(&parts()).unwrap();
        assert!(!page.contains("src=\"") && !page.contains("href=\"style"), "{page}");
        assert!(!page.contains("preload") && !page.contains("_bg.wasm"), "{page}");
        // The digest of `alert(1)`, from another tool.
        assert!(page.contains("'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"), "{page}");
        assert!(!page.contains("unsafe-inline"), "{page}");
        assert_eq!(page.matches(ROOM).count(), 1);
    }

    #[test]
    fn parts_come_from_the_file_itself() {
        let loader = r#"import { initSync } from "./trailbrake_web.js";
const __chunk_5 = makeLoad(() => {
    const src = fetch(new URL("./parts/chunk_5-01.wasm", import.meta.url));
}, []);
export const __wasm_split_load_analyse = wrapAsyncCb(makeLoad(() => {
    const src = fetch(new URL("./parts/analyse-02.wasm", import.meta.url));
}, [__chunk_5]));
"#;
        let (own, names) = without_fetching(loader).unwrap();
        assert_eq!(names, ["__wasm_split_load_analyse"]);
        let wanted = r#"const __chunk_5 = makeLoad(() => {
    const src = unpack("chunk_5-01");
}, []);
const __wasm_split_load_analyse = wrapAsyncCb(makeLoad(() => {
    const src = unpack("analyse-02");
}, [__chunk_5]));
"#;
        assert_eq!(own, wanted);
        for other in [r#"import { a } from "./b.js";"#, r#"fetch("./parts/a-1.wasm")"#, "export { a };"] {
            assert!(without_fetching(other).is_err(), "{other}");
        }
    }

    #[test]
    fn the_loader_is_in_the_same_script_as_the_bindings() {
        let names = ["__wasm_split_load_a".to_owned(), "__wasm_split_load_b".to_owned()];
        let bindings = "import * as import1 from \"./__wasm_split.js\"\nlet wasm;\n";
        let own = without_import(bindings, &names).unwrap();
        assert_eq!(own, "const import1 = { __wasm_split_load_a, __wasm_split_load_b };\nlet wasm;\n");
        assert!(without_import("import { a } from \"./__wasm_split.js\";", &names).is_err());
    }

    #[test]
    fn every_module_is_an_element() {
        let modules =
            vec![("module".to_owned(), "AA==".to_owned()), ("analyse-02".to_owned(), "AQ==".to_owned())];
        let page = enclose(&Parts { modules, ..parts() }).unwrap();
        for element in [r#"id="module">AA==<"#, r#"id="analyse-02">AQ==<"#] {
            assert_eq!(page.matches(element).count(), 1, "{element}");
        }
    }

    #[test]
    fn a_part_that_would_end_its_element_is_refused() {
        let script = "'</SCRIPT>'".to_owned();
        assert!(enclose(&Parts { script, ..parts() }).is_err());
        let index = "<html></html>".to_owned();
        assert!(enclose(&Parts { index, ..parts() }).is_err());
    }
}
