//! [`Place`]: the archive that saves one value.

use archive_core::bridge;
use archive_core::encoder::UNCOUNTED;
use archive_core::{
    Body, Class, Enum, Error, ErrorKind, Payload, PayloadOf, PointerHead, PointerKind, Primitive,
    Result, Saving, Scalar, Shape, Step, Value, ValueEncoder, Variants, Visitor, Walk,
};
use serde::Serialize;
use serde::ser::{Error as _, SerializeMap, Serializer};

use super::count::layout;
use super::entry::{Wrapped, put_entry};
use super::items::{Entries, Items};
use super::members::Members;
use super::{Nested, pointer, refused};
use crate::archives::{parts, way};
use crate::shared::Shared;
use crate::tree::{Described, write_f32, write_f64, write_int};

/// Saves one value. An error of the serializer is returned to it unchanged, because some use errors
/// as signals to themselves, for example that a null member is to be left out.
#[inline]
pub(crate) fn save<S: Serializer, B: Body>(
    to: S,
    body: &mut B,
    shape: &'static Shape,
    is_key: bool,
    shared: &mut Shared<'_>,
) -> Result<S::Ok, S::Error> {
    if !shared.manner.describes && matches!(shape, Shape::Any) {
        let tree = tree(body, shared).map_err(|ours| S::Error::custom(shared.stash_error(ours)))?;
        return Described(&tree).serialize(to);
    }
    let mut place = Place { to: Some(to), done: None, theirs: None, is_key, shared };
    let mut run = body.run(&mut place);
    if run.is_ok() && place.to.is_some() {
        run = place.scalar(Scalar::Unit); // a value that visits nothing
    }
    let Place { done, theirs, shared, .. } = place;
    run.and_then(|()| done.ok_or_else(bridge::misuse)).map_err(|ours| {
        let message = shared.stash_error(ours);
        theirs.unwrap_or_else(|| S::Error::custom(message))
    })
}

/// Builds the tree of a value that describes itself, for formats that do not.
fn tree<B: Body>(body: &mut B, shared: &mut Shared<'_>) -> Result<Value> {
    let mut encoder = ValueEncoder::new();
    body.run(&mut Saving::new(&mut encoder, shared.session, shared.options))?;
    encoder.finish()
}

/// The archive that saves one value.
struct Place<'a, 's, S: Serializer> {
    to: Option<S>,
    done: Option<S::Ok>,
    /// The error of the serializer.
    theirs: Option<S::Error>,
    is_key: bool,
    shared: &'a mut Shared<'s>,
}

