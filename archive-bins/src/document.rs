//! [`Document`]: a packed object that is changed and saved again without the program's types.

use archive_core::shape::OBJECT;
use archive_core::{Decoder as _, Error, ErrorKind, Found, Kind, Options, Result, Shape, Value};
use archive_document::{Edited, Rewrite};

use crate::flat::Content;
use crate::pack::pack;
use crate::unpack::unpack;
use crate::{Bins, Decoder};

/// A packed object whose variables can be changed without the program's types, since the file states
/// the type of each variable.
///
/// ```
/// use archive::bins::{self, Document};
///
/// #[derive(Default, PartialEq, Debug, archive::Serialize)]
/// struct Unit { name: String, hp: u16, at: [f32; 2] }
///
/// let file = bins::to_vec(&Unit { name: "Ann".into(), hp: 70, at: [1.0, 2.5] })?;
///
/// let mut document = Document::from_slice(&file)?;
/// document.value["name"] = "Bob".into();
/// document.value["at"][1] = 0.5.into();
/// let changed: Unit = bins::from_slice(&document.to_vec()?)?;
/// assert_eq!(changed, Unit { name: "Bob".into(), hp: 70, at: [1.0, 0.5] });
///
/// document.value["hp"] = 70_000.into();
/// let error = document.to_vec().unwrap_err();
/// assert_eq!(error.to_string(), "hp: 70000 does not fit u16");
/// # Ok::<(), archive::Error>(())
/// ```
///
/// An unchanged document of the current version of the format is the file, byte for byte. Objects and the
/// items of lists of objects cannot be added or removed, because the file does not state which other
/// members an object may have. The items of a variable such as `Vec<f32>` can.
pub type Document = Edited<Bins>;

impl Rewrite for Bins {
    fn rewrite(file: &[u8], old: &Value, new: &Value, options: &Options<'_>) -> Result<Vec<u8>> {
        let mut decoder = Decoder::new(file, options)?;
        decoder.begin_root(&Shape::Any)?;
        let mut changed = Vec::new();
        walk(&mut decoder, old, new, &mut changed)?;
        let mut flat = unpack(file, options.settings().limits().nesting())?;
        for (node, bytes) in &changed {
            if let Some(node) = flat.nodes.get_mut(*node)
                && let Content::Variable(ty, _) = node.content
            {
                node.content = Content::Variable(ty, bytes);
            }
        }
        pack(&flat)
    }
}

/// Collects the variables in which two values differ, with the bytes of the new ones.
fn walk(
    from: &mut Decoder<'_>,
    old: &Value,
    new: &Value,
    changed: &mut Vec<(usize, Vec<u8>)>,
) -> Result {
    if old == new {
        return from.skip();
    }
    if let Some(variable) = from.variable_with(new)? {
        changed.push(variable);
        return Ok(());
    }
    let is_object = from.peek()? == Kind::Object;
    match (old, new) {
        (Value::Object(before), Value::Object(after)) if is_object => {
            let names = |members: &[(String, Value)]| -> Vec<String> {
                members.iter().map(|(name, _)| name.clone()).collect()
            };
            if names(before) != names(after) {
                return Err(fixed("the members of an object"));
            }
            from.begin_object(&OBJECT)?;
            for ((name, old), (_, new)) in before.iter().zip(after) {
                from.next_key()?;
                walk(from, old, new, changed).map_err(|error| error.in_member(name))?;
            }
            from.end_object(&mut |_| Ok(()))
        }
        (Value::Array(before), Value::Array(after)) if !is_object => {
            if before.len() != after.len() {
                return Err(fixed("the items of a list"));
            }
            from.begin_seq(&Shape::Any)?;
            for (index, (old, new)) in before.iter().zip(after).enumerate() {
                from.next_item()?;
                walk(from, old, new, changed).map_err(|error| error.in_item(index))?;
            }
            from.end_seq()
        }
        _ => {
            let expected = if is_object { "an object" } else { "a sequence" };
            Err(Error::wrong_type(expected, Found::from(new)))
        }
    }
}

#[cold]
fn fixed(what: &str) -> Error {
    let message = format_args!("{what} cannot be added, removed or renamed in a Bins file");
    Error::new(ErrorKind::Unsupported, message)
}
