//! [`Archive`] for [`Loading`].

use super::{Loading, Place, refuse};
use crate::archive::{Archive, Body, Keyed, LoadAny, Variants};
use crate::block::{self, Asked, BlockLoading, LoadBlocks};
use crate::decoder::{Decoder, OptionForm};
use crate::erased::Erased;
use crate::error::Result;
use crate::pointer::LoadPointer;
use crate::registry::Polymorphic;
use crate::saving::check_name;
use crate::scalar::Scalar;
use crate::shape::{Class, Enum, Member, Shape};

impl<D: Decoder + ?Sized, const FOUND: bool> Archive for Loading<'_, D, FOUND> {
    crate::__one_way!(loads);

    fn erased(&mut self) -> Erased<'_> {
        Erased::loading(self.dynamic())
    }

    #[inline]
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        check_name(name)?;
        if !self.decoder.shaped_member(name, shape)? {
            return self.absent().named(name);
        }
        self.place(Some(Place::Member(name)), body)
    }

    #[inline]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        if !self.decoder.known_member(info)? {
            return self.absent().member(info);
        }
        self.place(Some(Place::Member(info.name)), body)
    }

    #[inline]
    fn found<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        self.place(Some(Place::Member(info.name)), body)
    }

    #[inline]
    fn overwrites(&mut self) -> bool {
        (self.decoder.is_equal() || (FOUND && self.session.trial.is_on())) && !self.keeps_going()
    }

    #[inline]
    fn try_over<B: Body>(&mut self, body: &mut B) -> Result<bool> {
        if FOUND { self.try_in_place(body) } else { Ok(false) }
    }

    #[inline]
    fn fills_in_place(&mut self) -> bool {
        (FOUND || self.decoder.is_equal()) && !self.keeps_going()
    }

    #[inline]
    fn load_blocks<B: LoadBlocks>(&mut self, values: &mut B) -> Result<bool> {
        if self.keeps_going() {
            return Ok(false);
        }
        let elements = B::SIZE.elements_of(self.session.size_hint as u64);
        if !self.session.fits(B::SIZE, elements, self.options) {
            return Ok(false);
        }
        let Some(found) = self.decoder.blocks(B::SIZE.bytes)? else { return Ok(false) };
        let count = found.bytes.len() / B::SIZE.bytes;
        if !values.take(found.bytes) {
            values.begin(count, self.session, self.options);
            let context = (&mut *self.session, self.options);
            let whole = block::load(found, B::SIZE.bytes, context, |index, ar| {
                ar.visit_item(index, |ar| values.next(ar))
            })?;
            values.end(self.session);
            if !whole {
                self.decoder.undo_block();
                return Ok(false);
            }
        }
        self.session.count_fitting(B::SIZE.elements_of(count as u64));
        Ok(true)
    }

    #[inline(always)]
    fn scalar(&mut self, mut value: Scalar<'_>) -> Result {
        // Bytes may be a sequence, in which it is an item that is refused.
        if matches!(value, Scalar::Bytes(_)) && self.behind_pointer()? {
            return self.load_behind(value);
        }
        if let Err(error) = self.read(&mut value) {
            return self.scalar_behind(error, value);
        }
        if let Scalar::Bytes(ref bytes) = value
            && let Err(error) = self.session.count_bytes(bytes, self.options)
        {
            return Err(error.at(self.decoder.position()));
        }
        if self.session.reporting {
            self.note_conversion(value.primitive());
        }
        Ok(())
    }

    #[inline]
    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        if const { B::BLOCK.is_some() }
            && let Some(size) = B::BLOCK
            && !self.keeps_going()
            && self.session.fits(size, size.elements, self.options)
            && let Some(found) = self.decoder.block(size.bytes, Asked::Class(class))?
        {
            let outer = self.session.set_version(class.version);
            let visit = |_, ar: &mut BlockLoading<'_>| body.run(ar);
            let context = (&mut *self.session, self.options);
            let whole = match block::load(found, size.bytes, context, visit) {
                Ok(whole) => whole,
                Err(error) => return Err(error.in_class(class)),
            };
            self.session.set_version(outer);
            if whole {
                self.session.count_fitting(size.elements);
                return Ok(());
            }
            self.decoder.undo_block();
        }
        if self.behind_pointer()? {
            let kind = self.open_behind(Some(class.type_name))?;
            self.object(class, body)?;
            return self.close_behind(kind);
        }
        if const { FOUND && B::LOOKUP.is_some() } {
            return match B::LOOKUP {
                Some(lookup) if !self.session.reporting && !self.options.strict => {
                    self.load_found(class, lookup, body)
                }
                // Whoever wants to be told of everything can wait for it: no second way is compiled.
                _ => self.erased().object(class, body),
            };
        }
        if FOUND && class.members.is_none() {
            self.session.trial.certain()?;
        }
        self.session.enter(self.options)?;
        self.decoder.begin_object(class)?;
        let since = self.session.noticed();
        match self.inside(class, body) {
            Ok(()) => {}
            Err(error) => return Err(self.in_class(error, class)),
        }
        if self.session.noticed() != since {
            self.leave_class(class, since);
        }
        self.session.leave();
        Ok(())
    }

    #[inline]
    fn seq<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if const { B::BLOCK.is_some() }
            && let Some(size) = B::BLOCK
            && !self.keeps_going()
            && self.session.fits(size, size.elements, self.options)
            && let Some(found) = self.decoder.block(size.bytes, Asked::Shape(shape))?
        {
            let visit = |_, ar: &mut BlockLoading<'_>| body.run(ar);
            if block::load(found, size.bytes, (self.session, self.options), visit)? {
                self.session.count_fitting(size.elements);
                return Ok(());
            }
            self.decoder.undo_block();
        }
        if self.behind_pointer()? {
            let kind = self.open_behind(None)?;
            self.seq(shape, len, body)?;
            return self.close_behind(kind);
        }
        self.session.enter(self.options)?;
        let hint = self.decoder.begin_seq(shape)?;
        self.session.size_hint = hint;
        body.run(self)?;
        if let Err(error) = self.decoder.end_seq() {
            return Err(refuse::too_many(error, len));
        }
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
        let place = Some(Place::Item(index));
        if let Err(error) = self.session.count(self.options) {
            return Err(self.prefix_error(error, place));
        }
        self.place(place, body)?;
        Ok(true)
    }

    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if self.behind_pointer()? && self.has_body()? {
            let kind = self.open_behind(None)?;
            self.map(shape, len, body)?;
            return self.close_behind(kind);
        }
        self.load_map(shape, body)
    }

    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        self.load_entry(index, key, value)
    }

    #[inline]
    fn option<B: Body>(
        &mut self,
        shape: &'static Shape,
        _: bool,
        nullable: bool,
        body: &mut B,
    ) -> Result<bool> {
        let form = self.decoder.begin_option(shape, nullable)?;
        if form == OptionForm::None {
            return Ok(false);
        }
        let wrapped = nullable && form == OptionForm::Wrapped;
        if wrapped {
            self.session.enter(self.options)?;
        }
        body.run(self)?;
        self.decoder.end_option(form)?;
        if wrapped {
            self.session.leave();
        }
        Ok(true)
    }

    #[inline]
    fn variant<B: Variants>(&mut self, info: &'static Enum, body: &mut B) -> Result {
        if self.behind_pointer()? {
            let kind = self.open_behind(Some(info.type_name))?;
            self.variant(info, body)?;
            return self.close_behind(kind);
        }
        if const { B::TAGGED }
            && let Some(tag) = info.tag
            && let Some(head) = self.find_tag(info, tag)?
        {
            return self.load_tagged(info, tag, head, body);
        }
        self.load_variant(info, body)
    }

    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        if FOUND {
            self.session.trial.certain()?;
        }
        self.pointer(target)
    }

    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        if FOUND {
            self.session.trial.certain()?;
        }
        self.any_member(body)
    }

    fn load_object(&mut self, object: &mut dyn Polymorphic) -> Result<bool> {
        // What is noted gets its path here.
        if self.session.reporting {
            return Ok(false);
        }
        self.decoder.object(object, self.session, self.options)
    }

    fn load_body<B: Body>(&mut self, id: u64, body: &mut B) -> Result<bool> {
        self.run_on_body(id, body)
    }

    fn settle(&mut self) -> Result {
        // The members of a root that is an object are one level deeper than the root.
        if self.session.is_in_root() { self.fill_pending() } else { Ok(()) }
    }

    fn load_any<B: LoadAny>(&mut self, target: &mut B) -> Result {
        if FOUND {
            self.session.trial.certain()?;
        }
        self.any(target)
    }
}
