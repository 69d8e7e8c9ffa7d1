//! [`Trial`]: a made-up file in which every value differs from the last round.

use archive_describe::{Part, Scenario, Variation};

use crate::{Result, Serialize};
use archive_core::Scalar;
use archive_core::shape::{Class, Enum, Shape};

/// Guides the visit of a value and changes everything in it.
#[derive(Default)]
pub(super) struct Trial {
    /// The members and items of the root that were visited in any round.
    pub(super) places: Vec<Visited>,
    /// What to do with a root that is an enum.
    pub(super) root: Option<Variation>,
    /// The one place of the root that the file has, if it does not have all.
    pub(super) only: Option<usize>,
    /// Whether anything was visited.
    pub(super) touched: bool,
    round: usize,
    /// The number of values that were made up in this round, and of those that were accepted.
    made: usize,
    taken: usize,
    /// For each place that is entered: the number of values accepted before it, and the index of
    /// the place in the root.
    entered: Vec<(usize, Option<usize>)>,
    /// The types around the current place: the path of the type, and the name of the class, which
    /// differs between variants.
    open: Vec<(&'static str, &'static str)>,
    /// The number of member names that were requested in this round.
    keys: usize,
}

/// A member or an item of the root.
pub(super) struct Visited {
    /// Its name or index.
    pub(super) name: String,
    /// Whether something in it could be changed.
    pub(super) changed: bool,
}

impl Trial {
    /// Creates a trial that only selects a variant of the root, which is an enum.
    pub(super) fn selecting(variant: usize) -> Self {
        Trial { root: Some(Variation::Selected(variant)), ..Trial::default() }
    }

    /// Begins the next file.
    pub(super) fn next_round(&mut self) {
        self.round += 1;
        (self.made, self.taken, self.keys) = (0, 0, 0);
        self.entered.clear();
        self.open.clear();
    }

    /// Returns which of several values is next. The first value visited may decide which form of
    /// the data follows, so it stays the same for four rounds in which everything else changes.
    fn turn(&mut self) -> usize {
        self.made += 1;
        if self.is_first() { self.round / 4 } else { self.round + self.made }
    }

    fn is_first(&self) -> bool {
        self.made == 1 && self.only.is_none()
    }

    /// Returns the next number. It is small, because it may be a length.
    fn number(&mut self) -> u8 {
        let turn = self.turn();
        if self.is_first() {
            return (turn % 8) as u8;
        }
        let mixed = (self.round as u32 * 31 + self.made as u32).wrapping_mul(0x9e37_79b9) >> 16;
        (mixed % if self.round.is_multiple_of(2) { 8 } else { 100 }) as u8
    }
}

impl Scenario for Trial {
    fn enter(&mut self, place: Part<'_>, level: usize) -> bool {
        let mut top = None;
        if level == 0 {
            let name = match place {
                Part::Member(name, _) => name.to_owned(),
                Part::Item(index) => index.to_string(),
            };
            let known = self.places.iter().position(|visited| visited.name == name);
            let at = known.unwrap_or_else(|| {
                self.places.push(Visited { name, changed: false });
                self.places.len() - 1
            });
            if self.only.is_some_and(|only| only != at) {
                return false;
            }
            top = Some(at);
        }
        self.entered.push((self.taken, top));
        true
    }

    fn leave(&mut self, visited: Result) {
        let Some((taken, top)) = self.entered.pop() else { return };
        if visited.is_err() {
            self.taken = taken;
        }
        if let Some(top) = top {
            self.places[top].changed |= self.taken > taken;
        }
    }

    fn scalar(&mut self, value: Scalar<'_>) {
        self.touched = true;
        if let Scalar::Bool(value) = value {
            *value = self.turn().is_multiple_of(2);
            self.taken += 1;
            return;
        }
        let number = self.number();
        macro_rules! change {
            ($($Number:ident)*) => {
                match value {
                    $(Scalar::$Number(value) => {
                        let new = number as _;
                        let same = *value == new && !self.is_first();
                        *value = if same { (number + 1) as _ } else { new };
                    })*
                    Scalar::Char(value) => *value = char::from(b'a' + number % 26),
                    Scalar::String(value) => *value = number.to_string(),
                    Scalar::Bytes(value) => *value = vec![number; 1 + self.round % 2],
                    _ => return,
                }
            };
        }
        change!(U8 U16 U32 U64 U128 I8 I16 I32 I64 I128 F32 F64);
        self.taken += 1;
    }

    fn items(&mut self) -> usize {
        1 + self.round % 2
    }
    fn some(&mut self) -> bool {
        !self.round.is_multiple_of(3)
    }

    fn open(&mut self, class: &'static Class) -> bool {
        // A type inside of itself stays blank, because the visit would not end otherwise.
        let name = (class.type_name.get(), class.name());
        let new = !self.open.contains(&name);
        if new {
            self.open.push(name);
        }
        new
    }
    fn close(&mut self, _: bool) {
        self.open.pop();
    }

    fn vary(&mut self, info: &'static Enum) -> Variation {
        let name = (info.type_name.get(), "enum ");
        let inside = self.open.contains(&name);
        self.open.push(name);
        if let Some(root) = self.root.take() {
            return root;
        }
        if inside {
            return Variation::Nothing;
        }
        self.taken += usize::from(info.variants.len() > 1);
        Variation::One(self.turn() % info.variants.len().max(1))
    }
    fn varied(&mut self) {
        self.open.pop();
    }

    fn any(&mut self) -> Option<i64> {
        self.taken += 1;
        Some(self.number().into())
    }
    fn key(&mut self) -> Option<&'static str> {
        self.keys += 1;
        (self.keys % 2 == 1).then_some(if self.round.is_multiple_of(2) { "even" } else { "odd" })
    }
}

/// Returns the number of variants of the root, if it is an enum.
pub(super) fn variants<T: Serialize>() -> Option<usize> {
    match T::SHAPE {
        Shape::Enum(info) => Some(info.variants.len()),
        _ => None,
    }
}
