//! [`Options`]: the caller's settings for a save or a load.

mod context;
mod limits;
mod loading;
mod saving;
mod settings;
mod targets;
mod text;

use std::any::TypeId;
use std::cell::Cell;

pub use limits::Limits;
pub use settings::Settings;
pub use targets::Targets;
pub use text::Indent;

use crate::state::blank_search::Search;
use crate::state::registry::Registry;
use context::Held;

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
    /// Whether errors about the same member are kept separate.
    pub(crate) each_error: bool,
    pub(crate) keep_unknown: bool,
    pub(crate) maps_as_objects: bool,
    columns: bool,
    pretty: bool,
    width: usize,
    indent: Indent,
    canonical: bool,
    relaxed: bool,
    pub(crate) targets: Targets,
    /// Set when a loaded time had to be clamped. The function that loads it has no archive.
    pub(crate) clamped: Cell<bool>,
    /// The blank values that are being created.
    pub(crate) search: Search,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl Options<'_> {
    /// Returns the defaults, with the registry that was [installed](Registry::install), if any.
    pub fn new() -> Self {
        Options {
            registry: Registry::installed(),
            context: Vec::new(),
            limits: Limits::default(),
            strict: false,
            complete: false,
            keep_going: false,
            each_error: false,
            keep_unknown: false,
            maps_as_objects: false,
            columns: false,
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
    /// share their contents. Types that are later registered in the original are not in the copy.
    #[must_use]
    pub fn registry(mut self, registry: &Registry) -> Self {
        self.registry = Some(registry.clone());
        // With another registry, other types can have blank values.
        self.search = Search::default();
        self
    }

    /// Sets all limits. There is also a method for each limit, such as
    /// [`max_elements`](Options::max_elements).
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
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
            .field("columns", &self.columns)
            .field("pretty", &self.pretty)
            .field("width", &self.width)
            .field("indent", &self.indent)
            .field("canonical", &self.canonical)
            .field("relaxed", &self.relaxed)
            .field("targets", &self.targets)
            .finish()
    }
}
