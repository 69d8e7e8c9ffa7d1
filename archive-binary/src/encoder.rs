//! [`Encoder`]: writes values by position and describes their types at the end.

mod output;
mod profile;
mod row;
mod tagged;

use archive_core::backend::Sink;
use archive_core::session::EmptyElements;
use archive_core::{Limits, Options, Result};

use rustc_hash::FxHashMap;

use crate::columnar;
use crate::container::Profile;
use crate::intern::TypeTable;
use crate::layouts::{Layouts, Node};
use crate::objects::{ConcreteTypes, Pointee, by_id};
use crate::types::TypeId;
use crate::write_tables::Contents;

/// Writes the binary format.
///
/// The encoder has the tables, and writes self-describing values. A value whose type is known from
/// the start is written only as its bytes, by an archive over the encoder: see
/// [`Saving::root_erased`](archive_core::Saving::root_erased).
pub struct Encoder<'w> {
    /// The part being written: the root's data, or deferred objects.
    part: Part,
    /// The other one.
    other: Part,
    /// The number of open containers in the innermost self-describing value.
    open: usize,
    /// The same numbers for the values around it.
    outer: Vec<usize>,
    /// The members of the root, if it consists of named roots.
    roots: Option<ByHand>,
    /// Whether the root has a type and nothing of it was written yet.
    is_untouched: bool,
    profile: Profile,
    /// The limits of the save, if long lists are stored as columns.
    columns: Option<Limits>,
    /// The part with columns, if the root was saved in them.
    in_columns: Option<InColumns>,
    /// The fingerprint of the root's types, for profiles that do not store types.
    fingerprint: u64,
    root: TypeId,
    /// The sink that receives a plain or self-describing root while it is written, and the number of bytes
    /// that it received.
    sink: Option<Sink<'w>>,
    written: u64,
    /// Whether the output is borrowed from an archive that continues with it later.
    has_output: bool,
    pub(crate) types: TypeTable,
    pub(crate) layouts: Layouts,
    pointee_types: ConcreteTypes,
    known_objects: FxHashMap<std::any::TypeId, Option<output::KnownObject>>,
    last_object: u64,
    empty: EmptyElements,
}

/// An object of a hand-written function: its offset, the layout number that was written there, and
/// its members so far.
#[derive(Clone, Copy)]
pub(crate) struct ByHand {
    pub(crate) at: usize,
    pub(crate) number: u32,
    root: Node,
    pub(crate) node: Node,
}

/// A root that was saved in columns.
#[derive(Clone, Copy)]
pub(crate) struct InColumns {
    /// The end of the root in rows.
    pub(crate) row_end: usize,
    /// Whether every list that can have columns has them.
    pub(crate) is_complete: bool,
}

/// Data, and the objects in it in the order of their offsets.
#[derive(Default)]
struct Part {
    bytes: Vec<u8>,
    pointees: Vec<Pointee>,
}

impl<'w> Encoder<'w> {
    /// Creates an encoder that has written nothing.
    pub fn new() -> Self {
        Encoder::with(&Options::new())
    }

    /// Like [`new`](Encoder::new), with options: classes are written in the versions that the
    /// options request.
    pub fn with(options: &Options<'_>) -> Self {
        Encoder::for_profile(Profile::Embedded, Vec::new(), options)
    }

    /// Creates an encoder that has not even written the start of the file. It writes into `buffer`,
    /// which is empty.
    fn empty(profile: Profile, buffer: Vec<u8>, options: &Options<'_>) -> Self {
        Encoder {
            part: Part { bytes: buffer, pointees: Vec::new() },
            other: Part::default(),
            open: 0,
            outer: Vec::new(),
            roots: None,
            is_untouched: false,
            profile,
            columns: None,
            in_columns: None,
            fingerprint: 0,
            root: TypeId::ANY,
            sink: None,
            written: 0,
            has_output: false,
            types: TypeTable::new(options.settings().targets().clone()),
            layouts: Layouts::default(),
            pointee_types: ConcreteTypes::default(),
            known_objects: FxHashMap::default(),
            last_object: 0,
            empty: EmptyElements::new(options),
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`](archive_core::ErrorKind::DuplicateMember) if a class has two members with
    /// one name; [`ErrorKind::BadPointer`](archive_core::ErrorKind::BadPointer) if an object was written twice.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        if let Some(refusal) = self.types.refusal() {
            return Err(refusal);
        }
        let Part { bytes: mut out, mut pointees } = self.part;
        // If the root was sent to the sink while it was written, the data is empty.
        let written = self.written;
        let root_end = self.in_columns.map_or(out.len(), |part| part.row_end);
        out.append(&mut self.other.bytes);
        pointees.extend(
            self.other
                .pointees
                .iter()
                .map(|pointee| Pointee { at: pointee.at + root_end, ..*pointee }),
        );
        pointees.iter_mut().for_each(|pointee| pointee.at += written as usize);
        let pointees = by_id(pointees, self.last_object)?;
        let contents = Contents {
            written,
            root_end,
            root: self.root,
            types: &self.types,
            layouts: &self.layouts,
            pointee_types: &self.pointee_types,
            pointees: &pointees,
            last_object: self.last_object,
        };
        Encoder::put_end(self.profile, self.fingerprint, &mut out, &contents);
        let is_complete = self.in_columns.is_some_and(|part| part.is_complete);
        match self.columns.filter(|_| self.profile == Profile::Embedded && !is_complete) {
            Some(limits) => {
                let columns = columnar::saved(&out, &Options::new().limits(limits))?;
                Ok(columns.unwrap_or(out))
            }
            None => Ok(out),
        }
    }
}

impl Default for Encoder<'_> {
    fn default() -> Self {
        Encoder::new()
    }
}
