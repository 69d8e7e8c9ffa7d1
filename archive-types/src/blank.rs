//! Blank values: what a load starts from.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use archive_core::shape::Shape;
use archive_core::{Loading, Options, Primitive, Result, Session, Value, ValueDecoder};

use crate::loaded::Loaded;
use crate::plan::{Carries, ClassPlan, EnumPlan, Form, Plan};
use crate::shared::{Shared, Watching};
use crate::slot::Slot;

impl Plan {
    /// Returns a blank value.
    #[inline]
    pub(crate) fn blank(&self) -> Slot {
        match self.blank.get() {
            Some(blank) => blank.clone(),
            None => self.first_blank(),
        }
    }

    #[cold]
    fn first_blank(&self) -> Slot {
        if self.points() {
            return self.make_blank();
        }
        self.blank.get_or_init(|| self.make_blank()).clone()
    }

    /// Returns whether a blank value has pointers.
    fn points(&self) -> bool {
        *self.points.get_or_init(|| match &self.form {
            Form::Shared(..) => true,
            Form::Array(item, _) => item.get().points(),
            Form::Tuple(items) => items.iter().any(|it| it.get().points()),
            Form::Class(class) => class.members.iter().any(|it| it.plan.get().points()),
            Form::Enum(of) => match of.variants.get(of.start) {
                Some(Carries::One(plan)) => plan.get().points(),
                Some(Carries::Several(items, _)) => items.iter().any(|it| it.get().points()),
                Some(Carries::Members(class)) => {
                    class.members.iter().any(|it| it.plan.get().points())
                }
                _ => false,
            },
            _ => false,
        })
    }

    /// Sizes were checked when the schema was made, so this ends.
    fn make_blank(&self) -> Slot {
        match &self.form {
            Form::Scalar => scalar(self.shape),
            Form::Any | Form::Object(_) => Slot::Any(Box::default()),
            Form::List(_) => Slot::Items(Vec::new()),
            Form::Set(..) => Slot::Set(BTreeSet::new()),
            Form::Map(..) => Slot::Map(BTreeMap::new()),
            Form::Array(item, len) => Slot::Items((0..*len).map(|_| item.get().blank()).collect()),
            Form::Tuple(items) => Slot::Items(items.iter().map(|it| it.get().blank()).collect()),
            Form::Option(_) => Slot::Option(None),
            Form::Shared(to, in_cell) => Slot::Shared(Shared::blank(to.get(), *in_cell)),
            Form::Weak(_, in_cell) => Slot::Weak(Watching::nothing(*in_cell)),
            Form::Class(class) => class.blank(),
            Form::Enum(of) => of.blank(of.start),
        }
    }

    /// Loads a value of the type from a tree.
    pub(crate) fn load(&'static self, tree: &Value, options: &Options<'_>) -> Result<Slot> {
        let mut slot = self.blank();
        let mut decoder = ValueDecoder::new(tree);
        let mut session = Session::new();
        Loading::new(&mut decoder, &mut session, options)
            .root_erased(self.shape, &mut Loaded { slot: &mut slot, plan: self })?;
        Ok(slot)
    }
}

fn scalar(shape: &Shape) -> Slot {
    let Shape::Primitive(primitive, _) = shape else { return Slot::Unit };
    match primitive {
        Primitive::Unit => Slot::Unit,
        Primitive::Bool => Slot::Bool(false),
        Primitive::U8 => Slot::U8(0),
        Primitive::U16 => Slot::U16(0),
        Primitive::U32 => Slot::U32(0),
        Primitive::U64 => Slot::U64(0),
        Primitive::U128 => Slot::U128(Box::default()),
        Primitive::I8 => Slot::I8(0),
        Primitive::I16 => Slot::I16(0),
        Primitive::I32 => Slot::I32(0),
        Primitive::I64 => Slot::I64(0),
        Primitive::I128 => Slot::I128(Box::default()),
        Primitive::F32 => Slot::F32(0.0),
        Primitive::F64 => Slot::F64(0.0),
        Primitive::Char => Slot::Char('\0'),
        Primitive::Str => Slot::Str(String::new()),
        Primitive::Bytes => Slot::Bytes(Vec::new()),
    }
}

impl ClassPlan {
    /// Returns the members of a blank object.
    pub(crate) fn blank(&self) -> Slot {
        let start = |start: &OnceLock<Slot>| start.get().cloned();
        let members = self.members.iter();
        Slot::Items(
            members.map(|it| start(&it.start).unwrap_or_else(|| it.plan.get().blank())).collect(),
        )
    }
}

impl EnumPlan {
    /// Returns a blank value of a variant.
    pub(crate) fn blank(&self, index: usize) -> Slot {
        let payload = match self.variants.get(index) {
            None | Some(Carries::Nothing) => None,
            Some(Carries::One(plan)) => Some(plan.get().blank()),
            Some(Carries::Several(items, _)) => {
                Some(Slot::Items(items.iter().map(|it| it.get().blank()).collect()))
            }
            Some(Carries::Members(class)) => Some(class.blank()),
        };
        Slot::Variant(u32::try_from(index).unwrap_or(u32::MAX), payload.map(Box::new))
    }
}
