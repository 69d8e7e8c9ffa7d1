//! Objects of classes that are known only at run time: a hand-written `serialize` for any schema.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use archive::{Archive, Blank, Options, Result, Serialize};

use super::data::{Data, Graph};
use super::place::members;
use super::run_time_shapes::Built;

/// A shared pointer, as a program has it.
pub type Link = Rc<RefCell<Object>>;

/// An object of a class.
#[derive(Clone, Default)]
pub struct Object {
    /// `None` if the object was abandoned.
    pub built: Option<Rc<Built>>,
    pub class: usize,
    pub members: Vec<Data<Link>>,
}

/// The state that `Blank` needs: the class of the next object.
pub struct Current {
    pub built: Rc<Built>,
    pub class: Cell<usize>,
}

/// The options for one load of an object of a schema's first class.
pub fn options(built: &Rc<Built>) -> Options<'static> {
    Options::new().provide(Current { built: built.clone(), class: Cell::new(0) })
}

impl Object {
    pub fn blank_of(built: &Rc<Built>, class: usize) -> Object {
        let mut pointer = |class| Rc::new(RefCell::new(Object::blank_of(built, class)));
        let members = Data::blank_members(class, &built.schema, &mut pointer);
        Object { built: Some(built.clone()), class, members }
    }

    /// The object with that content.
    pub fn new(built: &Rc<Built>, graph: &Graph) -> Object {
        let empty = |class: usize| Object { built: Some(built.clone()), class, members: vec![] };
        let heap: Vec<Link> =
            graph.heap.iter().map(|(class, _)| Rc::new(RefCell::new(empty(*class)))).collect();
        let members = |data: &Data<usize>| match data.map(&mut |at: &usize| heap[*at].clone()) {
            Data::Object(members) => members,
            other => panic!("{other:?} is not an object", other = other.map(&mut |_| ())),
        };
        for (link, (_, data)) in heap.iter().zip(&graph.heap) {
            link.borrow_mut().members = members(data);
        }
        Object { members: members(&graph.root), ..empty(0) }
    }

    /// The content of the object.
    pub fn graph(&self) -> Graph {
        let mut links: Vec<Link> = Vec::new();
        let number = |links: &mut Vec<Link>, link: &Link| {
            links.iter().position(|known| Rc::ptr_eq(known, link)).unwrap_or_else(|| {
                links.push(link.clone());
                links.len() - 1
            })
        };
        let members = |members: &[Data<Link>], number: &mut dyn FnMut(&Link) -> usize| {
            Data::Object(members.iter().map(|member| member.map(number)).collect())
        };
        let root = members(&self.members, &mut |link| number(&mut links, link));
        let mut heap = Vec::new();
        while heap.len() < links.len() {
            let link = links[heap.len()].clone();
            let object = link.borrow();
            heap.push((object.class, members(&object.members, &mut |l| number(&mut links, l))));
        }
        Graph { root, heap }
    }
}

impl Blank for Object {
    fn blank(options: &Options<'_>) -> Self {
        match options.context::<Current>() {
            Some(current) => Object::blank_of(&current.built, current.class.get()),
            None => Object::default(),
        }
    }
}

impl Serialize for Object {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        match self.built.clone() {
            Some(built) => members(&built, self.class, &mut self.members, ar),
            None => Ok(()),
        }
    }
}

archive::save_by_clone!(Object);
