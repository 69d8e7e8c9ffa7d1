//! Values of a fixed size, which formats may store as one block.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::num::NonZeroU16;

use crate::common::{forgives, forgiving, formats};
use archive::{ErrorKind, Format, Options, Serialize, Value, binary, json};

/// The same in memory and in a block.
#[derive(Clone, Copy, Default, Debug, PartialEq, Serialize)]
struct Point {
    x: f32,
    y: f32,
    z: f32,
}

/// Reordered in memory, with padding after.
#[derive(Clone, Copy, Default, Debug, PartialEq, Serialize)]
struct Mixed {
    flag: bool,
    id: u32,
    small: i8,
    wide: i128,
    at: Point,
}

/// With a field that is not saved.
#[derive(Clone, Copy, Default, Debug, PartialEq, Serialize)]
struct Cached {
    at: Point,
    #[archive(skip)]
    seen: u32,
}

/// A tuple, an array of tuples, a newtype.
#[derive(Clone, Copy, Default, Debug, PartialEq, Serialize)]
struct Pair(u16, [(i8, u64); 2]);

#[derive(Clone, Copy, Default, Debug, PartialEq, Serialize)]
struct Meters(f64);

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Numbered {
    number: NonZeroU16,
    part: u32,
}

#[derive(Clone, Default, Debug, PartialEq, Serialize)]
enum Shape {
    #[default]
    Empty,
    Line(Point, Point),
    Dot(Point),
    Box {
        low: Point,
        size: (u16, u32),
    },
}

#[derive(Clone, Default, Debug, PartialEq, Serialize)]
struct All {
    points: Vec<Point>,
    mixed: VecDeque<Mixed>,
    cached: Vec<Cached>,
    pairs: Vec<Pair>,
    meters: Vec<Meters>,
    numbered: Vec<Numbered>,
    shapes: Vec<Shape>,
    flags: Vec<bool>,
    shorts: BTreeSet<u16>,
    map: BTreeMap<u32, Point>,
    nested: Vec<Vec<i32>>,
    maybe: Option<Point>,
    array: [[u16; 3]; 2],
    alone: u64,
    boxed: Box<[u32]>,
}

fn all() -> All {
    let point = |n: u8| Point { x: n.into(), y: -1.5, z: f32::MIN_POSITIVE };
    let mixed =
        |n: u32| Mixed { flag: n > 1, id: n << 30, small: -7, wide: i128::MIN, at: point(n as u8) };
    let number = |n| NonZeroU16::new(n).unwrap();
    All {
        points: (0..5).map(point).collect(),
        mixed: (0..4).map(mixed).collect(),
        cached: vec![Cached { at: point(1), seen: 0 }; 3],
        pairs: vec![Pair(300, [(-1, u64::MAX), (2, 3)]); 2],
        meters: vec![Meters(1.0), Meters(-0.0)],
        numbered: vec![Numbered { number: number(1), part: 70_000 }],
        shapes: vec![
            Shape::Empty,
            Shape::Line(point(1), point(2)),
            Shape::Dot(point(3)),
            Shape::Box { low: point(4), size: (500, 70_000) },
        ],
        flags: vec![true, false, true],
        shorts: [1, 300, 65_535].into(),
        map: [(1, point(1)), (70_000, point(2))].into(),
        nested: vec![vec![], vec![-1, i32::MAX]],
        maybe: Some(point(9)),
        array: [[1, 2, 300], [4, 5, 60_000]],
        alone: 300,
        boxed: [1, 1 << 20].into(),
    }
}

#[test]
fn every_format_has_them() {
    let value = all();
    for format in formats() {
        let bytes = format.to_vec(&value).unwrap();
        let loaded: All = format.from_slice(&bytes).unwrap();
        assert_eq!(loaded, value, "{format}");
        assert_eq!(format.to_vec(&loaded).unwrap(), bytes, "{format}");
        let (reported, report) = format.from_slice_report::<All>(&bytes, &Options::new()).unwrap();
        assert_eq!(reported, value, "{format}");
        assert!(report.is_empty(), "{format}: {report:?}");
        // Over a value of another form, and of the same one.
        let mut over = All { points: vec![Point::default(); 9], maybe: None, ..All::default() };
        for _ in 0..2 {
            format.load_into(&mut over, &bytes).unwrap();
            assert_eq!(over, value, "{format}");
        }
        if forgives(format) {
            let tree: Value = format.from_slice(&bytes).unwrap();
            assert_eq!(json::from_str::<All>(&json::to_string(&tree).unwrap()).unwrap(), value);
        }
    }
}

/// The fast path, the encoder as a trait object, and a file with named roots write the same.
#[test]
fn all_paths_write_the_same() {
    let value = all();
    let bytes = binary::to_vec(&value).unwrap();
    let erased = Format::of::<binary::Binary>();
    assert_eq!(erased.to_vec(&value).unwrap(), bytes);
    assert_eq!(erased.from_slice::<All>(&bytes).unwrap(), value);
    let mut buffer = b"something else".to_vec();
    binary::save_into(&mut buffer, &value, &Options::new()).unwrap();
    assert_eq!(buffer, bytes);
    let mut writer = binary::Writer::new();
    writer.save("all", &value).unwrap();
    let file = writer.finish().unwrap();
    let mut reader = binary::Reader::new(&file).unwrap();
    assert_eq!(reader.load::<All>("all").unwrap(), value);
    reader.finish().unwrap();
}

