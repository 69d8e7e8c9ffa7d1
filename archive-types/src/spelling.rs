//! [`Spelling`]: a type as it is spelled in Rust, parsed.

use std::fmt;

use archive_core::{Error, ErrorKind, Primitive, Result};

use crate::limits;

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
const CONTAINERS: [&str; 16] = [
    "Vec", "VecDeque", "Option", "Box", "BTreeMap", "HashMap", "BTreeSet", "HashSet", "Value", "Rc", "Arc",
    "Weak", "RefCell", "Mutex", "RwLock", "Cell",
];

/// Returns all names that a type of a schema cannot have.
pub(crate) fn known_names() -> impl Iterator<Item = &'static str> {
    PRIMITIVES.iter().map(|primitive| primitive.name()).chain(CONTAINERS)
}

impl Spelling {
    /// Parses a type. Names that are not known are those of a schema.
    pub(crate) fn parse(text: &str) -> Result<Spelling> {
        if text.len() > limits::SPELLING {
            let message = format_args!("a type of more than {} bytes", limits::SPELLING);
            return Err(Error::new(ErrorKind::SizeLimit, message));
        }
        let mut parser = Parser { text, rest: text };
        let spelling = parser.ty(0)?;
        if parser.peek().is_some() { Err(parser.expected("the end of the type")) } else { Ok(spelling) }
    }

    /// Calls `visit` with each type that this one is spelled with, and with itself.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(&Spelling)) {
        visit(self);
        match self {
            Spelling::Primitive(_) | Spelling::Any | Spelling::Named(_) => {}
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

struct Parser<'t> {
    text: &'t str,
    rest: &'t str,
}

impl<'t> Parser<'t> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    /// Skips the character if it is the next one.
    fn eat(&mut self, token: char) -> bool {
        let is_next = self.peek() == Some(token);
        if is_next {
            self.rest = &self.rest[token.len_utf8()..];
        }
        is_next
    }

    fn expect(&mut self, token: char) -> Result {
        if self.eat(token) { Ok(()) } else { Err(self.expected(format_args!("`{token}`"))) }
    }

    #[cold]
    fn expected(&mut self, what: impl fmt::Display) -> Error {
        let found = match self.peek() {
            Some(found) => format!("`{found}`"),
            None => "the end".to_owned(),
        };
        let at = self.text.len() - self.rest.len();
        let message = format_args!("expected {what}, found {found} after `{}`", &self.text[..at]);
        Error::new(ErrorKind::Syntax, message)
    }

