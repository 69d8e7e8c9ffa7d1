//! The sizes of the parts of a value.

use std::ops::Range;

use archive::format::{Decoder, Kind};
use archive::path::{Path, Pattern, Step};
use archive::shape::{OBJECT, Shape};
use archive::{Result, Value};

use super::node::inside;
use crate::input::Input;
use crate::json_output::object;
use crate::select::select;

/// The maximum number of boxes of a picture.
const BOXES: usize = 120;

/// Returns the children of a value that are in a range, with their sizes. If there are many, neighbours are in one
/// group.
///
/// # Errors
/// Errors of the file.
pub fn boxes(input: &Input, path: &Path, range: Range<u64>) -> Result<Value> {
    let mut parts = Parts { range, ..Parts::default() };
    input.read(|from| {
        select(from, &Pattern::from(path.clone()), &mut |from, _| {
            let start = from.mark();
            parts.value(from)?;
            from.recover(start);
            from.skip()
        })
    })?;
    Ok(object([("boxes", parts.boxes())]))
}

/// The sizes of the children in a range, in groups of neighbours.
#[derive(Default)]
struct Parts {
    range: Range<u64>,
    /// The number of children that were visited.
    count: u64,
    /// The sums of the groups.
    sizes: Vec<u64>,
    /// How many children are in a group, as a power of two.
    shift: u32,
    /// The names of the first members.
    names: Vec<String>,
    is_object: bool,
}

impl Parts {
    fn value(&mut self, from: &mut dyn Decoder) -> Result {
        match inside(from)? {
            Some(Kind::Seq) => {
                from.begin_seq(&Shape::Any)?;
                while from.next_item()? {
                    self.part(from)?;
                }
            }
            Some(Kind::Object) => {
                self.is_object = true;
                from.begin_object(&OBJECT)?;
                while let Some(name) = from.next_key()? {
                    if self.range.contains(&self.count) && self.names.len() < BOXES {
                        self.names.push(name.into_owned());
                    }
                    self.part(from)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn part(&mut self, from: &mut dyn Decoder) -> Result {
        if self.range.contains(&self.count) {
            let span = from.skip_span()?;
            self.add(span.map_or(0, |span| span.end - span.start));
        } else {
            from.skip()?;
        }
        self.count += 1;
        Ok(())
    }

    /// Adds the size of the next child. If there are too many groups, each becomes one with its neighbour.
    fn add(&mut self, size: u64) {
        let group = |at: u64, shift: u32| (at >> shift) as usize;
        let at = self.count - self.range.start;
        while group(at, self.shift) >= BOXES {
            self.sizes = self.sizes.chunks(2).map(|pair| pair.iter().sum()).collect();
            self.shift += 1;
        }
        match self.sizes.get_mut(group(at, self.shift)) {
            Some(sum) => *sum += size,
            None => self.sizes.push(size),
        }
    }

    fn boxes(&self) -> Value {
        let groups = (0_u64..).zip(&self.sizes);
        groups
            .map(|(number, size)| {
                let at = self.range.start + (number << self.shift);
                if self.shift == 0 {
                    return self.alone(number as usize, at, *size);
                }
                let to = (at + (1 << self.shift)).min(self.count).min(self.range.end);
                let label = match self.is_object {
                    true => format!("{} … {}", at + 1, to),
                    false => format!("[{at} … {}]", to - 1),
                };
                object([
                    ("label", label.into()),
                    ("from", at.into()),
                    ("to", to.into()),
                    ("size", (*size).into()),
                ])
            })
            .collect()
    }

    /// Returns the box of one child.
    fn alone(&self, number: usize, at: u64, size: u64) -> Value {
        let step = match self.names.get(number) {
            Some(name) => Step::from(name.as_str()),
            None => Step::Index(at as usize),
        };
        let (step, label) = super::node::step(&step);
        object([("label", label.into()), ("step", step.into()), ("size", size.into())])
    }
}
