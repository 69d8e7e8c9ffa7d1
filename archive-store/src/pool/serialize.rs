//! Saving and loading a [`Pool`]: as rows of a class, or as a map from key to value.

use std::sync::PoisonError;

use archive_core::decoder::NESTED_OPTIONS;
use archive_core::shape::{Shape, shape_of};
use archive_core::{
    Archive, Blank, Body, Error, ErrorKind, Options, Result, Save, Serialize, field,
};

use super::slots::{Slots, generation};
use super::{Persistent, Pool};
use crate::class::Class;
use crate::layout::{self, damaged};
use crate::row::Row;
use crate::run::{Kind, Run, Save as Saving};

impl<T: Row> Serialize for Pool<T> {
    const SHAPE: &'static Shape = &Shape::Map(shape_of::<u64>(), shape_of::<Option<T>>());
    const HOLDS_VALUES: bool = T::HOLDS_VALUES;
    const MAPS: usize = 1;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !ar.is_loading() {
            return self.save(ar);
        }
        let run = Run::of(ar);
        let mut entries = Load(Pool::default());
        ar.map(Self::SHAPE, 0, &mut entries)?;
        let Load(inline) = entries;
        match run {
            // What was saved inline, in a member that was an ordinary map, belongs to no row yet.
            None => *self = inline,
            Some(_) if !inline.slots.is_empty() => *self = inline,
            Some(run) if matches!(run.kind, Kind::Dangling) => {}
            Some(run) => self.pull(&run, ar.options())?,
        }
        Ok(())
    }
}

impl<T: Row> Save for Pool<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        let Some(run) = Run::of(ar) else {
            let next = self.extra_key();
            let len = self.len() + usize::from(next.is_some());
            return ar.map(Self::SHAPE, len, &mut Entries(self, next));
        };
        let class = run.class::<T>()?;
        match &run.kind {
            Kind::Save(save) => self.push(&run, save, &class, ar.options())?,
            Kind::Locate { .. } => {
                run.locate(&class, 0)?;
                for item in self.slots.iter() {
                    run.locate(&class, item.key())?;
                    run.search_row(&class, item.key(), &item.value, ar.options())?;
                }
            }
            _ => {}
        }
        ar.map(Self::SHAPE, 0, &mut Entries(&Pool::<T>::default(), None))
    }
}

impl<T: Row> field::Map for Pool<T> {}

impl<T> Blank for Pool<T> {
    fn blank(_: &Options<'_>) -> Self {
        Pool::default()
    }
}

impl<T: Row> Pool<T> {
    /// Writes the rows of objects that changed, and deletes those of objects that were removed.
    fn push(&self, run: &Run, save: &Saving, class: &Class, options: &Options<'_>) -> Result {
        run.meet_pool(class)?;
        // Another pool, or none, had the rows that the store has.
        let fresh = !self.saved.has_row(save.now);
        if !fresh && self.saved.number() != class.saved.get() {
            save.stale.set(true);
        }
        if fresh && class.stored_rows() > 0 {
            let (from, to) = layout::all_rows(class.id);
            run.store.storage.scan(&from, &to, &mut |key, _| {
                let key = layout::row_key(key)?;
                if self.slots.get(key).is_none() {
                    save.delete(class, key);
                }
                Ok(true)
            })?;
        }
        for item in self.slots.iter() {
            let row = (item.key(), &item.value, &item.mark);
            run.save_row(save, class, row, save.all, options)?;
        }
        let mut removed = self.removed.lock().unwrap_or_else(PoisonError::into_inner);
        removed
            .retain(|(key, deleted)| !deleted.has_row(save.now) && self.slots.get(*key).is_none());
        for (key, deleted) in removed.iter().filter(|_| !fresh) {
            save.delete(class, *key);
            deleted.set(save.now, 0);
        }
        if fresh {
            removed.clear();
        }
        class.next.set(u64::from(self.generation) << 32);
        class.rows.set(self.len() as u64);
        self.saved.set(save.now, 0);
        Ok(())
    }

