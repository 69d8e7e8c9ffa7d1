//! Bytes were read from an item that is a pointer.

use std::rc::Rc;

use archive::{Error, Options, Serialize};

use crate::common::forgiving;

#[test]
fn bytes_are_read_through_a_pointer_and_not_from_an_item_that_is_one() {
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Lists {
        items: Vec<Rc<Vec<u8>>>,
        whole: Rc<Vec<u8>>,
        hp: u8,
    }
    #[derive(Debug, Default, PartialEq, Serialize)]
    struct Bytes {
        #[archive(bytes)]
        items: Vec<u8>,
        #[archive(bytes)]
        whole: Vec<u8>,
        hp: u8,
    }
    let whole = Rc::new(vec![4, 200]);
    let old = Lists { items: vec![Rc::new(vec![1, 2]), Rc::new(vec![3])], whole, hp: 9 };
    for format in forgiving() {
        let bytes = format.to_vec(&old).unwrap();
        let options = Options::new().keep_going(true);
        let (new, report) = format
            .from_slice_report::<Bytes>(&bytes, &options)
            .unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!(new, Bytes { items: vec![], whole: vec![4, 200], hp: 9 }, "{format}");
        let paths: Vec<_> = report.errors().iter().map(Error::path).collect();
        assert_eq!(paths, ["items"], "{format}: {report}");
    }
}
