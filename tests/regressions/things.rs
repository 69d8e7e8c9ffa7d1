//! A trait object that refers to others, in the tests of several faults.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use archive::{Options, Polymorphic, Registry, Serialize, polymorphic, register};

pub trait Thing: Polymorphic {
    fn next(&mut self) -> &mut Option<Rc<RefCell<dyn Thing>>>;
    fn other(&self) -> Option<Rc<RefCell<dyn Thing>>>;
    fn label(&self) -> u32;
}
polymorphic!(dyn Thing);

#[derive(Default, Serialize)]
pub struct Node {
    pub label: u32,
    pub next: Option<Rc<RefCell<dyn Thing>>>,
    pub other: Option<Weak<RefCell<dyn Thing>>>,
}

impl Thing for Node {
    fn next(&mut self) -> &mut Option<Rc<RefCell<dyn Thing>>> {
        &mut self.next
    }
    fn other(&self) -> Option<Rc<RefCell<dyn Thing>>> {
        self.other.as_ref()?.upgrade()
    }
    fn label(&self) -> u32 {
        self.label
    }
}

pub fn options() -> Options<'static> {
    let mut registry = Registry::new();
    register!(registry, dyn Thing { Node }).unwrap();
    Options::new().registry(&registry)
}

pub fn node(label: u32) -> Rc<RefCell<dyn Thing>> {
    Rc::new(RefCell::new(Node { label, ..Node::default() }))
}
