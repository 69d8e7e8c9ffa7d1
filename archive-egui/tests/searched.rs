//! The search.

use archive::Serialize;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;

use super::driven::{press, says, show, type_over};

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Unit {
    name: String,
    #[archive(label = "Health")]
    hp: u16,
    bag: Vec<Item>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Item {
    weight: f32,
}

fn units(count: usize) -> Vec<Unit> {
    let unit =
        |at| Unit { name: format!("unit {at}"), bag: vec![Item::default()], ..Unit::default() };
    (0..count).map(unit).collect()
}

#[test]
fn names_labels_and_values_are_found_and_changed_there() {
    let mut shown = show(units(30));
    type_over(&mut shown, Role::TextInput, "Search", "UNIT 17");
    type_over(&mut shown, Role::TextInput, "[17].name", "Ann");
    assert_eq!(shown.state().value[17].name, "Ann");

    type_over(&mut shown, Role::TextInput, "Search", "heal");
    type_over(&mut shown, Role::SpinButton, "[2].hp", "9");
    assert_eq!(shown.state().value[2].hp, 9);

    type_over(&mut shown, Role::TextInput, "Search", "bag");
    press(&mut shown, "Open [1].bag");
    press(&mut shown, "Open [1].bag[0]");
    type_over(&mut shown, Role::SpinButton, "weight", "2");
    assert_eq!(shown.state().value[1].bag[0].weight, 2.0);
}

#[test]
fn what_was_found_stays_while_it_is_changed_and_is_searched_again_after_a_removal() {
    let mut shown = show(units(3));
    type_over(&mut shown, Role::TextInput, "Search", "unit");
    type_over(&mut shown, Role::TextInput, "[1].name", "Bo");
    assert!(shown.query_by_role_and_label(Role::TextInput, "[2].name").is_some());
    type_over(&mut shown, Role::TextInput, "Search", "bag");
    press(&mut shown, "Open [0].bag");
    press(&mut shown, "Remove [0].bag[0]");
    assert_eq!(shown.state().value[0].bag, []);
    press(&mut shown, "Undo");
    assert_eq!(shown.state().value[0].bag.len(), 1);
}

#[test]
fn a_search_finds_nothing_or_too_much() {
    let mut shown = show(units(1000));
    type_over(&mut shown, Role::TextInput, "Search", "zzz");
    assert!(says(&shown, "nothing is found"));
    type_over(&mut shown, Role::TextInput, "Search", "hp");
    assert!(says(&shown, "[0].hp"));
    assert!(!says(&shown, "nothing is found"));
    type_over(&mut shown, Role::TextInput, "Search", " ");
    assert!(says(&shown, "Open [0]"));
}
