//! [`Decoder`]: the trait that a format implements to load values.

mod pointer;
mod walk;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

pub use self::pointer::{Pointees, close_in_order, read_head};
use crate::model::columns::{NewItem, Taken};
use crate::model::error::{Error, ErrorKind, Found, Name, Position, Result};
pub use crate::model::head::LoadedHead;
pub use crate::model::mark::Mark;
use crate::model::members::{Lookup, Seen};
use crate::model::number::Number;
use crate::model::reserved;
use crate::model::shape::{Class, Enum, Member, OBJECT, POINTER, Primitive, SOME, Shape, VARIANT};
use crate::state::options::Options;
use crate::visit::block;
use crate::visit::serialize::Serialize;

use crate::model::head::PointerKind;
use crate::visit::polymorphic::Polymorphic;
use crate::visit::session::Session;
use crate::visit::visited::Visit;

/// The kind of the value at the cursor of a [`Decoder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
#[non_exhaustive]
pub enum Kind {
    Null,
    Bool,
    Number,
    Str,
    Bytes,
    Seq,
    Object,
    /// A pointer, in formats that do not write pointers as objects.
    Pointer,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Null => "null",
            Kind::Bool => "a bool",
            Kind::Number => "a number",
            Kind::Str => "text",
            Kind::Bytes => "bytes",
            Kind::Seq => "a sequence",
            Kind::Object => "an object",
            Kind::Pointer => "a pointer",
        })
    }
}

/// The form in which the map at the cursor is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapForm {
    /// A sequence of pairs, with the number of entries as [`Decoder::begin_seq`] returns it.
    Pairs(usize),
    /// An object whose member names are the keys.
    Object,
}

/// The variant found by [`Decoder::begin_variant`].
#[derive(Debug)]
pub struct VariantHead {
    /// Its index in the enum, or the name if the enum does not know it.
    pub index: Result<usize, String>,
    /// Whether a payload follows at the cursor.
    pub payload: bool,
}

/// The number of nested options that are examined to find out whether a value is null. The bound
/// keeps a long chain of options from overflowing the stack, and from being examined again at each
/// level.
#[doc(hidden)]
pub const NESTED_OPTIONS: u32 = 32;

/// The form in which an option is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionForm {
    /// Null: there is no value.
    None,
    /// The value itself.
    Plain,
    /// The value in a wrapper, because the value is itself null.
    Wrapped,
}

/// The reading half of a format: a cursor that the types' functions read values from. The trait is
/// object-safe.
///
/// A text-like format implements the required methods. The provided methods read all other data in
/// the form in which an [`Encoder`](crate::Encoder) writes it by default.
///
/// Members are requested by name, in the order in which the type names them; the decoder finds them
/// at any place in the object. Every value that is announced ([`member`](Decoder::member) and
/// [`next_item`](Decoder::next_item) returning `true`) is read or [skipped](Decoder::skip) exactly
/// once.
pub trait Decoder {
    /// Returns whether the archive over this decoder is in [place](crate::path::Guide::Live).
    #[doc(hidden)]
    #[inline(always)]
    fn is_live(&self) -> bool {
        false
    }

    /// Returns the position of the value that was read last or is about to be read. Called for
    /// errors only.
    fn position(&self) -> Position;
    /// Returns the position of a mark. Called for errors only.
    fn position_of(&self, mark: Mark) -> Position;

    /// Adds a position to errors that have none, in files with named roots. For decoders that must
    /// search the input for positions.
    fn locate(&self, errors: &mut [Error]) {
        let _ = errors;
    }

    /// Returns the kind of the value at the cursor.
    ///
    /// # Errors
    /// Returns an error if the input is malformed, as does every method here.
    fn peek(&mut self) -> Result<Kind>;

