//! The program: checks the processor, then runs the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut missing = tropism::cpu::missing().peekable();
    if missing.peek().is_some() {
        eprint!("tropism: this build needs a newer processor with");
        missing.for_each(|name| eprint!(" {name}"));
        eprintln!("; use the build for all x86-64 processors instead");
        return ExitCode::from(2);
    }
    start()
}

/// Runs the command line. It is not inlined, so that the check runs before the first instruction that
/// an older processor does not know.
#[inline(never)]
fn start() -> ExitCode {
    tropism::cli::run()
}
