//! Loading over an existing value: nothing of the elements of containers may remain, and their
//! memory is reused.

use std::cell::Cell;
use std::rc::Rc;

use allocation_counter::measure;
use archive::{Archive, Options, Result, Serialize, json};

use super::json_types::{Level, Order, Unit, level, unit};

/// Loads a text over a value, which must not affect the result.
fn over(old: &Level, text: &str) {
    let mut value = old.clone();
    json::load_into(&mut value, text.as_bytes()).unwrap();
    let fresh: Level = json::from_str(text).unwrap();
    assert_eq!(value.units, fresh.units, "{text}");
}

#[test]
fn nothing_of_the_old_elements_remains() {
    for len in [0, 1, 2, 5, 30] {
        for text in [
            json::to_string(&level(5)).unwrap(),
            r#"{"units": [{}, {"hp": 1}, {"at": {}}, {"at": {"x": 1}, "name": "a"}, {"target": {}}]}"#.into(),
            r#"{"units": [{"order": {"Go": {}}}, {"order": "Say"}, {"order": {"Say": "b"}}]}"#.into(),
        ] {
            let mut old = level(len);
            over(&old, &text);
            old.units.iter_mut().for_each(|unit| unit.order = unit_with_a_way());
            over(&old, &text);
        }
    }
}

fn unit_with_a_way() -> Order {
    unit(2).order
}

#[test]
fn absent_members_of_the_root_are_kept() {
    let mut value = level(2);
    json::load_into(&mut value, br#"{"spawn": {"x": 9}}"#).unwrap();
    let mut expected = level(2);
    expected.spawn.x = 9.0;
    assert_eq!(value, expected);
}

#[test]
fn texts_and_lists_keep_their_memory() {
    #[derive(Clone, Default, PartialEq, Debug, Serialize)]
    struct Row {
        name: String,
        cells: Vec<u32>,
        comment: Option<String>,
    }
    let row = |n: u32| Row {
        name: format!("row {n:04}"),
        cells: vec![n; 10],
        comment: Some(format!("comment {n:04}")),
    };
    let rows = |from: u32| -> Vec<Row> { (from..from + 500).map(row).collect() };
    let (first, second) = (rows(0), json::to_string(&rows(1000)).unwrap());
    let mut value = first;
    let used = measure(|| json::load_into(&mut value, second.as_bytes()).unwrap());
    assert_eq!(value, rows(1000));
    assert!(used.count_total < 10, "{} allocations", used.count_total);
}

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

#[derive(Clone, Default, PartialEq, Debug, Serialize)]
#[archive(after_load = count)]
struct Counted {
    a: u32,
    b: u32,
}

fn count(_: &mut Counted) {
    CALLS.set(CALLS.get() + 1);
}

#[test]
fn functions_of_types_are_called_once_per_value() {
    #[derive(Clone, Default, PartialEq, Debug, Serialize)]
    struct Outer {
        counted: Counted,
        list: Vec<Counted>,
        last: u8,
    }
    let outer = Outer { list: vec![Counted::default(); 3], ..Outer::default() };
    let mut value = vec![outer.clone(); 20];
    CALLS.set(0);
    // `last` is absent, which is known only after the functions.
    let one = r#"{"counted":{"a":1,"b":2},"list":[{"b":2,"a":1},{"a":1}]}"#;
    let text = format!("[{}]", [one; 20].join(","));
    json::load_into(&mut value, text.as_bytes()).unwrap();
    assert_eq!(CALLS.get(), 60);
    assert_eq!(value, json::from_str::<Vec<Outer>>(&text).unwrap());
}

#[test]
fn shared_objects_in_elements() {
    use std::cell::RefCell;

    #[derive(Clone, Default, Serialize)]
    struct Holder {
        name: String,
        held: Vec<Rc<RefCell<u32>>>,
        more: Option<u8>,
    }
    let shared = Rc::new(RefCell::new(5));
    let holder = Holder { name: "a".into(), held: vec![shared.clone(), shared], more: None };
    let text = json::to_string(&vec![holder.clone(); 12]).unwrap();
    let mut value = vec![holder; 12];
    json::load_into(&mut value, text.as_bytes()).unwrap();
    assert!(Rc::ptr_eq(&value[0].held[0], &value[11].held[1]));
    assert_eq!(Rc::strong_count(&value[0].held[0]), 24);
}

#[test]
fn a_variant_without_its_payload() {
    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    struct Ordered {
        order: Order,
    }
    let say = |text: &str| Ordered { order: Order::Say(text.into()) };
    let mut value = vec![say("old"), unit_ordered(2), say("old")];
    fn unit_ordered(n: u32) -> Ordered {
        Ordered { order: unit(n).order }
    }
    let text = br#"[{"order": "Say"}, {"order": "Go"}, {"order": {"Say": "new"}}]"#;
    json::load_into(&mut value, text).unwrap();
    assert_eq!(value, json::from_slice::<Vec<Ordered>>(text).unwrap());
    assert_eq!((&value[0], &value[2]), (&say(""), &say("new")));
}

/// Requests its members, and so compares all names.
#[derive(Default)]
struct ByHand {
    list: Vec<WithPointer>,
    last: u8,
}

#[derive(Clone, Default, Serialize)]
struct WithPointer {
    name: String,
    held: Vec<Rc<u8>>,
}

impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("list", &mut self.list)?;
        ar.serialize("last", &mut self.last)
    }
}

#[test]
fn names_of_elements_that_are_loaded_again_are_theirs() {
    let element = r#"{"what": 1, "name": "a", "ever": 2, "held": [{"$id": 1, "$value": 5}]}"#;
    let text = format!(r#"{{"what": 3, "last": 4, "ever": 5, "list": [{element}]}}"#);
    let mut value = ByHand { list: vec![WithPointer::default(); 2], last: 0 };
    json::load_into(&mut value, text.as_bytes()).unwrap();
    assert_eq!((value.list.len(), *value.list[0].held[0], value.last), (1, 5, 4));
}

#[test]
fn the_number_of_elements_is_counted_once() {
    let text = r#"[{"name":"a"},{"name":"b"},{"name":"c"}]"#;
    let options = Options::new().max_elements(3);
    let mut value = vec![Unit::default(); 3];
    json::load_into_with(&mut value, text.as_bytes(), &options).unwrap();
    let options = Options::new().max_elements(2);
    assert!(json::load_into_with(&mut value, text.as_bytes(), &options).is_err());
}
