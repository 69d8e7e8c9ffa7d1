//! `Document`: files that are changed without the program's types.

use archive::bins::{self, Document};
use archive::json;
use archive_test_support::documents::everything;

/// Each scalar, and the lists that are one variable.
#[test]
fn variables_are_changed() {
    let file = bins::to_vec(&everything()).unwrap();
    let document = Document::from_slice(&file).unwrap();
    assert_eq!(document.to_vec().unwrap(), file);
    let mut new = everything();
    (new.name, new.ints, new.floats) = ("a longer name".into(), vec![7], [1.5, 0.25]);
    (new.letter, new.wide, new.big) = ('z', i128::MAX, 1);
    new.inner.as_mut().unwrap().name = String::new();
    new.tags[1] = "c".into();
    let mut document = document;
    for (name, text) in [
        ("name", "\"a longer name\""),
        ("ints", "[7]"),
        ("floats", "[1.5,0.25]"),
        ("letter", "\"z\""),
        ("wide", "170141183460469231731687303715884105727"),
        ("big", "1"),
    ] {
        document.value[name] = json::from_str(text).unwrap();
    }
    document.value["inner"]["name"] = "".into();
    document.value["tags"][1] = "c".into();
    assert_eq!(document.to_vec().unwrap(), bins::to_vec(&new).unwrap());
    for (name, text, message) in [
        ("words", "[65536]", "words[0]: 65536 does not fit u16"),
        ("floats", "[1]", "floats: expected 2 items, found 1"),
        ("maybe", "7", "maybe: expected null, found 7"),
        (
            "tags",
            "[\"a\"]",
            "tags: the items of a list cannot be added, removed or renamed in a Bins file",
        ),
    ] {
        let mut document = Document::from_slice(&file).unwrap();
        document.value[name] = json::from_str(text).unwrap();
        assert_eq!(document.to_vec().unwrap_err().to_string(), message);
    }
}
