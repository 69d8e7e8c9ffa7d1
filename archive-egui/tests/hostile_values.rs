//! Values at which a tool may fail.

use std::cell::RefCell;
use std::rc::Rc;

use archive::value::Value;
use archive::{Serialize, json};
use egui::accesskit::Role;

use super::driven::{press, says, show, type_over, undo, widget};

#[test]
fn values_of_one_part_are_shown_and_changed() {
    let mut shown = show(7_u8);
    type_over(&mut shown, Role::SpinButton, "u8", "9");
    assert_eq!(shown.state().value, 9);
    undo(&mut shown);
    assert_eq!(shown.state().value, 7);
    show(());
    show(String::new());
    show(Vec::<u8>::new());
    show(None::<u8>);
    show(Value::Null);
}

#[test]
fn a_borrowed_cell_is_an_error_in_its_line() {
    let cell = Rc::new(RefCell::new(vec![1_u8]));
    let mut shown = show(vec![cell.clone()]);
    press(&mut shown, "Open [0]");
    let borrowed = cell.borrow_mut();
    shown.run();
    assert!(says(&shown, "borrowed"));
    drop(borrowed);
    shown.run();
    assert!(!says(&shown, "borrowed"));
}

#[test]
fn an_object_without_a_cell_cannot_be_changed() {
    let mut shown = show(vec![Rc::new((7_u8, true))]);
    press(&mut shown, "Open [0]");
    widget(&shown, Role::CheckBox, "1").click();
    shown.run();
    assert_eq!(*shown.state().value[0], (7, true));
    assert_eq!(shown.state().history.undo_len(), 0);
    assert!(says(&shown, "cell"));
}

#[test]
fn numbers_that_are_none_and_texts_that_are_long() {
    #[derive(Serialize)]
    struct Odd {
        nan: f32,
        infinite: f64,
        #[archive(range = 0.0..=1.0)]
        outside: f32,
        long: String,
        least: i128,
        most: u128,
    }
    let odd = Odd {
        nan: f32::NAN,
        infinite: f64::INFINITY,
        outside: 7.0,
        long: "ß".repeat(500_000),
        least: i128::MIN,
        most: u128::MAX,
    };
    let mut shown = show(odd);
    assert_eq!(shown.state().changes, 0);
    assert!(says(&shown, "1000000 bytes"));
    assert_eq!(shown.state().value.outside, 7.0);
    type_over(&mut shown, Role::SpinButton, "most", "12");
    type_over(&mut shown, Role::SpinButton, "least", "x");
    assert_eq!((shown.state().value.most, shown.state().value.least), (12, i128::MIN));
}

#[test]
fn the_program_changes_the_value_between_frames() {
    let mut shown = show(vec![vec![1_u8, 2], vec![3]]);
    press(&mut shown, "Open [1]");
    press(&mut shown, "Open [0]");
    shown.state_mut().value.truncate(1);
    shown.run();
    shown.state_mut().value[0].clear();
    shown.run();
    shown.state_mut().value = vec![vec![]; 5];
    shown.run();
    shown.state_mut().value.clear();
    shown.run();
    assert!(says(&shown, "0 items"));
}

#[test]
fn trees_of_any_form() {
    let text = r#"{"a":{"b":[1,null,{"c":true}]},"":"empty","x.y":2}"#;
    let value: Value = json::from_str(text).unwrap();
    let mut shown = show(value);
    press(&mut shown, "Open a");
    press(&mut shown, "Open a.b");
    press(&mut shown, "Open a.b[2]");
    widget(&shown, Role::CheckBox, "key c").click();
    shown.run();
    let expected = text.replace("true", "false");
    assert_eq!(json::to_string(&shown.state().value).unwrap(), expected);
    press(&mut shown, "Remove a.b[1]");
    press(&mut shown, "Add to a.b");
    undo(&mut shown);
    undo(&mut shown);
    assert_eq!(json::to_string(&shown.state().value).unwrap(), expected);
}

#[test]
fn a_type_that_refuses_every_value() {
    #[derive(Default, Serialize)]
    #[archive(after_load = never)]
    struct Wall {
        name: String,
        bricks: Vec<u8>,
    }
    fn never(_: &Wall) -> archive::Result {
        Err(archive::Error::custom("walls do not change"))
    }
    let mut shown = show(vec![Wall { bricks: vec![1, 2], ..Wall::default() }]);
    press(&mut shown, "Open [0]");
    press(&mut shown, "Open [0].bricks");
    for button in ["Remove [0].bricks[0]", "Move down [0].bricks[0]", "Add to [0].bricks"] {
        press(&mut shown, button);
        assert!(says(&shown, "walls do not change"), "{button}");
        assert_eq!(shown.state().value[0].bricks, [1, 2], "{button}");
    }
    press(&mut shown, "Add to all");
    assert_eq!(shown.state().value.len(), 1);
    assert_eq!(shown.state().history.undo_len(), 0);
}
