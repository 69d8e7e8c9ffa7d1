//! New units, from blueprints.

use std::collections::BTreeMap;

use archive::{Error, Format, Options, Result, Serialize, Value};

#[cfg(not(feature = "mods"))]
use crate::Orders;
use crate::{Component, Health, Inventory, Point, Side, Unit, options, registry};

/// The blueprints that come with the game.
const BLUEPRINTS: &str = include_str!("../data/blueprints.json");

/// The blueprint of one kind of unit.
#[derive(Default, Serialize)]
struct Blueprint {
    id: String,
    health: i32,
    #[archive(default = 3)]
    pace: u32,
    inventory: Inventory,
    /// Components with parameters.
    components: Vec<Box<dyn Component>>,
    /// The type ids of components without parameters, which come after the others.
    blank: Vec<String>,
}

/// Makes units from blueprints.
pub struct Factory {
    options: Options<'static>,
    /// The blueprints by id, each as a tree: loading it once more makes new components.
    blueprints: BTreeMap<String, Value>,
}

impl Factory {
    /// A factory with the blueprints that come with the game.
    ///
    /// # Errors
    /// If the blueprints are wrong.
    pub fn new() -> Result<Self> {
        Self::with(BLUEPRINTS)
    }

    /// A factory with other blueprints: JSON like that of `data/blueprints.json`.
    pub fn with(text: &str) -> Result<Self> {
        let options = options();
        let read: Vec<Blueprint> =
            Format::Json.erased().from_slice_with(text.as_bytes(), &options)?;
        let mut blueprints = BTreeMap::new();
        for blueprint in read {
            blank_components(&blueprint.blank, &options)?;
            let tree = Value::of_with(&blueprint, &options)?;
            blueprints.insert(blueprint.id, tree);
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
        let blueprint = self.blueprints.get(kind).ok_or_else(|| {
            let known: Vec<&str> = self.kinds().collect();
            let known = known.join(", ");
            Error::custom(format_args!("unknown blueprint {kind:?}; there are: {known}"))
        })?;
        let blueprint: Blueprint = blueprint.to_with(&self.options)?;
        let Blueprint { id: kind, health, pace, inventory, mut components, blank } = blueprint;
        components.extend(blank_components(&blank, &self.options)?);
        #[cfg(not(feature = "mods"))]
        let orders = Orders::default();
        #[cfg(feature = "mods")]
        let orders = crate::mods::add_to(&kind, &mut components)?;
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
            orders,
            ..Unit::default()
        })
    }
}

/// New components by their type ids.
fn blank_components(ids: &[String], options: &Options<'_>) -> Result<Vec<Box<dyn Component>>> {
    ids.iter().map(|id| registry().make(id, options)).collect()
}
