//! [`Saved`]: saves a value in the shape of its type.

use archive_core::__private::made::ranks_of;
use archive_core::path::{Guide, Route};
use archive_core::{
    Archive, Body, BodyFacts, Error, Options, Result, Save, Scalar, Serialize, Shape, Source,
    Variants,
};

use crate::object;
use crate::plan::{Carries, EnumPlan, Form, MemberPlan, Plan, PlanOf};
use crate::slot::{Key, Slot, wrong};
use crate::spelling::Order;

/// A value that is saved.
#[derive(Clone, Copy)]
pub(crate) struct Saved<'a> {
    pub(crate) slot: &'a Slot,
    pub(crate) plan: &'static Plan,
}

impl Source for Saved<'_> {
    fn shape(&self) -> &'static Shape {
        self.plan.shape
    }
}

impl Body for Saved<'_> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        match self.slot {
            Slot::Unit => ar.scalar(Scalar::Unit),
            Slot::Bool(value) => ar.scalar(Scalar::Bool(&mut { *value })),
            Slot::U8(value) => ar.scalar(Scalar::U8(&mut { *value })),
            Slot::U16(value) => ar.scalar(Scalar::U16(&mut { *value })),
            Slot::U32(value) => ar.scalar(Scalar::U32(&mut { *value })),
            Slot::U64(value) => ar.scalar(Scalar::U64(&mut { *value })),
            Slot::U128(value) => ar.scalar(Scalar::U128(&mut { **value })),
            Slot::I8(value) => ar.scalar(Scalar::I8(&mut { *value })),
            Slot::I16(value) => ar.scalar(Scalar::I16(&mut { *value })),
            Slot::I32(value) => ar.scalar(Scalar::I32(&mut { *value })),
            Slot::I64(value) => ar.scalar(Scalar::I64(&mut { *value })),
            Slot::I128(value) => ar.scalar(Scalar::I128(&mut { **value })),
            Slot::F32(value) => ar.scalar(Scalar::F32(&mut { *value })),
            Slot::F64(value) => ar.scalar(Scalar::F64(&mut { *value })),
            Slot::Char(value) => ar.scalar(Scalar::Char(&mut { *value })),
            Slot::Str(value) => ar.scalar(Scalar::Str(value)),
            Slot::Bytes(value) => ar.scalar(Scalar::ByteSlice(value)),
            _ => self.parts(ar),
        }
    }
}

impl Saved<'_> {
    /// Saves a value that has parts.
    fn parts<A: Archive>(&self, ar: &mut A) -> Result {
        let shape = self.plan.shape;
        match (self.slot, &self.plan.form) {
            (Slot::Items(slots), Form::Class(of)) => {
                ar.object(of.class, &mut SavedMembers(slots, of.members))
            }
            (Slot::Items(slots), Form::List(item) | Form::Array(item, _)) => {
                ar.seq(shape, slots.len(), &mut SavedItems(slots, item.get()))
            }
            (Slot::Items(slots), Form::Tuple(items)) => {
                ar.seq(shape, slots.len(), &mut SavedTuple(slots, items))
            }
            (Slot::Option(value), Form::Option(of)) => {
                save_option(value.as_deref(), of.get(), shape, ar)
            }
            (Slot::Variant(index, payload), Form::Enum(of)) => {
                let (index, payload) = (*index as usize, payload.as_deref());
                match of.info.tag {
                    None => ar.variant(of.info, &mut SavedVariant::<false> { index, payload, of }),
                    Some(_) => {
                        ar.variant(of.info, &mut SavedVariant::<true> { index, payload, of })
                    }
                }
            }
            (Slot::Map(entries), Form::Map(key, value, order)) => {
                if let Some(done) = self.save_entry(ar) {
                    return done;
                }
                let mut entries: Vec<_> = entries.iter().collect();
                sort(&mut entries, |(key, _)| key, key.get(), *order, ar)?;
                ar.map(shape, entries.len(), &mut SavedEntries(&entries, key.get(), value.get()))
            }
            (Slot::Set(keys), Form::Set(key, order)) => {
                let mut keys: Vec<_> = keys.iter().collect();
                sort(&mut keys, |key| key, key.get(), *order, ar)?;
                ar.seq(shape, keys.len(), &mut SavedKeys(&keys, key.get()))
            }
            (Slot::Any(tree), Form::Object(name)) => object::save(tree, name, ar),
            (Slot::Any(value), _) => Save::save_value(&**value, ar),
            (Slot::Shared(to), Form::Shared(plan, _)) => to.save(plan.get(), ar),
            (Slot::Weak(to), Form::Weak(plan, _)) => to.save(plan.get(), ar),
            _ => Err(wrong()),
        }
    }
}

