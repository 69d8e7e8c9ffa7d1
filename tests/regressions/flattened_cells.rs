//! A cell that is flattened became an object without a name.

use std::cell::RefCell;

use archive::{Serialize, Value};

use crate::common::forgiving;

/// A flattened cell is flattened, instead of an object without a name among the members.
#[test]
fn flattened_cells() {
    #[derive(Clone, Copy, Default, Serialize)]
    struct Inner {
        x: u8,
    }
    #[derive(Default, Serialize)]
    struct Outer {
        #[archive(flatten)]
        inner: RefCell<Inner>,
        #[archive(flatten)]
        other: std::cell::Cell<Other>,
        y: u8,
    }
    #[derive(Clone, Copy, Default, Serialize)]
    struct Other {
        z: u8,
    }
    for format in forgiving() {
        let outer =
            Outer { inner: RefCell::new(Inner { x: 1 }), y: 2, other: Other { z: 3 }.into() };
        for bytes in [format.to_vec(&outer).unwrap(), format.to_vec(&mut { outer }).unwrap()] {
            let value: Value = format.from_slice(&bytes).unwrap();
            let names = value.as_object().unwrap().iter().map(|(name, _)| name.as_str());
            assert_eq!(names.collect::<Vec<_>>(), ["x", "z", "y"], "{format}");
            let loaded: Outer = format.from_slice(&bytes).unwrap();
            let found = (loaded.inner.borrow().x, loaded.y, loaded.other.get().z);
            assert_eq!(found, (1, 2, 3), "{format}");
        }
    }
}
