//! Under `keep_going`, a value that was refused left notes for others, or two errors.

use archive::{ErrorKind, Options, Serialize};

use crate::common::forgiving;

/// Under `keep_going`, a number that did not fit left the note of its conversion to the next one.
#[test]
fn a_conversion_that_failed_is_none_of_the_next_value() {
    #[derive(Serialize)]
    struct Old {
        hp: u32,
        mana: u8,
    }
    #[derive(Default, Serialize)]
    struct New {
        hp: u8,
        mana: u8,
    }
    let options = Options::new().keep_going(true);
    for format in forgiving() {
        let bytes = format.to_vec(&Old { hp: 300, mana: 7 }).unwrap();
        let (new, report) = format.from_slice_report::<New>(&bytes, &options).unwrap();
        assert_eq!((new.hp, new.mana), (0, 7), "{format}");
        assert_eq!(
            (report.converted().count(), report.errors().len()),
            (0, 1),
            "{format}: {report}"
        );
    }
}

/// Under `keep_going`, an array in place of a longer one was reported twice, and once if it was one
/// item too long.
#[test]
fn a_wrong_length_is_one_error() {
    let options = Options::new().keep_going(true);
    for format in forgiving() {
        for len in [2, 4, 5, 6] {
            let bytes = format.to_vec(&((0..len).collect::<Vec<u8>>(), 7_u8)).unwrap();
            let (new, report) =
                format.from_slice_report::<([u8; 3], u8)>(&bytes, &options).unwrap();
            assert_eq!(new.1, 7, "{format}");
            let errors: Vec<_> = report.errors().iter().map(|e| (e.kind(), e.path())).collect();
            assert_eq!(errors, [(ErrorKind::WrongLength, "[0]")], "{format}: {len}");
        }
    }
}
