//! The object table: the offset and the type of each shared object.
// Why: docs/decisions/pointers.md#shared-objects-are-stored-inline

use archive_core::shape::Shape;
use archive_core::{Error, ErrorKind, Position, Result};
use rustc_hash::FxHashMap;

use crate::intern::TypeTable;
use crate::names::NameId;
use crate::types::TypeId;

/// The type of an object, and the registered id of that type if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PointeeType<N> {
    /// The registered type id.
    pub(crate) name: Option<N>,
    /// The type.
    pub(crate) kind: TypeId,
}

/// The types of objects, collected while the objects are written.
#[derive(Default)]
pub(crate) struct ConcreteTypes {
    list: Vec<PointeeType<NameId>>,
    ids: FxHashMap<PointeeType<NameId>, u32>,
    /// The last number that was assigned to a shape, by the address of the shape.
    last: FxHashMap<usize, u32>,
    /// The same for the shapes that were used last, in a small cache.
    recent: [(usize, u32); RECENT],
}

/// The size of that cache, and the minimum distance in memory that two shapes nearly always have.
const RECENT: usize = 16;
const APART: usize = size_of::<Shape>();

impl ConcreteTypes {
    /// Returns all types, in the order of their numbers.
    pub(crate) fn list(&self) -> &[PointeeType<NameId>] {
        &self.list
    }

    /// Returns the number of an object's type.
    pub(crate) fn intern(
        &mut self,
        shape: &'static Shape,
        type_name: Option<&str>,
        types: &mut TypeTable,
    ) -> u32 {
        let address = std::ptr::from_ref(shape).addr();
        let recent = &mut self.recent[address / APART % RECENT];
        let last =
            if recent.0 == address { Some(recent.1) } else { self.last.get(&address).copied() };
        if let Some(id) = last {
            *recent = (address, id);
            let name = self.list[id as usize].name.map(|name| types.names.get(name));
            if name == type_name {
                return id;
            }
        }
        let name = type_name.map(|name| types.names.intern(name));
        let concrete = PointeeType { name, kind: types.intern(shape) };
        let next = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        let id = *self.ids.entry(concrete).or_insert(next);
        if id == next {
            self.list.push(concrete);
        }
        self.last.insert(address, id);
        self.recent[address / APART % RECENT] = (address, id);
        id
    }
}

/// An object in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pointee {
    /// The object's id.
    pub(crate) id: u64,
    /// The offset of its first byte.
    pub(crate) at: usize,
    /// The number of its type in the list of concrete types.
    pub(crate) concrete: u32,
}

/// Sorts objects by their ids.
///
/// # Errors
/// [`ErrorKind::BadPointer`] if two objects have the same id.
pub(crate) fn by_id(mut pointees: Vec<Pointee>, last: u64) -> Result<Vec<Pointee>> {
    let twice = || Error::new(ErrorKind::BadPointer, "an object was written twice");
    if pointees.is_sorted_by(|one, next| one.id < next.id) {
        return Ok(pointees);
    }
    // If most objects are stored, as usual, each is moved directly to its index.
    let dense = usize::try_from(last).ok().filter(|last| last / 4 <= pointees.len());
    let Some(dense) = dense.and_then(|last| last.checked_add(1)) else {
        pointees.sort_unstable_by_key(|pointee| pointee.id);
        let distinct = pointees.windows(2).all(|pair| pair[0].id != pair[1].id);
        return if distinct { Ok(pointees) } else { Err(twice()) };
    };
    let mut indices = vec![u32::MAX; dense];
    for (pointee, index) in pointees.iter().zip(0..) {
        if std::mem::replace(&mut indices[pointee.id as usize], index) != u32::MAX {
            return Err(twice());
        }
    }
    let mut sorted = Vec::with_capacity(pointees.len());
    sorted.extend(indices.iter().filter_map(|index| pointees.get(*index as usize).copied()));
    Ok(sorted)
}

/// The objects of a file being read, in the order of their ids. There may be very many, so none
/// takes more bytes than it needs.
#[derive(Default)]
pub(crate) struct Objects {
    /// The offset of each object that is stored.
    places: Vec<usize>,
    /// The number of its type.
    types: Vec<u32>,
    /// Its id. Empty if all objects are stored: their ids are then 1, 2, 3 and so on.
    ids: Vec<u64>,
    /// The highest id, whether its object is stored or not.
    last: u64,
}

impl Objects {
    /// Creates a table without objects, for ids up to `last`.
    pub(crate) fn new(last: u64) -> Self {
        Objects { last, ..Objects::default() }
    }

    /// Adds an object, whose id is higher than those of the objects before.
    pub(crate) fn add(&mut self, pointee: Pointee) {
        let next = self.len() as u64 + 1;
        if pointee.id != next && self.ids.is_empty() {
            self.ids.extend(1..next);
        }
        if pointee.id != next || !self.ids.is_empty() {
            self.ids.push(pointee.id);
        }
        self.places.push(pointee.at);
        self.types.push(pointee.concrete);
    }

    /// Ends the table.
    ///
    /// # Errors
    /// Returns an offset that several objects have.
    pub(crate) fn finish(&mut self) -> std::result::Result<(), usize> {
        self.places.shrink_to_fit();
        self.types.shrink_to_fit();
        self.ids.shrink_to_fit();
        let mut places = self.places.clone();
        places.sort_unstable();
        places.windows(2).find(|pair| pair[0] == pair[1]).map_or(Ok(()), |pair| Err(pair[0]))
    }

    /// Returns the highest id, whether its object is stored or not.
    #[cfg(feature = "document")]
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// Returns the number of objects that are stored.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns all objects that are stored.
    #[cfg(feature = "document")]
    pub(crate) fn stored(&self) -> impl Iterator<Item = Pointee> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Returns an object among those that are stored.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<Pointee> {
        let id = match self.ids.get(index) {
            Some(id) => *id,
            None => index as u64 + 1,
        };
        Some(Pointee { id, at: *self.places.get(index)?, concrete: *self.types.get(index)? })
    }

    /// Returns the index of an object among those that are stored, or `None` if only weak pointers refer to it.
    ///
    /// # Errors
    /// [`ErrorKind::BadPointer`] if there is no object with that id.
    #[inline]
    pub(crate) fn find_index(&self, id: u64, position: Position) -> Result<Option<usize>> {
        if id == 0 || id > self.last {
            return Err(self.unknown(id, position));
        }
        // If all objects before this one are stored, the id gives the index.
        let index = usize::try_from(id - 1).ok().filter(|index| *index < self.len());
        if self.ids.is_empty() || index.is_some_and(|index| self.ids[index] == id) {
            return Ok(index);
        }
        Ok(self.ids.binary_search(&id).ok())
    }

    /// Like [`find_index`](Objects::find_index), and returns the object.
    #[inline]
    pub(crate) fn find(&self, id: u64, position: Position) -> Result<Option<Pointee>> {
        Ok(self.find_index(id, position)?.and_then(|index| self.get(index)))
    }

    #[cold]
    fn unknown(&self, id: u64, position: Position) -> Error {
        let message = format_args!("there is no object {id}; the file has {}", self.last);
        Error::new(ErrorKind::BadPointer, message).at(position)
    }
}
