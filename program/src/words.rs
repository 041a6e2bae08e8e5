//! `tropism words`.

use super::Context;
use anyhow::{Result, bail};
use clap::Args;
use console::Style;
use std::{
    fmt::Write as _,
    io::{self, Write as _},
};
use tropism::{
    eval::{LIMITS, NOTES, vocabulary},
    text::{did_you_mean, wrapped},
};

/// Columns before the meaning of a word.
const INDENT: usize = 6;

/// List the words with which engine files write terms of their own.
#[derive(Args)]
pub struct Words {
    /// Show only the words that contain this text, in their name, meaning or synonyms: pinned, "open file".
    #[arg(value_name = "TEXT")]
    name: Option<String>,
}

impl Words {
    pub fn run(self, _: Context) -> Result<()> {
        let text = listing(self.name.as_deref())?;
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
        let names: Vec<String> = sections
            .iter()
            .flat_map(|section| section.rows.iter().map(|row| row.name().to_owned()))
            .collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_word_selects_the_words_that_contain_it() {
        let text = listing(Some("corner")).unwrap();
        for word in ["corner_distance(square)", "wrong_corner_distance(bishop, king)", "corners"] {
            assert!(text.contains(word), "{text}");
        }
        assert!(!text.contains("chebyshev") && !text.contains("Limits"), "{text}");
        assert_eq!(listing(Some("enemy.king")).unwrap(), listing(Some("own.king")).unwrap());
    }

    #[test]
    fn meanings_and_synonyms_are_searched() {
        for (text, word) in [
            ("Light", "same_colour(square)"),
            ("pin", "own.pinned"),
            ("x-ray", "rook_lines(set, occupied)"),
            ("semi-open", "own.half_open_files"),
            ("without its sign", "abs(number)"),
        ] {
            assert!(listing(Some(text)).unwrap().contains(word), "{text}");
        }
    }

    #[test]
    fn an_unknown_word_suggests_the_nearest() {
        let error = |name| listing(Some(name)).unwrap_err().to_string();
        assert_eq!(
            error("chebishev"),
            "no word is about \"chebishev\"; did you mean \"chebyshev\"?"
        );
        assert_eq!(error("own.nigths"), "no word is about \"nigths\"; did you mean \"knights\"?");
        assert_eq!(
            error("zzzzzzzz"),
            "no word is about \"zzzzzzzz\"; `tropism words` lists all words"
        );
    }

    #[test]
    fn the_whole_list_has_every_section() {
        let text = listing(None).unwrap();
        for section in vocabulary() {
            assert!(text.contains(section.title), "{}", section.title);
        }
    }
}
