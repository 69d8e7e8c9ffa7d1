//! Values that were once saved but could not be loaded, each at its limit.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::rc::{Rc, Weak};

use archive::{Element, ErrorKind, Options, Save, Serialize};

use crate::common::uncounted::Uncounted;
use crate::common::{formats, open_for_each_level};

/// Finds the smallest limit with which the value is saved. The same limit is sufficient to load it,
/// in every format. One less is refused with a path.
fn least<T>(value: &T, kind: ErrorKind, limited: impl Fn(u64) -> Options<'static>) -> u64
where
    T: Serialize + Save + Element + PartialEq + Debug,
{
    let mut least = None;
    for format in formats() {
        let file = match format.to_vec(value) {
            // Some formats of serde need the lengths of all sequences.
            Err(error) if error.kind() == ErrorKind::Unsupported => continue,
            file => file.unwrap(),
        };
        let saved = (0..400).find(|most| format.to_vec_with(value, &limited(*most)).is_ok());
        let Some(most) = saved else { panic!("{format}: never saved") };
        let loaded = format.from_slice_with::<T>(&file, &limited(most));
        assert_eq!(&loaded.unwrap_or_else(|e| panic!("{format}, {most}: {e}")), value);
        let Some(small) = most.checked_sub(1) else { continue };
        let error = format.to_vec_with(value, &limited(small)).unwrap_err();
        assert_eq!(error.kind(), kind, "{format}: {error}");
        assert!(small == 0 || !error.path().is_empty(), "{format}: {error}");
        let error = format.from_slice_with::<T>(&file, &limited(small)).unwrap_err();
        assert_eq!(error.kind(), kind, "{format}: {error}");
        assert_eq!(*least.get_or_insert(most), most, "{format}");
    }
    least.unwrap_or(0)
}

fn depth(most: u64) -> Options<'static> {
    Options::new().max_depth(most as usize)
}

/// The depth of a value with this many levels and simultaneously open values.
fn levels(levels: u64, open: u64) -> u64 {
    levels.max(open.div_ceil(open_for_each_level()))
}

