//! The types of a file, converted to shapes.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use archive_core::block::{array_size, class_size, tuple_size};
use archive_core::decoder::NESTED_OPTIONS;
use archive_core::shape::{Absence, Class, Enum, Member, NameOf, Payload, Shape, ShapeOf, Variant};

use archive_core::{Error, ErrorKind, Result};

use crate::decoder::UNTYPED;
use crate::read_tables::Tables;
use crate::types::{Type, TypeId};

/// The types in the tables of a file, with owned names.
type Described = Box<[Type<Box<str>, TypeId>]>;

/// One of these types.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// Its shape.
    pub(super) shape: ShapeOf,
    /// If the type is a class: the class and members with which objects of functions written by
    /// hand are saved.
    pub(super) by_hand: Option<(&'static Class, &'static [Member])>,
}

/// The types of all files that were opened. They are never freed, because facts about shapes are
/// cached by address. Files of one version of a program share their types.
static TYPES: Mutex<Option<HashMap<Described, &'static [Known]>>> = Mutex::new(None);

/// Returns the types of a file.
pub(super) fn types_of(tables: &Tables<'_>) -> &'static [Known] {
    let described: Described = (0..tables.types())
        .filter_map(|index| tables.get(TypeId::at_index(index)))
        .map(|described| described.map(|name| Box::from(*name), |part| *part))
        .collect();
    let mut types = TYPES.lock().unwrap_or_else(PoisonError::into_inner);
    let types = types.get_or_insert_default();
    if let Some(known) = types.get(&described) {
        return known;
    }
    let cells = leak_all(described.iter().map(|_| OnceLock::new()));
    let maker = Maker { described: &described, cells, depth: Cell::new(0) };
    let known = leak_all((0..cells.len()).map(|index| maker.known(index)));
    types.insert(described, known);
    known
}

/// Checks that the types of a file are no larger than those of a program could be: their memory in
/// relation to the length of the file, and their nesting.
///
/// # Errors
/// [`ErrorKind::SizeLimit`], [`ErrorKind::DepthLimit`].
pub(crate) fn check(tables: &Tables<'_>, file_len: usize) -> Result<()> {
    /// The memory that a type, a member or a variant takes in addition to its name, in bytes.
    const ENTRY: usize = 256;
    let all = || (0..tables.types()).filter_map(|index| tables.get(TypeId::at_index(index)));
    let mut held = 0_usize;
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for described in all() {
        let mut of = Vec::new();
        described.map(
            |name| held = held.saturating_add(2 * name.len() + ENTRY),
            |part: &TypeId| of.extend(part.index()),
        );
        held = held.saturating_add(ENTRY * of.len());
        parts.push(of);
    }
    if held > (1 << 20) + 256 * file_len {
        let message = "the type table exceeds its limit: names repeat";
        return Err(Error::new(ErrorKind::SizeLimit, message));
    }
    // The longest path from each type through its components; types that are being visited are not
    // entered again.
    let (mut depths, mut open) = (vec![0_usize; parts.len()], vec![false; parts.len()]);
    for root in 0..parts.len() {
        let mut way = vec![(root, 0)];
        while let Some((index, next)) = way.pop() {
            if next == 0 {
                if depths[index] > 0 || open[index] {
                    continue;
                }
                open[index] = true;
            }
            if let Some(part) = parts[index].get(next).copied() {
                way.push((index, next + 1));
                if part < parts.len() && depths[part] == 0 && !open[part] {
                    way.push((part, 0));
                }
                if way.len() > MAX_DEPTH as usize * 6 {
                    return Err(Error::new(
                        ErrorKind::DepthLimit,
                        "the types of the file nest too deeply",
                    ));
                }
                continue;
            }
            let deepest = parts[index].iter().filter_map(|part| depths.get(*part)).max();
            depths[index] = 1 + deepest.copied().unwrap_or_default();
            open[index] = false;
        }
    }
    Ok(())
}

/// Returns the shape of a type of a file.
pub(super) fn shape_of(types: &[Known], id: TypeId) -> &'static Shape {
    match id.index().and_then(|index| types.get(index)) {
        Some(known) => known.shape.get(),
        None => simple(id).get().unwrap_or(&Shape::Any),
    }
}

/// Creates the shapes of one file.
struct Maker<'a> {
    described: &'a [Type<Box<str>, TypeId>],
    cells: &'static [OnceLock<Shape>],
    /// The number of types that are being created inside each other.
    depth: Cell<u32>,
}

/// The default limit for the depth of values. Types that nest deeper are not treated as blocks.
const MAX_DEPTH: u32 = 128;

