//! The commands, as they are typed.

use archive::path::Path;
use archive::{Error, Result};

/// A command of the editor.
pub enum Command {
    /// Lists the commands.
    Help,
    /// Prints the property table of a part.
    List(Path),
    /// Prints a part as JSON.
    Get(Path),
    /// Changes a part.
    Set(Path, String),
    /// Inserts an item or an entry.
    Insert(Path, String),
    /// Inserts an object from a data file.
    Create(Path, String),
    /// Removes an item or an entry.
    Remove(Path),
    /// Moves an item.
    Move(Path, usize),
    /// Changes the variant of an enum.
    Variant(Path, String),
    /// Makes a pointer refer to the object of another one.
    Attach(Path, Path),
    /// Undoes the last change.
    Undo,
    /// Redoes the last change that was undone.
    Redo,
    /// Lists the pointers to a unit or a squad.
    Holders(Path),
    /// Lists the paths that begin with a text.
    Complete(String),
    /// Prints the hash of the world.
    Hash,
    /// Saves the world.
    Save(Option<String>),
}

/// The commands, for the help.
pub const HELP: &str = "\
list [PATH]         the property table of a part
get PATH            a part as JSON
set PATH VALUE      changes a part; VALUE is JSON, or a word
insert PATH VALUE   inserts an item in front of another, or an entry of a map
create PATH FILE    inserts an object from a data file
remove PATH         removes an item or an entry
move PATH INDEX     moves an item
variant PATH NAME   changes the variant of an enum
attach PATH FROM    lets a pointer refer to the object of another one
undo, redo          takes the last change back, and makes it again
holders PATH        the pointers to a unit or a squad
complete TEXT       the paths that begin with a text
hash                the hash of the world
save [FILE]         saves the world
";

/// Parses a command.
///
/// # Errors
/// An error for an unknown command, for arguments that are missing or too many, and those of the
/// path.
pub fn parse(line: &str) -> Result<Command> {
    let (word, rest) = split(line);
    let path = || Path::parse(rest);
    let pair = || match split(rest) {
        ("", _) | (_, "") => Err(Error::custom(format_args!("`{word}` needs two arguments"))),
        (path, other) => Ok((Path::parse(path)?, other)),
    };
    let alone = |command| match rest {
        "" => Ok(command),
        _ => Err(Error::custom(format_args!("`{word}` has no arguments"))),
    };
    match word {
        "help" => alone(Command::Help),
        "list" => Ok(Command::List(path()?)),
        "get" => Ok(Command::Get(path()?)),
        "set" => pair().map(|(path, value)| Command::Set(path, value.to_owned())),
        "insert" => pair().map(|(path, value)| Command::Insert(path, value.to_owned())),
        "create" => pair().map(|(path, file)| Command::Create(path, file.to_owned())),
        "remove" => Ok(Command::Remove(path()?)),
        "move" => {
            let (path, index) = pair()?;
            let index = index.parse().map_err(|_| Error::custom("the index is not a number"))?;
            Ok(Command::Move(path, index))
        }
        "variant" => pair().map(|(path, name)| Command::Variant(path, name.to_owned())),
        "attach" => {
            let (path, from) = pair()?;
            Ok(Command::Attach(path, Path::parse(from)?))
        }
        "undo" => alone(Command::Undo),
        "redo" => alone(Command::Redo),
        "holders" => Ok(Command::Holders(path()?)),
        "complete" => Ok(Command::Complete(rest.to_owned())),
        "hash" => alone(Command::Hash),
        "save" => Ok(Command::Save((!rest.is_empty()).then(|| rest.to_owned()))),
        _ => Err(Error::custom(format_args!("there is no command `{word}`: try `help`"))),
    }
}

/// Splits the first word off. A space in quotes does not end it, since names in paths may have some.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let mut quoted = false;
    let end = text.char_indices().find(|(_, c)| {
        quoted ^= *c == '"';
        *c == ' ' && !quoted
    });
    let (word, rest) = text.split_at(end.map_or(text.len(), |(end, _)| end));
    (word, rest.trim_start())
}
