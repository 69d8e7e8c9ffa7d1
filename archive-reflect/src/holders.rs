//! [`holders`]: the pointers to an object.

use archive_core::path::Path;
use archive_core::{Error, Options, PointerKind, Polymorphic, Result};

use crate::look::{SharedPath, pointers};

/// Returns the pointers to an object in a value, in the order of a visit. `object` is a pointer to
/// it: an `Rc`, an `Arc` or a `Weak`.
///
/// ```
/// use archive::reflect::holders;
/// use archive::{Options, Serialize};
/// use std::cell::RefCell;
/// use std::rc::{Rc, Weak};
///
/// #[derive(Default, Serialize)]
/// struct Unit { target: Weak<RefCell<Unit>> }
/// #[derive(Default, Serialize)]
/// struct World { units: Vec<Rc<RefCell<Unit>>>, selected: Option<Rc<RefCell<Unit>>> }
///
/// let tank = Rc::new(RefCell::new(Unit::default()));
/// let jeep = Rc::new(RefCell::new(Unit { target: Rc::downgrade(&tank) }));
/// let world = World { units: vec![jeep, tank.clone()], selected: Some(tank.clone()) };
/// let found = holders(&world, &tank, &Options::new())?;
/// let found: Vec<_> = found.iter().map(|one| (one.path.to_string(), one.is_weak)).collect();
/// let expected = [("units[0].target", true), ("units[1]", false), ("selected", false)];
/// assert_eq!(found, expected.map(|(path, is_weak)| (path.to_owned(), is_weak)));
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Errors
/// As [`visit`](crate::visit), and an error if `object` is not a pointer to a shared object, or is
/// a `Weak` whose object was dropped.
pub fn holders(
    value: &dyn Polymorphic,
    object: &dyn Polymorphic,
    options: &Options<'_>,
) -> Result<Vec<Holder>> {
    // An object has the same id in each visit.
    let mut wanted = None;
    pointers(&[value, object], options, &mut |index, (path, id, _)| {
        if index == 1 && path().is_empty() {
            wanted.get_or_insert(id);
        }
    })?;
    let Some(wanted) = wanted else {
        return Err(Error::custom("the object is not a pointer to a shared object"));
    };
    let mut holders = Vec::new();
    pointers(&[value], options, &mut |_, (path, id, kind)| {
        if id == wanted {
            holders.push(Holder { path: path(), is_weak: kind == PointerKind::Weak });
        }
    })?;
    Ok(holders)
}

/// As [`holders`], for the object of the pointer at a path. The first one that is not weak is the place where the object is
/// visited. The path may lead through pointers to objects that are visited in other places.
///
/// ```
/// use archive::path::Path;
/// use archive::{Options, reflect};
/// use std::cell::RefCell;
/// use std::rc::Rc;
///
/// let shared = Rc::new(RefCell::new(7));
/// let world = (vec![shared.clone()], shared.clone(), Rc::new(RefCell::new(8)));
/// let found = reflect::holders_at(&world, &Path::parse("[1]")?, &Options::new())?;
/// let found: Vec<_> = found.iter().map(|one| one.path.to_string()).collect();
/// assert_eq!(found, ["[0][0]", "[1]"]);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Errors
/// As [`visit`](crate::visit), and an error if there is no pointer to a shared object at the path.
pub fn holders_at(
    value: &dyn Polymorphic,
    path: &Path,
    options: &Options<'_>,
) -> Result<Vec<Holder>> {
    let mut all: Vec<(u64, Holder)> = Vec::new();
    pointers(&[value], options, &mut |_, (path, id, kind)| {
        all.push((id, Holder { path: path(), is_weak: kind == PointerKind::Weak }));
    })?;
    // Long paths are compared only with those of their length.
    let is_at =
        |holder: &Holder, at: &Path| holder.path.len() == at.len() && holder.path.to_path() == *at;
    let id_at = |at: &Path| all.iter().find(|(_, one)| is_at(one, at)).map(|(id, _)| *id);
    let mut at = Path::new();
    let mut wanted = id_at(&at);
    for step in path.iter() {
        at.push(step.clone());
        wanted = id_at(&at);
        let mut same = all.iter().filter(|(id, one)| Some(*id) == wanted && !one.is_weak);
        if let Some((_, first)) = same.next() {
            at = first.path.to_path();
        }
    }
    let Some(wanted) = wanted else {
        let error = Error::custom("this is not a pointer to a shared object");
        return Err(crate::within(error, path));
    };
    Ok(all.into_iter().filter(|(id, _)| *id == wanted).map(|(_, one)| one).collect())
}

/// A pointer to an object: one of the result of [`holders`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Holder {
    /// The path of the pointer.
    pub path: SharedPath,
    /// Whether the pointer does not keep the object alive.
    pub is_weak: bool,
}
