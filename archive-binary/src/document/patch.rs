//! [`Patch`]: replaces values of a file without a tree of it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use archive_core::__private::put_scalar;
use archive_core::{
    Backend as _, Decoder as _, Encoder as _, Error, ErrorKind, Options, Result, Shape, Value,
    ValueEncoder,
};

use super::shapes::{self, Known};
use crate::container::{self, HEADER};
use crate::cursor::Cursor;
use crate::in_shape::{InShape, Marked, Shapes};
use crate::read_tables::Tables;
use crate::varint::put_u64;
use crate::write_tables::put_objects;
use crate::{Binary, Decoder};

/// A file of the binary format in which values are replaced where they are. It takes no more memory than the
/// file that it makes, where a [`Document`](crate::Document) takes that of two trees.
///
/// It replaces only values whose types say all about them: no pointers, no trait objects, no objects of functions
/// written by hand and no [`Value`]. There may be such values elsewhere in the file.
///
/// ```
/// use archive::binary::{Binary, Patch};
/// use archive::format::{Backend, Decoder, Shape, shape::OBJECT};
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
pub struct Patch<'f> {
    file: &'f [u8],
    types: &'static [Known],
    pieces: Vec<Piece>,
    options: Options<'static>,
}

/// A range of the file, and what replaces it.
type Piece = (Range<usize>, Vec<u8>);

impl<'f> Patch<'f> {
    /// Opens a file. Returns `None` if it is of an older version of the format, in which nothing is written.
    ///
    /// # Errors
    /// If the file is not of this format, or its tables are damaged or exceed a limit.
    pub fn new(file: &'f [u8], options: &Options<'_>) -> Result<Option<Self>> {
        let (data_end, end) = container::open(file)?;
        if container::version(file) != container::VERSION {
            return Ok(None);
        }
        let tables = Tables::read(file, data_end, end, options)?;
        shapes::check(&tables, file.len())?;
        let types = shapes::types_of(&tables);
        let options = Options::new().limits(*options.get_limits());
        Ok(Some(Patch { file, types, pieces: Vec::new(), options }))
    }

    /// Replaces the value at the cursor of a decoder of the file, and passes it. Returns `false`, and does not
    /// pass the value, if its type does not say all about it.
    ///
    /// # Errors
    /// Those of the file; if the new value does not fit the type.
    pub fn replace(
        &mut self,
        from: &mut Decoder<'_>,
        change: impl FnOnce(&mut Value),
    ) -> Result<bool> {
        let slot = from.type_of_next();
        if !from.is_described() {
            return Ok(false);
        }
        let start = from.mark();
        let Some(span) = from.skip_span()? else { return Ok(false) };
        from.goto(start);
        let mut encoder = ValueEncoder::new();
        encoder.begin_root(&Shape::Any)?;
        from.hand_on(&mut encoder)?;
        encoder.end_root()?;
        let old = encoder.finish()?;
        let mut new = old.clone();
        change(&mut new);
        let bytes = match slot.wide() {
            Some(primitive) => {
                let mut bytes = Vec::new();
                put_scalar(&mut bytes, Some(primitive), primitive.name(), &new)?;
                bytes
            }
            None => self.alone(shapes::shape_of(self.types, slot), old, &new)?,
        };
        let span = span.start as usize..span.end as usize;
        if self.file[span.clone()] != bytes {
            self.pieces.push((span, bytes));
        }
        Ok(true)
    }

    /// Returns the data of a file with one value.
    fn alone(&self, root: &'static Shape, old: Value, new: &Value) -> Result<Vec<u8>> {
        let shapes = Shapes {
            root,
            layouts: Vec::new(),
            pointees: Vec::new(),
            objects: HashMap::new(),
            original: Marked::plain(old),
        };
        let mut file = Binary::to_vec_with(InShape::new(new, Arc::new(shapes)), &self.options)?;
        let (data_end, _) = container::open(&file)?;
        file.truncate(data_end);
        file.drain(..HEADER);
        Ok(file)
    }

    /// Returns the changed file, or `None` if nothing is different.
    ///
    /// # Errors
    /// If one of the values is a part of another one.
    pub fn to_vec(mut self) -> Result<Option<Vec<u8>>> {
        self.pieces.sort_by_key(|(span, _)| (span.start, span.end));
        // Two paths may lead to one object.
        self.pieces.dedup();
        if self.pieces.is_empty() {
            return Ok(None);
        }
        if let Some(two) = self.pieces.windows(2).find(|two| two[1].0.start < two[0].0.end) {
            let message = format_args!(
                "the value at byte {} is part of another one that is set as well",
                two[1].0.start
            );
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let (data_end, end) = container::open(self.file)?;
        let tables = Tables::read(self.file, data_end, end, &self.options)?;
        let more: usize = self.pieces.iter().map(|(_, bytes)| bytes.len()).sum();
        let mut out = Vec::with_capacity(self.file.len() + more);
        let mut at = 0;
        for (span, bytes) in &self.pieces {
            out.extend_from_slice(&self.file[at..span.start]);
            out.extend_from_slice(bytes);
            at = span.end;
        }
        out.extend_from_slice(&self.file[at..data_end]);
        let new_tables = out.len();
        let shifts = Shifts::of(&self.pieces);
        put_u64(&mut out, shifts.moved(tables.root_end) as u64);
        let mut cursor = Cursor::new(self.file, data_end);
        cursor.u64()?;
        out.extend_from_slice(&self.file[cursor.at()..tables.objects_at]);
        let mut objects = tables.objects.stored().to_vec();
        objects.iter_mut().for_each(|object| object.at = shifts.moved(object.at));
        put_objects(&mut out, &objects, tables.objects.last(), 0);
        container::put_footer(&mut out, new_tables, 0);
        Ok(Some(out))
    }
}

/// How far the bytes after each piece move: where the piece ends, and by how much the file is longer and
/// shorter up to there.
struct Shifts(Vec<(usize, usize, usize)>);

impl Shifts {
    fn of(pieces: &[Piece]) -> Self {
        let (mut more, mut less) = (0, 0);
        let shift = |(span, bytes): &Piece| {
            (more, less) = (more + bytes.len(), less + span.len());
            (span.end, more, less)
        };
        Shifts(pieces.iter().map(shift).collect())
    }

    /// Returns where a byte of the file is in the new one.
    fn moved(&self, at: usize) -> usize {
        let before = self.0.partition_point(|(end, ..)| *end <= at);
        match before.checked_sub(1).map(|last| self.0[last]) {
            Some((_, more, less)) => at + more - less,
            None => at,
        }
    }
}
