//! Runs the real program to its end.

use std::process::{Command, Stdio};
use std::{ffi::OsStr, io::Write};

pub const PATH: &str = env!("CARGO_BIN_EXE_tropism");

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    pub code: Option<i32>,
    pub output: String,
    pub errors: String,
}

impl Finished {
    /// The standard output of a run that succeeded and reported no error.
    #[track_caller]
    pub fn success(self) -> String {
        assert_eq!((self.code, self.errors.as_str()), (Some(0), ""), "{}", self.output);
        self.output
    }
}

/// The program with these arguments, not yet started.
pub fn command(arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(PATH);
    // The files that tests name are those of the repository.
    command.args(arguments).env_remove("COLUMNS").current_dir("..");
    command
}

pub fn run(arguments: &[impl AsRef<OsStr>]) -> Finished {
    finish(command(arguments), b"")
}

/// Runs a command with all its input at once.
pub fn finish(mut command: Command, input: &[u8]) -> Finished {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (code, errors) = (output.status.code(), text(output.stderr));
    Finished { code, output: text(output.stdout), errors }
}
