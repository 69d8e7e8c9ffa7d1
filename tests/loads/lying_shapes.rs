//! False shapes: a hand-written type may declare anything. Saving and loading always end, in a
//! value or in an error.
//!
//! Everything runs on threads with 2 MiB, the default of the standard library.

use crate::common::{Format, forgives, formats};
use archive::format::block::BlockSize;
use archive::shape::{Class, Enum, Member, NameOf, Payload, Primitive, Shape, ShapeOf, Variant};
use archive::tool::Variants;
use archive::{Archive, Element, Options, Result, Save, Serialize, Value};

/// Runs on a thread of the usual size.
fn on_stack(run: impl FnOnce() + Send + 'static) -> std::thread::Result<()> {
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join()
}

/// The actual content, to be loaded and saved as another one.
#[derive(Serialize, Clone, Default)]
struct Truth {
    a: u32,
    b: f32,
}

const fn member(name: &'static str, shape: fn() -> &'static Shape, flatten: bool) -> Member {
    let member = Member::new(name, ShapeOf::untyped(shape));
    if flatten { member.flattened() } else { member }
}

const fn class(members: Option<&'static [Member]>, size: Option<BlockSize>) -> Class {
    Class::data("False").with_members(members, size)
}

fn number() -> &'static Shape {
    <u32 as Serialize>::SHAPE
}

const fn bytes(bytes: usize) -> Option<BlockSize> {
    Some(BlockSize { bytes, levels: 1, elements: 0 })
}

/// The functions of the types.
fn two_members<A: Archive>(value: &mut Truth, ar: &mut A) -> Result {
    ar.serialize("a", &mut value.a)?;
    ar.serialize("b", &mut value.b)
}

/// A type with a false shape: the declaration, and the function.
macro_rules! lies {
    ($($name:ident $([$($constant:item)*])?: $shape:expr, |$value:ident, $ar:ident| $visit:expr;)*) => {
        $(
            #[derive(Clone, Default)]
            struct $name(Truth);

            impl Serialize for $name {
                const SHAPE: &'static Shape = &$shape;
                $($($constant)*)?

                fn serialize<A: Archive>(&mut self, $ar: &mut A) -> Result {
                    let $value = &mut self.0;
                    $visit
                }
            }
            archive::save_by_clone!($name);
            archive::blank!($name);
        )*

        #[test]
        fn each_ends() {
            let mut failed = Vec::new();
            $(failed.extend(on_stack(|| tell::<$name>()).err().map(|_| stringify!($name)));)*
            assert!(failed.is_empty(), "panics: {failed:?}");
        }
    };
}

const NUMBERS: &[Member] = &[member("a", number, false), member("b", number, false)];

