//! The viewer in one file: a page that opens from disk, with room for recordings.
//!
//! `trailbrake export --format html` and the page's Share put recordings into it (`shared::export::single_file`).

use anyhow::{Context, Result, bail};
use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::Compression;
use sha2::{Digest, Sha256};

use crate::page_files::{self, Files};
use crate::project::Project;
use crate::web;

/// Its name beside the page's files.
pub(crate) const NAME: &str = "viewer.html";
/// What loads the later parts of the page's module.
const SPLITTER: &str = "__wasm_split.js";
/// What starts the app there.
const LOADER: &str = "web/viewer/single_file.js";

/// The lines of `index.html` that name other files.
const ICON: &str = r#"<link rel="icon" href="icon.svg" type="image/svg+xml">"#;
const THEME: &str = r#"<script src="theme.js"></script>"#;
const STYLE: &str = r#"<link rel="stylesheet" href="style.css">"#;
/// What the style sheet calls the font.
const FONT: &str = r#"url("inter.woff2")"#;
const BOOT: &str = r#"<script type="module" src="boot.js"></script>"#;
const CHARSET: &str = r#"<meta charset="utf-8">"#;
const END: &str = "</body>";
/// Where recordings are put, as `shared::export::single_file` finds it.
const ROOM: &str = "<!-- recordings -->";

/// Makes the file of the page's other files.
pub(crate) fn make(project: &Project, files: &Files, compression: Compression) -> Result<String> {
    let loader = std::fs::read_to_string(project.path(LOADER))?;
    let text = |name: &str| page_files::text_of(files, name);
    let (splitter, names) = without_fetching(&text(SPLITTER)?)?;
    let bindings = without_import(&text("trailbrake_web.js")?, &names)?;
    let script = format!("{splitter}\n{bindings}\n{}\n{loader}", text("begin.js")?);
    let packed = |name: &str| {
        let module = files.get(name).with_context(|| format!("the page has no {name}"))?;
        anyhow::Ok(BASE64_STANDARD.encode(page_files::gzip(module, compression)?))
    };
    let mut modules = vec![("module".to_owned(), packed("trailbrake_web_bg.wasm")?)];
    for name in files.keys().filter(|name| web::is_part(name)) {
        modules.push((name.trim_end_matches(".wasm").to_owned(), packed(name)?));
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

/// The script that loads the page's later parts, taking them from the file itself, and what it defines.
fn without_fetching(splitter: &str) -> Result<(String, Vec<String>)> {
    let own = splitter
        .replace(r#"import { initSync } from "./trailbrake_web.js";"#, "")
        .replace("export const ", "const ")
        .replace(r#"fetch(new URL("./"#, r#"unpack(""#)
        .replace(r#".wasm", import.meta.url))"#, r#"")"#);
    if own.contains("import {") || own.contains("import.meta") {
        bail!("{SPLITTER} imports what the file does not have");
    }
    let defined = splitter.lines().filter_map(|line| line.strip_prefix("export const ")?.split(' ').next());
    Ok((own, defined.map(str::to_owned).collect()))
}

/// The bindings, which take `names` from the same script instead of another file. They import it once for each.
fn without_import(bindings: &str, names: &[String]) -> Result<String> {
    let from = format!(" from \"./{SPLITTER}\"");
    let whole = format!("= {{ {} }};", names.join(", "));
    let mut own = String::new();
    for line in bindings.lines() {
        match line.strip_prefix("import * as ").and_then(|rest| rest.split_once(&from)) {
            Some((name, _)) => own.push_str(&format!("const {name} {whole}")),
            None => own.push_str(line),
        }
        own.push('\n');
    }
    if own.contains(&from) {
        bail!("the bindings import {SPLITTER} in another way than expected");
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
    let mut page = index.clone();
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
        // The digest of `alert(1)`, from another tool.
        assert!(page.contains("'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"), "{page}");
        assert!(!page.contains("unsafe-inline"), "{page}");
        assert_eq!(page.matches(ROOM).count(), 1);
    }

    #[test]
    fn a_part_that_would_end_its_element_is_refused() {
        let script = "'</SCRIPT>'".to_owned();
        assert!(enclose(&Parts { script, ..parts() }).is_err());
        let index = "<html></html>".to_owned();
        assert!(enclose(&Parts { index, ..parts() }).is_err());
    }
}
