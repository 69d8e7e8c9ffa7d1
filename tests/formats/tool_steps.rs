//! The steps of a tool: each step that begins also ends, and the erased archive takes the same
//! steps as a function that is compiled for the tool.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use archive::format::{PointerHead, Session};
use archive::shape::{Class, Enum, Shape, Variant};
use archive::tool::{Begun, Either, OuterState, Scalar, Visitor, Walk};
use archive::{Archive, Options, Registry, Result, Serialize, polymorphic, register};

/// Records the steps.
#[derive(Default)]
struct Trace<'o> {
    steps: Vec<String>,
    /// The open steps.
    open: Vec<String>,
    session: Session,
    options: Options<'o>,
}

impl Trace<'_> {
    fn begin(&mut self, what: String) {
        self.steps.push(format!("{}{what}", " ".repeat(self.open.len())));
        self.open.push(what);
    }
    fn end(&mut self, what: &str, done: Result) -> Result {
        if done.is_ok() {
            assert_eq!(self.open.pop().as_deref(), Some(what));
        }
        done
    }
}

impl Visitor for Trace<'_> {
    fn parts(&self) -> (&Session, &Options<'_>) {
        (&self.session, &self.options)
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (&mut self.session, &self.options)
    }
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        self.begin(format!("= {value}"));
        self.open.pop();
        Ok(())
    }
    fn begin_member(&mut self, name: &str, _: &'static Shape) -> Result<Begun> {
        if name.starts_with("hidden") {
            return Ok(Begun::Over);
        }
        self.begin(name.to_owned());
        Ok(Begun::Here)
    }
    fn end_member(&mut self, name: &str, done: Result) -> Result {
        self.end(name, done)
    }
    fn begin_object(&mut self, class: &'static Class) -> Result<Option<OuterState>> {
        self.begin(class.name().to_string());
        Ok(Some(OuterState::default()))
    }
    fn end_object(&mut self, class: &'static Class, _: OuterState, done: Result) -> Result {
        self.end(class.name(), done)
    }
    fn begin_seq(&mut self, _: &'static Shape, len: usize) -> Result<Option<OuterState>> {
        self.begin(format!("{len} items"));
        Ok(Some(OuterState::default()))
    }
    fn end_seq(&mut self, _: OuterState, len: usize) -> Result {
        self.end(&format!("{len} items"), Ok(()))
    }
    fn begin_item(&mut self, index: usize) -> Result<Begun> {
        self.begin(format!("[{index}]"));
        Ok(Begun::Here)
    }
    fn end_item(&mut self, index: usize, done: Result) -> Result {
        self.end(&format!("[{index}]"), done)
    }
    fn end_variant(&mut self, _: &'static Enum, variant: &'static Variant, done: Result) -> Result {
        self.end_member(variant.name, done)
    }
    fn begin_pointer(&mut self, head: &PointerHead<'_>) -> Result {
        self.begin(format!("{:?}", head.kind));
        if !head.has_pointee() {
            self.open.pop();
        }
        Ok(())
    }
    fn end_pointer(&mut self, head: &PointerHead<'_>, done: Result) -> Result {
        self.end(&format!("{:?}", head.kind), done)
    }
}

impl Walk for Trace<'_> {
    type Way = Either;
}

trait Order: archive::Polymorphic {}
polymorphic!(dyn Order);

#[derive(Default, Serialize)]
struct Go {
    to: [f32; 2],
}
impl Order for Go {}

#[derive(Default, Serialize)]
enum State {
    #[default]
    Idle,
    Moving(u8),
    Attacking {
        target: u32,
    },
}

#[derive(Default, Serialize)]
struct Unit {
    name: String,
    hidden: Vec<u64>,
    states: Vec<State>,
    home: Option<(i8, char)>,
    away: Option<u8>,
    bag: BTreeMap<String, u16>,
    shared: Vec<Rc<RefCell<u32>>>,
    order: Option<Box<dyn Order>>,
}

#[test]
fn every_step_ends_and_erased_archives_take_the_same_ones() -> Result {
    let mut registry = Registry::new();
    register!(registry, dyn Order { Go })?;
    let shared = Rc::new(RefCell::new(7));
    let mut unit = Unit {
        name: "Ann".into(),
        hidden: vec![1],
        states: vec![State::Idle, State::Moving(3), State::Attacking { target: 9 }],
        home: Some((-1, 'x')),
        away: None,
        bag: [("potion".into(), 2)].into(),
        shared: vec![shared.clone(), shared],
        order: Some(Box::new(Go { to: [1.0, 2.0] })),
    };
    let options = Options::new().registry(&registry);
    let new = || Trace { options: options.clone(), ..Trace::default() };
    let mut compiled = new();
    compiled.serialize("unit", &mut unit)?;
    let mut erased = new();
    erased.erased().serialize("unit", &mut unit)?;
    let mut saving = new();
    saving.erased().saving().serialize("unit", &mut unit)?;
    assert_eq!(compiled.steps, erased.steps);
    assert_eq!(compiled.steps, saving.steps);
    assert!(compiled.open.is_empty());
    let text = compiled.steps.join("\n");
    assert!(!text.contains("hidden") && text.contains("     Attacking\n"), "{text}");
    for expected in ["= \"Ann\"", "[2]", "= 9", "\"potion\"", "Stored", "Seen", "Go", "= 2"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    Ok(())
}
