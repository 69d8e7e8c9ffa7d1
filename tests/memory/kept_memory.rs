//! Memory that a save uses again: the buffer of the caller, and the columns of the thread.

use allocation_counter::measure;
use archive::binary::columns::{self, Columns};
use archive::format::Backend;
use archive::{Options, Serialize, binary};

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Unit {
    name: String,
    hp: u32,
    path: Vec<(i16, i16)>,
}

fn units(count: u32) -> Vec<Unit> {
    let unit = |n: u32| Unit { name: format!("unit {n:05}"), hp: n, path: vec![(n as i16, -1); 3] };
    (0..count).map(unit).collect()
}

/// A buffer that is large enough is kept.
#[test]
fn saving_into_a_buffer_does_not_grow_it() {
    let (small, large) = (units(12), units(1_200));
    let mut buffer = binary::to_vec(&large).unwrap();
    buffer.reserve(buffer.len());
    let into = |buffer: &mut Vec<u8>, value: &Vec<Unit>| {
        measure(|| binary::save_into(buffer, value, &Options::new()).unwrap()).bytes_total
    };
    let (few, many) = (into(&mut buffer, &small), into(&mut buffer, &large));
    assert_eq!(few, many);
    assert_eq!(binary::from_slice::<Vec<Unit>>(&buffer).unwrap(), large);
}

/// The memory of columns is kept for the next save, up to a limit.
#[test]
fn columns_keep_a_limited_amount() {
    const KEPT: i64 = 4 << 20;
    let save = |units: &Vec<Unit>| measure(|| drop(columns::to_vec(units).unwrap()));
    let (some, many) = (units(1_000), units(400_000));
    let (first, second) = (save(&some), save(&some));
    assert!((1..=KEPT).contains(&first.bytes_current), "{first:?}");
    assert!(second.bytes_total < first.bytes_total / 2, "{second:?} after {first:?}");
    let large = save(&many);
    assert!(large.bytes_max > KEPT as u64, "{large:?}");
    assert!(first.bytes_current + second.bytes_current + large.bytes_current <= KEPT, "{large:?}");
}

/// A save that failed leaves nothing in the columns of the next one.
#[test]
fn a_failed_save_leaves_no_values() {
    let some = units(500);
    let before = columns::to_vec(&some).unwrap();
    assert!(Columns::to_vec_with(&some, &Options::new().max_elements(700)).is_err());
    assert_eq!(columns::to_vec(&some).unwrap(), before);
}

/// Types with more than 4,000 columns. A file has the values of one of them.
mod many_columns {
    use archive::Serialize;

    #[derive(Clone, Serialize)]
    pub struct D0(u8, u16);

    macro_rules! twice {
        ($($inner:ident $outer:ident),*) => { $(
            #[derive(Clone, Serialize)]
            pub struct $outer($inner, String, $inner);
        )* };
    }
    twice!(D0 D1, D1 D2, D2 D3, D3 D4, D4 D5, D5 D6, D6 D7, D7 D8, D8 D9);

    #[derive(Clone, Serialize)]
    pub struct Old {
        pub name: String,
        pub gone: Vec<D9>,
        pub also: Vec<(D9, u8)>,
    }

    #[derive(Serialize)]
    pub struct New {
        pub name: String,
        pub new: u8,
    }
}

/// The columns of a short file take no more memory than any load of it may: 64 KiB, and 64 bytes for each byte.
#[test]
fn columns_without_values_take_little_memory() {
    use many_columns::{New, Old};
    let old = Old { name: String::new(), gone: Vec::new(), also: Vec::new() };
    let file = columns::to_vec(&vec![old; 64]).unwrap();
    let most = (64 << 10) + 64 * file.len() as u64;
    let changed = measure(|| drop(Columns::from_slice::<Vec<New>>(&file).unwrap()));
    assert!(changed.bytes_max <= most, "{changed:?} for {} bytes", file.len());
    let equal = measure(|| drop(Columns::from_slice::<Vec<Old>>(&file).unwrap()));
    assert!(equal.bytes_max <= most, "{equal:?} for {} bytes", file.len());
}
