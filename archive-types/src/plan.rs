//! [`Plan`]: what is known of a type beside its shape.

use std::fmt;
use std::sync::OnceLock;

use archive_core::Result;
use archive_core::shape::{Class, Enum, Member, Payload, Shape, ShapeOf};

use crate::slot::Slot;
use crate::spelling::{Order, Pointer, Spelling};

/// A type that is made at run time. It is never freed, as its [`Shape`] is not.
pub(crate) struct Plan {
    pub(crate) shape: &'static Shape,
    pub(crate) form: Form,
    /// The blank value, which has all defaults. It is set before the first value is made.
    pub(crate) blank: OnceLock<Slot>,
    /// How many bytes a blank value takes.
    pub(crate) size: OnceLock<usize>,
    /// Whether a blank value has pointers, so that a clone would share its objects.
    pub(crate) points: OnceLock<bool>,
}

/// The form of a type.
pub(crate) enum Form {
    /// The value says which scalar it is.
    Scalar,
    Any,
    List(PlanOf),
    Set(PlanOf, Order),
    Map(PlanOf, PlanOf, Order),
    Array(PlanOf, usize),
    Tuple(&'static [PlanOf]),
    Option(PlanOf),
    /// A pointer, and whether its object is in a cell.
    Shared(PlanOf, bool),
    Weak(PlanOf, bool),
    /// A trait object in a `Box`, and the name of its trait.
    Object(&'static str),
    Class(&'static ClassPlan),
    Enum(&'static EnumPlan),
}

/// A struct, or the members of a variant.
pub(crate) struct ClassPlan {
    pub(crate) class: &'static Class,
    pub(crate) members: &'static [MemberPlan],
}

pub(crate) struct MemberPlan {
    pub(crate) info: &'static Member,
    pub(crate) plan: PlanOf,
    /// The value with which the member starts. It is set before the first value is made.
    pub(crate) start: OnceLock<Slot>,
}

pub(crate) struct EnumPlan {
    pub(crate) info: &'static Enum,
    pub(crate) variants: &'static [Carries],
    /// The variant that a blank value has.
    pub(crate) start: usize,
}

/// What a variant carries.
pub(crate) enum Carries {
    Nothing,
    One(PlanOf),
    /// Several values, with the shape of the sequence.
    Several(&'static [PlanOf], &'static Shape),
    Members(ClassPlan),
}

/// A type that other types refer to. It may be set after they do, since types contain each other.
#[derive(Clone, Copy)]
pub(crate) struct PlanOf {
    shape: &'static OnceLock<Shape>,
    plan: &'static OnceLock<Plan>,
}

static ANY: Plan = Plan {
    shape: &Shape::Any,
    form: Form::Any,
    blank: OnceLock::new(),
    size: OnceLock::new(),
    points: OnceLock::new(),
};

impl PlanOf {
    /// A type that is not known yet.
    pub(crate) fn later() -> Self {
        PlanOf { shape: Box::leak(Box::default()), plan: Box::leak(Box::default()) }
    }

    /// A type that is known.
    pub(crate) fn now(shape: Shape, form: Form) -> Self {
        let plan = PlanOf::later();
        plan.set(shape, form);
        plan
    }

    /// Sets the type once.
    pub(crate) fn set(self, shape: Shape, form: Form) {
        let shape = self.shape.get_or_init(|| shape);
        self.plan.get_or_init(|| Plan {
            shape,
            form,
            blank: OnceLock::new(),
            size: OnceLock::new(),
            points: OnceLock::new(),
        });
    }

    pub(crate) fn is_set(self) -> bool {
        self.plan.get().is_some()
    }

    #[inline]
    pub(crate) fn get(self) -> &'static Plan {
        self.plan.get().unwrap_or(&ANY)
    }

    /// Refers to the shape.
    pub(crate) fn shape_of(self) -> ShapeOf {
        ShapeOf::Data(self.shape)
    }
}

impl Plan {
    /// Returns how many bytes a blank value takes in memory.
    #[inline]
    pub(crate) fn size(&self) -> usize {
        *self.size.get_or_init(|| self.blank().size())
    }

    fn spelling(&self) -> Spelling {
        let of = |plan: &PlanOf| Box::new(plan.get().spelling());
        let shared = |to, is_weak, in_cell| Spelling::Shared(of(to), Pointer { is_weak, in_cell });
        match &self.form {
            Form::Scalar => match self.shape {
                Shape::Primitive(primitive, _) => Spelling::Primitive(*primitive),
                _ => Spelling::Any,
            },
            Form::Any => Spelling::Any,
            Form::List(item) => Spelling::List(of(item)),
            Form::Set(item, order) => Spelling::Set(of(item), *order),
            Form::Map(key, value, order) => Spelling::Map(of(key), of(value), *order),
            Form::Array(item, len) => Spelling::Array(of(item), *len),
            Form::Tuple(items) => Spelling::Tuple(items.iter().map(|it| *of(it)).collect()),
            Form::Option(value) => Spelling::Option(of(value)),
            Form::Shared(to, in_cell) => shared(to, false, *in_cell),
            Form::Weak(to, in_cell) => shared(to, true, *in_cell),
            Form::Object(name) => Spelling::Object((*name).to_owned()),
            Form::Class(class) => Spelling::Named(class.class.name.to_owned()),
            Form::Enum(of) => Spelling::Named(of.info.name.to_owned()),
        }
    }

    /// Whether a value may be saved as null, so that an option around it wraps it.
    #[inline]
    pub(crate) fn is_nullable(&self) -> bool {
        match self.form {
            Form::Option(_) | Form::Any | Form::Weak(..) => true,
            Form::Scalar => {
                matches!(self.shape, Shape::Primitive(archive_core::Primitive::Unit, _))
            }
            _ => false,
        }
    }
}

impl EnumPlan {
    #[inline]
    pub(crate) fn carries(&'static self, index: usize) -> Result<&'static Carries> {
        self.info.variant(index).map(|_| &self.variants[index])
    }

    /// Returns the members of a variant that are stored with the tag, if it has any.
    pub(crate) fn joined(&'static self, index: usize) -> Result<Option<&'static [MemberPlan]>> {
        Ok(match self.carries(index)? {
            Carries::Members(of) => Some(of.members),
            Carries::One(plan) => match &plan.get().form {
                Form::Class(of) => Some(of.members),
                _ => None,
            },
            _ => None,
        })
    }

    /// Returns the variant of names that the enum does not have, and whether it keeps the name.
    pub(crate) fn other(&self) -> Option<(usize, bool)> {
        let index = self.info.variants.iter().position(|variant| variant.other)?;
        Some((index, !matches!(self.info.variants[index].payload, Payload::Unit)))
    }
}

/// The type as it is spelled.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spelling().fmt(f)
    }
}
