//! `Visibility`, as the name of its variant:
//! `app.save_component_with("visibility", visibility::save, visibility::load)`.

use archive::{Result, Serialize};
use bevy_camera::visibility::Visibility;

/// What is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Stored {
    /// As the parent.
    Inherited,
    /// Not drawn.
    Hidden,
    /// Drawn, even if the parent is not.
    Visible,
}

/// Returns what is saved.
///
/// # Errors
/// None.
pub fn save(visibility: &Visibility) -> Result<Stored> {
    Ok(match visibility {
        Visibility::Inherited => Stored::Inherited,
        Visibility::Hidden => Stored::Hidden,
        Visibility::Visible => Stored::Visible,
    })
}

/// Returns the visibility.
///
/// # Errors
/// None.
pub fn load(stored: Stored) -> Result<Visibility> {
    Ok(match stored {
        Stored::Inherited => Visibility::Inherited,
        Stored::Hidden => Visibility::Hidden,
        Stored::Visible => Visibility::Visible,
    })
}
