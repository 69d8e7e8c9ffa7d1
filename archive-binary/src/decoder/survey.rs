//! A walk over a whole file along its types. It reports each pointer, its offset and its place in the
//! types. It takes no memory for the values that it skips.

mod open;

use std::collections::VecDeque;

use archive_core::{Error, Result};
use archive_document::{FoundPointer, Place, References, Step, Target};

use super::Decoder;
use super::tagged::key;
use crate::cursor::{no_variant, offset, syntax};
use crate::tags;
use crate::types::{Type, TypeId};
use open::{Open, Rest};

struct Survey<'s, 'p, 'a> {
    open: Vec<Open<'a>>,
    /// The number of open values that count as a level.
    depth: usize,
    /// The number of open pointers to shared objects.
    shared: usize,
    /// The objects that were reached.
    reached: Vec<bool>,
    /// Objects after the root to which pointers inside the outermost pointer refer, and the offset
    /// at which the walk continues after them.
    waiting: VecDeque<usize>,
    resume: Option<usize>,
    to: &'s mut References<'p>,
}

impl Survey<'_, '_, '_> {
    fn class(&self, kind: TypeId, by_hand: bool) -> Option<usize> {
        self.to.class(kind.index()?, by_hand)
    }
}

impl<'a> Decoder<'a> {
    /// Walks over the file in the order in which a tree has its objects. Returns `false` if a tree has
    /// objects in a different order than the file, or lacks some.
    pub(crate) fn survey(&mut self, to: &mut References<'_>) -> Result<bool> {
        let mut survey = Survey {
            open: Vec::new(),
            depth: 0,
            shared: 0,
            reached: vec![false; self.tables.objects.len()],
            waiting: VecDeque::new(),
            resume: None,
            to,
        };
        self.data.goto(self.tables.start);
        if !self.survey_value(self.tables.root, (Place::ROOT, 0), &mut survey)? {
            return Ok(false);
        }
        while let Some(open) = survey.open.last_mut() {
            let (place, owner) = (open.place, open.owner);
            let next = match &mut open.rest {
                Rest::Held(value) | Rest::One(value, _) | Rest::Pointee(value, _) => {
                    value.take().map(|kind| (kind, place))
                }
                Rest::Items(_, 0, _) => None,
                Rest::Items(item, left, _) => {
                    *left -= 1;
                    Some((*item, place))
                }
                Rest::Parts(kind, next) => {
                    let part = self.tables.part(*kind, *next);
                    let index = *next;
                    *next += 1;
                    // Other values have no pointers, so their order does not matter.
                    let is_passed = |kind: TypeId| self.is_passed(kind);
                    part.map(|kind| match is_passed(kind) {
                        true => (kind, place),
                        false => (kind, survey.to.step(place, Step::Part(index))),
                    })
                }
                Rest::TaggedItems(_) if self.data.peek()? == tags::END => {
                    self.data.byte()?;
                    None
                }
                Rest::TaggedItems(count) => {
                    *count += 1;
                    Some((TypeId::ANY, place))
                }
                Rest::TaggedMembers(last) => match key(&mut self.data)? {
                    Some(name) => {
                        *last = name;
                        Some((TypeId::ANY, place))
                    }
                    None => None,
                },
            };
            match next {
                None => self.close_surveyed(&mut survey)?,
                Some((kind, _)) if !self.tables.takes_bytes(kind) => {
                    self.count_empty(1, self.data.at())?;
                }
                Some((kind, place)) => {
                    if !self.survey_value(kind, (place, owner), &mut survey)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(survey.reached.iter().all(|is_reached| *is_reached))
    }

    fn is_passed(&self, kind: TypeId) -> bool {
        match kind.index() {
            Some(index) => {
                self.described.as_ref().is_some_and(|all| all.get(index).copied() == Some(true))
            }
            None => kind.is_fully_described(),
        }
    }

    fn survey_open(
        &self,
        rest: Rest<'a>,
        place: Place,
        owner: u32,
        survey: &mut Survey<'_, '_, 'a>,
    ) -> Result {
        if !matches!(rest, Rest::Held(_)) {
            survey.depth += 1;
            if survey.depth > self.depth_limit {
                return Err(Error::too_nested(self.depth_limit).at(offset(self.data.at())));
            }
        }
        survey.open.push(Open { rest, place, owner });
        Ok(())
    }

    /// Closes the innermost value. After an outermost pointer, the objects to which it refers are
    /// visited.
    fn close_surveyed(&mut self, survey: &mut Survey<'_, '_, 'a>) -> Result {
        let Some(Open { rest, .. }) = survey.open.pop() else { return Ok(()) };
        survey.depth -= usize::from(!matches!(rest, Rest::Held(_)));
        let Rest::Pointee(_, true) = rest else { return Ok(()) };
        survey.shared -= 1;
        if survey.shared > 0 {
            return Ok(());
        }
        let waiting = survey.waiting.pop_front();
        if let Some((index, object)) =
            waiting.and_then(|index| Some((index, self.tables.objects.get(index)?)))
        {
            survey.resume.get_or_insert(self.data.at());
            self.data.goto(object.at);
            let root = survey.to.step(Place::ROOT, Step::Pointee(object.concrete));
            let at = FoundPointer { at: object.at, place: root, owner: index as u32 + 1 };
            let stored = Some((index, object.concrete));
            survey.to.pointer(at, Target { id: 0, stored, follows: true }, true);
            return self.survey_pointee(object.concrete, Some(index), 0, survey);
        }
        if let Some(at) = survey.resume.take() {
            self.data.goto(at);
        }
        Ok(())
    }

    /// Enters a value: skips or opens it. Returns `false` if a tree has a different order from here
    /// on.
    fn survey_value(
        &mut self,
        kind: TypeId,
        (place, owner): (Place, u32),
        survey: &mut Survey<'_, '_, 'a>,
    ) -> Result<bool> {
        let at = self.data.at();
        if self.pass_over(kind)? {
            return Ok(true);
        }
        survey.to.value(FoundPointer { at, place, owner }, kind.0);
        let (rest, place) = match self.tables.get(kind) {
            Some(Type::Map(entry)) => {
                let entry = *entry;
                let count = self.count(!self.tables.takes_bytes(entry))? as u64;
                (Rest::Items(entry, count, count), place)
            }
            Some(Type::Seq(item)) => {
                let item = *item;
                let count = self.count(!self.tables.takes_bytes(item))? as u64;
                (Rest::Items(item, count, count), survey.to.step(place, Step::Inner))
            }
            Some(Type::Array(item, len)) => {
                (Rest::Items(*item, *len, *len), survey.to.step(place, Step::Inner))
            }
            Some(Type::Tuple(_)) => (Rest::Parts(kind, 0), place),
            Some(Type::Class { .. }) => {
                let Some(class) = survey.class(kind, false) else { return Ok(false) };
                (Rest::Parts(kind, 0), survey.to.step(place, Step::Class(class)))
            }
            Some(Type::Option(value)) => {
                let value = *value;
                if !self.data.flag("an option")? {
                    return Ok(true);
                }
                let place = survey.to.step(place, Step::Inner);
                match self.is_null(value, self.data) {
                    true => (Rest::One(Some(value), None), place),
                    false => (Rest::Held(Some(value)), place),
                }
            }
            Some(Type::Enum { variants, .. }) => {
                let index = self.data.u64()?;
                match usize::try_from(index).ok().and_then(|index| variants.get(index)) {
                    Some((name, Some(payload))) => {
                        let part = Step::Part(index as usize);
                        (Rest::One(Some(*payload), Some(*name)), survey.to.step(place, part))
                    }
                    Some((_, None)) => return Ok(true),
                    None => return Err(no_variant(index, at)),
                }
            }
            Some(Type::Pointer(_)) => {
                return self.survey_pointer((place, owner), true, survey);
            }
            None => match kind {
                TypeId::POINTER => return self.survey_pointer((place, owner), true, survey),
                TypeId::WEAK => return self.survey_pointer((place, owner), false, survey),
                TypeId::DYN => return self.survey_owned((place, owner), survey),
                TypeId::OBJECT => {
                    let class = self.layout()?.1;
                    let Some(key) = survey.class(class, true) else { return Ok(false) };
                    (Rest::Parts(class, 0), survey.to.step(place, Step::Class(key)))
                }
                TypeId::ANY => return self.survey_tagged((place, owner), survey),
                _ => return self.skip_value(kind).map(|()| true),
            },
        };
        self.survey_open(rest, place, owner, survey).map(|()| true)
    }

    fn survey_pointer(
        &mut self,
        (place, owner): (Place, u32),
        is_strong: bool,
        survey: &mut Survey<'_, '_, 'a>,
    ) -> Result<bool> {
        let at = self.data.at();
        let id = self.data.u64()?;
        if id == 0 {
            return Ok(true);
        }
        let found = self.tables.objects.find_index(id, offset(at))?;
        let stored = found.and_then(|index| Some((index, self.tables.objects.get(index)?)));
        let of = stored.map(|(index, object)| (index, object.concrete));
        let follows = is_strong && stored.is_some_and(|(_, object)| object.at == self.data.at());
        let to = Target { id, stored: of, follows };
        if let Some(error) = survey.to.pointer(FoundPointer { at, place, owner }, to, is_strong) {
            survey.to.refuse(open::in_path(error, &survey.open, &self.tables));
        }
        let Some((index, object)) = stored.filter(|_| is_strong) else { return Ok(true) };
        let is_reached = std::mem::replace(&mut survey.reached[index], true);
        if follows {
            if is_reached {
                return Ok(false);
            }
            self.survey_pointee(object.concrete, Some(index), owner, survey)?;
        } else if !is_reached {
            // A tree has the object here, or at the end of the outermost pointer.
            if object.at < self.tables.root_end || survey.shared == 0 {
                return Ok(false);
            }
            survey.waiting.push_back(index);
        }
        Ok(true)
    }

    fn survey_owned(
        &mut self,
        (place, owner): (Place, u32),
        survey: &mut Survey<'_, '_, 'a>,
    ) -> Result<bool> {
        let at = self.data.at();
        let Some(number) = self.data.u64()?.checked_sub(1) else { return Ok(true) };
        let number = u32::try_from(number).ok();
        let number = number.filter(|number| (*number as usize) < self.tables.pointee_types.len());
        let Some(concrete) = number else {
            return Err(syntax("there is no such object type", at));
        };
        survey.to.owned(FoundPointer { at, place, owner }, concrete);
        self.survey_pointee(concrete, None, owner, survey).map(|()| true)
    }

    /// Opens the object of a pointer. The object has an index if other pointers may share it.
    fn survey_pointee(
        &mut self,
        concrete: u32,
        index: Option<usize>,
        owner: u32,
        survey: &mut Survey<'_, '_, 'a>,
    ) -> Result {
        let place = survey.to.step(Place::ROOT, Step::Pointee(concrete));
        let owner = index.map_or(owner, |index| index as u32 + 1);
        survey.shared += usize::from(index.is_some());
        let kind = self.concrete(concrete).kind;
        self.survey_open(Rest::Pointee(Some(kind), index.is_some()), place, owner, survey)
    }

    fn survey_tagged(
        &mut self,
        (place, owner): (Place, u32),
        survey: &mut Survey<'_, '_, 'a>,
    ) -> Result<bool> {
        let mut ahead = self.data;
        let rest = match ahead.byte()? {
            tags::SEQ => Rest::TaggedItems(0),
            tags::OBJECT => Rest::TaggedMembers(""),
            tags::POINTER | tags::WEAK | tags::DYN => {
                let tag = self.data.byte()?;
                return match tag {
                    tags::DYN => self.survey_owned((place, owner), survey),
                    _ => self.survey_pointer((place, owner), tag == tags::POINTER, survey),
                };
            }
            _ => return self.skip_value(TypeId::ANY).map(|()| true),
        };
        self.data = ahead;
        self.survey_open(rest, place, owner, survey).map(|()| true)
    }
}
