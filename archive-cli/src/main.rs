//! `archive`: opens, compares and edits files of the `archive` formats without the types of the
//! program that wrote them. `docs/COMMAND_LINE.md` describes it.

mod args;
mod commands;
mod complaint;
mod current;
mod edit;
mod facts;
mod input;
mod interrupt;
mod node;
mod nothing;
mod output;
mod pieces;
mod place;
mod progress;
mod pump;
mod select;
mod show;
mod steps;
mod stream;
mod terminal;
mod tree;
mod write_back;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As it should.
    Done = 0,
    /// Files differ, or a file is damaged.
    Found = 1,
    /// As after an error. What is wrong was said.
    Failed = 2,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match &cli.command {
        Command::Inspect(args) => commands::inspect(args),
        Command::Get(args) => commands::get(args),
        Command::Convert(args) => commands::convert(args),
        Command::Diff(args) => commands::diff(args),
        Command::Schema(args) => commands::schema(args),
        Command::Verify(args) => commands::verify(args),
        Command::Stats(args) => commands::stats(args),
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
            complaint::print(&error);
            ExitCode::from(2)
        }
    }
}
