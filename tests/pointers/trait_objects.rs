//! Trait objects: in boxes, in shared pointers, in cells; the registry.

use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex, RwLock};

use crate::common::{forgiving, formats};
use archive::{ErrorKind, Options, Polymorphic, Registry, Serialize, json, polymorphic, register};

trait Command: Polymorphic {
    fn describe(&self) -> String;
}
polymorphic!(dyn Command);

/// A second trait, for objects that cross threads.
trait Job: Polymorphic {
    fn cost(&self) -> u32;
}
polymorphic!(dyn Job + Send + Sync);

#[derive(Default, Debug, Serialize)]
struct MoveTo {
    x: i32,
    y: i32,
}

#[derive(Default, Debug, Serialize)]
struct Follow {
    leader: Weak<RefCell<dyn_free::Unit>>,
    distance: f32,
}

/// A module of its own, so that `register!` has a path.
mod dyn_free {
    use archive::Serialize;

    #[derive(Default, Debug, Serialize)]
    pub struct Unit {
        pub name: String,
    }
}

/// A command made of commands.
#[derive(Default, Serialize)]
struct Queue {
    steps: Vec<Box<dyn Command>>,
    current: Option<Box<dyn Command>>,
}

/// A generic command.
#[derive(Default, Debug, Serialize)]
struct Spawn<T> {
    what: T,
}

/// An enum as a trait object.
#[derive(Default, Debug, Serialize)]
enum Stance {
    #[default]
    Idle,
    Guard {
        radius: f32,
    },
}

impl Command for MoveTo {
    fn describe(&self) -> String {
        format!("move to {} {}", self.x, self.y)
    }
}
impl Command for Follow {
    fn describe(&self) -> String {
        let leader = self.leader.upgrade().map(|unit| unit.borrow().name.clone());
        format!("follow {leader:?} at {}", self.distance)
    }
}
impl Command for Queue {
    fn describe(&self) -> String {
        let steps: Vec<String> = self.steps.iter().map(|step| step.describe()).collect();
        let current = self.current.as_ref().map(|current| current.describe());
        format!("{steps:?} now {current:?}")
    }
}
impl<T: std::fmt::Debug + Serialize + archive::Save + archive::Blank + 'static> Command
    for Spawn<T>
{
    fn describe(&self) -> String {
        format!("spawn {:?}", self.what)
    }
}
impl Command for Stance {
    fn describe(&self) -> String {
        format!("{self:?}")
    }
}
impl Job for MoveTo {
    fn cost(&self) -> u32 {
        (self.x.abs() + self.y.abs()) as u32
    }
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    register!(registry, dyn Command {
        MoveTo, Follow as "follow", Queue, Stance, Spawn<dyn_free::Unit>, Spawn<u32> as "spawn-u32",
    })
    .unwrap();
    register!(registry, dyn Job + Send + Sync { MoveTo }).unwrap();
    registry
}

#[test]
fn boxes() {
    let options = Options::new().registry(&registry());
    let queue: Box<dyn Command> = Box::new(Queue {
        steps: vec![
            Box::new(MoveTo { x: 1, y: -2 }),
            Box::new(Spawn { what: 7_u32 }),
            Box::new(Spawn { what: dyn_free::Unit { name: "orc".into() } }),
            Box::new(Stance::Guard { radius: 1.5 }),
            Box::new(Stance::Idle),
        ],
        current: Some(Box::new(Queue::default())),
    });
    let text = json::to_string_with(&queue, &options).unwrap();
    let expected = concat!(
        r#"{"$type":"Queue","$value":{"steps":["#,
        r#"{"$type":"MoveTo","$value":{"x":1,"y":-2}},"#,
        r#"{"$type":"spawn-u32","$value":{"what":7}},"#,
        r#"{"$type":"Spawn<Unit>","$value":{"what":{"name":"orc"}}},"#,
        r#"{"$type":"Stance","$value":{"Guard":{"radius":1.5}}},"#,
        r#"{"$type":"Stance","$value":"Idle"}],"#,
        r#""current":{"$type":"Queue","$value":{"steps":[],"current":null}}}}"#
    );
    assert_eq!(text, expected);
    for format in formats() {
        let bytes = format.to_vec_with(&queue, &options).unwrap();
        let loaded: Box<dyn Command> = format.from_slice_with(&bytes, &options).unwrap();
        assert_eq!(loaded.describe(), queue.describe(), "{format}");
    }
}

