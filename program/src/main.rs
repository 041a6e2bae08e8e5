//! The program with the built-in terms.

use std::process::ExitCode;

fn main() -> ExitCode {
    tropism_program::main(tropism::terms::registry())
}