    /// Reads null.
    fn null(&mut self) -> Result;
    /// Reads a truth value.
    fn bool(&mut self) -> Result<bool>;
    /// Reads a number.
    fn number(&mut self) -> Result<Number>;
    /// Reads text. The text is valid until the next call.
    fn str(&mut self) -> Result<&str>;

    /// Opens the sequence at the cursor. Returns the number of items if the input states it, but no
    /// more than the rest of the input can hold, so it is safe to reserve room for them.
    fn begin_seq(&mut self, shape: &'static Shape) -> Result<usize>;
    /// Moves to the next item. Returns `false` if there is none.
    fn next_item(&mut self) -> Result<bool>;
    /// Closes the sequence, after all items of the type were read. Another item is an
    /// [`ErrorKind::WrongLength`].
    fn end_seq(&mut self) -> Result;

    /// Returns the number of the layout of the object just begun, if it has one. Objects of a type
    /// with a hand-written function can have different members, and then have different layouts.
    #[doc(hidden)]
    fn take_layout(&mut self) -> Option<u32> {
        None
    }

    /// Opens the object at the cursor.
    fn begin_object(&mut self, class: &'static Class) -> Result;
    /// Moves to the value of the member `name`, which may be anywhere in the object. Returns
    /// `false` if the object has none.
    fn member(&mut self, name: &str) -> Result<bool>;
    /// Moves to the value of the next member in the file that was not read yet, and returns its
    /// name.
    fn next_key(&mut self) -> Result<Option<Cow<'_, str>>>;
    /// Closes the object and skips the members that were not read, calling `unknown` with the name
    /// of each. If members were requested by name, a name that occurs twice is an error
    /// ([`ErrorKind::DuplicateMember`]). If all members were read with
    /// [`next_key`](Decoder::next_key), the caller decides whether duplicates are allowed.
    fn end_object(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result;

    /// Returns the position of the value at the cursor.
    fn mark(&mut self) -> Mark;
    /// Moves the cursor to a mark, to read the one value there. Open objects and sequences remain
    /// open.
    fn goto(&mut self, mark: Mark);
    /// Moves the cursor back to a mark, and closes everything that was opened since.
    fn recover(&mut self, mark: Mark);

    // ---- provided ----

    /// Moves the cursor to the mark of a root, to read the root again. The decoder's counts against
    /// limits start again.
    fn restart(&mut self, mark: Mark) {
        self.goto(mark);
    }

    /// Skips the value at the cursor, checking its syntax. By default it reads the parts of the
    /// value one by one.
    fn skip(&mut self) -> Result {
        walk::walk(self, &mut |_, _| {})
    }
    /// Returns the position of the root: by default the start of the input.
    fn start(&self) -> Mark {
        Mark { offset: 0, state: 0, depth: 0 }
    }
    /// Calls `found` with the id and the position of every pointer in the input that has a pointee.
    /// By default it scans the root for objects with `$id` and `$value`, and moves the cursor back.
    fn find_pointees(&mut self, found: &mut dyn FnMut(u64, Mark)) -> Result {
        let here = self.mark();
        self.goto(self.start());
        let passed = walk::walk(self, found);
        self.recover(here);
        passed
    }

    /// Like [`skip`](Decoder::skip). Returns the range of the value in the input, or `None` if the
    /// format does not store the value in one piece, or does not know the range.
    fn skip_span(&mut self) -> Result<Option<Range<u64>>> {
        self.skip().map(|()| None)
    }

    /// Returns the type of the value at the cursor as the input states it, such as `Vec<Unit>`, and
    /// `None` if the format does not state types.
    fn stored_type(&mut self) -> Option<Cow<'_, str>> {
        None
    }

    /// Returns the number of bytes of input, or of the bytes read so far, if the decoder knows it.
    /// The memory that a load may take for trees, for its report and for elements that were not
    /// read yet depends on it ([`Limits`](crate::Limits)).
    #[inline]
    fn input_len(&self) -> Option<usize> {
        None
    }

    /// Returns whether the decoder drops input that it has read, unless there is a
    /// [`mark`](Decoder::mark) before it.
    #[inline]
    fn drops_input(&self) -> bool {
        false
    }

    /// Returns whether the value at the cursor is known to be complete and to have exactly the
    /// program's type, so that no member of it can be absent.
    #[inline]
    fn has_exact_type(&self) -> bool {
        false
    }

    /// Reads the value at the cursor as a [block](mod@crate::block) of `size` bytes, if it is
    /// stored as one.
    #[inline]
    fn block(&mut self, size: usize, asked: block::Asked) -> Result<Option<block::Found<'_>>> {
        let _ = (size, asked);
        Ok(None)
    }

    /// Takes the items of the sequence just begun from columns: calls `take` with the columns and the number
    /// of rows of each block. Returns `false` if they must be read one by one.
    #[doc(hidden)]
    fn take_columns(
        &mut self,
        item: NewItem,
        take: &mut dyn FnMut(&mut [Taken<'_>], usize) -> bool,
    ) -> Result<bool> {
        let _ = (item, take);
        Ok(false)
    }
    /// Reads all items of the sequence just begun as one [block](mod@crate::block), if each item is
    /// a block of `size` bytes.
    #[inline]
    fn blocks(&mut self, size: usize) -> Result<Option<block::Found<'_>>> {
        let _ = size;
        Ok(None)
    }

    /// Returns to the position before the last [`block`](Decoder::block) or
    /// [`blocks`](Decoder::blocks), to read the same values one by one.
    fn undo_block(&mut self) {}

    /// Reads a signed integer of one byte.
    fn i8(&mut self) -> Result<i8> {
        convert(self, "i8", Number::to_integer)
    }
    /// Reads a signed integer of two bytes.
    fn i16(&mut self) -> Result<i16> {
        convert(self, "i16", Number::to_integer)
    }
    /// Reads a signed integer of four bytes.
    fn i32(&mut self) -> Result<i32> {
        convert(self, "i32", Number::to_integer)
    }
    /// Reads a signed integer of eight bytes.
    fn i64(&mut self) -> Result<i64> {
        convert(self, "i64", Number::to_integer)
    }
    /// Reads a signed integer of sixteen bytes, which may be stored as text.
    fn i128(&mut self) -> Result<i128> {
        match self.peek()? {
            Kind::Str => parse(self, "i128"),
            _ => convert(self, "i128", Number::to_integer),
        }
    }
    /// Reads an unsigned integer of one byte.
    fn u8(&mut self) -> Result<u8> {
        convert(self, "u8", Number::to_integer)
    }
    /// Reads an unsigned integer of two bytes.
    fn u16(&mut self) -> Result<u16> {
        convert(self, "u16", Number::to_integer)
    }
    /// Reads an unsigned integer of four bytes.
    fn u32(&mut self) -> Result<u32> {
        convert(self, "u32", Number::to_integer)
    }
    /// Reads an unsigned integer of eight bytes.
    fn u64(&mut self) -> Result<u64> {
        convert(self, "u64", Number::to_integer)
    }
    /// Reads an unsigned integer of sixteen bytes, which may be stored as text.
    fn u128(&mut self) -> Result<u128> {
        match self.peek()? {
            Kind::Str => parse(self, "u128"),
            _ => convert(self, "u128", Number::to_integer),
        }
    }
    /// Reads a float of four bytes, which may be stored as one of the texts `NaN`, `inf` and
    /// `-inf`.
    fn f32(&mut self) -> Result<f32> {
        short_float(self)
    }
    /// Reads a float of eight bytes, which may be stored as one of the texts `NaN`, `inf` and
    /// `-inf`.
    fn f64(&mut self) -> Result<f64> {
        float(self)
    }
    /// Reads a character: by default text of one character.
    fn char(&mut self) -> Result<char> {
        let text = match self.peek()? {
            Kind::Str => self.str()?,
            kind => return Err(wrong_kind(self, "a character", kind)?.at(self.position())),
        };
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(only), None) => Ok(only),
            _ => {
                let error = Error::wrong_type("a character", Found::Text(text));
                Err(error.at(self.position()))
            }
        }
    }
    /// Reads text into a string, reusing its memory.
    fn string(&mut self, out: &mut String) -> Result {
        let text = self.str()?;
        out.clear();
        out.push_str(text);
        Ok(())
    }
    /// Reads bytes into a vector, reusing its memory. By default the bytes are stored as a sequence
    /// of numbers.
    fn bytes(&mut self, out: &mut Vec<u8>) -> Result {
        out.clear();
        out.reserve(self.begin_seq(<Vec<u8> as Serialize>::SHAPE)?);
        while self.next_item()? {
            out.push(self.u8()?);
        }
        self.end_seq()
    }

