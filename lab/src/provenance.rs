//! The header of an engine file that says what made its weights.
//!
//! Each line begins with `#: tune:`. A new run replaces them. A first line `#:schema FILE` is for editors, which
//! look for it there, and stays the first.

use anyhow::{Context as _, Result};
use sha2::{Digest, Sha256};
use std::{env, fmt::Write, fs, path::Path};
use tropism::{
    eval::Registry,
    search::{BENCH_DEPTH, Control, bench},
};
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

/// Which program made an engine file, when, and with which command.
#[derive(Clone, Debug)]
pub(crate) struct Provenance {
    /// The day, as 2026-11-22.
    pub(crate) date: String,
    /// Version, commit and bench signature.
    pub(crate) program: String,
    /// The command line.
    pub(crate) command: String,
}

impl Provenance {
    /// The provenance of what this process makes. Runs the bench of the default engine of these terms.
    pub(crate) fn of_this_process(registry: &Registry) -> Result<Provenance> {
        let (version, commit) = (env!("CARGO_PKG_VERSION"), env!("TROPISM_COMMIT"));
        let signature = signature(registry)?;
        Ok(Provenance {
            date: chrono::Local::now().format("%Y-%m-%d").to_string(),
            program: format!("tropism-lab {version}, commit {commit}, bench {signature}"),
            command: Provenance::command(),
        })
    }

    /// The command line of this process.
    pub(crate) fn command() -> String {
        let words = env::args_os().skip(1).map(|word| word.display().to_string());
        command_line(&own_name(), words)
    }

    /// The program as far as it decides how games are played: another commit with the same bench signature plays the
    /// same.
    pub(crate) fn play(registry: &Registry) -> Result<String> {
        Ok(format!("tropism-lab {}, bench {}", env!("CARGO_PKG_VERSION"), signature(registry)?))
    }

    /// The text of an engine file with a header of this provenance and more facts, in place of an earlier one.
    pub(crate) fn write_into(&self, text: &str, facts: &[String]) -> String {
        let first_line = text.find('\n').map_or(text.len(), |newline| newline + 1);
        let schema = if text.starts_with(SCHEMA) { first_line } else { 0 };
        let (schema, text) = text.split_at(schema);
        let body = text.split_inclusive('\n').skip_while(|line| line.starts_with(MARK));
        let Provenance { date, program, command } = self;
        let mut new = schema.to_owned();
        let own = [format!("{date}, {program}"), command.clone()];
        for fact in own.iter().chain(facts) {
            let _ = writeln!(new, "{HEADER} {fact}");
        }
        new.extend(body);
        new
    }
}

/// The signature of search and evaluation.
fn signature(registry: &Registry) -> Result<u64> {
    Ok(bench(&registry.default_engine()?, BENCH_DEPTH, &Control::default())?.nodes)
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

/// The first 16 digits of the SHA-256 of a text, as `sha256sum` prints them.
pub(crate) fn sha256(text: &str) -> String {
    sha256_of_bytes(text.as_bytes())
}

fn sha256_of_bytes(bytes: &[u8]) -> String {
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
    bytes.map_or_else(|| "unknown".to_owned(), |bytes| sha256_of_bytes(&bytes))
}

/// The name of a file without its folder.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provenance(command: &str) -> Provenance {
        Provenance {
            date: "2026-11-22".to_owned(),
            program: "tropism-lab 0.1.0, commit unknown, bench 1".to_owned(),
            command: command.to_owned(),
        }
    }

    #[test]
    fn a_new_header_replaces_the_old_one() {
        let facts = ["seed 1".to_owned()];
        let plain = "# remark\nname = 'x'\n#: not a header\n";
        let tuned = provenance("a").write_into(plain, &facts);
        let program = "2026-11-22, tropism-lab 0.1.0, commit unknown, bench 1";
        let tune = |word| format!("#: tune: {program}\n#: tune: {word}\n#: tune: seed 1\n");
        assert_eq!(tuned, tune("a") + plain);
        assert_eq!(provenance("b").write_into(&tuned, &facts), tune("b") + plain);
    }

    #[test]
    fn the_line_for_editors_stays_the_first() {
        let plain = "#:schema schema.json\n# remark\nname = 'x'\n";
        let (schema, rest) = plain.split_at(plain.find("# remark").unwrap());
        let tuned = provenance("a").write_into(plain, &[]);
        assert_eq!(tuned, schema.to_owned() + &provenance("a").write_into(rest, &[]));
        let again = provenance("b").write_into(&tuned, &[]);
        assert_eq!(again, schema.to_owned() + &provenance("b").write_into(rest, &[]));
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
