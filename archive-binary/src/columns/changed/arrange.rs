//! [`Source`]: where a column of the program is in the file.

use archive_core::columns::{Ints, Taken};
use archive_core::shape::{Primitive, Shape};

use super::pairs::members_of;
use crate::columnar::{Form, Layout};
use crate::columns::opened::Opened;
use crate::shapes::{Described, ShapeRef};
use crate::types::{Type, TypeId};

/// Where a column of the program is.
pub(super) enum Source {
    /// In the file.
    Column(usize),
    /// In the file, as another type of integers. The values must be those of this type.
    Integers(usize, Primitive),
    /// In the file, with these numbers for its variants.
    Variants(usize, Box<[u32]>),
    /// The value of an option has no option in the file.
    Some,
    /// Nowhere.
    Absent,
}

impl Source {
    /// Returns the column of a block. Returns `None` if it has a number that the program's type cannot store.
    pub(super) fn column<'r>(&self, opened: &mut Opened<'_, 'r>) -> Option<Taken<'r>> {
        match self {
            Source::Column(at) => opened.get(*at).map(std::mem::take),
            Source::Integers(at, number) => {
                let Some(Form::Int(int, size)) = opened.form(*at) else { return None };
                let from = int.number(*size);
                let column = opened.get(*at).map(std::mem::take)?;
                can_store(*number, from, &column.ints).then_some(column)
            }
            Source::Variants(at, numbers) => {
                let column = opened.get(*at).map(std::mem::take)?;
                Some(Taken { variants: numbers.clone(), ..column })
            }
            Source::Some => Some(Taken { ints: Ints::repeat(1), ..Taken::default() }),
            Source::Absent => Some(Taken { is_absent: true, ..Taken::default() }),
        }
    }

    /// Whether the file lacks the column.
    pub(super) fn is_absent(&self) -> bool {
        matches!(self, Source::Absent)
    }

    /// Returns the columns that the file lacks, with the values that they have in all blocks. The values of a
    /// block were taken, so those that are not known are not needed.
    pub(super) fn filled<'r>(sources: &[Source], columns: Vec<Taken<'r>>) -> Vec<Taken<'r>> {
        let absent = sources.iter().zip(columns).filter(|(source, _)| source.is_absent());
        absent.map(|(_, column)| Taken { is_absent: false, ..column }).collect()
    }

    /// Whether all values of the columns were taken, and no others.
    pub(super) fn are_done(sources: &[Source], columns: &[Taken<'_>]) -> bool {
        sources.iter().zip(columns).all(|(source, column)| match source {
            Source::Some | Source::Absent => !column.ints.has_failed(),
            _ => column.is_done(),
        })
    }
}

/// Whether a type of integers can store those of another type.
fn can_store(number: Primitive, from: Primitive, ints: &Ints<'_>) -> bool {
    let ((least, most), (from_least, from_most)) = (bounds(number), bounds(from));
    if least <= from_least && from_most <= most {
        return true;
    }
    let mut fits = true;
    ints.clone().each(|bits| {
        let value = if from_least < 0 { bits.cast_signed().into() } else { bits.into() };
        fits &= (least..=most).contains(&value);
    });
    fits
}

/// The smallest and the largest integer of a type.
fn bounds(number: Primitive) -> (i128, i128) {
    let signed = |bits: u32| (-(1 << (bits - 1)), (1 << (bits - 1)) - 1);
    let unsigned = |bits: u32| (0, (1 << bits) - 1);
    match number {
        Primitive::I8 => signed(8),
        Primitive::I16 => signed(16),
        Primitive::I32 => signed(32),
        Primitive::I64 => signed(64),
        Primitive::U8 => unsigned(8),
        Primitive::U16 => unsigned(16),
        Primitive::U32 => unsigned(32),
        Primitive::U64 => unsigned(64),
        // The other numbers are not stored as integers in columns.
        _ => (0, -1),
    }
}

