//! [`Encoder`]: what a format implements to be saved to.

use std::any::Any;

use crate::block::Asked;
use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;
use crate::pointer::{PointerHead, PointerKind};
use crate::reserved;
use crate::session::Session;
use crate::shape::{Class, Enum, Member, NameOf, Payload, Shape};

/// The writing half of a format: a stream of calls, one per scalar and two or more around each
/// compound value. Object-safe.
///
/// A text-like format implements the required methods; the provided ones express the rest in
/// terms of them (an option as null or the value, a pointer as an object with `$id` and `$value`).
/// Formats of another nature override those too. Shapes and classes say what is coming; formats
/// that name everything may ignore them.
///
/// The calls always come in a well-formed order, whatever the values: an object's members between
/// its begin and end, exactly one value after each [`member`](Encoder::member) and each
/// [`item`](Encoder::item).
pub trait Encoder {
    /// Nothing.
    ///
    /// # Errors
    /// If the output refuses; so for every method here.
    fn null(&mut self) -> Result;
    /// A truth value.
    fn bool(&mut self, value: bool) -> Result;
    /// A signed integer.
    fn i64(&mut self, value: i64) -> Result;
    /// An unsigned integer.
    fn u64(&mut self, value: u64) -> Result;
    /// A float; formats without non-finite numbers write `"NaN"`, `"inf"` and `"-inf"` as text.
    fn f64(&mut self, value: f64) -> Result;
    /// Text.
    fn str(&mut self, value: &str) -> Result;

    /// Opens a sequence of `len` items: a list, an array, a tuple, or a map as a list of pairs. The
    /// length of a list may be [`UNKNOWN_LEN`].
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result;
    /// Announces the next item.
    fn item(&mut self) -> Result;
    /// Closes the sequence.
    fn end_seq(&mut self) -> Result;

    /// Opens an object.
    fn begin_object(&mut self, class: &'static Class) -> Result;
    /// Announces the value of a member.
    fn member(&mut self, name: &str, shape: &'static Shape) -> Result;
    /// Closes the object.
    fn end_object(&mut self) -> Result;

    // ---- provided ----

    /// Announces the value of a member whose description is known at compile time, and which does not
    /// describe itself.
    #[inline]
    fn typed_member(&mut self, info: &'static Member) -> Result {
        self.known_member(info)
    }

    /// As [`member`](Encoder::member), for a member whose description is known at compile time.
    #[inline]
    fn known_member(&mut self, info: &'static Member) -> Result {
        self.member(info.name, info.shape.get())
    }

    /// The output, if the value that comes next may be appended to it as a
    /// [block](crate::block). With `items` it is about the items of the sequence just begun.
    #[inline]
    fn block(&mut self, items: bool) -> Result<Option<&mut Vec<u8>>> {
        let _ = items;
        Ok(None)
    }

    /// As [`block`](Encoder::block), for a value of which it is known what it is, and which is all that is
    /// appended. Then comes [`end_block`](Encoder::end_block).
    #[inline]
    fn begin_block(&mut self, asked: Asked) -> Result<Option<&mut Vec<u8>>> {
        let _ = asked;
        self.block(false)
    }
    /// So many items of a sequence were appended as a block, or, if it is none, one value.
    #[inline]
    fn end_block(&mut self, items: usize) -> Result {
        let _ = items;
        Ok(())
    }
    /// All items of the sequence just begun, as a block that is there already; `false` if they are taken
    /// one by one.
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

    /// A signed integer of one byte.
    fn i8(&mut self, value: i8) -> Result {
        self.i64(value.into())
    }
    /// A signed integer of two bytes.
    fn i16(&mut self, value: i16) -> Result {
        self.i64(value.into())
    }
    /// A signed integer of four bytes.
    fn i32(&mut self, value: i32) -> Result {
        self.i64(value.into())
    }
    /// A signed integer of sixteen bytes: text where it does not fit 64 bits.
    fn i128(&mut self, value: i128) -> Result {
        if let Ok(value) = i64::try_from(value) {
            self.i64(value)
        } else if let Ok(value) = u64::try_from(value) {
            self.u64(value)
        } else {
            self.str(&value.to_string())
        }
    }
    /// An unsigned integer of one byte.
    fn u8(&mut self, value: u8) -> Result {
        self.u64(value.into())
    }
    /// An unsigned integer of two bytes.
    fn u16(&mut self, value: u16) -> Result {
        self.u64(value.into())
    }
    /// An unsigned integer of four bytes.
    fn u32(&mut self, value: u32) -> Result {
        self.u64(value.into())
    }
    /// An unsigned integer of sixteen bytes: text where it does not fit 64 bits.
    fn u128(&mut self, value: u128) -> Result {
        match u64::try_from(value) {
            Ok(value) => self.u64(value),
            Err(_) => self.str(&value.to_string()),
        }
    }
    /// A float of four bytes: the `f64` with the shortest decimal text that is this `f32`, so that
    /// text formats write `0.1` and not `0.10000000149011612`.
    fn f32(&mut self, value: f32) -> Result {
        self.f64(value.to_string().parse().unwrap_or(value.into()))
    }
    /// A character: text of one.
    fn char(&mut self, value: char) -> Result {
        self.str(value.encode_utf8(&mut [0; 4]))
    }
    /// Bytes: a sequence of numbers, unless the format has better.
    fn bytes(&mut self, value: &[u8]) -> Result {
        self.begin_seq(<Vec<u8> as crate::Serialize>::SHAPE, value.len())?;
        for byte in value {
            self.item()?;
            self.u8(*byte)?;
        }
        self.end_seq()
    }

    /// Opens a map of `len` entries, which may be [`UNKNOWN_LEN`]. After it come, for each entry,
    /// [`item`](Encoder::item), a sequence of two, key and value.
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
    /// The root has been written.
    fn end_root(&mut self) -> Result {
        Ok(())
    }

    /// The missing value of an option.
    #[inline]
    fn none(&mut self) -> Result {
        self.null()
    }
    /// Announces the value of an option. If it is itself null, it is wrapped in an object with one
    /// member: `{"$some":null}`.
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

    /// A variant, by its index in the enum. Unless it is a unit variant its payload comes next, as
    /// a value (a sequence for a tuple, an object for a struct), then
    /// [`end_variant`](Encoder::end_variant).
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
    /// Ends a variant that is no unit variant.
    #[inline]
    fn end_variant(&mut self) -> Result {
        self.end_object()
    }

    /// A pointer. If the head has a body, the body's value comes next. Then
    /// [`end_pointer`](Encoder::end_pointer).
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
            PointerKind::Body | PointerKind::Owned => self.member(reserved::VALUE, head.shape),
            _ => Ok(()),
        }
    }
    /// Ends a pointer.
    fn end_pointer(&mut self, head: &PointerHead<'_>) -> Result {
        if head.kind == PointerKind::Null { Ok(()) } else { self.end_object() }
    }