impl Slot {
    /// Returns whether the value is saved as null. Options that are nested deeper than `levels` are not
    /// examined.
    pub(crate) fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
        match self {
            Slot::Unit | Slot::Option(None) => true,
            Slot::Option(Some(inner)) => match (&**inner, levels.checked_sub(1)) {
                (Slot::Unit | Slot::Option(_) | Slot::Any(_) | Slot::Weak(_), None) => true,
                (_, Some(levels)) => inner.saves_null(options, levels),
                _ => false,
            },
            Slot::Any(value) => value.saves_null(options, levels),
            Slot::Weak(to) => to.is_null(),
            _ => false,
        }
    }
}

fn save_option<A: Archive>(
    value: Option<&Slot>,
    plan: &'static Plan,
    shape: &'static Shape,
    ar: &mut A,
) -> Result {
    let Some(slot) = value else {
        return ar.option(shape, false, false, &mut Nothing).map(drop);
    };
    let levels = archive_core::decoder::NESTED_OPTIONS;
    let null = plan.is_nullable() && slot.saves_null(ar.options(), levels);
    ar.option(shape, true, null, &mut Saved { slot, plan }).map(drop)
}

/// A body that visits nothing.
pub(crate) struct Nothing;

impl Body for Nothing {
    const FACTS: BodyFacts = BodyFacts { typed: true, ..BodyFacts::NONE };

    fn run<A: Archive>(&mut self, _: &mut A) -> Result {
        Ok(())
    }
}

/// Returns the path that the archive is on.
#[inline]
pub(crate) fn route<A: Archive>(ar: &A) -> Option<&Route<'_>> {
    ar.guide().and_then(Guide::route)
}

/// Saves members, without the object around them.
pub(crate) struct SavedMembers<'a>(pub(crate) &'a [Slot], pub(crate) &'static [MemberPlan]);

impl Body for SavedMembers<'_> {
    const FACTS: BodyFacts = BodyFacts { by_hand: Some(false), ..BodyFacts::NONE };

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for (slot, member) in self.0.iter().zip(self.1) {
            let plan = member.plan.get();
            if member.info.flatten {
                let (Slot::Items(slots), Form::Class(of)) = (slot, &plan.form) else {
                    return Err(wrong());
                };
                SavedMembers(slots, of.members).run(ar)?;
            } else if !member.info.skip_if_default || ar.fixed_members() || !member.is_start(slot) {
                ar.named(member.info, &mut Saved { slot, plan })?;
            }
        }
        Ok(())
    }
}

impl MemberPlan {
    /// Returns whether the value is the one with which the member starts.
    fn is_start(&self, slot: &Slot) -> bool {
        match self.start.get() {
            Some(start) => start == slot,
            None => self.plan.get().blank() == *slot,
        }
    }
}

struct SavedItems<'a>(&'a [Slot], &'static Plan);

impl Body for SavedItems<'_> {
    const FACTS: BodyFacts = BodyFacts::items(None, false);

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let plan = self.1;
        if let Some(route) = route(ar) {
            let Some(index) = route.index() else { return Ok(()) };
            return match self.0.get(index) {
                Some(slot) => ar.item(index, &mut Saved { slot, plan }).map(drop),
                None => Ok(()),
            };
        }
        for (index, slot) in self.0.iter().enumerate() {
            ar.item(index, &mut Saved { slot, plan })?;
        }
        Ok(())
    }
}

