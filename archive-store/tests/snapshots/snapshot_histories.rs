//! Random histories of a store with snapshots, compared with plain maps: after each step every
//! snapshot has the rows that the store had when it was taken.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use archive::Result;
use archive::store::storage::{Memory, Redb, Storage};
use archive::store::{Persistent, Store};
use archive_test_support::search::config;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::{Bytes, Town, Unit, World, all, assert_is_kept, rows};
use crate::failing_storage::{Watched, load_from};

#[derive(Clone, Copy, Debug)]
enum Step {
    Insert(u32),
    Change(usize, u32),
    Remove(usize),
    Zoom(u32),
    PushTown(u32),
    PopTown,
    Save(bool, Fails),
    Edit(usize, u32, Fails),
    Clear(Fails),
    Snapshot(Fails),
    Restore(usize, Fails),
    Delete(usize, Fails),
    Load,
    Reopen,
}

/// How the storage fails in a step.
#[derive(Clone, Copy, Debug)]
enum Fails {
    Never,
    Commit,
    Read(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let fails = || {
        prop_oneof![
            6 => Just(Fails::Never),
            1 => Just(Fails::Commit),
            1 => (0..20_u64).prop_map(Fails::Read),
        ]
    };
    // Few values, so that rows are changed back.
    let (value, which) = (0..3_u32, 0..8_usize);
    let step = prop_oneof![
        5 => value.clone().prop_map(Step::Insert),
        4 => (which.clone(), value.clone()).prop_map(|(which, hp)| Step::Change(which, hp)),
        3 => which.clone().prop_map(Step::Remove),
        1 => value.clone().prop_map(Step::Zoom),
        1 => value.clone().prop_map(Step::PushTown),
        1 => Just(Step::PopTown),
        8 => (any::<bool>(), fails()).prop_map(|(all, fails)| Step::Save(all, fails)),
        2 => (which.clone(), value, fails()).prop_map(|(which, hp, f)| Step::Edit(which, hp, f)),
        1 => fails().prop_map(Step::Clear),
        5 => fails().prop_map(Step::Snapshot),
        3 => (which.clone(), fails()).prop_map(|(which, fails)| Step::Restore(which, fails)),
        2 => (which, fails()).prop_map(|(which, fails)| Step::Delete(which, fails)),
        1 => Just(Step::Load),
        1 => Just(Step::Reopen),
    ];
    prop::collection::vec(step, 1..40)
}

/// The values of a world.
type Plain = (u32, u32, Vec<(u64, u32, String)>, Vec<u32>);

fn plain(world: &World) -> Plain {
    let units = world.units.iter().map(|(at, unit)| (at.key(), unit.hp, unit.name.clone()));
    let towns = world.towns.iter().map(|town| town.size);
    (world.tick, world.camera.zoom, units.collect(), towns.collect())
}

/// What the store had when a snapshot was taken.
struct Kept {
    name: String,
    rows: Bytes,
    world: Plain,
    /// A view that was opened then.
    view: Store,
}

struct History {
    disk: Rc<Watched>,
    store: Store,
    world: World,
    /// The world as it was saved.
    saved: Plain,
    kept: Vec<Kept>,
    /// How many snapshots were taken.
    taken: u32,
    /// The keys of units that were saved. `None` after a new game in the store.
    used: Option<BTreeSet<u64>>,
}

impl History {
    fn new(storage: Rc<dyn Storage>) -> Result<Self> {
        let disk = Watched::new(storage);
        let store = Store::over(disk.clone())?;
        let (world, saved, kept) = Default::default();
        Ok(History { disk, store, world, saved, kept, taken: 0, used: Some(BTreeSet::new()) })
    }

    /// Runs an operation on a storage that may fail. Returns whether it succeeded; otherwise the
    /// storage is unchanged.
    fn succeeds<R>(&self, fails: Fails, run: impl FnOnce(&Self) -> Result<R>) -> Result<bool> {
        let before = all(&*self.disk)?;
        match fails {
            Fails::Never => return run(self).map(|_| true),
            Fails::Commit => self.disk.is_full.set(true),
            Fails::Read(reads) => self.disk.fails_after.set(Some(reads)),
        }
        let done = run(self);
        self.disk.is_full.set(false);
        self.disk.fails_after.set(None);
        if done.is_err() {
            assert_eq!(all(&*self.disk)?, before);
        }
        Ok(done.is_ok())
    }

    fn load(&mut self) -> Result {
        (self.world, _) = load_from(&self.store)?;
        self.saved = plain(&self.world);
        Ok(())
    }

