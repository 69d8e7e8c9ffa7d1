//! [`Rewritten`]: writes a file again with another value. Equal parts are copied.

use std::collections::HashSet;

use archive_core::__private::put_scalar;
use archive_core::{Error, Found, Result, Value};

use super::by_name::ByName;
use crate::Datum;
use crate::cursor::{HEADER, Header, Input, LEAST_BLOB, LEAST_DATUM, word};
use crate::datum::length;
use crate::names;
use crate::types::DataType;

/// The original file, and the part of the new one that was written.
pub(super) struct Rewritten<'a> {
    input: Input<'a>,
    out: Vec<u8>,
}

/// The place of a datum in its container.
#[derive(Clone, Copy, PartialEq)]
enum Place<'n> {
    Member(&'n [u8]),
    Item,
}

impl<'a> Rewritten<'a> {
    pub(super) fn new(file: &'a [u8]) -> Self {
        Rewritten { input: Input(file), out: Vec::with_capacity(file.len()) }
    }

    /// Returns the whole file.
    pub(super) fn file(mut self, old: &Value, new: &Value) -> Result<Vec<u8>> {
        let all = self.input.len();
        let count = self.input.count(0, all, LEAST_BLOB, "a number of blobs")?;
        if count == 1 && self.input.name(4, all)?.0.is_empty() {
            let (_, at) = self.input.name(4, all)?;
            self.out.extend_from_slice(&self.input.0[..at]);
            self.root(at, old, new)?;
            return Ok(self.out);
        }
        let names = members(new)?;
        let (mut in_old, mut in_new) = (ByName::of(old), ByName::of(new));
        self.out.extend_from_slice(&word(0));
        let (mut at, mut written) = (4, 0);
        let mut seen = HashSet::new();
        for _ in 0..count {
            let (raw, after) = self.input.name(at, all)?;
            let name = names::text(raw, at)?;
            let end = after + 4 + self.input.length(after, all, "a size")?;
            let is_mark = raw == names::ROOTS.as_bytes() && end - after == 8;
            let before = in_old.find(&name);
            match in_new.find(&name) {
                _ if is_mark => self.out.extend_from_slice(&self.input.0[at..end]),
                Some(value) if before == Some(value) => {
                    self.out.extend_from_slice(&self.input.0[at..end]);
                }
                Some(value) => {
                    self.out.extend_from_slice(&self.input.0[at..after]);
                    let before = before.unwrap_or(&Value::Null);
                    self.root(after, before, value).map_err(|error| error.in_member(&name))?;
                }
                None => written -= 1,
            }
            written += 1;
            seen.insert(name);
            at = end;
        }
        for (name, value) in names.iter().filter(|(name, _)| !seen.contains(name.as_str())) {
            let alone = crate::to_vec(value)?;
            // After the number of blobs and the empty name.
            let blob = alone.get(9..).unwrap_or_default();
            crate::object_blob::put_name(&mut self.out, name)?;
            self.out.extend_from_slice(blob);
            written += 1;
        }
        self.out[..4].copy_from_slice(&length(written as usize, "the number of blobs")?);
        Ok(self.out)
    }

    /// Writes the size of a blob, whose size is at `at`, and the blob: an object, or the value of a root.
    fn root(&mut self, at: usize, old: &Value, new: &Value) -> Result {
        let (start, all) = (at + 4, self.input.len());
        let end = start + self.input.length(at, all, "a size")?;
        let here = self.out.len();
        self.out.extend_from_slice(&word(0));
        let is_value = self.input.count(start, end, LEAST_DATUM, "a number of data")? == 1
            && self.input.name(start + 4, end)?.0.is_empty();
        if is_value {
            let (raw, after) = self.input.name(start + 4, end)?;
            self.out.extend_from_slice(&self.input.0[start..after]);
            self.datum(after, end, Place::Member(raw), old, new)?;
        } else {
            self.object(start, end, old, new)?;
        }
        let size = length(self.out.len() - here - 4, "the size of a blob")?;
        self.out[here..here + 4].copy_from_slice(&size);
        Ok(())
    }

