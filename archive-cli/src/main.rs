//! `archive`: opens, compares and edits files of the `archive` formats without the types of the
//! program that wrote them. `docs/COMMAND_LINE.md` describes it.

mod args;
mod commands;
mod complaint;
mod current;
mod edit;
mod hint;
mod input;
mod interrupt;
mod json_output;
mod node;
mod nothing;
mod output;
mod pieces;
mod progress;
mod pump;
mod select;
mod show;
mod steps;
mod stream;
mod tables;
mod terminal;
mod tree;
mod typing;
#[cfg(feature = "view")]
mod view;
mod walk_path;
mod write_back;

use std::process::ExitCode;

use args::{Cli, Command};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It succeeded.
    Done = 0,
    /// The files differ, or a file is damaged.
    Found = 1,
    /// It failed, and has printed the error.
    Failed = 2,
}

/// Prints an error in the arguments, or the help if they ask for it.
fn refuse(error: &clap::Error) -> ExitCode {
    let is_json = std::env::args_os().take_while(|arg| arg != "--").any(|arg| arg == "--json");
    if is_json && error.use_stderr() {
        complaint::use_json();
        complaint::usage(&error.render().to_string());
    } else if let Err(failed) = error.print()
        && failed.kind() != std::io::ErrorKind::BrokenPipe
    {
        let path = std::path::Path::new("standard output");
        complaint::print(&output::failed("write", path, failed), None);
        return ExitCode::from(Outcome::Failed as u8);
    }
    ExitCode::from(error.exit_code() as u8)
}

fn main() -> ExitCode {
    let cli = match Cli::typed(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    if cli.command.is_json() {
        complaint::use_json();
    }
    let outcome = match &cli.command {
        Command::Inspect(args) => commands::inspect(args),
        Command::Get(args) => commands::get(args),
        Command::Convert(args) => commands::convert(args),
        Command::Diff(args) => commands::diff(args),
        Command::Schema(args) => commands::schema(args),
        Command::Verify(args) => commands::verify(args),
        Command::New(args) => commands::new(args),
        Command::Stats(args) => commands::stats(args),
        #[cfg(feature = "view")]
        Command::View(args) => view::view(args),
        Command::Export(args) => commands::export(args),
        Command::Query(args) => commands::query(args),
        Command::Set(args) => commands::set(args),
        Command::Edit(args) => commands::edit(args),
        Command::Repair(args) => commands::repair(args),
        Command::List(args) => commands::list(args),
        Command::Completions(args) => commands::completions(args),
        Command::Man(args) => commands::man(args),
    };
    match outcome {
        Ok(outcome) => ExitCode::from(outcome as u8),
        Err(error) if complaint::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complaint::print(&error, hint::after(&error, &cli.command).as_deref());
            ExitCode::from(2)
        }
    }
}
