//! The layout of a save file, read only by the rules of `docs/formats/save.md`.

use archive::save::{Compression, SaveFile};
use archive::{Format, Value};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::proof::power_cuts;

/// Reads numbers and bytes one after the other.
struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> &'b [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take(2).try_into().unwrap())
    }

    fn u32(&mut self) -> usize {
        u32::from_le_bytes(self.take(4).try_into().unwrap()) as usize
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take(8).try_into().unwrap())
    }
}

/// The content of a save, as the page describes it.
pub struct Read {
    pub record: String,
    pub user: String,
    pub thumbnail: Vec<u8>,
    pub methods: Vec<usize>,
    pub body: Vec<u8>,
}

pub fn read(file: &[u8]) -> Read {
    let mut bytes = Bytes(file);
    assert_eq!(bytes.take(8), b"\xc1SAV\r\n\x1a\n");
    assert_eq!((bytes.u16(), bytes.u16()), (1, 0));
    let lens = [bytes.u32(), bytes.u32(), bytes.u32()];
    let seed = bytes.u64();
    assert_eq!(seed, xxh3_64_with_seed(&file[..24], 0));
    let sections = &bytes.0[..lens.iter().sum()];
    let [record, user, thumbnail] = lens.map(|len| bytes.take(len).to_vec());
    let seed = xxh3_64_with_seed(sections, seed);
    assert_eq!(bytes.u64(), seed);

    let tail = &file[file.len() - 32..];
    let mut end = Bytes(tail);
    let (body_len, file_len, frames) = (end.u64(), end.u64(), end.u32());
    assert_eq!((file_len, end.take(4)), (file.len() as u64, &b"VAS\xc1"[..]));
    assert_eq!(end.u64(), xxh3_64_with_seed(&tail[..24], seed));

    let (mut body, mut methods) = (Vec::new(), Vec::new());
    for number in 0..frames {
        let start = bytes.0;
        let (raw, packed, method) = (bytes.u32(), bytes.u32(), bytes.u32());
        assert!(raw > 0 && raw <= 128 * 1024 && packed <= raw);
        let data = bytes.take(packed);
        assert_eq!(bytes.u64(), xxh3_64_with_seed(&start[..12 + packed], seed + number as u64));
        match method {
            0 => body.extend_from_slice(data),
            1 => body.extend(lz4_flex::block::decompress(data, raw).unwrap()),
            #[cfg(feature = "zstd")]
            2 => body.extend(zstd::bulk::decompress(data, raw).unwrap()),
            method => panic!("the method {method}"),
        }
        methods.push(method);
    }
    assert_eq!((bytes.0.len(), body.len() as u64), (32, body_len));
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Read { record: text(record), user: text(user), thumbnail, methods, body }
}

#[test]
fn the_layout_is_the_one_of_the_page() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), "a.sav").game("skirmish").device("deck");
    let file = file.title("x").thumbnail([9]).metadata(&7).unwrap();
    let value = "ab".repeat(100_000);
    file.save(&*value, Format::Json).unwrap();
    let found = read(&system.get("a.sav").unwrap());
    assert_eq!(found.body, format!("\"{value}\"").as_bytes());
    assert_eq!((&*found.user, &*found.thumbnail, &*found.methods), ("7", &[9][..], &[1, 1][..]));
    let record: Value = archive::json::from_str(&found.record).unwrap();
    let Value::Object(record) = record else { panic!("{}", found.record) };
    let names: Vec<_> = record.iter().map(|(name, _)| name.to_string()).collect();
    let expected =
        ["game", "game_version", "format", "signature", "created", "play_time", "title", "lineage"];
    assert_eq!(names, expected);

    // Data that does not get smaller is stored.
    file.clone().compression(Compression::None).save(&*value, Format::Json).unwrap();
    assert_eq!(read(&system.get("a.sav").unwrap()).methods, [0, 0]);
    file.save(&1, Format::Json).unwrap();
    assert_eq!(read(&system.get("a.sav").unwrap()).methods, [0]);
    #[cfg(feature = "zstd")]
    {
        file.clone().compression(Compression::Zstd).save(&*value, Format::Json).unwrap();
        assert_eq!(read(&system.get("a.sav").unwrap()).body, found.body);
        file.load::<String>().unwrap();
        // With zstd, these would be smaller than a reader allows.
        let mixed = format!("{}{value}", archive::json::to_string(&noise()).unwrap());
        file.clone().compression(Compression::Zstd).save(&*mixed, Format::Json).unwrap();
        assert_eq!(file.load::<String>().unwrap().value, mixed);
        assert!(read(&system.get("a.sav").unwrap()).methods.contains(&2));
    }
}

#[cfg(feature = "zstd")]
fn noise() -> Vec<u32> {
    (0..40_000_u32).map(|number| number.wrapping_mul(2_654_435_761)).collect()
}

/// The content of a save is not detected as any of the formats.
#[test]
fn a_save_is_not_a_file_of_a_format() {
    let system = power_cuts();
    for format in Format::all() {
        SaveFile::over(system.clone(), "a.sav").save(&vec![1, 2, 3], format).unwrap();
        let bytes = system.get("a.sav").unwrap();
        assert!(Format::detect(&bytes).is_err(), "{format}");
        assert!(Format::detect(&bytes[..8]).is_err(), "{format}");
    }
}

/// The dump on the page is the golden file.
#[test]
fn the_dump_on_the_page_is_a_file() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(folder.join("../docs/formats/save.md")).unwrap();
    let file = std::fs::read(folder.join("tests/golden/v1/smallest.sav")).unwrap();
    let dump = page.split("```text").nth(1).unwrap().split("```").next().unwrap();
    let bytes = dump.lines().flat_map(|line| line.split("  ").next().unwrap().split_whitespace());
    let bytes: Vec<u8> = bytes.map(|digits| u8::from_str_radix(digits, 16).unwrap()).collect();
    assert_eq!(bytes, file);
    assert_eq!(read(&file).body, br#""hp""#);
    assert_eq!(read(&file).user, "[3]");
}
