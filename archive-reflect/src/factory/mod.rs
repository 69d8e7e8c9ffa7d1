//! [`Factory`]: creates trait objects by id and from data files.

mod file;

use std::fmt;
use std::fs;
use std::path::{Component, Path, PathBuf};

use archive_core::__private::Interface;
use archive_core::{Element, Error, ErrorKind, Options, Registry, Result, Value};

/// Creates objects by the string id of their type, or from data files that designers write.
///
/// A data file is the JSON of a `Box<dyn Trait>`, with the members that differ from the defaults of
/// the type. Comments and trailing commas are allowed ([`Options::relaxed`]). With `$extends`, a
/// file starts from the content of another file and changes it: members of objects one by one,
/// everything else as a whole.
///
/// ```json
/// {"$extends": "orc.json", "$value": {"hp": 90}}
/// ```
///
/// ```
/// use archive::reflect::Factory;
/// use archive::{Options, Registry, Serialize};
///
/// trait GameObject: archive::Polymorphic {
///     fn describe(&self) -> String;
/// }
/// archive::polymorphic!(dyn GameObject);
///
/// #[derive(Serialize)]
/// #[archive(default)]
/// struct Orc { hp: u16, weapon: String }
/// impl Default for Orc {
///     fn default() -> Self {
///         Orc { hp: 40, weapon: "club".into() }
///     }
/// }
/// impl GameObject for Orc {
///     fn describe(&self) -> String {
///         format!("an orc with {} hp and a {}", self.hp, self.weapon)
///     }
/// }
///
/// let mut registry = Registry::new();
/// archive::register!(registry, dyn GameObject { Orc })?;
/// let options = Options::new().registry(&registry);
///
/// let dir = tempfile::tempdir().unwrap();
/// std::fs::write(dir.path().join("orc.json"), r#"{"$type":"Orc","$value":{"weapon":"axe"}}"#).unwrap();
/// std::fs::write(dir.path().join("boss.json"), r#"{"$extends":"orc.json","$value":{"hp":90}}"#).unwrap();
///
/// let factory = Factory::<dyn GameObject>::new(&options).folder(dir.path());
/// assert_eq!(factory.ids().collect::<Vec<_>>(), ["Orc"]);
/// assert_eq!(factory.create("Orc")?.describe(), "an orc with 40 hp and a club");
/// assert_eq!(factory.create_from("boss.json")?.describe(), "an orc with 90 hp and a axe");
///
/// let error = factory.create("Ork").err().unwrap();
/// assert!(error.to_string().contains("did you mean `Orc`?"), "{error}");
/// # Ok::<(), archive::Error>(())
/// ```
///
/// Constructors take parameters from the context of the options
/// ([`Options::provide`], [`Blank`](archive_core::Blank)).
pub struct Factory<'a, D: ?Sized> {
    options: Options<'a>,
    read: Box<Source<'a>>,
    on_create: Vec<Box<Hook<'a, D>>>,
}

type Source<'a> = dyn Fn(&str) -> Result<Vec<u8>> + 'a;
type Hook<'a, D> = dyn Fn(&mut D) -> Result + 'a;

impl<'a, D: Interface + ?Sized + 'static> Factory<'a, D>
where
    Box<D>: Element,
{
    /// Creates a factory with the types in the registry of the options. It reads files from the
    /// current folder.
    #[must_use]
    pub fn new(options: &Options<'a>) -> Self {
        let factory = Factory {
            options: options.clone().relaxed(true),
            read: Box::new(no_files),
            on_create: Vec::new(),
        };
        factory.folder(".")
    }

    /// Reads files from this folder, and from folders in it.
    #[must_use]
    pub fn folder(self, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        self.source(move |name| read(&folder, name))
    }

    /// Reads files with a function, for example from an archive of the game's data. The function
    /// gets the name that was passed to [`create_from`](Factory::create_from), or that a file
    /// extends.
    #[must_use]
    pub fn source(mut self, read: impl Fn(&str) -> Result<Vec<u8>> + 'a) -> Self {
        self.read = Box::new(read);
        self
    }

    /// Calls a function for each created object, after its members were loaded. If the function
    /// fails, the creation fails. Functions are called in the order in which they were added.
    #[must_use]
    pub fn on_create(mut self, hook: impl Fn(&mut D) -> Result + 'a) -> Self {
        self.on_create.push(Box::new(hook));
        self
    }

    /// Returns the ids and aliases of the types that can be created, sorted.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.options.settings().registry().into_iter().flat_map(Registry::ids_of::<D>)
    }

    /// Creates an object of the type with this id or alias, from its default.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownType`] with the nearest ids if there is no such type, and errors of the
    /// type and of the [`on_create`](Factory::on_create) functions.
    pub fn create(&self, id: &str) -> Result<Box<D>> {
        match self.options.settings().registry() {
            Some(registry) => self.created(registry.make(id, &self.options)?),
            None => self.created(Registry::new().make(id, &self.options)?),
        }
    }

    /// Creates an object from a data file.
    ///
    /// # Errors
    /// Errors of reading and parsing the files, with the name of the file;
    /// [`ErrorKind::UnknownType`] with the nearest ids; [`ErrorKind::Custom`] for files that extend
    /// one another in a circle; and errors of loading the object and of the
    /// [`on_create`](Factory::on_create) functions.
    pub fn create_from(&self, name: &str) -> Result<Box<D>> {
        self.create_from_value(&self.read(name)?).map_err(|error| error.in_file(name))
    }

    /// Returns the content of a data file as a tree, merged with the files that it extends.
    ///
    /// # Errors
    /// Errors of reading and parsing the files, as in [`create_from`](Factory::create_from).
    pub fn read(&self, name: &str) -> Result<Value> {
        file::read(name, &*self.read, &self.options)
    }

    /// Creates an object from a tree: the content of a data file.
    ///
    /// # Errors
    /// As [`create_from`](Factory::create_from). A tree cannot extend a file.
    pub fn create_from_value(&self, tree: &Value) -> Result<Box<D>> {
        self.created(tree.to_with(&self.options)?)
    }

    fn created(&self, mut object: Box<D>) -> Result<Box<D>> {
        for hook in &self.on_create {
            hook(&mut object)?;
        }
        Ok(object)
    }
}

impl<D: ?Sized> fmt::Debug for Factory<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Factory").field("hooks", &self.on_create.len()).finish_non_exhaustive()
    }
}

fn no_files(_: &str) -> Result<Vec<u8>> {
    Err(Error::new(ErrorKind::Unsupported, "the factory has no source of files"))
}

/// Reads a file in a folder. Names that lead out of the folder are refused, because data files may
/// come from third parties.
fn read(folder: &Path, name: &str) -> Result<Vec<u8>> {
    let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(name).components().all(inside) {
        return Err(Error::custom("the name of the file points outside the folder"));
    }
    fs::read(folder.join(name)).map_err(Error::io)
}
