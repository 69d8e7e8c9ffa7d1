//! Types of `bevy_math`, in fields with `#[archive(with = archive_bevy::math)]`.
//!
//! `Vec3`, `Quat`, `Mat4` and the other types of glam need no attribute: they are lists of numbers.
//! `Dir3`, `Rot2`, `Isometry3d`, `Rect` and those like them are types of Bevy:
//!
//! ```
//! use archive::{Serialize, json};
//! use bevy_math::{Dir3, Rect, Vec3};
//!
//! #[derive(Serialize)]
//! struct Turret {
//!     at: Vec3,
//!     #[archive(with = archive_bevy::math, default = Dir3::Z)]
//!     aim: Dir3,
//!     #[archive(with = archive_bevy::math)]
//!     zone: Option<Rect>,
//! }
//!
//! let turret = Turret { at: Vec3::ONE, aim: Dir3::X, zone: Some(Rect::new(0.0, 0.0, 2.0, 1.0)) };
//! let text = json::to_string(&turret)?;
//! assert!(text.ends_with(r#""aim":[1.0,0.0,0.0],"zone":{"min":[0.0,0.0],"max":[2.0,1.0]}}"#));
//! assert_eq!(json::from_str::<Turret>(&text)?.zone, turret.zone);
//!
//! let error = json::from_str::<Turret>(r#"{"aim":[0,0,0]}"#).err().unwrap();
//! assert!(error.to_string().starts_with("aim: [0.0, 0.0, 0.0] is not a direction"));
//! # Ok::<(), archive::Error>(())
//! ```

use archive::{Element, Error, ErrorKind, Result, Serialize};
use bevy_math::{
    Dir2, Dir3, Dir3A, Dir4, IRect, IVec2, Isometry2d, Isometry3d, Quat, Rect, Rot2, URect, UVec2,
    Vec2, Vec3, Vec3A, Vec4,
};

/// A type of `bevy_math`, and an `Option` or a `Vec` of it.
pub trait Math: Sized {
    /// What is in files.
    type Stored: archive::Save + Element + 'static;

    /// Returns what is saved.
    fn save(&self) -> Self::Stored;

    /// Returns what was loaded.
    fn load(stored: Self::Stored) -> Result<Self>;
}

/// The function of `with` that saves.
///
/// # Errors
/// None.
pub fn save<T: Math>(value: &T) -> Result<T::Stored> {
    Ok(value.save())
}

/// The function of `with` that loads. A direction or rotation whose length is not 1 is normalized.
///
/// # Errors
/// [`ErrorKind::OutOfRange`] for a direction or rotation whose length is 0 or not finite.
pub fn load<T: Math>(stored: T::Stored) -> Result<T> {
    T::load(stored)
}

macro_rules! directions {
    ($($Dir:ident $Vec:ident $vector:ident)*) => { $(
        impl Math for $Dir {
            type Stored = $Vec;

            fn save(&self) -> $Vec {
                self.$vector()
            }
            fn load(stored: $Vec) -> Result<Self> {
                // What Bevy normalized is loaded bit for bit.
                if stored.is_normalized() {
                    return Ok($Dir::new_unchecked(stored));
                }
                let error = |_| not(format_args!("{:?}", stored.to_array()), "direction");
                $Dir::new(stored).map_err(error)
            }
        }
    )* };
}
directions! { Dir2 Vec2 as_vec2 Dir3 Vec3 as_vec3 Dir3A Vec3A as_vec3a Dir4 Vec4 as_vec4 }

#[cold]
fn not(stored: std::fmt::Arguments<'_>, what: &str) -> Error {
    Error::new(ErrorKind::OutOfRange, format_args!("{stored} is not a {what}"))
}

/// A `Rot2`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StoredRotation {
    #[archive(default = 1.0)]
    cos: f32,
    sin: f32,
}

impl Math for Rot2 {
    type Stored = StoredRotation;

    fn save(&self) -> StoredRotation {
        StoredRotation { cos: self.cos, sin: self.sin }
    }
    fn load(StoredRotation { cos, sin }: StoredRotation) -> Result<Self> {
        let rotation = Rot2 { cos, sin };
        if rotation.is_normalized() {
            return Ok(rotation);
        }
        let error = || not(format_args!("cos {cos} and sin {sin}"), "rotation");
        rotation.try_normalize().ok_or_else(error)
    }
}

/// Types with public fields: as objects.
macro_rules! objects {
    ($($Type:ident $Stored:ident { $($(#[$attribute:meta])* $field:ident: $Field:ty),* })*) => { $(
        #[doc = concat!("A `", stringify!($Type), "`.")]
        #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
        pub struct $Stored {
            $($(#[$attribute])* $field: $Field,)*
        }

        impl Math for $Type {
            type Stored = $Stored;

            fn save(&self) -> $Stored {
                $Stored { $($field: self.$field),* }
            }
            fn load(stored: $Stored) -> Result<Self> {
                Ok($Type { $($field: stored.$field),* })
            }
        }
    )* };
}
objects! {
    Rect StoredRect { min: Vec2, max: Vec2 }
    IRect StoredIRect { min: IVec2, max: IVec2 }
    URect StoredURect { min: UVec2, max: UVec2 }
    Isometry2d StoredIsometry2d {
        #[archive(with = crate::math, default = Rot2::IDENTITY)] rotation: Rot2,
        translation: Vec2
    }
    Isometry3d StoredIsometry3d {
        #[archive(default = Quat::IDENTITY)] rotation: Quat,
        translation: Vec3A
    }
}

impl<T: Math> Math for Option<T> {
    type Stored = Option<T::Stored>;

    fn save(&self) -> Self::Stored {
        self.as_ref().map(T::save)
    }
    fn load(stored: Self::Stored) -> Result<Self> {
        stored.map(T::load).transpose()
    }
}

impl<T: Math> Math for Vec<T> {
    type Stored = Vec<T::Stored>;

    fn save(&self) -> Self::Stored {
        self.iter().map(T::save).collect()
    }
    fn load(stored: Self::Stored) -> Result<Self> {
        stored.into_iter().map(T::load).collect()
    }
}
