//! Types of the standard library that a value and a comparison do not describe completely: heaps,
//! borrowed values, cells, pinned values.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::marker::PhantomData;
use std::path::Path;
use std::pin::Pin;
use std::sync::atomic::*;
use std::sync::{Arc, Mutex, OnceLock, RwLock};

use crate::common::{formats, round_trip};
use archive::{Serialize, json};

/// A heap gives the same bytes however it was filled, and pops the same items after loading.
#[test]
fn heaps() {
    for format in formats() {
        let (mut up, mut down) = (BinaryHeap::new(), BinaryHeap::new());
        for i in 0..100_u8 {
            up.push((i % 40, i.to_string()));
            down.push(((99 - i) % 40, (99 - i).to_string()));
        }
        let bytes = format.to_vec(&up).unwrap();
        assert_eq!(format.to_vec(&mut down).unwrap(), bytes, "{format}");
        let mut loaded: BinaryHeap<(u8, String)> = format.from_slice(&bytes).unwrap();
        assert_eq!(format.to_vec(&loaded).unwrap(), bytes, "{format}");
        let mut old = BinaryHeap::from([(200, String::new())]);
        format.load_into(&mut old, &bytes).unwrap();
        while let Some(item) = up.pop() {
            assert_eq!((Some(&item), Some(&item)), (loaded.pop().as_ref(), old.pop().as_ref()));
        }
        assert!(loaded.is_empty() && old.is_empty());
    }
    assert_eq!(json::to_string(&BinaryHeap::from([1, 3, 2])).unwrap(), "[3,2,1]");

    /// If two compare as equal, the bytes after loading are still those before.
    #[derive(Serialize)]
    struct Task {
        cost: u8,
        name: String,
    }
    impl Ord for Task {
        fn cmp(&self, other: &Self) -> Ordering {
            self.cost.cmp(&other.cost)
        }
    }
    impl PartialOrd for Task {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }
    impl PartialEq for Task {
        fn eq(&self, other: &Self) -> bool {
            self.cost == other.cost
        }
    }
    impl Eq for Task {}
    for format in formats() {
        let tasks = (0..50_u8).map(|i| Task { cost: i.wrapping_mul(37) % 5, name: i.to_string() });
        let bytes = format.to_vec(&tasks.collect::<BinaryHeap<_>>()).unwrap();
        let loaded: BinaryHeap<Task> = format.from_slice(&bytes).unwrap();
        assert_eq!(format.to_vec(&loaded).unwrap(), bytes, "{format}");
    }
}

/// Borrowed values are saved without a copy, and load owned.
#[test]
fn borrowed() {
    #[derive(Clone, Debug, PartialEq, Serialize)]
    struct Uncopied(Vec<u8>);
    #[derive(Debug, PartialEq, Serialize)]
    struct Line<'a> {
        text: Cow<'a, str>,
        words: Cow<'a, [String]>,
        name: Cow<'a, Path>,
        item: Cow<'a, Uncopied>,
    }
    let (text, words) = (String::from("a b"), [String::from("a"), String::from("b")]);
    let item = Uncopied(vec![1]);
    let mut line = Line {
        text: Cow::Borrowed(&text),
        words: Cow::Borrowed(&words),
        name: Cow::Borrowed(Path::new("x")),
        item: Cow::Borrowed(&item),
    };
    for format in formats() {
        let bytes = format.to_vec(&line).unwrap();
        assert_eq!(format.to_vec(&mut line).unwrap(), bytes, "{format}");
        assert!(matches!(line.item, Cow::Borrowed(_)) && matches!(line.words, Cow::Borrowed(_)));
        let mut loaded: Line<'static> = format.from_slice(&bytes).unwrap();
        assert_eq!(loaded, line, "{format}");
        assert!(matches!(loaded.text, Cow::Owned(_)));
        let mut over =
            Line { text: Cow::Borrowed("old"), item: Cow::Owned(Uncopied(vec![9, 9])), ..loaded };
        format.load_into(&mut over, &bytes).unwrap();
        assert_eq!(over, line, "{format}");
        loaded = over;
        assert_eq!(format.to_vec(&loaded).unwrap(), bytes, "{format}");
    }
}