fn elements(most: u64) -> Options<'static> {
    Options::new().max_elements(most)
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Folder {
    #[archive(as_object)]
    folders: BTreeMap<String, Folder>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Pairs {
    folders: BTreeMap<String, Pairs>,
}

#[test]
fn maps_as_objects() {
    let (mut folder, mut pairs) = (Folder::default(), Pairs::default());
    for _ in 0..42 {
        folder = Folder { folders: [("a".to_owned(), folder)].into() };
        pairs = Pairs { folders: [("a".to_owned(), pairs)].into() };
    }
    // An object, a map and an entry each: however the map is written.
    assert_eq!(least(&folder, ErrorKind::DepthLimit, depth), levels(43, 3 * 42 + 2));
    assert_eq!(least(&pairs, ErrorKind::DepthLimit, depth), levels(43, 3 * 42 + 2));
    assert_eq!(least(&folder, ErrorKind::SizeLimit, elements), 3 * 42);
    assert_eq!(least(&pairs, ErrorKind::SizeLimit, elements), 3 * 42);
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Nest {
    inside: Option<Box<Nest>>,
    shared: Option<Rc<RefCell<Nest>>>,
    bare: Option<Rc<Nest>>,
}

#[test]
fn boxes_in_a_shared_pointer() {
    let mut nest = Nest::default();
    for _ in 0..20 {
        nest = Nest { inside: Some(Box::new(nest)), ..Nest::default() };
    }
    let shared = Nest { shared: Some(Rc::new(RefCell::new(nest.clone()))), ..Nest::default() };
    assert_eq!(least(&shared, ErrorKind::DepthLimit, depth), levels(22, 1 + 1 + 21));
    let bare = Nest { bare: Some(Rc::new(nest)), ..Nest::default() };
    assert_eq!(least(&bare, ErrorKind::DepthLimit, depth), levels(22, 1 + 1 + 21));
}

#[derive(Clone, Debug, Default, Serialize)]
struct Watch {
    watched: Vec<Rc<RefCell<u8>>>,
    watch: Weak<RefCell<u8>>,
}

impl PartialEq for Watch {
    fn eq(&self, other: &Self) -> bool {
        self.watched == other.watched && self.watch.upgrade() == other.watch.upgrade()
    }
}

#[test]
fn pointers_without_an_object() {
    let watched = Rc::new(RefCell::new(7));
    let watch = Rc::downgrade(&watched);
    let twice = Watch { watched: vec![watched.clone(), watched], watch };
    // The object, the list, the second of the pointers.
    assert_eq!(least(&twice, ErrorKind::DepthLimit, depth), levels(1, 3));
    // The object, and a null pointer.
    assert_eq!(least(&Watch::default(), ErrorKind::DepthLimit, depth), levels(1, 2));
}

/// Objects that only weak pointers refer to, in cells and without: each counts once.
#[derive(Clone, Debug, Default, Serialize)]
struct Gone {
    cells: Vec<Weak<RefCell<u8>>>,
    bare: Vec<Weak<u8>>,
    number: u8,
}

impl PartialEq for Gone {
    fn eq(&self, other: &Self) -> bool {
        (self.cells.len(), self.bare.len()) == (other.cells.len(), other.bare.len())
    }
}

#[test]
fn objects_that_nothing_holds() {
    let cells: Vec<_> = (0..3).map(|n| Rc::new(RefCell::new(n))).collect();
    let bare: Vec<_> = (0..3).map(Rc::new).collect();
    let twice = |n: &Rc<u8>| [Rc::downgrade(n), Rc::downgrade(n)];
    let gone = Gone {
        cells: cells.iter().map(Rc::downgrade).collect(),
        bare: bare.iter().flat_map(twice).collect(),
        number: 1,
    };
    let pointers = |most| Options::new().max_pointers(most);
    assert_eq!(least(&gone, ErrorKind::SizeLimit, pointers), 6);
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Mark;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Marks {
    marks: Vec<Mark>,
    few: [Mark; 3],
    nothing: Vec<()>,
}

#[test]
fn elements_without_bytes() {
    let marks = Marks { marks: vec![Mark; 70_000], ..Marks::default() };
    let allowed = Options::new().max_empty_elements(70_000);
    for format in formats() {
        let saved = format.to_vec(&marks);
        if !["binary", "columns", "fingerprint", "bare", "postcard"].contains(&format.name()) {
            let loaded = format.from_slice::<Marks>(&saved.unwrap()).unwrap();
            assert_eq!(loaded, marks, "{format}");
            continue;
        }
        let error = saved.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::SizeLimit, "{format}: {error}");
        assert_eq!(error.path(), "marks", "{format}: {error}");
        let file = format.to_vec_with(&marks, &allowed).unwrap();
        assert_eq!(format.from_slice_with::<Marks>(&file, &allowed).unwrap(), marks, "{format}");
        let error = format.from_slice::<Marks>(&file).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::SizeLimit, "{format}: {error}");
    }
}

#[test]
fn elements_are_counted_while_saving() {
    let numbers = vec![7_u32; 11];
    for format in formats() {
        let error = format.to_vec_with(&numbers, &elements(10)).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::SizeLimit, "[10]"), "{format}");
        let said = "more than 10 elements (`Options::max_elements` raises the limit)";
        assert_eq!(error.message(), said, "{format}");
    }
    assert_eq!(least(&numbers, ErrorKind::SizeLimit, elements), 11);
    // In blocks.
    let rows = vec![([[1_u8, 2], [3, 4]], 5_u16); 3];
    assert_eq!(least(&rows, ErrorKind::SizeLimit, elements), 3 * (1 + 2 + 2 + 4));
    let mut paths: Vec<_> = Vec::new();
    for format in formats() {
        let error = format.to_vec_with(&rows, &elements(16)).unwrap_err();
        paths.push(error.path().to_owned());
    }
    assert!(paths.iter().all(|path| *path == paths[0]), "{paths:?}");
}

#[test]
fn lists_of_unknown_length() {
    let lines = Uncounted(vec![vec![1, 2], vec![], vec![3]]);
    assert_eq!(least(&lines, ErrorKind::SizeLimit, elements), 3 + 3);
    for format in formats() {
        let error = format.to_vec_with(&lines, &elements(4)).unwrap_err();
        // Some formats of serde need the lengths of all sequences.
        if error.kind() != ErrorKind::Unsupported {
            assert_eq!(error.path(), "[2]", "{format}: {error}");
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Raw {
    #[archive(bytes)]
    bytes: Vec<u8>,
}

/// Bytes are a list if a format has no better form.
#[test]
fn bytes() {
    let raw = Raw { bytes: vec![7; 9] };
    assert_eq!(least(&raw, ErrorKind::DepthLimit, depth), levels(1, 2));
    assert_eq!(least(&raw, ErrorKind::SizeLimit, elements), 9);
}

/// Deferred objects are in a list at the end of the outermost pointer.
#[test]
fn objects_that_wait() {
    let mut nest = Nest::default();
    for _ in 0..60 {
        nest = Nest { shared: Some(Rc::new(RefCell::new(nest))), ..Nest::default() };
    }
    for format in formats() {
        let mut saved = 0;
        for most in 1..70 {
            let options = depth(most);
            let Ok(file) = format.to_vec_with(&nest, &options) else { continue };
            saved += 1;
            let loaded = format.from_slice_with::<Nest>(&file, &options);
            let loaded = loaded.unwrap_or_else(|e| panic!("{format}, {most}: {e}"));
            assert_eq!(loaded, nest, "{format}, {most}");
        }
        assert!(saved > 60, "{format}: {saved}");
    }
}
