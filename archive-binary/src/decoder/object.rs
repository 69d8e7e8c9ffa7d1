//! Objects: read by position if the types are equal, otherwise by the names of members, in any
//! order.

use std::num::NonZeroUsize;

use archive_core::lookup::SEARCHES;
use archive_core::reserved;
use archive_core::shape::Class;
use archive_core::{Decoder as _, Error, Result};

use super::Decoder;
use super::frame::{Form, Frame};
use super::plan::{Progress, Reading};
use crate::cursor::{no_variant, syntax};
use crate::tags;
use crate::types::{Type, TypeId};

/// The class of an object whose members are unknown.
pub(crate) static UNTYPED: Class = Class::data("object");

/// A member that was skipped because another one was requested.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemberSeen {
    /// The index of the member in the class, or the offset of its name.
    pub(super) key: usize,
    /// The offset of its value; `None` after it was read.
    pub(super) at: Option<usize>,
    /// The number of values without bytes that were counted while it was skipped.
    pub(super) empty: u64,
}

impl<'a> Decoder<'a> {
    /// Opens an object that does not match the program's type, or that stores its layout number.
    pub(super) fn object_slow(&mut self, class: &'static Class) -> Result {
        const EXPECTED: &str = "an object";
        self.check_depth()?;
        if let Some(Type::Option(value)) = self.tables.get(self.slot)
            && self.begins_some()?
        {
            let item = *value;
            self.take_slot();
            self.data.byte()?;
            self.open(Frame { item, left: 1, ..Frame::new(Form::Wrapped) });
            return Ok(());
        }
        if self.slot == TypeId::MATCHES_PROGRAM {
            self.start = self.data.at();
            return self.open_layout(class);
        }
        let slot = self.take_present_slot(EXPECTED)?;
        match self.tables.get(slot) {
            Some(Type::Class { .. }) => self.open_class(slot, class),
            Some(Type::Enum { variants, .. }) => {
                let mut ahead = self.data;
                let index = ahead.u64()?;
                match usize::try_from(index).ok().and_then(|index| variants.get(index)) {
                    None => return Err(no_variant(index, self.start)),
                    Some((name, None)) => {
                        let found = format_args!("the variant `{name}`, which has no data");
                        return Err(Error::wrong_type(EXPECTED, found).at(self.here()));
                    }
                    Some((_, Some(payload))) => {
                        let at = index as usize + 1;
                        let item = *payload;
                        self.data = ahead;
                        let form = Frame::new(Form::Variant);
                        self.open(Frame { kind: slot, item, at, left: 1, ..form });
                    }
                }
            }
            _ if slot == TypeId::OBJECT => self.open_layout(class)?,
            _ if slot == TypeId::ANY && self.data.peek()? == tags::OBJECT => {
                self.data.byte()?;
                self.open(Frame::new(Form::TaggedMembers));
            }
            _ => return Err(self.wrong(EXPECTED, slot)),
        }
        Ok(())
    }

    /// Reads the layout number of an object; returns it with the class.
    pub(super) fn layout(&mut self) -> Result<(u64, TypeId)> {
        let at = self.data.at();
        let number = self.data.u64()?;
        match usize::try_from(number).ok().and_then(|number| self.tables.layouts.get(number)) {
            Some(kind) => Ok((number, *kind)),
            None => Err(syntax(format_args!("there is no layout {number}"), at)),
        }
    }

    fn open_layout(&mut self, class: &'static Class) -> Result {
        let (number, kind) = self.layout()?;
        self.last_layout = u32::try_from(number).ok();
        self.open_class(kind, class);
        Ok(())
    }

    #[inline]
    fn open_class(&mut self, kind: TypeId, class: &'static Class) {
        match self.reading(kind, class) {
            Reading::Equal => {
                self.open_frameless(class.block_size().is_some());
            }
            Reading::Named(plan) => {
                let (version, _) = self.plans.class(plan);
                let plan = Progress::start(plan);
                self.open(Frame { kind, version, plan, ..Frame::new(Form::Members) });
            }
        }
    }

    pub(super) fn member_at(&self, index: usize) -> Option<(&'a str, TypeId)> {
        match self.tables.get(self.top().kind) {
            Some(Type::Class { members, .. }) => members.get(index).copied(),
            _ => None,
        }
    }

