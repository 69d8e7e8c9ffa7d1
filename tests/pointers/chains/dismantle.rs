//! Objects without owners: in trait objects, in cycles after errors, shared with other owners.

use super::*;
use crate::common::{forgiving, keeps_going};
use archive::{Registry, polymorphic, register};
use std::collections::BTreeMap;

thread_local!(static ALIVE: Cell<i64> = const { Cell::new(0) });

trait Part: archive::Polymorphic {}
polymorphic!(dyn Part);

type Next = Option<Rc<RefCell<dyn Part>>>;

#[derive(Serialize, Default)]
struct Link {
    next: Next,
    #[archive(skip)]
    _alive: Alive,
}
impl Part for Link {}

struct Alive;
impl Default for Alive {
    fn default() -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Alive
    }
}
impl Drop for Alive {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

fn chain(length: u32) -> Next {
    let link =
        |next| -> Next { Some(Rc::new(RefCell::new(Link { next, _alive: Default::default() }))) };
    (0..length).fold(None, |next, _| link(next))
}

#[test]
fn chains_of_trait_objects() {
    on_stack(STACK, || {
        // No registry is necessary for that.
        archive::dismantle(chain(100_000));
        assert_eq!(ALIVE.get(), 0);
        let mut registry = Registry::new();
        register!(registry, dyn Part { Link }).unwrap();
        let options = Options::new().registry(&registry);
        for format in formats() {
            let bytes = format.to_vec_with(&chain(3), &options).unwrap();
            let mut value = chain(100_000);
            format.load_into_with(&mut value, &bytes, &options).unwrap();
            assert_eq!(ALIVE.get(), 3, "{format}");
            drop(value);
            assert_eq!(ALIVE.get(), 0, "{format}");
        }
    });
}

/// Refuses its loaded value if it is marked.
#[derive(Default)]
struct Item {
    marked: bool,
    next: Option<Rc<RefCell<Item>>>,
    other: Option<Rc<RefCell<Item>>>,
    _alive: Alive,
}

impl Serialize for Item {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("next", &mut self.next)?;
        ar.serialize("other", &mut self.other)?;
        ar.serialize("marked", &mut self.marked)?;
        match ar.is_loading() && self.marked {
            true => Err(archive::Error::custom("this one is marked")),
            false => Ok(()),
        }
    }
}
impl archive::Save for Item {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.save("next", &self.next)?;
        ar.save("other", &self.other)?;
        ar.save("marked", &self.marked)
    }
}
archive::blank!(Item);

type Shared = Rc<RefCell<Item>>;

fn item(marked: bool, next: Option<Shared>, other: Option<Shared>) -> Shared {
    Rc::new(RefCell::new(Item { marked, next, other, _alive: Default::default() }))
}

/// A cycle whose first object is left out, one that is kept, and one with objects of both that is
/// kept.
fn items() -> Vec<Shared> {
    let circle = |marked, other: Option<Shared>| {
        let first = item(marked, None, other);
        let second = item(false, Some(first.clone()), None);
        first.borrow_mut().next = Some(second);
        first
    };
    let stays = circle(false, None);
    let goes = circle(true, Some(stays.clone()));
    let alone = item(true, None, None);
    vec![goes, stays, alone]
}

fn forget(items: &[Shared]) {
    for item in items {
        (item.borrow_mut().next, item.borrow_mut().other) = (None, None);
    }
}

#[test]
fn skipped_objects_are_freed() {
    let options = Options::new().keep_going(true).each_error(true);
    let all = items();
    for format in forgiving().into_iter().filter(|format| keeps_going(*format)) {
        let bytes = format.to_vec(&all).unwrap();
        let before = ALIVE.get();
        let (loaded, report) = format.from_slice_report::<Vec<Shared>>(&bytes, &options).unwrap();
        assert_eq!(report.errors().len(), 2, "{format}: {report}");
        assert_eq!(loaded.len(), 1, "{format}");
        // The kept part is unchanged: a cycle of two.
        let back = loaded[0].borrow().next.clone().unwrap().borrow().next.clone();
        assert!(Rc::ptr_eq(&back.unwrap(), &loaded[0]), "{format}");
        assert_eq!(ALIVE.get() - before, 2, "{format}");
        forget(&loaded);
        drop(loaded);
        assert_eq!(ALIVE.get(), before, "{format}");
    }
    forget(&all);
}

