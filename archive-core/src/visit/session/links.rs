//! [`Links`]: live pointers by id, for a tree that refers to objects which exist in the program.

use std::any::{Any, TypeId};
use std::fmt;
use std::rc::Rc;

/// The live pointers that a tree refers to, by id and type of the pointer: one object may be held by
/// pointers of two types.
#[doc(hidden)]
#[derive(Clone, Default)]
pub struct Links(Option<Rc<Vec<Link>>>);

/// A live pointer.
#[derive(Clone)]
struct Link {
    id: u64,
    /// The address of the object.
    object: usize,
    pointer: Rc<dyn Any>,
}

impl Links {
    pub(crate) fn add<P: Clone + 'static>(&mut self, id: u64, object: usize, pointer: &P) {
        if self.find(id, TypeId::of::<P>()).is_none() {
            self.push(Link { id, object, pointer: Rc::new(pointer.clone()) });
        }
    }

    pub(crate) fn get<P: Clone + 'static>(&self, id: u64) -> Option<P> {
        self.find(id, TypeId::of::<P>())?.downcast_ref::<P>().cloned()
    }

    fn push(&mut self, link: Link) {
        let links = Rc::make_mut(self.0.get_or_insert_default());
        // Mostly at the end: a tree gives ids in order. Pointers of another type refer back.
        let at = links.partition_point(|other| other.id <= link.id);
        links.insert(at, link);
    }

    /// The ids are in order.
    fn find(&self, id: u64, pointer: TypeId) -> Option<&dyn Any> {
        let links = self.0.as_deref()?;
        let first = links.partition_point(|link| link.id < id);
        let same = links[first..].iter().take_while(|link| link.id == id);
        same.map(|link| &*link.pointer).find(|link| (*link).type_id() == pointer)
    }

    /// Returns whether the pointers have the same ids and refer to the same objects.
    #[must_use]
    pub fn are(&self, others: &Links) -> bool {
        let objects = |links: &Links| -> Vec<(u64, usize)> {
            let links = links.0.as_deref().map_or(&[][..], Vec::as_slice);
            links.iter().map(|link| (link.id, link.object)).collect()
        };
        objects(self) == objects(others)
    }

    /// Returns whether there are no pointers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

impl fmt::Debug for Links {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} live pointers", self.0.as_ref().map_or(0, |links| links.len()))
    }
}
