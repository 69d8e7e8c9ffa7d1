//! What orders and components of mods do: what they extend.

use std::hash::Hash;

use archive::Value;
use archive::types::Made;

use super::Routine;
use crate::command::{Command, Failure, Hold, MoveTo, Outcome, Patrol};
use crate::{Component, Digest, Scene, Unit};

/// Runs a function on the command of the game that an order extends.
fn order(
    made: &mut Made,
    mut run: impl FnMut(&mut dyn Command) -> Option<Outcome>,
) -> archive::Result<Option<Outcome>> {
    if let Some(outcome) = made.extended::<Patrol, _>(|it| run(it))? {
        return Ok(outcome);
    }
    if let Some(outcome) = made.extended::<MoveTo, _>(|it| run(it))? {
        return Ok(outcome);
    }
    if let Some(outcome) = made.extended::<Hold, _>(|it| run(it))? {
        return Ok(outcome);
    }
    // An order that extends no command does its routine once.
    Ok(Some(Outcome::Succeeded))
}

fn routine(made: &mut Made, unit: &mut Unit, scene: &mut Scene<'_>) -> archive::Result {
    made.extended::<Routine, _>(|routine| routine.tick(unit, scene)).map(drop)
}

const BROKEN: Option<Outcome> = Some(Outcome::Failed(Failure::Lost));

impl Command for Made {
    fn begin(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) -> Option<Outcome> {
        // Its first step is the end of an order that extends no command.
        let extends = order(self, |command| command.begin(unit, scene));
        extends.map_or(BROKEN, |outcome| outcome.filter(|it| *it != Outcome::Succeeded))
    }

    fn step(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) -> Option<Outcome> {
        if routine(self, unit, scene).is_err() {
            return BROKEN;
        }
        order(self, |command| command.step(unit, scene)).unwrap_or(BROKEN)
    }

    fn digest(&self, to: &mut Digest) {
        digest(self, to);
    }
}

impl Component for Made {
    fn tick(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) {
        // A routine whose members are wrong does nothing.
        let _ = routine(self, unit, scene);
    }

    fn digest(&self, to: &mut Digest) {
        digest(self, to);
    }
}

fn digest(made: &Made, to: &mut Digest) {
    let value = Value::of(made).map(|value| value.to_string());
    (made.id(), value.unwrap_or_default()).hash(to);
}
