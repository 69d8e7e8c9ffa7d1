//! The definitions by id, while the levels are built.

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use super::BuildError;
use crate::ldtk;
use crate::world::{EntityDef, EnumDef, FieldDef, LayerDef, Rgb, Sprite, TilesetDef};

/// The definitions by uid, enums by name.
#[derive(Default)]
pub struct Catalog {
    /// The tilesets.
    pub tilesets: HashMap<i32, Rc<TilesetDef>>,
    /// The enums.
    pub enums: HashMap<String, Rc<EnumDef>>,
    /// The kinds of layer.
    pub layers: HashMap<i32, Rc<LayerDef>>,
    /// The kinds of entity.
    pub entities: HashMap<i32, Rc<EntityDef>>,
    /// The fields of entities and levels.
    pub fields: HashMap<i32, Rc<FieldDef>>,
}

impl Catalog {
    /// The tileset with that uid.
    pub fn tileset(&self, uid: i32) -> Result<Rc<TilesetDef>, BuildError> {
        found(self.tilesets.get(&uid), "tileset", uid)
    }

    /// The enum of that name.
    pub fn enum_named(&self, name: &str) -> Result<Rc<EnumDef>, BuildError> {
        found(self.enums.get(name), "enum", name)
    }

    /// The layer definition with that uid.
    pub fn layer(&self, uid: i32) -> Result<Rc<LayerDef>, BuildError> {
        found(self.layers.get(&uid), "layer definition", uid)
    }

    /// The entity definition with that uid.
    pub fn entity(&self, uid: i32) -> Result<Rc<EntityDef>, BuildError> {
        found(self.entities.get(&uid), "entity definition", uid)
    }

    /// The field definition with that uid.
    pub fn field(&self, uid: i32) -> Result<Rc<FieldDef>, BuildError> {
        found(self.fields.get(&uid), "field definition", uid)
    }

    /// A part of its own tileset or else of the one with that uid; `None` if there is neither.
    pub fn sprite(
        &self,
        rect: &ldtk::TileRect,
        otherwise: Option<i32>,
    ) -> Result<Option<Sprite>, BuildError> {
        let Some(uid) = rect.tileset_uid.or(otherwise) else { return Ok(None) };
        let tileset = self.tileset(uid)?;
        Ok(Some(Sprite { tileset, rect: [rect.x, rect.y, rect.w, rect.h] }))
    }

    /// A colour.
    pub fn color(&self, color: &ldtk::Color) -> Result<Rgb, BuildError> {
        let rgb =
            color.rgb().ok_or_else(|| BuildError::new(format!("{:?} is not a colour", color.0)))?;
        Ok(Rgb(rgb))
    }
}

/// Returns a shared pointer to the result of a look-up.
fn found<T>(
    found: Option<&Rc<T>>,
    what: &str,
    name: impl fmt::Display,
) -> Result<Rc<T>, BuildError> {
    found.cloned().ok_or_else(|| BuildError::new(format!("the project has no {what} {name}")))
}
