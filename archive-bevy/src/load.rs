//! [`load`]: bytes into the world.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use archive::{Error, ErrorKind, Format, Options, Result};
use bevy_ecs::prelude::*;

use crate::events::Loaded;
use crate::ids::{Clash, FileEntity, LoadedEntities};
use crate::keep::Kept;
use crate::loader::{Loader, StagedWorld};
use crate::mark::{Save, SaveId, forget_unmarked, marked};
use crate::registered::Registered;
use crate::report::LoadReport;
use crate::scope::Scope;
use crate::whole::{Id, Whole};

/// What a load does with the entities of the world that have [`Save`], and with those of the file.
#[derive(Clone, Debug)]
pub struct Load {
    mode: Mode,
    only: Scope,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Replace,
    Merge,
    Spawn,
}

impl Load {
    /// The entities of the world are despawned. Those of the file are spawned, with their numbers.
    pub fn replace() -> Self {
        Load { mode: Mode::Replace, only: Scope::all() }
    }

    /// The entities of the world stay. An entity of the file whose number one of them has is that
    /// entity: its components are inserted over the old ones, and it keeps those that the file does
    /// not have. The others are spawned. For saves of a part of this world.
    pub fn merge() -> Self {
        Load { mode: Mode::Merge, only: Scope::all() }
    }

    /// The entities of the world stay. Those of the file are spawned with new numbers. For scenes
    /// that are loaded several times, and files of other worlds. Unknown components of the file are
    /// not kept, because references in them would be to the old numbers. Unknown relationships are.
    pub fn spawn() -> Self {
        Load { mode: Mode::Spawn, only: Scope::all() }
    }

    /// With [`replace`](Load::replace), despawns only the entities of that part of the world. An
    /// entity of the file with the number of one that stays is an error.
    #[must_use]
    pub fn only(mut self, scope: Scope) -> Self {
        self.only = scope;
        self
    }
}

/// Loads a file of [`save`](crate::save) in the mode [`Load::replace`], and triggers [`Loaded`].
///
/// # Errors
/// As [`load_with`].
pub fn load(world: &mut World, format: Format, file: &[u8]) -> Result<Arc<LoadReport>> {
    load_with(world, &Load::replace(), format, file, &Options::new())
}

/// As [`load`], in the given mode and with options.
///
/// # Errors
/// Those of the file and its values, with their paths: a value of another type, a reference to an
/// entity that is not there, a trait object that is not registered, a newer version. The world is
/// then as it was. [`ErrorKind::Unsupported`] in a hook or an observer of what another load does.
pub fn load_with(
    world: &mut World,
    how: &Load,
    format: Format,
    file: &[u8],
    options: &Options<'_>,
) -> Result<Arc<LoadReport>> {
    let ((), report) = load_from(world, how, options, |loader, options| {
        loader.read(options, |loader, options| format.load_into_with(loader, file, options))
    })?;
    world.trigger(Loaded::new(report.clone()));
    Ok(report)
}

/// Calls `read`, and changes the world if it succeeds.
pub(crate) fn load_from<R>(
    world: &mut World,
    how: &Load,
    options: &Options<'_>,
    read: impl FnOnce(&mut Loader<'_>, &Options<'_>) -> Result<R>,
) -> Result<(R, Arc<LoadReport>)> {
    world.get_resource_or_init::<Registered>().check_not_loading()?;
    let (staying, replaced) = divide(world, how);
    let clash = match how.mode {
        Mode::Replace => Clash::Refused,
        Mode::Merge => Clash::Same,
        Mode::Spawn => Clash::Other,
    };
    let last_staying = staying.keys().next_back().copied().unwrap_or(0);
    let entities = LoadedEntities::new(staying, clash);
    let mut loader = Loader::new(world, &entities);
    let result = read(&mut loader, &options.clone().provide_ref(&*world).provide_ref(&entities));
    let absent = loader.absent();
    let Loader { staged, values, .. } = loader;
    let result = match result {
        Ok(result) => result,
        Err(error) => {
            drop(staged);
            world.entity_allocator_mut().free_many(&entities.abandon());
            return Err(error);
        }
    };
    let (file, spare) = entities.finish();
    world.entity_allocator_mut().free_many(&spare);
    let numbers = match numbers(world, how.mode, &file, staged.next, last_staying) {
        Ok(numbers) => numbers,
        Err(error) => {
            let new: Vec<Entity> = file.iter().filter(|it| it.is_new).map(|it| it.entity).collect();
            world.entity_allocator_mut().free_many(&new);
            return Err(error);
        }
    };
    let report = LoadReport {
        entities: file.iter().map(|it| it.entity).collect(),
        numbers: file.iter().map(|it| it.number).collect(),
        despawned: replaced.len(),
        unknown_components: staged.kept.components.keys().cloned().collect(),
        unknown_resources: staged.kept.resources.keys().cloned().collect(),
        unknown_relations: staged.kept.relations.keys().cloned().collect(),
        absent,
        values,
    };
    world.resource_mut::<Registered>().is_loading = true;
    apply(world, how, &file, &numbers, &replaced, staged);
    world.resource_mut::<Registered>().is_loading = false;
    Ok((result, Arc::new(report)))
}

