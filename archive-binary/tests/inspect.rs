//! The description of a file, without the program.

use archive_test_support::search::some_of;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use crate::common::Binary;
use archive_binary::{Inspection, PayloadInfo, TypeContent, TypeInfo, inspect, to_vec};
use archive_core::{
    Archive, Backend, Element, ErrorKind, Options, Registry, Result, Save, Serialize, Value,
};
use archive_derive::Serialize;
use archive_describe::signature;

#[derive(Clone, Debug, Default, Serialize)]
#[archive(crate = archive_core, version = 3)]
struct Place {
    x: f32,
    y: f32,
}

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
enum State {
    #[default]
    Idle,
    Walking {
        to: Place,
        path: Vec<Option<Place>>,
    },
    Hit(u32, f32),
    Named(String),
    /// Has the name of its type, which is used elsewhere, too.
    Place(Place),
    Nested(Box<State>),
}

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Base {
    id: u64,
}

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Unit {
    zeal: i8,
    #[archive(flatten)]
    base: Base,
    #[archive(rename = "a name")]
    name: String,
    state: State,
    home: Option<Rc<RefCell<Place>>>,
    leader: Weak<RefCell<Unit>>,
    grid: [[u8; 3]; 2],
    pair: (bool, char),
    skills: BTreeMap<String, Vec<i128>>,
    #[archive(bytes)]
    raw: Vec<u8>,
    note: Value,
    friends: Vec<Rc<RefCell<Unit>>>,
    unit: (),
}

fn class<'i, 'a>(inspection: &'i Inspection<'a>, name: &str) -> &'i TypeInfo<'a> {
    inspection.types.iter().find(|info| info.name == name).unwrap_or_else(|| panic!("{name}"))
}

fn root_signature<T: Default + Element + Save>() {
    let file = to_vec(&T::default()).unwrap();
    let inspection = inspect(&file).unwrap();
    let found = inspection.types[0].signature;
    assert_eq!(found, Some(signature::<T>()), "{inspection}");
}

#[test]
fn equal_layouts_have_equal_signatures() {
    root_signature::<Place>();
    root_signature::<State>();
    root_signature::<Base>();
    root_signature::<Unit>();

    let file = to_vec(&Unit::default()).unwrap();
    let inspection = inspect(&file).unwrap();
    assert_eq!(class(&inspection, "Place").signature, Some(signature::<Place>()));
    assert_eq!(class(&inspection, "State").signature, Some(signature::<State>()));
    // The members of a variant are not a type of their own.
    let names: Vec<&str> = inspection.types.iter().map(|info| &*info.name).collect();
    assert_eq!(names, ["Unit", "State", "Place"]);
}

#[test]
fn types_as_text() {
    let file = to_vec(&Unit::default()).unwrap();
    let inspection = inspect(&file).unwrap();
    assert_eq!(inspection.root, "Unit");
    let TypeContent::Class { version, members, layout, .. } = &inspection.types[0].content else {
        panic!("{inspection}");
    };
    assert_eq!((*version, *layout), (0, None));
    let members: Vec<(&str, &str)> = members.iter().map(|m| (m.name, &*m.ty)).collect();
    assert_eq!(
        members,
        [
            ("zeal", "i8"),
            ("id", "u64"),
            ("a name", "String"),
            ("state", "State"),
            ("home", "Option<Pointer<Place>>"),
            ("leader", "Weak"),
            ("grid", "[[u8; 3]; 2]"),
            ("pair", "(bool, char)"),
            ("skills", "Map<String, Vec<i128>>"),
            ("raw", "bytes"),
            ("note", "any"),
            ("friends", "Vec<Pointer<Unit>>"),
            ("unit", "()"),
        ]
    );
    let TypeContent::Enum { variants, .. } = &class(&inspection, "State").content else {
        panic!("{inspection}");
    };
    assert_eq!(variants[0].payload, PayloadInfo::Unit);
    assert!(matches!(&variants[1].payload, PayloadInfo::Members(members) if members.len() == 2));
    let values = |index: usize| match &variants[index].payload {
        PayloadInfo::Values(values) => values.as_str(),
        other => panic!("{other:?}"),
    };
    assert_eq!([2, 3, 4, 5].map(values), ["(u32, f32)", "(String)", "(Place)", "(State)"]);

    let of = |file: Vec<u8>| inspect(&file).unwrap().root;
    assert_eq!(
        of(to_vec(&vec![Some((1_u8, Place::default()))]).unwrap()),
        "Vec<Option<(u8, Place)>>"
    );
    assert_eq!(of(to_vec(&7_u32).unwrap()), "u32");
    assert_eq!(of(to_vec(&Value::Null).unwrap()), "any");
}

/// A type whose function may branch.
macro_rules! by_hand {
    ($Type:ident, $branches:expr) => {
        #[derive(Clone, Debug, Default)]
        struct $Type {
            which: u8,
            text: String,
        }
        impl Serialize for $Type {
            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                ar.serialize("which", &mut self.which)?;
                if !$branches || self.which > 0 {
                    ar.serialize("text", &mut self.text)?;
                }
                Ok(())
            }
        }
        archive_core::save_by_clone!($Type);
        archive_core::blank!($Type);
    };
}
by_hand!(ByHand, true);
by_hand!(Straight, false);

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Holder {
    hand: Vec<ByHand>,
    other: Place,
}

