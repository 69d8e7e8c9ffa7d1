//! [`Survey`]: records what the functions of hand-written types visit.

use std::collections::{HashMap, HashSet};

use super::explorer::Explorer;
use super::guide::{Guide, Place, Variation};
use crate::model::error::Result;
use crate::model::scalar::Scalar;
use crate::model::shape::{Class, Enum, Shape};
use crate::pointer::registry::ops::Create;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Element;

/// Identifies a class by the path of its type and its own name, which differs between the variants
/// of one enum.
pub(super) type Key = (&'static str, &'static str);

/// Returns the key of a class.
pub(super) fn key(class: &'static Class) -> Key {
    (class.type_name.get(), class.name())
}

/// The members of the classes that were visited.
#[derive(Default)]
pub struct Survey {
    found: HashMap<Key, Found>,
    classes: HashSet<Key>,
    enums: HashSet<&'static str>,
    open: Vec<Key>,
    /// Whether options have values, and truth values and numbers are not zero.
    rich: bool,
}

/// The members of a class.
#[derive(Default)]
pub(super) struct Found {
    /// The members in the order in which they were visited.
    pub(super) members: Vec<(String, &'static Shape)>,
    /// Whether the function returned an error of its own.
    pub(super) broken: bool,
}

impl Survey {
    /// Runs the functions of everything in `T`: once on a file that has everything, and once on one
    /// where options are empty and numbers zero, since these may take other branches.
    pub fn of<T: Element>(options: &Options<'_>) -> Self {
        Survey::run(options, |ar| {
            // If a value cannot be created, less of its content is recorded; that is not an error.
            let _ = T::load_element(ar);
        })
    }

    /// As [`of`](Survey::of), for the object that `create` makes.
    pub fn of_object(create: Create, options: &Options<'_>) -> Self {
        Survey::run(options, |ar| {
            let Ok(handle) = create(options) else { return };
            let _ = handle.object().map(|object| object.fill(&mut ar.erased()));
        })
    }

    fn run(options: &Options<'_>, mut visit: impl FnMut(&mut Explorer<'_>)) -> Self {
        let mut survey = Survey::default();
        for rich in [true, false] {
            survey.rich = rich;
            survey.classes.clear();
            survey.enums.clear();
            visit(&mut Explorer::new(&mut survey, options));
            survey.open.clear();
        }
        survey
    }

    /// Returns the names and shapes of the members that were found for a class, if it was visited.
    pub fn members(&self, class: &'static Class) -> Option<&[(String, &'static Shape)]> {
        self.get(class).map(|found| found.members.as_slice())
    }

    /// Returns the members that were found for a class, if it was visited.
    pub(super) fn get(&self, class: &'static Class) -> Option<&Found> {
        self.found.get(&key(class))
    }
}

impl Guide for Survey {
    fn enter(&mut self, place: Place<'_>, _: usize) -> bool {
        if let (Place::Member(name, shape), Some(open)) = (place, self.open.last()) {
            let members = &mut self.found.entry(*open).or_default().members;
            if members.iter().all(|(known, _)| known != name) {
                members.push((name.to_owned(), shape));
            }
        }
        true
    }
    fn leave(&mut self, _: Result) {}

    fn scalar(&mut self, value: Scalar<'_>) {
        macro_rules! number {
            ($($Number:ident)*) => {
                match value {
                    Scalar::Bool(value) => *value = self.rich,
                    $(Scalar::$Number(value) => *value = u8::from(self.rich).into(),)*
                    Scalar::I8(value) => *value = self.rich.into(),
                    // Text stays as it is: it is not known what a function expects.
                    _ => {}
                }
            };
        }
        number!(U8 U16 U32 U64 U128 I16 I32 I64 I128 F32 F64);
    }
    fn items(&mut self) -> usize {
        1
    }
    fn some(&mut self) -> bool {
        self.rich
    }

    fn open(&mut self, class: &'static Class) -> bool {
        let key = key(class);
        let new = self.classes.insert(key);
        if new {
            self.open.push(key);
            self.found.entry(key).or_default();
        }
        new
    }
    fn close(&mut self, complete: bool) {
        if let Some(found) = self.open.pop().and_then(|open| self.found.get_mut(&open)) {
            found.broken |= !complete;
        }
    }
    fn vary(&mut self, info: &'static Enum) -> Variation {
        if self.enums.insert(info.type_name.get()) { Variation::All } else { Variation::Nothing }
    }
}