    /// Finds a member of an object that does not match the program's type.
    pub(super) fn member_slow(&mut self, name: &str) -> Result<bool> {
        match self.top().form {
            Form::Members => {}
            Form::TaggedMembers => return self.tagged_member(name),
            Form::Variant | Form::Wrapped if self.only_name() == Some(name) => {
                return Ok(self.next_name()?.is_some());
            }
            _ => return Ok(false),
        }
        self.leave_plan();
        self.resume();
        let next = self.top().at;
        let kind = match self.member_at(next) {
            Some((next, kind)) if next == name => kind,
            _ => {
                match self.index_of(name).and_then(|index| Some((index, self.member_at(index)?))) {
                    Some((index, (_, kind))) if self.reach(index)? => {
                        self.slot = kind;
                        return Ok(true);
                    }
                    _ => return Ok(false),
                }
            }
        };
        self.top_mut().at += 1;
        self.slot = kind;
        Ok(true)
    }

    /// Returns whether the member with that index was not read yet.
    pub(super) fn is_left(&self, index: usize) -> bool {
        index >= self.top().at
            || self.passed_index(index).is_some_and(|at| self.passed[at].at.is_some())
    }

    /// Returns the index of a member among the members that were skipped.
    fn passed_index(&self, index: usize) -> Option<usize> {
        let first = self.top().passed;
        let found = self.passed[first..].binary_search_by_key(&index, |passed| {
            looked_at();
            passed.key
        });
        found.ok().map(|at| first + at)
    }

    /// Returns the offset of a member that was skipped, to read it. Undoes the count of its values
    /// without bytes, because they are counted again.
    pub(super) fn take_passed(&mut self, index: usize) -> Option<usize> {
        let passed = self.passed.get_mut(index)?;
        let at = passed.at.take()?;
        self.empty_left += std::mem::take(&mut passed.empty);
        Some(at)
    }

    /// Skips the member here, and records its offset.
    pub(super) fn pass(&mut self, key: usize, skip: impl FnOnce(&mut Self) -> Result) -> Result {
        let (at, empty) = (Some(self.data.at()), self.empty_left);
        self.passed.push(MemberSeen { key, at, empty: 0 });
        skip(self)?;
        if let Some(passed) = self.passed.last_mut() {
            passed.empty = empty - self.empty_left;
        }
        Ok(())
    }

    /// Moves to the member with that index. Returns `false` if it was read already.
    pub(super) fn reach(&mut self, index: usize) -> Result<bool> {
        if index < self.top().at {
            let Some(at) = self.passed_index(index).and_then(|at| self.take_passed(at)) else {
                return Ok(false);
            };
            self.go_aside(at);
        } else {
            while self.top().at < index {
                self.pass_member()?;
            }
            self.top_mut().at += 1;
        }
        Ok(true)
    }

    /// Skips the next member, and records its offset.
    fn pass_member(&mut self) -> Result {
        if let Some((name, kind)) = self.member_at(self.top().at) {
            let key = self.top().at;
            self.top_mut().at += 1;
            self.pass(key, |this| this.skip_member(kind)).map_err(|error| error.in_member(name))?;
        }
        Ok(())
    }

    pub(super) fn index_of(&mut self, name: &str) -> Option<usize> {
        let Some(Type::Class { members, .. }) = self.tables.get(self.top().kind) else {
            return None;
        };
        if members.len() <= SEARCHES {
            return members.iter().position(|(member, _)| *member == name);
        }
        let indices = self
            .indices
            .entry(self.top().kind)
            .or_insert_with(|| members.iter().map(|(member, _)| *member).zip(0..).collect());
        indices.get(name).copied()
    }

    /// Moves to a member that was skipped.
    pub(super) fn go_aside(&mut self, at: usize) {
        self.top_mut().resume = NonZeroUsize::new(self.data.at());
        self.data.goto(at);
    }

    /// Moves back to the first member that was not reached yet.
    #[inline]
    pub(super) fn resume(&mut self) {
        if let Some(at) = self.top_mut().resume.take() {
            self.data.goto(at.get());
        }
    }

    /// Takes the first member that was skipped and not read since. Returns its key and the offset
    /// of its value.
    pub(super) fn next_passed(&mut self) -> Option<(usize, usize)> {
        let index = self.first_unread();
        let key = self.passed.get(index)?.key;
        Some((key, self.take_passed(index)?))
    }

    /// Returns the index of the first member that was skipped and not read since, or the end of the
    /// list. The members before it are not scanned again.
    pub(super) fn first_unread(&mut self) -> usize {
        let mut index = self.top().unread;
        while self.passed.get(index).is_some_and(|passed| passed.at.is_none()) {
            index += 1;
        }
        self.top_mut().unread = index;
        index
    }

