//! [`Loaded`]: loads a value over the one that is there.

mod list;
mod map;
mod set;
mod variant;

use archive_core::__private::Noticed;
use archive_core::__private::made::null;
use archive_core::__private::tuple_item;
use archive_core::{Archive, Body, BodyFacts, Result, Scalar, Serialize, Shape};

use crate::object;
use crate::plan::{Form, MemberPlan, Plan, PlanOf};
use crate::saved::route;
use crate::slot::{Slot, wrong};
use list::LoadedItems;
use variant::LoadedVariant;

/// A value that is loaded.
pub(crate) struct Loaded<'a> {
    pub(crate) slot: &'a mut Slot,
    pub(crate) plan: &'static Plan,
}

impl Body for Loaded<'_> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        match &mut *self.slot {
            Slot::Unit => ar.scalar(Scalar::Unit),
            Slot::Bool(value) => ar.scalar(Scalar::Bool(value)),
            Slot::U8(value) => ar.scalar(Scalar::U8(value)),
            Slot::U16(value) => ar.scalar(Scalar::U16(value)),
            Slot::U32(value) => ar.scalar(Scalar::U32(value)),
            Slot::U64(value) => ar.scalar(Scalar::U64(value)),
            Slot::U128(value) => ar.scalar(Scalar::U128(value)),
            Slot::I8(value) => ar.scalar(Scalar::I8(value)),
            Slot::I16(value) => ar.scalar(Scalar::I16(value)),
            Slot::I32(value) => ar.scalar(Scalar::I32(value)),
            Slot::I64(value) => ar.scalar(Scalar::I64(value)),
            Slot::I128(value) => ar.scalar(Scalar::I128(value)),
            Slot::F32(value) => ar.scalar(Scalar::F32(value)),
            Slot::F64(value) => ar.scalar(Scalar::F64(value)),
            Slot::Char(value) => ar.scalar(Scalar::Char(value)),
            Slot::Str(value) => ar.scalar(Scalar::String(value)),
            Slot::Bytes(value) => ar.scalar(Scalar::Bytes(value)),
            _ => self.parts(ar),
        }
    }
}

impl Loaded<'_> {
    /// Loads a value that has parts.
    fn parts<A: Archive>(&mut self, ar: &mut A) -> Result {
        let shape = self.plan.shape;
        match (&mut *self.slot, &self.plan.form) {
            (Slot::Items(slots), Form::Class(of)) => {
                ar.object(of.class, &mut LoadedMembers(slots, of.members))
            }
            (Slot::Items(slots), Form::List(item)) => {
                ar.seq(shape, 0, &mut LoadedItems { slots, plan: item.get() })
            }
            (Slot::Items(slots), Form::Array(item, len)) => {
                ar.seq(shape, *len, &mut LoadedArray(slots, item.get()))
            }
            (Slot::Items(slots), Form::Tuple(items)) => {
                ar.seq(shape, items.len(), &mut LoadedTuple(slots, items))
            }
            (Slot::Option(value), Form::Option(of)) => load_option(value, of.get(), shape, ar),
            (Slot::Variant(index, payload), Form::Enum(of)) => match of.info.tag {
                None => ar.variant(of.info, &mut LoadedVariant::<false> { index, payload, of }),
                Some(_) => ar.variant(of.info, &mut LoadedVariant::<true> { index, payload, of }),
            },
            (Slot::Map(entries), Form::Map(key, value, _)) => {
                map::load(entries, (key.get(), value.get()), shape, ar)
            }
            (Slot::Set(keys), Form::Set(key, _)) => set::load(keys, key.get(), shape, ar),
            (Slot::Any(tree), Form::Object(name)) => object::load(tree, name, ar),
            (Slot::Any(value), _) => Serialize::value(&mut **value, ar),
            (Slot::Shared(to), Form::Shared(plan, _)) => to.load(plan.get(), shape, ar),
            (Slot::Weak(to), Form::Weak(plan, _)) => to.load(plan.get(), shape, ar),
            _ => Err(wrong()),
        }
    }
}

fn load_option<A: Archive>(
    value: &mut Option<Box<Slot>>,
    plan: &'static Plan,
    shape: &'static Shape,
    ar: &mut A,
) -> Result {
    if route(ar).is_some() {
        return match value {
            Some(slot) => Loaded { slot, plan }.run(ar),
            None => Err(null()),
        };
    }
    if !ar.option(shape, false, plan.is_nullable(), &mut LoadedSome(value, plan))? {
        *value = None;
    }
    Ok(())
}

/// The value of an option.
struct LoadedSome<'a>(&'a mut Option<Box<Slot>>, &'static Plan);

impl Body for LoadedSome<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let plan = self.1;
        if ar.guide().is_some()
            && let Some(slot) = self.0
        {
            return Loaded { slot, plan }.run(ar);
        }
        let mut slot = Box::new(plan.blank());
        Loaded { slot: &mut slot, plan }.run(ar)?;
        *self.0 = Some(slot);
        Ok(())
    }
}

/// Loads members, without the object around them.
struct LoadedMembers<'a>(&'a mut [Slot], &'static [MemberPlan]);

impl Body for LoadedMembers<'_> {
    const FACTS: BodyFacts = BodyFacts { by_hand: Some(false), ..BodyFacts::NONE };

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for (slot, member) in self.0.iter_mut().zip(self.1) {
            let plan = member.plan.get();
            if member.info.flatten {
                let (Slot::Items(slots), Form::Class(of)) = (slot, &plan.form) else {
                    return Err(wrong());
                };
                LoadedMembers(slots, of.members).run(ar)?;
            } else if member.info.skip_if_default {
                let mut body = Noticed::new(ar, Loaded { slot: &mut *slot, plan });
                ar.named(member.info, &mut body)?;
                if body.is_absent(ar) {
                    *slot = member.start();
                }
            } else {
                ar.named(member.info, &mut Loaded { slot, plan })?;
            }
        }
        Ok(())
    }
}

impl MemberPlan {
    fn start(&self) -> Slot {
        self.start.get().cloned().unwrap_or_else(|| self.plan.get().blank())
    }
}

/// Loads an item of an array or a tuple, from a blank one.
struct LoadedItem<'a>(&'a mut Slot, &'static Plan);

impl Body for LoadedItem<'_> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let (slot, plan) = (&mut *self.0, self.1);
        if ar.guide().is_none() && !matches!(plan.form, Form::Scalar) {
            *slot = plan.blank();
        }
        let loaded = Loaded { slot, plan }.run(ar);
        if loaded.is_err() && ar.guide().is_none() {
            *self.0 = plan.blank();
        }
        loaded
    }
}

struct LoadedArray<'a>(&'a mut [Slot], &'static Plan);

impl Body for LoadedArray<'_> {
    const FACTS: BodyFacts = BodyFacts::items(None, false);

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let len = self.0.len();
        for (index, slot) in self.0.iter_mut().enumerate() {
            tuple_item(ar, index, len, &mut LoadedItem(slot, self.1))?;
        }
        Ok(())
    }
}

struct LoadedTuple<'a>(&'a mut [Slot], &'static [PlanOf]);

impl Body for LoadedTuple<'_> {
    const FACTS: BodyFacts = BodyFacts::items(None, false);

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let len = self.0.len();
        for (index, (slot, plan)) in self.0.iter_mut().zip(self.1).enumerate() {
            tuple_item(ar, index, len, &mut LoadedItem(slot, plan.get()))?;
        }
        Ok(())
    }
}
