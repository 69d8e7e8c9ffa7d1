//! [`Decoder`]: reads JSON.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::ops::Range;

use archive_core::backend::Feed;
use archive_core::decoder::close_in_order;
use archive_core::lookup::{Lookup, Members as _, Seen};
use archive_core::reserved;
use archive_core::{
    Class, Error, ErrorKind, Kind, LoadedHead, Mark, Member, Number, Position, Primitive, Result,
    Shape, put,
};

use crate::cursor::Cursor;
use crate::keys::Keys;
use crate::object::{Here, Object, Rest};
use crate::pointer;
use crate::source::{Slice, Source};
use crate::window::Window;

/// Reads JSON by pulling values from the text. Never builds a tree.
///
/// The grammar is that of RFC 8259, strictly: no byte order mark, comments or trailing commas unless it is
/// [`relaxed`](Decoder::relaxed), and skipped values are checked like those that are read. The decoder
/// does not recurse, and no input makes it panic.
///
/// ```
/// use archive::format::Decoder as _;
/// use archive::shape::{Class, NameOf};
///
/// static ROOM: Class = Class::data("Room");
///
/// let mut json = archive::json::Decoder::new(br#"{"width": 640, "title": "Hall"}"#, 128);
/// json.begin_object(&ROOM)?;
/// assert!(json.member("title")?);
/// assert_eq!(json.str()?, "Hall");
/// assert!(json.member("width")?);
/// assert_eq!(json.u16()?, 640);
/// assert!(!json.member("height")?);
/// json.end_object(&mut |_| Ok(()))?;
/// json.end()?;
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Debug)]
pub struct Decoder<'a, S = Slice<'a>> {
    /// At the first byte of a value whenever a value is about to be read.
    pub(crate) cursor: Cursor<S>,
    /// The last conversion of a number, until it is reported.
    pub(crate) conversion: Option<(Primitive, Primitive)>,
    /// The number of open objects and sequences.
    pub(crate) depth: usize,
    /// Whether nothing was read yet from the object or sequence that was opened last. One flag is
    /// enough for all levels: when one is closed, at least that item was read from the level around
    /// it.
    pub(crate) fresh: bool,
    /// The open objects whose members are requested by name.
    objects: Vec<Object>,
    pub(crate) keys: Keys,
    /// The decoded text of strings that had escapes.
    scratch: String,
    pub(crate) max_depth: usize,
    input: PhantomData<&'a str>,
}

impl<'a> Decoder<'a> {
    /// Creates a decoder of the given input. No more than `max_depth` objects and sequences may be
    /// open at a time.
    pub fn new(input: &'a [u8], max_depth: usize) -> Self {
        Self::over(Slice::new(input), max_depth)
    }

    /// Like [`new`](Decoder::new), for input that is known to be UTF-8.
    pub fn from_text(text: &'a str, max_depth: usize) -> Self {
        Self::over(Slice::of_text(text), max_depth)
    }
}

impl<'r> Decoder<'r, Window<'r>> {
    /// Creates a decoder of bytes that arrive piece by piece. The decoder requests bytes when it
    /// needs them and drops them afterwards. It keeps:
    ///
    /// - the text between two commas,
    /// - an object whose members are requested in a different order than that of the file,
    /// - all text from the first pointer on, since there may be references to it,
    /// - all text after an offset to which a caller may return
    ///   ([`mark`](archive_core::Decoder::mark)).
    pub fn from_feed(feed: Feed<'r>, max_depth: usize) -> Self {
        Self::over(Window::new(feed), max_depth)
    }
}

