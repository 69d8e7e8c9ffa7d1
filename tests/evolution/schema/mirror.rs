//! Types of the program, described and visited without the library: the macros here write the same
//! description as the derive.

use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

use super::data::{Data, Graph};
use super::types::{Choice, Class, Member, Number, Schema, Type, Variant};

/// A type with a type of the schema, and its values as data.
pub trait Mirror: Sized + 'static {
    fn ty(types: &mut Types) -> Type;
    fn data(&self, out: &mut Outgoing) -> Data<usize>;
    fn make(data: &Data<usize>, from: &mut Incoming<'_>) -> Self;
}

/// The visited types, by name.
#[derive(Default)]
pub struct Types {
    pub schema: Schema,
    classes: HashMap<&'static str, usize>,
    choices: HashMap<&'static str, usize>,
}

impl Types {
    pub fn class(
        &mut self,
        name: &'static str,
        derived: bool,
        members: impl FnOnce(&mut Types) -> Vec<Member>,
    ) -> Type {
        if let Some(known) = self.classes.get(name) {
            return Type::Object(*known);
        }
        let index = self.schema.classes.len();
        self.classes.insert(name, index);
        // A struct variant has the path of its enum.
        let (name, in_variants) = (name.to_owned(), name.contains("::"));
        self.schema.classes.push(Class { name, derived, in_variants, members: Vec::new() });
        self.schema.classes[index].members = members(self);
        Type::Object(index)
    }

    pub fn choice(
        &mut self,
        name: &'static str,
        variants: impl FnOnce(&mut Types) -> Vec<Variant>,
    ) -> Type {
        if let Some(known) = self.choices.get(name) {
            return Type::Enum(*known);
        }
        let index = self.schema.choices.len();
        self.choices.insert(name, index);
        self.schema.choices.push(Choice { name: name.to_owned(), variants: Vec::new() });
        self.schema.choices[index].variants = variants(self);
        Type::Enum(index)
    }
}

/// The shared objects of a visited value.
#[derive(Default)]
pub struct Outgoing {
    types: Types,
    known: Vec<Rc<dyn Any>>,
    heap: Vec<(usize, Data<usize>)>,
}

/// The content of a value.
pub fn graph<T: Mirror>(value: &T) -> Graph {
    let mut out = Outgoing::default();
    T::ty(&mut out.types);
    let root = value.data(&mut out);
    Graph { root, heap: out.heap }.canonical()
}

/// The shared objects of a created value.
pub struct Incoming<'a> {
    graph: &'a Graph,
    made: HashMap<usize, Rc<dyn Any>>,
}

/// The value of that content.
pub fn make<T: Mirror>(graph: &Graph) -> T {
    T::make(&graph.root, &mut Incoming { graph, made: HashMap::new() })
}

impl<T: Mirror + Default> Mirror for Rc<RefCell<T>> {
    fn ty(types: &mut Types) -> Type {
        match T::ty(types) {
            Type::Object(class) => Type::Pointer(class),
            other => panic!("a pointer to {other}"),
        }
    }

    fn data(&self, out: &mut Outgoing) -> Data<usize> {
        let address = |known: &Rc<dyn Any>| Rc::as_ptr(known).cast::<()>();
        let this: Rc<dyn Any> = self.clone();
        if let Some(at) = out.known.iter().position(|known| address(known) == address(&this)) {
            return Data::Pointer(at);
        }
        let at = out.known.len();
        let Type::Object(class) = T::ty(&mut out.types) else { unreachable!() };
        out.known.push(this);
        out.heap.push((class, Data::Bool(false)));
        out.heap[at].1 = self.borrow().data(out);
        Data::Pointer(at)
    }

    fn make(data: &Data<usize>, from: &mut Incoming<'_>) -> Self {
        let Data::Pointer(at) = data else { panic!("no pointer") };
        if let Some(made) = from.made.get(at) {
            return made.clone().downcast().unwrap();
        }
        let new = Rc::new(RefCell::new(T::default()));
        from.made.insert(*at, new.clone());
        let value = T::make(&from.graph.heap[*at].1, from);
        *new.borrow_mut() = value;
        new
    }
}

