//! A tool instead of a format: an archive that prints any value in memory, one line for each part.

use archive::backend::{Body, Either, PointerHead, Scalar, Session, Shape};
use archive::{Archive, Options, Registry, Result};
use std::{cell::RefCell, fmt::Display, rc::Rc};

#[derive(Default)]
struct Tree<'o> {
    session: Session,
    options: Options<'o>,
    margin: String,
    label: String, // what the next line begins with
}

impl Tree<'_> {
    fn line(&mut self, value: impl Display) -> Result {
        println!("{}{}{value}", self.margin, std::mem::take(&mut self.label));
        Ok(())
    }
}

impl Archive for Tree<'_> {
    type Way = Either;
    fn is_loading(&self) -> bool {
        false
    }
    fn parts(&self) -> (&Session, &Options<'_>) {
        (&self.session, &self.options)
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (&mut self.session, &self.options)
    }
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        self.line(format_args!(" = {value}"))
    }
    fn slot<B: Body>(&mut self, name: &str, _: &'static Shape, body: &mut B) -> Result {
        if !self.label.is_empty() {
            self.line(":")?;
            self.margin += "  ";
        }
        let margin = self.margin.len();
        self.label += name;
        self.session.enter(&self.options)?;
        body.run(self)?;
        self.session.leave();
        self.margin.truncate(margin);
        if self.label.is_empty() { Ok(()) } else { self.line(": nothing") }
    }
    fn item<B: Body>(&mut self, index: usize, body: &mut B) -> Result<bool> {
        self.slot(&format!("[{index}]"), &Shape::Any, body).map(|()| true)
    }
    fn save_pointer<B: Body>(&mut self, head: &PointerHead<'_>, body: &mut B) -> Result {
        self.label += &format!(" {:?} #{} {}", head.kind, head.id, head.type_name.unwrap_or(""));
        if head.has_body() { body.run(self) } else { self.line("") }
    }
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
    Tree { options, ..Tree::default() }.serialize("unit", &mut unit)
}
