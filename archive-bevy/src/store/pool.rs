//! [`AnyPool`]: the components of one type, as the rows of a class.

use archive::store::{Pool, Ref, Row};
use archive::tool::Erased;
use archive::{Archive, Result};
use bevy_ecs::change_detection::Tick;
use bevy_ecs::prelude::*;

use crate::column::{Staged, staged};
use crate::ids::LoadedEntities;
use crate::mark::Marked;

/// The components of one type.
pub(super) trait AnyPool {
    /// Copies the components that have changed.
    fn update(&mut self, entities: &[Marked<'_>], since: Option<Tick>, now: Tick) -> Result;

    /// Returns the components, as those of a file.
    fn stage(&self, entities: &LoadedEntities) -> Result<Box<dyn Staged>>;

    fn serialize(&mut self, ar: &mut Erased<'_>) -> Result;
    fn save(&self, ar: &mut Erased<'_>) -> Result;
}

pub(super) struct PoolOf<T: Row>(Pool<T>);

impl<T: Row> Default for PoolOf<T> {
    fn default() -> Self {
        PoolOf(Pool::new())
    }
}

impl<T: Component + Row + Clone> AnyPool for PoolOf<T> {
    fn update(&mut self, entities: &[Marked<'_>], since: Option<Tick>, now: Tick) -> Result {
        let rows: Vec<&Marked<'_>> =
            entities.iter().filter(|it| it.entity.contains::<T>()).collect();
        let is_there =
            |number: u64| rows.binary_search_by_key(&number, |it| it.number.into()).is_ok();
        self.0.retain(|at, _| is_there(at.key()));
        for it in rows {
            let (Some(component), Some(ticks)) =
                (it.entity.get::<T>(), it.entity.get_change_ticks::<T>())
            else {
                continue;
            };
            let at = Ref::new(it.number.into());
            if !self.0.contains(at) {
                self.0.insert_at(at.key(), component.clone())?;
            } else if since.is_none_or(|since| ticks.is_changed(since, now))
                && let Some(copy) = self.0.get_mut(at)
            {
                *copy = component.clone();
            }
        }
        Ok(())
    }

    fn stage(&self, entities: &LoadedEntities) -> Result<Box<dyn Staged>> {
        let mut rows = Vec::with_capacity(self.0.len());
        for (at, component) in self.0.iter() {
            let number = u32::try_from(at.key()).unwrap_or(0);
            let index = entities.index(number).map_err(|error| error.in_member(T::CLASS))?;
            rows.push((index, component.clone()));
        }
        staged(rows)
    }

    fn serialize(&mut self, ar: &mut Erased<'_>) -> Result {
        ar.serialize(T::CLASS, &mut self.0)
    }

    fn save(&self, ar: &mut Erased<'_>) -> Result {
        ar.save(T::CLASS, &self.0)
    }
}
