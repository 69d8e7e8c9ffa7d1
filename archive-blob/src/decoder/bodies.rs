//! Finding the bodies of pointers that are read before their bodies.

use archive_core::decoder::Mark;
use archive_core::reserved;
use archive_core::{Error, Result};

use super::Decoder;
use super::slot::{Place, Slot};
use crate::cursor::{HEADER, Input, LEAST_BLOB, LEAST_DATUM, offset};
use crate::types::DataType;

/// Returns whether a first member with that name makes its object a pointer.
fn is_pointer_name(name: &[u8]) -> bool {
    is_one_of(name, &reserved::POINTER)
}

fn is_one_of(name: &[u8], names: &[&str]) -> bool {
    names.iter().any(|known| known.as_bytes() == name)
}

/// Returns whether the value is an object whose first member has one of these names.
pub(super) fn begins_with(input: &Input<'_>, slot: &Slot, names: &[&str]) -> Result<bool> {
    if slot.kind != DataType::Object {
        return Ok(false);
    }
    let count = input.count(slot.start, slot.end, LEAST_DATUM, "a number of data")?;
    Ok(count > 0 && is_one_of(input.name(slot.start + 4, slot.end)?.0, names))
}

/// A container some of whose values were not walked over yet.
struct Open {
    kind: DataType,
    at: usize,
    state: u64,
    next: usize,
    left: usize,
    end: usize,
    /// Whether the first member has the name of a pointer's member; `None` before the first member
    /// was read.
    pointer: Option<bool>,
    id: Option<u64>,
    has_value: bool,
}

/// Reports the id and the place of every pointer that has a body.
pub(super) fn find(
    input: &Input<'_>,
    root: Slot,
    limit: usize,
    found: &mut dyn FnMut(u64, Mark),
) -> Result {
    let mut open = Vec::new();
    open.extend(enter(input, &root)?);
    while let Some(top) = open.last_mut() {
        if top.left == 0 {
            if let (Some(id), true) = (top.id, top.has_value) {
                let depth = open.len() as u32 - 1;
                let Some(Open { at, state, .. }) = open.pop() else { break };
                found(id, Mark { offset: at as u64, state, depth });
            } else {
                open.pop();
            }
            continue;
        }
        top.left -= 1;
        let slot = top.step(input)?;
        if let Some(inner) = enter(input, &slot)? {
            if open.len() >= limit {
                return Err(Error::too_nested(limit).at(offset(slot.at)));
            }
            open.push(inner);
        }
    }
    Ok(())
}

/// Checks that a skipped value, which has `open` levels around it, nests no deeper than the limit
/// for values that are read. Malformed parts of it are ignored.
pub(super) fn check_depth(input: &Input<'_>, slot: &Slot, open: usize, limit: usize) -> Result {
    let room = limit.saturating_sub(open);
    let mut open: Vec<Open> = Vec::new();
    let mut next = Some(*slot);
    loop {
        if let Some(slot) = next.take() {
            let inner = enter(input, &slot).unwrap_or_default();
            if open.len() >= room && (inner.is_some() || slot.is_array(input)) {
                return Err(Error::too_nested(limit).at(offset(slot.at)));
            }
            open.extend(inner);
        }
        match open.last_mut() {
            None => return Ok(()),
            Some(top) if top.left > 0 => {
                top.left -= 1;
                next = top.step(input).ok();
                if next.is_none() {
                    open.pop();
                }
            }
            Some(_) => drop(open.pop()),
        }
    }
}

/// Returns the contents of the value, if it is a container.
fn enter(input: &Input<'_>, slot: &Slot) -> Result<Option<Open>> {
    let least = match slot.kind {
        Slot::FILE => LEAST_BLOB,
        DataType::Object => LEAST_DATUM,
        DataType::List => HEADER,
        _ => return Ok(None),
    };
    let left = input.count(slot.start, slot.end, least, "a count")?;
    Ok(Some(Open {
        kind: slot.kind,
        at: slot.at,
        state: slot.state(),
        next: slot.start + 4,
        left,
        end: slot.end,
        pointer: None,
        id: None,
        has_value: false,
    }))
}

impl Open {
    /// Passes over the next value.
    fn step(&mut self, input: &Input<'_>) -> Result<Slot> {
        if self.kind == DataType::List {
            let slot = Slot::datum(input, self.next, self.end, Place::Item)?;
            self.next = slot.end;
            return Ok(slot);
        }
        let (name, at) = input.name(self.next, self.end)?;
        if self.kind == Slot::FILE {
            let size = input.length(at, self.end, "a size")?;
            self.next = at + 4 + size;
            return Slot::root(input, at, self.end);
        }
        let slot = Slot::datum(input, at, self.end, Place::Datum)?;
        self.next = slot.end;
        if *self.pointer.get_or_insert_with(|| is_pointer_name(name)) {
            match name {
                b"$id" => self.id = id(input, slot),
                b"$value" => self.has_value = true,
                _ => {}
            }
        }
        Ok(slot)
    }
}

/// Returns the number, unless it is the one item of an array: a tree may have such an array in
/// place of an id.
fn id(input: &Input<'_>, slot: Slot) -> Option<u64> {
    if slot.is_marked(input) {
        return None;
    }
    let mut decoder = Decoder::over(*input, slot, 1);
    decoder.any_number("an id").ok().and_then(|number| number.to_integer().ok())
}
