//! The types of a program at run time: classes, enums and the types of their members.

use std::fmt;

use archive::shape::Primitive;

/// The type of a member.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Number(Number),
    Bool,
    Char,
    Text,
    Option(Box<Type>),
    List(Box<Type>),
    Array(Box<Type>, usize),
    /// A map with text for keys.
    Map(Box<Type>),
    /// A plain object of a class.
    Object(usize),
    Enum(usize),
    /// A shared pointer to an object of a class.
    Pointer(usize),
}

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    U8,
    U16,
    U32,
    U64,
    U128,
    I8,
    I16,
    I32,
    I64,
    I128,
    F32,
    F64,
}

pub const NUMBERS: [Number; 12] = [
    Number::I32,
    Number::U8,
    Number::U16,
    Number::U32,
    Number::U64,
    Number::U128,
    Number::I8,
    Number::I16,
    Number::I64,
    Number::I128,
    Number::F32,
    Number::F64,
];

/// A struct, or the members of a struct variant.
#[derive(Clone, Debug)]
pub struct Class {
    pub name: String,
    /// Whether its members are known at compile time, as the derive has it. A hand-written function
    /// may branch, and has no aliases.
    pub derived: bool,
    /// Whether a variant with this class has its members, as a struct variant does. Other variants
    /// have one value of this class.
    pub in_variants: bool,
    pub members: Vec<Member>,
}

#[derive(Clone, Debug)]
pub struct Member {
    pub name: String,
    pub aliases: Vec<String>,
    pub ty: Type,
}

#[derive(Clone, Debug)]
pub struct Choice {
    pub name: String,
    pub variants: Vec<Variant>,
}

#[derive(Clone, Debug)]
pub struct Variant {
    pub name: String,
    pub aliases: Vec<String>,
    pub payload: Option<Type>,
}

/// All types of a program. The root is an object of class 0. A class or an enum only contains
/// others with a higher number, unless there is an option of a pointer between them, so that every
/// type has a blank value.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    pub classes: Vec<Class>,
    pub choices: Vec<Choice>,
    /// How many names were given.
    pub names: usize,
}

impl Schema {
    /// A name that is not used and never was.
    pub fn new_name(&mut self, what: &str) -> String {
        self.names += 1;
        format!("{what}{}", self.names)
    }

    /// The class of all objects that are shared.
    pub fn pointee(&self) -> usize {
        fn of(ty: &Type) -> Option<usize> {
            match ty {
                Type::Pointer(class) => Some(*class),
                Type::Option(inner)
                | Type::List(inner)
                | Type::Array(inner, _)
                | Type::Map(inner) => of(inner),
                _ => None,
            }
        }
        let members = self.classes.iter().flat_map(|class| &class.members);
        members.map(|member| &member.ty).find_map(of).unwrap_or(self.classes.len() - 1)
    }

    /// Whether a variant with that class is a struct variant.
    pub fn is_struct_variant(&self, class: usize) -> bool {
        self.classes[class].derived && self.classes[class].in_variants
    }

    /// The variant of that name, or the one that had it in older files.
    pub fn find_variant(&self, choice: usize, name: &str) -> Option<usize> {
        let variants = &self.choices[choice].variants;
        let alias = || variants.iter().position(|v| v.aliases.iter().any(|alias| alias == name));
        variants.iter().position(|variant| variant.name == name).or_else(alias)
    }
}

impl Type {
    /// Whether a value may be null in text formats.
    pub fn nullable(&self) -> bool {
        matches!(self, Type::Option(_))
    }

    /// Whether a value has no parts.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Type::Number(_) | Type::Bool | Type::Char | Type::Text)
    }
}

impl Number {
    pub fn is_float(self) -> bool {
        matches!(self, Number::F32 | Number::F64)
    }

    pub fn primitive(self) -> Primitive {
        match self {
            Number::U8 => Primitive::U8,
            Number::U16 => Primitive::U16,
            Number::U32 => Primitive::U32,
            Number::U64 => Primitive::U64,
            Number::U128 => Primitive::U128,
            Number::I8 => Primitive::I8,
            Number::I16 => Primitive::I16,
            Number::I32 => Primitive::I32,
            Number::I64 => Primitive::I64,
            Number::I128 => Primitive::I128,
            Number::F32 => Primitive::F32,
            Number::F64 => Primitive::F64,
        }
    }
}

/// Approximately as in Rust.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Number(number) => f.write_str(number.primitive().name()),
            Type::Bool => f.write_str("bool"),
            Type::Char => f.write_str("char"),
            Type::Text => f.write_str("String"),
            Type::Option(value) => write!(f, "Option<{value}>"),
            Type::List(item) => write!(f, "Vec<{item}>"),
            Type::Array(item, len) => write!(f, "[{item}; {len}]"),
            Type::Map(value) => write!(f, "Map<{value}>"),
            Type::Object(class) => write!(f, "Class#{class}"),
            Type::Enum(choice) => write!(f, "Enum#{choice}"),
            Type::Pointer(class) => write!(f, "Rc<RefCell<Class#{class}>>"),
        }
    }
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, class) in self.classes.iter().enumerate() {
            let how = if class.derived { "derived" } else { "by hand" };
            write!(f, "  Class#{index} {} ({how}) {{", class.name)?;
            for Member { name, aliases, ty } in &class.members {
                write!(f, " {name}{}: {ty},", Aliases(aliases))?;
            }
            writeln!(f, " }}")?;
        }
        for (index, choice) in self.choices.iter().enumerate() {
            write!(f, "  Enum#{index} {} {{", choice.name)?;
            for Variant { name, aliases, payload } in &choice.variants {
                write!(f, " {name}{}", Aliases(aliases))?;
                payload.as_ref().map_or(Ok(()), |ty| write!(f, "({ty})"))?;
                f.write_str(",")?;
            }
            writeln!(f, " }}")?;
        }
        Ok(())
    }
}

struct Aliases<'a>(&'a [String]);

impl fmt::Display for Aliases<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, " (was {})", self.0.join(", ")) }
    }
}