    /// Reads characters while they are of that kind.
    fn take(&mut self, is: impl Fn(char) -> bool) -> &'t str {
        self.peek();
        let end = self.rest.find(|c| !is(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn ty(&mut self, depth: usize) -> Result<Spelling> {
        if depth > limits::NESTING {
            let message = format_args!("more than {} types inside each other", limits::NESTING);
            return Err(Error::new(ErrorKind::DepthLimit, message));
        }
        if self.eat('[') {
            let item = self.ty(depth + 1)?;
            self.expect(';')?;
            let digits = self.take(|c| c.is_ascii_digit() || c == '_').replace('_', "");
            let len = digits.parse().map_err(|_| self.expected("a length"))?;
            self.expect(']')?;
            return Ok(Spelling::Array(Box::new(item), len));
        }
        if self.eat('(') {
            let (items, trailing) = self.list(')', depth)?;
            return match (items.len(), trailing) {
                (0, _) => Ok(Spelling::Primitive(Primitive::Unit)),
                // Parentheses around a type.
                (1, false) => Ok(items.into_iter().next().unwrap_or(Spelling::Any)),
                _ => Ok(Spelling::Tuple(items)),
            };
        }
        let name = self.name()?;
        if ["Rc", "Arc", "Weak", "Box"].contains(&name) {
            return self.pointer(name, depth);
        }
        let arguments = if self.eat('<') { self.list('>', depth)?.0 } else { Vec::new() };
        named(name, arguments)
    }

    /// Reads types up to the token. Returns whether a comma is in front of it.
    fn list(&mut self, end: char, depth: usize) -> Result<(Vec<Spelling>, bool)> {
        let (mut items, mut trailing) = (Vec::new(), false);
        while !self.eat(end) {
            if !items.is_empty() && !trailing {
                return Err(self.expected(format_args!("`,` or `{end}`")));
            }
            items.push(self.ty(depth + 1)?);
            trailing = self.eat(',');
        }
        Ok((items, trailing))
    }

    /// Reads the last name of a path.
    fn name(&mut self) -> Result<&'t str> {
        loop {
            let name = self.take(|c| c.is_alphanumeric() || c == '_');
            if name.is_empty() {
                return Err(self.expected("a type"));
            }
            if !self.eat(':') {
                return Ok(name);
            }
            self.expect(':')?;
        }
    }

    /// Reads what a pointer points to.
    fn pointer(&mut self, name: &str, depth: usize) -> Result<Spelling> {
        if !self.eat('<') {
            return takes(name, 0, 1).map(|()| Spelling::Any);
        }
        let before = self.rest;
        let first = self.name()?;
        let is_cell = ["RefCell", "Mutex", "RwLock", "Cell"].contains(&first);
        let to = match first {
            "dyn" => {
                let message = "a schema cannot have trait objects yet";
                return Err(Error::new(ErrorKind::Unsupported, message));
            }
            "str" => Spelling::Primitive(Primitive::Str),
            _ if is_cell => {
                self.expect('<')?;
                let content = self.ty(depth + 1)?;
                self.eat(',');
                self.expect('>')?;
                content
            }
            _ => {
                self.rest = before;
                self.ty(depth + 1)?
            }
        };
        self.eat(',');
        self.expect('>')?;
        // A box is stored as what is in it, and so is text.
        if name == "Box" || first == "str" {
            return Ok(to);
        }
        let kind = Pointer { is_weak: name == "Weak", in_cell: is_cell };
        Ok(Spelling::Shared(Box::new(to), kind))
    }
}

fn named(name: &str, arguments: Vec<Spelling>) -> Result<Spelling> {
    let count = arguments.len();
    let mut arguments = arguments.into_iter().map(Box::new);
    let mut next = || arguments.next().unwrap_or_else(|| Box::new(Spelling::Any));
    if let Some(primitive) = PRIMITIVES.iter().find(|primitive| primitive.name() == name) {
        return takes(name, count, 0).map(|()| Spelling::Primitive(*primitive));
    }
    let wanted = match name {
        "Vec" | "VecDeque" | "Option" | "BTreeSet" | "HashSet" => 1,
        "RefCell" | "Mutex" | "RwLock" | "Cell" => 1,
        "BTreeMap" | "HashMap" => 2,
        _ => 0,
    };
    takes(name, count, wanted)?;
    Ok(match name {
        "Vec" | "VecDeque" => Spelling::List(next()),
        "Option" => Spelling::Option(next()),
        // A cell is stored as what is in it.
        "RefCell" | "Mutex" | "RwLock" | "Cell" => *next(),
        "BTreeSet" => Spelling::Set(next(), Order::Own),
        "HashSet" => Spelling::Set(next(), Order::Encoded),
        "BTreeMap" => Spelling::Map(next(), next(), Order::Own),
        "HashMap" => Spelling::Map(next(), next(), Order::Encoded),
        "Value" => Spelling::Any,
        _ => Spelling::Named(name.to_owned()),
    })
}

fn takes(name: &str, count: usize, wanted: usize) -> Result {
    if count == wanted {
        return Ok(());
    }
    let arguments = |count: usize| match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    };
    let message =
        format_args!("`{name}` takes {}, found {}", arguments(wanted), arguments(count));
    Err(Error::new(ErrorKind::Syntax, message))
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
                if kind.in_cell { write!(f, "{name}<RefCell<{to}>>") } else { write!(f, "{name}<{to}>") }
            }
            Spelling::Named(name) => f.write_str(name),
        }
    }
}