macro_rules! scalars {
    ($($ty:ty: $kind:expr, $variant:ident;)*) => { $(
        impl Mirror for $ty {
            fn ty(_: &mut Types) -> Type {
                $kind
            }
            fn data(&self, _: &mut Outgoing) -> Data<usize> {
                Data::$variant(self.clone().into())
            }
            fn make(data: &Data<usize>, _: &mut Incoming<'_>) -> Self {
                match data {
                    Data::$variant(value) => value.clone().try_into().unwrap(),
                    other => panic!("{other:?}"),
                }
            }
        }
    )* };
}
scalars! {
    u8: Type::Number(Number::U8), Int;
    u16: Type::Number(Number::U16), Int;
    u32: Type::Number(Number::U32), Int;
    u64: Type::Number(Number::U64), Int;
    i8: Type::Number(Number::I8), Int;
    i16: Type::Number(Number::I16), Int;
    i32: Type::Number(Number::I32), Int;
    i64: Type::Number(Number::I64), Int;
    i128: Type::Number(Number::I128), Int;
    f32: Type::Number(Number::F32), F32;
    f64: Type::Number(Number::F64), F64;
    bool: Type::Bool, Bool;
    char: Type::Char, Char;
    String: Type::Text, Text;
}

impl<T: Mirror> Mirror for Option<T> {
    fn ty(types: &mut Types) -> Type {
        Type::Option(Box::new(T::ty(types)))
    }
    fn data(&self, out: &mut Outgoing) -> Data<usize> {
        Data::Option(self.as_ref().map(|value| Box::new(value.data(out))))
    }
    fn make(data: &Data<usize>, from: &mut Incoming<'_>) -> Self {
        let Data::Option(value) = data else { panic!("{data:?}") };
        value.as_ref().map(|value| T::make(value, from))
    }
}

macro_rules! sequences {
    ($($Seq:ident),*) => { $(
        impl<T: Mirror> Mirror for $Seq<T> {
            fn ty(types: &mut Types) -> Type {
                Type::List(Box::new(T::ty(types)))
            }
            fn data(&self, out: &mut Outgoing) -> Data<usize> {
                Data::List(self.iter().map(|item| item.data(out)).collect())
            }
            fn make(data: &Data<usize>, from: &mut Incoming<'_>) -> Self {
                let Data::List(items) = data else { panic!("{data:?}") };
                items.iter().map(|item| T::make(item, from)).collect()
            }
        }
    )* };
}
sequences!(Vec, VecDeque);

impl<T: Mirror, const N: usize> Mirror for [T; N] {
    fn ty(types: &mut Types) -> Type {
        Type::Array(Box::new(T::ty(types)), N)
    }
    fn data(&self, out: &mut Outgoing) -> Data<usize> {
        Data::List(self.iter().map(|item| item.data(out)).collect())
    }
    fn make(data: &Data<usize>, from: &mut Incoming<'_>) -> Self {
        let items = Vec::make(data, from);
        items.try_into().ok().unwrap()
    }
}

/// In a file, two items of one type are the same as an array of two.
impl<T: Mirror> Mirror for (T, T) {
    fn ty(types: &mut Types) -> Type {
        <[T; 2]>::ty(types)
    }
    fn data(&self, out: &mut Outgoing) -> Data<usize> {
        Data::List(vec![self.0.data(out), self.1.data(out)])
    }
    fn make(data: &Data<usize>, from: &mut Incoming<'_>) -> Self {
        <[T; 2]>::make(data, from).into()
    }
}

impl<T: Mirror> Mirror for BTreeMap<String, T> {
    fn ty(types: &mut Types) -> Type {
        Type::Map(Box::new(T::ty(types)))
    }
    fn data(&self, out: &mut Outgoing) -> Data<usize> {
        Data::Map(self.iter().map(|(key, value)| (key.clone(), value.data(out))).collect())
    }
    fn make(data: &Data<usize>, from: &mut Incoming<'_>) -> Self {
        let Data::Map(entries) = data else { panic!("{data:?}") };
        entries.iter().map(|(key, value)| (key.clone(), T::make(value, from))).collect()
    }
}

/// A box is invisible in a file.
impl<T: Mirror> Mirror for Box<T> {
    fn ty(types: &mut Types) -> Type {
        T::ty(types)
    }
    fn data(&self, out: &mut Outgoing) -> Data<usize> {
        (**self).data(out)
    }
    fn make(data: &Data<usize>, from: &mut Incoming<'_>) -> Self {
        Box::new(T::make(data, from))
    }
}
