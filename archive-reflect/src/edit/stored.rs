//! How edits are saved: each change as an object with the operation, the path and the content.

use archive_core::path::Path;
use archive_core::{Error, ErrorKind, Result, Value, blank, members, stored_as};

use super::{Change, Content, Edit};

/// A change in a file.
#[derive(Default)]
struct Stored {
    op: String,
    path: Path,
    /// The other path of [`Change::Attach`].
    from: Option<Path>,
    /// The index of [`Change::Move`].
    to: Option<usize>,
    /// The name of [`Change::Variant`].
    variant: Option<String>,
    /// The key of [`Change::Rename`].
    key: Option<String>,
    value: Option<Value>,
}
members!(Stored { op, path, from, to, variant, key, value });
blank!(Stored);

stored_as! {
    Edit as Vec<Stored> {
        save: |edit| edit.0.iter().map(to_stored).collect(),
        load: |stored| stored.into_iter().map(from_stored).collect::<Result<_>>().map(Edit),
    }
}

fn to_stored(change: &Change) -> Result<Stored> {
    let stored =
        |op: &str| Stored { op: op.to_owned(), path: change.path().clone(), ..Stored::default() };
    Ok(match change {
        Change::Set(_, content) => Stored { value: Some(tree(content)?), ..stored("set") },
        Change::Insert(_, content) => Stored { value: Some(tree(content)?), ..stored("insert") },
        Change::Remove(_) => stored("remove"),
        Change::Move(_, to) => Stored { to: Some(*to), ..stored("move") },
        Change::Variant(_, name) => Stored { variant: Some(name.clone()), ..stored("variant") },
        Change::Rename(_, key) => Stored { key: Some(key.clone()), ..stored("rename") },
        Change::Attach(_, from) => Stored { from: Some(from.clone()), ..stored("attach") },
    })
}

fn tree(content: &Content) -> Result<Value> {
    if content.is_live() {
        let message = "an edit that contains objects of the program cannot be saved";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    Ok(content.tree.clone())
}

fn from_stored(stored: Stored) -> Result<Change> {
    let Stored { op, path, from, to, variant, key, value } = stored;
    let value = Content::from(value.unwrap_or_default());
    Ok(match op.as_str() {
        "set" => Change::Set(path, value),
        "insert" => Change::Insert(path, value),
        "remove" => Change::Remove(path),
        "move" => Change::Move(path, to.ok_or_else(|| lacks("to"))?),
        "variant" => Change::Variant(path, variant.ok_or_else(|| lacks("variant"))?),
        "rename" => Change::Rename(path, key.ok_or_else(|| lacks("key"))?),
        "attach" => Change::Attach(path, from.ok_or_else(|| lacks("from"))?),
        other => {
            let known = ["set", "insert", "remove", "move", "variant", "attach", "rename"];
            let known = archive_core::Known::new(other, &known, "there are:");
            let message = format!("unknown change `{}`{known}", other.escape_debug());
            return Err(Error::new(ErrorKind::UnknownVariant, message));
        }
    })
}

fn lacks(member: &str) -> Error {
    Error::new(ErrorKind::MissingMember, format_args!("the change lacks `{member}`"))
}
