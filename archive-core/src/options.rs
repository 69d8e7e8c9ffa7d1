//! [`Options`]: what the caller asks for.

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

/// What the caller asks for: the registry, values for the types' functions, strictness and limits.
/// Cheap to clone.
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
/// Options are made in the thread that uses them. They are neither `Send` nor `Sync`, because they hold the
/// values that functions of types ask for, and these may be an `Rc` or hold cells. A [`Registry`] is both:
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
    /// Set by a function that sees no archive, when the value it makes is only the nearest there is.
    pub(crate) clamped: Cell<bool>,
    /// The blank values that are being made.
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
    /// The defaults, with the registry that was [installed](Registry::install), if any.
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

    /// Uses this registry for trait objects. It is copied, which is cheap, since copies share what they
    /// hold; what is registered later in the original is not in the copy.
    #[must_use]
    pub fn registry(mut self, registry: &Registry) -> Self {
        self.registry = Some(registry.clone());
        // Other types end.
        self.search = Search::default();
        self
    }

    /// Makes a value reachable by [`Archive::context`](crate::Archive::context) at any depth. A
    /// second value of the same type takes the place of the first.
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

    /// Makes members that the type does not have, and what a variant holds in the file alone, an
    /// error ([`ErrorKind::UnknownMember`](crate::ErrorKind::UnknownMember)) instead of a note in the
    /// report; so are variants that an enum takes only as its `other` one
    /// ([`ErrorKind::UnknownVariant`](crate::ErrorKind::UnknownVariant)), and objects of unknown types
    /// even with [`keep_unknown`](Options::keep_unknown). With [`keep_going`](Options::keep_going)
    /// an unknown member refuses the object that has it, one of the root the whole load. Off by
    /// default.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Makes every member that the file does not have an error
    /// ([`ErrorKind::MissingMember`](crate::ErrorKind::MissingMember)) instead of a note in the report,
    /// as `#[archive(required)]` does for single members and types. Excepted are members that have a default of their own: those
    /// with `default` or `skip_if_default`, and those of types with `default`. A member that is an
    /// `Option` is required as well: `null` is a value, an absent member is none.
    ///
    /// With [`keep_going`](Options::keep_going) the report has an error for each absent member, and
    /// the members keep the values that they had. Off by default.
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

    /// Lets a load that makes a [`Report`](crate::Report) go on after an error: a member keeps the
    /// value it had, an item of a list and an entry of a map are left out, an item of a tuple or an
    /// array is blank, as is the content of a shared cell, and the error goes into the report. A member
    /// that was loaded and then refused, by `after_load` or by a function written by hand, gets back the
    /// value it had from a copy made before; if its type has no `Clone`, it becomes blank. A tuple or an array that is a member and
    /// has another length in the file holds the items that both have. Errors of syntax, depth,
    /// size and [missing context](crate::ErrorKind::MissingContext) still end the load, and so does
    /// any error of a load without a report: it is for values that do not fit, and not for files that
    /// were cut short or overwritten. Paths have the indices of the file, also where elements were
    /// left out. Shared objects that nothing but values that were left out holds are emptied at the end, so
    /// that circles of them are freed. Do not save over a file whose report has errors. Members that a field with `unknown`
    /// keeps are one value: an error in what they refer to is one of the whole object. Off by
    /// default.
    #[must_use]
    pub fn keep_going(mut self, keep_going: bool) -> Self {
        self.keep_going = keep_going;
        self
    }

    /// Lets objects behind trait objects load whose type id is not registered: each becomes an
    /// [`Unknown`](crate::Unknown), which holds what the file says of it, and is written back under
    /// its own type id. So what a mod has put into a game survives a session without the mod.
    ///
    /// It works for the traits for which [`Unknown`](crate::Unknown) is registered; of any other an
    /// unknown type id stays an error ([`ErrorKind::UnknownType`](crate::ErrorKind::UnknownType)), as
    /// it does under [`strict`](Options::strict). The report notes every such object
    /// ([`Report::unknown_types`](crate::Report::unknown_types)). Saving needs no option. Off by
    /// default.
    ///
    /// What is held is what the file says. A time of [`archive::time`](crate::time) is a distance to the
    /// clock there, and stands still as long as the mod is away: three seconds to go are three seconds
    /// to go when it comes back.
    #[must_use]
    pub fn keep_unknown(mut self, keep_unknown: bool) -> Self {
        self.keep_unknown = keep_unknown;
        self
    }

    /// Whether objects of unknown types are kept.
    #[doc(hidden)]
    #[inline]
    pub fn keeps_unknown(&self) -> bool {
        self.keep_unknown && !self.strict
    }

    /// Saves every map as an object whose names are the keys, as JSON of other programs has it, wherever
    /// it stands. It is what `#[archive(as_object)]` does for the maps of one field; both forms
    /// are loaded, with the option and without. Off by default.
    ///
    /// An object becomes each map whose keys all have names, as the type of the key tells: text (paths,
    /// addresses and all else that is saved as text), characters, numbers, truth values, enums of unit variants, and newtypes of
    /// these. A map with other keys stays a list of pairs; so do maps whose keys are an `Option`, a
    /// [`Value`](crate::Value) or an enum that holds data, since only some of these have names. A name that begins with `$` gets
    /// another `$`, and hash maps are sorted by their keys.
    ///
    /// A [`Value`](crate::Value) is saved as it is, and so are serde types: what stands in them as a list of
    /// pairs is none of the program's maps. The binary formats, and serde formats that do not describe
    /// themselves, keep their own form for maps. In MessagePack, which has maps with keys of all types, keys
    /// that are numbers become text.
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

    /// Asks text formats for line breaks and indentation. Off by default.
    #[must_use]
    pub fn pretty(mut self, pretty: bool) -> Self {
        self.pretty = pretty;
        self
    }

    /// Asks text formats for a layout that people read and compare: as [`pretty`](Options::pretty),
    /// but lists of nothing but numbers, texts, truth values and nulls stand on one line, if that is
    /// no longer than `columns` bytes. So a place in a level is one line, and so is what changes when
    /// it is moved. 0, the default, puts each item on a line of its own.
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

    /// Asks text formats for line breaks, as [`pretty`](Options::pretty), and for this indentation of each level, so that a
    /// file can come back in the layout that it had. The default is two spaces.
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

    /// Asks text formats for one text per value, whatever the order in which types and maps name
    /// their members: those of every object are sorted by the bytes of their names as they are
    /// written. What the format itself has to say (`$id`, `$version`) stays in front. The whole text is
    /// kept in memory until it is complete. Off by default.
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

    /// Lets text formats load what people write by hand: comments (`// ...` up to the end of the line
    /// and `/* ... */`) wherever white space may stand, a comma after the last item or member, and the byte
    /// order mark that some editors put in front of a text. Off by default.
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

    /// Saves objects of type `T` as an older version of it, wherever they stand and in whichever
    /// format: [`Archive::version`](crate::Archive::version) tells `version` to the type's function,
    /// and so does the file, so that a previous release of the program can load what this one
    /// exports. Other types keep their versions, and loading ignores it.
    ///
    /// A derived type writes all its members in every version, and what its `after_load` does to values
    /// of older versions is not undone, so a member whose meaning changed needs a function written by
    /// hand. An older program skips members that it does not have, unless it is
    /// [`strict`](Options::strict). A type that stands flattened among the members of another has no
    /// version of its own. The type is told by its full path, generic arguments included.
    ///
    /// The values of a derived type are today's, under the old number. Do not save one in this way whose
    /// `after_load` asks for the version: it would bring values up to date that are so already. Write
    /// the function of such a type by hand.
    ///
    /// Type ids of trait objects have no versions. One that was renamed since is exported with a
    /// registry of its own, in which the type has its old id; [`Registry::alias`] is for loading.
    ///
    /// A version that is newer than `T::VERSION` is an error of every save
    /// ([`ErrorKind::NewerVersion`](crate::ErrorKind::NewerVersion)); a `T` that is not saved as an
    /// object with named members does not compile.
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

    /// Sets all limits. To set some of them there is a method for each:
    /// [`max_elements`](Options::max_elements) and so on.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The value of type `T` that was provided.
    pub fn context<T: 'static>(&self) -> Option<&T> {
        let (_, held) = self.context.iter().find(|(id, _)| *id == TypeId::of::<T>())?;
        match held {
            Held::Owned(value) => value.downcast_ref(),
            Held::Borrowed(value) => value.downcast_ref(),
        }
    }

    /// As [`context`](Options::context), for values that cannot be done without.
    ///
    /// # Errors
    /// [`ErrorKind::MissingContext`](crate::ErrorKind::MissingContext); the message says what to
    /// provide.
    pub fn require<T: 'static>(&self) -> Result<&T> {
        self.context().ok_or_else(missing::<T>)
    }

    /// The registry to use.
    pub fn get_registry(&self) -> Option<&Registry> {
        self.registry.as_ref()
    }

    /// The limits to keep.
    #[inline]
    pub fn get_limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether errors are collected: see [`keep_going`](Options::keep_going).
    pub fn get_keep_going(&self) -> bool {
        self.keep_going
    }

    /// The versions that types are saved in, other than their own.
    #[inline]
    pub fn get_targets(&self) -> &Targets {
        &self.targets
    }

    /// Whether maps are saved as objects.
    pub fn has_maps_as_objects(&self) -> bool {
        self.maps_as_objects
    }

    /// Whether text should be laid out for people.
    pub fn is_pretty(&self) -> bool {
        self.pretty
    }

    /// How long the lines may be that lists stand on; 0 if lists are not put on lines.
    pub fn get_width(&self) -> usize {
        self.width
    }

    /// How a level is indented where text is laid out for people.
    pub fn get_indent(&self) -> Indent {
        self.indent
    }

    /// Whether members should be sorted.
    pub fn is_canonical(&self) -> bool {
        self.canonical
    }

    /// Whether comments and trailing commas are accepted.
    pub fn is_relaxed(&self) -> bool {
        self.relaxed
    }

    /// Whether absent members are errors.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether unknown members are errors.
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
