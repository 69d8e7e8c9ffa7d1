//! [`put`]: changes one place of a value.
//!
//! An edit is a load from a file that has one member. The archive follows the path, and at its end
//! the value is loaded from a tree. So conversions, errors and `after_load` work as in a load.
// Why: docs/decisions/edits-and-conversions.md#an-edit-is-a-load-of-one-place

use archive_core::path::{Guide, ListChange, Path, Route};
use archive_core::shape::{Facts, Property};
use archive_core::{
    Archive, ArchiveKind, Begun, Class, Enum, Erased, ErasedBody, Error, ErrorKind, Loads, Member,
    Options, OuterState, Polymorphic, Result, Scalar, Session, Shape, Step, Value, Variant,
    Visitor, Walk,
};

use super::assign::assign;
use super::content::Content;
use super::ranges;
use super::select::select;
use crate::tree;

/// The action in the place.
#[derive(Clone, Copy)]
pub(super) enum Act<'c> {
    /// The value is loaded.
    Load(&'c Content),
    /// Do nothing. The container changes its items.
    Nothing,
    /// Do nothing, and do not call functions of types.
    Find,
    /// The enum gets the variant.
    Variant(&'c str),
    /// The scalar is loaded, if nothing but its type and its range decides about it. No functions of types are called.
    Assign(&'c Value),
}

/// The progress of a change.
#[derive(Default)]
pub(super) struct Progress {
    /// The number of steps that exist.
    pub(super) steps: usize,
    /// Whether the place was found, and may have changed.
    pub(super) reached: bool,
    /// Whether the action succeeded.
    pub(super) finished: bool,
    /// The number of steps to a value on the path that is only loaded as a whole.
    pub(super) whole: Option<usize>,
    /// The attributes of the innermost member on the path.
    pub(super) facts: Option<&'static Facts>,
    /// Whether a member on the path is read-only.
    pub(super) is_read_only: bool,
    /// Whether a property is on the path. Its setter may change the object that has it.
    pub(super) is_property: bool,
    /// The numbers of steps to values whose types have an `after_load` function, from the inside
    /// out.
    pub(super) checked: Vec<usize>,
}

/// Changes the place at the path. Returns the progress, even after an error.
pub(super) fn put(
    root: &mut dyn Polymorphic,
    path: &Path,
    change: Option<ListChange>,
    act: Act<'_>,
    options: &Options<'_>,
) -> (Progress, Result) {
    let mut progress = Progress::default();
    if path.is_empty() {
        progress.reached = true;
        let done = match act {
            Act::Load(content) => {
                tree::load_live(&mut |ar| root.__archive_load(ar), &content.live_tree(), options)
            }
            Act::Variant(name) => select(&mut |ar| root.__archive_load(ar), name, options),
            Act::Nothing | Act::Find | Act::Assign(_) => Ok(()),
        };
        progress.finished = done.is_ok();
        return (progress, done);
    }
    if let Err(error) = crate::check_length(path, options) {
        return (progress, Err(error));
    }
    let route = Route::new(path, true).asking().changing(change);
    let mut session = Session::new();
    session.explore(matches!(act, Act::Find | Act::Assign(_)));
    // Without growing, since most paths are short.
    let mut open = Vec::with_capacity(8);
    open.push(0);
    let mut put = Put { session, options, route: &route, act, open, progress, meets_leaf: false };
    let done = root.__archive_load(&mut put.erased());
    put.progress.steps = route.at();
    put.progress.whole = route.whole();
    // For a leaf the caller reports the error of reading the path.
    let done = if put.meets_leaf { Ok(()) } else { done };
    (put.progress, done)
}

struct Put<'r> {
    session: Session,
    options: &'r Options<'r>,
    route: &'r Route<'r>,
    act: Act<'r>,
    /// The number of steps to each open object.
    open: Vec<usize>,
    progress: Progress,
    /// Whether the path continues below a value without parts.
    meets_leaf: bool,
}

impl Put<'_> {
    fn step(&mut self, is_next: bool) -> Option<Begun> {
        if self.progress.reached || !is_next {
            return None;
        }
        if self.route.is_at_end() {
            return Some(Begun::Elsewhere);
        }
        self.route.advance();
        Some(Begun::Here)
    }
}