lies! {
    Overwrites [const OVERWRITES: bool = true; const NULLABLE: bool = true;]:
        Shape::Class(&class(Some(NUMBERS), bytes(8))), |v, ar| if ar.is_loading() { Ok(()) } else { two_members(v, ar) };
    Keeps [const KEEPS_UNKNOWN: bool = true; const HOLDS_VALUES: bool = true;]:
        Shape::Class(&class(Some(NUMBERS), None)), |v, ar| two_members(v, ar);
    Lookup [const LOOKUP: Option<&'static archive::format::lookup::Lookup> = <Truth as Serialize>::LOOKUP;]:
        Shape::Class(&class(Some(&[]), None)), |v, ar| two_members(v, ar);
    Nothing: Shape::Class(&class(Some(&[]), None)), |v, ar| two_members(v, ar);
    NoBytes: Shape::Class(&class(Some(NUMBERS), bytes(0))), |v, ar| two_members(v, ar);
    FewBytes: Shape::Class(&class(Some(NUMBERS), bytes(7))), |v, ar| two_members(v, ar);
    ManyBytes: Shape::Class(&class(Some(NUMBERS), bytes(9))), |v, ar| two_members(v, ar);
    AllBytes: Shape::Class(&class(Some(NUMBERS), bytes(usize::MAX))), |v, ar| two_members(v, ar);
    HalfBytes: Shape::Class(&class(Some(NUMBERS), bytes(usize::MAX / 2))), |v, ar| two_members(v, ar);
    Levels: Shape::Class(&class(Some(NUMBERS), Some(BlockSize { bytes: 8, levels: usize::MAX, elements: u64::MAX }))),
        |v, ar| two_members(v, ar);
    NoLevels: Shape::Class(&class(Some(NUMBERS), Some(BlockSize { bytes: 8, levels: 0, elements: 0 }))),
        |v, ar| two_members(v, ar);
    OneMember: Shape::Class(&class(Some(&[member("a", number, false)]), bytes(4))), |v, ar| two_members(v, ar);
    ThreeMembers: Shape::Class(&class(Some(&[
        member("a", number, false), member("b", number, false), member("c", number, false),
    ]), bytes(12))), |v, ar| two_members(v, ar);
    Twice: Shape::Class(&class(Some(&[member("a", number, false), member("a", number, false)]), None)),
        |v, ar| two_members(v, ar);
    Reserved: Shape::Class(&class(Some(&[member("$id", number, false), member("", number, false)]), None)),
        |v, ar| two_members(v, ar);
    Flattened: Shape::Class(&class(Some(&[member("a", Flattened::shape, true)]), None)), |v, ar| two_members(v, ar);
    FlatNumber: Shape::Class(&class(Some(&[member("a", number, true)]), bytes(4))), |v, ar| two_members(v, ar);
    ByHand: Shape::Class(&class(None, bytes(8))), |v, ar| two_members(v, ar);
    Missing: Shape::Class(&class(Some(NUMBERS), bytes(8))), |v, ar| { let _ = v; let _ = ar; Ok(()) };
    Text: Shape::Class(&class(Some(NUMBERS), bytes(8))), |v, ar| { let _ = v; ar.serialize("a", &mut String::from("text")) };
    Number: Shape::Primitive(Primitive::U64, ""), |v, ar| two_members(v, ar);
    Unit: Shape::Primitive(Primitive::Unit, ""), |v, ar| two_members(v, ar);
    Any: Shape::Any, |v, ar| two_members(v, ar);
    Dyn: Shape::Dyn, |v, ar| two_members(v, ar);
    Weak: Shape::Weak(ShapeOf::untyped(number)), |v, ar| two_members(v, ar);
    Seq: Shape::Seq(ShapeOf::untyped(Seq::shape), ""), |v, ar| v.value(ar);
    Maybe: Shape::Option(ShapeOf::untyped(Maybe::shape)), |v, ar| v.value(ar);
    Map: Shape::Map(ShapeOf::untyped(Map::shape), ShapeOf::untyped(Map::shape)), |v, ar| v.value(ar);
    Pointer: Shape::Pointer(ShapeOf::untyped(Pointer::shape)), |v, ar| v.value(ar);
    Array: Shape::Array(ShapeOf::untyped(Array::shape), 3, None, ""), |v, ar| v.value(ar);
    SizedArray: Shape::Array(ShapeOf::untyped(SizedArray::shape), 3, bytes(24), ""), |v, ar| v.value(ar);
    NoArray: Shape::Array(ShapeOf::untyped(number), 0, bytes(8), ""), |v, ar| v.value(ar);
    AllArray: Shape::Array(ShapeOf::untyped(number), usize::MAX, None, ""), |v, ar| [v.a, 7].value(ar);
    ShortArray: Shape::Array(ShapeOf::untyped(number), 3, bytes(12), ""), |v, ar| [v.a, 7].value(ar);
    LongArray: Shape::Array(ShapeOf::untyped(number), 1, bytes(4), ""), |v, ar| [v.a, 7].value(ar);
    Tuple: Shape::Tuple(&[ShapeOf::untyped(Tuple::shape), ShapeOf::untyped(number)], None, ""), |v, ar| v.value(ar);
    SizedTuple: Shape::Tuple(&[ShapeOf::untyped(SizedTuple::shape), ShapeOf::untyped(number)], bytes(16), ""), |v, ar| v.value(ar);
    ShortTuple: Shape::Tuple(&[ShapeOf::untyped(number)], bytes(4), ""), |v, ar| (v.a, 7_u32).value(ar);
    LongTuple: Shape::Tuple(&[ShapeOf::untyped(number), ShapeOf::untyped(number), ShapeOf::untyped(number)], bytes(12), ""), |v, ar| (v.a, 7_u32).value(ar);
    Inside: Shape::Class(&class(Some(&[member("a", Inside::shape, false)]), None)), |v, ar| two_members(v, ar);
    SizedInside: Shape::Class(&class(Some(&[member("a", SizedInside::shape, false)]), bytes(8))),
        |v, ar| two_members(v, ar);
    NoVariant: Shape::Enum(&EMPTY), |v, ar| ar.variant(&EMPTY, &mut Choice(v, 0));
    FarVariant: Shape::Enum(&SELF), |v, ar| ar.variant(&SELF, &mut Choice(v, usize::MAX));
    SelfVariant: Shape::Enum(&SELF), |v, ar| ar.variant(&SELF, &mut Choice(v, 0));
    TupleVariant: Shape::Enum(&SELF), |v, ar| ar.variant(&SELF, &mut Choice(v, 1));
    ClassVariant: Shape::Enum(&SELF), |v, ar| ar.variant(&SELF, &mut Choice(v, 2));
    UnitVariant: Shape::Enum(&SELF), |v, ar| ar.variant(&SELF, &mut Choice(v, 3));
}

/// Shapes that contain themselves.
macro_rules! shapes {
    ($($name:ident)*) => { $(
        impl $name {
            fn shape() -> &'static Shape {
                Self::SHAPE
            }
        }
    )* };
}
shapes! {
    Flattened Seq Maybe Map Pointer Array SizedArray Tuple SizedTuple Inside SizedInside SelfVariant
}

