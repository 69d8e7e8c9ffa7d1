//! [`Row`] and [`persistent!`](crate::persistent): the types whose values are rows.

use archive_core::{Blank, Save};
use std::fmt;

/// A type whose values have rows of their own in a [`Store`](crate::Store).
/// [`persistent!`](crate::persistent) implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no class in a store",
    label = "has no `archive::store::Row`",
    note = "name its class: `archive::store::persistent!({Self} = \"name\");`"
)]
pub trait Row: Save + Blank + 'static {
    /// The name of the class in stores. It stays the same when the type is renamed.
    const CLASS: &'static str;
}

/// Names the classes of types whose values are rows of a store. Stores identify a class by this
/// name, so it stays the same when the type is renamed. Each type has its own class.
///
/// All objects of a trait are in one class, that of `Box<dyn Trait>`. A row names the type of its
/// object by the id under which the type is registered.
///
/// ```
/// use archive::Serialize;
/// use archive::store::Pool;
///
/// trait Order: archive::Polymorphic {}
/// archive::polymorphic!(dyn Order);
///
/// #[derive(Default, Serialize)]
/// struct Unit { hp: u16 }
/// #[derive(Default, Serialize)]
/// struct World { units: Pool<Unit>, orders: Pool<Box<dyn Order>> }
///
/// archive::store::persistent!(World = "world", Unit = "unit", Box<dyn Order> = "order");
/// ```
#[macro_export]
macro_rules! persistent {
    ($($T:ty = $class:literal),+ $(,)?) => { $(
        impl $crate::Row for $T {
            const CLASS: &'static str = {
                assert!(!$class.is_empty(), "a class has a name");
                $class
            };
        }
    )+ };
}

/// The class and the key of a row, which identify its object. Printed as `unit 7`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId {
    /// The name of the class.
    pub class: String,
    /// The key of the object.
    pub key: u64,
}

impl fmt::Display for RowId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.class, self.key)
    }
}
