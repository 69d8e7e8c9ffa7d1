//! [`Type`]: a compound type. In the program its names are `&'static str` and its components are
//! shapes. In the tables of a file that is written or read, its components are [`TypeId`]s: the
//! numbers of types in a file.

use archive_core::shape::Primitive;

/// The number of a type in a file. The first 32 are the simple types, which need no description.
/// From [`TypeId::FIRST`] on, numbers count the entries of the file's type table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TypeId(pub(crate) u32);

/// The simple types, in the order of their numbers.
const PRIMITIVES: [Primitive; 17] = [
    Primitive::Unit,
    Primitive::Bool,
    Primitive::U8,
    Primitive::U16,
    Primitive::U32,
    Primitive::U64,
    Primitive::U128,
    Primitive::I8,
    Primitive::I16,
    Primitive::I32,
    Primitive::I64,
    Primitive::I128,
    Primitive::F32,
    Primitive::F64,
    Primitive::Char,
    Primitive::Str,
    Primitive::Bytes,
];

/// The integers of more than one byte, in the order of their type numbers inside blocks.
const WIDE: [Primitive; 8] = [
    Primitive::U16,
    Primitive::U32,
    Primitive::U64,
    Primitive::U128,
    Primitive::I16,
    Primitive::I32,
    Primitive::I64,
    Primitive::I128,
];

impl TypeId {
    /// The unit type.
    pub(crate) const UNIT: TypeId = TypeId::of(Primitive::Unit);
    /// A tracked pointer to a trait object. The number of its type is stored in the object table.
    pub(crate) const POINTER: TypeId = TypeId(17);
    /// A weak pointer: its object is never stored with it.
    pub(crate) const WEAK: TypeId = TypeId(18);
    /// An owned trait object.
    pub(crate) const DYN: TypeId = TypeId(19);
    /// A self-describing value, tag by tag.
    pub(crate) const ANY: TypeId = TypeId(20);
    /// An object of a hand-written function, which stores its own layout number.
    pub(crate) const OBJECT: TypeId = TypeId(21);
    /// The first of the integers of more than one byte that are stored with all their bytes; they
    /// occur in [blocks](archive_core::block).
    const WIDE: u32 = 22;
    /// The first number that does not denote a type.
    pub(crate) const FIRST_RESERVED: u32 = TypeId::WIDE + WIDE.len() as u32;
    /// The first number that belongs to the type table.
    pub(crate) const FIRST: u32 = 32;

    /// While loading: the data is known to match the program's type.
    pub(crate) const MATCHES_PROGRAM: TypeId = TypeId(u32::MAX);
    /// While loading: there is no value at the cursor.
    pub(crate) const NONE: TypeId = TypeId(u32::MAX - 1);

    /// While loading: the version of the object, when all of its members are requested in file
    /// order.
    pub(crate) const VERSION: TypeId = TypeId(u32::MAX - 2);

    /// Returns the number of a simple type.
    #[inline]
    pub(crate) const fn of(primitive: Primitive) -> TypeId {
        TypeId(match primitive {
            Primitive::Unit => 0,
            Primitive::Bool => 1,
            Primitive::U8 => 2,
            Primitive::U16 => 3,
            Primitive::U32 => 4,
            Primitive::U64 => 5,
            Primitive::U128 => 6,
            Primitive::I8 => 7,
            Primitive::I16 => 8,
            Primitive::I32 => 9,
            Primitive::I64 => 10,
            Primitive::I128 => 11,
            Primitive::F32 => 12,
            Primitive::F64 => 13,
            Primitive::Char => 14,
            Primitive::Str => 15,
            Primitive::Bytes => 16,
        })
    }

    /// Returns the number of a simple type in a block, where integers have a fixed width.
    #[inline]
    pub(crate) const fn in_block(primitive: Primitive) -> TypeId {
        TypeId(match primitive {
            Primitive::U16 => TypeId::WIDE,
            Primitive::U32 => TypeId::WIDE + 1,
            Primitive::U64 => TypeId::WIDE + 2,
            Primitive::U128 => TypeId::WIDE + 3,
            Primitive::I16 => TypeId::WIDE + 4,
            Primitive::I32 => TypeId::WIDE + 5,
            Primitive::I64 => TypeId::WIDE + 6,
            Primitive::I128 => TypeId::WIDE + 7,
            _ => return TypeId::of(primitive),
        })
    }