struct SavedTuple<'a>(&'a [Slot], &'static [PlanOf]);

impl Body for SavedTuple<'_> {
    const FACTS: BodyFacts = BodyFacts::items(None, false);

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for (index, (slot, plan)) in self.0.iter().zip(self.1).enumerate() {
            ar.item(index, &mut Saved { slot, plan: plan.get() })?;
        }
        Ok(())
    }
}

struct SavedKeys<'a>(&'a [&'a Key], &'static Plan);

impl Body for SavedKeys<'_> {
    const FACTS: BodyFacts = BodyFacts::items(None, false);

    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for (index, Key(slot)) in self.0.iter().enumerate() {
            ar.item(index, &mut Saved { slot, plan: self.1 })?;
        }
        Ok(())
    }
}

struct SavedEntries<'a>(&'a [(&'a Key, &'a Slot)], &'static Plan, &'static Plan);

impl Body for SavedEntries<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for (index, (Key(key), value)) in self.0.iter().enumerate() {
            let mut key = Saved { slot: key, plan: self.1 };
            ar.entry(index, &mut key, &mut Saved { slot: value, plan: self.2 })?;
        }
        Ok(())
    }
}

/// Arranges items by the encodings of their keys, if that is their order.
fn sort<T: Copy, A: Archive>(
    items: &mut Vec<T>,
    key: impl for<'a> Fn(&'a T) -> &'a Key,
    plan: &'static Plan,
    order: Order,
    ar: &mut A,
) -> Result {
    if order == Order::Own {
        return Ok(());
    }
    let save = &mut |index: usize, ar: &mut archive_core::Erased<'_>| {
        Saved { slot: &key(&items[index]).0, plan }.run(ar)
    };
    if let Some(ranks) = ranks_of(items.len(), ar, save)? {
        let mut sorted: Vec<_> = ranks.into_iter().zip(items.iter().copied()).collect();
        sorted.sort_unstable_by_key(|(rank, _)| *rank);
        *items = sorted.into_iter().map(|(_, item)| item).collect();
    }
    Ok(())
}

/// A variant of an enum, which may have a tag.
struct SavedVariant<'a, const TAG: bool> {
    index: usize,
    payload: Option<&'a Slot>,
    of: &'static EnumPlan,
}

impl<const TAG: bool> Variants for SavedVariant<'_, TAG> {
    const TAGGED: bool = TAG;

    fn current(&self) -> usize {
        self.index
    }
    fn select(&mut self, _: usize, _: &Options<'_>) -> Result {
        Err(Error::read_only())
    }
    fn other_name(&self) -> Option<&str> {
        match (self.payload, self.of.other()) {
            (Some(Slot::Str(name)), Some((other, true))) if other == self.index => Some(name),
            _ => None,
        }
    }
    fn payload<A: Archive>(&mut self, ar: &mut A) -> Result {
        match (self.of.carries(self.index)?, self.payload) {
            (Carries::Nothing, _) => Ok(()),
            (Carries::One(plan), Some(slot)) => Saved { slot, plan: plan.get() }.run(ar),
            (Carries::Several(items, shape), Some(Slot::Items(slots))) => {
                ar.seq(shape, slots.len(), &mut SavedTuple(slots, items))
            }
            (Carries::Members(of), Some(Slot::Items(slots))) => {
                ar.object(of.class, &mut SavedMembers(slots, of.members))
            }
            _ => Err(wrong()),
        }
    }
    fn members<A: Archive>(&mut self, ar: &mut A) -> Result {
        match (self.of.joined(self.index)?, self.payload) {
            (Some(members), Some(Slot::Items(slots))) => SavedMembers(slots, members).run(ar),
            _ => Ok(()),
        }
    }
}
