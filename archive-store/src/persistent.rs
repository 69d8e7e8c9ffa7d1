//! [`Persistent`]: an object with a row of its own.
// Why: docs/decisions/store.md#a-persistent-has-the-shape-of-any-value

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use archive_core::backend::over;
use archive_core::shape::Shape;
use archive_core::{
    Archive, Blank, Loading, Options, Result, Save, Serialize, Session, Value, ValueDecoder,
};

use crate::last_save::LastSave;
use crate::reference::Ref;
use crate::row::Row;
use crate::run::{Kind, Run};

/// An object with a row of its own. The row of its owner has only its key. It dereferences to its
/// value, and mutable access marks it as changed, so that [`Store::save`](crate::Store::save)
/// writes it.
///
/// Outside of a store it is saved as its value, without the key. Put objects in a
/// [`Pool`](crate::Pool) if a [`Ref`] refers to them and they are exported to a file.
#[derive(Default)]
pub struct Persistent<T> {
    pub(crate) value: T,
    key: AtomicU64,
    pub(crate) last_save: LastSave,
}

impl<T> Persistent<T> {
    /// Creates an object. It gets a key when it is saved.
    pub fn new(value: T) -> Self {
        Persistent::with_key(0, value)
    }

    /// Creates an object with a key that the program assigns, such as its number in a level.
    pub fn with_key(key: u64, value: T) -> Self {
        Persistent { value, key: AtomicU64::new(key), last_save: LastSave::default() }
    }

    /// Returns a reference to the object. It is [`NONE`](Ref::NONE) if the object has no key yet:
    /// the program gave it none, and it was never saved.
    pub fn handle(&self) -> Ref<T> {
        Ref::new(self.key())
    }

    /// Returns the value for changes that do not have to be saved, or that
    /// [`Store::save_all`](crate::Store::save_all) finds.
    pub fn unmarked(&mut self) -> &mut T {
        &mut self.value
    }

    /// Returns the value.
    pub fn into_inner(self) -> T {
        self.value
    }

    /// Gives the object another key. It counts as never saved.
    #[cold]
    pub(crate) fn move_to(&self, key: u64) {
        self.key.store(key, Relaxed);
        self.last_save.forget();
    }

    #[inline]
    pub(crate) fn key(&self) -> u64 {
        self.key.load(Relaxed)
    }
}

impl<T> Deref for Persistent<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Persistent<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.last_save.touch();
        &mut self.value
    }
}

impl<T> From<T> for Persistent<T> {
    fn from(value: T) -> Self {
        Persistent::new(value)
    }
}

/// The clone has the same key, and counts as never saved.
impl<T: Clone> Clone for Persistent<T> {
    fn clone(&self) -> Self {
        Persistent::with_key(self.key(), self.value.clone())
    }
}

/// Compares the values.
impl<T: PartialEq> PartialEq for Persistent<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Persistent<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<T: Row> Serialize for Persistent<T> {
    // A key in a row, and the value anywhere else.
    const SHAPE: &'static Shape = &Shape::Any;
    const NULLABLE: bool = T::NULLABLE;
    const HOLDS_VALUES: bool = T::HOLDS_VALUES;

    fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
        self.value.saves_null(options, levels)
    }

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !ar.is_loading() {
            return self.save(ar);
        }
        let Some(run) = Run::of(ar) else { return self.value.value(ar) };
        let mut stored = Value::Null;
        stored.value(ar)?;
        let key = match stored {
            Value::Number(_) => stored.to::<u64>()?,
            stored => return self.load_inline(&run, &stored, ar.options()),
        };
        if matches!(run.kind, Kind::Dangling) {
            return run.refer::<T>(key);
        }
        self.key.store(key, Relaxed);
        let class = run.class::<T>()?;
        if matches!(run.kind, Kind::Read) {
            run.meet_again(&class, Some(key))?;
        }
        let options = run.options_inside(ar);
        match run.pull(&class, key, (&mut self.value, &self.last_save), &options)? {
            true => Ok(()),
            false => run.has_no_row::<T>(key),
        }
    }
}

impl<T: Row> Persistent<T> {
    /// Creates a blank object, which a load fills.
    pub(crate) fn blank_with_key(key: u64, options: &Options<'_>) -> Result<Self> {
        Ok(Persistent {
            last_save: LastSave::blank(),
            ..Persistent::with_key(key, T::try_blank(options)?)
        })
    }

    /// Loads a value that was saved before the member was a `Persistent`. It has no row until it is
    /// saved.
    fn load_inline(&mut self, run: &Run, stored: &Value, options: &Options<'_>) -> Result {
        let (mut decoder, mut session) = (ValueDecoder::new(stored), Session::reporting());
        over(&mut self.value, options, |mut value| {
            Loading::new(&mut decoder, &mut session, options).root(T::SHAPE, &mut value)
        })?;
        run.note(&session.take_report());
        Ok(())
    }
}

impl<T: Row> Save for Persistent<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        let Some(run) = Run::of(ar) else { return self.value.save_value(ar) };
        let class = run.class::<T>()?;
        if self.key() == 0 && run.assigns_keys() {
            self.key.store(class.assign()?, Relaxed);
        }
        let key = self.key();
        let options = run.options_inside(ar);
        run.save_single(&class, (key, &self.value, &self.last_save), false, &options)?;
        key.save(ar)
    }
}

impl<T: Row> Blank for Persistent<T> {
    fn blank(options: &Options<'_>) -> Self {
        Persistent { last_save: LastSave::blank(), ..Persistent::new(T::blank(options)) }
    }

    fn try_blank(options: &Options<'_>) -> Result<Self> {
        Persistent::blank_with_key(0, options)
    }
}