    /// Like [`member`](Decoder::member), but only needs to find the member if it comes next.
    fn next_is(&mut self, name: &str) -> Result<bool> {
        self.member(name)
    }
    /// Like [`member`](Decoder::member), for a value of the given shape. A format that stores types
    /// may find that the value has exactly this shape.
    fn shaped_member(&mut self, name: &str, shape: &'static Shape) -> Result<bool> {
        let _ = shape;
        self.member(name)
    }
    /// Like [`member`](Decoder::member), for a member that is known at compile time. It is found by
    /// its name or by one of its aliases.
    fn known_member(&mut self, info: &'static Member) -> Result<bool> {
        if self.next_known_member(info)? {
            return Ok(true);
        }
        for name in [info.name].iter().chain(info.aliases) {
            if self.member(name)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Moves to the value of a member if its key comes next, exactly as the format writes it. If not,
    /// returns `false` without moving, and [`known_member`](Decoder::known_member) searches for it.
    fn next_known_member(&mut self, info: &'static Member) -> Result<bool> {
        let _ = info;
        Ok(false)
    }

    /// Opens the object at the cursor for [`next_member`](Decoder::next_member). Returns the
    /// object's [`version`](Decoder::version); an error in the version is one [in the
    /// class](Error::in_class).
    fn begin_members(&mut self, class: &'static Class, seen: &mut Seen) -> Result<u32> {
        let _ = seen;
        self.begin_object(class)?;
        self.version(class).map_err(|error| error.in_class(class))
    }
    /// Moves to the value of the next member in the file that the class has, and returns its index.
    /// Skips members that the class does not have.
    fn next_member(&mut self, lookup: &'static Lookup, seen: &mut Seen) -> Result<Option<usize>> {
        while let Some(info) = lookup.members().get(seen.next) {
            let index = seen.next;
            seen.next += 1;
            if self.known_member(info)? {
                seen.add(index);
                return Ok(Some(index));
            }
        }
        Ok(None)
    }
    /// Closes an object that was opened by [`begin_members`](Decoder::begin_members).
    fn end_members(&mut self, seen: &mut Seen) -> Result {
        let _ = seen;
        self.end_object(&mut |_| Ok(()))
    }

    /// Returns the conversion (from, to) of the last scalar, if there was one. `to` is the type
    /// that the scalar was loaded as, or [`Primitive::Unit`] if the caller does not need the
    /// conversion. Called when a report is made.
    fn take_conversion(&mut self, to: Primitive) -> Option<(Primitive, Primitive)> {
        let _ = to;
        None
    }

    /// Opens the map at the cursor, in either form. The caller closes it as a sequence or as an
    /// object.
    fn begin_map(&mut self, shape: &'static Shape) -> Result<MapForm> {
        match self.peek()? {
            Kind::Object => {
                self.begin_object(&OBJECT)?;
                Ok(MapForm::Object)
            }
            kind @ (Kind::Null | Kind::Bool | Kind::Number | Kind::Str) => {
                Err(wrong_kind(self, "a map", kind)?.at(self.position()))
            }
            _ => self.begin_seq(shape).map(MapForm::Pairs),
        }
    }

    /// Reads the object of a trait object with a function that was compiled for its type and this
    /// format. Returns `false` if there is none, or if the object in the file does not have the
    /// layout of its type.
    #[doc(hidden)]
    fn object(
        &mut self,
        object: &mut dyn Polymorphic,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<bool> {
        let _ = (object, session, options);
        Ok(false)
    }

    /// Loads one of several roots, whose type is erased, on the format's own archive. Returns `false`
    /// if the format has no such archive, or if the type of the root in the file is not equal.
    #[doc(hidden)]
    fn typed(
        &mut self,
        shape: &'static Shape,
        visit: Visit<'_>,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<bool> {
        let _ = (shape, visit, session, options);
        Ok(false)
    }

    /// Returns the position of the pointer with which an object is stored, if it is known without
    /// searching the whole input. In the binary format it is known for the objects after the root,
    /// which a walk over the root does not reach.
    fn find_pointee(&mut self, id: u64) -> Option<Mark> {
        let _ = id;
        None
    }

    /// Returns the number of shared objects in the input, if the input states it. The number has
    /// been checked: the input can hold that many.
    fn objects(&self) -> usize {
        0
    }

    /// Announces the type of the root before it is read.
    fn begin_root(&mut self, shape: &'static Shape) -> Result {
        let _ = shape;
        Ok(())
    }
    /// Called after the root was read.
    fn end_root(&mut self) -> Result {
        Ok(())
    }
    /// Checks that the input was saved by a type with the same layout as the
    /// [announced](Decoder::begin_root) one. Called after the root, if the result is to be
    /// reported.
    ///
    /// # Errors
    /// Returns an error if the layout differs. It fails the load if the options are strict, and
    /// becomes a note otherwise.
    fn check_layout(&self) -> Result {
        Ok(())
    }

    /// Reads whether an option has a value. If so, the caller reads the value and calls
    /// [`end_option`](Decoder::end_option). `nullable` is whether values of the option's type may
    /// be null.
    #[inline]
    fn begin_option(&mut self, shape: &'static Shape, nullable: bool) -> Result<OptionForm> {
        let _ = shape;
        if self.peek()? == Kind::Null {
            self.null()?;
            return Ok(OptionForm::None);
        }
        if nullable { open_some(self) } else { Ok(OptionForm::Plain) }
    }
    /// Ends the value of an option.
    #[inline]
    fn end_option(&mut self, form: OptionForm) -> Result {
        if form == OptionForm::Wrapped { self.end_object(&mut |_| Ok(())) } else { Ok(()) }
    }
    /// Returns whether the value at the cursor is an object whose first member is
    /// [`reserved::SOME`].
    fn at_some(&mut self) -> Result<bool> {
        begins_with(self, &[reserved::SOME])
    }

    /// Reads the name or index of the variant at the cursor. If it has a payload, the caller reads
    /// the payload and calls [`end_variant`](Decoder::end_variant).
    fn begin_variant(&mut self, info: &'static Enum) -> Result<VariantHead> {
        match self.peek()? {
            Kind::Str => {
                let name = self.str()?;
                let index = info.find(name).ok_or_else(|| name.to_owned());
                Ok(VariantHead { index, payload: false })
            }
            Kind::Object => {
                self.begin_object(&VARIANT)?;
                let Some(name) = self.next_key()? else {
                    let error = Error::wrong_type("a variant", "an empty object");
                    return Err(error.at(self.position()));
                };
                let index = info.find(&name).ok_or_else(|| name.into_owned());
                Ok(VariantHead { index, payload: true })
            }
            other => {
                let expected = format_args!("a variant of `{}`", info.name());
                let error = wrong_kind(self, expected, other)?;
                Err(error.at(self.position()))
            }
        }
    }
    /// Ends a variant that has a payload.
    fn end_variant(&mut self) -> Result {
        self.end_object(&mut |name| {
            Err(Error::new(
                ErrorKind::UnknownMember,
                format_args!(
                    "a variant is an object with one member, found a second one: {}",
                    Name(name)
                ),
            ))
        })
    }

    /// Returns whether the value at the cursor begins like a pointer or like the wrapper of an
    /// option. In formats that write these as objects, this means that the name of the first member
    /// is one of [`reserved::OWN`]. The method is called before every object and sequence where
    /// something else is expected. With `refused`, it is about the value that was just refused with
    /// [`ErrorKind::WrongType`], and moves the cursor back to that value.
    fn at_pointer(&mut self, refused: bool) -> Result<bool> {
        let _ = refused; // a refused value was not read
        Ok(self.peek()? == Kind::Pointer || begins_with(self, &reserved::OWN)?)
    }
    /// Announces the program's shape of the value at the cursor. Called before a pointer is
    /// [marked](Decoder::mark) and [opened](Decoder::begin_pointer), and before a function that
    /// announced one shape [checks](Decoder::peek) the value in the file. A format can ignore it if
    /// its file is already known to have the program's types.
    fn expect(&mut self, shape: &'static Shape) {
        let _ = shape; // most formats have the type in the data
    }
    /// Opens the pointer at the cursor. If its kind has a pointee ([`PointerKind::has_pointee`]),
    /// the pointee is at the cursor next. Anything that is not a pointer is [`PointerKind::Plain`]
    /// and remains at the cursor as the pointee.
    fn begin_pointer(&mut self) -> Result<LoadedHead<'_>> {
        let mut head = LoadedHead { kind: PointerKind::Plain, id: 0, type_name: None };
        if self.peek()? == Kind::Null {
            self.null()?;
            head.kind = PointerKind::Null;
            return Ok(head);
        }
        if !self.at_pointer(false)? || self.at_some()? {
            return Ok(head);
        }
        self.begin_object(&POINTER)?;
        let head = read_head(self, false, |this| Ok(Cow::Owned(this.str()?.to_owned())))?;
        if head.id == 0 && head.kind != PointerKind::Owned {
            return Err(head.lacks_pointee_and_id().at(self.position()));
        }
        Ok(head)
    }
    /// Called after the pointee. Returns whether a list of deferred pointees follows. If so, the
    /// list is open as a sequence of pointers.
    fn begin_deferred(&mut self) -> Result<bool> {
        if !self.member(reserved::DEFERRED)? {
            return Ok(false);
        }
        self.begin_seq(&Shape::Any)?;
        Ok(true)
    }
    /// Ends a pointer of any kind except null and plain. Calls `unknown` with the name of each
    /// member that does not belong to the format itself.
    fn end_pointer(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        self.end_object(unknown)
    }

    /// Like [`Encoder::opens_one_each`](crate::Encoder::opens_one_each).
    #[doc(hidden)]
    fn opens_one_each(&self) -> bool {
        false
    }

    /// Returns the version of the object just opened, whose class is `class`; 0 if it has none. It
    /// is saved as the first member, but is accepted as any member if the class has a version.
    fn version(&mut self, class: &'static Class) -> Result<u32> {
        let found = self.next_is(reserved::VERSION)?
            || (class.version > 0 && self.member(reserved::VERSION)?);
        if found { self.u32() } else { Ok(0) }
    }
}

/// Returns whether the value at the cursor is an object whose first member has one of these names.
fn begins_with<D: Decoder + ?Sized>(decoder: &mut D, names: &[&str]) -> Result<bool> {
    if decoder.peek()? != Kind::Object {
        return Ok(false);
    }
    let start = decoder.mark();
    decoder.begin_object(&POINTER)?;
    let found = decoder.next_key()?.is_some_and(|name| names.contains(&&*name));
    decoder.recover(start);
    Ok(found)
}

/// Opens the wrapper of an option, if there is one at the cursor, and leaves the cursor at the
/// value inside.
///
/// # Errors
/// Returns an error if the input is malformed.
#[doc(hidden)]
#[inline]
pub fn open_some<D: Decoder + ?Sized>(decoder: &mut D) -> Result<OptionForm> {
    if decoder.at_some()? && is_some(decoder)? {
        decoder.begin_object(&SOME)?;
        decoder.next_key()?;
        return Ok(OptionForm::Wrapped);
    }
    Ok(OptionForm::Plain)
}

/// Returns whether the object at the cursor has exactly one member. If it has more, it is not the
/// wrapper of an option but an object of another program.
#[cold]
pub(crate) fn is_some<D: Decoder + ?Sized>(decoder: &mut D) -> Result<bool> {
    let start = decoder.mark();
    decoder.begin_object(&SOME)?;
    let mut count = 0;
    while count < 2 && decoder.next_key()?.is_some() {
        decoder.skip()?;
        count += 1;
    }
    decoder.recover(start);
    Ok(count == 1)
}

/// Reads a value of that kind, and returns the error that something else was expected.
#[cold]
fn wrong_kind<D: Decoder + ?Sized>(
    decoder: &mut D,
    expected: impl fmt::Display,
    kind: Kind,
) -> Result<Error> {
    let wrong = |found: Found<'_>| Error::wrong_type(&expected, found);
    Ok(match kind {
        Kind::Null => wrong(Found::Null),
        Kind::Bool => wrong(Found::Bool(decoder.bool()?)),
        Kind::Number => wrong(Found::Number(decoder.number()?)),
        Kind::Str => wrong(Found::Text(decoder.str()?)),
        Kind::Seq => wrong(Found::Seq),
        Kind::Object => wrong(Found::Object),
        Kind::Pointer => wrong(Found::Pointer),
        Kind::Bytes => {
            let mut bytes = Vec::new();
            decoder.bytes(&mut bytes)?;
            wrong(Found::Bytes(bytes.len()))
        }
    })
}

fn convert<D: Decoder + ?Sized, T>(
    decoder: &mut D,
    what: &str,
    to: impl FnOnce(Number) -> Result<T>,
) -> Result<T> {
    let number = decoder.number().map_err(|error| error.expecting(what))?;
    to(number).map_err(|error| error.at(decoder.position()))
}

/// The default of [`Decoder::f32`].
pub(crate) fn short_float<D: Decoder + ?Sized>(decoder: &mut D) -> Result<f32> {
    match decoder.peek()? {
        Kind::Str => non_finite(decoder, "f32").map(|v| v as f32),
        _ => convert(decoder, "f32", Number::to_f32),
    }
}

/// The default of [`Decoder::f64`].
pub(crate) fn float<D: Decoder + ?Sized>(decoder: &mut D) -> Result<f64> {
    match decoder.peek()? {
        Kind::Str => non_finite(decoder, "f64"),
        _ => convert(decoder, "f64", Number::to_f64),
    }
}

fn parse<D: Decoder + ?Sized, T: std::str::FromStr>(decoder: &mut D, what: &str) -> Result<T> {
    let text = decoder.str()?;
    match text.parse() {
        Ok(value) => Ok(value),
        Err(_) => {
            let error = Error::wrong_type(what, Found::Text(text));
            Err(error.at(decoder.position()))
        }
    }
}

/// Reads a float that is stored as text, because numbers cannot express it.
fn non_finite<D: Decoder + ?Sized>(decoder: &mut D, what: &str) -> Result<f64> {
    let text = decoder.str()?;
    match text {
        "NaN" => Ok(f64::NAN),
        "inf" => Ok(f64::INFINITY),
        "-inf" => Ok(f64::NEG_INFINITY),
        _ => {
            let error = Error::wrong_type(what, Found::Text(text));
            Err(error.at(decoder.position()))
        }
    }
}
