//! Parses types as they are spelled in Rust.

use std::fmt;

use archive_core::{Error, ErrorKind, Primitive, Result};

use super::{Order, PRIMITIVES, Pointer, Spelling};
use crate::limits;

impl Spelling {
    /// Parses a type. Names that are not known are those of a schema.
    pub(crate) fn parse(text: &str) -> Result<Spelling> {
        if text.len() > limits::SPELLING {
            let message = format_args!("a type of more than {} bytes", limits::SPELLING);
            return Err(Error::new(ErrorKind::SizeLimit, message));
        }
        let mut parser = Parser { text, rest: text };
        let spelling = parser.ty(0)?;
        if parser.peek().is_some() {
            Err(parser.expected("the end of the type"))
        } else {
            Ok(spelling)
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
            let message = format_args!("more than {} nested types", limits::NESTING);
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
        if name == "dyn" {
            let message = "a schema has trait objects in a `Box` only: `Box<dyn Command>`";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
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
            "dyn" if name == "Box" => return self.object(),
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

    /// Reads the name of a trait, after `Box<dyn`.
    fn object(&mut self) -> Result<Spelling> {
        let name = self.name()?;
        while self.eat('+') {
            self.name()?;
        }
        self.expect('>')?;
        Ok(Spelling::Object(name.to_owned()))
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
    let message = format_args!("`{name}` takes {}, found {}", arguments(wanted), arguments(count));
    Err(Error::new(ErrorKind::Syntax, message))
}
