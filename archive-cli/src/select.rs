//! [`select`]: finds the values that match a path and skips all others.

use archive::format::shape::OBJECT;
use archive::format::{Decoder, Kind, Known, Mark, PointerKind, Shape};
use archive::path::{Path, Pattern, PatternStep, Step};
use archive::{Error, ErrorKind, Result};

/// Called for each match with the decoder at the value, and the path of the value.
pub type Visit<'v> = &'v mut dyn FnMut(&mut dyn Decoder, &Path) -> Result;

/// Visits the values that match a pattern. Like the paths of errors, patterns pass through pointers and
/// the wrappers of options.
///
/// # Errors
/// Those of the input and of the visit; [`ErrorKind::NotFound`] if there is no such value.
pub fn select(decoder: &mut dyn Decoder, pattern: &Pattern, visit: Visit<'_>) -> Result {
    let is_one = pattern.as_path().is_some();
    let mut walk = Walk { at: Path::new(), is_one, found: 0, visit, followed: 0 };
    let done = walk.step(decoder, pattern.steps());
    done.map_err(|error| match error.path() {
        "" => in_path(&walk.at, error),
        _ => error,
    })?;
    if walk.found == 0 {
        let message = format_args!("nothing is at {pattern}");
        return Err(Error::new(ErrorKind::NotFound, message));
    }
    Ok(())
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

struct Walk<'v> {
    at: Path,
    /// Whether the pattern matches at most one value, after which reading stops.
    is_one: bool,
    found: u64,
    visit: Visit<'v>,
    /// How many references to other places are being followed.
    followed: u32,
}

/// Whether a walk goes on.
#[derive(PartialEq, Eq)]
enum Flow {
    On,
    Stop,
}

/// The maximum number of names that are compared for a message.
const MOST_NAMES: usize = 64;

