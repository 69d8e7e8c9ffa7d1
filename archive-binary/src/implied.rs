//! [`Implied`]: the types that follow from that of the root, for profiles in which they do not stand
//! in the file.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use archive_core::__private::fnv1a;
use archive_core::shape::Shape;
use archive_core::{Error, Result, Targets};
use rustc_hash::FxHashMap;

use crate::compare::{Equality, Graph};
use crate::intern::TypeTable;
use crate::read_tables::solid;
use crate::shapes::{Described, ShapeRef};
use crate::types::{Type, TypeId};
use crate::write_tables::{put_id, put_text, put_types};

/// The version of what a fingerprint is the hash of, and of the profiles themselves.
const VERSION: u8 = 2;

/// The types that follow from that of the root, as both sides number them.
pub(crate) struct Implied {
    /// The root's own type.
    pub(crate) root: TypeId,
    /// All of them, in the order of their numbers.
    pub(crate) types: Arc<[Type<&'static str, TypeId>]>,
    /// For each type whether its values take any bytes.
    pub(crate) solid: Arc<[bool]>,
    /// Whether the root is read by position.
    pub(crate) positional: bool,
    /// Whether values of the root's type are nothing but what the types say.
    pub(crate) told: bool,
    /// A number that is another for other types.
    pub(crate) fingerprint: u64,
    /// What is wrong with the types.
    refused: Option<(archive_core::ErrorKind, String)>,
}

/// How many roots a thread remembers. A program has a few.
const REMEMBERED: usize = 256;

thread_local! {
    static KNOWN: RefCell<FxHashMap<ShapeRef, Arc<Implied>>> = RefCell::default();
}

impl Implied {
    /// What follows from a root, in the versions of the program. Packets are many and their types
    /// few, so each thread remembers them.
    pub(crate) fn of(root: &'static Shape) -> Arc<Implied> {
        let key = ShapeRef::of(root);
        // A thread that ends remembers nothing.
        let known = KNOWN.try_with(|known| known.borrow().get(&key).cloned());
        known.ok().flatten().unwrap_or_else(|| {
            let new = Arc::new(Implied::new(root, &Targets::default()));
            let _ = KNOWN.try_with(|known| {
                let mut known = known.borrow_mut();
                if known.len() >= REMEMBERED {
                    known.clear();
                }
                known.insert(key, new.clone());
            });
            new
        })
    }

    /// What follows from a root, in these versions.
    pub(crate) fn new(root: &'static Shape, targets: &Targets) -> Self {
        let mut table = TypeTable::new(targets.clone());
        let id = table.intern(root);
        let types = table.described();
        let positional = Equality::new(types.len()).holds(&Listed(&types), id, ShapeRef::of(root));
        Implied {
            root: id,
            positional,
            told: positional && table.is_told(id),
            solid: solid(&types).into(),
            fingerprint: fingerprint(root, targets),
            refused: table.refusal().map(|error| (error.kind(), error.message().to_owned())),
            types: types.into(),
        }
    }

    /// Whether values of the types can be saved and loaded.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`](archive_core::ErrorKind::DuplicateMember) if a class has two
    /// members of one name.
    pub(crate) fn check(&self) -> Result {
        match &self.refused {
            None => Ok(()),
            Some((kind, message)) => Err(Error::new(*kind, message)),
        }
    }
}

/// The hash of the types as they would stand in a file's tables if these said what values mean,
/// without the names of classes and enums and with other names spelled out.
fn fingerprint(root: &'static Shape, targets: &Targets) -> u64 {
    let mut table = TypeTable::of_meanings(targets.clone());
    let root = table.intern(root);
    let mut text = vec![VERSION];
    put_types(&mut text, &table.described(), |out, name| put_text(out, name), |_, _| {});
    put_id(&mut text, root);
    fnv1a(&text)
}

/// Types by their numbers.
struct Listed<'t>(&'t [Type<&'static str, TypeId>]);

impl Graph for Listed<'_> {
    type Node = TypeId;

    fn describe(&self, id: TypeId) -> Described<Cow<'_, Type<&str, TypeId>>> {
        match id.index().and_then(|index| self.0.get(index)) {
            Some(described) => Described::Compound(Cow::Borrowed(described)),
            None => Described::Simple(id),
        }
    }
}
