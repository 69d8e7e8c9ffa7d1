//! Loads pointers: heads, objects that are stored elsewhere, and deferred objects.
// Why: docs/decisions/pointers.md#an-id-before-its-object-makes-a-blank-object

use super::{Loading, refuse};
use crate::format::decoder::Decoder;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::head::{LoadedHead, PointerKind, Step, not_stored};
use crate::model::mark::Mark;
use crate::model::shape::POINTER;
use crate::visit::archive::Archive;
use crate::visit::body::{Body, LoadPointer};
use crate::visit::erased::Erased;
use crate::visit::object::Handle;
use crate::visit::session::{Place, State};

impl<D: Decoder + ?Sized, const FILE_ORDER: bool> Loading<'_, D, FILE_ORDER> {
    /// Loads the pointer at the cursor.
    pub(super) fn pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        self.session.enter(self.options)?;
        self.decoder.expect(target.shape());
        let at = self.decoder.mark();
        let head = self.decoder.begin_pointer()?;
        if head.kind == PointerKind::Plain {
            return self.plain(at, target);
        }
        let (kind, id) = (head.kind, head.id);
        let step = match target.begin(&head, at, self.session, self.options) {
            Ok(step) => step,
            Err(error) => return Err(error.at(self.decoder.position_of(at))),
        };
        if step == Step::Load {
            self.session.announce(&head, self.options);
        }
        self.follow(step, (kind, id), at, target)
    }

    /// Continues with the pointer at the cursor and performs `step`. `target` has already received
    /// the pointer's head from another archive.
    #[doc(hidden)]
    pub fn resume_pointer<B: LoadPointer>(&mut self, step: Step, target: &mut B) -> Result {
        let at = self.decoder.mark();
        let head = self.decoder.begin_pointer()?;
        let (kind, id) = (head.kind, head.id);
        self.follow(step, (kind, id), at, target)
    }

    /// Loads a pointer from a value at the cursor that is not a pointer: the content of the object,
    /// or the value in the wrapper of an option.
    #[cold]
    fn plain<B: LoadPointer>(&mut self, at: Mark, target: &mut B) -> Result {
        if self.at_pointer()? {
            self.session.leave();
            let outer = self.enter_pointee(None)?;
            self.pointer(target)?;
            return self.leave_pointee(outer);
        }
        let head = LoadedHead { kind: PointerKind::Plain, id: 0, type_name: None };
        let step = match target.begin(&head, at, self.session, self.options) {
            Ok(step) => step,
            Err(error) => return Err(error.at(self.decoder.position_of(at))),
        };
        if step == Step::Load {
            self.session.announce(&head, self.options);
        }
        self.follow(step, (PointerKind::Plain, 0), at, target)
    }

    /// Performs the step that a pointer's head requires, and ends the pointer.
    fn follow<B: LoadPointer>(
        &mut self,
        step: Step,
        (kind, id): (PointerKind, u64),
        at: Mark,
        target: &mut B,
    ) -> Result {
        match step {
            Step::Done => {}
            Step::Load => {
                let loaded = target.load(self);
                self.session.end_pointee(id, at, loaded.is_ok());
                loaded?;
            }
            Step::Skip => self.decoder.skip()?,
            Step::Find => {}
        }
        self.close(kind)?;
        if step == Step::Find {
            self.find(id, at, target)?;
        }
        self.session.leave();
        Ok(())
    }

    /// Ends the pointer, after loading the objects in its list of deferred objects.
    pub(super) fn close(&mut self, kind: PointerKind) -> Result {
        match kind {
            PointerKind::Null | PointerKind::Plain => Ok(()),
            PointerKind::Stored => {
                if self.decoder.begin_deferred()? {
                    self.session.enter(self.options)?;
                    while self.decoder.next_item()? {
                        self.waiting_pointee(None)?;
                    }
                    self.decoder.end_seq()?;
                    self.session.leave();
                }
                self.end_pointer()
            }
            _ => self.end_pointer(),
        }
    }

    /// Skips the list of deferred objects at the end of a pointer whose own object was skipped. If
    /// the load needs one of these objects, it searches for it.
    pub(super) fn skip_deferred(&mut self) -> Result {
        if self.decoder.begin_deferred()? {
            while self.decoder.next_item()? {
                self.decoder.skip()?;
            }
            self.decoder.end_seq()?;
        }
        Ok(())
    }

    /// Closes the object that a pointer is stored as. Members that do not belong to the format
    /// itself are unknown to every type.
    fn end_pointer(&mut self) -> Result {
        let (session, options) = (&mut *self.session, self.options);
        self.decoder
            .end_pointer(&mut |name| refuse::unknown_member(name, &POINTER, session, options))
    }

    /// Runs `body` on the pointer with which the object `id` is stored. Returns `false` if there is
    /// none.
    pub(super) fn run_on_pointee<B: Body>(&mut self, id: u64, body: &mut B) -> Result<bool> {
        let Some(at) = self.pointee(id)? else { return Ok(false) };
        let here = self.decoder.mark();
        self.decoder.goto(at);
        self.load_at(Some(Place::Object(id)), body)?;
        self.decoder.goto(here);
        Ok(true)
    }

    /// Moves to the pointer with which the object is stored, and loads the pointer from there.
    fn find<B: LoadPointer>(&mut self, id: u64, at: Mark, target: &mut B) -> Result {
        match self.pointee(id)? {
            Some(pointee) => {
                let here = self.decoder.mark();
                self.decoder.goto(pointee);
                let head = self.decoder.begin_pointer()?;
                if head.kind != PointerKind::Stored || head.id != id {
                    return Err(not_stored(id).at(self.decoder.position_of(at)));
                }
                let prepared = target.prepare(&head, self.session, self.options);
                self.decoder.recover(here);
                if !prepared.map_err(|error| error.at(self.decoder.position_of(pointee)))? {
                    self.decoder.goto(pointee);
                    self.pointer(target)?;
                    self.decoder.goto(here);
                }
                Ok(())
            }
            None => match target.missing(id, self.session, self.options) {
                Ok(()) => self.session.loaded.mention(id, self.options),
                Err(error) => Err(error.at(self.decoder.position_of(at))),
            },
        }
    }

    /// Returns the position of the pointer with which an object is stored. Unless the decoder knows
    /// it, the first call searches the whole input.
    pub(super) fn pointee(&mut self, id: u64) -> Result<Option<Mark>> {
        if let Some(mark) = self.decoder.find_pointee(id) {
            return Ok(Some(mark));
        }
        if let Some(pointees) = self.session.loaded.pointees() {
            return Ok(pointees.get(&id).copied());
        }
        let mut pointees = std::collections::HashMap::new();
        let mut twice = None;
        self.decoder.find_pointees(&mut |id, mark| {
            if pointees.insert(id, mark).is_some() {
                twice = Some((id, mark));
            }
        })?;
        if let Some((id, mark)) = twice {
            let error =
                Error::new(ErrorKind::BadPointer, format_args!("object {id} is stored twice"));
            return Err(error.at(self.decoder.position_of(mark)));
        }
        let found = pointees.get(&id).copied();
        self.session.loaded.set_pointees(pointees);
        Ok(found)
    }

    /// Loads the object at the cursor, which was created at the first reference to it.
    fn waiting_pointee(&mut self, expected: Option<u64>) -> Result {
        self.session.enter(self.options)?;
        let at = self.decoder.mark();
        let head = self.decoder.begin_pointer()?;
        let (kind, id) = (head.kind, head.id);
        if kind != PointerKind::Stored || expected.is_some_and(|expected| expected != id) {
            let error =
                Error::new(ErrorKind::BadPointer, "expected an object, not a reference to one");
            return Err(error.at(self.decoder.position_of(at)));
        }
        let handle = match self.session.loaded.get(id) {
            Some(entry) if entry.state == State::Pending => {
                entry.advance(State::Loading, at);
                Some(entry.handle.clone())
            }
            Some(entry) if entry.state == State::Done && entry.is_at(at) => None,
            None => None,
            Some(_) => {
                let message = format_args!("object {id} is stored twice");
                let error = Error::new(ErrorKind::BadPointer, message);
                return Err(error.at(self.decoder.position_of(at)));
            }
        };
        match handle {
            Some(handle) => {
                self.session.announce(&head, self.options);
                self.fill(id, handle)?;
                self.session.end_pointee(id, at, true);
            }
            None => self.decoder.skip()?,
        }
        self.close(kind)?;
        self.session.leave();
        Ok(())
    }

    /// Loads the content of an object from the value at the cursor.
    pub(super) fn fill(&mut self, id: u64, handle: Handle) -> Result {
        self.load_at(Some(Place::Object(id)), &mut Fill(handle))
    }

    /// Loads all objects that were referred to but not read yet: objects in a member that the type
    /// does not have, or in a later root.
    pub(super) fn finish_pointers(&mut self) -> Result {
        self.fill_pending()?;
        self.session.resolve_weak();
        self.session.report_fits()
    }

    /// Like [`finish_pointers`](Loading::finish_pointers), while the root is still being loaded.
    /// Does nothing if it is called again by the functions of these objects.
    pub(super) fn fill_pending(&mut self) -> Result {
        if std::mem::replace(&mut self.session.loaded.filling, true) {
            return Ok(());
        }
        let result = self.fill_all();
        self.session.loaded.filling = false;
        result
    }

    fn fill_all(&mut self) -> Result {
        loop {
            let untyped = self.look_through_unknown()?;
            let ids = self.session.loaded.take_pending();
            if ids.is_empty() && untyped.is_empty() {
                break;
            }
            let here = self.decoder.mark();
            for id in ids {
                let levels = self.session.levels();
                if let Err(error) = self.pending_pointee(id) {
                    self.collect(error, here, levels)?;
                }
            }
            for id in untyped {
                let levels = self.session.levels();
                if let Err(error) = self.untyped_pointee(id) {
                    self.collect(error, here, levels)?;
                }
            }
            self.decoder.goto(here);
        }
        self.session.unknown.complete(&mut self.session.loaded);
        Ok(())
    }
}

impl<D: Decoder + ?Sized, const FILE_ORDER: bool> Loading<'_, D, FILE_ORDER> {
    /// Loads an object that was referred to but not read yet.
    fn pending_pointee(&mut self, id: u64) -> Result {
        // It may have been read while another object was loaded.
        if !self.session.waits(id) {
            return Ok(());
        }
        let Some(pointee) = self.pointee(id)? else {
            let error = not_stored(id).in_object(id);
            return Err(match self.session.loaded.get(id) {
                Some(entry) => error.at(self.decoder.position_of(entry.at())),
                None => error,
            });
        };
        self.decoder.goto(pointee);
        self.waiting_pointee(Some(id))
    }
}

/// The content of an object whose type is erased.
struct Fill(Handle);

impl Body for Fill {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut erased: Erased<'_> = ar.erased();
        match self.0.object() {
            Some(object) => object.fill(&mut erased),
            None => Err(crate::model::head::wrong_pointee()),
        }
    }
}
