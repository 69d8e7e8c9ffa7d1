//! [`Decoder`]: JSON to be loaded from.

use std::borrow::Cow;

use archive_core::lookup::{Lookup, Passed};
use archive_core::{
    Class, Error, ErrorKind, Kind, LoadedHead, Mark, Number, Position, Primitive, Result, Shape,
};

use crate::cursor::Cursor;
use crate::keys::Keys;
use crate::object::Object;
use crate::pointer;

/// Reads JSON by pulling values from the text; no tree is ever built.
///
/// The grammar is that of RFC 8259, strictly: no byte order mark, and no comments or trailing commas
/// unless it is [`relaxed`](Decoder::relaxed),
/// and what is skipped is checked as well as what is read. Nothing here recurses, and no input
/// makes it panic.
///
/// ```
/// use archive_core::{Class, Decoder as _};
///
/// static ROOM: Class = Class { name: "Room", type_name: || "Room", version: 0, members: None, size: None };
///
/// let mut json = archive_json::Decoder::new(br#"{"width": 640, "title": "Hall"}"#, 128);
/// json.begin_object(&ROOM)?;
/// assert!(json.member("title")?);
/// assert_eq!(json.str()?, "Hall");
/// assert!(json.member("width")?);
/// assert_eq!(json.u16()?, 640);
/// assert!(!json.member("height")?);
/// json.end_object(&mut |_| Ok(()))?;
/// json.end()?;
/// # Ok::<(), archive_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Decoder<'a> {
    /// Always at the first byte of a value when one is about to be read.
    pub(crate) cursor: Cursor<'a>,
    /// Where the value that was begun last starts.
    pub(crate) start: usize,
    /// The conversion that was not told yet.
    pub(crate) conversion: Option<(Primitive, Primitive)>,
    /// How many objects and sequences are open.
    pub(crate) depth: usize,
    /// Whether nothing was handed out yet of what was opened last. One flag is enough for all
    /// levels: whatever holds the one that was closed last has handed out that one.
    pub(crate) fresh: bool,
    /// The open objects whose members are asked for by name.
    objects: Vec<Object<'a>>,
    pub(crate) keys: Keys,
    /// Text that had escapes.
    scratch: String,
    pub(crate) max_depth: usize,
}

impl<'a> Decoder<'a> {
    /// A decoder of the given input. No more than `max_depth` objects and sequences may be open at
    /// a time.
    pub fn new(input: &'a [u8], max_depth: usize) -> Self {
        Self::over(Cursor::new(input), max_depth)
    }

    /// As [`new`](Decoder::new), for input that is known to be UTF-8.
    pub fn from_text(text: &'a str, max_depth: usize) -> Self {
        Self::over(Cursor::from_text(text), max_depth)
    }

    /// The same decoder, which accepts comments and trailing commas.
    #[must_use]
    pub fn relaxed(mut self, relaxed: bool) -> Self {
        self.cursor.relaxed = relaxed;
        self.cursor.space();
        self.start = self.cursor.at;
        self
    }

    fn over(mut cursor: Cursor<'a>, max_depth: usize) -> Self {
        cursor.space();
        Decoder {
            cursor,
            start: cursor.at,
            conversion: None,
            depth: 0,
            fresh: false,
            objects: Vec::new(),
            keys: Keys::new(max_depth),
            scratch: String::new(),
            max_depth,
        }
    }

    /// Ends the decoding after the one value that the input holds.
    ///
    /// # Errors
    /// [`ErrorKind::TrailingData`] if anything but white space follows.
    pub fn end(&mut self) -> Result {
        self.cursor.space();
        if self.cursor.is_at_end() {
            return Ok(());
        }
        let found = self.cursor.unexpected("the end of the input");
        Err(self.cursor.error(ErrorKind::TrailingData, found.message()))
    }

    /// Checks that an object or a sequence comes next and may be opened.
    #[inline]
    pub(crate) fn begin(&mut self, bracket: u8, expected: &str) -> Result {
        self.start = self.cursor.at;
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
        self.objects.push(Object::open(&self.keys, self.depth, self.max_depth));
        Ok(())
    }

    #[cold]
    fn too_deep(&self) -> Error {
        Error::too_deep(self.max_depth).at(self.cursor.position())
    }

    /// The innermost open object, and what it works with.
    #[inline]
    fn object(&mut self) -> Result<(&mut Object<'a>, &mut Cursor<'a>, &mut Keys)> {
        match self.objects.last_mut() {
            Some(object) => Ok((object, &mut self.cursor, &mut self.keys)),
            None => Err(misuse()),
        }
    }

    /// As [`member`](archive_core::Decoder::member), but only if it comes next: nothing is searched.
    #[inline]
    pub(crate) fn next_is(&mut self, name: &str) -> Result<bool> {
        let (object, cursor, keys) = self.object()?;
        object.next_is(cursor, keys, name)
    }
}

impl Decoder<'_> {
    /// A truth value near the end of the input, or none.
    #[inline(never)]
    fn any_bool(&mut self) -> Result<bool> {
        match self.cursor.byte() {
            b't' => self.cursor.literal("true").map(|()| true),
            b'f' => self.cursor.literal("false").map(|()| false),
            _ => Err(self.wrong_type("bool")),
        }
    }
}

/// The error for calls that do not come in a well-formed order.
#[cold]
fn misuse() -> Error {
    Error::new(ErrorKind::Unsupported, "members outside of an object")
}

