//! [`SpoolEncoder`]: packs a value whose bins do not have to fit into memory.

mod bins;
mod pool;

use std::collections::HashMap;

use archive_core::backend::Sink;
use archive_core::shape::{Class, Shape};
use archive_core::{Error, ErrorKind, Result};

use crate::flat::full_name;
use crate::header::{HEADER, Header};
use crate::object::{Form, duplicate};
use crate::signature::{Entries, hash};
use bins::{Order, put_bins};
pub use pool::Spool;
use pool::{Pool, Stream};

/// Packs a value that describes itself, such as a [`Value`](archive_core::Value), without keeping it in
/// memory. The result is the same as that of [`Bins`](crate::Bins).
///
/// A packed object lists its objects level by level, and the header before them has the lengths and
/// the checksum of everything. So the records of each level are written to a temporary file first.
/// Only the distinct names, and the names of the members of open objects, are kept in memory.
///
/// ```
/// use archive::format::Encoder as _;
/// use archive::shape::Shape;
/// use archive::bins::{self, SpoolEncoder};
/// use archive::Value;
///
/// let mut spool = std::io::Cursor::new(Vec::new());
/// let mut bins = SpoolEncoder::new(&mut spool);
/// bins.begin_seq(&Shape::Any, 1)?;
/// bins.item()?;
/// bins.i64(7)?;
/// bins.end_seq()?;
/// let mut file = Vec::new();
/// bins.finish(&mut |bytes| Ok(file.extend_from_slice(bytes)))?;
/// assert_eq!(file, bins::to_vec(&Value::from_iter([7_i64]))?);
/// # Ok::<(), archive::Error>(())
/// ```
pub struct SpoolEncoder<'s> {
    pool: Pool<'s>,
    levels: Vec<Level>,
    open: Vec<Open>,
    /// The names of the members of the open objects.
    names: Vec<u32>,
    strings: Strings,
    /// The name of the member that is written next.
    place: u32,
    entries: Entries,
    data: u64,
    objects: usize,
    variables: usize,
    is_complete: bool,
}

/// The records of the objects at one depth, and of their variables.
#[derive(Default)]
struct Level {
    objects: Stream,
    variables: Stream,
    data: Stream,
}

/// The words of a record of each kind, as it is kept here.
const OBJECT: usize = 6;
const VARIABLE: usize = 4;

/// An open object.
struct Open {
    class: u32,
    name: u32,
    form: Form,
    /// The number of variables of its parent before it.
    place: u32,
    variables: u32,
    children: u32,
    /// The index of the first name of its members.
    names: usize,
}

/// Distinct strings, numbered in the order of their first use.
#[derive(Default)]
struct Strings {
    numbers: HashMap<Box<str>, u32>,
    hashes: Vec<u64>,
}

impl Strings {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.hashes.len() as u32;
        self.numbers.insert(text.into(), number);
        self.hashes.push(hash(text));
        number
    }

    /// Returns the strings by their numbers.
    fn texts(&self) -> Vec<&str> {
        let mut texts = vec![""; self.hashes.len()];
        self.numbers.iter().for_each(|(text, number)| texts[*number as usize] = text);
        texts
    }
}

impl<'s> SpoolEncoder<'s> {
    /// Creates an encoder. The spool must be empty.
    pub fn new(spool: &'s mut dyn Spool) -> Self {
        let mut strings = Strings::default();
        let place = strings.number("");
        SpoolEncoder {
            pool: Pool::new(spool),
            levels: Vec::new(),
            open: Vec::new(),
            names: Vec::new(),
            strings,
            place,
            entries: Entries::default(),
            data: 0,
            objects: 0,
            variables: 0,
            is_complete: false,
        }
    }

