//! Components and values of Bevy, a module for each. Each has the functions `save` and `load`, for
//! fields with `with` and for [`save_component_with`](crate::SaveApp::save_component_with).

#[cfg(feature = "color")]
pub mod color;
#[cfg(feature = "math")]
pub mod math;
pub mod name;
#[cfg(feature = "transform")]
pub mod transform;
#[cfg(feature = "visibility")]
pub mod visibility;
