//! [`select`]: finds the values that match a path and skips all others.

mod entries;
mod through_pointers;

use std::collections::HashMap;

use archive::error::Known;
use archive::format::{Decoder, Kind, Mark, reserved};
use archive::path::{Path, Pattern, PatternStep, Step};
use archive::shape::{OBJECT, Shape};
use archive::{Error, ErrorKind, Result};

use crate::steps;
#[cfg(feature = "view")]
pub use entries::has_key;
pub use entries::may_be_map;
pub use through_pointers::pointee_of;

/// Called for each match with the decoder at the value, and the path of the value.
pub type Visit<'v, D> = &'v mut dyn FnMut(&mut D, &Path) -> Result;

/// Visits the values that match a pattern. Each visit must read the value. Like the paths of
/// errors, patterns go through pointers and the wrappers of options.
///
/// A duplicate of a name in the path is an error, which may be found after the visit.
///
/// # Errors
/// [`ErrorKind::NotFound`] if nothing matches, and errors of the input and of the visit.
pub fn select<D: Decoder + ?Sized>(
    decoder: &mut D,
    pattern: &Pattern,
    visit: Visit<'_, D>,
) -> Result {
    select_values(decoder, pattern, visit).map(drop)
}

/// As [`select`]. Returns whether all matches are values, and none is, or is inside, an entry or a
/// key of a map.
pub fn select_values<D: Decoder + ?Sized>(
    decoder: &mut D,
    pattern: &Pattern,
    visit: Visit<'_, D>,
) -> Result<bool> {
    let is_one = pattern.as_path().is_some();
    let (pointees, at) = (None, Path::new());
    let mut walk =
        Walk { at, is_one, found: 0, visit, followed: 0, objects: 0, by_entry: false, pointees };
    let done = walk.step(decoder, pattern.steps());
    let done = match done {
        // The rest was only searched for duplicate names.
        Err(error) if is_one && walk.found > 0 && error.kind() != ErrorKind::DuplicateMember => {
            Ok(Flow::Stop)
        }
        done => done,
    };
    done.map_err(|error| match error.path() {
        "" => in_path(&walk.at, error),
        _ => error,
    })?;
    if walk.found == 0 {
        let message = format_args!("nothing matches {pattern}");
        return Err(Error::new(ErrorKind::NotFound, message));
    }
    Ok(!walk.by_entry)
}

/// Prepends a path to the path of an error.
#[cold]
pub fn in_path(path: &[Step], error: Error) -> Error {
    path.iter().rev().fold(error, |error, step| match step {
        Step::Name(name) => error.in_member(name),
        Step::Index(index) => error.in_item(*index),
        Step::Object(id) => error.in_object(*id),
    })
}

struct Walk<'v, D: ?Sized> {
    at: Path,
    /// Whether the pattern matches at most one value, after which reading stops.
    is_one: bool,
    found: u64,
    visit: Visit<'v, D>,
    /// The number of references that are being followed.
    followed: u32,
    /// The number of open objects whose types do not guarantee distinct names.
    objects: u32,
    /// Whether entries of a map were matched by index.
    by_entry: bool,
    /// The places of the shared objects, once they are needed.
    pointees: Option<HashMap<u64, Mark>>,
}

/// Whether a walk continues.
#[derive(PartialEq, Eq)]
enum Flow {
    On,
    Stop,
}

/// The maximum number of names that are compared for a message.
const MAX_NAMES: usize = 64;