    /// Returns whether values of this type are neither pointers nor self-describing. Does not
    /// examine components; the caller checks each type in the table.
    pub(crate) fn is_fast_path(self) -> bool {
        !(TypeId::POINTER.0..=TypeId::ANY.0).contains(&self.0)
    }

    /// Like [`is_fast_path`](TypeId::is_fast_path), but also excludes objects whose members the
    /// type does not list.
    pub(crate) fn is_fully_described(self) -> bool {
        self.is_fast_path() && self != TypeId::OBJECT
    }

    /// Returns the simple type with that number, unless its values are integers of a fixed width.
    pub(crate) fn primitive(self) -> Option<Primitive> {
        PRIMITIVES.get(self.0 as usize).copied()
    }

    /// Returns the integer type with that number, if its values have a fixed width.
    pub(crate) fn wide(self) -> Option<Primitive> {
        WIDE.get(self.0.wrapping_sub(TypeId::WIDE) as usize).copied()
    }

    /// Returns the index of the type in the type table, if the table contains it.
    #[inline]
    pub(crate) fn index(self) -> Option<usize> {
        self.0.checked_sub(TypeId::FIRST).map(|index| index as usize)
    }

    /// Returns the type at that index of the type table.
    pub(crate) fn at_index(index: usize) -> TypeId {
        // A table with 2^32 entries does not fit in memory.
        TypeId(u32::try_from(index).unwrap_or(u32::MAX).saturating_add(TypeId::FIRST))
    }
}

/// A compound type, with names of type `N` and components of type `T`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type<N, T> {
    /// Any number of items.
    Seq(T),
    /// A fixed number of items.
    Array(T, u64),
    /// One item of each type.
    Tuple(Vec<T>),
    /// Any number of entries, each a tuple of two.
    Map(T),
    /// Nothing or a value.
    Option(T),
    /// Members in this order.
    Class {
        /// The name, for people.
        name: N,
        /// The version of the type when it was saved.
        version: u32,
        /// The members.
        members: Vec<(N, T)>,
    },
    /// One of these variants.
    Enum {
        /// The name, for people.
        name: N,
        /// The names of the variants, and the types of their payloads.
        variants: Vec<(N, Option<T>)>,
    },
    /// A tracked pointer. Its object has this type according to the program's types; the concrete
    /// type is stored in the object table.
    Pointer(T),
}

impl<N, T> Type<N, T> {
    /// Returns the same type with other names and components.
    pub(crate) fn map<'s, M, U>(
        &'s self,
        mut name: impl FnMut(&'s N) -> M,
        mut component: impl FnMut(&'s T) -> U,
    ) -> Type<M, U> {
        match self {
            Type::Seq(item) => Type::Seq(component(item)),
            Type::Array(item, len) => Type::Array(component(item), *len),
            Type::Tuple(items) => Type::Tuple(items.iter().map(component).collect()),
            Type::Map(entry) => Type::Map(component(entry)),
            Type::Option(value) => Type::Option(component(value)),
            Type::Class { name: class, version, members } => Type::Class {
                name: name(class),
                version: *version,
                members: members.iter().map(|(n, t)| (name(n), component(t))).collect(),
            },
            Type::Enum { name: info, variants } => Type::Enum {
                name: name(info),
                variants: variants
                    .iter()
                    .map(|(n, payload)| (name(n), payload.as_ref().map(&mut component)))
                    .collect(),
            },
            Type::Pointer(pointee) => Type::Pointer(component(pointee)),
        }
    }
}

impl<N> Type<N, TypeId> {
    /// Returns whether the type is not a pointer, and `rule` is true for each of its components.
    pub(crate) fn consists_of(&self, rule: fn(TypeId) -> bool) -> bool {
        match self {
            Type::Seq(part) | Type::Array(part, _) | Type::Map(part) | Type::Option(part) => {
                rule(*part)
            }
            Type::Tuple(items) => items.iter().all(|item| rule(*item)),
            Type::Class { members, .. } => members.iter().all(|(_, kind)| rule(*kind)),
            Type::Enum { variants, .. } => variants.iter().all(|(_, kind)| kind.is_none_or(rule)),
            Type::Pointer(_) => false,
        }
    }
}

impl<'n, T: Copy> Type<&'n str, T> {
    /// Splits the type into its outline without components, and the components.
    pub(crate) fn split(&self) -> (Type<&'n str, ()>, Vec<T>) {
        let mut components = Vec::new();
        let outline = self.map(|name| *name, |component| components.push(*component));
        (outline, components)
    }
}
