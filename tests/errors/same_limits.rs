//! Limits count the same in every way of saving and loading: in blocks or piece by piece, by code
//! for the format or through a trait object, with a report or without.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::rc::Rc;

use archive::bins::Bins;
use archive::blob::Blob;
use archive::error::Position;
use archive::format::{Backend, Reader, Writer};
use archive::json::Json;
use archive::msgpack::MessagePack;
use archive::{Blank, Error, ErrorKind, Format, Options, Result, Save, Serialize, Value, binary};

use crate::common::formats;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct P {
    x: f32,
    y: f32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Holder {
    list: Vec<P>,
    n: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct Meters(f64);

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct Pair(u16, [(i8, u64); 2]);

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct Line {
    from: P,
    to: P,
    width: Meters,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct Flat {
    #[archive(flatten)]
    line: Line,
    pair: Pair,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct M {
    a: [f32; 4],
    b: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Default)]
enum Choice {
    #[default]
    Nothing,
    One(P),
    Two(P, [u8; 3]),
    Named {
        at: [P; 2],
        text: String,
    },
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Many {
    empty: Vec<Line>,
    lines: Vec<Line>,
    arrays: Vec<[[i16; 2]; 2]>,
    alone: Pair,
    meters: Vec<Meters>,
    flat: Vec<Flat>,
    some: Option<Option<P>>,
    choices: Vec<Choice>,
    map: BTreeMap<u8, Line>,
    nested: Vec<Vec<P>>,
    text: Vec<Vec<String>>,
}

fn many() -> Many {
    let p = P { x: 1.0, y: -1.5 };
    let line = Line { from: p, to: P::default(), width: Meters(7.0) };
    Many {
        empty: vec![],
        lines: vec![line; 2],
        arrays: vec![[[1, 2], [3, 400]]; 2],
        alone: Pair(7, [(-1, 1), (2, 1 << 40)]),
        meters: vec![Meters(1.0); 2],
        flat: vec![Flat { line, pair: Pair::default() }; 2],
        some: Some(Some(p)),
        choices: vec![
            Choice::Nothing,
            Choice::One(p),
            Choice::Two(p, [1, 2, 3]),
            Choice::Named { at: [p; 2], text: "x".to_owned() },
        ],
        map: [(1, line), (2, line)].into(),
        nested: vec![vec![], vec![p; 2], vec![p]],
        text: vec![vec!["x".to_owned()], vec![], vec!["y".to_owned(); 3]],
    }
}

/// A struct with each of several members alone, so that each reaches the limit by itself.
macro_rules! alone {
    ($($Alone:ident $field:ident: $ty:ty;)*) => { $(
        #[derive(Clone, Debug, Default, PartialEq, Serialize)]
        struct $Alone {
            n: u8,
            $field: $ty,
        }
    )* };
}
alone! {
    Arrays arrays: Vec<[[i16; 2]; 2]>;
    Inside line: Line;
    FlatList list: Vec<Flat>;
    Lengths lengths: Vec<Meters>;
    Chosen choice: Choice;
    Options2 some: Option<Option<Line>>;
    ByNumber map: BTreeMap<u8, Line>;
    Floats list: Vec<f32>;
    Lists lists: Vec<Vec<Vec<P>>>;
    Tuples list: Vec<(u8, (u16, [u8; 2]))>;
    Shared list: Vec<Rc<Line>>;
    Boxed line: Option<Box<Line>>;
    Tree tree: Value;
}

/// A check of a value of each type.
pub trait Check {
    fn check<T: Serialize + Save + Blank + Clone + PartialEq + Debug>(&self, value: T);
}

pub fn values(check: &impl Check) {
    let many = many();
    check.check(Holder::default());
    check.check(Holder { list: vec![P::default(); 2], n: 1 });
    check.check(Arrays { n: 1, arrays: many.arrays.clone() });
    check.check(Arrays::default());
    check.check(Inside { n: 1, line: many.lines[0] });
    check.check(FlatList { n: 1, list: many.flat.clone() });
    check.check(Lengths { n: 1, lengths: many.meters.clone() });
    for choice in &many.choices {
        check.check(Chosen { n: 1, choice: choice.clone() });
    }
    check.check(Options2 { n: 1, some: Some(Some(many.lines[0])) });
    check.check(ByNumber { n: 1, map: many.map.clone() });
    check.check(Floats { n: 1, list: vec![1.5; 3] });
    check.check(Lists { n: 1, lists: vec![vec![vec![], vec![P::default(); 2]], vec![]] });
    check.check(Tuples { n: 1, list: vec![(1, (2, [3, 4])); 2] });
    let shared = Rc::new(many.lines[0]);
    check.check(Shared { n: 1, list: vec![shared.clone(), shared] });
    check.check(Boxed { n: 1, line: Some(Box::new(many.lines[0])) });
    check.check(Tree { n: 1, tree: Value::of(&vec![vec![vec![7_i64; 2]], vec![]]).unwrap() });
    check.check(vec![M::default(); 12]);
    check.check([Meters(1.0); 2]);
    check.check(many);
}

/// The result.
#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    Done,
    Failed { kind: ErrorKind, path: String, class: Option<String>, position: Option<Position> },
}

impl Outcome {
    fn of<T>(result: Result<T>) -> Self {
        result.map_or_else(|error| Outcome::failed(&error), |_| Outcome::Done)
    }
    fn failed(error: &Error) -> Self {
        Outcome::Failed {
            kind: error.kind(),
            path: error.path().to_owned(),
            class: error.class().map(str::to_owned),
            position: error.position(),
        }
    }
}

#[test]
fn saving_stops_at_the_same_place_in_all_formats() {
    struct Saving;
    impl Check for Saving {
        fn check<T: Serialize + Save + Blank + Clone + PartialEq + Debug>(&self, value: T) {
            for depth in 0..=9 {
                let options = Options::new().max_depth(depth);
                let json = Outcome::of(Json::to_vec_with(&value, &options));
                for format in formats() {
                    let what = format!("{format}, depth {depth}: {value:?}");
                    assert_eq!(Outcome::of(format.to_vec_with(&value, &options)), json, "{what}");
                    let mut value = value.clone();
                    let through_mut = format.to_vec_with(&mut value, &options);
                    assert_eq!(Outcome::of(through_mut), json, "{what}, through &mut");
                }
                let own = [
                    Outcome::of(binary::to_vec_with(&value, &options)),
                    Outcome::of(binary::to_vec_with(&mut value.clone(), &options)),
                    Outcome::of(archive::msgpack::to_vec_with(&value, &options)),
                    Outcome::of(archive::blob::to_vec_with(&value, &options)),
                ];
                for outcome in own {
                    assert_eq!(outcome, json, "depth {depth}: {value:?}");
                }
            }
        }
    }
    values(&Saving);
}

/// Loads in every way, and returns the result if it is always the same.
fn load<F: Backend, T>(file: &[u8], value: &T, options: &Options<'_>) -> Outcome
where
    T: Serialize + Save + Blank + Clone + PartialEq + Debug,
{
    let same = |result: Result<T>| {
        Outcome::of(result.map(|loaded| assert_eq!(&loaded, value, "{}", F::NAME)))
    };
    let format = Format::of::<F>();
    let keep_going = options.clone().keep_going(true);
    let into = |load: &dyn Fn(&mut T) -> Result| {
        let mut old = value.clone();
        same(load(&mut old).map(|()| old))
    };
    let first = same(F::from_slice_with(file, options));
    let others = [
        ("a report", same(F::from_slice_report(file, options).map(|(value, _)| value))),
        ("keep_going", same(F::from_slice_report(file, &keep_going).map(|(value, _)| value))),
        ("load_into", into(&|old| F::load_into(old, file, options))),
        ("Format", same(format.from_slice_with(file, options))),
        ("Format, report", same(format.from_slice_report(file, options).map(|(value, _)| value))),
        ("Format, load_into", into(&|old| format.load_into_with(old, file, options))),
    ];
    for (way, outcome) in others {
        let limits = options.settings().limits();
        assert_eq!(outcome, first, "{}, {way}, {limits:?}: {value:?}", F::NAME);
    }
    first
}

struct Loading;
impl Loading {
    fn format<F: Backend, T>(value: &T)
    where
        T: Serialize + Save + Blank + Clone + PartialEq + Debug,
    {
        let file = Format::of::<F>().to_vec(value).unwrap();
        for depth in 0..=9 {
            let options = Options::new().max_depth(depth);
            let loaded = load::<F, T>(&file, value, &options) == Outcome::Done;
            // A value that can be saved can be loaded, and vice versa.
            let saved = Format::of::<F>().to_vec_with(value, &options).is_ok();
            assert_eq!(loaded, saved, "{}, depth {depth}: {value:?}", F::NAME);
        }
        for elements in 0..=150 {
            let options = Options::new().max_elements(elements);
            if load::<F, T>(&file, value, &options) == Outcome::Done {
                return;
            }
        }
        panic!("{}: too many elements in {value:?}", F::NAME);
    }
}
impl Check for Loading {
    fn check<T: Serialize + Save + Blank + Clone + PartialEq + Debug>(&self, value: T) {
        Loading::format::<Json, T>(&value);
        Loading::format::<MessagePack, T>(&value);
        Loading::format::<Blob, T>(&value);
        Loading::format::<Bins, T>(&value);
        Loading::format::<binary::Binary, T>(&value);
        Loading::format::<binary::fingerprint::Fingerprint, T>(&value);
        Loading::format::<binary::bare::Bare, T>(&value);
    }
}

#[test]
fn all_ways_of_loading_have_the_same_limits() {
    values(&Loading);
}

struct Roots;
impl Roots {
    fn format<F: Backend, T>(value: &T)
    where
        F::Output: AsRef<[u8]>,
        T: Serialize + Save + Blank + Clone + PartialEq + Debug,
    {
        for depth in 0..=9 {
            let options = Options::new().max_depth(depth);
            let mut writer = Writer::<F>::with(&options);
            let saved = writer.save("root", value);
            let alone = F::to_vec_with(value, &options).is_ok();
            assert_eq!(saved.is_ok(), alone, "{}, depth {depth}: {value:?}", F::NAME);
            if saved.is_err() {
                continue;
            }
            let file = writer.finish().unwrap();
            let mut reader = Reader::<F>::with(&file, &options).unwrap();
            let loaded = reader.load::<T>("root").unwrap_or_else(|error| {
                panic!("{}, depth {depth}: {error}: {value:?}", F::NAME);
            });
            assert_eq!(&loaded, value, "{}", F::NAME);
            reader.finish().unwrap();
            // Nothing is deeper than that.
            let options = Options::new().max_depth(depth - 1);
            if F::to_vec_with(value, &options).is_err() {
                let load = |mut reader: Reader<'_, '_, F>| reader.load::<T>("root");
                let error = Reader::with(&file, &options).and_then(load).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::DepthLimit, "{}: {error}", F::NAME);
            }
        }
    }
}
impl Check for Roots {
    fn check<T: Serialize + Save + Blank + Clone + PartialEq + Debug>(&self, value: T) {
        Roots::format::<Json, T>(&value);
        Roots::format::<MessagePack, T>(&value);
        Roots::format::<Blob, T>(&value);
        Roots::format::<Bins, T>(&value);
        Roots::format::<binary::Binary, T>(&value);
        Roots::format::<binary::fingerprint::Fingerprint, T>(&value);
        Roots::format::<binary::bare::Bare, T>(&value);
    }
}

#[test]
fn a_reader_loads_the_output_of_a_writer() {
    values(&Roots);
}