    /// Writes a blob: the number of its data, and the data.
    fn object(&mut self, start: usize, end: usize, old: &Value, new: &Value) -> Result {
        let names = members(new)?;
        let here = self.out.len();
        self.out.extend_from_slice(&word(0));
        let count = self.input.count(start, end, LEAST_DATUM, "a number of data")?;
        let (mut at, mut written) = (start + 4, 0_usize);
        let (mut in_old, mut in_new) = (ByName::of(old), ByName::of(new));
        let mut seen = HashSet::new();
        // Whether a mark that says that a datum is an array of one is still true.
        let mut marks = true;
        for _ in 0..count {
            let (raw, after) = self.input.name(at, end)?;
            let header = self.input.header(after, end)?;
            let name = names::text(raw, at)?;
            let is_mark = header.kind == DataType::Mark;
            let before = in_old.find(&name);
            match in_new.find(&name) {
                _ if is_mark && !marks => {}
                _ if is_mark => {
                    self.out.extend_from_slice(&self.input.0[at..header.end]);
                    written += 1;
                }
                Some(value) if before == Some(value) => {
                    self.out.extend_from_slice(&self.input.0[at..header.end]);
                    (marks, written) = (true, written + 1);
                }
                Some(value) => {
                    self.out.extend_from_slice(&self.input.0[at..after]);
                    let before = before.unwrap_or(&Value::Null);
                    let place = Place::Member(raw);
                    let more = self
                        .datum(after, end, place, before, value)
                        .map_err(|error| error.in_member(&name))?;
                    marks = !matches!(value, Value::Array(items) if items.len() != 1);
                    written += 1 + more;
                }
                None => marks = false,
            }
            if !is_mark {
                seen.insert(name);
            }
            at = header.end;
        }
        for (name, value) in names.iter().filter(|(name, _)| !seen.contains(name.as_str())) {
            let (count, data) = member_alone(name, value)?;
            self.out.extend_from_slice(&data);
            written += count;
        }
        let count = length(written, "the number of data")?;
        self.out[here..here + 4].copy_from_slice(&count);
        Ok(())
    }

    /// Writes a datum of the type that it has at `at`. Returns how many marks were written after it.
    fn datum(
        &mut self,
        at: usize,
        end: usize,
        place: Place<'_>,
        old: &Value,
        new: &Value,
    ) -> Result<usize> {
        let header = self.input.header(at, end)?;
        if old == new {
            self.out.extend_from_slice(&self.input.0[at..header.end]);
            return Ok(0);
        }
        let Header { kind, count, start, end } = header;
        let here = self.out.len();
        self.out.extend_from_slice(&self.input.0[at..at + HEADER]);
        match (kind, new) {
            (DataType::Null, _) => {
                self.out.truncate(here);
                return match place {
                    // The name was written.
                    Place::Member(raw) => {
                        let name = names::text(raw, at)?;
                        let (data, bytes) = member_alone(&name, new)?;
                        self.out.extend_from_slice(&bytes[4 + raw.len() + 1..]);
                        Ok(data - 1)
                    }
                    Place::Item => self.item(new).map(|()| 0),
                };
            }
            (DataType::Object, _) => self.object(start, end, old, new)?,
            (DataType::List, Value::Array(items)) => match self.array_in_list(start, end)? {
                Some(kind) if items.len() != 1 && self.put_array(here, kind, items)? => {
                    return Ok(0);
                }
                _ => self.list(start, end, old, items)?,
            },
            (DataType::Char, Value::Str(text)) if !text.contains('\0') => {
                self.out.extend_from_slice(text.as_bytes());
                self.out.push(0);
            }
            (DataType::Char | DataType::Text, Value::Str(text)) => {
                self.out[here..here + 4].copy_from_slice(&word(DataType::Text.code()));
                self.out.extend_from_slice(text.as_bytes());
            }
            (DataType::Bytes, Value::Bytes(bytes)) => self.out.extend_from_slice(bytes),
            (DataType::Bytes, Value::Array(items)) => {
                scalars(&mut self.out, DataType::U8, items)?;
            }
            (kind, Value::Array(items)) if kind.primitive().is_some() && is_array(old) => {
                scalars(&mut self.out, kind, items)?;
                if items.len() == 1 && count != 1 {
                    return self.array_of_one(here, place, kind);
                }
            }
            (kind, value) if kind.primitive().is_some() && !is_array(old) => {
                put_scalar(&mut self.out, kind.primitive(), kind, value)?;
            }
            (DataType::List, _) => return Err(Error::wrong_type("a sequence", Found::from(new))),
            (DataType::Char | DataType::Text, _) => {
                return Err(Error::wrong_type("text", Found::from(new)));
            }
            (DataType::Bytes, _) => return Err(Error::wrong_type("bytes", Found::from(new))),
            (kind, _) if kind.primitive().is_some() => {
                return Err(Error::wrong_type("a sequence", Found::from(new)));
            }
            (kind, _) => {
                return Err(Error::wrong_type(
                    format_args!("data of the unknown {kind}"),
                    Found::from(new),
                ));
            }
        }
        let size = kind.element_size().unwrap_or(1);
        let count = (self.out.len() - here - HEADER) / size;
        let count = length(count, "the number of elements")?;
        self.out[here + 8..here + 12].copy_from_slice(&count);
        Ok(0)
    }

