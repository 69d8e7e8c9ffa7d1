//! Follows paths through pointers and the wrappers of options, to objects anywhere in the file.

use std::collections::HashMap;

use archive::Result;
use archive::format::{Decoder, Mark, PointerKind};
use archive::path::PatternStep;
use archive::shape::OBJECT;

use super::{Flow, Walk, wanted};
use crate::steps;

impl<D: Decoder + ?Sized> Walk<'_, D> {
    /// Enters the pointer or the wrapper of an option at the cursor.
    pub(super) fn through(&mut self, from: &mut D, steps: &[PatternStep]) -> Result<Option<Flow>> {
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
        // An object of another program may have a member `$id`, too.
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
    fn follow(&mut self, from: &mut D, id: u64, steps: &[PatternStep]) -> Result<Flow> {
        const MAX_FOLLOWED: u32 = 64;
        let pointee = if self.followed < MAX_FOLLOWED { self.pointee(from, id)? } else { None };
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

    /// Returns the place of the pointer with which an object is stored.
    pub(super) fn pointee(&mut self, from: &mut D, id: u64) -> Result<Option<Mark>> {
        if let Some(pointee) = from.find_pointee(id) {
            return Ok(Some(pointee));
        }
        if self.pointees.is_none() {
            let mut all = HashMap::new();
            from.find_pointees(&mut |id, mark| {
                steps::step();
                all.entry(id).or_insert(mark);
            })?;
            self.pointees = Some(all);
        }
        Ok(self.pointees.as_ref().and_then(|all| all.get(&id)).copied())
    }
}

/// Returns the place of the pointer with which an object is stored.
pub fn pointee_of<D: Decoder + ?Sized>(from: &mut D, id: u64) -> Result<Option<Mark>> {
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
