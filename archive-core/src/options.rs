//! [`Options`]: the caller's settings for a save or a load.

use std::any::{Any, TypeId};
use std::cell::Cell;
use std::rc::Rc;

use crate::Serialize;
use crate::blank::Search;
use crate::error::{Error, ErrorKind, Result};
use crate::indent::Indent;
use crate::limits::Limits;
use crate::registry::Registry;
use crate::shape::plain_name;
use crate::targets::{Targets, class_of};

/// The caller's settings: the registry, the values that types' functions can request, strictness
/// and limits. Options are cheap to clone.
///
/// ```
/// use archive::Options;
///
/// struct Clock { now: f64 }
/// let clock = Clock { now: 12.5 };
/// let options = Options::new().provide_ref(&clock).strict(true).max_depth(64);
/// assert_eq!(options.context::<Clock>().unwrap().now, 12.5);
/// ```
///
/// Create options in the thread that uses them. They are neither `Send` nor `Sync`, because they
/// hold the values that functions of types request, and these may be an `Rc` or contain cells. A
/// [`Registry`] is both:
///
/// ```
/// use archive::{Options, Registry, Value};
///
/// let registry = Registry::new();
/// std::thread::scope(|scope| {
///     scope.spawn(|| {
///         let options = Options::new().registry(&registry);
///         Value::of_with(&vec![1, 2, 3], &options).unwrap();
///     });
/// });
/// ```
#[derive(Clone)]
pub struct Options<'a> {
    registry: Option<Registry>,
    context: Vec<(TypeId, Held<'a>)>,
    pub(crate) limits: Limits,
    pub(crate) strict: bool,
    pub(crate) complete: bool,
    pub(crate) keep_going: bool,
    pub(crate) keep_unknown: bool,
    pub(crate) maps_as_objects: bool,
    pretty: bool,
    width: usize,
    indent: Indent,
    canonical: bool,
    relaxed: bool,
    targets: Targets,
    /// Set by a function that has no archive, when the value it returns is only the nearest
    /// possible one.
    pub(crate) clamped: Cell<bool>,
    /// The blank values that are being created.
    pub(crate) search: Search,
}

