//! A game with a store, from its first save to changed types.

use archive::store::storage::Redb;
use archive::store::{Persistent, Pool, Ref, Store};
use archive::time::Clock;
use archive::{ErrorKind, Options, Registry, Result, Serialize};

#[derive(Debug, Default, Clone, PartialEq, Serialize)]
pub struct Camera {
    at: [f32; 2],
    follows: Ref<Unit>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
pub struct Unit {
    kind: String,
    hp: u16,
    squad: Ref<Squad>,
    leader: Ref<Unit>,
    #[archive(with = archive::time)]
    ready_at: f64,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
pub struct Squad {
    name: String,
    members: Vec<Ref<Unit>>,
}
trait Order: archive::Polymorphic {
    fn ticks(&self) -> u32;
}
archive::polymorphic!(dyn Order);
#[derive(Default, Serialize)]
struct Move {
    to: [f32; 2],
}
#[derive(Default, Serialize)]
struct Pause {
    until: Ref<Box<dyn Order>>,
    ticks: u32,
}
impl Order for Move {
    fn ticks(&self) -> u32 {
        1
    }
}
impl Order for Pause {
    fn ticks(&self) -> u32 {
        self.ticks
    }
}
#[derive(Default, Serialize)]
pub struct World {
    tick: u64,
    camera: Persistent<Camera>,
    towns: Vec<Persistent<Town>>,
    units: Pool<Unit>,
    squads: Pool<Squad>,
    orders: Pool<Box<dyn Order>>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
pub struct Town {
    name: String,
}
archive::store::persistent!(
    World = "world",
    Camera = "camera",
    Town = "town",
    Unit = "unit",
    Squad = "squad",
    Box<dyn Order> = "order"
);

fn options(now: f64) -> Options<'static> {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Order { Move as "move", Pause as "pause" }).unwrap();
    Options::new().registry(&registry).provide(Clock(now))
}

/// A new game and a loaded one.
fn start() -> World {
    let mut world = World::default();
    world.camera.at = [5.0, 5.0];
    let squad = world.squads.insert(Squad { name: "Reds".into(), members: Vec::new() });
    for index in 0..4 {
        let kind = ["tank", "jeep"][index % 2].into();
        let unit = world.units.insert(Unit { kind, hp: 100, squad, ..Unit::default() });
        world.squads[squad].members.push(unit);
    }
    let first = world.orders.insert(Box::new(Move { to: [1.0, 2.0] }) as Box<dyn Order>);
    world.orders.insert(Box::new(Pause { until: first, ticks: 9 }));
    world.towns.push(Persistent::new(Town { name: "Ash".into() }));
    world.towns.push(Persistent::with_key(9, Town { name: "Bree".into() }));
    world
}

fn counts(saved: archive::store::Saved) -> (u64, u64) {
    (saved.written, saved.deleted)
}

#[test]
fn a_new_game_and_a_loaded_game_are_one_path() -> Result {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("campaign.store");
    let [a, b, c] = [1, 2, 3].map(Ref::<Unit>::new);
    {
        let store = Store::open_with(&path, &options(100.0))?;
        let mut world = start();
        assert!(!store.attach(&mut world)?);
        assert!(store.finish_load()?.is_clean());
        assert_eq!(counts(store.save(&world)?), (11, 0));
        assert_eq!(counts(store.save(&world)?), (0, 0));
        world.units[a].hp = 7;
        world.units[a].leader = b;
        world.units[b].ready_at = 103.0;
        world.units.remove(c);
        world.tick = 900;
        world.camera.follows = a;
        for (_, unit) in world.units.iter_mut() {
            if unit.hp == 1 {
                unit.hp = 2;
            }
        }
        assert_eq!(counts(store.save(&world)?), (4, 1));
        world.camera.unmarked().at = [1.0, 1.0];
        assert_eq!(counts(store.save(&world)?), (0, 0));
        // Times are relative to the clock, which did not advance, so only the camera differs.
        assert_eq!(counts(store.save_all(&world)?), (1, 0));
        world.towns.remove(0);
        assert_eq!(counts(store.save(&world)?), (1, 0));
        assert_eq!(counts(store.save_all(&world)?), (0, 1));
        let classes: Vec<_> = store.classes().into_iter().map(|c| (c.name, c.rows)).collect();
        let expected =
            [("camera", 1), ("order", 2), ("squad", 1), ("town", 1), ("unit", 3), ("world", 1)];
        assert_eq!(classes, expected.map(|(name, rows)| (name.to_owned(), rows)));
    }
    let store = Store::open_with(&path, &options(5.0))?;
    assert!(store.is_loading());
    assert!(store.save(&start()).unwrap_err().message().contains("were not loaded"));
    let mut world = start();
    assert!(store.attach(&mut world)?);
    let loaded = store.finish_load()?;
    assert_eq!(loaded.rows, 9);
    let dangling: Vec<String> = loaded.dangling.iter().map(ToString::to_string).collect();
    assert_eq!(dangling, ["squad 1: members[2]: no unit 3"]);
    assert!(loaded.notes.is_empty() && loaded.unclaimed.is_empty(), "{loaded}");
    assert_eq!((world.tick, world.camera.at, world.camera.follows), (900, [1.0, 1.0], a));
    assert_eq!((world.units.len(), world.units[b].ready_at), (3, 8.0));
    assert_eq!(world.units[world.units[a].leader].kind, "jeep");
    assert_eq!(world.orders[Ref::new(2)].ticks(), 9);
    assert_eq!((world.towns.len(), &*world.towns[0].name), (1, "Bree"));
    assert_eq!(world.towns[0].handle().key(), 9);
    // The removed object's slot has a new key.
    assert_eq!(world.units.insert(Unit::default()).key(), 1 << 32 | 3);
    assert_eq!(store.read(a)?.map(|unit| unit.hp), Some(7));
    assert_eq!(store.read(c)?, None);
    assert_eq!(store.rows::<Unit>().count(), 3);
    assert_eq!(store.value("unit", 1)?.unwrap()["hp"], 7.into());
    assert_eq!(store.values("squad").count(), 1);
    assert_eq!(store.values("ship").next().unwrap().unwrap_err().kind(), ErrorKind::UnknownType);
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Kind {
        kind: String,
    }
    assert_eq!(store.peek::<Unit, Kind>(2)?, Some(Kind { kind: "jeep".into() }));
    Ok(())
}

/// Types that changed.
mod next {
    use super::{Pool, Ref, Serialize};

