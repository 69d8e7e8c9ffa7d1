//! Finds the layout of an object whose function is hand-written.

use archive_core::{Error, ErrorKind, Result, Value};

use super::before::Before;
use super::fits::{Fit, fits};
use super::marked;
use super::places::Place;
use super::tour::Tour;

impl<'o> Tour<'_, 'o> {
    /// Returns the layout of an object. An unchanged object keeps the layout of the original. A
    /// changed or new object gets a layout that an object at the same place has in the original. If
    /// several layouts have the same members with different types, the function that loads it may
    /// expect any of them, so the values must fit all of them.
    pub(super) fn layout(
        &mut self,
        values: &[(String, Value)],
        version: u64,
        place: Place,
        before: &Before<'o>,
    ) -> Result<u32> {
        if let Before::Same(one) = before
            && let Some(layout) = marked::layout(one)
        {
            if self.collects {
                let here = self.observed.layouts.entry(place).or_default();
                if !here.contains(&layout) {
                    here.push(layout);
                }
            }
            return Ok(layout);
        }
        let has = |layout: &u32| {
            self.shapes.layouts.get(*layout as usize).is_some_and(|(class, members)| {
                let names = values.iter().zip(*members);
                u64::from(class.version) == version
                    && values.len() == members.len()
                    && names.into_iter().all(|((name, _), member)| name == member.name)
            })
        };
        let own = before.all().iter().filter_map(|one| marked::layout(one));
        let own: Vec<u32> = own.filter(has).collect();
        let here = self.observed.layouts.get(&place).into_iter().flatten().copied().filter(has);
        let here: Vec<u32> = here.collect();
        let mut all: Vec<u32> = match before {
            Before::Perhaps(_) => own.iter().chain(&here).copied().collect(),
            _ if own.is_empty() => here.clone(),
            _ => own,
        };
        let mut seen = std::collections::HashSet::new();
        all.retain(|layout| seen.insert(*layout));
        let Some(first) = all.first().copied() else {
            let message = "no object that the file has here has these members: use the members of one \
                           of them, in their order";
            return Err(Error::new(ErrorKind::UnknownMember, message));
        };
        let fit = |layout: u32| {
            let members = self.shapes.layouts[layout as usize].1.iter();
            values.iter().zip(members).map(|((_, value), m)| fits(value, m.shape.get(), 0)).min()
        };
        let mut all: Vec<(u32, Option<Fit>)> = all.into_iter().map(|one| (one, fit(one))).collect();
        if let Some((bad, _)) = all.iter().find(|(_, fit)| *fit == Some(Fit::Not)) {
            // The types of all layouts refuse the value. Saving with one of them gives an error
            // with its path.
            if all.iter().all(|(_, fit)| *fit == Some(Fit::Not)) {
                return Ok(first);
            }
            let members = self.shapes.layouts[*bad as usize].1;
            let wrong = values
                .iter()
                .zip(members)
                .find(|((_, value), member)| fits(value, member.shape.get(), 0) == Fit::Not);
            let name = wrong.map_or("", |((name, _), _)| name.as_str());
            let message = "objects with these members have several types here in the file, and the \
                           value does not fit all of them: use one that does";
            return Err(Error::new(ErrorKind::WrongType, message).in_member(name));
        }
        if all.iter().all(|(_, fit)| *fit == Some(Fit::Rounded)) {
            // A float of another type can be loaded too, and keeps its value in the file.
            all.extend(here.into_iter().map(|one| (one, fit(one))));
        }
        // The first of those that fit best.
        let best = all.iter().rev().max_by_key(|(_, fit)| *fit);
        Ok(best.map_or(first, |(layout, _)| *layout))
    }
}
