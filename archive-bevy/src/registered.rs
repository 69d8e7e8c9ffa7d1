//! What the program registered: types of components, relationships and resources, by their names in
//! files.

use std::sync::Arc;

use archive::{Error, ErrorKind, Result};
use bevy_ecs::prelude::*;

use crate::column::Kind;
use crate::relation::RelationKind;
use crate::resource::ResourceKind;

/// Something that is registered under a name.
pub(crate) struct Named<T: ?Sized> {
    pub(crate) name: String,
    pub(crate) kind: Arc<T>,
}

impl<T: ?Sized> Clone for Named<T> {
    fn clone(&self) -> Self {
        Named { name: self.name.clone(), kind: self.kind.clone() }
    }
}

/// What is registered with a world.
#[derive(Resource, Default)]
pub(crate) struct Registered {
    pub(crate) components: Vec<Named<dyn Kind>>,
    pub(crate) resources: Vec<Named<dyn ResourceKind>>,
    pub(crate) relations: Vec<Named<dyn RelationKind>>,
    /// The new name, and the name in older files.
    pub(crate) aliases: Vec<(String, String)>,
    /// The last number that an entity got.
    pub(crate) next: u32,
    /// Whether a load is changing the world.
    pub(crate) is_loading: bool,
}

impl Registered {
    /// Checks that no load is changing the world.
    ///
    /// # Errors
    /// Returns an error in a hook or an observer of such a load.
    pub(crate) fn check_not_loading(&self) -> Result {
        if self.is_loading {
            let message = "the world is being loaded: save or load it after the event `Loaded`";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        Ok(())
    }

    /// Returns the name that the program has for a name in a file.
    pub(crate) fn current<'n>(&'n self, name: &'n str) -> &'n str {
        self.aliases.iter().find(|(_, old)| old == name).map_or(name, |(new, _)| new)
    }
}

/// Returns the place of a name in a list.
pub(crate) fn find<T: ?Sized>(list: &[Named<T>], name: &str) -> Option<usize> {
    list.iter().position(|it| it.name == name)
}

/// Adds to a list.
///
/// # Panics
/// Panics if the name is taken, or cannot be the name of a member.
pub(crate) fn add<T: ?Sized>(list: &mut Vec<Named<T>>, name: &str, kind: Arc<T>) {
    assert!(find(list, name).is_none(), "`{name}` is registered twice");
    assert!(!name.starts_with('$'), "`{name}`: names that begin with `$` are reserved");
    list.push(Named { name: name.to_owned(), kind });
}
