//! Steps of the history.

use archive::path::Path;
use archive::reflect::Edit;
use archive::{Error, Options, Result, Serialize};
use archive_egui::{History, Inspector, inspector};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use super::driven::{press, says, show, show_with, type_over, undo, widget};

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Lamps {
    red: bool,
    green: bool,
}

#[test]
fn steps_are_undone_and_redone_by_buttons_and_by_keys() {
    let mut shown = show(Lamps::default());
    for name in ["red", "green"] {
        widget(&shown, Role::CheckBox, name).click();
        shown.run();
    }
    press(&mut shown, "Undo");
    assert_eq!(shown.state().value, Lamps { red: true, green: false });
    press(&mut shown, "Redo");
    assert_eq!(shown.state().value, Lamps { red: true, green: true });
    let keys = [
        (Modifiers::COMMAND, Key::Z, Lamps { red: true, green: false }),
        (Modifiers::COMMAND, Key::Z, Lamps::default()),
        (Modifiers::COMMAND | Modifiers::SHIFT, Key::Z, Lamps { red: true, green: false }),
        (Modifiers::COMMAND, Key::Y, Lamps { red: true, green: true }),
        (Modifiers::COMMAND, Key::Y, Lamps { red: true, green: true }),
    ];
    for (modifiers, key, expected) in keys {
        shown.key_press_modifiers(modifiers, key);
        shown.run();
        assert_eq!(shown.state().value, expected, "{modifiers:?} {key:?}");
    }
}

#[test]
fn a_change_after_an_undo_forgets_what_was_undone() {
    let mut shown = show(Lamps::default());
    widget(&shown, Role::CheckBox, "red").click();
    shown.run();
    undo(&mut shown);
    widget(&shown, Role::CheckBox, "green").click();
    shown.run();
    assert_eq!(shown.state().history.redo_len(), 0);
}

#[test]
fn a_history_has_as_many_steps_as_its_limit() {
    let (mut value, mut history, options) = (0_u32, History::with_limit(3), Options::new());
    for new in 1..=10 {
        history.apply(&mut value, &Edit::new().set(Path::new(), new), &options).unwrap();
    }
    assert_eq!(history.undo_len(), 3);
    while history.undo(&mut value, &options).unwrap() {}
    assert_eq!((value, history.redo_len()), (7, 3));

    let mut none = History::with_limit(0);
    none.apply(&mut value, &Edit::new().set(Path::new(), 1), &options).unwrap();
    assert!(!none.undo(&mut value, &options).unwrap());
}

#[test]
fn joined_changes_are_one_step_also_in_a_full_history() {
    let (mut value, mut history, options) = (vec![0, 0], History::with_limit(1), Options::new());
    let at = |text| Path::parse(text).unwrap();
    for (path, new) in [("[0]", 1), ("[0]", 2), ("[1]", 3), ("[1]", 4)] {
        let edit = Edit::new().set(at(path), new);
        history.apply_joined(&mut value, &at(path), &edit, &options).unwrap();
    }
    assert_eq!(history.undo_len(), 1);
    history.undo(&mut value, &options).unwrap();
    assert_eq!(value, [2, 0]);
}

#[test]
fn a_step_that_cannot_be_undone_is_an_error_and_forgotten() {
    let (mut value, mut history, options) = (vec![1, 2, 3], History::new(), Options::new());
    let edit = Edit::new().set(Path::parse("[2]").unwrap(), 7);
    history.apply(&mut value, &edit, &options).unwrap();
    value.clear();
    history.undo(&mut value, &options).unwrap_err();
    assert_eq!((history.undo_len(), value.len()), (0, 0));
    assert!(!history.undo(&mut value, &options).unwrap());
}

#[derive(Debug, Default, PartialEq, Serialize)]
#[archive(after_load = fits)]
struct Tank {
    fuel: u32,
    name: String,
}

fn fits(tank: &Tank) -> Result {
    match (tank.fuel > 50, tank.name.len() % 2 == 1) {
        (true, _) => Err(Error::custom("more fuel than fits")),
        (_, true) => Err(Error::custom("an odd name")),
        _ => Ok(()),
    }
}

#[test]
fn a_refused_change_is_an_error_at_the_widget() {
    let mut shown = show(Tank::default());
    type_over(&mut shown, Role::SpinButton, "fuel", "51");
    assert!(says(&shown, "more fuel than fits"));
    let below = shown.get_by_label_contains("more fuel").rect().top();
    assert!(below >= widget(&shown, Role::SpinButton, "fuel").rect().bottom());
    assert!(below <= widget(&shown, Role::TextInput, "name").rect().top());
    // What was accepted on the way is the value.
    assert_eq!(shown.state().value.fuel, 5);
    type_over(&mut shown, Role::SpinButton, "fuel", "7");
    assert!(!says(&shown, "more fuel than fits"));
    assert_eq!(shown.state().value.fuel, 7);
}

#[test]
fn one_can_type_on_through_a_value_that_is_refused() {
    let mut shown = show(Tank::default());
    type_over(&mut shown, Role::TextInput, "name", "Anna");
    assert_eq!(shown.state().value.name, "Anna");
    assert_eq!(shown.state().history.undo_len(), 1);
    type_over(&mut shown, Role::TextInput, "name", "Ann");
    assert!(says(&shown, "an odd name"));
    // When the focus is lost, the value is shown again.
    shown.key_press(Key::Escape);
    shown.run();
    assert_eq!(shown.state().value.name, "An");
    assert_eq!(widget(&shown, Role::TextInput, "name").value().unwrap(), "An");
}

#[test]
fn two_inspectors_show_one_value_and_share_its_history() {
    let mut shown = show_with(Lamps::default(), |ui, state| {
        ui.columns_const(|[left, right]| {
            let first = inspector(left, &mut state.value, &mut state.history);
            let second = Inspector::new().id_salt("second").toolbar(false);
            first | second.show(right, &mut state.value, &mut state.history)
        })
    });
    for (at, expected) in [(1, true), (0, false), (1, true)] {
        let boxes: Vec<_> = shown.get_all_by_role_and_label(Role::CheckBox, "red").collect();
        boxes[at].click();
        drop(boxes);
        shown.run();
        assert_eq!(shown.state().value.red, expected);
    }
    undo(&mut shown);
    assert!(!shown.state().value.red);
}

#[test]
fn a_value_that_is_only_shown_has_no_widgets_to_change_it() {
    let mut shown = show_with(vec![true], |ui, state| {
        Inspector::new().read_only(true).show(ui, &mut state.value, &mut state.history)
    });
    widget(&shown, Role::CheckBox, "0").click();
    shown.run();
    assert_eq!(shown.state().value, [true]);
    for name in ["Undo", "Remove [0]", "Add to all", "Move [0]"] {
        assert!(shown.query_by_label(name).is_none(), "{name}");
    }
}
