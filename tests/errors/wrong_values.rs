//! One table of wrong values: each format reports the same value in the same way.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::rc::Rc;

use archive::{Element, Error, Save, Serialize, Value};

use crate::common::{forgiving, has_position};

#[derive(Debug, Default, Serialize)]
struct Holder<T> {
    before: u8,
    value: T,
    after: String,
}

#[derive(Debug, Default, Clone, Serialize)]
struct Inner {
    x: i32,
}

#[derive(Debug, Default, Clone, Serialize)]
struct Text {
    x: String,
}

#[derive(Debug, Default, Clone, Serialize)]
enum State {
    #[default]
    Idle,
    Walking,
    Attacking {
        target: u8,
    },
    Carrying(u8),
}

/// The same enum, as another program has it.
#[derive(Debug, Default, Clone, Serialize)]
enum Other {
    #[default]
    Idle,
    Walkin,
    Attacking {
        target: String,
    },
    Carrying(String),
    Flying(u8),
}

/// Saves a value in each format and loads it as another type: the path and the message.
fn wrong<S, L>(value: S, at: &str, message: &str)
where
    S: Serialize + Save + Default,
    L: Serialize + Element + Default + Debug,
    Holder<S>: Serialize + Save,
    Holder<L>: Element + Debug,
{
    let path = format!("value{at}");
    let holder = Holder { before: 1, value, after: "after".to_owned() };
    let check = |format: &dyn std::fmt::Display, error: Error| {
        assert_eq!((error.path(), error.message()), (&*path, message), "{format}: {error}");
    };
    for format in forgiving() {
        let file = format.to_vec(&holder).unwrap_or_else(|error| panic!("{format}: {error}"));
        let error = format.from_slice::<Holder<L>>(&file).unwrap_err();
        assert!(has_position(format, &error), "{format}: {error}");
        check(&format, error);
        // As a self-describing value.
        let tree: Value = format.from_slice(&file).unwrap();
        check(&format_args!("a tree of {format}"), tree.to::<Holder<L>>().unwrap_err());
        let again = format.to_vec(&tree).unwrap();
        let error = format.from_slice::<Holder<L>>(&again).unwrap_err();
        check(&format_args!("{format} from a tree"), error);
    }
}

#[test]
fn scalars() {
    wrong::<_, u32>("seven".to_owned(), "", "expected u32, found \"seven\"");
    wrong::<_, u32>(String::new(), "", "expected u32, found \"\"");
    wrong::<_, u32>("a\n\"b\"".to_owned(), "", "expected u32, found \"a\\n\\\"b\\\"\"");
    wrong::<_, i64>('x', "", "expected i64, found \"x\"");
    wrong::<_, u8>(true, "", "expected u8, found true");
    wrong::<_, u128>(false, "", "expected u128, found false");
    wrong::<_, f32>(true, "", "expected f32, found true");
    wrong::<_, f64>("1.5".to_owned(), "", "expected f64, found \"1.5\"");
    wrong::<_, i128>("ten".to_owned(), "", "expected i128, found \"ten\"");
    wrong::<_, u32>((), "", "expected u32, found null");
    wrong::<_, u32>(None::<u32>, "", "expected u32, found null");
    wrong::<_, bool>(7_u32, "", "expected bool, found 7");
    wrong::<_, bool>("true".to_owned(), "", "expected bool, found \"true\"");
    wrong::<_, String>(7_u16, "", "expected text, found 7");
    wrong::<_, String>(true, "", "expected text, found true");
    wrong::<_, String>((), "", "expected text, found null");
    wrong::<_, char>("ab".to_owned(), "", "expected a character, found \"ab\"");
    wrong::<_, char>(7_u8, "", "expected a character, found 7");
    wrong::<_, ()>(7_u8, "", "expected null, found 7");
    wrong::<_, ()>("x".to_owned(), "", "expected null, found \"x\"");
    let long = "expected u32, found \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" and more";
    wrong::<_, u32>("a".repeat(1000), "", long);
    wrong::<_, u32>("ß".repeat(1000), "", &long.replace('a', "ß").replace("ßnd more", "and more"));
}

