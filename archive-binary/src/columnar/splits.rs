//! [`Splits`]: how the values of each type of a file are split into columns.

use archive_core::shape::Primitive;

use super::ints::Int;
use crate::read_tables::spread;
use crate::types::{Type, TypeId};

/// The number of entries from which on a list is stored in blocks.
pub(crate) const MANY: u64 = 64;
/// The largest number of entries of a block.
pub(crate) const ROWS: u64 = 1 << 16;
/// The number of types, each inside the one before, from which on values are not split further.
const LEVELS: usize = 32;

/// How the values of a type are split into columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A value without bytes has no columns.
    Nothing,
    /// One integer for each value.
    Int(Int),
    /// The same number of bytes for each value.
    Fixed(u64),
    /// A length for each value, then the bytes of all values.
    Text,
    /// A truth value for each value, then the values that are there.
    Option,
    /// The index of a variant for each value, then the payloads, variant by variant.
    Enum,
    /// The members of a class or the items of a tuple.
    Group,
    /// A number of items for each value.
    Array(u64),
    /// A length for each value, then the items or entries of all values.
    List,
    /// An id for each value, then the objects that are stored with pointers, as rows.
    Pointer,
    /// A length for each value, then the bytes of all values, as in files without columns.
    Row,
}

/// The columns of the values of all types of a file.
pub(crate) struct Splits {
    list: Vec<Split>,
}

struct Split {
    kind: Kind,
    /// The components that take bytes. Those of an enum are the payloads of the variants with these
    /// indices.
    parts: Vec<(u64, TypeId)>,
    /// The number of variants.
    variants: u64,
    /// The type itself. For a class with only one member that takes bytes, the type of that member.
    through: TypeId,
    /// Whether all values take the same number of bytes, so that columns would not be shorter.
    is_plain: bool,
}

impl Splits {
    pub(crate) fn new(types: &[Type<&str, TypeId>], takes_bytes: &[bool]) -> Self {
        let takes = |id: TypeId| id.index().map_or(id != TypeId::UNIT, |index| takes_bytes[index]);
        let (mut found, mut holders) = (Vec::new(), vec![Vec::new(); types.len()]);
        let mut list: Vec<Split> = Vec::with_capacity(types.len());
        for (index, described) in types.iter().enumerate() {
            let kind = match described {
                _ if !takes_bytes[index] => Kind::Nothing,
                Type::Seq(_) | Type::Map(_) => Kind::List,
                Type::Array(_, len) => Kind::Array(*len),
                Type::Option(_) => Kind::Option,
                Type::Tuple(_) | Type::Class { .. } => Kind::Group,
                Type::Enum { .. } => Kind::Enum,
                Type::Pointer(_) => Kind::Pointer,
            };
            let mut parts: Vec<(u64, TypeId)> = match described {
                Type::Enum { variants, .. } => {
                    let all = (0..).zip(variants);
                    all.filter_map(|(index, (_, kind))| Some((index, (*kind)?))).collect()
                }
                _ => (0..).zip(described.split().1).collect(),
            };
            parts.retain(|(_, part)| takes(*part));
            parts.shrink_to_fit();
            let is_group = matches!(kind, Kind::Group | Kind::Array(_));
            if !is_group && kind != Kind::Nothing || parts.iter().any(|(_, part)| is_split(*part)) {
                found.push(index);
            } else {
                for inner in parts.iter().filter_map(|(_, part)| part.index()) {
                    holders[inner].push(index);
                }
            }
            let variants =
                if let Type::Enum { variants, .. } = described { variants.len() } else { 0 };
            let (through, variants) = (TypeId::at_index(index), variants as u64);
            list.push(Split { kind, parts, variants, through, is_plain: true });
        }
        let is_split = spread(found, holders);
        list.iter_mut().zip(is_split).for_each(|(split, is_split)| split.is_plain = !is_split);
        let mut splits = Splits { list };
        splits.look_through();
        splits
    }

