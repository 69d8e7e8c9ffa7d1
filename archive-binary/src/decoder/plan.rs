//! [`Plans`]: the indices of the requested members in the objects of a class.
//!
//! A program requests the same members in the same order from all objects of a class, and the
//! indices of the members depend only on these requests. The first object of a class therefore
//! records the requests and the results, and the other objects reuse the results as long as the
//! requests are the same.
// Why: docs/decisions/binary.md#objects-of-a-class-repeat-the-search-of-the-first

use archive_core::Result;
use archive_core::shape::{Class, Member, Shape};
use rustc_hash::FxHashMap;

use super::Decoder;
use crate::names::Known;
use crate::shapes::ShapeRef;
use crate::types::{Type, TypeId};

/// The way in which an object is read.
#[derive(Clone, Copy)]
pub(super) enum Reading {
    /// By position.
    Equal,
    /// By name, along the plan with that number.
    Named(u32),
}

/// Plans by the class in the file and the class in the program.
#[derive(Default)]
pub(super) struct Plans {
    plans: Vec<Plan>,
    /// The number of steps of all plans.
    steps: usize,
    known: FxHashMap<(TypeId, usize), Reading>,
    /// The plans that were used last, by the last bits of the type's number.
    recent: [Option<(TypeId, usize, Reading)>; RECENT],
}

/// The number of entries of the direct-mapped cache.
const RECENT: usize = 16;

/// The indices of the requested members in a class of the file.
struct Plan {
    /// The version of the class in the file.
    version: u32,
    members: usize,
    steps: Vec<Step>,
    /// The requests of the first steps, while members arrive in file order with the types that the
    /// program expects.
    next: Vec<Asked>,
}

impl Plans {
    /// Returns the version of the class in the file, and the number of its members there.
    #[inline]
    pub(super) fn class(&self, plan: u32) -> (u32, usize) {
        self.plans.get(plan as usize).map_or((0, 0), |plan| (plan.version, plan.members))
    }

    /// Drops the plans of the classes from `first` on.
    pub(super) fn forget_from(&mut self, first: TypeId) {
        self.known.retain(|(kind, _), _| *kind < first);
        self.recent = [None; RECENT];
        let last = self.known.values().filter_map(|reading| match reading {
            Reading::Named(plan) => Some(*plan as usize + 1),
            Reading::Equal => None,
        });
        self.plans.truncate(last.max().unwrap_or(0));
        self.steps = self.plans.iter().map(|plan| plan.steps.len()).sum();
    }

    /// Returns whether a step may be recorded: the object has a plan and is at its end.
    pub(super) fn may_note(&self, at: Progress) -> bool {
        self.steps < STEPS
            && self
                .plans
                .get(at.plan as usize)
                .is_some_and(|plan| at.step as usize == plan.steps.len())
    }

    /// Returns whether the request is the one recorded at this step, and all members up to it come
    /// in file order with the types that the program expects.
    #[inline(always)]
    pub(super) fn comes_next<K: Ask>(&self, at: Progress, ask: K) -> bool {
        let plan = self.plans.get(at.plan as usize);
        plan.and_then(|plan| plan.next.get(at.step as usize)).is_some_and(|next| ask.is(next))
    }

    /// Returns the step at which an object is.
    #[inline(always)]
    fn step(&self, at: Progress) -> Option<&Step> {
        self.plans.get(at.plan as usize)?.steps.get(at.step as usize)
    }
}

/// The step of a plan that an object has reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    plan: u32,
    step: u32,
}

impl Progress {
    /// No plan.
    pub(super) const NONE: Progress = Progress { plan: u32::MAX, step: 0 };

    /// Creates the progress at the beginning of a plan.
    pub(super) fn start(plan: u32) -> Self {
        Progress { plan, step: 0 }
    }

    /// Returns the number of completed steps.
    #[inline]
    pub(super) fn steps(self) -> usize {
        self.step as usize
    }

    /// Moves one step further.
    #[inline(always)]
    pub(super) fn advance(&mut self) {
        self.step += 1;
    }
}

/// A request for a member.
pub(crate) trait Ask: Copy {
    /// Returns whether the request equals a recorded one.
    fn is(self, asked: &Asked) -> bool;

    /// Returns the request in the recorded form.
    fn asked(self) -> Asked;

    /// Returns the shape of the requested value.
    fn shape(self) -> &'static Shape;

    /// Finds the member by its own name, or else by one of its aliases.
    fn find<R>(self, by_name: impl FnMut(&str) -> Option<R>) -> Option<R>;
}

/// The request of a derived function, with all names that the member may have.
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

/// The request of a hand-written function: a name and a shape.
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

/// A recorded request: a member of a derived function, or a name and a shape.
pub(crate) struct Asked {
    /// The address of the member, or of the shape.
    address: usize,
    /// The name, if the address is that of a shape. No shape has the same address as a member.
    name: Known,
}

/// A recorded request and its result.
struct Step {
    asked: Asked,
    /// The index of the member in the file, and its type; `None` if the file does not have the
    /// member.
    found: Option<(usize, TypeId)>,
}

/// The maximum number of steps of all plans. No program has that many members, but a file may have
/// any number of classes, and a function may make up names as it runs.
const STEPS: usize = 1 << 16;

impl Decoder<'_> {
    /// Returns how objects of a class of the file are read as objects of a class of the program.
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

    /// Moves to the next member, if the plan has the same request here and the member comes next.
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

    /// Finds a member of an object that does not match the program's type, along the plan of its
    /// class.
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

    /// Finds a member that no object of the class requested at this step. Records its index and its
    /// type, which is [`TypeId::MATCHES_PROGRAM`] if it equals the program's.
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

    /// Moves to the member with that index, whose type is known. Returns `false` if it was read
    /// already.
    fn reach_as(&mut self, index: usize, slot: TypeId) -> Result<bool> {
        self.resume();
        let found = self.reach(index)?;
        if found {
            self.slot = slot;
        }
        Ok(found)
    }

    /// Finds a member of an object without a plan.
    fn find_member<K: Ask>(&mut self, ask: K) -> Result<bool> {
        let found = ask.find(|name| match self.member_slow(name) {
            Ok(false) => None,
            found => Some(found),
        });
        found.unwrap_or(Ok(false))
    }

    /// Stops following the plan: the next requests are made in another way, so the results may
    /// differ from those for other objects of the class.
    #[inline]
    pub(super) fn leave_plan(&mut self) {
        self.top_mut().plan = Progress::NONE;
    }
}
