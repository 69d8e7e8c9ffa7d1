//! The shapes of types that are known only at run time.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use archive::shape::{
    Class, Enum, Member, NameOf, Payload, Primitive, Shape, ShapeOf, Variant, shape_of,
};

use super::node::Object;
use super::types::{Schema, Type};

/// A schema and the shapes of its types.
pub struct Built {
    pub schema: Schema,
    shapes: RefCell<HashMap<Type, ShapeOf>>,
    classes: RefCell<HashMap<usize, &'static Class>>,
    choices: RefCell<HashMap<usize, &'static Enum>>,
}

impl Built {
    pub fn new(schema: Schema) -> Rc<Built> {
        let (shapes, classes, choices) = Default::default();
        Rc::new(Built { schema, shapes, classes, choices })
    }

    pub fn class(&self, class: usize) -> &'static Class {
        if let Some(known) = self.classes.borrow().get(&class) {
            return known;
        }
        let described = &self.schema.classes[class];
        let member = |member: &super::types::Member| {
            Member::new(leak(&member.name), self.shape_of(&member.ty))
                .with_aliases(leak_all(&member.aliases))
        };
        let members = described.derived.then(|| described.members.iter().map(member).collect());
        let new = Box::leak(Box::new(
            Class::new(leak(&described.name), NameOf::Data("Object"), 0)
                .with_members(members.map(|members: Vec<Member>| &*members.leak()), None),
        ));
        self.classes.borrow_mut().insert(class, new);
        new
    }

    pub fn choice(&self, choice: usize) -> &'static Enum {
        if let Some(known) = self.choices.borrow().get(&choice) {
            return known;
        }
        let described = &self.schema.choices[choice];
        let variant = |variant: &super::types::Variant| {
            let payload = match &variant.payload {
                None => Payload::Unit,
                Some(Type::Object(class)) if self.schema.is_struct_variant(*class) => {
                    Payload::Struct(self.class(*class))
                }
                Some(ty) => Payload::Newtype(self.shape_of(ty)),
            };
            Variant::new(leak(&variant.name), payload).with_aliases(leak_all(&variant.aliases))
        };
        let variants: Vec<Variant> = described.variants.iter().map(variant).collect();
        let name = leak(&described.name);
        let new = Enum::new(name, NameOf::Data("Enum"), variants.leak());
        let new = Box::leak(Box::new(new));
        self.choices.borrow_mut().insert(choice, new);
        new
    }

    pub fn shape(&self, ty: &Type) -> &'static Shape {
        self.shape_of(ty).get()
    }

    fn shape_of(&self, ty: &Type) -> ShapeOf {
        if let Some(known) = self.shapes.borrow().get(ty) {
            return *known;
        }
        let shape = match ty {
            Type::Number(number) => Shape::Primitive(number.primitive(), ""),
            Type::Bool => Shape::Primitive(Primitive::Bool, ""),
            Type::Char => Shape::Primitive(Primitive::Char, ""),
            Type::Text => Shape::Primitive(Primitive::Str, ""),
            Type::Option(value) => Shape::Option(self.shape_of(value)),
            Type::List(item) => Shape::Seq(self.shape_of(item), ""),
            Type::Array(item, len) => Shape::Array(self.shape_of(item), *len, None, ""),
            Type::Map(value) => Shape::Map(shape_of::<String>(), self.shape_of(value)),
            Type::Object(class) => Shape::Class(self.class(*class)),
            Type::Enum(choice) => Shape::Enum(self.choice(*choice)),
            Type::Pointer(_) => Shape::Pointer(shape_of::<Object>()),
        };
        let shape = ShapeOf::Data(Box::leak(Box::new(shape.into())));
        self.shapes.borrow_mut().insert(ty.clone(), shape);
        shape
    }
}

fn leak(text: &str) -> &'static str {
    text.to_owned().leak()
}

fn leak_all(texts: &[String]) -> &'static [&'static str] {
    texts.iter().map(|text| leak(text)).collect::<Vec<_>>().leak()
}
