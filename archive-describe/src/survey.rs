//! [`Survey`]: records the members that the functions of hand-written types visit.

use std::collections::{HashMap, HashSet};

use crate::explorer::Explorer;
use crate::scenario::{Part, Scenario, Variation};
use archive_core::__private::Visited;
use archive_core::Archive;
use archive_core::Element;
use archive_core::Options;
use archive_core::Result;
use archive_core::Scalar;
use archive_core::shape::{Class, Enum, Shape};

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
    /// Runs the functions of all types in `T`: once on a file that has all values, and once on a
    /// file whose options are empty and whose numbers are zero, since the functions may take other
    /// branches.
    pub fn of<T: Element>(options: &Options<'_>) -> Self {
        Survey::by(Visited::of::<T>(), options)
    }

    /// Like [`of`](Survey::of), for a type that a registry knows.
    pub fn by(visited: Visited, options: &Options<'_>) -> Self {
        Survey::run(options, |ar| visited.run(&mut ar.erased()))
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

impl Scenario for Survey {
    fn enter(&mut self, place: Part<'_>, _: usize) -> bool {
        if let (Part::Member(name, shape), Some(open)) = (place, self.open.last()) {
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
                    // Text is not changed: it is not known which text a function expects.
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
