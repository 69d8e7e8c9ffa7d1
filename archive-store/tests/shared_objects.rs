//! Objects that many places own.

use std::rc::Rc;

use archive::store::storage::Memory;
use archive::store::{Link, Persistent, Shared, Store};
use archive::{ErrorKind, Format, Result, Serialize};

#[derive(Debug, Default, Serialize)]
struct Town {
    name: String,
    twin: Option<Shared<Town>>,
    trades_with: Vec<Link<Town>>,
}
#[derive(Debug, Default, Serialize)]
struct Nation {
    towns: Vec<Shared<Town>>,
}
#[derive(Debug, Default, Serialize)]
struct World {
    tick: u64,
    capital: Option<Shared<Town>>,
    favourite: Link<Town>,
    nation: Persistent<Nation>,
}
archive::store::persistent!(Town = "town", Nation = "nation", World = "world");

fn town(name: &str) -> Shared<Town> {
    Shared::new(Town { name: name.into(), ..Town::default() })
}

/// Ash is the capital, trades with Bree, which is met later, and is Bree's twin; Bree trades with
/// Ash and with itself.
fn world() -> World {
    let (ash, bree) = (town("Ash"), town("Bree"));
    ash.borrow_mut().trades_with.push(bree.link());
    bree.borrow_mut().trades_with.extend([ash.link(), bree.link()]);
    bree.borrow_mut().twin = Some(ash.clone());
    World {
        tick: 0,
        favourite: bree.link(),
        nation: Persistent::new(Nation { towns: vec![ash.clone(), bree] }),
        capital: Some(ash),
    }
}

fn check(world: &World) {
    let [ash, bree] = &world.nation.towns[..] else { panic!("{world:?}") };
    assert_eq!((&*ash.borrow().name, &*bree.borrow().name), ("Ash", "Bree"));
    assert!(world.capital.as_ref().unwrap().is(ash));
    assert!(world.favourite.get().unwrap().is(bree));
    assert!(ash.borrow().trades_with[0].get().unwrap().is(bree));
    assert!(bree.borrow().trades_with[0].get().unwrap().is(ash));
    assert!(bree.borrow().trades_with[1].get().unwrap().is(bree));
    assert!(bree.borrow().twin.as_ref().unwrap().is(ash));
}

#[test]
fn shared_objects_are_one_row() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let mut world = world();
    assert_eq!(store.save(&world)?.written, 4);
    assert_eq!(store.save(&world)?.written, 0);
    // The owners of a changed object are not visited.
    world.nation.towns[1].borrow_mut().name = "Bree-on-Sea".into();
    assert_eq!(store.save(&world)?.written, 1);
    let bree = world.nation.unmarked().towns[1].clone();
    bree.borrow_mut().name = "Bree".into();
    assert_eq!(store.save(&world)?.written, 1);

    let store = Store::over(memory.clone())?;
    let mut loaded = World::default();
    store.attach(&mut loaded)?;
    assert!(store.finish_load()?.is_clean());
    check(&loaded);
    assert_eq!(store.save_all(&loaded)?.written, 0);
    let town = store.read(archive::store::Ref::<Town>::new(2))?.unwrap();
    assert_eq!(town.name, "Bree");

    // No owner is left.
    loaded.nation.towns.pop();
    assert_eq!(store.save(&loaded)?.deleted, 0);
    assert_eq!(store.save_all(&loaded)?.deleted, 1);
    let store = Store::over(memory)?;
    let mut loaded = World::default();
    store.attach(&mut loaded)?;
    assert!(store.finish_load()?.is_clean());
    assert!(loaded.favourite.get().is_none());
    assert!(loaded.capital.unwrap().borrow().trades_with[0].get().is_none());
    Ok(())
}

#[test]
fn outside_of_a_store_they_are_pointers() -> Result {
    for format in [Format::Json, Format::Binary, Format::MessagePack, Format::Blob] {
        let bytes = format.to_vec(&world())?;
        let loaded: World = format.from_slice(&bytes)?;
        check(&loaded);
        assert_eq!(format.to_vec(&loaded)?, bytes, "{format:?}");
    }
    Ok(())
}