static EMPTY: Enum = Enum::new("Empty", NameOf::Data("Empty"), &[]);
static SELF: Enum = Enum::new(
    "Self",
    NameOf::Data("Self"),
    &[
        Variant::new("new", Payload::Newtype(ShapeOf::untyped(SelfVariant::shape))),
        Variant::new(
            "tuple",
            Payload::Tuple(&[
                ShapeOf::untyped(SelfVariant::shape),
                ShapeOf::untyped(SelfVariant::shape),
            ]),
        ),
        Variant::new("class", Payload::Struct(&class(Some(NUMBERS), bytes(8)))),
        Variant::new("unit", Payload::Unit),
    ],
);

/// A variant with that number, which the enum may lack.
struct Choice<'a>(&'a mut Truth, usize);

impl Variants for Choice<'_> {
    fn current(&self) -> usize {
        self.1
    }
    fn select(&mut self, index: usize, _: &Options<'_>) -> Result {
        self.1 = index;
        Ok(())
    }
    fn payload<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.value(ar)
    }
}

/// A value of the type, saved and loaded in all ways: any result is right, as long as it ends.
fn tell<T: Serialize + Save + Element + Clone + Default>() {
    for format in formats() {
        all_ways::<T>(format);
    }
    let _ = archive::describe::<T>();
    let _ = Value::of(&T::default()).and_then(|tree| tree.to::<T>());
}

fn all_ways<T: Serialize + Save + Element + Clone + Default>(format: Format) {
    let value = T::default();
    in_way::<_, T>(format, &value);
    in_way::<_, T>(format, &Truth::default());
    in_way::<_, Vec<T>>(format, &vec![Truth::default(); 3]);
    in_way::<_, Option<Box<T>>>(format, &Some(value.clone()));
    in_way::<_, (Vec<T>, [T; 2])>(format, &(vec![value.clone()], [value.clone(), value]));
}

fn in_way<S: Save, T: Element>(format: Format, value: &S) {
    let reporting = Options::new().keep_going(true);
    let Ok(bytes) = format.to_vec(value) else { return };
    let loaded = format.from_slice::<T>(&bytes);
    let reported = format.from_slice_report::<T>(&bytes, &reporting);
    for mut loaded in [loaded.ok(), reported.ok().map(|(loaded, _)| loaded)].into_iter().flatten() {
        let _ = format.load_into(&mut loaded, &bytes);
        let _ = format.to_vec(&mut loaded);
    }
    if forgives(format) {
        let _ = format.from_slice::<Value>(&bytes);
    }
}
