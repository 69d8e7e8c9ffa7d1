//! Packed objects that are damaged or forged: a typed error with a position, or an object that
//! saves as the same bytes.

use archive_bins::{self as bins, Collection, Form, Header, Object, Variable};
use archive_core::{Error, ErrorKind, Result, Value};
use archive_test_support::search::some_of;

const HEADER: usize = 56;

fn object() -> Object {
    let mut leaf = Object::new("Leaf");
    leaf.export("Leaf", "corners", &[[0.5_f32, 1.5], [2.5, 3.5]]).unwrap();
    let mut list = Object::list("Vec<_>");
    list.push_value(&1_u8).unwrap();
    list.push(leaf.clone()).unwrap();
    list.push_value(&"é".to_owned()).unwrap();
    list.push(leaf).unwrap();
    let mut root = Object::new("Root").named("main");
    root.export("Base", "x", &true).unwrap();
    root.add("list", list).unwrap();
    root.export("Root", "x", &vec![1_i16, -1]).unwrap();
    root.add("empty", Object::new("Leaf")).unwrap();
    root
}

fn packed() -> Vec<u8> {
    object().to_bytes().unwrap()
}

/// Corrects both checksums.
pub(crate) fn seal(bytes: &mut [u8]) {
    let body = crc32fast::hash(&bytes[HEADER..]);
    bytes[48..52].copy_from_slice(&body.to_le_bytes());
    let header = crc32fast::hash(&bytes[..52]);
    bytes[52..56].copy_from_slice(&header.to_le_bytes());
}

/// Reads an object in every way.
fn read(bytes: &[u8]) -> Result<Object> {
    let typed = bins::from_slice::<Value>(bytes);
    let object = Object::from_bytes(bytes);
    match &object {
        Ok(object) => {
            assert_eq!(object.to_bytes().unwrap(), bytes, "saves as other bytes");
            // A variable may have bytes that its type does not allow.
            if let Err(error) = typed {
                assert!(error.position().is_some(), "{error}");
            }
        }
        Err(error) => {
            assert!(error.position().is_some(), "{error}");
            assert_eq!(typed.unwrap_err().to_string(), error.to_string());
        }
    }
    object
}

fn refused(bytes: &[u8], kind: ErrorKind, message: &str) {
    let error: Error = read(bytes).unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.message().contains(message), "{error}");
}

