//! [`Patch`]: replaces values of a file without a tree of the file.

mod old;
mod references;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use archive_core::__private::put_scalar;
use archive_core::{Backend as _, Decoder as _, Error, ErrorKind, Options, Result, Shape, Value};

use super::shapes::{self, Known};
use crate::container::{self, HEADER};
use crate::cursor::Cursor;
use crate::read_tables::Tables;
use crate::varint::put_u64;
use crate::write_tables::put_objects;
use crate::{Binary, Decoder};
use archive_document::{InShape, Left, Marked, Shapes};
use old::{Kind, Old};
use references::Replaced;

/// A file of the binary format in which values are replaced in place. It takes no more memory than the new
/// file, while a [`Document`](crate::Document) takes the memory of two trees.
///
/// It replaces only values that their types describe completely. These include a [`Value`] if neither the old nor the new
/// one has pointers, and an object of a hand-written function if it keeps its members and these are such values. Pointers to
/// shared objects may become null or refer to other objects of the file, alone or as parts of larger values;
/// [`check`](Patch::check) checks them. Not replaced are values that get new objects, owned trait objects, and larger values
/// that contain one of these. Such values may be elsewhere in the file.
///
/// ```
/// use archive::binary::{Binary, Patch};
/// use archive::format::{Backend, Decoder};
/// use archive::shape::{Shape, OBJECT};
/// use archive::Options;
///
/// #[derive(Default, PartialEq, Debug, archive::Serialize)]
/// struct Unit { name: String, hp: u16 }
///
/// let file = archive::binary::to_vec(&Unit { name: "Ann".into(), hp: 70 })?;
/// let mut patch = Patch::new(&file, &Options::new())?.expect("it is of the current version");
///
/// // A tool goes to the value with a decoder.
/// let mut decoder = Binary::decoder(&file, &Options::new())?;
/// decoder.begin_root(&Shape::Any)?;
/// decoder.begin_object(&OBJECT)?;
/// decoder.next_key()?;
/// assert!(patch.replace(&mut decoder, |name| *name = "Annabel".into())?);
///
/// let changed = patch.to_vec()?.expect("it was changed");
/// let unit: Unit = archive::binary::from_slice(&changed)?;
/// assert_eq!(unit, Unit { name: "Annabel".into(), hp: 70 });
/// # Ok::<(), archive::Error>(())
/// ```
#[cfg(feature = "document")] // for the documentation of `archive`
pub struct Patch<'f> {
    file: &'f [u8],
    tables: Tables<'f>,
    types: &'static [Known],
    pieces: Vec<Piece>,
    /// The bytes that replace the pieces, one after the other.
    bytes: Vec<u8>,
    options: Options<'static>,
    /// Values with references, once there are any.
    references: Option<Box<Replaced>>,
    /// The objects that remain in the file after the values are replaced.
    left: Option<Left>,
}

/// A range of the file, and the range of the bytes that replace it. There may be as many pieces as
/// values.
#[derive(Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
    at: usize,
    len: usize,
}

impl<'f> Patch<'f> {
    /// Opens a file. Returns `None` if the file has columns, or an older version of the format, which
    /// cannot be written.
    ///
    /// # Errors
    /// An error if the file is not of this format, or its tables are damaged or exceed a limit.
    pub fn new(file: &'f [u8], options: &Options<'_>) -> Result<Option<Self>> {
        let (data_end, end) = container::frame(file)?;
        if container::version(file) != container::VERSION || container::has_columns(file) {
            return Ok(None);
        }
        let tables = Tables::read(file, data_end, end, options)?;
        shapes::check(&tables, file.len())?;
        let types = shapes::types_of(&tables);
        let options = Options::new().limits(*options.settings().limits());
        let (pieces, bytes) = (Vec::new(), Vec::new());
        Ok(Some(Patch {
            file,
            tables,
            types,
            pieces,
            bytes,
            options,
            references: None,
            left: None,
        }))
    }

    /// Replaces the value at the cursor of a decoder of the file, and moves past it. Returns `false`, and does
    /// not move, if its type does not describe it completely.
    ///
    /// # Errors
    /// Errors of the file; an error if the new value does not fit the type.
    pub fn replace(
        &mut self,
        from: &mut Decoder<'_>,
        change: impl FnOnce(&mut Value),
    ) -> Result<bool> {
        let start = from.mark_whole();
        from.skip()?;
        let span = start.offset as usize..from.input().at();
        from.goto(start);
        let slot = from.type_of_next();
        let (old, new) = match Old::read(self.file, span.clone(), from)? {
            Some(old) => {
                let mut new = old.value.clone();
                change(&mut new);
                match self.bytes_of(&old, &new)? {
                    Some(bytes) => {
                        self.put(span, &bytes);
                        from.goto(start);
                        return from.skip().map(|()| true);
                    }
                    None => (old.value, new),
                }
            }
            None => {
                from.goto(start);
                let Some(old) = self.with_references(slot, from)? else {
                    from.goto(start);
                    return Ok(false);
                };
                let mut new = old.clone();
                change(&mut new);
                (old, new)
            }
        };
        from.goto(start);
        if !self.refer(span, slot, &old, new)? {
            return Ok(false);
        }
        from.skip().map(|()| true)
    }

