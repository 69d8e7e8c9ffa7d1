//! [`Decoder`]: reads values from an object.

mod hand_on;
mod plain;
mod scalar;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use archive_core::decoder::{Kind, Mark};
use archive_core::reserved;
use archive_core::shape::{Class, Member, Primitive, Shape};
use archive_core::{Error, ErrorKind, Number, Options, Position, Result};

use crate::bases::with_bases;
use crate::flat::{Content, Flat, Node};
use crate::header::SIGNATURE;
use crate::members::Members;
use crate::object::{Form, Object};
use crate::signature;
use crate::types::{Type, TypeKind, parse};
use crate::unpack::unpack;
pub use hand_on::hand_on;

/// Reads an [`Object`], packed or not. Does not recurse.
#[derive(Debug)]
pub struct Decoder<'a> {
    flat: Flat<'a>,
    types: Vec<Type>,
    /// For each string in `flat`: its type if it is the name of a known type, otherwise
    /// [`NO_TYPE`].
    type_of: Vec<u32>,
    /// The numbers of the strings by their text, once a name was looked up.
    numbers: Option<HashMap<&'a str, u32>>,
    /// The bases for which the file does not declare where they belong. A base of a base is looked
    /// up among them, at any depth.
    undeclared: HashSet<usize>,
    cursor: Cursor,
    open: Vec<Frame>,
    conversion: Option<(Primitive, Primitive)>,
    /// The type of the root.
    root_shape: Option<&'static Shape>,
    /// The bytes of a character that was requested as text.
    text: [u8; 4],
    /// How many more bytes of names may be handed out. Each name is stored once in a file, but a
    /// caller may copy it each time.
    names: u64,
    /// The length of the file, if the object comes from a file.
    input: Option<usize>,
}

/// How many bytes of names are handed out for each byte of a file, and how many in addition.
const NAMES_EACH: u64 = 32;
const NAMES_BASE: u64 = 1 << 16;

const NO_TYPE: u32 = u32::MAX;
/// The type of the items of `bytes`.
const BYTE: u32 = 0;

/// The position of a value: a node, or an item inside the bytes of a variable.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    node: usize,
    /// The type of the item, and its offset in the variable.
    item: Option<(u32, usize)>,
}

/// An open container.
#[derive(Debug)]
enum Frame {
    /// A list: the index at its end, and that of its next item.
    List(usize, usize),
    Plain(plain::Items),
    Object(Members),
}

/// The value at the cursor.
enum Slot<'a, 't> {
    Object(Form, usize),
    /// A value of a known type.
    Value(&'t Type, &'a [u8]),
    /// A value of an unknown type: the name of the type, and its bytes.
    Other(&'a str, &'a [u8]),
}

impl<'a> Decoder<'a> {
    /// Creates a decoder of a packed object.
    ///
    /// # Errors
    /// As [`Object::from_bytes`].
    pub fn new(input: &'a [u8], options: &Options<'_>) -> Result<Self> {
        let deepest = options.get_limits().nesting();
        let mut decoder = Self::over(unpack(input, deepest)?, deepest)?;
        decoder.input = Some(input.len());
        decoder.names = NAMES_EACH * input.len() as u64 + NAMES_BASE;
        Ok(decoder)
    }

    /// Creates a decoder of an object.
    ///
    /// # Errors
    /// [`ErrorKind::DepthLimit`], [`ErrorKind::DuplicateMember`], [`ErrorKind::SizeLimit`] for a
    /// variable of 4 GiB, or [`ErrorKind::Syntax`] if the bytes of one are not of the size of its type.
    pub fn of(object: &'a Object, options: &Options<'_>) -> Result<Self> {
        let deepest = options.get_limits().nesting();
        Self::over(Flat::of(object, deepest)?, deepest)
    }

