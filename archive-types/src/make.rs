//! Makes the shapes and plans of a schema, whose types were checked.

use std::collections::BTreeMap;

use archive_core::__private::made::members_size;
use archive_core::block::{array_size, tuple_size};
use archive_core::shape::{
    Absence, Class, Enum, Facts, Field, Member, NameOf, Payload, Shape, ShapeOf, Variant,
};

use crate::file::{MemberFile, Text, VariantFile};
use crate::parse::{Carried, Content, Definition, Definitions, Members};
use crate::plan::{Carries, ClassPlan, EnumPlan, Form, MemberPlan, PlanOf};
use crate::spelling::{Pointer, Spelling};
use crate::tag;

/// What messages call the sequences that are sets, which the shapes of the core's sets say too.
const SET: &str = "a set";

/// The types of a schema that are made, by name.
pub(crate) type Made = BTreeMap<String, PlanOf>;

/// Makes all types.
pub(crate) fn make(types: &Definitions<'_>) -> Made {
    let made = types.keys().map(|name| ((*name).to_owned(), PlanOf::later())).collect();
    let mut maker = Maker { types, made: &made, open: Vec::new() };
    types.keys().for_each(|name| maker.named(name));
    made
}

/// Makes a type that is spelled by types that are made.
pub(crate) fn make_spelled(made: &Made, ty: &Spelling) -> PlanOf {
    Maker { types: &Definitions::new(), made, open: Vec::new() }.part(ty)
}

struct Maker<'m, 'f> {
    types: &'m Definitions<'f>,
    made: &'m Made,
    open: Vec<&'m str>,
}

impl<'m> Maker<'m, '_> {
    /// Makes a type of the schema, after those that it consists of: it needs their sizes. A type that is
    /// open is in a container, an option or an enum, so its size does not matter.
    fn named(&mut self, name: &'m str) {
        let (Some(plan), Some(definition)) = (self.made.get(name), self.types.get(name)) else {
            return;
        };
        if plan.is_set() || self.open.contains(&name) {
            return;
        }
        self.open.push(name);
        let name = leak(name);
        let (shape, form) = match &definition.content {
            Content::Struct(members) => {
                let class = self.class(name, definition, members);
                (Shape::Class(class.class), Form::Class(Box::leak(Box::new(class))))
            }
            Content::Enum(variants) => {
                let of = self.enumeration(name, definition, variants);
                (Shape::Enum(of.info), Form::Enum(Box::leak(Box::new(of))))
            }
        };
        self.open.pop();
        plan.set(shape, form);
    }

    fn class(
        &mut self,
        name: &'static str,
        of: &Definition<'_>,
        members: &'m Members<'_>,
    ) -> ClassPlan {
        let (members, plans) = self.members(members);
        let shapes: Vec<&Shape> = members.iter().map(|member| member.shape.get()).collect();
        let size = members_size(&shapes, members);
        let class = Class::new(name, NameOf::Data(name), of.file.version);
        let class = Box::leak(Box::new(class.with_members(Some(members), size)));
        ClassPlan { class, members: plans }
    }

    fn members(&mut self, of: &'m Members<'_>) -> (&'static [Member], &'static [MemberPlan]) {
        let plans: Vec<PlanOf> = of.iter().map(|(_, ty)| self.part(ty)).collect();
        let members = of.iter().zip(&plans).map(|((file, _), plan)| member(file, *plan));
        let members: &'static [Member] = members.collect::<Vec<_>>().leak();
        let plans = members.iter().zip(plans);
        let plans = plans.map(|(info, plan)| MemberPlan { info, plan, start: Default::default() });
        (members, plans.collect::<Vec<_>>().leak())
    }

    fn enumeration(
        &mut self,
        name: &'static str,
        of: &Definition<'_>,
        carried: &'m [Carried<'_>],
    ) -> EnumPlan {
        let (mut variants, mut plans) = (Vec::new(), Vec::new());
        for (file, carried) in of.file.variants.iter().zip(carried) {
            let (payload, carries) = match carried {
                Carried::Nothing => (Payload::Unit, Carries::Nothing),
                Carried::One(ty) => {
                    let plan = self.part(ty);
                    (Payload::Newtype(plan.shape_of()), Carries::One(plan))
                }
                Carried::Several(types) => {
                    let (items, shapes) = self.parts(types);
                    // What a variant carries is never a block.
                    let shape = Box::leak(Box::new(Shape::Tuple(shapes, None, "")));
                    (Payload::Tuple(shapes), Carries::Several(items, shape))
                }
                Carried::Members(members) => {
                    let (members, plans) = self.members(members);
                    let class = Class::data(leak(&file.name)).with_members(Some(members), None);
                    let class: &'static Class = Box::leak(Box::new(class));
                    let carries = Carries::Members(ClassPlan { class, members: plans });
                    (Payload::Struct(class), carries)
                }
            };
            variants.push(variant(file, payload));
            plans.push(carries);
        }
        let info = Enum::new(name, NameOf::Data(name), variants.leak())
            .with_tag(tag::make(self.types, name, of, carried));
        EnumPlan { info: Box::leak(Box::new(info)), variants: plans.leak(), start: of.start() }
    }

    fn parts(&mut self, types: &'m [Spelling]) -> (&'static [PlanOf], &'static [ShapeOf]) {
        let plans: Vec<PlanOf> = types.iter().map(|ty| self.part(ty)).collect();
        let shapes: Vec<ShapeOf> = plans.iter().map(|plan| plan.shape_of()).collect();
        (plans.leak(), shapes.leak())
    }

    fn part(&mut self, ty: &'m Spelling) -> PlanOf {
        let (shape, form) = match ty {
            Spelling::Primitive(of) => (Shape::Primitive(*of, ""), Form::Scalar),
            Spelling::Any => (Shape::Any, Form::Any),
            Spelling::List(item) => {
                let item = self.part(item);
                (Shape::Seq(item.shape_of(), ""), Form::List(item))
            }
            Spelling::Set(item, order) => {
                let item = self.part(item);
                (Shape::Seq(item.shape_of(), SET), Form::Set(item, *order))
            }
            Spelling::Map(key, value, order) => {
                let (key, value) = (self.part(key), self.part(value));
                (Shape::Map(key.shape_of(), value.shape_of()), Form::Map(key, value, *order))
            }
            Spelling::Array(item, len) => {
                let item = self.part(item);
                let size = array_size(item.get().shape, *len);
                (Shape::Array(item.shape_of(), *len, size, ""), Form::Array(item, *len))
            }
            Spelling::Tuple(types) => {
                let (items, shapes) = self.parts(types);
                let known: Vec<&Shape> = items.iter().map(|item| item.get().shape).collect();
                (Shape::Tuple(shapes, tuple_size(&known), ""), Form::Tuple(items))
            }
            Spelling::Option(value) => {
                let value = self.part(value);
                (Shape::Option(value.shape_of()), Form::Option(value))
            }
            Spelling::Shared(to, Pointer { is_weak, in_cell }) => {
                let to = self.part(to);
                match is_weak {
                    true => (Shape::Weak(to.shape_of()), Form::Weak(to, *in_cell)),
                    false => (Shape::Pointer(to.shape_of()), Form::Shared(to, *in_cell)),
                }
            }
            Spelling::Object(name) => (Shape::Dyn, Form::Object(leak(name))),
            Spelling::Named(name) => {
                self.named(name);
                return self.made.get(name).copied().unwrap_or_else(PlanOf::later);
            }
        };
        PlanOf::now(shape, form)
    }
}

