//! The page as files: one that holds everything, and a folder whose module is a file of its own.

use anyhow::{Context, Result};
use data_encoding::BASE64;
use flate2::{Compression, write::GzEncoder};
use std::{fs, io::Write, path::Path};
use wasm_bindgen_cli_support::Bindgen;

/// The module in the folder. Web hosts compress it better than this program could.
pub(crate) const MODULE: &str = "tropism.wasm";

/// The scripts of the page, each after those that it needs.
const SCRIPTS: [&str; 17] = [
    "state", "tree", "board", "moves", "engine", "earlier", "panels", "words", "editor", "terms",
    "setup", "link", "search", "coach", "review", "lessons", "main",
];

/// The files of the page.
pub(crate) struct Files {
    /// The page in one file.
    pub(crate) one_file: String,
    /// The page of the folder.
    pub(crate) index: String,
    /// The module of the folder.
    pub(crate) module: Vec<u8>,
}

impl Files {
    /// Makes the files of a module as the compiler writes it.
    pub(crate) fn new(wasm: Vec<u8>) -> Result<Files> {
        let mut bindgen = Bindgen::new();
        bindgen.input_bytes("tropism", wasm).typescript(false).no_modules(true)?;
        bindgen.remove_name_section(true).remove_producers_section(true);
        let mut output = bindgen.generate_output()?;
        let module = output.wasm_mut().emit_wasm();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&module)?;
        let index = page(output.js())?;
        let one_file = index.replacen("{{module}}", &BASE64.encode(&encoder.finish()?), 1);
        Ok(Files { one_file, index: index.replacen("{{module}}", "", 1), module })
    }
}

/// The page without its module: one file, so that it also works from a disk, where a page reads no other.
fn page(bindings: &str) -> Result<String> {
    let mut page = part("index.html")?;
    let pieces_css = fs::read_to_string(folder().join("../../coach/templates/pieces.css"))?;
    let scripts = SCRIPTS.map(|name| part(&format!("{name}.js")));
    let scripts = scripts.into_iter().collect::<Result<String>>()?;
    let fillings = [
        ("icon", BASE64.encode(part("icon.svg")?.as_bytes())),
        ("style", part("style.css")? + &pieces_css),
        ("pieces", tropism_coach::piece_symbols()),
        ("guides", part("guides.json")?),
        ("bindings", bindings.to_owned()),
        ("compile", part("compile.js")?),
        ("worker", part("worker.js")?),
        ("scripts", joined(&scripts)),
    ];
    for (name, filling) in fillings {
        page = page.replacen(&format!("{{{{{name}}}}}"), &filling, 1);
    }
    Ok(page)
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/static"))
}

fn part(name: &str) -> Result<String> {
    let path = folder().join(name);
    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

/// The scripts as one: a browser loads many more slowly. Their names are all different.
fn joined(scripts: &str) -> String {
    let lines = scripts.lines().filter(|line| !line.starts_with("import "));
    lines.map(|line| line.strip_prefix("export ").unwrap_or(line).to_owned() + "\n").collect()
}
