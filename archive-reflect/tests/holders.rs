//! Which pointers refer to an object.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex};

use archive::reflect::holders;
use archive::{Options, Polymorphic, Serialize};

#[derive(Default, Serialize)]
struct Unit {
    hp: u16,
    leader: Weak<RefCell<Unit>>,
    squad: Vec<Rc<RefCell<Unit>>>,
}

#[derive(Default, Serialize)]
struct World {
    first: Weak<RefCell<Unit>>,
    units: Vec<Rc<RefCell<Unit>>>,
    named: BTreeMap<String, Option<Rc<RefCell<Unit>>>>,
    camera: Arc<Mutex<[f32; 2]>>,
}

fn found(world: &World, object: &dyn Polymorphic) -> Vec<String> {
    let found = holders(world, object, &Options::new()).unwrap();
    let shown = found.iter().map(|one| match one.is_weak {
        true => format!("{}, weak", one.path),
        false => one.path.to_string(),
    });
    shown.collect()
}

#[test]
fn all_pointers_to_an_object_are_found() {
    let leader = Rc::new(RefCell::new(Unit { hp: 9, ..Unit::default() }));
    let unit = Rc::new(RefCell::new(Unit { leader: Rc::downgrade(&leader), ..Unit::default() }));
    leader.borrow_mut().squad = vec![unit.clone()];
    let world = World {
        first: Rc::downgrade(&unit),
        units: vec![leader.clone(), unit.clone()],
        named: [("a b".to_owned(), Some(leader.clone())), ("c".to_owned(), None)].into(),
        ..World::default()
    };
    assert_eq!(found(&world, &unit), ["first, weak", "units[0].squad[0]", "units[1]"]);
    assert_eq!(found(&world, &Rc::downgrade(&unit)), found(&world, &unit));
    let leaders = ["units[0]", "units[0].squad[0].leader, weak", r#"named["a b"]"#];
    assert_eq!(found(&world, &leader), leaders);
    assert_eq!(found(&world, &world.camera), ["camera"]);

    let other = Rc::new(RefCell::new(Unit::default()));
    assert_eq!(found(&world, &other), [""; 0]);
}

#[test]
fn a_value_that_is_not_a_pointer_is_refused() {
    let world = World::default();
    let gone = Rc::downgrade(&Rc::new(RefCell::new(Unit::default())));
    for object in [&7_u8 as &dyn Polymorphic, &vec![world.camera.clone()], &gone] {
        let error = holders(&world, object, &Options::new()).unwrap_err();
        assert_eq!(error.message(), "the object is not a pointer to a shared object");
    }
}
