//! Times serde's formats under our types beside serde's derive: see `through_serde`.

use std::process::ExitCode;

fn main() -> ExitCode {
    match archive_bench::through_serde::main(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
