//! `after_load`: a function that runs after a value of a type was loaded.

use super::*;
use archive::Error;
use std::cell::Cell;

/// Counts the calls of a function, through the context.
#[derive(Default)]
struct Calls(Cell<u32>);

fn count(options: &Options<'_>) {
    if let Some(calls) = options.context::<Calls>() {
        calls.0.set(calls.0.get() + 1);
    }
}

/// Saves `value`, loads it with `load`, and returns the number of calls.
fn calls<T>(
    format: &crate::common::Format,
    value: &impl Save,
    load: impl Fn(&[u8], &Options<'_>) -> T,
) -> (T, u32) {
    let calls = Calls::default();
    let options = Options::new().provide_ref(&calls);
    let bytes = format.to_vec_with(value, &options).unwrap();
    assert_eq!(calls.0.get(), 0, "{format}: called while saving");
    (load(&bytes, &options), calls.0.get())
}

#[derive(Serialize, Debug, PartialEq, Clone, Default)]
#[archive(after_load = Rect::rebuild)]
struct Rect {
    w: u32,
    h: u32,
    #[archive(skip)]
    area: u32,
}

impl Rect {
    fn new(w: u32, h: u32) -> Self {
        Rect { w, h, area: w * h }
    }
    fn rebuild(&mut self, options: &Options<'_>) {
        count(options);
        self.area = self.w * self.h;
    }
}

#[derive(Serialize, Debug, PartialEq, Clone)]
struct Room {
    #[archive(flatten)]
    rect: Rect,
    name: String,
}

#[test]
fn once_for_each_value() {
    let two = || vec![Rect::new(2, 3), Rect::new(4, 5)];
    round_trip(&two());
    round_trip(&Room { rect: Rect::new(2, 3), name: "hall".into() });
    for format in formats() {
        let (loaded, calls_made) = calls(&format, &two(), |bytes, options| {
            format.from_slice_with::<Vec<Rect>>(bytes, options)
        });
        assert_eq!((loaded.unwrap(), calls_made), (two(), 2), "{format}");

        let (loaded, calls_made) = calls(&format, &two(), |bytes, options| {
            let mut list = vec![Rect::new(9, 9), Rect::new(8, 8), Rect::new(7, 7)];
            format.load_into_with(&mut Erased(&mut list), bytes, options).map(|()| list)
        });
        assert_eq!((loaded.unwrap(), calls_made), (two(), 2), "{format}: in place, erased");

        let room = Room { rect: Rect::new(2, 3), name: "hall".into() };
        let (loaded, calls_made) =
            calls(&format, &room, |bytes, options| format.from_slice_with::<Room>(bytes, options));
        assert_eq!((loaded.unwrap(), calls_made), (room, 1), "{format}: flattened");
    }
}

#[derive(Serialize, Debug, PartialEq, Clone, Default)]
#[archive(after_load = check)]
struct Percent(u32);

fn check(percent: &mut Percent) -> Result {
    if percent.0 > 100 {
        return Err(Error::custom(format_args!("{} is more than 100", percent.0)));
    }
    Ok(())
}

#[derive(Serialize, Debug, PartialEq)]
struct Volumes {
    list: Vec<Percent>,
}

#[test]
fn errors_say_where() {
    round_trip(&Volumes { list: vec![Percent(1), Percent(100)] });
    for format in formats() {
        let bytes = format.to_vec(&Volumes { list: vec![Percent(1), Percent(101)] }).unwrap();
        let error = format.from_slice::<Volumes>(&bytes).unwrap_err();
        let found = (error.path(), error.message(), error.kind());
        assert_eq!(found, ("list[1]", "101 is more than 100", ErrorKind::Custom), "{format}");
        assert!(has_position(format, &error), "{format}");

        if !keeps_going(format) {
            continue;
        }
        let options = Options::new().keep_going(true);
        let (loaded, report) = format.from_slice_report::<Volumes>(&bytes, &options).unwrap();
        assert_eq!(loaded, Volumes { list: vec![Percent(1)] }, "{format}");
        assert_eq!(report.errors().len(), 1, "{format}");
    }
}

/// The other kinds of types, and of functions.
#[derive(Serialize, Debug, PartialEq, Clone)]
#[archive(after_load = add)]
struct Pair(u32, u32, #[archive(skip)] u32);

fn add(pair: &mut Pair) {
    pair.2 = pair.0 + pair.1;
}

#[derive(Serialize, Debug, PartialEq, Clone)]
#[archive(after_load = Shape::finish)]
enum Shape {
    Empty,
    Circle(u32),
    Square {
        side: u32,
        #[archive(skip)]
        area: u32,
    },
}

impl Shape {
    fn finish(&mut self, options: &Options<'_>) -> Result {
        count(options);
        if let Shape::Square { side, area } = self {
            *area = *side * *side;
        }
        Ok(())
    }
}

#[derive(Serialize, Debug, PartialEq, Clone)]
#[archive(after_load = marked)]
struct Marker;

fn marked(_: &mut Marker, options: &Options<'_>) {
    count(options);
}

#[derive(Serialize, Debug, PartialEq, Clone)]
#[archive(after_load = Self::sort, bound = "T: archive::Element + Save + Ord")]
struct Sorted<T: Ord>(Vec<T>);

impl<T: Ord> Sorted<T> {
    fn sort(&mut self) {
        self.0.sort();
    }
}

#[test]
fn every_kind_of_type() {
    round_trip(&Pair(1, 2, 3));
    let shapes = vec![Shape::Empty, Shape::Circle(1), Shape::Square { side: 3, area: 9 }];
    round_trip(&shapes);
    round_trip(&vec![Marker]);
    round_trip(&Sorted(vec![1, 2, 3]));
    for format in forgiving() {
        let (loaded, calls_made) = calls(&format, &shapes, |bytes, options| {
            format.from_slice_with::<Vec<Shape>>(bytes, options)
        });
        assert_eq!((loaded.unwrap(), calls_made), (shapes.clone(), 3), "{format}");
        let (_, calls_made) = calls(&format, &Marker, |bytes, options| {
            format.from_slice_with::<Marker>(bytes, options)
        });
        assert_eq!(calls_made, 1, "{format}");
        let bytes = format.to_vec(&Sorted(vec![3, 1, 2])).unwrap();
        assert_eq!(format.from_slice::<Sorted<u8>>(&bytes).unwrap().0, [1, 2, 3], "{format}");
    }
}

/// Objects that are stored in members which the type lacks are filled before the root is checked.
/// In the second kind of root only a member of a member differs from the file.
#[test]
fn the_root_is_complete() {
    use std::{cell::RefCell, rc::Rc};

    type Shared = Rc<RefCell<Unit>>;
    #[derive(Serialize, Default)]
    struct Unit {
        hp: u32,
        friend: Option<Shared>,
    }
    #[derive(Serialize)]
    struct Older {
        removed: Vec<Shared>,
        units: Vec<Shared>,
        last: u8,
    }
    #[derive(Serialize, Default)]
    #[archive(after_load = Self::sum)]
    struct World {
        units: Vec<Shared>,
        #[archive(skip)]
        sum: u32,
        last: u8,
    }
    impl World {
        fn sum(&mut self) {
            self.sum = self.units.iter().map(|unit| unit.borrow().hp).sum();
        }
    }
    #[derive(Serialize)]
    struct Around<T> {
        world: T,
        again: Vec<Shared>,
    }
    #[derive(Serialize, Default)]
    #[archive(after_load = Self::sum)]
    struct AroundPlain {
        world: Plain,
        again: Vec<Shared>,
        #[archive(skip)]
        sum: u32,
    }
    #[derive(Serialize, Default)]
    struct Plain {
        last: u8,
    }
    impl AroundPlain {
        fn sum(&mut self) {
            self.sum = self.again.iter().map(|unit| unit.borrow().hp).sum();
        }
    }

    let last = Rc::new(RefCell::new(Unit { hp: 100, friend: None }));
    let one = |hp| Rc::new(RefCell::new(Unit { hp, friend: Some(last.clone()) }));
    let units = vec![one(1), one(20)];
    for format in forgiving() {
        let older = Older { removed: units.clone(), units: units.clone(), last: 7 };
        let bytes = format.to_vec(&older).unwrap();
        let world: World = format.from_slice(&bytes).unwrap();
        assert_eq!((world.sum, world.last), (21, 7), "{format}");
        let mut world = World::default();
        format.load_into(&mut Erased(&mut world), &bytes).unwrap();
        assert_eq!((world.sum, world.last), (21, 7), "{format}: through erased()");

        let around = Around { world: older, again: vec![units[1].clone(), last.clone()] };
        let bytes = format.to_vec(&around).unwrap();
        let around: AroundPlain = format.from_slice(&bytes).unwrap();
        assert_eq!((around.sum, around.world.last), (120, 7), "{format}");
    }
}

/// Derived types convert the data of older versions.
#[test]
fn the_version_of_the_file() {
    #[derive(Serialize)]
    struct Old {
        range: u32,
    }
    #[derive(Serialize, Debug, PartialEq, Clone)]
    #[archive(version = 1)]
    struct Middle {
        range: u32,
    }
    #[derive(Serialize, Debug, PartialEq, Clone)]
    #[archive(version = 2, after_load = Weapon::migrate)]
    struct Weapon {
        range: u32,
        #[archive(skip)]
        seen: u32,
    }
    impl Weapon {
        fn migrate(&mut self, version: u32, options: &Options<'_>) -> Result {
            count(options);
            self.seen = version;
            self.range *= if version == 0 { 16 } else { 1 };
            Ok(())
        }
    }
    #[derive(Serialize)]
    struct Holder<T> {
        // A version of its own between the beginning and the end of the object.
        first: T,
        again: Vec<T>,
    }
    #[derive(Serialize)]
    #[archive(version = 7, after_load = Self::seen)]
    struct Around {
        first: Weapon,
        again: Vec<Weapon>,
        #[archive(skip)]
        seen: Option<u32>,
    }
    impl Around {
        fn seen(&mut self, version: u32) {
            self.seen = Some(version);
        }
    }

    round_trip(&Weapon { range: 3, seen: 2 });
    for format in forgiving() {
        let old = Holder { first: Old { range: 3 }, again: vec![Old { range: 4 }] };
        let (around, calls_made) = calls(&format, &old, |bytes, options| {
            format.from_slice_with::<Around>(bytes, options).unwrap()
        });
        assert_eq!(around.first, Weapon { range: 48, seen: 0 }, "{format}");
        assert_eq!(around.again, [Weapon { range: 64, seen: 0 }], "{format}");
        assert_eq!((around.seen, calls_made), (Some(0), 2), "{format}");

        let middle = Holder { first: Middle { range: 3 }, again: vec![Middle { range: 4 }] };
        let bytes = format.to_vec(&middle).unwrap();
        let around: Around = format.from_slice(&bytes).unwrap();
        assert_eq!(around.first, Weapon { range: 3, seen: 1 }, "{format}");

        let bytes = format.to_vec(&around).unwrap();
        let mut around: Around = format.from_slice(&bytes).unwrap();
        assert_eq!((around.first.seen, around.seen), (2, Some(7)), "{format}");
        format.load_into(&mut Erased(&mut around), &bytes).unwrap();
        assert_eq!((around.first.seen, around.seen), (2, Some(7)), "{format}: through erased()");
    }
}

/// The version is that of the value, even if objects are filled before the function is called.
#[test]
fn the_version_of_a_root_that_waited_for_objects() {
    use std::{cell::RefCell, rc::Rc};

    #[derive(Serialize, Default)]
    #[archive(version = 5)]
    struct Unit {
        hp: u32,
    }
    #[derive(Serialize)]
    #[archive(version = 1)]
    struct Older {
        removed: Rc<RefCell<Unit>>,
        unit: Rc<RefCell<Unit>>,
    }
    #[derive(Serialize, Default)]
    #[archive(version = 2, after_load = Self::sum)]
    struct World {
        unit: Rc<RefCell<Unit>>,
        #[archive(skip)]
        seen: (u32, u32),
    }
    impl World {
        fn sum(&mut self, version: u32) {
            self.seen = (self.unit.borrow().hp, version);
        }
    }
    let unit = Rc::new(RefCell::new(Unit { hp: 3 }));
    for format in forgiving() {
        let bytes = format.to_vec(&Older { removed: unit.clone(), unit: unit.clone() }).unwrap();
        let world: World = format.from_slice(&bytes).unwrap();
        assert_eq!(world.seen, (3, 1), "{format}");
    }
}

/// A function that only checks takes `&Self`, in each form.
#[test]
fn functions_that_only_check() {
    macro_rules! checked {
        ($($Type:ident = $check:expr;)*) => { $(
            #[derive(Serialize, Debug, PartialEq)]
            #[archive(version = 3, after_load = $check)]
            struct $Type { n: u32 }
        )* };
    }
    fn alone(one: &One) {
        assert_eq!(one.n, 1);
    }
    fn version(two: &Two, version: u32) -> Result {
        if (two.n, version) == (1, 3) { Ok(()) } else { Err(Error::custom("refused")) }
    }
    fn options(_: &Three, options: &Options<'_>) {
        count(options);
    }
    fn both(_: &Four, version: u32, options: &Options<'_>) {
        assert_eq!(version, 3);
        count(options);
    }
    checked! {
        One = alone;
        Two = version;
        Three = options;
        Four = both;
    }
    for format in formats() {
        let all = (One { n: 1 }, Two { n: 1 }, Three { n: 1 }, Four { n: 1 });
        let (loaded, calls_made) = calls(&format, &all, |bytes, options| {
            format.from_slice_with::<(One, Two, Three, Four)>(bytes, options)
        });
        assert_eq!((loaded.unwrap(), calls_made), (all, 2), "{format}");
        let bytes = format.to_vec(&Two { n: 2 }).unwrap();
        assert_eq!(format.from_slice::<Two>(&bytes).unwrap_err().message(), "refused", "{format}");
    }
}
