//! What a file holds: the members and variants by name, and each shared object's body where it is
//! met first.

use std::collections::HashMap;

use super::data::{Data, Graph};
use super::types::Schema;

/// A pointer in a file.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Counted from 1, in the order in which objects are met.
    pub id: usize,
    pub class: usize,
    /// Only where the object is met first.
    pub body: Option<Box<Data<Reference>>>,
}

pub struct File<'a> {
    pub schema: &'a Schema,
    pub root: Data<Reference>,
    /// The bodies by id, with their classes.
    pub bodies: HashMap<usize, (usize, Data<Reference>)>,
}

impl<'a> File<'a> {
    pub fn new(schema: &'a Schema, graph: &Graph) -> File<'a> {
        let mut writer = Writer { graph, ids: HashMap::new(), bodies: HashMap::new() };
        let root = writer.write(&graph.root);
        File { schema, root, bodies: writer.bodies }
    }
}

struct Writer<'a> {
    graph: &'a Graph,
    ids: HashMap<usize, usize>,
    bodies: HashMap<usize, (usize, Data<Reference>)>,
}

impl Writer<'_> {
    fn write(&mut self, data: &Data<usize>) -> Data<Reference> {
        data.map(&mut |at| self.reference(*at))
    }

    fn reference(&mut self, at: usize) -> Reference {
        let (class, members) = &self.graph.heap[at];
        let (class, next) = (*class, self.ids.len() + 1);
        let id = *self.ids.entry(at).or_insert(next);
        if id != next {
            return Reference { id, class, body: None };
        }
        let body = self.write(members);
        self.bodies.insert(id, (class, body.clone()));
        Reference { id, class, body: Some(Box::new(body)) }
    }
}