    /// Moves to the next member that was not read, and returns its name.
    pub(super) fn next_name(&mut self) -> Result<Option<&'a str>> {
        if self.frameless_depth > 0 {
            return Ok(None);
        }
        match self.top().form {
            Form::Members => self.leave_plan(),
            Form::TaggedMembers => return self.next_tagged_name(),
            Form::Variant | Form::Wrapped if self.top().left > 0 => {
                self.top_mut().left = 0;
                self.slot = self.top().item;
                return Ok(self.only_name());
            }
            _ => return Ok(None),
        }
        self.resume();
        if self.top().version != 0 && !self.top().versioned {
            self.top_mut().versioned = true;
            self.slot = TypeId::VERSION;
            return Ok(Some(reserved::VERSION));
        }
        let index = match self.next_passed() {
            Some((index, at)) => {
                self.go_aside(at);
                index
            }
            None => self.top().at,
        };
        let Some((name, kind)) = self.member_at(index) else { return Ok(None) };
        self.top_mut().at = self.top().at.max(index + 1);
        // The program did not request the member, so the file determines the number of such
        // members.
        if !self.tables.takes_bytes(kind) {
            self.count_empty(1, self.data.at())?;
        }
        self.slot = kind;
        Ok(Some(name))
    }

    /// Returns the name of the only member of an object that is a variant or an option in the file.
    fn only_name(&self) -> Option<&'a str> {
        if self.top().form == Form::Wrapped {
            return Some(reserved::SOME);
        }
        match self.tables.get(self.top().kind) {
            Some(Type::Enum { variants, .. }) => {
                variants.get(self.top().at.wrapping_sub(1)).map(|(name, _)| *name)
            }
            _ => None,
        }
    }

    /// Skips the members that were not read, and reports their names.
    pub(super) fn rest_of_object(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        match self.top().form {
            Form::Members => {}
            Form::TaggedMembers => return self.rest_of_tagged(unknown),
            _ => {
                while let Some(name) = self.next_name()? {
                    unknown(name)?;
                    self.skip().map_err(|error| error.in_member(name))?;
                }
                return Ok(());
            }
        }
        self.resume();
        if self.top().version != 0 && !self.top().versioned {
            unknown(reserved::VERSION)?;
        }
        for index in self.top().passed..self.passed.len() {
            let passed = self.passed[index];
            if let (Some(_), Some((name, _))) = (passed.at, self.member_at(passed.key)) {
                unknown(name)?;
            }
        }
        while let Some((name, kind)) = self.member_at(self.top().at) {
            unknown(name)?;
            self.top_mut().at += 1;
            self.skip_member(kind).map_err(|error| error.in_member(name))?;
        }
        Ok(())
    }

    /// Returns the version of an object that does not match the program's type.
    pub(super) fn version_slow(&mut self) -> Result<u32> {
        if self.top().form == Form::Members {
            self.top_mut().versioned = true;
            return Ok(self.top().version);
        }
        if self.member_slow(reserved::VERSION)? { self.u32() } else { Ok(0) }
    }
}

/// Counts the members that are visited in searches, for tests.
#[inline(always)]
pub(super) fn looked_at() {
    #[cfg(test)]
    tests::LOOKED_AT.set(tests::LOOKED_AT.get() + 1);
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use archive_core::{Backend, Reader, Value, Writer};

    use crate::Binary;
    use crate::bare::Bare;
    use crate::fingerprint::Fingerprint;

    thread_local! {
        pub(super) static LOOKED_AT: Cell<usize> = const { Cell::new(0) };
    }

    /// Loads all roots from the last to the first.
    fn backwards<F: Backend>(file: &[u8], count: u32) {
        LOOKED_AT.set(0);
        let mut reader = Reader::<F>::new(file).expect(F::NAME);
        for number in (0..count).rev() {
            assert_eq!(reader.load::<u32>(&format!("root {number}")).expect(F::NAME), number);
        }
        reader.finish().expect(F::NAME);
        let each = LOOKED_AT.get() / count as usize;
        assert!(each <= 32, "{}: {each} members for each of {count}", F::NAME);
    }

    #[test]
    fn roots_in_any_order() {
        fn written<F: Backend<Output = Vec<u8>>>(count: u32) {
            let mut writer = Writer::<F>::new();
            for number in 0..count {
                writer.save(&format!("root {number}"), &number).expect(F::NAME);
            }
            backwards::<F>(&writer.finish().expect(F::NAME), count);
        }
        for count in [16, 1_000, 16_000] {
            written::<Binary>(count);
            written::<Fingerprint>(count);
            written::<Bare>(count);
            let roots = (0..count).map(|number| (format!("root {number}"), number.into()));
            let tree = Binary::to_vec(&Value::Object(roots.collect())).expect("a tree");
            backwards::<Binary>(&tree, count);
        }
    }
}
