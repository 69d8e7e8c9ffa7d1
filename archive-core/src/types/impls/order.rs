//! The order in which hash maps and sets are written: the order of their encoded keys.

use crate::format::encoder::Encoder;
use crate::format::saving::Saving;
use crate::model::error::Result;
use crate::model::shape::{Class, Enum, Shape};
use crate::state::options::Options;
use crate::visit::serialize::Save;
use crate::visit::session::Session;

/// Returns the items in the order of their encoded keys.
pub(crate) fn sorted<I: Iterator, K: Save + ?Sized>(
    items: I,
    key: impl for<'a> Fn(&'a I::Item) -> &'a K,
    options: &Options<'_>,
) -> Result<Vec<I::Item>> {
    let mut keyed = Vec::with_capacity(items.size_hint().0);
    for item in items {
        let mut encoder = SortKeyEncoder(Vec::new());
        let mut session = Session::new();
        key(&item).save_value(&mut Saving::new(&mut encoder, &mut session, options))?;
        keyed.push((encoder.0, item));
    }
    keyed.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(keyed.into_iter().map(|(_, item)| item).collect())
}

/// Encodes values so that comparing the bytes compares the values: numbers by size, text by
/// characters, sequences item by item.
struct SortKeyEncoder(Vec<u8>);

impl SortKeyEncoder {
    /// Writes the kind of a value. The end of a sequence has the lowest tag, so a shorter sequence
    /// comes before a longer one.
    fn tag(&mut self, tag: u8) -> Result {
        self.0.push(tag);
        Ok(())
    }

    fn put(&mut self, tag: u8, bytes: &[u8]) -> Result {
        self.0.push(tag);
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn text(&mut self, bytes: &[u8]) -> Result {
        self.0.push(5);
        for byte in bytes {
            // A zero in the text is distinguished from the end by the byte after it.
            self.0.push(*byte);
            if *byte == 0 {
                self.0.push(1);
            }
        }
        self.0.extend_from_slice(&[0, 0]);
        Ok(())
    }
}

const END: u8 = 0;
const ITEM: u8 = 1;

impl Encoder for SortKeyEncoder {
    fn null(&mut self) -> Result {
        self.tag(2)
    }
    fn bool(&mut self, value: bool) -> Result {
        self.put(3, &[value.into()])
    }
    fn i64(&mut self, value: i64) -> Result {
        self.i128(value.into())
    }
    fn u64(&mut self, value: u64) -> Result {
        self.i128(value.into())
    }
    fn i128(&mut self, value: i128) -> Result {
        // With the sign bit flipped, negative numbers come first.
        self.put(4, &((value as u128) ^ (1 << 127)).to_be_bytes())?;
        self.tag(0)
    }
    fn u128(&mut self, value: u128) -> Result {
        match i128::try_from(value) {
            Ok(value) => self.i128(value),
            Err(_) => {
                self.put(4, &[0xff; 16])?;
                self.put(1, &value.to_be_bytes())
            }
        }
    }
    fn f64(&mut self, value: f64) -> Result {
        let bits = value.to_bits();
        let ordered = if bits >> 63 == 1 { !bits } else { bits ^ (1 << 63) };
        self.put(4, &ordered.to_be_bytes())
    }
    fn str(&mut self, value: &str) -> Result {
        self.text(value.as_bytes())
    }
    fn bytes(&mut self, value: &[u8]) -> Result {
        self.text(value)
    }
    fn begin_seq(&mut self, _: &'static Shape, _: usize) -> Result {
        self.tag(6)
    }
    fn item(&mut self) -> Result {
        self.tag(ITEM)
    }
    fn end_seq(&mut self) -> Result {
        self.tag(END)
    }
    fn begin_object(&mut self, _: &'static Class) -> Result {
        self.tag(7)
    }
    fn member(&mut self, name: &str, _: &'static Shape) -> Result {
        self.tag(ITEM)?;
        self.text(name.as_bytes())
    }
    fn end_object(&mut self) -> Result {
        self.tag(END)
    }
    fn begin_variant(&mut self, info: &'static Enum, index: usize) -> Result {
        // By name, because the order of declaration may change.
        self.tag(8)?;
        self.text(info.variant(index)?.name.as_bytes())
    }
    fn end_variant(&mut self) -> Result {
        Ok(())
    }
}