/// The object with some words of its content replaced.
fn forged(words: &[(usize, u32)]) -> Vec<u8> {
    let mut bytes = packed();
    for (at, word) in words {
        bytes[*at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
    seal(&mut bytes);
    bytes
}

/// The offset of a field of an object's and of a variable's record.
fn object_at(index: usize, field: usize) -> usize {
    HEADER + 32 * index + 4 * field
}

fn variable_at(index: usize, field: usize) -> usize {
    Header::read(&packed()).unwrap().variable_bin as usize + 20 * index + 4 * field
}

#[test]
fn cut_short_at_every_byte() {
    let bytes = packed();
    assert_eq!(read(&bytes).unwrap(), object());
    for len in 0..bytes.len() {
        refused(&bytes[..len], ErrorKind::UnexpectedEnd, "");
    }
}

#[test]
fn something_follows() {
    for more in [&b"\0"[..], &packed()] {
        refused(&[&packed(), more].concat(), ErrorKind::TrailingData, "after the object");
    }
}

/// Without correct checksums nothing is loaded.
#[test]
fn every_byte_replaced() {
    let bytes = packed();
    for at in some_of(bytes.len()) {
        for flip in 1..=255 {
            let mut bytes = bytes.clone();
            bytes[at] ^= flip;
            let error = Object::from_bytes(&bytes).unwrap_err();
            assert!(error.position().is_some(), "{error}");
        }
    }
}

/// With correct checksums, a loaded object is always intact.
#[test]
fn every_byte_replaced_and_sealed() {
    let bytes = packed();
    let mut whole = 0;
    for at in some_of(bytes.len()) {
        for value in [0, 1, 2, 0x7f, 0x80, 0xff, bytes[at] ^ 1, bytes[at].wrapping_add(1)] {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            seal(&mut bytes);
            whole += usize::from(read(&bytes).is_ok());
        }
    }
    assert!(whole > 10, "data is free to differ: {whole}");
}

#[test]
fn every_word_forged() {
    let bytes = packed();
    for at in 4..bytes.len() - 3 {
        for word in [0, 1, 2, 7, 1 << 16, 1 << 31, (1 << 31) - 1, u32::MAX - 4, u32::MAX] {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
            seal(&mut bytes);
            let _ = read(&bytes);
            let (found, _) = Collection::recover(&[&bytes, &packed()[..]].concat());
            assert_eq!(found.objects.last(), Some(&object()), "{word} at {at}");
        }
    }
}

#[test]
fn counts_that_the_file_cannot_hold() {
    for count in [12, 16, 20] {
        for number in [u32::MAX, u32::MAX / 20, 1 << 27, 0] {
            refused(&forged(&[(count, number)]), ErrorKind::Syntax, "");
        }
    }
    // Counts and offsets that match each other but not the file.
    let size = u32::MAX;
    let words = [(8, size), (20, (size - 400) / 4)];
    refused(&forged(&words), ErrorKind::UnexpectedEnd, "the object takes 4294967295 bytes");
}

/// The objects are a tree: each is the child of one that comes before it.
#[test]
fn cycles_and_orphans() {
    let cases: &[(&[(usize, u32)], &str)] = &[
        (&[(object_at(0, 6), 0)], "do not follow those of"),
        (&[(object_at(1, 6), 1)], "do not follow those of"),
        (&[(object_at(1, 6), 0)], "do not follow those of"),
        (&[(object_at(0, 7), 0)], "no parent before it"),
        (&[(object_at(0, 7), 0), (object_at(1, 6), 1)], "no parent before it"),
        (&[(object_at(0, 7), u32::MAX)], "do not follow those of"),
        (&[(object_at(2, 6), u32::MAX), (object_at(2, 7), 2)], "do not follow those of"),
        (&[(object_at(1, 7), 1)], "do not follow those of"),
        (&[(object_at(1, 7), 3)], "do not follow those of"),
        (&[(object_at(0, 4), 1)], "variables of an object"),
        (&[(object_at(0, 5), 100)], "variables of an object"),
        (&[(object_at(4, 5), 0)], "belongs to no object"),
        (&[(object_at(0, 2), 3)], "form 3"),
        (&[(object_at(0, 3), 1)], "is outside of its parent"),
        (&[(object_at(2, 3), 3)], "is outside of its parent"),
        (&[(object_at(1, 3), 2), (object_at(2, 3), 1)], "is outside of its parent"),
        (&[(object_at(1, 2), 2)], "contains a value"),
        (&[(object_at(0, 2), 2)], "is an item but has a name"),
        (&[(object_at(0, 2), 1)], "is an item but has a name"),
    ];
    for (words, message) in cases {
        refused(&forged(words), ErrorKind::Syntax, message);
    }
}

#[test]
fn data_that_overlaps_or_is_nobodys() {
    let cases: &[(&[(usize, u32)], &str)] = &[
        (&[(variable_at(1, 3), 0)], "does not follow that of the previous variable"),
        (&[(variable_at(0, 4), 0)], "does not follow that of the previous variable"),
        (&[(variable_at(0, 4), u32::MAX)], "does not follow that of the previous variable"),
        (&[(variable_at(0, 3), u32::MAX)], "does not follow that of the previous variable"),
        (&[(variable_at(5, 4), 15)], "belongs to no variable"),
        (&[(variable_at(0, 0), u32::MAX)], "string 4294967295"),
        (&[(variable_at(0, 0), 1)], "string"),
    ];
    for (words, message) in cases {
        refused(&forged(words), ErrorKind::Syntax, message);
    }
}

#[test]
fn strings() {
    let bytes = packed();
    let bin = Header::read(&bytes).unwrap().string_bin as usize;
    let change = |change: &dyn Fn(&mut [u8])| {
        let mut bytes = packed();
        change(&mut bytes[bin..]);
        seal(&mut bytes);
        bytes
    };
    refused(&change(&|bin| bin[4] = 0xff), ErrorKind::Syntax, "a name is not UTF-8");
    refused(&change(&|bin| bin[0] = 200), ErrorKind::Syntax, "");
    refused(&change(&|bin| bin[3] = 0xff), ErrorKind::Syntax, "extends past the end");
    // Root and main: the same length, then the same text.
    refused(
        &change(&|bin| bin[12..16].copy_from_slice(b"Root")),
        ErrorKind::Syntax,
        "duplicate string",
    );
    let last = bytes.len() - 1;
    let mut other = bytes.clone();
    other[last] ^= 1;
    seal(&mut other);
    refused(&other, ErrorKind::Syntax, "the signature does not match");
}

/// A tree that the program would not write is also refused when it is saved.
#[test]
fn trees_that_are_none() {
    let mut object = Object::new("A");
    object.insert(Variable::new("u8", "A", "x", vec![1])).unwrap();
    object.add("y", Object::new("B")).unwrap();
    let bytes = object.to_bytes().unwrap();
    // The name of the child, y, becomes x. Strings: A, "", B, y, u8, x.
    let strings: Vec<u8> = bytes[Header::read(&bytes).unwrap().string_bin as usize..].to_vec();
    assert_eq!(strings.last(), Some(&b'x'));
    let mut twice = bytes.clone();
    let x = bytes.len() - 1;
    twice[x] = b'y';
    seal(&mut twice);
    refused(&twice, ErrorKind::Syntax, "duplicate string");
    // The variable takes the name of the child: string 5 becomes 3, and 5 goes.
    let header = Header::read(&bytes).unwrap();
    let mut twice = bytes[..bytes.len() - 5].to_vec();
    twice[8..12].copy_from_slice(&(header.size - 5).to_le_bytes());
    twice[20..24].copy_from_slice(&(header.strings - 1).to_le_bytes());
    let name = header.variable_bin as usize + 8;
    twice[name..name + 4].copy_from_slice(&3_u32.to_le_bytes());
    seal(&mut twice);
    refused(&twice, ErrorKind::DuplicateMember, "duplicate member `A::y`");
}

/// A name of one megabyte that many variables have: it is in memory once, and the cost of comparing
/// names does not depend on their length.
#[test]
fn long_names_used_often() {
    let long = "n".repeat(1 << 20);
    let mut list = Object::list(&*long);
    for index in 0..50_000_u32 {
        list.push_value(&index).unwrap();
    }
    let bytes = list.to_bytes().unwrap();
    let read = Object::from_bytes(&bytes).unwrap();
    let mut classes = read.variables().map(|variable| variable.class().as_ptr());
    let first = classes.next().unwrap();
    assert!(classes.all(|class| class == first));
    assert_eq!(read.to::<Vec<u32>>().unwrap().len(), 50_000);
    assert_eq!(read.form(), Form::List);
}

/// Variables whose bytes are not valid for their type.
#[test]
fn bytes_that_are_not_a_value() {
    for (ty, bytes, message) in [
        ("u32", vec![1, 2, 3], "no value of type `u32` takes 3 bytes"),
        ("()", vec![0], "no value of type `()` takes 1 bytes"),
        ("Vec<u16>", vec![0], "no value of type `Vec<u16>` takes 1 bytes"),
        ("[u16; 2]", vec![0; 5], "no value of type `[u16; 2]` takes 5 bytes"),
        ("bool", vec![2], "expected bool (0 or 1), found 2"),
        ("char", vec![0, 0, 0, 1], "16777216 is not a Unicode scalar value"),
        ("String", vec![0xff], "text is not UTF-8"),
    ] {
        let mut object = Object::new("A");
        object.insert(Variable::new(ty, "A", "x", bytes)).unwrap();
        let packed = object.to_bytes().unwrap();
        for error in [object.to::<Value>(), bins::from_slice(&packed)].map(Result::unwrap_err) {
            assert_eq!(error.kind(), ErrorKind::Syntax, "{ty}: {error}");
            assert!(error.message().contains(message), "{ty}: {error}");
        }
        assert!(bins::from_slice::<Value>(&packed).unwrap_err().position().is_some());
    }
    // A value of an unknown type is bytes.
    let mut object = Object::new("A");
    object.insert(Variable::new("Colour", "A", "x", vec![7, 8])).unwrap();
    let value: Value = object.to().unwrap();
    assert_eq!(value.get("x"), Some(&Value::Bytes(vec![7, 8])));
}
