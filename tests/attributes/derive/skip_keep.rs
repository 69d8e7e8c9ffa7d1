//! `skip(keep)`: fields that keep their values when another value is loaded over theirs.

use super::*;

#[derive(Serialize, Debug, PartialEq, Clone, Default)]
struct Unit {
    hp: u32,
    #[archive(skip(keep))]
    sprite: u32,
    #[archive(skip)]
    path: u32,
    body: Body,
    pair: Pair,
    state: State,
}

#[derive(Serialize, Debug, PartialEq, Clone, Default)]
struct Body {
    #[archive(skip(keep))]
    mesh: u32,
    weight: u32,
}

#[derive(Serialize, Debug, PartialEq, Clone, Default)]
struct Pair(u32, #[archive(skip(keep))] u32);

#[derive(Serialize, Debug, PartialEq, Clone, Default)]
enum State {
    #[default]
    Idle,
    Walking {
        to: u32,
        #[archive(skip(keep))]
        path: u32,
        #[archive(skip)]
        cache: u32,
    },
    Carrying(u32, #[archive(skip(keep))] u32, Body),
}

/// A value whose saved fields are `n`, and whose skipped fields are `k`.
fn unit(n: u32, k: u32, state: State) -> Unit {
    Unit { hp: n, sprite: k, path: k, body: Body { mesh: k, weight: n }, pair: Pair(n, k), state }
}

fn walking(n: u32, path: u32, cache: u32) -> State {
    State::Walking { to: n, path, cache }
}

fn carrying(n: u32, k: u32) -> State {
    State::Carrying(n, k, Body { mesh: k, weight: n })
}

/// The result of loading `unit(2, _, _)` over `unit(_, 7, _)`.
fn loaded_over(state: State) -> Unit {
    Unit { path: 0, ..unit(2, 7, state) }
}

#[test]
fn elements_loaded_over() {
    let cases = [
        (walking(1, 7, 7), walking(2, 0, 0), walking(2, 7, 0)),
        (carrying(1, 7), carrying(2, 0), carrying(2, 7)),
        (carrying(1, 7), walking(2, 0, 0), walking(2, 0, 0)),
        (State::Idle, State::Idle, State::Idle),
    ];
    for format in forgiving() {
        for (old, file, expected) in cases.clone() {
            let file = unit(2, 0, file);
            let old = unit(1, 7, old);
            let expected = loaded_over(expected);

            let bytes = format.to_vec(&vec![file.clone(), file.clone()]).unwrap();
            let mut list = vec![old.clone()];
            format.load_into(&mut list, &bytes).unwrap();
            assert_eq!(list, [expected.clone(), file.clone()], "{format}");
            let mut list = vec![old.clone()];
            format.load_into(&mut Erased(&mut list), &bytes).unwrap();
            assert_eq!(list[0], expected, "{format}: through erased()");

            let mut array = [old.clone(), old.clone()];
            format.load_into(&mut array, &bytes).unwrap();
            assert_eq!(array, [expected.clone(), expected.clone()], "{format}: in an array");

            let bytes = format.to_vec(&Some(Box::new(file.clone()))).unwrap();
            let mut boxed = Some(Box::new(old));
            format.load_into(&mut boxed, &bytes).unwrap();
            assert_eq!(boxed, Some(Box::new(expected)), "{format}: in a box");
        }
    }
}

#[test]
fn a_failed_element_is_as_it_was() {
    let mut list = vec![unit(1, 7, State::Idle)];
    let text = br#"[{"hp":2,"pair":"x"}]"#;
    assert!(json::load_into(&mut list, text).is_err());
    assert_eq!(list[0], unit(1, 7, State::Idle));
}

/// Enums that are loaded in place keep such fields, too; all others reset them.
#[test]
fn enums_in_place() {
    for format in formats() {
        let bytes = format.to_vec(&walking(2, 0, 0)).unwrap();
        let mut state = walking(1, 7, 7);
        format.load_into(&mut state, &bytes).unwrap();
        assert_eq!(state, walking(2, 7, 0), "{format}");
    }
}

#[derive(Serialize, Debug, PartialEq, Clone)]
struct Generic<T> {
    inner: T,
    #[archive(skip(keep), default = 3)]
    kept: u32,
}

#[test]
fn generic_types() {
    for format in formats() {
        let value = |n, k| Generic { inner: Body { mesh: k, weight: n }, kept: k };
        let bytes = format.to_vec(&vec![value(2, 0), value(2, 0)]).unwrap();
        let mut list = vec![value(1, 7)];
        format.load_into(&mut list, &bytes).unwrap();
        let fresh = Generic { inner: Body { mesh: 0, weight: 2 }, kept: 3 };
        assert_eq!(list, [value(2, 7), fresh], "{format}");
    }
}

#[test]
fn containers_of_containers() {
    fn kept<T: Serialize + Save>(mut value: T, sprites: impl Fn(&T) -> [u32; 2]) {
        for format in formats() {
            let bytes = format.to_vec(&value).unwrap();
            format.load_into(&mut value, &bytes).unwrap();
            assert_eq!(sprites(&value), [7, 0], "{format}");
        }
    }
    let seven = || unit(1, 7, State::Idle);
    let one = |unit: &Unit| [unit.sprite, unit.path];
    kept(vec![vec![seven()]], |v| one(&v[0][0]));
    kept(vec![Some(seven())], |v| one(v[0].as_ref().unwrap()));
    kept(Some(vec![Box::new(seven())]), |v| one(&v.as_ref().unwrap()[0]));
}
