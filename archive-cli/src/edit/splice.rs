//! Edits formats in which each value is one range of bytes. Only these bytes are replaced, which
//! keeps comments, spaces and the spelling of numbers.

use std::collections::HashMap;
use std::ops::Range;

use archive::format::{Decoder, Encoder as _, Kind, ValueEncoder};
use archive::path::{Path, Pattern, Step};
use archive::shape::{OBJECT, Shape};
use archive::{Error, ErrorKind, Format, Result, Value};

use super::references::refers;
use super::{Change, insert, references};
use crate::input::{Input, options};
use crate::pump::Out;
use crate::select::select;
use crate::stream;
use crate::tree::{adapted, identical};

/// A range of bytes and its replacement.
pub type Piece = (Range<usize>, Vec<u8>);

/// Returns the changed bytes of a file, or `None` if nothing changes.
pub fn apply(input: &Input, changes: &[Change]) -> Result<Option<Vec<u8>>> {
    let mut pieces = Vec::<Piece>::new();
    let mut has_pointers =
        changes.iter().any(|change| change.new_member.is_some() && refers(&change.value));
    for change in changes.iter().filter(|change| change.new_member.is_none()) {
        let found;
        let Found { span, new, refers } = match &change.found {
            Some(found) => found,
            None => {
                found = find(input, change)?;
                &found
            }
        };
        if let Some(new) = new {
            has_pointers |= refers;
            pieces.push((span.clone(), new.clone()));
        }
    }
    let mut new = replaced(&input.bytes, pieces)?;
    // Each addition moves the place of the next one.
    for change in changes {
        let Some(name) = &change.new_member else { continue };
        let before = new.take().map(|bytes| input.with_bytes(bytes));
        let before = before.as_ref().unwrap_or(input);
        refuse_twice(before, &change.path, name)?;
        let value = spelled(input, change, &change.value)?;
        let pieces = insert::member(before, &change.path, name, &value)?;
        new = replaced(&before.bytes, pieces)?;
    }
    if let Some(new) = new.as_ref().filter(|_| has_pointers) {
        references::check(input.format, &input.bytes, new)?;
    }
    Ok(new)
}

/// Checks that an object does not have a member that is added to it. Another path may have led to it.
fn refuse_twice(input: &Input, parent: &Path, name: &str) -> Result {
    let mut path = parent.clone();
    path.push(name);
    let pattern = Pattern::from(path.clone());
    if input.read(|from| select(from, &pattern, &mut |from, _| from.skip())).is_err() {
        return Ok(());
    }
    let message = format_args!("{path} is added twice");
    Err(Error::new(ErrorKind::DuplicateMember, message))
}

