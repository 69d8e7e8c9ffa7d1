//! Edits of sets whose keys are shared objects, among them the one that contains the set.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use archive::path::Path;
use archive::reflect::{Edit, apply};
use archive::{ErrorKind, Options, Serialize, Value};

#[derive(Default, Serialize)]
struct Town {
    name: String,
    near: HashSet<ByName>,
    far: BTreeSet<ByName>,
    roads: HashMap<ByName, u32>,
}

#[derive(Default, Serialize)]
struct World {
    towns: Vec<Rc<RefCell<Town>>>,
}

#[derive(Serialize)]
struct ByName(Rc<RefCell<Town>>);
impl ByName {
    fn name(&self) -> String {
        self.0.borrow().name.clone()
    }
}
impl PartialEq for ByName {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}
impl Eq for ByName {}
impl PartialOrd for ByName {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for ByName {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.name().cmp(&other.name())
    }
}
impl Hash for ByName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

fn world() -> World {
    let town = |name: &str| Rc::new(RefCell::new(Town { name: name.into(), ..Town::default() }));
    let towns: Vec<_> = ["Ash", "Bree", "Dale"].into_iter().map(town).collect();
    let keys = || towns.iter().cloned().map(ByName);
    let (near, far, roads) =
        (keys().collect(), keys().collect(), keys().map(|key| (key, 7)).collect());
    {
        let mut ash = towns[0].borrow_mut();
        (ash.near, ash.far, ash.roads) = (near, far, roads);
    }
    World { towns }
}

fn check(world: &World, at: usize) {
    let town = &world.towns[at];
    let key = ByName(town.clone());
    let Town { near, far, roads, .. } = &*town.borrow();
    assert_eq!((near.len(), far.len(), roads.len()), (3, 3, 3));
    assert!(near.contains(&key) && far.contains(&key) && roads.contains_key(&key));
    for other in &world.towns {
        let key = ByName(other.clone());
        assert!(Rc::ptr_eq(&near.get(&key).unwrap().0, other));
    }
}

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

/// Comparing such a key would borrow the object that is being changed.
#[test]
fn a_set_that_contains_its_owner_is_not_changed() {
    let (mut world, options) = (world(), Options::new());
    for name in ["near", "far", "roads"] {
        let at = path(&format!("towns[0].{name}"));
        let edit = Edit::new().set(path("towns[1].name"), "new").set(at, Value::Array(Vec::new()));
        let error = apply(&mut world, &edit, &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Borrowed, "{error}");
        assert!(error.to_string().contains("a key refers to an object"), "{error}");
        check(&world, 0);
        assert_eq!(world.towns[1].borrow().name, "Bree");
    }
}

/// Undo restores the objects themselves.
#[test]
fn a_set_of_other_objects_is_undone() {
    let (mut world, options) = (world(), Options::new());
    let ash = ByName(world.towns[0].clone());
    {
        let mut town = world.towns[0].borrow_mut();
        let Town { near, far, roads, .. } = &mut *town;
        near.retain(|key| !Rc::ptr_eq(&key.0, &ash.0));
        far.clear();
        far.insert(ByName(world.towns[2].clone()));
        roads.retain(|key, _| !Rc::ptr_eq(&key.0, &ash.0));
    }
    let set = |edit: Edit, name: &&str| {
        edit.set(path(&format!("towns[0].{name}")), Value::Array(Vec::new()))
    };
    let edit = ["near", "far", "roads"].iter().fold(Edit::new(), set);
    let mut undo = apply(&mut world, &edit, &options).unwrap();
    for _ in 0..2 {
        assert!(world.towns[0].borrow().near.is_empty());
        let redo = apply(&mut world, &undo, &options).unwrap();
        let town = world.towns[0].borrow();
        for other in &world.towns[1..] {
            let key = ByName(other.clone());
            assert!(Rc::ptr_eq(&town.near.get(&key).unwrap().0, other));
            assert_eq!(town.roads.get(&key), Some(&7));
        }
        assert!(Rc::ptr_eq(&town.far.first().unwrap().0, &world.towns[2]));
        drop(town);
        undo = apply(&mut world, &redo, &options).unwrap();
    }
}
