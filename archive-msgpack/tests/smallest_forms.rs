//! The smallest form of each value is written, even if its length was not known in advance.

use crate::common::{Encoder, MessagePack, bytes, hex};
use archive_core::encoder::UNCOUNTED;
use archive_core::shape::OBJECT;
use archive_core::{Archive, Backend, Encoder as _, Result, Serialize, Shape, Value};

fn written(write: impl FnOnce(&mut Encoder) -> Result) -> String {
    let mut msgpack = Encoder::new();
    write(&mut msgpack).unwrap();
    hex(&msgpack.into_bytes())
}

#[test]
fn integers_are_as_small_as_can_be() {
    for (value, expected) in [
        (0_i64, "00"),
        (127, "7f"),
        (128, "cc 80"),
        (255, "cc ff"),
        (256, "cd 01 00"),
        (65535, "cd ff ff"),
        (65536, "ce 00 01 00 00"),
        (1 << 32, "cf 00 00 00 01 00 00 00 00"),
        (-1, "ff"),
        (-32, "e0"),
        (-33, "d0 df"),
        (-128, "d0 80"),
        (-129, "d1 ff 7f"),
        (-32768, "d1 80 00"),
        (-32769, "d2 ff ff 7f ff"),
        (i64::MIN, "d3 80 00 00 00 00 00 00 00"),
    ] {
        assert_eq!(written(|msgpack| msgpack.i64(value)), expected);
        assert_eq!(written(|msgpack| msgpack.i128(value.into())), expected);
        if let Ok(value) = value.try_into() {
            assert_eq!(written(|msgpack| msgpack.i32(value)), expected);
        }
        if let Ok(value) = value.try_into() {
            assert_eq!(written(|msgpack| msgpack.u32(value)), expected);
        }
        if let Ok(value) = value.try_into() {
            assert_eq!(written(|msgpack| msgpack.i8(value)), expected);
        }
        if let Ok(value) = value.try_into() {
            assert_eq!(written(|msgpack| msgpack.u8(value)), expected);
        }
    }
    assert_eq!(written(|msgpack| msgpack.u64(u64::MAX)), "cf ff ff ff ff ff ff ff ff");
    let wide = "b4 31 38 34 34 36 37 34 34 30 37 33 37 30 39 35 35 31 36 31 36";
    assert_eq!(written(|msgpack| msgpack.u128(1 << 64)), wide);
}

#[test]
fn floats_keep_every_bit() {
    let nan = f64::from_bits(0xfff4_5678_9abc_def0);
    let short_nan = f32::from_bits(0x7fa0_0001);
    assert_eq!(written(|msgpack| msgpack.f64(nan)), "cb ff f4 56 78 9a bc de f0");
    assert_eq!(written(|msgpack| msgpack.f32(short_nan)), "ca 7f a0 00 01");
    let values = [nan, f64::INFINITY, f64::NEG_INFINITY, -0.0, 5e-324, 0.1];
    let loaded: Vec<f64> = MessagePack::from_slice(&MessagePack::to_vec(&values).unwrap()).unwrap();
    assert_eq!(loaded.map_bits(), values.to_vec().map_bits());
    let values = [short_nan, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1e-45, 0.1];
    let loaded: Vec<f32> = MessagePack::from_slice(&MessagePack::to_vec(&values).unwrap()).unwrap();
    let bits = |values: &[f32]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&loaded), bits(&values));
}

trait Bits {
    fn map_bits(&self) -> Vec<u64>;
}

impl Bits for Vec<f64> {
    fn map_bits(&self) -> Vec<u64> {
        self.iter().map(|value| value.to_bits()).collect()
    }
}

#[test]
fn lengths_of_text_and_bytes() {
    for (len, text, bin) in [
        (0, "a0", "c4 00"),
        (31, "bf", "c4 1f"),
        (32, "d9 20", "c4 20"),
        (255, "d9 ff", "c4 ff"),
        (256, "da 01 00", "c5 01 00"),
        (65535, "da ff ff", "c5 ff ff"),
        (65536, "db 00 01 00 00", "c6 00 01 00 00"),
    ] {
        let content = "x".repeat(len);
        let expected = [&bytes(text), content.as_bytes()].concat();
        assert_eq!(MessagePack::to_vec(&content).unwrap(), expected);
        let expected = [&bytes(bin), content.as_bytes()].concat();
        let value = Value::Bytes(content.into());
        assert_eq!(MessagePack::to_vec(&value).unwrap(), expected);
        assert_eq!(MessagePack::from_slice::<Value>(&expected).unwrap(), value);
    }
}

