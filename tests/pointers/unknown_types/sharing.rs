//! Objects that unknown objects share with known ones, and with each other, remain shared.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use archive::{Serialize, Unknown, Value, json};

use super::game_and_mod::*;
use super::{formats, goes_into};
use crate::common::text;

fn cell<T>(value: T) -> Rc<RefCell<T>> {
    Rc::new(RefCell::new(value))
}

/// Units that hold orders, spells that refer to units and to each other.
pub fn world() -> World {
    let units: Vec<_> = (0..4).map(|hp| cell(Unit { hp, ..Unit::default() })).collect();
    let runes: Vec<_> = (0..3).map(|level| cell(Rune { level, ..Rune::default() })).collect();
    for (rune, next) in runes.iter().zip(&runes[1..]) {
        rune.borrow_mut().next = Some(next.clone());
        next.borrow_mut().back = Rc::downgrade(rune);
    }
    runes[2].borrow_mut().unit = Some(units[2].clone());
    let brew: Rc<RefCell<dyn Command>> = cell(Brew { data: data(), cost: 5 });
    let known: Rc<RefCell<dyn Command>> = cell(MoveTo { x: 9 });
    let first = cell(Spell {
        power: 1,
        target: Some(units[0].clone()),
        caster: Rc::downgrade(&units[1]),
        rune: Some(runes[0].clone()),
        then: vec![brew.clone(), known.clone()],
        inner: Some(Box::new(Spell {
            power: 11,
            target: Some(units[1].clone()),
            caster: Rc::downgrade(&units[3]),
            ..Spell::default()
        })),
        ..Spell::default()
    });
    let second = cell(Spell {
        power: 2,
        target: Some(units[0].clone()),
        rune: Some(runes[1].clone()),
        then: vec![first.clone(), brew.clone()],
        ..Spell::default()
    });
    units[0].borrow_mut().leader = Rc::downgrade(&units[3]);
    units[1].borrow_mut().orders = vec![second.clone(), known];
    let mut orders: Vec<Rc<RefCell<dyn Command>>> = vec![first, second, brew];
    // Objects to which only spells refer: the program may still watch them.
    let lone = cell(Unit { hp: 77, ..Unit::default() });
    let watched = Some(Rc::downgrade(&lone));
    orders.push(cell(Spell { power: 3, target: Some(lone), ..Spell::default() }));
    World { orders, units, watched, end: 7 }
}

pub fn spell(order: &Rc<RefCell<dyn Command>>) -> std::cell::Ref<'_, Spell> {
    std::cell::Ref::map(order.borrow(), |order| {
        (order as &dyn std::any::Any).downcast_ref::<Spell>().unwrap()
    })
}

/// The expected content for the program with the mod.
pub fn check(world: &World, context: &str) {
    let units = &world.units;
    let same = |a: &Rc<RefCell<Unit>>, b: &Rc<RefCell<Unit>>| {
        assert!(Rc::ptr_eq(a, b), "{context}");
    };
    assert_eq!(units.iter().map(|u| u.borrow().hp).collect::<Vec<_>>(), [0, 1, 2, 3], "{context}");
    let (first, second) = (spell(&world.orders[0]), spell(&world.orders[1]));
    assert_eq!((first.power, second.power), (1, 2));
    assert_eq!(first.data, data(), "{context}");
    same(first.target.as_ref().unwrap(), &units[0]);
    same(second.target.as_ref().unwrap(), &units[0]);
    same(&first.caster.upgrade().unwrap(), &units[1]);
    let inner = first.inner.as_ref().unwrap().units();
    same(&inner[0], &units[1]);
    same(&inner[1], &units[3]);
    let rune = first.rune.clone().unwrap();
    let next = rune.borrow().next.clone().unwrap();
    assert!(Rc::ptr_eq(&next, second.rune.as_ref().unwrap()), "{context}");
    assert!(Rc::ptr_eq(&next.borrow().back.upgrade().unwrap(), &rune), "{context}");
    let last = next.borrow().next.clone().unwrap();
    assert_eq!(last.borrow().level, 2);
    same(last.borrow().unit.as_ref().unwrap(), &units[2]);
    assert!(Rc::ptr_eq(&second.then[0], &world.orders[0]), "{context}");
    assert!(Rc::ptr_eq(&second.then[1], &world.orders[2]), "{context}");
    assert!(Rc::ptr_eq(&first.then[0], &world.orders[2]), "{context}");
    assert!(Rc::ptr_eq(&first.then[1], &units[1].borrow().orders[1]), "{context}");
    assert!(Rc::ptr_eq(&units[1].borrow().orders[0], &world.orders[1]), "{context}");
    let third = spell(&world.orders[3]);
    same(third.target.as_ref().unwrap(), &world.watched.as_ref().unwrap().upgrade().unwrap());
    assert_eq!(third.target.as_ref().unwrap().borrow().hp, 77, "{context}");
    assert_eq!(world.end, 7);
}

