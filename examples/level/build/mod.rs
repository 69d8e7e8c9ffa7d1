//! From the file model to the world: uids and iids become pointers.
//!
//! In two passes, because entities refer to later ones: the first makes every level and entity, the
//! second fills in the references.

mod catalog;
mod definitions;
mod error;
mod fields;
mod layers;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use crate::ldtk;
use crate::world::{Area, Content, Entity, Field, Layer, Level, Neighbour, World, WorldLayout};
use catalog::Catalog;
pub use error::BuildError;
use fields::build_field;
use layers::{cells, tiles};

/// Builds the world of a project.
pub fn build(project: &ldtk::Project) -> Result<World, BuildError> {
    let (definitions, catalog) = Catalog::build(&project.defs)?;
    let mut builder = Builder { catalog, ..Builder::default() };
    let mut areas = Vec::new();
    if project.worlds.is_empty() {
        areas.push(builder.area("World", project.world_layout, &project.levels)?);
    }
    for world in &project.worlds {
        areas.push(builder.area(&world.identifier, world.world_layout, &world.levels)?);
    }
    builder.connect()?;
    Ok(World { definitions, areas })
}

/// The state between the two passes.
#[derive(Default)]
struct Builder<'a> {
    /// The definitions by uid.
    catalog: Catalog,
    /// The levels, each with its description in the file.
    levels: Vec<(Rc<RefCell<Level>>, &'a ldtk::Level)>,
    /// The entities, each with its description in the file.
    entities: Vec<(Rc<RefCell<Entity>>, &'a ldtk::EntityInstance)>,
    /// The entities by iid.
    entity_by_iid: HashMap<&'a str, Weak<RefCell<Entity>>>,
}

impl<'a> Builder<'a> {
    /// The first pass: levels, layers and entities.
    fn area(
        &mut self,
        name: &str,
        layout: Option<WorldLayout>,
        levels: &'a [ldtk::Level],
    ) -> Result<Area, BuildError> {
        let levels = levels
            .iter()
            .map(|level| self.level(level).map_err(|error| error.inside(&level.identifier)))
            .collect::<Result<_, _>>()?;
        Ok(Area { name: name.to_owned(), layout: layout.unwrap_or_default(), levels })
    }

    /// One level.
    fn level(&mut self, source: &'a ldtk::Level) -> Result<Rc<RefCell<Level>>, BuildError> {
        let level = Rc::new(RefCell::new(Level {
            name: source.identifier.clone(),
            id: if source.iid.is_empty() { source.uid.to_string() } else { source.iid.clone() },
            origin: [source.world_x, source.world_y],
            depth: source.world_depth,
            size: [source.px_wid, source.px_hei],
            background: self.catalog.color(&source.background)?,
            ..Level::default()
        }));
        for layer in source.layer_instances.iter().flatten() {
            let layer = self
                .layer(layer, &Rc::downgrade(&level))
                .map_err(|error| error.inside(&layer.identifier))?;
            level.borrow_mut().layers.push(layer);
        }
        self.levels.push((Rc::clone(&level), source));
        Ok(level)
    }

    /// One layer.
    fn layer(
        &mut self,
        source: &'a ldtk::LayerInstance,
        level: &Weak<RefCell<Level>>,
    ) -> Result<Layer, BuildError> {
        let content = match source.kind {
            ldtk::LayerKind::IntGrid => {
                Content::IntGrid { cells: cells(source)?, tiles: tiles(&source.auto_layer_tiles) }
            }
            ldtk::LayerKind::Tiles => Content::Tiles(tiles(&source.grid_tiles)),
            ldtk::LayerKind::AutoLayer => Content::AutoTiles(tiles(&source.auto_layer_tiles)),
            ldtk::LayerKind::Entities => Content::Entities(
                source
                    .entity_instances
                    .iter()
                    .enumerate()
                    .map(|(index, entity)| self.entity(index, entity, level))
                    .collect::<Result<_, _>>()?,
            ),
        };
        let tileset = source.override_tileset_uid.or(source.tileset_def_uid);
        Ok(Layer {
            def: self.catalog.layer(source.layer_def_uid)?,
            size: [source.c_wid, source.c_hei],
            offset: [source.px_total_offset_x, source.px_total_offset_y],
            opacity: source.opacity,
            visible: source.visible,
            tileset: tileset.map(|uid| self.catalog.tileset(uid)).transpose()?,
            content,
        })
    }

    /// One entity.
    fn entity(
        &mut self,
        index: usize,
        source: &'a ldtk::EntityInstance,
        level: &Weak<RefCell<Level>>,
    ) -> Result<Rc<RefCell<Entity>>, BuildError> {
        let id = if source.iid.is_empty() {
            format!("{}_{index}", source.identifier)
        } else {
            source.iid.clone()
        };
        let entity = Rc::new(RefCell::new(Entity {
            def: self.catalog.entity(source.def_uid)?,
            id,
            level: Weak::clone(level),
            position: source.px,
            size: [source.width, source.height],
            fields: Vec::new(),
        }));
        if !source.iid.is_empty() {
            self.entity_by_iid.insert(&source.iid, Rc::downgrade(&entity));
        }
        self.entities.push((Rc::clone(&entity), source));
        Ok(entity)
    }

    /// The second pass: neighbours, and fields, which may refer to entities.
    fn connect(&self) -> Result<(), BuildError> {
        let by_uid: HashMap<_, _> =
            self.levels.iter().map(|(level, source)| (source.uid, level)).collect();
        let by_iid: HashMap<_, _> =
            self.levels.iter().map(|(level, source)| (source.iid.as_str(), level)).collect();
        for (level, source) in &self.levels {
            let mut level = level.borrow_mut();
            level.neighbours = source
                .neighbours
                .iter()
                .map(|neighbour| {
                    let found = match (&neighbour.level_iid, neighbour.level_uid) {
                        (Some(iid), _) => by_iid.get(iid.as_str()),
                        (None, Some(uid)) => by_uid.get(&uid),
                        (None, None) => None,
                    };
                    let level = found.map_or_else(Weak::new, |level| Rc::downgrade(level));
                    Neighbour { direction: neighbour.dir, level }
                })
                .collect();
            level.fields = self
                .fields(&source.field_instances)
                .map_err(|error| error.inside(&source.identifier))?;
        }
        for (entity, source) in &self.entities {
            entity.borrow_mut().fields = self
                .fields(&source.field_instances)
                .map_err(|error| error.inside(&source.identifier))?;
        }
        Ok(())
    }

    /// The values of the fields of a level or an entity.
    fn fields(&self, sources: &[ldtk::FieldInstance]) -> Result<Vec<Field>, BuildError> {
        sources
            .iter()
            .map(|source| {
                build_field(self, source).map_err(|error| error.inside(&source.identifier))
            })
            .collect()
    }

    /// The entity with that iid; dangling where the project has none.
    fn entity_with(&self, iid: &str) -> Weak<RefCell<Entity>> {
        self.entity_by_iid.get(iid).cloned().unwrap_or_default()
    }
}
