//! [`Nodes`]: the data of a file, which are read from the bytes each time.

use std::borrow::Cow;
use std::ops::Range;

use archive_core::decoder::Kind;
use archive_core::nodes::{Content, Inside, Nodes, stored};
use archive_core::shape::{Primitive, Shape};
use archive_core::{Error, ErrorKind, Position, Result};

use super::slot::{Container, Slot};
use crate::cursor::{HEADER, Input, LEAST_BLOB, LEAST_DATUM, offset, syntax, trailing};
use crate::names;
use crate::types::DataType;

/// The bytes of a file.
#[derive(Debug)]
pub struct File<'a> {
    pub(super) input: Input<'a>,
    /// Whether the root is a datum without a name, so that no mark can follow it.
    pub(super) is_datum: bool,
}

/// What comes next inside of a datum.
#[derive(Clone, Copy, Debug)]
pub enum Rest {
    /// The blobs of the list.
    Blobs(Span),
    /// The data of a blob.
    Data(Span),
    /// The data of a list.
    Items(Span),
    /// The elements of an array.
    Elements {
        /// Their type.
        kind: DataType,
        /// The offset of the next one.
        next: usize,
        /// How many are left.
        left: usize,
    },
}

/// Consecutive entries: the offset of the next one, how many are left, and where the last one ends.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    next: usize,
    left: usize,
    end: usize,
}

impl File<'_> {
    /// Returns the entries of a container, whose number is at its start.
    fn entries(&self, slot: &Slot, least: usize, what: &str) -> Result<Span> {
        let left = self.input.count(slot.start, slot.end, least, what)?;
        Ok(Span { next: slot.start + 4, left, end: slot.end })
    }

    /// Returns whether the elements are an array. One named element counts as an array if it may come
    /// from the original program and an array of one is requested.
    fn is_array(&self, slot: &Slot, shape: &Shape, outermost: bool) -> bool {
        if !slot.is_scalar(&self.input) || self.is_datum && outermost {
            return true;
        }
        let one = match shape {
            Shape::Tuple(items, _, _) => items.len() == 1,
            Shape::Array(_, len, _, _) => *len == 1,
            Shape::Option(_) => false,
            _ => true,
        };
        one && slot.may_be_array()
    }

    /// Moves past the next member, and the marks before it. If `wanted` is another name, the value
    /// is not read.
    #[inline(always)]
    fn step(&self, rest: &mut Rest, wanted: Option<&[u8]>) -> Result<Option<Slot>> {
        let (span, is_file) = match rest {
            Rest::Data(span) => (span, false),
            Rest::Blobs(span) => (span, true),
            _ => return Ok(None),
        };
        while span.left > 0 {
            let (name, value) = self.input.name(span.next, span.end)?;
            let is_other = wanted.is_some_and(|wanted| wanted != name);
            // The names of marks begin with `$`.
            if is_other && name.first() != Some(&b'$') {
                return Ok(None);
            }
            let at = span.next + 4;
            let (slot, next, is_mark) = if is_file {
                let size = self.input.length(value, span.end, "a size")?;
                let slot = Slot::root(&self.input, value, span.end)?;
                let is_mark = name == names::ROOTS.as_bytes() && slot.end - slot.start == 4;
                (slot, value + 4 + size, is_mark)
            } else {
                let slot = Slot::datum(&self.input, value, span.end, Container::Datum)?;
                (slot, slot.end, slot.kind == DataType::Mark)
            };
            if is_other && !is_mark {
                return Ok(None);
            }
            span.next = next;
            span.left -= 1;
            if !is_mark {
                return Ok(Some(Slot { name: (at, at + name.len()), ..slot }));
            }
        }
        Ok(None)
    }

    /// Returns the bytes of a value, without its header.
    fn data(&self, slot: &Slot) -> &[u8] {
        self.input.0.get(slot.start..slot.end).unwrap_or_default()
    }

    /// Returns text. Text of the original program ends at its first NUL.
    fn str(&self, slot: &Slot) -> Result<&str> {
        let mut data = self.data(slot);
        if slot.kind == DataType::Char {
            data = &data[..data.iter().position(|byte| *byte == 0).unwrap_or(data.len())];
        }
        str::from_utf8(data).map_err(|error| {
            let at = slot.start + error.valid_up_to();
            syntax(format_args!("text is not UTF-8: {error}"), at)
        })
    }
}

