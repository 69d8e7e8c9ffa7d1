//! [`save`]: the world as bytes.

use archive::{Error, ErrorKind, Format, Options, Result};
use bevy_ecs::prelude::*;

use crate::mark::number_all;
use crate::registered::Registered;
use crate::report::SaveReport;
use crate::scope::Scope;
use crate::snapshot::Snapshot;

/// Saves the entities of the world that have [`Save`](crate::Save), and the registered resources.
///
/// # Errors
/// Those of the values, with their paths: `components.target.7.who: refers to 32v0, which is not
/// saved`. [`ErrorKind::NotFound`] if no entity is marked and the world has none of the resources.
/// [`ErrorKind::Unsupported`] in a hook or an observer of what a load does.
pub fn save(world: &mut World, format: Format, options: &Options<'_>) -> Result<Vec<u8>> {
    Ok(save_with(world, &Scope::all(), format, options)?.0)
}

/// As [`save`], for a part of the world. Also returns what was saved.
///
/// References to entities outside of the part are saved as their numbers. Such a file loads in the
/// mode [`Load::merge`](crate::Load::merge), into a world that has them.
///
/// # Errors
/// As [`save`].
pub fn save_with(
    world: &mut World,
    scope: &Scope,
    format: Format,
    options: &Options<'_>,
) -> Result<(Vec<u8>, SaveReport)> {
    with_snapshot(world, scope, options, |snapshot, options| format.to_vec_with(snapshot, options))
}

/// Numbers the entities, and calls `write` with what is to be saved.
pub(crate) fn with_snapshot<R>(
    world: &mut World,
    scope: &Scope,
    options: &Options<'_>,
    write: impl FnOnce(&Snapshot<'_>, &Options<'_>) -> Result<R>,
) -> Result<(R, SaveReport)> {
    world.get_resource_or_init::<Registered>().check_not_loading()?;
    number_all(world)?;
    let world = &*world;
    let snapshot = Snapshot::new(world, scope);
    let report = snapshot.report();
    if report.entities == 0 && report.resources == 0 {
        let message = "nothing to save: no entity has the component `Save` and passes the filters";
        return Err(Error::new(ErrorKind::NotFound, message));
    }
    let options = options.clone().provide_ref(world).maps_as_objects(true);
    Ok((write(&snapshot, &options)?, report))
}
