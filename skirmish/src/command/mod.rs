//! The commands of units. Every command is a component of its own: it begins, continues tick by
//! tick until it reports success or failure, and ends.

mod assault;
mod attack;
mod follow;
mod hold;
mod move_to;
mod patrol;
mod rally;

use archive::{Polymorphic, Serialize};

pub use assault::Assault;
pub use attack::Attack;
pub use follow::Follow;
pub use hold::Hold;
pub use move_to::MoveTo;
pub use patrol::Patrol;
pub use rally::Rally;

use crate::{Digest, Scene, Unit, Walk, registry};

/// Something a unit is told to do, alone or with others.
pub trait Command: Polymorphic {
    /// Called once at the beginning. A command that several units share begins for each of them.
    fn begin(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) -> Option<Outcome> {
        let _ = (unit, scene);
        None
    }

    /// Called in every tick, until there is an outcome.
    fn step(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) -> Option<Outcome>;

    /// Called once at the end, if the command has begun.
    fn end(&mut self, unit: &mut Unit, outcome: Outcome, scene: &mut Scene<'_>) {
        let _ = (unit, outcome, scene);
    }

    /// Feeds everything into a digest.
    fn digest(&self, to: &mut Digest);
}

archive::polymorphic!(dyn Command);

impl dyn Command {
    /// The type id under which it is saved.
    pub fn id(&self) -> &'static str {
        registry().id(self).unwrap_or("unregistered")
    }
}

/// How a command ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub enum Outcome {
    /// It is done.
    #[default]
    Succeeded,
    /// It cannot be done.
    Failed(Failure),
}

/// Why a command cannot be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub enum Failure {
    /// There is no way to the place.
    #[default]
    NoWay,
    /// Others are in the way.
    Blocked,
    /// The target is gone.
    Lost,
    /// It took too long.
    OutOfTime,
    /// Another order took its place, or the unit fell.
    Cancelled,
}

/// Returns the outcome of walking for a command that ends on arrival.
fn arrival(walk: Walk) -> Option<Outcome> {
    match walk {
        Walk::Arrived => Some(Outcome::Succeeded),
        Walk::Going => None,
        Walk::Stuck(why) => Some(Outcome::Failed(why)),
    }
}
