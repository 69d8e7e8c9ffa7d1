//! The places inside of other values in which each value is looked at.

use std::cell::RefCell;

use std::fmt::Debug;
use std::rc::Rc;

use archive::{Blank, Save, Serialize};
use indexmap::IndexMap;

/// The values in each place, as text.
pub type Texts = Vec<(&'static str, Vec<String>)>;

/// Places inside of other values.
#[derive(Debug, Serialize)]
pub struct Places<T: Serialize + Save + Blank + 'static> {
    member: T,
    list: Vec<T>,
    choice: Choice<T>,
    shared: Rc<RefCell<T>>,
    boxed: Box<T>,
    named: IndexMap<u8, T>,
    pair: (T, u8),
}

#[derive(Debug, Serialize)]
pub enum Choice<T> {
    Here { it: T },
}

/// The paths of the places.
pub const PATHS: [&str; 7] =
    ["member", "list[0]", "choice.Here.it", "shared", "boxed", "named[0][1]", "pair[0]"];

impl<T: Serialize + Save + Blank + 'static> Places<T> {
    pub fn of(value: fn() -> T) -> Self {
        // `From` of an array is much more code, for each type.
        let mut named = IndexMap::new();
        named.insert(3, value());
        Places {
            member: value(),
            list: vec![value()],
            choice: Choice::Here { it: value() },
            shared: Rc::new(RefCell::new(value())),
            boxed: Box::new(value()),
            named,
            pair: (value(), 7),
        }
    }
}

impl<T: Serialize + Save + Blank + Debug + 'static> Places<T> {
    pub fn texts(self) -> Texts {
        let Choice::Here { it } = &self.choice;
        let shared = self.shared.borrow();
        let all: [Vec<&T>; 7] = [
            vec![&self.member],
            self.list.iter().collect(),
            vec![it],
            vec![&shared],
            vec![&self.boxed],
            self.named.values().collect(),
            vec![&self.pair.0],
        ];
        let text = |found: Vec<&T>| found.into_iter().map(|it| format!("{it:?}")).collect();
        PATHS.into_iter().zip(all.map(text)).collect()
    }
}
