//! Engine files of requests: reading, percentages, saving, and the files that ship.

use crate::{ORIGIN, Playground, problem::Problem};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use toml_edit::{DocumentMut, Item, Table, value};
use tropism::eval::{Engine, EngineFileError, IDEAS, LIMITS, PERCENT, TermCost, vocabulary};
use tropism::search::quick_cost;

/// The longest engine file, in bytes.
const MAX_TEXT: usize = 128 << 10;

/// A file to begin with, and the engine files that ship.
const EXAMPLES: [(&str, &str); 6] = [
    ("start", include_str!("../static/start.toml")),
    ("tropism", tropism::DEFAULT_ENGINE_FILE),
    ("minimal", include_str!("../../engines/minimal.toml")),
    ("builder", include_str!("../../engines/builder.toml")),
    ("hunter", include_str!("../../engines/hunter.toml")),
    ("miser", include_str!("../../engines/miser.toml")),
];

/// An engine file with percentages.
#[derive(Deserialize)]
pub(crate) struct EngineRequest {
    /// The text of the file.
    engine: String,
    /// The percentages of terms; 100 for those that are missing.
    #[serde(default)]
    percents: BTreeMap<String, u32>,
}

impl EngineRequest {
    /// The engine of the file at its percentages.
    pub(crate) fn engine(&self, page: &mut Playground) -> Result<Engine, Problem> {
        if self.engine.len() > MAX_TEXT {
            return Err(Problem::Engine(EngineFileError {
                origin: ORIGIN.to_owned(),
                line: None,
                column: None,
                message: format!("an engine file has at most {} KiB here", MAX_TEXT >> 10),
                length: 0,
                excerpt: None,
                others: Box::default(),
            }));
        }
        let mut engine = page.engine(&self.engine)?;
        for (term, &percent) in &self.percents {
            if !PERCENT.contains(&percent) {
                let (least, most) = (PERCENT.start(), PERCENT.end());
                let text = format!("a percentage is from {least} to {most}, not {percent}");
                return Err(Problem::Input(text));
            }
            // While a file is edited, a term may be away for a moment. Its percentage stays.
            if percent != 100 {
                engine.set_percent(term, percent);
            }
        }
        Ok(engine)
    }

    /// The percentages that change something.
    fn changes(&self) -> impl Iterator<Item = (&str, u32)> {
        let percents = self.percents.iter().map(|(term, &percent)| (term.as_str(), percent));
        percents.filter(|&(_, percent)| percent != 100)
    }
}

/// The engine files that ship, and the words with which an engine file writes terms.
pub(crate) fn examples() -> Value {
    let examples = EXAMPLES.map(|(name, text)| json!({ "name": name, "text": text }));
    let sections = vocabulary().into_iter();
    let sections = sections.filter(|section| ![IDEAS, LIMITS].contains(&section.title));
    let words = sections.map(|section| {
        let rows = section.rows.into_iter().map(|row| [row.usage, row.value, row.doc]);
        (section.title, rows.collect::<Vec<_>>())
    });
    json!({ "examples": examples, "words": words.collect::<Vec<_>>() })
}

/// How long each term takes that the file writes itself: nanoseconds for a position, and its share of the evaluation.
pub(crate) fn cost(request: &EngineRequest, page: &mut Playground) -> Result<Value, Problem> {
    let cost = quick_cost(&request.engine(page)?);
    let sum = cost.sum();
    let written = cost.terms.iter().filter(|term| term.longest.is_some());
    let view = |term: &TermCost| json!({ "name": term.name, "ns": term.nanoseconds, "share": term.nanoseconds / sum });
    Ok(json!({ "terms": written.map(view).collect::<Vec<_>>() }))
}

/// The text of the engine file with the percentages written into it.
pub(crate) fn save(request: &EngineRequest, page: &mut Playground) -> Result<Value, Problem> {
    // A text with an error is saved as it is, if there is nothing to write into it.
    if request.changes().next().is_none() {
        return Ok(json!({ "text": request.engine }));
    }
    let text = with_percents(request, &request.engine(page)?)?;
    Engine::parse(&text, ORIGIN, &page.registry)
        .map_err(|error| Problem::Input(format!("the file cannot be saved: {error}")))?;
    Ok(json!({ "text": text }))
}

/// Writes percentages into a file. Everything else stays, comments included.
fn with_percents(request: &EngineRequest, engine: &Engine) -> Result<String, Problem> {
    let document = request.engine.parse::<DocumentMut>();
    let mut document = document.map_err(|error| Problem::Input(error.to_string()))?;
    for (term, _) in request.changes() {
        // The percentage of the file times that of the page.
        let Some(percent) = engine.percent(term) else { continue };
        if !PERCENT.contains(&percent) {
            return Err(Problem::Input(format!(
                "{term} would have {percent} percent with what the file gives it, and the most is {}; \
                 move its slider to the left",
                PERCENT.end()
            )));
        }
        let section = document.entry(term).or_insert_with(|| Item::Table(Table::new()));
        let Some(section) = section.as_table_like_mut() else { continue };
        section.insert("percent", value(i64::from(percent)));
    }
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(text: &str, percents: &[(&str, u32)]) -> Result<String, String> {
        let mut page = Playground::new();
        let percents = percents.iter().map(|&(term, percent)| (term.to_owned(), percent)).collect();
        let request = EngineRequest { engine: text.to_owned(), percents };
        let engine = request.engine(&mut page).map_err(|problem| problem.to_string())?;
        let text = with_percents(&request, &engine).map_err(|problem| problem.to_string())?;
        let again = Engine::parse(&text, ORIGIN, &page.registry).unwrap();
        assert!(engine.terms().all(|term| engine.percent(term) == again.percent(term)), "{text}");
        Ok(text)
    }

    #[test]
    fn percentages_are_written_into_the_file() {
        let base = "name = 'x' # a comment\nbase = 'tropism'\n[mobility]\npercent = 150 # more\n";
        let text = saved(base, &[("mobility", 200), ("pawns", 0), ("material", 100)]).unwrap();
        assert!(
            text.contains("# a comment") && text.contains("[mobility]\npercent = 300"),
            "{text}"
        );
        assert!(text.contains("[pawns]\npercent = 0") && !text.contains("[material]"), "{text}");
        let error = saved(base, &[("mobility", 400)]).unwrap_err();
        assert!(error.contains("600 percent"), "{error}");
        // What is outside the range is refused, and a term that is not there ignored.
        assert!(saved(base, &[("mobility", 401)]).is_err());
        assert!(saved(base, &[("nothing", 50)]).is_ok());
    }

    #[test]
    fn every_example_is_read_and_saved() {
        for (_, text) in EXAMPLES {
            let page = Playground::new();
            let engine = Engine::parse(text, ORIGIN, &page.registry).unwrap();
            let term = engine.terms().next().unwrap();
            assert!(engine.percent(term).unwrap() > 200 || saved(text, &[(term, 200)]).is_ok());
        }
    }
}