    /// Replaces the objects by those of the store. An object that is there already is filled.
    fn pull(&mut self, run: &Run, options: &Options<'_>) -> Result {
        let class = run.class::<T>()?;
        if matches!(run.kind, Kind::Load) {
            run.meet_pool(&class)?;
        }
        let mut old = std::mem::take(&mut self.slots);
        self.generation = self.generation.max(generation(class.next.get()));
        let (from, to) = layout::all_rows(class.id);
        run.store.storage.scan(&from, &to, &mut |key, row| {
            let key = layout::row_key(key)?;
            let mut item = match old.take(key) {
                Some(item) => item,
                None => Persistent::with_key(key, T::try_blank(options)?),
            };
            let new = matches!(run.kind, Kind::Load) && class.seen.borrow_mut().keys.insert(key);
            run.fill(&class, (key, new), row, (&mut item.value, &item.mark), options)?;
            self.put(item).map_err(|_| damaged("two rows have keys that end alike"))?;
            Ok(true)
        })?;
        if matches!(run.kind, Kind::Load) {
            self.saved.set(run.store.now.get(), 0);
        }
        Ok(())
    }
}

impl<T> Pool<T> {
    /// Returns the key that is assigned next, if it does not follow from the objects.
    fn extra_key(&self) -> Option<u64> {
        let derived = self.slots.iter().map(|item| generation(item.key())).max().unwrap_or(0);
        (self.generation > derived).then_some(u64::from(self.generation) << 32 | 1)
    }
}

impl<T> Slots<T> {
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The entries of a pool, and the key that is assigned next.
struct Entries<'a, T>(&'a Pool<T>, Option<u64>);

impl<T: Row> Body for Entries<'_, T> {
    const NEVER_ANY: bool = true;

    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let Entries(pool, next) = self;
        let mut index = 0;
        for item in pool.slots.iter() {
            ar.entry(index, &mut &item.key(), &mut Value(Some(&item.value)))?;
            index += 1;
        }
        if let Some(next) = next {
            ar.entry(index, &mut &*next, &mut Value::<T>(None))?;
        }
        Ok(())
    }
}

/// A value, or null, as an `Option<T>`.
struct Value<'a, T>(Option<&'a T>);

impl<T: Row> Body for Value<'_, T> {
    const NEVER_ANY: bool = true;

    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let shape = <Option<T> as Serialize>::SHAPE;
        match &mut self.0 {
            Some(value) => {
                let null = T::NULLABLE && value.saves_null(ar.options(), NESTED_OPTIONS);
                ar.option(shape, true, null, value)
            }
            None => ar.option(shape, false, false, &mut Nothing),
        }?;
        Ok(())
    }
}

struct Nothing;

impl Body for Nothing {
    fn run<A: Archive>(&mut self, _: &mut A) -> Result {
        Ok(())
    }
}

/// Fills a pool with entries.
struct Load<T>(Pool<T>);

impl<T: Row> Body for Load<T> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let pool = &mut self.0;
        for index in 0.. {
            let (mut key, mut entry) = (0_u64, Entry::<T>(None));
            if !ar.entry(index, &mut &mut key, &mut entry)? {
                break;
            }
            // The value is missing only if its error went into the report.
            let Some(value) = entry.0 else { continue };
            pool.generation = pool.generation.max(generation(key));
            match value {
                Some(value) => pool
                    .put(Persistent::with_key(key, value))
                    .map_err(|error| error.in_item(index))?,
                None if key == 0 || generation(key) == 0 => {
                    let message = "null is for the key that is assigned next";
                    return Err(Error::new(ErrorKind::WrongType, message).in_item(index));
                }
                None => {}
            }
        }
        Ok(())
    }
}

/// The value of an entry.
struct Entry<T>(Option<Option<T>>);

impl<T: Row> Body for Entry<T> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut value = None::<T>;
        value.value(ar)?;
        self.0 = Some(value);
        Ok(())
    }
}
