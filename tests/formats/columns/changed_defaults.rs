//! Members that a file with columns lacks have the values that they have when the file's rows are loaded.

use archive::Serialize;

use super::changed_types::check;

#[derive(Clone, Debug, Serialize)]
struct OldInner {
    a: u8,
}

/// The new member has another value in some of the types that contain it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Inner {
    a: u8,
    #[archive(default = 3)]
    b: u8,
}

const OTHER: Inner = Inner { a: 0, b: 5 };

fn many<T>(of: impl Fn(u8) -> T) -> Vec<T> {
    (0..100).map(of).collect()
}

#[derive(Clone, Serialize)]
struct Named {
    name: String,
}

/// Checks a new member alone, since a member that columns cannot fill makes all others come from rows.
macro_rules! new_member {
    ($($name:ident: $ty:ty $(= $default:expr)?;)*) => { $(
        #[test]
        fn $name() {
            #[derive(Debug, PartialEq, Serialize)]
            struct New {
                name: String,
                $(#[archive(default = $default)])?
                value: $ty,
                after: u8,
            }
            #[derive(Serialize)]
            struct Old {
                name: String,
                after: u8,
            }
            let loaded = check::<_, Vec<New>>(&many(|after| Old { name: format!("{after}"), after })).unwrap();
            $(assert_eq!(loaded[1].value, $default);)?
            assert_eq!(loaded[1].after, 1);
        }
    )* };
}

new_member! {
    array_of_floats: [f32; 3] = [1.5; 3];
    array_of_equal_numbers: [u16; 2] = [7; 2];
    array_of_numbers: [u16; 2] = [1, 2];
    array_of_signed_numbers: [i8; 2] = [-1; 2];
    array_of_flags: [bool; 4] = [true; 4];
    array_without_default: [u8; 4];
    array_in_an_array: [[i64; 2]; 2] = [[7; 2]; 2];
    array_of_objects: [Inner; 2] = [OTHER, OTHER];
    array_in_an_option: Option<[f64; 2]> = Some([2.5; 2]);
    array_in_none: Option<[f64; 2]>;
    array_in_a_tuple: (u8, [u32; 3]) = (1, [9; 3]);
    array_of_tuples: [(u8, f32); 2] = [(1, 0.5); 2];
    empty_array: [u8; 0];
    object: Inner = OTHER;
    tuple: (u8, Inner) = (4, OTHER);
    list: Vec<u8> = vec![1];
    long_text: String = "x".repeat(300);
}

#[test]
fn items_of_tuples() {
    #[derive(Serialize)]
    struct Old {
        name: String,
        pair: (u8, OldInner),
        tuple: OldTuple,
    }
    #[derive(Serialize)]
    struct OldTuple(u8, OldInner);
    #[derive(Debug, PartialEq, Serialize)]
    struct New {
        name: String,
        #[archive(default = (0, OTHER))]
        pair: (u8, Inner),
        #[archive(default = Tuple(0, OTHER))]
        tuple: Tuple,
    }
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Tuple(u8, Inner);
    let old = many(|a| Old {
        name: format!("{a}"),
        pair: (a, OldInner { a }),
        tuple: OldTuple(a, OldInner { a }),
    });
    let loaded = check::<_, Vec<New>>(&old).unwrap();
    assert_eq!(loaded[1].pair.1.b, 3);
    let pairs = many(|a| (format!("{a}"), OldInner { a }));
    assert_eq!(check::<_, Vec<(String, Inner)>>(&pairs).unwrap()[1].1.b, 3);
}

#[test]
fn payloads() {
    #[derive(Serialize)]
    enum Old {
        Nothing,
        Inner { inner: OldInner },
        Newtype(OldInner),
    }
    #[derive(Debug, PartialEq, Serialize)]
    enum New {
        Nothing,
        Inner {
            #[archive(default = OTHER)]
            inner: Inner,
        },
        Newtype(Inner),
    }
    let old = many(|a| match a % 3 {
        0 => (Old::Nothing, format!("{a}")),
        1 => (Old::Inner { inner: OldInner { a } }, format!("{a}")),
        _ => (Old::Newtype(OldInner { a }), format!("{a}")),
    });
    let loaded = check::<_, Vec<(New, String)>>(&old).unwrap();
    assert_eq!(loaded[1].0, New::Inner { inner: Inner { a: 1, b: 5 } });
}

/// Two types of the program for one of the file. They are saved alike, but their new values differ.
#[test]
fn newtypes() {
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct New {
        name: String,
        b: u8,
    }
    #[derive(Debug, PartialEq, Serialize)]
    struct Wrapped(New);
    impl Default for Wrapped {
        fn default() -> Self {
            Wrapped(New { name: String::new(), b: 7 })
        }
    }
    #[derive(Serialize)]
    struct Lists {
        first: Vec<Named>,
        second: Vec<Named>,
    }
    #[derive(Debug, PartialEq, Serialize)]
    struct NewLists {
        first: Vec<New>,
        second: Vec<Wrapped>,
    }
    #[derive(Debug, PartialEq, Serialize)]
    struct Swapped {
        first: Vec<Wrapped>,
        second: Vec<New>,
    }
    let list = many(|at| Named { name: format!("{at}") });
    let old = Lists { first: list.clone(), second: list };
    check::<_, NewLists>(&old).unwrap();
    check::<_, Swapped>(&old).unwrap();
}

/// A map of the file whose entries have the type of the items of a list.
#[test]
fn maps_beside_lists() {
    use std::collections::BTreeMap;
    #[derive(Serialize)]
    struct Old {
        list: Vec<(String, u16)>,
        map: BTreeMap<String, u16>,
        again: Vec<(String, u16)>,
    }
    #[derive(Debug, PartialEq, Serialize)]
    struct New {
        list: Vec<(String, u32)>,
        map: BTreeMap<String, u32>,
        again: Vec<(String, u16)>,
    }
    let list = many(|at| (format!("{at}"), at.into()));
    let map = list.iter().cloned().collect();
    check::<_, New>(&Old { list: list.clone(), map, again: list }).unwrap();
}
