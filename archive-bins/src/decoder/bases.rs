//! Bases in objects that were made by hand: the objects have them side by side, however deep they
//! nest in the program.

use archive_core::Result;
use archive_core::nodes::Open;
use archive_core::shape::Class;

use super::{Place, Tree};
use crate::flat::{Content, Node};
use crate::object::Form;

impl<'a> Tree<'a> {
    /// Finds the undeclared base with that name among the members of the objects around the open
    /// base.
    pub(super) fn inherited(&self, open: &mut [Open<Self>], name: &str) -> Result<Option<Place>> {
        let Some((Open::Object(base), around)) = open.split_last_mut() else { return Ok(None) };
        let mut base = base.node.node;
        for outer in around.iter_mut().rev() {
            let Open::Object(members) = outer else { return Ok(None) };
            if !self.undeclared.contains(&base) {
                return Ok(None);
            }
            let is_base = |place: Place| self.undeclared.contains(&place.node);
            if let Some(found) = members.find(self, name.as_bytes(), is_base)? {
                return Ok(Some(found));
            }
            base = members.node.node;
        }
        Ok(None)
    }

    /// Returns whether the open object was made by hand and holds a base of `class`, while `class`
    /// itself has no variables in it.
    pub(super) fn holds_base_of(&self, open: &[Open<Self>], class: &'static Class) -> bool {
        !self.undeclared.is_empty()
            && class.members.into_iter().flatten().any(|member| {
                member.base.is_some_and(|class| {
                    self.holds_base(open, member.name) || self.holds_base_of(open, class)
                })
            })
    }

    fn holds_base(&self, open: &[Open<Self>], name: &str) -> bool {
        for (depth, open) in open.iter().enumerate().rev() {
            let Open::Object(members) = open else { return false };
            let object = members.node.node;
            let is_base = |at: usize| {
                self.undeclared.contains(&at) && self.flat.text(self.flat.nodes[at].name) == name
            };
            if self.flat.members(object).any(is_base) {
                return true;
            }
            if depth == 0 || !self.undeclared.contains(&object) {
                return false;
            }
        }
        false
    }

    /// Adds an empty object for a base that has no variables.
    pub(super) fn empty_base(&mut self, near: Place, name: &'static str) -> Place {
        let (node, number) = (self.flat.nodes.len(), self.flat.strings.len() as u32);
        self.flat.strings.push(name);
        self.flat.nodes.push(Node {
            class: number,
            name: number,
            content: Content::Object(Form::Object, 0),
            end: node + 1,
            at: self.flat.nodes[near.node].at,
            packed: usize::MAX,
        });
        self.undeclared.insert(node);
        Place { node, item: None }
    }
}
