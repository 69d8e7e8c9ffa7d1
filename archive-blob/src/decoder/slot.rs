//! [`Slot`]: the value that is read next, with everything its header says.

use std::fmt;

use archive_core::Result;
use byteorder::{ByteOrder, LittleEndian};

use crate::cursor::{HEADER, Input, LEAST_DATUM};
use crate::names;
use crate::types::DataType;

/// The value that is read next.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub(super) kind: DataType,
    /// The number of elements.
    pub(super) count: usize,
    /// Where the data begins and ends.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The offset at which the value begins, header included.
    pub(super) at: usize,
    pub(super) container: Container,
    /// Where the name begins and ends, if it is a member.
    pub(super) name: (usize, usize),
}

/// The container of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// A blob, after its name.
    Datum,
    /// A list.
    Item,
    /// An array.
    Element,
    /// The list of blobs: a whole blob, after its name.
    Blob,
    /// None: the value is the list of blobs.
    File,
}

impl Slot {
    /// The type of the list of blobs; does not occur in files.
    pub(super) const FILE: DataType = DataType::new(-1);
    /// The type of a slot without a value.
    const NONE: DataType = DataType::new(-2);

    /// Returns the slot of the list of blobs.
    pub(super) fn file(input: &Input<'_>) -> Slot {
        Slot {
            kind: Slot::FILE,
            count: 1,
            start: 0,
            end: input.len(),
            at: 0,
            container: Container::File,
            name: (0, 0),
        }
    }

    /// Reads the datum whose header is at `at`, and which ends before `end`.
    #[inline(always)]
    pub(super) fn datum(
        input: &Input<'_>,
        at: usize,
        end: usize,
        container: Container,
    ) -> Result<Slot> {
        let header = input.header(at, end)?;
        let (kind, count) = (header.kind, header.count);
        Ok(Slot { kind, count, start: header.start, end: header.end, at, container, name: (0, 0) })
    }

    /// Reads the blob whose size is at `at`, and which ends before `end`.
    fn blob(input: &Input<'_>, at: usize, end: usize) -> Result<Slot> {
        let size = input.length(at, end, "a size")?;
        input.take(at + 4, size, end)?;
        let (start, end) = (at + 4, at + 4 + size);
        Ok(Slot {
            kind: DataType::Object,
            count: size,
            start,
            end,
            at,
            container: Container::Blob,
            name: (0, 0),
        })
    }

    /// Reads the value of the root whose size is at `at`: a blob, or the datum in it if that is the
    /// only one and has the empty name.
    pub(super) fn root(input: &Input<'_>, at: usize, end: usize) -> Result<Slot> {
        let blob = Slot::blob(input, at, end)?;
        if input.count(blob.start, blob.end, LEAST_DATUM, "a number of data")? != 1 {
            return Ok(blob);
        }
        let (name, after) = input.name(blob.start + 4, blob.end)?;
        if !name.is_empty() {
            return Ok(blob);
        }
        let value = Slot::datum(input, after, blob.end, Container::Datum)?;
        if value.end != blob.end {
            return Err(crate::cursor::syntax("a blob longer than its data", value.end));
        }
        Ok(value)
    }

    /// Returns the state that, together with [`at`](Slot::at), identifies the value in a mark.
    pub(super) fn state(&self) -> u64 {
        match self.container {
            Container::Datum => 0,
            Container::Item => 1,
            Container::Blob => 2,
            Container::File => 3,
            Container::Element => 4 + self.kind.code() as u64,
        }
    }

    /// Returns the value at a mark.
    pub(super) fn of_mark(input: &Input<'_>, offset: u64, state: u64) -> Slot {
        let at = usize::try_from(offset).unwrap_or(usize::MAX);
        let end = input.len();
        let slot = match state {
            0 => Slot::datum(input, at, end, Container::Datum),
            1 => Slot::datum(input, at, end, Container::Item),
            2 => Slot::blob(input, at, end),
            3 => Ok(Slot::file(input)),
            state => Ok(Slot::element(DataType::new((state - 4) as i32), at)),
        };
        slot.unwrap_or(Slot {
            kind: Slot::NONE,
            count: 0,
            start: end,
            end,
            at: at.min(end),
            container: Container::Item,
            name: (0, 0),
        })
    }

    /// Returns the element of an array at that offset.
    #[inline]
    pub(super) fn element(kind: DataType, at: usize) -> Slot {
        let size = kind.element_size().unwrap_or(1);
        Slot {
            kind,
            count: 1,
            start: at,
            end: at + size,
            at,
            container: Container::Element,
            name: (0, 0),
        }
    }

    /// Returns whether there is one element: a scalar, or an array of one.
    pub(super) fn is_one(&self) -> bool {
        self.count == 1
    }

    /// Returns whether this is one scalar: it has one element, and no mark says that it is an
    /// array.
    #[inline]
    pub(super) fn is_scalar(&self, input: &Input<'_>) -> bool {
        // A mark's name begins with `$`, after its length.
        let mark = self.container == Container::Datum && input.0.get(self.end + 4) == Some(&b'$');
        self.count == 1 && !(mark && self.is_marked(input))
    }

    /// Returns whether there are several elements, or one that is marked as an array.
    pub(super) fn is_array(&self, input: &Input<'_>) -> bool {
        self.kind.primitive().is_some() && !self.is_scalar(input)
    }

    /// Returns whether this may be an array of one that is written like a scalar: the original
    /// program writes no marks.
    pub(super) fn may_be_array(&self) -> bool {
        self.container == Container::Datum && self.kind.is_original()
    }

    /// Returns whether a mark after the datum says that its one element is an array.
    pub(super) fn is_marked(&self, input: &Input<'_>) -> bool {
        self.container == Container::Datum
            && input.name(self.end, input.len()).is_ok_and(|(name, after)| {
                name.starts_with(names::ARRAY.as_bytes())
                    && input.0.get(after..after + HEADER).is_some_and(|header| {
                        LittleEndian::read_i32(header) == DataType::Mark.code()
                    })
            })
    }
}

/// Displays the value in messages.
impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            DataType::Char | DataType::Text => f.write_str("text"),
            DataType::Object | Slot::FILE => f.write_str("an object"),
            DataType::List => f.write_str("a list"),
            DataType::Null => f.write_str("null"),
            DataType::Bytes => f.write_str("bytes"),
            Slot::NONE => f.write_str("nothing"),
            kind if self.is_one() => kind.fmt(f),
            kind if kind.name().is_some() => write!(f, "an array of {} {kind}", self.count),
            kind => write!(f, "data of the unknown {kind}"),
        }
    }
}
