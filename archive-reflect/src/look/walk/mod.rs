//! [`Walk`]: the archive that visits every leaf of a value.

mod shown;
mod visitor;

use std::cell::Cell;

use archive_core::path::{Path, Step as PathStep};
use archive_core::shape::Property;
use archive_core::{
    Archive, Options, OuterState, PointerKind, Polymorphic, Result, Session, Shape, Value,
};

use super::part::Part;
use super::place::Visit;
use super::places::Places;
use super::shared_path::SharedPath;
use super::visit::Leaf;
pub(super) use shown::Unshown;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Scalar,
    Object,
    Variant,
    Map,
    /// An object in a [`Value`], which may have any members.
    Tree,
    Seq,
    /// A sequence whose items cannot be placed freely, such as a set.
    Set,
}

/// How far a walk goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Levels {
    /// To all leaves.
    All,
    /// To the parts of the value. Leaves have values; those of other parts are null.
    One,
    /// As [`One`](Levels::One), but all values are null. Parts are not read, so cells may be
    /// borrowed.
    Names,
}

/// Visits the leaves of the value at the path. Returns the kind of the value.
pub(super) fn walk(
    value: Visit<'_>,
    (path, part, unshown): (&Path, Part, Unshown),
    levels: Levels,
    options: &Options<'_>,
    each: &mut Each<'_>,
) -> Result<Kind> {
    let end = if levels == Levels::All { usize::MAX } else { path.len() + 1 };
    let (parts, places) = (vec![part], Places::new(path));
    let mut walk = Walk { parts, places, levels, end, unshown, ..Walk::new(options, each) };
    value(&mut walk.erased())?;
    Ok(walk.kind.unwrap_or(Kind::Null))
}

/// A pointer that a walk found: its place, the id of the object, and the kind of pointer.
pub(crate) type Pointed<'a> = (&'a dyn Fn() -> SharedPath, u64, PointerKind);

/// Calls `found` with the pointers to objects in each of several values, and the index of the
/// value. An object has the same id in all of them.
pub(crate) fn pointers(
    values: &[&dyn Polymorphic],
    options: &Options<'_>,
    found: &mut dyn FnMut(usize, Pointed<'_>),
) -> Result {
    let index = Cell::new(0);
    let mut each = |_: Found<'_>| Ok(());
    let mut note = |pointed: Pointed<'_>| found(index.get(), pointed);
    let mut walk = Walk { pointers: Some(&mut note), ..Walk::new(options, &mut each) };
    for (at, value) in values.iter().enumerate() {
        index.set(at);
        value.__archive_save(&mut walk.erased())?;
    }
    Ok(())
}

struct Walk<'a> {
    session: Session,
    options: &'a Options<'a>,
    /// The path from where the walk [began](Places::beginning).
    path: Path,
    levels: Levels,
    /// The length of paths below which nothing is visited.
    end: usize,
    /// The kind of the outermost value.
    kind: Option<Kind>,
    /// Whether the payload of the current enum is below the last level.
    leaves_out: bool,
    /// Whether each open list or object has no parts yet.
    since: Vec<bool>,
    /// The type information of the values on the path, from the outermost one that is visited.
    parts: Vec<Part>,
    /// The open lists and maps.
    open: Vec<Open>,
    /// The places of shared objects.
    places: Places,
    /// Whether the next pointer is one whose object was deferred.
    resumes: bool,
    /// The property that is begun, and the length of the path to the object that has it.
    property: Option<&'static Property>,
    property_at: Option<usize>,
    /// The members that tools do not show.
    unshown: Unshown,
    /// The function for pointers, if there is one.
    pointers: Option<&'a mut dyn FnMut(Pointed<'_>)>,
    each: &'a mut Each<'a>,
}

/// The function for each leaf.
pub(super) type Each<'a> = dyn FnMut(Found<'_>) -> Result + 'a;

/// A leaf that a walk found.
pub(super) struct Found<'a> {
    /// The path from the [beginning](Found::beginning).
    pub(super) path: &'a Path,
    pub(super) part: Part,
    pub(super) leaf: Leaf<'a>,
    /// Whether the functions of `show_if` on the path let tools show it.
    pub(super) is_shown: bool,
    places: &'a Places,
}