/// The types of a file or of the program, and the columns of a list.
#[derive(Clone, Copy)]
pub(super) struct Side<'s> {
    pub(super) types: &'s [Type<&'s str, TypeId>],
    pub(super) takes_bytes: &'s [bool],
    pub(super) layout: &'s Layout,
}

impl<'s> Side<'s> {
    fn get(self, id: TypeId) -> Option<&'s Type<&'s str, TypeId>> {
        self.types.get(id.index()?)
    }

    fn takes_bytes(self, id: TypeId) -> bool {
        match id.index() {
            Some(index) => self.takes_bytes.get(index) == Some(&true),
            None => id != TypeId::UNIT,
        }
    }

    /// Returns the index after the columns of a type, which begin at `at`.
    fn after(self, id: TypeId, at: usize) -> usize {
        match self.get(id) {
            _ if !self.takes_bytes(id) => at,
            Some(Type::Class { members, .. }) => {
                members.iter().fold(at, |at, (_, member)| self.after(*member, at))
            }
            Some(Type::Tuple(items)) => items.iter().fold(at, |at, item| self.after(*item, at)),
            _ => self.layout.get(at).map_or(at, |column| column.next),
        }
    }
}

/// Returns where the columns of the program's entries are. Returns `None` if the file's entries are not loaded
/// column by column.
pub(super) fn arranged(
    (file, item): (Side<'_>, TypeId),
    (own, own_item): (Side<'_>, TypeId),
    shape: ShapeRef,
) -> Option<Vec<Source>> {
    let sources = Vec::with_capacity(own.layout.len());
    let mut arranging = Arranging { file, own, sources, absent: 0 };
    arranging.add((item, 0), own_item, shape)?;
    Some(arranging.sources).filter(|sources| sources.len() == own.layout.len())
}

struct Arranging<'s> {
    file: Side<'s>,
    own: Side<'s>,
    sources: Vec<Source>,
    /// How many columns are absent, but for those of items of lists, which start from new items.
    absent: usize,
}

impl Arranging<'_> {
    /// Adds the columns of a type of the program. Those of the file's type begin at `at`.
    fn add(&mut self, (file, at): (TypeId, usize), own: TypeId, shape: ShapeRef) -> Option<()> {
        use Type::{Array, Class, Enum, Option as Opt, Seq, Tuple};
        let (takes, own_takes) = (self.file.takes_bytes(file), self.own.takes_bytes(own));
        let shape_type = match shape.describe() {
            Described::Compound(described) => Some(described),
            Described::Simple(_) => None,
        };
        match (self.file.get(file), self.own.get(own), shape_type) {
            (None, None, _) if takes && own_takes => self.sources.push(scalar(file, own, at)?),
            (None, None, _) if !takes && !own_takes => {}
            (Some(Seq(item)), Some(Seq(own)), Some(Seq(shape))) => {
                self.sources.push(Source::Column(at));
                let absent = self.absent;
                self.add((*item, at + 1), *own, shape)?;
                self.absent = absent;
            }
            (Some(Opt(item)), Some(Opt(own)), Some(Opt(shape))) => {
                self.sources.push(Source::Column(at));
                self.add((*item, at + 1), *own, shape)?;
            }
            (_, Some(Opt(own)), Some(Opt(shape))) if takes => {
                self.sources.push(Source::Some);
                self.add((file, at), *own, shape)?;
            }
            (Some(Array(item, len)), Some(Array(own, own_len)), Some(Array(shape, _)))
                if len == own_len && takes && own_takes =>
            {
                self.sources.push(Source::Column(at));
                self.add((*item, at + 1), *own, shape)?;
            }
            (Some(Tuple(items)), Some(Tuple(own)), Some(Tuple(shapes)))
                if items.len() == own.len() =>
            {
                let mut at = at;
                for ((item, own), shape) in items.iter().zip(own).zip(shapes) {
                    // A new member of an item does not start from the item that an object states.
                    self.add_whole((*item, at), *own, shape)?;
                    at = self.file.after(*item, at);
                }
            }
            (
                Some(Class { members, version, .. }),
                Some(Class { members: own, version: own_version, .. }),
                Some(Class { members: shapes, .. }),
            ) if version <= own_version => {
                let ShapeRef::Class(class) = shape else { return None };
                let starts = members.iter().scan(at, |at, (_, member)| {
                    let start = *at;
                    *at = self.file.after(*member, start);
                    Some((*member, start))
                });
                let starts: Vec<_> = starts.collect();
                let found = members_of(members, class, own.len())?;
                for ((found, (_, own)), (_, shape)) in found.into_iter().zip(own).zip(shapes) {
                    match found {
                        Some(found) => self.add(starts[found], *own, shape)?,
                        None => self.add_absent(*own),
                    }
                }
            }
            (Some(Enum { variants, .. }), Some(Enum { variants: own, .. }), Some(_)) => {
                self.add_variants((variants, at), own, shape)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// Adds the column of an enum and those of its payloads. Those of the file begin at `at`.
    fn add_variants(
        &mut self,
        (variants, at): (&[(&str, Option<TypeId>)], usize),
        own: &[(&str, Option<TypeId>)],
        shape: ShapeRef,
    ) -> Option<()> {
        let Form::Enum(payloads) = &self.file.layout.get(at)?.form else { return None };
        let ShapeRef::Shape(Shape::Enum(info)) = shape else { return None };
        let Described::Compound(Type::Enum { variants: shapes, .. }) = shape.describe() else {
            return None;
        };
        let (mut found, mut numbers) = (vec![None; own.len()], Vec::new());
        for (at, (name, payload)) in variants.iter().enumerate() {
            let number = info.find(name)?;
            if found.get_mut(number)?.replace((at, *payload)).is_some() {
                return None;
            }
            numbers.push(number as u32);
        }
        let are_equal = numbers.iter().zip(0..).all(|(number, at)| *number == at);
        self.sources.push(match are_equal {
            true => Source::Column(at),
            false => Source::Variants(at, numbers.into()),
        });
        for ((found, (_, own)), (_, shape)) in found.into_iter().zip(own).zip(shapes) {
            match (found, own) {
                (Some((_, None)), None) => {}
                (Some((at, Some(payload))), Some(own)) => {
                    // A field may start from a value that the variant states.
                    let first = *payloads.get(at)? as usize;
                    self.add_whole((payload, first), *own, shape?)?;
                }
                (None, own) => own.iter().for_each(|own| self.add_absent(*own)),
                (Some(_), _) => return None,
            }
        }
        Some(())
    }

    /// Adds the columns of a part. Returns `None` if the file lacks some of them: what they start from is not known.
    fn add_whole(&mut self, file: (TypeId, usize), own: TypeId, shape: ShapeRef) -> Option<()> {
        let before = self.absent;
        self.add(file, own, shape)?;
        (self.absent == before).then_some(())
    }

    /// Adds the columns of a type, which the file does not have.
    fn add_absent(&mut self, own: TypeId) {
        let (start, end) = (self.sources.len(), self.own.after(own, self.sources.len()));
        self.sources.resize_with(end, || Source::Absent);
        self.absent += end - start;
    }
}

/// Returns where the column of numbers or texts of a type is.
fn scalar(file: TypeId, own: TypeId, at: usize) -> Option<Source> {
    let of = |id: TypeId| id.wide().or(id.primitive());
    let (file, own) = (of(file)?, of(own)?);
    let is_integer = |number| bounds(number).0 <= bounds(number).1;
    if matches!(own, Primitive::U128 | Primitive::I128) {
        return None;
    }
    if file == own {
        return Some(Source::Column(at));
    }
    (is_integer(file) && is_integer(own)).then_some(Source::Integers(at, own))
}
