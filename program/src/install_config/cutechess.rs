//! The engine list of Cute Chess.

use super::{Location, file};
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::{
    env, fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

const TEMPLATE: &str = include_str!("../../../config/cutechess/engines.json");

/// The path of the engine list: Cute Chess uses Qt's folder for settings in INI files.
pub fn list() -> Result<PathBuf> {
    let folder =
        |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let settings = match cfg!(windows) {
        true => folder("APPDATA"),
        false => folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config"))),
    };
    let settings = settings
        .context("the home folder is unknown; give the path of engines.json with --file")?;
    Ok(settings.join("cutechess").join("engines.json"))
}

/// An engine list with our entries only.
pub fn entries_alone(location: &Location) -> String {
    to_text(&Value::Array(entries(location)))
}

/// Adds our entries to a list. Entries of ours that it has already get the path of this program.
pub fn install(location: &Location, path: &Path) -> Result<String> {
    let before = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return file::write(path, &entries_alone(location));
        }
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    let list = match before.trim() {
        "" => Ok(Value::Array(Vec::new())),
        text => serde_json::from_str(text).context("not valid JSON"),
    };
    let merged = list.and_then(|list| {
        let after = merged(&list, entries(location), location.engine_file.is_some())?;
        Ok((after != list).then_some(after))
    });
    match merged.with_context(|| format!("{}: nothing is changed", path.display()))? {
        None => Ok(format!("{} is up to date", path.display())),
        Some(after) => file::write(path, &to_text(&after)),
    }
}

/// The entries of the template, filled in, without those whose engine file does not exist. If an engine file
/// was given, the only entry is one with this file, named after it.
fn entries(location: &Location) -> Vec<Value> {
    let Ok(Value::Array(mut entries)) = serde_json::from_str(TEMPLATE) else { return Vec::new() };
    match &location.engine_file {
        Some(given) => {
            let name = Path::new(given).file_stem().unwrap_or_default().to_string_lossy();
            entries.retain(|entry| engine_file(entry).is_some());
            entries.truncate(1);
            for entry in &mut entries {
                entry["name"] = Value::String(format!("tropism {name}"));
                if let Some(file) = engine_file_mut(entry) {
                    file["value"] = Value::String(given.clone());
                }
            }
        }
        None => entries.retain(|entry| {
            let file = engine_file(entry).and_then(|file| file["value"].as_str());
            file.is_none_or(|file| location.run_in.join(file).is_file())
        }),
    }
    for entry in &mut entries {
        for key in ["command", "workingDirectory"] {
            if let Some(text) = entry[key].as_str() {
                entry[key] = Value::String(location.fill(text));
            }
        }
    }
    entries
}

/// The option `EngineFile` of an entry, if it is set.
fn engine_file(entry: &Value) -> Option<&Value> {
    entry["options"].as_array()?.iter().find(|option| option["name"] == "EngineFile")
}

fn engine_file_mut(entry: &mut Value) -> Option<&mut Value> {
    entry
        .get_mut("options")?
        .as_array_mut()?
        .iter_mut()
        .find(|option| option["name"] == "EngineFile")
}

/// A list with these entries. An entry of the same name keeps the other values that the user has set, but for the
/// engine file if `sets_file`.
fn merged(list: &Value, entries: Vec<Value>, sets_file: bool) -> Result<Value> {
    let Value::Array(known) = list else {
        bail!("an engine list must be an array of entries");
    };
    let mut known = known.clone();
    for entry in entries {
        match known.iter_mut().find(|other| other["name"] == entry["name"]) {
            Some(Value::Object(other)) => {
                for key in ["command", "workingDirectory", "protocol"] {
                    other.insert(key.to_owned(), entry[key].clone());
                }
                if sets_file && let Some(file) = engine_file(&entry) {
                    let options =
                        other.entry("options").or_insert_with(|| Value::Array(Vec::new()));
                    let Value::Array(options) = options else {
                        bail!("the options of an entry must be an array");
                    };
                    options.retain(|option| option["name"] != "EngineFile");
                    options.push(file.clone());
                }
            }
            _ => known.push(entry),
        }
    }
    Ok(Value::Array(known))
}

