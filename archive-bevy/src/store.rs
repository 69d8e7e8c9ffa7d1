//! Incremental saves: a world in an `archive::store`. Each save writes what changed.
//!
//! A type of components is a class, and the components of an entity are rows whose key is its number.
//! The rest (the list of the entities, resources and relationships) is one row.
//!
//! ```
//! use archive::store::{Store, storage::Memory};
//! use archive::{Options, Serialize};
//! use archive_bevy::store::{StoreApp, WorldStore};
//! use archive_bevy::{Save, SavePlugin};
//! use bevy_app::App;
//! use bevy_ecs::prelude::*;
//!
//! #[derive(Component, Serialize)]
//! struct Health { hp: u16 }
//! archive::store::persistent!(Health = "health");
//!
//! # fn main() -> archive::Result {
//! let mut app = App::new();
//! app.add_plugins(SavePlugin).store_component::<Health>();
//! let mut store = WorldStore::new(Store::over(Memory::new())?); // or `Store::open(path)?`
//! let world = app.world_mut();
//! let all: Vec<Entity> = (0..1000).map(|hp| world.spawn((Save, Health { hp })).id()).collect();
//! assert_eq!(store.save(world, &Options::new())?.written, 1001);
//! world.get_mut::<Health>(all[7]).unwrap().hp = 3;
//! assert_eq!(store.save(world, &Options::new())?.written, 1);
//! # Ok(())
//! # }
//! ```
//!
//! The store keeps a copy of each component, so that it can write them without the world. A copy is made as
//! a save and a load make it, so components need no `Clone`, and two that share an `Arc` do not share
//! the copies. The first save after a load copies all components and compares them with their rows.

mod pool;

use std::sync::Arc;

use archive::store::{Row, Saved, Store};
use archive::{Archive, Blank, Error, Format, Options, Result, Serialize};
use bevy_app::App;
use bevy_ecs::change_detection::Tick;
use bevy_ecs::prelude::*;

use self::pool::{AnyPool, PoolOf};
use crate::events::Loaded;
use crate::ids::LoadedEntities;
use crate::load::{Load, load_from};
use crate::report::LoadReport;
use crate::save::with_snapshot;
use crate::scope::Scope;

/// Registers the components that are in stores.
pub trait StoreApp {
    /// Saves the components of type `T` in stores, as the class that
    /// [`persistent!`](archive::store::persistent) names.
    fn store_component<T: Component + Row>(&mut self) -> &mut Self;
}

impl StoreApp for App {
    fn store_component<T: Component + Row>(&mut self) -> &mut Self {
        self.world_mut().register_component::<T>();
        let mut stored = self.world_mut().get_resource_or_init::<Stored>();
        stored.0.push(|| Box::new(PoolOf::<T>::default()));
        self
    }
}

/// The types of components that are in stores.
#[derive(Resource, Default)]
struct Stored(Vec<fn() -> Box<dyn AnyPool>>);

/// A world in a store. It stays on one thread, as the store does: insert it by
/// `World::insert_non_send`, or keep it beside the app.
pub struct WorldStore {
    store: Store,
    root: Root,
    /// When the world was last saved, if it was not loaded since.
    since: Option<Tick>,
}

impl WorldStore {
    /// Returns a world in that store.
    pub fn new(store: Store) -> Self {
        WorldStore { store, root: Root::default(), since: None }
    }

    /// Returns the store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Writes what has changed since the last save or load. Always use it with the same world.
    ///
    /// # Errors
    /// Those of [`save`](crate::save()), and of the store, which is then unchanged.
    pub fn save(&mut self, world: &mut World, options: &Options<'_>) -> Result<Saved> {
        self.begin(world)?;
        let (since, now) = (self.since, world.change_tick());
        let scope = Scope::all().components::<String>([]);
        let (root, store) = (&mut self.root, &self.store);
        let (saved, _) = with_snapshot(world, &scope, options, |snapshot, options| {
            root.rest = Format::Binary.to_vec_with(snapshot, options)?;
            let entities = LoadedEntities::of_world(snapshot.entities());
            let copies = options.clone().provide_ref(&entities);
            for pool in &mut root.pools {
                pool.update(snapshot.entities(), since, now, &copies)?;
            }
            store.save_with(&*root, options)
        })?;
        self.since = Some(world.increment_change_tick());
        Ok(saved)
    }

    /// Replaces the saved entities of the world by those of the store, and triggers [`Loaded`].
    /// Returns `None`, and changes nothing, if the store is empty: that is a new game.
    ///
    /// # Errors
    /// As [`load`](crate::load()). The world is then as it was.
    pub fn load(
        &mut self,
        world: &mut World,
        options: &Options<'_>,
    ) -> Result<Option<Arc<LoadReport>>> {
        let Some(Rest { rest }) = self.store.peek::<Root, Rest>(1)? else { return Ok(None) };
        self.store.begin_load()?;
        self.since = None;
        self.root = Root::of(world);
        let (root, store) = (&mut self.root, &self.store);
        let ((), report) = load_from(world, &Load::replace(), options, |loader, options| {
            loader.without_components();
            loader.read(options, |loader, options| {
                Format::Binary.load_into_with(loader, &rest, options)
            })?;
            store.attach_with(root, options)?;
            let loaded = store.finish_load_with(options)?;
            if let Some(unfit) = loaded.unfit.first() {
                return Err(Error::new(unfit.kind, unfit));
            }
            let entities = options.require::<LoadedEntities>()?;
            for pool in &mut root.pools {
                loader.staged.columns.push(pool.stage(entities, options)?);
            }
            Ok(())
        })?;
        world.trigger(Loaded::new(report.clone()));
        Ok(Some(report))
    }

    /// Reads the store before the first save, which could not write to it otherwise.
    fn begin(&mut self, world: &World) -> Result {
        if self.root.pools.is_empty() {
            self.root = Root::of(world);
        }
        if self.store.is_loading() {
            self.store.finish_load()?;
        }
        Ok(())
    }
}

/// The row of the world.
#[derive(Default)]
struct Root {
    /// A file without components.
    rest: Vec<u8>,
    pools: Vec<Box<dyn AnyPool>>,
}

archive::store::persistent!(Root = "world");

impl Root {
    fn of(world: &World) -> Root {
        let stored = world.get_resource::<Stored>();
        let pools = stored.into_iter().flat_map(|it| &it.0).map(|new| new()).collect();
        Root { rest: Vec::new(), pools }
    }
}

/// The part of the row that says which entities there are.
#[derive(Default, Serialize)]
struct Rest {
    rest: Vec<u8>,
}

impl Blank for Root {
    fn blank(_: &Options<'_>) -> Self {
        Root::default()
    }
}

impl Serialize for Root {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("rest", &mut self.rest)?;
        self.pools.iter_mut().try_for_each(|pool| pool.serialize(&mut ar.erased()))
    }
}

impl archive::Save for Root {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.save("rest", &self.rest)?;
        self.pools.iter().try_for_each(|pool| pool.save(&mut ar.erased()))
    }
}
