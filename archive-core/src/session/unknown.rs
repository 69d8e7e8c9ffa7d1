//! What a load knows of objects whose types the program does not know.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, RwLock};

use super::LoadTable;
use crate::error::Result;
use crate::opaque::{Links, References, Unknown, Untyped, check_id, sweep};
use crate::options::Options;
use crate::pointer::{Handle, PointerKind};

/// The objects of unknown types that were loaded.
#[derive(Default)]
pub(crate) struct LoadedUnknown {
    /// Of the body that is loaded next.
    announced: Option<(usize, Announced)>,
    /// Type ids, each once, however many objects have it.
    ids: HashSet<Arc<str>>,
    /// The references in the data being loaded, if it is that of such an object.
    pub(crate) references: Option<References>,
    /// Whether bodies of shared objects were met in such data: they may stand elsewhere as well.
    pub(crate) met_body: bool,
    /// Of all that have any.
    links: Vec<Arc<Links>>,
    /// How many of them were looked through for objects that must be loaded.
    looked_through: usize,
    /// How many of them mean objects by now.
    completed: usize,
    /// References that may turn out to mean another object: the id, whether they mean nothing yet, and
    /// which of the links have them.
    open: BTreeSet<(u64, bool, usize)>,
    /// The objects that they hold.
    wanted: HashSet<u64>,
    /// Those that are loaded without a type.
    pub(crate) untyped: Untyped,
}

/// What is known of an object before its body.
pub(crate) struct Announced {
    /// The type id; empty for none. An error if it cannot be kept.
    pub(crate) id: Result<Arc<str>>,
    /// Its id, if it is loaded because objects of unknown types refer to it.
    pub(crate) owner: Option<u64>,
}

impl LoadedUnknown {
    /// Says whose body is loaded next, that many levels deep.
    pub(crate) fn announce(&mut self, depth: usize, id: Option<&str>, owner: Option<u64>) {
        let id = id.map_or(Ok(Arc::default()), |id| check_id(id).map(|()| self.shared(id)));
        self.announced = Some((depth, Announced { id, owner }));
    }

    fn shared(&mut self, id: &str) -> Arc<str> {
        if let Some(known) = self.ids.get(id) {
            return known.clone();
        }
        let id: Arc<str> = id.into();
        self.ids.insert(id.clone());
        id
    }

    /// Forgets what was announced: the next body is that of another object.
    pub(crate) fn announce_none(&mut self) {
        self.announced = None;
    }

    /// What was announced of the body that stands so deep.
    pub(crate) fn take_announced(&mut self, depth: usize) -> Option<Announced> {
        self.announced.take().filter(|(at, _)| *at == depth).map(|(_, announced)| announced)
    }

    /// Notes a pointer in the data being loaded, if it is that of an object of an unknown type and the
    /// pointer refers to a shared object.
    pub(crate) fn note_reference(&mut self, id: u64, kind: PointerKind) -> bool {
        let Some(references) = self.references.as_mut().filter(|_| id != 0) else { return false };
        *references.entry(id).or_default() |= kind != PointerKind::Weak;
        self.met_body |= kind == PointerKind::Body;
        true
    }

    /// The links of an object whose data has these references; `owner` is its id as in [`Announced`].
    pub(crate) fn link(&mut self, owner: Option<u64>, references: References) -> Arc<Links> {
        let links = Arc::new(Links::new(owner, references));
        self.links.push(links.clone());
        links
    }

    /// Notes which objects are held by those that were loaded since the last call, and gives the ids
    /// of those that must be loaded without a type: no pointer of the program refers to them, or they
    /// may leave the thread together with what refers to them.
    ///
    /// # Errors
    /// If there are too many objects.
    pub(crate) fn look_through(
        &mut self,
        loaded: &mut LoadTable,
        options: &Options<'_>,
    ) -> Result<Vec<u64>> {
        let mut to_load = Vec::new();
        for links in &self.links[self.looked_through..] {
            let is_of_copy = links.are_of_copy(loaded);
            for id in links.strong() {
                let in_arc = loaded.get(id).map(|entry| matches!(entry.handle, Handle::Arc(_)));
                if !is_of_copy && self.wanted.insert(id) && in_arc.is_some() {
                    loaded.hold(id);
                }
                if in_arc != Some(false) && !self.untyped.contains_key(&id) {
                    loaded.mention(id, options)?;
                    self.untyped.insert(id, Arc::new(RwLock::new(Unknown::default())));
                    to_load.push(id);
                }
            }
        }
        self.looked_through = self.links.len();
        for id in loaded.take_loose() {
            if self.wanted.contains(&id) {
                loaded.hold(id);
            }
        }
        Ok(to_load)
    }

    /// Makes all references mean the objects that were loaded: those that were read since the last
    /// call, and those of which the object was.
    pub(crate) fn complete(&mut self, loaded: &mut LoadTable) {
        let untyped = &self.untyped;
        let mut met = |id: u64, nothing: bool| {
            let is_object = loaded.get(id).is_some_and(|entry| entry.handle.object().is_some());
            is_object || nothing && untyped.contains_key(&id)
        };
        let mut again: BTreeSet<usize> = (self.completed..self.links.len()).collect();
        self.open.retain(|&(id, nothing, at)| {
            let found = met(id, nothing);
            if found {
                again.insert(at);
            }
            !found
        });
        self.completed = self.links.len();
        if again.is_empty() {
            return;
        }
        sweep();
        for at in again {
            self.links[at].complete(loaded, untyped, &mut |id, nothing| {
                self.open.insert((id, nothing, at));
            });
        }
    }
}
