//! Members that look like the id of an object, but are not.

use std::collections::BTreeMap;

use archive::{Options, Serialize, Value, json};

use crate::common::formats;

fn comes_back(text: &str) {
    let tree: Value = json::from_str(text).unwrap();
    for format in formats() {
        let bytes = format.to_vec(&tree).unwrap();
        let loaded: Value = format.from_slice(&bytes).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!(json::to_string(&loaded).unwrap(), text, "{format}");
    }
}

/// A list of one item in the place of an id made its object another one, stored twice.
#[test]
fn a_list_of_one_is_not_an_id() {
    comes_back(r#"[{"$id":1,"$value":{"next":{"$id":2}}},{"$id":[1],"$value":7}]"#);
}

/// An object is a pointer by its first member; one with an `$id` further on was taken for a pointer that stores its object.
#[test]
fn an_id_that_is_not_the_first_member_is_not_an_id() {
    comes_back(r#"[{"$id":1,"$value":{"next":{"$id":2}}},{"a":0,"$id":1,"$value":7}]"#);
}

#[test]
fn members_of_other_programs_that_begin_with_a_dollar_are_not_pointers() {
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Unit {
        hp: u8,
    }
    for text in [r#"{"$id":"http://example.org"}"#, r#"{"$type":"Game.Unit"}"#] {
        let (unit, report) =
            json::from_slice_report::<Unit>(text.as_bytes(), &Options::new()).unwrap();
        assert_eq!(unit, Unit::default());
        assert!(report.unknown().eq([&text[2..text.find(':').unwrap() - 1]]), "{report}");
    }
    let map: BTreeMap<String, Value> = json::from_str(r#"{"$value":{"hp":1}}"#).unwrap();
    assert!(map.contains_key("$value"), "{map:?}");
}