#[derive(Default, Serialize)]
struct World {
    rc: Option<Rc<dyn Command>>,
    rc_again: Option<Rc<dyn Command>>,
    rc_typed: Option<Rc<MoveTo>>,
    cell: Option<Rc<RefCell<dyn Command>>>,
    cell_typed: Option<Rc<RefCell<MoveTo>>>,
    weak: Option<Weak<RefCell<dyn Command>>>,
    weak_bare: Option<Weak<dyn Command>>,
    mutex: Option<Arc<Mutex<dyn Job + Send + Sync>>>,
    mutex_typed: Option<Arc<Mutex<MoveTo>>>,
    rwlock: Option<Arc<RwLock<dyn Job + Send + Sync>>>,
    arc: Option<Arc<dyn Job + Send + Sync>>,
}

/// A world; with `typed_first`, pointers to the type come before those to the trait object.
fn world() -> World {
    let bare = Rc::new(MoveTo { x: 1, y: 1 });
    let cell = Rc::new(RefCell::new(MoveTo { x: 2, y: 2 }));
    let mutex = Arc::new(Mutex::new(MoveTo { x: 3, y: 3 }));
    let dynamic: Rc<RefCell<dyn Command>> = cell.clone();
    let bare_dynamic: Rc<dyn Command> = bare.clone();
    World {
        rc: Some(bare_dynamic.clone()),
        rc_again: Some(bare_dynamic.clone()),
        weak_bare: Some(Rc::downgrade(&bare_dynamic)),
        rc_typed: Some(bare),
        weak: Some(Rc::downgrade(&dynamic)),
        cell: Some(dynamic),
        cell_typed: Some(cell),
        mutex: Some(mutex.clone()),
        mutex_typed: Some(mutex),
        rwlock: Some(Arc::new(RwLock::new(MoveTo { x: 4, y: 4 }))),
        arc: Some(Arc::new(MoveTo { x: 5, y: 5 })),
    }
}

fn thin<P: ?Sized>(pointer: *const P) -> *const () {
    pointer.cast()
}

fn check(world: &World, context: &str) {
    let rc = world.rc.as_ref().unwrap();
    assert_eq!(rc.describe(), "move to 1 1", "{context}");
    assert_eq!(thin(Rc::as_ptr(rc)), thin(Rc::as_ptr(world.rc_again.as_ref().unwrap())));
    assert_eq!(thin(Rc::as_ptr(rc)), thin(Rc::as_ptr(world.rc_typed.as_ref().unwrap())));
    let weak_bare = world.weak_bare.as_ref().unwrap().upgrade().unwrap();
    assert_eq!(thin(Rc::as_ptr(rc)), thin(Rc::as_ptr(&weak_bare)), "{context}");

    let cell = world.cell.as_ref().unwrap();
    assert_eq!(cell.borrow().describe(), "move to 2 2", "{context}");
    assert_eq!(thin(Rc::as_ptr(cell)), thin(Rc::as_ptr(world.cell_typed.as_ref().unwrap())));
    let weak = world.weak.as_ref().unwrap().upgrade().unwrap();
    assert_eq!(thin(Rc::as_ptr(cell)), thin(Rc::as_ptr(&weak)), "{context}");

    let mutex = world.mutex.as_ref().unwrap();
    assert_eq!(mutex.lock().unwrap().cost(), 6, "{context}");
    assert_eq!(thin(Arc::as_ptr(mutex)), thin(Arc::as_ptr(world.mutex_typed.as_ref().unwrap())));
    assert_eq!(world.rwlock.as_ref().unwrap().read().unwrap().cost(), 8, "{context}");
    assert_eq!(world.arc.as_ref().unwrap().cost(), 10, "{context}");
}