#[test]
fn sharing_survives_in_every_pair_of_formats() {
    let (modded, plain) = (modded(), plain());
    let world = world();
    check(&world, "at first");
    let wanted = json::to_string_with(&world, &modded).unwrap();
    for from in formats() {
        let bytes = from.to_vec_with(&world, &modded).unwrap();
        let kept: World =
            from.from_slice_with(&bytes, &plain).unwrap_or_else(|e| panic!("{from}: {e}"));
        assert_eq!(kept.watched.as_ref().unwrap().upgrade().unwrap().borrow().hp, 77, "{from}");
        for to in formats() {
            if !goes_into(from, to) {
                continue;
            }
            let context = format!("{from} to {to}");
            let bytes = to.to_vec_with(&kept, &plain).unwrap_or_else(|e| panic!("{context}: {e}"));
            let again: World =
                to.from_slice_with(&bytes, &plain).unwrap_or_else(|e| panic!("{context}: {e}"));
            let saved = to.to_vec_with(&again, &plain).unwrap();
            assert_eq!(text(&saved), text(&bytes), "{context}");
            let back: World =
                to.from_slice_with(&saved, &modded).unwrap_or_else(|e| panic!("{context}: {e}"));
            check(&back, &context);
            assert_eq!(json::to_string_with(&back, &modded).unwrap(), wanted, "{context}");
        }
    }
}

/// The mod's objects get the changes of the game.
#[test]
fn changes_are_seen() {
    for format in formats() {
        let bytes = format.to_vec_with(&world(), &modded()).unwrap();
        let mut kept: World = format.from_slice_with(&bytes, &plain()).unwrap();
        kept.watched.as_ref().unwrap().upgrade().unwrap().borrow_mut().hp = 78;
        kept.units[0].borrow_mut().hp = 100;
        kept.units.remove(1);
        // The first spell is removed, and the objects that others share with it are not.
        kept.orders.remove(0);
        let bytes = format.to_vec_with(&kept, &plain()).unwrap();
        let back: World = format.from_slice_with(&bytes, &modded()).unwrap();
        let second = spell(&back.orders[0]);
        assert_eq!(second.target.as_ref().unwrap().borrow().hp, 100, "{format}");
        assert!(Rc::ptr_eq(second.target.as_ref().unwrap(), &back.units[0]), "{format}");
        let first = spell(&second.then[0]);
        assert!(Rc::ptr_eq(first.target.as_ref().unwrap(), &back.units[0]), "{format}");
        assert!(Rc::ptr_eq(
            second.rune.as_ref().unwrap(),
            first.rune.as_ref().unwrap().borrow().next.as_ref().unwrap()
        ));
        assert_eq!(back.watched.as_ref().unwrap().upgrade().unwrap().borrow().hp, 78, "{format}");
        let inner = first.inner.as_ref().unwrap().units();
        assert_eq!(inner[0].borrow().hp, 1, "{format}");
    }
}

