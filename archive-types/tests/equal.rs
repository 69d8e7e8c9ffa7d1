//! A record is saved byte for byte as the compiled type, in every format, and each loads the file
//! of the other.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use archive::types::{Record, Schema, Type};
use archive::{Element, Format, Options, Save, Serialize, Value, binary, json};
use proptest::prelude::*;

use crate::common::serde_formats::serde_formats;
use crate::common::{formats, of_library, search, text};
use crate::random_values::Random;
use crate::twins::{Derived, Element as Magic, Figure, Message, Numbers, Position, Unit, schema};

/// All formats: the library's, packets without tables, rows, and those of serde.
fn all() -> Vec<Format> {
    let rows = Format::of::<binary::rows::Rows>();
    of_library(formats()).chain(serde_formats()).chain([rows]).collect()
}

/// Checks a value of a compiled type against the type of the schema.
fn check<T>(ty: Type, tree: &Value) -> Result<(), TestCaseError>
where
    T: Element + Save + PartialEq + Debug,
{
    let options = Options::new().provide(ty);
    let compiled: T =
        tree.to().map_err(|error| TestCaseError::fail(format!("{error} in {tree}")))?;
    let record: Record = tree
        .to_with(&options)
        .map_err(|error| TestCaseError::fail(format!("{error} in {tree}")))?;
    for format in all() {
        let saved = (format.to_vec(&compiled), format.to_vec(&record));
        let (bytes, of_record) = match saved {
            (Ok(bytes), Ok(of_record)) => (bytes, of_record),
            (Err(one), Err(other)) => {
                prop_assert_eq!(one.to_string(), other.to_string(), "{}", format);
                continue;
            }
            (one, other) => {
                let texts = (one.map(|it| text(&it)), other.map(|it| text(&it)));
                return Err(TestCaseError::fail(format!("{format}: {texts:?}")));
            }
        };
        prop_assert_eq!(text(&of_record), text(&bytes), "{}: {}", format, tree);
        if format.name() == "rows" {
            // Rows need their types, which both have in common.
            let types = binary::rows::RowTypes::of::<T>().unwrap();
            let options = options.clone().provide(types);
            let loaded: Record = format.from_slice_with(&bytes, &options).unwrap();
            prop_assert_eq!(&loaded, &record);
            continue;
        }
        let fail = |error| TestCaseError::fail(format!("{format}: {error} in {}", text(&bytes)));
        let loaded: Record = format.from_slice_with(&bytes, &options).map_err(fail)?;
        let again = format.to_vec(&loaded).unwrap();
        prop_assert_eq!(text(&again), text(&bytes), "{}: loaded", format);
        let back: T = format.from_slice(&of_record).map_err(fail)?;
        let again = format.to_vec(&back).unwrap();
        prop_assert_eq!(text(&again), text(&bytes), "{}: back", format);
        // Over an existing record.
        let mut over = Record::new(ty);
        format.load_into(&mut over, &bytes).map_err(fail)?;
        prop_assert_eq!(text(&format.to_vec(&over).unwrap()), text(&bytes), "{}: over", format);
    }
    Ok(())
}

fn search<T: Element + Save + PartialEq + Debug>(spelled: &str, cases: u32) {
    let schema: Schema = schema();
    let ty = schema.get(spelled).unwrap();
    proptest!(search::config(cases), |(seed in any::<u64>())| {
        check::<T>(ty, &Random::new(seed).value(ty.shape(), 0))?;
    });
}

#[test]
fn objects() {
    search::<Unit>("Unit", 300);
    search::<Derived>("Derived", 300);
    search::<Vec<Figure>>("Vec<Figure>", 300);
    search::<Message>("Message", 300);
    search::<Option<Figure>>("Option<Figure>", 100);
}

/// The schema of the compiled types is that of the file, apart from what is said to people.
#[test]
fn the_schema_of_compiled_types() {
    let same = |ty: Result<Type, archive::types::Errors>, names: &[&str]| {
        let shown = |schema: Schema, name: &str| {
            let mut ty = schema.file().types[name].clone();
            ty.doc.clear();
            for member in &mut ty.members {
                member.doc.clear();
                member.unit.clear();
                member.range = None;
            }
            // A box is stored as what is in it.
            json::to_string(&ty).unwrap().replace("Box<Unit>", "Unit")
        };
        for name in names {
            assert_eq!(shown(ty.as_ref().unwrap().schema(), name), shown(schema(), name));
        }
    };
    let all: Vec<&str> = schema().names().collect();
    same(Schema::of::<Unit>(), &all);
    same(Schema::of::<Vec<Figure>>(), &["Figure", "Circle", "Look"]);
    same(Schema::of::<Message>(), &["Message", "Position", "Element"]);
    // The types are only in a map.
    same(Schema::of::<HashMap<u8, Derived>>(), &["Derived", "Look", "Position"]);
    same(Schema::of::<HashMap<(u8, Magic), Derived>>(), &["Derived", "Look"]);
    same(Schema::of::<BTreeMap<String, Vec<Figure>>>(), &["Circle", "Look"]);
}

