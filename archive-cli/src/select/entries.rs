//! Maps that are stored as sequences of pairs: a name of a path is a key.

use archive::format::{Decoder, Kind};
use archive::path::{PatternStep, Step};
use archive::shape::Shape;
use archive::{Error, ErrorKind, Result};

use super::{Flow, Walk, in_path};
use crate::steps;

impl<D: Decoder + ?Sized> Walk<'_, D> {
    /// Continues in the value of a key, in a map that is stored as a sequence of pairs.
    pub(super) fn entries(
        &mut self,
        from: &mut D,
        key: &str,
        rest: &[PatternStep],
    ) -> Result<Flow> {
        from.begin_seq(&Shape::Any)?;
        let (mut is_found, mut count, mut pairs) = (false, 0, 0);
        while from.next_item()? {
            steps::step();
            let error = |error: Error| error.in_item(count);
            let start = from.mark();
            let is_it = has_key(from, key).map_err(|e| in_path(&self.at, error(e)))?;
            pairs += usize::from(is_it.is_some());
            count += 1;
            if is_it != Some(true) {
                continue;
            }
            if is_found {
                let message = format_args!("the map has the key `{key}` twice: remove one of them");
                from.recover(start);
                let error = Error::new(ErrorKind::DuplicateMember, message).at(from.position());
                return Err(in_path(&self.at, error.in_item(count - 1)));
            }
            is_found = true;
            from.recover(start);
            from.begin_seq(&Shape::Any)?;
            from.next_item()?;
            from.skip()?;
            from.next_item()?;
            if self.within(Step::from(key), from, rest)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
            from.next_item()?;
            from.end_seq()?;
        }
        if self.is_one && !is_found {
            let items = if count == 1 { "item" } else { "items" };
            let message = match pairs == count && count > 0 {
                true => format!("the map has no key `{key}`"),
                false if key.bytes().all(|byte| byte.is_ascii_digit()) => {
                    format!("a sequence has no member `{key}`: its item is [{key}]")
                }
                false => format!("a sequence of {count} {items} has no member `{key}`"),
            };
            return Err(self.missing(from, message));
        }
        from.end_seq()?;
        Ok(self.flow())
    }
}

/// Returns whether the sequence at the cursor may be a map: the file says so, or states no type.
pub fn may_be_map<D: Decoder + ?Sized>(from: &mut D) -> bool {
    from.stored_type().is_none_or(|stored| stored.starts_with("Map<") || stored == "list")
}

/// Skips the item at the cursor. Returns whether it is an entry of a map with that key, and `None`
/// if it is not a pair of a key and a value.
pub fn has_key<D: Decoder + ?Sized>(from: &mut D, key: &str) -> Result<Option<bool>> {
    if from.peek()? != Kind::Seq {
        return from.skip().map(|()| None);
    }
    from.begin_seq(&Shape::Any)?;
    let (mut is_it, mut count) = (false, 0);
    while from.next_item()? {
        match (count, from.peek()?) {
            (0, Kind::Str) => is_it = from.str()? == key,
            (0, Kind::Number) => is_it = from.number()?.to_string() == key,
            (0, Kind::Bool) => is_it = from.bool()?.to_string() == key,
            _ => from.skip()?,
        }
        count += 1;
    }
    from.end_seq()?;
    Ok((count == 2).then_some(is_it))
}
