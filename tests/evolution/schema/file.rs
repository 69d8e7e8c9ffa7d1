//! The content of a file: the members and variants by name, and each shared object at its first
//! place.

use std::collections::HashMap;

use super::data::{Data, Graph};
use super::types::Schema;

/// A pointer in a file.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Counted from 1, in the order of the first visits.
    pub id: usize,
    pub class: usize,
    /// Only at the first place of the object.
    pub object: Option<Box<Data<Reference>>>,
}

pub struct File<'a> {
    pub schema: &'a Schema,
    pub root: Data<Reference>,
    /// The objects by id, with their classes.
    pub objects: HashMap<usize, (usize, Data<Reference>)>,
}

impl<'a> File<'a> {
    pub fn new(schema: &'a Schema, graph: &Graph) -> File<'a> {
        let mut writer = Writer { graph, ids: HashMap::new(), objects: HashMap::new() };
        let root = writer.write(&graph.root);
        File { schema, root, objects: writer.objects }
    }
}

struct Writer<'a> {
    graph: &'a Graph,
    ids: HashMap<usize, usize>,
    objects: HashMap<usize, (usize, Data<Reference>)>,
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
            return Reference { id, class, object: None };
        }
        let object = self.write(members);
        self.objects.insert(id, (class, object.clone()));
        Reference { id, class, object: Some(Box::new(object)) }
    }
}