    #[derive(Debug, Default, Clone, Serialize)]
    pub struct Unit {
        pub hp: u8,
        #[archive(default = 3)]
        pub mood: u8,
        pub kind: String,
        pub leader: Ref<Unit>,
        #[archive(with = archive::time)]
        pub ready_at: f64,
    }
    #[derive(Default, Serialize)]
    pub struct World {
        pub tick: u64,
        pub units: Pool<Unit>,
    }
    archive::store::persistent!(Unit = "unit", World = "world");
}

#[test]
fn types_change_between_saves() -> Result {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("campaign.store");
    let [a, b] = [1, 2].map(Ref::<next::Unit>::new);
    {
        let store = Store::open_with(&path, &options(0.0))?;
        let mut world = start();
        world.units[Ref::new(2)].hp = 1000;
        store.save(&world)?;
    }
    {
        let store = Store::open_with(&path, &options(0.0))?;
        let mut world = next::World::default();
        store.attach(&mut world)?;
        let loaded = store.finish_load()?;
        let text = loaded.to_string();
        assert!(text.contains("camera 1: nothing was loaded from this row"), "{text}");
        assert!(text.contains("unit 1: mood: ") && text.contains("in 3 more rows"), "{text}");
        assert!(text.contains("unit 1: squad: "), "{text}");
        // A value that does not fit keeps its default.
        assert_eq!(loaded.unfit.len(), 1, "{text}");
        assert!(loaded.unfit[0].to_string().contains("unit 2: hp: "), "{text}");
        assert_eq!((world.units[a].hp, world.units[a].mood, world.units[b].hp), (100, 3, 0));
        world.units[b].mood = 9;
        assert_eq!(counts(store.save(&world)?), (2, 0));
        let unit = store.classes().into_iter().find(|class| class.name == "unit").unwrap();
        assert_eq!((unit.rows, unit.versions), (4, 2));
    }
    let store = Store::open_with(&path, &options(0.0))?;
    let mut world = next::World::default();
    store.attach(&mut world)?;
    assert_eq!(store.finish_load()?.notes[0].rows, 3);
    assert_eq!((world.units[b].mood, world.units[a].mood), (9, 3));
    // The other rows have no owner.
    assert_eq!(store.save_all(&world)?.deleted, 6);
    Ok(())
}

#[test]
fn collisions_name_both_places() -> Result {
    let store = Store::over(archive::store::storage::Memory::new())?;
    #[derive(Default, Serialize)]
    struct Two {
        towns: Vec<Persistent<Town>>,
        hidden: Persistent<Inside>,
    }
    #[derive(Default, Serialize)]
    struct Inside {
        more: Vec<Persistent<Town>>,
    }
    archive::store::persistent!(Two = "two", Inside = "inside");
    let mut two = Two::default();
    two.towns.push(Persistent::with_key(7, Town::default()));
    two.hidden.more.push(Persistent::with_key(7, Town::default()));
    let error = store.save(&two).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateMember);
    assert_eq!(
        error.to_string(),
        "two objects have the key `town 7`: `towns[0]` and `hidden: inside 1: more[0]`"
    );
    two.towns.clear();
    assert_eq!(counts(store.save(&two)?), (3, 0));
    #[derive(Default, Serialize)]
    struct Pools {
        first: Pool<Town>,
        second: Pool<Town>,
    }
    archive::store::persistent!(Pools = "pools");
    let error = store.save(&Pools::default()).unwrap_err();
    assert!(error.to_string().contains("a pool has all objects of its class"), "{error}");
    Ok(())
}

#[test]
fn other_types_of_one_class_are_refused() -> Result {
    let store = Store::over(archive::store::storage::Memory::new())?;
    store.save(&start_of(&options(0.0)))?;
    let error = store.save(&next::World::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateType);
    assert!(error.to_string().contains("both have the class `world`"), "{error}");
    Ok(())
}

fn start_of(_: &Options<'_>) -> next_free::World {
    next_free::World::default()
}
mod next_free {
    #[derive(Default, super::Serialize)]
    pub struct World {
        tick: u64,
    }
    archive::store::persistent!(World = "world");
}

#[test]
fn a_store_is_open_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("campaign.store");
    let _open = Redb::open(&path).unwrap();
    assert_eq!(Store::open(&path).unwrap_err().kind(), ErrorKind::Io);
}
