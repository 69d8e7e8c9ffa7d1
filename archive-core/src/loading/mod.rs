//! [`Loading`]: an [`Archive`] over a [`Decoder`].

mod pointers;

use crate::archive::{Archive, Body, Keyed, LoadAny, Variants};
use crate::decoder::{Decoder, Kind, MapForm};
use crate::erased::Erased;
use crate::error::{Error, ErrorKind, List, Result};
use crate::key::KeyDecoder;
use crate::options::Options;
use crate::pointer::LoadPointer;
use crate::saving::check_name;
use crate::scalar::Scalar;
use crate::session::{NoteKind, Session};
use crate::shape::{Class, Enum, Member, Payload, Shape};

/// The [`Archive`] that loads from a [`Decoder`]. With a concrete decoder it is compiled for that
/// format; with `dyn Decoder` it serves any.
pub struct Loading<'a, D: Decoder + ?Sized> {
    pub(crate) decoder: &'a mut D,
    pub(crate) session: &'a mut Session,
    pub(crate) options: &'a Options<'a>,
}

/// The name of a place, for paths.
#[derive(Clone, Copy)]
enum Place<'n> {
    Member(&'n str),
    Item(usize),
}

impl<'a, D: Decoder + ?Sized> Loading<'a, D> {
    /// An archive over its parts.
    pub fn new(decoder: &'a mut D, session: &'a mut Session, options: &'a Options<'a>) -> Self {
        Loading { decoder, session, options }
    }

    /// Loads the one root of the input, with everything its pointers need. If that fails, all
    /// objects made so far are emptied, so that dropping them neither recurses nor leaks.
    ///
    /// # Errors
    /// Those of the value and of the decoder.
    pub fn root<B: Body>(&mut self, shape: &'static Shape, body: &mut B) -> Result {
        let result = self.try_root(shape, body);
        if result.is_err() {
            self.session.loaded.abandon(self.options);
        }
        result
    }

    fn try_root<B: Body>(&mut self, shape: &'static Shape, body: &mut B) -> Result {
        self.decoder.begin_root(shape)?;
        self.place(None, body)?;
        self.finish_pointers()?;
        self.decoder.end_root()
    }

    /// Loads one of several roots, with everything its pointers need.
    pub(crate) fn named_root<B: Body>(
        &mut self,
        name: &str,
        shape: &'static Shape,
        body: &mut B,
    ) -> Result {
        let result = self.slot(name, shape, body).and_then(|()| self.finish_pointers());
        if result.is_err() {
            self.session.loaded.abandon(self.options);
        }
        result
    }

    pub(crate) fn dynamic<'s>(&'s mut self) -> Loading<'s, dyn Decoder + 's> {
        Loading { decoder: self.decoder.as_dyn(), session: self.session, options: self.options }
    }

    /// Runs `body` on the value at the cursor and puts the place's name before the paths of what
    /// it met.
    #[inline]
    fn place<B: Body>(&mut self, place: Option<Place<'_>>, body: &mut B) -> Result {
        if self.options.keep_going {
            return self.place_keep_going(place, body);
        }
        let since = self.session.report.len();
        match body.run(self) {
            Ok(()) => {
                if self.session.report.len() != since {
                    self.prefix_notes(since, place);
                }
                Ok(())
            }
            Err(error) => Err(self.prefix_error(error, place)),
        }
    }

    /// As [`place`](Loading::place), but an error that is not one of syntax goes into the report.
    #[cold]
    fn place_keep_going<B: Body>(&mut self, place: Option<Place<'_>>, body: &mut B) -> Result {
        let since = self.session.report.len();
        let mark = self.decoder.mark();
        let levels = self.session.levels();
        if let Err(error) = body.run(self) {
            let fatal = matches!(
                error.kind(),
                ErrorKind::Syntax
                    | ErrorKind::UnexpectedEnd
                    | ErrorKind::DepthLimit
                    | ErrorKind::SizeLimit
            );
            let error = error.at(self.decoder.position());
            if fatal || place.is_none() {
                return Err(self.prefix_error(error, place));
            }
            self.decoder.recover(mark);
            self.session.set_levels(levels);
            self.decoder.skip()?;
            self.session.report.errors.push(error);
        }
        self.prefix_notes(since, place);
        Ok(())
    }

    #[cold]
    fn prefix_notes(&mut self, since: (usize, usize), place: Option<Place<'_>>) {
        match place {
            Some(Place::Member(name)) => self.session.report.in_member(since, name),
            Some(Place::Item(index)) => self.session.report.in_item(since, index),
            None => {}
        }
    }

    #[cold]
    fn prefix_error(&mut self, error: Error, place: Option<Place<'_>>) -> Error {
        let error = error.at(self.decoder.position());
        match place {
            Some(Place::Member(name)) => error.in_member(name),
            Some(Place::Item(index)) => error.in_item(index),
            None => error,
        }
    }

    #[cold]
    fn absent(&mut self, name: &str) {
        if self.session.reporting {
            self.session.report.add(name, NoteKind::Absent);
        }
    }

    /// Notes the conversion that the scalar just read went through.
    #[cold]
    fn note_conversion(&mut self) {
        if let Some((from, to)) = self.decoder.take_conversion() {
            let kind = NoteKind::Converted { from: from.name(), to: to.name() };
            self.session.report.add("", kind);
        }
    }

    #[inline]
    pub(crate) fn close_object(&mut self, class: &'static Class) -> Result {
        let (session, options) = (&mut *self.session, self.options);
        self.decoder.end_object(&mut |name| unknown(name, class, session, options))
    }
}

