//! The texts that are loaded: the original, one with members in another order, and one with unknown
//! members.

use serde_json::Value;

/// The change to the objects of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The members are in another order than the type's, the same one in all objects.
    Order,
    /// Every third member follows one that the type does not have.
    Unknown,
}

/// The text with a change. `maps` returns whether the object at a path of names is a map.
pub fn changed(text: &str, change: Change) -> String {
    let tree: Value = serde_json::from_str(text).expect("it was written just now");
    let mut out = String::new();
    write(&tree, change, &mut out);
    out
}

fn write(value: &Value, change: Change, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                comma(i, out);
                write(item, change, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            if change == Change::Order {
                members.sort_by_key(|(name, _)| mixed(name));
            }
            // The members of a map and of a variant would be taken for entries.
            let strange = change == Change::Unknown && members.len() > 1 && !is_map(&members);
            out.push('{');
            for (i, (name, value)) in members.into_iter().enumerate() {
                comma(i, out);
                if strange && i % 3 == 0 {
                    out.push_str(&format!("\"unknown_{i}\":[1,2,{{\"a\":\"some text\"}}],"));
                }
                out.push_str(&quoted(name));
                out.push(':');
                write(value, change, out);
            }
            out.push('}');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

/// Whether an object is a map: its names are numbers or in capitals.
fn is_map(members: &[(&String, &Value)]) -> bool {
    members.iter().any(|(name, _)| !name.contains(|c: char| c.is_ascii_lowercase()))
}

fn comma(i: usize, out: &mut String) {
    if i > 0 {
        out.push(',');
    }
}

fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}

fn mixed(name: &str) -> u32 {
    let hash =
        name.bytes().fold(7, |hash: u32, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    hash.wrapping_mul(2_654_435_761)
}
