//! `Document`: files that are changed without the program's types.

use archive::blob::{self, Document, ObjectBlob, ObjectBlobList};
use archive::{Value, json};
use archive_test_support::documents::{Everything, everything};

fn value(text: &str) -> Value {
    json::from_str(text).unwrap()
}

/// Changes a member, and returns the new file, which other readers of the format must also read.
fn changed(file: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut document = Document::from_slice(file).unwrap();
    change(&mut document.value);
    let new = document.to_vec().unwrap();
    ObjectBlobList::from_slice(&new).unwrap();
    let read: Value = blob::from_slice(&new).unwrap();
    assert_eq!(read.to_string(), document.value.to_string());
    new
}

#[test]
fn an_unchanged_document_is_the_file() {
    let file = blob::to_vec(&everything()).unwrap();
    assert_eq!(changed(&file, |_| {}), file);
}

/// The name of a member, its new value as JSON, and a function that makes the same change to a typed value.
type Case<'c> = (&'c str, &'c str, &'c dyn Fn(&mut Everything));

/// Every member is changed to a value that the program could have saved. The file is the one that
/// it would have saved.
#[test]
fn changes_are_as_the_program_saves_them() {
    let file = blob::to_vec(&everything()).unwrap();
    let saved = |change: &dyn Fn(&mut Everything)| {
        let mut all = everything();
        change(&mut all);
        blob::to_vec(&all).unwrap()
    };
    let cases: [Case<'_>; 16] = [
        ("ints", "[7]", &|all| all.ints = vec![7]),
        ("ints", "[]", &|all| all.ints = vec![]),
        ("ints", "[-1,2]", &|all| all.ints = vec![-1, 2]),
        ("words", "[1,65535]", &|all| all.words = vec![1, 65_535]),
        ("words", "[5]", &|all| all.words = vec![5]),
        ("floats", "[1.5,0.25]", &|all| all.floats = [1.5, 0.25]),
        ("name", "\"a longer name\"", &|all| all.name = "a longer name".into()),
        ("name", "\"nul\\u0000inside\"", &|all| all.name = "nul\0inside".into()),
        ("letter", "\"z\"", &|all| all.letter = 'z'),
        ("nested", "[[1,2],[4],[]]", &|all| all.nested[1] = vec![4]),
        ("nested", "[[9,2],[3]]", &|all| all.nested = vec![vec![9, 2], vec![3]]),
        ("tags", "[\"a\"]", &|all| all.tags.truncate(1)),
        ("tags", "[\"a\",\"b\",\"c\"]", &|all| all.tags.push("c".into())),
        ("bytes", "[9,8]", &|all| all.bytes = vec![9, 8]),
        ("wide", "170141183460469231731687303715884105727", &|all| all.wide = i128::MAX),
        ("big", "18446744073709551614", &|all| all.big -= 1),
    ];
    for (name, text, change) in cases {
        let mut document = Document::from_slice(&file).unwrap();
        document.value[name] = value(text);
        assert_eq!(document.to_vec().unwrap(), saved(change), "{name} = {text}");
    }
    // In another object, whose sizes are adjusted.
    let new = changed(&file, |root| {
        root["inner"]["name"] = "a much longer name".into();
        root["inner"]["ints"] = value("[1,2]");
    });
    let read: Everything = blob::from_slice(&new).unwrap();
    let inner = read.inner.unwrap();
    assert_eq!((&*inner.name, &*inner.ints), ("a much longer name", &[1, 2][..]));
}

/// New members and items are saved like those of a tree, and load into the program's types.
#[test]
fn members_and_items_come_and_go() {
    let file = blob::to_vec(&everything()).unwrap();
    let new = changed(&file, |root| {
        root["maybe"] = 7.into();
        let members = root.as_object_mut().unwrap();
        members.retain(|(name, _)| name != "tags" && name != "words");
        members.push(("added".to_owned(), value("[5]")));
        members.push(("more".to_owned(), value(r#"{"a":[1,"x",[2]]}"#)));
    });
    let read: Everything = blob::from_slice(&new).unwrap();
    assert_eq!((read.maybe, &*read.tags, &*read.words), (Some(7), &[][..], &[][..]));
    let new = changed(&file, |root| {
        let nested = root["nested"].as_array_mut().unwrap();
        nested.push(value("[8]"));
        nested.remove(0);
    });
    let read: Everything = blob::from_slice(&new).unwrap();
    assert_eq!(read.nested, [vec![3], vec![], vec![8]]);
}

#[test]
fn unfitting_values_are_refused() {
    let file = blob::to_vec(&everything()).unwrap();
    for (name, text, message) in [
        ("ints", "[1,2147483648]", "ints[1]: 2147483648 does not fit i32"),
        ("ints", "7", "ints: expected a sequence, found 7"),
        ("words", "[-1]", "words[0]: -1 does not fit u16"),
        ("words", "[1.5]", "words[0]: expected u16, found 1.5"),
        ("name", "7", "name: expected text, found 7"),
        ("name", "null", "name: expected text, found null"),
        ("letter", "\"ab\"", "letter: expected a character, found \"ab\""),
        ("floats", "[1,\"x\"]", "floats[1]: expected a number, found \"x\""),
        ("tags", "{}", "tags: expected a sequence, found an object"),
        ("inner", "[]", "inner: expected an object, found a sequence"),
        ("bytes", "[256]", "bytes[0]: 256 does not fit u8"),
    ] {
        let mut document = Document::from_slice(&file).unwrap();
        document.value[name] = value(text);
        assert_eq!(document.to_vec().unwrap_err().to_string(), message);
    }
}

/// A file of named roots, such as the original program writes.
#[test]
fn blobs_of_a_list_are_changed_by_name() {
    let mut list = ObjectBlobList::new();
    for name in ["first", "second"] {
        let mut one = ObjectBlob::new();
        one.add("numbers", &[1, 2, 3][..]).unwrap();
        one.add("text", "Test string.").unwrap();
        one.add("truth", true).unwrap();
        list.add(name, one).unwrap();
    }
    let file = list.to_vec().unwrap();
    let new = changed(&file, |root| {
        root["second"]["numbers"] = value("[7]");
        root["second"]["text"] = "short".into();
        root["third"] = value(r#"{"hp":7}"#);
        root.as_object_mut().unwrap().remove(0);
    });
    let list = ObjectBlobList::from_slice(&new).unwrap();
    assert!(list.names().eq(["second", "third"]));
    let second = list.get("second").unwrap();
    assert_eq!(second.get::<Vec<i32>>("numbers").unwrap(), [7]);
    assert_eq!(second.get::<String>("text").unwrap(), "short");
    assert_eq!(list.get("third").unwrap().get::<i32>("hp").unwrap(), 7);

    let mut writer = blob::Writer::new();
    writer.save("level", &3_u32).unwrap();
    writer.save("", &vec![1_u8, 2]).unwrap();
    let file = writer.finish().unwrap();
    changed(&file, |root| root["level"] = 4.into());
}
