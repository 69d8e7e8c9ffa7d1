//! Saving and loading a [`Pool`]: as rows of a class, or as a map from key to value.

use archive_core::decoder::NESTED_OPTIONS;
use archive_core::shape::{Shape, shape_of};
use archive_core::{
    Archive, Blank, Body, BodyFacts, Error, ErrorKind, Options, Result, Save, Serialize, field,
};

use super::slots::generation;
use super::{Persistent, Pool};
use crate::class::Class;
use crate::known::RowState;
use crate::layout::damaged;
use crate::row::Row;
use crate::run::{Filled, Kind, Mode, Run, Save as Saving, without_report};

impl<T: Row> Serialize for Pool<T> {
    const SHAPE: &'static Shape = &Shape::Map(shape_of::<u64>(), shape_of::<Option<T>>());
    const HOLDS_VALUES: bool = T::HOLDS_VALUES;
    const MAPS: usize = 1;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !ar.is_loading() {
            return self.save(ar);
        }
        let Some(run) = Run::of(ar) else {
            *self = Pool::load_inline(ar)?;
            return Ok(());
        };
        let loaded = Pool::load_inline(ar).and_then(|inline: Self| {
            match &run.kind {
                // Objects that were saved inline, when the member was an ordinary map, have no rows
                // yet.
                _ if !inline.is_empty() => *self = inline,
                Kind::Dangling => {}
                _ => self.pull(&run, ar.options())?,
            }
            Ok(())
        });
        loaded.inspect_err(|error| run.refuse_pool::<T>(error))
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
                run.locate(&class, 0, true)?;
                for object in self.slots.iter() {
                    run.locate(&class, object.key(), false)?;
                    run.search_row(&class, object.key(), &object.item.value, ar.options())?;
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
    fn load_inline<A: Archive>(ar: &mut A) -> Result<Self> {
        let mut entries = Load(Pool::default());
        ar.map(Self::SHAPE, 0, &mut entries)?;
        Ok(entries.0)
    }

    /// Writes the rows of objects that changed, and deletes those of objects that were removed.
    fn push(&self, run: &Run, save: &Saving, class: &Class, options: &Options<'_>) -> Result {
        run.meet_pool(class)?;
        let compares = save.mode != Mode::Marked;
        let live = class.known.borrow().live();
        let has_pool = live > 0 || class.pool.get() != RowState::Absent;
        if !compares && has_pool && !self.saved.is_of(save.now, class.pool.get()) {
            // The rows are those of another pool, which may be empty, or of none.
            save.take_over();
            return Ok(());
        }
        let mut mine = 0;
        for object in self.slots.iter() {
            let (key, item) = (object.key(), &object.item);
            if item.key() != key {
                item.move_to(key);
            }
            let row = class.row(key);
            mine += u64::from(matches!(row, RowState::Of(_)));
            run.save_row(save, class, (key, row, &item.value, &item.last_save), compares, options)?;
        }
        if mine < live || save.mode == Mode::All && class.known.borrow().has_unclaimed() {
            for (key, row) in class.known.borrow().iter() {
                if save.deletes(row) && self.slots.get(key).is_none() {
                    save.delete(class, key);
                }
            }
        }
        // The keys of rows that are kept are not assigned again.
        let next = u64::from(self.generation) << 32;
        let stay = class.known.borrow().len() > live;
        class.next.set(if stay { next.max(class.next.get()) } else { next });
        self.saved.set(save.now, 0);
        Ok(())
    }

    /// Replaces the objects by those of the store. An object with the same key is filled in place.
    fn pull(&mut self, run: &Run, options: &Options<'_>) -> Result {
        let class = run.class::<T>()?;
        let is_load = matches!(run.kind, Kind::Load);
        match is_load {
            true => run.meet_pool(&class)?,
            false => run.meet_again(&class, None)?,
        }
        let mut old = std::mem::take(&mut self.slots);
        let options = &*without_report(options);
        self.generation = self.generation.max(generation(class.next.get()));
        run.read_rows(&class, |key, row| {
            let item = match old.take(key) {
                Some(item) => item,
                None => Persistent::blank_with_key(key, options)?,
            };
            self.pull_object(run, &class, (key, row), item, options)
        })?;
        if is_load {
            let now = run.store.now.get();
            self.saved.set(now, 0);
            class.pool.set(RowState::Of(now.number));
        }
        Ok(())
    }

    fn pull_object(
        &mut self,
        run: &Run,
        class: &Class,
        (key, row): (u64, &[u8]),
        mut item: Persistent<T>,
        options: &Options<'_>,
    ) -> Result {
        let is_load = matches!(run.kind, Kind::Load);
        let new = is_load && class.row(key) == RowState::Absent;
        match run.fill(class, (key, new), row, (&mut item.value, &item.last_save), options)? {
            Filled::Refused(error) => {
                self.slots.reserve(key);
                run.leave(class, (key, new), &error);
                return Ok(());
            }
            _ if is_load => class.is_loaded(key, run.store.now.get()),
            _ => {}
        }
        self.put(key, item).map_err(|_| damaged("the keys of two rows have the same lower 32 bits"))
    }
}

impl<T> Pool<T> {
    /// Returns the next key to assign, if it does not follow from the objects.
    fn extra_key(&self) -> Option<u64> {
        let derived = self.slots.iter().map(|object| generation(object.key())).max().unwrap_or(0);
        (self.generation != derived).then_some(u64::from(self.generation) << 32 | 1)
    }
}

/// The entries of a pool, and the next key to assign.
struct Entries<'a, T>(&'a Pool<T>, Option<u64>);

impl<T: Row> Body for Entries<'_, T> {
    const FACTS: BodyFacts = BodyFacts { typed: true, ..BodyFacts::NONE };

    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let Entries(pool, next) = self;
        let mut index = 0;
        for object in pool.slots.iter() {
            let value = &object.item.value;
            ar.entry(index, &mut &object.key(), &mut Value(Some(value)))?;
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
    const FACTS: BodyFacts = BodyFacts { typed: true, ..BodyFacts::NONE };

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
        let (pool, mut next) = (&mut self.0, None);
        for index in 0.. {
            let (mut key, mut entry) = (0_u64, Entry::<T>(None));
            if !ar.entry(index, &mut &mut key, &mut entry)? {
                break;
            }
            // The value is missing only if its error went into the report.
            let Some(value) = entry.0 else { continue };
            match value {
                Some(value) => {
                    pool.generation = pool.generation.max(generation(key));
                    let item = Persistent::with_key(key, value);
                    pool.put(key, item).map_err(|error| error.in_item(index))?;
                }
                None if key as u32 == 0 => {
                    let message =
                        "a null value marks the next key, whose lower 32 bits must not be zero";
                    return Err(Error::new(ErrorKind::WrongType, message).in_item(index));
                }
                None => next = Some(generation(key)),
            }
        }
        pool.generation = next.unwrap_or(pool.generation);
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
