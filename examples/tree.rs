//! A tool instead of a format: an archive that prints any value in memory, one line for each part.

use std::{cell::RefCell, fmt::Display, rc::Rc};

use archive::Body;
use archive::{Archive, Class, Options, PointerHead, Registry, Result, Scalar, Session, Shape};

#[derive(Default)]
struct Tree<'o> {
    session: Session,
    options: Options<'o>,
    depth: usize,
    /// The path from the line printed last to the value that comes next.
    name: String,
}

impl Tree<'_> {
    fn line(&mut self, value: impl Display) -> Result {
        let (indent, name) = (2 * self.depth, std::mem::take(&mut self.name));
        println!("{:indent$}{name}: {value}", "");
        Ok(())
    }

    fn branch(&mut self, value: impl Display, body: &mut impl Body) -> Result {
        self.session.enter(&self.options)?;
        self.line(value)?;
        self.depth += 1;
        body.run(self)?;
        self.depth -= 1;
        self.session.leave();
        Ok(())
    }
}

impl Archive for Tree<'_> {
    fn is_loading(&self) -> bool {
        false
    }
    fn parts(&self) -> (&Session, &Options<'_>) {
        (&self.session, &self.options)
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (&mut self.session, &self.options)
    }
    fn slot<B: Body>(&mut self, name: &str, _: &'static Shape, body: &mut B) -> Result {
        self.name += if self.name.is_empty() { "" } else { "." };
        self.name += name;
        body.run(self)
    }
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        self.line(value)
    }
    fn object<B: Body>(&mut self, class: &'static Class, body: &mut B) -> Result {
        self.branch(class.name(), body)
    }
    fn seq<B: Body>(&mut self, _: &'static Shape, len: usize, body: &mut B) -> Result {
        self.branch(format_args!("{len} items"), body)
    }
    fn item<B: Body>(&mut self, index: usize, body: &mut B) -> Result<bool> {
        self.slot(&format!("[{index}]"), &Shape::Any, body).map(|()| true)
    }
    fn save_pointer<B: Body>(&mut self, head: &PointerHead<'_>, body: &mut B) -> Result {
        match head.id {
            _ if !head.has_body() => {
                return self.line(format_args!("{:?} #{}", head.kind, head.id));
            }
            0 => {}
            id => self.name += &format!(" #{id}"),
        }
        body.run(self)
    }
}

trait Command: archive::Polymorphic {}
archive::polymorphic!(dyn Command);

#[derive(Default, archive::Serialize)]
struct MoveTo {
    x: i32,
    y: i32,
}
impl Command for MoveTo {}

#[derive(Default, archive::Serialize)]
struct Attack {
    target: String,
}
impl Command for Attack {}

#[derive(Default, archive::Serialize)]
struct Unit {
    orders: Vec<Box<dyn Command>>,
    patrol: Vec<Rc<RefCell<dyn Command>>>,
}

fn main() -> Result {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Command { MoveTo, Attack })?;
    let attack = Attack { target: "Bo".into() };
    let there = Rc::new(RefCell::new(MoveTo { x: 7, y: -3 }));
    let orders: Vec<Box<dyn Command>> = vec![Box::new(MoveTo { x: 1, y: 2 }), Box::new(attack)];
    let mut unit = Unit { orders, patrol: vec![there.clone(), there] };
    let options = Options::new().registry(&registry);
    Tree { options, ..Tree::default() }.serialize("unit", &mut unit)
}
