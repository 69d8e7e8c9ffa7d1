//! Unknown objects as named roots, and in one root with references to another one.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use archive::format::{Backend, Reader, Writer};
use archive::{Archive, Value, json};

use super::game_and_mod::*;
use super::sharing::{check, world};
use crate::common::tree::Tree;
use crate::common::{EachBackend, each_backend};

const ORDERS: [[&str; 4]; 4] = [
    ["orders", "units", "watched", "end"],
    ["units", "watched", "orders", "end"],
    ["watched", "orders", "end", "units"],
    ["watched", "units", "end", "orders"],
];

fn save<F: Backend>(world: &World, order: [&str; 4], options: &archive::Options<'_>) -> F::Output {
    let mut writer = Writer::<F>::with(options);
    for name in order {
        match name {
            "orders" => writer.save(name, &world.orders),
            "units" => writer.save(name, &world.units),
            "watched" => writer.save(name, &world.watched),
            _ => writer.save(name, &world.end),
        }
        .unwrap();
    }
    writer.finish().unwrap()
}

fn load<F: Backend>(bytes: &[u8], order: [&str; 4], options: &archive::Options<'_>) -> World {
    let mut reader = Reader::<F>::with(bytes, options).unwrap();
    let mut world = World::default();
    for name in order {
        match name {
            "orders" => reader.serialize(name, &mut world.orders),
            "units" => reader.serialize(name, &mut world.units),
            "watched" => reader.serialize(name, &mut world.watched),
            _ => reader.serialize(name, &mut world.end),
        }
        .unwrap_or_else(|e| panic!("{} {order:?}: {e}", F::NAME));
    }
    reader.finish().unwrap();
    world
}

fn in_every_order<F: Backend>()
where
    F::Output: AsRef<[u8]>,
{
    for saved in ORDERS {
        let file = save::<F>(&world(), saved, &modded());
        for loaded in ORDERS {
            for again in ORDERS {
                let context = format!("{} {saved:?} {loaded:?} {again:?}", F::NAME);
                let kept = load::<F>(file.as_ref(), loaded, &plain());
                let file = save::<F>(&kept, again, &plain());
                check(&load::<F>(file.as_ref(), loaded, &modded()), &context);
            }
        }
    }
}

#[test]
fn in_every_order_of_roots() {
    struct InEveryOrder;
    impl EachBackend for InEveryOrder {
        fn visit<F: Backend<Output: AsRef<[u8]>>>(&mut self) {
            in_every_order::<F>();
        }
    }
    each_backend(&mut InEveryOrder);
    in_every_order::<Tree>();
}

/// A trait object as a root of its own.
#[test]
fn as_roots() {
    let brew = || Brew { data: data(), cost: 4 };
    let boxed: Box<dyn Command> = Box::new(brew());
    let shared: Rc<RefCell<dyn Command>> = Rc::new(RefCell::new(brew()));
    for format in super::formats() {
        let bytes = format.to_vec_with(&boxed, &modded()).unwrap();
        let kept: Box<dyn Command> = format.from_slice_with(&bytes, &plain()).unwrap();
        let bytes = format.to_vec_with(&kept, &plain()).unwrap();
        let back: Box<dyn Command> = format.from_slice_with(&bytes, &modded()).unwrap();
        assert_eq!((kept.power(), back.power()), (0, 4), "{format}");
        let bytes = format.to_vec_with(&shared, &modded()).unwrap();
        let kept: Rc<RefCell<dyn Command>> = format.from_slice_with(&bytes, &plain()).unwrap();
        let bytes = format.to_vec_with(&kept, &plain()).unwrap();
        let back: Rc<RefCell<dyn Command>> = format.from_slice_with(&bytes, &modded()).unwrap();
        assert_eq!(back.borrow().power(), 4, "{format}");
    }
}

/// A tree of the whole world is a format like any other.
#[test]
fn through_a_tree() {
    let tree = Value::of_with(&world(), &modded()).unwrap();
    let kept: World = tree.to_with(&plain()).unwrap();
    let again = Value::of_with(&kept, &plain()).unwrap();
    assert_eq!(again, tree);
    check(&again.to_with(&modded()).unwrap(), "a tree");
}

/// A root may have only a weak pointer to an unknown object.
#[test]
fn a_weak_root_before_the_object() {
    let spell: Rc<RefCell<dyn Command>> = Rc::new(RefCell::new(Brew { data: data(), cost: 4 }));
    let weak = Rc::downgrade(&spell);
    let mut writer = json::Writer::with(&modded());
    writer.save("weak", &weak).unwrap();
    writer.save("spells", &vec![spell]).unwrap();
    let text = writer.finish().unwrap();
    let mut reader = json::Reader::with(&text, &plain()).unwrap();
    let weak: Weak<RefCell<dyn Command>> = reader.load("weak").unwrap();
    let spells: Vec<Rc<RefCell<dyn Command>>> = reader.load("spells").unwrap();
    assert!(Rc::ptr_eq(&weak.upgrade().unwrap(), &spells[0]));
    let mut writer = json::Writer::with(&plain());
    writer.save("weak", &weak).unwrap();
    writer.save("spells", &spells).unwrap();
    assert_eq!(writer.finish().unwrap(), text);
}
