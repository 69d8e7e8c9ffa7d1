//! The bytes of a store, as `docs/formats/object_store.md` shows them.

use std::fmt::Write as _;
use std::rc::Rc;

use archive::store::storage::{Changes, Memory, Storage};
use archive::store::{Persistent, Pool, Ref, Store};
use archive::{Result, Serialize};
use archive_test_support::dumps::hex;

#[derive(Default, Serialize)]
struct Unit {
    hp: u16,
    leader: Ref<Unit>,
}
#[derive(Default, Serialize)]
struct Camera {
    zoom: u8,
}
#[derive(Default, Serialize)]
struct World {
    tick: u64,
    camera: Persistent<Camera>,
    units: Pool<Unit>,
}
archive::store::persistent!(World = "world", Camera = "camera", Unit = "unit");

fn dump(storage: &dyn Storage) -> String {
    let mut text = String::new();
    storage
        .scan(&[], &[255], &mut |key, value| {
            writeln!(text, "{}\n    {}", hex(key), hex(value)).unwrap();
            Ok(true)
        })
        .unwrap();
    text
}

/// The dump in the page.
fn page() -> String {
    let page = include_str!("../../docs/formats/object_store.md");
    let dump = page.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    dump.to_owned()
}

#[test]
fn the_page_has_the_bytes() -> Result {
    let memory = Rc::new(Memory::new());
    let store = Store::over(memory.clone())?;
    let mut world = World { tick: 300, ..World::default() };
    world.camera.zoom = 3;
    let ann = world.units.insert(Unit { hp: 9, leader: Ref::NONE });
    let bob = world.units.insert(Unit { hp: 7, leader: ann });
    world.units.insert(Unit { hp: 5, leader: bob });
    world.units.remove(bob);
    store.save(&world)?;
    assert_eq!(dump(&*memory), page());
    Ok(())
}

#[test]
fn the_bytes_of_the_page_load() -> Result {
    let (memory, mut changes) = (Memory::new(), Changes::new());
    let text = page();
    let mut lines = text.lines().map(|line| {
        let bytes = line.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap());
        bytes.collect::<Vec<u8>>()
    });
    while let (Some(key), Some(value)) = (lines.next(), lines.next()) {
        changes.put(&key, &value);
    }
    memory.commit(&changes)?;
    let store = Store::over(memory)?;
    let mut world = World::default();
    store.attach(&mut world)?;
    let loaded = store.finish_load()?;
    assert_eq!(loaded.to_string(), "4 rows loaded\nunit 3: leader: no unit 2\n");
    assert_eq!((world.tick, world.camera.zoom, world.units.len()), (300, 3, 2));
    assert_eq!(world.units[Ref::new(1)].hp, 9);
    assert_eq!(world.units.insert(Unit::default()).key(), 1 << 32 | 2);
    Ok(())
}
