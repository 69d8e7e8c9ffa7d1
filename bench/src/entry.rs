//! [`Entry`]: a contestant with a value, as closures without types.

use std::cell::RefCell;
use std::hint::black_box;
use std::panic::{self, AssertUnwindSafe};
use std::rc::Rc;

use crate::peer::{Group, Peer};

/// The number of bytes that every contestant can write.
const ROOM: usize = 64 << 20;

/// The level of compression for the second column of sizes.
const ZSTD_LEVEL: i32 = 3;

/// The timed operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Saving into existing memory.
    Save,
    /// Loading a value that owns all its parts, and dropping it.
    Load,
    /// Loading into a value of the same shape.
    InPlace,
}

impl Operation {
    /// All, in the order of the columns.
    pub const ALL: [Operation; 3] = [Operation::Save, Operation::Load, Operation::InPlace];
}

/// How many bytes a saved value has.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Without compression.
    pub plain: usize,
    /// After zstd.
    pub compressed: usize,
}

/// A contestant with a value.
pub struct Entry {
    /// Its name in the tables.
    pub name: String,
    /// Its group, for comparisons.
    pub group: Group,
    /// How many bytes it writes, if it is a format.
    pub size: Option<Size>,
    /// What it does, by [`Operation`].
    pub operations: [Option<Box<dyn FnMut()>>; 3],
}

impl Entry {
    /// An entry that does nothing yet.
    pub fn new(name: &str, group: Group) -> Self {
        Entry { name: name.to_owned(), group, size: None, operations: [None, None, None] }
    }

    /// The same entry, which can do one thing more.
    #[must_use]
    pub fn with(mut self, operation: Operation, run: impl FnMut() + 'static) -> Self {
        self.operations[operation as usize] = Some(Box::new(run));
        self
    }
}

/// A value that contestants save and load.
pub struct Subject<T> {
    value: Rc<T>,
    same: fn(&T, &T) -> bool,
}

impl<T: PartialEq + 'static> Subject<T> {
    /// A value that can be compared.
    pub fn new(value: T) -> Self {
        Subject::compared_by(value, T::eq)
    }
}

impl<T: Clone + 'static> Subject<T> {
    /// The cost of cloning the value and dropping the clone: allocation alone.
    pub fn clone_and_drop(&self) -> Entry {
        let value = Rc::clone(&self.value);
        Entry::new("clone + drop", Group::Floor)
            .with(Operation::Load, move || drop(black_box(T::clone(black_box(&value)))))
    }
}

impl<T: 'static> Subject<T> {
    /// A value that is compared in a way of its own.
    pub fn compared_by(value: T, same: fn(&T, &T) -> bool) -> Self {
        Subject { value: Rc::new(value), same }
    }

    /// The value.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// A contestant with this value, or nothing and a message if it does not load the saved value:
    /// the other contestants are not affected.
    pub fn try_entry<P: Peer<T> + 'static>(&self, peer: P) -> Option<Entry> {
        let name = peer.name();
        let entry = panic::catch_unwind(AssertUnwindSafe(|| self.entry(peer)));
        entry.inspect_err(|_| eprintln!("{name} is left out")).ok()
    }

    /// A contestant with this value.
    ///
    /// # Panics
    /// If it does not load what was saved: then its times mean nothing.
    pub fn entry<P: Peer<T> + 'static>(&self, mut peer: P) -> Entry {
        let mut buffer = vec![0; ROOM];
        let bytes: Rc<[u8]> = peer.save(&mut buffer, &self.value).into();
        let mut there = peer.load(&bytes);
        self.check(&there, peer.name());
        let mut entry = Entry::new(peer.name(), peer.group());
        entry.size = Some(Size {
            plain: bytes.len(),
            compressed: zstd::bulk::compress(&bytes, ZSTD_LEVEL).map_or(0, |bytes| bytes.len()),
        });
        if P::IN_PLACE {
            peer.load_into(&mut there, &bytes);
            self.check(&there, peer.name());
        }

        let peer = Rc::new(RefCell::new(peer));
        if P::IN_PLACE {
            let (peer, bytes) = (Rc::clone(&peer), Rc::clone(&bytes));
            entry = entry.with(Operation::InPlace, move || {
                peer.borrow_mut().load_into(black_box(&mut there), black_box(&bytes));
            });
        }
        let (saver, value) = (Rc::clone(&peer), Rc::clone(&self.value));
        entry
            .with(Operation::Save, move || {
                black_box(saver.borrow_mut().save(&mut buffer, black_box(&value)));
            })
            .with(Operation::Load, move || {
                drop(black_box(peer.borrow_mut().load(black_box(&bytes))));
            })
    }

    fn check(&self, loaded: &T, name: &str) {
        assert!((self.same)(&self.value, loaded), "{name} loads another value than was saved");
    }
}