    fn run(&mut self, step: Step) -> Result {
        let unit = |at: usize| self.world.units.iter().map(|(at, _)| at).nth(at);
        match step {
            Step::Insert(hp) => {
                let at = self.world.units.insert(Unit { hp, name: "a".into() });
                assert!(!self.used.iter().any(|used| used.contains(&at.key())), "{at:?}");
            }
            Step::Change(at, hp) => {
                if let Some(at) = unit(at) {
                    self.world.units[at].hp = hp;
                }
            }
            Step::Remove(at) => _ = unit(at).and_then(|at| self.world.units.remove(at)),
            Step::Zoom(zoom) => self.world.camera.zoom = zoom,
            Step::PushTown(size) => self.world.towns.push(Persistent::new(Town { size })),
            Step::PopTown => _ = self.world.towns.pop(),
            Step::Save(all, fails) => {
                self.world.tick += 1;
                let saves = |this: &Self| match all {
                    true => this.store.save_all(&this.world),
                    false => this.store.save(&this.world),
                };
                if self.succeeds(fails, saves)? {
                    self.saved = plain(&self.world);
                }
            }
            Step::Edit(at, hp, fails) => {
                let Some((key, ..)) = self.saved.2.get(at).cloned() else { return Ok(()) };
                let edits = |this: &Self| {
                    // The second change of a row counts.
                    this.store.edit_values(&[("unit", key), ("unit", key)], |index, unit| {
                        unit["hp"] = (u64::from(hp) + 1 - index as u64).into();
                        Ok(())
                    })
                };
                if self.succeeds(fails, edits)? {
                    self.store.begin_load()?;
                    self.load()?;
                }
            }
            Step::Clear(fails) => {
                if self.succeeds(fails, |this| this.store.clear())? {
                    assert_eq!(rows(&*self.disk)?, Bytes::new());
                    (self.world, self.saved, self.used) = Default::default();
                }
            }
            Step::Snapshot(fails) => {
                self.taken += 1;
                let name = format!("{}", self.taken);
                if self.succeeds(fails, |this| this.store.snapshot(&name))? {
                    let (rows, world) = (rows(&*self.disk)?, self.saved.clone());
                    let view = self.store.open_snapshot(&name)?;
                    self.kept.push(Kept { name, rows, world, view });
                }
            }
            Step::Restore(at, fails) => {
                let Some(at) = at.checked_rem(self.kept.len()) else { return Ok(()) };
                let kept = &self.kept[at];
                if self.succeeds(fails, |this| this.store.restore(&kept.name))? {
                    assert_eq!(rows(&*self.disk)?, kept.rows);
                    let world = kept.world.clone();
                    if kept.rows.is_empty() {
                        self.used = None;
                    }
                    self.load()?;
                    assert_eq!(self.saved, world);
                }
            }
            Step::Delete(at, fails) => {
                let Some(at) = at.checked_rem(self.kept.len()) else { return Ok(()) };
                let kept = &self.kept[at];
                if self.succeeds(fails, |this| this.store.delete_snapshot(&kept.name))? {
                    let kept = self.kept.remove(at);
                    let error = rows(kept.view.storage()).unwrap_err();
                    assert_eq!(error.kind(), archive::ErrorKind::NotFound, "{error}");
                }
            }
            Step::Load => {
                self.store.begin_load()?;
                self.load()?;
            }
            Step::Reopen => {
                self.store = Store::over(self.disk.clone())?;
                for kept in &mut self.kept {
                    kept.view = self.store.open_snapshot(&kept.name)?;
                }
                self.load()?;
            }
        }
        Ok(())
    }

    fn check(&mut self) -> Result {
        if let Some(used) = &mut self.used {
            used.extend(self.saved.2.iter().map(|(key, ..)| *key));
        }
        let snapshots = self.store.snapshots()?;
        let names = snapshots.iter().map(|snapshot| snapshot.name());
        assert!(names.eq(self.kept.iter().map(|kept| &kept.name)), "{snapshots:?}");
        for kept in &self.kept {
            assert_is_kept(&self.store, &kept.name, &kept.rows)?;
            assert_eq!(rows(kept.view.storage())?, kept.rows);
            let (world, loaded) = load_from(&self.store.open_snapshot(&kept.name)?)?;
            assert_eq!(plain(&world), kept.world, "{loaded}");
        }
        Ok(())
    }

    /// Deletes all snapshots. Then the store has its rows, as if there had never been one.
    fn end(self) -> Result {
        self.store.check()?;
        let rows = rows(&*self.disk)?;
        for kept in &self.kept {
            self.store.delete_snapshot(&kept.name)?;
        }
        let left = all(&*self.disk)?;
        assert!(left.iter().rfind(|(key, _)| key[0] > 3).is_none());
        assert_eq!(left[&[0][..]], b"archive.store\x01");
        assert_eq!(super::rows(&*self.disk)?, rows);
        let (world, _) = load_from(&Store::over(self.disk.clone())?)?;
        assert_eq!(plain(&world), self.saved);
        Ok(())
    }
}

fn histories(cases: u32, open: impl Fn() -> Rc<dyn Storage>) {
    let mut runner = TestRunner::new(config(cases));
    runner
        .run(&steps(), |steps| {
            let mut history = History::new(open()).unwrap();
            for step in steps {
                history.run(step).unwrap();
                history.check().unwrap();
            }
            history.end().unwrap();
            Ok(())
        })
        .unwrap();
}

#[test]
fn snapshots_in_memory_keep_their_rows() {
    histories(1000, || Rc::new(Memory::new()));
}

#[test]
fn snapshots_in_a_file_keep_their_rows() {
    let dir = tempfile::tempdir().unwrap();
    let count = Cell::new(0);
    histories(20, || {
        count.set(count.get() + 1);
        Rc::new(Redb::open(dir.path().join(format!("{}.store", count.get()))).unwrap())
    });
}
