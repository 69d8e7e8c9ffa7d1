//! Random histories of a world in a store, against plain maps: changes, saves, saves that fail, the
//! program begun again, with other types too.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use archive::Result;
use archive::store::storage::{Memory, Redb, Storage};
use archive::store::{Saved, Store};
use archive_test_support::search::config;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::support::Watched;

/// A world of some version of the types.
trait Game {
    fn start(store: &Store) -> Result<(Self, Vec<String>)>
    where
        Self: Sized;
    fn insert(&mut self, hp: u32) -> u64;
    fn insert_at(&mut self, key: u64, hp: u32) -> bool;
    fn remove(&mut self, key: u64) -> bool;
    fn set(&mut self, key: u64, hp: u32);
    fn set_unmarked(&mut self, key: u64, hp: u32);
    fn set_tick(&mut self, tick: u64);
    fn push_town(&mut self, name: u32);
    fn remove_town(&mut self, index: usize);
    fn set_town(&mut self, index: usize, name: u32);
    fn save(&self, store: &Store, all: bool) -> Result<Saved>;
    fn state(&self) -> (u64, BTreeMap<u64, u32>, Vec<u32>);
}

macro_rules! version {
    ($version:ident { $($unit:tt)* }) => {
        mod $version {
            use std::collections::BTreeMap;

            use archive::store::{Persistent, Pool, Ref, Saved, Store};
            use archive::{Result, Serialize};

            #[derive(Default, Serialize)]
            pub struct Unit { $($unit)* }
            #[derive(Default, Serialize)]
            pub struct Town { name: u32 }
            #[derive(Default, Serialize)]
            pub struct World {
                tick: u64,
                nation: Persistent<Nation>,
                units: Pool<Unit>,
            }
            #[derive(Default, Serialize)]
            pub struct Nation {
                towns: Vec<Persistent<Town>>,
            }
            archive::persistent!(
                Unit = "unit", Town = "town", World = "world", Nation = "nation"
            );

            impl super::Game for World {
                fn start(store: &Store) -> Result<(Self, Vec<String>)> {
                    let mut world = World::default();
                    store.attach(&mut world)?;
                    let loaded = store.finish_load()?;
                    assert!(loaded.dangling.is_empty() && loaded.unfit.is_empty(), "{loaded}");
                    Ok((world, loaded.unclaimed.iter().map(ToString::to_string).collect()))
                }
                fn insert(&mut self, hp: u32) -> u64 {
                    self.units.insert(Unit { hp: hp.into(), ..Unit::default() }).key()
                }
                fn insert_at(&mut self, key: u64, hp: u32) -> bool {
                    self.units.insert_at(key, Unit { hp: hp.into(), ..Unit::default() }).is_ok()
                }
                fn remove(&mut self, key: u64) -> bool {
                    self.units.remove(Ref::new(key)).is_some()
                }
                fn set(&mut self, key: u64, hp: u32) {
                    self.units[Ref::new(key)].hp = hp.into();
                }
                fn set_unmarked(&mut self, key: u64, hp: u32) {
                    for (at, unit) in self.units.iter_mut() {
                        if at.key() == key {
                            unit.unmarked().hp = hp.into();
                        }
                    }
                }
                fn set_tick(&mut self, tick: u64) {
                    self.tick = tick;
                }
                fn push_town(&mut self, name: u32) {
                    self.nation.towns.push(Persistent::new(Town { name }));
                }
                fn remove_town(&mut self, index: usize) {
                    self.nation.towns.remove(index);
                }
                fn set_town(&mut self, index: usize, name: u32) {
                    self.nation.towns[index].name = name;
                }
                fn save(&self, store: &Store, all: bool) -> Result<Saved> {
                    if all { store.save_all(self) } else { store.save(self) }
                }
                fn state(&self) -> (u64, BTreeMap<u64, u32>, Vec<u32>) {
                    let units = self.units.iter().map(|(at, unit)| (at.key(), unit.hp as u32));
                    let towns = self.nation.towns.iter().map(|town| town.name);
                    (self.tick, units.collect(), towns.collect())
                }
            }
        }
    };
}
version!(first { pub hp: u32, pub name: String });
version!(second { pub mood: u8, pub hp: u64 });

