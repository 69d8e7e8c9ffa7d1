//! [`Links`]: live pointers by id, for a tree that refers to objects of the program.

use std::any::{Any, TypeId};
use std::fmt;
use std::rc::Rc;

/// The live pointers that a tree refers to, by id and by type of the pointer, since pointers of two
/// types may refer to one object.
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
    /// Returns links to which weak pointers are added while a value is saved with its objects.
    #[must_use]
    pub fn collecting() -> Self {
        Links(Some(Rc::default()))
    }

    /// Returns whether weak pointers are added while a value is saved with its objects.
    #[inline]
    pub(crate) fn collects(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the greatest id; 0 if there are no pointers.
    #[must_use]
    pub fn last_id(&self) -> u64 {
        self.0.as_ref().and_then(|links| links.last()).map_or(0, |link| link.id)
    }

    /// Returns whether there is a pointer with that id.
    #[must_use]
    pub fn has(&self, id: u64) -> bool {
        self.0.as_deref().is_some_and(|links| links.binary_search_by_key(&id, |it| it.id).is_ok())
    }

    /// Adds the other pointers whose ids are accepted. Each id is increased by `by`.
    pub fn add_all(&mut self, others: &Links, by: u64, accepts: impl Fn(u64) -> bool) {
        let others = others.0.as_deref().into_iter().flatten();
        for link in others.filter(|link| accepts(link.id)) {
            self.push(Link { id: link.id + by, ..link.clone() });
        }
    }

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
        // Mostly at the end, because a tree assigns ids in order. Pointers of another type refer
        // back.
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

    /// Returns whether both have the same ids, referring to the same objects.
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
        self.0.as_ref().is_none_or(|links| links.is_empty())
    }
}

impl fmt::Debug for Links {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} live pointers", self.0.as_ref().map_or(0, |links| links.len()))
    }
}