/// The same members, the typed pointers first.
#[derive(Default, Serialize)]
struct TypedFirst {
    cell_typed: Option<Rc<RefCell<MoveTo>>>,
    rc_typed: Option<Rc<MoveTo>>,
    mutex_typed: Option<Arc<Mutex<MoveTo>>>,
    weak: Option<Weak<RefCell<dyn Command>>>,
    weak_bare: Option<Weak<dyn Command>>,
    rc: Option<Rc<dyn Command>>,
    cell: Option<Rc<RefCell<dyn Command>>>,
    mutex: Option<Arc<Mutex<dyn Job + Send + Sync>>>,
}

#[test]
fn one_object_as_a_type_and_as_a_trait() {
    let options = Options::new().registry(&registry());
    let world = world();
    check(&world, "made");
    for format in forgiving() {
        let bytes = format.to_vec_with(&world, &options).unwrap();
        let loaded: World = format.from_slice_with(&bytes, &options).unwrap();
        check(&loaded, format.name());
        // In an order in which references come before objects, and objects before references.
        let typed: TypedFirst = format.from_slice_with(&bytes, &options).unwrap();
        let cell = typed.cell.as_ref().unwrap();
        assert_eq!(thin(Rc::as_ptr(cell)), thin(Rc::as_ptr(typed.cell_typed.as_ref().unwrap())));
        let again = format.to_vec_with(&typed, &options).unwrap();
        let mut world: World = format.from_slice_with(&again, &options).unwrap();
        world.rc_again = world.rc.clone();
        world.rwlock = loaded.rwlock;
        world.arc = loaded.arc;
        check(&world, format.name());
    }
}

#[test]
fn a_dynamic_object_may_contain_a_pointer_to_itself() {
    #[derive(Default, Serialize)]
    struct Loop {
        me: Option<Weak<RefCell<dyn Command>>>,
        strong: Option<Rc<RefCell<dyn Command>>>,
    }
    impl Command for Loop {
        fn describe(&self) -> String {
            let same = match (&self.me, &self.strong) {
                (Some(me), Some(strong)) => me.upgrade().is_some_and(|me| Rc::ptr_eq(&me, strong)),
                _ => false,
            };
            format!("loop {same}")
        }
    }
    let mut registry = Registry::new();
    register!(registry, dyn Command { Loop }).unwrap();
    let options = Options::new().registry(&registry);
    let this = Rc::new(RefCell::new(Loop::default()));
    let dynamic: Rc<RefCell<dyn Command>> = this.clone();
    this.borrow_mut().me = Some(Rc::downgrade(&dynamic));
    this.borrow_mut().strong = Some(dynamic.clone());
    for format in formats() {
        let bytes = format.to_vec_with(&dynamic, &options).unwrap();
        let loaded: Rc<RefCell<dyn Command>> = format.from_slice_with(&bytes, &options).unwrap();
        assert_eq!(loaded.borrow().describe(), "loop true", "{format}");
    }
    this.borrow_mut().strong = None;
}

/// A struct without `Default` around a bare trait object can be an element.
#[test]
fn a_trait_object_in_an_element() {
    #[derive(Serialize)]
    struct Slot {
        key: u32,
        command: Box<dyn Command>,
        shared: Rc<RefCell<dyn Command>>,
    }
    let options = Options::new().registry(&registry());
    let shared: Rc<RefCell<dyn Command>> = Rc::new(RefCell::new(Stance::Idle));
    let slot = |key, command| Slot { key, command, shared: shared.clone() };
    let slots =
        vec![slot(1, Box::new(MoveTo { x: 1, y: 2 })), slot(2, Box::new(Queue::default()) as _)];
    for format in formats() {
        let bytes = format.to_vec_with(&slots, &options).unwrap();
        let loaded: Vec<Slot> = format.from_slice_with(&bytes, &options).unwrap();
        assert_eq!(loaded[0].command.describe(), "move to 1 2", "{format}");
        assert_eq!(loaded[1].key, 2);
        assert!(Rc::ptr_eq(&loaded[0].shared, &loaded[1].shared), "{format}");
        // Without anything registered that is an error, not a panic.
        let error = format.from_slice::<Vec<Slot>>(&bytes).map(|_| ()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownType, "{format}: {error}");
    }
}

