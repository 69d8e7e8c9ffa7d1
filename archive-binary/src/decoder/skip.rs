//! Skips values. Keeps a list of the remaining parts instead of recursing, so that no input
//! exhausts the stack.

use archive_core::decoder::Mark;
use archive_core::reserved;
use archive_core::shape::Primitive;
use archive_core::{Error, Result};

use super::Decoder;
use super::frame::nothing_here;
use super::lists::Lists;
use super::tagged::{key, number};
use crate::cursor::{no_variant, offset, syntax};
use crate::tags;
use crate::types::{Type, TypeId};

/// The remaining part of a value.
pub(super) enum Rest {
    /// The value of an option, which does not count as a level of nesting.
    Held(Option<TypeId>),
    /// A number of items of a type.
    Items(TypeId, u64),
    /// The components of a class or tuple, from that index on.
    Parts(TypeId, usize),
    /// The items of a self-describing sequence.
    TaggedItems,
    /// The members of a self-describing object: its offset, whether its first member makes it a
    /// pointer (`None` before that member), its `$id`, and whether it has a `$value`.
    TaggedMembers { at: usize, pointer: Option<bool>, id: u64, pointee: bool },
}

/// Receives the id and the mark of each pointer with which its object is stored.
pub(super) type Found<'f> = &'f mut dyn FnMut(u64, Mark);

/// The state of skipping a value.
struct Walk<'f> {
    /// The remaining parts, from the outside in.
    rest: Vec<Rest>,
    /// The nesting depth, counted in the same way as when the value is read.
    depth: usize,
    found: Option<Found<'f>>,
    lists: Option<&'f mut Lists>,
}

