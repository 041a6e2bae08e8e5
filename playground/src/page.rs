//! The page as files: one that holds everything, and a folder whose module is a file of its own.

use anyhow::{Context, Result};
use data_encoding::BASE64;
use flate2::{Compression, write::GzEncoder};
use std::{fs, io::Write, path::Path};
use wasm_bindgen_cli_support::Bindgen;

/// The module in the folder. Web hosts compress it better than this program could.
pub(crate) const MODULE: &str = "tropism.wasm";

/// The scripts of the page, each with the names that others import it by.
const SCRIPTS: [&str; 17] = [
    "board", "coach", "earlier", "editor", "engine", "lessons", "link", "main", "moves", "panels",
    "review", "search", "setup", "state", "terms", "tree", "words",
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
    let mut imports = serde_json::Map::new();
    for name in SCRIPTS {
        let script = part(&format!("{name}.js"))?;
        imports.insert(format!("tropism/{name}"), data("text/javascript", &script).into());
    }
    let fillings = [
        ("icon", data("image/svg+xml", &part("icon.svg")?)),
        ("style", part("style.css")? + &pieces_css),
        ("pieces", tropism_coach::piece_symbols()),
        ("guides", part("guides.json")?),
        ("bindings", bindings.to_owned()),
        ("worker", part("worker.js")?),
        ("imports", serde_json::json!({ "imports": imports }).to_string()),
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

/// A text as an address.
fn data(kind: &str, text: &str) -> String {
    format!("data:{kind};base64,{}", BASE64.encode(text.as_bytes()))
}
