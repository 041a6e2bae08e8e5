//! The state of a run in a file, so that it can be gone on with.

use super::rule::{Number, Schedule};
use std::{
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
};
use thiserror::Error;
use toml::{Table, Value};

/// Where a run is.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct State {
    pub(super) schedule: Schedule,
    /// Pairs of games in an iteration.
    pub(super) pairs: u64,
    /// Nodes searched a move.
    pub(super) nodes: u64,
    /// Iterations that are done.
    pub(super) done: u32,
    pub(super) numbers: Vec<Number>,
}

/// Why a run cannot begin, or cannot go on.
#[derive(Debug, Error)]
pub(crate) enum StateError {
    /// The file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// It is no such file.
    #[error("{0}: {1}; name another file, or delete this one to begin anew")]
    Unknown(PathBuf, String),
    /// It was begun with other settings.
    #[error("{0}: begun with {1} = {2}, not {3}; use that, or name another file")]
    Other(PathBuf, &'static str, String, String),
}

impl State {
    /// Settings that a run must keep, by their names.
    fn settings(&self) -> [(&'static str, String); 5] {
        [
            ("iterations", self.schedule.iterations.to_string()),
            ("rate", format!("{:?}", self.schedule.rate)),
            ("seed", self.schedule.seed.to_string()),
            ("pairs", self.pairs.to_string()),
            ("nodes", self.nodes.to_string()),
        ]
    }

    /// The text of the file.
    pub(super) fn text(&self) -> String {
        let mut text = String::from("# The numbers of the search, by `tropism spsa`.\n");
        for (name, value) in self.settings() {
            let _ = writeln!(text, "{name} = {value}");
        }
        let _ = writeln!(text, "done = {}\n\n[values]", self.done);
        for Number { name, value, .. } in &self.numbers {
            let _ = writeln!(text, "{name} = {value:?}");
        }
        text
    }

    /// Writes the file, whole or not at all.
    pub(super) fn save(&self, path: &Path) -> Result<(), StateError> {
        let beside = path.with_extension("new");
        let failed = |error| StateError::File(path.to_owned(), error);
        fs::write(&beside, self.text()).and_then(|()| fs::rename(&beside, path)).map_err(failed)
    }

    /// Goes on where the file is, if it is there.
    pub(super) fn resume(&mut self, path: &Path) -> Result<(), StateError> {
        match fs::read_to_string(path) {
            Ok(text) => self.read(&text, path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(StateError::File(path.to_owned(), error)),
        }
    }

    fn read(&mut self, text: &str, path: &Path) -> Result<(), StateError> {
        let unknown = |what: String| StateError::Unknown(path.to_owned(), what);
        let table: Table = text.parse().map_err(|error| unknown(format!("not TOML: {error}")))?;
        for (name, own) in self.settings() {
            let value = table.get(name).ok_or_else(|| unknown(format!("`{name}` is missing")))?;
            let value = written(value);
            if value != own {
                return Err(StateError::Other(path.to_owned(), name, value, own));
            }
        }
        let done = table.get("done").and_then(|done| u32::try_from(done.as_integer()?).ok());
        let done = done.ok_or_else(|| unknown("`done` must be a number of iterations".into()))?;
        let values = table.get("values").and_then(|values| values.as_table());
        let values = values.ok_or_else(|| unknown("`[values]` is missing".into()))?;
        if let Some(name) = values.keys().find(|&key| self.numbers.iter().all(|n| n.name != *key)) {
            return Err(unknown(format!("no number that is moved is called {name:?}")));
        }
        for number in &mut self.numbers {
            let value = values.get(&number.name).and_then(|value| value.as_float());
            let range = f64::from(number.low)..=f64::from(number.high);
            number.value = value.filter(|value| range.contains(value)).ok_or_else(|| {
                let Number { name, low, high, .. } = number;
                unknown(format!("`{name}` must be a number with a point, {low} to {high}"))
            })?;
        }
        self.done = done;
        Ok(())
    }
}

/// A number as this file has it.
fn written(value: &Value) -> String {
    match value {
        Value::Integer(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        other => other.type_str().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        let number = |name: &str, value| Number { name: name.to_owned(), low: 1, high: 300, value };
        State {
            schedule: Schedule { iterations: 500, rate: 0.02, seed: 7 },
            pairs: 8,
            nodes: 5000,
            done: 0,
            numbers: vec![number("razor_margin", 220.0), number("late_moves", 6.0)],
        }
    }

    #[test]
    fn a_run_goes_on_where_its_file_is() {
        let mut later = state();
        later.done = 12;
        later.numbers[0].value = 213.062_5;
        later.numbers[1].value = 0.1 + 6.2;
        let path = std::env::temp_dir().join(format!("tropism-state-{}.toml", std::process::id()));
        let mut again = state();
        again.resume(&path).unwrap();
        assert_eq!(again, state());
        later.save(&path).unwrap();
        again.resume(&path).unwrap();
        assert_eq!(again, later);
        fs::remove_file(&path).unwrap();
        let nowhere = Path::new("/no such folder/x.toml");
        assert!(
            later.save(nowhere).unwrap_err().to_string().starts_with("/no such folder/x.toml: ")
        );
    }

    #[test]
    fn a_file_that_does_not_fit_is_refused_with_a_reason() {
        let good = state().text();
        for (from, to, reason) in [
            ("nodes = 5000", "nodes = 900", "begun with nodes = 900, not 5000; use that"),
            ("seed = 7\n", "", "`seed` is missing"),
            ("done = 0", "done = -1", "`done` must be a number of iterations"),
            ("[values]", "[numbers]", "`[values]` is missing"),
            ("late_moves", "late_move", "no number that is moved is called \"late_move\""),
            ("= 6.0", "= 600.0", "`late_moves` must be a number with a point, 1 to 300"),
            ("late_moves = 6.0\n", "", "`late_moves` must be a number with a point"),
            ("[values]", "[values", "not TOML"),
        ] {
            assert!(good.contains(from), "{from}");
            let mut again = state();
            let error = again.read(&good.replace(from, to), Path::new("x.toml")).unwrap_err();
            assert!(error.to_string().starts_with("x.toml: "), "{error}");
            assert!(error.to_string().contains(reason), "{error}");
            assert_eq!(again.done, 0);
        }
    }
}