    fn put(&mut self, span: Range<usize>, bytes: &[u8]) {
        if &self.file[span.clone()] != bytes {
            let at = self.bytes.len();
            self.bytes.extend_from_slice(bytes);
            self.pieces.push(Piece { start: span.start, end: span.end, at, len: bytes.len() });
        }
    }

    /// Returns the bytes of a new value, or `None` if its type does not describe it completely.
    fn bytes_of(&self, old: &Old, new: &Value) -> Result<Option<Vec<u8>>> {
        Ok(match old.kind {
            Kind::Typed(slot) => Some(match slot.wide() {
                Some(primitive) => {
                    let mut bytes = Vec::new();
                    put_scalar(&mut bytes, Some(primitive), primitive.name(), new)?;
                    bytes
                }
                None => self.alone(shapes::shape_of(self.types, slot), &old.value, new)?,
            }),
            Kind::Tagged if old::is_plain(new) => Some(self.alone(&Shape::Any, &old.value, new)?),
            Kind::ByHand(layout, class) if old::has_same_members(&old.value, new) => {
                let mut bytes = Vec::new();
                put_u64(&mut bytes, layout);
                bytes.extend(self.alone(shapes::shape_of(self.types, class), &old.value, new)?);
                Some(bytes)
            }
            Kind::Weak(id) if new.is_null() && id < self.tables.objects.last() => Some(vec![0]),
            _ => None,
        })
    }

    /// Returns the data of a file that contains only one value.
    fn alone(&self, root: &'static Shape, old: &Value, new: &Value) -> Result<Vec<u8>> {
        let shapes = Shapes {
            root,
            layouts: Vec::new(),
            pointees: Vec::new(),
            objects: HashMap::new(),
            original: Marked::plain(old.clone()),
        };
        self.data_of(InShape::new(new, Arc::new(shapes)))
    }

    fn data_of(&self, value: InShape<'_>) -> Result<Vec<u8>> {
        let mut file = Binary::to_vec_with(value, &self.options)?;
        let (data_end, _) = container::open(&file)?;
        file.truncate(data_end);
        file.drain(..HEADER);
        Ok(file)
    }

    /// Returns the changed file, or `None` if nothing is different.
    ///
    /// # Errors
    /// An error if one of the values is a part of another one; errors of [`check`](Patch::check).
    pub fn to_vec(mut self) -> Result<Option<Vec<u8>>> {
        if !self.check(&[])? {
            let message = "these references can only be checked in a tree: use a document";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let bytes_of = |piece: &Piece| &self.bytes[piece.at..piece.at + piece.len];
        self.pieces.sort_by_key(|piece| (piece.start, piece.end));
        // Two paths may go to the same object.
        self.pieces.dedup_by(|one, other| {
            (one.start, one.end) == (other.start, other.end) && bytes_of(one) == bytes_of(other)
        });
        if self.pieces.is_empty() {
            return Ok(None);
        }
        if let Some(two) = self.pieces.windows(2).find(|two| two[1].start < two[0].end) {
            let message = format_args!(
                "the value at byte {} is part of another one that is set as well",
                two[1].start
            );
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let (data_end, _) = container::open(self.file)?;
        let tables = self.tables;
        let more: usize = self.pieces.iter().map(|piece| piece.len).sum();
        let mut out = Vec::with_capacity(self.file.len() + more);
        let mut at = 0;
        for piece in &self.pieces {
            out.extend_from_slice(&self.file[at..piece.start]);
            out.extend_from_slice(bytes_of(piece));
            at = piece.end;
        }
        out.extend_from_slice(&self.file[at..data_end]);
        let new_tables = out.len();
        let shifts = Shifts::of(self.pieces);
        put_u64(&mut out, shifts.moved(tables.root_end) as u64);
        let mut cursor = Cursor::new(self.file, data_end);
        cursor.u64()?;
        out.extend_from_slice(&self.file[cursor.at()..tables.objects_at]);
        let mut last = tables.objects.last();
        let mut objects: Vec<_> = tables.objects.stored().collect();
        if let Some(left) = self.left {
            last = left.last;
            let mut lost = left.lost.into_iter();
            objects.retain(|_| !lost.next().unwrap_or(false));
        }
        objects.iter_mut().for_each(|object| object.at = shifts.moved(object.at));
        put_objects(&mut out, &objects, last, 0);
        container::put_footer(&mut out, new_tables, 0);
        Ok(Some(out))
    }
}

/// The distances by which the bytes after each piece move. The fields of these pieces have other meanings:
/// `at` is the number of bytes by which the file is longer up to the end of the piece, and `len` the number by
/// which it is shorter.
struct Shifts(Vec<Piece>);

impl Shifts {
    fn of(mut pieces: Vec<Piece>) -> Self {
        let (mut more, mut less) = (0, 0);
        for piece in &mut pieces {
            (more, less) = (more + piece.len, less + piece.end - piece.start);
            (piece.at, piece.len) = (more, less);
        }
        Shifts(pieces)
    }

    /// Returns the offset in the new file of a byte of the old one.
    fn moved(&self, at: usize) -> usize {
        let before = self.0.partition_point(|piece| piece.end <= at);
        match before.checked_sub(1).map(|last| self.0[last]) {
            Some(Piece { at: more, len: less, .. }) => at + more - less,
            None => at,
        }
    }
}
