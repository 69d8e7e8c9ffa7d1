//! Random trees, and random damage to them.

use archive_bins::{self as bins, Collection, Decoder, Object, Variable};
use archive_core::shape::OBJECT;
use archive_core::{
    Decoder as _, Encoder as _, ErrorKind, Kind, Number, Options, Shape, Value, ValueEncoder,
};
use archive_test_support::search::config;
use proptest::collection::vec;
use proptest::prelude::*;

/// Few names, so that they clash and are shared.
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
fn build(class: &str, name: &str, list: bool, members: &[Tree]) -> Object {
    let new = if list { Object::list(class) } else { Object::new(class) };
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

fn object() -> impl Strategy<Value = Object> {
    tree().prop_map(|tree| match tree {
        Tree::Child(class, name, list, members) => build(&class, &name, list, &members),
        Tree::Variable(..) => Object::new("none"),
    })
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn there_and_back(object in object()) {
        let bytes = object.to_bytes().unwrap();
        let read = Object::from_bytes(&bytes).unwrap();
        prop_assert!(read == object, "{read:?}\n{object:?}");
        prop_assert!(object.clone() == object);
        prop_assert_eq!(read.to_bytes().unwrap(), bytes);
        // Any tree is copied without the program, or refused.
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
        if let Ok(read) = Object::from_bytes(&bytes) {
            prop_assert_eq!(read.to_bytes().unwrap(), bytes);
        }
    }
}

/// The tree that a decoder reads and the tree that is copied without one, or the kinds of the
/// errors.
fn both_ways(bytes: &[u8]) -> [Result<Value, ErrorKind>; 2] {
    let options = Options::new();
    let decoded = || {
        let (mut from, mut to) = (Decoder::new(bytes, &options)?, ValueEncoder::new());
        pump(&mut from, &mut to)?;
        to.finish()
    };
    let copied = || {
        let mut to = ValueEncoder::new();
        if bins::hand_on(bytes, &options, &mut to)? { to.finish() } else { decoded() }
    };
    [decoded(), copied()].map(|result| result.map_err(|error| error.kind()))
}

fn pump(from: &mut Decoder<'_>, to: &mut ValueEncoder) -> archive_core::Result {
    match from.peek()? {
        Kind::Object => {
            from.begin_object(&OBJECT)?;
            to.begin_object(&OBJECT)?;
            while let Some(name) = from.next_key()? {
                to.member(&name, &Shape::Any)?;
                pump(from, to)?;
            }
            from.end_object(&mut |_| Ok(()))?;
            to.end_object()
        }
        Kind::Seq => {
            let len = from.begin_seq(&Shape::Any)?;
            to.begin_seq(&Shape::Any, len)?;
            while from.next_item()? {
                to.item()?;
                pump(from, to)?;
            }
            from.end_seq()?;
            to.end_seq()
        }
        Kind::Number => match from.number()? {
            Number::Int(value) => to.i128(value),
            Number::UInt(value) => to.u128(value),
            Number::F32(value) => to.f32(value),
            Number::F64(value) => to.f64(value),
        },
        Kind::Null => from.null().and_then(|()| to.null()),
        Kind::Bool => to.bool(from.bool()?),
        Kind::Str => to.str(from.str()?),
        Kind::Bytes => {
            let mut bytes = Vec::new();
            from.bytes(&mut bytes)?;
            to.bytes(&bytes)
        }
        _ => unreachable!("pointers are objects here"),
    }
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn copies_equal_decoded_trees(
        object in object(),
        damage in vec((any::<proptest::sample::Index>(), any::<u8>()), 0..3),
    ) {
        let mut bytes = object.to_bytes().unwrap();
        let [decoded, copied] = both_ways(&bytes);
        prop_assert_eq!(format!("{copied:?}"), format!("{decoded:?}"));
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
            crate::hostile_bins::seal(&mut bytes);
            let [decoded, copied] = both_ways(&bytes);
            prop_assert_eq!(format!("{copied:?}"), format!("{decoded:?}"));
        }
    }
}
