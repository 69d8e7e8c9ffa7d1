//! How values are saved.

use super::Options;
use super::Targets;
use super::targets::class_of;
use crate::Serialize;

impl Options<'_> {
    /// Saves every map as an object whose member names are the keys, as other programs write maps
    /// in JSON, at any depth. `#[archive(as_object)]` does the same for the maps of one field. Both
    /// forms can be loaded, with and without the option. Off by default.
    ///
    /// The option applies to maps whose key type always has a name: text (paths, addresses and
    /// everything else that is saved as text), characters, numbers, truth values, enums of unit
    /// variants, and newtypes of these. A map with other keys stays a list of pairs. So does a map
    /// whose keys are an `Option`, a [`Value`](crate::Value) or an enum that holds data, since only
    /// some of those have names. A name that begins with `$` gets another `$`, and hash maps are
    /// sorted by their keys.
    ///
    /// A [`Value`](crate::Value) is saved as it is, and so are serde types: a list of pairs inside
    /// of them is not a map of the program. The binary formats, and serde formats that are not
    /// self-describing, keep their own form for maps. In MessagePack, whose maps can have keys of
    /// all types, keys that are numbers become text.
    ///
    /// ```
    /// use archive::Options;
    /// use std::collections::{BTreeMap, HashMap};
    ///
    /// let prices = HashMap::from([("axe".to_owned(), 30), ("rope".to_owned(), 5)]);
    /// let shops = BTreeMap::from([(7, prices)]);
    /// assert_eq!(archive::json::to_string(&shops)?, r#"[[7,[["axe",30],["rope",5]]]]"#);
    ///
    /// let objects = Options::new().maps_as_objects(true);
    /// let text = archive::json::to_string_with(&shops, &objects)?;
    /// assert_eq!(text, r#"{"7":{"axe":30,"rope":5}}"#);
    /// assert_eq!(archive::json::from_str::<BTreeMap<i32, HashMap<String, i32>>>(&text)?, shops);
    ///
    /// // The keys of this one are no names.
    /// let grid = BTreeMap::from([((1, 2), true)]);
    /// assert_eq!(archive::json::to_string_with(&grid, &objects)?, "[[[1,2],true]]");
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn maps_as_objects(mut self, maps_as_objects: bool) -> Self {
        self.maps_as_objects = maps_as_objects;
        self
    }

    /// Returns whether maps are saved as objects.
    pub fn has_maps_as_objects(&self) -> bool {
        self.maps_as_objects
    }

    /// Saves objects of type `T` as an older version, at any depth and in every format, so that a
    /// previous release of the program can load them. While they are saved,
    /// [`Archive::version`](crate::Archive::version) returns `version`, and `version` is written to
    /// the file. Other types keep their versions, and loading ignores this option.
    ///
    /// A derived type writes all its members in every version, and the changes that its
    /// `after_load` makes to values of older versions are not undone. A member whose meaning
    /// changed therefore needs a function written by hand. An older program skips members that it
    /// does not have, unless it is [`strict`](Options::strict). A type that is flattened into
    /// another has no version of its own. The type is identified by its full path, including
    /// generic arguments.
    ///
    /// The values of a derived type are written as they are now, under the old version number. Do
    /// not use this for a derived type whose `after_load` branches on the version: the loading
    /// program would convert values that are already up to date. Write the function of such a type
    /// by hand.
    ///
    /// Type ids of trait objects have no versions. To export a type that was renamed, use a
    /// registry of its own in which the type has its old id; [`Registry::alias`](crate::Registry::alias) is for loading
    /// only.
    ///
    /// A version newer than `T::VERSION` makes every save fail
    /// ([`ErrorKind::NewerVersion`](crate::ErrorKind::NewerVersion)). If `T` is not saved as an
    /// object with named members, the call does not compile.
    ///
    /// ```
    /// use archive::{Archive, Options, Result, Serialize, Value};
    ///
    /// #[derive(Default)]
    /// struct Unit { hp: u32 }
    ///
    /// impl Serialize for Unit {
    ///     const VERSION: u32 = 1;
    ///     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
    ///         if ar.version() == 0 {
    ///             // The first release stored tenths.
    ///             let mut tenths = self.hp * 10;
    ///             ar.serialize("hp", &mut tenths)?;
    ///             self.hp = tenths / 10;
    ///             return Ok(());
    ///         }
    ///         ar.serialize("hp", &mut self.hp)
    ///     }
    /// }
    ///
    /// let export = Options::new().target_version::<Unit>(0);
    /// let tree = Value::of_with(&mut Unit { hp: 7 }, &export)?;
    /// assert_eq!(tree.get("hp"), Some(&Value::from(70)));
    /// assert_eq!(tree.get("$version"), None);
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// ```compile_fail
    /// let options = archive::Options::new().target_version::<Vec<u32>>(0);
    /// ```
    #[must_use]
    pub fn target_version<T: Serialize + ?Sized>(mut self, version: u32) -> Self {
        self.targets.set(const { class_of::<T>() }, version);
        self
    }

    /// Returns the older versions that types are saved as: see
    /// [`target_version`](Options::target_version).
    #[inline]
    pub fn get_targets(&self) -> &Targets {
        &self.targets
    }
}
