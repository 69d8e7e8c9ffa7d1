//! Mistakes of hand-written functions, which derived ones cannot make.

use std::collections::BTreeMap;

use archive::{Archive, ErrorKind, Format, Result, Save, Serialize, Value};

use crate::common::formats;

/// A type with a function that gets the content of the type.
macro_rules! by_hand {
    (struct $Type:ident { $($field:ident: $ty:ty),* } fn($this:ident, $ar:ident) $body:block) => {
        #[derive(Clone, Default)]
        struct $Type { $($field: $ty),* }
        impl Serialize for $Type {
            fn serialize<A: Archive>(&mut self, $ar: &mut A) -> Result {
                let $this = self;
                $body
            }
        }
        archive::save_by_clone!($Type);
        archive::blank!($Type);
    };
}

/// Saving fails in every format, alone and in a list; so does a tree.
fn is_refused<T: Default + Save + archive::Element>(kind: ErrorKind, words: &str) {
    let refused = |error: archive::Error, at: &dyn std::fmt::Display| {
        assert_eq!(error.kind(), kind, "{at}: {error}");
        assert!(error.message().contains(words), "{at}: {error}");
    };
    for format in formats() {
        refused(format.to_vec(&T::default()).unwrap_err(), &format);
        refused(format.to_vec(&mut T::default()).unwrap_err(), &format);
        let error = format.to_vec(&vec![T::default()]).unwrap_err();
        assert!(error.path().starts_with("[0]"), "{format}: {error}");
        refused(error, &format);
    }
    refused(archive::binary::to_vec(&T::default()).unwrap_err(), &"binary");
    refused(archive::json::to_string(&T::default()).unwrap_err(), &"json");
    refused(Value::of(&T::default()).unwrap_err(), &"a tree");
}

by_hand! { struct Hp { hp: u32 } fn(this, ar) { this.hp.serialize(ar) } }
by_hand! { struct Names { names: Vec<String> } fn(this, ar) { this.names.serialize(ar) } }
by_hand! {
    struct Perhaps { inner: Option<u8>, n: u8 }
    fn(this, ar) {
        ar.serialize("n", &mut this.n)?;
        this.inner.serialize(ar)
    }
}
by_hand! { struct ByName { map: BTreeMap<String, u8> } fn(this, ar) { this.map.serialize(ar) } }
by_hand! { struct Shared { inner: std::rc::Rc<u8> } fn(this, ar) { this.inner.serialize(ar) } }
by_hand! { struct Tree { tree: Value } fn(this, ar) { this.tree.serialize(ar) } }
by_hand! { struct Chosen { state: State } fn(this, ar) { this.state.serialize(ar) } }

#[derive(Clone, Default, Serialize)]
enum State {
    #[default]
    Idle,
    Moving(u8),
}

#[test]
fn a_value_that_is_not_a_member() {
    let _ = State::Moving(1);
    const WORDS: &str = "visits a value without a name";
    is_refused::<Hp>(ErrorKind::Unsupported, WORDS);
    is_refused::<Names>(ErrorKind::Unsupported, WORDS);
    is_refused::<Perhaps>(ErrorKind::Unsupported, WORDS);
    is_refused::<ByName>(ErrorKind::Unsupported, WORDS);
    is_refused::<Shared>(ErrorKind::Unsupported, WORDS);
    is_refused::<Tree>(ErrorKind::Unsupported, WORDS);
    is_refused::<Chosen>(ErrorKind::Unsupported, WORDS);
}

#[derive(Clone, Default, Serialize)]
struct Other {
    hp: u32,
}

#[test]
fn it_does_not_load_either() {
    for format in [Format::Json, Format::Binary, Format::Blob, Format::MessagePack] {
        let bytes = format.to_vec(&Other { hp: 7 }).unwrap();
        let error = format.from_slice::<Hp>(&bytes).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{format}: {error}");
    }
}

by_hand! {
    struct Twice { x: u8, y: u8 }
    fn(this, ar) {
        ar.serialize("x", &mut this.x)?;
        ar.serialize("x", &mut this.y)
    }
}
by_hand! {
    struct TwiceInABase { base: Other, hp: u32 }
    fn(this, ar) {
        this.base.serialize(ar)?;
        ar.serialize("hp", &mut this.hp)
    }
}
by_hand! {
    struct TwiceLong { x: u8 }
    fn(this, ar) {
        ar.serialize("a name that is longer than most", &mut this.x)?;
        ar.serialize("another name that is as long", &mut this.x)?;
        ar.serialize("a name that is longer than most", &mut this.x)
    }
}
by_hand! {
    struct TwiceOfMany { x: u32 }
    fn(this, ar) {
        for n in 0..100 {
            ar.serialize(&format!("member {n}"), &mut this.x)?;
        }
        ar.serialize("member 5", &mut this.x)
    }
}

#[test]
fn a_name_that_is_saved_twice() {
    is_refused::<Twice>(ErrorKind::DuplicateMember, "`Twice` has two members `x`");
    is_refused::<TwiceInABase>(ErrorKind::DuplicateMember, "two members `hp`");
    is_refused::<TwiceLong>(ErrorKind::DuplicateMember, "two members `a name that");
    is_refused::<TwiceOfMany>(ErrorKind::DuplicateMember, "two members `member 5`");
}

by_hand! {
    struct Nested { name: u8, inner: Vec<Nested> }
    fn(this, ar) {
        ar.serialize("name", &mut this.name)?;
        for n in 0..40 {
            ar.serialize(&format!("{n}"), &mut this.name)?;
        }
        ar.serialize("inner", &mut this.inner)?;
        ar.serialize("a name of more than sixteen bytes", &mut this.name)
    }
}

/// Nested objects have their own names.
#[test]
fn the_same_names_in_inner_objects() {
    let leaf = || Nested { name: 1, inner: vec![Nested::default(); 2] };
    let value = Nested { name: 2, inner: vec![leaf(), leaf()] };
    for format in formats() {
        let loaded: Nested = format.from_slice(&format.to_vec(&value).unwrap()).unwrap();
        assert_eq!((loaded.inner[1].name, loaded.inner[1].inner.len()), (1, 2), "{format}");
    }
}

#[derive(Clone, Default, Serialize)]
struct Keeps {
    id: u8,
    #[archive(unknown)]
    rest: BTreeMap<String, Value>,
}

by_hand! {
    struct Lends { base: Keeps, hp: u8 }
    fn(this, ar) {
        this.base.serialize(ar)?;
        ar.serialize("hp", &mut this.hp)
    }
}

/// The following members would be unknown to it.
#[test]
fn a_base_that_keeps_unknown_members() {
    const WORDS: &str = "`Keeps` keeps unknown members";
    is_refused::<Lends>(ErrorKind::Unsupported, WORDS);
    let error = Format::Json.from_slice::<Lends>(br#"{"id":1,"hp":2,"x":3}"#).err().unwrap();
    assert!(error.message().contains(WORDS), "{error}");
}
