//! Saves and loads of a history, and the expected storage.

use archive::store::{Loaded, Saved, Store};
use archive::{Error, ErrorKind, Result};

use super::game_actions::Which;
use super::history::{Bag, History};
use super::plain::{Other, World};
use super::state::{OtherState, State};
use super::world_versions;

impl History {
    /// Saves a world, with an error of the disk or, if `fails` is even, of a value.
    pub(super) fn save(&mut self, which: Which, all: bool, fails: Option<usize>) -> Option<()> {
        let saved = match (which, fails) {
            (_, Some(at)) if at % 2 == 1 => {
                self.disk.full(|| self.game.save(which, &self.store, all))
            }
            (Which::World, Some(at)) => {
                let owned: Vec<u32> = self.live.owned(&self.places).into_iter().collect();
                let place = owned[at.checked_rem(owned.len())?];
                self.game.save_borrowed(place, &self.store, all)
            }
            _ => self.game.save(which, &self.store, all),
        };
        let error = match saved {
            Ok(saved) => return self.is_saved(which, all, saved),
            Err(error) => error,
        };
        self.has_failed = true;
        self.has_changed_nothing();
        match error.kind() {
            ErrorKind::Io | ErrorKind::Borrowed if fails.is_some() => {}
            ErrorKind::DuplicateMember => self.is_refused(which, all, &error),
            _ => panic!("{error}"),
        }
        Some(())
    }

    /// Two objects have one key, or one has the key of a row that was not loaded.
    fn is_refused(&mut self, which: Which, all: bool, error: &Error) {
        let has_twins = self.game.has_twins() || self.live.has_twins(&self.places);
        if which == Which::Other && !self.has_other {
            return;
        }
        assert!(has_twins || self.tainted || self.unclaimed && !all, "{error}");
        match has_twins || self.tainted {
            true => self.begin_load(None),
            false => self.save(which, true, None),
        };
    }

    fn is_saved(&mut self, which: Which, all: bool, saved: Saved) -> Option<()> {
        if which == Which::World {
            assert!(!self.live.has_twins(&self.places), "two places of one key were saved");
        }
        let (state, other, loaded) = self.load_again();
        let exact = |synced: u32| all || synced != self.synced[which as usize];
        self.has[which as usize] = true;
        match which {
            Which::World => {
                let exact = exact(self.live.synced);
                self.live.is_stored(&state, &self.places, exact);
                if all && !self.has_other && !self.unclaimed_other_is_kept(&loaded) {
                    (self.stored_other, self.has[1]) = (OtherState::default(), false);
                }
                assert_eq!(other, self.stored_other);
                self.stored_used.clone_from(&self.live.used);
            }
            Which::Other => {
                let exact = exact(self.other.synced);
                self.other.is_stored(&other, exact);
                assert_eq!(state, self.stored);
                self.has_other = true;
            }
        }
        (self.stored, self.stored_other) = (state, other);
        self.check_rest(which, all, &loaded);
        let now = self.next();
        self.synced[which as usize] = now;
        match which {
            Which::World => self.live.synced = now,
            Which::Other => self.other.synced = now,
        }
        if saved.written.is_multiple_of(2) {
            // Nothing is left to write.
            let again = self.game.save(which, &self.store, false).unwrap();
            assert_eq!((again.written, again.deleted), (0, 0));
        }
        Some(())
    }

    /// Whether a second world that was not loaded remains after `save_all`.
    fn unclaimed_other_is_kept(&self, loaded: &Loaded) -> bool {
        loaded.rows > 0 && !self.unclaimed
    }

    /// Checks the rows that do not belong to the worlds.
    fn check_rest(&mut self, which: Which, all: bool, loaded: &Loaded) {
        for row in &loaded.unclaimed {
            let may_stay = match &*row.class {
                "unit" | "world" | "other" => false,
                "town" => !all || self.has_other || which == Which::Other,
                _ => !all || which == Which::Other,
            };
            assert!(may_stay, "after {which:?} {all}: {loaded}");
        }
        self.unclaimed &= !all || !loaded.unclaimed.is_empty();
    }

    /// Loads the storage in a program of its own.
    fn load_again(&self) -> (State, OtherState, Loaded) {
        let store = Store::over(self.memory.clone()).unwrap();
        let mut game = world_versions::new(self.is_second);
        let loaded = game.load(&store, true).unwrap();
        game.number_places(0);
        let (state, other) = (game.state(), game.other_state());
        check(&store, &state, &loaded);
        (state, other, loaded)
    }

    fn has_changed_nothing(&self) {
        let (state, other, _) = self.load_again();
        assert_eq!((state, other), (self.stored.clone(), self.stored_other.clone()));
    }

