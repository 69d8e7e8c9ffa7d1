//! Sizes that only files too large for tests reach, and misuse.

use archive_core::{Encoder as _, ErrorKind, Shape};

use super::Encoder;

type Write = fn(&mut Encoder) -> archive_core::Result;

/// Values that are too large for a file, with a limit that a test can reach.
#[test]
fn too_large_is_refused() {
    let cases: [(&str, Write); 7] = [
        ("text", |e| e.str("0123456789abcdef")),
        ("text with NUL", |e| e.str("01234567\x009abcdefg")),
        ("bytes", |e| e.bytes(&[0; 17])),
        ("a name", |e| e.member("0123456789abcdef", &Shape::Any)),
        ("an array", |e| {
            e.begin_seq(<Vec<u64> as archive_core::Serialize>::SHAPE, 3)?;
            for _ in 0..3 {
                e.item()?;
                e.u64(1)?;
            }
            e.end_seq()
        }),
        ("a list", |e| {
            e.begin_seq(&Shape::Tuple(&[], None, ""), 1)?;
            e.item()?;
            e.i32(1)?;
            e.end_seq()
        }),
        ("an object", |e| {
            e.begin_object(&super::VARIANT)?;
            e.member("a", &Shape::Any)?;
            e.null()?;
            e.end_object()
        }),
    ];
    for (what, write) in cases {
        for (limit, fits) in [(16, false), (100, true)] {
            let mut encoder = Encoder { limit, ..Encoder::new() };
            encoder.begin_object(&super::VARIANT).unwrap();
            encoder.member("x", &Shape::Any).unwrap();
            match write(&mut encoder) {
                Ok(()) => assert!(fits, "{what}"),
                Err(error) => {
                    assert!(!fits, "{what}: {error}");
                    assert_eq!(error.kind(), ErrorKind::Unsupported, "{what}");
                }
            }
        }
    }
}

#[test]
fn an_item_other_than_announced_is_refused() {
    let mut encoder = Encoder::new();
    encoder.begin_seq(<Vec<u64> as archive_core::Serialize>::SHAPE, 1).unwrap();
    encoder.item().unwrap();
    assert_eq!(encoder.u8(1).unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(encoder.str("x").unwrap_err().kind(), ErrorKind::Unsupported);
    assert!(encoder.finish().is_err());
    assert!(Encoder::new().finish().is_err());
}