#[derive(Clone, Debug)]
enum Step {
    Insert(u32),
    InsertAt(u64, u32),
    Remove(usize),
    Set(usize, u32),
    SetUnmarked(usize, u32),
    Tick(u64),
    PushTown(u32),
    RemoveTown(usize),
    SetTown(usize, u32),
    Save { all: bool, fails: bool },
    Clear,
    Again { second: bool },
}

fn step() -> impl Strategy<Value = Step> {
    let key = prop_oneof![
        1..8_u64,
        (0..3_u64, 1..5_u64).prop_map(|(high, low)| high << 32 | low),
        100..300_u64,
        any::<u64>(),
    ];
    prop_oneof![
        6 => any::<u32>().prop_map(Step::Insert),
        2 => (key, any::<u32>()).prop_map(|(key, hp)| Step::InsertAt(key, hp)),
        4 => any::<usize>().prop_map(Step::Remove),
        4 => (any::<usize>(), any::<u32>()).prop_map(|(at, hp)| Step::Set(at, hp)),
        2 => (any::<usize>(), any::<u32>()).prop_map(|(at, hp)| Step::SetUnmarked(at, hp)),
        1 => any::<u64>().prop_map(Step::Tick),
        2 => any::<u32>().prop_map(Step::PushTown),
        1 => any::<usize>().prop_map(Step::RemoveTown),
        1 => (any::<usize>(), any::<u32>()).prop_map(|(at, name)| Step::SetTown(at, name)),
        6 => (any::<bool>(), 0..3_u8).prop_map(|(all, n)| Step::Save { all, fails: n == 0 }),
        1 => Just(Step::Clear),
        3 => any::<bool>().prop_map(|second| Step::Again { second }),
    ]
}

/// The world as plain maps.
#[derive(Clone, Default)]
struct Model {
    tick: u64,
    units: BTreeMap<u64, u32>,
    towns: Vec<u32>,
}

struct History {
    disk: Rc<Watched>,
    store: Store,
    game: Box<dyn Game>,
    live: Model,
    stored: Model,
    /// Units that were changed without being marked.
    unmarked: BTreeSet<u64>,
    marked: BTreeSet<u64>,
    /// Keys that objects of saved worlds, or of this one, have had.
    used: BTreeSet<u64>,
    saved_used: BTreeSet<u64>,
}

impl History {
    fn new(storage: Rc<dyn Storage>) -> Result<Self> {
        let disk = Watched::new(storage);
        let store = Store::over(disk.clone())?;
        let (game, _) = first::World::start(&store)?;
        let (live, stored) = (Model::default(), Model::default());
        let (unmarked, marked) = (BTreeSet::new(), BTreeSet::new());
        let (used, saved_used) = (BTreeSet::new(), BTreeSet::new());
        let game = Box::new(game);
        Ok(History { disk, store, game, live, stored, unmarked, marked, used, saved_used })
    }

    fn key(&self, at: usize) -> Option<u64> {
        let len = self.live.units.len();
        self.live.units.keys().nth(at.checked_rem(len)?).copied()
    }

    fn town(&self, at: usize) -> Option<usize> {
        at.checked_rem(self.live.towns.len())
    }

