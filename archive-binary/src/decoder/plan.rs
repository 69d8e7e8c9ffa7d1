//! [`Plans`]: how the members were found that the objects of a class were asked for.
//!
//! A program asks the objects of a class for the same members in the same order, and what it finds
//! depends on nothing else. So the first object of a class notes what was asked for and found, and the
//! others repeat it for as long as they are asked for the same.

use archive_core::Result;
use archive_core::shape::{Class, Member, Shape};
use rustc_hash::FxHashMap;

use super::Decoder;
use crate::names::Known;
use crate::shapes::ShapeRef;
use crate::types::{Type, TypeId};

/// How an object is read.
#[derive(Clone, Copy)]
pub(super) enum Reading {
    /// By position.
    Equal,
    /// By name, along the plan of that number.
    Named(u32),
}

/// How members were found, by the class in the file and the one in the program.
#[derive(Default)]
pub(super) struct Plans {
    plans: Vec<Plan>,
    /// How many steps they have together.
    steps: usize,
    known: FxHashMap<(TypeId, usize), Reading>,
    /// Those that were asked for last, by the last bits of the type's number.
    recent: [Option<(TypeId, usize, Reading)>; RECENT],
}

/// As many types as commonly take turns.
const RECENT: usize = 16;

/// How the members of a class in the file are found.
struct Plan {
    /// The version of the class, and how many members it has.
    version: u32,
    members: usize,
    steps: Vec<Step>,
    /// What was asked for in the first of them, as long as it came next and was as asked.
    next: Vec<Asked>,
}

impl Plans {
    /// The version of the class in the file, and how many members it has there.
    #[inline]
    pub(super) fn class(&self, plan: u32) -> (u32, usize) {
        self.plans.get(plan as usize).map_or((0, 0), |plan| (plan.version, plan.members))
    }

    /// Whether the next step can be noted: the object has a plan, and is at its end.
    pub(super) fn may_note(&self, at: Progress) -> bool {
        self.steps < STEPS
            && self
                .plans
                .get(at.plan as usize)
                .is_some_and(|plan| at.step as usize == plan.steps.len())
    }

    /// Whether others were asked for the same at this point, all that they were asked for came next, and it
    /// was as asked.
    #[inline(always)]
    pub(super) fn comes_next<K: Ask>(&self, at: Progress, ask: K) -> bool {
        let plan = self.plans.get(at.plan as usize);
        plan.and_then(|plan| plan.next.get(at.step as usize)).is_some_and(|next| ask.is(next))
    }

    /// The step at which an object is.
    #[inline(always)]
    fn step(&self, at: Progress) -> Option<&Step> {
        self.plans.get(at.plan as usize)?.steps.get(at.step as usize)
    }
}

/// How far an object is in its plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    plan: u32,
    step: u32,
}

impl Progress {
    /// Without a plan.
    pub(super) const NONE: Progress = Progress { plan: u32::MAX, step: 0 };

    /// At the beginning of a plan.
    pub(super) fn start(plan: u32) -> Self {
        Progress { plan, step: 0 }
    }

    /// How many steps it went.
    #[inline]
    pub(super) fn steps(self) -> usize {
        self.step as usize
    }

    /// One step further.
    #[inline(always)]
    pub(super) fn advance(&mut self) {
        self.step += 1;
    }
}

/// What an object is asked for.
pub(crate) trait Ask: Copy {
    /// Whether it is the same as that.
    fn is(self, asked: &Asked) -> bool;

    /// The same, to be kept.
    fn asked(self) -> Asked;

    /// The shape of the value.
    fn shape(self) -> &'static Shape;

    /// Finds it by a name of its own, or else by one of its aliases.
    fn find<R>(self, by_name: impl FnMut(&str) -> Option<R>) -> Option<R>;
}

/// What a derived function knows, with all the names that the member may have.
impl Ask for &'static Member {
    #[inline]
    fn is(self, asked: &Asked) -> bool {
        asked.address == std::ptr::from_ref(self).addr()
    }
    fn asked(self) -> Asked {
        Asked { address: std::ptr::from_ref(self).addr(), name: Known::new("") }
    }
    fn shape(self) -> &'static Shape {
        self.shape.get()
    }
    fn find<R>(self, mut by_name: impl FnMut(&str) -> Option<R>) -> Option<R> {
        by_name(self.name).or_else(|| self.aliases.iter().find_map(|alias| by_name(alias)))
    }
}

/// A name and the shape that is asked for.
impl Ask for (&str, &'static Shape) {
    #[inline(always)]
    fn is(self, asked: &Asked) -> bool {
        asked.address == std::ptr::from_ref(self.1).addr() && asked.name.is(self.0)
    }
    fn asked(self) -> Asked {
        Asked { address: std::ptr::from_ref(self.1).addr(), name: Known::new(self.0) }
    }
    fn shape(self) -> &'static Shape {
        self.1
    }
    fn find<R>(self, mut by_name: impl FnMut(&str) -> Option<R>) -> Option<R> {
        by_name(self.0)
    }
}

