//! The state of a run in a file, so that the run can be continued.

use super::schedule::{Schedule, TunedParameter};
use std::{
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
};
use thiserror::Error;
use toml::{Table, Value};

/// The state of a run.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct State {
    pub(super) schedule: Schedule,
    /// Pairs of games in an iteration.
    pub(super) pairs: u64,
    /// Nodes per move.
    pub(super) nodes: u64,
    /// Finished iterations.
    pub(super) done: u32,
    pub(super) parameters: Vec<TunedParameter>,
}

/// Why a run cannot begin or continue.
#[derive(Debug, Error)]
pub(crate) enum StateError {
    /// The file cannot be read or written.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// The file is not the state of a run.
    #[error("{0}: {1}; name another file, or delete this one to begin again")]
    Format(PathBuf, String),
    /// The run was begun with other settings.
    #[error("{0}: begun with {1} = {2}, not {3}; use that, or name another file")]
    OtherSettings(PathBuf, &'static str, String, String),
}

impl State {
    /// Settings that must not change during a run.
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
        let mut text = String::from("# The parameters of the search, by `tropism-lab spsa`.\n");
        for (name, value) in self.settings() {
            let _ = writeln!(text, "{name} = {value}");
        }
        let _ = writeln!(text, "done = {}\n\n[values]", self.done);
        for TunedParameter { name, value, .. } in &self.parameters {
            let _ = writeln!(text, "{name} = {value:?}");
        }
        text
    }

    /// Writes the file, all of it or nothing.
    pub(super) fn save(&self, path: &Path) -> Result<(), StateError> {
        let new = path.with_extension("new");
        let failed = |error| StateError::File(path.to_owned(), error);
        fs::write(&new, self.text()).and_then(|()| fs::rename(&new, path)).map_err(failed)
    }

    /// Takes over the state of the file, if it exists.
    pub(super) fn resume(&mut self, path: &Path) -> Result<(), StateError> {
        match fs::read_to_string(path) {
            Ok(text) => self.read(&text, path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(StateError::File(path.to_owned(), error)),
        }
    }

    fn read(&mut self, text: &str, path: &Path) -> Result<(), StateError> {
        let wrong = |what: String| StateError::Format(path.to_owned(), what);
        let table: Table = text.parse().map_err(|error| wrong(format!("not TOML: {error}")))?;
        for (name, own) in self.settings() {
            let value = table.get(name).ok_or_else(|| wrong(format!("`{name}` is missing")))?;
            let value = as_written(value);
            if value != own {
                return Err(StateError::OtherSettings(path.to_owned(), name, value, own));
            }
        }
        let done = table.get("done").and_then(|done| u32::try_from(done.as_integer()?).ok());
        let done = done.ok_or_else(|| wrong("`done` must be a number of iterations".into()))?;
        let values = table.get("values").and_then(|values| values.as_table());
        let values = values.ok_or_else(|| wrong("`[values]` is missing".into()))?;
        if let Some(name) =
            values.keys().find(|&key| self.parameters.iter().all(|p| p.name != *key))
        {
            return Err(wrong(format!("{name:?} is not a parameter of this run")));
        }
        for parameter in &mut self.parameters {
            let value = values.get(&parameter.name).and_then(|value| value.as_float());
            let range = f64::from(parameter.low)..=f64::from(parameter.high);
            parameter.value = value.filter(|value| range.contains(value)).ok_or_else(|| {
                let TunedParameter { name, low, high, .. } = parameter;
                wrong(format!("`{name}` must be a number with a decimal point, {low} to {high}"))
            })?;
        }
        self.done = done;
        Ok(())
    }
}

/// A number in the notation of this file.
fn as_written(value: &Value) -> String {
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
        let parameter =
            |name: &str, value| TunedParameter { name: name.to_owned(), low: 1, high: 300, value };
        State {
            schedule: Schedule { iterations: 500, rate: 0.02, seed: 7 },
            pairs: 8,
            nodes: 5000,
            done: 0,
            parameters: vec![parameter("razor_margin", 220.0), parameter("late_moves", 6.0)],
        }
    }

    #[test]
    fn a_run_continues_from_its_file() {
        let mut later = state();
        later.done = 12;
        later.parameters[0].value = 213.062_5;
        later.parameters[1].value = 0.1 + 6.2;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.toml");
        let mut again = state();
        again.resume(&path).unwrap();
        assert_eq!(again, state());
        later.save(&path).unwrap();
        again.resume(&path).unwrap();
        assert_eq!(again, later);
        let nowhere = Path::new("/no such folder/x.toml");
        assert!(
            later.save(nowhere).unwrap_err().to_string().starts_with("/no such folder/x.toml: ")
        );
    }

    #[test]
    fn a_wrong_file_is_refused_with_a_reason() {
        let good = state().text();
        for (from, to, reason) in [
            ("nodes = 5000", "nodes = 900", "begun with nodes = 900, not 5000; use that"),
            ("seed = 7\n", "", "`seed` is missing"),
            ("done = 0", "done = -1", "`done` must be a number of iterations"),
            ("[values]", "[parameters]", "`[values]` is missing"),
            ("late_moves", "late_move", "\"late_move\" is not a parameter of this run"),
            ("= 6.0", "= 600.0", "`late_moves` must be a number with a decimal point, 1 to 300"),
            ("late_moves = 6.0\n", "", "`late_moves` must be a number with a decimal point"),
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
