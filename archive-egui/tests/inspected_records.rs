//! Values of types that are made from files.

use archive::types::{Record, Schema};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;

use super::driven::{press, show, type_over, undo, widget};

const SCHEMA: &[u8] = br#"{ "types": {
    "Unit": { "members": [
        { "name": "name", "type": "String", "doc": "What it is called." },
        { "name": "hp", "type": "u16", "default": 40, "range": [0, 999], "label": "Health" },
        { "name": "mode", "type": "Mode" },
        { "name": "bag", "type": "Vec<Item>" }
    ] },
    "Item": { "members": [{ "name": "weight", "type": "f32", "unit": "kg" }] },
    "Mode": { "variants": [{ "name": "Idle" }, { "name": "Busy" }] }
} }"#;

#[test]
fn a_record_is_shown_and_changed_as_a_compiled_type() {
    let schema = Schema::from_slice(SCHEMA).unwrap();
    let mut shown = show(Record::new(schema.get("Unit").unwrap()));
    let text = |shown: &super::driven::Shown<Record>| {
        archive::json::to_string(&shown.state().value).unwrap()
    };
    let before = text(&shown);
    type_over(&mut shown, Role::TextInput, "name", "Orc");
    assert!(widget(&shown, Role::Slider, "Health").rect().width() > 50.0);
    shown.get_by_label("mode is Idle").click();
    shown.run();
    shown.get_by_label("Busy").click();
    shown.run();
    press(&mut shown, "Add to bag");
    press(&mut shown, "Open bag[0]");
    type_over(&mut shown, Role::SpinButton, "weight", "2.5");
    let expected = r#"{"name":"Orc","hp":40,"mode":"Busy","bag":[{"weight":2.5}]}"#;
    assert_eq!(text(&shown), expected);
    while shown.state().history.undo_len() > 0 {
        undo(&mut shown);
    }
    assert_eq!(text(&shown), before);
}
