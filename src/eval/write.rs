//! Engine files with new weights: numbers change, everything else stays.

use super::file::WORTH;
use super::{Engine, EngineFileError, Registry, Score, WeightSpec};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

impl Engine {
    /// The text of an engine file with the weights that this engine has now. Everything else stays,
    /// comments and unchanged weights included.
    ///
    /// # Errors
    ///
    /// If [`Engine::parse`] rejects the text, or if the file has a `base`: it does not hold all weights.
    ///
    /// ```
    /// use tropism::{eval::{Engine, Score}, terms::registry};
    /// let text = "name = 'x'\nterms = ['knight_forks']\n[knight_forks]\n\
    ///     fork = [14, 10] # by hand\nfamily = [24, 20]\n";
    /// let mut engine = Engine::parse(text, "x.toml", &registry())?;
    /// let family = engine.weights().nth(1).unwrap();
    /// engine.set_weights([Score::from_centipawns(15.5, -3.0), family]);
    /// let written = engine.write_into(text, "x.toml", &registry())?;
    /// assert_eq!(written, text.replace("[14, 10]", "[15.5, -3]"));
    /// # Ok::<(), tropism::eval::EngineFileError>(())
    /// ```
    pub fn write_into(
        &self,
        text: &str,
        origin: &str,
        registry: &Registry,
    ) -> Result<String, EngineFileError> {
        let before = Engine::parse(text, origin, registry)?;
        let Ok(document) = DeTable::parse(text) else { return Ok(text.to_owned()) };
        if let Some(base) = document.get_ref().get("base") {
            let message = "weights cannot be written into a file with a base; \
                           copy the base file and change the copy";
            return Err(EngineFileError::at(origin, text, base.span(), message.to_owned()));
        }
        let mut changes: Vec<(Range<usize>, String)> = Vec::new();
        for term in self.loaded_terms() {
            let old = before.loaded_terms().iter().find(|old| old.entry.name == term.entry.name);
            let section = document.get_ref().get(term.entry.name).map(|section| section.get_ref());
            let (Some(old), Some(DeValue::Table(section))) = (old, section) else { continue };
            let mut first = 0;
            for spec in term.entry.weights.iter() {
                let pairs = first..first + spec.pairs();
                first = pairs.end;
                let value = match section.get(spec.name) {
                    // A weight of a term that the file writes itself.
                    Some(value) if term.entry.is_formula() => value.get_ref().get(WORTH),
                    value => value,
                };
                let Some(value) = value else { continue };
                if term.file_weights[pairs.clone()] != old.file_weights[pairs.clone()] {
                    let line =
                        text[..value.span().start].rfind('\n').map_or(0, |newline| newline + 1);
                    let column = value.span().start - line;
                    let row = row_length(&text[value.span()]);
                    let value_now = written(spec, &term.file_weights[pairs], column, row);
                    changes.push((value.span(), value_now));
                }
            }
        }
        changes.sort_by_key(|(span, _)| span.start);
        let mut written = text.to_owned();
        for (span, value) in changes.into_iter().rev() {
            written.replace_range(span, &value);
        }
        Ok(written)
    }
}

/// How many pairs each line of an array has, if all have the same number.
fn row_length(array: &str) -> Option<usize> {
    let lines = array.lines().skip(1).map(|line| line.matches('[').count());
    let mut rows = lines.filter(|&pairs| pairs > 0);
    let first = rows.next()?;
    rows.all(|pairs| pairs == first).then_some(first)
}

/// A weight as TOML: an array in rows of `row` pairs, or else in lines of at most a hundred columns.
fn written(spec: &WeightSpec, weights: &[Score], column: usize, row: Option<usize>) -> String {
    let number = |grains: i32| {
        let units = f64::from(grains) * f64::from(spec.per) / f64::from(Score::GRAINS);
        let tenths = (units * 10.0).round() / 10.0;
        // Never -0.
        format!("{}", if tenths == 0.0 { 0.0 } else { tenths })
    };
    let pair =
        |score: &Score| format!("[{}, {}]", number(score.middlegame()), number(score.endgame()));
    let pairs: Vec<String> = weights.iter().map(pair).collect();
    if spec.length.is_none() {
        return pairs.join("");
    }
    let line = format!("[{}]", pairs.join(", "));
    if row.is_none() && column + line.len() <= 100 {
        return line;
    }
    let mut lines = String::from("[\n   ");
    let mut width = 3;
    for (index, pair) in pairs.into_iter().enumerate() {
        let is_full = match row {
            Some(row) => index > 0 && index % row == 0,
            None => width + pair.len() + 2 > 100,
        };
        if is_full {
            lines.push_str("\n   ");
            width = 3;
        }
        width += pair.len() + 2;
        lines.push(' ');
        lines.push_str(&pair);
        lines.push(',');
    }
    lines.push_str("\n]");
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Meaning, meaning::count};

    const MEANING: Meaning = count("a pawn", "pawns");

    #[test]
    fn weights_cannot_be_written_into_a_file_with_a_base() {
        let registry = crate::terms::registry();
        let engine = crate::default_engine().unwrap();
        let text = "name = 'x'\nbase = 'tropism'\n";
        assert_eq!(
            engine.write_into(text, "x.toml", &registry).unwrap_err().to_string(),
            "x.toml:2: weights cannot be written into a file with a base; copy the base file and change the copy"
        );
    }

    #[test]
    fn arrays_keep_their_rows() {
        assert_eq!(row_length("[[1, 2], [3, 4]]"), None);
        assert_eq!(row_length("[\n  [1, 2], [3, 4],\n  [5, 6], [7, 8],\n]"), Some(2));
        assert_eq!(row_length("[\n  [1, 2], [3, 4],\n  [5, 6],\n]"), None);
        let spec = WeightSpec::array("x", 4, MEANING);
        let weights = [1.0, -2.5, 0.0, 4.04].map(|value| Score::from_centipawns(value, 0.0));
        assert_eq!(written(&spec, &weights, 4, None), "[[1, 0], [-2.5, 0], [0, 0], [4, 0]]");
        assert_eq!(
            written(&spec, &weights, 4, Some(2)),
            "[\n    [1, 0], [-2.5, 0],\n    [0, 0], [4, 0],\n]"
        );
        let long = [Score::from_centipawns(-100.5, 100.5); 20];
        let spec = WeightSpec::array("x", 20, MEANING);
        let text = written(&spec, &long, 4, None);
        assert!(text.lines().all(|line| line.len() <= 100), "{text}");
        assert_eq!(text.matches("[-100.5, 100.5],").count(), 20);
    }
}