impl Maker<'_> {
    fn known(&self, index: usize) -> Known {
        let by_hand = match self.shape(index) {
            Shape::Class(class) => class.members.map(|members| {
                let (name, version) = (class.name, class.version);
                (&*Box::leak(Box::new(class_of(name, version))), members)
            }),
            _ => None,
        };
        Known { shape: ShapeOf::Data(&self.cells[index]), by_hand }
    }

    /// Returns the shape of the type at that index of the table. If the size of a type depends on
    /// its components, their shapes are created first. That recursion ends, since blocks contain no
    /// pointers and no lists.
    fn shape(&self, index: usize) -> &'static Shape {
        if let Some(shape) = self.cells[index].get() {
            return shape;
        }
        let shape = match &self.described[index] {
            Type::Seq(item) => Shape::Seq(self.part(index, *item), ""),
            Type::Array(item, len) => {
                let len = usize::try_from(*len).unwrap_or(usize::MAX);
                let size = self.in_block(&[*item]).and_then(|items| array_size(items[0], len));
                Shape::Array(self.part(index, *item), len, size, "")
            }
            Type::Tuple(items) => {
                let size = self.in_block(items).and_then(|items| tuple_size(&items));
                Shape::Tuple(leak_all(items.iter().map(|item| self.part(index, *item))), size, "")
            }
            Type::Map(entry) => match self.entry(*entry) {
                Some((entry, [key, value])) => {
                    Shape::Map(self.part(entry, key), self.part(entry, value))
                }
                None => Shape::Any,
            },
            Type::Option(value) if self.ends(*value) => Shape::Option(self.part(index, *value)),
            Type::Option(_) => Shape::Any,
            Type::Class { name, version, members } => {
                let parts: Vec<TypeId> = members.iter().map(|(_, part)| *part).collect();
                let size = self.in_block(&parts).and_then(|parts| class_size(&parts));
                let member = |(name, part): &(Box<str>, TypeId)| self.member(index, name, *part);
                let members = leak_all(members.iter().map(member));
                let class = class_of(leak(name), *version).with_members(Some(members), size);
                Shape::Class(Box::leak(Box::new(class)))
            }
            Type::Enum { name, variants } => {
                let variant = |(name, payload): &(Box<str>, Option<TypeId>)| {
                    let payload = match payload {
                        Some(payload) => Payload::Newtype(self.part(index, *payload)),
                        None => Payload::Unit,
                    };
                    Variant::new(leak(name), payload)
                };
                let name = leak(name);
                let variants = leak_all(variants.iter().map(variant));
                let info = Enum::new(name, NameOf::Data(name), variants);
                Shape::Enum(Box::leak(Box::new(info)))
            }
            Type::Pointer(pointee) => Shape::Pointer(self.part(index, *pointee)),
        };
        self.cells[index].get_or_init(|| shape)
    }

    /// Returns the index of the type of the entries of a map, and the types of keys and values.
    fn entry(&self, entry: TypeId) -> Option<(usize, [TypeId; 2])> {
        let index = entry.index()?;
        match self.described.get(index)? {
            Type::Tuple(pair) => Some((index, pair.as_slice().try_into().ok()?)),
            _ => None,
        }
    }

    fn member(&self, of: usize, name: &str, part: TypeId) -> Member {
        Member::new(leak(name), self.part(of, part)).with_absence(Absence::Refused)
    }

    /// Returns whether nested options end at a type that is not an option. In a forged file an
    /// option may contain itself.
    fn ends(&self, mut id: TypeId) -> bool {
        for _ in 0..NESTED_OPTIONS {
            match id.index().and_then(|index| self.described.get(index)) {
                Some(Type::Option(value)) => id = *value,
                _ => return true,
            }
        }
        false
    }

    /// Returns the shape of a component of the type at an index. The shape may be created later.
    ///
    /// Equal types are stored once. The class of a hand-written function has a version in the
    /// program, but is only an object in the file, so the file may have two types that differ only
    /// in that version. To keep them distinct, the objects in each type get a unique version. It
    /// has no other use.
    fn part(&self, of: usize, id: TypeId) -> ShapeOf {
        if id == TypeId::OBJECT {
            let class = class_of("object", of as u32);
            let shape = Shape::Class(Box::leak(Box::new(class)));
            return ShapeOf::Data(Box::leak(Box::new(OnceLock::from(shape))));
        }
        ShapeOf::Data(
            id.index().and_then(|index| self.cells.get(index)).unwrap_or_else(|| simple(id)),
        )
    }

    /// Returns the shapes of the components if they can be stored in a block: all are numbers, and
    /// none is a varint.
    fn in_block(&self, parts: &[TypeId]) -> Option<Vec<&'static Shape>> {
        let part = |id: &TypeId| match id.index() {
            Some(index) => {
                (index < self.cells.len()).then_some(())?;
                // A type of a forged file may contain itself.
                let depth = self.depth.get();
                self.depth.set(depth + 1);
                let shape = (depth < MAX_DEPTH).then(|| self.shape(index));
                self.depth.set(depth);
                shape
            }
            None if id.primitive().is_some_and(|of| TypeId::in_block(of) != *id) => None,
            None => simple(*id).get(),
        };
        let sized = |id| part(id).filter(|shape: &&Shape| shape.block_size().is_some());
        parts.iter().map(sized).collect()
    }
}

fn class_of(name: &'static str, version: u32) -> Class {
    Class::new(name, NameOf::Data(name), version)
}

fn leak(text: &str) -> &'static str {
    Box::leak(Box::from(text))
}

fn leak_all<T>(all: impl Iterator<Item = T>) -> &'static [T] {
    Vec::leak(all.collect())
}

/// The shapes of the simple types, by their numbers.
static SIMPLE: [OnceLock<Shape>; TypeId::FIRST as usize] =
    [const { OnceLock::new() }; TypeId::FIRST as usize];

fn simple(id: TypeId) -> &'static OnceLock<Shape> {
    const ANY: ShapeOf = ShapeOf::untyped(|| &Shape::Any);
    let cell = SIMPLE.get(id.0 as usize).unwrap_or(&SIMPLE[TypeId::ANY.0 as usize]);
    cell.get_or_init(|| match id {
        TypeId::POINTER => Shape::Pointer(ANY),
        TypeId::WEAK => Shape::Weak(ANY),
        TypeId::DYN => Shape::Dyn,
        TypeId::OBJECT => Shape::Class(&UNTYPED),
        _ => match id.primitive().or_else(|| id.wide()) {
            Some(primitive) => Shape::Primitive(primitive, ""),
            None => Shape::Any,
        },
    });
    cell
}
