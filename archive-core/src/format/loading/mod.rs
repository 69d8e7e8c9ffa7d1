//! [`Loading`]: an [`Archive`] over a [`Decoder`].

mod absent;
mod any;
mod archive;
mod file_order;
mod map;
mod passes;
mod pointee;
mod pointers;
pub(crate) mod refuse;
mod unknown;
mod variant;

pub(crate) use absent::Absent;

use crate::format::decoder::Decoder;
use crate::model::error::{Error, ErrorKind, Position, Result};
use crate::model::mark::Mark;
use crate::model::shape::{Class, Enum, Primitive, Shape, Variant};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::body::Body;
use crate::visit::erased::{Erased, Loads, Way};
use crate::visit::session::Levels;
use crate::visit::session::{Extent, NoteKind, Place, Session};
use crate::visit::visited::Visited;

/// The [`Archive`] that loads from a [`Decoder`]. With a concrete decoder it is compiled for that
/// format; with `dyn Decoder` it works with any format.
///
/// With `FILE_ORDER`, members of derived types are loaded in file order: see
/// [`Loading::in_file_order`].
pub struct Loading<'a, D: Decoder + ?Sized, const FILE_ORDER: bool = false> {
    pub(crate) decoder: &'a mut D,
    pub(crate) session: &'a mut Session,
    pub(crate) options: &'a Options<'a>,
}

/// The state before a value, if a report is made.
struct Before {
    since: Extent,
    /// The position and the levels at which the load can continue after the value, if errors are
    /// collected.
    resume: Option<(Mark, Levels)>,
}

impl<'a, D: Decoder + ?Sized> Loading<'a, D> {
    /// Creates an archive.
    pub fn new(decoder: &'a mut D, session: &'a mut Session, options: &'a Options<'a>) -> Self {
        Loading { decoder, session, options }
    }
}

impl<'a, D: Decoder + ?Sized> Loading<'a, D, true> {
    /// Creates an archive that lets the decoder choose the next member ([`Decoder::next_member`]).
    /// It does so for types that can load their members in any order, if no report is made. For
    /// decoders that find members by name.
    pub fn in_file_order(
        decoder: &'a mut D,
        session: &'a mut Session,
        options: &'a Options<'a>,
    ) -> Self {
        Loading { decoder, session, options }
    }
}