fn member(file: &MemberFile, plan: PlanOf) -> Member {
    let mut member = Member::new(leak(&file.name), plan.shape_of())
        .with_aliases(names(&file.aliases))
        .with_field(Field { facts: facts(file), ..Field::UNKNOWN })
        // There is no blank trait object, so the file must have one.
        .with_absence(match () {
            () if file.skip_if_default || !file.default.is_null() => Absence::Defaults,
            () if file.required || matches!(plan.get().form, Form::Object(_)) => Absence::Refused,
            () => Absence::Keeps,
        });
    if file.flatten {
        member = member.flattened();
    }
    if file.skip_if_default {
        member = member.skipped_if_default();
    }
    if let (true, Shape::Class(class)) = (file.base, plan.get().shape) {
        member = member.with_base(Some(class));
    }
    member
}

fn facts(file: &MemberFile) -> &'static Facts {
    let (min, max) = file.range.unwrap_or_default();
    Box::leak(Box::new(Facts {
        doc: leak(&file.doc),
        label: leak(&file.label),
        group: leak(&file.group),
        unit: leak(&file.unit),
        min,
        max,
        step: file.step,
        multiline: file.multiline,
        read_only: file.read_only,
        hidden: file.hidden,
        ..Facts::NONE
    }))
}

fn variant(file: &VariantFile, payload: Payload) -> Variant {
    let variant = Variant::new(leak(&file.name), payload)
        .with_aliases(names(&file.aliases))
        .with_doc(leak(&file.doc));
    if file.other { variant.for_others() } else { variant }
}

fn names(texts: &[Text]) -> &'static [&'static str] {
    texts.iter().map(|text| leak(text)).collect::<Vec<_>>().leak()
}

/// Keeps a text forever.
pub(crate) fn leak(text: &str) -> &'static str {
    if text.is_empty() { "" } else { Box::leak(Box::from(text)) }
}
