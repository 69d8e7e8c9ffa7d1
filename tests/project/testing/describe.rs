//! Descriptions and signatures.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::{Rc, Weak};

use archive::{Archive, Error, Options, Result, Serialize, Value, describe, signature};

trait Command: archive::Polymorphic {}
archive::polymorphic!(dyn Command);

/// Hand-written, and visited only inside of other types.
#[derive(Default, Clone)]
struct Rect {
    x: i16,
    size: [u16; 2],
    tag: Tag,
}

impl Serialize for Rect {
    const VERSION: u32 = 2;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if ar.version() < 2 {
            ar.serialize("left", &mut self.x)?;
        } else {
            ar.serialize("X", &mut self.x)?;
        }
        ar.serialize("size", &mut self.size)?;
        ar.serialize("the tag", &mut self.tag)
    }
}
archive::save_by_clone!(Rect);
archive::blank!(Rect);

/// Hand-written, and visited only inside of a hand-written type.
#[derive(Default, Clone)]
struct Tag(String);

impl Serialize for Tag {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("text", &mut self.0)
    }
}
archive::save_by_clone!(Tag);
archive::blank!(Tag);

#[derive(Default, Serialize)]
enum State {
    #[default]
    Idle,
    Wait(u32),
    Hit(u32, f32),
    Walk {
        to: (i32, i32),
        area: Option<Rect>,
    },
    Empty {},
}

#[derive(Default, Serialize)]
#[archive(version = 3)]
struct Unit {
    #[archive(rename = "title", alias = "name")]
    name: String,
    state: State,
    areas: HashMap<u8, Vec<Rect>>,
    orders: Vec<Box<dyn Command>>,
    shared: Vec<Rc<RefCell<dyn Command>>>,
    squad: Option<Rc<RefCell<Squad>>>,
    leader: Weak<RefCell<Unit>>,
    #[archive(flatten)]
    health: Health,
    #[archive(bytes)]
    mask: Vec<u8>,
    extra: Value,
    set: HashSet<char>,
    nothing: (),
    #[archive(skip)]
    _cache: u8,
}

#[derive(Default, Serialize)]
struct Health {
    hp: i32,
    most_hp: i32,
}

#[derive(Default, Serialize)]
struct Squad {
    units: Vec<Rc<RefCell<Unit>>>,
    by_name: BTreeMap<String, Rc<RefCell<Unit>>>,
}

#[test]
fn everything() {
    let text = "\
struct Unit, version 3
    areas: Map<u8, Vec<Rect>>
    extra: any
    hp: i32
    leader: Weak
    mask: bytes
    most_hp: i32
    nothing: ()
    orders: Vec<dyn>
    set: Vec<char>
    shared: Vec<Pointer<dyn>>
    squad: Option<Pointer<Squad>>
    state: State
    title: String

struct Rect, version 2
    X: i16
    size: [u16; 2]
    \"the tag\": Tag

struct Squad
    by_name: Map<String, Pointer<Unit>>
    units: Vec<Pointer<Unit>>

enum State
    Empty:
    Hit(u32, f32)
    Idle
    Wait(u32)
    Walk:
        area: Option<Rect>
        to: (i32, i32)

struct Tag
    text: String
";
    assert_eq!(describe::<Unit>().as_str(), text);
    assert_eq!(describe::<Vec<Rect>>().as_str().lines().next(), Some("Vec<Rect>"));
}

/// These numbers must never change: users store them in files.
#[test]
fn signatures_never_change() {
    let signatures = [
        signature::<u8>(),
        signature::<Vec<(String, Option<f64>)>>(),
        signature::<Health>(),
        signature::<Rect>(),
        signature::<State>(),
        signature::<Unit>(),
    ];
    let expected = [
        "4d3cc5193e936dd6",
        "b5953ebe0ed01024",
        "174afe3858d8da09",
        "b4e809eb0e1b26a1",
        "5ccb39c1896c8c97",
        "debf36d544340223",
    ];
    assert_eq!(signatures.map(|signature| format!("{signature:016x}")), expected);
    // The hash of 64 bits that is known as FNV-1a, of the text that is documented.
    let text = "struct #0\n    hp: i32\n    most_hp: i32\n";
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    assert_eq!(signature::<Health>(), hash);
}

