//! Options for the form in which values are saved.

use super::Options;

impl Options<'_> {
    /// Saves every map as an object whose member names are the keys, at any depth, as other
    /// programs write maps in JSON. `#[archive(as_object)]` does the same for the maps of one
    /// field. Both forms can be loaded with or without the option. Off by default.
    ///
    /// The option applies to maps whose key type always has a name: text (paths, addresses and
    /// everything else that is saved as text), characters, numbers, truth values, enums of unit
    /// variants, and newtypes of these. A map with other keys is saved as a list of pairs. So is a
    /// map whose keys are an `Option`, a [`Value`](crate::Value) or an enum that holds data, since
    /// only some of those keys have names. A name that begins with `$` gets a second `$`, and hash
    /// maps are sorted by their keys.
    ///
    /// A [`Value`](crate::Value) and serde types are saved unchanged: a list of pairs inside them
    /// is not a map of the program. The binary formats, and serde formats that are not
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
    /// // The keys of this one are not names.
    /// let grid = BTreeMap::from([((1, 2), true)]);
    /// assert_eq!(archive::json::to_string_with(&grid, &objects)?, "[[[1,2],true]]");
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn maps_as_objects(mut self, maps_as_objects: bool) -> Self {
        self.maps_as_objects = maps_as_objects;
        self
    }

    /// Saves long lists as columns in the binary format: the same members of all items are next to each other. Such
    /// files are smaller, above all compressed ones, and take longer to save and to load. They are loaded by the same
    /// functions, with or without the option; only a `Reader` refuses them. The whole file is in memory until its end.
    /// Off by default. The module `binary::columns` describes such files.
    ///
    /// Other formats ignore the option, and so do packets, rows of stores, files with named roots, and files whose root
    /// has a hand-written function.
    #[must_use]
    pub fn columns(mut self, columns: bool) -> Self {
        self.columns = columns;
        self
    }
}