impl<'s, S: Serializer> Place<'_, 's, S> {
    /// Writes the value.
    #[inline]
    fn put(&mut self, write: impl FnOnce(S, &mut Shared<'s>) -> Result<S::Ok, S::Error>) -> Result {
        let to = self.to.take().ok_or_else(bridge::misuse)?;
        match write(to, self.shared) {
            Ok(done) => {
                self.done = Some(done);
                Ok(())
            }
            Err(theirs) => Err(self.keep(theirs)),
        }
    }

    #[cold]
    fn keep(&mut self, theirs: S::Error) -> Error {
        let ours = self.shared.take_error(&theirs, ErrorKind::Unsupported);
        self.theirs = Some(theirs);
        ours
    }

    /// Writes a null: as an absent option, or as a unit.
    fn put_null(&mut self, write: impl FnOnce(S) -> Result<S::Ok, S::Error>) -> Result {
        let done = self.put(|to, _| write(to));
        self.shared.null_refused |= done.is_err();
        done
    }

    /// Saves a scalar whose form depends on the format.
    fn other_scalar(&mut self, value: Scalar<'_>) -> Result {
        let (describes, is_key) = (self.shared.manner.describes, self.is_key);
        if let Scalar::Unit = value {
            // Not every format reads its unit as an absent option.
            let none = |to: S| if describes { to.serialize_none() } else { to.serialize_unit() };
            return self.put_null(none);
        }
        self.put(|to, shared| match value {
            // Few formats that describe themselves have integers of more than 64 bits.
            Scalar::U128(v) if describes => match (i64::try_from(*v), u64::try_from(*v)) {
                (Ok(v), _) => to.serialize_i64(v),
                (_, Ok(v)) => to.serialize_u64(v),
                _ => to.serialize_str(&v.to_string()),
            },
            Scalar::I128(v) if describes => write_int(*v, to),
            Scalar::U128(v) => to.serialize_u128(*v),
            Scalar::I128(v) => to.serialize_i128(*v),
            Scalar::Char(v) if describes => write_text(v.encode_utf8(&mut [0; 4]), is_key, to),
            Scalar::Char(v) => to.serialize_char(*v),
            Scalar::String(v) => write_text(v, is_key, to),
            Scalar::Str(v) => write_text(v, is_key, to),
            Scalar::Bytes(v) => write_bytes(v, to, shared),
            Scalar::ByteSlice(v) => write_bytes(v, to, shared),
            // The function above handles all others.
            _ => Err(S::Error::custom("unsupported scalar")),
        })
    }

    #[inline]
    fn enter(&mut self) -> Result<S> {
        let Shared { session, options, .. } = &mut *self.shared;
        session.enter(options)?;
        self.to.take().ok_or_else(bridge::misuse)
    }

    #[inline]
    fn leave(&mut self, done: S::Ok) -> Result {
        self.shared.session.leave();
        self.done = Some(done);
        Ok(())
    }

    // Separate functions, because one function for all would need more stack for each level.

    #[inline]
    fn save_members<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        let to = self.enter()?;
        let version = self.shared.options.settings().targets().version_of(class);
        let outer = self.shared.session.set_version(version);
        let Shared { session, options, manner, plans, .. } = &mut *self.shared;
        let how = (manner.describes, to.is_human_readable());
        let plan = plans.of(class);
        let layout = layout(class, body, version, plan, (session, options), how)
            .map_err(|error| error.in_class(class))?;
        let shared = (&mut *self.shared, &mut self.theirs);
        let mut members = Members::open(to, (layout, plan.name), class, version, shared)?;
        let run = body.run(&mut members);
        let done = run.and_then(|()| members.end()).map_err(|error| error.in_class(class))?;
        self.shared.session.set_version(outer);
        self.leave(done)
    }

    #[inline]
    fn save_seq<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        let to = self.enter()?;
        let len = (len != UNCOUNTED).then_some(len);
        self.shared.count_list(shape, len)?;
        let mut items = Items::open(to, shape, len, (self.shared, &mut self.theirs))?;
        body.run(&mut items)?;
        let done = items.end()?;
        self.leave(done)
    }

    fn save_map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        let Shared { session, options, manner, .. } = &*self.shared;
        let named = manner.describes && session.names_keys(shape, options);
        if manner.describes && !named && !has_text_keys(shape) {
            return self.save_seq(shape, len, body);
        }
        let len = (len != UNCOUNTED).then_some(len);
        let to = self.enter()?;
        let mut entries = Entries::open(to, (shape, named), len, (self.shared, &mut self.theirs))?;
        body.run(&mut entries)?;
        let done = entries.end()?;
        self.leave(done)
    }

    fn save_option<B: Body>(
        &mut self,
        shape: &'static Shape,
        present: bool,
        null: bool,
        body: &mut B,
    ) -> Result<bool> {
        let inner = match shape {
            Shape::Option(inner) => inner.get(),
            shape => shape,
        };
        // Formats that do not describe themselves can store nested options directly.
        let wrapped = present && null && self.shared.manner.describes;
        if wrapped {
            let Shared { session, options, .. } = &mut *self.shared;
            session.enter(options)?;
        }
        if !present {
            self.put_null(S::serialize_none)?;
            return Ok(false);
        }
        self.put(|to, shared| {
            if wrapped {
                to.serialize_some(&Wrapped(Nested::new(body, inner, shared)))
            } else {
                to.serialize_some(&Nested::new(body, inner, shared))
            }
        })?;
        if wrapped {
            self.shared.session.leave();
        }
        Ok(true)
    }
}

/// Returns whether a map with such keys is a map in every format.
fn has_text_keys(shape: &Shape) -> bool {
    let Shape::Map(key, _) = shape else { return false };
    matches!(key.get(), Shape::Primitive(Primitive::Str | Primitive::Char, _))
}

impl<S: Serializer> Visitor for Place<'_, '_, S> {
    parts!(saving);

