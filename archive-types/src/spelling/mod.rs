//! [`Spelling`]: a type as it is spelled in Rust, parsed.

mod parser;

use std::fmt;

use archive_core::Primitive;

/// The order in which keys are saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// That of the type: `BTreeMap`, `BTreeSet`.
    Own,
    /// That of their encodings: `HashMap`, `HashSet`.
    Encoded,
}

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Spelling {
    Primitive(Primitive),
    /// `Value`.
    Any,
    List(Box<Spelling>),
    Set(Box<Spelling>, Order),
    Map(Box<Spelling>, Box<Spelling>, Order),
    Array(Box<Spelling>, usize),
    Tuple(Vec<Spelling>),
    Option(Box<Spelling>),
    /// A shared pointer.
    Shared(Box<Spelling>, Pointer),
    /// `Box<dyn Command>`: the name of the trait.
    Object(String),
    /// A type of the schema.
    Named(String),
}

/// The kind of a shared pointer. `Rc` and `Arc` are the same, and so are all cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pointer {
    pub(crate) is_weak: bool,
    pub(crate) in_cell: bool,
}

const PRIMITIVES: [Primitive; 16] = [
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

/// The names of the types that are known without a schema, apart from the primitive ones.
const CONTAINERS: [&str; 17] = [
    "Vec", "VecDeque", "Option", "Box", "BTreeMap", "HashMap", "BTreeSet", "HashSet", "Value",
    "Rc", "Arc", "Weak", "RefCell", "Mutex", "RwLock", "Cell", "dyn",
];

/// Returns all names that a type of a schema cannot have.
pub(crate) fn known_names() -> impl Iterator<Item = &'static str> {
    PRIMITIVES.iter().map(|primitive| primitive.name()).chain(CONTAINERS)
}

impl Spelling {
    /// Calls `visit` with each type that this one is spelled with, and with itself.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(&Spelling)) {
        visit(self);
        match self {
            Spelling::Primitive(_) | Spelling::Any | Spelling::Object(_) | Spelling::Named(_) => {}
            Spelling::List(item)
            | Spelling::Set(item, _)
            | Spelling::Array(item, _)
            | Spelling::Shared(item, _)
            | Spelling::Option(item) => item.each(visit),
            Spelling::Map(key, value, _) => {
                key.each(visit);
                value.each(visit);
            }
            Spelling::Tuple(items) => items.iter().for_each(|item| item.each(visit)),
        }
    }
}

/// The type as it is spelled, in its shortest form.
impl fmt::Display for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spelling::Primitive(primitive) => f.write_str(primitive.name()),
            Spelling::Any => f.write_str("Value"),
            Spelling::List(item) => write!(f, "Vec<{item}>"),
            Spelling::Set(item, Order::Own) => write!(f, "BTreeSet<{item}>"),
            Spelling::Set(item, Order::Encoded) => write!(f, "HashSet<{item}>"),
            Spelling::Map(key, value, Order::Own) => write!(f, "BTreeMap<{key}, {value}>"),
            Spelling::Map(key, value, Order::Encoded) => write!(f, "HashMap<{key}, {value}>"),
            Spelling::Array(item, len) => write!(f, "[{item}; {len}]"),
            Spelling::Tuple(items) => {
                f.write_str("(")?;
                for (index, item) in items.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(f, "{comma}{item}")?;
                }
                f.write_str(if items.len() == 1 { ",)" } else { ")" })
            }
            Spelling::Option(value) => write!(f, "Option<{value}>"),
            Spelling::Shared(to, kind) => {
                let name = if kind.is_weak { "Weak" } else { "Rc" };
                if kind.in_cell {
                    write!(f, "{name}<RefCell<{to}>>")
                } else {
                    write!(f, "{name}<{to}>")
                }
            }
            Spelling::Object(name) => write!(f, "Box<dyn {name}>"),
            Spelling::Named(name) => f.write_str(name),
        }
    }
}
