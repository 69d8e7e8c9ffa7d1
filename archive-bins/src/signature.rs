//! Signatures: numbers that identify the layout of a class, or of a tree that was made by hand.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use archive_core::__private::fnv1a;
use archive_core::{ROOTS, Serialize, Shape};
use archive_describe::signature_of_shape;

use crate::flat::{Content, Flat};
use crate::object::Form;
use crate::types::varies;

/// Returns the signature of a type, which is stored in the [header](crate::Header) of every packed
/// value of `T`. For derived types it is [`archive::signature`](fn@archive_describe::signature). It
/// shows whether a file was saved by a type of this layout, before anything else of the file is
/// read. Returns `None` for types whose values describe themselves, such as
/// [`Value`](archive_core::Value).
///
/// Classes whose members are not all known (their function is written by hand, or they keep unknown
/// members) contribute only their names and versions. The signature of a type with such a class is
/// not compared when a value is loaded.
///
/// ```
/// use archive::bins::{self, Header};
///
/// let header = Header::read(&bins::to_vec(&vec![1_u8, 2])?)?;
/// assert_eq!(Some(header.signature), bins::signature::<Vec<u8>>());
/// assert_eq!(header.signature, archive::signature::<Vec<u8>>());
/// assert_ne!(Some(header.signature), bins::signature::<Vec<u16>>());
/// # Ok::<(), archive::Error>(())
/// ```
pub fn signature<T: Serialize + ?Sized>() -> Option<u64> {
    of_class(T::SHAPE).map(|signature| signature.number)
}

/// The signature of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClassSignature {
    pub(crate) number: u64,
    /// Whether the members of all classes are known; otherwise the signature says too little to be
    /// compared.
    pub(crate) whole: bool,
}

/// How many types each thread caches. A program has few.
const REMEMBERED: usize = 256;

thread_local! {
    static KNOWN: RefCell<HashMap<*const Shape, ClassSignature>> = RefCell::default();
}

/// Returns the signature of a type, unless its values describe themselves.
pub(crate) fn of_class(shape: &'static Shape) -> Option<ClassSignature> {
    match shape {
        Shape::Any => return None,
        // the roots depend on what the program saved
        Shape::Class(class) if std::ptr::eq(*class, &ROOTS) => return None,
        _ => {}
    }
    let key = std::ptr::from_ref(shape);
    // While a thread ends, its cache is gone.
    let known = KNOWN.try_with(|known| known.borrow().get(&key).copied()).ok().flatten();
    Some(known.unwrap_or_else(|| {
        let (number, whole) = signature_of_shape(shape);
        let new = ClassSignature { number, whole };
        let _ = KNOWN.try_with(|known| {
            let mut known = known.borrow_mut();
            if known.len() >= REMEMBERED {
                known.clear();
            }
            known.insert(key, new);
        });
        new
    }))
}

/// Replaces the size of variables whose sizes differ, and numbers that do not exist.
const NONE: u64 = u64::MAX;

/// Computes the signature of a tree.
pub(crate) fn of_tree(flat: &Flat<'_>) -> u64 {
    let hashes: Vec<u64> = flat.strings.iter().map(|text| hash(text)).collect();
    let hash = |number: u32| hashes[number as usize];
    let mut entries = Entries::default();
    // The classes of the open objects, and where the objects end.
    let mut open: Vec<(usize, u64)> = Vec::new();
    for (at, node) in flat.nodes.iter().enumerate() {
        while open.last().is_some_and(|(end, _)| *end <= at) {
            open.pop();
        }
        let owner = open.last().map(|(_, class)| *class);
        match node.content {
            Content::Object(form, _) => {
                open.push((node.end, hash(node.class)));
                let name = (at > 0).then(|| hash(node.name));
                entries.object(form, owner, hash(node.class), name);
            }
            Content::Variable(ty, bytes) => {
                let (class, name) = (hash(node.class), hash(node.name));
                entries.variable(owner, class, name, hash(ty), flat.text(ty), bytes.len());
            }
        }
    }
    entries.signature()
}

/// Returns the hash of a string, as entries have it.
pub(crate) fn hash(text: &str) -> u64 {
    fnv1a(text.as_bytes())
}

/// The distinct entries that describe the objects and variables of a tree. Their signature is the sum of
/// their hashes. The order of members and how often they occur do not matter.
#[derive(Default)]
pub(crate) struct Entries {
    known: HashSet<[u64; 6]>,
    sum: u64,
}

impl Entries {
    /// Adds an object by hashes: of the class that contains it, of its class, and of its name. The outermost
    /// object has only a class.
    pub(crate) fn object(&mut self, form: Form, owner: Option<u64>, class: u64, name: Option<u64>) {
        let form = u64::from(form.code());
        self.add([form, owner.unwrap_or(NONE), class, name.unwrap_or(NONE), NONE, NONE]);
    }

    /// Adds a variable of `len` bytes.
    pub(crate) fn variable(
        &mut self,
        owner: Option<u64>,
        class: u64,
        name: u64,
        ty: u64,
        type_name: &str,
        len: usize,
    ) {
        let size = if varies(type_name) { NONE } else { len as u64 };
        self.add([VARIABLE, owner.unwrap_or(NONE), class, name, ty, size]);
    }

    fn add(&mut self, entry: [u64; 6]) {
        if self.known.insert(entry) {
            self.sum = self.sum.wrapping_add(fnv1a(entry.map(u64::to_le_bytes).as_flattened()));
        }
    }

    pub(crate) fn signature(&self) -> u64 {
        self.sum
    }
}

/// The first word of the entry of a variable. The first word for an object is its form.
const VARIABLE: u64 = 16;

impl Form {
    /// Returns the number of the form in a file.
    pub(crate) fn code(self) -> u32 {
        match self {
            Form::Object => 0,
            Form::List => 1,
            Form::Value => 2,
        }
    }

    pub(crate) fn of_code(code: u32) -> Option<Form> {
        [Form::Object, Form::List, Form::Value].into_iter().find(|form| form.code() == code)
    }
}
