//! Writing files safely.

use anyhow::{Context as _, Result};
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

/// Writes a file and says so. If it exists, it is first copied to a file beside it.
pub fn write(path: &Path, text: &str) -> Result<String> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let backup = path.exists().then(|| free_name(path));
    if let Some(backup) = &backup {
        fs::copy(path, backup).with_context(|| backup.display().to_string())?;
    }
    // Renaming makes the change in one step, so no reader sees an incomplete file.
    let part = with_ending(path, ".part");
    fs::write(&part, text).with_context(|| part.display().to_string())?;
    fs::rename(&part, path).with_context(|| path.display().to_string())?;
    let path = path.display();
    Ok(match backup {
        Some(backup) => {
            format!("{path} is written; the old version is kept in {}", backup.display())
        }
        None => format!("{path} is written"),
    })
}

/// The first of `NAME.1.bak`, `NAME.2.bak`, ... that does not exist.
fn free_name(path: &Path) -> PathBuf {
    let mut number = 1;
    loop {
        let name = with_ending(path, &format!(".{number}.bak"));
        if !name.exists() {
            return name;
        }
        number += 1;
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}
