//! The value at the cursor, and scalars other than numbers.

use archive_core::decoder::Kind;
use archive_core::shape::{Primitive, Shape};
use archive_core::{Decoder as _, Error, ErrorKind, Found, Result};

use super::Decoder;
use super::slot::Slot;
use crate::cursor::syntax;
use crate::types::DataType;

impl Decoder<'_> {
    pub(super) fn kind(&self) -> Result<Kind> {
        let slot = &self.slot;
        Ok(match slot.kind {
            DataType::Null => Kind::Null,
            DataType::Char | DataType::Text => Kind::Str,
            DataType::Bytes => Kind::Bytes,
            DataType::List => Kind::Seq,
            DataType::Object | Slot::FILE => Kind::Object,
            kind => match kind.primitive() {
                Some(_) if !slot.is_one() || slot.is_marked(&self.input) => Kind::Seq,
                Some(Primitive::Bool) => Kind::Bool,
                Some(Primitive::Char) => Kind::Str,
                Some(_) => Kind::Number,
                None => {
                    let message = format_args!("{slot}");
                    return Err(self.here(Error::new(ErrorKind::Unsupported, message)));
                }
            },
        })
    }

    /// Describes the value at the cursor for messages.
    #[cold]
    pub(super) fn describe(&self) -> Result<String> {
        let array = !self.slot.is_scalar(&self.input);
        Ok(match self.slot.kind {
            DataType::Null => Found::Null.to_string(),
            DataType::Bytes => Found::Bytes(self.data().len()).to_string(),
            DataType::List => Found::Seq.to_string(),
            DataType::Object | Slot::FILE => Found::Object.to_string(),
            DataType::Char | DataType::Text => Found::Text(self.bare_text()?).to_string(),
            kind if kind.primitive().is_some() && array => Found::Seq.to_string(),
            DataType::Bool => Found::Bool(self.fixed()? != [0]).to_string(),
            DataType::Character => {
                Found::Text(self.one_character()?.encode_utf8(&mut [0; 4])).to_string()
            }
            _ => match self.one_number()? {
                Some(number) => Found::Number(number).to_string(),
                None => self.slot.to_string(),
            },
        })
    }

    pub(super) fn truth(&mut self) -> Result<bool> {
        if self.slot.kind != DataType::Bool || !self.slot.is_scalar(&self.input) {
            return Err(self.wrong_type("bool"));
        }
        match self.fixed()? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => Err(syntax(format_args!("a bool is 0 or 1, not {other}"), self.slot.start)),
        }
    }

    /// Text, or a character. Text of the original program ends at its first NUL.
    pub(super) fn text(&mut self, expected: &str) -> Result<&str> {
        match self.slot.kind {
            DataType::Char | DataType::Text => self.bare_text(),
            DataType::Character if self.slot.is_one() => {
                self.scratch = self.one_character()?.to_string();
                Ok(&self.scratch)
            }
            _ => Err(self.wrong_type(expected)),
        }
    }

    /// Returns the text at the cursor, whose type must be text.
    fn bare_text(&self) -> Result<&str> {
        let mut data = self.data();
        if self.slot.kind == DataType::Char {
            data = &data[..data.iter().position(|byte| *byte == 0).unwrap_or(data.len())];
        }
        str::from_utf8(data).map_err(|error| {
            let at = self.slot.start + error.valid_up_to();
            syntax(format_args!("text is not UTF-8: {error}"), at)
        })
    }

    pub(super) fn character(&mut self) -> Result<char> {
        if self.slot.kind == DataType::Character && self.slot.is_one() {
            return self.one_character();
        }
        // The original program's `'\0'` is stored like empty text.
        if self.slot.kind == DataType::Char && self.data() == [0] && self.slot.is_one() {
            return Err(self.wrong_type("a character"));
        }
        self.parse(Primitive::Char, |text| {
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none())
        })
    }

    fn one_character(&self) -> Result<char> {
        let number = u32::from_le_bytes(self.fixed()?);
        char::from_u32(number).ok_or_else(|| {
            let message = format_args!("{number} is not the number of a character");
            syntax(message, self.slot.start)
        })
    }

    /// Reads bytes, or a sequence of numbers that fit bytes.
    pub(super) fn byte_string(&mut self, out: &mut Vec<u8>) -> Result {
        out.clear();
        if matches!(self.slot.kind, DataType::Bytes) {
            out.extend_from_slice(self.data());
            return Ok(());
        }
        // The count is bounded by the length of the input.
        out.reserve(self.open_seq(&Shape::Any)?);
        while self.next_item()? {
            out.push(self.u8()?);
        }
        self.close_seq()
    }
}
