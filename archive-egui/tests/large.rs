//! Only what can be seen is read.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};

use archive::{Archive, Result, Serialize};
use egui::accesskit::Role;

use super::driven::{press, says, show, type_over, undo, widget};

thread_local! {
    static READ: Cell<usize> = const { Cell::new(0) };
}

/// An item that counts how often it is read.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
struct Counted(u32);

impl Serialize for Counted {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        READ.set(READ.get() + 1);
        ar.serialize("number", &mut self.0)
    }
}
archive::save_by_clone!(Counted);
archive::blank!(Counted);

#[test]
fn the_items_of_a_long_list_that_cannot_be_seen_are_not_read() {
    let read_in_a_frame = |count: u32| {
        let mut shown = show((0..count).map(Counted).collect::<Vec<_>>());
        READ.set(0);
        shown.step();
        let closed = READ.get();
        press(&mut shown, "Open [3]");
        press(&mut shown, "Open [5]");
        READ.set(0);
        shown.step();
        (closed, READ.get())
    };
    let (few, many) = (read_in_a_frame(100), read_in_a_frame(100_000));
    assert!(few.1 > 0 && few.1 < 100, "{few:?}");
    assert_eq!(few, many);
}

#[test]
fn the_keys_of_a_closed_hash_table_are_not_read() {
    let keys = || (0..1000).map(Counted);
    let mut shown = show((
        keys().map(|key| (key, 7_u8)).collect::<HashMap<_, _>>(),
        keys().collect::<HashSet<_>>(),
    ));
    READ.set(0);
    shown.step();
    assert!(says(&shown, "1000 entries") && says(&shown, "1000 elements"));
    assert_eq!(READ.get(), 0);
}

#[test]
fn the_last_of_100_000_items_is_changed_moved_and_removed() {
    let numbers: Vec<u32> = (0..100_000).collect();
    let mut shown = show(numbers.clone());
    press(&mut shown, "Add to all");
    assert!(says(&shown, "Remove [100000]"));
    type_over(&mut shown, Role::SpinButton, "100000", "7");
    press(&mut shown, "Move up [100000]");
    assert_eq!(shown.state().value[99_999], 7);
    press(&mut shown, "Remove [99998]");
    assert_eq!(shown.state().value.len(), 100_000);
    for _ in 0..4 {
        undo(&mut shown);
    }
    assert_eq!(shown.state().value, numbers);
}

#[test]
fn the_last_of_100_000_entries_is_changed() {
    let map: BTreeMap<u32, u8> = (0..100_000).map(|key| (key, 0)).collect();
    let mut shown = show((map, HashMap::<u32, bool>::new()));
    press(&mut shown, "Open [0]");
    type_over(&mut shown, Role::TextInput, "new key of [0]", "100000");
    press(&mut shown, "Add to [0]");
    type_over(&mut shown, Role::SpinButton, "key 100000", "7");
    assert_eq!(shown.state().value.0[&100_000], 7);
}

#[test]
fn a_search_in_100_000_items_shows_what_it_found() {
    #[derive(Clone, Default, Serialize)]
    struct Unit {
        name: String,
    }
    let mut units = vec![Unit::default(); 100_000];
    units[99_000].name = "needle".into();
    let mut shown = show(units);
    type_over(&mut shown, Role::TextInput, "Search", "needle");
    assert_eq!(widget(&shown, Role::TextInput, "[99000].name").value().unwrap(), "needle");
}