fn to_text(list: &Value) -> String {
    format!("{list:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::tempdir;

    fn up_to_date(path: &Path) -> String {
        format!("{} is up to date", path.display())
    }

    fn location() -> Location {
        Location::new(Path::new("/opt/a \"b\"/tropism"), None).unwrap()
    }

    #[test]
    fn one_entry_without_engine_files_and_two_with() {
        let text = entries_alone(&location());
        assert!(!text.contains("TROPISM_"), "{text}");
        let alone: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(alone.as_array().unwrap().len(), 1);
        assert_eq!(alone[0]["command"], "/opt/a \"b\"/tropism");
        assert_eq!(alone[0]["workingDirectory"], "/opt/a \"b\"");
        let clone = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let location = Location::new(&clone.join("target/release/tropism"), None).unwrap();
        let both = entries(&location);
        assert_eq!(both.len(), 2);
        assert_eq!(both[1]["workingDirectory"].as_str(), clone.to_str());
    }

    #[test]
    fn other_entries_stay_and_the_old_list_is_copied() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("engines.json");
        let before = "[{\"name\": \"other\", \"zeta\": 1, \"alpha\": [0.5]}, {\"name\": \"tropism\", \
                      \"command\": \"/old\", \"options\": [{\"name\": \"Hash\", \"value\": 64}]}]";
        fs::write(&path, before).unwrap();
        let done = install(&location(), &path).unwrap();
        let backup = folder.path().join("engines.json.1.bak");
        let kept = format!("; the old version is kept in {}", backup.display());
        assert_eq!(done, format!("{} is written{kept}", path.display()));
        assert_eq!(fs::read_to_string(&backup).unwrap(), before);
        let text = fs::read_to_string(&path).unwrap();
        let list: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(list.as_array().unwrap().len(), 2);
        assert!(text.find("zeta") < text.find("alpha"), "{text}");
        assert_eq!(list[0]["alpha"][0], 0.5);
        assert_eq!(list[1]["command"], "/opt/a \"b\"/tropism");
        assert_eq!(list[1]["options"][0]["value"], 64);
        assert_eq!(install(&location(), &path).unwrap(), up_to_date(&path));
        fs::write(&path, "[]").unwrap();
        install(&location(), &path).unwrap();
        assert!(folder.path().join("engines.json.2.bak").exists());
    }

    #[test]
    fn a_given_engine_file_replaces_the_one_in_the_list() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("engines.json");
        let before = "[{\"name\": \"tropism mine\", \"options\": [{\"name\": \"Hash\", \"value\": 64}, \
                      {\"name\": \"EngineFile\", \"value\": \"old.toml\"}]}]";
        fs::write(&path, before).unwrap();
        let file = folder.path().join("mine.toml");
        let program = Path::new("/opt/tropism");
        let location = Location::new(program, Some(&file)).unwrap();
        install(&location, &path).unwrap();
        let list: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(list[0]["name"], "tropism mine");
        let options = list[0]["options"].as_array().unwrap();
        assert_eq!((list.as_array().unwrap().len(), options.len()), (1, 2));
        assert_eq!(options[0]["value"], 64);
        assert_eq!(options[1]["value"], file.to_str().unwrap());
        assert_eq!(install(&location, &path).unwrap(), up_to_date(&path));
    }

    #[test]
    fn a_file_that_is_not_an_engine_list_is_not_changed() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("engines.json");
        for (text, complaint) in
            [("{}", "an engine list must be an array"), ("[", "not valid JSON")]
        {
            fs::write(&path, text).unwrap();
            let error = install(&location(), &path).unwrap_err();
            let error = format!("{error:#}");
            assert!(error.contains(complaint), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let new = folder.path().join("a/b/engines.json");
        assert_eq!(install(&location(), &new).unwrap(), format!("{} is written", new.display()));
        assert_eq!(fs::read_to_string(new).unwrap(), entries_alone(&location()));
    }
}
