//! Objects that are left alone: behind trait objects, in circles after errors, held from elsewhere.

use super::*;
use crate::common::{forgiving, goes_on};
use archive::{Registry, polymorphic, register};

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
        // No registry is needed for that.
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

/// Refuses what it has loaded, if it is marked.
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

/// A circle of which the first is left out, one that stays, and one of both that stays.
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
fn what_is_left_out_is_freed() {
    let options = Options::new().keep_going(true);
    let all = items();
    for format in forgiving().into_iter().filter(|format| goes_on(*format)) {
        let bytes = format.to_vec(&all).unwrap();
        let before = ALIVE.get();
        let (loaded, report) =
            format.from_slice_report_with::<Vec<Shared>>(&bytes, &options).unwrap();
        assert_eq!(report.errors().len(), 2, "{format}: {report}");
        assert_eq!(loaded.len(), 1, "{format}");
        // What stays is as it was: a circle of two.
        let back = loaded[0].borrow().next.clone().unwrap().borrow().next.clone();
        assert!(Rc::ptr_eq(&back.unwrap(), &loaded[0]), "{format}");
        assert_eq!(ALIVE.get() - before, 2, "{format}");
        forget(&loaded);
        drop(loaded);
        assert_eq!(ALIVE.get(), before, "{format}");
    }
    forget(&all);
}
