//! The kinds of types, and their data.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use archive::reflect::{Kind, Meta};
use archive::{Element, Serialize, Value};

#[derive(Default, Serialize)]
#[archive(version = 3)]
struct Unit {
    hp: u16,
}

#[derive(Serialize)]
enum Order {
    #[archive(alias = "Wait")]
    Idle,
    Follow(u32),
    /// In both directions.
    Patrol(f32, f32),
    Attack {
        /// Whom.
        target: u32,
        #[archive(range = 0.0..)]
        since: f64,
    },
    #[archive(other)]
    Unknown,
}

fn kind<T: Element>() -> Kind {
    Meta::of::<T>().kind()
}

#[test]
fn every_shape_has_a_kind() {
    assert_eq!(kind::<u8>(), Kind::Plain);
    assert_eq!(kind::<Box<Unit>>(), Kind::Object);
    assert_eq!(kind::<(u8, u8)>(), Kind::Sequence);
    assert_eq!(kind::<Vec<u8>>(), Kind::Sequence);
    assert_eq!(kind::<HashMap<u8, u8>>(), Kind::Map);
    assert_eq!(kind::<Order>(), Kind::Enum);
    assert_eq!(kind::<Rc<Unit>>(), Kind::Pointer);
    assert_eq!(kind::<Weak<RefCell<Unit>>>(), Kind::Pointer);
    assert_eq!(kind::<Option<Rc<Unit>>>(), Kind::Option);
    assert_eq!(kind::<Value>(), Kind::Any);
    assert_eq!(Kind::Object.to_string(), "object");
}

#[test]
fn parts_are_described() {
    let map = Meta::of::<HashMap<String, Vec<Unit>>>();
    assert_eq!(
        (map.key().unwrap().name(), map.item().unwrap().name()),
        ("String".into(), "Vec<Unit>".into())
    );
    assert_eq!(Meta::of::<[u8; 3]>().len(), Some(3));
    assert!(Meta::of::<[u8; 0]>().is_empty());
    let items = Meta::of::<(u8, String)>().items();
    assert_eq!(items.iter().map(Meta::name).collect::<Vec<_>>(), ["u8", "String"]);
    let pointee = Meta::of::<Rc<RefCell<Unit>>>().item().unwrap();
    assert_eq!(
        (pointee.name().as_str(), pointee.kind(), pointee.version()),
        ("RefCell<Unit>", Kind::Object, 3)
    );
    assert_eq!(pointee.member("hp").unwrap().meta().size(), Some(2));
}

#[test]
fn enums_have_their_variants() {
    let variants = Meta::of::<Order>().variants();
    let names: Vec<_> = variants.iter().map(|variant| variant.name()).collect();
    assert_eq!(names, ["Idle", "Follow", "Patrol", "Attack", "Unknown"]);
    assert_eq!(variants[0].aliases(), ["Wait"]);
    assert_eq!((variants[2].doc(), variants[1].doc()), ("In both directions.", ""));
    assert!(variants[0].is_unit() && variants[4].is_other());
    assert_eq!(variants[2].items().iter().map(Meta::name).collect::<Vec<_>>(), ["f32", "f32"]);
    let members = variants[3].members();
    assert_eq!((members[0].facts().doc, members[1].facts().min), ("Whom.", Some(0.0)));
    // The compiler chooses where the fields of variants are.
    assert_eq!((members[1].offset(), members[1].size()), (None, Some(8)));
}

#[test]
fn a_dump_shows_it_all() {
    assert_eq!(
        Meta::of::<Order>().to_string(),
        "Order 16\n{\n    Idle\n    Follow(u32)\n    Patrol(f32, f32)\n    Attack\n        u32 target\n        f64 since\n    Unknown\n}"
    );
    assert_eq!(Meta::of::<Unit>().to_string(), "Unit 2\n{\n    u16 hp 0\n}");
}
