//! New units, from blueprints.

use std::collections::BTreeMap;

use archive::{Options, Result, Serialize, json};

use crate::{Component, Health, Inventory, Point, Side, Unit, options};

/// The blueprints that come with the game.
const BLUEPRINTS: &str = include_str!("../data/blueprints.json");

/// How units of one kind are made. Their components are named by type id.
#[derive(Default, Serialize)]
struct Blueprint {
    id: String,
    health: i32,
    #[archive(default = 3)]
    pace: u32,
    inventory: Inventory,
    components: Vec<Box<dyn Component>>,
}

/// Makes units from blueprints.
pub struct Factory {
    options: Options<'static>,
    /// The text of each blueprint by its id: loading it once more makes new components.
    blueprints: BTreeMap<String, String>,
}

impl Factory {
    /// A factory with the blueprints that come with the game.
    ///
    /// # Errors
    /// If they are wrong.
    pub fn new() -> Result<Self> {
        Self::with(BLUEPRINTS)
    }

    /// A factory with other blueprints: JSON like that of `data/blueprints.json`.
    ///
    /// # Errors
    /// Those of the text.
    pub fn with(text: &str) -> Result<Self> {
        let options = options()?;
        let read: Vec<Blueprint> = json::from_str_with(text, &options)?;
        let mut blueprints = BTreeMap::new();
        for blueprint in read {
            let text = json::to_string_with(&blueprint, &options)?;
            blueprints.insert(blueprint.id, text);
        }
        Ok(Factory { options, blueprints })
    }

    /// The ids of the blueprints.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.blueprints.keys().map(String::as_str)
    }

    /// A new unit, without a squad.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn make(&self, kind: &str, id: u32, side: Side, position: Point) -> Result<Unit> {
        let text = self.blueprints.get(kind).ok_or_else(|| {
            let known: Vec<&str> = self.kinds().collect();
            archive::Error::custom(format!(
                "no blueprint {kind:?}; there are: {}",
                known.join(", ")
            ))
        })?;
        let blueprint: Blueprint = json::from_str_with(text, &self.options)?;
        let Blueprint { id: kind, health, pace, inventory, components } = blueprint;
        Ok(Unit {
            id,
            name: format!("{kind} {id}"),
            kind,
            side,
            position,
            health: Health { health, most_health: health, wounds: 0 },
            pace,
            inventory,
            components,
            ..Unit::default()
        })
    }
}
