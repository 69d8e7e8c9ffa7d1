//! Maps and sets.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use archive::Serialize;
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;

use super::driven::{Shown, press, says, show, tall, type_over, undo, widget};

fn bag() -> BTreeMap<String, u32> {
    [("potion", 3), ("rope", 1)].map(|(name, count)| (name.to_owned(), count)).into()
}

fn add<T>(shown: &mut Shown<T>, path: &str, key: &str) {
    type_over(shown, Role::TextInput, &format!("new key of {path}"), key);
    shown.key_press(Key::Enter);
    shown.run();
}

#[test]
fn the_entries_of_a_map_are_changed_added_and_removed() {
    let mut shown = show(bag());
    type_over(&mut shown, Role::SpinButton, "key rope", "9");
    assert_eq!(shown.state().value["rope"], 9);
    add(&mut shown, "", "map");
    assert_eq!(shown.state().value["map"], 0);
    press(&mut shown, "Remove potion");
    assert_eq!(shown.state().value.len(), 2);
    for _ in 0..3 {
        undo(&mut shown);
    }
    assert_eq!(shown.state().value, bag());
}

#[test]
fn a_button_adds_the_key_that_was_typed() {
    let mut shown = show(bag());
    type_over(&mut shown, Role::TextInput, "new key of ", "map");
    press(&mut shown, "Add to all");
    assert_eq!(shown.state().value["map"], 0);
    assert_eq!(widget(&shown, Role::TextInput, "new key of ").value().unwrap(), "");
}

#[test]
fn a_key_is_renamed_and_a_duplicate_is_refused() {
    let mut shown = show(bag());
    type_over(&mut shown, Role::TextInput, "key potion", "elixir");
    shown.key_press(Key::Enter);
    shown.run();
    assert_eq!(shown.state().value["elixir"], 3);
    type_over(&mut shown, Role::TextInput, "key elixir", "rope");
    shown.key_press(Key::Enter);
    shown.run();
    assert_eq!(shown.state().value["elixir"], 3);
    assert!(says(&shown, "duplicate"));
    undo(&mut shown);
    assert_eq!(shown.state().value, bag());
}

#[test]
fn keys_of_all_kinds() {
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Maps {
        numbers: HashMap<i16, bool>,
        dollars: BTreeMap<String, u8>,
        pairs: BTreeMap<(u8, u8), u8>,
        lists: BTreeMap<String, Vec<u8>>,
    }
    let pairs = [((1, 2), 3)].into();
    let mut shown = tall(show(Maps { pairs, ..Maps::default() }));
    add(&mut shown, "numbers", "-7");
    assert_eq!(shown.state().value.numbers, [(-7, false)].into());
    add(&mut shown, "numbers", "seven");
    assert_eq!(shown.state().value.numbers.len(), 1);
    assert!(shown.state().history.undo_len() == 1);
    press(&mut shown, "Close numbers");
    add(&mut shown, "dollars", "$id");
    assert_eq!(shown.state().value.dollars, [("$id".to_owned(), 0)].into());
    press(&mut shown, "Close dollars");
    // An entry whose key has no name is a pair.
    press(&mut shown, "Open pairs");
    press(&mut shown, "Open pairs[0]");
    let numbers: Vec<_> = shown.get_all_by_role(Role::SpinButton).map(|it| it.value()).collect();
    // The key is a pair itself.
    assert_eq!(numbers.len(), 1);
    press(&mut shown, "Close pairs");
    add(&mut shown, "lists", "a.b[0]");
    press(&mut shown, "Add to lists[\"a.b[0]\"]");
    assert_eq!(shown.state().value.lists["a.b[0]"], [0]);
}

#[test]
fn the_elements_of_sets_are_added_and_removed() {
    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    struct Sets {
        words: BTreeSet<String>,
        numbers: HashSet<u8>,
    }
    let sets = Sets { words: ["b".to_owned()].into(), numbers: [7].into() };
    let mut shown = show(sets.clone());
    add(&mut shown, "words", "a");
    assert!(shown.state().value.words.contains("a"));
    press(&mut shown, "Close words");
    add(&mut shown, "numbers", "9");
    assert_eq!(shown.state().value.numbers, [7, 9].into());
    add(&mut shown, "numbers", "9");
    assert!(says(&shown, "duplicate"));
    press(&mut shown, "Remove numbers[0]");
    assert_eq!(shown.state().value.numbers.len(), 1);
    for _ in 0..3 {
        undo(&mut shown);
    }
    assert_eq!(shown.state().value, sets);
}

#[test]
fn keys_that_the_program_changes_are_read_again() {
    let mut shown = show(bag());
    shown.state_mut().value.remove("rope");
    shown.state_mut().value.insert("map".to_owned(), 5);
    shown.run();
    assert!(says(&shown, "key map"));
    shown.state_mut().value.insert("zoo".to_owned(), 5);
    shown.run();
    assert!(says(&shown, "key zoo"));
}
