//! Which commands print output for programs.

use super::Command;

impl Command {
    /// Returns whether the output is JSON, for programs.
    pub fn is_json(&self) -> bool {
        match self {
            Command::Inspect(args) => args.json,
            Command::Get(args) => args.json,
            Command::Convert(args) => args.json,
            Command::Diff(args) => args.json,
            Command::Schema(args) => args.json,
            Command::Verify(args) => args.json,
            Command::Stats(args) => args.json,
            Command::Set(args) => args.write.json,
            Command::Edit(args) => args.write.json,
            Command::Repair(args) => args.json,
            Command::List(args) => args.json,
            Command::Export(args) => args.json,
            Command::Query(args) => args.json,
            #[cfg(feature = "view")]
            Command::View(_) => false,
            Command::New(_) | Command::Completions(_) | Command::Man(_) => false,
        }
    }
}