/// The atomics, and every cell around types that are not `Copy`.
#[test]
fn cells() {
    #[derive(Debug, Serialize)]
    #[allow(clippy::type_complexity)] // nested cells are the point
    struct All {
        unsigned: (AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize),
        signed: (AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize),
        flag: AtomicBool,
        cell: Cell<Option<u8>>,
        cells: (RefCell<String>, Mutex<Vec<u8>>, RwLock<Box<str>>),
        nested: Vec<Option<RefCell<Mutex<RwLock<Cell<u8>>>>>>,
        maps: BTreeMap<u8, Mutex<String>>,
        once: (OnceCell<RefCell<u8>>, OnceLock<Mutex<String>>),
        shared: (Arc<AtomicU8>, Arc<AtomicU8>),
    }
    impl PartialEq for All {
        fn eq(&self, other: &Self) -> bool {
            format!("{self:?}") == format!("{other:?}")
        }
    }
    let shared = Arc::new(AtomicU8::new(3));
    let all = All {
        unsigned: (
            u8::MAX.into(),
            u16::MAX.into(),
            u32::MAX.into(),
            u64::MAX.into(),
            usize::MAX.into(),
        ),
        signed: (
            i8::MIN.into(),
            i16::MIN.into(),
            i32::MIN.into(),
            i64::MIN.into(),
            isize::MIN.into(),
        ),
        flag: true.into(),
        cell: Cell::new(Some(4)),
        cells: (RefCell::new("a".into()), Mutex::new(vec![1]), RwLock::new("b".into())),
        nested: vec![None, Some(RefCell::new(Mutex::new(RwLock::new(Cell::new(5)))))],
        maps: [(1, Mutex::new("x".into()))].into(),
        once: (RefCell::new(1).into(), OnceLock::new()),
        shared: (shared.clone(), shared),
    };
    round_trip(&all);
    let text = json::to_string(&all).unwrap();
    let loaded: All = json::from_str(&text).unwrap();
    assert!(Arc::ptr_eq(&loaded.shared.0, &loaded.shared.1));
    // A value that cannot be copied can be saved from a `Cell` through `&mut`.
    for format in formats() {
        let bytes = format.to_vec(&mut Cell::new(String::from("x"))).unwrap();
        let mut cell = Cell::new(String::from("old"));
        format.load_into(&mut cell, &bytes).unwrap();
        assert_eq!(cell.into_inner(), "x", "{format}");
        assert_eq!(format.from_slice::<Cell<String>>(&bytes).unwrap().take(), "x", "{format}");
    }
}

/// A parameter of `PhantomData` needs no impls.
#[test]
fn phantoms() {
    struct Nothing;
    #[derive(Serialize)]
    struct Id<T> {
        number: u32,
        of: PhantomData<T>,
    }
    for format in formats() {
        let id = Id { number: 7, of: PhantomData::<Nothing> };
        let loaded: Id<Nothing> = format.from_slice(&format.to_vec(&id).unwrap()).unwrap();
        assert_eq!((loaded.number, loaded.of), (7, PhantomData), "{format}");
        let pair = (PhantomData::<dyn Fn()>, PhantomData::<[u8]>);
        assert_eq!(
            format
                .from_slice::<(PhantomData<dyn Fn()>, PhantomData<[u8]>)>(
                    &format.to_vec(&pair).unwrap()
                )
                .unwrap(),
            pair
        );
    }
}

/// A pinned box of a type that must not move is replaced, not moved out of.
#[test]
fn pinned() {
    #[derive(Debug, PartialEq, Serialize)]
    struct Stays {
        number: u32,
        #[archive(skip)]
        pin: std::marker::PhantomPinned,
    }
    for format in formats() {
        let stays: Pin<Box<Stays>> = Box::pin(Stays { number: 7, pin: std::marker::PhantomPinned });
        let bytes = format.to_vec(&stays).unwrap();
        let mut loaded: Pin<Box<Stays>> = format.from_slice(&bytes).unwrap();
        assert_eq!(loaded, stays, "{format}");
        format.load_into(&mut loaded, &bytes).unwrap();
        assert_eq!(format.to_vec(&mut loaded).unwrap(), bytes, "{format}");
    }
}
