//! Self-describing values, converted to the requested types.

use std::borrow::Cow;

use archive_core::decoder::Kind;
use archive_core::lookup::{Keys, Search, State, duplicate};
use archive_core::{Error, Number, Result};

use super::Decoder;
use super::object::{MemberSeen, looked_at};
use crate::cursor::{Cursor, offset, syntax};
use crate::tags;
use crate::types::TypeId;

/// Returns the kind of the value after a tag.
pub(super) fn kind(tag: u8, at: usize) -> Result<Kind> {
    Ok(match tag {
        tags::NULL => Kind::Null,
        tags::FALSE | tags::TRUE => Kind::Bool,
        tags::UINT | tags::NEGATIVE | tags::F32 | tags::F64 => Kind::Number,
        tags::STR => Kind::Str,
        tags::BYTES => Kind::Bytes,
        tags::SEQ => Kind::Seq,
        tags::OBJECT => Kind::Object,
        tags::POINTER | tags::WEAK | tags::DYN => Kind::Pointer,
        _ => return Err(syntax(format_args!("there is no tag {tag}"), at)),
    })
}

/// Reads the number after a tag, if the tag is that of a number.
pub(crate) fn number(tag: u8, data: &mut Cursor<'_>) -> Result<Option<Number>> {
    let at = data.at();
    Ok(Some(match tag {
        tags::UINT => match data.u128()? {
            value if value > i128::MAX as u128 => Number::UInt(value),
            value => Number::Int(value as i128),
        },
        tags::NEGATIVE => match i128::try_from(data.u128()?) {
            Ok(value) => Number::Int(!value),
            Err(_) => return Err(syntax("an integer below the range of 128 bits", at)),
        },
        tags::F32 => Number::F32(f32::from_le_bytes(data.array()?)),
        tags::F64 => Number::F64(f64::from_le_bytes(data.array()?)),
        _ => return Ok(None),
    }))
}

/// Reads the name of a member. Returns `None` at the end of the object.
pub(crate) fn key<'a>(data: &mut Cursor<'a>) -> Result<Option<&'a str>> {
    match data.u64()?.checked_sub(1) {
        Some(len) => data.text(len).map(Some),
        None => Ok(None),
    }
}

/// A search among the members of an object that were skipped.
pub(super) struct Searched {
    /// The number of open frames, including that of the object.
    pub(super) frame: usize,
    search: Search,
}

/// The members that were skipped, and the input that contains them.
struct Among<'p, 'a>(&'p [MemberSeen], Cursor<'a>);

impl<'a> Among<'_, 'a> {
    fn name_at(&self, index: usize) -> Result<&'a str> {
        Ok(name_at(self.1, self.0[index].key)?.unwrap_or_default())
    }
}

impl Keys for Among<'_, '_> {
    fn count(&self) -> usize {
        self.0.len()
    }
    fn state(&self, index: usize) -> State {
        if self.0[index].at.is_some() { State::Unread } else { State::Listed }
    }
    fn is(&self, index: usize, name: &[u8]) -> bool {
        looked_at();
        self.name_at(index).is_ok_and(|other| other.as_bytes() == name)
    }
    fn name(&self, index: usize) -> Result<Cow<'_, [u8]>> {
        Ok(self.name_at(index)?.as_bytes().into())
    }
}

/// Reads the name of the member at that offset.
fn name_at<'a>(mut data: Cursor<'a>, at: usize) -> Result<Option<&'a str>> {
    data.goto(at);
    key(&mut data)
}

impl<'a> Decoder<'a> {
    /// Moves to the member with that name in the open object.
    pub(super) fn tagged_member(&mut self, name: &str) -> Result<bool> {
        self.resume();
        if let Some(index) = self.find_passed(name)?
            && let Some(at) = self.take_passed(index)
        {
            self.go_aside(at);
            self.slot = TypeId::ANY;
            return Ok(true);
        }
        while let Some((key, next)) = self.reach_member()? {
            if next == name {
                self.passed.push(MemberSeen { key, at: None, empty: 0 });
                self.slot = TypeId::ANY;
                return Ok(true);
            }
            self.pass_tagged(key, next)?;
        }
        Ok(false)
    }

    /// Skips the member whose name is at the offset `key`.
    fn pass_tagged(&mut self, key: usize, name: &'a str) -> Result {
        self.pass(key, |this| this.skip_value(TypeId::ANY)).map_err(|error| error.in_member(name))
    }

    /// Returns the index of the member with that name among the members that were skipped.
    fn find_passed(&mut self, name: &str) -> Result<Option<usize>> {
        let first = self.top().passed;
        if self.passed.len() == first {
            return Ok(None);
        }
        let frame = self.frames.len();
        if self.searches.last().is_none_or(|searched| searched.frame != frame) {
            self.searches.push(Searched { frame, search: Search::new(first) });
        }
        let Some(searched) = self.searches.last_mut() else { return Ok(None) };
        searched.search.find(&Among(&self.passed, self.data), name.as_bytes())
    }

    /// Reads the name of the next member that was not reached yet, and returns it with its offset.
    /// At the end of the object, the cursor does not move.
    fn reach_member(&mut self) -> Result<Option<(usize, &'a str)>> {
        let at = self.data.at();
        match key(&mut self.data)? {
            Some(name) => Ok(Some((at, name))),
            None => {
                self.data.goto(at);
                Ok(None)
            }
        }
    }

    /// Like [`next_name`](Decoder::next_name).
    pub(super) fn next_tagged_name(&mut self) -> Result<Option<&'a str>> {
        self.resume();
        if let Some((key, at)) = self.next_passed() {
            self.go_aside(at);
            self.slot = TypeId::ANY;
            return name_at(self.data, key);
        }
        let Some((key, name)) = self.reach_member()? else { return Ok(None) };
        self.passed.push(MemberSeen { key, at: None, empty: 0 });
        self.slot = TypeId::ANY;
        Ok(Some(name))
    }

    /// Like [`rest_of_object`](Decoder::rest_of_object).
    pub(super) fn rest_of_tagged(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        self.resume();
        while let Some((key, name)) = self.reach_member()? {
            self.pass_tagged(key, name)?;
        }
        self.data.byte()?;
        let members = self.top().passed..self.passed.len();
        if self.passed[members.clone()].iter().all(|passed| passed.at.is_none()) {
            return Ok(());
        }
        for index in members.clone() {
            let passed = self.passed[index];
            if passed.at.is_some()
                && let Some(name) = name_at(self.data, passed.key)?
            {
                unknown(name)?;
            }
        }
        let among = Among(&self.passed, self.data);
        match duplicate(&among, members.start)? {
            Some(second) => {
                Err(Error::twice(among.name_at(second)?).at(offset(self.passed[second].key)))
            }
            None => Ok(()),
        }
    }
}
