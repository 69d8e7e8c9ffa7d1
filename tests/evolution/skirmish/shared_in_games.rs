//! Objects that are shared in a game are shared after loading, and the digest detects it.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use archive::Format;
use skirmish::command::{Follow, Rally};
use skirmish::{Command, Point, Timer, World, digest};

use super::arena;

/// A world in which a squad gathers: one command that the squad and all its members have.
fn rallying() -> World {
    let mut game = arena::game(12);
    game.play(3);
    let world = game.into_world();
    let squad = &world.squads[0];
    let members = squad.borrow().living();
    let rally = Rally::new(Point::new(5, 5), members.len(), Timer::after(world.tick, 50));
    let rally = Rc::new(RefCell::new(rally));
    for member in &members {
        member.borrow_mut().orders.clear();
        member.borrow_mut().orders.queue_shared(Rc::clone(&rally) as Rc<RefCell<dyn Command>>);
    }
    squad.borrow_mut().rally = Some(rally);
    squad.borrow_mut().leader = Rc::downgrade(&members[0]);
    world
}

#[test]
fn a_group_order_is_one_object_whoever_has_it() {
    let world = rallying();
    for format in Format::all() {
        let bytes = skirmish::save(&world, format).unwrap();
        let loaded = skirmish::load(&bytes, format).unwrap();
        assert_eq!(digest(&loaded), digest(&world), "{format}");
        let squad = loaded.squads[0].borrow();
        let rally = squad.rally.as_ref().unwrap();
        // The squad's own, and one for each of its six members, who have it as `dyn Command`.
        assert_eq!(Rc::strong_count(rally), 7, "{format}");
        for member in squad.living() {
            assert!(Rc::ptr_eq(member.borrow().squad.as_ref().unwrap(), &loaded.squads[0]));
            assert!(loaded.units.iter().any(|unit| Rc::ptr_eq(unit, &member)));
        }
        assert!(Rc::ptr_eq(&squad.leader.upgrade().unwrap(), &loaded.units[0]));
    }
}

#[test]
fn nothing_is_leaked() {
    for format in Format::all() {
        let bytes = skirmish::save(&rallying(), format).unwrap();
        let world = skirmish::load(&bytes, format).unwrap();
        let units: Vec<_> = world.units.iter().map(Rc::downgrade).collect();
        let squads: Vec<_> = world.squads.iter().map(Rc::downgrade).collect();
        drop(world);
        assert!(units.iter().all(|unit| unit.strong_count() == 0), "{format}");
        assert!(squads.iter().all(|squad| squad.strong_count() == 0), "{format}");
    }
}

#[test]
fn the_digest_sees_which_object_it_is() {
    let world = rallying();
    let before = digest(&world);
    let follow = |leader: &Weak<_>| Follow::new(leader.clone(), 2);
    let mut seen = vec![before];
    let mut differs = |what: &str| {
        let now = digest(&world);
        assert!(!seen.contains(&now), "{what}");
        seen.push(now);
    };

    let (first, second) = (Rc::downgrade(&world.units[0]), Rc::downgrade(&world.units[1]));
    world.squads[0].borrow_mut().leader = second.clone();
    differs("another leader");
    world.squads[0].borrow_mut().leader = Weak::new();
    differs("no leader");

    world.units[2].borrow_mut().orders.clear();
    differs("no orders");
    world.units[2].borrow_mut().orders.queue(follow(&first));
    differs("an order");
    world.units[2].borrow_mut().orders.clear();
    world.units[2].borrow_mut().orders.queue(follow(&second));
    differs("the same order about somebody else");

    // An equal command, but not the same one.
    let rally = world.squads[0].borrow().rally.clone().unwrap();
    world.squads[0].borrow_mut().rally = Some(Rc::new(RefCell::new(rally.borrow().clone())));
    differs("a copy of the group order");
    world.units[3].borrow_mut().squad = Some(Rc::clone(&world.squads[1]));
    differs("another squad");
}