/// A placeholder is never kept: without a default, the file must contain the object.
#[test]
fn an_absent_trait_object_without_default_is_an_error() {
    #[derive(Serialize)]
    struct Slot {
        command: Box<dyn Command>,
        key: u32,
    }
    #[derive(Serialize)]
    struct Shared {
        command: Rc<RefCell<dyn Command>>,
    }
    #[derive(Serialize)]
    struct WithDefault {
        command: Box<dyn Command>,
    }
    impl Default for WithDefault {
        fn default() -> Self {
            WithDefault { command: Box::new(MoveTo { x: 7, y: 0 }) }
        }
    }
    let options = Options::new().registry(&registry());
    let error = json::from_str_with::<Slot>(r#"{"key":1}"#, &options).map(|_| ()).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::MissingMember, "command"), "{error}");
    let text = r#"[{"command":{"$type":"MoveTo","$value":{}},"key":1},{}]"#;
    let error = json::from_str_with::<Vec<Slot>>(text, &options).map(|_| ()).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::MissingMember, "[1].command"), "{error}");
    let error = json::from_str_with::<Shared>("{}", &options).map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MissingMember, "{error}");
    let loaded: WithDefault = json::from_str_with("{}", &options).unwrap();
    assert_eq!(loaded.command.describe(), "move to 7 0");
    // No registry at all: the message says so.
    let error = json::from_str::<Vec<Slot>>(text).map(|_| ()).unwrap_err();
    assert!(error.message().contains("needs a registry"), "{error}");
}

#[test]
fn unregistered_types_are_errors_both_ways() {
    let mut registry = Registry::new();
    register!(registry, dyn Command { MoveTo as "move", Stance }).unwrap();
    let options = Options::new().registry(&registry);
    let boxed: Vec<Box<dyn Command>> =
        vec![Box::new(MoveTo::default()), Box::new(Queue::default())];
    for format in formats() {
        let error = format.to_vec_with(&boxed, &options).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::Unregistered, "[1]"), "{format}");
        assert!(error.message().contains("Queue"), "{error}");
        let error = format.to_vec(&boxed).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::Unregistered, "[0]"), "{format}");
    }
    let text = r#"[{"$type":"Jump","$value":{}}]"#;
    let error =
        json::from_str_with::<Vec<Box<dyn Command>>>(text, &options).map(|_| ()).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::UnknownType, "[0]"));
    let message = error.to_string();
    assert!(message.contains("\"Jump\"") && message.contains("`Stance`, `move`"), "{message}");
    assert!(message.contains("line 1 column 2"), "{message}");
}

