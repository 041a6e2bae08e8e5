//! The header of an engine file that says what made its weights.
//!
//! Each line begins with `#: tune:`. A new run replaces them. A first line `#:schema FILE` is for editors, which
//! look for it there, and stays the first.

use anyhow::{Context as _, Result};
use sha2::{Digest, Sha256};
use std::{env, fmt::Write, fs, path::Path};
use tropism::eval::Registry;
use tropism::search::{BENCH_DEPTH, Control, bench};
use tropism_program::Context;

const MARK: &str = "#:";

/// How a line of the header begins.
pub(crate) const HEADER: &str = "#: tune:";

/// How the line begins that names the schema of the file.
const SCHEMA: &str = "#:schema ";

/// What the default engine of a registry is called where other engines have the name of a file.
pub(crate) const BUILT_IN: &str = "built-in engine";

/// An engine file as text, so that its remarks are kept.
pub(crate) struct EngineFile {
    /// The whole text.
    pub(crate) text: String,
    /// The name for messages.
    pub(crate) name: String,
}

impl EngineFile {
    /// The file that the command line names, or the default engine.
    pub(crate) fn of(context: &Context) -> Result<EngineFile> {
        let Some(path) = &context.file else {
            let text = context.registry.default_file().to_owned();
            return Ok(EngineFile { text, name: BUILT_IN.to_owned() });
        };
        let name = path.display().to_string();
        Ok(EngineFile { text: fs::read_to_string(path).with_context(|| name.clone())?, name })
    }

    /// The hash of its text without the header, which does not change how it plays.
    pub(crate) fn sha256_of_engine(&self) -> String {
        let lines = self.text.split_inclusive('\n').filter(|line| !line.starts_with(HEADER));
        sha256(&lines.collect::<String>())
    }

    /// Its name and the hash of its text.
    pub(crate) fn identity(&self) -> String {
        format!("{}, SHA-256 {}", self.name, sha256(&self.text))
    }
}

/// What this process makes is made by: the day with the program, and the command line. Runs the bench of the default
/// engine of these terms.
pub(crate) fn made_by(registry: &Registry) -> Result<Vec<String>> {
    let date = chrono::Local::now().format("%Y-%m-%d");
    let words = env::args_os().skip(1).map(|word| word.display().to_string());
    Ok(vec![format!("{date}, {}", program(registry)?), command_line(&own_name(), words)])
}

/// The program as far as it decides how games are played: version and bench signature.
pub(crate) fn program(registry: &Registry) -> Result<String> {
    let nodes = bench(&registry.default_engine()?, BENCH_DEPTH, &Control::default())?.nodes;
    Ok(format!("tropism-lab {}, bench {nodes}", env!("CARGO_PKG_VERSION")))
}

/// The text of an engine file with a header of these facts in place of an earlier one.
pub(crate) fn with_header(text: &str, facts: &[String]) -> String {
    let first_line = text.find('\n').map_or(text.len(), |newline| newline + 1);
    let schema = if text.starts_with(SCHEMA) { first_line } else { 0 };
    let (schema, text) = text.split_at(schema);
    let mut new = schema.to_owned();
    for fact in facts {
        let _ = writeln!(new, "{HEADER} {fact}");
    }
    new.extend(text.split_inclusive('\n').skip_while(|line| line.starts_with(MARK)));
    new
}

/// What this program is called: an author's has another name.
pub(crate) fn own_name() -> String {
    let program = env::current_exe().unwrap_or_default();
    program.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// A command line on one line, with words in quotes where they need it.
pub(crate) fn command_line(program: &str, words: impl Iterator<Item = String>) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./\\=,:+@%~".contains(c);
    words.fold(program.to_owned(), |mut line, word| {
        line.push(' ');
        match word.as_str() {
            plain if !plain.is_empty() && plain.chars().all(is_plain) => line.push_str(plain),
            // In double quotes, a shell would replace what these begin.
            word if word.contains(['$', '`', '!']) => {
                let _ = write!(line, "'{}'", word.replace('\'', "'\\''"));
            }
            word => _ = write!(line, "\"{}\"", word.replace('"', "\\\"")),
        }
        line
    })
}

/// The command line of this program with these words and the engine of a context.
pub(crate) fn line_with_engine(words: &[&str], context: &Context) -> String {
    command_line(&own_name(), with_engine(words, context))
}

/// The words after the engine of a context.
pub(crate) fn with_engine(words: &[&str], context: &Context) -> impl Iterator<Item = String> {
    let engine =
        context.file.iter().flat_map(|path| ["--engine".to_owned(), path.display().to_string()]);
    engine.chain(words.iter().map(|&word| word.to_owned()))
}

/// The first 16 digits of the SHA-256 of a text or of a file, as `sha256sum` prints them.
pub(crate) fn sha256(bytes: &(impl AsRef<[u8]> + ?Sized)) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The hash of a program, which is looked for as the system does when it starts one; `unknown` if it cannot be read.
pub(crate) fn program_sha256(program: &Path) -> String {
    let folders = env::var_os("PATH").unwrap_or_default();
    let is_name = program.components().count() == 1;
    let folders = env::split_paths(&folders).filter(|_| is_name);
    let mut places = folders.map(|folder| folder.join(program)).chain([program.to_owned()]);
    let bytes = places.find_map(|path| fs::read(path).ok());
    bytes.map_or_else(|| "unknown".to_owned(), |bytes| sha256(&bytes))
}

/// The name of a file without its folder.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuned(text: &str, word: &str) -> String {
        with_header(text, &[word, "seed 1"].map(str::to_owned))
    }

    #[test]
    fn a_new_header_replaces_the_old_one() {
        let plain = "# remark\nname = 'x'\n#: not a header\n";
        let header = |word| format!("#: tune: {word}\n#: tune: seed 1\n");
        let first = tuned(plain, "a");
        assert_eq!(first, header("a") + plain);
        assert_eq!(tuned(&first, "b"), header("b") + plain);
        // The line for editors stays the first.
        let schema = "#:schema schema.json\n";
        assert_eq!(
            tuned(&format!("{schema}{first}"), "b"),
            format!("{schema}{}{plain}", header("b"))
        );
    }

    #[test]
    fn a_command_line_can_be_typed_again() {
        let words = ["tune", "my data.txt", "", "a=\"b c\"", "$x's", "x.toml"].map(str::to_owned);
        let line = command_line("tropism-lab", words.into_iter());
        let typed = r#"tropism-lab tune "my data.txt" "" "a=\"b c\"" '$x'\''s' x.toml"#;
        assert_eq!(line, typed);
    }

    #[test]
    fn the_hash_is_the_published_one() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(sha256("abc"), "ba7816bf8f01cfea");
    }
}
