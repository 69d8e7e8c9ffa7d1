//! [`Unknown`]: represents objects of types that the program does not know.
//!
//! Its data is a tree in which every shared object is a reference. Its [`Links`] say what the
//! references denote: objects of the program's own types, or other `Unknown`s.

mod held;
mod links;
mod loaded;

pub(crate) use links::Links;

use std::fmt;
use std::sync::Arc;

use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::{About, Shape};
use crate::state::options::Options;
use crate::tree::value::{Ids, Value, save_tree};
use crate::visit::archive::Archive;
use crate::visit::blank::Blank;
use crate::visit::erased::loads;
use crate::visit::serialize::{OwnTypeId, Save, Serialize};
use crate::visit::session::{NoteKind, References};
use loaded::AllLinks;

/// An object of a type that this program does not know: its type id, and its data from the file.
///
/// With this type, the objects of a mod survive being loaded and saved by a game without the mod.
/// An `Unknown` can be an object of the traits that it implements and is registered for, in every
/// kind of pointer. It is saved with its own type id, in any format.
///
/// ```
/// # use archive::{Archive, Result, Serialize, Value};
/// use archive::{Options, Registry, Unknown};
///
/// trait Command: archive::Polymorphic {
///     fn tick(&mut self);
/// }
/// archive::polymorphic!(dyn Command);
/// # struct Wait { left: u32 }
/// # impl Serialize for Wait {
/// #     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result { ar.serialize("left", &mut self.left) }
/// # }
/// # impl archive::Save for Wait {
/// #     fn save<A: Archive>(&self, ar: &mut A) -> Result { ar.save("left", &self.left) }
/// # }
/// # impl archive::Blank for Wait { fn blank(_: &Options<'_>) -> Self { Wait { left: 0 } } }
/// # impl Command for Wait { fn tick(&mut self) { self.left -= 1; } }
///
/// impl Command for Unknown {
///     fn tick(&mut self) {} // nothing is known of it
/// }
///
/// let mut registry = Registry::new();
/// archive::register!(registry, dyn Command { Wait, Unknown })?;
/// let options = Options::new().registry(&registry).keep_unknown(true);
///
/// # let spell = Value::Object(vec![("power".into(), 9.into())]);
/// # let file = Value::from(vec![Value::Object(vec![("$type".into(), "ModSpell".into()), ("$value".into(), spell)])]);
/// // [{"$type":"ModSpell","$value":{"power":9}}]
/// let orders: Vec<Box<dyn Command>> = file.to_with(&options)?;
/// let spell = (&*orders[0] as &dyn std::any::Any).downcast_ref::<Unknown>().unwrap();
/// assert_eq!((spell.id(), &spell.value()["power"]), ("ModSpell", &Value::from(9)));
/// assert_eq!(Value::of_with(&orders, &options)?, file);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Sharing
///
/// Objects that this one shares with others remain shared. If the data refers to an object to which
/// the program's own types refer too, the `Unknown` refers to that same object: it keeps the object
/// alive, unless the reference is weak, and is saved with a reference to it. Objects to which only
/// objects of unknown types refer are kept together with the data
/// ([`referred`](Unknown::referred)). A clone refers to the same objects.
///
/// `Unknown` is `Send` and `Sync`, but it can reach objects of the program's types only on the
/// thread that loaded it, and keeps them alive only until that thread ends. If it is saved on
/// another thread, objects in an `Arc` are saved as copies of the data in the file. An object in an
/// `Rc` cannot have been moved to the other thread, so it is an error there
/// ([`ErrorKind::BadPointer`]).
///
/// # As a member
///
/// A field with `#[archive(unknown)]` may be an `Unknown`: it then keeps the members that the type
/// does not have, and the objects that they share. It has no type id in this case. An `Unknown`
/// that is any other kind of member cannot be loaded, because there is no place for its type id.
///
/// # Limits
///
/// Two `Unknown`s are equal if their type ids and data are; references in the data are compared by
/// their ids. A weak reference to an object that nothing holds is saved as null.
#[derive(Clone)]
pub struct Unknown {
    /// The type id; empty if there is none.
    id: Arc<str>,
    value: Value,
    /// The objects that references in the value denote; `None` if there are no references.
    links: Option<Arc<Links>>,
}

