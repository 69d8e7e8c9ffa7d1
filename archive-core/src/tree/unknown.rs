//! [`KeepUnknown`]: fields that keep the members that the type does not have.
// Why: docs/decisions/binary.md#a-class-with-unknown-members-has-no-constant-layout

mod fields;

use std::collections::HashSet;
use std::convert::Infallible;

use crate::format::loading::refuse::{no_member, reserved_member};
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::{Class, Member, OBJECT, each_member};
use crate::tree::opaque::{Unknown, load_linked};
use crate::tree::value::{Ids, One, Value, complete_trees, load_held, save_trees};
use crate::visit::archive::Archive;
use crate::visit::body::Keyed;
use crate::visit::erased::loads;
use crate::visit::session::NoteKind;
use crate::visit::walk::route;

/// The type of a field with `#[archive(unknown)]`: a collection of members by name.
///
/// `BTreeMap<String, Value>`, `HashMap<String, Value>`, `Vec<(String, Value)>`, and [`Value`] (an
/// object or null) implement it. They hold copies of the objects to which the members refer: see
/// [`Value`]. [`Unknown`] also implements it and holds the objects themselves, so that objects
/// remain shared between known and unknown members:
///
/// ```
/// # use archive::{Archive, Result, Serialize};
/// use std::cell::RefCell;
/// use std::rc::Rc;
///
/// use archive::{Unknown, Value};
///
/// #[derive(Default)]
/// struct Unit { hp: u32 }
/// # impl Serialize for Unit {
/// #     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result { ar.serialize("hp", &mut self.hp) }
/// # }
/// # impl archive::Save for Unit {
/// #     fn save<A: Archive>(&self, ar: &mut A) -> Result { ar.save("hp", &self.hp) }
/// # }
/// # archive::blank!(Unit);
/// #[derive(Default)]
/// struct World {
///     units: Vec<Rc<RefCell<Unit>>>,
///     rest: Unknown, // #[archive(unknown)], if the function is derived
/// }
///
/// impl Serialize for World {
///     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
///         ar.serialize("units", &mut self.units)?;
///         archive::keep_unknown(ar, &["units"], &mut self.rest)
///     }
/// }
/// # archive::blank!(World);
///
/// /// A newer program has a member more.
/// #[derive(Default)]
/// struct Newer {
///     units: Vec<Rc<RefCell<Unit>>>,
///     hero: Rc<RefCell<Unit>>,
/// }
/// # impl Serialize for Newer {
/// #     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
/// #         ar.serialize("units", &mut self.units)?;
/// #         ar.serialize("hero", &mut self.hero)
/// #     }
/// # }
/// # archive::blank!(Newer);
///
/// let hero = Rc::new(RefCell::new(Unit { hp: 3 }));
/// let mut newer = Newer { units: vec![hero.clone()], hero };
/// let mut world: World = Value::of(&mut newer)?.to()?;
/// world.units[0].borrow_mut().hp = 2;
/// let newer: Newer = Value::of(&mut world)?.to()?;
/// assert!(Rc::ptr_eq(&newer.units[0], &newer.hero) && newer.hero.borrow().hp == 2);
/// # Ok::<(), archive::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot keep unknown members",
    label = "has no `KeepUnknown`",
    note = "`BTreeMap<String, Value>`, `HashMap<String, Value>`, `Vec<(String, Value)>`, `Value` and `Unknown` have it"
)]
pub trait KeepUnknown {
    /// Removes all members.
    fn clear(&mut self);

    /// Adds a member. No name is added twice, unless the load fails later.
    fn keep(&mut self, name: String, value: Value);

    /// Returns the members in the order in which they are written, which must be the same in every
    /// run.
    ///
    /// # Errors
    /// Returns an error if the value cannot have members.
    fn members(&self) -> Result<Vec<(&str, &Value)>>;

