//! References to entities: `#[archive(with = archive_bevy::entity)]`.
//!
//! An entity is saved as its [`SaveId`], and loaded as the entity that has the number
//! then. `Entity` has no blank value, so a field needs a `default`:
//!
//! ```
//! use std::collections::HashMap;
//!
//! use archive::Serialize;
//! use bevy_ecs::prelude::*;
//!
//! #[derive(Component, Serialize)]
//! struct Squad {
//!     #[archive(with = archive_bevy::entity, default = Entity::PLACEHOLDER)]
//!     leader: Entity,
//!     #[archive(with = archive_bevy::entity)]
//!     target: Option<Entity>,
//!     #[archive(with = archive_bevy::entity)]
//!     members: Vec<Entity>,
//!     #[archive(with = archive_bevy::entity)]
//!     opinions: HashMap<Entity, f32>,
//!     #[archive(with = archive_bevy::entity)]
//!     by_name: HashMap<String, Entity>,
//! }
//! ```
//!
//! Without the attribute such a field does not compile:
//!
//! ```compile_fail
//! #[derive(bevy_ecs::component::Component, archive::Serialize)]
//! struct Target { who: bevy_ecs::entity::Entity }
//! ```
//!
//! A reference to an entity that is not saved is an error, as is one to an entity that the file does
//! not have. [`Entities`] lists the types that may be such fields.

mod containers;

use archive::{Blank, Error, ErrorKind, Options, Result};
use bevy_ecs::prelude::*;

use crate::ids::LoadedEntities;
use crate::mark::{Save, SaveId};

/// A type of values that contain references to entities: `Entity`, and options, tuples, arrays,
/// lists, sets and maps of such types. Numbers and text are among them, as parts of the others.
///
/// [`plain!`](crate::plain) adds other types without entities.
pub trait Entities: Sized {
    /// What is in files.
    type Stored: archive::Save + Blank + 'static;

    /// Returns what is saved.
    fn save(&self, numbers: &dyn Fn(Entity) -> Result<u32>) -> Result<Self::Stored>;

    /// Returns what was loaded.
    fn load(stored: Self::Stored, entities: &dyn Fn(u32) -> Result<Entity>) -> Result<Self>;
}

/// The function of `with` that saves.
///
/// # Errors
/// [`ErrorKind::BadPointer`] for an entity that is not saved; [`ErrorKind::MissingContext`] if it is
/// not a world that is saved.
pub fn save<T: Entities>(value: &T, options: &Options<'_>) -> Result<T::Stored> {
    let world = options.require::<World>()?;
    value.save(&|entity| number(world, entity))
}

/// The function of `with` that loads.
///
/// # Errors
/// [`ErrorKind::BadPointer`] for an entity that the file does not have; [`ErrorKind::MissingContext`]
/// if it is not a world that is loaded.
pub fn load<T: Entities>(stored: T::Stored, options: &Options<'_>) -> Result<T> {
    let entities = options.require::<LoadedEntities>()?;
    T::load(stored, &|number| entities.entity(number))
}

fn number(world: &World, entity: Entity) -> Result<u32> {
    let state = match world.get_entity(entity) {
        Ok(found) if found.contains::<Save>() => {
            match found.get::<SaveId>().and_then(SaveId::number) {
                Some(number) => return Ok(number),
                None => "which has no `SaveId`",
            }
        }
        Ok(_) => "which is not saved",
        Err(_) if entity == Entity::PLACEHOLDER => "a placeholder: use an `Option<Entity>`",
        Err(_) => "which does not exist",
    };
    Err(Error::new(ErrorKind::BadPointer, format_args!("refers to {entity}, {state}")))
}

impl Entities for Entity {
    type Stored = u32;

    fn save(&self, numbers: &dyn Fn(Entity) -> Result<u32>) -> Result<u32> {
        numbers(*self)
    }
    fn load(stored: u32, entities: &dyn Fn(u32) -> Result<Entity>) -> Result<Self> {
        entities(stored)
    }
}

impl<T: Entities> Entities for Option<T> {
    type Stored = Option<T::Stored>;

    fn save(&self, numbers: &dyn Fn(Entity) -> Result<u32>) -> Result<Self::Stored> {
        self.as_ref().map(|it| it.save(numbers)).transpose()
    }
    fn load(stored: Self::Stored, entities: &dyn Fn(u32) -> Result<Entity>) -> Result<Self> {
        stored.map(|it| T::load(it, entities)).transpose()
    }
}

/// Lets types without entities be parts of maps, tuples and other containers in fields with
/// `with = archive_bevy::entity`. They need `archive::Serialize` and `Clone`.
///
/// ```
/// use archive::Serialize;
/// use bevy_ecs::prelude::*;
///
/// #[derive(Clone, Serialize)]
/// struct Opinion { trust: f32, fear: f32 }
/// archive_bevy::plain!(Opinion);
///
/// #[derive(Component, Serialize)]
/// struct Opinions(#[archive(with = archive_bevy::entity)] Vec<(Entity, Opinion)>);
/// ```
#[macro_export]
macro_rules! plain {
    ($($T:ty),+ $(,)?) => { $(
        impl $crate::entity::Entities for $T {
            type Stored = $T;

            fn save(
                &self,
                _: &dyn ::core::ops::Fn($crate::__private::Entity) -> $crate::__private::Result<u32>,
            ) -> $crate::__private::Result<$T> {
                ::core::result::Result::Ok(::core::clone::Clone::clone(self))
            }
            fn load(
                stored: $T,
                _: &dyn ::core::ops::Fn(u32) -> $crate::__private::Result<$crate::__private::Entity>,
            ) -> $crate::__private::Result<$T> {
                ::core::result::Result::Ok(stored)
            }
        }
    )+ };
}

plain!(bool, char, u8, u16, u32, u64, i8, i16, i32, i64, f32, f64, usize, String);
