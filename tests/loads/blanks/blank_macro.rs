//! `blank!` in all its forms, for types whose functions are written by hand.

use std::cell::Cell;

use crate::common::forgiving;
use archive::{Archive, Blank, Options, Result, Serialize};

#[derive(Debug, Clone, PartialEq)]
struct Timer<T> {
    ticks: u32,
    speed: T,
}

impl<T: Serialize> Serialize for Timer<T> {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("ticks", &mut self.ticks)?;
        if ar.is_loading() {
            return Ok(());
        }
        ar.serialize("speed", &mut self.speed)
    }
}
archive::save_by_clone!(impl<T> Timer<T>);
archive::blank!(impl<T: Usual> Timer<T>, Timer { ticks: 0, speed: T::USUAL });

trait Usual {
    const USUAL: Self;
}

impl Usual for u16 {
    const USUAL: u16 = 3;
}

#[derive(Debug, PartialEq)]
struct Id(u32);

thread_local! {
    static LAST: Cell<u32> = const { Cell::new(0) };
}

fn next() -> u32 {
    LAST.set(LAST.get() + 1);
    LAST.get()
}

archive::blank!(Id, Id(next()),);

#[derive(Debug, Default, PartialEq)]
struct Pair<T>(T, T);

archive::blank!(impl<T> Pair<T>);

struct Size(u8);

archive::blank!(Size, {
    let size = u8::MAX;
    Size(size)
});

#[test]
fn elements_start_from_the_expression() {
    for format in forgiving() {
        let file = format.to_vec(&vec![Timer { ticks: 5, speed: 9_u16 }]).unwrap();
        let timers: Vec<Timer<u16>> = format.from_slice(&file).unwrap();
        assert_eq!(timers, [Timer { ticks: 5, speed: 3 }], "{format}");
    }
}

#[test]
fn the_expression_is_evaluated_for_each_value() {
    let options = Options::new();
    assert_eq!((Id::blank(&options), Id::blank(&options)), (Id(1), Id(2)));
    assert_eq!(Pair::<u8>::blank(&options), Pair(0, 0));
    assert_eq!(Size::blank(&options).0, 255);
}