    /// Returns the number of bytes that `members` members take, without their names and the memory
    /// inside their values. It counts against [`Limits::expansion`](crate::Limits::expansion).
    #[doc(hidden)]
    fn size_of(members: usize) -> usize {
        size_in_vec(members)
    }

    /// Returns `self` as an [`Unknown`], if it keeps the objects themselves to which the members
    /// refer.
    #[doc(hidden)]
    fn as_unknown(&self) -> Option<&Unknown> {
        None
    }

    /// Like [`as_unknown`](KeepUnknown::as_unknown), mutable.
    #[doc(hidden)]
    fn as_unknown_mut(&mut self) -> Option<&mut Unknown> {
        None
    }
}

/// Keeps the members that a hand-written [`Serialize`](crate::Serialize) function does not request,
/// as `#[archive(unknown)]` does for a derived type. Call it after all other members.
///
/// Loading fills `unknown` with the members that were not requested. Saving writes them, except
/// those whose names are in `known`. `known` must list all members that the current function
/// visits.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use archive::{Archive, Result, Serialize, Value};
///
/// #[derive(Default)]
/// struct Unit {
///     hp: u32,
///     rest: BTreeMap<String, Value>,
/// }
///
/// impl Serialize for Unit {
///     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
///         ar.serialize("hp", &mut self.hp)?;
///         archive::keep_unknown(ar, &["hp"], &mut self.rest)
///     }
/// }
/// archive::blank!(Unit);
///
/// let newer = Value::Object(vec![("mana".into(), 7.into()), ("hp".into(), 3.into())]);
/// let mut unit: Unit = newer.to()?;
/// assert_eq!(unit.rest["mana"], Value::from(7));
/// unit.hp = 2;
/// assert_eq!(Value::of(&mut unit)?.get("mana"), Some(&Value::from(7)));
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Errors
/// Errors of the archive; while saving, an error for a name that is reserved or occurs twice.
pub fn keep_unknown<U: KeepUnknown + ?Sized, A: Archive>(
    ar: &mut A,
    known: &[&str],
    unknown: &mut U,
) -> Result {
    if loads!(A, ar) {
        load_rest(ar, None, unknown)
    } else {
        save_rest(ar, |names| names.extend(known), unknown)
    }
}

/// Like [`keep_unknown`], for a derived type.
pub fn unknown<U: KeepUnknown + ?Sized, A: Archive>(
    ar: &mut A,
    class: &'static Class,
    members: &'static [Member],
    value: &mut U,
) -> Result {
    if !loads!(A, ar) {
        return save_unknown(ar, class, members, value);
    }
    check_owner(ar, class)?;
    load_rest(ar, Some(class), value)
}

/// Like [`unknown`], through a shared reference.
pub fn save_unknown<U: KeepUnknown + ?Sized, A: Archive>(
    ar: &mut A,
    class: &'static Class,
    members: &'static [Member],
    value: &U,
) -> Result {
    check_owner(ar, class)?;
    save_rest(ar, |names| known(members, names), value)
}

/// Checks that the type is not flattened into another one. It would treat the members of the outer
/// type as unknown members.
fn check_owner<A: Archive>(ar: &A, class: &'static Class) -> Result {
    match ar.members_of() {
        Some(other) if other.type_name.get() != class.type_name.get() => {
            let message = format_args!(
                "`{}` keeps unknown members, so its members cannot be those of `{}`: make it a member",
                class.name(),
                other.name(),
            );
            Err(Error::new(ErrorKind::Unsupported, message))
        }
        _ => Ok(()),
    }
}