/// A schema has no type for it.
#[test]
fn a_variant_of_no_values_is_refused() {
    #[derive(Default, Serialize)]
    enum Choice {
        #[default]
        One,
        None(),
    }
    let error = Schema::of::<Vec<Choice>>().unwrap_err().to_string();
    assert_eq!(error, "None: a variant without values is `V`, not `V()`");
    assert!(matches!(Choice::default(), Choice::One));
    _ = Choice::None();
}

#[test]
fn blocks() {
    search::<Position>("Position", 100);
    search::<Numbers>("Numbers", 100);
    search::<[Numbers; 3]>("[Numbers; 3]", 50);
    search::<Vec<(Position, u8)>>("Vec<(Position, u8)>", 100);
}

#[test]
fn containers_as_roots() {
    search::<Vec<Unit>>("Vec<Unit>", 60);
    search::<Option<Unit>>("Option<Unit>", 60);
    search::<Option<Option<Magic>>>("Option<Option<Element>>", 100);
    search::<BTreeMap<String, Derived>>("BTreeMap<String, Derived>", 100);
    search::<HashMap<Magic, Position>>("HashMap<Element, Position>", 100);
    search::<(Magic, Box<Unit>)>("(Element, Box<Unit>)", 60);
    search::<Vec<Vec<i8>>>("Vec<Vec<i8>>", 60);
}

#[test]
fn defaults() {
    let schema = schema();
    for (name, blank) in [
        ("Unit", json::to_string(&json::from_str::<Unit>("{}").unwrap()).unwrap()),
        ("Look", r#"{"color":[0,0,0],"size":1.0}"#.to_owned()),
        ("Vec<Unit>", "[]".to_owned()),
    ] {
        let record = Record::new(schema.get(name).unwrap());
        assert_eq!(json::to_string(&record).unwrap(), blank);
    }
    // Absent members have their defaults, in lists too.
    let units = schema.get("Vec<Unit>").unwrap();
    let loaded: Record = json::from_str_with("[{}]", &Options::new().provide(units)).unwrap();
    let compiled: Vec<Unit> = json::from_str("[{}]").unwrap();
    assert_eq!(json::to_string(&loaded).unwrap(), json::to_string(&compiled).unwrap());
}

/// The errors and notes of a load are those of the compiled type.
#[test]
fn errors_are_those_of_the_compiled_type() {
    let schema = schema();
    let ty = schema.get("Unit").unwrap();
    for text in [
        r#"{"hp":70000}"#,
        r#"{"hp":"many"}"#,
        r#"{"state":"Water"}"#,
        r#"{"state":{"Ice":300}}"#,
        r#"{"grid":[[1,2,3]]}"#,
        r#"{"at":{"x":1,"x":2}}"#,
        r#"{"children":[{"children":[{"letter":"ab"}]}]}"#,
        r#"{"derived":{"id":1}}"#,
        r#"{"bag":[["a",1],["a",2]]}"#,
        r#"{"keys":[["Fire",1],["Fire",2]]}"#,
        r#"{"set":["Fire","Fire"],"mana":3}"#,
        r#"{"$version":9}"#,
        r#"{"pair":[1]}"#,
        r#"{"moves":["#,
        r#"{"figure":{"type":"Square","width":3}}"#,
        r#"{"figure":{"type":"Rect","width":"wide"}}"#,
        r#"{"figure":{"$version":3,"type":"Circle"}}"#,
        r#"{"figure":{"width":3,"type":"Rect","depth":4}}"#,
        r#"{"figures":[{"type":"Circle","radius":1,"color":[1]}]}"#,
        r#"{"messages":[{"t":"Sing"}]}"#,
        r#"{"messages":[{"c":[1],"t":"Move"}]}"#,
        r#"{"by_message":[[{"t":"Say","c":"a"},"Quit"],[{"Say":"a"},"Quit"]]}"#,
    ] {
        let options = Options::new().provide(ty);
        let (one, other) =
            (json::from_str::<Unit>(text), json::from_str_with::<Record>(text, &options));
        let (one, other) = (one.map(drop), other.map(drop));
        assert_eq!(
            one.map_err(|error| error.to_string()),
            other.map_err(|error| error.to_string()),
            "{text}"
        );
        for options in
            [options.clone(), options.clone().strict(true), options.clone().keep_going(true)]
        {
            let one = json::from_str_report::<Unit>(text, &options);
            let other = json::from_str_report::<Record>(text, &options);
            let shown = |error: archive::Error| error.to_string();
            let one = one
                .map(|(it, report)| (json::to_string(&it).unwrap(), report.to_string()))
                .map_err(shown);
            let other = other
                .map(|(it, report)| (json::to_string(&it).unwrap(), report.to_string()))
                .map_err(shown);
            assert_eq!(one, other, "{text}");
        }
    }
}
