//! The `fathom` command: all of it is in [`fathom::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    fathom::cli::main()
}
