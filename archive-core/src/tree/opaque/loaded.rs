//! [`AllLinks`]: the links of all objects of unknown types that one load creates.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, RwLock};

use super::Unknown;
use super::held::sweep;
use super::links::{Links, Untyped};
use crate::model::error::Result;
use crate::state::options::Options;
use crate::visit::object::Handle;
use crate::visit::session::{LoadTable, LoadedLinks, References};

/// The links of all objects of unknown types that have any.
#[derive(Default)]
pub(super) struct AllLinks {
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

impl AllLinks {
    /// Creates the links of an object whose data has these references. `owner` is the object's id,
    /// if it is loaded because objects of unknown types refer to it.
    pub(super) fn add(&mut self, owner: Option<u64>, references: References) -> Arc<Links> {
        let links = Arc::new(Links::new(owner, references));
        self.links.push(links.clone());
        links
    }
}

impl LoadedLinks for AllLinks {
    fn untyped(&self, id: u64) -> Option<Handle> {
        self.untyped.get(&id).map(|object| Handle::Arc(object.clone()))
    }

    fn look_through(&mut self, loaded: &mut LoadTable, options: &Options<'_>) -> Result<Vec<u64>> {
        let (this, mut to_load) = (self, Vec::new());
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

    fn complete(&mut self, loaded: &mut LoadTable) {
        let this = self;
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