#[test]
fn a_borrowed_object_is_an_error() -> Result {
    let store = Store::over(Memory::new())?;
    let world = world();
    let capital = world.capital.clone().unwrap();
    let borrowed = capital.borrow_mut();
    let error = store.save(&world).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Borrowed);
    assert!(error.to_string().contains("world 1: capital: "), "{error}");
    drop(borrowed);
    assert_eq!(store.save(&world)?.written, 4);
    Ok(())
}

/// The key of an object was assigned by a failed save, and is assigned again after the quick load.
/// A link to the old object is dangling, and does not refer to the new one.
#[test]
fn a_stale_link_after_a_quick_load_does_not_resolve_to_another_object() -> Result {
    let (memory, disk, store) = super::failing_storage::watched()?;
    let mut world = World::default();
    store.save(&world)?;
    let old = town("old");
    world.nation.towns.push(old.clone());
    disk.full(|| store.save(&world)).unwrap_err();
    store.begin_load()?;
    let (mut world, _) = super::failing_storage::load_from::<World>(&store)?;
    world.nation.towns.push(town("new"));
    world.favourite = old.link();
    store.save(&world)?;
    let (again, _) = super::failing_storage::load::<World>(memory)?;
    let favourite = again.favourite.get().map(|town| town.borrow().name.clone());
    assert_eq!(favourite, None);
    Ok(())
}

/// As above, with a link in a row that is visited after the new object got its key.
#[test]
fn a_stale_link_in_a_shared_object_does_not_resolve_to_another_object() -> Result {
    let (memory, disk, store) = super::failing_storage::watched()?;
    let mut world = World::default();
    store.save(&world)?;
    let old = town("old");
    world.nation.towns.push(old.clone());
    disk.full(|| store.save(&world)).unwrap_err();
    store.begin_load()?;
    let (mut world, _) = super::failing_storage::load_from::<World>(&store)?;
    let [first, second] = ["first", "second"].map(town);
    first.borrow_mut().trades_with.push(old.link());
    world.nation.towns.extend([first, second]);
    store.save(&world)?;
    let (again, _) = super::failing_storage::load::<World>(memory)?;
    let linked = again.nation.towns[0].borrow().trades_with[0].get();
    assert!(linked.is_none(), "{}", linked.unwrap().borrow().name);
    Ok(())
}

/// Each store counts its keys from 1.
#[test]
fn a_link_to_an_object_of_another_store_does_not_resolve_in_this_one() -> Result {
    let world = |name| World { capital: Some(town(name)), ..World::default() };
    let (here, there) = (world("here"), world("there"));
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    store.save(&here)?;
    Store::over(Memory::new())?.save(&there)?;
    let [capital, other] = [&here, &there].map(|world| world.capital.as_ref().unwrap());
    capital.borrow_mut().trades_with.push(other.link());
    store.save(&here)?;
    let (again, _) = super::failing_storage::load::<World>(memory)?;
    let linked = again.capital.unwrap().borrow().trades_with[0].get();
    assert!(linked.is_none(), "{}", linked.unwrap().borrow().name);
    Ok(())
}

/// A new object got its key from another store, and replaces the row of the target of a link.
#[test]
fn a_link_to_an_object_whose_row_is_replaced_does_not_resolve_to_the_new_one() -> Result {
    let memory = Rc::new(Memory::new());
    let (store, elsewhere) = (Store::over(memory.clone())?, Store::over(Memory::new())?);
    let [old, kept, new] = ["old", "kept", "new"].map(town);
    let world = |towns: [&Shared<Town>; 2]| World {
        nation: Nation { towns: towns.map(Shared::clone).into() }.into(),
        ..World::default()
    };
    store.save(&world([&kept, &old]))?;
    let world = world([&kept, &new]);
    elsewhere.save(&world)?;
    kept.borrow_mut().trades_with.push(old.link());
    store.save_all(&world)?;
    let (again, _) = super::failing_storage::load::<World>(memory)?;
    let linked = again.nation.towns[0].borrow().trades_with[0].get();
    assert!(linked.is_none(), "{}", linked.unwrap().borrow().name);
    Ok(())
}