    fn run(&mut self, step: Step) -> Result {
        match step {
            Step::Insert(hp) => {
                let key = self.game.insert(hp);
                assert!(self.used.insert(key), "the key {key} was assigned again");
                assert!(self.live.units.insert(key, hp).is_none());
                self.marked.insert(key);
            }
            Step::InsertAt(key, hp) => {
                let taken = self.live.units.keys().any(|other| *other as u32 == key as u32);
                assert_eq!(self.game.insert_at(key, hp), !taken && key as u32 != 0);
                if !taken && key as u32 != 0 {
                    self.live.units.insert(key, hp);
                    self.used.insert(key);
                    self.marked.insert(key);
                }
            }
            Step::Remove(at) => {
                if let Some(key) = self.key(at) {
                    assert!(self.game.remove(key));
                    assert!(!self.game.remove(key));
                    self.live.units.remove(&key);
                }
            }
            Step::Set(at, hp) => {
                if let Some(key) = self.key(at) {
                    self.game.set(key, hp);
                    self.live.units.insert(key, hp);
                    self.marked.insert(key);
                }
            }
            Step::SetUnmarked(at, hp) => {
                if let Some(key) = self.key(at) {
                    self.game.set_unmarked(key, hp);
                    self.live.units.insert(key, hp);
                    self.unmarked.insert(key);
                }
            }
            Step::Tick(tick) => {
                self.game.set_tick(tick);
                self.live.tick = tick;
            }
            Step::PushTown(name) => {
                self.game.push_town(name);
                self.live.towns.push(name);
            }
            Step::RemoveTown(at) => {
                if let Some(index) = self.town(at) {
                    self.game.remove_town(index);
                    self.live.towns.remove(index);
                }
            }
            Step::SetTown(at, name) => {
                if let Some(index) = self.town(at) {
                    self.game.set_town(index, name);
                    self.live.towns[index] = name;
                }
            }
            Step::Save { all, fails } => self.save(all, fails)?,
            Step::Clear => {
                self.store.clear()?;
                self.stored = Model::default();
                // The next save writes all: the objects count as never saved.
                self.marked = self.live.units.keys().copied().collect();
                self.saved_used = BTreeSet::new();
            }
            Step::Again { second } => self.again(second)?,
        }
        Ok(())
    }

    fn save(&mut self, all: bool, fails: bool) -> Result {
        let save = || self.game.save(&self.store, all);
        let saved = if fails { self.disk.full(save) } else { save() };
        let Err(error) = saved else {
            let old = std::mem::replace(&mut self.stored, self.live.clone());
            if !all {
                for key in self.unmarked.difference(&self.marked) {
                    if let (Some(old), Some(new)) =
                        (old.units.get(key), self.stored.units.get_mut(key))
                    {
                        *new = *old;
                    }
                }
            } else {
                self.unmarked.clear();
            }
            // A row that is written has all changes.
            self.unmarked.retain(|key| !self.marked.contains(key));
            self.marked.clear();
            self.saved_used.clone_from(&self.used);
            // Nothing is left to write.
            let again = self.game.save(&self.store, false)?;
            assert_eq!((again.written, again.deleted), (0, 0));
            return Ok(());
        };
        assert!(fails, "{error}");
        // What a failed save encoded is written by the next one.
        if all {
            self.unmarked.clear();
            self.marked.extend(self.live.units.keys());
        }
        Ok(())
    }

    fn again(&mut self, second: bool) -> Result {
        self.store = Store::over(self.disk.clone())?;
        let (game, unclaimed): (Box<dyn Game>, _) = if second {
            let (game, unclaimed) = second::World::start(&self.store)?;
            (Box::new(game), unclaimed)
        } else {
            let (game, unclaimed) = first::World::start(&self.store)?;
            (Box::new(game), unclaimed)
        };
        self.game = game;
        assert!(unclaimed.iter().all(|row| row.starts_with("town ")), "{unclaimed:?}");
        self.live = self.stored.clone();
        self.marked.clear();
        self.unmarked.clear();
        self.used.clone_from(&self.saved_used);
        let Model { tick, units, towns } = &self.stored;
        assert_eq!(self.game.state(), (*tick, units.clone(), towns.clone()));
        if let Some((key, hp)) = self.stored.units.first_key_value() {
            assert_eq!(self.store.value("unit", *key)?.unwrap()["hp"], (*hp).into());
        }
        Ok(())
    }
}

fn histories(cases: u32, open: impl Fn() -> Rc<dyn Storage>) {
    let mut runner = TestRunner::new(config(cases));
    let steps = prop::collection::vec(step(), 1..60);
    runner
        .run(&steps, |steps| {
            let mut history = History::new(open()).unwrap();
            for step in steps {
                history.run(step).unwrap();
            }
            history.run(Step::Save { all: true, fails: false }).unwrap();
            history.run(Step::Again { second: false }).unwrap();
            Ok(())
        })
        .unwrap();
}

#[test]
fn histories_in_memory_are_those_of_maps() {
    histories(400, || Rc::new(Memory::new()));
}

#[test]
fn histories_in_a_file_are_those_of_maps() {
    let dir = tempfile::tempdir().unwrap();
    let count = Cell::new(0);
    histories(40, || {
        count.set(count.get() + 1);
        Rc::new(Redb::open(dir.path().join(format!("{}.store", count.get()))).unwrap())
    });
}