impl Found<'_> {
    /// Returns the path from the root, which shares its beginning with those of other leaves.
    pub(super) fn shared_path(&self) -> SharedPath {
        self.places.shared(self.path)
    }

    /// Returns where the path begins.
    pub(super) fn beginning(&self) -> &SharedPath {
        self.places.beginning()
    }
}

/// A container that is open around the current part.
#[derive(Clone, Copy)]
enum Open {
    /// A list or a map of that shape.
    List(&'static Shape),
    /// An entry of a map without a name, as a pair.
    Pair(&'static Shape),
}

impl<'a> Walk<'a> {
    fn new(options: &'a Options<'a>, each: &'a mut Each<'a>) -> Self {
        let mut session = Session::new();
        // Trees keep their ids.
        session.trees.same_ids = true;
        Walk {
            session,
            options,
            path: Path::new(),
            levels: Levels::All,
            end: usize::MAX,
            kind: None,
            leaves_out: false,
            since: Vec::new(),
            parts: Vec::new(),
            open: Vec::new(),
            places: Places::new(&Path::new()),
            resumes: false,
            property: None,
            property_at: None,
            unshown: Unshown::default(),
            pointers: None,
            each,
        }
    }
}

impl Walk<'_> {
    /// Visits the objects in the outermost one that were deferred.
    #[cold]
    fn deferred(&mut self) -> Result {
        let beginning = self.places.beginning().clone();
        let (len, parts) = (self.len(), std::mem::take(&mut self.parts));
        let path = std::mem::take(&mut self.path);
        let unshown = std::mem::take(&mut self.unshown);
        while let Some(visit) = self.session.saved.next_deferred() {
            self.resumes = true;
            let done = visit(&mut self.erased());
            done.map_err(|error| crate::within(error, &self.places.beginning().to_path()[len..]))?;
            self.path = Path::new();
            self.unshown = Unshown::default();
        }
        self.places.end_resuming(beginning);
        (self.path, self.parts, self.unshown) = (path, parts, unshown);
        Ok(())
    }

    /// Returns the length of the path from the root.
    fn len(&self) -> usize {
        self.places.beginning().len() + self.path.len()
    }

    fn begin(&mut self, kind: Kind) -> Result<Option<OuterState>> {
        self.kind.get_or_insert(kind);
        self.session.enter(self.options)?;
        self.since.push(true);
        Ok(Some(OuterState::default()))
    }

    fn end(&mut self, empty: Value) -> Result {
        self.session.leave();
        match self.since.pop() {
            Some(true) => self.leaf(Leaf::Value(empty)),
            _ if self.is_at_end() => self.leaf(Leaf::Value(Value::Null)),
            _ => Ok(()),
        }
    }

    /// Returns whether the parts of the current value are below the last level.
    fn is_at_end(&self) -> bool {
        self.len() >= self.end
    }

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result {
        let part = self.parts.last().copied().unwrap_or(Part::UNKNOWN);
        let is_shown = self.unshown.shows(&self.path);
        (self.each)(Found { path: &self.path, part, leaf, is_shown, places: &self.places })
    }

    /// Takes a step to a part. Returns `false` if nothing is visited there.
    fn step(&mut self, step: PathStep, part: Part) -> Result<bool> {
        if let Some(is_empty) = self.since.last_mut() {
            *is_empty = false;
        }
        if self.is_at_end() {
            return Ok(false);
        }
        self.path.push(step);
        self.parts.push(part);
        if !self.is_at_end() || self.levels == Levels::One && part.may_be_leaf() {
            return Ok(true);
        }
        let done = self.leaf(Leaf::Value(Value::Null));
        self.step_back();
        done.map(|()| false)
    }

    fn step_back(&mut self) {
        self.path.pop();
        self.parts.pop();
        self.unshown.leave(self.path.len());
        self.property_at = self.property_at.filter(|at| *at != self.len());
    }

    /// Returns the type information of an item of the open list.
    fn item_part(&self, index: usize) -> Part {
        match self.open.last() {
            // The entry itself has no type.
            Some(Open::List(Shape::Map(..))) | None => Part::UNKNOWN,
            Some(Open::List(shape)) => Part::item(shape, index),
            Some(Open::Pair(Shape::Map(key, _))) if index == 0 => Part::of(key),
            Some(Open::Pair(shape)) => Part::item(shape, index),
        }
    }
}
