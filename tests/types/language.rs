//! `#[derive(Serialize)]` and the language: lifetimes, generics, recursion, macros, and names that
//! hide those of the prelude.

use std::fmt::Debug;

use crate::common::round_trip;
use archive::{Blank, Options, Save, Serialize, json};

/// Saves to exactly `text`, and loads equal from that and from every format.
#[track_caller]
fn check<T: Serialize + Save + Blank + PartialEq + Debug + 'static>(value: &T, text: &str) {
    assert_eq!(json::to_string(value).unwrap(), text);
    assert_eq!(&json::from_str::<T>(text).unwrap(), value);
    round_trip(value);
}

mod lifetimes {
    use super::*;
    use archive::field::Bytes;
    use archive::tool::Scalar;
    use archive::{Archive, Result};

    /// Text that may be borrowed.
    #[derive(Debug, PartialEq, Clone)]
    enum Text<'a> {
        Borrowed(&'a str),
        Owned(String),
    }

    impl Serialize for Text<'_> {
        const SHAPE: &'static archive::shape::Shape = String::SHAPE;

        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            if !ar.is_loading() {
                return self.save(ar);
            }
            let mut text = String::new();
            text.serialize(ar)?;
            *self = Text::Owned(text);
            Ok(())
        }
    }
    impl Save for Text<'_> {
        fn save<A: Archive>(&self, ar: &mut A) -> Result {
            match self {
                Text::Borrowed(text) => ar.scalar(Scalar::Str(text)),
                Text::Owned(text) => text.save(ar),
            }
        }
    }
    impl Blank for Text<'_> {
        fn blank(_: &Options<'_>) -> Self {
            Text::Borrowed("")
        }
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Named<'a> {
        name: Text<'a>,
        #[archive(skip, default = &[])]
        hint: &'a [u8],
    }

    #[derive(Serialize, Debug, PartialEq)]
    enum Label<'a, 'b: 'a, T>
    where
        T: Clone,
    {
        None,
        One(Text<'a>),
        Two { first: Named<'b>, second: Option<T> },
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Wrapper<'a>(Named<'a>);

    #[derive(Debug, PartialEq, Clone, Default)]
    struct Blob<'a>(std::borrow::Cow<'a, [u8]>);

    impl Bytes for Blob<'_> {
        fn as_bytes(&self) -> &[u8] {
            &self.0
        }
        fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
            Ok(Blob(bytes.into()))
        }
    }

    mod lower {
        use super::*;

        pub fn save(text: &Text<'_>) -> Result<String> {
            Ok(match text {
                Text::Borrowed(text) => text.to_lowercase(),
                Text::Owned(text) => text.to_lowercase(),
            })
        }
        pub fn load<'a>(text: String) -> Result<Text<'a>> {
            Ok(Text::Owned(text))
        }
    }

    #[derive(Serialize, Debug, PartialEq)]
    #[archive(after_load = Self::check)]
    struct Attributes<'a, T: Clone>
    where
        T: 'a,
    {
        #[archive(bytes, skip_if_default)]
        blob: Blob<'a>,
        #[archive(with = lower, default = Text::Borrowed("x"), skip_if_default)]
        text: Text<'a>,
        #[archive(skip(keep))]
        cache: Option<&'a str>,
        value: T,
    }

    impl<'a, T: Clone> Attributes<'a, T> {
        fn check(&mut self) -> Result {
            Ok(())
        }
    }

    #[test]
    fn borrowed_and_owned() {
        let owned = |text: &str| Text::Owned(text.to_owned());
        let named = |text| Named { name: owned(text), hint: &[] };
        check(&named("a"), r#"{"name":"a"}"#);
        check(&Wrapper(named("a")), r#"{"name":"a"}"#);
        check(
            &vec![
                Label::None,
                Label::One(owned("a")),
                Label::Two { first: named("b"), second: Some(1_u8) },
            ],
            r#"["None",{"One":"a"},{"Two":{"first":{"name":"b"},"second":1}}]"#,
        );
        let local = String::from("local");
        let borrowed = Named { name: Text::Borrowed(&local), hint: &[1] };
        assert_eq!(json::to_string(&borrowed).unwrap(), r#"{"name":"local"}"#);
        let attributes = Attributes {
            blob: Blob(vec![1].into()),
            text: Text::Owned("y".into()),
            cache: None,
            value: 1_u8,
        };
        check(&attributes, r#"{"blob":[1],"text":"y","value":1}"#);
    }
}

mod generics {
    use super::*;

    #[derive(Serialize, Debug, PartialEq)]
    struct Matrix<T, const W: usize, const H: usize = 2>
    where
        T: Copy,
        [T; W]: Sized,
    {
        rows: [[T; W]; H],
        #[archive(bytes)]
        mask: [u8; W],
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Assoc<I: Iterator>
    where
        I::Item: archive::Element + Save,
    {
        last: Option<I::Item>,
        #[archive(skip, default = std::marker::PhantomData)]
        _of: std::marker::PhantomData<I>,
    }

    #[test]
    fn constants_and_associated_types() {
        check(
            &Matrix { rows: [[1_u8, 2, 3], [4, 5, 6]], mask: [1, 0, 1] },
            r#"{"rows":[[1,2,3],[4,5,6]],"mask":[1,0,1]}"#,
        );
        let value = Assoc::<std::ops::Range<u32>> { last: Some(3), _of: std::marker::PhantomData };
        check(&value, r#"{"last":3}"#);
    }
}

mod recursion {
    use super::*;
    use std::collections::BTreeMap;

    #[derive(Serialize, Debug, PartialEq, Default)]
    struct Folder {
        #[archive(as_object, skip_if_default)]
        files: BTreeMap<String, Entry>,
        #[archive(skip(keep))]
        open: bool,
    }

    #[derive(Serialize, Debug, PartialEq)]
    enum Entry {
        Folder(Box<Folder>),
        File(#[archive(bytes)] Vec<u8>),
        Both { of: Vec<Entry>, parent: Option<Box<Self>> },
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Ping(Option<Box<Pong>>, #[archive(skip(keep))] u8);

    #[derive(Serialize, Debug, PartialEq)]
    struct Pong {
        ping: Vec<Ping>,
    }

    #[test]
    fn mutual() {
        let file = || Entry::File(vec![1]);
        let inner = Folder { files: [("b".into(), file())].into(), open: false };
        let both = Entry::Both { of: vec![file()], parent: Some(Box::new(file())) };
        let files = [("a".into(), Entry::Folder(Box::new(inner))), ("c".into(), both)].into();
        check(
            &Folder { files, open: false },
            concat!(
                r#"{"files":{"a":{"Folder":{"files":{"b":{"File":[1]}}}},"#,
                r#""c":{"Both":{"of":[{"File":[1]}],"parent":{"File":[1]}}}}}"#,
            ),
        );
        let ping = Ping(Some(Box::new(Pong { ping: vec![Ping(None, 0)] })), 0);
        check(&ping, r#"[{"ping":[[null]]}]"#);
    }
}

mod macros {
    use super::*;

    macro_rules! entity {
        (
            $(#[$attribute:meta])*
            $name:ident { $($(#[$on_field:meta])* $field:ident: $ty:ty = $default:expr),* $(,)? }
        ) => {
            #[derive(Serialize, Debug, PartialEq)]
            $(#[$attribute])*
            struct $name {
                $($(#[$on_field])* #[archive(default = $default)] $field: $ty,)*
                #[archive(skip_if_default)]
                value: u8,
            }
        };
    }

    mod twice {
        pub fn save(value: &u8) -> archive::Result<u8> {
            Ok(value * 2)
        }
        pub fn load(value: u8) -> archive::Result<u8> {
            Ok(value / 2)
        }
    }

    entity! {
        #[archive(rename_all = "UPPERCASE", after_load = touch)]
        Orc {
            hp: u32 = 10,
            #[archive(bytes)]
            data: Vec<u8> = vec![1],
            #[archive(skip_if_default)]
            name: Option<String> = None,
            #[archive(with = twice)]
            doubled: u8 = 1,
        }
    }

    fn touch(_: &mut Orc) {}

    macro_rules! variants {
        ($name:ident, $($variant:ident($ty:ty)),*) => {
            #[derive(Serialize, Debug, PartialEq)]
            enum $name { $($variant($ty)),* }
        };
    }
    variants!(Any, Number(i64), Text(Option<String>), Nothing(()));

    macro_rules! with_module {
        ($name:ident, $module:path, $($ty:tt)*) => {
            #[derive(Serialize, Debug, PartialEq)]
            struct $name(#[archive(with = $module)] $($ty)*);
        };
    }
    with_module!(Doubled, twice, u8);

    #[test]
    fn types_from_macros() {
        let orc = Orc { hp: 1, data: vec![2], name: None, doubled: 2, value: 0 };
        check(&orc, r#"{"HP":1,"DATA":[2],"DOUBLED":4}"#);
        let blank = Orc { hp: 10, data: vec![1], name: None, doubled: 1, value: 0 };
        assert_eq!(Orc::blank(&Options::new()), blank);
        check(
            &vec![Any::Number(1), Any::Text(None), Any::Nothing(())],
            r#"[{"Number":1},{"Text":null},{"Nothing":null}]"#,
        );
        check(&Doubled(3), "6");
    }
}

/// Everything that generated code might mean by its short name is something else here.
#[allow(dead_code, unused_macros, non_camel_case_types, non_snake_case)] // hidden names, on purpose
mod hidden_names {
    use archive::Serialize;

    pub struct Option;
    pub struct Result;
    pub struct Box;
    pub struct Error;
    pub trait Archive {}
    pub trait Save {}
    pub trait Blank {}
    pub trait Default {}
    pub trait PartialEq {}
    pub trait From {}
    pub trait AsRef {}
    pub trait Body {}
    pub fn Some() {}
    pub fn None() {}
    pub fn Ok() {}
    pub fn Err() {}
    pub fn drop() {}
    pub mod core {}
    pub mod std {}
    pub mod alloc {}
    pub type str = ();
    pub type bool = ();
    pub type usize = ();
    macro_rules! panic {
        () => {};
    }
    macro_rules! unreachable {
        () => {};
    }

    #[derive(Serialize, ::core::fmt::Debug, ::core::cmp::PartialEq, ::core::default::Default)]
    pub struct Vec {
        pub r#type: u8,
        pub r#match: String,
        pub ar: u8,
        pub self_: u8,
        #[archive(skip_if_default)]
        pub value: u8,
        #[archive(bytes)]
        pub body: [u8; 2],
        #[archive(with = r#mod)]
        pub with: u8,
        #[archive(skip(keep))]
        pub kept: u8,
    }

    #[derive(
        Serialize,
        ::core::fmt::Debug,
        ::core::cmp::PartialEq,
        ::core::default::Default,
        ::core::clone::Clone,
    )]
    #[archive(transparent)]
    pub struct String {
        pub number: u8,
    }

    mod r#mod {
        pub fn save(value: &u8) -> ::archive::Result<u8> {
            ::core::result::Result::Ok(*value)
        }
        pub fn load(value: u8) -> ::archive::Result<u8> {
            ::core::result::Result::Ok(value)
        }
    }

    #[derive(Serialize, ::core::fmt::Debug, ::core::cmp::PartialEq)]
    #[archive(after_load = finish)]
    pub enum Choice {
        Some(u8),
        None,
        r#Self_ {
            r#fn: u8,
            Ok: u8,
        },
        Err(u8, u8),
        #[archive(other)]
        Other(::std::string::String),
    }

    fn finish(_: &mut Choice) {}
}

#[test]
fn names_that_hide_the_preludes() {
    use hidden_names::{Choice, String, Vec};
    let value = Vec {
        r#type: 1,
        r#match: String { number: 2 },
        ar: 3,
        self_: 4,
        value: 5,
        body: [6, 7],
        with: 8,
        kept: 0,
    };
    check(&value, r#"{"type":1,"match":2,"ar":3,"self_":4,"value":5,"body":[6,7],"with":8}"#);
    let list = vec![
        Choice::Some(1),
        Choice::None,
        Choice::Self_ { r#fn: 1, Ok: 2 },
        Choice::Err(1, 2),
        Choice::Other("x".into()),
    ];
    check(&list, r#"[{"Some":1},"None",{"Self_":{"fn":1,"Ok":2}},{"Err":[1,2]},"x"]"#);
}

mod private {
    use archive::Serialize;

    /// Public, with private fields of private types.
    #[derive(Serialize, Debug, PartialEq, Default)]
    pub struct Public {
        hidden: Hidden,
        list: Vec<Hidden>,
    }

    #[derive(Serialize, Debug, PartialEq, Default)]
    struct Hidden(u8);

    impl Public {
        pub fn new() -> Self {
            Public { hidden: Hidden(1), list: vec![Hidden(2)] }
        }
    }
}

#[test]
fn private_fields() {
    check(&private::Public::new(), r#"{"hidden":1,"list":[2]}"#);
}

/// The code of the macros does not clash with the program's names.
#[test]
fn a_trait_may_be_called_t() {
    trait T: archive::Polymorphic {}
    archive::polymorphic!(dyn T);
    #[derive(Default, Serialize)]
    struct Concrete;
    impl T for Concrete {}
    let mut registry = archive::Registry::new();
    archive::register!(registry, dyn T { Concrete }).unwrap();
    let options = archive::Options::new().registry(&registry);
    let object: Box<dyn T> = Box::new(Concrete);
    let text = archive::json::to_string_with(&object, &options).unwrap();
    assert!(archive::json::from_str_with::<Box<dyn T>>(&text, &options).is_ok(), "{text}");
}

/// A trait object without `polymorphic!`, with hand-written functions: the derive requires nothing
/// else.
#[test]
fn a_trait_object_saved_by_hand() {
    trait Shape {
        fn sides(&mut self) -> &mut u32;
    }

    impl Shape for u32 {
        fn sides(&mut self) -> &mut u32 {
            self
        }
    }

    impl Serialize for Box<dyn Shape> {
        fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
            ar.serialize("sides", self.sides())
        }
    }

    #[derive(Serialize)]
    #[archive(mut_only)]
    struct Drawing {
        #[archive(default = Box::new(0))]
        shape: Box<dyn Shape>,
    }

    let mut drawing = Drawing { shape: Box::new(3) };
    let text = json::to_string(&mut drawing).unwrap();
    assert_eq!(text, r#"{"shape":{"sides":3}}"#);
    json::load_into(&mut drawing, br#"{"shape":{"sides":4}}"#).unwrap();
    assert_eq!(*drawing.shape.sides(), 4);
}
