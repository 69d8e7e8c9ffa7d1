//! What orders and components of mods do: what they extend, and what their scripts do.

use std::hash::Hash;

use archive::Value;
use archive::types::Made;

use super::Routine;
use crate::command::{Command, Failure, Hold, MoveTo, Outcome, Patrol};
use crate::{Component, Digest, Scene, Unit};

/// Runs a function on the command of the game that an order extends, if it extends one.
fn order(
    made: &mut Made,
    mut run: impl FnMut(&mut dyn Command) -> Option<Outcome>,
) -> archive::Result<Option<Option<Outcome>>> {
    if let Some(outcome) = made.extended::<Patrol, _>(|it| run(it))? {
        return Ok(Some(outcome));
    }
    if let Some(outcome) = made.extended::<MoveTo, _>(|it| run(it))? {
        return Ok(Some(outcome));
    }
    made.extended::<Hold, _>(|it| run(it))
}

fn routine(made: &mut Made, unit: &mut Unit, scene: &mut Scene<'_>) -> archive::Result {
    made.extended::<Routine, _>(|routine| routine.tick(unit, scene)).map(drop)
}

/// Runs a method of the script, if there is one. An error is reported.
#[cfg(feature = "scripts")]
fn script(
    made: &mut Made,
    method: &str,
    unit: &mut Unit,
    scene: &mut Scene<'_>,
) -> Option<archive::Result<Option<Outcome>>> {
    let done = super::scripts::call(made, method, unit, scene)?;
    let outcome = done.and_then(|value| value.to());
    if let Err(error) = &outcome {
        super::report(made.id(), error);
    }
    Some(outcome)
}

#[cfg(not(feature = "scripts"))]
fn script(
    _: &mut Made,
    _: &str,
    _: &mut Unit,
    _: &mut Scene<'_>,
) -> Option<archive::Result<Option<Outcome>>> {
    None
}

const BROKEN: Option<Outcome> = Some(Outcome::Failed(Failure::Lost));

impl Command for Made {
    fn begin(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) -> Option<Outcome> {
        order(self, |command| command.begin(unit, scene)).map_or(BROKEN, Option::flatten)
    }

    fn step(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) -> Option<Outcome> {
        if routine(self, unit, scene).is_err() {
            return BROKEN;
        }
        let scripted = script(self, "step", unit, scene);
        let is_scripted = scripted.is_some();
        match scripted {
            Some(Ok(Some(outcome))) => return Some(outcome),
            Some(Err(_)) => return BROKEN,
            Some(Ok(None)) | None => {}
        }
        match order(self, |command| command.step(unit, scene)) {
            Ok(Some(outcome)) => outcome,
            Ok(None) if is_scripted => None,
            // An order that extends no command does its routine once.
            Ok(None) => Some(Outcome::Succeeded),
            Err(_) => BROKEN,
        }
    }

    fn digest(&self, to: &mut Digest) {
        digest(self, to);
    }
}

impl Component for Made {
    fn tick(&mut self, unit: &mut Unit, scene: &mut Scene<'_>) {
        // A routine whose members are wrong does nothing.
        let _ = routine(self, unit, scene);
        let _ = script(self, "tick", unit, scene);
    }

    fn digest(&self, to: &mut Digest) {
        digest(self, to);
    }
}

fn digest(made: &Made, to: &mut Digest) {
    let value = Value::of(made).map(|value| value.to_string());
    (made.id(), value.unwrap_or_default()).hash(to);
}
