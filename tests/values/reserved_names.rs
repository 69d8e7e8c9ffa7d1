//! Names that begin with `$`: those of the format, at any position in an object, and misspelt ones.

use std::cell::RefCell;
use std::rc::Rc;

use archive::serde_formats::SerdeBackend;
use archive::{Archive, Element, ErrorKind, Format, Options, Result, Serialize, Value, json};
use proptest::prelude::*;

use crate::common::search;
use crate::common::serde_formats::{Cbor, RmpNamed, SerdeJson};

/// The file of another program, in each format in which it is possible: the members in this order.
fn files(text: &str) -> Vec<(Format, Vec<u8>)> {
    // A tree that keeps the order of members.
    let tree: ciborium::Value = serde_json::from_str(text).unwrap();
    let packed = rmp_serde::to_vec_named(&tree).unwrap();
    let mut cbor = Vec::new();
    ciborium::into_writer(&tree, &mut cbor).unwrap();
    let mut files = vec![
        (Format::Json, text.into()),
        (Format::of::<SerdeBackend<SerdeJson>>(), text.into()),
        (Format::MessagePack, packed.clone()),
        (Format::of::<SerdeBackend<RmpNamed>>(), packed),
        (Format::of::<SerdeBackend<Cbor>>(), cbor),
    ];
    let tree: Value = json::from_str(text).unwrap();
    for format in [Format::Binary, Format::Blob, Format::of::<archive::bins::Bins>()] {
        // Not every name can be saved.
        files.extend(format.to_vec(&tree).ok().map(|file| (format, file)));
    }
    files
}

#[derive(Debug, Default, PartialEq, Serialize)]
struct Unit {
    name: String,
    hp: u32,
}

type Squad = Vec<Rc<RefCell<Unit>>>;

/// Loads each file without options, strictly and with a report, and compares the errors.
fn check<T: Element>(text: &str, kind: ErrorKind, path: &str, words: &[&str]) {
    for (format, file) in files(text) {
        let errors = [
            format.from_slice::<T>(&file).err(),
            format.from_slice_report::<T>(&file, &Options::new()).err(),
            format.from_slice_with::<T>(&file, &Options::new().strict(true)).err(),
            format.load_into::<Option<T>>(&mut None, &file).err(),
        ];
        for (index, error) in errors.into_iter().enumerate() {
            let error = error.unwrap_or_else(|| panic!("{format} {index}: {text} loads"));
            assert_eq!((error.kind(), error.path()), (kind, path), "{format} {index}: {error}");
            for word in words {
                assert!(error.message().contains(word), "{format} {index}: {error}");
            }
        }
    }
}