impl<D: Decoder + ?Sized, const FILE_ORDER: bool> Loading<'_, D, FILE_ORDER> {
    /// Returns the parts of the archive, for a format with its own archive.
    #[doc(hidden)]
    pub fn as_parts(&mut self) -> (&mut D, &mut Session, &Options<'_>) {
        (self.decoder, self.session, self.options)
    }

    /// Loads the one root of the input, including everything that its pointers need. If the load
    /// fails, all objects created so far are emptied, so that dropping them neither recurses nor
    /// leaks.
    pub fn root<B: Body>(&mut self, shape: &'static Shape, body: &mut B) -> Result {
        self.root_by(shape, |this| this.value(body))
    }

    /// Like [`root`](Loading::root), through [`Erased`], so that it is compiled once for all
    /// formats.
    pub fn root_erased<B: Body>(&mut self, shape: &'static Shape, body: &mut B) -> Result {
        let visit = &mut |ar: &mut Erased<'_>| body.run(&mut ar.erased().loading());
        if B::FACTS.fresh {
            self.root(shape, &mut Visited::<true>(visit))
        } else {
            self.root(shape, &mut Visited::<false>(visit))
        }
    }

    /// Loads the value at the cursor.
    #[doc(hidden)]
    pub fn value<B: Body>(&mut self, body: &mut B) -> Result {
        self.load_at(None, body)
    }

    /// Like [`value`](Loading::value), through [`Erased`], so that each type is compiled for no
    /// second way of loading.
    #[doc(hidden)]
    pub fn value_erased<B: Body>(&mut self, body: &mut B) -> Result {
        self.value_as::<Loads, B>(body)
    }

    /// Like [`value_erased`](Loading::value_erased), with another direction that loads.
    #[doc(hidden)]
    pub fn value_as<W: Way, B: Body>(&mut self, body: &mut B) -> Result {
        self.value(&mut Visited::<false>(&mut |ar| body.run(&mut ar.erased().loading_as::<W>())))
    }

    /// Like [`root`](Loading::root); `load` loads the value.
    #[doc(hidden)]
    pub fn root_by(
        &mut self,
        shape: &'static Shape,
        load: impl FnMut(&mut Self) -> Result,
    ) -> Result {
        let result = self.try_root(shape, load);
        match result {
            Err(_) => self.session.loaded.abandon(self.options),
            Ok(()) => self.session.left_out(self.options),
        }
        result
    }

    fn try_root(
        &mut self,
        shape: &'static Shape,
        mut load: impl FnMut(&mut Self) -> Result,
    ) -> Result {
        self.session.trees.whole = shape.is_any();
        self.session.begin_root();
        self.decoder.begin_root(shape)?;
        self.measure();
        self.session.loaded.expect(self.decoder.objects());
        self.in_passes(shape, |this| load(this))?;
        self.decoder.end_root()?;
        if self.session.looks() || self.options.strict { self.check_layout() } else { Ok(()) }
    }

    #[cold]
    fn check_layout(&mut self) -> Result {
        match self.decoder.check_layout() {
            Err(error) if self.options.strict => Err(error),
            Err(_) => {
                self.session.note(NoteKind::OtherLayout);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Passes the current length of the input to the session.
    #[inline]
    pub(super) fn measure(&mut self) {
        if let Some(len) = self.decoder.input_len() {
            self.session.set_input(len, self.options);
        }
    }

    /// Returns whether errors go into the report instead of ending the load.
    #[inline]
    fn keeps_going(&self) -> bool {
        self.session.keeps_going(self.options)
    }

    /// Runs `body` on the value at the cursor, and prepends `place` to the paths of its notes and
    /// errors.
    ///
    /// There is only one call of the body, and the code around the call does not depend on the
    /// body's type. Both keep the program small.
    #[inline]
    fn load_at<B: Body>(&mut self, place: Option<Place<'_>>, body: &mut B) -> Result {
        let before = if self.session.is_reporting() { Some(self.before()) } else { None };
        let result = body.run(self);
        match before {
            None => match result {
                Ok(()) => Ok(()),
                Err(error) => Err(self.prefix_error(error, place)),
            },
            Some(before) => self.reported(place, before, result),
        }
    }

    #[cold]
    fn before(&mut self) -> Before {
        self.measure();
        let since = self.session.report().extent();
        let resume = self.keeps_going().then(|| (self.decoder.mark(), self.session.levels()));
        Before { since, resume }
    }

    /// The part of [`load_at`](Loading::load_at) after the body if there is a report: prepends
    /// `place` to the paths of notes, and puts an error into the report if the load may continue.
    #[cold]
    fn reported(&mut self, place: Option<Place<'_>>, before: Before, result: Result) -> Result {
        if let Err(error) = result {
            let error = self.located(error);
            let error = match before.resume {
                Some((mark, levels)) if place.is_some() => self.collect(error, mark, levels).err(),
                _ => Some(error),
            };
            if let Some(error) = error {
                if let Some(place) = place {
                    self.session.within(before.since, place);
                }
                return Err(self.prefix_error(error, place));
            }
            self.decoder.skip()?;
        }
        if before.resume.is_some() || self.session.report().extent() != before.since {
            if let Some(place) = place {
                self.session.within(before.since, place);
            }
            self.session.check_errors(self.options)?;
            if let Err(error) = self.session.report_fits() {
                return Err(self.prefix_error(error, place));
            }
        }
        Ok(())
    }

    /// Puts an error into the report and returns to the state before the value, or returns the
    /// error if the load cannot continue.
    #[cold]
    fn collect(&mut self, error: Error, mark: Mark, levels: Levels) -> Result {
        let fatal = matches!(
            error.kind(),
            ErrorKind::Io
                | ErrorKind::Syntax
                | ErrorKind::UnexpectedEnd
                | ErrorKind::DepthLimit
                | ErrorKind::SizeLimit
                | ErrorKind::MissingContext
        );
        if fatal || !self.keeps_going() {
            return Err(error);
        }
        self.session.collect_error(error, self.options);
        self.decoder.recover(mark);
        // The decoder must drop the conversion that failed. Otherwise it would be reported for the
        // next value.
        self.decoder.take_conversion(Primitive::Unit);
        self.session.set_levels(levels);
        Ok(())
    }

    /// Adds the position of the value that the error is about.
    #[doc(hidden)]
    #[cold]
    pub fn located(&mut self, error: Error) -> Error {
        let at = if error.is_unread() {
            let mark = self.decoder.mark();
            self.decoder.position_of(mark)
        } else {
            self.decoder.position()
        };
        error.at(at)
    }

    #[cold]
    fn prefix_error(&mut self, error: Error, place: Option<Place<'_>>) -> Error {
        let error = self.located(error);
        match place {
            Some(place) => place.of(error),
            None => error,
        }
    }

    #[cold]
    pub(super) fn absent(&mut self) -> Absent<'_, '_, impl Fn() -> Position> {
        let Loading { decoder, session, options } = self;
        Absent { session, options, at: || decoder.position() }
    }

    /// Adds a note about the conversion, if there was one, of the scalar just read. Its type is
    /// `to`.
    #[cold]
    fn note_conversion(&mut self, to: Primitive) {
        if let Some((from, to)) = self.decoder.take_conversion(to) {
            let kind = NoteKind::Converted { from: from.name(), to: to.name() };
            self.session.note(kind);
        }
    }

    /// Skips the members of the innermost object that were not read, and closes it.
    ///
    /// # Errors
    /// Errors of the decoder; [`ErrorKind::UnknownMember`] if the options are strict.
    #[inline]
    pub fn close_object(&mut self, class: &'static Class) -> Result {
        let (session, options) = (&mut *self.session, self.options);
        self.decoder.end_object(&mut |name| refuse::unknown_member(name, class, session, options))
    }

    /// Loads the content of an object that was just opened, and closes it.
    #[inline]
    fn inside<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        let outer = self.begin_version(class)?;
        body.run(self)?;
        self.session.set_version(outer);
        self.close_object(class)
    }

    /// Reads the version of an object that was just opened, and returns the version of the outer
    /// object.
    #[inline]
    fn begin_version(&mut self, class: &'static Class) -> Result<u32> {
        let version = self.decoder.version(class)?;
        if version > class.version {
            return Err(refuse::newer(class, version).at(self.decoder.position()));
        }
        Ok(self.session.set_version(version))
    }

    #[cold]
    fn in_class(&mut self, error: Error, class: &'static Class) -> Error {
        self.located(error).in_class(class)
    }

    /// Adds the enum to the errors that were collected since.
    #[cold]
    fn leave_variant(&mut self, info: &'static Enum, variant: &'static Variant, since: Extent) {
        let errors = &mut self.session.reporting.report.errors[since.errors..];
        errors.iter_mut().for_each(|error| error.set_variant(info, variant));
    }
}
