//! Pointers and trait objects.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex, RwLock};

use archive::ErrorKind::*;
use archive::{Options, Registry, Serialize};

use super::table::{Section, fails, loads, row};

/// Whether two pointers point to one object.
trait Same {
    fn same(&self, other: &Self) -> bool;
}

impl<T: ?Sized> Same for Rc<T> {
    fn same(&self, other: &Self) -> bool {
        Rc::ptr_eq(self, other)
    }
}

impl<T: ?Sized> Same for Arc<T> {
    fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(self, other)
    }
}

/// Two pointers, shown as whether they share.
#[derive(Serialize)]
struct Twice<P> {
    a: P,
    b: P,
}

impl<P: Same + fmt::Debug> fmt::Debug for Twice<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Twice {{ a: {:?}, b: {:?}, one object: {} }}",
            self.a,
            self.b,
            self.a.same(&self.b)
        )
    }
}

/// The same object twice.
fn twice<P: Clone>(pointer: P) -> Twice<P> {
    Twice { a: pointer.clone(), b: pointer }
}

/// A weak pointer, shown as what it points to.
#[derive(Serialize)]
struct Eye(Weak<RefCell<u8>>);

impl fmt::Debug for Eye {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.upgrade() {
            Some(seen) => write!(f, "sees {}", seen.borrow()),
            None => f.write_str("sees nothing"),
        }
    }
}

/// An owner and one who sees what it owns.
#[derive(Debug, Serialize)]
struct Watch {
    owner: Rc<RefCell<u8>>,
    eye: Eye,
}

fn watch() -> Watch {
    let owner = Rc::new(RefCell::new(7));
    Watch { eye: Eye(Rc::downgrade(&owner)), owner }
}

