//! How values of types that are known only at run time are saved and loaded: through the methods of
//! `Archive`, as the types of the standard library do.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use archive::tool::{Body, Variants};
use archive::{Archive, Error, ErrorKind, Options, Result, Serialize};

use super::data::Data;
use super::node::{Current, Link, Object};
use super::run_time_shapes::Built;
use super::types::{Number, Schema, Type};

/// Visits the members of an object of a class.
pub fn members<A: Archive>(
    built: &Rc<Built>,
    class: usize,
    members: &mut [Data<Link>],
    ar: &mut A,
) -> Result {
    let described = &built.schema.classes[class];
    let known = built.class(class).members;
    for (index, (member, data)) in described.members.iter().zip(members).enumerate() {
        let body = &mut Place { built, ty: &member.ty, data };
        match known {
            Some(known) => ar.named(&known[index], body)?,
            None => ar.slot(&member.name, built.shape(&member.ty), body)?,
        }
    }
    Ok(())
}

/// A value in its slot.
struct Place<'a> {
    built: &'a Rc<Built>,
    ty: &'a Type,
    data: &'a mut Data<Link>,
}

/// A value that does not exist yet.
struct New<'a> {
    built: &'a Rc<Built>,
    ty: &'a Type,
    out: Option<Data<Link>>,
}

impl New<'_> {
    fn blank(&self) -> Data<Link> {
        blank(self.ty, self.built)
    }
}

impl Body for New<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut data = self.blank();
        Place { built: self.built, ty: self.ty, data: &mut data }.run(ar)?;
        self.out = Some(data);
        Ok(())
    }
}

fn blank(ty: &Type, built: &Rc<Built>) -> Data<Link> {
    let mut pointer = |class| Rc::new(RefCell::new(Object::blank_of(built, class)));
    Data::blank(ty, &built.schema, &mut pointer)
}

impl Body for Place<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let (built, loading) = (self.built, ar.is_loading());
        match (self.ty, &mut *self.data) {
            (Type::Number(kind), data) => number(*kind, data, ar),
            (Type::Bool, Data::Bool(value)) => value.serialize(ar),
            (Type::Char, Data::Char(value)) => value.serialize(ar),
            (Type::Text, Data::Text(text)) => text.serialize(ar),
            (Type::Object(class), Data::Object(members)) => {
                let class = *class;
                ar.object(built.class(class), &mut Members { built, class, members })
            }
            (Type::Enum(choice), data) => {
                let choice = *choice;
                ar.variant(built.choice(choice), &mut Choice { built, choice, data })
            }
            (Type::Pointer(class), Data::Pointer(link)) => {
                if let Some(current) = ar.context::<Current>() {
                    current.class.set(*class);
                }
                link.serialize(ar)
            }
            (Type::Option(inner), data) => option(built, self.ty, inner, data, ar),
            (Type::List(item), Data::List(items)) => ar.seq(
                built.shape(self.ty),
                items.len(),
                &mut Items { built, item, items, len: None },
            ),
            (Type::Array(item, len), Data::List(items)) => {
                let len = Some(*len);
                ar.seq(built.shape(self.ty), items.len(), &mut Items { built, item, items, len })
            }
            (Type::Map(value), Data::Map(entries)) => {
                if loading {
                    entries.clear();
                }
                let shape = built.shape(self.ty);
                ar.map(shape, entries.len(), &mut Entries { built, value, entries })
            }
            (ty, data) => panic!("{ty:?} does not hold {:?}", data.map(&mut |_| ())),
        }
    }
}

fn option<A: Archive>(
    built: &Rc<Built>,
    ty: &Type,
    inner: &Type,
    data: &mut Data<Link>,
    ar: &mut A,
) -> Result {
    let (shape, nullable) = (built.shape(ty), inner.nullable());
    let mut new = New { built, ty: inner, out: None };
    match data {
        _ if ar.is_loading() => {
            ar.option(shape, false, nullable, &mut new)?;
            *data = Data::Option(new.out.map(Box::new));
            Ok(())
        }
        Data::Option(Some(value)) => {
            let null = nullable && saves_null(value);
            ar.option(shape, true, null, &mut Place { built, ty: inner, data: value }).map(drop)
        }
        _ => ar.option(shape, false, false, &mut new).map(drop),
    }
}

/// Whether an option is null: nothing, or an option that is.
fn saves_null(data: &Data<Link>) -> bool {
    match data {
        Data::Option(None) => true,
        Data::Option(Some(value)) => saves_null(value),
        _ => false,
    }
}

