//! Which types the trait objects of a saved game may have.

use std::sync::LazyLock;

use archive::{Options, Registry, Result, Unknown, register};

use crate::command::{Assault, Attack, Command, Follow, Hold, MoveTo, Patrol, Rally};
use crate::component::{Component, Healer, Lookout, Nerves, Weapon};

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| fill().expect("ids and types are unique"));

/// All commands and components by their type ids, with those of the mods that were [used](crate::mods::Mods).
pub fn registry() -> &'static Registry {
    #[cfg(feature = "mods")]
    if let Some(mods) = crate::mods::used() {
        return mods.registry();
    }
    own_registry()
}

/// The commands and components of the game itself.
pub(crate) fn own_registry() -> &'static Registry {
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
        Unknown,
    })?;
    register!(registry, dyn Component {
        Weapon as "weapon",
        Lookout as "lookout",
        Healer as "healer",
        Nerves as "nerves",
        Unknown,
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

/// The options for loading a saved game. What mods that are not used have added is kept.
pub fn saved_options() -> Options<'static> {
    options().keep_unknown(true)
}