macro_rules! scalars {
    ($($name:ident: $ty:ty = $how:ident($($primitive:ident)?);)*) => {$(
        #[inline]
        fn $name(&mut self) -> Result<$ty> {
            self.$how($(Primitive::$primitive)?)
        }
    )*};
}

impl archive_core::Decoder for Decoder<'_> {
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

    fn as_dyn(&mut self) -> &mut dyn archive_core::Decoder {
        self
    }

    fn position(&self) -> Position {
        self.cursor.moved(self.start).position()
    }

    fn position_of(&self, mark: Mark) -> Position {
        self.cursor.moved(mark.offset as usize).position()
    }

    #[inline]
    fn peek(&mut self) -> Result<Kind> {
        self.start = self.cursor.at;
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
        self.start = self.cursor.at;
        let limit = self.max_depth.saturating_sub(self.depth);
        self.keys.walker.walk(&mut self.cursor, limit, &mut self.keys.spans.known())
    }

    #[inline]
    fn null(&mut self) -> Result {
        self.start = self.cursor.at;
        match self.cursor.byte() {
            b'n' => self.cursor.literal("null"),
            _ => Err(self.wrong_type("null")),
        }
    }

    #[inline]
    fn bool(&mut self) -> Result<bool> {
        self.start = self.cursor.at;
        match self.cursor.truth() {
            Some(value) => Ok(value),
            None => self.any_bool(),
        }
    }

    #[inline]
    fn char(&mut self) -> Result<char> {
        let text = self.text("a character")?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(self.wrong_type("a character")),
        }
    }

    #[inline]
    fn str(&mut self) -> Result<&str> {
        self.begin_text("text")?;
        if let Some(text) = self.cursor.plain_string()? {
            return Ok(text);
        }
        self.scratch.clear();
        self.cursor.string_pieces(|piece| self.scratch.push_str(piece))?;
        Ok(&self.scratch)
    }

    #[inline]
    fn string(&mut self, out: &mut String) -> Result {
        self.begin_text("text")?;
        match self.cursor.plain_string()? {
            // As long as needed, and no longer.
            Some(text) if out.capacity() == 0 => *out = text.to_owned(),
            Some(text) => {
                out.clear();
                out.push_str(text);
            }
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
        Ok(0) // the text does not say
    }

    #[inline]
    fn next_item(&mut self) -> Result<bool> {
        let first = std::mem::replace(&mut self.fresh, false);
        if !first && self.cursor.byte() == b',' {
            self.cursor.at += 1;
            self.cursor.space();
            return Ok(!self.cursor.is_trailing(b']'));
        }
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

    #[inline]
    fn end_seq(&mut self) -> Result {
        if self.next_item()? {
            let message = "the sequence has more items than were asked for";
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
        let (object, cursor, keys) = self.object()?;
        object.member(cursor, keys, name)
    }

    #[inline]
    fn next_key(&mut self) -> Result<Option<Cow<'_, str>>> {
        let (object, cursor, keys) = self.object()?;
        object.next_key(cursor, keys)
    }

    #[inline]
    fn end_object(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        let (object, cursor, keys) = self.object()?;
        object.close(cursor, keys, unknown)?;
        self.objects.pop();
        self.depth -= 1;
        self.fresh = false;
        Ok(())
    }

    #[inline]
    fn begin_members(&mut self, class: &'static Class, passed: &mut Passed) -> Result<u32> {
        self.open_members(class, passed)
    }

    #[inline]
    fn next_member(
        &mut self,
        lookup: &'static Lookup,
        passed: &mut Passed,
    ) -> Result<Option<usize>> {
        self.find_next(lookup, passed)
    }

    #[inline]
    fn end_members(&mut self, passed: &mut Passed) -> Result {
        self.close_members(passed)
    }

    fn mark(&mut self) -> Mark {
        self.cursor.space();
        let state = self.keys.list.len() as u64;
        Mark { offset: self.cursor.at as u64, state, depth: self.depth as u32 }
    }

    fn goto(&mut self, mark: Mark) {
        self.cursor.at = mark.offset as usize;
    }

    fn recover(&mut self, mark: Mark) {
        while let Some(object) = self.objects.pop_if(|object| object.depth() > mark.depth as usize)
        {
            object.forget(&mut self.keys);
        }
        // Objects whose members are told leave the keys they noted.
        self.keys.list.truncate(mark.state as usize);
        self.depth = mark.depth as usize;
        self.fresh = false;
        self.cursor.at = mark.offset as usize;
    }

    fn find_bodies(&mut self, found: &mut dyn FnMut(u64, Mark)) -> Result {
        pointer::find_bodies(self.cursor.moved(0), self.max_depth, found)
    }

    fn take_conversion(&mut self) -> Option<(Primitive, Primitive)> {
        self.conversion.take()
    }

    #[inline]
    fn at_pointer(&mut self, refused: bool) -> Result<bool> {
        if refused {
            self.cursor.at = self.start;
        }
        Ok(self.cursor.byte() == b'{' && self.is_pointer())
    }

    #[inline]
    fn begin_pointer(&mut self) -> Result<LoadedHead<'_>> {
        self.pointer_head()
    }

    fn end_pointer(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        self.close_pointer(unknown)
    }

    /// The version is looked for as the first member only, where it is always written: searching
    /// for it would cost every object that has none.
    #[inline]
    fn version(&mut self, _: &'static Class) -> Result<u32> {
        if self.next_is("$version")? { self.u32() } else { Ok(0) }
    }
}