    /// Saves the first world to another store.
    pub(super) fn save_second(&mut self, fails: Option<usize>) -> Option<()> {
        self.tainted = true;
        let saved = match fails {
            Some(at) => {
                let owned: Vec<u32> = self.live.owned(&self.places).into_iter().collect();
                let place = owned[at.checked_rem(owned.len())?];
                self.game.save_borrowed(place, &self.second.1, at % 4 > 1)
            }
            None => self.game.save(Which::World, &self.second.1, false),
        };
        if let Err(error) = saved {
            let has_twins = self.game.has_twins() || self.live.has_twins(&self.places);
            assert!(fails.is_some() || has_twins || self.tainted, "{error}");
            return None;
        }
        let store = Store::over(self.second.0.clone()).unwrap();
        let mut game = world_versions::new(self.is_second);
        game.load(&store, true).unwrap();
        let exact = self.live.synced != self.synced[2];
        self.live.is_stored(&game.state(), &self.places, exact);
        self.live.synced = self.next();
        self.synced[2] = self.live.synced;
        Some(())
    }

    /// Saves an undo copy, and continues with the world.
    pub(super) fn save_copy(&mut self, all: bool, at: usize) -> Option<()> {
        self.swap(at)?;
        let copies = self.copies.len();
        self.save(Which::World, all, None);
        // After an error, the stored state is loaded.
        if self.copies.len() == copies { self.swap(at) } else { None }
    }

    pub(super) fn clear(&mut self, fails: bool) -> Option<()> {
        let cleared =
            if fails { self.disk.full(|| self.store.clear()) } else { self.store.clear() };
        if cleared.is_err() {
            assert!(fails);
            self.has_changed_nothing();
            return None;
        }
        (self.stored, self.stored_other, self.has) = Default::default();
        self.stored_used.clear();
        let now = self.next();
        self.synced[..2].fill(now);
        (self.has_other, self.unclaimed) = (true, false);
        self.has_changed_nothing();
        Some(())
    }

    /// Restarts the program, also with other types, and without the second world.
    pub(super) fn again(&mut self, second: bool, both: bool, fails: Option<u64>) -> Option<()> {
        (self.is_second, self.game) = (second, world_versions::new(second));
        self.store = Store::over(self.disk.clone()).unwrap();
        self.second.1 = Store::over(self.second.0.clone()).unwrap();
        self.second.1.clear().unwrap();
        self.synced[2] = self.next();
        (self.copies, self.bag, self.tainted) = (Vec::new(), Bag::default(), false);
        self.load(both || !self.has[0], fails);
        Some(())
    }

    /// A quick load. Copies and objects that were taken out are kept.
    pub(super) fn begin_load(&mut self, fails: Option<u64>) -> Option<()> {
        // Keys that a failed save has assigned are assigned again.
        self.tainted |= self.has_failed;
        self.store.begin_load().unwrap();
        self.load(true, fails);
        Some(())
    }

    fn load(&mut self, both: bool, fails: Option<u64>) {
        self.disk.fails_after.set(fails);
        let mut loaded = self.game.load(&self.store, both);
        let has_failed = self.disk.fails_after.replace(None).is_none() && fails.is_some();
        if has_failed || loaded.is_err() {
            assert!(has_failed, "{:?}", loaded.err());
            if loaded.is_err() {
                let is_loading = self.store.is_loading();
                for all in [false, true] {
                    let saved = self.game.save(Which::World, &self.store, all);
                    assert!(saved.is_err() && is_loading, "half a world was saved");
                }
            }
            self.store.begin_load().unwrap();
            loaded = self.game.load(&self.store, both);
        }
        let loaded = loaded.unwrap();
        self.unclaimed = !loaded.unclaimed.is_empty();
        (self.has_other, self.has_failed) = (both || !self.has[1], false);
        let (state, other) = (self.game.state(), self.game.other_state());
        assert_eq!(state, self.stored);
        if both {
            assert_eq!(other, self.stored_other);
        }
        let first = self.next();
        let numbers = self.game.number_places(first);
        self.last += numbers.len() as u32;
        let (live, places) = World::of(&state, &numbers);
        let now = self.next();
        self.synced[..2].fill(now);
        self.live = World { synced: now, used: self.stored_used.clone(), ..live };
        self.other = Other { synced: now, ..Other::of(&other) };
        self.places.extend(places);
    }
}

/// Checks the result of a load, and the number of rows in the store.
fn check(store: &Store, state: &State, loaded: &Loaded) {
    assert!(loaded.unfit.is_empty(), "{loaded}");
    let links = loaded.dangling.iter().all(|it| {
        it.owner.class == "place" && it.target.class == "place" && it.member.starts_with("links")
    });
    assert!(links, "{loaded}");
    let count = |class: &str| store.values(class).count() as u64;
    for class in store.classes() {
        assert_eq!(class.rows, count(&class.name), "{}", class.name);
    }
    if loaded.rows > 0 && !state.units.is_empty() {
        assert!(loaded.rows >= state.rows() as u64, "{loaded}");
    }
}

/// Ends a history: the remaining state is saved and loaded.
pub fn end(history: &mut History) -> Result {
    history.save(Which::World, true, None);
    history.save(Which::World, false, None);
    history.again(false, true, None);
    Ok(())
}
