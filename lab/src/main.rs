//! The laboratory with the built-in terms.

use std::process::ExitCode;

fn main() -> ExitCode {
    tropism_lab::main(tropism::terms::registry())
}
