//! Columns: the components of one type, by the numbers of their entities.
// Why: docs/decisions/bevy.md#a-file-has-a-map-for-each-type-of-components

use std::marker::PhantomData;

use archive::shape::Shape;
use archive::tool::{Body, BorrowedMap, EachEntry, Erased};
use archive::{Archive, Element, Error, ErrorKind, Result, Serialize};
use bevy_ecs::prelude::*;

use crate::ids::LoadedEntities;
use crate::mark::Marked;
use crate::whole::{Id, Parts};

/// A type of components that is saved.
pub(crate) trait Kind: Send + Sync {
    /// Saves the components of the entities under that name.
    fn save(&self, name: &str, entities: &[Marked<'_>], ar: &mut Erased<'_>) -> Result;

    /// Returns the shape of a column.
    fn shape(&self) -> &'static Shape;

    /// Loads the column in the current slot.
    fn load(&self, entities: &LoadedEntities, ar: &mut Erased<'_>) -> Result<Box<dyn Staged>>;
}

/// Components that were loaded and are not in the world yet.
pub(crate) trait Staged {
    /// Called before the first component is added.
    fn begin(&mut self, world: &mut World);

    /// Adds the component of the entity at that place in the file, if it has one. Called for each
    /// place, in their order.
    fn push(&mut self, index: usize, parts: &mut Parts<'_>);
}

/// A component type that can be saved itself.
pub(crate) struct Plain<T>(pub(crate) PhantomData<fn(T)>);

impl<T: Component + archive::Save + Element> Kind for Plain<T> {
    fn save(&self, name: &str, entities: &[Marked<'_>], ar: &mut Erased<'_>) -> Result {
        let rows: Vec<(u32, &T)> =
            entities.iter().filter_map(|it| Some((it.number, it.entity.get::<T>()?))).collect();
        ar.save(name, &BorrowedMap(&rows))
    }

    fn shape(&self) -> &'static Shape {
        <BorrowedMap<'_, u32, T> as Serialize>::SHAPE
    }

    fn load(&self, entities: &LoadedEntities, ar: &mut Erased<'_>) -> Result<Box<dyn Staged>> {
        Ok(Box::new(load_rows::<T, T>(entities, ar, |component| Ok(component))?))
    }
}

/// A component type that is saved as another type.
pub(crate) struct Proxied<T, S, F, G> {
    pub(crate) save: F,
    pub(crate) load: G,
    pub(crate) types: PhantomData<fn(T, S)>,
}

impl<T, S, F, G> Kind for Proxied<T, S, F, G>
where
    T: Component,
    S: archive::Save + Element + 'static,
    F: Fn(&T) -> Result<S> + Send + Sync,
    G: Fn(S) -> Result<T> + Send + Sync,
{
    fn save(&self, name: &str, entities: &[Marked<'_>], ar: &mut Erased<'_>) -> Result {
        let mut stored = Vec::new();
        for it in entities {
            if let Some(component) = it.entity.get::<T>() {
                let located =
                    |error: Error| error.in_member(&it.number.to_string()).in_member(name);
                stored.push((it.number, (self.save)(component).map_err(located)?));
            }
        }
        let rows: Vec<(u32, &S)> = stored.iter().map(|(number, it)| (*number, it)).collect();
        ar.save(name, &BorrowedMap(&rows))
    }

    fn shape(&self) -> &'static Shape {
        <BorrowedMap<'_, u32, S> as Serialize>::SHAPE
    }

    fn load(&self, entities: &LoadedEntities, ar: &mut Erased<'_>) -> Result<Box<dyn Staged>> {
        Ok(Box::new(load_rows::<T, S>(entities, ar, &self.load)?))
    }
}

/// Loads the rows of a column.
fn load_rows<T, S: Element>(
    entities: &LoadedEntities,
    ar: &mut Erased<'_>,
    load: impl Fn(S) -> Result<T>,
) -> Result<Column<T>> {
    let mut rows = Vec::new();
    let mut each = EachEntry::new(|number: u32, stored: S| {
        rows.push((entities.index(number)?, load(stored)?));
        Ok(())
    });
    (&mut each).run(ar)?;
    column(rows)
}

/// Returns rows as a column.
///
/// # Errors
/// Returns an error if an entity has two.
fn column<T>(mut rows: Vec<(usize, T)>) -> Result<Column<T>> {
    // The files that this package writes are in order.
    if !rows.is_sorted_by(|one, next| one.0 < next.0) {
        rows.sort_by_key(|it| it.0);
        if rows.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            let message = "an entity has two components of this type";
            return Err(Error::new(ErrorKind::DuplicateMember, message));
        }
    }
    Ok(Column { rows: rows.into_iter().peekable(), id: None })
}

/// Returns rows, by the places of their entities, as components that were loaded.
#[cfg(feature = "store")]
pub(crate) fn staged<T: Component>(rows: Vec<(usize, T)>) -> Result<Box<dyn Staged>> {
    Ok(Box::new(column(rows)?))
}

/// The staged components of one type.
struct Column<T> {
    rows: std::iter::Peekable<std::vec::IntoIter<(usize, T)>>,
    id: Option<Id<T>>,
}

impl<T: Component> Staged for Column<T> {
    fn begin(&mut self, world: &mut World) {
        self.id = Some(Id::of(world));
    }

    fn push(&mut self, index: usize, parts: &mut Parts<'_>) {
        let Some(id) = &self.id else { return };
        // Entities that are gone were left out.
        while let Some((place, component)) = self.rows.next_if(|row| row.0 <= index) {
            if place == index {
                parts.push(id, component);
            }
        }
    }
}
