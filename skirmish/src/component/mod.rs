//! The components of units.

mod healer;
mod lookout;
mod nerves;
mod weapon;

use archive::Polymorphic;

pub use healer::Healer;
pub use lookout::Lookout;
pub use nerves::Nerves;
pub use weapon::{Shot, Weapon};

use crate::{Digest, Scene, Unit, registry};

/// A component of a unit. The components determine what the unit can do.
pub trait Component: Polymorphic {
    /// Called in every tick, before the unit follows its orders. The unit has no components
    /// meanwhile.
    fn tick(&mut self, unit: &mut Unit, scene: &mut Scene<'_>);

    /// Feeds everything into a digest.
    fn digest(&self, to: &mut Digest);
}

archive::polymorphic!(dyn Component);

impl dyn Component {
    /// The type id under which it is saved.
    pub fn id(&self) -> &'static str {
        registry().id(self).unwrap_or("unregistered")
    }
}
