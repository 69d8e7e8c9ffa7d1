//! [`stale_handles`]: the handles in a value that refer to no value.

use std::any::{TypeId, type_name};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::fmt;

use archive_core::path::{Path, Step};
use archive_core::shape::plain_name;
use archive_core::{Archive, Options, Polymorphic, Result};

use super::{Handle, HandleMap};
use crate::look::{Leaf, visit};

/// Returns the handles in a value that are not null and refer to no value of the [`HandleMap`]s in
/// it, with their paths. Handles to a type without a map in the value are ignored.
///
/// A handle becomes stale when its value is removed. In a running game this is normal; in a file
/// that people have edited it may be a mistake.
///
/// ```
/// use archive::reflect::{Handle, HandleMap, stale_handles};
/// use archive::{Options, Serialize};
///
/// #[derive(Default, Serialize)]
/// struct Unit { target: Handle<Unit> }
/// #[derive(Default, Serialize)]
/// struct World { leader: Handle<Unit>, units: HandleMap<Unit> }
///
/// let text = r#"{"leader":1,"units":[{"value":{"target":0}},{"value":{"target":7}}]}"#;
/// let world: World = archive::json::from_str(text)?;
/// let stale = stale_handles(&world, &Options::new())?;
/// assert_eq!(stale.len(), 1);
/// assert_eq!(stale[0].to_string(), "units[1].value.target: the handle #7 refers to no `Unit`");
/// # Ok::<(), archive::Error>(())
/// ```
pub fn stale_handles(value: &dyn Polymorphic, options: &Options<'_>) -> Result<Vec<Stale>> {
    let census = Census::default();
    let options = options.clone().provide_ref(&census);
    // The maps may come after the handles.
    visit(value, &Path::new(), &options, &mut |_, _| Ok(()))?;
    let owned = census.owned.take();
    let is_stale = |one: &Found| owned.get(&one.of).is_some_and(|live| !live.contains(&one.raw));
    census.last.take();
    let mut stale = Vec::new();
    visit(value, &Path::new(), &options, &mut |path, leaf| {
        if let Some(Found { raw, name, .. }) = census.last.take().filter(is_stale) {
            stale.push(Stale { path: place(path, &leaf, raw), raw, name });
        }
        Ok(())
    })?;
    Ok(stale)
}

/// Returns the place of a handle that came before a leaf. If the handle is not the leaf itself, it
/// is the key of the entry that contains the leaf.
fn place(path: &Path, leaf: &Leaf<'_>, raw: u64) -> Path {
    let is_key = |step: &Step| matches!(step, Step::Name(name) if **name == *raw.to_string());
    match leaf {
        Leaf::Value(value) if value.as_u64() == Some(raw) => path.clone(),
        _ => {
            let len = path.iter().rposition(is_key).map_or(path.len(), |index| index + 1);
            Path::from(path[..len].to_vec())
        }
    }
}

/// A handle that refers to no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    path: Path,
    raw: u64,
    name: &'static str,
}

impl Stale {
    /// Returns the path of the handle.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the handle as a number ([`Handle::to_raw`]).
    #[must_use]
    pub fn to_raw(&self) -> u64 {
        self.raw
    }
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let handle = Handle::<()>::from_raw(self.raw).unwrap_or_default();
        let name = plain_name(self.name);
        write!(f, "{}: the handle {handle} refers to no `{name}`", self.path)
    }
}

/// Collects the handles in a value while it is visited: an entry of the options' context.
#[derive(Default)]
struct Census {
    /// The handle whose number is visited next.
    last: Cell<Option<Found>>,
    /// The handles of the maps, by the type of their values.
    owned: RefCell<HashMap<TypeId, HashSet<u64>>>,
}

#[derive(Clone, Copy)]
struct Found {
    of: TypeId,
    name: &'static str,
    raw: u64,
}

/// Notes a handle that is about to be saved.
pub(super) fn found<T: ?Sized + 'static, A: Archive>(handle: Handle<T>, ar: &A) {
    if let Some(census) = ar.context::<Census>()
        && !handle.is_null()
    {
        let (of, name) = (TypeId::of::<T>(), type_name::<T>());
        census.last.set(Some(Found { of, name, raw: handle.to_raw() }));
    }
}

/// Notes the handles of a map that is about to be saved.
pub(super) fn owned<T: 'static, A: Archive>(map: &HandleMap<T>, ar: &A) {
    if let Some(census) = ar.context::<Census>() {
        let mut owned = census.owned.borrow_mut();
        owned.entry(TypeId::of::<T>()).or_default().extend(map.handles().map(Handle::to_raw));
    }
}