#[test]
fn numbers() {
    wrong::<_, u8>(300_u16, "", "300 does not fit u8");
    wrong::<_, u64>(-1_i8, "", "-1 does not fit u64");
    wrong::<_, i32>(1_u64 << 40, "", "1099511627776 does not fit i32");
    wrong::<_, i8>(200_u8, "", "200 does not fit i8");
    wrong::<_, i32>(1.5_f64, "", "expected i32, found 1.5");
    wrong::<_, u8>(0.25_f32, "", "expected u8, found 0.25");
    wrong::<_, f32>(1e300_f64, "", "1e300 does not fit f32");
    wrong::<_, String>(-2.5_f64, "", "expected text, found -2.5");
    wrong::<_, bool>(i64::MIN, "", "expected bool, found -9223372036854775808");
}

#[test]
fn compounds() {
    wrong::<_, u32>(vec![1_u16, 2], "", "expected u32, found a sequence");
    wrong::<_, u32>(Vec::<u8>::new(), "", "expected u32, found a sequence");
    wrong::<_, String>((1_u8, true), "", "expected text, found a sequence");
    wrong::<_, u32>([1.5_f32; 3], "", "expected u32, found a sequence");
    wrong::<_, Vec<u8>>((), "", "expected a sequence, found null");
    wrong::<_, Vec<u8>>(Inner { x: 7 }, "", "expected a sequence, found an object");
    wrong::<_, Vec<u8>>("x".to_owned(), "", "expected a sequence, found \"x\"");
    wrong::<_, Vec<String>>(vec![1_u8, 2], "[0]", "expected text, found 1");
    wrong::<_, (u8, u8)>((1_u8, "b".to_owned()), "[1]", "expected u8, found \"b\"");
    wrong::<_, u32>(Inner { x: 7 }, "", "expected u32, found an object");
    wrong::<_, bool>(Inner { x: 7 }, "", "expected bool, found an object");
    wrong::<_, Inner>(7_u8, "", "expected an object, found 7");
    wrong::<_, Inner>("seven".to_owned(), "", "expected an object, found \"seven\"");
    wrong::<_, Inner>(false, "", "expected an object, found false");
    wrong::<_, Text>(Inner { x: 7 }, ".x", "expected text, found 7");
    wrong::<_, Option<u8>>(Some("x".to_owned()), "", "expected u8, found \"x\"");
    let map = BTreeMap::from([(1_u8, "x".to_owned())]);
    wrong::<_, BTreeMap<u8, u8>>(map, "[0][1]", "expected u8, found \"x\"");
    wrong::<_, BTreeMap<u8, u8>>(7_u8, "", "expected a map, found 7");
    wrong::<_, BTreeMap<u8, u8>>("x".to_owned(), "", "expected a map, found \"x\"");
    wrong::<_, BTreeMap<u8, u8>>((), "", "expected a map, found null");
    wrong::<_, Rc<u8>>(Rc::new("x".to_owned()), "", "expected u8, found \"x\"");
}

#[test]
fn variants() {
    wrong::<_, u32>(State::Idle, "", "expected u32, found \"Idle\"");
    wrong::<_, u32>(State::Carrying(1), "", "expected u32, found an object");
    wrong::<_, State>(7_u8, "", "expected a variant of `State`, found 7");
    wrong::<_, State>(true, "", "expected a variant of `State`, found true");
    wrong::<_, State>((), "", "expected a variant of `State`, found null");
    wrong::<_, State>(vec![1_u8], "", "expected a variant of `State`, found a sequence");
    let attacking = Other::Attacking { target: "x".to_owned() };
    wrong::<_, State>(attacking, ".Attacking.target", "expected u8, found \"x\"");
    let carrying = Other::Carrying("x".to_owned());
    wrong::<_, State>(carrying, ".Carrying", "expected u8, found \"x\"");
    let known = "`Idle`, `Walking`, `Attacking`, `Carrying`";
    let message =
        format!("`State` has no variant `Walkin`, did you mean `Walking`? It has {known}");
    wrong::<_, State>(Other::Walkin, "", &message);
    let message = format!("`State` has no variant `Flying`; it has {known}");
    wrong::<_, State>(Other::Flying(1), "", &message);
}