#[test]
fn functions_written_by_hand() {
    let hand = [0, 1, 0].map(|which| ByHand { which, text: "x".into() }).into();
    let file = to_vec(&Holder { hand, other: Place::default() }).unwrap();
    let inspection = inspect(&file).unwrap();
    let text = inspection.to_string();
    assert!(text.contains("struct Holder\n    hand: Vec<object>\n    other: Place\n"), "{text}");
    // The tables do not contain the class of an object; those of its layouts are types.
    assert_eq!(inspection.types[0].signature, None);
    assert_eq!(class(&inspection, "Place").signature, Some(signature::<Place>()));
    let layouts: Vec<_> = inspection
        .types
        .iter()
        .filter_map(|info| match &info.content {
            TypeContent::Class { layout: Some(layout), members, .. } => {
                Some((*layout, members.len(), info.signature))
            }
            _ => None,
        })
        .collect();
    assert!(matches!(layouts[..], [(0, 1, Some(_)), (1, 2, Some(_))]), "{layouts:?}");
    assert_eq!(layouts[1].2, Some(signature::<Straight>()));
}

trait Command: archive_core::Polymorphic {}
archive_core::polymorphic!(dyn Command);

#[derive(Default, Serialize)]
#[archive(crate = archive_core)]
struct MoveTo {
    x: i32,
}
impl Command for MoveTo {}

#[test]
fn registered_types_and_shared_objects() {
    let mut registry = Registry::new();
    archive_core::register!(registry, dyn Command { MoveTo as "move" }).unwrap();
    let options = Options::new().registry(&registry);
    let shared: Rc<dyn Command> = Rc::new(MoveTo { x: 7 });
    let orders = (vec![shared.clone(), shared], Box::new(MoveTo { x: 1 }) as Box<dyn Command>);
    let file = Binary::to_vec_with(&orders, &options).unwrap();
    let inspection = inspect(&file).unwrap();
    assert_eq!(inspection.root, "(Vec<Pointer<dyn>>, dyn)");
    assert_eq!(inspection.objects, 1);
    let registered: Vec<_> = inspection.registered.iter().map(|r| (r.id, &*r.ty)).collect();
    assert_eq!(registered, [("move", "MoveTo")]);
    assert_eq!(class(&inspection, "MoveTo").signature, Some(signature::<MoveTo>()));
    assert_eq!(
        inspection.value.to_string(),
        r#"[[{"$id":1,"$type":"move","$value":{"x":7}},{"$id":1}],{"$type":"move","$value":{"x":1}}]"#
    );
    let text = inspection.to_string();
    assert!(
        text.contains(
            "1 shared object\n\nroot: (Vec<Pointer<dyn>>, dyn)\nregistered move: MoveTo\n"
        ),
        "{text}"
    );
    assert_eq!(inspection.data_len + inspection.tables_len + 6 + 16, file.len());
}

#[test]
fn types_of_one_name_are_distinguished() {
    mod other {
        #[derive(Default, archive_derive::Serialize)]
        #[archive(crate = archive_core)]
        pub struct Place {
            z: u8,
        }
    }
    let file = to_vec(&(Place::default(), other::Place::default())).unwrap();
    let inspection = inspect(&file).unwrap();
    assert_eq!(inspection.root, "(Place, Place#2)");
    assert_eq!(inspection.types[1].signature, Some(signature::<other::Place>()));
}

#[test]
fn damaged_files() {
    let unit = Rc::new(RefCell::new(Unit::default()));
    unit.borrow_mut().home = Some(Rc::default());
    unit.borrow_mut().state = State::Hit(1, 2.0);
    let file = to_vec(&vec![unit]).unwrap();
    for len in 0..file.len() {
        assert!(inspect(&file[..len]).is_err(), "{len}");
    }
    for at in some_of(file.len()) {
        for byte in [0x00, 0x7f, 0x80, 0xff, file[at] ^ 1] {
            let mut damaged = file.clone();
            damaged[at] = byte;
            if let Ok(inspection) = inspect(&damaged) {
                let _ = inspection.to_string();
            }
        }
    }
}

/// A file with the tables that `put` writes; its data are `data`.
fn file(data: &[u8], tables: &[u8]) -> Vec<u8> {
    let mut file = [&b"\x8bARC\x01\x00"[..], data].concat();
    file.extend_from_slice(tables);
    file.extend_from_slice(&(tables.len() as u64).to_le_bytes());
    let whole = file.len() as u64 + 8;
    file.extend_from_slice(&whole.to_le_bytes());
    file
}

fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value > 0x7f {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Classes in a row, each with one member of the next class, all of one name of that length.
fn chain(classes: u64, name: usize) -> Vec<u8> {
    let mut tables = vec![6, 1];
    varint(name as u64, &mut tables);
    tables.extend(std::iter::repeat_n(b'x', name));
    varint(classes, &mut tables);
    for class in 0..classes {
        tables.extend([6, 0, 0, 1, 0]);
        varint(if class + 1 < classes { 33 + class } else { 0 }, &mut tables);
    }
    // The root is nothing; no layouts, types of objects and objects.
    tables.extend([0, 0, 0, 0]);
    file(&[], &tables)
}

#[test]
fn repeated_names() {
    let long = chain(20_000, 50_000);
    let error = inspect(&long).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SizeLimit, "{error}");
    // The types of a file are written out before their signatures, so there may be too many of
    // them.
    let many = chain(4_000, 1);
    let inspection = inspect(&many).unwrap();
    assert_eq!(inspection.types.len(), 4_000);
    assert!(inspection.types[0].signature.is_some());
    assert!(inspection.types.iter().any(|info| info.signature.is_none()));
}

#[test]
fn names_cannot_command_a_terminal() {
    let mut tables = vec![6, 1, 3];
    tables.extend(b"a\x1b[");
    tables.extend([1, 6, 0, 0, 1, 0, 0, 32, 0, 0, 0]);
    let text = inspect(&file(&[], &tables)).unwrap().to_string();
    assert!(!text.contains('\x1b') && text.contains(r"struct a\u{1b}["), "{text:?}");
}
