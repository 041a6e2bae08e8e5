//! `tropism words`.

use super::Context;
use anyhow::{Result, bail};
use clap::Args;
use console::Style;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use tropism::eval::{IDEAS, LIMITS, NOTES, vocabulary};
use tropism::text::{did_you_mean, wrapped};

/// Columns before the meaning of a word.
const INDENT: usize = 6;

/// List the words with which engine files write terms of their own.
#[derive(Args)]
pub struct Words {
    /// Show only what is about this text, by name, meaning or synonyms: pinned, isolated pawns.
    #[arg(value_name = "TEXT")]
    words: Vec<String>,
}

impl Words {
    pub fn run(self, _: Context) -> Result<()> {
        let wanted = (!self.words.is_empty()).then(|| self.words.join(" "));
        let text = listing(wanted.as_deref())?;
        Ok(io::stdout().lock().write_all(text.as_bytes())?)
    }
}

/// All words, or those that are about a text.
fn listing(name: Option<&str>) -> Result<String> {
    let mut sections = vocabulary();
    // What is wanted is the same word for either side.
    let plain =
        |name: &str| name.trim_start_matches("own.").trim_start_matches("enemy.").to_owned();
    if let Some(name) = name {
        sections.retain(|section| section.title != LIMITS);
        let wanted = plain(name);
        let of_ideas = sections.iter().filter(|section| section.title == IDEAS);
        let of_ideas = of_ideas.flat_map(|section| &section.rows).map(|row| &*row.usage);
        let names = sections.iter().flat_map(|section| &section.rows).map(|row| row.name());
        let names = names.chain(of_ideas.flat_map(|idea| idea.split([' ', ','])));
        let names: Vec<String> = names.map(str::to_owned).collect();
        for section in &mut sections {
            section.rows.retain(|row| row.is_about(&wanted));
        }
        sections.retain(|section| !section.rows.is_empty());
        if sections.is_empty() {
            let hint = did_you_mean(&wanted, names.iter().map(String::as_str));
            let hint = hint.unwrap_or_else(|| "`tropism words` lists all words".to_owned());
            bail!("no word is about {wanted:?}; {hint}");
        }
    }
    let bold = Style::new().bold();
    let mut text = String::new();
    for section in sections {
        let width = section.rows.iter().map(|row| row.usage.len()).max().unwrap_or(0);
        writeln!(text, "{}", bold.apply_to(section.title))?;
        for row in section.rows {
            let usage = format!("{:width$}", row.usage);
            writeln!(text, "  {}  {}", bold.apply_to(usage), row.value)?;
            write!(text, "{:INDENT$}", "")?;
            wrapped(&mut text, INDENT, INDENT, &row.doc)?;
        }
        text.push('\n');
    }
    for note in NOTES {
        wrapped(&mut text, 0, 0, note)?;
    }
    Ok(text)
}