impl Walk<'_> {
    fn step(&mut self, from: &mut dyn Decoder, steps: &[PatternStep]) -> Result<Flow> {
        let Some((first, rest)) = steps.split_first() else {
            self.found += 1;
            (self.visit)(from, &self.at)?;
            return Ok(if self.is_one { Flow::Stop } else { Flow::On });
        };
        if let PatternStep::Step(Step::Object(id)) = first {
            let Some(pointee) = pointee_of(from, *id)? else {
                let message = format_args!("the file has no object {id}");
                return Err(Error::new(ErrorKind::NotFound, message));
            };
            from.goto(pointee);
            from.begin_pointer()?;
            self.at.push(Step::Object(*id));
            self.step(from, rest)?;
            return Ok(Flow::Stop);
        }
        let is_own = matches!(first, PatternStep::Step(Step::Name(name)) if name.starts_with('$'));
        if !is_own && let Some(flow) = self.through(from, steps)? {
            return Ok(flow);
        }
        match from.peek()? {
            Kind::Seq => match first {
                PatternStep::Step(Step::Name(key)) if is_map(from) => {
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

    /// Passes through the pointer or the wrapper of an option at the cursor.
    fn through(&mut self, from: &mut dyn Decoder, steps: &[PatternStep]) -> Result<Option<Flow>> {
        if !from.at_pointer(false)? {
            return Ok(None);
        }
        let start = from.mark();
        if from.at_some()? {
            from.begin_object(&OBJECT)?;
            from.next_key()?;
            let flow = self.step(from, steps)?;
            if flow == Flow::On {
                from.end_object(&mut |_| Ok(()))?;
            }
            return Ok(Some(flow));
        }
        // An object of another program may have a member `$id` as well.
        let Ok(head) = from.begin_pointer().map(|head| (head.kind, head.id)) else {
            from.recover(start);
            return Ok(None);
        };
        let (flow, followed) = match head {
            (PointerKind::Plain, _) => return Ok(None),
            (PointerKind::Null, _) if self.is_one => {
                let message = format_args!("null has no {}", wanted(&steps[0]));
                return Err(self.missing(from, message));
            }
            (PointerKind::Null, _) => return Ok(Some(Flow::On)),
            (kind, _) if kind.has_pointee() => (self.step(from, steps)?, false),
            (_, id) => (self.follow(from, id, steps)?, true),
        };
        if flow == Flow::On {
            if !followed && from.begin_deferred()? {
                while from.next_item()? {
                    from.skip()?;
                }
                from.end_seq()?;
            }
            from.end_pointer(&mut |_| Ok(()))?;
        }
        Ok(Some(flow))
    }

    /// Continues in the object that a reference refers to.
    fn follow(&mut self, from: &mut dyn Decoder, id: u64, steps: &[PatternStep]) -> Result<Flow> {
        const MOST: u32 = 64;
        let pointee = if self.followed < MOST { pointee_of(from, id)? } else { None };
        let Some(pointee) = pointee else {
            let message = format_args!("the object {id} is not in the file");
            return if self.is_one { Err(self.missing(from, message)) } else { Ok(Flow::On) };
        };
        let here = from.mark();
        from.goto(pointee);
        from.begin_pointer()?;
        self.followed += 1;
        let flow = self.step(from, steps)?;
        self.followed -= 1;
        from.recover(here);
        Ok(flow)
    }

    fn items(
        &mut self,
        from: &mut dyn Decoder,
        first: &PatternStep,
        rest: &[PatternStep],
    ) -> Result<Flow> {
        from.begin_seq(&Shape::Any)?;
        let mut index = 0;
        while from.next_item()? {
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
        if self.is_one {
            let items = if index == 1 { "item" } else { "items" };
            let message = match first {
                PatternStep::Step(Step::Index(_)) if index == 1 => "there is 1 item".to_owned(),
                PatternStep::Step(Step::Index(_)) => format!("there are {index} items"),
                other => format!("a sequence of {index} {items} has no {}", wanted(other)),
            };
            return Err(self.missing(from, message));
        }
        from.end_seq()?;
        Ok(Flow::On)
    }

    /// Continues in the value of a key, in a map that is stored as a sequence of pairs.
    fn entries(&mut self, from: &mut dyn Decoder, key: &str, rest: &[PatternStep]) -> Result<Flow> {
        from.begin_seq(&Shape::Any)?;
        let mut is_found = false;
        while from.next_item()? {
            from.begin_seq(&Shape::Any)?;
            let is_it = from.next_item()?
                && match from.peek()? {
                    Kind::Str => from.str()? == key,
                    Kind::Number => from.number()?.to_string() == key,
                    _ => from.skip().map(|()| false)?,
                };
            if from.next_item()? {
                if !is_it {
                    from.skip()?;
                } else if self.within(Step::from(key), from, rest)? == Flow::Stop {
                    return Ok(Flow::Stop);
                }
            }
            is_found |= is_it;
            from.end_seq()?;
        }
        if self.is_one && !is_found {
            return Err(self.missing(from, format_args!("the map has no key `{key}`")));
        }
        from.end_seq()?;
        Ok(Flow::On)
    }

    fn members(
        &mut self,
        from: &mut dyn Decoder,
        first: &PatternStep,
        rest: &[PatternStep],
    ) -> Result<Flow> {
        from.begin_object(&OBJECT)?;
        let mut names: Vec<String> = Vec::new();
        while let Some(name) = from.next_key()? {
            let step = Step::from(&*name);
            let is_it = match first {
                // Keys of maps and of rows are names.
                PatternStep::Step(Step::Index(index)) => *name == *index.to_string(),
                first => first.matches(&step),
            };
            if is_it {
                drop(name);
                if self.within(step, from, rest)? == Flow::Stop {
                    return Ok(Flow::Stop);
                }
                continue;
            }
            if self.is_one && names.len() < MOST_NAMES {
                names.push(name.into_owned());
            }
            from.skip().map_err(|error| in_path(&self.at, error))?;
        }
        if self.is_one {
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
        Ok(Flow::On)
    }

    fn within(&mut self, step: Step, from: &mut dyn Decoder, rest: &[PatternStep]) -> Result<Flow> {
        self.at.push(step);
        let flow = self.step(from, rest)?;
        self.at.pop();
        Ok(flow)
    }

    #[cold]
    fn missing(&self, from: &dyn Decoder, message: impl std::fmt::Display) -> Error {
        let error = Error::new(ErrorKind::NotFound, message).at(from.position());
        in_path(&self.at, error)
    }
}

/// Returns whether the file states that the value at the cursor is a map.
fn is_map(from: &mut dyn Decoder) -> bool {
    from.stored_type().is_some_and(|stored| stored.starts_with("Map<"))
}

/// Returns the place of the pointer with which an object is stored.
pub fn pointee_of(from: &mut dyn Decoder, id: u64) -> Result<Option<Mark>> {
    if let Some(pointee) = from.find_pointee(id) {
        return Ok(Some(pointee));
    }
    let mut pointee = None;
    from.find_pointees(&mut |other, mark| {
        if other == id {
            pointee.get_or_insert(mark);
        }
    })?;
    Ok(pointee)
}

/// Describes what a step looks for.
fn wanted(step: &PatternStep) -> String {
    match step {
        PatternStep::Step(Step::Name(name)) => format!("member `{}`", name.as_str()),
        PatternStep::Step(Step::Index(index)) => format!("item {index}"),
        _ => "members".to_owned(),
    }
}
