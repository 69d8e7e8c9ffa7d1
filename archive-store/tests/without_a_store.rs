//! The same types without a store.

use std::rc::Rc;

use archive::store::storage::Memory;
use archive::store::{Persistent, Pool, Ref, Store};
use archive::{Format, Options, Result, Serialize};

#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Unit {
    name: String,
    leader: Ref<Unit>,
    parts: Vec<Option<Persistent<Part>>>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Part {
    heat: f32,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
enum Weather {
    #[default]
    Clear,
    Rain {
        left: u32,
    },
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct World {
    tick: u64,
    weather: Persistent<Weather>,
    units: Pool<Unit>,
}
archive::store::persistent!(Unit = "unit", Part = "part", Weather = "weather", World = "world");

fn world() -> World {
    let mut world = World { tick: 3, ..World::default() };
    *world.weather = Weather::Rain { left: 9 };
    let ann = world.units.insert(Unit { name: "Ann".into(), ..Unit::default() });
    let parts = vec![Some(Persistent::new(Part { heat: 0.5 })), None];
    world.units.insert(Unit { name: "Bob".into(), leader: ann, parts });
    world
}

#[test]
fn json_has_the_values() -> Result {
    let mut world = world();
    let text = r#"{"tick":3,"weather":{"Rain":{"left":9}},"units":[[1,{"name":"Ann","leader":0,"parts":[]}],[2,{"name":"Bob","leader":1,"parts":[{"heat":0.5},null]}]]}"#;
    assert_eq!(archive::json::to_string(&world)?, text);
    assert_eq!(archive::json::from_str::<World>(text)?, world);
    // After a removal, the map stores the key that is assigned next.
    world.units.remove(Ref::new(2));
    let text = archive::json::to_string(&world)?;
    assert!(text.ends_with(r#"[4294967297,null]]}"#), "{text}");
    let mut again: World = archive::json::from_str(&text)?;
    assert_eq!(again, world);
    assert_eq!(again.units.insert(Unit::default()), world.units.insert(Unit::default()));
    Ok(())
}

#[test]
fn every_format_has_the_same_world() -> Result {
    let mut world = world();
    world.units.remove(Ref::new(1));
    world.units.insert(Unit { name: "Cid".into(), ..Unit::default() });
    for format in [Format::Json, Format::Binary, Format::MessagePack, Format::Blob] {
        let bytes = format.to_vec(&world)?;
        let again: World = format.from_slice(&bytes)?;
        assert_eq!(again, world, "{format:?}");
        assert_eq!(format.to_vec(&again)?, bytes, "{format:?}");
    }
    Ok(())
}

#[test]
fn a_world_moves_between_files_and_stores() -> Result {
    let first = world();
    let store = Store::over(Memory::new())?;
    let loaded: World = archive::json::from_str(&archive::json::to_string(&first)?)?;
    assert_eq!(store.save(&loaded)?.written, 5);
    let read: World = store.read(Ref::new(1))?.unwrap();
    assert_eq!(read, first);
    let file = archive::binary::to_vec_with(&read, &Options::new())?;
    assert_eq!(archive::binary::from_slice::<World>(&file)?, first);
    Ok(())
}

#[test]
fn a_map_becomes_a_pool() -> Result {
    #[derive(Default, Serialize)]
    struct Old {
        units: std::collections::BTreeMap<u64, Unit>,
    }
    let mut old = Old::default();
    old.units.insert(4, Unit { name: "Dee".into(), ..Unit::default() });
    archive::store::persistent!(Old = "world");
    let memory = Rc::new(Memory::new());
    Store::over(memory.clone())?.save(&old)?;
    let store = Store::over(memory)?;
    let mut world = World::default();
    store.attach(&mut world)?;
    store.finish_load()?;
    assert_eq!(world.units[Ref::new(4)].name, "Dee");
    Ok(())
}

#[test]
fn a_member_becomes_an_object_with_a_row() -> Result {
    #[derive(Default, Serialize)]
    struct Hull {
        armour: u8,
        paint: String,
    }
    #[derive(Default, Serialize)]
    struct Ship {
        hull: Hull,
        spare: Option<Hull>,
    }
    #[derive(Default, Serialize)]
    struct NextHull {
        armour: u16,
        paint: String,
        crew: u8,
    }
    #[derive(Default, Serialize)]
    struct NextShip {
        hull: Persistent<NextHull>,
        spare: Option<Persistent<NextHull>>,
    }
    archive::store::persistent!(Ship = "ship", NextShip = "ship", NextHull = "hull");
    let hull = |armour| Hull { armour, paint: "red".into() };
    let old = Ship { hull: hull(3), spare: Some(hull(4)) };
    for format in [Format::Json, Format::Binary, Format::MessagePack, Format::Blob] {
        let file = format.to_vec(&old)?;
        let ship: NextShip = format.from_slice(&file)?;
        let spare = ship.spare.unwrap();
        assert_eq!((ship.hull.armour, spare.armour, &*spare.paint), (3, 4, "red"), "{format:?}");
    }
    let memory = Rc::new(Memory::new());
    Store::over(memory.clone())?.save(&old)?;
    let new = || NextShip {
        hull: Persistent::with_key(7, NextHull { crew: 5, ..NextHull::default() }),
        spare: None,
    };
    for round in 0..2 {
        let store = Store::over(memory.clone())?;
        let mut ship = new();
        store.attach(&mut ship)?;
        let loaded = store.finish_load()?;
        assert_eq!((loaded.is_complete(), loaded.is_clean()), (true, round == 1), "{loaded}");
        assert!(round == 1 || loaded.to_string().contains("ship 1: crew: "), "{loaded}");
        let spare = ship.spare.as_ref().unwrap();
        assert_eq!((ship.hull.armour, ship.hull.crew, &*ship.hull.paint), (3, 5, "red"));
        assert_eq!((spare.armour, &*spare.paint), (4, "red"));
        assert_eq!(ship.hull.handle(), Ref::new(7));
        assert_eq!(store.save(&ship)?.written, if round == 0 { 3 } else { 0 });
    }
    Ok(())
}
