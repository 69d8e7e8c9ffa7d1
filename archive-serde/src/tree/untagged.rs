//! Trees that are read through the buffer that serde uses for untagged enums.
//!
//! A format may lose the names of variants in `deserialize_any`, since a visitor of any value has
//! no place for them. `ron` makes an exception for serde's own buffer: it passes variants as text
//! and as maps with one entry. That buffer is reached through an untagged enum.
// Why: docs/decisions/serde.md#a-format-may-lose-the-names-of-variants

use archive_core::Value;
use serde::{Deserialize, Deserializer};

use super::{Tree, is_pointer_name};
use crate::value::WholeText;

#[derive(Deserialize)]
#[serde(untagged)]
enum Untagged {
    Whole(WholeText),
}

/// Reads any value as a tree.
pub(crate) fn read_untagged<'de, D: Deserializer<'de>>(from: D) -> Result<Tree, D::Error> {
    let Untagged::Whole(WholeText(value)) = Untagged::deserialize(from)?;
    let has_pointers = has_pointers(&value);
    Ok(Tree { value, has_pointers, held: 0 })
}

fn has_pointers(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_pointers),
        Value::Object(members) => {
            members.first().is_some_and(|(name, _)| is_pointer_name(name))
                || members.iter().any(|(_, value)| has_pointers(value))
        }
        _ => false,
    }
}
