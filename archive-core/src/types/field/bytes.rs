//! `#[archive(bytes)]`: stores bytes as such, not as a sequence of numbers.

use std::rc::Rc;
use std::sync::Arc;

use crate::model::error::{Error, ErrorKind, Result};
use crate::model::scalar::Scalar;
use crate::model::shape::{Primitive, Shape, ShapeOf};
use crate::visit::archive::Archive;
use crate::visit::body::Body;
use crate::visit::erased::loads;
use crate::visit::guide::null;
use crate::visit::walk::{route, stays};

/// A container of bytes, for fields with `#[archive(bytes)]`.
///
/// ```
/// use archive::Result;
/// use archive::field::Bytes;
///
/// struct Packed(Vec<u8>);
///
/// impl Bytes for Packed {
///     fn as_bytes(&self) -> &[u8] {
///         &self.0
///     }
///     fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
///         Ok(Packed(bytes))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a container of bytes",
    label = "has no `archive::field::Bytes`",
    note = "`#[archive(bytes)]` is for `Vec<u8>`, `[u8; N]`, `Box<[u8]>`, `Rc<[u8]>`, `Arc<[u8]>`, an `Option` of these, and types with `archive::field::Bytes`"
)]
pub trait Bytes: Sized {
    /// Returns the bytes to save.
    fn as_bytes(&self) -> &[u8];

    /// Creates the value from the bytes that were loaded.
    ///
    /// # Errors
    /// Returns an error if the value cannot hold exactly these bytes.
    fn from_bytes(bytes: Vec<u8>) -> Result<Self>;

    /// Returns memory to load into, taken from a value that is replaced.
    #[doc(hidden)]
    fn scratch(&mut self) -> Vec<u8> {
        Vec::new()
    }
}

impl Bytes for Vec<u8> {
    fn as_bytes(&self) -> &[u8] {
        self
    }
    fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        Ok(bytes)
    }
    fn scratch(&mut self) -> Vec<u8> {
        std::mem::take(self)
    }
}

impl<const N: usize> Bytes for [u8; N] {
    fn as_bytes(&self) -> &[u8] {
        self
    }
    fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        <[u8; N]>::try_from(bytes).map_err(|bytes| {
            let message = format_args!("expected {N} bytes, found {}", bytes.len());
            Error::new(ErrorKind::WrongLength, message)
        })
    }
}

macro_rules! slice {
    ($($Slice:ty),*) => { $(
        impl Bytes for $Slice {
            fn as_bytes(&self) -> &[u8] {
                self
            }
            fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
                Ok(bytes.into())
            }
        }
    )* };
}
slice!(Box<[u8]>, Rc<[u8]>, Arc<[u8]>);

/// A type that fields with `#[archive(bytes)]` may have: [`Bytes`], or an `Option` of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a container of bytes",
    label = "has no `archive::field::Bytes`",
    note = "`#[archive(bytes)]` is for `Vec<u8>`, `[u8; N]`, `Box<[u8]>`, `Rc<[u8]>`, `Arc<[u8]>`, an `Option` of these, and types with `archive::field::Bytes`"
)]
pub trait BytesField {
    /// The shape of the field.
    const SHAPE: &'static Shape;
    /// Whether the field may be null.
    const NULLABLE: bool;

    /// Returns whether the field is null.
    fn saves_null(&self) -> bool;

    /// Loads the field.
    fn load_bytes<A: Archive>(&mut self, ar: &mut A) -> Result;
    /// Saves the field.
    fn save_bytes<A: Archive>(&self, ar: &mut A) -> Result;
}

/// Returns the shape of the field.
pub const fn bytes_shape<T: BytesField>() -> &'static Shape {
    T::SHAPE
}

const BYTES: &Shape = &Shape::Primitive(Primitive::Bytes, "");

#[diagnostic::do_not_recommend]
impl<T: Bytes> BytesField for T {
    const SHAPE: &'static Shape = BYTES;
    const NULLABLE: bool = false;

    fn saves_null(&self) -> bool {
        false
    }
    fn load_bytes<A: Archive>(&mut self, ar: &mut A) -> Result {
        // The memory of a value that is edited in place is not reused: an error must leave the
        // value unchanged.
        let scratch = if stays(ar) { Vec::new() } else { self.scratch() };
        *self = load(scratch, ar)?;
        Ok(())
    }
    fn save_bytes<A: Archive>(&self, ar: &mut A) -> Result {
        ar.scalar(Scalar::ByteSlice(self.as_bytes()))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Bytes> BytesField for Option<T> {
    const SHAPE: &'static Shape = &Shape::Option(ShapeOf::untyped(|| BYTES));
    const NULLABLE: bool = true;

    fn saves_null(&self) -> bool {
        self.is_none()
    }
    fn load_bytes<A: Archive>(&mut self, ar: &mut A) -> Result {
        struct Load<'a, T>(&'a mut Option<T>);
        impl<T: Bytes> Body for Load<'_, T> {
            fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                let old = self.0.as_mut().filter(|_| !stays(ar));
                let scratch = old.map_or_else(Vec::new, Bytes::scratch);
                *self.0 = Some(load(scratch, ar)?);
                Ok(())
            }
        }
        if const { A::KIND.guided } && route(ar).is_some() {
            // A path cannot go into bytes.
            return match self {
                Some(_) => ar.scalar(Scalar::Bytes(&mut Vec::new())),
                None => Err(null()),
            };
        }
        if !ar.option(Self::SHAPE, false, false, &mut Load(self))? {
            *self = None;
        }
        Ok(())
    }
    fn save_bytes<A: Archive>(&self, ar: &mut A) -> Result {
        struct Save<'a>(&'a [u8]);
        impl Body for Save<'_> {
            fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                ar.scalar(Scalar::ByteSlice(self.0))
            }
        }
        let bytes = self.as_ref().map(Bytes::as_bytes);
        let mut body = Save(bytes.unwrap_or_default());
        ar.option(Self::SHAPE, bytes.is_some(), false, &mut body).map(drop)
    }
}

fn load<T: Bytes, A: Archive>(mut bytes: Vec<u8>, ar: &mut A) -> Result<T> {
    ar.scalar(Scalar::Bytes(&mut bytes))?;
    T::from_bytes(bytes)
}

/// A [`Body`] that visits the field.
pub struct BytesOf<'a, T>(pub &'a mut T);

impl<T: BytesField> Body for BytesOf<'_, T> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if loads!(A, ar) { self.0.load_bytes(ar) } else { self.0.save_bytes(ar) }
    }
}

/// A [`Body`] that saves the field through a shared reference.
pub struct SavedBytesOf<'a, T>(pub &'a T);

impl<T: BytesField> Body for SavedBytesOf<'_, T> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.save_bytes(ar)
    }
}
