//! Values apart from any type: the results of the library and of the law are compared as these.

use std::collections::BTreeMap;

use super::types::{Number, Schema, Type};

/// A value with pointers of the type `P`.
#[derive(Clone, Debug, PartialEq)]
pub enum Data<P> {
    Int(i128),
    /// An integer above `i128::MAX`.
    UInt(u128),
    F32(f32),
    F64(f64),
    Bool(bool),
    Char(char),
    Text(String),
    Option(Option<Box<Data<P>>>),
    List(Vec<Data<P>>),
    Map(BTreeMap<String, Data<P>>),
    /// The members in the order of the class.
    Object(Vec<Data<P>>),
    Variant(usize, Option<Box<Data<P>>>),
    Pointer(P),
}

impl<P> Data<P> {
    pub fn unsigned(value: u128) -> Self {
        i128::try_from(value).map_or(Data::UInt(value), Data::Int)
    }

    /// The value that a type starts from; `pointer` makes a pointer to a blank object of a class.
    pub fn blank(ty: &Type, schema: &Schema, pointer: &mut dyn FnMut(usize) -> P) -> Self {
        match ty {
            Type::Number(Number::F32) => Data::F32(0.0),
            Type::Number(Number::F64) => Data::F64(0.0),
            Type::Number(_) => Data::Int(0),
            Type::Bool => Data::Bool(false),
            Type::Char => Data::Char('\0'),
            Type::Text => Data::Text(String::new()),
            Type::Option(_) => Data::Option(None),
            Type::List(_) => Data::List(Vec::new()),
            Type::Array(item, len) => {
                Data::List((0..*len).map(|_| Data::blank(item, schema, pointer)).collect())
            }
            Type::Map(_) => Data::Map(BTreeMap::new()),
            Type::Object(class) => Data::Object(Data::blank_members(*class, schema, pointer)),
            Type::Enum(choice) => Data::blank_variant(*choice, 0, schema, pointer),
            Type::Pointer(class) => Data::Pointer(pointer(*class)),
        }
    }

    /// The members that an object of a class starts from.
    pub fn blank_members(
        class: usize,
        schema: &Schema,
        pointer: &mut dyn FnMut(usize) -> P,
    ) -> Vec<Self> {
        let members = &schema.classes[class].members;
        members.iter().map(|member| Data::blank(&member.ty, schema, pointer)).collect()
    }

    /// A variant, blank.
    pub fn blank_variant(
        choice: usize,
        index: usize,
        schema: &Schema,
        pointer: &mut dyn FnMut(usize) -> P,
    ) -> Self {
        let payload = &schema.choices[choice].variants[index].payload;
        let payload = payload.as_ref().map(|ty| Box::new(Data::blank(ty, schema, pointer)));
        Data::Variant(index, payload)
    }

    /// The same with other pointers, each made by `pointer` at its first visit.
    pub fn map<Q>(&self, pointer: &mut dyn FnMut(&P) -> Q) -> Data<Q> {
        match self {
            Data::Int(value) => Data::Int(*value),
            Data::UInt(value) => Data::UInt(*value),
            Data::F32(value) => Data::F32(*value),
            Data::F64(value) => Data::F64(*value),
            Data::Bool(value) => Data::Bool(*value),
            Data::Char(value) => Data::Char(*value),
            Data::Text(text) => Data::Text(text.clone()),
            Data::Option(value) => {
                Data::Option(value.as_ref().map(|value| Box::new(value.map(pointer))))
            }
            Data::List(items) => Data::List(items.iter().map(|item| item.map(pointer)).collect()),
            Data::Map(entries) => Data::Map(
                entries.iter().map(|(key, value)| (key.clone(), value.map(pointer))).collect(),
            ),
            Data::Object(members) => {
                Data::Object(members.iter().map(|member| member.map(pointer)).collect())
            }
            Data::Variant(index, payload) => Data::Variant(
                *index,
                payload.as_ref().map(|payload| Box::new(payload.map(pointer))),
            ),
            Data::Pointer(to) => Data::Pointer(pointer(to)),
        }
    }
}

/// A root with the objects that it shares. Pointers are places in the heap.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    pub root: Data<usize>,
    /// The members of each object, and its class.
    pub heap: Vec<(usize, Data<usize>)>,
}

impl Graph {
    /// The same with the objects in the order of their first visit, without unreachable ones.
    pub fn canonical(&self) -> Graph {
        let mut order = Vec::new();
        let number = |order: &mut Vec<usize>, old: &usize| {
            order.iter().position(|known| known == old).unwrap_or_else(|| {
                order.push(*old);
                order.len() - 1
            })
        };
        let root = self.root.map(&mut |old| number(&mut order, old));
        let mut heap = Vec::new();
        while heap.len() < order.len() {
            let (class, members) = &self.heap[order[heap.len()]];
            heap.push((*class, members.map(&mut |old| number(&mut order, old))));
        }
        Graph { root, heap }
    }
}
