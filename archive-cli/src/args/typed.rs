//! Parses the arguments: accepts `help` as an option of `help`, and suggests commands for
//! misspelled ones.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Error, Parser as _};

use super::Cli;

impl Cli {
    /// Parses the arguments. The first one is the name of the program.
    ///
    /// # Errors
    /// Errors of the arguments, and the help if they ask for it.
    pub fn typed(args: impl IntoIterator<Item = OsString>) -> Result<Cli, Error> {
        let mut args: Vec<OsString> = args.into_iter().collect();
        if args.get(1).is_some_and(|command| command == "help") {
            let count = args.len();
            args.retain(|arg| arg != "--help" && arg != "-h");
            if args.len() == 2 && count > 2 {
                args.push("help".into());
            }
        }
        Cli::try_parse_from(args).map_err(suggested)
    }
}

/// Adds the command that was probably meant. Clap finds it only if most letters are in their place,
/// and then suggests several.
fn suggested(mut error: Error) -> Error {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return error;
    }
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    if let Some(near) = nearest(typed) {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![near]));
    }
    error
}

fn nearest(typed: &str) -> Option<String> {
    /// The maximum length of words that are compared.
    const LONGEST: usize = 32;
    if typed.len() > LONGEST {
        return None;
    }
    let typed = typed.to_lowercase();
    let cli = Cli::command();
    let distances = cli.get_subcommands().map(|command| {
        (strsim::damerau_levenshtein(&typed, command.get_name()), command.get_name())
    });
    // One mistake in a short name, two in a longer one.
    let near = distances.filter(|(distance, name)| *distance <= 1 + usize::from(name.len() > 4));
    near.min().map(|(_, name)| name.to_owned())
}