    /// Where the function of a type runs, the kind of the scalar is a constant.
    #[inline(always)]
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        match value {
            Scalar::Bool(v) => self.put(|to, _| to.serialize_bool(*v)),
            Scalar::U8(v) => self.put(|to, _| to.serialize_u8(*v)),
            Scalar::U16(v) => self.put(|to, _| to.serialize_u16(*v)),
            Scalar::U32(v) => self.put(|to, _| to.serialize_u32(*v)),
            Scalar::U64(v) => self.put(|to, _| to.serialize_u64(*v)),
            Scalar::I8(v) => self.put(|to, _| to.serialize_i8(*v)),
            Scalar::I16(v) => self.put(|to, _| to.serialize_i16(*v)),
            Scalar::I32(v) => self.put(|to, _| to.serialize_i32(*v)),
            Scalar::I64(v) => self.put(|to, _| to.serialize_i64(*v)),
            Scalar::F32(v) => self.put(|to, _| write_f32(*v, to)),
            Scalar::F64(v) => self.put(|to, _| write_f64(*v, to)),
            other => self.other_scalar(other),
        }
    }

    fn defers(&self) -> bool {
        self.shared.session.defers(self.shared.options, pointer::LEVELS)
    }
    fn fixed_members(&self) -> bool {
        !self.shared.manner.describes
    }
    fn fixed_shape(&self) -> bool {
        !self.shared.manner.describes
    }
}

impl<S: Serializer> Walk for Place<'_, '_, S> {
    way!(saving);
    #[inline(always)]
    fn run_elsewhere<B: Body>(&mut self, step: Step, body: &mut B) -> Result<bool> {
        match step {
            Step::Object(class) => self.save_members(class, body)?,
            Step::Seq(shape, len) => self.save_seq(shape, len, body)?,
            Step::Map(shape, len) => self.save_map(shape, len, body)?,
            Step::Option(shape, some, null) => return self.save_option(shape, some, null, body),
            _ => return Err(bridge::misuse()),
        }
        Ok(true)
    }

    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        let describes = self.shared.manner.describes;
        if const { B::TAGGED }
            && let Some(tag) = info.tag
            && describes
            && !self.is_key
        {
            return bridge::save_tagged(self, info, tag, body);
        }
        if let Some(name) = body.other_name()
            && describes
            && info.find(name).is_none()
        {
            return self.put(|to, _| to.serialize_str(name));
        }
        let index = body.current();
        let variant = info.variant(index)?;
        let shape = match variant.payload {
            Payload::Unit if describes => return self.put(|to, _| to.serialize_str(variant.name)),
            Payload::Unit => {
                return self.put(|to, _| {
                    to.serialize_unit_variant(info.name(), index as u32, variant.name)
                });
            }
            Payload::Newtype(inner) => inner.get(),
            Payload::Tuple(_) | Payload::Struct(_) => &Shape::Dyn,
        };
        let to = self.enter()?;
        let mut payload = PayloadOf(body);
        let value = Nested::new(&mut payload, shape, self.shared);
        let done = if describes {
            to.serialize_map(Some(1)).and_then(|mut map| {
                put_entry(&mut map, variant.name, &value)?;
                map.end()
            })
        } else {
            to.serialize_newtype_variant(info.name(), index as u32, variant.name, &value)
        };
        let done = done.map_err(|theirs| {
            let error = refused(self.shared, theirs, &mut self.theirs);
            error.in_member(variant.name).in_variant(info, variant)
        })?;
        self.leave(done)
    }

    fn save_pointer<B: Body>(&mut self, head: &PointerHead<'_>, body: &mut B) -> Result {
        if head.kind == PointerKind::Null && self.shared.manner.describes {
            let Shared { session, options, .. } = &mut *self.shared;
            session.enter(options)?;
            session.leave();
            return self.put_null(S::serialize_none);
        }
        let tracked = head.kind == PointerKind::Stored;
        let outermost = self.shared.session.open_pointer(tracked);
        let to = self.enter()?;
        let done = pointer::save(to, head, body, outermost, self.shared);
        let done = done.map_err(|theirs| refused(self.shared, theirs, &mut self.theirs))?;
        self.shared.session.close_pointer(tracked);
        self.leave(done)
    }
}

/// Writes text. A key that begins with `$` gets another `$`, so that it is not one of a pointer's
/// names.
fn write_text<S: Serializer>(text: &str, is_key: bool, to: S) -> Result<S::Ok, S::Error> {
    if is_key && text.starts_with('$') {
        to.serialize_str(&format!("${text}"))
    } else {
        to.serialize_str(text)
    }
}

fn write_bytes<S: Serializer>(
    bytes: &[u8],
    to: S,
    shared: &mut Shared<'_>,
) -> Result<S::Ok, S::Error> {
    match shared.session.count_bytes(bytes, shared.options) {
        Ok(()) => to.serialize_bytes(bytes),
        Err(ours) => Err(S::Error::custom(shared.stash_error(ours))),
    }
}
