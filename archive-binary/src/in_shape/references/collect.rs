//! Collects what a file says about its references, and the ids in a tree.

use archive_core::bridge::{Mention, mention};
use archive_core::{Error, Value};

use super::super::links::no_object;
use super::super::places::{Place, Step};
use super::{MOST_PAIRS, MOST_PLACES, References, UNKNOWN};
use crate::decoder::{Surveyed, Surveyor, Target};
use crate::types::TypeId;

impl Surveyor for References<'_> {
    fn step(&mut self, from: Place, step: Step) -> Place {
        if self.facts.places.len() > MOST_PLACES {
            self.is_broken = true;
            return from;
        }
        self.facts.places.step(from, step)
    }

    fn class(&self, kind: TypeId, by_hand: bool) -> Option<usize> {
        let class = self.classes.get(kind.index()?).copied().flatten()?;
        Some(class[usize::from(by_hand)])
    }

    fn value(&mut self, value: Surveyed, kind: TypeId) {
        let first = self.parts.partition_point(|part| part.start < value.at);
        for part in self.parts[first..].iter_mut().take_while(|part| part.start == value.at) {
            if part.kind == kind && part.found.is_none() {
                part.found = Some((value.place, value.owner));
            }
        }
    }

    fn pointer(&mut self, at: Surveyed, to: Target, is_strong: bool) -> Option<Error> {
        let id = to.id;
        let is_replaced = self.part_at(at.at);
        if !is_replaced {
            self.last = self.last.max(id);
        }
        let Some((index, concrete)) = to.stored else {
            self.is_broken |= is_strong;
            if self.wanted.contains(&id) {
                self.facts.gone.insert(id);
            }
            return None;
        };
        if to.follows {
            if is_replaced {
                self.lost.resize(self.objects.len(), false);
                self.lost[index] = true;
            } else {
                self.meet(concrete);
            }
        }
        let number = self.number((at.place, concrete));
        let known = &mut self.kind_of[index];
        if *known == UNKNOWN {
            *known = number;
        } else if *known != number {
            let pair = (*known, number);
            if self.joined.len() > MOST_PAIRS {
                self.is_broken = true;
            } else if self.joined.insert(pair) {
                self.facts.join(self.kinds[pair.0 as usize], self.kinds[pair.1 as usize]);
            }
        }
        if is_strong && id != 0 {
            let edge = (at.owner, index as u32 + 1);
            if is_replaced { &mut self.removed } else { &mut self.edges }.push(edge);
            if !is_replaced
                && self.refused.is_none()
                && self.lost.get(index).copied().unwrap_or(false)
            {
                return Some(no_object(id));
            }
        }
        None
    }

    fn refuse(&mut self, error: Error) {
        self.refused = Some(error);
    }

    fn owned(&mut self, at: Surveyed, concrete: u32) {
        self.number((at.place, concrete));
        if !self.part_at(at.at) {
            self.meet(concrete);
        }
    }
}

/// Returns the ids of the objects that a tree refers to, or `None` if it has some itself.
pub(crate) fn referred(tree: &Value) -> Option<Vec<u64>> {
    let (mut found, mut open) = (Vec::new(), vec![tree]);
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                match mention(members) {
                    Some((_, Mention::Stored)) => return None,
                    Some((id, _)) => found.push(id),
                    None => {}
                }
                open.extend(members.iter().map(|(_, value)| value));
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}
