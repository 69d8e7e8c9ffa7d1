//! Making the definitions of a project, each after those it refers to.

use std::rc::Rc;

use super::{BuildError, Catalog};
use crate::ldtk;
use crate::world::{
    CellValue, Definitions, EntityDef, EnumDef, EnumValue, FieldDef, FieldKind, LayerDef, Rgb,
    Sprite, TilesetDef,
};

impl Catalog {
    /// Makes the definitions of a project, each after those it refers to.
    pub fn build(source: &ldtk::Definitions) -> Result<(Definitions, Self), BuildError> {
        let mut catalog = Catalog::default();
        let mut made = Definitions::default();
        for source in &source.tilesets {
            let tileset = Rc::new(tileset(source));
            catalog.tilesets.insert(source.uid, Rc::clone(&tileset));
            made.tilesets.push(tileset);
        }
        for source in source.enums.iter().chain(&source.external_enums) {
            let def = Rc::new(catalog.make_enum(source).map_err(|e| e.inside(&source.identifier))?);
            catalog.enums.insert(source.identifier.clone(), Rc::clone(&def));
            made.enums.push(def);
        }
        for source in &source.layers {
            let def =
                Rc::new(catalog.make_layer(source).map_err(|e| e.inside(&source.identifier))?);
            catalog.layers.insert(source.uid, Rc::clone(&def));
            made.layers.push(def);
        }
        for source in &source.entities {
            let def =
                Rc::new(catalog.make_entity(source).map_err(|e| e.inside(&source.identifier))?);
            catalog.entities.insert(source.uid, Rc::clone(&def));
            made.entities.push(def);
        }
        made.level_fields = catalog.make_fields(&source.level_fields)?;
        Ok((made, catalog))
    }

    /// An enum.
    fn make_enum(&self, source: &ldtk::EnumDef) -> Result<EnumDef, BuildError> {
        let value = |value: &ldtk::EnumValueDef| {
            let icon = match (&value.tile_rect, value.tile_src_rect, source.icon_tileset_uid) {
                (Some(rect), ..) => self.sprite(rect, source.icon_tileset_uid)?,
                (None, Some(rect), Some(uid)) => Some(Sprite { tileset: self.tileset(uid)?, rect }),
                _ => None,
            };
            let color = u32::try_from(value.color).ok().map(|color| {
                let [_, red, green, blue] = color.to_be_bytes();
                Rgb([red, green, blue])
            });
            Ok(EnumValue { name: value.id.clone(), color, icon })
        };
        let values = source.values.iter().map(value).collect::<Result<_, BuildError>>()?;
        Ok(EnumDef { name: source.identifier.clone(), values })
    }

    /// A kind of layer.
    fn make_layer(&self, source: &ldtk::LayerDef) -> Result<LayerDef, BuildError> {
        let cell_value = |value: &ldtk::IntGridValueDef| {
            let color = self.color(&value.color)?;
            Ok((value.value, CellValue { name: value.identifier.clone(), color }))
        };
        let tileset = source.tileset_def_uid.or(source.auto_tileset_def_uid);
        Ok(LayerDef {
            name: source.identifier.clone(),
            kind: source.kind,
            cell_size: source.grid_size,
            parallax: [source.parallax_factor_x, source.parallax_factor_y],
            tileset: tileset.map(|uid| self.tileset(uid)).transpose()?,
            cell_values: source
                .int_grid_values
                .iter()
                .map(cell_value)
                .collect::<Result<_, BuildError>>()?,
        })
    }

    /// A kind of entity.
    fn make_entity(&mut self, source: &ldtk::EntityDef) -> Result<EntityDef, BuildError> {
        let sprite = match (&source.tile_rect, source.tileset_id, source.tile_id) {
            (Some(rect), ..) => self.sprite(rect, source.tileset_id)?,
            (None, Some(tileset), Some(tile)) => Some(tile_of(self.tileset(tileset)?, tile)),
            _ => None,
        };
        Ok(EntityDef {
            name: source.identifier.clone(),
            size: [source.width, source.height],
            pivot: [source.pivot_x, source.pivot_y],
            color: self.color(&source.color)?,
            tags: source.tags.iter().cloned().collect(),
            sprite,
            fields: self.make_fields(&source.field_defs)?,
        })
    }

    /// The fields of a kind of entity, or of levels.
    fn make_fields(&mut self, sources: &[ldtk::FieldDef]) -> Result<Vec<Rc<FieldDef>>, BuildError> {
        let mut made = Vec::new();
        for source in sources {
            let field = Rc::new(FieldDef {
                name: source.identifier.clone(),
                is_array: source.is_array,
                can_be_null: source.can_be_null,
                kind: self.kind(&source.type_name).map_err(|e| e.inside(&source.identifier))?,
            });
            self.fields.insert(source.uid, Rc::clone(&field));
            made.push(field);
        }
        Ok(made)
    }

    /// The type of a field by its name.
    fn kind(&self, type_name: &str) -> Result<FieldKind, BuildError> {
        Ok(match ldtk::FieldType::parse(type_name).scalar {
            ldtk::Scalar::Int => FieldKind::Int,
            ldtk::Scalar::Float => FieldKind::Float,
            ldtk::Scalar::Bool => FieldKind::Bool,
            ldtk::Scalar::Text => FieldKind::Text,
            ldtk::Scalar::FilePath => FieldKind::FilePath,
            ldtk::Scalar::Color => FieldKind::Color,
            ldtk::Scalar::Point => FieldKind::Cell,
            ldtk::Scalar::Tile => FieldKind::Sprite,
            ldtk::Scalar::EntityRef => FieldKind::Entity,
            ldtk::Scalar::Enum(name) => FieldKind::Enum(self.enum_named(&name)?),
            ldtk::Scalar::Unknown => FieldKind::Any,
        })
    }
}

/// The definition of a tileset.
fn tileset(source: &ldtk::TilesetDef) -> TilesetDef {
    TilesetDef {
        name: source.identifier.clone(),
        image: source.rel_path.clone(),
        size: [source.px_wid, source.px_hei],
        tile_size: source.tile_grid_size,
        columns: source.c_wid,
        spacing: source.spacing,
        padding: source.padding,
        tags: source
            .enum_tags
            .iter()
            .map(|tag| (tag.enum_value_id.clone(), tag.tile_ids.clone()))
            .collect(),
        notes: source.custom_data.iter().map(|data| (data.tile_id, data.data.clone())).collect(),
    }
}

/// One tile of a tileset, by number.
fn tile_of(tileset: Rc<TilesetDef>, tile: i32) -> Sprite {
    let (side, columns) = (tileset.tile_size, tileset.columns.max(1));
    let at = |cell: i32| {
        cell.saturating_mul(side.saturating_add(tileset.spacing)).saturating_add(tileset.padding)
    };
    let rect = [at(tile % columns), at(tile / columns), side, side];
    Sprite { tileset, rect }
}