impl<S: Source> Decoder<'_, S> {
    /// Sets whether the decoder accepts comments, trailing commas and a byte order mark before the
    /// text.
    #[must_use]
    pub fn relaxed(mut self, relaxed: bool) -> Self {
        self.cursor.relaxed = relaxed;
        if relaxed {
            self.cursor.source.allow_comments();
            self.cursor.source.drop_mark();
        }
        self.cursor.space();
        self.cursor.begin();
        self
    }

    fn over(source: S, max_depth: usize) -> Self {
        let mut cursor = Cursor::new(source);
        cursor.space();
        cursor.begin();
        Decoder {
            cursor,
            conversion: None,
            depth: 0,
            fresh: false,
            objects: Vec::new(),
            keys: Keys::new(max_depth),
            scratch: String::new(),
            max_depth,
            input: PhantomData,
        }
    }

    /// Ends the decoding: checks that the input has only the one value.
    ///
    /// # Errors
    /// [`ErrorKind::TrailingData`] if anything but white space comes after the value;
    /// [`ErrorKind::UnexpectedEnd`] if an unterminated comment does.
    pub fn end(&mut self) -> Result {
        self.cursor.space();
        if self.cursor.is_at_end() {
            return Ok(());
        }
        let found = self.cursor.unexpected("the end of the input");
        // An unterminated comment is a syntax error, not trailing data.
        if self.cursor.byte() == b'/' && found.kind() == ErrorKind::UnexpectedEnd {
            return Err(found);
        }
        Err(self.cursor.error(ErrorKind::TrailingData, found.message()))
    }

    /// Checks that an object or a sequence comes next and may be opened.
    #[inline]
    pub(crate) fn begin(&mut self, bracket: u8, expected: &str) -> Result {
        self.cursor.begin();
        if self.cursor.byte() != bracket {
            return Err(self.wrong_type(expected));
        }
        if self.depth >= self.max_depth {
            return Err(self.too_deep());
        }
        self.depth += 1;
        self.cursor.at += 1;
        self.fresh = true;
        Ok(())
    }

    /// Opens the object at the cursor.
    #[inline]
    pub(crate) fn open_object(&mut self) -> Result {
        self.begin(b'{', "an object")?;
        let limit = self.max_depth - self.depth;
        self.objects.push(Object::open(Rest::ALL, self.keys.list.len(), limit));
        Ok(())
    }

    #[cold]
    fn too_deep(&self) -> Error {
        Error::too_nested(self.max_depth).at(self.cursor.position())
    }

    /// Returns the innermost open object, with the cursor and the keys that it uses.
    #[inline]
    fn object(&mut self) -> Result<(&mut Object, Here<'_, S>)> {
        match self.objects.last_mut() {
            Some(object) => Ok((object, Here::new(&mut self.cursor, &mut self.keys))),
            None => Err(misuse()),
        }
    }
}

impl<S: Source> Decoder<'_, S> {
    /// Like [`next_item`](archive_core::Decoder::next_item), but handles white space and both ends
    /// of the list.
    #[inline(never)]
    fn next_item_slow(&mut self) -> Result<bool> {
        let first = std::mem::replace(&mut self.fresh, false);
        self.cursor.space();
        match self.cursor.byte() {
            b']' => Ok(false),
            _ if first => Ok(true),
            b',' => {
                self.cursor.at += 1;
                self.cursor.space();
                Ok(!self.cursor.is_trailing(b']'))
            }
            _ => Err(self.cursor.unexpected("`,` or `]`")),
        }
    }

    /// Reads a truth value near the end of the input. Fails if there is none.
    #[inline(never)]
    fn any_bool(&mut self) -> Result<bool> {
        match self.cursor.byte() {
            b't' => self.cursor.literal("true").map(|()| true),
            b'f' => self.cursor.literal("false").map(|()| false),
            _ => Err(self.wrong_type("bool")),
        }
    }
}

/// Returns whether a byte is neither white space nor the start of a comment, and does not end a
/// sequence.
#[inline]
fn is_plain(byte: u8) -> bool {
    byte > b' ' && byte != b'/' && byte != b']'
}

/// Returns the error for calls in an invalid order.
#[cold]
fn misuse() -> Error {
    Error::new(ErrorKind::Unsupported, "calls out of order: a member outside an object")
}

macro_rules! scalars {
    ($($name:ident: $ty:ty = $how:ident($($primitive:ident)?);)*) => {$(
        #[inline]
        fn $name(&mut self) -> Result<$ty> {
            self.$how($(Primitive::$primitive)?)
        }
    )*};
}