    /// Returns the type of the one scalar of a list. Such a list is an array of one.
    fn array_in_list(&self, start: usize, end: usize) -> Result<Option<DataType>> {
        if self.input.count(start, end, HEADER, "a number of items")? != 1 {
            return Ok(None);
        }
        let item = self.input.header(start + 4, end)?;
        Ok(Some(item.kind).filter(|kind| kind.primitive().is_some() && item.count == 1))
    }

    /// Writes an array in place of a list, unless an item is not a scalar.
    fn put_array(&mut self, here: usize, kind: DataType, items: &[Value]) -> Result<bool> {
        let is_scalar =
            |item: &Value| matches!(item, Value::Number(_) | Value::Bool(_) | Value::Str(_));
        if !items.iter().all(is_scalar) {
            return Ok(false);
        }
        self.out.truncate(here);
        let mut data = Vec::new();
        scalars(&mut data, kind, items)?;
        let size = kind.element_size().unwrap_or(1);
        self.out.extend_from_slice(Datum::new(kind, size, &data)?.raw());
        Ok(true)
    }

    /// Completes an array that now has one element: it gets a mark, or becomes a list of one.
    fn array_of_one(&mut self, here: usize, place: Place<'_>, kind: DataType) -> Result<usize> {
        self.out[here + 8..here + 12].copy_from_slice(&word(1));
        match place {
            Place::Member(raw) if kind.is_original() => {
                let name = [names::ARRAY.as_bytes(), raw].concat();
                self.out.extend_from_slice(&length(name.len() + 1, "the length of a name")?);
                self.out.extend_from_slice(&name);
                self.out.push(0);
                self.out.extend_from_slice(Datum::new(DataType::Mark, 1, &[])?.raw());
                Ok(1)
            }
            _ => {
                let one = self.out.split_off(here);
                let data = [&word(1)[..], &one].concat();
                self.out.extend_from_slice(Datum::new(DataType::List, 1, &data)?.raw());
                Ok(0)
            }
        }
    }

    /// Writes a list: the number of its items, and the items.
    fn list(&mut self, start: usize, end: usize, old: &Value, new: &[Value]) -> Result {
        let count = self.input.count(start, end, HEADER, "a number of items")?;
        self.out.extend_from_slice(&length(new.len(), "the number of items")?);
        let mut at = start + 4;
        for (index, value) in new.iter().enumerate() {
            if index >= count {
                self.item(value).map_err(|error| error.in_item(index))?;
                continue;
            }
            let next = self.input.header(at, end)?.end;
            let before = old.item(index).unwrap_or(&Value::Null);
            self.datum(at, end, Place::Item, before, value)
                .map_err(|error| error.in_item(index))?;
            at = next;
        }
        Ok(())
    }

    /// Writes a new item.
    fn item(&mut self, value: &Value) -> Result {
        match value {
            Value::Array(items) if items.len() == 1 => {
                let data = [&word(1)[..], Datum::of(&items[0])?.raw()].concat();
                self.out.extend_from_slice(Datum::new(DataType::List, 1, &data)?.raw());
            }
            value => self.out.extend_from_slice(Datum::of(value)?.raw()),
        }
        Ok(())
    }
}

fn scalars(out: &mut Vec<u8>, kind: DataType, items: &[Value]) -> Result {
    items.iter().enumerate().try_for_each(|(index, item)| {
        put_scalar(out, kind.primitive(), kind, item).map_err(|error: Error| error.in_item(index))
    })
}

fn is_array(value: &Value) -> bool {
    matches!(value, Value::Array(_))
}

fn members(value: &Value) -> Result<&[(String, Value)]> {
    value.as_object().ok_or_else(|| Error::wrong_type("an object", Found::from(value)))
}

/// Returns a member as it is written in an object without other members: the number of data, and
/// their bytes.
fn member_alone(name: &str, value: &Value) -> Result<(usize, Vec<u8>)> {
    let object = Value::Object(vec![(name.to_owned(), value.clone())]);
    let file = crate::to_vec(&object)?;
    let input = Input(&file);
    // After the number of blobs, the empty name and the size.
    let count = input.count(13, file.len(), LEAST_DATUM, "a number of data")?;
    Ok((count, file[17..].to_vec()))
}
