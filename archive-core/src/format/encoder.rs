//! [`Encoder`]: the trait that a format implements to save values.

use crate::model::block_size::Asked;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::head::{PointerHead, PointerKind};
use crate::model::number::Number;
use crate::model::reserved;
use crate::model::shape::{Class, Enum, Member, POINTER, Payload, SOME, Shape, VARIANT};
use crate::state::options::Options;
use crate::visit::serialize::Serialize;
use crate::visit::session::Session;
use crate::visit::visited::Visit;
pub use crate::visit::visitor::UNCOUNTED;

/// The writing half of a format: a stream of calls, one for each scalar and two or more around each
/// value with parts. The trait is object-safe.
///
/// A text-like format implements the required methods. The provided methods express everything else
/// in terms of them (an option as null or the value, a pointer as an object with `$id` and
/// `$value`); other formats override those too. Shapes and classes describe the value that follows;
/// a format that names everything may ignore them.
///
/// The calls always come in a well-formed order, for all values: the members of an object
/// between its begin and end, and exactly one value after each [`member`](Encoder::member) and each
/// [`item`](Encoder::item).
pub trait Encoder {
    /// Returns whether the archive over this encoder is in [place](crate::path::Guide::Live).
    #[doc(hidden)]
    #[inline(always)]
    fn is_live(&self) -> bool {
        false
    }

    /// Writes null.
    ///
    /// # Errors
    /// Returns an error if the output refuses the data, as does every method here.
    fn null(&mut self) -> Result;
    /// Writes a truth value.
    fn bool(&mut self, value: bool) -> Result;
    /// Writes a signed integer.
    fn i64(&mut self, value: i64) -> Result;
    /// Writes an unsigned integer.
    fn u64(&mut self, value: u64) -> Result;
    /// Writes a float. Formats without non-finite numbers write `"NaN"`, `"inf"` and `"-inf"` as
    /// text.
    fn f64(&mut self, value: f64) -> Result;
    /// Writes text.
    fn str(&mut self, value: &str) -> Result;

    /// Opens a sequence of `len` items: a list, an array, a tuple, or a map as a list of pairs. The
    /// length of a list may be [`UNCOUNTED`].
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result;
    /// Announces the next item. By default nothing is written between items.
    fn item(&mut self) -> Result {
        Ok(())
    }
    /// Closes the sequence.
    fn end_seq(&mut self) -> Result;

