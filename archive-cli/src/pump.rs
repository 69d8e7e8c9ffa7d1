//! [`Out`]: copies values from a decoder to an encoder without building a tree.
// Why: docs/decisions/edits-and-conversions.md#a-conversion-streams-value-by-value

mod duplicates;
mod links;

use archive::format::encoder::UNCOUNTED;
use archive::format::{Decoder, Encoder, Kind, PointerKind, ValueDecoder, reserved};
use archive::shape::{OBJECT, Shape};
use archive::{Error, ErrorKind, Result, binary, json, msgpack};

use crate::walk_path::{Open, WalkPath};
use duplicates::Names;
use links::Links;

/// A decoder that may have a faster way to copy a value.
pub trait Straight: Decoder {
    /// Whether the decoder may have a faster way.
    const IS_STRAIGHT: bool = false;

    /// Returns whether there is a faster way for the value at the cursor.
    fn is_straight(&mut self) -> bool {
        false
    }

    /// Copies the value at the cursor to an encoder. Returns whether it did.
    fn copy<E: Encoder + ?Sized>(&mut self, to: &mut E) -> Result<bool> {
        let _ = to;
        Ok(false)
    }
}

impl Straight for dyn Decoder + '_ {}
impl Straight for ValueDecoder<'_> {}
impl<'r, S> Straight for json::Decoder<'r, S> where json::Decoder<'r, S>: Decoder {}
impl Straight for msgpack::Decoder<'_> {}
impl Straight for binary::Decoder<'_> {
    const IS_STRAIGHT: bool = true;

    fn is_straight(&mut self) -> bool {
        self.is_described()
    }

    fn copy<E: Encoder + ?Sized>(&mut self, to: &mut E) -> Result<bool> {
        binary::Decoder::hand_on(self, to)
    }
}

/// An encoder, and the position in its output.
pub struct Out<'a, E: ?Sized> {
    to: &'a mut E,
    pub place: WalkPath,
    /// How to handle a duplicate name in an object.
    pub twice: Twice,
}

/// How to handle a duplicate name in an object.
pub enum Twice {
    /// It is an error.
    Refused,
    /// It is copied. The first one is noted.
    Noted(Option<Error>),
}

impl<'a, E: Encoder + ?Sized> Out<'a, E> {
    pub fn new(to: &'a mut E) -> Self {
        Out { to, place: WalkPath::default(), twice: Twice::Refused }
    }

    /// Returns the encoder.
    pub fn encoder(&mut self) -> &mut E {
        self.to
    }

    /// Begins a sequence or an object around the values that follow.
    pub fn begin(&mut self, open: Open) -> Result {
        self.announce()?;
        match open {
            Open::Items(_) => self.to.begin_seq(&Shape::Any, UNCOUNTED)?,
            _ => self.to.begin_object(&OBJECT)?,
        }
        self.place.enter(open);
        Ok(())
    }

    /// Ends the innermost value that is open.
    pub fn end(&mut self) -> Result {
        let open = self.place.innermost();
        self.place.leave();
        match open {
            Some(Open::Items(_)) => self.to.end_seq(),
            Some(_) => self.to.end_object(),
            None => Ok(()),
        }
    }

    /// Ends all values that are open, which completes the output after an error. Returns whether there were
    /// any.
    pub fn close(&mut self) -> Result<bool> {
        let is_open = self.place.innermost().is_some();
        while self.place.innermost().is_some() {
            self.end()?;
        }
        Ok(is_open)
    }

    /// Announces the next value. Called only after the value was read.
    #[inline]
    fn announce(&mut self) -> Result {
        match self.place.innermost() {
            Some(Open::Items(_)) => self.to.item(),
            Some(Open::Members(Some(start))) => self.to.member(self.place.name(start), &Shape::Any),
            _ => Ok(()),
        }
    }

    /// Copies the value at the cursor of a decoder. Pointers become objects with `$id` and
    /// `$value`, as in text formats and in [`Value`](archive::Value).
    ///
    /// # Errors
    /// Errors of the input, with the path and the position, and of the output.
    pub fn pump<D: Straight + ?Sized>(&mut self, from: &mut D) -> Result {
        let (links, names) = (Links::default(), Names::default());
        let mut pump = Pump { from, out: self, links, names, bytes: Vec::new() };
        let done = pump.value();
        done.map_err(|error| {
            let error = error.at(pump.from.position());
            pump.out.place.explain(error)
        })
    }
}

/// Copies values from a decoder to an encoder.
struct Pump<'a, 'e, D: ?Sized, E: ?Sized> {
    from: &'a mut D,
    out: &'a mut Out<'e, E>,
    links: Links,
    names: Names,
    bytes: Vec<u8>,
}

