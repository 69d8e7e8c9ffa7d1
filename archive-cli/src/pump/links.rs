//! References to objects that are stored after the root, in the binary format. An object is written
//! at its first reference. Inside another object it is written at the end of the outermost one, so
//! that a long chain needs no stack.

use std::collections::{HashSet, VecDeque};

use archive::format::encoder::UNCOUNTED;
use archive::format::{Encoder, Mark, PointerKind, reserved};
use archive::shape::{OBJECT, Shape};
use archive::{Error, ErrorKind, Result};

use super::{Pump, Straight};
use crate::walk_path::Open;

/// The objects that are stored after the root.
#[derive(Default)]
pub(super) struct Links {
    /// The objects that were written or postponed.
    written: HashSet<u64>,
    /// The objects that are written at the end of the outermost pointer.
    waiting: VecDeque<(u64, Mark)>,
    /// The number of open pointers to shared objects.
    pub(super) open: u32,
}

impl Links {
    /// Returns whether an object was written before it was reached.
    pub(super) fn is_written(&self, id: u64) -> bool {
        !self.written.is_empty() && self.written.contains(&id)
    }
}

impl<D: Straight + ?Sized, E: Encoder + ?Sized> Pump<'_, '_, D, E> {
    /// Copies a reference to an object. The reference was opened.
    pub(super) fn reference(&mut self, id: u64) -> Result {
        self.from.end_pointer(&mut |_| Ok(()))?;
        self.out.begin(Open::Pointee(None))?;
        let pointee =
            if self.links.written.contains(&id) { None } else { self.from.find_pointee(id) };
        match pointee {
            None => self.unsigned(reserved::ID, id)?,
            Some(at) => {
                self.links.written.insert(id);
                if self.links.open == 0 {
                    let here = self.from.mark();
                    self.pointee_at(id, at)?;
                    self.from.goto(here);
                } else {
                    self.unsigned(reserved::ID, id)?;
                    self.type_of(at)?;
                    self.out.to.member(reserved::LATER, &Shape::Any)?;
                    self.out.to.bool(true)?;
                    self.links.waiting.push_back((id, at));
                }
            }
        }
        self.out.end()
    }

    /// Writes the members of a pointer whose object is at that place.
    fn pointee_at(&mut self, id: u64, at: Mark) -> Result {
        self.from.goto(at);
        let head = self.from.begin_pointer()?;
        if head.kind != PointerKind::Stored || head.id != id {
            let message = format_args!("object {id} is referred to but not stored");
            return Err(Error::new(ErrorKind::BadPointer, message));
        }
        let type_name = head.type_name.map(|name| name.into_owned());
        self.out.place.enter(Open::Pointee(Some(id)));
        self.pointee(id, type_name.as_deref())?;
        self.out.place.leave();
        self.from.end_pointer(&mut |_| Ok(()))
    }

    /// Writes the type of the object at that place.
    fn type_of(&mut self, at: Mark) -> Result {
        let here = self.from.mark();
        self.from.goto(at);
        let type_name = self.from.begin_pointer()?.type_name.map(|name| name.into_owned());
        self.from.recover(here);
        if let Some(name) = type_name {
            self.out.to.member(reserved::TYPE, &Shape::Any)?;
            self.out.to.str(&name)?;
        }
        Ok(())
    }

    /// Writes the objects that were postponed to the end of the outermost pointer, and those postponed by them.
    pub(super) fn waiting_pointees(&mut self) -> Result {
        if self.links.waiting.is_empty() {
            return Ok(());
        }
        self.out.to.member(reserved::DEFERRED, &Shape::Any)?;
        self.out.to.begin_seq(&Shape::Any, UNCOUNTED)?;
        let here = self.from.mark();
        self.links.open += 1;
        while let Some((id, at)) = self.links.waiting.pop_front() {
            self.out.to.item()?;
            self.out.to.begin_object(&OBJECT)?;
            self.pointee_at(id, at)?;
            self.out.to.end_object()?;
        }
        self.links.open -= 1;
        self.from.goto(here);
        self.out.to.end_seq()
    }
}