impl Nodes for File<'_> {
    type Node = Slot;
    type Rest = Rest;

    #[inline]
    fn inside(&self, slot: Slot) -> Result<Option<Inside<Rest>>> {
        Ok(match slot.kind {
            Slot::FILE => {
                let span = self.entries(&slot, LEAST_BLOB, "a number of blobs")?;
                Some(Inside::Members(Rest::Blobs(span)))
            }
            DataType::Object => {
                let span = self.entries(&slot, LEAST_DATUM, "a number of data")?;
                Some(Inside::Members(Rest::Data(span)))
            }
            DataType::List => {
                let span = self.entries(&slot, HEADER, "a number of items")?;
                Some(Inside::Items(Rest::Items(span), span.left))
            }
            _ => None,
        })
    }
    fn items(&self, slot: Slot, shape: &Shape, outermost: bool) -> Result<Option<(Rest, usize)>> {
        let kind = match slot.kind {
            DataType::List => {
                let span = self.entries(&slot, HEADER, "a number of items")?;
                return Ok(Some((Rest::Items(span), span.left)));
            }
            DataType::Bytes => DataType::U8,
            kind if kind.primitive().is_some() && self.is_array(&slot, shape, outermost) => kind,
            _ => return Ok(None),
        };
        let (next, left) = (slot.start, slot.count);
        Ok(Some((Rest::Elements { kind, next, left }, left)))
    }
    #[inline(always)]
    fn next_item(&self, rest: &mut Rest) -> Result<Option<Slot>> {
        match rest {
            Rest::Elements { kind, next, left } if *left > 0 => {
                let slot = Slot::element(*kind, *next);
                *left -= 1;
                *next = slot.end;
                Ok(Some(slot))
            }
            Rest::Items(span) if span.left > 0 => {
                let slot = Slot::datum(&self.input, span.next, span.end, Container::Item)?;
                span.next = slot.end;
                span.left -= 1;
                Ok(Some(slot))
            }
            _ => Ok(None),
        }
    }
    #[inline]
    fn next_member(&self, rest: &mut Rest) -> Result<Option<Slot>> {
        self.step(rest, None)
    }
    #[inline(always)]
    fn next_named(&self, rest: &mut Rest, name: &[u8]) -> Result<Option<Slot>> {
        self.step(rest, Some(name))
    }
    #[inline]
    fn next_name(&self, rest: &Rest) -> Result<Option<&[u8]>> {
        match rest {
            Rest::Blobs(span) | Rest::Data(span) if span.left > 0 => {
                Ok(Some(self.input.name(span.next, span.end)?.0))
            }
            _ => Ok(None),
        }
    }
    fn count(&self, rest: &Rest) -> usize {
        match rest {
            Rest::Blobs(span) | Rest::Data(span) => span.left,
            _ => 0,
        }
    }
    fn end(&self, rest: &Rest) -> Result {
        match rest {
            Rest::Blobs(span) if span.next != span.end => Err(trailing("the last blob", span.next)),
            Rest::Data(span) if span.next != span.end => {
                Err(syntax("an object longer than its data", span.next))
            }
            Rest::Items(span) if span.next != span.end => {
                Err(syntax("a list longer than its items", span.next))
            }
            _ => Ok(()),
        }
    }

    #[inline]
    fn name(&self, member: Slot) -> &[u8] {
        &self.input.0[member.name.0..member.name.1]
    }
    #[inline]
    fn written<'n>(&self, name: &'n str) -> Cow<'n, [u8]> {
        names::raw(name)
    }
    fn text(&self, member: Slot) -> Result<Cow<'_, str>> {
        names::text(self.name(member), member.name.0 - 4)
    }

    fn kind(&self, slot: Slot) -> Result<Kind> {
        Ok(match slot.kind {
            DataType::Null => Kind::Null,
            DataType::Char | DataType::Text => Kind::Str,
            DataType::Bytes => Kind::Bytes,
            DataType::List => Kind::Seq,
            DataType::Object | Slot::FILE => Kind::Object,
            kind => match kind.primitive() {
                Some(_) if !slot.is_scalar(&self.input) => Kind::Seq,
                Some(Primitive::Bool) => Kind::Bool,
                Some(Primitive::Char) => Kind::Str,
                Some(_) => Kind::Number,
                None => return Err(Error::new(ErrorKind::Unsupported, slot).at(offset(slot.at))),
            },
        })
    }
    fn content(&self, slot: Slot) -> Result<Content<'_>> {
        Ok(match slot.kind {
            DataType::Null => Content::Null,
            DataType::Char | DataType::Text => Content::Str(self.str(&slot)?),
            DataType::Bytes => Content::Bytes(self.data(&slot)),
            DataType::List => Content::Seq,
            DataType::Object | Slot::FILE => Content::Object,
            kind => match kind.primitive() {
                Some(_) if !slot.is_scalar(&self.input) => Content::Seq,
                Some(primitive) => stored(primitive, self.data(&slot))
                    .map_err(|error| error.at(offset(slot.start)))?,
                None => Content::Unknown,
            },
        })
    }
    fn unknown(&self, slot: Slot) -> Option<String> {
        let is_known = slot.kind == Slot::FILE || slot.kind.name().is_some();
        (!is_known).then(|| slot.to_string())
    }
    #[inline]
    fn exact(&self, slot: Slot, primitive: Primitive) -> Option<&[u8]> {
        let is = DataType::of(primitive) == Some(slot.kind) && slot.is_scalar(&self.input);
        is.then(|| self.data(&slot))
    }

    fn position(&self, slot: Slot) -> Position {
        offset(slot.at)
    }
    fn position_of_name(&self, member: Slot) -> Position {
        offset(member.name.0 - 4)
    }
    fn mark(&self, slot: Slot) -> (u64, u64) {
        (slot.at as u64, slot.state())
    }
    fn node(&self, offset: u64, state: u64) -> Slot {
        Slot::of_mark(&self.input, offset, state)
    }

    fn stored_type(&self, slot: Slot) -> Option<Cow<'_, str>> {
        match slot.kind {
            Slot::FILE => None,
            kind if slot.is_array(&self.input) => Some(format!("[{kind}; {}]", slot.count).into()),
            kind => kind.name().map(Cow::Borrowed),
        }
    }
    fn span(&self, slot: Slot) -> Option<Range<u64>> {
        Some(slot.at as u64..slot.end as u64)
    }
    #[inline]
    fn input_len(&self) -> Option<usize> {
        Some(self.input.len())
    }
}