impl<D: Decoder + ?Sized> Walk<'_, D> {
    fn step(&mut self, from: &mut D, steps: &[PatternStep]) -> Result<Flow> {
        let Some((first, rest)) = steps.split_first() else {
            if self.is_one && self.found > 0 {
                // The value is in a duplicate member.
                return from.skip().map(|()| Flow::On);
            }
            (self.visit)(from, &self.at)?;
            self.found += 1;
            return Ok(self.flow());
        };
        if let PatternStep::Step(Step::Object(id)) = first {
            let Some(pointee) = self.pointee(from, *id)? else {
                let message = format_args!("the file has no object {id}");
                return Err(Error::new(ErrorKind::NotFound, message));
            };
            from.goto(pointee);
            from.begin_pointer()?;
            self.at.push(Step::Object(*id));
            self.step(from, rest)?;
            return Ok(Flow::Stop);
        }
        let is_own = matches!(first, PatternStep::Step(Step::Name(name)) if reserved::OWN.contains(&name.as_str()));
        if !is_own && let Some(flow) = self.through(from, steps)? {
            return Ok(flow);
        }
        match from.peek()? {
            Kind::Seq => match first {
                PatternStep::Step(Step::Name(key)) if may_be_map(from) => {
                    self.entries(from, key.as_str(), rest)
                }
                _ => self.items(from, first, rest),
            },
            Kind::Object => self.members(from, first, rest),
            kind if self.is_one => {
                let message = format_args!("{kind} has no {}", wanted(first));
                Err(self.missing(from, message))
            }
            _ => from.skip().map(|()| Flow::On),
        }
    }

    fn items(&mut self, from: &mut D, first: &PatternStep, rest: &[PatternStep]) -> Result<Flow> {
        self.by_entry |= from.stored_type().is_some_and(|stored| stored.starts_with("Map<"));
        from.begin_seq(&Shape::Any)?;
        let mut index = 0;
        let before = self.found;
        while from.next_item()? {
            steps::step();
            let step = Step::Index(index);
            if first.matches(&step) {
                if self.within(step, from, rest)? == Flow::Stop {
                    return Ok(Flow::Stop);
                }
            } else {
                from.skip().map_err(|error| in_path(&self.at, error.in_item(index)))?;
            }
            index += 1;
        }
        if self.is_one && self.found == before {
            let items = if index == 1 { "item" } else { "items" };
            let message = match first {
                PatternStep::Step(Step::Index(_)) => match index {
                    0 => "there are no items".to_owned(),
                    1 => "there is 1 item, which is [0]".to_owned(),
                    _ => {
                        format!("there are {index} items, and the last one is [{}]", index - 1)
                    }
                },
                other => format!("a sequence of {index} {items} has no {}", wanted(other)),
            };
            return Err(self.missing(from, message));
        }
        from.end_seq()?;
        Ok(Flow::On)
    }

    fn members(&mut self, from: &mut D, first: &PatternStep, rest: &[PatternStep]) -> Result<Flow> {
        from.begin_object(&OBJECT)?;
        let mut names: Vec<String> = Vec::new();
        let may_repeat = from.stored_type().is_none_or(|stored| stored == "object");
        self.objects += u32::from(may_repeat);
        let mut is_found = false;
        while let Some(name) = from.next_key()? {
            steps::step();
            let step = Step::from(&*name);
            let is_it = match first {
                // Keys of maps and of rows are names.
                PatternStep::Step(Step::Index(index)) => *name == *index.to_string(),
                first => first.matches(&step),
            };
            if is_it {
                drop(name);
                if is_found && matches!(first, PatternStep::Step(_)) {
                    let message = "the object has this member twice: remove one of them";
                    from.peek()?;
                    let error = Error::new(ErrorKind::DuplicateMember, message);
                    self.at.push(step);
                    return Err(in_path(&self.at, error.at(from.position())));
                }
                is_found = true;
                if self.within(step, from, rest)? == Flow::Stop {
                    return Ok(Flow::Stop);
                }
                continue;
            }
            if self.is_one && !is_found && names.len() < MAX_NAMES {
                names.push(name.into_owned());
            }
            from.skip().map_err(|error| in_path(&self.at, error))?;
        }
        self.objects -= u32::from(may_repeat);
        if self.is_one && !is_found {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let name = match first {
                PatternStep::Step(Step::Name(name)) => name.as_str(),
                _ => "",
            };
            let known = Known::new(name, &names, "it has");
            return Err(
                self.missing(from, format_args!("an object has no {}{known}", wanted(first)))
            );
        }
        from.end_object(&mut |_| Ok(()))?;
        Ok(self.flow())
    }

    /// Returns whether the walk continues after a value.
    fn flow(&self) -> Flow {
        if self.is_one && self.found > 0 && self.objects == 0 { Flow::Stop } else { Flow::On }
    }

    fn within(&mut self, step: Step, from: &mut D, rest: &[PatternStep]) -> Result<Flow> {
        self.at.push(step);
        let flow = self.step(from, rest)?;
        self.at.pop();
        Ok(flow)
    }

    #[cold]
    fn missing(&self, from: &D, message: impl std::fmt::Display) -> Error {
        let error = Error::new(ErrorKind::NotFound, message).at(from.position());
        in_path(&self.at, error)
    }
}

/// Describes what a step looks for.
fn wanted(step: &PatternStep) -> String {
    match step {
        PatternStep::Step(Step::Name(name)) => format!("member `{}`", name.as_str()),
        PatternStep::Step(Step::Index(index)) => format!("item {index}"),
        _ => "members".to_owned(),
    }
}
