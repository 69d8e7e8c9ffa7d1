//! Files with named roots, in formats that are named in the source.

use std::rc::Rc;

use archive::format::Backend;
use archive::{Archive, Format, Options};

use super::named_roots::unit;

/// A value of every type of the standard library, in every format named in the source.
#[test]
fn every_type_is_a_root() {
    struct Roots;
    impl crate::common::EachBackend for Roots {
        fn visit<F: Backend<Output: AsRef<[u8]>>>(&mut self) {
            crate::common::static_use::<F, _>(
                &crate::common::everything::sample(),
                &Options::new(),
            );
        }
    }
    crate::common::each_backend(&mut Roots);
    crate::common::EachBackend::visit::<archive::binary::fingerprint::Fingerprint>(&mut Roots);
    crate::common::EachBackend::visit::<archive::binary::bare::Bare>(&mut Roots);
}

/// The same file as that of the format's own writer.
#[test]
fn the_writer_of_the_format_writes_the_same() {
    fn check<F: Backend>(format: Format) {
        let ann = unit("Ann", 7, &Rc::default());
        let units = vec![unit("Bo", 3, &ann), ann];
        let mut own = archive::format::Writer::<F>::new();
        let mut any = format.writer();
        own.save("units", &units).unwrap();
        any.save("units", &units).unwrap();
        own.serialize("level", &mut 3).unwrap();
        any.serialize("level", &mut 3).unwrap();
        let (own, any) = (own.finish().unwrap(), any.finish().unwrap());
        assert_eq!(crate::common::text(own.as_ref()), crate::common::text(&any), "{format}");
    }
    check::<archive::json::Json>(Format::Json);
    check::<archive::binary::Binary>(Format::Binary);
    check::<archive::blob::Blob>(Format::Blob);
    check::<archive::msgpack::MessagePack>(Format::MessagePack);
}
