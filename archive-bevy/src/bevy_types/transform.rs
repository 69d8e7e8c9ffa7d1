//! `Transform`, as an object: `app.save_component_with("transform", transform::save, transform::load)`.
//!
//! `GlobalTransform` is computed from it and not saved; `Transform` requires it, so it is there after
//! a load.

use archive::{Result, Serialize};
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;

/// What is saved: `{"translation":[1.0,2.0,3.0],"rotation":[0.0,0.0,0.0,1.0],"scale":[1.0,1.0,1.0]}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stored {
    translation: Vec3,
    #[archive(default = Quat::IDENTITY)]
    rotation: Quat,
    #[archive(default = Vec3::ONE)]
    scale: Vec3,
}

/// Returns what is saved.
///
/// # Errors
/// None.
pub fn save(transform: &Transform) -> Result<Stored> {
    let Transform { translation, rotation, scale } = *transform;
    Ok(Stored { translation, rotation, scale })
}

/// Returns the transform.
///
/// # Errors
/// None.
pub fn load(stored: Stored) -> Result<Transform> {
    let Stored { translation, rotation, scale } = stored;
    Ok(Transform { translation, rotation, scale })
}