    fn over(flat: Flat<'a>, deepest: usize) -> Result<Self> {
        let (flat, undeclared) = with_bases(flat)?;
        let mut types = vec![Type::BYTE];
        let mut type_of = vec![None; flat.strings.len()];
        let is_value = matches!(flat.nodes[0].content, Content::Object(Form::Value, _));
        let mut open: Vec<usize> = Vec::new();
        for (index, node) in flat.nodes.iter().enumerate() {
            while open.pop_if(|outer| flat.nodes[*outer].end <= index).is_some() {}
            // An object that only wraps a value does not count as a level of nesting.
            let around = open.len() - usize::from(is_value && !open.is_empty());
            let too_deep = || flat.in_path(Error::too_nested(deepest), index, &open);
            let Content::Variable(name, bytes) = node.content else {
                if around >= deepest && !(is_value && index == 0) {
                    return Err(too_deep().at(flat.position(node.at)));
                }
                open.push(index);
                continue;
            };
            let known = type_of[name as usize]
                .get_or_insert_with(|| parse(flat.text(name), &mut types).unwrap_or(NO_TYPE));
            if u32::try_from(bytes.len()).is_err() {
                let message = "a variable must be smaller than 4 GiB";
                return Err(Error::new(ErrorKind::SizeLimit, message));
            }
            let Some(ty) = types.get(*known as usize) else { continue };
            check_size(ty, bytes.len(), &types, flat.text(name), around, deepest).map_err(
                |error| {
                    match error.kind() {
                        ErrorKind::DepthLimit => flat.in_path(error, index, &open),
                        _ => error,
                    }
                    .at(flat.position(node.at))
                },
            )?;
        }
        Ok(Decoder {
            flat,
            types,
            type_of: type_of.into_iter().map(|known| known.unwrap_or(NO_TYPE)).collect(),
            numbers: None,
            undeclared,
            cursor: Cursor { node: usize::from(is_value), item: None },
            open: Vec::new(),
            conversion: None,
            root_shape: None,
            text: [0; 4],
            names: u64::MAX,
            input: None,
        })
    }

    fn slot(&self) -> Slot<'a, '_> {
        let (name, bytes) = match self.flat.nodes[self.cursor.node].content {
            Content::Object(form, len) => return Slot::Object(form, len),
            Content::Variable(name, bytes) => (name, bytes),
        };
        match self.cursor.item {
            Some((ty, at)) => {
                let ty = &self.types[ty as usize];
                Slot::Value(ty, &bytes[at..at + ty.size])
            }
            None => match self.types.get(self.type_of[name as usize] as usize) {
                Some(ty) => Slot::Value(ty, bytes),
                None => Slot::Other(self.flat.text(name), bytes),
            },
        }
    }

    /// Moves to a node if there is one.
    fn move_to(&mut self, node: Option<usize>) -> Result<bool> {
        if let Some(node) = node {
            self.cursor = Cursor { node, item: None };
        }
        Ok(node.is_some())
    }

    fn members(&mut self) -> Result<(&mut Members, &Flat<'a>)> {
        match self.open.last_mut() {
            Some(Frame::Object(members)) => Ok((members, &self.flat)),
            _ => Err(misuse()),
        }
    }

    /// Returns the number of a name, if the file contains it.
    fn number_of(&mut self, name: &str) -> Option<u32> {
        let strings = &self.flat.strings;
        let numbers = self.numbers.get_or_insert_with(|| {
            strings.iter().enumerate().map(|(number, text)| (*text, number as u32)).collect()
        });
        numbers.get(name).copied()
    }
}

/// Checks that a variable may be of a size, where so many objects are open.
fn check_size(
    ty: &Type,
    size: usize,
    types: &[Type],
    name: &str,
    around: usize,
    deepest: usize,
) -> Result {
    let levels = ty.levels(size);
    if levels > 0 && around + levels > deepest {
        return Err(Error::too_nested(deepest));
    }
    if !ty.fits(size, types) {
        let message = format_args!("no value of type `{name}` takes {size} bytes");
        return Err(Error::new(ErrorKind::Syntax, message));
    }
    Ok(())
}

/// Returns the error for calls in an invalid order.
#[cold]
fn misuse() -> Error {
    let message = "members outside of an object, or items outside of a sequence";
    Error::new(ErrorKind::Unsupported, message)
}

macro_rules! integers {
    ($($name:ident: $primitive:ident;)*) => {$(
        fn $name(&mut self) -> Result<$name> {
            self.integer(Primitive::$primitive)
        }
    )*};
}

