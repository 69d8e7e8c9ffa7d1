//! The open containers, and how they are completed.

use archive_core::Result;

use super::Encoder;
use super::pieces::Begin;
use crate::cursor::HEADER;
use crate::names;
use crate::types::DataType;

/// An open container.
#[derive(Debug)]
pub(super) enum Frame {
    /// The list of named roots: how many there are, and whether one has the empty name.
    Roots {
        count: usize,
        unnamed: bool,
    },
    Object(Object),
    List(List),
    Array(Array),
}

/// A blob.
#[derive(Debug)]
pub(super) struct Object {
    /// Where its size is, which the number of its data follows.
    pub(super) at: Begin,
    /// Whether it is a blob of the list.
    pub(super) root: bool,
    pub(super) count: usize,
    /// Whether a member has the empty name.
    pub(super) unnamed: bool,
}

/// A sequence of data without names.
#[derive(Debug)]
pub(super) struct List {
    pub(super) header: Begin,
    pub(super) name: Option<usize>,
    pub(super) items: usize,
    /// Whether it belongs to a tree without types, which does not declare the types of its items.
    pub(super) untyped: bool,
    /// The type of all items so far, while they are scalars of one type.
    kind: Option<DataType>,
    mixed: bool,
}

/// A sequence of scalars of one type.
#[derive(Debug)]
pub(super) struct Array {
    pub(super) header: usize,
    pub(super) name: Option<usize>,
    pub(super) kind: DataType,
}

impl List {
    pub(super) fn new(header: Begin, name: Option<usize>, untyped: bool) -> Self {
        List { header, name, items: 0, untyped, kind: None, mixed: !untyped }
    }

    /// Notes the type of the item that begins.
    #[inline]
    pub(super) fn note(&mut self, kind: DataType, scalar: bool) {
        self.mixed |= !scalar || (self.items > 1 && self.kind != Some(kind));
        self.kind = Some(kind);
    }
}

impl Encoder {
    /// Completes an array. One element can be a scalar or an array of one. Where the original
    /// program reads it, a mark after it says that it is an array; elsewhere it becomes a list of
    /// one.
    pub(super) fn end_array(&mut self, array: Array) -> Result {
        let size = array.kind.element_size().unwrap_or(1);
        let bytes = self.here() - (array.header + HEADER);
        let count = bytes / size;
        if count != 1 {
            self.length(bytes, "the size of an array")?;
            return self.patch(array.header + 8, count, "the number of elements");
        }
        self.patch(array.header + 8, 1, "the number of elements")?;
        match array.name.filter(|_| array.kind.is_original()) {
            Some(name) => self.mark_array(name, array.header),
            None if self.is_whole_datum() => Ok(()),
            None => {
                let inner = self.out.split_off(self.index(array.header));
                self.put_header(DataType::List, 4 + inner.len())?;
                self.put_i32(1);
                self.out.extend_from_slice(&inner);
                Ok(())
            }
        }
    }

    /// Writes a mark that the member just written is an array, although it has one element.
    fn mark_array(&mut self, name: usize, header: usize) -> Result {
        // The name is stored between its length and its NUL.
        let raw = self.out[self.index(name + 4)..self.index(header - 1)].to_vec();
        let length = self.length(names::ARRAY.len() + raw.len() + 1, "the length of a name")?;
        self.put_i32(length);
        self.out.extend_from_slice(names::ARRAY.as_bytes());
        self.out.extend_from_slice(&raw);
        self.out.push(0);
        self.end_mark()
    }

    /// Completes a mark whose name has been written.
    fn end_mark(&mut self) -> Result {
        self.put_header(DataType::Mark, 0)?;
        if let Some(Frame::Object(object)) = self.frames.last_mut() {
            object.count += 1;
        }
        Ok(())
    }

    /// Completes a list. A list of a tree without types becomes an array if all its items are
    /// scalars of one type, so that data that came from an array becomes one again.
    pub(super) fn end_list(&mut self, list: List) -> Result {
        let List { header: begin, name, items, kind, mixed, .. } = list;
        let header = begin.at;
        if let Some(kind) = kind.filter(|_| !mixed)
            && (items > 1 || (name.is_some() && kind.is_original()))
        {
            let size = kind.element_size().unwrap_or(1);
            self.put_word(header, kind.code());
            self.patch(header + 4, size, "the size of an element")?;
            self.patch(header + 8, items, "the number of elements")?;
            self.leave_out_headers(header + HEADER, items, size);
            return match name {
                Some(name) if items == 1 => self.mark_array(name, header),
                _ => Ok(()),
            };
        }
        self.patch(header + 8, self.since(begin) - HEADER, "the size of a list")?;
        self.patch(header + HEADER, items, "the number of items")
    }

    /// Completes a blob.
    pub(super) fn close_object(&mut self, object: Object) -> Result {
        let Object { at, root, mut count, unnamed } = object;
        if root && unnamed && count == 1 {
            // The mark distinguishes it from the wrapper of a root that is not an object.
            self.put_name(names::OBJECT)?;
            self.put_header(DataType::Mark, 0)?;
            count += 1;
        }
        self.patch(at.at, self.since(at) - 4, "the size of an object")?;
        self.patch(at.at + 4, count, "the number of members")
    }

    /// Completes the list of roots.
    pub(super) fn close_roots(&mut self, mut count: usize, unnamed: bool) -> Result {
        if unnamed && count == 1 {
            // The extra blob distinguishes it from a file with one value and no names.
            self.put_name(names::ROOTS)?;
            self.put_i32(4);
            self.put_i32(0);
            count += 1;
        }
        self.patch(0, count, "the number of roots")
    }
}
