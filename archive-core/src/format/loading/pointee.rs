//! Reads a scalar, even if the file has a pointer to it. That is the case if the value was shared
//! when it was saved and is no longer shared. The pointee of the pointer is then read as the value.
//! The wrapper of an option is handled in the same way, if the program no longer has an option.
// Why: docs/decisions/pointers.md#a-pointer-is-recognized-before-every-value-with-parts

use super::Loading;
use crate::format::decoder::{Decoder, Kind, OptionForm, is_some, open_some};
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::head::{LoadedHead, PointerKind};
use crate::model::reserved;
use crate::model::scalar::Scalar;
use crate::model::shape::{NameOf, POINTER};
use crate::state::options::Options;
use crate::visit::visitor::Visitor;

impl<D: Decoder + ?Sized, const FILE_ORDER: bool> Loading<'_, D, FILE_ORDER> {
    /// Reads the scalar at the cursor.
    #[inline(always)]
    pub(super) fn read(&mut self, value: &mut Scalar<'_>) -> Result {
        match value {
            Scalar::Unit => self.decoder.null()?,
            Scalar::Bool(v) => **v = self.decoder.bool()?,
            Scalar::U8(v) => **v = self.decoder.u8()?,
            Scalar::U16(v) => **v = self.decoder.u16()?,
            Scalar::U32(v) => **v = self.decoder.u32()?,
            Scalar::U64(v) => **v = self.decoder.u64()?,
            Scalar::U128(v) => **v = self.decoder.u128()?,
            Scalar::I8(v) => **v = self.decoder.i8()?,
            Scalar::I16(v) => **v = self.decoder.i16()?,
            Scalar::I32(v) => **v = self.decoder.i32()?,
            Scalar::I64(v) => **v = self.decoder.i64()?,
            Scalar::I128(v) => **v = self.decoder.i128()?,
            Scalar::F32(v) => **v = self.decoder.f32()?,
            Scalar::F64(v) => **v = self.decoder.f64()?,
            Scalar::Char(v) => **v = self.decoder.char()?,
            Scalar::String(v) => self.decoder.string(v)?,
            Scalar::Bytes(v) => self.decoder.bytes(v)?,
            Scalar::Str(_) | Scalar::ByteSlice(_) => return Err(Error::read_only()),
        }
        Ok(())
    }

    /// Loads a scalar from the pointer that contains it. A separate function, because the compiler
    /// never inlines recursive functions, and [`scalar`](Visitor::scalar) must be inlined.
    #[cold]
    #[inline(never)]
    pub(super) fn load_pointee_scalar(&mut self, value: Scalar<'_>) -> Result {
        let kind = self.enter_pointee(None)?;
        self.scalar(value)?;
        self.leave_pointee(kind)
    }

    /// Loads a scalar from the pointer that contains it. Otherwise returns `error`, with which the
    /// scalar at the cursor was refused.
    #[cold]
    #[inline(never)]
    pub(super) fn pointee_scalar(&mut self, error: Error, value: Scalar<'_>) -> Result {
        let error = error.at(self.decoder.position());
        if error.kind() == ErrorKind::WrongType
            && !matches!(value, Scalar::Bytes(_))
            && self.decoder.at_pointer(true)?
            && self.is_pointer()?
        {
            return self.load_pointee_scalar(value);
        }
        Err(error)
    }

    /// Returns whether the value at the cursor is inside a pointer or an option's wrapper.
    #[inline]
    pub(super) fn at_pointer(&mut self) -> Result<bool> {
        Ok(self.decoder.at_pointer(false)? && self.is_pointer()?)
    }

    /// Returns whether an object that begins like a pointer is one. All its members must be those
    /// of a pointer, and if it has no pointee, its members must say which object it refers to.
    /// Other programs may use members with these names too.
    #[cold]
    fn is_pointer(&mut self) -> Result<bool> {
        if self.decoder.peek()? != Kind::Object {
            return Ok(true);
        }
        if self.decoder.at_some()? {
            return is_some(self.decoder);
        }
        let start = self.decoder.mark();
        self.decoder.begin_object(&POINTER)?;
        let (mut pointer, mut pointee) = (true, false);
        while pointer {
            let Some(name) = self.decoder.next_key()? else { break };
            pointer = reserved::POINTER.contains(&&*name);
            pointee |= name == reserved::VALUE;
            self.decoder.skip()?;
        }
        self.decoder.recover(start);
        if pointer && !pointee {
            pointer = self.decoder.begin_pointer().is_ok();
            self.decoder.recover(start);
        }
        Ok(pointer)
    }

    /// Returns whether the pointee of the pointer at the cursor is in the file. If not, the object
    /// is a map with such keys, written by another program.
    #[cold]
    pub(super) fn has_pointee(&mut self) -> Result<bool> {
        if self.decoder.at_some()? {
            return self.wraps_map();
        }
        let start = self.decoder.mark();
        let head =
            self.decoder.begin_pointer().map(|head| (head.kind, head.type_name.is_some(), head.id));
        self.decoder.recover(start);
        match head {
            Ok((kind, is_typed, _)) if kind.has_pointee() => {
                Ok(is_typed || kind != PointerKind::Owned)
            }
            Ok((_, _, id)) => Ok(self.pointee(id)?.is_some()),
            Err(_) => Ok(false),
        }
    }

    /// Returns whether the object at the cursor is the wrapper of an option, and not a map with
    /// such a key, written by another program.
    fn wraps_map(&mut self) -> Result<bool> {
        let start = self.decoder.mark();
        let inside = open_some(self.decoder).and_then(|_| self.decoder.peek());
        self.decoder.recover(start);
        Ok(!matches!(inside?, Kind::Bool | Kind::Number | Kind::Str | Kind::Bytes))
    }

    /// Moves to the pointee of the pointer at the cursor, and returns the kind of the pointer. Or
    /// moves to the value inside the wrapper of an option, and returns `None`. `type_name` is the
    /// type of the program, if known.
    #[cold]
    pub(super) fn enter_pointee(
        &mut self,
        type_name: Option<NameOf>,
    ) -> Result<Option<PointerKind>> {
        self.session.attempt.abort_if_on()?;
        self.session.enter(self.options)?;
        if self.decoder.at_some()? {
            open_some(self.decoder)?;
            return Ok(None);
        }
        let at = self.decoder.mark();
        let head = self.decoder.begin_pointer()?;
        let kind = head.kind;
        let checked = check(&head, type_name.map(|name| name.get()), self.options);
        checked.map_err(|error| error.at(self.decoder.position_of(at)))?;
        Ok(Some(kind))
    }

    /// Closes the pointer or wrapper that [`enter_pointee`](Loading::enter_pointee) opened.
    #[cold]
    pub(super) fn leave_pointee(&mut self, kind: Option<PointerKind>) -> Result {
        match kind {
            Some(kind) => self.close(kind)?,
            None => self.decoder.end_option(OptionForm::Wrapped)?,
        }
        self.session.leave();
        Ok(())
    }
}

/// Checks that the file has the pointee here, and that its type is not a different one.
fn check(head: &LoadedHead<'_>, wanted: Option<&str>, options: &Options<'_>) -> Result {
    match head.kind {
        PointerKind::Stored | PointerKind::Owned | PointerKind::Plain => {}
        PointerKind::Null => return Err(Error::wrong_type("a value", "a pointer to nothing")),
        PointerKind::Seen | PointerKind::Later | PointerKind::Weak => {
            return Err(Error::new(
                ErrorKind::BadPointer,
                format_args!(
                    "shared object {} is stored elsewhere in the file; use `Rc`, `Arc` or \
                     `Weak` here",
                    head.id
                ),
            ));
        }
    }
    let (Some(name), Some(wanted), Some(registry)) =
        (head.type_name.as_deref(), wanted, options.settings().registry())
    else {
        return Ok(());
    };
    match registry.type_of(name) {
        // An unregistered type may be the content of a registered one.
        Some((_, found)) if found != wanted && registry.knows(wanted) => {
            let message = format_args!("`$type` is \"{name}\" (`{found}`), not `{wanted}`");
            Err(Error::new(ErrorKind::BadPointer, message))
        }
        _ => Ok(()),
    }
}
