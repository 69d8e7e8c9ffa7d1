//! The sizes of the parts of a value.

use std::ops::Range;

use archive::format::{Decoder, Kind, PointerKind};
use archive::path::{Path, Pattern, Step};
use archive::shape::{OBJECT, Shape};
use archive::{Result, Value};

use crate::input::Input;
use crate::json_output::object;
use crate::select::select;

/// The maximum number of boxes of a picture.
const BOXES: u64 = 120;

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

/// The sizes of the children in a range.
#[derive(Default)]
struct Parts {
    range: Range<u64>,
    count: u64,
    sizes: Vec<u64>,
    /// The names of the first members.
    names: Vec<String>,
    is_object: bool,
}

impl Parts {
    fn value(&mut self, from: &mut dyn Decoder) -> Result {
        if from.at_pointer(false)? && !from.at_some()? {
            let start = from.mark();
            match from.begin_pointer().map(|head| head.kind) {
                Ok(kind) if kind.has_pointee() => return self.value(from),
                Ok(PointerKind::Plain) => {}
                Ok(_) => return Ok(()),
                Err(_) => from.recover(start),
            }
        }
        match from.peek()? {
            Kind::Seq => {
                from.begin_seq(&Shape::Any)?;
                while from.next_item()? {
                    self.part(from)?;
                }
            }
            Kind::Object => {
                self.is_object = true;
                from.begin_object(&OBJECT)?;
                while let Some(name) = from.next_key()? {
                    if self.range.contains(&self.count) && self.names.len() as u64 <= BOXES {
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
            self.sizes.push(span.map_or(0, |span| span.end - span.start));
        } else {
            from.skip()?;
        }
        self.count += 1;
        Ok(())
    }

    fn boxes(&self) -> Value {
        let count = self.sizes.len() as u64;
        let each = count.div_ceil(BOXES).max(1) as usize;
        let first = self.range.start as usize;
        let chunks = self.sizes.chunks(each).enumerate();
        chunks
            .map(|(number, sizes)| {
                let size: u64 = sizes.iter().sum();
                let at = first + number * each;
                if each == 1 {
                    return self.alone(number, at, size);
                }
                let to = at + sizes.len();
                let label = match self.is_object {
                    true => format!("{} … {}", at + 1, to),
                    false => format!("[{at} … {}]", to - 1),
                };
                object([
                    ("label", label.into()),
                    ("from", (at as u64).into()),
                    ("to", (to as u64).into()),
                    ("size", size.into()),
                ])
            })
            .collect()
    }

    /// Returns the box of one child.
    fn alone(&self, number: usize, at: usize, size: u64) -> Value {
        let step = match self.names.get(number) {
            Some(name) => Step::from(name.as_str()),
            None => Step::Index(at),
        };
        let (step, label) = super::node::step(&step);
        object([("label", label.into()), ("step", step.into()), ("size", size.into())])
    }
}
