//! [`Unknown`]: what stands for objects of types that the program does not know.
//!
//! Its data is a tree in which every shared object is a reference. What the references mean is in
//! its [`Links`]: an object of the program's own types, or one more `Unknown`.

mod held;
mod links;

pub(crate) use held::sweep;
pub(crate) use links::{Links, References, Untyped};

use std::fmt;
use std::sync::Arc;

use crate::archive::{Archive, loads};
use crate::blank::Blank;
use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;
use crate::session::NoteKind;
use crate::shape::Shape;
use crate::value::{Value, save_tree};
use crate::{Save, Serialize};

/// An object of a type that this program does not know: its type id, and what the file says of it.
///
/// With it a mod's objects survive a session without the mod. It stands behind the traits that it
/// implements and is registered for, in every pointer that objects of the trait have, and is written
/// back under its own type id, in any format.
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
/// What the object shares with others stays shared. Where its data refers to an object that the
/// program's own types refer to as well, it refers to that very object: it keeps it alive, unless the
/// reference is weak, and is saved with a reference to it. Objects that only objects of unknown
/// types refer to are kept beside the data ([`referred`](Unknown::referred)). A clone refers to the
/// same objects.
///
/// `Unknown` is `Send` and `Sync`, but it reaches objects of the program's types only on the thread that
/// loaded it, and holds them no longer than that thread runs. Saved on another thread it has copies of
/// those in an `Arc`, as they were in the file; one in an `Rc`, which cannot have come along, is an
/// error there ([`ErrorKind::BadPointer`]).
///
/// # As a member
///
/// A field with `#[archive(unknown)]` may be an `Unknown`: it then keeps the members that its type does
/// not have, and what they share. It has no type id there. As any other member it has no place for its
/// type id, and cannot be loaded.
///
/// # Limits
///
/// Two are equal if their type ids and data are; what the data refers to is compared by number. A weak
/// reference to an object that nothing holds is written as null.
#[derive(Clone)]
pub struct Unknown {
    /// Empty for none.
    id: Arc<str>,
    value: Value,
    /// What the references in the value mean; nothing if there are none.
    links: Option<Arc<Links>>,
}

/// Longer type ids are refused: every object is written with its own.
const LONGEST_ID: usize = 4096;

impl Unknown {
    /// An object with this type id and this data. Shared objects stand in the data as in any
    /// [`Value`].
    pub fn new(id: &str, value: Value) -> Self {
        Unknown { id: id.into(), value, links: None }
    }

    /// The type id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The data: members by name, for most types. Shared objects are references in it, with `$id`,
    /// or `$weak` if they do not hold their object.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The object that the data refers to by this id, if the program does not know its type either.
    /// Its type id is empty if the file does not tell it.
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

    /// The type id, if there is one.
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
    const NULLABLE: bool = true;

    fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
        self.value.saves_null(options, levels)
    }

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            return self.save(ar);
        }
        let session = ar.session_mut();
        let Some(announced) = session.unknown.take_announced(session.depth) else {
            return Err(no_place());
        };
        let id = announced.id?;
        // What is left of it if its data is refused is an object of that type.
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

/// Loads data in which shared objects are references, and gives what these mean once the root is
/// loaded; nothing if there are none.
pub(crate) fn load_linked<A: Archive>(
    ar: &mut A,
    owner: Option<u64>,
    load: impl FnOnce(&mut A) -> Result,
) -> Result<Option<Arc<Links>>> {
    let outer = ar.session_mut().unknown.references.replace(References::new());
    let loaded = load(ar);
    let unknown = &mut ar.session_mut().unknown;
    let references = std::mem::replace(&mut unknown.references, outer);
    loaded?;
    Ok(references.filter(|ids| !ids.is_empty()).map(|ids| unknown.link(owner, ids)))
}

impl Save for Unknown {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        match &self.links {
            Some(links) => save_tree(&self.value, Some(links), ar),
            None => self.value.save(ar),
        }
    }
}

/// Nothing: no type id and no data.
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

/// Checks the type id of an object to be kept.
pub(crate) fn check_id(id: &str) -> Result {
    let what = match id.len() {
        0 => "is empty",
        1..=LONGEST_ID => return Ok(()),
        _ => "is too long",
    };
    let message = format_args!("the type id of an object to be kept {what}");
    Err(Error::new(ErrorKind::UnknownType, message))
}

#[cold]
fn no_place() -> Error {
    let message = "an `Unknown` stands behind a trait object, with the type id of an unknown type";
    Error::new(ErrorKind::UnknownType, message)
}