    /// Opens the list of bodies that had to wait, inside the outermost pointer. Each comes as an
    /// [`item`](Encoder::item) and a pointer with its body. Their number is not known yet; a
    /// sequence is opened with [`UNKNOWN_LEN`].
    fn begin_deferred(&mut self) -> Result {
        self.member(reserved::DEFERRED, &Shape::Any)?;
        self.begin_seq(&Shape::Any, UNKNOWN_LEN)
    }
    /// Closes the list of bodies that had to wait.
    fn end_deferred(&mut self) -> Result {
        self.end_seq()
    }

    /// The depth of nesting, counted from the outermost pointer, past which bodies wait, so that
    /// chains of pointers neither exhaust the stack nor exceed the depth limit.
    fn defer_depth(&self) -> usize {
        32
    }

    /// Writes the object of a trait object with a function that was compiled for its type and this format,
    /// and if it is `owned` the head of its pointer. `false` if there is none.
    ///
    /// # Errors
    /// Those of the object.
    #[doc(hidden)]
    fn object(
        &mut self,
        object: &dyn Any,
        owned: bool,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<bool> {
        let _ = (object, owned, session, options);
        Ok(false)
    }

    /// The version of the object just opened, when it is not zero.
    fn version(&mut self, version: u32) -> Result {
        self.member(reserved::VERSION, u64_shape())?;
        self.u32(version)
    }

    /// Whether every member of the object being written must be there, because members are found
    /// by their places. Otherwise a member with `skip_if_default` may be missing.
    fn fixed_members(&self) -> bool {
        false
    }
    /// Whether the format itself refuses the object being written if two of its members have one name.
    fn refuses_duplicates(&self) -> bool {
        false
    }
    /// Whether the value that comes next must have the shape that was announced. Otherwise a map
    /// comes as an object where the program asks for that (`as_object`,
    /// [`Options::maps_as_objects`](crate::Options::maps_as_objects)), and a variant that stands for an
    /// unknown name as that name.
    fn fixed_shape(&self) -> bool {
        false
    }

    /// Whether the variant of an enum with a `tag` stands in a member of an object. Otherwise it is written
    /// as that of any other enum.
    fn writes_tags(&self) -> bool {
        !self.fixed_shape()
    }

    /// An error for values that the format cannot express.
    fn unsupported(&self, what: &str) -> Error {
        Error::new(ErrorKind::Unsupported, format_args!("this format cannot hold {what}"))
    }
}

/// How much of a block is written at once, so that a part may go its way before the next.
pub(crate) const PART: usize = 1 << 16;

/// The length of a sequence that is not known when it is opened.
pub const UNKNOWN_LEN: usize = usize::MAX;

pub(crate) static VARIANT: Class = Class {
    name: "variant",
    type_name: NameOf::Data("variant"),
    version: 0,
    members: None,
    size: None,
    meaning: "",
};
pub(crate) static SOME: Class = Class {
    name: "some",
    type_name: NameOf::Data("some"),
    version: 0,
    members: None,
    size: None,
    meaning: "",
};
pub(crate) static POINTER: Class = Class {
    name: "pointer",
    type_name: NameOf::Data("pointer"),
    version: 0,
    members: None,
    size: None,
    meaning: "",
};

/// The shape of what an option holds.
fn option_value(shape: &'static Shape) -> &'static Shape {
    match shape {
        Shape::Option(value) => value.get(),
        _ => &Shape::Any,
    }
}

fn u64_shape() -> &'static Shape {
    <u64 as crate::Serialize>::SHAPE
}

fn bool_shape() -> &'static Shape {
    <bool as crate::Serialize>::SHAPE
}

fn str_shape() -> &'static Shape {
    <String as crate::Serialize>::SHAPE
}
