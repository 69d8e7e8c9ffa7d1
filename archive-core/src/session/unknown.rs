//! The state of a load that concerns objects of types that the program does not know.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, RwLock};

use super::LoadTable;
use crate::error::Result;
use crate::opaque::{Links, References, Unknown, Untyped, check_id, sweep};
use crate::options::Options;
use crate::pointer::{Handle, PointerKind};

/// The objects of unknown types that were loaded. Few loads have any, so what is known of them is in a
/// box, and a session is small.
#[derive(Default)]
pub(crate) struct LoadedUnknown {
    objects: Option<Box<Objects>>,
}

#[derive(Default)]
struct Objects {
    /// The announcement for the body that is loaded next, with its depth.
    announced: Option<(usize, Announced)>,
    /// The references in the data being loaded, if it is that of an object of an unknown type.
    references: Option<References>,
    /// Whether such data contained bodies of shared objects. The same objects may have another body
    /// elsewhere.
    met_body: bool,
    /// The type ids. Objects with the same type id share one.
    ids: HashSet<Arc<str>>,
    /// The links of all such objects that have any.
    links: Vec<Arc<Links>>,
    /// The number of `links` that were searched for objects that must be loaded.
    looked_through: usize,
    /// The number of `links` whose references have been resolved to objects.
    completed: usize,
    /// References that may later be resolved to another object: the id, whether they refer to
    /// nothing yet, and the index in `links`.
    open: BTreeSet<(u64, bool, usize)>,
    /// The objects that these objects hold.
    wanted: HashSet<u64>,
    /// The objects that are loaded without a type.
    untyped: Untyped,
}

/// What is known of an object before its body.
pub(crate) struct Announced {
    /// The type id; empty if there is none. An error if it cannot be kept.
    pub(crate) id: Result<Arc<str>>,
    /// The object's id, if it is loaded because objects of unknown types refer to it.
    pub(crate) owner: Option<u64>,
}

impl LoadedUnknown {
    /// Returns whether no object of an unknown type was loaded or announced.
    #[inline]
    pub(super) fn is_unused(&self) -> bool {
        self.objects.is_none()
    }

    /// Begins or ends the data of an object of an unknown type. Returns the references in the
    /// outer data, if there is any.
    pub(crate) fn exchange(&mut self, references: Option<References>) -> Option<References> {
        std::mem::replace(&mut self.objects.get_or_insert_default().references, references)
    }

    /// Returns whether the data of an object of an unknown type is being loaded.
    #[inline]
    pub(crate) fn is_in_data(&self) -> bool {
        self.objects.as_ref().is_some_and(|objects| objects.references.is_some())
    }

    /// Returns whether such data contained bodies of shared objects since the last call.
    pub(crate) fn take_met_body(&mut self) -> bool {
        self.objects.as_mut().is_some_and(|objects| std::mem::take(&mut objects.met_body))
    }

    /// Returns an object that is loaded without a type.
    pub(crate) fn untyped(&self, id: u64) -> Option<&Arc<RwLock<Unknown>>> {
        self.objects.as_ref()?.untyped.get(&id)
    }

    /// Announces the body that is loaded next, at depth `depth`.
    pub(crate) fn announce(&mut self, depth: usize, id: Option<&str>, owner: Option<u64>) {
        let id = id.map_or(Ok(Arc::default()), |id| check_id(id).map(|()| self.shared(id)));
        self.objects.get_or_insert_default().announced = Some((depth, Announced { id, owner }));
    }

    fn shared(&mut self, id: &str) -> Arc<str> {
        let ids = &mut self.objects.get_or_insert_default().ids;
        if let Some(known) = ids.get(id) {
            return known.clone();
        }
        let id: Arc<str> = id.into();
        ids.insert(id.clone());
        id
    }

    /// Forgets the announcement, because the next body is that of another object.
    pub(crate) fn announce_none(&mut self) {
        if let Some(objects) = &mut self.objects {
            objects.announced = None;
        }
    }

    /// Returns the announcement for the body at that depth.
    pub(crate) fn take_announced(&mut self, depth: usize) -> Option<Announced> {
        let (at, announced) = self.objects.as_mut()?.announced.take()?;
        (at == depth).then_some(announced)
    }

    /// Notes a pointer, if it is in the data of an object of an unknown type and refers to a shared
    /// object. Returns whether it did.
    pub(crate) fn note_reference(&mut self, id: u64, kind: PointerKind) -> bool {
        let Some(Objects { references: Some(references), met_body, .. }) =
            self.objects.as_deref_mut().filter(|_| id != 0)
        else {
            return false;
        };
        *references.entry(id).or_default() |= kind != PointerKind::Weak;
        *met_body |= kind == PointerKind::Body;
        true
    }

    /// Creates the links of an object whose data has these references. `owner` is its id as in
    /// [`Announced`].
    pub(crate) fn link(&mut self, owner: Option<u64>, references: References) -> Arc<Links> {
        let links = Arc::new(Links::new(owner, references));
        self.objects.get_or_insert_default().links.push(links.clone());
        links
    }

    /// Notes which objects are held by those that were loaded since the last call. Returns the ids
    /// of those that must be loaded without a type, because no pointer of the program refers to
    /// them, or because they may leave the thread together with the objects that refer to them.
    ///
    /// # Errors
    /// Returns an error if there are too many objects.
    pub(crate) fn look_through(
        &mut self,
        loaded: &mut LoadTable,
        options: &Options<'_>,
    ) -> Result<Vec<u64>> {
        let mut to_load = Vec::new();
        let Some(this) = &mut self.objects else {
            loaded.take_pending_weak();
            return Ok(to_load);
        };
        for links in &this.links[this.looked_through..] {
            let is_of_copy = links.are_of_copy(loaded);
            for id in links.strong() {
                let in_arc = loaded.get(id).map(|entry| matches!(entry.handle, Handle::Arc(_)));
                if !is_of_copy && this.wanted.insert(id) && in_arc.is_some() {
                    loaded.hold(id);
                }
                if in_arc != Some(false) && !this.untyped.contains_key(&id) {
                    loaded.mention(id, options)?;
                    this.untyped.insert(id, Arc::new(RwLock::new(Unknown::default())));
                    to_load.push(id);
                }
            }
        }
        this.looked_through = this.links.len();
        for id in loaded.take_pending_weak() {
            if this.wanted.contains(&id) {
                loaded.hold(id);
            }
        }
        Ok(to_load)
    }

    /// Resolves references to the objects that were loaded: references that were read since the
    /// last call, and those whose object was.
    pub(crate) fn complete(&mut self, loaded: &mut LoadTable) {
        let Some(this) = &mut self.objects else { return };
        let untyped = &this.untyped;
        let mut met = |id: u64, nothing: bool| {
            let is_object = loaded.get(id).is_some_and(|entry| entry.handle.object().is_some());
            is_object || nothing && untyped.contains_key(&id)
        };
        let mut again: BTreeSet<usize> = (this.completed..this.links.len()).collect();
        this.open.retain(|&(id, nothing, at)| {
            let found = met(id, nothing);
            if found {
                again.insert(at);
            }
            !found
        });
        this.completed = this.links.len();
        if again.is_empty() {
            return;
        }
        sweep();
        for at in again {
            this.links[at].complete(loaded, untyped, &mut |id, nothing| {
                this.open.insert((id, nothing, at));
            });
        }
    }
}
