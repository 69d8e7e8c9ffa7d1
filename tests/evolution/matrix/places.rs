//! The places inside of other values in which each value is checked.

use std::cell::RefCell;

use std::fmt::Debug;
use std::rc::Rc;

use archive::shape::{Shape, shape_of};
use archive::tool::{Body, BodyFacts};
use archive::{Archive, Blank, Options, Result, Save, Serialize};

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
    named: Pairs<T>,
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
        Places {
            member: value(),
            list: vec![value()],
            choice: Choice::Here { it: value() },
            shared: Rc::new(RefCell::new(value())),
            boxed: Box::new(value()),
            named: Pairs(vec![(3, value())]),
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
            self.named.0.iter().map(|(_, it)| it).collect(),
            vec![&self.pair.0],
        ];
        let text = |found: Vec<&T>| found.into_iter().map(|it| format!("{it:?}")).collect();
        PATHS.into_iter().zip(all.map(text)).collect()
    }
}

/// A map that finds no keys, so it is little more code than a list. Each type of value in the matrix
/// compiles its own.
#[derive(Debug)]
struct Pairs<T>(Vec<(u8, T)>);

impl<T: Serialize + Save + Blank> Serialize for Pairs<T> {
    const SHAPE: &'static Shape = &Shape::Map(shape_of::<u8>(), shape_of::<T>());

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !ar.is_loading() {
            return self.save(ar);
        }
        self.0.clear();
        ar.map(Self::SHAPE, 0, &mut Load(&mut self.0))
    }
}

impl<T: Serialize + Save + Blank> Save for Pairs<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.map(Self::SHAPE, self.0.len(), &mut Entries(&self.0))
    }
}

impl<T> Blank for Pairs<T> {
    fn blank(_: &Options<'_>) -> Self {
        Pairs(Vec::new())
    }
}

struct Entries<'a, T>(&'a [(u8, T)]);

impl<T: Save> Body for Entries<'_, T> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for (index, (key, value)) in self.0.iter().enumerate() {
            ar.entry(index, &mut &*key, &mut &*value)?;
        }
        Ok(())
    }
}

struct Load<'a, T>(&'a mut Vec<(u8, T)>);

impl<T: Serialize + Blank> Body for Load<'_, T> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let (mut key, mut value) = (New(None), New(None));
        for index in 0.. {
            if !ar.entry(index, &mut key, &mut value)? {
                break;
            }
            // One of them is missing if its error is in the report.
            if let (Some(key), Some(value)) = (key.0.take(), value.0.take()) {
                self.0.push((key, value));
            }
        }
        Ok(())
    }
}

/// A value that is created again where it is loaded.
struct New<T>(Option<T>);

impl<T: Serialize + Blank> Body for New<T> {
    const FACTS: BodyFacts = BodyFacts::FRESH;

    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut value = T::try_blank(ar.options())?;
        value.value(ar)?;
        self.0 = Some(value);
        Ok(())
    }
}
