//! Records as members of compiled types.

use archive::types::{Fixed, Record, Type, Typed};
use archive::{ErrorKind, Format, Options, Serialize, Value};

use crate::common::serde_formats::serde_formats;
use crate::common::{each_once, formats, of_library, search, text};
use crate::random_values::Random;
use crate::twins::{Derived, schema};

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Holder {
    before: u8,
    record: Record,
    list: Vec<Record>,
    maybe: Option<Record>,
    after: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Compiled {
    before: u8,
    record: Derived,
    list: Vec<Derived>,
    maybe: Option<Derived>,
    after: u8,
}

#[test]
fn as_compiled_members() {
    let ty = schema().get("Derived").unwrap();
    let options = Options::new().provide(ty);
    for seed in 0..search::cases(400).into() {
        let mut random = Random::new(seed);
        let mut part = || random.value(ty.shape(), 0);
        let tree = Value::from(vec![
            ("before".to_owned(), 1.into()),
            ("record".to_owned(), part()),
            ("list".to_owned(), Value::Array(vec![part(), part()])),
            ("maybe".to_owned(), part()),
            ("after".to_owned(), 2.into()),
        ]);
        let (compiled, holder): (Compiled, Holder) =
            (tree.to().unwrap(), tree.to_with(&options).unwrap());
        for format in of_library(each_once()) {
            let (one, other) = (format.to_vec(&compiled).unwrap(), format.to_vec(&holder).unwrap());
            if [Format::Json, Format::MessagePack].contains(&format) {
                assert_eq!(text(&other), text(&one), "{format}");
            }
            // Each loads the file of the other.
            let loaded: Holder = format
                .from_slice_with(&one, &options)
                .unwrap_or_else(|error| panic!("{format}: {error}"));
            assert_eq!(loaded, holder, "{format}");
            let loaded: Holder = format
                .from_slice_with(&other, &options)
                .unwrap_or_else(|error| panic!("{format}: {error}"));
            assert_eq!(loaded, holder, "{format}");
            let loaded: Compiled =
                format.from_slice(&other).unwrap_or_else(|error| panic!("{format}: {error}"));
            assert_eq!(loaded, compiled, "{format}");
        }
    }
}

struct OfDerived;
impl Fixed for OfDerived {
    fn ty() -> Type {
        schema().get("Derived").unwrap()
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[archive(name = "Compiled")]
struct TypedHolder {
    before: u8,
    record: Typed<OfDerived>,
    list: Vec<Typed<OfDerived>>,
    maybe: Option<Typed<OfDerived>>,
    after: u8,
}

/// Typed members are saved as compiled ones, byte for byte, in every format.
#[test]
fn typed_members() {
    let ty = schema().get("Derived").unwrap();
    for seed in 0..search::cases(400).into() {
        let mut random = Random::new(seed);
        let mut part = || random.value(ty.shape(), 0);
        let tree = Value::from(vec![
            ("before".to_owned(), 1.into()),
            ("record".to_owned(), part()),
            ("list".to_owned(), Value::Array(vec![part(), part()])),
            ("maybe".to_owned(), part()),
            ("after".to_owned(), 2.into()),
        ]);
        let (compiled, holder): (Compiled, TypedHolder) = (tree.to().unwrap(), tree.to().unwrap());
        for format in of_library(formats()).chain(serde_formats()) {
            let (one, other) = (format.to_vec(&compiled), format.to_vec(&holder));
            let (Ok(one), Ok(other)) = (one, other) else { continue };
            assert_eq!(text(&other), text(&one), "{format}");
            let loaded: TypedHolder =
                format.from_slice(&one).unwrap_or_else(|error| panic!("{format}: {error}"));
            assert_eq!(text(&format.to_vec(&loaded).unwrap()), text(&one), "{format}");
            let loaded: Compiled =
                format.from_slice(&other).unwrap_or_else(|error| panic!("{format}: {error}"));
            assert_eq!(text(&format.to_vec(&loaded).unwrap()), text(&one), "{format}");
        }
    }
}

#[test]
fn without_a_type() {
    let error = archive::json::from_str::<Record>("{}").unwrap_err();
    assert!(error.to_string().contains("no `Type` in the context"), "{error}");
}

/// A load that creates records needs their type in every place, and never panics.
#[test]
fn every_place_without_a_type() {
    #[derive(archive::Serialize)]
    struct Holder {
        record: Record,
    }
    fn check<T: archive::Element + 'static>(text: &str) {
        let tree: Value = archive::json::from_str(text).unwrap();
        for format in of_library(formats()).chain(serde_formats()) {
            let Ok(bytes) = format.to_vec(&tree) else { continue };
            for options in [Options::new(), Options::new().keep_going(true)] {
                let error = format.from_slice_with::<T>(&bytes, &options).err();
                let error = error.unwrap_or_else(|| panic!("{format}: {text}"));
                if ["JSON", "MessagePack"].contains(&format.name()) {
                    let kind = error.kind();
                    assert_eq!(kind, ErrorKind::MissingContext, "{format}: {text}: {error}");
                }
            }
            let _ = format.from_slice_report::<T>(&bytes, &Options::new().keep_going(true));
        }
    }
    check::<Record>("{}");
    check::<Holder>("{}");
    check::<Holder>(r#"{"record":{}}"#);
    check::<Vec<Record>>("[{}]");
    check::<Option<Record>>("{}");
    check::<Box<Record>>("{}");
    check::<[Record; 2]>("[{},{}]");
    check::<(u8, Record)>("[1,{}]");
    check::<std::collections::BTreeMap<String, Record>>(r#"[["a",{}]]"#);
    check::<Vec<Holder>>("[{}]");
    check::<std::rc::Rc<std::cell::RefCell<Record>>>(r#"{"$id":1,"$value":{}}"#);
    check::<std::sync::Arc<Record>>(r#"{"$id":1,"$value":{}}"#);
    check::<Result<Record, u8>>(r#"{"Ok":{}}"#);
}
