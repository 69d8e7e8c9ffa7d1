//! How many instructions each row takes. See `archive_bench::instructions`.

use std::process::ExitCode;

fn main() -> ExitCode {
    match archive_bench::instructions::main(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
