//! The members of objects and of variants, in groups.

use archive::path::{Path, Step};
use archive::reflect::{self, Peek, Row};

use super::{Layout, What};
use crate::part::{Part, Place};
use crate::view::Node;

impl Layout<'_> {
    /// Adds the members of the object at the path, which belongs to that part.
    pub(super) fn members(&mut self, of: &Part, path: &Path, node: &mut Node, depth: usize) {
        let rows = match reflect::children(self.value, path, self.options) {
            Ok(rows) => rows,
            Err(error) => return self.note(error.to_string(), depth),
        };
        // An object in a tree may have any number of members.
        if of.inner().kind() == reflect::Kind::Any {
            return self.keyed(of, rows.len(), Place::Entry, node, depth);
        }
        let rows: Vec<Row> =
            rows.into_iter().filter(|row| row.is_shown && row.path.len() > path.len()).collect();
        let mut done = Vec::new();
        for row in &rows {
            let group = row.facts().group;
            if group.is_empty() {
                self.member(row, of, node, depth);
            } else if !done.contains(&group) {
                done.push(group);
                let is_open = !node.closed_groups.contains(&group);
                self.line(What::Group(path.clone(), group, is_open), depth);
                if is_open {
                    let members = rows.iter().filter(|row| row.facts().group == group);
                    members.for_each(|row| self.member(row, of, node, depth + 1));
                }
            }
        }
    }

    fn member(&mut self, row: &Row, of: &Part, node: &mut Node, depth: usize) {
        let part = Part::of_row(row, of);
        let child = row.path.last().and_then(|step| node.parts.get_mut(step));
        self.part(part, child, depth);
    }

    /// Adds what the current variant of an enum carries.
    pub(super) fn payload(&mut self, of: &Part, name: &str, node: &mut Node, depth: usize) {
        let step = Step::from(name);
        let rows = match reflect::children(self.value, &of.path, self.options) {
            Ok(rows) => rows,
            Err(error) => return self.note(error.to_string(), depth),
        };
        let Some(row) = rows.iter().find(|row| row.path.last() == Some(&step)) else { return };
        let mut part = Part::of_row(row, of);
        let child = node.parts.entry(step).or_default();
        let variant = of.variants().into_iter().find(|variant| variant.name() == name);
        let is_one_value = variant.is_some_and(|variant| variant.items().len() == 1);
        let is_object = matches!(self.peek(&part), Ok(Peek::Object))
            && part.inner().kind() == reflect::Kind::Object;
        if is_one_value && !is_object {
            return self.part(part, Some(child), depth);
        }
        if !is_one_value {
            part.meta = of.inner();
        }
        self.members(&part, &part.path.clone(), child, depth);
    }
}
