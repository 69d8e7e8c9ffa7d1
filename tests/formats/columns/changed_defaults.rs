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

/// Checks a member with an object inside that has a new member. The default of the member states another value
/// for the new one than its type does.
macro_rules! new_inside {
    ($($name:ident: $old:ty, |$inner:ident| $value:expr => $new:ty = $default:expr;)*) => { $(
        #[test]
        fn $name() {
            #[derive(Serialize)]
            struct Old {
                name: String,
                value: $old,
                after: u8,
            }
            #[derive(Debug, PartialEq, Serialize)]
            struct New {
                name: String,
                #[archive(default = $default)]
                value: $new,
                after: u8,
            }
            let old = |after| {
                let $inner = || OldInner { a: after };
                Old { name: format!("{after}"), value: $value, after }
            };
            check::<_, Vec<New>>(&many(old)).unwrap();
            check::<_, Vec<Vec<New>>>(&vec![many(old), many(old)]).unwrap();
            let inner = many(|a| {
                let $inner = || OldInner { a };
                (format!("{a}"), $value)
            });
            check::<_, Vec<(String, $new)>>(&inner).unwrap();
        }
    )* };
}

new_inside! {
    in_an_object: OldHolder, |of| OldHolder { inner: of() } => Holder = Holder { inner: OTHER };
    in_a_tuple: (u8, OldInner), |of| (1, of()) => (u8, Inner) = (0, OTHER);
    in_a_tuple_struct: OldTuple, |of| OldTuple(1, of()) => Tuple = Tuple(0, OTHER);
    in_an_option: Option<OldInner>, |of| Some(of()) => Option<Inner> = Some(OTHER);
    in_none: Option<OldInner>, |of| Some(of()) => Option<Inner> = None;
    in_a_new_option: OldInner, |of| of() => Option<Inner> = Some(OTHER);
    in_a_list: Vec<OldInner>, |of| vec![of(); 2] => Vec<Inner> = vec![OTHER];
    in_an_array: [OldInner; 2], |of| [of(), of()] => [Inner; 2] = [OTHER, OTHER];
    in_a_tuple_in_an_option: Option<(u8, OldInner)>, |of| Some((1, of()))
        => Option<(u8, Inner)> = Some((0, OTHER));
    in_an_option_in_a_tuple: (u8, Option<OldInner>), |of| (1, Some(of()))
        => (u8, Option<Inner>) = (0, Some(OTHER));
    in_a_list_in_a_tuple: (u8, Vec<OldInner>), |of| (1, vec![of()]) => (u8, Vec<Inner>) = (0, vec![OTHER]);
    in_a_tuple_in_a_list: Vec<(u8, OldInner)>, |of| vec![(1, of())] => Vec<(u8, Inner)> = vec![(0, OTHER)];
    in_a_tuple_in_an_array: [(u8, OldInner); 1], |of| [(1, of())] => [(u8, Inner); 1] = [(0, OTHER)];
    in_an_object_in_a_tuple: (u8, OldHolder), |of| (1, OldHolder { inner: of() })
        => (u8, Holder) = (0, Holder { inner: OTHER });
    in_an_object_in_an_option: Option<OldHolder>, |of| Some(OldHolder { inner: of() })
        => Option<Holder> = Some(Holder { inner: OTHER });
    in_a_field: OldEnum, |of| OldEnum::Field { inner: of() } => Enum = Enum::Nothing;
    in_a_stated_field: OldEnum, |of| OldEnum::Field { inner: of() } => Enum = Enum::Field { inner: OTHER };
    in_a_newtype_variant: OldEnum, |of| OldEnum::Newtype(of()) => Enum = Enum::Newtype(OTHER);
    in_a_list_in_a_field: OldEnum, |of| OldEnum::List { list: vec![of()] } => Enum = Enum::List { list: vec![OTHER] };
}

#[derive(Clone, Serialize)]
struct OldHolder {
    inner: OldInner,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Holder {
    #[archive(default = Inner { a: 0, b: 8 })]
    inner: Inner,
}

#[derive(Clone, Serialize)]
struct OldTuple(u8, OldInner);

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Tuple(u8, Inner);

#[derive(Clone, Serialize)]
enum OldEnum {
    Field { inner: OldInner },
    Newtype(OldInner),
    List { list: Vec<OldInner> },
}

/// The first variant is new.
#[derive(Clone, Debug, PartialEq, Serialize)]
enum Enum {
    Nothing,
    Field {
        #[archive(default = Inner { a: 0, b: 6 })]
        inner: Inner,
    },
    Newtype(Inner),
    List {
        #[archive(default = vec![Inner { a: 0, b: 6 }])]
        list: Vec<Inner>,
    },
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
