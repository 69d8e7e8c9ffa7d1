//! `#[archive(as_object)]`: stores maps as objects whose member names are the keys.

use std::collections::{LinkedList, VecDeque};

use super::Unordered;
use crate::model::error::Result;
use crate::model::shape::Shape;
use crate::visit::archive::Archive;
use crate::visit::blank::Element;
use crate::visit::body::Body;
use crate::visit::facts::BodyFacts;
use crate::visit::serialize::Serialize;

/// A map, or a container of maps, for fields with `#[archive(as_object)]`. A type that is saved with
/// [`Walk::map`](crate::Walk::map) and [`Walk::entry`](crate::Walk::entry) needs only `impl archive::field::Map for Mine {}`. Its
/// entries are then saved as members of an object if the field requests this, and both forms can be loaded.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a map nor a container of maps",
    label = "has no `archive::field::Map`",
    note = "`#[archive(as_object)]` is for `BTreeMap`, `HashMap`, types with `archive::field::Map`, and an `Option`, a `Box`, an array, a `Vec` or another list of these"
)]
pub trait Map: Serialize {
    /// The nesting level of the innermost maps that are saved as objects. The outermost maps are
    /// always saved as objects, with any keys.
    #[doc(hidden)]
    const LEVELS: usize = if Self::MAPS > 1 { Self::MAPS } else { 1 };
}

macro_rules! containers {
    ($([$($parameters:tt)*] $Container:ty: $levels:literal;)*) => { $(
        impl<T: Map + Element $($parameters)*> Map for $Container {
            const LEVELS: usize = $levels + T::LEVELS;
        }
    )* };
}
containers! {
    [] Option<T>: 0;
    [] Box<T>: 0;
    [] Vec<T>: 1;
    [] VecDeque<T>: 1;
    [] LinkedList<T>: 1;
    [, const N: usize] [T; N]: 1;
}

/// Returns [`Serialize::MAPS`] of a map. An entry is a level.
pub(crate) const fn maps<K: Serialize, V: Serialize>() -> usize {
    match inside::<V>(2) {
        _ if !K::SHAPE.has_name() => 0,
        0 => 1,
        values => values,
    }
}

/// Returns [`Serialize::MAPS`] of a container whose items are `levels` levels deeper.
pub(crate) const fn inside<T: Serialize>(levels: usize) -> usize {
    if T::MAPS == 0 { 0 } else { levels + T::MAPS }
}

/// Returns the shape of the field.
pub const fn object_shape<T: Map>() -> &'static Shape {
    T::SHAPE
}

/// Returns the shape of a field that is also `unordered`.
pub const fn unordered_object_shape<T: Map + Unordered>() -> &'static Shape {
    T::SHAPE
}

/// A body that visits the field, and the level down to which maps are saved as objects.
pub struct Objects<B>(pub B, pub usize);

impl<B: Body> Body for Objects<B> {
    const FACTS: BodyFacts = BodyFacts { typed: B::FACTS.typed, ..BodyFacts::NONE };

    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let session = ar.session_mut();
        let depth = session.depth() + self.1;
        let outer = std::mem::replace(&mut session.nesting.objects_to, depth);
        self.0.run(ar)?;
        ar.session_mut().nesting.objects_to = outer;
        Ok(())
    }
}
