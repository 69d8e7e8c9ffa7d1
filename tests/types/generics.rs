//! Bounds that the derive writes: a type parameter may be used in the standard library's types,
//! however they are nested.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::Hash;
use std::marker::PhantomData;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex, RwLock};
use std::task::Poll;

use archive::{Archive, Blank, Format, Result, Save, Serialize};

/// Saved, loaded and saved again, through `&` and through `&mut`: the same bytes.
fn check<T: Serialize + Save + Blank>(value: &T) {
    for format in Format::all() {
        let bytes = format.to_vec(value).unwrap();
        let mut loaded: T = format.from_slice(&bytes).unwrap();
        assert_eq!(format.to_vec(&mut loaded).unwrap(), bytes, "{format}");
        format.load_into(&mut loaded, &bytes).unwrap();
        assert_eq!(format.to_vec(&loaded).unwrap(), bytes, "{format}: in place");
    }
}

#[derive(Serialize)]
struct Shared<T> {
    cell: Rc<RefCell<T>>,
    cells: Vec<Arc<Mutex<T>>>,
    locks: [Option<Arc<RwLock<T>>>; 2],
    deep: Rc<RefCell<Vec<Box<T>>>>,
    inside: RefCell<Vec<Rc<RefCell<Option<T>>>>>,
    bare: (Rc<T>, Arc<Vec<T>>),
    weak: Weak<RefCell<T>>,
    pinned: Pin<Box<T>>,
    lock: Mutex<T>,
    text: HashMap<String, Rc<RefCell<T>>>,
    slice: Rc<[T]>,
    nothing: PhantomData<T>,
}

#[derive(Serialize)]
struct Plain<T> {
    rows: VecDeque<LinkedList<T>>,
    once: OnceCell<T>,
    map: BTreeMap<String, Option<Box<T>>>,
    order: Reverse<Option<T>>,
    result: std::result::Result<Vec<T>, (T, u8)>,
    cell: RefCell<T>,
}

#[derive(Serialize)]
struct Small<T> {
    cell: Cell<T>,
    shared: Rc<Cell<T>>,
    list: Vec<Arc<Cell<T>>>,
}

#[derive(Serialize)]
struct Keys<K, V> {
    hashed: HashMap<K, Rc<RefCell<V>>>,
    sorted: BTreeMap<K, BTreeSet<K>>,
}

/// Only the types around it show what the parameter must implement.
#[derive(Serialize)]
struct Inside<T> {
    poll: Poll<HashSet<[T; 2]>>,
}

#[derive(Serialize)]
struct Borrowed<'a, T: Clone + 'static> {
    items: Cow<'a, [T]>,
    shared: Option<Rc<RefCell<T>>>,
}

#[derive(Serialize)]
enum Either<T, U> {
    Left(Rc<RefCell<T>>),
    Both { left: Vec<Arc<Mutex<T>>>, right: Arc<RwLock<U>> },
    Pair(RefCell<T>, Rc<U>),
}

/// Contains itself, so the bounds are on the parameter.
#[derive(Serialize)]
struct Node<T> {
    value: Rc<RefCell<T>>,
    next: Option<Rc<RefCell<Node<T>>>>,
    children: Vec<Arc<Mutex<Self>>>,
}

/// Two that contain each other.
#[derive(Serialize)]
struct Club<T> {
    members: Vec<Member<T>>,
    motto: Rc<RefCell<T>>,
}
#[derive(Serialize)]
struct Member<T> {
    club: Option<Rc<RefCell<Club<T>>>>,
    dues: Vec<Arc<Mutex<T>>>,
}

#[derive(Serialize)]
struct Newtype<T>(Rc<RefCell<T>>);

#[derive(Serialize)]
#[archive(mut_only)]
struct MutOnly<T> {
    shared: Vec<Rc<RefCell<T>>>,
    inside: Vec<Rc<RefCell<MutOnly<T>>>>,
}
#[derive(Serialize)]
#[archive(mut_only)]
struct Only {
    it: u8,
}

