//! The items of lists, the elements of sets and the entries of maps. There may be many.

use std::ops::Range;

use archive::path::Step;
use archive::reflect;

use super::{Layout, Line, What};
use crate::part::{Part, Place};
use crate::view::{Keys, Node};

impl Layout<'_> {
    /// Adds the items of a list.
    pub(super) fn list(&mut self, list: &Part, len: usize, node: &mut Node, depth: usize) {
        node.parts.retain(|step, _| matches!(step, Step::Index(index) if *index < len));
        // The items of a tuple have types of their own.
        let items = list.inner().items();
        if !items.is_empty() {
            return self.members(list, &list.path, node, depth);
        }
        let place = if list.has_any_length() { Place::Item(len) } else { Place::Fixed };
        let item = |index: usize| list.item(Step::Index(index), place);
        if let Some(Step::Index(index)) = self.next_step(list)
            && index < len
        {
            node.parts.entry(Step::Index(index)).or_default();
        }
        let mut next = 0;
        for (step, child) in &mut node.parts {
            let Step::Index(index) = step else { continue };
            self.closed(next..*index, &item, depth);
            self.part(item(*index), Some(child), depth);
            next = index + 1;
        }
        self.closed(next..len, &item, depth);
    }

    /// Adds the elements of a set or the entries of a map.
    pub(super) fn keyed(
        &mut self,
        of: &Part,
        len: usize,
        place: Place,
        node: &mut Node,
        depth: usize,
    ) {
        let known = node.keys.take().filter(|keys| keys.steps.len() == len);
        let (begin, top) = (self.lines.len(), self.top);
        if let Some(keys) = known {
            self.entries(of, &keys, place, node, depth);
            let is_gone = |line: &Line| matches!(&line.what, What::Part(_, Err(_), _));
            if !self.lines[begin..].iter().any(is_gone) {
                node.keys = Some(keys);
                return;
            }
        }
        // The first time, or a key is gone: the program has changed the map.
        self.lines.truncate(begin);
        self.top = top;
        match self.keys(of) {
            Ok(keys) => {
                self.entries(of, &keys, place, node, depth);
                node.keys = Some(keys);
            }
            Err(error) => self.note(error.to_string(), depth),
        }
    }

    /// Adds the elements or entries with these keys.
    fn entries(&mut self, of: &Part, keys: &Keys, place: Place, node: &mut Node, depth: usize) {
        if let Some(step) = self.next_step(of)
            && keys.places.contains_key(&step)
        {
            node.parts.entry(step).or_default();
        }
        node.parts.retain(|step, _| keys.places.contains_key(step));
        let mut others: Vec<(usize, &mut Node)> =
            node.parts.iter_mut().map(|(step, child)| (keys.places[step], child)).collect();
        others.sort_by_key(|(place, _)| *place);
        let item = |index: usize| {
            let step = keys.steps.get(index).cloned().unwrap_or(Step::Index(index));
            // An entry whose key has no name is a pair.
            let is_pair = place == Place::Entry && matches!(step, Step::Index(_));
            let mut part = of.item(step, place);
            if is_pair {
                part.meta = reflect::Meta::of::<archive::Value>();
            }
            part
        };
        let mut next = 0;
        for (index, child) in others {
            self.closed(next..index, &item, depth);
            self.part(item(index), Some(child), depth);
            next = index + 1;
        }
        self.closed(next..keys.steps.len(), &item, depth);
    }

    /// Reads the keys of a map. They are read again when their number changes, and after edits.
    fn keys(&self, of: &Part) -> archive::Result<Keys> {
        let rows = reflect::children(self.value, &of.path, self.options)?;
        Ok(Keys::new(rows.iter().filter_map(|row| row.path.last().cloned()).collect()))
    }

    /// Adds closed items, which all have the usual height: only those that can be seen are looked at.
    fn closed(&mut self, items: Range<usize>, item: &dyn Fn(usize) -> Part, depth: usize) {
        let (top, row) = (self.top, f64::from(self.row));
        let at = |distance: f64| ((distance - top) / row).max(0.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let (first, last) =
            (at(self.window.start).floor() as usize, at(self.window.end).ceil() as usize);
        let end = items.start.saturating_add(last).min(items.end);
        for index in items.start.saturating_add(first)..end {
            self.top = top + (index - items.start) as f64 * row;
            self.part(item(index), None, depth);
        }
        self.top = top + items.len() as f64 * row;
    }

    /// Returns the step from a part to the target, if that is in it.
    fn next_step(&self, of: &Part) -> Option<Step> {
        let target = self.target.filter(|target| target.starts_with(&of.path))?;
        target.get(of.path.len()).cloned()
    }
}
