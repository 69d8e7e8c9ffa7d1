//! A level is an object of the program. The containers around it do not count.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use archive::{Element, ErrorKind, Options, Save, Serialize, Value};

use crate::common::{forgiving, formats};

pub const LEVELS: usize = 128;

#[derive(Default, Serialize)]
pub struct Tree {
    hp: u32,
    name: String,
    kids: Vec<Tree>,
}

#[derive(Default, Serialize)]
pub struct Folder {
    files: BTreeMap<String, Folder>,
}

#[derive(Default, Serialize)]
pub enum Node {
    #[default]
    Leaf,
    Branch {
        kids: Vec<Node>,
    },
}

#[derive(Default, Serialize)]
pub enum Path {
    #[default]
    End,
    Step(Vec<Path>),
}

#[derive(Default, Serialize)]
struct Shared {
    kids: Vec<Rc<RefCell<Shared>>>,
}

#[derive(Default, Serialize)]
pub struct Boxed {
    next: Option<Box<Boxed>>,
}

/// Saves and loads a value with this many levels, in every format and as a tree. One more level is
/// refused with its path, also while loading.
fn check<T: Element + Save>(deep: impl Fn(usize) -> T) {
    let more = Options::new().max_depth(LEVELS + 1);
    for format in formats() {
        let file = format.to_vec(&deep(LEVELS)).unwrap_or_else(|e| panic!("{format}: {e}"));
        let value: T = format.from_slice(&file).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!(format.to_vec(&value).unwrap(), file, "{format}");

        if format.name() == "binary" {
            let document = archive::binary::Document::from_slice(&file).unwrap();
            assert_eq!(document.to_vec().unwrap(), file);
        }

        let error = format.to_vec(&deep(LEVELS + 1)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DepthLimit, "{format}: {error}");
        // Some have more open values than levels.
        let is_named = |words| error.message().contains(words);
        assert!(is_named("128 levels") || is_named("384 values"), "{format}: {error}");
        let file = format.to_vec_with(&deep(LEVELS + 1), &more).unwrap();
        let refused = format.from_slice::<T>(&file).err().unwrap();
        assert_eq!((refused.kind(), refused.path()), (error.kind(), error.path()), "{format}");
    }
    for format in forgiving() {
        let file = format.to_vec(&deep(LEVELS)).unwrap();
        let tree: Value = format.from_slice(&file).unwrap_or_else(|e| panic!("{format}: {e}"));
        format.to_vec(&tree).unwrap_or_else(|e| panic!("{format}: {e}"));
        let again: T = tree.to().unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!(format.to_vec(&again).unwrap(), file, "{format}");
        // Values that the program does not know may be as deep.
        #[derive(Default, Serialize)]
        struct Nothing {}
        #[derive(Serialize)]
        struct Holder<T> {
            held: T,
        }
        let held = Holder { held: deep(LEVELS - 1) };
        let file = format.to_vec(&mut { held }).unwrap_or_else(|e| panic!("{format}: {e}"));
        format.from_slice::<Nothing>(&file).unwrap_or_else(|e| panic!("{format}: {e}"));
    }
}

/// A value of `levels` objects, each made from the one inside of it.
fn nest<T>(levels: usize, innermost: T, around: impl Fn(T) -> T) -> T {
    (1..levels).fold(innermost, |inner, _| around(inner))
}

pub fn tree(levels: usize) -> Tree {
    nest(levels, Tree::default(), |tree| Tree { kids: vec![tree], ..Tree::default() })
}

pub fn folder(levels: usize) -> Folder {
    nest(levels, Folder::default(), |inner| Folder { files: [("a".into(), inner)].into() })
}

pub fn node(levels: usize) -> Node {
    nest(levels + 1, Node::Leaf, |node| Node::Branch { kids: vec![Node::Leaf, node] })
}

pub fn path(levels: usize) -> Path {
    nest(levels + 1, Path::End, |path| Path::Step(vec![path]))
}

pub fn boxed(levels: usize) -> Boxed {
    nest(levels, Boxed::default(), |next| Boxed { next: Some(Box::new(next)) })
}

#[test]
fn each_own_type_is_one_level() {
    check(tree);
    check(folder);
    check(node);
    check(path);
    check(boxed);
}

/// Chains of shared objects may be longer, because these are deferred.
#[test]
fn shared_objects_are_deferred() {
    let deep =
        nest(1000, Shared::default(), |inner| Shared { kids: vec![Rc::new(RefCell::new(inner))] });
    for format in formats() {
        let file = format.to_vec(&deep).unwrap_or_else(|e| panic!("{format}: {e}"));
        let value: Shared = format.from_slice(&file).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!(format.to_vec(&value).unwrap(), file, "{format}");
        archive::dismantle(value);
    }
    archive::dismantle(deep);
}

/// Nested lists are not types of the program, but they are limited, too.
#[test]
fn other_values_nest_three_times_as_deep() {
    let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    let limit = Options::new().settings().limits().nesting();
    assert_eq!(limit, 384);
    let tree: Value = archive::json::from_str(&deep(limit)).unwrap();
    for format in forgiving() {
        let file = format.to_vec(&tree).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!(format.from_slice::<Value>(&file).unwrap(), tree, "{format}");
    }
    for depth in [limit + 1, 100_000] {
        let error = archive::json::from_str::<Value>(&deep(depth)).unwrap_err();
        let message = "more than 384 values are nested (`Options::max_depth` raises the limit)";
        assert_eq!(error.message(), message, "{error}");
    }
}

/// A value that is saved as a root loads as one, also in formats with less room.
#[test]
fn roots_nest_as_deep_as_values() {
    use crate::common::serde_formats::serde_forgiving;

    for format in formats().into_iter().map(Into::into).chain(serde_forgiving()) {
        let format: archive::Format = format;
        for levels in [40, 60, 63, 64, 65, 80, 100, 127, 128] {
            let mut writer = format.writer();
            if let Err(error) = writer.save("tree", &tree(levels)) {
                assert_eq!(error.kind(), ErrorKind::DepthLimit, "{format}, {levels}: {error}");
                assert!(levels > 60, "{format}, {levels}: {error}");
                continue;
            }
            let file = writer.finish().unwrap_or_else(|e| panic!("{format}, {levels}: {e}"));
            let mut reader = format.reader(&file).unwrap();
            let loaded = reader.load::<Tree>("tree");
            loaded.unwrap_or_else(|e| panic!("{format}, {levels}: {e}"));
        }
    }
}