/// What was asked for: a member of a derived function, or a name and a shape.
pub(crate) struct Asked {
    /// The address of the member, or of the shape.
    address: usize,
    /// The name, if it was a shape. No shape lies where a member does.
    name: Known,
}

/// What was asked for, and what was found.
struct Step {
    asked: Asked,
    /// Which member of the file it is, and its type.
    found: Option<(usize, TypeId)>,
}

/// How many steps are noted, all plans together. No program has so many members; a file may have any
/// number of classes though, and a function may make up names as it goes along.
const STEPS: usize = 1 << 16;

impl Decoder<'_> {
    /// How objects of a class of the file are read as those of a class of the program.
    #[inline]
    pub(super) fn reading(&mut self, kind: TypeId, class: &'static Class) -> Reading {
        let address = std::ptr::from_ref(class).addr();
        match self.plans.recent[kind.0 as usize % RECENT] {
            Some((recent, known, reading)) if recent == kind && known == address => reading,
            _ => self.find_reading(kind, class),
        }
    }

    fn find_reading(&mut self, kind: TypeId, class: &'static Class) -> Reading {
        let address = std::ptr::from_ref(class).addr();
        let reading = match self.plans.known.get(&(kind, address)) {
            Some(reading) => *reading,
            None => {
                let equal = class.members.is_some() && self.equal(kind, ShapeRef::Class(class));
                let reading = if equal {
                    Reading::Equal
                } else {
                    let (version, members) = match self.tables.get(kind) {
                        Some(Type::Class { version, members, .. }) => (*version, members.len()),
                        _ => (0, 0),
                    };
                    self.plans.plans.push(Plan {
                        version,
                        members,
                        steps: Vec::new(),
                        next: Vec::new(),
                    });
                    Reading::Named(self.plans.plans.len() as u32 - 1)
                };
                self.plans.known.insert((kind, address), reading);
                reading
            }
        };
        self.plans.recent[kind.0 as usize % RECENT] = Some((kind, address, reading));
        reading
    }

    /// Goes on to the next member, if it is the one that the plan asks for here, and comes next.
    #[inline(always)]
    pub(super) fn follow_plan<K: Ask>(&mut self, ask: K) -> bool {
        if let Some(top) = self.frames.last_mut()
            && let Some(known) = self.plans.step(top.plan)
            && ask.is(&known.asked)
            && let Some((index, slot)) = known.found
            && index == top.at
            && top.resume.is_none()
        {
            top.plan.advance();
            top.at += 1;
            self.slot = slot;
            return true;
        }
        false
    }

    /// A member of an object that is not as asked, found as in others of its class.
    #[inline(never)]
    pub(super) fn planned_member<K: Ask>(&mut self, ask: K) -> Result<bool> {
        let top = self.frames.last_mut().unwrap_or(&mut self.base);
        match self.plans.step(top.plan) {
            Some(known) if ask.is(&known.asked) => {
                top.plan.advance();
                let Some((index, slot)) = known.found else { return Ok(false) };
                if index == top.at && top.resume.is_none() {
                    top.at += 1;
                    self.slot = slot;
                    return Ok(true);
                }
                self.reach_as(index, slot)
            }
            None if self.plans.may_note(top.plan) => {
                let found = self.note_member(ask);
                self.top_mut().plan.advance();
                match found {
                    Some((index, slot)) => self.reach_as(index, slot),
                    None => Ok(false),
                }
            }
            _ => self.find_member(ask),
        }
    }

    /// Notes where a member is found that no object of the class was asked for before at this point.
    #[cold]
    pub(super) fn note_member<K: Ask>(&mut self, ask: K) -> Option<(usize, TypeId)> {
        let plan = self.top().plan.plan;
        let found = ask.find(|name| {
            let index = self.index_of(name).filter(|index| self.is_left(*index))?;
            self.member_at(index).map(|(_, kind)| (index, kind))
        });
        let found = found.map(|(index, kind)| {
            let equal = self.equal(kind, ShapeRef::of(ask.shape()));
            (index, if equal { TypeId::MATCHES_PROGRAM } else { kind })
        });
        if let Some(plan) = self.plans.plans.get_mut(plan as usize) {
            let next = plan.next.len();
            if plan.steps.len() == next && found == Some((next, TypeId::MATCHES_PROGRAM)) {
                plan.next.push(ask.asked());
            }
            plan.steps.push(Step { asked: ask.asked(), found });
            self.plans.steps += 1;
        }
        found
    }

    /// Goes to the member of that number, whose type is known; `false` if it was read already.
    fn reach_as(&mut self, index: usize, slot: TypeId) -> Result<bool> {
        self.resume();
        let found = self.reach(index)?;
        if found {
            self.slot = slot;
        }
        Ok(found)
    }

    /// A member of an object without a plan.
    fn find_member<K: Ask>(&mut self, ask: K) -> Result<bool> {
        let found = ask.find(|name| match self.member_slow(name) {
            Ok(false) => None,
            found => Some(found),
        });
        found.unwrap_or(Ok(false))
    }

    /// The object is asked for its members in another way: what is found next is not what others of
    /// its class found.
    #[inline]
    pub(super) fn leave_plan(&mut self) {
        self.top_mut().plan = Progress::NONE;
    }
}
