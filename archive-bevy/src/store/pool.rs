//! [`AnyPool`]: the components of one type, as the rows of a class.
// Why: docs/decisions/bevy.md#a-store-has-copies-that-a-save-and-a-load-make

use archive::binary::bare;
use archive::store::{Pool, Ref, Row};
use archive::tool::Erased;
use archive::{Archive, Error, Options, Result};
use bevy_ecs::change_detection::Tick;
use bevy_ecs::prelude::*;

use crate::column::{Staged, staged};
use crate::ids::LoadedEntities;
use crate::mark::Marked;

/// The components of one type.
pub(super) trait AnyPool {
    /// Copies the components that have changed.
    fn update(
        &mut self,
        entities: &[Marked<'_>],
        since: Option<Tick>,
        now: Tick,
        options: &Options<'_>,
    ) -> Result;

    /// Returns the components, as those of a file. Leaves blank ones, which the next
    /// [`update`](AnyPool::update) since the beginning replaces.
    fn stage(
        &mut self,
        entities: &LoadedEntities,
        options: &Options<'_>,
    ) -> Result<Box<dyn Staged>>;

    fn serialize(&mut self, ar: &mut Erased<'_>) -> Result;
    fn save(&self, ar: &mut Erased<'_>) -> Result;
}

pub(super) struct PoolOf<T: Row>(Pool<T>);

impl<T: Row> Default for PoolOf<T> {
    fn default() -> Self {
        PoolOf(Pool::new())
    }
}

impl<T: Component + Row> AnyPool for PoolOf<T> {
    fn update(
        &mut self,
        entities: &[Marked<'_>],
        since: Option<Tick>,
        now: Tick,
        options: &Options<'_>,
    ) -> Result {
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
            let place = |error: Error| error.in_member(&it.number.to_string()).in_member(T::CLASS);
            if !self.0.contains(at) {
                let copy = copy(component, options).map_err(place)?;
                self.0.insert_at(at.key(), copy)?;
            } else if since.is_none_or(|since| ticks.is_changed(since, now)) {
                let copy = copy(component, options).map_err(place)?;
                if let Some(old) = self.0.get_mut(at) {
                    *old = copy;
                }
            }
        }
        Ok(())
    }

    fn stage(
        &mut self,
        entities: &LoadedEntities,
        options: &Options<'_>,
    ) -> Result<Box<dyn Staged>> {
        let mut rows = Vec::with_capacity(self.0.len());
        for (at, row) in self.0.iter_mut() {
            let number = u32::try_from(at.key()).unwrap_or(0);
            let index = entities.index(number).map_err(|error| error.in_member(T::CLASS))?;
            rows.push((index, std::mem::replace(row.unmarked(), T::try_blank(options)?)));
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

/// Copies a component as a save and a load do, because most components are not `Clone`.
fn copy<T: Row>(component: &T, options: &Options<'_>) -> Result<T> {
    bare::from_slice_with(&bare::to_vec_with(component, options)?, options)
}