    /// Classes with one member have the columns of that member. There are thus no more groups than
    /// columns.
    fn look_through(&mut self) {
        let mut path = Vec::new();
        for index in 0..self.list.len() {
            let mut id = TypeId::at_index(index);
            while let Some(at) = id.index().filter(|at| self.list[*at].through == id)
                && let (Kind::Group, [(_, part)]) = (self.list[at].kind, &*self.list[at].parts)
            {
                path.push(at);
                id = *part;
            }
            let through = id.index().map_or(id, |at| self.list[at].through);
            path.drain(..).for_each(|at| self.list[at].through = through);
        }
    }

    /// Whether there is such a type, and long lists of it are stored in blocks. Each of their entries
    /// then takes at least a bit.
    pub(crate) fn become_blocks(&self, item: TypeId) -> bool {
        let is_plain = match item.index() {
            Some(index) => self.list.get(index).is_none_or(|split| split.is_plain),
            None => item.0 >= TypeId::FIRST_RESERVED || !is_split(item),
        };
        !is_plain && !matches!(self.kind(item, &[]).1, Kind::Pointer | Kind::Row)
    }

    /// Returns how values of a type are split that are inside of the types `around`, and the type whose
    /// columns they have.
    pub(crate) fn kind(&self, id: TypeId, around: &[TypeId]) -> (TypeId, Kind) {
        let Some(index) = id.index() else { return (id, simple(id)) };
        let id = self.list[index].through;
        let Some(index) = id.index() else { return (id, simple(id)) };
        let is_open = around.len() >= LEVELS || around.contains(&id);
        match self.list[index].kind {
            Kind::Nothing => (id, Kind::Nothing),
            _ if is_open => (id, Kind::Row),
            kind => (id, kind),
        }
    }

    /// Returns the components of a type that take bytes. Those of an enum have the indices of the variants.
    pub(crate) fn parts(&self, id: TypeId) -> &[(u64, TypeId)] {
        id.index().map_or(&[], |index| &self.list[index].parts)
    }

    /// Returns the number of variants of an enum.
    pub(crate) fn variants(&self, id: TypeId) -> u64 {
        id.index().map_or(0, |index| self.list[index].variants)
    }
}

/// Whether values of a type without an entry in the type table may be shorter in columns.
fn is_split(id: TypeId) -> bool {
    id.index().is_none()
        && match simple(id) {
            Kind::Int(int) => !int.is_fixed(),
            Kind::Text | Kind::Pointer | Kind::Row => true,
            _ => false,
        }
}

/// Returns how values of a type without an entry in the type table are split.
fn simple(id: TypeId) -> Kind {
    if let Some(primitive) = id.wide() {
        return match primitive {
            Primitive::U16 => Kind::Int(Int::unsigned(2)),
            Primitive::U32 => Kind::Int(Int::unsigned(4)),
            Primitive::U64 => Kind::Int(Int::unsigned(8)),
            Primitive::I16 => Kind::Int(Int::signed(2)),
            Primitive::I32 => Kind::Int(Int::signed(4)),
            Primitive::I64 => Kind::Int(Int::signed(8)),
            _ => Kind::Fixed(16),
        };
    }
    match id.primitive() {
        Some(Primitive::Unit) => Kind::Nothing,
        Some(Primitive::Bool | Primitive::U8) => Kind::Int(Int::unsigned(1)),
        Some(Primitive::I8) => Kind::Int(Int::signed(1)),
        Some(Primitive::U16 | Primitive::U32 | Primitive::U64 | Primitive::Char) => {
            Kind::Int(Int::VARINT)
        }
        Some(Primitive::I16 | Primitive::I32 | Primitive::I64) => Kind::Int(Int::ZIGZAG),
        Some(Primitive::F32) => Kind::Fixed(4),
        Some(Primitive::F64) => Kind::Fixed(8),
        Some(Primitive::Str | Primitive::Bytes) => Kind::Text,
        Some(Primitive::U128 | Primitive::I128) => Kind::Row,
        None => match id {
            TypeId::WEAK => Kind::Int(Int::VARINT),
            TypeId::POINTER => Kind::Pointer,
            _ => Kind::Row,
        },
    }
}
