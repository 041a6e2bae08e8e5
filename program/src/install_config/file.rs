//! Writing files of other programs with the care of an editor.

use anyhow::{Context as _, Result, ensure};
use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

/// Writes a file and says so. If it exists, it is first copied to a file beside it.
///
/// The file itself is written and not replaced by another one of its name: symbolic and hard links lead to the new text,
/// and owner, mode and all other properties stay. If the text cannot be written, the old one stays, and no copy.
pub fn write(path: &Path, text: &str) -> Result<String> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let name = path.display();
    if !path.exists() {
        create(path, text).with_context(|| format!("{name} is not written"))?;
        return Ok(format!("{name} is written"));
    }
    let unchanged = || format!("{name}: nothing is changed");
    // The administrator of the machine could write to it.
    let is_read_only = fs::metadata(path).with_context(unchanged)?.permissions().readonly();
    ensure!(!is_read_only, "{name} is read-only: nothing is changed; allow to write to it first");
    let mut file = OpenOptions::new().write(true).open(path).with_context(unchanged)?;
    let backup = back_up(path).context("the old version cannot be kept").with_context(unchanged)?;
    if let Err(error) = extend(&mut file, text) {
        // The copy says what the file still says.
        let _ = fs::remove_file(&backup);
        return Err(error).with_context(unchanged);
    }
    let kept = format!("the old version is kept in {}", backup.display());
    overwrite(&mut file, text).with_context(|| format!("{name} is broken; {kept}"))?;
    Ok(format!("{name} is written; {kept}"))
}

/// Writes a new file, or none. The path may be a symbolic link to a file that does not exist yet.
fn create(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if written.is_err() {
        // The link stays.
        let _ = fs::remove_file(fs::canonicalize(path)?);
    }
    written
}

/// Writes what the text is longer than the file. This takes the space on the disk that the new text needs; without it the
/// file is as before.
fn extend(file: &mut File, text: &str) -> io::Result<()> {
    let before = file.metadata()?.len();
    let longer = usize::try_from(before).ok().and_then(|before| text.as_bytes().get(before..));
    file.seek(SeekFrom::End(0))?;
    let written = file.write_all(longer.unwrap_or_default()).and_then(|()| file.sync_all());
    if written.is_err() {
        file.set_len(before)?;
    }
    written
}

fn overwrite(file: &mut File, text: &str) -> io::Result<()> {
    file.rewind()?;
    file.write_all(text.as_bytes())?;
    file.set_len(text.len() as u64)?;
    file.sync_all()
}

/// Copies a file to the first of `NAME.1.bak`, `NAME.2.bak`, ... that does not exist. Only those may read the copy who may
/// read the file.
fn back_up(path: &Path) -> io::Result<PathBuf> {
    let text = fs::read(path)?;
    let permissions = fs::metadata(path)?.permissions();
    let mut number = 1;
    let (name, mut copy) = loop {
        let name = with_ending(path, &format!(".{number}.bak"));
        match OpenOptions::new().write(true).create_new(true).open(&name) {
            Ok(file) => break (name, file),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    };
    let written = copy
        .set_permissions(permissions)
        .and_then(|()| copy.write_all(&text))
        .and_then(|()| copy.sync_all());
    match written {
        Ok(()) => Ok(name),
        Err(error) => {
            let _ = fs::remove_file(&name);
            Err(error)
        }
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    use tempfile::tempdir;

    #[test]
    fn links_mode_and_owner_stay() {
        // Reports from users whose settings are in one folder under version control, with links to it.
        let folder = tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("target"), "old").unwrap();
        fs::set_permissions(at("target"), fs::Permissions::from_mode(0o600)).unwrap();
        fs::hard_link(at("target"), at("second name")).unwrap();
        symlink("target", at("link")).unwrap();
        symlink("link", at("link to a link")).unwrap();
        let before = fs::metadata(at("target")).unwrap();
        for (number, text) in ["longer than before", "short", ""].into_iter().enumerate() {
            write(&at("link to a link"), text).unwrap();
            for name in ["target", "second name", "link", "link to a link"] {
                assert_eq!(fs::read_to_string(at(name)).unwrap(), text, "{name}");
            }
            let backup = at(&format!("link to a link.{}.bak", number + 1));
            assert_eq!(fs::metadata(backup).unwrap().mode() & 0o777, 0o600);
        }
        for name in ["link", "link to a link"] {
            assert!(at(name).is_symlink(), "{name}");
        }
        let after = fs::metadata(at("second name")).unwrap();
        let same = |it: &fs::Metadata| (it.ino(), it.mode(), it.uid(), it.gid(), it.nlink());
        assert_eq!(same(&after), same(&before));
        assert_eq!(fs::read_to_string(at("link to a link.1.bak")).unwrap(), "old");
    }

    #[test]
    fn a_link_to_a_new_file_makes_the_file() {
        let folder = tempdir().unwrap();
        let link = folder.path().join("link");
        symlink("new", &link).unwrap();
        write(&link, "text").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(folder.path().join("new")).unwrap(), "text");
    }

    #[test]
    fn a_read_only_file_stays() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("list");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let error = write(&path, "new").unwrap_err().to_string();
        assert!(error.ends_with("is read-only: nothing is changed; allow to write to it first"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    fn a_copy_is_never_written_through_a_link() {
        let folder = tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("list"), "old").unwrap();
        symlink("somewhere", at("list.1.bak")).unwrap();
        let done = write(&at("list"), "new").unwrap();
        assert!(done.ends_with("list.2.bak"), "{done}");
        assert!(!at("somewhere").exists());
    }
}
