//! Plain values, and containers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use archive::Value;

use super::{Difference, Same, Walk};
use crate::world::{CellValue, Direction, LayerKind, Rgb, Tile, WorldLayout};

/// Types without pointers inside: they are the same if they are equal.
macro_rules! same_if_equal {
    ($($type:ty),* $(,)?) => { $(
        impl Same for $type {
            fn same(&self, other: &Self, _: &mut Walk) -> Result<(), Difference> {
                equal(self, other)
            }
        }
    )* };
}

same_if_equal!(bool, i32, i64, u32, usize, f32, f64, String, Value);
same_if_equal!(CellValue, Direction, LayerKind, Rgb, Tile, WorldLayout);
same_if_equal!(BTreeSet<String>, BTreeMap<i32, String>, BTreeMap<i32, CellValue>, BTreeMap<String, Vec<i32>>);

/// Whether two values are equal.
fn equal<T: PartialEq + Debug>(left: &T, right: &T) -> Result<(), Difference> {
    if left == right {
        return Ok(());
    }
    Err(Difference::new(format!("{left:?} became {right:?}")))
}

impl<T: Same> Same for [T] {
    fn same(&self, other: &Self, walk: &mut Walk) -> Result<(), Difference> {
        if self.len() != other.len() {
            return Err(Difference::new(format!("{} elements became {}", self.len(), other.len())));
        }
        for (index, (left, right)) in self.iter().zip(other).enumerate() {
            left.same(right, walk).map_err(|difference| difference.inside(format!("[{index}]")))?;
        }
        Ok(())
    }
}

impl<T: Same> Same for Vec<T> {
    fn same(&self, other: &Self, walk: &mut Walk) -> Result<(), Difference> {
        self.as_slice().same(other, walk)
    }
}

impl<T: Same, const N: usize> Same for [T; N] {
    fn same(&self, other: &Self, walk: &mut Walk) -> Result<(), Difference> {
        self.as_slice().same(other, walk)
    }
}

impl<T: Same> Same for Option<T> {
    fn same(&self, other: &Self, walk: &mut Walk) -> Result<(), Difference> {
        match (self, other) {
            (Some(left), Some(right)) => left.same(right, walk),
            (None, None) => Ok(()),
            (Some(_), None) => Err(Difference::new("a value became nothing")),
            (None, Some(_)) => Err(Difference::new("nothing became a value")),
        }
    }
}