#[test]
fn a_misspelt_name_is_an_error_with_the_nearest_one() {
    use ErrorKind::{BadPointer, ReservedName, WrongType};

    let id = &["did you mean `$id`?"][..];
    check::<Squad>(r#"[{"$ID":1,"$value":{"hp":9}}]"#, ReservedName, "[0].$ID", id);
    check::<Squad>(r#"[{"$value":{"hp":9},"$Id":1}]"#, ReservedName, "[0].$Id", id);
    let value = &["did you mean `$value`?"][..];
    check::<Squad>(r#"[{"$id":1,"$vale":{}}]"#, ReservedName, "[0].$vale", value);
    let kind = &["did you mean `$type`?"][..];
    check::<Squad>(r#"[{"$id":1,"$typ":"Unit","$value":{}}]"#, ReservedName, "[0].$typ", kind);
    let version = &["did you mean `$version`?"][..];
    check::<Unit>(r#"{"$vesion":1,"hp":2}"#, ReservedName, "$vesion", version);
    check::<Unit>(r#"{"hp":2,"$Version":1}"#, ReservedName, "$Version", version);
    let none = &["are reserved by the format; it has `$id`"][..];
    check::<Unit>(r#"{"$cheats":true,"hp":2}"#, ReservedName, "$cheats", none);
    check::<Unit>(r#"{"$vale":{"hp":2},"$id":1}"#, ReservedName, "$vale", value);
    check::<Squad>(r#"[{"$id":"ann"}]"#, WrongType, "[0].$id", &[]);
    check::<Squad>(r#"[{"$weak":{}}]"#, WrongType, "[0].$weak", &[]);
    check::<Squad>(r#"[{"$id":0,"$value":{}}]"#, BadPointer, "[0].$id", &["ids start at 1"]);
}

/// A schema is for editors, two `$` are one in the data, and other programs use names of pointers.
#[test]
fn some_names_are_not_mistakes() {
    for text in
        [r#"{"$schema":"unit.json","hp":2}"#, r#"{"hp":2,"$$gold":3}"#, r#"{"hp":2,"$id":"u1"}"#]
    {
        for (format, file) in files(text) {
            let (unit, report) = format.from_slice_report::<Unit>(&file, &Options::new()).unwrap();
            assert_eq!(unit, Unit { hp: 2, ..Unit::default() }, "{format}");
            assert_eq!(report.unknown().count(), 1, "{format}: {report}");
            assert_eq!(format.from_slice::<Unit>(&file).unwrap(), unit, "{format}");
        }
    }
}

#[derive(Debug, Default, PartialEq, Serialize)]
#[archive(version = 3, after_load = Derived::loaded)]
struct Derived {
    hp: u8,
    #[archive(flatten)]
    doubled: Doubled,
    by_hand: Vec<ByHand>,
    #[archive(skip)]
    version: u32,
}

impl Derived {
    fn loaded(&mut self, version: u32) {
        self.version = version;
    }
}

/// Its member belongs to the object around it, and so does the version.
#[derive(Clone, Debug, Default, PartialEq)]
struct Doubled {
    old: u32,
}

impl Serialize for Doubled {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        let version = ar.version();
        ar.serialize("old", &mut self.old)?;
        if ar.is_loading() && version < 2 {
            self.old *= 2;
        }
        Ok(())
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
struct ByHand {
    version: u32,
    hp: u8,
}

impl Serialize for ByHand {
    const VERSION: u32 = 2;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("hp", &mut self.hp)?;
        self.version = ar.version();
        Ok(())
    }
}

archive::blank!(ByHand);
archive::blank!(Doubled);
archive::save_by_clone!(ByHand);
archive::save_by_clone!(Doubled);

/// An object with its members in that order.
fn object(mut members: Vec<String>, order: usize) -> String {
    let (mut left, mut text) = (order, Vec::new());
    while !members.is_empty() {
        text.push(members.remove(left % members.len()));
        left /= members.len() + 1;
    }
    format!("{{{}}}", text.join(","))
}

/// A version of 0 is left out or written, at any position.
fn version(number: u32, is_written: bool) -> impl Iterator<Item = String> {
    (number > 0 || is_written).then(|| format!("\"$version\":{number}")).into_iter()
}

/// Stores that sort keys move the version.
#[test]
fn the_version_may_be_any_member() {
    let case = (0..=3_u32, 0..=2_u32, any::<bool>(), 0..500_usize, 0..24_usize);
    proptest!(search::config(256), |((outer, inner, zeros, order, inner_order) in case)| {
        let by_hand = || {
            let members = ["\"hp\":7".to_owned(), "\"x\":[{}]".to_owned()];
            object(members.into_iter().chain(version(inner, zeros)).collect(), inner_order)
        };
        let list = format!("\"by_hand\":[{},{}]", by_hand(), by_hand());
        let members = ["\"hp\":5".to_owned(), "\"old\":8".to_owned(), list, "\"y\":{}".to_owned()];
        let text = object(members.into_iter().chain(version(outer, zeros)).collect(), order);

        let old = if outer < 2 { 16 } else { 8 };
        let inner = || ByHand { version: inner, hp: 7 };
        let expected = Derived {
            hp: 5,
            doubled: Doubled { old },
            by_hand: vec![inner(), inner()],
            version: outer,
        };
        for (format, file) in files(&text) {
            let context = || format!("{format}: {text}");
            let loaded: Derived = format.from_slice(&file).unwrap();
            prop_assert_eq!(&loaded, &expected, "{}", context());
            let (loaded, report) = format.from_slice_report::<Derived>(&file, &Options::new()).unwrap();
            prop_assert_eq!(&loaded, &expected, "{}", context());
            prop_assert_eq!(report.unknown().count(), 2, "{}: {}", context(), report);
        }
    });
}

/// A version that the program does not know, or that occurs twice, is an error at any place.
#[test]
fn versions_are_checked_at_any_place() {
    use ErrorKind::{DuplicateMember, NewerVersion};

    for text in [r#"{"$version":4,"hp":1}"#, r#"{"hp":1,"$version":4}"#] {
        for (format, file) in files(text) {
            let error = format.from_slice::<Derived>(&file).unwrap_err();
            assert_eq!(error.kind(), NewerVersion, "{format} {text}: {error}");
            // This type has no version at all.
            for error in [
                format.from_slice::<Unit>(&file).unwrap_err(),
                format.from_slice_report::<Unit>(&file, &Options::new()).unwrap_err(),
            ] {
                assert_eq!(error.kind(), NewerVersion, "{format} {text}: {error}");
            }
        }
    }
    for text in [
        r#"{"$version":1,"hp":1,"$version":2}"#,
        r#"{"hp":1,"$version":2,"$version":2}"#,
        r#"{"$version":0,"$version":0}"#,
    ] {
        for format in [Format::Json, Format::of::<SerdeBackend<SerdeJson>>()] {
            let error = format.from_slice::<Derived>(text.as_bytes()).unwrap_err();
            assert_eq!(error.kind(), DuplicateMember, "{format} {text}: {error}");
        }
    }
}

/// JSON from a reader is not kept in memory, so it cannot be searched.
#[test]
fn from_a_reader_the_version_comes_first() {
    let load = |text: &str| json::from_reader::<Derived>(text.as_bytes());
    assert_eq!(load(r#"{"$version":2,"hp":1}"#).unwrap().version, 2);
    assert_eq!(load(r#"{"hp":1}"#).unwrap().version, 0);
    let error = load(r#"{"hp":1,"$version":2}"#).unwrap_err();
    let message = "$version: the version must be the first member here, because the input is read \
                   only once at line 1 column 9";
    assert_eq!(error.to_string(), message);
}