/// A member that the type does not have.
#[cold]
fn unknown(
    name: &str,
    class: &'static Class,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    if name == "$version" {
        return Err(match class.version {
            0 => newer(class, None),
            _ => Error::new(ErrorKind::Syntax, "`$version` must be the first member"),
        });
    }
    if options.strict {
        let message = format_args!("`{}` has no such member", class.name());
        return Err(Error::new(ErrorKind::UnknownMember, message).in_member(name));
    }
    if session.reporting {
        session.report.add(name, NoteKind::Unknown);
    }
    Ok(())
}

#[cold]
fn newer(class: &Class, found: Option<u32>) -> Error {
    let (name, version) = (class.name(), class.version);
    let message = match found {
        Some(found) => format!("version {found} of `{name}`"),
        None => format!("a version of `{name}`"),
    };
    Error::new(
        ErrorKind::NewerVersion,
        format_args!("{message} is newer than the program, which knows version {version}"),
    )
}

impl<D: Decoder + ?Sized> Archive for Loading<'_, D> {
    #[inline]
    fn is_loading(&self) -> bool {
        true
    }
    fn erased(&mut self) -> Erased<'_> {
        Erased::loading(self.dynamic())
    }
    #[inline]
    fn parts(&self) -> (&Session, &Options<'_>) {
        (self.session, self.options)
    }
    #[inline]
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (self.session, self.options)
    }

    #[inline]
    fn slot<B: Body>(&mut self, name: &str, _: &'static Shape, body: &mut B) -> Result {
        check_name(name)?;
        if !self.decoder.member(name)? {
            self.absent(name);
            return Ok(());
        }
        self.place(Some(Place::Member(name)), body)
    }

    #[inline]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        if !self.decoder.member(info.name)? {
            let mut found = false;
            for alias in info.aliases {
                found = self.decoder.member(alias)?;
                if found {
                    break;
                }
            }
            if !found {
                self.absent(info.name);
                return Ok(());
            }
        }
        self.place(Some(Place::Member(info.name)), body)
    }

    #[inline(always)]
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        match value {
            Scalar::Unit => self.decoder.null()?,
            Scalar::Bool(v) => *v = self.decoder.bool()?,
            Scalar::U8(v) => *v = self.decoder.u8()?,
            Scalar::U16(v) => *v = self.decoder.u16()?,
            Scalar::U32(v) => *v = self.decoder.u32()?,
            Scalar::U64(v) => *v = self.decoder.u64()?,
            Scalar::U128(v) => *v = self.decoder.u128()?,
            Scalar::I8(v) => *v = self.decoder.i8()?,
            Scalar::I16(v) => *v = self.decoder.i16()?,
            Scalar::I32(v) => *v = self.decoder.i32()?,
            Scalar::I64(v) => *v = self.decoder.i64()?,
            Scalar::I128(v) => *v = self.decoder.i128()?,
            Scalar::F32(v) => *v = self.decoder.f32()?,
            Scalar::F64(v) => *v = self.decoder.f64()?,
            Scalar::Char(v) => *v = self.decoder.char()?,
            Scalar::String(v) => self.decoder.string(v)?,
            Scalar::Bytes(v) => self.decoder.bytes(v)?,
            Scalar::Str(_) | Scalar::ByteSlice(_) => return Err(read_only()),
        }
        if self.session.reporting {
            self.note_conversion();
        }
        Ok(())
    }

    #[inline]
    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        self.session.enter(self.options)?;
        self.decoder.begin_object(class)?;
        let outer = self.session.version();
        if class.version != 0 {
            let version = self.decoder.version()?;
            if version > class.version {
                return Err(newer(class, Some(version)).at(self.decoder.position()));
            }
            self.session.set_version(version);
        } else {
            self.session.set_version(0);
        }
        body.run(self)?;
        self.session.set_version(outer);
        self.close_object(class)?;
        self.session.leave();
        Ok(())
    }

    #[inline]
    fn seq<B: Body>(&mut self, shape: &'static Shape, _: usize, body: &mut B) -> Result {
        self.session.enter(self.options)?;
        self.session.size_hint = self.decoder.begin_seq(shape)?;
        body.run(self)?;
        self.decoder.end_seq()?;
        self.session.leave();
        Ok(())
    }

    #[inline]
    fn size_hint(&self) -> usize {
        self.session.size_hint
    }

    #[inline]
    fn item<B: Body>(&mut self, index: usize, body: &mut B) -> Result<bool> {
        if !self.decoder.next_item()? {
            return Ok(false);
        }
        self.session.count(self.options)?;
        self.place(Some(Place::Item(index)), body)?;
        Ok(true)
    }

    fn map<B: Body>(&mut self, shape: &'static Shape, _: usize, body: &mut B) -> Result {
        self.session.enter(self.options)?;
        let form = self.decoder.begin_map(shape)?;
        let outer = std::mem::replace(&mut self.session.keyed, form == MapForm::Object);
        self.session.size_hint = if let MapForm::Pairs(hint) = form { hint } else { 0 };
        body.run(self)?;
        self.session.keyed = outer;
        match form {
            MapForm::Object => self.decoder.end_object(&mut |_| Ok(()))?,
            MapForm::Pairs(_) => self.decoder.end_seq()?,
        }
        self.session.leave();
        Ok(())
    }

    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        if !self.session.keyed {
            return self.item(index, &mut crate::impls::Pair(key, value));
        }
        let Some(name) = self.decoder.next_key()? else { return Ok(false) };
        let name = name.into_owned();
        self.session.count(self.options)?;
        let mut text = KeyDecoder::new(&name);
        let mut inside = Loading::new(&mut text, self.session, self.options);
        if let Err(error) = key.run(&mut inside) {
            return Err(error.at(self.decoder.position()).in_member(&name));
        }
        self.session.keyed = false;
        self.place(Some(Place::Member(&name)), value)?;
        self.session.keyed = true;
        Ok(true)
    }

    #[inline]
    fn option<B: Body>(
        &mut self,
        shape: &'static Shape,
        _: bool,
        nullable: bool,
        body: &mut B,
    ) -> Result<bool> {
        if !self.decoder.begin_option(shape, nullable)? {
            return Ok(false);
        }
        body.run(self)?;
        self.decoder.end_option(nullable)?;
        Ok(true)
    }

    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        self.session.enter(self.options)?;
        let head = self.decoder.begin_variant(info)?;
        match head.index {
            Ok(index) => {
                body.select(index, self.options)?;
                let variant = &info.variants[index];
                let unit = matches!(variant.payload, Payload::Unit);
                if head.payload && unit {
                    self.decoder.skip()?;
                } else if head.payload {
                    let place = Some(Place::Member(variant.name));
                    self.place(place, &mut crate::archive::PayloadOf(body))?;
                } else if !unit {
                    self.absent(variant.name);
                }
            }
            Err(name) => {
                if !body.select_other(&name, self.options) {
                    return Err(unknown_variant(info, &name).at(self.decoder.position()));
                }
                if head.payload {
                    self.decoder.skip()?;
                }
            }
        }
        if head.payload {
            self.decoder.end_variant()?;
        }
        self.session.leave();
        Ok(())
    }

    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        self.pointer(target)
    }

    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        let Some(name) = self.decoder.next_key()? else { return Ok(false) };
        let name = name.into_owned();
        self.session.count(self.options)?;
        body.key(&name);
        self.place(Some(Place::Member(&name)), &mut KeyedBody(body))?;
        Ok(true)
    }

    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        match self.decoder.peek()? {
            Kind::Null => {
                self.decoder.null()?;
                target.null();
            }
            Kind::Bool => target.bool(self.decoder.bool()?),
            Kind::Number => target.number(self.decoder.number()?),
            Kind::Str => target.str(self.decoder.str()?),
            Kind::Bytes => {
                let mut bytes = Vec::new();
                self.decoder.bytes(&mut bytes)?;
                target.bytes(bytes);
            }
            Kind::Seq => self.seq(&Shape::Any, 0, &mut AnySeq(target))?,
            Kind::Object => {
                self.session.enter(self.options)?;
                self.decoder.begin_object(&crate::value::CLASS)?;
                target.object(self)?;
                self.decoder.end_object(&mut |_| Ok(()))?;
                self.session.leave();
            }
            Kind::Pointer => self.any_pointer(target)?,
        }
        Ok(())
    }
}

struct AnySeq<'a, B>(&'a mut B);

impl<B: LoadAny> Body for AnySeq<'_, B> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.seq(ar)
    }
}

struct KeyedBody<'a, B>(&'a mut B);

impl<B: Keyed> Body for KeyedBody<'_, B> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.load(ar)
    }
}

#[cold]
fn read_only() -> Error {
    Error::custom("text behind a shared reference cannot be loaded")
}

#[cold]
fn unknown_variant(info: &Enum, name: &str) -> Error {
    let known: Vec<&str> = info.variants.iter().map(|variant| variant.name).collect();
    Error::new(
        ErrorKind::UnknownVariant,
        format_args!("`{}` has no variant `{name}`; it has {}", info.name(), List(&known)),
    )
}
