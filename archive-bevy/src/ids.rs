//! [`LoadedEntities`]: the entities of a file while it is loaded.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use archive::{Error, ErrorKind, Result};
use bevy_ecs::prelude::*;

#[cfg(feature = "store")]
use crate::mark::Marked;

/// The entities of a file: a number and an entity for each, in the order of the numbers. The entities
/// are reserved, and not in the world yet, except those that are merged.
///
/// `archive_bevy::entity` finds them in the context of a load.
pub(crate) struct LoadedEntities {
    list: RefCell<Vec<(u32, Entity)>>,
    /// The place that was found last. A file has the components of a type in the order of the
    /// entities.
    last: Cell<usize>,
    /// Entities that were reserved and are not used.
    spare: RefCell<Vec<Entity>>,
    /// The entities of the world that stay.
    staying: BTreeMap<u32, Entity>,
    /// The treatment of an entity of the file that is in `staying`.
    clash: Clash,
}

/// What a number means that is in the file and in the world.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clash {
    /// It is the same entity.
    Same,
    /// It is another entity. References in the file are to those of the file.
    Other,
    /// It is an error.
    Refused,
}

/// The number of places that are looked at before the whole list is searched.
const NEAR: usize = 8;

impl LoadedEntities {
    pub(crate) fn new(staying: BTreeMap<u32, Entity>, clash: Clash) -> Self {
        let (list, spare) = Default::default();
        LoadedEntities { list, last: Cell::new(0), spare, staying, clash }
    }

    /// Returns the entities of a world.
    #[cfg(feature = "store")]
    pub(crate) fn of_world(entities: &[Marked<'_>]) -> Self {
        let list = entities.iter().map(|it| (it.number, it.entity.id())).collect();
        LoadedEntities { list: RefCell::new(list), ..Self::new(BTreeMap::new(), Clash::Same) }
    }

    /// Reserves the entities. May be called again, for another file.
    ///
    /// # Errors
    /// Returns an error if a number is there twice, or may not be used.
    pub(crate) fn reserve(&self, mut numbers: Vec<u32>, world: &World) -> Result {
        self.take_back();
        numbers.sort_unstable();
        if numbers.first() == Some(&0) {
            return Err(Error::new(ErrorKind::OutOfRange, "the number 0 is not an entity"));
        }
        if let Some(pair) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
            let message = format_args!("entity {} occurs twice", pair[0]);
            return Err(Error::new(ErrorKind::DuplicateMember, message));
        }
        for number in numbers {
            let entity = match self.staying.get(&number) {
                Some(entity) if self.clash == Clash::Same => *entity,
                Some(_) if self.clash == Clash::Refused => {
                    let message = format_args!(
                        "entity {number} exists in the world, and the load does not replace it"
                    );
                    return Err(Error::new(ErrorKind::DuplicateMember, message));
                }
                _ => self.reserve_one(world),
            };
            self.list.borrow_mut().push((number, entity));
        }
        Ok(())
    }

    fn reserve_one(&self, world: &World) -> Entity {
        let spare = self.spare.borrow_mut().pop();
        spare.unwrap_or_else(|| world.entity_allocator().alloc())
    }

    /// Forgets the file. Its entities are spare.
    fn take_back(&self) {
        let list = self.list.take();
        let is_reserved = |(number, _): &(u32, Entity)| !self.stays(*number);
        self.spare.borrow_mut().extend(list.into_iter().filter(is_reserved).map(|it| it.1));
    }

    fn stays(&self, number: u32) -> bool {
        self.clash == Clash::Same && self.staying.contains_key(&number)
    }

    /// Returns the place of an entity in the file.
    ///
    /// # Errors
    /// Returns an error if the file does not list it.
    pub(crate) fn index(&self, number: u32) -> Result<usize> {
        let list = self.list.borrow();
        let last = self.last.get();
        let found = match list.get(last..last.saturating_add(NEAR)) {
            Some(near) if near[0].0 <= number => near.iter().position(|it| it.0 == number),
            _ => None,
        };
        let index = match found {
            Some(place) => last + place,
            None => list.binary_search_by_key(&number, |it| it.0).map_err(|_| missing(number))?,
        };
        self.last.set(index);
        Ok(index)
    }

    /// Returns the entity that a reference means.
    ///
    /// # Errors
    /// Returns an error if neither the file nor the world has it.
    pub(crate) fn entity(&self, number: u32) -> Result<Entity> {
        if let Ok(index) = self.index(number) {
            return Ok(self.list.borrow()[index].1);
        }
        match self.staying.get(&number) {
            Some(entity) if self.clash != Clash::Other => Ok(*entity),
            _ => Err(missing(number)),
        }
    }

    /// Returns the entities of the file, with those that are in the world already marked, and the
    /// reserved entities that were not used.
    pub(crate) fn finish(self) -> (Vec<FileEntity>, Vec<Entity>) {
        let list = self.list.take();
        let file = list.into_iter().map(|(number, entity)| FileEntity {
            number,
            entity,
            is_new: !(self.clash == Clash::Same && self.staying.contains_key(&number)),
        });
        (file.collect(), self.spare.take())
    }

    /// Returns all entities that were reserved.
    pub(crate) fn abandon(self) -> Vec<Entity> {
        self.take_back();
        self.spare.take()
    }
}

/// An entity of a file that was loaded.
#[derive(Clone, Copy)]
pub(crate) struct FileEntity {
    pub(crate) number: u32,
    pub(crate) entity: Entity,
    /// Whether it is reserved only.
    pub(crate) is_new: bool,
}

fn missing(number: u32) -> Error {
    Error::new(ErrorKind::BadPointer, format_args!("the file has no entity {number}"))
}
