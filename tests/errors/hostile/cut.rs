//! The error of a truncated file says so, wherever it is cut.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};

use archive::{Element, ErrorKind, Options, Registry, Serialize, Value, polymorphic, register};

use crate::common::{Format, forgives, formats};

trait Thing: archive::Polymorphic {}
polymorphic!(dyn Thing);

#[derive(Default, Serialize)]
struct Stone {
    weight: f64,
}
impl Thing for Stone {}

#[derive(Default, Serialize)]
struct Bag {
    things: Vec<Box<dyn Thing>>,
    owner: Weak<RefCell<Unit>>,
}
impl Thing for Bag {}

#[derive(Default, Serialize)]
struct Unit {
    name: String,
    hp: Option<u16>,
    friend: Option<Rc<RefCell<Unit>>>,
    bag: Option<Rc<RefCell<dyn Thing>>>,
}

#[derive(Default, Serialize)]
enum Order {
    #[default]
    Idle,
    Walk(i32, f32),
    Guard {
        unit: Weak<RefCell<Unit>>,
    },
}

#[derive(Default, Serialize)]
struct World {
    first: Option<Box<dyn Thing>>,
    bare: Vec<Rc<String>>,
    units: Vec<Rc<RefCell<Unit>>>,
    orders: Vec<Order>,
    by_name: BTreeMap<String, Rc<RefCell<Unit>>>,
    by_key: HashMap<(u8, char), Vec<bool>>,
    #[archive(bytes)]
    bytes: Vec<u8>,
    large: (u128, i128, u64, f32),
    pair: [Option<Option<i8>>; 3],
    shared: Vec<Rc<dyn Thing>>,
}

fn world() -> World {
    let leader = Rc::new(RefCell::new(Unit { name: "Ann \u{1f600}".into(), ..Unit::default() }));
    let bag: Rc<RefCell<dyn Thing>> = Rc::new(RefCell::new(Bag {
        things: vec![Box::new(Stone { weight: 1.5 }), Box::new(Bag::default())],
        owner: Rc::downgrade(&leader),
    }));
    leader.borrow_mut().bag = Some(bag.clone());
    let unit =
        Unit { name: "Bo\n".into(), hp: Some(300), friend: Some(leader.clone()), bag: Some(bag) };
    let unit = Rc::new(RefCell::new(unit));
    let bare = Rc::new("bare".to_owned());
    let stone: Rc<dyn Thing> = Rc::new(Stone { weight: -0.0 });
    World {
        first: Some(Box::new(Stone { weight: 2.0 })),
        bare: vec![bare.clone(), bare],
        orders: vec![
            Order::Guard { unit: Rc::downgrade(&unit) },
            Order::Walk(-7, 0.1),
            Order::Idle,
        ],
        by_name: [("$id".into(), unit.clone()), ("b".into(), leader.clone())].into(),
        units: vec![unit, leader],
        by_key: [((1, 'x'), vec![true, false])].into(),
        bytes: vec![0, 255, 7],
        large: (u128::MAX, i128::MIN, u64::MAX, 1e-7),
        pair: [None, Some(None), Some(Some(-3))],
        shared: vec![stone.clone(), stone],
    }
}

/// A truncated file is `UnexpectedEnd`, wherever it is cut and as any type.
#[test]
fn anywhere_is_the_end_of_the_input() {
    let mut registry = Registry::new();
    register!(registry, dyn Thing { Stone, Bag as "bag of things" }).unwrap();
    let options = Options::new().registry(&registry);
    fn check<T: Element>(format: Format, file: &[u8], options: &Options<'_>) {
        for len in 0..file.len() {
            // The rest of a word or a number is another one there, or none.
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b".+-".contains(byte);
            let in_word =
                format.name() == "ron" && len > 0 && file[len - 1..=len].iter().all(is_part);
            let error = format.from_slice_with::<T>(&file[..len], options).err();
            let error = error.unwrap_or_else(|| panic!("{format} loads cut at {len}"));
            assert!(
                in_word || error.kind() == ErrorKind::UnexpectedEnd,
                "{format} cut at {len} of {}: {:?}: {error}\n{}",
                file.len(),
                error.kind(),
                String::from_utf8_lossy(&file[len.saturating_sub(30)..len])
            );
        }
    }
    for format in formats() {
        let file = format.to_vec_with(&world(), &options).unwrap();
        check::<World>(format, &file, &options);
        // From the last member to the first, so that much is skipped; and as a tree.
        if forgives(format) {
            check::<Value>(format, &file, &options);
            check::<Backwards>(format, &file, &options);
        }
    }
}

#[derive(Default, Serialize)]
struct Backwards {
    shared: Vec<Rc<dyn Thing>>,
    by_name: BTreeMap<String, Rc<RefCell<Unit>>>,
    bare: Vec<Rc<String>>,
}