impl Unknown {
    /// Creates an object with this type id and this data. Shared objects in the data have the same
    /// form as in any [`Value`].
    pub fn new(id: &str, value: Value) -> Self {
        Unknown { id: id.into(), value, links: None }
    }

    /// Returns the type id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the data: members by name, for most types. Shared objects are references in it, with
    /// `$id`, or with `$weak` if they do not hold their object.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Returns the object to which the data refers by this id, if the program does not know its
    /// type either. Its type id is empty if the file does not state it.
    pub fn referred(&self, id: u64) -> Option<Unknown> {
        let object = self.links.as_ref()?.untyped(id)?;
        let unknown = object.read().unwrap_or_else(|e| e.into_inner());
        Some(unknown.clone())
    }

    pub(crate) fn value_mut(&mut self) -> &mut Value {
        &mut self.value
    }

    pub(crate) fn links(&self) -> Option<&Links> {
        self.links.as_deref()
    }

    pub(crate) fn set_links(&mut self, links: Option<Arc<Links>>) {
        self.links = links;
    }

    /// Returns the type id, if there is one.
    pub(crate) fn own_id(&self) -> Option<Arc<str>> {
        if self.id.is_empty() { None } else { Some(self.id.clone()) }
    }
}

impl PartialEq for Unknown {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.value == other.value
    }
}

impl fmt::Debug for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unknown").field("id", &self.id).field("value", &self.value).finish()
    }
}

impl Serialize for Unknown {
    const SHAPE: &'static Shape = &Shape::Any;
    const ABOUT: &'static About = &About::named("Unknown");
    const OWN_TYPE_ID: Option<OwnTypeId<Self>> = Some(Unknown::own_id);
    const NULLABLE: bool = true;

    fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
        self.value.saves_null(options, levels)
    }

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            return self.save(ar);
        }
        let session = ar.session_mut();
        let Some(announced) = session.unknown.take_announced(session.depth()) else {
            return Err(no_place());
        };
        let id = announced.id?;
        // If the data is refused, an object of that type without data remains.
        *self = Unknown { id: id.clone(), ..Unknown::default() };
        let mut value = Value::Null;
        let links = load_linked(ar, announced.owner, |ar| ar.load_any(&mut value))?;
        if announced.owner.is_none() {
            ar.session_mut().note(NoteKind::UnknownType { id: id.clone() });
        }
        *self = Unknown { id, value, links };
        Ok(())
    }
}

/// Loads data in which shared objects are references. Returns the links, which are resolved when
/// the root has been loaded; `None` if there are no references.
pub(crate) fn load_linked<A: Archive>(
    ar: &mut A,
    owner: Option<u64>,
    load: impl FnOnce(&mut A) -> Result,
) -> Result<Option<Arc<Links>>> {
    let outer = ar.session_mut().unknown.exchange(Some(References::new()));
    let loaded = load(ar);
    let unknown = &mut ar.session_mut().unknown;
    let references = unknown.exchange(outer);
    loaded?;
    let references = references.filter(|ids| !ids.is_empty());
    Ok(references.and_then(|ids| Some(unknown.links_as::<AllLinks>()?.add(owner, ids))))
}

impl Save for Unknown {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        match &self.links {
            Some(links) => save_tree(&self.value, Ids::Of(links), ar),
            None => self.value.save(ar),
        }
    }
}

/// An `Unknown` without a type id and data.
impl Default for Unknown {
    fn default() -> Self {
        Unknown { id: Arc::default(), value: Value::Null, links: None }
    }
}

impl Blank for Unknown {
    fn blank(_: &Options<'_>) -> Self {
        Unknown::default()
    }
}

#[cold]
fn no_place() -> Error {
    let message = "`Unknown` can only be loaded as a trait object of an unregistered type";
    Error::new(ErrorKind::UnknownType, message)
}
