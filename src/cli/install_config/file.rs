//! Writing files safely.

use super::{InstallError, Installed};
use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

/// Writes a file. If it exists, it is first copied to a file beside it.
pub(super) fn write(path: PathBuf, text: &str) -> Result<Installed, InstallError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| InstallError::File { path, error }
    };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(failed(folder))?;
    }
    let backup = path.exists().then(|| free_name(&path));
    if let Some(backup) = &backup {
        fs::copy(&path, backup).map_err(failed(backup))?;
    }
    // Renaming makes the change in one step, so no reader sees an incomplete file.
    let part = with_ending(&path, ".part");
    fs::write(&part, text).map_err(failed(&part))?;
    fs::rename(&part, &path).map_err(failed(&path))?;
    Ok(Installed::Written { path, backup })
}

/// The text of a file, or `None` if it does not exist.
pub(super) fn read(path: &Path) -> Result<Option<String>, InstallError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(InstallError::File { path: path.to_owned(), error }),
    }
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