/// Returns the entities that stay, by their numbers, and those that are replaced.
fn divide(world: &World, how: &Load) -> (BTreeMap<u32, Entity>, Vec<Entity>) {
    let (mut staying, mut replaced) = (BTreeMap::new(), Vec::new());
    for entity in marked(world) {
        if how.mode == Mode::Replace && how.only.has_entity(world, entity) {
            replaced.push(entity.id());
        } else if let Some(number) = entity.get::<SaveId>().and_then(SaveId::number) {
            staying.insert(number, entity.id());
        }
    }
    (staying, replaced)
}

/// The numbers that the entities of a file get, and the last number that is taken then.
struct Numbers {
    first: Option<u32>,
    next: u32,
}

impl Numbers {
    /// Returns the number that the entity at that place in the file gets.
    fn of(&self, file: &[FileEntity], index: usize) -> u32 {
        self.first.map_or(file[index].number, |first| first + 1 + index as u32)
    }
}

fn numbers(
    world: &World,
    mode: Mode,
    file: &[FileEntity],
    file_next: u32,
    last_staying: u32,
) -> Result<Numbers> {
    let next = world.resource::<Registered>().next;
    let last = file.last().map_or(0, |it| it.number).max(file_next).max(last_staying);
    match mode {
        Mode::Replace => Ok(Numbers { first: None, next: last }),
        Mode::Merge => Ok(Numbers { first: None, next: next.max(last) }),
        Mode::Spawn => {
            let end = u32::try_from(file.len()).ok().and_then(|count| next.checked_add(count));
            let error = || Error::new(ErrorKind::SizeLimit, "no number is left for an entity");
            Ok(Numbers { first: Some(next), next: end.ok_or_else(error)? })
        }
    }
}

/// Changes the world.
fn apply(
    world: &mut World,
    how: &Load,
    file: &[FileEntity],
    numbers: &Numbers,
    replaced: &[Entity],
    staged: StagedWorld,
) {
    let StagedWorld { mut columns, mut relations, resources, mut kept, .. } = staged;
    let keeps_all = how.mode == Mode::Replace && how.only.is_all();
    let number = |entity: &Entity| world.get::<SaveId>(*entity).and_then(SaveId::number);
    let gone = replaced.iter().filter(|_| !keeps_all).filter_map(number);
    let gone: HashSet<u32> = gone.collect();
    for entity in replaced {
        // It may be gone with its parent.
        world.try_despawn(*entity).ok();
    }
    if how.mode != Mode::Spawn {
        forget_unmarked(world);
    }
    for it in file.iter().filter(|it| it.is_new) {
        world.spawn_empty_at(it.entity).expect("the entity was reserved");
    }
    for insert in resources {
        insert(world);
    }
    columns.iter_mut().for_each(|column| column.begin(world));
    relations.iter_mut().for_each(|relation| relation.begin(world));
    let (mark, id) = (Id::of(world), Id::of(world));
    let mut whole = Whole::new(world);
    for (index, it) in file.iter().enumerate() {
        whole.insert(it.entity, |parts| {
            if it.is_new {
                parts.push(&mark, Save);
                parts.push(&id, SaveId::new(numbers.of(file, index)));
            }
            columns.iter_mut().for_each(|column| column.push(index, parts));
            relations.iter().for_each(|relation| relation.push(it.entity, parts));
        });
    }
    for relation in relations {
        relation.order(world);
    }
    world.resource_mut::<Registered>().next = numbers.next;
    let mut all = world.get_resource_or_init::<Kept>();
    match how.mode {
        Mode::Replace if keeps_all => *all = kept,
        Mode::Replace | Mode::Merge => all.add(kept, &gone),
        Mode::Spawn => {
            let place = |number| file.binary_search_by_key(&number, |it| it.number).ok();
            kept.renumber_relations(|number| Some(numbers.of(file, place(number)?)));
            all.resources.extend(kept.resources);
            all.add_relations(kept.relations);
        }
    }
    world.flush();
}