/// A hand-written type, saved only by its own functions.
#[derive(Clone, Default)]
struct ByHand(u8);
impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("it", &mut self.0)
    }
}
archive::save_by_clone!(ByHand);
archive::blank!(ByHand);

fn shared<T: Clone + Default>(value: T) -> Shared<T> {
    let cell = || Rc::new(RefCell::new(value.clone()));
    let first = cell();
    Shared {
        weak: Rc::downgrade(&first),
        cell: first.clone(),
        cells: vec![Arc::default(), Arc::new(Mutex::new(value.clone()))],
        locks: [None, Some(Arc::new(RwLock::new(value.clone())))],
        deep: Rc::new(RefCell::new(vec![Box::new(value.clone())])),
        inside: RefCell::new(vec![Rc::new(RefCell::new(Some(value.clone())))]),
        bare: (Rc::new(value.clone()), Arc::new(vec![value.clone()])),
        pinned: Box::pin(value.clone()),
        lock: Mutex::new(value.clone()),
        text: HashMap::from([("it".to_owned(), first)]),
        slice: [value.clone(), value.clone()].into(),
        nothing: PhantomData,
    }
}

fn plain<T: Clone>(value: T) -> Plain<T> {
    Plain {
        rows: VecDeque::from([LinkedList::from([value.clone()])]),
        once: OnceCell::from(value.clone()),
        map: BTreeMap::from([("it".to_owned(), Some(Box::new(value.clone())))]),
        order: Reverse(Some(value.clone())),
        result: Err((value.clone(), 1)),
        cell: RefCell::new(value),
    }
}

fn keys<K: Clone + Eq + Hash + Ord, V: Default>(key: K) -> Keys<K, V> {
    Keys {
        hashed: HashMap::from([(key.clone(), Rc::default())]),
        sorted: BTreeMap::from([(key.clone(), BTreeSet::from([key]))]),
    }
}

#[test]
fn every_nesting_has_its_bounds() {
    check(&shared(7_u32));
    check(&shared("seven".to_owned()));
    check(&shared(ByHand(7)));
    check(&plain(7_u8));
    check(&plain(vec!["seven".to_owned()]));
    let small = Small { cell: Cell::new(7), shared: Rc::default(), list: vec![Arc::default()] };
    check::<Small<i64>>(&small);
    check(&keys::<_, ByHand>("seven".to_owned()));
    check(&Inside { poll: Poll::Ready(HashSet::from([[7, 8]])) });
    check(&Borrowed { items: Cow::Owned(vec![7_u16]), shared: Some(Rc::default()) });
}

#[test]
fn enums_and_recursive_types() {
    check::<Either<u8, String>>(&Either::Left(Rc::default()));
    check::<Either<ByHand, u8>>(&Either::Both {
        left: vec![Arc::default()],
        right: Arc::default(),
    });
    check::<Either<u8, u8>>(&Either::Pair(RefCell::default(), Rc::new(3)));
    let leaf = || Node { value: Rc::new(RefCell::new(ByHand(1))), next: None, children: vec![] };
    #[allow(clippy::arc_with_non_send_sync)] // the type of the field
    let children = vec![Arc::new(Mutex::new(leaf()))];
    check(&Node { children, next: Some(Rc::new(RefCell::new(leaf()))), ..leaf() });
    let club = Rc::new(RefCell::new(Club { members: vec![], motto: Rc::new(RefCell::new(1_u8)) }));
    let member = Member { club: Some(club.clone()), dues: vec![Arc::default()] };
    club.borrow_mut().members.push(member);
    check(&club);
    club.borrow_mut().members.clear();
    check(&Newtype(Rc::new(RefCell::new(7_u8))));
    let shared = vec![Rc::new(RefCell::new(Only { it: 7 }))];
    let inside = vec![Rc::new(RefCell::new(MutOnly { shared: vec![], inside: vec![] }))];
    let mut only = MutOnly { shared, inside };
    for format in Format::all() {
        let bytes = format.to_vec(&mut only).unwrap();
        let loaded: MutOnly<Only> = format.from_slice(&bytes).unwrap();
        assert_eq!((loaded.shared[0].borrow().it, loaded.inside.len()), (7, 1), "{format}");
    }
}
