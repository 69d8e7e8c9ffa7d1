//! [`Implied`]: the types that follow from the type of the root, for profiles that do not store
//! types.
// Why: docs/decisions/binary.md#files-without-tables-still-have-a-type-table

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use archive_core::__private::fnv1a;
use archive_core::shape::Shape;
use archive_core::{Error, Result, Targets};
use rustc_hash::FxHashMap;

use crate::columnar::{Layouts, Splits};
use crate::compare::{Equality, Graph};
use crate::intern::TypeTable;
use crate::read_tables::takes_bytes;
use crate::shapes::{Described, ShapeRef};
use crate::types::{Type, TypeId};
use crate::write_tables::{put_id, put_text, put_types};

/// The version of the data that a fingerprint hashes, and of the profiles themselves.
const VERSION: u8 = 2;

/// The types that follow from the type of the root, numbered in the same way by both sides.
pub(crate) struct Implied {
    /// The root's own type.
    pub(crate) root: TypeId,
    /// All types, in the order of their numbers.
    pub(crate) types: Arc<[Type<&'static str, TypeId>]>,
    /// For each type whether its values take any bytes.
    pub(crate) takes_bytes: Arc<[bool]>,
    /// Whether the root is read by position.
    pub(crate) positional: bool,
    /// Whether the types determine values of the root's type completely.
    pub(crate) fully_described: bool,
    /// The fingerprint: a hash that differs for different types.
    pub(crate) fingerprint: u64,
    /// The columns of lists, once they were requested.
    layouts: OnceLock<Option<Arc<Layouts>>>,
    /// The error that the types have, if any.
    refused: Option<(archive_core::ErrorKind, String)>,
}

/// The number of roots that each thread caches. A program has few.
const REMEMBERED: usize = 256;

thread_local! {
    static KNOWN: RefCell<FxHashMap<ShapeRef, Arc<Implied>>> = RefCell::default();
}

impl Implied {
    /// Returns the types that follow from a root, in the program's versions. Each thread caches
    /// them, since there are many packets with few types.
    pub(crate) fn of(root: &'static Shape) -> Arc<Implied> {
        let key = ShapeRef::of(root);
        // While a thread ends, its cache no longer exists, and the types are computed each time.
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

    /// Computes the types that follow from a root, in the given versions.
    pub(crate) fn new(root: &'static Shape, targets: &Targets) -> Self {
        let mut table = TypeTable::new(targets.clone());
        let id = table.intern(root);
        let types = table.described();
        let positional = Equality::new(types.len()).holds(&Listed(&types), id, ShapeRef::of(root));
        Implied {
            root: id,
            positional,
            fully_described: positional && table.is_fully_described(id),
            takes_bytes: takes_bytes(&types).into(),
            fingerprint: fingerprint(root, targets),
            layouts: OnceLock::new(),
            refused: table.refusal().map(|error| (error.kind(), error.message().to_owned())),
            types: types.into(),
        }
    }

    /// Returns types that were stored elsewhere, for files with a root of that type.
    pub(crate) fn given(types: Vec<Type<&'static str, TypeId>>, root: TypeId) -> Self {
        Implied {
            root,
            positional: false,
            fully_described: false,
            takes_bytes: takes_bytes(&types).into(),
            types: types.into(),
            fingerprint: 0,
            layouts: OnceLock::new(),
            refused: None,
        }
    }

    /// Returns whether values of the root's type can be read by position as values of the shape.
    pub(crate) fn matches(&self, shape: ShapeRef) -> bool {
        Equality::new(self.types.len()).holds(&Listed(&self.types), self.root, shape)
    }

    /// Returns the columns of lists, or `None` if values must be turned into rows first.
    pub(crate) fn layouts(&self) -> Option<&Arc<Layouts>> {
        let new = || {
            let splits = Splits::new(&self.types, &self.takes_bytes);
            let layouts = Layouts::new(&self.types, &splits, None);
            layouts.filter(|_| self.fully_described).map(Arc::new)
        };
        self.layouts.get_or_init(new).as_ref()
    }

    /// Checks that values of the types can be saved and loaded.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`](archive_core::ErrorKind::DuplicateMember) if a class has two
    /// members with the same name.
    pub(crate) fn check(&self) -> Result {
        match &self.refused {
            None => Ok(()),
            Some((kind, message)) => Err(Error::new(*kind, message)),
        }
    }
}

/// Hashes the types as they would be stored in the tables of a file, with three differences: their
/// meanings are added, the names of classes and enums are left out, and other names are written in
/// place of their numbers.
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