impl archive_core::Decoder for Decoder<'_> {
    integers! {
        i8: I8; i16: I16; i32: I32; i64: I64; i128: I128;
        u8: U8; u16: U16; u32: U32; u64: U64; u128: U128;
    }

    fn input_len(&self) -> Option<usize> {
        self.input
    }
    fn position(&self) -> Position {
        let node = &self.flat.nodes[self.cursor.node];
        self.flat.position(node.at + self.cursor.item.map_or(0, |(_, at)| at))
    }
    fn position_of(&self, mark: Mark) -> Position {
        self.flat.nodes.get(mark.offset as usize).map_or(Position::Unknown, |node| {
            self.flat.position(node.at + (mark.state as u32) as usize)
        })
    }

    fn peek(&mut self) -> Result<Kind> {
        Ok(match self.slot() {
            Slot::Object(Form::List, _) => Kind::Seq,
            Slot::Object(..) => Kind::Object,
            Slot::Value(ty, _) => match ty.kind {
                TypeKind::Primitive(primitive) => scalar::kind(primitive),
                _ => Kind::Seq,
            },
            Slot::Other(..) => Kind::Bytes,
        })
    }
    fn skip(&mut self) -> Result {
        Ok(()) // what is open knows what comes next
    }
    fn skip_span(&mut self) -> Result<Option<Range<u64>>> {
        let node = &self.flat.nodes[self.cursor.node];
        Ok(match self.slot() {
            Slot::Value(_, bytes) | Slot::Other(_, bytes) if self.flat.placed => {
                let start = node.at + self.cursor.item.map_or(0, |(_, at)| at);
                Some(start as u64..(start + bytes.len()) as u64)
            }
            _ => None,
        })
    }
    fn stored_type(&mut self) -> Option<Cow<'_, str>> {
        let node = &self.flat.nodes[self.cursor.node];
        match (node.content, self.cursor.item) {
            (Content::Object(Form::Value, _), _) => None,
            (Content::Object(..), _) => Some(self.flat.text(node.class).into()),
            (Content::Variable(name, _), None) => Some(self.flat.text(name).into()),
            (Content::Variable(..), Some((ty, _))) => match self.types[ty as usize].kind {
                TypeKind::Primitive(primitive) => Some(primitive.name().into()),
                _ => None,
            },
        }
    }
    fn null(&mut self) -> Result {
        match self.slot() {
            Slot::Value(Type { kind: TypeKind::Primitive(Primitive::Unit), .. }, _) => Ok(()),
            _ => Err(self.wrong("null")),
        }
    }
    fn bool(&mut self) -> Result<bool> {
        self.expect_bool()
    }
    fn number(&mut self) -> Result<Number> {
        self.expect_number("a number")
    }
    fn f32(&mut self) -> Result<f32> {
        self.float(Primitive::F32, Number::to_f32)
    }
    fn f64(&mut self) -> Result<f64> {
        self.float(Primitive::F64, Number::to_f64)
    }
    fn char(&mut self) -> Result<char> {
        self.expect_char()
    }
    fn str(&mut self) -> Result<&str> {
        self.expect_str("text")
    }
    fn bytes(&mut self, out: &mut Vec<u8>) -> Result {
        out.clear();
        if let Some(bytes) = self.plain_bytes() {
            out.extend_from_slice(bytes);
            return Ok(());
        }
        out.reserve(self.begin_seq(&Shape::Any)?);
        while self.next_item()? {
            out.push(self.u8()?);
        }
        self.end_seq()
    }

    fn begin_seq(&mut self, _: &'static Shape) -> Result<usize> {
        let (frame, len) = match self.slot() {
            Slot::Object(Form::List, len) => {
                let node = self.cursor.node;
                (Frame::List(self.flat.nodes[node].end, node + 1), len)
            }
            _ => {
                let items = self.plain_items()?;
                let len = items.len;
                (Frame::Plain(items), len)
            }
        };
        self.open.push(frame);
        Ok(len)
    }
    fn next_item(&mut self) -> Result<bool> {
        match self.open.last_mut() {
            Some(Frame::List(end, next)) => {
                let item = (*next < *end).then_some(*next);
                if let Some(at) = item {
                    *next = self.flat.nodes[at].end;
                }
                self.move_to(item)
            }
            Some(Frame::Plain(items)) => {
                let item = items.next(&self.types);
                if let Some(item) = item {
                    self.cursor = Cursor { node: items.node, item: Some(item) };
                }
                Ok(item.is_some())
            }
            _ => Err(misuse()),
        }
    }
    fn end_seq(&mut self) -> Result {
        if self.next_item()? {
            let message = "the sequence has more items than were loaded";
            return Err(Error::new(ErrorKind::WrongLength, message).at(self.position()));
        }
        self.open.pop();
        Ok(())
    }

    fn begin_object(&mut self, _: &'static Class) -> Result {
        match self.slot() {
            Slot::Object(Form::Object, _) => {
                self.open.push(Frame::Object(Members::open(self.cursor.node)));
                Ok(())
            }
            _ => Err(self.wrong("an object")),
        }
    }
    fn member(&mut self, name: &str) -> Result<bool> {
        let (members, flat) = self.members()?;
        if let Some(found) = members.next_is(flat, name) {
            return self.move_to(Some(found));
        }
        let Some(number) = self.number_of(name) else { return Ok(false) };
        let (members, flat) = self.members()?;
        let found = members.find(flat, number);
        let found = found.or_else(|| self.inherited(number));
        self.move_to(found)
    }
    fn known_member(&mut self, info: &'static Member) -> Result<bool> {
        for name in std::iter::once(&info.name).chain(info.aliases) {
            if self.member(name)? {
                return Ok(true);
            }
        }
        match info.base {
            Some(class) if self.holds_base_of(class) => {
                let node = self.empty_base(info.name);
                self.move_to(Some(node))
            }
            _ => Ok(false),
        }
    }
    fn next_key(&mut self) -> Result<Option<Cow<'_, str>>> {
        let (members, flat) = self.members()?;
        let found = members.next(flat);
        if !self.move_to(found)? {
            return Ok(None);
        }
        let name = self.flat.text(self.flat.nodes[self.cursor.node].name);
        match self.names.checked_sub(name.len() as u64) {
            Some(left) => self.names = left,
            None => {
                let message =
                    format_args!("the names of members come to {NAMES_EACH} times the input");
                return Err(Error::new(ErrorKind::SizeLimit, message).at(self.position()));
            }
        }
        Ok(Some(Cow::Borrowed(name)))
    }
    fn end_object(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        let Some(Frame::Object(mut members)) = self.open.pop() else { return Err(misuse()) };
        while let Some(at) = members.next(&self.flat) {
            let node = &self.flat.nodes[at];
            unknown(self.flat.text(node.name))
                .map_err(|error| error.at(self.flat.position(node.at)))?;
        }
        Ok(())
    }

    fn begin_root(&mut self, shape: &'static Shape) -> Result {
        self.root_shape = Some(shape);
        Ok(())
    }
    fn check_layout(&self) -> Result {
        let program = self.root_shape.and_then(signature::of_class);
        match (self.flat.class_signature, program) {
            (Some(file), Some(program))
                if file.whole && program.whole && file.number != program.number =>
            {
                let (file, program) = (file.number, program.number);
                let message = format_args!(
                    "the file was saved by a type of another layout: it has the signature \
                     {file:016x}, the program's type {program:016x}"
                );
                let at = self.flat.position(SIGNATURE);
                Err(Error::new(ErrorKind::WrongType, message).at(at))
            }
            _ => Ok(()),
        }
    }

    fn at_pointer(&mut self, _: bool) -> Result<bool> {
        Ok(self.cursor.item.is_none() && self.begins_with(self.cursor.node, &reserved::OWN))
    }
    fn at_some(&mut self) -> Result<bool> {
        Ok(self.cursor.item.is_none() && self.begins_with(self.cursor.node, &[reserved::SOME]))
    }

    fn mark(&mut self) -> Mark {
        let Cursor { node, item } = self.cursor;
        // The offset takes the lower 32 bits, the type the upper ones.
        let state = item.map_or(0, |(ty, at)| (u64::from(ty) + 1) << 32 | at as u64);
        Mark { offset: node as u64, state, depth: self.open.len() as u32 }
    }
    fn goto(&mut self, mark: Mark) {
        let node = (mark.offset as usize).min(self.flat.nodes.len() - 1);
        let ty = (mark.state >> 32) as u32;
        let item = ty.checked_sub(1).map(|ty| (ty, (mark.state as u32) as usize));
        self.cursor = Cursor { node, item };
    }
    fn recover(&mut self, mark: Mark) {
        self.open.truncate(mark.depth as usize);
        self.goto(mark);
    }
    fn find_bodies(&mut self, found: &mut dyn FnMut(u64, Mark)) -> Result {
        let mut open: Vec<usize> = Vec::new();
        for (at, node) in self.flat.nodes.iter().enumerate() {
            while open.last().is_some_and(|end| *end <= at) {
                open.pop();
            }
            if let Some(id) = self.body(at) {
                found(id, Mark { offset: at as u64, state: 0, depth: open.len() as u32 });
            }
            open.push(node.end);
        }
        Ok(())
    }

    fn take_conversion(&mut self, _: Primitive) -> Option<(Primitive, Primitive)> {
        self.conversion.take()
    }

    /// The encoder writes the version as the first member. If it is not there, it is looked for
    /// where a type has one.
    fn version(&mut self, class: &'static Class) -> Result<u32> {
        let (members, flat) = self.members()?;
        if let Some(found) = members.next_is(flat, reserved::VERSION) {
            self.move_to(Some(found))?;
            return self.u32();
        }
        if class.version > 0 && self.member(reserved::VERSION)? { self.u32() } else { Ok(0) }
    }
}