pub fn section() -> Section {
    Section {
        title: "Pointers",
        intro: "A value becomes a pointer and a pointer a value: the content of an object is read as the \
                plain value. Where the file only refers to an object that is stored elsewhere, a plain value is an error, since it would be a copy. `Twice<P>` is a struct of two pointers, `a` \
                and `b`, to one object; `Eye` is a `Weak<RefCell<u8>>`, shown as what it sees; `Watch` has an \
                `owner`, an `Rc<RefCell<u8>>`, and an `eye` on what that owns.",
        rows: vec![
            row!("shared": u8 = 7, Rc<u8>, loads("7")),
            row!("shared, in a cell": u8 = 7, Rc<RefCell<u8>>, loads("RefCell { value: 7 }")),
            row!("shared among threads": Box<u8> = Box::new(7), Arc<Mutex<u8>>,
                loads("Mutex { data: 7, poisoned: false, .. }")),
            row!("shared, a struct": { struct Pos { x: u8 } struct Unit { at: Pos } } Unit = Unit { at: Pos { x: 1 } },
                { struct Pos { x: u8 } struct Unit { at: Rc<Pos> } } Unit, loads("Unit { at: Pos { x: 1 } }")),
            row!("no longer shared": Rc<u8> = Rc::new(7), u8, loads("7")),
            row!("no longer shared, boxed": Rc<u8> = Rc::new(7), Box<u8>, loads("7")),
            row!("no longer shared, in a cell": Rc<RefCell<u8>> = Rc::new(RefCell::new(7)), u8, loads("7")),
            row!("no longer shared among threads": Arc<RwLock<u8>> = Arc::new(RwLock::new(7)), Box<u8>, loads("7")),
            row!("no longer shared, a struct": { struct Pos { x: u8 } struct Unit { at: Rc<RefCell<Pos>> } } Unit = Unit { at: Rc::new(RefCell::new(Pos { x: 1 })) },
                { struct Pos { x: u16, y: u8 } struct Unit { at: Pos } } Unit,
                loads("Unit { at: Pos { x: 1, y: 0 } }").absent("at.y")),
            row!("the same, and a member does not fit": { struct Pos { x: u16 } struct Unit { at: Rc<Pos> } } Unit = Unit { at: Rc::new(Pos { x: 300 }) },
                { struct Pos { x: u8 } struct Unit { at: Pos } } Unit,
                fails(OutOfRange, "at.x").keeps("Unit { at: Pos { x: 0 } }")),
            row!("no longer shared, an enum": { enum State { Idle, Walk { to: u8 } } struct Unit { state: Rc<State> } } Unit = Unit { state: Rc::new(State::Walk { to: 3 }) },
                { enum State { Idle, Walk { to: u8 } } struct Unit { state: State } } Unit,
                loads("Unit { state: Walk { to: 3 } }")),
            row!("no longer shared, a unit variant": { enum State { Idle, Walk } struct Unit { state: Rc<State> } } Unit = Unit { state: Rc::new(State::Walk) },
                { enum State { Idle, Walk } struct Unit { state: State } } Unit,
                loads("Unit { state: Walk }")),
            row!("no longer shared, text": Rc<RefCell<String>> = Rc::new(RefCell::new("Ann".into())), String, loads(r#""Ann""#)),
            row!("no longer shared, a float": Rc<Cell<f32>> = Rc::new(Cell::new(0.5)), f64, loads("0.5")),
            row!("no longer shared, a truth value": Rc<bool> = Rc::new(true), bool, loads("true")),
            row!("no longer shared, a list": Rc<RefCell<Vec<u8>>> = Rc::new(RefCell::new(vec![1, 2])), Vec<u16>, loads("[1, 2]")),
            row!("no longer shared, pairs": Rc<Vec<(u8, u8)>> = Rc::new(vec![(1, 2)]), BTreeMap<u8, u8>, loads("{1: 2}")),
            row!("no longer shared, a map": Rc<BTreeMap<String, u8>> = Rc::new([("a".into(), 2)].into()), Vec<(String, u8)>, loads(r#"[("a", 2)]"#)),
            row!("the second of two maps no longer shared": Twice<Rc<BTreeMap<String, u8>>> = twice(Rc::new([("a".into(), 2)].into())),
                { struct Two { a: BTreeMap<String, u8>, b: BTreeMap<String, u8> } } Two,
                fails(BadPointer, "b").keeps(r#"Two { a: {"a": 2}, b: {} }"#)),
            row!("a weak one in an option, boxed": Option<Eye> = Some(Eye(Weak::new())), Box<Option<Eye>>, loads("Some(sees nothing)")),
            row!("a weak one made optional": Eye = Eye(Weak::new()), Option<Eye>, loads("None").remark("null read as an option is `None`")),
            row!("a weak one no longer optional": Option<Eye> = Some(Eye(Weak::new())), Eye, loads("sees nothing")),
            row!("no longer shared, elements": Vec<Rc<u8>> = vec![Rc::new(1), Rc::new(2)], Vec<u8>, loads("[1, 2]")),
            row!("no longer shared, of another type": Rc<u16> = Rc::new(300), u8, fails(OutOfRange, "")),
            row!("no longer shared, of another kind": Rc<String> = Rc::new("x".into()), u8, fails(WrongType, "")),
            row!("two pointers deep": Rc<Rc<u8>> = Rc::new(Rc::new(7)), u8, loads("7")),
            row!("another cell": Twice<Rc<RefCell<u8>>> = twice(Rc::new(RefCell::new(7))), Twice<Arc<Mutex<u8>>>,
                loads("Twice { a: Mutex { data: 7, poisoned: false, .. }, b: Mutex { data: 7, poisoned: false, .. }, one object: true }")),
            row!("no cell": Twice<Rc<RefCell<u8>>> = twice(Rc::new(RefCell::new(7))), Twice<Rc<u8>>,
                loads("Twice { a: 7, b: 7, one object: true }")),
            row!("the first of two no longer shared": Twice<Rc<u8>> = twice(Rc::new(7)),
                { struct Two { a: u8, b: Rc<u8> } } Two,
                loads("Two { a: 7, b: 7 }").remark("each has its own")),
            row!("the second of two no longer shared": Twice<Rc<u8>> = twice(Rc::new(7)),
                { struct Two { a: Rc<u8>, b: u8 } } Two,
                fails(BadPointer, "b").keeps("Two { a: 7, b: 0 }")),
            row!("none of two still shared": Twice<Rc<u8>> = twice(Rc::new(7)),
                { struct Two { a: u8, b: u8 } } Two,
                fails(BadPointer, "b").keeps("Two { a: 7, b: 0 }")),
            row!("the first of two removed": Twice<Rc<u8>> = twice(Rc::new(7)),
                { struct Two { b: Rc<u8> } } Two,
                loads("Two { b: 7 }").unknown("a").remark("the object is found wherever it is")),
            row!("reordered": Twice<Rc<u8>> = twice(Rc::new(7)),
                { struct Two { b: Rc<u8>, a: Rc<u8> } } Two, loads("Two { b: 7, a: 7 }")),
            row!("made optional": Rc<u8> = Rc::new(7), Option<Rc<u8>>, loads("Some(7)")),
            row!("no longer optional": Option<Rc<u8>> = Some(Rc::new(7)), Rc<u8>, loads("7")),
            row!("no longer optional, and it was `None`": Option<Rc<u8>> = None, Rc<u8>, fails(WrongType, "")),
            row!("no longer shared, still optional": Option<Rc<u8>> = Some(Rc::new(7)), Option<u8>, loads("Some(7)")),
            row!("no longer shared, optional by now": Rc<u8> = Rc::new(7), Option<u8>, loads("Some(7)")),
            row!("neither shared nor optional": Option<Rc<u8>> = Some(Rc::new(7)), u8, loads("7")),
            row!("weak by now": Twice<Rc<RefCell<u8>>> = twice(Rc::new(RefCell::new(7))),
                { struct Two { a: Rc<RefCell<u8>>, b: Eye } } Two,
                loads("Two { a: RefCell { value: 7 }, b: sees 7 }")),
            row!("weak by now, the first": Twice<Rc<RefCell<u8>>> = twice(Rc::new(RefCell::new(7))),
                { struct Two { a: Eye, b: Rc<RefCell<u8>> } } Two,
                loads("Two { a: sees 7, b: RefCell { value: 7 } }")),
            row!("weak by now, and nothing else holds it": Rc<RefCell<u8>> = Rc::new(RefCell::new(7)), Eye,
                loads("sees nothing").dangling("")),
            row!("no longer weak": Watch = watch(),
                { struct Watch { owner: Rc<RefCell<u8>>, eye: Rc<RefCell<u8>> } } Watch,
                loads("Watch { owner: RefCell { value: 7 }, eye: RefCell { value: 7 } }")),
            row!("no longer weak, and it pointed to nothing": Eye = Eye(Weak::new()), Rc<RefCell<u8>>, fails(WrongType, "")),
            row!("no pointer any more, and it was weak": Watch = watch(),
                { struct Watch { owner: Rc<RefCell<u8>>, eye: u8 } } Watch,
                fails(BadPointer, "eye").keeps("Watch { owner: RefCell { value: 7 }, eye: 0 }")),
            row!("the owner of a weak one no longer shared": Watch = watch(),
                { struct Watch { owner: u8, eye: Eye } } Watch,
                loads("Watch { owner: 7, eye: sees nothing }").dangling("eye")),
        ],
    }
}

trait Command: archive::Polymorphic + fmt::Debug {}
archive::polymorphic!(dyn Command);

#[derive(Debug, Serialize)]
struct MoveTo {
    x: u8,
}
impl Command for MoveTo {}

#[derive(Debug, Serialize)]
struct Attack {
    x: u8,
}
impl Command for Attack {}

fn commands() -> Options<'static> {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Command { MoveTo as "move", Attack }).unwrap();
    Options::new().registry(&registry)
}

/// Last year's name.
fn walk() -> Options<'static> {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Command { MoveTo as "walk", Attack }).unwrap();
    Options::new().registry(&registry)
}

fn alias() -> Options<'static> {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Command { MoveTo as "move", Attack }).unwrap();
    registry.alias("walk", "move").unwrap();
    Options::new().registry(&registry)
}

fn boxed(command: impl Command) -> Box<dyn Command> {
    Box::new(command)
}

fn shared(command: impl Command) -> Rc<RefCell<dyn Command>> {
    Rc::new(RefCell::new(command))
}

pub fn traits() -> Section {
    let movement = "MoveTo { x: 3 }";
    Section {
        title: "Trait objects",
        intro: "A trait object is written with the id of its type. So is a registered type in an `Rc` or an `Arc`, but not one in a `Box`.",
        rows: vec![
            row!("a type that became a trait object": Box<MoveTo> = Box::new(MoveTo { x: 3 }), Box<dyn Command>,
                fails(WrongType, "").with(commands)),
            row!("the same, shared": Rc<RefCell<MoveTo>> = Rc::new(RefCell::new(MoveTo { x: 3 })), Rc<RefCell<dyn Command>>,
                loads("RefCell { value: MoveTo { x: 3 } }").with(commands)),
            row!("a trait object that became a type": Box<dyn Command> = boxed(MoveTo { x: 3 }), Box<MoveTo>,
                loads(movement).with(commands)),
            row!("the same, without a box": Box<dyn Command> = boxed(MoveTo { x: 3 }), MoveTo,
                loads(movement).with(commands)),
            row!("the same, and it holds another type": Box<dyn Command> = boxed(Attack { x: 3 }), MoveTo,
                fails(BadPointer, "").with(commands)),
            row!("the same, shared": Rc<RefCell<dyn Command>> = shared(MoveTo { x: 3 }), Rc<RefCell<MoveTo>>,
                loads("RefCell { value: MoveTo { x: 3 } }").with(commands)),
            row!("the same, shared, and it holds another type": Rc<RefCell<dyn Command>> = shared(Attack { x: 3 }), Rc<RefCell<MoveTo>>,
                fails(BadPointer, "").with(commands)),
            row!("no longer shared": Rc<RefCell<dyn Command>> = shared(MoveTo { x: 3 }), Box<dyn Command>,
                loads(movement).with(commands)),
            row!("shared": Box<dyn Command> = boxed(MoveTo { x: 3 }), Rc<RefCell<dyn Command>>,
                loads("RefCell { value: MoveTo { x: 3 } }").with(commands)),
            row!("an id renamed, with `Registry::alias`": Box<dyn Command> = boxed(MoveTo { x: 3 }), Box<dyn Command>,
                loads(movement).with(alias).saved_with(walk)),
            row!("an id renamed, without": Box<dyn Command> = boxed(MoveTo { x: 3 }), Box<dyn Command>,
                fails(UnknownType, "").with(commands).saved_with(walk)),
            row!("a member added that is one":
                { struct Unit { hp: u8 } } Unit = Unit { hp: 9 },
                { struct Unit { hp: u8, order: Box<dyn Command> } } Unit,
                fails(MissingMember, "order").half("Unit { hp: 9, order: Attack { x: 0 } }").with(commands)),
            row!("the same, optional":
                { struct Unit { hp: u8 } } Unit = Unit { hp: 9 },
                { struct Unit { hp: u8, order: Option<Box<dyn Command>> } } Unit,
                loads("Unit { hp: 9, order: None }").absent("order").with(commands)),
        ],
    }
}
