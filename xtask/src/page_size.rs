//! The size of the page's WebAssembly: what a first visit loads, and all of it. Both have a budget, and the size when it
//! was last reviewed is on record, so that growth shows.

use std::fmt;
use std::fs;

use anyhow::{Context, Result, bail};

use crate::page_files::Files;
use crate::page_parts;
use crate::project::Project;

/// The size when it was last reviewed.
const RECORD: &str = "web/wasm-size.txt";
/// Growth since then that fails the check, in per cent.
const UNSEEN_GROWTH: usize = 5;

/// What has a budget: its name, the budget for its compressed size in bytes, and what it is in words.
const BUDGETS: [(&str, usize, &str); 2] = [
    // Half a second at 20 Mbit/s, and as long again to compile it on a slow machine.
    ("first", 1_400_000, "what a first visit loads"),
    // A little more than a second at 20 Mbit/s, most of it while the first page is looked at. A team's pages take 40 KB, and
    // a game 15 to 50.
    ("whole", 2_800_000, "the whole page"),
];

/// The size of a module, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WasmSize {
    raw: usize,
    gzip: usize,
}

impl WasmSize {
    /// The size of a module among compressed files.
    pub(crate) fn of(files: &Files, name: &str) -> Result<Self> {
        let length = |name: &str| {
            let file = files.get(name).with_context(|| format!("the page has no {name}"))?;
            anyhow::Ok(file.len())
        };
        Ok(Self { raw: length(name)?, gzip: length(&format!("{name}.gz"))? })
    }
}

impl fmt::Display for WasmSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} KB, {:.1} KB gzip", self.raw as f64 / 1e3, self.gzip as f64 / 1e3)
    }
}

/// The sizes of the page's modules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PageSize {
    /// What every visit loads.
    first: WasmSize,
    /// The parts that are loaded later, by their paths.
    parts: Vec<(String, WasmSize)>,
}

impl PageSize {
    /// The sizes of the page among compressed files, whose main module has a name.
    pub(crate) fn of(files: &Files, main: &str) -> Result<Self> {
        let names = files.keys().filter(|name| page_parts::part_id(name).is_some());
        let parts = names.map(|name| Ok((name.clone(), WasmSize::of(files, name)?)));
        Ok(Self { first: WasmSize::of(files, main)?, parts: parts.collect::<Result<_>>()? })
    }

    /// Prints the sizes, and compares them with the record and the budgets; `writes` writes the record instead.
    pub(crate) fn check(&self, project: &Project, toolchain: &str, writes: bool) -> Result<()> {
        let path = project.path(RECORD);
        let mut record = fs::read_to_string(&path).unwrap_or_default();
        let mut faults = Vec::new();
        for (what, budget, words) in BUDGETS {
            let now = self.bytes(what);
            let was = recorded(&record, toolchain, what);
            let compared = match was {
                Some(was) => format!("was {was}, {:+}", now as i64 - was as i64),
                None => "not recorded yet".to_owned(),
            };
            println!("wasm, {words}: {now} bytes gzip ({compared}); the budget is {budget}");
            if writes {
                record = with_record(&record, toolchain, what, now);
            } else if was.is_some_and(|was| grew(was, now)) {
                faults.push(format!(
                    "The WebAssembly of {words} grew by more than {UNSEEN_GROWTH} %: see what it grew by, and if it \
                     is worth that, record it with `cargo xtask check --record`."
                ));
            }
            if now > budget {
                faults
                    .push(format!("The WebAssembly of {words} is over its budget: {now} of {budget} bytes."));
            }
        }
        if writes {
            fs::write(&path, record).with_context(|| format!("can't write {}", path.display()))?;
        }
        if !faults.is_empty() {
            bail!(faults.join("\n"));
        }
        Ok(())
    }

    /// The compressed size of what has a budget.
    fn bytes(&self, what: &str) -> usize {
        let parts = self.parts.iter().filter(|_| what == "whole").map(|(_, size)| size.gzip);
        self.first.gzip + parts.sum::<usize>()
    }
}

impl fmt::Display for PageSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the page {}", self.first)?;
        self.parts.iter().try_for_each(|(name, size)| write!(f, "\n  {name} {size}"))
    }
}

fn grew(was: usize, now: usize) -> bool {
    now * 100 > was * (100 + UNSEEN_GROWTH)
}

/// A recorded size. The record has a line for each toolchain and budget: their names and the bytes.
fn recorded(record: &str, toolchain: &str, what: &str) -> Option<usize> {
    let start = format!("{toolchain} {what} ");
    record.lines().find_map(|line| line.strip_prefix(&start)?.trim().parse().ok())
}

fn with_record(record: &str, toolchain: &str, what: &str, bytes: usize) -> String {
    let start = format!("{toolchain} {what} ");
    let others = record.lines().filter(|line| !line.starts_with(&start)).map(str::to_owned);
    let mut lines: Vec<String> = others.chain([format!("{start}{bytes}")]).collect();
    lines.sort();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_looked_at_before_it_is_let_through() {
        assert!(!grew(100_000, 90_000) && !grew(100_000, 105_000));
        assert!(grew(100_000, 105_001));
    }

    #[test]
    fn each_toolchain_and_budget_has_its_own_record() {
        let mut record = String::new();
        for (toolchain, what, bytes) in
            [("target", "whole", 148_600), ("target", "first", 100), ("debian", "whole", 144_000)]
        {
            record = with_record(&record, toolchain, what, bytes);
        }
        record = with_record(&record, "target", "whole", 150_000);
        assert_eq!(record, "debian whole 144000\ntarget first 100\ntarget whole 150000\n");
        assert_eq!(recorded(&record, "target", "whole"), Some(150_000));
        assert_eq!(recorded(&record, "target", "first"), Some(100));
        assert_eq!(recorded(&record, "debian", "first"), None);
    }

    #[test]
    fn a_first_visit_loads_no_part() {
        let sizes =
            [("page_bg.wasm", 5), ("page_bg.wasm.gz", 2), ("parts/a-1.wasm", 30), ("parts/a-1.wasm.gz", 10)];
        let files: Files = sizes.map(|(name, bytes)| (name.to_owned(), vec![0; bytes])).into();
        let size = PageSize::of(&files, "page_bg.wasm").unwrap();
        assert_eq!((size.bytes("first"), size.bytes("whole")), (2, 12));
        assert!(PageSize::of(&files, "other.wasm").is_err());
    }
}