/// A type whose objects contain the next one in some way: chains and rings of them.
macro_rules! ways {
    ($($name:ident($length:literal): $Pointer:ident<$Cell:ident> in $Holder:ty, $hold:expr;)*) => { $(
        mod $name {
            use super::*;

            #[derive(Serialize, Default)]
            pub(super) struct Link {
                holder: $Holder,
                #[archive(skip)]
                _alive: Alive,
            }
            type Next = Option<$Pointer<$Cell<Link>>>;

            fn link(next: Next) -> Next {
                let hold: fn(Next) -> $Holder = $hold;
                Some($Pointer::new($Cell::new(Link { holder: hold(next), _alive: Alive::default() })))
            }
            fn chain(length: u32) -> Next {
                (0..length).fold(None, |next, _| link(next))
            }

            #[test]
            fn are_dropped_without_stack() {
                on_stack(STACK, || {
                    archive::dismantle(chain($length));
                    assert_eq!(ALIVE.get(), 0, "a chain");

                    let last = link(None);
                    let first = (0..100).fold(last.clone(), |next, _| link(next));
                    let hold: fn(Next) -> $Holder = $hold;
                    if let Some(last) = last {
                        last.open().holder = hold(first.clone());
                    }
                    archive::dismantle(vec![first]);
                    assert_eq!(ALIVE.get(), 0, "a ring");

                    let registry = parts();
                    let all = [Options::new(), Options::new().registry(&registry)];
                    for (format, options) in formats().iter().flat_map(|f| all.iter().map(move |o| (f, o))) {
                        let bytes = format.to_vec(&mut Next::None).unwrap();
                        let mut value = chain(10_000);
                        format.load_into_with(&mut value, &bytes, options).unwrap();
                        assert_eq!(ALIVE.get(), 0, "{format}");
                    }
                    let bytes = archive::binary::to_vec(&Vec::<Next>::new()).unwrap();
                    let mut value = vec![chain($length), chain(1)];
                    archive::binary::load_into_with(&mut value, &bytes, &all[1]).unwrap();
                    assert_eq!(ALIVE.get(), 0, "loaded over");
                });
            }
        }
    )* };
}

/// Opens a cell.
trait Open<T> {
    fn open(&self) -> impl std::ops::DerefMut<Target = T>;
}
impl<T> Open<T> for RefCell<T> {
    fn open(&self) -> impl std::ops::DerefMut<Target = T> {
        self.borrow_mut()
    }
}
impl<T> Open<T> for Mutex<T> {
    fn open(&self) -> impl std::ops::DerefMut<Target = T> {
        self.lock().unwrap()
    }
}

#[derive(Serialize, Default)]
enum Choice<T> {
    #[default]
    End,
    Tuple(u8, T),
    Struct {
        next: T,
    },
}

#[derive(Serialize, Default)]
struct Middle<T> {
    objects: Vec<(bool, T)>,
}

#[derive(Default)]
struct ByHand<T>(Option<T>);

impl<T: archive::Element> Serialize for ByHand<T> {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("next", &mut self.0)
    }
}
impl<T: archive::Element + archive::Save> archive::Save for ByHand<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.save("next", &self.0)
    }
}
impl<T> archive::Blank for ByHand<T> {
    fn blank(_: &Options<'_>) -> Self {
        ByHand(None)
    }
}

/// An object that contains one of another type.
#[derive(Serialize, Default)]
struct Carrier {
    load: Option<Rc<RefCell<boxed_trait_objects::Link>>>,
}
impl Part for Carrier {}

fn parts() -> Registry {
    let mut registry = Registry::new();
    register!(registry, dyn Part { Link, Carrier }).unwrap();
    registry
}

ways! {
    options(300_000): Rc<RefCell> in Option<Rc<RefCell<Link>>>, |next| next;
    lists(30_000): Rc<RefCell> in Vec<Rc<RefCell<Link>>>, |next| next.into_iter().collect();
    maps(30_000): Arc<Mutex> in BTreeMap<u8, Arc<Mutex<Link>>>, |next| next.into_iter().map(|next| (1, next)).collect();
    boxes(30_000): Rc<RefCell> in Option<Box<(u8, Rc<RefCell<Link>>)>>, |next| Some(Box::new((1, next?)));
    enums(30_000): Rc<RefCell> in Choice<Rc<RefCell<Link>>>, |next| match next {
        None => Choice::End,
        Some(next) if Rc::strong_count(&next) > 1 => Choice::Tuple(1, next),
        Some(next) => Choice::Struct { next },
    };
    other_objects(30_000): Arc<Mutex> in Option<Rc<RefCell<Middle<Arc<Mutex<Link>>>>>>, |next| {
        Some(Rc::new(RefCell::new(Middle { objects: vec![(true, next?)] })))
    };
    hand_written(30_000): Rc<RefCell> in ByHand<Rc<RefCell<Link>>>, |next| ByHand(next);
    boxed_trait_objects(300_000): Rc<RefCell> in Vec<Box<dyn Part>>, |load| vec![Box::new(Carrier { load })];
}

thread_local!(static SAVES: Cell<u32> = const { Cell::new(0) });

type Parts = Vec<Box<dyn Part>>;

/// Counts how often a field is saved.
mod counted {
    use super::*;

    pub(super) fn save(_: &Parts) -> Result<Parts> {
        SAVES.set(SAVES.get() + 1);
        Ok(Vec::new())
    }
    pub(super) fn load(parts: Parts) -> Result<Parts> {
        Ok(parts)
    }
}

#[derive(Serialize, Default)]
struct Counted {
    #[archive(with = counted)]
    parts: Parts,
}
impl Part for Counted {}

/// A value without chains is not visited before it is loaded over.
#[test]
fn values_without_chains_are_not_visited() {
    let holds_none = |registry: &Registry| {
        let options = Options::new().registry(registry);
        formats().into_iter().all(|format| {
            let new = vec![Rc::new(RefCell::new(Counted::default()))];
            let bytes = format.to_vec_with(&new, &options).unwrap();
            let mut value = vec![Rc::new(RefCell::new(Counted::default()))];
            SAVES.set(0);
            format.load_into_with(&mut value, &bytes, &options).unwrap();
            SAVES.get() == 0
        })
    };
    let mut registry = Registry::new();
    register!(registry, dyn Part { Counted }).unwrap();
    assert!(holds_none(&registry));
    register!(registry, dyn Part { Link }).unwrap();
    assert!(!holds_none(&registry));
}
