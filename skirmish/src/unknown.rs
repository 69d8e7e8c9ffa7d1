//! Orders and components of mods that are not used. They are kept for the next save.

use std::hash::Hash;

use archive::Unknown;

use crate::command::{Command, Outcome};
use crate::{Component, Digest, Scene, State, Unit};

/// The unit waits, since nobody knows how the order ends.
impl Command for Unknown {
    fn step(&mut self, unit: &mut Unit, _: &mut Scene<'_>) -> Option<Outcome> {
        unit.state = State::Waiting;
        None
    }

    fn digest(&self, to: &mut Digest) {
        digest(self, to);
    }
}

impl Component for Unknown {
    fn tick(&mut self, _: &mut Unit, _: &mut Scene<'_>) {}

    fn digest(&self, to: &mut Digest) {
        digest(self, to);
    }
}

fn digest(unknown: &Unknown, to: &mut Digest) {
    (unknown.id(), unknown.value().to_string()).hash(to);
}
