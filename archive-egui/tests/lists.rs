//! Lists: items are added, removed and moved.

use std::collections::VecDeque;

use archive::Serialize;
use archive::value::Value;
use egui::accesskit::Role;
use egui::vec2;
use egui_kittest::kittest::Queryable as _;

use super::driven::{Shown, click, drag, press, says, show, type_over, undo, widget};

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Unit {
    name: String,
    hp: u16,
}

fn units() -> Vec<Unit> {
    ["Ann", "Bo", "Cy"].map(|name| Unit { name: name.into(), hp: 1 }).to_vec()
}

fn names(shown: &Shown<Vec<Unit>>) -> Vec<&str> {
    shown.state().value.iter().map(|unit| unit.name.as_str()).collect()
}

#[test]
fn an_item_is_added_and_shown() {
    let mut shown = show(units());
    press(&mut shown, "Add to all");
    assert_eq!(shown.state().value[3], Unit::default());
    press(&mut shown, "Open [3]");
    type_over(&mut shown, Role::TextInput, "name", "Di");
    assert_eq!(names(&shown), ["Ann", "Bo", "Cy", "Di"]);
    undo(&mut shown);
    undo(&mut shown);
    assert_eq!(shown.state().value, units());
}

#[test]
fn a_removed_item_comes_back_where_it_was() {
    let mut shown = show(units());
    press(&mut shown, "Remove [1]");
    assert_eq!(names(&shown), ["Ann", "Cy"]);
    undo(&mut shown);
    assert_eq!(shown.state().value, units());
    press(&mut shown, "Redo");
    assert_eq!(names(&shown), ["Ann", "Cy"]);
}

#[test]
fn items_are_moved_by_buttons() {
    let mut shown = show(units());
    press(&mut shown, "Move down [0]");
    assert_eq!(names(&shown), ["Bo", "Ann", "Cy"]);
    press(&mut shown, "Move up [2]");
    assert_eq!(names(&shown), ["Bo", "Cy", "Ann"]);
    // The first one and the last one stay.
    press(&mut shown, "Move up [0]");
    press(&mut shown, "Move down [2]");
    assert_eq!(shown.state().history.undo_len(), 2);
    undo(&mut shown);
    undo(&mut shown);
    assert_eq!(shown.state().value, units());
}

#[test]
fn items_are_moved_by_their_handles() {
    let mut shown = show(units());
    let handle = |shown: &Shown<Vec<Unit>>, at: usize| {
        widget(shown, Role::Button, &format!("Move [{at}]")).rect().center()
    };
    let (first, last) = (handle(&shown, 0), handle(&shown, 2));
    drag(&mut shown, &[first, first + vec2(0.0, 15.0), last, last + vec2(0.0, 9.0)]);
    assert_eq!(names(&shown), ["Bo", "Cy", "Ann"]);
    assert_eq!(shown.state().history.undo_len(), 1);
    drag(&mut shown, &[last, first, first - vec2(0.0, 5.0)]);
    assert_eq!(shown.state().value, units());
    // Back to where it was.
    drag(&mut shown, &[first, last, first + vec2(0.0, 2.0)]);
    assert_eq!(shown.state().history.undo_len(), 2);
    undo(&mut shown);
    undo(&mut shown);
    assert_eq!(shown.state().value, units());
}

#[test]
fn a_handle_at_the_edge_scrolls_the_table() {
    let mut shown = show((0..1000_u32).collect::<Vec<_>>());
    let from = widget(&shown, Role::Button, "Move [2]").rect().center();
    let mut places = vec![from, from + vec2(0.0, 40.0)];
    places.extend([from + vec2(0.0, 340.0); 60]);
    drag(&mut shown, &places);
    let at = shown.state().value.iter().position(|number| *number == 2).unwrap();
    assert!(at > 40, "{at}");
    undo(&mut shown);
    assert!(shown.state().value.iter().copied().eq(0..1000));
}

#[test]
fn open_items_stay_open_when_others_move() {
    let mut shown = show(units());
    press(&mut shown, "Open [1]");
    assert_eq!(widget(&shown, Role::TextInput, "name").value().unwrap(), "Bo");
    press(&mut shown, "Remove [0]");
    assert_eq!(widget(&shown, Role::TextInput, "name").value().unwrap(), "Bo");
    press(&mut shown, "Move down [0]");
    assert_eq!(widget(&shown, Role::TextInput, "name").value().unwrap(), "Bo");
    undo(&mut shown);
    undo(&mut shown);
    assert_eq!(widget(&shown, Role::TextInput, "name").value().unwrap(), "Bo");
    press(&mut shown, "Close [1]");
    assert!(shown.query_by_role_and_label(Role::TextInput, "name").is_none());
}

#[test]
fn lists_of_a_fixed_length_have_no_buttons() {
    let mut shown = show(([1_u8, 2], (3_u8, true)));
    press(&mut shown, "Open [0]");
    assert!(says(&shown, "2 items"));
    for name in ["Add to [0]", "Remove [0][0]", "Remove [0]", "Move down [0][0]", "Add to all"] {
        assert!(shown.query_by_label(name).is_none(), "{name}");
    }
    press(&mut shown, "Open [1]");
    let boxes = shown.get_all_by_role(Role::CheckBox).count();
    assert_eq!(boxes, 1);
}

#[test]
fn other_lists_and_items_of_all_kinds() {
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Lists {
        queue: VecDeque<bool>,
        texts: Vec<String>,
        letters: Vec<char>,
        maybe: Option<Vec<i8>>,
        nested: Vec<Vec<u8>>,
        pairs: Vec<(u8, String)>,
        arrays: Vec<[f32; 2]>,
        boxed: Vec<Option<Box<u32>>>,
        trees: Vec<Value>,
        optional: Vec<Option<u8>>,
    }
    let mut shown = show(Lists::default());
    let fields =
        ["queue", "texts", "letters", "nested", "pairs", "arrays", "boxed", "trees", "optional"];
    for name in fields {
        press(&mut shown, &format!("Add to {name}"));
        press(&mut shown, &format!("Close {name}"));
    }
    click(&mut shown, "maybe has a value");
    press(&mut shown, "Add to maybe");
    let expected = Lists {
        queue: [false].into(),
        texts: vec![String::new()],
        letters: vec![' '],
        maybe: Some(vec![0]),
        nested: vec![vec![]],
        pairs: vec![(0, String::new())],
        arrays: vec![[0.0; 2]],
        boxed: vec![Some(Box::new(0))],
        trees: vec![Value::Null],
        optional: vec![Some(0)],
    };
    assert_eq!(shown.state().value, expected);
    while shown.state().history.undo_len() > 0 {
        undo(&mut shown);
    }
    assert_eq!(shown.state().value, Lists::default());
}
