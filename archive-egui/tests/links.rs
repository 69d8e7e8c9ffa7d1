//! Shared objects: their links lead to other places of the same object.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use archive::Serialize;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;

use super::driven::{click, press, says, show, tall, type_over, undo};

type Shared = Rc<RefCell<Unit>>;

#[derive(Default, Serialize)]
struct Unit {
    name: String,
    target: Weak<RefCell<Unit>>,
    friend: Option<Shared>,
}

#[derive(Default, Serialize)]
struct World {
    units: Vec<Shared>,
    selected: Option<Shared>,
}

fn world() -> World {
    let unit = |name: &str| Rc::new(RefCell::new(Unit { name: name.into(), ..Unit::default() }));
    let (ann, bo) = (unit("Ann"), unit("Bo"));
    ann.borrow_mut().target = Rc::downgrade(&bo);
    bo.borrow_mut().friend = Some(ann.clone());
    ann.borrow_mut().friend = Some(bo.clone());
    World { units: vec![ann, bo.clone()], selected: Some(bo) }
}

#[test]
fn links_lead_to_the_other_places_of_an_object() {
    let mut shown = show(world());
    press(&mut shown, "Links of selected");
    assert!(says(&shown, "units[0].target (weak)"));
    click(&mut shown, "units[0].friend");
    shown.run();
    // The place is open now.
    assert!(says(&shown, "Close units") && says(&shown, "Close units[0]"));
    assert!(says(&shown, "Links of units[0].friend"));
}

#[test]
fn an_object_in_a_cycle_is_changed_through_any_path() {
    let mut shown = show(world());
    let path = ["selected", "selected.friend", "selected.friend.friend"];
    for path in path {
        press(&mut shown, &format!("Open {path}"));
    }
    let fields = shown.get_all_by_role_and_label(Role::TextInput, "name").count();
    assert_eq!(fields, 3);
    press(&mut shown, "Close selected.friend.friend");
    press(&mut shown, "Close selected.friend");
    type_over(&mut shown, Role::TextInput, "name", "Bob");
    assert_eq!(shown.state().value.units[1].borrow().name, "Bob");
    // Through a path on which the object is not visited first.
    press(&mut shown, "Links of selected.friend");
    assert!(says(&shown, "units[0]"));
    undo(&mut shown);
    assert_eq!(shown.state().value.units[1].borrow().name, "Bo");
}

#[test]
fn a_pointer_that_was_set_to_null_is_the_same_object_after_an_undo() {
    let mut shown = show(world());
    let bo = shown.state().value.units[1].clone();
    click(&mut shown, "selected has a value");
    assert!(shown.state().value.selected.is_none());
    undo(&mut shown);
    assert!(Rc::ptr_eq(shown.state().value.selected.as_ref().unwrap(), &bo));
}

#[derive(Default, Serialize)]
struct Chain {
    next: Option<Rc<RefCell<Chain>>>,
}

/// Dropped in steps, since Rust's own drop recurses.
impl Drop for Chain {
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(chain) = next.and_then(Rc::into_inner) {
            next = chain.into_inner().next.take();
        }
    }
}

#[test]
fn a_long_chain_is_shown_in_parts() {
    let mut first = Chain::default();
    for _ in 0..20_000 {
        first = Chain { next: Some(Rc::new(RefCell::new(first))) };
    }
    let mut shown = tall(show(first));
    let mut path = "next".to_owned();
    for _ in 0..60 {
        press(&mut shown, &format!("Open {path}"));
        path.push_str(".next");
        shown.get_by_label(&format!("Open {path}")).scroll_to_me();
        shown.run();
    }
    press(&mut shown, "Show all");
    assert!(says(&shown, "Close next"));
}