#[derive(Clone)]
enum Held<'a> {
    Owned(Rc<dyn Any>),
    Borrowed(&'a dyn Any),
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Options<'a> {
    /// Returns the defaults, with the registry that was [installed](Registry::install), if any.
    pub fn new() -> Self {
        Options {
            registry: Registry::installed(),
            context: Vec::new(),
            limits: Limits::default(),
            strict: false,
            complete: false,
            keep_going: false,
            keep_unknown: false,
            maps_as_objects: false,
            pretty: false,
            width: 0,
            indent: Indent::default(),
            canonical: false,
            relaxed: false,
            targets: Targets::default(),
            clamped: Cell::new(false),
            search: Search::default(),
        }
    }

    /// Sets the registry for trait objects. The registry is copied, which is cheap because copies
    /// share their contents. Types that are registered in the original later are not in the copy.
    #[must_use]
    pub fn registry(mut self, registry: &Registry) -> Self {
        self.registry = Some(registry.clone());
        // With another registry, other types can have a blank value.
        self.search = Search::default();
        self
    }

    /// Makes a value available to [`Archive::context`](crate::Archive::context) at any depth. A
    /// second value of the same type replaces the first.
    #[must_use]
    pub fn provide<T: 'static>(self, value: T) -> Self {
        self.hold::<T>(Held::Owned(Rc::new(value)))
    }

    /// As [`provide`](Options::provide), for a borrowed value.
    #[must_use]
    pub fn provide_ref<T: 'static>(self, value: &'a T) -> Self {
        self.hold::<T>(Held::Borrowed(value))
    }

    fn hold<T: 'static>(mut self, held: Held<'a>) -> Self {
        let id = TypeId::of::<T>();
        self.context.retain(|(other, _)| *other != id);
        self.context.push((id, held));
        self
    }

    /// Makes data that the program's types do not know an error. Off by default: the report then
    /// has a note.
    ///
    /// - A member that the type does not have, or data that only the file's variant carries, is
    ///   [`ErrorKind::UnknownMember`](crate::ErrorKind::UnknownMember).
    /// - A variant that an enum accepts only as its `other` variant is
    ///   [`ErrorKind::UnknownVariant`](crate::ErrorKind::UnknownVariant).
    /// - An object of an unknown type is an error even with
    ///   [`keep_unknown`](Options::keep_unknown).
    ///
    /// With [`keep_going`](Options::keep_going), an unknown member refuses the object that has it;
    /// an unknown member of the root refuses the whole load.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Makes every member that the file does not have an error
    /// ([`ErrorKind::MissingMember`](crate::ErrorKind::MissingMember)) instead of a note in the
    /// report, as `#[archive(required)]` does for single members and types. Members that have a
    /// default of their own are excepted: those with `default` or `skip_if_default`, and those of
    /// types with `default`. A member that is an `Option` is required as well: `null` is a value,
    /// an absent member is not.
    ///
    /// With [`keep_going`](Options::keep_going), the report has an error for each absent member,
    /// and the members keep their values. Off by default.
    ///
    /// ```
    /// use archive::{ErrorKind, Options};
    ///
    /// #[derive(Debug, Default)]
    /// struct Login { user: String, token: String }
    /// archive::members!(Login { user, token });
    /// archive::blank!(Login);
    ///
    /// let text = r#"{"user":"ann"}"#;
    /// assert_eq!(archive::json::from_str::<Login>(text)?.token, "");
    ///
    /// let complete = Options::new().complete(true);
    /// let error = archive::json::from_str_with::<Login>(text, &complete).unwrap_err();
    /// assert_eq!((error.kind(), error.path()), (ErrorKind::MissingMember, "token"));
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn complete(mut self, complete: bool) -> Self {
        self.complete = complete;
        self
    }

    /// Lets a load that returns a [`Report`](crate::Report) continue after an error. The error goes
    /// into the report, and what becomes of the value depends on its place:
    ///
    /// - A member keeps the value it had. If the member was loaded and then refused, by
    ///   `after_load` or by a function written by hand, it gets the old value back from a copy made
    ///   before; if its type has no `Clone`, it becomes blank.
    /// - An item of a list and an entry of a map are left out. Paths in the report have the indices
    ///   of the file all the same.
    /// - An item of a tuple or an array becomes blank, and so does the content of a shared cell.
    /// - A tuple or an array that is a member and has another length in the file gets the items
    ///   that both have.
    /// - Members that a field with `unknown` keeps are one value: an error in data that they refer
    ///   to is an error of the whole object.
    ///
    /// Errors of syntax, depth, size and [missing context](crate::ErrorKind::MissingContext) still
    /// end the load, and so does any error of a load without a report. The option is for values
    /// that do not fit, not for files that were cut short or overwritten. Shared objects that only
    /// left-out values hold are emptied at the end, so that cycles of them are freed. Do not save
    /// over a file whose report has errors. Off by default.
    #[must_use]
    pub fn keep_going(mut self, keep_going: bool) -> Self {
        self.keep_going = keep_going;
        self
    }

    /// Lets objects of trait objects load although their type id is not registered. Each becomes an
    /// [`Unknown`](crate::Unknown), which holds the object's data from the file and is saved under
    /// the same type id. For example, the data of a mod survives being loaded and saved by a game
    /// without the mod.
    ///
    /// This works for the traits for which [`Unknown`](crate::Unknown) is registered. For any other
    /// trait an unknown type id stays an error
    /// ([`ErrorKind::UnknownType`](crate::ErrorKind::UnknownType)), as it does with
    /// [`strict`](Options::strict). The report notes every such object
    /// ([`Report::unknown_types`](crate::Report::unknown_types)). Saving needs no option. Off by
    /// default.
    ///
    /// The data is kept as it is in the file. A time of [`archive::time`](crate::time) is stored as
    /// a distance to the clock, so it does not advance while the mod is absent: with three seconds
    /// to go in the file, there are three seconds to go when the mod is back.
    #[must_use]
    pub fn keep_unknown(mut self, keep_unknown: bool) -> Self {
        self.keep_unknown = keep_unknown;
        self
    }

    /// Returns whether objects of unknown types are kept.
    #[doc(hidden)]
    #[inline]
    pub fn keeps_unknown(&self) -> bool {
        self.keep_unknown && !self.strict
    }

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

    /// Makes text formats write line breaks and indentation. Off by default.
    #[must_use]
    pub fn pretty(mut self, pretty: bool) -> Self {
        self.pretty = pretty;
        self
    }

    /// Makes text formats write line breaks and indentation, as [`pretty`](Options::pretty), but
    /// puts a list of nothing but numbers, texts, truth values and nulls on one line, if that line
    /// has at most `columns` bytes. A position in a level file is then one line, and moving it
    /// changes one line. 0, the default, puts each item on a line of its own.
    ///
    /// ```
    /// use archive::Options;
    ///
    /// let places = vec![("spawn".to_owned(), [0.5_f32, 2.0]), ("exit".to_owned(), [64.0, 8.25])];
    /// let text = archive::json::to_string_with(&places, &Options::new().width(40))?;
    /// assert_eq!(text, r#"[
    ///   [
    ///     "spawn",
    ///     [0.5, 2.0]
    ///   ],
    ///   [
    ///     "exit",
    ///     [64.0, 8.25]
    ///   ]
    /// ]"#);
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns;
        self.pretty |= columns != 0;
        self
    }

    /// Makes text formats write line breaks, as [`pretty`](Options::pretty), and this indentation
    /// for each level, so that a file can be saved in the layout that it had. The default is two
    /// spaces.
    ///
    /// ```
    /// use archive::{Indent, Options};
    ///
    /// let tabs = Options::new().indent(Indent::Tab);
    /// assert_eq!(archive::json::to_string_with(&[1, 2], &tabs)?, "[\n\t1,\n\t2\n]");
    /// let four = Options::new().indent(Indent::Spaces(4));
    /// assert_eq!(archive::json::to_string_with(&[1, 2], &four)?, "[\n    1,\n    2\n]");
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn indent(mut self, indent: Indent) -> Self {
        self.indent = indent;
        self.pretty = true;
        self
    }

    /// Makes text formats write one text per value, independent of the order in which types and
    /// maps name their members: the members of every object are sorted by the bytes of their names
    /// as they are written. The format's own members (`$id`, `$version`) stay in front. The whole
    /// text is kept in memory until it is complete. Off by default.
    ///
    /// ```
    /// use archive::Options;
    ///
    /// struct Unit { name: String, hp: u32 }
    /// archive::members!(Unit { name, hp });
    ///
    /// let unit = Unit { name: "Ann".into(), hp: 7 };
    /// assert_eq!(archive::json::to_string(&unit)?, r#"{"name":"Ann","hp":7}"#);
    /// let canonical = Options::new().canonical(true);
    /// assert_eq!(archive::json::to_string_with(&unit, &canonical)?, r#"{"hp":7,"name":"Ann"}"#);
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn canonical(mut self, canonical: bool) -> Self {
        self.canonical = canonical;
        self
    }

    /// Lets text formats load text as people write it by hand: comments (`// ...` up to the end of
    /// the line and `/* ... */`) wherever white space is allowed, a comma after the last item or
    /// member, and the byte order mark that some editors put at the beginning of a text. Off by
    /// default.
    ///
    /// ```
    /// use archive::{ErrorKind, Options};
    ///
    /// let text = "[1, 2, /* not yet: 3, */]  // levels";
    /// let error = archive::json::from_str::<Vec<u8>>(text).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Syntax);
    /// let relaxed = Options::new().relaxed(true);
    /// assert_eq!(archive::json::from_str_with::<Vec<u8>>(text, &relaxed)?, [1, 2]);
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn relaxed(mut self, relaxed: bool) -> Self {
        self.relaxed = relaxed;
        self
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
    /// registry of its own in which the type has its old id; [`Registry::alias`] is for loading
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

    /// Sets all limits. There is also a method for each limit, such as
    /// [`max_elements`](Options::max_elements).
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the value of type `T` that was provided, if any.
    pub fn context<T: 'static>(&self) -> Option<&T> {
        let (_, held) = self.context.iter().find(|(id, _)| *id == TypeId::of::<T>())?;
        match held {
            Held::Owned(value) => value.downcast_ref(),
            Held::Borrowed(value) => value.downcast_ref(),
        }
    }

    /// As [`context`](Options::context), for values that the caller of this method needs.
    ///
    /// # Errors
    /// [`ErrorKind::MissingContext`](crate::ErrorKind::MissingContext) if there is no such value;
    /// the message names the type to provide.
    pub fn require<T: 'static>(&self) -> Result<&T> {
        self.context().ok_or_else(missing::<T>)
    }

    /// Returns the registry, if any.
    pub fn get_registry(&self) -> Option<&Registry> {
        self.registry.as_ref()
    }

    /// Returns the limits.
    #[inline]
    pub fn get_limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns whether errors are collected: see [`keep_going`](Options::keep_going).
    pub fn get_keep_going(&self) -> bool {
        self.keep_going
    }

    /// Returns the older versions that types are saved as: see
    /// [`target_version`](Options::target_version).
    #[inline]
    pub fn get_targets(&self) -> &Targets {
        &self.targets
    }

    /// Returns whether maps are saved as objects.
    pub fn has_maps_as_objects(&self) -> bool {
        self.maps_as_objects
    }

    /// Returns whether text is written with line breaks and indentation.
    pub fn is_pretty(&self) -> bool {
        self.pretty
    }

    /// Returns the longest line, in bytes, that a whole list may be put on; 0 if each item gets its
    /// own line.
    pub fn get_width(&self) -> usize {
        self.width
    }

    /// Returns the indentation of each level.
    pub fn get_indent(&self) -> Indent {
        self.indent
    }

    /// Returns whether members are sorted by name.
    pub fn is_canonical(&self) -> bool {
        self.canonical
    }

    /// Returns whether comments and trailing commas are accepted.
    pub fn is_relaxed(&self) -> bool {
        self.relaxed
    }

    /// Returns whether absent members are errors.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Returns whether unknown members are errors.
    pub fn is_strict(&self) -> bool {
        self.strict
    }
}

#[cold]
fn missing<T>() -> Error {
    let name = plain_name(std::any::type_name::<T>());
    Error::new(
        ErrorKind::MissingContext,
        format_args!("no `{name}` in the context: `Options::provide` or `Options::provide_ref`"),
    )
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("registry", &self.registry)
            .field("context", &self.context.len())
            .field("limits", &self.limits)
            .field("strict", &self.strict)
            .field("complete", &self.complete)
            .field("keep_going", &self.keep_going)
            .field("keep_unknown", &self.keep_unknown)
            .field("maps_as_objects", &self.maps_as_objects)
            .field("pretty", &self.pretty)
            .field("width", &self.width)
            .field("indent", &self.indent)
            .field("canonical", &self.canonical)
            .field("relaxed", &self.relaxed)
            .field("targets", &self.targets)
            .finish()
    }
}
