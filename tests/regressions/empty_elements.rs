//! Elements that take no bytes in the file were not bounded.

use archive::{ErrorKind, Limits, Options, Serialize, Value, binary};

/// A few bytes announced sixteen million elements that take none in the file, but memory and time
/// in the program.
#[test]
fn elements_without_bytes_are_bounded_by_their_number() {
    #[derive(Default, Serialize)]
    struct Empty {}
    #[derive(Debug, Serialize)]
    struct Large {
        numbers: [u64; 64],
    }
    let most = Limits::default().empty_elements as usize;
    assert!(most * size_of::<Large>() <= 64 << 20, "{most} elements");
    let any = Options::new().max_empty_elements(u64::MAX);
    let empty =
        |len| binary::to_vec_with(&Vec::from_iter((0..len).map(|_| Empty {})), &any).unwrap();
    assert_eq!(binary::from_slice::<Vec<Large>>(&empty(most)).unwrap().len(), most);
    for error in [
        binary::from_slice::<Vec<Large>>(&empty(most + 1)).unwrap_err(),
        binary::from_slice::<Value>(&empty(most + 1)).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::SizeLimit, "{error}");
    }
    let mut limits = Limits::default();
    limits.empty_elements += 1;
    let options = Options::new().limits(limits);
    assert!(binary::from_slice_with::<Vec<Large>>(&empty(most + 1), &options).is_ok());
}