#[test]
fn changes_that_keep_a_signature() {
    mod elsewhere {
        #[derive(Default, archive::Serialize)]
        #[archive(name = "Other")]
        pub struct Wounds {
            #[archive(alias = "old")]
            pub most_hp: i32,
            pub hp: i32,
        }

        #[derive(Default, archive::Serialize)]
        pub enum Mood {
            Walk {
                area: Option<super::Rect>,
                to: (i32, i32),
            },
            #[default]
            Idle,
            Empty {},
            Hit(u32, f32),
            Wait(u32),
        }

        /// As `Health`, by hand.
        #[derive(Default)]
        pub struct Manual(i32, i32);
        impl archive::Serialize for Manual {
            fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
                ar.serialize("most_hp", &mut self.0)?;
                ar.serialize("hp", &mut self.1)
            }
        }
        archive::blank!(Manual);
    }
    assert_eq!(signature::<Health>(), signature::<elsewhere::Wounds>());
    assert_eq!(signature::<Health>(), signature::<elsewhere::Manual>());
    assert_eq!(signature::<State>(), signature::<elsewhere::Mood>());
}

#[test]
fn changes_that_change_a_signature() {
    macro_rules! all {
        ($($(#[$on:meta])* { $($body:tt)* })*) => { vec![$({
            #[derive(Default, Serialize)]
            #[allow(dead_code)] // only described
            $(#[$on])*
            struct T { $($body)* }
            (signature::<T>(), stringify!($(#[$on])* $($body)*))
        }),*] };
    }
    #[derive(Default, Serialize)]
    enum One {
        #[default]
        A,
    }
    #[derive(Default, Serialize)]
    enum Two {
        #[default]
        A,
        B,
    }
    #[derive(Default, Serialize)]
    enum Carries {
        #[default]
        A,
        B(u8),
    }
    #[derive(Default, Serialize)]
    #[archive(version = 1)]
    struct Newer {
        hp: i32,
        most_hp: i32,
    }
    let mut all = all! {
        { a: u8 }
        { b: u8 }
        { a: u8, b: u8 }
        { a: u16 }
        { a: i8 }
        #[archive(version = 1)] { a: u8 }
        #[archive(version = 2)] { a: u8 }
        { a: [u8; 3] }
        { a: [u8; 4] }
        { a: Vec<u8> }
        { a: Vec<Vec<u8>> }
        { #[archive(bytes)] a: Vec<u8> }
        { a: (u8,) }
        { a: (u8, u8) }
        { a: Option<u8> }
        { a: String }
        { a: char }
        { a: One }
        { a: Two }
        { a: Carries }
        { a: Health }
        { a: Newer }
        { a: Health, b: Health }
        { a: Health, b: Newer }
        { #[archive(flatten)] a: Health }
        { a: Rc<Health> }
        { a: Weak<Health> }
        { a: BTreeMap<u8, Health> }
        { a: BTreeMap<u8, Newer> }
        { a: Vec<Box<dyn Command>> }
        { a: Value }
        { a: Rect }
        { a: Vec<Rect> }
    };
    all.sort();
    for pair in all.windows(2) {
        assert_ne!(pair[0].0, pair[1].0, "{} and {}", pair[0].1, pair[1].1);
    }
}

/// Functions that branch on their data, that fail, and that never end by themselves.
#[test]
fn functions_that_branch() {
    #[derive(Default)]
    struct Branching {
        old: Option<u8>,
        flag: bool,
        count: u32,
        text: String,
    }
    impl Serialize for Branching {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("old", &mut self.old)?;
            if self.old.is_some() {
                return Ok(());
            }
            ar.serialize("flag", &mut self.flag)?;
            ar.serialize("count", &mut self.count)?;
            if self.count == 0 {
                ar.serialize("none", &mut self.flag)?;
            }
            ar.serialize("text", &mut self.text)?;
            if self.text.is_empty() {
                return Err(Error::custom("a text is missing"));
            }
            ar.serialize("after", &mut self.flag)
        }
    }
    archive::blank!(Branching);
    assert_eq!(
        describe::<Branching>().to_string(),
        "struct Branching\n    count: u32\n    flag: bool\n    none: bool\n    old: Option<u8>\n    \
         text: String\n    ...\n"
    );

    #[derive(Default)]
    struct Endless;
    impl Serialize for Endless {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            let mut more = true;
            while more {
                more = false;
                ar.serialize("more", &mut more)?;
            }
            Ok(())
        }
    }
    archive::blank!(Endless);
    assert_eq!(
        describe::<Vec<Endless>>().as_str(),
        "Vec<Endless>\n\nstruct Endless\n    more: bool\n"
    );
}

#[test]
fn types_that_contain_themselves() {
    #[derive(Default, Serialize)]
    struct Tree {
        left: Option<Box<Tree>>,
        children: Vec<Tree>,
    }
    assert_eq!(
        describe::<Tree>().as_str(),
        "struct Tree\n    children: Vec<Tree>\n    left: Option<Tree>\n"
    );

    #[derive(Default, Serialize)]
    struct List(Vec<List>);
    assert_eq!(describe::<List>().as_str(), "Vec<".repeat(12) + "_" + &">".repeat(12) + "\n");

    #[derive(Default, Serialize)]
    struct Bush(Vec<Bush>, Option<Box<Bush>>, Rect);
    let text = describe::<Bush>().to_string();
    assert!(text.len() < 10_000 && text.contains("struct Tag\n    text: String"), "{text}");

    #[derive(Serialize)]
    enum Sum {
        Number(i64),
        Negative(Box<Sum>),
        Add { left: Box<Sum>, right: Rc<Sum> },
    }
    assert_eq!(
        describe::<Sum>().as_str(),
        "enum Sum\n    Add:\n        left: Sum\n        right: Pointer<Sum>\n    Negative(Sum)\n    \
         Number(i64)\n"
    );
}

#[test]
fn equal_names_are_distinguished() {
    mod other {
        #[derive(Default, archive::Serialize)]
        pub struct Health {
            pub health: super::Health,
        }
    }
    #[derive(Default, Serialize)]
    struct Both<T> {
        a: other::Health,
        b: T,
    }
    assert_eq!(
        describe::<Both<Health>>().as_str(),
        "struct Both\n    a: Health\n    b: Health#2\n\nstruct Health\n    health: Health#2\n\n\
         struct Health#2\n    hp: i32\n    most_hp: i32\n"
    );
}

#[test]
fn contexts_of_functions_are_provided() {
    struct Names(u8);
    #[derive(Default)]
    struct Needy(u8);
    impl Serialize for Needy {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            let first = ar.context::<Names>().ok_or_else(|| Error::custom("no names"))?.0;
            ar.serialize(&format!("name{first}"), &mut self.0)
        }
    }
    archive::blank!(Needy);
    assert_eq!(describe::<Needy>().as_str(), "struct Needy\n    ...\n");
    let options = Options::new().provide(Names(7));
    let text = archive::describe::describe_with::<Needy>(&options).to_string();
    assert_eq!(text, "struct Needy\n    name7: u8\n");
}

/// Derived types whose members are not constants, and one that has no value.
#[test]
fn types_between_derived_and_by_hand() {
    #[derive(Default, Serialize)]
    #[archive(version = 2)]
    struct Flat {
        id: u8,
        #[archive(flatten)]
        area: Rect,
    }
    let members =
        ["X: i16", "id: u8", "size: [u16; 2]", "\"the tag\": Tag"].map(|m| format!("    {m}\n"));
    let text = format!("struct Flat, version 2\n{}", members.concat());
    let tag = "\nstruct Tag\n    text: String\n";
    assert_eq!(describe::<Flat>().to_string(), text + tag);

    #[derive(Default, Serialize)]
    struct Keeps {
        tag: Option<Tag>,
        #[archive(unknown)]
        rest: BTreeMap<String, Value>,
    }
    assert_eq!(
        describe::<Keeps>().to_string(),
        "struct Keeps\n    tag: Option<Tag>\n".to_owned() + tag
    );

    #[derive(Serialize)]
    struct Held {
        command: Box<dyn Command>,
        area: Rect,
    }
    assert_eq!(
        describe::<Held>().as_str(),
        "struct Held\n    area: Rect\n    command: dyn\n\nstruct Rect, version 2\n    ...\n"
    );
    assert!(describe::<Vec<Held>>().as_str().contains("version 2\n    ...\n"));
}

/// Describing a type does not run its `after_load`.
#[test]
fn after_load_is_not_called() {
    #[derive(Default, Serialize)]
    #[archive(after_load = Careful::check)]
    struct Careful {
        a: Rect,
    }
    impl Careful {
        fn check(&mut self) {
            panic!("nothing was loaded");
        }
    }
    assert!(describe::<Vec<Careful>>().as_str().contains("struct Tag"));
}
