//! Handles to assets, by path: `#[archive(with = archive_bevy::asset)]` on a field `Handle<T>`.
//!
//! A handle is saved as the path from which the asset server loaded the asset, with the label
//! (`ship.gltf#Mesh0`), and loaded by `AssetServer::load`. A handle to an asset that was made at run
//! time has no path: saving it is an error, so such a field is skipped (`#[archive(skip)]`).

use archive::{Element, Error, ErrorKind, Options, Result};
use bevy_asset::{Asset, AssetPath, AssetServer, Handle};
use bevy_ecs::prelude::*;

/// A type of fields: `Handle<T>`, and an `Option` or a `Vec` of it.
pub trait Handles: Sized {
    /// What is in files.
    type Stored: archive::Save + Element + 'static;

    /// Returns what is saved.
    fn save(&self, server: &AssetServer) -> Result<Self::Stored>;

    /// Returns what was loaded.
    fn load(stored: Self::Stored, server: &AssetServer) -> Result<Self>;
}

/// The function of `with` that saves.
///
/// # Errors
/// [`ErrorKind::BadPointer`] for a handle without a path; [`ErrorKind::MissingContext`] if it is not a
/// world with an asset server that is saved.
pub fn save<T: Handles>(value: &T, options: &Options<'_>) -> Result<T::Stored> {
    value.save(server(options)?)
}

/// The function of `with` that loads.
///
/// # Errors
/// [`ErrorKind::WrongType`] for a text that is not a path; [`ErrorKind::MissingContext`] if it is not
/// a world with an asset server that is loaded.
pub fn load<T: Handles>(stored: T::Stored, options: &Options<'_>) -> Result<T> {
    T::load(stored, server(options)?)
}

fn server<'a>(options: &'a Options<'_>) -> Result<&'a AssetServer> {
    let server = options.require::<World>()?.get_resource::<AssetServer>();
    server.ok_or_else(|| Error::new(ErrorKind::MissingContext, "the world has no `AssetServer`"))
}

impl<T: Asset> Handles for Handle<T> {
    type Stored = String;

    fn save(&self, server: &AssetServer) -> Result<String> {
        match server.get_path(self.id()) {
            Some(path) => Ok(path.to_string()),
            None => Err(Error::new(
                ErrorKind::BadPointer,
                "a handle to an asset without a path, because it was created at run time",
            )),
        }
    }

    fn load(stored: String, server: &AssetServer) -> Result<Self> {
        let path = AssetPath::try_parse(&stored).map_err(|error| {
            let message = format_args!("{stored:?} is not the path of an asset: {error}");
            Error::new(ErrorKind::WrongType, message)
        })?;
        Ok(server.load(path.into_owned()))
    }
}

impl<T: Handles> Handles for Option<T> {
    type Stored = Option<T::Stored>;

    fn save(&self, server: &AssetServer) -> Result<Self::Stored> {
        self.as_ref().map(|it| it.save(server)).transpose()
    }
    fn load(stored: Self::Stored, server: &AssetServer) -> Result<Self> {
        stored.map(|it| T::load(it, server)).transpose()
    }
}

impl<T: Handles> Handles for Vec<T> {
    type Stored = Vec<T::Stored>;

    fn save(&self, server: &AssetServer) -> Result<Self::Stored> {
        self.iter().map(|it| it.save(server)).collect()
    }
    fn load(stored: Self::Stored, server: &AssetServer) -> Result<Self> {
        stored.into_iter().map(|it| T::load(it, server)).collect()
    }
}