    /// Opens an object.
    fn begin_object(&mut self, class: &'static Class) -> Result;
    /// Announces the value of a member.
    fn member(&mut self, name: &str, shape: &'static Shape) -> Result;
    /// Closes the object.
    fn end_object(&mut self) -> Result;

    // ---- provided ----

    /// Like [`known_member`](Encoder::known_member), for a value that is not self-describing.
    #[inline]
    fn typed_member(&mut self, info: &'static Member) -> Result {
        self.known_member(info)
    }

    /// Like [`member`](Encoder::member), for a member whose description is known at compile time.
    #[inline]
    fn known_member(&mut self, info: &'static Member) -> Result {
        self.member(info.name, info.shape.get())
    }

    /// Returns the output, if the next value may be appended to it as a [block](crate::block). With
    /// `items`, this is about the items of the sequence just begun.
    #[inline]
    fn block(&mut self, items: bool) -> Result<Option<&mut Vec<u8>>> {
        let _ = items;
        Ok(None)
    }

    /// Like [`block`](Encoder::block), for a value whose type is known; only this value is
    /// appended. [`end_block`](Encoder::end_block) follows.
    #[inline]
    fn begin_block(&mut self, asked: Asked) -> Result<Option<&mut Vec<u8>>> {
        let _ = asked;
        self.block(false)
    }
    /// Called after a block was appended: `items` items of a sequence, or one value that is not an
    /// item.
    #[inline]
    fn end_block(&mut self, items: usize) -> Result {
        let _ = items;
        Ok(())
    }
    /// Writes all items of the sequence just begun as a block whose bytes exist already. Returns
    /// `false` if the format writes items one by one.
    #[inline]
    fn whole_block(&mut self, block: &[u8]) -> Result<bool> {
        if self.block(true)?.is_none() {
            return Ok(false);
        }
        for part in block.chunks(PART) {
            if let Some(out) = self.block(true)? {
                out.extend_from_slice(part);
            }
        }
        Ok(true)
    }

    /// Writes a signed integer of one byte.
    fn i8(&mut self, value: i8) -> Result {
        self.i64(value.into())
    }
    /// Writes a signed integer of two bytes.
    fn i16(&mut self, value: i16) -> Result {
        self.i64(value.into())
    }
    /// Writes a signed integer of four bytes.
    fn i32(&mut self, value: i32) -> Result {
        self.i64(value.into())
    }
    /// Writes a signed integer of sixteen bytes: as text if it does not fit 64 bits.
    fn i128(&mut self, value: i128) -> Result {
        if let Ok(value) = i64::try_from(value) {
            self.i64(value)
        } else if let Ok(value) = u64::try_from(value) {
            self.u64(value)
        } else {
            self.str(&value.to_string())
        }
    }
    /// Writes an unsigned integer of one byte.
    fn u8(&mut self, value: u8) -> Result {
        self.u64(value.into())
    }
    /// Writes an unsigned integer of two bytes.
    fn u16(&mut self, value: u16) -> Result {
        self.u64(value.into())
    }
    /// Writes an unsigned integer of four bytes.
    fn u32(&mut self, value: u32) -> Result {
        self.u64(value.into())
    }
    /// Writes an unsigned integer of sixteen bytes: as text if it does not fit 64 bits.
    fn u128(&mut self, value: u128) -> Result {
        match u64::try_from(value) {
            Ok(value) => self.u64(value),
            Err(_) => self.str(&value.to_string()),
        }
    }
    /// Writes a number of a tree without types. Integers are written with as few bits as possible, because few
    /// formats have 128-bit integers.
    #[inline]
    fn number(&mut self, value: Number) -> Result {
        match value {
            Number::Int(value) => match (i64::try_from(value), u64::try_from(value)) {
                (Ok(value), _) => self.i64(value),
                (_, Ok(value)) => self.u64(value),
                _ => self.i128(value),
            },
            Number::UInt(value) => self.u128(value),
            Number::F32(value) => self.f32(value),
            Number::F64(value) => self.f64(value),
        }
    }
    /// Writes a float of four bytes: by default as the `f64` whose shortest decimal text is that of
    /// the `f32`, so that text formats write `0.1` and not `0.10000000149011612`.
    fn f32(&mut self, value: f32) -> Result {
        self.f64(value.to_string().parse().unwrap_or(value.into()))
    }
    /// Writes a character: by default as text with one character.
    fn char(&mut self, value: char) -> Result {
        self.str(value.encode_utf8(&mut [0; 4]))
    }
    /// Writes bytes: by default as a sequence of numbers.
    fn bytes(&mut self, value: &[u8]) -> Result {
        self.begin_seq(<Vec<u8> as Serialize>::SHAPE, value.len())?;
        for byte in value {
            self.item()?;
            self.u8(*byte)?;
        }
        self.end_seq()
    }

    /// Opens a map of `len` entries; `len` may be [`UNCOUNTED`]. Each entry is then an
    /// [`item`](Encoder::item) with a sequence of two values, key and value.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the format must know the length.
    #[inline]
    fn begin_map(&mut self, shape: &'static Shape, len: usize) -> Result {
        self.begin_seq(shape, len)
    }

    /// Announces the type of the root before it is written.
    fn begin_root(&mut self, shape: &'static Shape) -> Result {
        let _ = shape;
        Ok(())
    }
    /// Called after the root was written.
    fn end_root(&mut self) -> Result {
        Ok(())
    }

    /// Writes an option without a value.
    #[inline]
    fn none(&mut self) -> Result {
        self.null()
    }
    /// Announces the value of an option. If the value is itself null, it is wrapped in an object
    /// with one member: `{"$some":null}`.
    #[inline]
    fn begin_some(&mut self, shape: &'static Shape, null: bool) -> Result {
        if null {
            self.begin_object(&SOME)?;
            self.member(reserved::SOME, option_value(shape))?;
        }
        Ok(())
    }
    /// Ends the value of an option.
    #[inline]
    fn end_some(&mut self, null: bool) -> Result {
        if null { self.end_object() } else { Ok(()) }
    }

    /// Writes a variant, given by its index in the enum. Unless it is a unit variant, its payload
    /// is written next as a value (a sequence for a tuple, an object for a struct), and
    /// [`end_variant`](Encoder::end_variant) is called.
    #[inline]
    fn begin_variant(&mut self, info: &'static Enum, index: usize) -> Result {
        let variant = info.variant(index)?;
        match variant.payload {
            Payload::Unit => self.str(variant.name),
            _ => {
                self.begin_object(&VARIANT)?;
                self.member(variant.name, &Shape::Any)
            }
        }
    }
    /// Ends a variant that has a payload.
    #[inline]
    fn end_variant(&mut self) -> Result {
        self.end_object()
    }

    /// Writes the head of a pointer. If its kind has a pointee, the pointee is written next. Then
    /// [`end_pointer`](Encoder::end_pointer) is called.
    fn begin_pointer(&mut self, head: &PointerHead<'_>) -> Result {
        if head.kind == PointerKind::Null {
            return self.null();
        }
        self.begin_object(&POINTER)?;
        if head.kind == PointerKind::Weak {
            self.member(reserved::WEAK, u64_shape())?;
            return self.u64(head.id);
        }
        if head.id != 0 {
            self.member(reserved::ID, u64_shape())?;
            self.u64(head.id)?;
        }
        if head.kind != PointerKind::Seen
            && let Some(name) = head.type_name
        {
            self.member(reserved::TYPE, str_shape())?;
            self.str(name)?;
        }
        match head.kind {
            PointerKind::Later => {
                self.member(reserved::LATER, bool_shape())?;
                self.bool(true)
            }
            PointerKind::Stored | PointerKind::Owned => self.member(reserved::VALUE, head.shape),
            _ => Ok(()),
        }
    }
    /// Ends a pointer.
    fn end_pointer(&mut self, head: &PointerHead<'_>) -> Result {
        if head.kind == PointerKind::Null { Ok(()) } else { self.end_object() }
    }

    /// Opens the list of deferred objects, inside the outermost pointer. Each deferred object is
    /// then written as an [`item`](Encoder::item) that is a pointer with its object. Their number
    /// is not known yet, so the sequence is opened with [`UNCOUNTED`].
    fn begin_deferred(&mut self) -> Result {
        self.member(reserved::DEFERRED, &Shape::Any)?;
        self.begin_seq(&Shape::Any, UNCOUNTED)
    }
    /// Closes the list of deferred objects.
    fn end_deferred(&mut self) -> Result {
        self.end_seq()
    }

    /// Returns the depth of nesting, counted from the outermost pointer, beyond which objects are
    /// deferred, so that chains of pointers neither exhaust the stack nor exceed the depth limit.
    fn defer_depth(&self) -> usize {
        32
    }

    /// Writes a value whose type is known when it is loaded, on the format's own archive. The value
    /// is a root whose type is erased, a pointee, or a deferred pointer. Returns `false` if the
    /// format has no such archive.
    #[doc(hidden)]
    #[inline]
    fn typed(
        &mut self,
        visit: Visit<'_>,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<bool> {
        let _ = (visit, session, options);
        Ok(false)
    }

    /// Writes the version of the object just opened. Called if it is not zero.
    fn version(&mut self, version: u32) -> Result {
        self.member(reserved::VERSION, u64_shape())?;
        self.u32(version)
    }

    /// Returns whether every member of the object being written must be present, because members
    /// are found by position. Otherwise a member with `skip_if_default` may be left out.
    fn fixed_members(&self) -> bool {
        false
    }
    /// Returns whether the format itself refuses an object with two members of the same name.
    fn refuses_duplicates(&self) -> bool {
        false
    }
    /// Returns whether every open value counts as a level, because writing nested values needs much
    /// of the stack.
    #[doc(hidden)]
    fn opens_one_each(&self) -> bool {
        false
    }
    /// Returns whether the next value must have the announced shape. Otherwise a map is written as
    /// an object if the program requests it (`as_object`,
    /// [`Options::maps_as_objects`](crate::Options::maps_as_objects)), and a variant that
    /// represents an unknown name is written with that name.
    fn fixed_shape(&self) -> bool {
        false
    }

    /// Returns whether the name of the variant is written as a member of an object, for an enum
    /// with a `tag`. Otherwise the variant is written like that of any other enum.
    fn writes_tags(&self) -> bool {
        !self.fixed_shape()
    }

    /// Returns the error for a value that the format cannot express.
    fn unsupported(&self, what: &str) -> Error {
        Error::new(ErrorKind::Unsupported, format_args!("this format cannot represent {what}"))
    }
}

/// The number of bytes of a block that are written at once, so that each part can be sent to the
/// sink before the next.
pub(crate) const PART: usize = 1 << 16;

/// Returns the shape of the value of an option.
fn option_value(shape: &'static Shape) -> &'static Shape {
    match shape {
        Shape::Option(value) => value.get(),
        _ => &Shape::Any,
    }
}

fn u64_shape() -> &'static Shape {
    <u64 as Serialize>::SHAPE
}

fn bool_shape() -> &'static Shape {
    <bool as Serialize>::SHAPE
}

fn str_shape() -> &'static Shape {
    <String as Serialize>::SHAPE
}
