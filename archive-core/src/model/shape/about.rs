//! Descriptions of types and fields for tools and people. Formats ignore all of it.
// Why: docs/decisions/shapes-and-descriptions.md#type-information-is-separate-from-shapes

use std::any::{Any, TypeId};

use crate::model::shape::{Member, ShapeOf};

/// A type of the program in memory, in addition to its [`Shape`](crate::Shape) in files.
#[derive(Debug)]
pub struct TypeInfo {
    /// The size in bytes and the alignment; `None` for an unsized type and for a shape that does
    /// not belong to a type of the program.
    pub layout: Option<(usize, usize)>,
    /// The name and the description for people.
    pub about: &'static About,
}

impl TypeInfo {
    /// Nothing is known.
    pub const UNKNOWN: &'static TypeInfo = &TypeInfo { layout: None, about: About::PLAIN };

    /// Describes `T` by `about`.
    pub const fn with<T>(about: &'static About) -> TypeInfo {
        TypeInfo { layout: Some((size_of::<T>(), align_of::<T>())), about }
    }

    /// Describes a type whose values have no fixed size, by `about`.
    pub const fn of_unsized(about: &'static About) -> TypeInfo {
        TypeInfo { layout: None, about }
    }
}

/// The description of a type for people.
#[derive(Debug)]
pub struct About {
    /// The name of the type without its arguments, if its shape does not have it: `Vec`, `Rc`,
    /// `Meters` of `struct Meters(f32)`.
    pub name: &'static str,
    /// The module of the type, if it is a type of the program and has a name here, since several
    /// types may have the same name.
    pub module: &'static str,
    /// The arguments in the name.
    pub arguments: Arguments,
    /// The trait object type, if this is one.
    pub interface: Option<TypeId>,
    /// The doc comment.
    pub doc: &'static str,
    /// The values that are computed and not stored.
    pub properties: &'static [Property],
    /// The members that are known at compile time, if the class leaves them out because it may have
    /// others.
    pub members: &'static [Member],
}

/// One static for all types, because each `&About::NONE` would be a separate constant in the
/// program.
static PLAIN_TYPE: About = About::NONE;

impl About {
    /// A reference to [`NONE`](About::NONE).
    pub const PLAIN: &'static About = &PLAIN_TYPE;

    /// Nothing is known beyond the shape.
    pub const NONE: About = About::named("");

    /// A type without arguments.
    pub const fn named(name: &'static str) -> About {
        About {
            name,
            module: "",
            arguments: Arguments::None,
            interface: None,
            doc: "",
            properties: &[],
            members: &[],
        }
    }

    /// A container of the types in its shape: `Vec`, `HashMap`, `Option`, `Rc`.
    pub const fn generic(name: &'static str) -> About {
        About { arguments: Arguments::OfShape, ..About::named(name) }
    }

    /// A type that is stored as its only argument: `Box`, `RefCell`.
    pub const fn around(name: &'static str, inner: &'static TypeInfo) -> About {
        About { arguments: Arguments::Inner(inner), ..About::named(name) }
    }

    /// A trait object type: `dyn Command`.
    pub const fn object<D: ?Sized + 'static>(name: &'static str) -> About {
        About { interface: Some(TypeId::of::<D>()), ..About::named(name) }
    }
}

/// The arguments in the name of a type.
#[derive(Clone, Copy, Debug)]
pub enum Arguments {
    /// None.
    None,
    /// The types in the shape.
    OfShape,
    /// The type as which the value is stored.
    Inner(&'static TypeInfo),
}

/// The field of a [`Member`](crate::Member) in memory, and its description for people.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The offset of the field in its struct, in bytes; `None` in variants of enums and if no field
    /// is known.
    pub offset: Option<u32>,
    /// The size of the field in bytes.
    pub size: u32,
    /// The alignment of the field; 0 if no field is known.
    pub align: u32,
    /// The attributes for people.
    pub facts: &'static Facts,
}

impl Field {
    /// A member without a known field.
    pub const UNKNOWN: Field = Field { offset: None, size: 0, align: 0, facts: Facts::PLAIN };

    /// Describes a field of type `T` without attributes. It is at `offset` bytes.
    pub const fn at<T>(offset: usize) -> Field {
        Field::of::<T>(Some(offset), Facts::PLAIN)
    }

    /// Describes a field of type `T` without attributes, in a variant of an enum.
    pub const fn in_variant<T>() -> Field {
        Field::of::<T>(None, Facts::PLAIN)
    }

    /// Describes a field of type `T`.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "larger offsets and sizes are refused by the assertion"
    )]
    pub const fn of<T>(offset: Option<usize>, facts: &'static Facts) -> Field {
        let (at, size) = (if let Some(at) = offset { at } else { 0 }, size_of::<T>());
        assert!(at <= u32::MAX as usize && size <= u32::MAX as usize, "a field of 4 GiB or more");
        let offset = if offset.is_some() { Some(at as u32) } else { None };
        Field { offset, size: size as u32, align: align_of::<T>() as u32, facts }
    }
}

/// The attributes of a field for people.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The doc comment.
    pub doc: &'static str,
    /// The name to show, or empty for the member's own name.
    pub label: &'static str,
    /// The group in a table of properties, or empty.
    pub group: &'static str,
    /// The unit of a number, or empty.
    pub unit: &'static str,
    /// The least value of a number.
    pub min: Option<f64>,
    /// The greatest value of a number.
    pub max: Option<f64>,
    /// The distance between the values of a slider.
    pub step: Option<f64>,
    /// Whether tools show the text in several lines.
    pub multiline: bool,
    /// Whether tools show the value as a color.
    pub color: bool,
    /// Whether tools must not change the value.
    pub read_only: bool,
    /// Whether tools hide the member.
    pub hidden: bool,
    /// Returns whether tools show the member of the given object. Returns `false` for an object of
    /// another type.
    pub show_if: Option<fn(&dyn Any) -> bool>,
}

/// One static for all fields, because each `&Facts::NONE` would be a separate constant in the
/// program.
static PLAIN: Facts = Facts::NONE;

impl Facts {
    /// A reference to [`NONE`](Facts::NONE).
    pub const PLAIN: &'static Facts = &PLAIN;

    /// No attributes.
    pub const NONE: Facts = Facts {
        doc: "",
        label: "",
        group: "",
        unit: "",
        min: None,
        max: None,
        step: None,
        multiline: false,
        color: false,
        read_only: false,
        hidden: false,
        show_if: None,
    };
}

/// A value of an object that is computed by a function and is not stored.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    /// The name.
    pub name: &'static str,
    /// Returns the shape of the value. It is a function because the value may contain the type
    /// itself.
    pub shape: fn() -> ShapeOf,
    /// The attributes for people.
    pub facts: &'static Facts,
    /// The functions that save and set the value, in a type that this layer does not know.
    pub(crate) access: &'static (dyn Any + Send + Sync),
}
