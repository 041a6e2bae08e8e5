//! Engine files with new weights: numbers change, everything else stays.

use super::file::WORTH;
use super::loaded_term::LoadedTerm;
use super::{Engine, EngineFileError, Registry, Score, WeightSpec};
use std::ops::Range;
use toml::{Spanned, de::DeTable};

impl Engine {
    /// The text of an engine file with the weights that this engine has now. Everything else stays,
    /// comments and unchanged weights included.
    ///
    /// # Errors
    ///
    /// If [`Engine::parse`] rejects the text, or if a weight changed that the text leaves to its base.
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
        let mut changes: Vec<(Range<usize>, String)> = Vec::new();
        for Place { term, spec, pairs, value } in places(self.loaded_terms(), text) {
            let name = &term.entry.name;
            let old = before.loaded_terms().iter().find(|old| old.entry.name == *name);
            let weights = &term.file_weights[pairs.clone()];
            if old.is_none_or(|old| &old.file_weights[pairs] == weights) {
                continue;
            }
            let Some(span) = value else {
                let message = format!(
                    "{name}.{} comes from the base, so its new value cannot be written here; \
                     give the file the section [{name}] with this weight",
                    spec.name
                );
                return Err(EngineFileError::at(origin, text, 0..0, message));
            };
            let line = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
            let value = written(spec, weights, span.start - line, &text[span.clone()]);
            changes.push((span, value));
        }
        changes.sort_by_key(|(span, _)| span.start);
        let mut written = text.to_owned();
        for (span, value) in changes.into_iter().rev() {
            written.replace_range(span, &value);
        }
        Ok(written)
    }

    /// For each pair of [`Engine::weights`], whether the text of the engine file has it. The others come
    /// from the base of the file.
    pub fn pairs_in(&self, text: &str) -> Vec<bool> {
        let places = places(self.loaded_terms(), text).into_iter();
        places.flat_map(|place| vec![place.value.is_some(); place.pairs.len()]).collect()
    }
}

/// A weight of an engine, and where a text has its value.
struct Place<'e> {
    term: &'e LoadedTerm,
    spec: &'e WeightSpec,
    /// Its pairs among those of the term.
    pairs: Range<usize>,
    value: Option<Range<usize>>,
}

/// The weights of some terms in their order, and where the text of an engine file has them.
fn places<'e>(terms: &'e [LoadedTerm], text: &str) -> Vec<Place<'e>> {
    let document = DeTable::parse(text).ok();
    let mut places = Vec::new();
    for term in terms {
        let section = document.as_ref().and_then(|text| text.get_ref().get(&*term.entry.name));
        let mut first = 0;
        for spec in term.entry.weights.iter() {
            let pairs = first..first + spec.pairs();
            first = pairs.end;
            let value = section.and_then(|section| {
                let value = section.get_ref().get(&*spec.name)?;
                match term.entry.is_formula() {
                    true => value.get_ref().get(WORTH).map(Spanned::span),
                    false => Some(value.span()),
                }
            });
            places.push(Place { term, spec, pairs, value });
        }
    }
    places
}

/// How many pairs each line of an array has, if all have the same number.
fn row_length(array: &str) -> Option<usize> {
    let lines = array.lines().skip(1).map(|line| line.matches('[').count());
    let mut rows = lines.filter(|&pairs| pairs > 0);
    let first = rows.next()?;
    rows.all(|pairs| pairs == first).then_some(first)
}