impl Decoder<'_> {
    /// Skips a value of that type.
    pub(super) fn skip_value(&mut self, kind: TypeId) -> Result {
        if self.pass_over(kind)? {
            return Ok(());
        }
        self.walk(kind, self.depth(), None)
    }

    /// Skips a member. Members without bytes are counted, since a class may have any number of
    /// them.
    pub(super) fn skip_member(&mut self, kind: TypeId) -> Result {
        if self.tables.takes_bytes(kind) {
            self.skip_value(kind)
        } else {
            self.count_empty(1, self.data.at())
        }
    }

    /// Skips a value at that depth in the root, and reports the pointers in it.
    pub(super) fn walk(&mut self, kind: TypeId, depth: usize, found: Option<Found<'_>>) -> Result {
        self.walk_with(kind, depth, found, None)
    }

    /// Skips a value, and stores the long lists in it in columns.
    pub(super) fn walk_lists(&mut self, kind: TypeId, lists: &mut Lists) -> Result {
        self.walk_with(kind, 0, None, Some(lists))
    }

    fn walk_with<'f>(
        &mut self,
        kind: TypeId,
        depth: usize,
        found: Option<Found<'f>>,
        lists: Option<&'f mut Lists>,
    ) -> Result {
        // The memory of the last walk is reused.
        let mut walk = Walk { rest: std::mem::take(&mut self.rest), depth, found, lists };
        walk.rest.clear();
        let walked = self.walk_on(kind, &mut walk);
        self.rest = walk.rest;
        walked
    }

    fn walk_on(&mut self, kind: TypeId, walk: &mut Walk<'_>) -> Result {
        self.step(kind, walk)?;
        while let Some(last) = walk.rest.last_mut() {
            let next = match last {
                Rest::Held(value) => value.take(),
                Rest::Items(_, 0) => None,
                Rest::Items(item, left) => {
                    *left -= 1;
                    Some(*item)
                }
                Rest::Parts(kind, next) => {
                    let part = self.tables.part(*kind, *next);
                    *next += 1;
                    part
                }
                Rest::TaggedItems if self.data.peek()? == tags::END => {
                    self.data.byte()?;
                    None
                }
                Rest::TaggedItems => Some(TypeId::ANY),
                Rest::TaggedMembers { at, pointer, id, pointee } => match key(&mut self.data)? {
                    Some(name)
                        if !*pointer.get_or_insert_with(|| reserved::POINTER.contains(&name)) =>
                    {
                        Some(TypeId::ANY)
                    }
                    Some(reserved::ID) => {
                        let mut ahead = self.data;
                        let tag = ahead.byte()?;
                        let number = number(tag, &mut ahead)?;
                        *id = number.and_then(|number| number.to_integer().ok()).unwrap_or(0);
                        Some(TypeId::ANY)
                    }
                    Some(name) => {
                        *pointee |= name == reserved::VALUE;
                        Some(TypeId::ANY)
                    }
                    None => {
                        if let (Some(found), true, true) = (&mut walk.found, *pointee, *id != 0) {
                            let state = TypeId::ANY.0.into();
                            let depth = self.frames.len() as u32;
                            found(*id, Mark { offset: *at as u64, state, depth });
                        }
                        None
                    }
                },
            };
            match next {
                None => walk.close(),
                Some(kind) if self.tables.takes_bytes(kind) => self.step(kind, walk)?,
                Some(_) => self.count_empty(1, self.data.at())?,
            }
        }
        Ok(())
    }

    /// Opens a part of the value.
    fn descend(&self, rest: Rest, walk: &mut Walk<'_>) -> Result {
        if !matches!(rest, Rest::Held(_)) {
            walk.depth += 1;
            if walk.depth > self.depth_limit {
                return Err(Error::too_nested(self.depth_limit).at(offset(self.data.at())));
            }
        }
        walk.rest.push(rest);
        Ok(())
    }

    /// Skips a scalar, or the start of a container whose remaining parts are added to the walk.
    fn step(&mut self, kind: TypeId, walk: &mut Walk<'_>) -> Result {
        let at = self.data.at();
        if let Some(lists) = &walk.lists
            && lists.can_pass(kind)
            && self.pass_over(kind)?
        {
            return Ok(());
        }
        if let Some(primitive) = kind.primitive() {
            return self.step_primitive(primitive);
        }
        if let Some(size) = kind.wide().and_then(Primitive::block_size) {
            return self.data.take(size as u64).map(drop);
        }
        let next = match self.tables.get(kind) {
            Some(Type::Seq(item) | Type::Map(item)) => {
                let item = *item;
                if let Some((_, _, after)) = self.gap() {
                    self.data = after;
                    return Ok(());
                }
                let empty = !self.tables.takes_bytes(item);
                let count = self.count(empty)? as u64;
                if let Some(lists) = &mut walk.lists
                    && lists.store(self, item, count)?
                {
                    return Ok(());
                }
                Rest::Items(item, if empty { 0 } else { count })
            }
            Some(Type::Array(item, len)) if self.tables.takes_bytes(*item) => {
                Rest::Items(*item, *len)
            }
            Some(Type::Array(..)) => return Ok(()),
            Some(Type::Tuple(_) | Type::Class { .. }) => Rest::Parts(kind, 0),
            Some(Type::Option(value)) => {
                let value = *value;
                match self.data.flag("an option")? {
                    true if self.is_null(value, self.data) => Rest::Items(value, 1),
                    true => Rest::Held(Some(value)),
                    false => return Ok(()),
                }
            }
            Some(Type::Enum { variants, .. }) => {
                let index = self.data.u64()?;
                match usize::try_from(index).ok().and_then(|index| variants.get(index)) {
                    Some((_, Some(payload))) => Rest::Items(*payload, 1),
                    Some((_, None)) => return Ok(()),
                    None => return Err(no_variant(index, at)),
                }
            }
            Some(Type::Pointer(_)) => return self.step_pointer(walk),
            None => match kind {
                TypeId::POINTER => return self.step_pointer(walk),
                TypeId::WEAK => return self.data.u64().map(drop),
                TypeId::DYN => return self.step_dyn(walk),
                TypeId::OBJECT => Rest::Parts(self.layout()?.1, 0),
                TypeId::ANY => return self.step_tagged(walk),
                TypeId::VERSION => return Ok(()),
                _ => return Err(nothing_here(at)),
            },
        };
        self.descend(next, walk)
    }

    pub(super) fn step_primitive(&mut self, primitive: Primitive) -> Result {
        let data = &mut self.data;
        match primitive {
            Primitive::Unit => Ok(()),
            Primitive::Bool => data.flag("bool").map(drop),
            Primitive::U8 | Primitive::I8 => data.byte().map(drop),
            Primitive::U128 | Primitive::I128 => data.u128().map(drop),
            Primitive::F32 => data.take(4).map(drop),
            Primitive::F64 => data.take(8).map(drop),
            Primitive::Char => data.char().map(drop),
            Primitive::Str => data.str().map(drop),
            Primitive::Bytes => data.bytes().map(drop),
            _ => data.u64().map(drop),
        }
    }

    /// Skips a pointer, with its object if the object comes after it.
    fn step_pointer(&mut self, walk: &mut Walk<'_>) -> Result {
        let at = self.data.at();
        let id = self.data.u64()?;
        if id != 0
            && let Some(pointee) = self.tables.objects.find(id, offset(at))?
            && pointee.at == self.data.at()
        {
            if let Some(found) = &mut walk.found {
                let (state, depth) = (TypeId::POINTER.0.into(), self.frames.len() as u32);
                found(id, Mark { offset: at as u64, state, depth });
            }
            let kind = self.tables.pointee_types[pointee.concrete as usize].kind;
            self.descend(Rest::Items(kind, 1), walk)?;
        }
        Ok(())
    }

    fn step_dyn(&mut self, walk: &mut Walk<'_>) -> Result {
        let at = self.data.at();
        let Some(index) = self.data.u64()?.checked_sub(1) else { return Ok(()) };
        match usize::try_from(index).ok().and_then(|index| self.tables.pointee_types.get(index)) {
            Some(concrete) => self.descend(Rest::Items(concrete.kind, 1), walk),
            None => Err(syntax(format_args!("there is no object type {index}"), at)),
        }
    }

    fn step_tagged(&mut self, walk: &mut Walk<'_>) -> Result {
        let at = self.data.at();
        match self.data.byte()? {
            tags::NULL | tags::FALSE | tags::TRUE => Ok(()),
            tags::STR => self.data.str().map(drop),
            tags::BYTES => self.data.bytes().map(drop),
            tags::SEQ => self.descend(Rest::TaggedItems, walk),
            tags::OBJECT => {
                let rest = Rest::TaggedMembers { at, pointer: None, id: 0, pointee: false };
                self.descend(rest, walk)
            }
            tags::POINTER => self.step_pointer(walk),
            tags::WEAK => self.data.u64().map(drop),
            tags::DYN => self.step_dyn(walk),
            tag => match number(tag, &mut self.data)? {
                Some(_) => Ok(()),
                None => Err(syntax(format_args!("there is no tag {tag}"), at)),
            },
        }
    }
}

impl Walk<'_> {
    /// Closes the part that was opened last.
    fn close(&mut self) {
        if let Some(rest) = self.rest.pop() {
            self.depth -= usize::from(!matches!(rest, Rest::Held(_)));
        }
    }
}

/// Returns the number of bytes of each value of a type, if it is the same for all and any bytes are
/// a value.
pub(super) fn fixed_size(kind: TypeId) -> Option<u64> {
    let size = match kind.primitive() {
        Some(Primitive::U8 | Primitive::I8) => 1,
        Some(Primitive::F32) => 4,
        Some(Primitive::F64) => 8,
        Some(_) => return None,
        None => kind.wide().and_then(Primitive::block_size)?,
    };
    Some(size as u64)
}