impl Visitor for Put<'_> {
    fn loads(&self) -> bool {
        true
    }
    fn parts(&self) -> (&Session, &Options<'_>) {
        (&self.session, self.options)
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (&mut self.session, self.options)
    }
    /// Only values on the path are visited. A new value, loaded for a step below it, would replace
    /// the existing one, so the load ends here.
    fn scalar(&mut self, _: Scalar<'_>) -> Result {
        self.meets_leaf = true;
        Err(Error::new(ErrorKind::NotFound, "the path continues below a value without parts"))
    }
    fn begin_member(&mut self, name: &str, _: &'static Shape) -> Result<Begun> {
        let is_next = self.route.is_name(name);
        Ok(self.step(is_next).unwrap_or(Begun::Over))
    }
    fn end_member(&mut self, name: &str, done: Result) -> Result {
        self.route.end();
        done.map_err(|error| error.in_member(name))
    }
    fn property(&mut self, property: &'static Property) -> bool {
        if self.progress.reached || !self.route.is_name(property.name) {
            return false;
        }
        self.session.explore(true);
        self.progress.facts = Some(property.facts);
        self.progress.is_read_only |= property.facts.read_only || property.access().set.is_none();
        self.progress.is_property = true;
        self.progress.checked.extend(self.open.last());
        true
    }
    fn begin_named(&mut self, info: &'static Member, _: bool) -> Result<Begun> {
        if self.progress.reached || !self.route.is_name(info.name) {
            return Ok(Begun::Over);
        }
        self.progress.facts = Some(info.field.facts);
        self.progress.is_read_only |= info.field.facts.read_only;
        Ok(Begun::Elsewhere)
    }
    fn begin_item(&mut self, index: usize) -> Result<Begun> {
        let is_next = self.route.index() == Some(index);
        Ok(self.step(is_next).unwrap_or(Begun::Skip))
    }
    fn begin_object(&mut self, class: &'static Class) -> Result<Option<OuterState>> {
        self.open.push(self.route.at());
        let version = self.session.set_version(class.version);
        Ok(Some(OuterState { version, ..OuterState::default() }))
    }
    fn end_object(&mut self, _: &'static Class, outer: OuterState, done: Result) -> Result {
        self.open.pop();
        self.session.set_version(outer.version);
        done
    }
    fn begin_variant(
        &mut self,
        info: &'static Enum,
        current: usize,
        _: bool,
    ) -> Result<Option<usize>> {
        let variant = info.variant(current)?;
        if self.route.is_name(variant.name)
            && let Some(Begun::Elsewhere) = self.step(true)
        {
            return Ok(None);
        }
        Ok(Some(current))
    }
    fn end_variant(
        &mut self,
        info: &'static Enum,
        variant: &'static Variant,
        done: Result,
    ) -> Result {
        // The payload of an enum with a tag has the path of the enum.
        if info.tag.is_some() { done } else { self.end_member(variant.name, done) }
    }
    fn resolve_pending(&mut self) -> Result {
        if self.progress.reached
            && let Some(steps) = self.open.last()
        {
            self.progress.checked.push(*steps);
        }
        Ok(())
    }
    fn elsewhere(&mut self, _: Step, body: &mut dyn ErasedBody) -> Result<bool> {
        if !self.route.is_at_end() {
            self.route.advance();
            let name = self.route.taken();
            let done = body.run_erased(&mut self.erased());
            self.route.end();
            return done.map_err(|error| crate::within(error, name)).map(|()| true);
        }
        if self.route.still_changes() {
            let message = "only items of lists and entries of maps are inserted, removed and moved";
            return Err(crate::within_last(
                Error::new(ErrorKind::ReadOnly, message),
                self.route.steps(),
            ));
        }
        if self.progress.is_read_only {
            let message = "this member is read-only";
            return Err(crate::within_last(
                Error::new(ErrorKind::ReadOnly, message),
                self.route.steps(),
            ));
        }
        self.progress.reached = true;
        self.session.explore(matches!(self.act, Act::Find | Act::Assign(_)));
        self.route.advance();
        let done = match self.act {
            Act::Load(content) => {
                tree::load_live(&mut |ar| body.run_erased(ar), &content.live_tree(), self.options)
            }
            Act::Variant(name) => select(&mut |ar| body.run_erased(ar), name, self.options),
            Act::Nothing | Act::Find => Ok(()),
            Act::Assign(value) => {
                let facts = self.progress.facts;
                ranges::allows(value, facts)
                    .and_then(|()| assign(&mut |ar| body.run_erased(ar), value, self.options))
            }
        };
        self.progress.finished = done.is_ok();
        done.map_err(|error| crate::within_last(error, self.route.steps())).map(|()| true)
    }
}

impl Walk for Put<'_> {
    type Way = Loads;
    const KIND: ArchiveKind = ArchiveKind::EDIT;

    fn erase(&mut self) -> Erased<'_> {
        let guide = Some(Guide::Path(self.route));
        Erased::guided(self, guide)
    }
    fn guide(&self) -> Option<Guide<'_>> {
        Some(Guide::Path(self.route))
    }
}
