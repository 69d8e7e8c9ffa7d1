//! Loading over a value of the same shape allocates nothing for its content, in any format.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use allocation_counter::measure;
use archive::{Element, Format, Save, Serialize, binary, bins};

fn formats() -> [Format; 7] {
    [
        Format::Json,
        Format::Binary,
        Format::of::<binary::fingerprint::Fingerprint>(),
        Format::of::<binary::bare::Bare>(),
        Format::MessagePack,
        Format::Blob,
        Format::of::<bins::Bins>(),
    ]
}

/// A value of a given size. Values of the same size have the same shape, with other content.
trait Made: Element + Save + PartialEq + Debug + Clone {
    fn made(n: u32, tick: u32) -> Self;
}

#[derive(Clone, Default, Debug, PartialEq, Serialize)]
struct Unit {
    name: String,
    at: [f32; 3],
    home: Place,
    order: Order,
    target: Option<u32>,
    title: Option<String>,
    cargo: Option<Box<Cargo>>,
    seat: Box<Place>,
    path: Vec<(i16, i16)>,
    seen: Vec<(u32, String)>,
    tags: Vec<String>,
    orders: Vec<Order>,
    pair: (String, Place),
    letter: char,
}

#[derive(Clone, Default, Debug, PartialEq, Serialize)]
struct Place {
    region: String,
    inner: Inner,
}

#[derive(Clone, Default, Debug, PartialEq, Serialize)]
struct Inner {
    x: i64,
    label: String,
}

#[derive(Clone, Default, Debug, PartialEq, Serialize)]
struct Cargo {
    what: String,
    amounts: Vec<u64>,
}

#[derive(Clone, Default, Debug, PartialEq, Serialize)]
enum Order {
    #[default]
    Wait,
    Say(String),
    Trade(String, u32),
    Patrol {
        between: Vec<String>,
        home: Place,
    },
    Carry(Box<Cargo>),
}

fn text(what: &str, n: u32, tick: u32) -> String {
    format!("{what} {n:05} {tick:05}")
}

impl Made for Place {
    fn made(n: u32, tick: u32) -> Self {
        let inner = Inner { x: i64::from(n + tick), label: text("label", n, tick) };
        Place { region: text("region", n, tick), inner }
    }
}

impl Made for Cargo {
    fn made(n: u32, tick: u32) -> Self {
        Cargo { what: text("wood", n, tick), amounts: vec![u64::from(tick); 3] }
    }
}

impl Made for Order {
    fn made(n: u32, tick: u32) -> Self {
        match n % 5 {
            0 => Order::Wait,
            1 => Order::Say(text("say", n, tick)),
            2 => Order::Trade(text("trade", n, tick), tick),
            3 => Order::Patrol { between: Made::made(2, tick), home: Made::made(n, tick) },
            _ => Order::Carry(Made::made(n, tick)),
        }
    }
}

impl Made for Unit {
    fn made(n: u32, tick: u32) -> Self {
        Unit {
            name: text("unit", n, tick),
            at: [n as f32, tick as f32, 0.0],
            home: Made::made(n, tick),
            order: Made::made(n, tick),
            target: n.is_multiple_of(2).then_some(tick),
            title: n.is_multiple_of(3).then(|| text("title", n, tick)),
            cargo: n.is_multiple_of(4).then(|| Made::made(n, tick)),
            seat: Made::made(n, tick),
            path: vec![(n as i16, tick as i16); 3],
            seen: (0..3).map(|i| (tick + i, text("seen", i, tick))).collect(),
            tags: Made::made(3, tick),
            orders: Made::made(5, tick),
            pair: (text("pair", n, tick), Made::made(n, tick)),
            letter: if tick == 1 { 'a' } else { 'b' },
        }
    }
}

impl Made for String {
    fn made(n: u32, tick: u32) -> Self {
        text("text", n, tick)
    }
}

impl Made for u32 {
    fn made(n: u32, tick: u32) -> Self {
        n + tick
    }
}

impl<T: Made> Made for Box<T> {
    fn made(n: u32, tick: u32) -> Self {
        Box::new(T::made(n, tick))
    }
}

impl<T: Made> Made for Option<T> {
    fn made(n: u32, tick: u32) -> Self {
        n.is_multiple_of(3).then(|| T::made(n, tick))
    }
}

impl<T: Made, U: Made> Made for (T, U) {
    fn made(n: u32, tick: u32) -> Self {
        (T::made(n, tick), U::made(n, tick))
    }
}

impl<T: Made> Made for Vec<T> {
    fn made(n: u32, tick: u32) -> Self {
        (0..n).map(|n| T::made(n, tick)).collect()
    }
}

impl<T: Made> Made for BTreeMap<String, T> {
    fn made(n: u32, tick: u32) -> Self {
        (0..n).map(|n| (text("key", n, 0), T::made(n, tick))).collect()
    }
}

impl<T: Made> Made for HashMap<u32, T> {
    fn made(n: u32, tick: u32) -> Self {
        (0..n).map(|n| (n * 7919, T::made(n, tick))).collect()
    }
}

#[derive(Clone, Default, Debug, PartialEq, Serialize)]
struct World<T> {
    tick: u32,
    content: T,
}

/// The number of allocations of a load over a value of the same shape.
fn allocations<T: Made>(format: Format, n: u32) -> u64 {
    let made = |tick| World { tick, content: T::made(n, tick) };
    let bytes = format.to_vec(&made(2)).unwrap();
    let mut into = made(1);
    let measured = measure(|| format.load_into(&mut into, &bytes).unwrap());
    assert_eq!(into, made(2), "{format}");
    measured.count_total
}

/// Checks that the number of allocations does not depend on the number of elements.
fn check<T: Made>(failed: &mut Vec<String>) {
    for format in formats() {
        let (few, many) = (allocations::<T>(format, 40), allocations::<T>(format, 1_000));
        let line = format!("{format} {}: {few}, {many}", std::any::type_name::<T>());
        if std::env::var_os("ALLOCATIONS").is_some() {
            println!("{line}");
        }
        if many > few.max(40) + 8 {
            failed.push(line);
        }
    }
}

#[test]
fn a_value_of_the_same_shape_allocates_nothing_for_its_content() {
    let mut failed = Vec::new();
    check::<Vec<String>>(&mut failed);
    check::<Vec<Option<String>>>(&mut failed);
    check::<Vec<Place>>(&mut failed);
    check::<Vec<Box<Place>>>(&mut failed);
    check::<Vec<Option<Box<Place>>>>(&mut failed);
    check::<Vec<Order>>(&mut failed);
    check::<Vec<(String, Place)>>(&mut failed);
    check::<Vec<Unit>>(&mut failed);
    check::<Box<Vec<Unit>>>(&mut failed);
    check::<BTreeMap<String, Place>>(&mut failed);
    check::<BTreeMap<String, u32>>(&mut failed);
    check::<HashMap<u32, Place>>(&mut failed);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