fn number<A: Archive>(number: Number, data: &mut Data<Link>, ar: &mut A) -> Result {
    macro_rules! integer {
        ($ty:ty) => {{
            let mut value = match data {
                Data::Int(value) => *value as $ty,
                Data::UInt(value) => *value as $ty,
                _ => panic!("no integer"),
            };
            value.serialize(ar)?;
            match i128::try_from(value) {
                Ok(value) => *data = Data::Int(value),
                Err(_) => *data = Data::UInt(value as u128),
            }
            Ok(())
        }};
    }
    match (number, &mut *data) {
        (Number::F32, Data::F32(value)) => value.serialize(ar),
        (Number::F64, Data::F64(value)) => value.serialize(ar),
        (Number::U8, _) => integer!(u8),
        (Number::U16, _) => integer!(u16),
        (Number::U32, _) => integer!(u32),
        (Number::U64, _) => integer!(u64),
        (Number::U128, _) => integer!(u128),
        (Number::I8, _) => integer!(i8),
        (Number::I16, _) => integer!(i16),
        (Number::I32, _) => integer!(i32),
        (Number::I64, _) => integer!(i64),
        (Number::I128, _) => integer!(i128),
        _ => panic!("no float"),
    }
}

struct Members<'a> {
    built: &'a Rc<Built>,
    class: usize,
    members: &'a mut Vec<Data<Link>>,
}

impl Body for Members<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        members(self.built, self.class, self.members, ar)
    }
}

/// The items of a list, or of an array of that length.
struct Items<'a> {
    built: &'a Rc<Built>,
    item: &'a Type,
    items: &'a mut Vec<Data<Link>>,
    len: Option<usize>,
}

impl Body for Items<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let (built, ty) = (self.built, self.item);
        if !ar.is_loading() {
            for (index, data) in self.items.iter_mut().enumerate() {
                ar.item(index, &mut Place { built, ty, data })?;
            }
            return Ok(());
        }
        let mut items = Vec::new();
        let mut index = 0;
        while self.len != Some(index) {
            let mut new = New { built, ty, out: None };
            if !ar.item(index, &mut new)? {
                break;
            }
            // An item is missing if its error is in the report.
            match (new.out.take(), self.len) {
                (Some(item), _) => items.push(item),
                (None, Some(_)) => items.push(new.blank()),
                (None, None) => {}
            }
            index += 1;
        }
        if self.len.is_some_and(|len| index < len) {
            return Err(Error::new(ErrorKind::WrongLength, "too few items"));
        }
        *self.items = items;
        Ok(())
    }
}

struct Entries<'a> {
    built: &'a Rc<Built>,
    value: &'a Type,
    entries: &'a mut BTreeMap<String, Data<Link>>,
}

struct Key(Option<String>);

impl Body for Key {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut key = self.0.take().unwrap_or_default();
        key.serialize(ar)?;
        self.0 = Some(key);
        Ok(())
    }
}

impl Body for Entries<'_> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let (built, ty) = (self.built, self.value);
        if !ar.is_loading() {
            for (index, (key, data)) in self.entries.iter_mut().enumerate() {
                ar.entry(index, &mut Key(Some(key.clone())), &mut Place { built, ty, data })?;
            }
            return Ok(());
        }
        for index in 0.. {
            let (mut key, mut new) = (Key(None), New { built, ty, out: None });
            if !ar.entry(index, &mut key, &mut new)? {
                break;
            }
            if let (Some(key), Some(value)) = (key.0, new.out) {
                self.entries.insert(key, value);
            }
        }
        Ok(())
    }
}

/// An enum.
struct Choice<'a> {
    built: &'a Rc<Built>,
    choice: usize,
    data: &'a mut Data<Link>,
}

impl Variants for Choice<'_> {
    fn current(&self) -> usize {
        if let Data::Variant(index, _) = &*self.data { *index } else { panic!("no variant") }
    }

    fn select(&mut self, index: usize, _: &Options<'_>) -> Result {
        let built = self.built;
        let mut pointer = |class| Rc::new(RefCell::new(Object::blank_of(built, class)));
        *self.data = Data::blank_variant(self.choice, index, &built.schema, &mut pointer);
        Ok(())
    }

    fn payload<A: Archive>(&mut self, ar: &mut A) -> Result {
        let (built, schema): (_, &Schema) = (self.built, &self.built.schema);
        let Data::Variant(index, payload) = &mut *self.data else { panic!("no variant") };
        match (&schema.choices[self.choice].variants[*index].payload, payload) {
            (Some(ty), Some(data)) => Place { built, ty, data }.run(ar),
            _ => Ok(()),
        }
    }
}
