//! Which types the trait objects of a saved game may have.

use std::sync::LazyLock;

use archive::{Options, Registry, Result, register};

use crate::command::{Assault, Attack, Command, Follow, Hold, MoveTo, Patrol, Rally};
use crate::component::{Component, Healer, Lookout, Nerves, Weapon};

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| fill().expect("ids and types are unique"));

/// All commands and components by their type ids.
pub fn registry() -> &'static Registry {
    &REGISTRY
}

fn fill() -> Result<Registry> {
    let mut registry = Registry::new();
    register!(registry, dyn Command {
        MoveTo as "move",
        Hold as "hold",
        Follow as "follow",
        Attack as "attack",
        Patrol as "patrol",
        Rally as "rally",
        Assault as "assault",
    })?;
    register!(registry, dyn Component {
        Weapon as "weapon",
        Lookout as "lookout",
        Healer as "healer",
        Nerves as "nerves",
    })?;
    // The ids of the first version.
    registry.alias("walk", "move")?;
    registry.alias("eyes", "lookout")?;
    Ok(registry)
}

/// The options for saving and loading any part of a world.
pub fn options() -> Options<'static> {
    Options::new().registry(registry())
}
