//! Times JSON beside other libraries for JSON: see `json`.

use std::process::ExitCode;

fn main() -> ExitCode {
    match archive_bench::json::main(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
