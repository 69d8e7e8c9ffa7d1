//! Forged files with valid checksums: typed errors, in bounded memory.

use archive::save::SaveFile;
use archive::{ErrorKind, Format};
use archive_test_support::search;
use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::proof::power_cuts;
use crate::saved_worlds::{World, world};

const PATH: &str = "a.sav";

/// The parts of a file, before its lengths and checksums are computed.
#[derive(Clone)]
struct Forged {
    version: u16,
    /// The lengths that are written instead of the true ones.
    lens: [Option<u32>; 3],
    record: Vec<u8>,
    user: Vec<u8>,
    /// The lengths of each frame, decompressed and compressed, its method and its data.
    frames: Vec<(u32, u32, u32, Vec<u8>)>,
    body: Option<u64>,
    file: Option<u64>,
    count: Option<u32>,
}

impl Forged {
    /// A good file.
    fn good() -> Forged {
        let system = power_cuts();
        SaveFile::over(system.clone(), PATH).save(&world(1, 20), Format::Binary).unwrap();
        let bytes = system.get(PATH).unwrap();
        let read = crate::save_layout::read(&bytes);
        let len = read.body.len() as u32;
        Forged {
            version: 1,
            lens: [None; 3],
            record: read.record.into_bytes(),
            user: Vec::new(),
            frames: vec![(len, len, 0, read.body)],
            body: None,
            file: None,
            count: None,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = b"\xc1SAV\r\n\x1a\n".to_vec();
        out.extend(self.version.to_le_bytes());
        out.extend([0, 0]);
        let lens = [self.record.len() as u32, self.user.len() as u32, 0];
        for (len, forged) in lens.into_iter().zip(self.lens) {
            out.extend(forged.unwrap_or(len).to_le_bytes());
        }
        let seed = xxh3_64_with_seed(&out, 0);
        out.extend(seed.to_le_bytes());
        out.extend(&self.record);
        out.extend(&self.user);
        let seed = xxh3_64_with_seed(&out[32..], seed);
        out.extend(seed.to_le_bytes());
        for (number, (raw, packed, method, data)) in self.frames.iter().enumerate() {
            let start = out.len();
            for number in [raw, packed, method] {
                out.extend(number.to_le_bytes());
            }
            out.extend(data);
            let sum = xxh3_64_with_seed(&out[start..], seed + number as u64);
            out.extend(sum.to_le_bytes());
        }
        let body: u64 = self.frames.iter().map(|frame| u64::from(frame.0)).sum();
        let mut tail = self.body.unwrap_or(body).to_le_bytes().to_vec();
        tail.extend(self.file.unwrap_or(out.len() as u64 + 32).to_le_bytes());
        tail.extend(self.count.unwrap_or(self.frames.len() as u32).to_le_bytes());
        tail.extend(b"VAS\xc1");
        tail.extend(xxh3_64_with_seed(&tail, seed).to_le_bytes());
        out.extend(tail);
        out
    }
}

/// Loads and lists a file. Returns whether it loaded. Memory is bounded by the file.
fn load(bytes: &[u8]) -> bool {
    let system = power_cuts();
    system.put(PATH, bytes);
    let file = SaveFile::over(system, PATH).backups(0);
    let (mut is_loaded, mut error) = (false, String::new());
    let used = allocation_counter::measure(|| {
        _ = file.meta().map(|meta| meta.metadata::<Vec<u32>>());
        match file.load::<World>() {
            Ok(_) => is_loaded = true,
            Err(found) => error = found.to_string(),
        }
    });
    // The file is read twice, decompressed by 255 at most, and a world is larger than its bytes.
    let most = (256 << 10) + 400 * bytes.len() as u64;
    assert!(used.bytes_max <= most, "{} bytes for {}: {error}", used.bytes_max, bytes.len());
    is_loaded
}

#[test]
fn forged_files_are_errors() {
    let good = Forged::good();
    assert!(load(&good.bytes()));
    let (len, body) = (good.frames[0].0, good.frames[0].3.clone());
    let frame = |raw, packed, method, data: &[u8]| Forged {
        frames: vec![(raw, packed, method, data.to_vec())],
        ..good.clone()
    };
    let deep = format!(r#"{{"game":"","deep":{}1{}}}"#, "[".repeat(9_000), "]".repeat(9_000));
    let zeros = lz4_flex::block::compress(&[0; 128 << 10]);
    let files = [
        Forged { version: 2, ..good.clone() },
        Forged { version: 0, ..good.clone() },
        Forged { lens: [Some(u32::MAX); 3], ..good.clone() },
        Forged { lens: [Some(16 << 20), None, None], ..good.clone() },
        Forged { lens: [None, Some(1), None], ..good.clone() },
        Forged { lens: [Some(0), None, None], ..good.clone() },
        Forged { record: Vec::new(), ..good.clone() },
        Forged { record: b"{}".to_vec(), ..good.clone() },
        Forged { record: b"\xff\xff".to_vec(), ..good.clone() },
        Forged { record: b"[1,2]".to_vec(), ..good.clone() },
        Forged { record: deep.into_bytes(), ..good.clone() },
        Forged { user: b"\xff".to_vec(), ..good.clone() },
        Forged { body: Some(1 << 60), ..good.clone() },
        Forged { body: Some(0), ..good.clone() },
        Forged { file: Some(1 << 60), ..good.clone() },
        Forged { count: Some(u32::MAX), ..good.clone() },
        Forged { count: Some(0), ..good.clone() },
        Forged { frames: Vec::new(), ..good.clone() },
        frame(u32::MAX, len, 0, &body),
        frame(len, u32::MAX, 0, &body),
        frame(len, len - 1, 0, &body),
        frame(len + 1, len, 0, &body),
        frame(len, len, 1, &body),
        frame(len, len, 2, &body),
        frame(len, len, 3, &body),
        frame(len, len, u32::MAX, &body),
        frame(0, 0, 0, &[]),
        frame(128 << 10, 1, 1, &[0]),
        frame(128 << 10, zeros.len() as u32, 1, &zeros),
        frame((128 << 10) - 1, zeros.len() as u32, 1, &zeros),
        Forged { frames: vec![(0, 0, 0, Vec::new()); 10_000], ..good.clone() },
        Forged {
            frames: vec![(128 << 10, zeros.len() as u32, 1, zeros.clone()); 50],
            body: Some(u64::MAX),
            ..good.clone()
        },
    ];
    for (number, file) in files.iter().enumerate() {
        assert!(!load(&file.bytes()), "file {number}");
    }
    // The metadata of the game is not loaded with the rest.
    let nested = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    assert!(load(&Forged { user: nested.into_bytes(), ..good }.bytes()));
}

/// Lengths that are too large are refused before anything is read.
#[test]
fn long_sections_are_refused() {
    let forged = Forged { lens: [Some(16 << 20), Some(1), None], ..Forged::good() };
    let system = power_cuts();
    system.put(PATH, forged.bytes());
    let file = SaveFile::over(system, PATH);
    assert_eq!(file.meta().unwrap_err().kind(), ErrorKind::SizeLimit);
    let picture = vec![0_u8; 16 << 20];
    let error = file.clone().thumbnail(picture).save(&1, Format::Json).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SizeLimit);
}

/// A few bytes of zstd can become 128 KiB.
#[cfg(feature = "zstd")]
#[test]
fn excessive_expansion_is_refused() {
    let zeros = zstd::bulk::compress(&[0; 128 << 10], 3).unwrap();
    assert!(zeros.len() < 60);
    let frame = (128 << 10, zeros.len() as u32, 2, zeros);
    assert!(!load(&Forged { frames: vec![frame; 500], ..Forged::good() }.bytes()));
}

proptest! {
    #![proptest_config(search::config(3_000))]

    /// Random bytes in place of lengths and data.
    #[test]
    fn forged_numbers(
        lens in any::<[Option<u16>; 3]>(),
        frames in proptest::collection::vec(
            (any::<u16>(), any::<u16>(), 0..4_u32, proptest::collection::vec(any::<u8>(), 0..300), any::<bool>()),
            0..5,
        ),
        numbers in any::<(Option<u64>, Option<u64>, Option<u32>)>(),
        record in prop_oneof![Just(None), proptest::collection::vec(any::<u8>(), 0..200).prop_map(Some)],
    ) {
        let good = Forged::good();
        let frames = frames.into_iter().map(|(raw, packed, method, data, is_right)| {
            let packed = if is_right { data.len() as u32 } else { packed.into() };
            (raw.into(), packed, method, data)
        });
        let forged = Forged {
            lens: lens.map(|len| len.map(u32::from)),
            frames: frames.collect(),
            body: numbers.0,
            file: numbers.1,
            count: numbers.2,
            record: record.unwrap_or(good.record.clone()),
            ..good
        };
        prop_assert!(!load(&forged.bytes()));
    }

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..600), cut in any::<bool>()) {
        let mut file = if cut { b"\xc1SAV\r\n\x1a\n\x01\0\0\0".to_vec() } else { Vec::new() };
        file.extend(bytes);
        prop_assert!(!load(&file));
    }
}
