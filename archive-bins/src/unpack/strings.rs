//! The string bin of a packed object.

use std::collections::HashSet;

use archive_core::Result;

use crate::header::{Header, syntax, word};

/// The string bin.
pub(super) struct Strings<'a> {
    pub(super) list: Vec<&'a str>,
    /// How many of the strings occurred in records. A new one must be the next.
    met: usize,
}

pub(super) fn read_strings<'a>(input: &'a [u8], header: &Header) -> Result<Strings<'a>> {
    let mut at = header.string_bin as usize;
    let mut list = Vec::with_capacity(header.strings as usize);
    let mut distinct = HashSet::with_capacity(header.strings as usize);
    for _ in 0..header.strings {
        let length = word(input, at) as usize;
        let Some(bytes) = input.get(at + 4..).and_then(|rest| rest.get(..length)) else {
            return Err(syntax("a string extends past the end of the object", at));
        };
        let text = std::str::from_utf8(bytes)
            .map_err(|error| syntax(format_args!("a name is not UTF-8: {error}"), at + 4))?;
        if !distinct.insert(text) {
            return Err(syntax("duplicate string in the string bin", at));
        }
        list.push(text);
        at += 4 + length;
    }
    if at != input.len() {
        return Err(syntax("trailing data after the last string", at));
    }
    Ok(Strings { list, met: 0 })
}

impl Strings<'_> {
    /// Checks the number of a string that a record refers to.
    pub(super) fn number(&mut self, number: u32, at: usize) -> Result<u32> {
        let index = number as usize;
        if index > self.met || index >= self.list.len() {
            let message = format_args!(
                "string {number} is out of order: {} of {} strings are known so far",
                self.met,
                self.list.len()
            );
            return Err(syntax(message, at));
        }
        self.met = self.met.max(index + 1);
        Ok(number)
    }

    pub(super) fn all_used(&self, header: &Header) -> Result {
        if self.met == self.list.len() {
            return Ok(());
        }
        Err(syntax("a string is not used by any record", header.string_bin as usize))
    }
}
