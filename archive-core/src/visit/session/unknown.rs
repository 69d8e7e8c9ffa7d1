//! The state of a load that concerns objects of types that the program does not know.

use std::any::Any;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::LoadTable;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::head::PointerKind;
use crate::state::options::Options;
use crate::visit::object::Handle;

/// References by id, each with whether it keeps its object alive.
pub(crate) type References = BTreeMap<u64, bool>;

/// The objects of unknown types that were loaded. Few loads have any, so their state is in a box,
/// and a session is small.
#[derive(Default)]
pub(crate) struct LoadedUnknown {
    objects: Option<Box<Objects>>,
}

#[derive(Default)]
struct Objects {
    /// The announcement for the object that is loaded next, with its depth.
    announced: Option<(usize, Announced)>,
    /// The references in the data being loaded, if it is the data of an object of an unknown type.
    references: Option<References>,
    /// Whether such data contained shared objects. The same objects may be stored elsewhere, too.
    met_pointee: bool,
    /// The type ids. Objects with the same type id share one.
    ids: HashSet<Arc<str>>,
    /// The objects that the references in all such data denote, if there are any.
    links: Option<Box<dyn LoadedLinks>>,
}

/// The objects that the references in the data of objects of unknown types denote.
pub(crate) trait LoadedLinks: Any {
    /// Returns an object that is loaded without a type.
    fn untyped(&self, id: u64) -> Option<Handle>;

    /// Records which objects are held by the objects that were loaded since the last call. Returns
    /// the ids of the held objects that must be loaded without a type, because no pointer of the
    /// program refers to them, or because they may leave the thread together with the objects that
    /// refer to them.
    ///
    /// # Errors
    /// Returns an error if there are too many objects.
    fn look_through(&mut self, loaded: &mut LoadTable, options: &Options<'_>) -> Result<Vec<u64>>;

    /// Resolves references to the objects that were loaded. These are the references that were read
    /// since the last call, and earlier ones whose object was loaded since.
    fn complete(&mut self, loaded: &mut LoadTable);
}

/// An announced object: the facts that are known before it is loaded.
pub(crate) struct Announced {
    /// The type id; empty if there is none. An error if the type id cannot be kept.
    pub(crate) id: Result<Arc<str>>,
    /// The object's id, if the object is loaded because objects of unknown types refer to it.
    pub(crate) owner: Option<u64>,
}

impl LoadedUnknown {
    /// Returns whether no object of an unknown type was loaded or announced.
    #[inline]
    pub(super) fn is_unused(&self) -> bool {
        self.objects.is_none()
    }

    /// Begins or ends the data of an object of an unknown type. Returns the references in the data
    /// around it, if there is any.
    pub(crate) fn exchange(&mut self, references: Option<References>) -> Option<References> {
        std::mem::replace(&mut self.objects.get_or_insert_default().references, references)
    }

    /// Returns whether the data of an object of an unknown type is being loaded.
    #[inline]
    pub(crate) fn is_in_data(&self) -> bool {
        self.objects.as_ref().is_some_and(|objects| objects.references.is_some())
    }

    /// Returns whether such data contained shared objects since the last call.
    pub(crate) fn take_met_pointee(&mut self) -> bool {
        self.objects.as_mut().is_some_and(|objects| std::mem::take(&mut objects.met_pointee))
    }

    /// Returns the objects that the references denote, if there are any.
    fn links(&self) -> Option<&dyn LoadedLinks> {
        self.objects.as_ref()?.links.as_deref()
    }

    /// Like [`links`](LoadedUnknown::links), mutable.
    fn links_mut(&mut self) -> Option<&mut (dyn LoadedLinks + 'static)> {
        self.objects.as_mut()?.links.as_deref_mut()
    }

    /// Returns the objects that the references denote, as a `T`.
    pub(crate) fn links_as<T: LoadedLinks + Default>(&mut self) -> Option<&mut T> {
        let links = &mut self.objects.get_or_insert_default().links;
        let links: &mut dyn Any = &mut **links.get_or_insert_with(|| Box::new(T::default()));
        links.downcast_mut()
    }

    /// [`LoadedLinks::untyped`].
    pub(crate) fn untyped(&self, id: u64) -> Option<Handle> {
        self.links()?.untyped(id)
    }

    /// [`LoadedLinks::look_through`].
    ///
    /// # Errors
    /// Returns an error if there are too many objects.
    pub(crate) fn look_through(
        &mut self,
        loaded: &mut LoadTable,
        options: &Options<'_>,
    ) -> Result<Vec<u64>> {
        if let Some(links) = self.links_mut() {
            return links.look_through(loaded, options);
        }
        loaded.take_pending_weak();
        Ok(Vec::new())
    }

    /// [`LoadedLinks::complete`].
    pub(crate) fn complete(&mut self, loaded: &mut LoadTable) {
        if let Some(links) = self.links_mut() {
            links.complete(loaded);
        }
    }

    /// Announces the object that is loaded next, at depth `depth`.
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

    /// Forgets the announcement, because the next object is another one.
    pub(crate) fn announce_none(&mut self) {
        if let Some(objects) = &mut self.objects {
            objects.announced = None;
        }
    }

    /// Returns the announcement for the object at that depth.
    pub(crate) fn take_announced(&mut self, depth: usize) -> Option<Announced> {
        let (at, announced) = self.objects.as_mut()?.announced.take()?;
        (at == depth).then_some(announced)
    }

    /// Records a pointer, if it is in the data of an object of an unknown type and refers to a
    /// shared object. Returns whether it did.
    pub(crate) fn note_reference(&mut self, id: u64, kind: PointerKind) -> bool {
        let Some(Objects { references: Some(references), met_pointee, .. }) =
            self.objects.as_deref_mut().filter(|_| id != 0)
        else {
            return false;
        };
        *references.entry(id).or_default() |= kind != PointerKind::Weak;
        *met_pointee |= kind == PointerKind::Stored;
        true
    }
}

/// The longest type id that is kept, in bytes. Every object is written with its own.
const LONGEST_ID: usize = 4096;

/// Checks the type id of an object that is to be kept.
fn check_id(id: &str) -> Result {
    let what = match id.len() {
        0 => "is empty",
        1..=LONGEST_ID => return Ok(()),
        _ => "is too long",
    };
    let message = format_args!("the type id of an unknown object {what}");
    Err(Error::new(ErrorKind::UnknownType, message))
}