/// Returns bytes in which ranges are replaced, or `None` if there are no ranges.
fn replaced(bytes: &[u8], mut pieces: Vec<Piece>) -> Result<Option<Vec<u8>>> {
    pieces.sort_by_key(|(span, _)| (span.start, span.end));
    // Two paths may refer to one object.
    pieces.dedup();
    if pieces.is_empty() {
        return Ok(None);
    }
    if let Some(two) = pieces.windows(2).find(|two| two[1].0.start < two[0].0.end) {
        let message = format_args!(
            "the value at byte {} is part of another one that is set as well",
            two[1].0.start
        );
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for (span, new) in pieces {
        out.extend_from_slice(&bytes[at..span.start]);
        out.extend_from_slice(&new);
        at = span.end;
    }
    out.extend_from_slice(&bytes[at..]);
    Ok(Some(out))
}

/// Returns the bytes of a new value, with the ids of its references. JSON keeps the spelling of the
/// user.
fn spelled(input: &Input, change: &Change, value: &Value) -> Result<Vec<u8>> {
    if let (Some(text), Format::Json) = (&change.text, input.format) {
        return Ok(text.trim().as_bytes().to_vec());
    }
    stream::written(input.format, value, &options())
}

/// Returns the length of a byte order mark. Offsets of values do not include it.
pub fn mark_len(input: &Input) -> usize {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if input.format == Format::Json && input.bytes.starts_with(MARK) { MARK.len() } else { 0 }
}

/// The bytes of a value that a change replaces.
pub struct Found {
    span: Range<usize>,
    /// The new bytes, if the value differs.
    new: Option<Vec<u8>>,
    /// Whether there are pointers in the old or in the new value.
    refers: bool,
}

/// Finds the value that a change replaces.
fn find(input: &Input, change: &Change) -> Result<Found> {
    let mut found = None;
    input.read(|from| {
        select(from, &Pattern::from(change.path.clone()), &mut |from, _| {
            found = Some(find_here(input, from, change)?);
            Ok(())
        })
    })?;
    found.ok_or_else(without_bytes)
}

#[cold]
fn without_bytes() -> Error {
    Error::custom("this value has no bytes of its own")
}

/// Returns the bytes that a change replaces in the value at the cursor. Moves past the value.
pub fn find_here(input: &Input, from: &mut dyn Decoder, change: &Change) -> Result<Found> {
    let start = from.mark();
    let span = from.skip_span()?.ok_or_else(without_bytes)?;
    from.recover(start);
    let old = tree(from)?;
    let mark = mark_len(input);
    let new = match identical(&old, &change.value) {
        true => None,
        false => Some(spelled(input, change, &adapted(&old, &change.value))?),
    };
    let span = span.start as usize + mark..span.end as usize + mark;
    Ok(Found { span, new, refers: refers(&old) || refers(&change.value) })
}

/// Finds the values that changes replace. The paths begin at the value at `root`, and contain the
/// members of pointers as in the file.
pub fn find_all(input: &Input, root: &Path, changes: &mut [Change]) -> Result {
    let mut all = Node::default();
    for (index, change) in changes.iter().enumerate() {
        let mut node = &mut all;
        for step in change.path.steps() {
            node = node.inside.entry(step.clone()).or_default();
        }
        node.change = Some(index);
    }
    input.read(|from| {
        select(from, &Pattern::from(root.clone()), &mut |from, _| {
            find_in(input, from, &all, changes)
        })
    })?;
    changes.iter_mut().for_each(|change| change.path = root.join(change.path.steps()));
    Ok(())
}

/// The changes inside of a value.
#[derive(Default)]
struct Node {
    change: Option<usize>,
    inside: HashMap<Step, Node>,
}

fn find_in(input: &Input, from: &mut dyn Decoder, node: &Node, changes: &mut [Change]) -> Result {
    if let Some(index) = node.change {
        changes[index].found = Some(find_here(input, from, &changes[index])?);
        return Ok(());
    }
    match from.peek()? {
        Kind::Object if !node.inside.is_empty() => {
            from.begin_object(&OBJECT)?;
            while let Some(name) = from.next_key()? {
                match node.inside.get(&Step::from(&*name)) {
                    Some(inner) => find_in(input, from, inner, changes)?,
                    None => from.skip()?,
                }
            }
            from.end_object(&mut |_| Ok(()))
        }
        Kind::Seq if !node.inside.is_empty() => {
            from.begin_seq(&Shape::Any)?;
            let mut index = 0_usize;
            while from.next_item()? {
                match node.inside.get(&Step::Index(index)) {
                    Some(inner) => find_in(input, from, inner, changes)?,
                    None => from.skip()?,
                }
                index += 1;
            }
            from.end_seq()
        }
        _ => from.skip(),
    }
}

/// Returns the value at the cursor as a tree, with the ids of the file.
fn tree(from: &mut dyn Decoder) -> Result<Value> {
    let mut encoder = ValueEncoder::new();
    encoder.begin_root(&Shape::Any)?;
    Out::new(&mut encoder).pump(from)?;
    encoder.end_root()?;
    encoder.finish()
}
