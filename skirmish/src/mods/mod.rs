//! Mods: orders, components and units from a folder, without compiling anything.
//!
//! A folder is a mod, or has a folder for each mod. The files of a mod:
//!
//! - `schema.json`: the types, a [`Schema`]. They may extend the commands of the game
//!   without pointers ([`Patrol`], [`MoveTo`], [`Hold`]), and a [`Routine`].
//! - `units.json`: by kind of unit, the files of the components and orders that a new unit gets.
//! - these files: objects with their `$type`, or changes of another file with `$extends`.
//! - `script.lua` (with the feature `scripts`): what the types do.

mod made;
mod reload;
mod routine;
#[cfg(feature = "scripts")]
mod scripts;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::RwLock;

use archive::reflect::Factory;
use archive::types::{Methods, RegisterSchema, Schema, SchemaFile};
use archive::{Error, Format, Options, Registry, Result, Serialize, json};

pub use routine::{Effect, Routine};

use crate::command::{Hold, MoveTo, Patrol};
use crate::registry::own_registry;
use crate::{Command, Component, Orders};

static USED: RwLock<Option<&'static Mods>> = RwLock::new(None);

/// The mods that the game uses.
pub struct Mods {
    registry: Registry,
    all: Vec<Mod>,
}

/// One mod.
struct Mod {
    folder: PathBuf,
    /// What new units get, by kind.
    units: BTreeMap<String, Additions>,
    /// The names of the types.
    #[cfg(feature = "scripts")]
    types: Vec<String>,
    /// The text of the script.
    #[cfg(feature = "scripts")]
    script: Option<String>,
}

/// What a new unit gets: the names of files.
#[derive(Default, Serialize)]
struct Additions {
    components: Vec<String>,
    orders: Vec<String>,
}

/// Components and orders for a new unit.
type Added = (Vec<Box<dyn Component>>, Vec<Box<dyn Command>>);

/// Returns the mods that the game uses.
pub(crate) fn used() -> Option<&'static Mods> {
    *USED.read().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Adds the components of mods to those of a new unit, and returns the orders that it begins with.
pub(crate) fn add_to(kind: &str, components: &mut Vec<Box<dyn Component>>) -> Result<Orders> {
    let mut orders = Orders::default();
    if let Some(mods) = used() {
        let (more, first) = mods.additions(kind)?;
        components.extend(more);
        first.into_iter().for_each(|command| orders.queue_boxed(command));
    }
    Ok(orders)
}

impl Mods {
    /// Reads the mods in a folder, in alphabetical order.
    ///
    /// # Errors
    /// Everything that is wrong with a schema, and errors of the other files, each with the file.
    pub fn read(folder: &Path) -> Result<Mods> {
        let mut folders = vec![folder.to_owned()];
        if !folder.join("schema.json").exists() {
            let entries =
                fs::read_dir(folder).map_err(|error| in_file(Error::io(error), folder))?;
            folders = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
            folders.retain(|folder| folder.join("schema.json").exists());
            folders.sort();
        }
        if folders.is_empty() {
            return Err(in_file(Error::custom("there is no mod: a `schema.json`"), folder));
        }
        let mut mods = Mods { registry: own_registry().clone(), all: Vec::new() };
        for folder in folders {
            mods.add(folder)?;
        }
        mods.try_all()?;
        Ok(mods)
    }

    /// Lets all games use the mods, in place of others. Call it before the first game. They are never freed.
    pub fn install(self) {
        let mut used = USED.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        *used = Some(Box::leak(Box::new(self)));
    }

    /// All commands and components, with those of the mods.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    fn add(&mut self, folder: PathBuf) -> Result {
        let mut offered = SchemaFile::default();
        offered.add::<Patrol>()?;
        offered.add::<MoveTo>()?;
        offered.add::<Hold>()?;
        offered.add::<Routine>()?;
        let path = folder.join("schema.json");
        let text = fs::read(&path).map_err(|error| in_file(Error::io(error), &path))?;
        let schema = Schema::from_slice_with(&text, Format::Json, &offered)
            .map_err(|errors| in_file(errors.into(), &path))?;
        let add = |registry: &mut Registry| {
            registry.schema::<dyn Command>(schema, &Methods::new())?;
            registry.schema::<dyn Component>(schema, &Methods::new())
        };
        add(&mut self.registry).map_err(|error| in_file(error, &path))?;
        let path = folder.join("units.json");
        let units = match fs::read_to_string(&path) {
            Ok(text) => {
                let options = Options::new().strict(true).relaxed(true);
                let ByKind { units } =
                    json::from_str_with(&text, &options).map_err(|error| in_file(error, &path))?;
                units
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(in_file(Error::io(error), &path)),
        };
        let path = folder.join("script.lua");
        #[cfg(feature = "scripts")]
        let script = read_script(&path)?;
        #[cfg(not(feature = "scripts"))]
        if path.exists() {
            return Err(in_file(Error::custom("scripts need the feature `scripts`"), &path));
        }
        self.all.push(Mod {
            folder,
            units,
            #[cfg(feature = "scripts")]
            types: schema.names().map(str::to_owned).collect(),
            #[cfg(feature = "scripts")]
            script,
        });
        Ok(())
    }

    /// Makes everything once, so that a mistake is found before a game begins.
    fn try_all(&self) -> Result {
        #[cfg(feature = "scripts")]
        scripts::load(self)?;
        let kinds = self.all.iter().flat_map(|one| one.units.keys());
        kinds.into_iter().try_for_each(|kind| self.additions(kind).map(drop))
    }

    /// New components and orders for a unit of that kind.
    fn additions(&self, kind: &str) -> Result<Added> {
        let options = Options::new().registry(&self.registry).strict(true);
        let (mut components, mut orders) = (Vec::new(), Vec::new());
        for Mod { folder, units, .. } in &self.all {
            let Some(additions) = units.get(kind) else { continue };
            let factory = Factory::<dyn Component>::new(&options).folder(folder);
            for file in &additions.components {
                components.push(factory.create_from(file)?);
            }
            let factory = Factory::<dyn Command>::new(&options).folder(folder);
            for file in &additions.orders {
                orders.push(factory.create_from(file)?);
            }
        }
        Ok((components, orders))
    }
}

/// Prints what is wrong with an object of a mod, each mistake once.
#[cfg(feature = "scripts")]
fn report(id: &str, error: &Error) {
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let message = format!("{id}: {error}");
    let mut reported = REPORTED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if reported.insert(message.clone()) {
        eprintln!("error: {message}");
    }
}

/// The content of `units.json`.
#[derive(Default, Serialize)]
struct ByKind {
    #[archive(as_object)]
    units: BTreeMap<String, Additions>,
}

/// Reads the script of a mod, if it has one.
#[cfg(feature = "scripts")]
fn read_script(path: &Path) -> Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(in_file(Error::io(error), path)),
    }
}

fn in_file(error: Error, path: &Path) -> Error {
    error.in_file(path.display().to_string())
}
