//! The same types outside of a store.

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
archive::persistent!(Unit = "unit", Part = "part", Weather = "weather", World = "world");

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
    // After a removal the map says which key is assigned next.
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
    archive::persistent!(Old = "world");
    let memory = std::rc::Rc::new(Memory::new());
    Store::over(memory.clone())?.save(&old)?;
    let store = Store::over(memory)?;
    let mut world = World::default();
    store.attach(&mut world)?;
    store.finish_load()?;
    assert_eq!(world.units[Ref::new(4)].name, "Dee");
    Ok(())
}
