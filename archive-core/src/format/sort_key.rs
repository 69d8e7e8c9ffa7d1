//! [`SortKeyEncoder`]: encodes the keys of hash maps and sets. They are saved in the order of these
//! bytes.

use crate::format::encoder::Encoder;
use crate::format::saving::Saving;
use crate::model::error::Result;
use crate::model::shape::{Class, Enum, SET, Shape};
use crate::state::options::Options;
use crate::visit::session::Session;

/// Encodes values so that comparing the bytes compares the values: numbers by size, text by
/// characters, sequences item by item. The items of sets and maps are sorted.
#[derive(Default)]
pub(crate) struct SortKeyEncoder {
    bytes: Vec<u8>,
    open: Vec<Items>,
}

/// The items of an open sequence.
struct Items {
    are_sorted: bool,
    /// The offset of each item.
    offsets: Vec<usize>,
}

/// Saves a value into the encoder.
pub(crate) type SaveKey<'a> = &'a mut dyn FnMut(&mut Saving<'_, SortKeyEncoder>) -> Result;

/// Calls `save`, and returns the encoding of the saved value.
pub(crate) fn encode(
    session: &mut Session,
    options: &Options<'_>,
    save: SaveKey<'_>,
) -> Result<Vec<u8>> {
    let mut encoder = SortKeyEncoder::default();
    save(&mut Saving::new(&mut encoder, session, options))?;
    Ok(encoder.bytes)
}

/// Returns the ranks of keys, which are their indices in the order of their encodings. Equal keys keep
/// their order.
pub(crate) fn ranks(
    count: usize,
    session: &mut Session,
    options: &Options<'_>,
    save: &mut dyn FnMut(usize, &mut Saving<'_, SortKeyEncoder>) -> Result,
) -> Result<Vec<usize>> {
    let mut encoder = SortKeyEncoder::default();
    let mut ends = Vec::with_capacity(count);
    let outer = session.begin_sorting(false);
    let encoded = (0..count).try_for_each(|index| {
        save(index, &mut Saving::new(&mut encoder, session, options))?;
        ends.push(encoder.bytes.len());
        Ok(())
    });
    session.end_sorting(outer);
    encoded?;
    let mut begin = 0;
    let mut keys = Vec::with_capacity(count);
    for (index, end) in ends.into_iter().enumerate() {
        keys.push((&encoder.bytes[begin..end], index));
        begin = end;
    }
    keys.sort_unstable();
    let mut ranks = vec![0; count];
    for (rank, (_, index)) in keys.into_iter().enumerate() {
        ranks[index] = rank;
    }
    Ok(ranks)
}

impl SortKeyEncoder {
    /// Writes the kind of a value. The end of a sequence has the lowest tag, so a shorter sequence
    /// comes before a longer one.
    fn tag(&mut self, tag: u8) -> Result {
        self.bytes.push(tag);
        Ok(())
    }

    fn put(&mut self, tag: u8, bytes: &[u8]) -> Result {
        self.bytes.push(tag);
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Sorts the items at these offsets. The last item ends at the end of the output.
    fn sort(&mut self, offsets: &[usize]) {
        let Some(first) = offsets.first() else { return };
        let end = self.bytes.len();
        let ends = offsets[1..].iter().chain([&end]);
        let mut items: Vec<&[u8]> =
            offsets.iter().zip(ends).map(|(begin, end)| &self.bytes[*begin..*end]).collect();
        items.sort_unstable();
        let items = items.concat();
        self.bytes.truncate(*first);
        self.bytes.extend_from_slice(&items);
    }

    fn text(&mut self, bytes: &[u8]) -> Result {
        self.bytes.push(5);
        for byte in bytes {
            // A zero in the text differs from the end by the byte after it.
            self.bytes.push(*byte);
            if *byte == 0 {
                self.bytes.push(1);
            }
        }
        self.bytes.extend_from_slice(&[0, 0]);
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
    fn begin_seq(&mut self, shape: &'static Shape, _: usize) -> Result {
        let are_sorted = matches!(shape, Shape::Map(..) | Shape::Seq(_, SET));
        self.open.push(Items { are_sorted, offsets: Vec::new() });
        self.tag(6)
    }
    fn item(&mut self) -> Result {
        let offset = self.bytes.len();
        if let Some(items) = self.open.last_mut().filter(|items| items.are_sorted) {
            items.offsets.push(offset);
        }
        self.tag(ITEM)
    }
    fn end_seq(&mut self) -> Result {
        if let Some(Items { offsets, .. }) = self.open.pop() {
            self.sort(&offsets);
        }
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
        // By name, because the order of the variants' declaration may change.
        self.tag(8)?;
        self.text(info.variant(index)?.name.as_bytes())
    }
    fn end_variant(&mut self) -> Result {
        Ok(())
    }
}