/// A weight as TOML, in the style of the old text: an array in rows of as many pairs, or else in lines of at most
/// a hundred columns; one number for a pair of two equal ones if the old text has single numbers.
fn written(spec: &WeightSpec, weights: &[Score], column: usize, old: &str) -> String {
    let row = row_length(old);
    let inside = if spec.length.is_some() { old.strip_prefix('[') } else { Some(old) };
    let has_pairs = inside.unwrap_or(old).contains('[');
    let number = |grains: i32| {
        let units = f64::from(grains) * f64::from(spec.per) / f64::from(Score::GRAINS);
        let tenths = (units * 10.0).round() / 10.0;
        // Never -0.
        format!("{}", if tenths == 0.0 { 0.0 } else { tenths })
    };
    let pair = |score: &Score| match [score.middlegame(), score.endgame()].map(number) {
        [both, endgame] if both == endgame && !has_pairs => both,
        [middlegame, endgame] => format!("[{middlegame}, {endgame}]"),
    };
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

    fn meaning() -> Meaning {
        count("a pawn", "pawns")
    }

    #[test]
    fn only_weights_that_the_text_has_are_written() {
        let registry = crate::terms::registry();
        let text = "name = 'x'\nbase = 'tropism'\n[knight_forks]\nfork = [1, 2] # by hand\n\
            [near]\ndoc = 'near'\n[near.distance]\n# worth comes last\n\
            count = 'chebyshev(own.king, enemy.king)'\nunit = 'moves'\nworth = [3, 4]\n";
        let engine = Engine::parse(text, "x.toml", &registry).unwrap();
        let in_text = engine.pairs_in(text);
        assert_eq!(in_text.len(), engine.pairs());
        assert_eq!(in_text.iter().filter(|&&is_in| is_in).count(), 2);
        let changed = |only_text: bool| {
            let mut changed = engine.clone();
            let weights = engine.weights().zip(&in_text).map(|(weight, &is_in)| {
                if is_in || !only_text { weight + Score::from_centipawns(5.0, 0.0) } else { weight }
            });
            changed.set_weights(weights);
            changed.write_into(text, "x.toml", &registry)
        };
        let expected = text.replace("[1, 2]", "[6, 2]").replace("[3, 4]", "[8, 4]");
        assert_eq!(changed(true).unwrap(), expected);
        assert_eq!(
            changed(false).unwrap_err().to_string(),
            "x.toml:1:1: material.pawn comes from the base, so its new value cannot be written here; \
             give the file the section [material] with this weight"
        );
    }

    #[test]
    fn arrays_keep_their_rows() {
        assert_eq!(row_length("[[1, 2], [3, 4]]"), None);
        assert_eq!(row_length("[\n  [1, 2], [3, 4],\n  [5, 6], [7, 8],\n]"), Some(2));
        assert_eq!(row_length("[\n  [1, 2], [3, 4],\n  [5, 6],\n]"), None);
        let spec = WeightSpec::array("x", 4, meaning());
        let weights = [1.0, -2.5, 0.0, 4.04].map(|value| Score::from_centipawns(value, 0.0));
        let flat = "[[1, 0], [-2.5, 0], [0, 0], [4, 0]]";
        assert_eq!(written(&spec, &weights, 4, "[[1, 2], [3, 4], [5, 6], [7, 8]]"), flat);
        assert_eq!(
            written(&spec, &weights, 4, "[\n  [1, 2], [3, 4],\n  [5, 6], [7, 8],\n]"),
            "[\n    [1, 0], [-2.5, 0],\n    [0, 0], [4, 0],\n]"
        );
        let long = [Score::from_centipawns(-100.5, 100.5); 20];
        let spec = WeightSpec::array("x", 20, meaning());
        let text = written(&spec, &long, 4, "[[1, 2]]");
        assert!(text.lines().all(|line| line.len() <= 100), "{text}");
        assert_eq!(text.matches("[-100.5, 100.5],").count(), 20);
    }

    #[test]
    fn single_numbers_stay_single_where_both_are_equal() {
        let one = WeightSpec::pair("x", meaning());
        let both = [Score::from_centipawns(4.0, 4.0)];
        assert_eq!(written(&one, &both, 4, "3"), "4");
        assert_eq!(written(&one, &both, 4, "[3, 3]"), "[4, 4]");
        assert_eq!(written(&one, &[Score::from_centipawns(4.0, 5.0)], 4, "3"), "[4, 5]");
        let two = WeightSpec::array("x", 2, meaning());
        let weights = [both[0], Score::from_centipawns(1.0, 2.0)];
        assert_eq!(written(&two, &weights, 4, "[3, 5]"), "[4, [1, 2]]");
        assert_eq!(written(&two, &weights, 4, "[[3, 3], 5]"), "[[4, 4], [1, 2]]");
    }
}
