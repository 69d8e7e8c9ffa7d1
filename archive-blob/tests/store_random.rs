//! Random trees, and random damage to them.

use archive_blob::store::{Collection, StoreObject, Variable};
use archive_core::Value;
use archive_test_support::search::config;
use proptest::collection::vec;
use proptest::prelude::*;

/// Names, few of them, so that they clash and are shared.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-C]{0,2}",
        "[xé\\x00]{1,2}",
        "[A-B]::[x:]{0,2}",
        Just("$id".to_owned()),
        Just("$value".to_owned())
    ]
}

fn type_name() -> impl Strategy<Value = String> {
    const KNOWN: &[&str] = &[
        "$base",
        "u8",
        "u32",
        "String",
        "bytes",
        "()",
        "Vec<u16>",
        "[u8; 3]",
        "(u8, char)",
        "f64",
    ];
    prop_oneof![proptest::sample::select(KNOWN).prop_map(str::to_owned), name()]
}

#[derive(Clone, Debug)]
enum Tree {
    Variable(String, String, String, Vec<u8>),
    Child(String, String, bool, Vec<Tree>),
}

fn tree() -> impl Strategy<Value = Tree> {
    let data = vec(any::<u8>(), 0..12);
    let leaf = (type_name(), name(), name(), data)
        .prop_map(|(ty, class, name, bytes)| Tree::Variable(ty, class, name, bytes));
    let tree = leaf.prop_recursive(6, 40, 6, |inner| {
        (name(), name(), any::<bool>(), vec(inner, 0..6))
            .prop_map(|(class, name, list, members)| Tree::Child(class, name, list, members))
    });
    (name(), name(), any::<bool>(), vec(tree, 0..6))
        .prop_map(|(class, name, list, members)| Tree::Child(class, name, list, members))
}

/// The object; members whose names are taken are left out.
fn build(class: &str, name: &str, list: bool, members: &[Tree]) -> StoreObject {
    let new = if list { StoreObject::list(class) } else { StoreObject::new(class) };
    let mut object = new.named(name);
    for member in members {
        match member {
            Tree::Variable(ty, class, name, bytes) if !list => {
                let variable = Variable::new(&**ty, &**class, &**name, bytes.clone());
                let _ = object.insert(variable);
            }
            Tree::Variable(_, _, _, bytes) => object.push_value(bytes).unwrap(),
            Tree::Child(class, name, inner, members) => {
                let child = build(class, name, *inner, members);
                let _ = if list { object.push(child) } else { object.add(&**name, child) };
            }
        }
    }
    object
}

fn object() -> impl Strategy<Value = StoreObject> {
    tree().prop_map(|tree| match tree {
        Tree::Child(class, name, list, members) => build(&class, &name, list, &members),
        Tree::Variable(..) => StoreObject::new("none"),
    })
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn there_and_back(object in object()) {
        let bytes = object.to_bytes().unwrap();
        let read = StoreObject::from_bytes(&bytes).unwrap();
        prop_assert!(read == object, "{read:?}\n{object:?}");
        prop_assert!(object.clone() == object);
        prop_assert_eq!(read.to_bytes().unwrap(), bytes);
        // Any tree is walked without the program, or refused.
        let _ = object.to::<Value>();
    }

    #[test]
    fn collections(objects in vec(object(), 0..5), damage in any::<(prop::sample::Index, u8)>()) {
        let collection = Collection { objects };
        let mut bytes = collection.to_bytes().unwrap();
        prop_assert!(Collection::from_bytes(&bytes).unwrap() == collection);
        let (at, flip) = damage;
        if !bytes.is_empty() && flip != 0 {
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
            let (saved, errors) = Collection::recover(&bytes);
            prop_assert_eq!(saved.objects.len(), collection.objects.len() - 1);
            prop_assert_eq!(errors.len(), 1);
        }
    }

    #[test]
    fn garbage(object in object(), changes in vec(any::<(prop::sample::Index, u8)>(), 1..6)) {
        let mut bytes = object.to_bytes().unwrap();
        for (at, value) in changes {
            let at = 56 + at.index(bytes.len() - 56);
            bytes[at] = value;
        }
        let body = crc32fast::hash(&bytes[56..]);
        bytes[48..52].copy_from_slice(&body.to_le_bytes());
        let header = crc32fast::hash(&bytes[..52]);
        bytes[52..56].copy_from_slice(&header.to_le_bytes());
        if let Ok(read) = StoreObject::from_bytes(&bytes) {
            prop_assert_eq!(read.to_bytes().unwrap(), bytes);
        }
    }
}
