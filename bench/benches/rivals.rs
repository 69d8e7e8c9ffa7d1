//! Times the formats of `archive` beside other libraries: see `run`.

use std::process::ExitCode;

fn main() -> ExitCode {
    match archive_bench::main(std::env::args().skip(1), env!("CARGO_BIN_EXE_peak")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