fn load_rest<U: KeepUnknown + ?Sized, A: Archive>(
    ar: &mut A,
    class: Option<&'static Class>,
    value: &mut U,
) -> Result {
    if route(ar).is_some() {
        return Ok(());
    }
    value.clear();
    let mut rest = Rest { class, members: Vec::new(), name: String::new() };
    let mut load_all = |ar: &mut A| -> Result {
        while ar.load_key(&mut rest)? {}
        Ok(())
    };
    let mut links = None;
    if value.as_unknown().is_some() {
        links = load_linked(ar, None, load_all)?;
    } else {
        ar.session_mut().trees.met_pointer = false;
        load_all(ar)?;
        if ar.session().trees.met_pointer && !ar.session().trees.same_ids {
            complete_trees(&mut rest.members, ar)?;
        }
    }
    if !rest.members.is_empty() {
        let session = ar.session_mut();
        session.hold(U::size_of(rest.members.len()))?;
        session.let_go(rest.members.capacity() * size_of::<(String, Value)>());
    }
    rest.members.into_iter().for_each(|(name, member)| value.keep(name, member));
    if let Some(unknown) = value.as_unknown_mut() {
        unknown.set_links(links);
    }
    Ok(())
}

fn save_rest<'n, U: KeepUnknown + ?Sized, A: Archive>(
    ar: &mut A,
    known: impl FnOnce(&mut HashSet<&'n str>),
    value: &'n U,
) -> Result {
    let mut unknown = value.members()?;
    if unknown.is_empty() {
        return Ok(());
    }
    let mut names = HashSet::new();
    known(&mut names);
    unknown.retain(|(name, _)| !names.contains(name));
    if let Some(links) = value.as_unknown().and_then(Unknown::links) {
        return save_members(&unknown, names, Ids::Of(links), ar);
    }
    let trees = unknown.iter().map(|(_, value)| *value);
    save_trees(trees, ar, |ids, ar| save_members(&unknown, names, ids, ar))
}

fn save_members<'n, A: Archive>(
    unknown: &[(&'n str, &Value)],
    mut names: HashSet<&'n str>,
    ids: Ids<'_>,
    ar: &mut A,
) -> Result {
    for &(name, value) in unknown {
        let refusal = if is_reserved(name) {
            Some((ErrorKind::ReservedName, "a name that begins with `$` is reserved"))
        } else if !names.insert(name) {
            Some((ErrorKind::DuplicateMember, "two unknown members have this name"))
        } else {
            None
        };
        if let Some((kind, message)) = refusal {
            return Err(Error::new(kind, message).in_member(name));
        }
        ar.save_key(name, &mut One(value, ids))?;
    }
    Ok(())
}

/// Collects the names of members. The members of flattened members are in their places.
fn known(members: &'static [Member], names: &mut HashSet<&str>) {
    let Ok(()) = each_member::<Infallible>(members, &mut |member, _| {
        names.insert(member.name);
        names.extend(member.aliases);
        Ok(())
    });
}

/// Returns the memory that a vector of that many members takes while it grows.
fn size_in_vec(members: usize) -> usize {
    3 * members.next_power_of_two().max(4) / 2 * size_of::<(String, Value)>()
}

/// Returns whether a name is reserved for the format. A name in the data that begins with `$` is
/// written with a second `$`.
fn is_reserved(name: &str) -> bool {
    name.starts_with('$') && !name.starts_with("$$")
}

/// The remaining members of an object to be loaded.
struct Rest {
    class: Option<&'static Class>,
    members: Vec<(String, Value)>,
    name: String,
}

impl Keyed for Rest {
    fn key(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    fn load<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut value = Value::Null;
        ar.session_mut().hold(self.name.len())?;
        load_held(&mut value, ar)?;
        if is_reserved(&self.name) {
            // A reserved name could not be saved again, so it is handled like an unknown member of
            // a type that keeps none.
            return self.refuse(ar);
        }
        ar.session_mut().hold_item(&mut self.members, (std::mem::take(&mut self.name), value))
    }
}

impl Rest {
    #[cold]
    fn refuse<A: Archive>(&self, ar: &mut A) -> Result {
        let class = self.class.unwrap_or(&OBJECT);
        reserved_member(&self.name, class)?;
        if ar.options().strict {
            return Err(no_member(&self.name, class, ar.session()));
        }
        ar.session_mut().note(NoteKind::Unknown);
        Ok(())
    }
}
