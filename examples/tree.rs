//! A tool instead of a format: a visitor that prints any value in memory, one line for each part.

use archive::shape::Shape;
use archive::tool::{Begun, PointerHead, Saves, Scalar, Session, Visitor, Walk};
use archive::{Archive, Options, Registry, Result};
use std::{cell::RefCell, fmt::Display, rc::Rc};

#[derive(Default)]
struct Tree<'o> {
    session: Session,
    options: Options<'o>,
    depth: usize,
    label: String, // what the next line begins with
}

impl Tree<'_> {
    fn line(&mut self, value: impl Display) -> Result {
        let margin = "  ".repeat(self.depth - 1);
        println!("{margin}{}{value}", std::mem::take(&mut self.label));
        Ok(())
    }
}

impl Visitor for Tree<'_> {
    fn parts(&self) -> (&Session, &Options<'_>) {
        (&self.session, &self.options)
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (&mut self.session, &self.options)
    }
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        self.line(format_args!(" = {value}"))
    }
    fn begin_member(&mut self, name: &str, _: &'static Shape) -> Result<Begun> {
        if !self.label.is_empty() {
            self.line(":")?;
        }
        self.session.enter(&self.options)?;
        self.depth += 1;
        self.label = name.to_owned();
        Ok(Begun::Here)
    }
    fn end_member(&mut self, name: &str, done: Result) -> Result {
        done.map_err(|error| error.in_member(name))?;
        let nothing = if self.label.is_empty() { Ok(()) } else { self.line(": nothing") };
        self.depth -= 1;
        self.session.leave();
        nothing
    }
    fn begin_item(&mut self, index: usize) -> Result<Begun> {
        self.begin_member(&format!("[{index}]"), &Shape::Any)
    }
    fn end_item(&mut self, index: usize, done: Result) -> Result {
        self.end_member(&format!("[{index}]"), done)
    }
    fn begin_pointer(&mut self, head: &PointerHead<'_>) -> Result {
        self.label += &format!(" {:?} #{} {}", head.kind, head.id, head.type_name.unwrap_or(""));
        if head.has_pointee() { Ok(()) } else { self.line("") }
    }
}

impl Walk for Tree<'_> {
    type Way = Saves;
}

trait Command: archive::Polymorphic {}
archive::polymorphic!(dyn Command);

#[derive(Default, archive::Serialize)]
struct MoveTo {
    x: i32,
}
impl Command for MoveTo {}

#[derive(Default, archive::Serialize)]
struct Unit {
    orders: Vec<Box<dyn Command>>,
    patrol: Vec<Rc<RefCell<dyn Command>>>,
}

fn main() -> Result {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Command { MoveTo })?;
    let there = Rc::new(RefCell::new(MoveTo { x: 7 }));
    let patrol: Vec<Rc<RefCell<dyn Command>>> = vec![there.clone(), there];
    let mut unit = Unit { orders: vec![Box::new(MoveTo { x: 1 })], patrol };
    let options = Options::new().registry(&registry);
    // Erased, so that the functions of types are not compiled once more for this tool.
    Tree { options, ..Tree::default() }.erased().saving().serialize("unit", &mut unit)
}