/// Skipped fields are reset in every item of a list, also if the list is loaded over another one.
#[test]
fn skipped_fields_are_reset() {
    let bytes = binary::to_vec(&vec![Cached::default(); 2]).unwrap();
    let mut list = vec![Cached { seen: 5, ..Cached::default() }; 3];
    binary::load_into(&mut list, &bytes).unwrap();
    assert_eq!(list, [Cached::default(); 2]);
}

mod changed {
    use archive::Serialize;

    /// Wider, in another order, with a new member.
    #[derive(Default, Debug, PartialEq, Serialize)]
    pub struct Mixed {
        pub wide: i128,
        pub id: u64,
        pub name: String,
        pub flag: bool,
        pub small: i32,
        pub at: super::Point,
    }

    #[derive(Default, Debug, PartialEq, Serialize)]
    pub struct All {
        pub mixed: Vec<Mixed>,
        pub shorts: Vec<i64>,
        pub points: Vec<super::Point>,
        pub pairs: Vec<(u32, Vec<(i16, u64)>)>,
        pub alone: u16,
    }
}

#[test]
fn changed_types_load_by_name() {
    let value = all();
    for format in forgiving() {
        let bytes = format.to_vec(&value).unwrap();
        let loaded: changed::All = format.from_slice(&bytes).unwrap();
        assert_eq!(loaded.shorts, [1, 300, 65_535], "{format}");
        assert_eq!(loaded.points, value.points, "{format}");
        assert_eq!(loaded.pairs[1], (300, vec![(-1, u64::MAX), (2, 3)]), "{format}");
        assert_eq!(loaded.alone, 300, "{format}");
        for (new, old) in loaded.mixed.iter().zip(&value.mixed) {
            assert_eq!((new.id, new.flag, new.wide), (old.id.into(), old.flag, old.wide));
            assert_eq!((new.small, new.at, &*new.name), (-7, old.at, ""), "{format}");
        }
        // In the other direction: a value that was not a block is loaded as one.
        let again = format.to_vec(&loaded).unwrap();
        let back: All = format.from_slice(&again).unwrap();
        assert_eq!((back.points, back.alone), (value.points.clone(), 300), "{format}");
        assert_eq!((back.mixed, back.shorts), (value.mixed.clone(), value.shorts.clone()));
    }
}

/// An error inside of a block is reported like any other.
#[test]
fn errors_have_paths_and_positions() {
    let value = vec![Mixed { flag: true, ..Mixed::default() }; 3];
    let mut bytes = binary::to_vec(&value).unwrap();
    // Header and count, then two items of 34 bytes.
    let at = 6 + 1 + 2 * 34;
    assert_eq!(std::mem::replace(&mut bytes[at], 7), 1);
    let error = binary::from_slice::<Vec<Mixed>>(&bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax, "{error}");
    assert_eq!(error.path(), "[2].flag", "{error}");
    assert!(error.to_string().contains(&format!("at byte {at}")), "{error}");

    let mut bytes = binary::to_vec(&vec![all().numbered[0]; 2]).unwrap();
    bytes[6 + 1 + 6..][..2].fill(0);
    for keep_going in [false, true] {
        let options = Options::new().keep_going(keep_going);
        let loaded = binary::from_slice_report::<Vec<Numbered>>(&bytes, &options);
        let check = |error: &archive::Error| {
            assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}");
            assert_eq!(error.path(), "[1].number", "{error}");
        };
        match &loaded {
            Err(error) => check(error),
            Ok((_, report)) => check(&report.errors()[0]),
        }
    }
}

/// A count whose block would be larger than any memory.
#[test]
fn too_long_blocks_are_refused() {
    let file = binary::to_vec(&vec![Point::default(); 2]).unwrap();
    assert_eq!(file[6], 2);
    for count in [3_u8, 0x7f] {
        let mut longer = file.clone();
        longer[6] = count;
        let error = binary::from_slice::<Vec<Point>>(&longer).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEnd, "{error}");
    }
    let options = Options::new().max_elements(1);
    let error = binary::from_slice_with::<Vec<Point>>(&file, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SizeLimit, "{error}");
    assert_eq!(error.path(), "[1]", "{error}");
}

/// An array of a quarter of a megabyte takes little more stack than its own size.
#[test]
fn large_arrays_load_on_a_small_stack() {
    let load = || {
        let bytes = binary::to_vec(&Box::new([7_u8; 1 << 18])).unwrap();
        let array: Box<[u8; 1 << 18]> = binary::from_slice(&bytes).unwrap();
        assert!(array.iter().all(|byte| *byte == 7));
        let error = binary::from_slice::<Box<[u8; (1 << 18) + 1]>>(&bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WrongLength, "{error}");
    };
    std::thread::Builder::new().stack_size(4 << 20).spawn(load).unwrap().join().unwrap();
}