/// Bases in objects that were made by hand: they are side by side, however deep they nest in the
/// program.
impl Decoder<'_> {
    /// Finds the undeclared base with that name among the members of the objects around the open
    /// base.
    fn inherited(&mut self, name: u32) -> Option<usize> {
        let Decoder { open, flat, undeclared, .. } = self;
        let (inner, rest) = open.split_last_mut()?;
        let mut inner = inner;
        for outer in rest.iter_mut().rev() {
            let (Frame::Object(base), Frame::Object(members)) = (&*inner, &mut *outer) else {
                return None;
            };
            if !undeclared.contains(&base.object) {
                return None;
            }
            let found = members.find_if(flat, name, |node| undeclared.contains(&node));
            if found.is_some() {
                return found;
            }
            inner = outer;
        }
        None
    }

    /// Returns whether the open object was made by hand and holds a base of `class`, while `class`
    /// itself has no variables in it.
    fn holds_base_of(&mut self, class: &'static Class) -> bool {
        !self.undeclared.is_empty()
            && class.members.into_iter().flatten().any(|member| {
                member
                    .base
                    .is_some_and(|class| self.holds_base(member.name) || self.holds_base_of(class))
            })
    }

    fn holds_base(&mut self, name: &str) -> bool {
        let Some(name) = self.number_of(name) else { return false };
        for (depth, frame) in self.open.iter().enumerate().rev() {
            let Frame::Object(members) = frame else { return false };
            let is_base =
                |at: usize| self.flat.nodes[at].name == name && self.undeclared.contains(&at);
            if self.flat.members(members.object).any(is_base) {
                return true;
            }
            if depth == 0 || !self.undeclared.contains(&members.object) {
                return false;
            }
        }
        false
    }

    /// Adds an empty object for a base that has no variables.
    fn empty_base(&mut self, name: &'static str) -> usize {
        let at = self.flat.nodes[self.cursor.node].at;
        let number = self.number_of(name).unwrap_or_default();
        let content = Content::Object(Form::Object, 0);
        let end = self.flat.nodes.len() + 1;
        let packed = usize::MAX;
        self.flat.nodes.push(Node { class: number, name: number, content, end, at, packed });
        self.undeclared.insert(end - 1);
        end - 1
    }
}

impl Decoder<'_> {
    /// Returns whether the node is an object whose first member has one of these names.
    fn begins_with(&self, at: usize, names: &[&str]) -> bool {
        matches!(self.flat.nodes[at].content, Content::Object(Form::Object, _))
            && self
                .flat
                .members(at)
                .next()
                .is_some_and(|first| names.contains(&self.flat.text(self.flat.nodes[first].name)))
    }

    /// Returns the id of the pointer at that node, if it is a pointer with its body.
    fn body(&self, at: usize) -> Option<u64> {
        if !self.begins_with(at, &reserved::POINTER) {
            return None;
        }
        let (mut id, mut value) = (None, false);
        for member in self.flat.members(at) {
            match self.flat.text(self.flat.nodes[member].name) {
                reserved::ID => id = self.number_at(member),
                reserved::VALUE => value = true,
                _ => {}
            }
        }
        id.filter(|_| value)
    }
}
