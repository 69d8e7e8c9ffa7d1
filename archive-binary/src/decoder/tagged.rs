//! Values that describe themselves, read as whatever is asked for.

use std::collections::HashMap;

use archive_core::decoder::Kind;
use archive_core::{Number, Result};

use super::Decoder;
use super::object::{Passed, SEARCHED, duplicate, looked_at};
use crate::cursor::{Cursor, syntax};
use crate::tags;
use crate::types::TypeId;

/// What a tag announces.
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

/// The number after a tag, if it is one.
pub(super) fn number(tag: u8, data: &mut Cursor<'_>) -> Result<Option<Number>> {
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

/// The name of a member; nothing at the end of the object.
pub(super) fn key<'a>(data: &mut Cursor<'a>) -> Result<Option<&'a str>> {
    match data.u64()?.checked_sub(1) {
        Some(len) => data.text(len).map(Some),
        None => Ok(None),
    }
}

/// Where the members of an object stand among those that were passed over, if they are many. Their names
/// come from the file, so the hash is one that a file cannot be made to collide in.
pub(super) struct Index<'a> {
    /// How many frames are open, that of the object included.
    pub(super) frame: usize,
    places: HashMap<&'a str, usize>,
}

impl<'a> Decoder<'a> {
    /// The member of that name of the object at hand.
    pub(super) fn tagged_member(&mut self, name: &str) -> Result<bool> {
        self.resume();
        if let Some(place) = self.find_passed(name)?
            && let Some(at) = self.take_passed(place)
        {
            self.go_aside(at);
            self.slot = TypeId::ANY;
            return Ok(true);
        }
        while let Some((key, next)) = self.reach_member()? {
            if next == name {
                self.passed.push(Passed { key, at: None, empty: 0 });
                self.slot = TypeId::ANY;
                return Ok(true);
            }
            self.pass_tagged(key, next)?;
        }
        Ok(false)
    }

    /// Passes over the member whose name stands at `key`.
    fn pass_tagged(&mut self, key: usize, name: &'a str) -> Result {
        if let Some(index) = self.indexes.last_mut()
            && index.frame == self.frames.len()
        {
            index.places.entry(name).or_insert(self.passed.len());
        }
        self.pass(key, |this| this.skip_value(TypeId::ANY)).map_err(|error| error.in_member(name))
    }

    /// The place of the member of that name among those that were passed over. Few are searched one by
    /// one.
    fn find_passed(&mut self, name: &str) -> Result<Option<usize>> {
        let unread = self.first_unread()..self.passed.len();
        if unread.len() <= SEARCHED {
            for place in unread {
                looked_at();
                if self.passed[place].at.is_some()
                    && self.name_at(self.passed[place].key)? == Some(name)
                {
                    return Ok(Some(place));
                }
            }
            return Ok(None);
        }
        let frame = self.frames.len();
        if self.indexes.last().is_none_or(|index| index.frame != frame) {
            let mut places = HashMap::with_capacity(unread.len());
            for place in unread {
                looked_at();
                if let Some(name) = self.name_at(self.passed[place].key)? {
                    places.entry(name).or_insert(place);
                }
            }
            self.indexes.push(Index { frame, places });
        }
        Ok(self.indexes.last().and_then(|index| index.places.get(name)).copied())
    }

    /// The next member that was not reached yet: where its name stands, and the name. At the end of
    /// the object the cursor stays there.
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

    fn name_at(&self, at: usize) -> Result<Option<&'a str>> {
        let mut aside = self.data;
        aside.goto(at);
        key(&mut aside)
    }

    /// As [`next_name`](Decoder::next_name).
    pub(super) fn next_tagged_name(&mut self) -> Result<Option<&'a str>> {
        self.resume();
        if let Some((key, at)) = self.next_passed() {
            self.go_aside(at);
            self.slot = TypeId::ANY;
            return self.name_at(key);
        }
        let Some((key, name)) = self.reach_member()? else { return Ok(None) };
        self.passed.push(Passed { key, at: None, empty: 0 });
        self.slot = TypeId::ANY;
        Ok(Some(name))
    }

    /// As [`rest_of_object`](Decoder::rest_of_object).
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
        let mut names = Vec::with_capacity(members.len());
        for index in members {
            let passed = self.passed[index];
            if let Some(name) = self.name_at(passed.key)? {
                names.push((name, passed.key));
                if passed.at.is_some() {
                    unknown(name)?;
                }
            }
        }
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(duplicate(pair[1].0, pair[1].1)),
            None => Ok(()),
        }
    }
}