/// An unknown object owns its references as long as it lives, and no longer.
#[test]
fn objects_live_as_long_as_their_owners() {
    let bytes = json::to_vec_with(&world(), &modded()).unwrap();
    let mut kept: World = json::from_slice_with(&bytes, &plain()).unwrap();
    let watched = kept.watched.clone().unwrap();
    assert_eq!(watched.strong_count(), 1);
    let unknown = {
        let order = kept.orders[3].borrow();
        (&*order as &dyn std::any::Any).downcast_ref::<Unknown>().unwrap().clone()
    };
    kept.orders.pop();
    assert_eq!(watched.strong_count(), 1, "a clone holds it");
    drop(unknown);
    assert_eq!(watched.strong_count(), 0);
    let units: Vec<Weak<RefCell<Unit>>> = kept.units.iter().map(Rc::downgrade).collect();
    kept.units[1].borrow_mut().orders.clear();
    drop(kept);
    assert!(units.iter().all(|unit| unit.strong_count() == 0));
}

/// An `Unknown` may be named where its type is known.
#[test]
fn as_itself() {
    #[derive(Serialize)]
    struct Both {
        command: Rc<RefCell<dyn Command>>,
        unknown: Rc<RefCell<Unknown>>,
        bare: Rc<Unknown>,
    }
    let unknown = Rc::new(RefCell::new(Unknown::new("Brew", Value::from(1))));
    let bare = Rc::new(Unknown::new("Other", Value::from(2)));
    let both = Both { command: unknown.clone(), unknown, bare };
    for format in formats() {
        let bytes = format.to_vec_with(&both, &plain()).unwrap();
        let loaded: Both = format.from_slice_with(&bytes, &plain()).unwrap();
        let command: Rc<RefCell<dyn Command>> = loaded.unknown.clone();
        assert!(Rc::ptr_eq(&command, &loaded.command), "{format}");
        assert_eq!(*loaded.unknown.borrow(), *both.unknown.borrow(), "{format}");
        assert_eq!(loaded.bare, both.bare, "{format}");
    }
}

/// The same world with its members in another order: objects are then stored in other places.
#[derive(Default, Serialize)]
struct Swapped {
    watched: Option<Weak<RefCell<Unit>>>,
    units: Vec<Rc<RefCell<Unit>>>,
    orders: Vec<Rc<RefCell<dyn Command>>>,
    end: u8,
}

/// A program that loads less of the file: objects are stored in members that it lacks.
#[derive(Default, Serialize)]
struct Less {
    orders: Vec<Rc<RefCell<dyn Command>>>,
    watched: Option<Weak<RefCell<Unit>>>,
    end: u8,
}

#[test]
fn objects_may_be_stored_anywhere() {
    let (modded, plain) = (modded(), plain());
    let World { orders, units, watched, end } = world();
    let swapped = Swapped { watched, units, orders, end };
    for format in crate::common::forgiving() {
        let bytes = format.to_vec_with(&swapped, &modded).unwrap();
        let kept: World = format.from_slice_with(&bytes, &plain).unwrap();
        let saved = format.to_vec_with(&kept, &plain).unwrap();
        check(&format.from_slice_with(&saved, &modded).unwrap(), &format!("{format} swapped"));
        let kept: Swapped = format.from_slice_with(&saved, &plain).unwrap();
        let saved = format.to_vec_with(&kept, &plain).unwrap();
        check(&format.from_slice_with(&saved, &modded).unwrap(), &format!("{format} back"));

        // Units are known only through those that watch them and through the spells.
        let kept: Less = format.from_slice_with(&bytes, &plain).unwrap();
        let unit = kept.watched.as_ref().unwrap().upgrade().unwrap();
        assert_eq!(unit.borrow().hp, 77, "{format}");
        unit.borrow_mut().hp = 78;
        let saved = format.to_vec_with(&kept, &plain).unwrap();
        let back: Less = format.from_slice_with(&saved, &modded).unwrap();
        let (first, second) = (spell(&back.orders[0]), spell(&back.orders[1]));
        assert!(Rc::ptr_eq(first.target.as_ref().unwrap(), second.target.as_ref().unwrap()));
        assert!(Rc::ptr_eq(
            &first.caster.upgrade().unwrap(),
            &first.inner.as_ref().unwrap().units()[0]
        ));
        assert!(first.inner.as_ref().unwrap().units().len() == 1, "nobody holds it any more");
        let third = spell(&back.orders[3]);
        assert_eq!(third.target.as_ref().unwrap().borrow().hp, 78, "{format}");
    }
}