    /// Writes the packed object.
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`] at 4 GiB, an error if the value is incomplete, and errors of the
    /// sink and of the spool.
    pub fn finish(mut self, sink: Sink<'_>) -> Result {
        if !self.open.is_empty() || !self.is_complete {
            return Err(Error::custom(
                "the value is incomplete: `finish` was called before its end",
            ));
        }
        let order = self.order()?;
        let texts = self.strings.texts();
        let texts: Vec<&str> = order.used.iter().map(|number| texts[*number as usize]).collect();
        let bytes = texts.iter().map(|text| text.len() as u64 + 4).sum();
        let mut header = Header::plan(self.objects, self.variables, self.data, texts.len(), bytes)?;
        header.signature = self.entries.signature();
        let mut checksum = crc32fast::Hasher::new();
        let (pool, levels) = (&mut self.pool, &self.levels);
        put_bins(pool, levels, &order.new, &texts, &mut |bytes| {
            checksum.update(bytes);
            Ok(())
        })?;
        header.body_checksum = checksum.finalize();
        sink(&header.bytes())?;
        debug_assert_eq!(header.bytes().len(), HEADER);
        put_bins(pool, levels, &order.new, &texts, sink)
    }

    /// Returns the order of the strings in the file: the order of their first use.
    fn order(&mut self) -> Result<Order> {
        let mut order = Order { used: Vec::new(), new: vec![u32::MAX; self.strings.hashes.len()] };
        for level in &self.levels {
            self.pool.records(&level.objects, |words: [u32; OBJECT]| order.meet(&words[..2]))?;
        }
        for level in &self.levels {
            let variables = &level.variables;
            self.pool.records(variables, |words: [u32; VARIABLE]| order.meet(&words[..3]))?;
        }
        Ok(order)
    }

    fn begin(&mut self, class: &str, form: Form) -> Result {
        let class = self.strings.number(class);
        let name = self.place;
        let (mut place, mut owner, mut named) = (0, None, None);
        if let Some(parent) = self.open.last_mut() {
            place = parent.variables;
            parent.children += 1;
            (owner, named) = (Some(parent.class), Some(name));
            self.names.push(name);
        }
        let hash = |number: u32| self.strings.hashes[number as usize];
        self.entries.object(form, owner.map(hash), hash(class), named.map(hash));
        self.objects += 1;
        let names = self.names.len();
        self.open.push(Open { class, name, form, place, variables: 0, children: 0, names });
        if self.levels.len() < self.open.len() {
            self.levels.push(Level::default());
        }
        Ok(())
    }

    fn end(&mut self) -> Result {
        let Some(closed) = self.open.pop() else {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "calls out of order: an end without a begin",
            ));
        };
        let Open { class, name, form, place, variables, children, names } = closed;
        let members = &mut self.names[names..];
        if form == Form::Object {
            members.sort_unstable();
            if let Some(two) = members.windows(2).find(|two| two[0] == two[1]) {
                let texts = self.strings.texts();
                let text = |number: u32| texts[number as usize];
                return Err(duplicate(&full_name(text(class), text(two[0]))));
            }
        }
        self.names.truncate(names);
        let words = [class, name, form.code(), place, variables, children];
        self.pool.append_words(&mut self.levels[self.open.len()].objects, words)?;
        self.is_complete = self.open.is_empty();
        Ok(())
    }

    fn scalar(&mut self, type_name: &str, bytes: &[u8]) -> Result {
        self.variable(type_name, bytes)
    }

    /// Writes a variable. A variable at the root is wrapped in an object.
    fn variable(&mut self, type_name: &str, bytes: &[u8]) -> Result {
        let is_root = self.open.is_empty();
        if is_root {
            self.begin("value", Form::Value)?;
        }
        let (ty, name, level) = (self.strings.number(type_name), self.place, self.open.len() - 1);
        let owner = &mut self.open[level];
        owner.variables += 1;
        self.names.push(name);
        let hash = |number: u32| self.strings.hashes[number as usize];
        let class = hash(owner.class);
        self.entries.variable(Some(class), class, hash(name), hash(ty), type_name, bytes.len());
        // A length that does not fit is refused by `Header::plan`.
        let words = [ty, owner.class, name, bytes.len() as u32];
        let level = &mut self.levels[level];
        self.pool.append_words(&mut level.variables, words)?;
        self.pool.append(&mut level.data, bytes)?;
        self.data += bytes.len() as u64;
        self.variables += 1;
        if is_root { self.end() } else { Ok(()) }
    }
}

impl archive_core::Encoder for SpoolEncoder<'_> {
    scalars!();

    fn bytes(&mut self, value: &[u8]) -> Result {
        self.variable("bytes", value)
    }
    fn null(&mut self) -> Result {
        self.variable("()", &[])
    }
    fn str(&mut self, value: &str) -> Result {
        self.variable("String", value.as_bytes())
    }
    fn begin_seq(&mut self, shape: &'static Shape, _: usize) -> Result {
        if !shape.is_any() {
            return Err(Error::new(ErrorKind::Unsupported, "a sequence of a known type"));
        }
        self.begin("list", Form::List)
    }
    fn item(&mut self) -> Result {
        self.place = 0;
        Ok(())
    }
    fn end_seq(&mut self) -> Result {
        self.end()
    }
    fn begin_object(&mut self, class: &'static Class) -> Result {
        self.begin(class.name(), Form::Object)
    }
    fn member(&mut self, name: &str, _: &'static Shape) -> Result {
        self.place = self.strings.number(name);
        Ok(())
    }
    fn end_object(&mut self) -> Result {
        self.end()
    }
}