impl<S: Source> archive_core::Decoder for Decoder<'_, S> {
    scalars! {
        number: Number = any_number();
        i8: i8 = integer(I8);
        i16: i16 = integer(I16);
        i32: i32 = integer(I32);
        i64: i64 = integer(I64);
        i128: i128 = big_integer(I128);
        u8: u8 = integer(U8);
        u16: u16 = integer(U16);
        u32: u32 = integer(U32);
        u64: u64 = integer(U64);
        u128: u128 = big_integer(U128);
        f32: f32 = short_float();
        f64: f64 = float();
    }

    #[inline]
    fn drops_input(&self) -> bool {
        S::DROPS_TEXT
    }

    #[inline]
    fn input_len(&self) -> Option<usize> {
        Some(self.cursor.source.base() + self.cursor.source.text().len())
    }

    fn position(&self) -> Position {
        self.cursor.position_of(self.cursor.start)
    }

    fn position_of(&self, mark: Mark) -> Position {
        self.cursor.position_of(mark.offset as usize)
    }

    #[inline]
    fn peek(&mut self) -> Result<Kind> {
        self.cursor.begin();
        match self.cursor.byte() {
            b'"' => Ok(Kind::Str),
            b'{' => Ok(Kind::Object),
            b'[' => Ok(Kind::Seq),
            b'-' | b'0'..=b'9' => Ok(Kind::Number),
            b't' | b'f' => Ok(Kind::Bool),
            b'n' => Ok(Kind::Null),
            _ => Err(self.cursor.unexpected("a value")),
        }
    }

    fn skip(&mut self) -> Result {
        self.cursor.begin();
        let limit = self.max_depth.saturating_sub(self.depth);
        Here::new(&mut self.cursor, &mut self.keys).skip(limit, false)
    }
    fn skip_span(&mut self) -> Result<Option<Range<u64>>> {
        let start = self.mark().offset;
        self.skip()?;
        // The range ends before the white space after the value.
        Ok(Some(start..self.cursor.offset() as u64))
    }

    #[inline]
    fn null(&mut self) -> Result {
        self.cursor.begin();
        match self.cursor.byte() {
            b'n' => self.cursor.literal("null"),
            _ => Err(self.wrong_type("null")),
        }
    }

    #[inline]
    fn bool(&mut self) -> Result<bool> {
        self.cursor.begin();
        match self.cursor.truth() {
            Some(value) => Ok(value),
            None => self.any_bool(),
        }
    }

    #[inline]
    fn char(&mut self) -> Result<char> {
        let text = self.text("a character")?;
        let text = self.cursor.spelled(text);
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(self.wrong_type("a character")),
        }
    }

    #[inline]
    fn str(&mut self) -> Result<&str> {
        self.begin_text("text")?;
        if let Some(range) = self.cursor.plain_string()? {
            return Ok(&self.cursor.text()[range]);
        }
        self.scratch.clear();
        self.cursor.string_pieces(|piece| self.scratch.push_str(piece))?;
        Ok(&self.scratch)
    }

    #[inline]
    fn string(&mut self, out: &mut String) -> Result {
        self.begin_text("text")?;
        match self.cursor.plain_string()? {
            Some(range) => put::replace(out, &self.cursor.text()[range]),
            None => {
                out.clear();
                self.cursor.string_pieces(|piece| out.push_str(piece))?;
            }
        }
        Ok(())
    }

    #[inline]
    fn begin_seq(&mut self, _: &'static Shape) -> Result<usize> {
        self.begin(b'[', "a sequence")?;
        Ok(0) // the text does not state the length
    }

    #[inline]
    fn next_item(&mut self) -> Result<bool> {
        let byte = self.cursor.byte();
        if self.fresh {
            if is_plain(byte) {
                self.fresh = false;
                return Ok(true);
            }
        } else if byte == b',' {
            if is_plain(self.cursor.byte_at(self.cursor.at + 1)) {
                self.cursor.at += 1;
                return Ok(true);
            }
        } else if byte == b']' {
            return Ok(false);
        }
        self.next_item_slow()
    }

    #[inline]
    fn end_seq(&mut self) -> Result {
        if self.next_item()? {
            let message = "the sequence has more items than were loaded";
            return Err(self.cursor.error(ErrorKind::WrongLength, message));
        }
        self.depth -= 1;
        self.cursor.at += 1;
        Ok(())
    }

    #[inline]
    fn begin_object(&mut self, _: &'static Class) -> Result {
        self.open_object()
    }

    #[inline]
    fn member(&mut self, name: &str) -> Result<bool> {
        let (object, here) = self.object()?;
        object.member(here, name)
    }

    #[inline]
    fn next_known_member(&mut self, info: &'static Member) -> Result<bool> {
        let (object, mut here) = self.object()?;
        Ok(object.next_is_by(|rest| here.take_token(rest, &info.token)))
    }

    #[inline]
    fn next_is(&mut self, name: &str) -> Result<bool> {
        let (object, mut here) = self.object()?;
        object.next_is(&mut here, name)
    }

    #[inline]
    fn next_key(&mut self) -> Result<Option<Cow<'_, str>>> {
        let (object, here) = self.object()?;
        let name = object.next_key(here)?;
        Ok(name.map(|name| self.cursor.spelled(name)))
    }

    #[inline]
    fn end_object(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        let (object, here) = self.object()?;
        object.close(here, unknown)?;
        self.cursor.at += 1;
        self.objects.pop();
        self.depth -= 1;
        self.fresh = false;
        Ok(())
    }

    #[inline]
    fn begin_members(&mut self, class: &'static Class, seen: &mut Seen) -> Result<u32> {
        self.open_members(class, seen)
    }

    #[inline]
    fn next_member(&mut self, lookup: &'static Lookup, seen: &mut Seen) -> Result<Option<usize>> {
        self.find_next(lookup, seen)
    }

    #[inline]
    fn end_members(&mut self, seen: &mut Seen) -> Result {
        self.close_members(seen)
    }

    fn mark(&mut self) -> Mark {
        self.cursor.space();
        self.cursor.source.retain_all();
        let state = self.keys.list.len() as u64;
        Mark { offset: self.cursor.offset() as u64, state, depth: self.depth as u32 }
    }

    fn goto(&mut self, mark: Mark) {
        self.cursor.go(mark.offset as usize);
    }

    fn recover(&mut self, mark: Mark) {
        let levels = self.max_depth.saturating_sub(mark.depth as usize);
        while let Some(object) = self.objects.pop_if(|object| object.limit < levels) {
            object.forget(Here::new(&mut self.cursor, &mut self.keys));
        }
        // An object whose members are read in file order leaves the keys that it recorded.
        self.keys.forget(mark.state as usize);
        self.depth = mark.depth as usize;
        self.fresh = false;
        self.cursor.go(mark.offset as usize);
    }

    fn find_pointees(&mut self, found: &mut dyn FnMut(u64, Mark)) -> Result {
        self.cursor.source.all();
        let base = self.cursor.source.base();
        let depths = (self.depth, self.max_depth);
        pointer::find_pointees(self.cursor.view(), base, depths, found)
    }

    fn take_conversion(&mut self, to: Primitive) -> Option<(Primitive, Primitive)> {
        self.float_conversion(to).or_else(|| self.conversion.take())
    }

    #[inline]
    fn at_pointer(&mut self, refused: bool) -> Result<bool> {
        if refused {
            self.cursor.go(self.cursor.start);
        }
        Ok(self.cursor.byte() == b'{' && self.begins_with(&reserved::OWN))
    }
    #[inline]
    fn at_some(&mut self) -> Result<bool> {
        if self.cursor.byte() != b'{' || self.begins_with(&[reserved::SOME]) {
            return Ok(self.cursor.byte() == b'{');
        }
        self.first_key()?;
        Ok(false)
    }

    #[inline]
    fn begin_pointer(&mut self) -> Result<LoadedHead<'_>> {
        self.pointer_head()
    }

    fn end_pointer(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        close_in_order(self, unknown)
    }

    /// The encoder writes the version as the first member. If it is not there, the decoder searches
    /// for it if the type has a version, unless that would require keeping all text.
    #[inline]
    fn version(&mut self, class: &'static Class) -> Result<u32> {
        let found = self.next_is(reserved::VERSION)?
            || (class.version > 0 && !S::DROPS_TEXT && self.member(reserved::VERSION)?);
        if found { self.u32() } else { Ok(0) }
    }
}