#[test]
fn other_wrong_heads() {
    let options = Options::new().registry(&registry());
    let kind = |text: &str| {
        let loaded = json::from_str_with::<Vec<Box<dyn Command>>>(text, &options).map(|_| ());
        loaded.expect_err(text).kind()
    };
    assert_eq!(kind("[null]"), ErrorKind::WrongType);
    assert_eq!(kind("[1]"), ErrorKind::WrongType);
    assert_eq!(kind(r#"[{"x":1}]"#), ErrorKind::WrongType);
    assert_eq!(kind(r#"[{"$id":1}]"#), ErrorKind::WrongType);
    assert_eq!(kind(r#"[{"$type":"MoveTo"}]"#), ErrorKind::BadPointer);
    assert_eq!(kind(r#"[{"$type":1,"$value":{}}]"#), ErrorKind::WrongType);
    // The type of a shared object contradicts the pointer's.
    let text = r#"{"$id":1,"$type":"Queue","$value":{}}"#;
    let error = json::from_str_with::<Rc<RefCell<MoveTo>>>(text, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadPointer, "{error}");
}

#[test]
fn the_registry_refuses_duplicates() {
    let mut registry = registry();
    let kind = |result: archive::Result| result.unwrap_err().kind();
    assert_eq!(kind(register!(registry, dyn Command { MoveTo })), ErrorKind::DuplicateType);
    assert_eq!(
        kind(registry.register::<dyn Command, Spawn<u8>>("MoveTo")),
        ErrorKind::DuplicateType
    );
    assert_eq!(kind(registry.register::<dyn Command, MoveTo>("Move")), ErrorKind::DuplicateType);
    assert_eq!(kind(registry.alias("MoveTo", "Queue")), ErrorKind::DuplicateType);
    assert_eq!(kind(registry.alias("Walk", "Jog")), ErrorKind::UnknownType);
    registry.alias("Walk", "MoveTo").unwrap();
    let options = Options::new().registry(&registry);
    let text = r#"{"$type":"Walk","$value":{"x":3}}"#;
    let loaded: Box<dyn Command> = json::from_str_with(text, &options).unwrap();
    assert_eq!(loaded.describe(), "move to 3 0");
    // It is saved under its new id.
    let text = json::to_string_with(&loaded, &options).unwrap();
    assert!(text.starts_with(r#"{"$type":"MoveTo""#), "{text}");
}

#[test]
fn weak_pointers_between_dynamic_objects() {
    let options = Options::new().registry(&registry());
    let unit = Rc::new(RefCell::new(dyn_free::Unit { name: "Ann".into() }));
    let command: Box<dyn Command> =
        Box::new(Follow { leader: Rc::downgrade(&unit), distance: 2.0 });
    // The command comes before the unit that it refers to.
    let value = (command, unit);
    for format in formats() {
        let bytes = format.to_vec_with(&value, &options).unwrap();
        let loaded: (Box<dyn Command>, Rc<RefCell<dyn_free::Unit>>) =
            format.from_slice_with(&bytes, &options).unwrap();
        assert_eq!(loaded.0.describe(), "follow Some(\"Ann\") at 2", "{format}");
    }
}

#[derive(Default, Serialize)]
struct Dig;
impl Job for Dig {
    fn cost(&self) -> u32 {
        3
    }
}

#[test]
fn a_registry_makes_objects_and_knows_their_ids() {
    let mut registry = Registry::new();
    register!(registry, dyn Command { MoveTo as "move", Stance }).unwrap();
    register!(registry, dyn Job + Send + Sync { Dig as "dig" }).unwrap();
    registry.alias("walk", "move").unwrap();

    let options = Options::new();
    let made: Box<dyn Command> = registry.make("walk", &options).unwrap();
    assert_eq!(made.describe(), "move to 0 0");
    assert_eq!(registry.id(&*made), Some("move"));
    assert!((&*made as &dyn std::any::Any).is::<MoveTo>());
    assert_eq!(registry.id::<dyn Command>(&Follow::default()), None);
    assert!(registry.ids_of::<dyn Command>().eq(["Stance", "move", "walk"]));

    // A type that is registered for another trait is not created.
    let dig = registry.make::<dyn Job + Send + Sync>("dig", &options).unwrap();
    assert_eq!(dig.cost(), 3);
    let error = registry.make::<dyn Command>("dig", &options).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::UnknownType);
    assert!(error.message().contains("registered: `Stance`, `move`, `walk`"), "{error}");
}

#[test]
fn placeholders_are_of_the_type_with_the_first_id() {
    use archive::Blank;
    let blank = |registry: &Registry| {
        <Box<dyn Command>>::blank(&Options::new().registry(registry)).describe()
    };
    let mut registry = Registry::new();
    register!(registry, dyn Job + Send + Sync { MoveTo as "move" }).unwrap();
    register!(registry, dyn Command { Stance as "m", Follow as "follow", Queue }).unwrap();
    assert_eq!(blank(&registry), Queue::default().describe());
    let before = registry.clone();
    registry.alias("A", "m").unwrap();
    assert_eq!(blank(&registry), Stance::default().describe());
    assert_eq!(blank(&before), Queue::default().describe());
    // The alias is older than the type's registration for the trait.
    registry.alias("0", "move").unwrap();
    assert_eq!(blank(&registry), Stance::default().describe());
    register!(registry, dyn Command { MoveTo as "move" }).unwrap();
    assert_eq!(blank(&registry), MoveTo::default().describe());
    let ids: Vec<&str> = registry.ids_of::<dyn Command>().collect();
    assert_eq!(ids, ["0", "A", "Queue", "follow", "m", "move"]);
}
