//! [`Program`]: the types of the program, described by their shapes and by the members that their
//! functions visit.

use std::borrow::Cow;
use std::cell::Cell;
use std::convert::Infallible;

use crate::survey::{Key, Survey, key};
use crate::text::signature_of;
use crate::types::{Carried, Content, Form, Members, Types};
use archive_core::shape::{Class, Payload, Shape, ShapeOf, each_member, plain_name};

/// The types of the program.
pub(super) struct Program<'s>(pub(super) &'s Survey);

impl Types for Program<'_> {
    type Type = &'static Shape;
    type Key = Key;

    fn form(&self, shape: &'static Shape) -> Form<&'static Shape> {
        match shape {
            Shape::Primitive(primitive, _) => Form::Simple(primitive.name()),
            Shape::Seq(item, _) => Form::Generic("Vec", all(&[*item])),
            Shape::Map(key, value) => Form::Generic("Map", all(&[*key, *value])),
            Shape::Option(value) => Form::Generic("Option", all(&[*value])),
            Shape::Pointer(pointee) if pointee.get().is_any() => Form::Simple("Pointer<dyn>"),
            Shape::Pointer(pointee) => Form::Generic("Pointer", all(&[*pointee])),
            Shape::Array(item, len, _, _) => Form::Array(item.get(), *len as u64),
            Shape::Tuple(items, _, _) => Form::Tuple(all(items)),
            Shape::Class(_) | Shape::Enum(_) => Form::Named,
            Shape::Weak(_) => Form::Simple("Weak"),
            Shape::Dyn => Form::Simple("dyn"),
            _ => Form::Simple("any"),
        }
    }

    /// Enums have the class name `enum ` with the trailing space, so that no variant has the key of
    /// its enum.
    fn key(&self, shape: &'static Shape) -> Key {
        match shape {
            Shape::Class(class) => key(class),
            Shape::Enum(info) => (info.type_name.get(), "enum "),
            _ => ("", ""),
        }
    }

    fn name(&self, shape: &'static Shape) -> String {
        plain_name(match shape {
            Shape::Class(class) => class.name(),
            Shape::Enum(info) => info.name(),
            _ => "",
        })
    }

    fn content(&self, shape: &'static Shape) -> Content<'_, &'static Shape> {
        match shape {
            Shape::Class(class) => Content::Class(class.version, self.members(class)),
            Shape::Enum(info) => Content::Enum(
                info.variants
                    .iter()
                    .map(|variant| (variant.name, self.carried(&variant.payload)))
                    .collect(),
            ),
            _ => Content::Enum(Vec::new()),
        }
    }
}

/// Returns the signature of a type from its shape alone; its functions are not run. For derived
/// types it equals [`signature`](fn@crate::signature). If the members of a class are known only to
/// its function, the class is represented by its name and version. Also returns whether there is no
/// such class.
pub fn signature_of_shape(shape: &'static Shape) -> (u64, bool) {
    let (survey, whole) = (Survey::default(), Cell::new(true));
    let types = Shapes(Program(&survey), &whole);
    let signature = signature_of(&types, shape).unwrap_or_default();
    (signature, whole.get())
}

/// The types of the program, described by their shapes alone, and whether the shapes described all
/// members so far.
struct Shapes<'s>(Program<'s>, &'s Cell<bool>);

impl Types for Shapes<'_> {
    type Type = &'static Shape;
    type Key = Key;

    fn form(&self, shape: &'static Shape) -> Form<&'static Shape> {
        self.0.form(shape)
    }
    fn key(&self, shape: &'static Shape) -> Key {
        self.0.key(shape)
    }
    fn name(&self, shape: &'static Shape) -> String {
        self.0.name(shape)
    }
    fn content(&self, shape: &'static Shape) -> Content<'_, &'static Shape> {
        match shape {
            Shape::Class(class) if class.members.is_none() => {
                self.1.set(false);
                let list = vec![(Cow::Owned(self.name(shape)), shape)];
                Content::Class(class.version, Members { list, whole: false })
            }
            _ => {
                let content = self.0.content(shape);
                let is_open = |carried: &Carried<'_, _>| {
                    matches!(carried, Carried::Members(Members { whole: false, .. }))
                };
                if let Content::Enum(variants) = &content
                    && variants.iter().any(|(_, carried)| is_open(carried))
                {
                    self.1.set(false);
                }
                content
            }
        }
    }
}

impl Program<'_> {
    fn carried(&self, payload: &'static Payload) -> Carried<'_, &'static Shape> {
        match payload {
            Payload::Unit => Carried::Nothing,
            Payload::Newtype(value) => Carried::Value(value.get()),
            Payload::Tuple(items) => Carried::Tuple(all(items)),
            Payload::Struct(class) => Carried::Members(self.members(class)),
        }
    }

    fn members(&self, class: &'static Class) -> Members<'_, &'static Shape> {
        let mut list = Vec::new();
        let whole = self.collect(class, &mut list);
        Members { list, whole }
    }

    /// Collects the members of a class. The members of flattened members are in their places.
    /// Returns `false` if there may be others.
    fn collect<'t>(
        &'t self,
        class: &'static Class,
        into: &mut Vec<(Cow<'t, str>, &'static Shape)>,
    ) -> bool {
        let Some(members) = class.members else {
            let Some(found) = self.0.get(class) else { return false };
            let members = found.members.iter();
            into.extend(members.map(|(name, shape)| (Cow::Borrowed(name.as_str()), *shape)));
            return !found.broken;
        };
        let mut whole = true;
        let Ok(()) = each_member::<Infallible>(members, &mut |member, shape| {
            match shape {
                Shape::Class(inner) if member.flatten => {
                    whole &= inner.members.is_none() && self.collect(inner, into);
                }
                shape => into.push((Cow::Borrowed(member.name), shape)),
            }
            Ok(())
        });
        whole
    }
}

fn all(shapes: &[ShapeOf]) -> Vec<&'static Shape> {
    shapes.iter().map(|shape| shape.get()).collect()
}