impl<D: Straight + ?Sized, E: Encoder + ?Sized> Pump<'_, '_, D, E> {
    fn value(&mut self) -> Result {
        match self.from.peek()? {
            Kind::Null => {
                self.from.null()?;
                self.out.announce()?;
                self.out.to.null()
            }
            Kind::Bool => {
                let value = self.from.bool()?;
                self.out.announce()?;
                self.out.to.bool(value)
            }
            Kind::Number => {
                let number = self.from.number()?;
                self.out.announce()?;
                self.out.to.number(number)
            }
            Kind::Str => {
                let text = self.from.str()?;
                self.out.announce()?;
                self.out.to.str(text)
            }
            Kind::Bytes => {
                self.from.bytes(&mut self.bytes)?;
                self.out.announce()?;
                self.out.to.bytes(&self.bytes)
            }
            Kind::Seq => {
                if D::IS_STRAIGHT && self.straight()? {
                    return Ok(());
                }
                self.from.begin_seq(&Shape::Any)?;
                self.out.begin(Open::Items(None))?;
                while self.from.next_item()? {
                    self.out.place.next_item();
                    self.value()?;
                }
                self.from.end_seq()?;
                self.out.end()
            }
            Kind::Object => {
                if D::IS_STRAIGHT && self.straight()? {
                    return Ok(());
                }
                self.from.begin_object(&OBJECT)?;
                self.out.begin(Open::Members(None))?;
                self.names.enter();
                while let Some(name) = self.from.next_key()? {
                    self.out.place.member(&name);
                    if !self.names.add(&name) {
                        drop(name);
                        self.twice()?;
                    }
                    self.value()?;
                }
                self.names.leave();
                self.from.end_object(&mut |_| Ok(()))?;
                self.out.end()
            }
            _ => self.pointer(),
        }
    }

    /// Handles a member at the cursor with the name of an earlier one.
    #[cold]
    fn twice(&mut self) -> Result {
        // The position is then that of the value.
        self.from.peek()?;
        let message = "the object has this member twice, which loads of typed objects refuse: remove one of \
                       them, or keep the last one with `archive repair`";
        let error = Error::new(ErrorKind::DuplicateMember, message);
        match &self.out.twice {
            Twice::Refused => return Err(error),
            Twice::Noted(None) => {
                let error = self.out.place.explain(error.at(self.from.position()));
                self.out.twice = Twice::Noted(Some(error));
            }
            Twice::Noted(_) => {}
        }
        Ok(())
    }

    /// Copies a value as a whole. Returns `false` if the decoder cannot do that.
    fn straight(&mut self) -> Result<bool> {
        if !self.from.is_straight() {
            return Ok(false);
        }
        self.out.announce()?;
        self.from.copy(self.out.to)
    }

    /// Copies a pointer of a format that does not write pointers as objects.
    fn pointer(&mut self) -> Result {
        let head = self.from.begin_pointer()?;
        let (kind, id) = (head.kind, head.id);
        let type_name = head.type_name.filter(|_| kind.has_pointee()).map(|name| name.into_owned());
        match kind {
            PointerKind::Plain => return self.value(),
            PointerKind::Null => {
                self.out.announce()?;
                return self.out.to.null();
            }
            PointerKind::Weak => {
                self.out.begin(Open::Pointee(None))?;
                self.unsigned(reserved::WEAK, id)?;
            }
            PointerKind::Stored if self.links.is_written(id) => {
                self.out.begin(Open::Pointee(None))?;
                self.unsigned(reserved::ID, id)?;
                self.from.skip()?;
            }
            PointerKind::Stored | PointerKind::Owned => {
                self.out.begin(Open::Pointee(None))?;
                self.pointee(id, type_name.as_deref())?;
            }
            PointerKind::Seen | PointerKind::Later => return self.reference(id),
        }
        self.from.end_pointer(&mut |_| Ok(()))?;
        self.out.end()
    }

    /// Writes the members of a pointer whose object is at the cursor.
    fn pointee(&mut self, id: u64, type_name: Option<&str>) -> Result {
        if id != 0 {
            self.unsigned(reserved::ID, id)?;
        }
        if let Some(name) = type_name {
            self.out.to.member(reserved::TYPE, &Shape::Any)?;
            self.out.to.str(name)?;
        }
        self.out.to.member(reserved::VALUE, &Shape::Any)?;
        let tracked = u32::from(id != 0);
        self.links.open += tracked;
        self.value()?;
        self.links.open -= tracked;
        if self.links.open == 0 { self.waiting_pointees() } else { Ok(()) }
    }

    fn unsigned(&mut self, name: &str, value: u64) -> Result {
        self.out.to.member(name, &Shape::Any)?;
        // As a tree has it.
        match i64::try_from(value) {
            Ok(value) => self.out.to.i64(value),
            Err(_) => self.out.to.u64(value),
        }
    }
}