/// The header of `count` items or members, after the byte for none.
fn header(small: u8, count: usize) -> Vec<u8> {
    let two = if small == 0x90 { 0xdc } else { 0xde };
    match count {
        0..16 => vec![small | count as u8],
        16..65536 => [&[two][..], &(count as u16).to_be_bytes()].concat(),
        _ => [&[two + 1][..], &(count as u32).to_be_bytes()].concat(),
    }
}

#[test]
fn headers_of_any_length() {
    for count in [0, 1, 15, 16, 17, 65535, 65536] {
        // Announced correctly, not at all, and wrongly.
        for announced in [count, UNCOUNTED, 3, 20, 70000] {
            let mut msgpack = Encoder::new();
            msgpack.begin_seq(&Shape::Any, announced).unwrap();
            for _ in 0..count {
                msgpack.item().unwrap();
                msgpack.null().unwrap();
            }
            msgpack.end_seq().unwrap();
            let expected = [header(0x90, count), vec![0xc0; count]].concat();
            assert!(msgpack.into_bytes() == expected, "{count} items, announced as {announced}");
        }
        let mut msgpack = Encoder::new();
        msgpack.begin_object(&OBJECT).unwrap();
        for _ in 0..count {
            msgpack.member("m", &Shape::Any).unwrap();
            msgpack.null().unwrap();
        }
        msgpack.end_object().unwrap();
        let expected = [header(0x80, count), b"\xa1m\xc0".repeat(count)].concat();
        assert!(msgpack.into_bytes() == expected, "{count} members");
    }
}

/// An object with that many members. All but the first are numbers.
struct Wide {
    members: usize,
    inner: Option<Box<Wide>>,
}

impl Serialize for Wide {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        for index in 0..self.members {
            match (index, &mut self.inner) {
                (0, Some(inner)) => ar.serialize("m0", &mut **inner)?,
                _ => ar.serialize(&format!("m{index}"), &mut (index as u32))?,
            }
        }
        Ok(())
    }
}

impl Wide {
    fn expected(&self) -> Vec<u8> {
        let mut out = header(0x80, self.members);
        for index in 0..self.members {
            out.extend(MessagePack::to_vec(&format!("m{index}")).unwrap());
            match (index, &self.inner) {
                (0, Some(inner)) => out.extend(inner.expected()),
                _ => out.extend(MessagePack::to_vec(&(index as u32)).unwrap()),
            }
        }
        out
    }
}

#[test]
fn headers_that_grow_inside_each_other() {
    let mut wide = Wide { members: 3, inner: None };
    for members in [16, 2, 300, 15, 16, 17, 70000, 40] {
        wide = Wide { members, inner: Some(Box::new(wide)) };
    }
    let expected = wide.expected();
    assert!(MessagePack::to_vec(&mut wide).unwrap() == expected);
    let tree: Value = MessagePack::from_slice(&expected).unwrap();
    assert!(MessagePack::to_vec(&tree).unwrap() == expected);
}

#[test]
fn entries_of_maps_are_pairs() {
    let map = |write: fn(&mut Encoder) -> Result| {
        let mut msgpack = Encoder::new();
        msgpack.begin_map(&Shape::Any, 1).unwrap();
        msgpack.item().unwrap();
        write(&mut msgpack).and_then(|()| msgpack.end_seq()).map(|()| msgpack.into_bytes())
    };
    let pair = map(|msgpack| {
        msgpack.begin_seq(&Shape::Any, 2)?;
        for text in ["$k", "$v"] {
            msgpack.item()?;
            msgpack.str(text)?;
        }
        msgpack.end_seq()
    });
    assert_eq!(pair.unwrap(), b"\x81\xa3$$k\xa2$v");
    let single = map(|msgpack| {
        msgpack.begin_seq(&Shape::Any, 1)?;
        msgpack.item()?;
        msgpack.null()?;
        msgpack.end_seq()
    });
    assert!(single.is_err());
}

/// An extension whose data is a sequence of a length that was not announced.
#[test]
fn extensions_with_headers_to_be_put_in_place_are_extensions() {
    let object = |len: usize| {
        let mut msgpack = Encoder::new();
        msgpack.begin_object(&OBJECT).unwrap();
        msgpack.member("$ext", &Shape::Any).unwrap();
        msgpack.u8(5).unwrap();
        msgpack.member("$data", &Shape::Any).unwrap();
        msgpack.begin_seq(&Shape::Any, UNCOUNTED).unwrap();
        for _ in 0..len {
            msgpack.item().unwrap();
            msgpack.u8(7).unwrap();
        }
        msgpack.end_seq().unwrap();
        msgpack.end_object().unwrap();
        msgpack.into_bytes()
    };
    assert_eq!(object(2), [0xd5, 5, 7, 7]);
    assert_eq!(object(20), [&b"\xc7\x14\x05"[..], &[7; 20]].concat());
}
