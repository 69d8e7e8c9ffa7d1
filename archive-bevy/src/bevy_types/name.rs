//! `Name`, as text: `app.save_component_with("name", name::save, name::load)`.

use archive::Result;
use bevy_ecs::name::Name;

/// Returns the text.
///
/// # Errors
/// None.
pub fn save(name: &Name) -> Result<String> {
    Ok(name.as_str().to_owned())
}

/// Returns the name.
///
/// # Errors
/// None.
pub fn load(text: String) -> Result<Name> {
    Ok(Name::new(text))
}
