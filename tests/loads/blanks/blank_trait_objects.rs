//! Trait objects: a blank one has the first registered type with a finite value.

use super::*;
use archive::{Registry, polymorphic, register};

trait Part: archive::Polymorphic {
    fn name(&self) -> &'static str;
}
polymorphic!(dyn Part);

/// A placeholder of these contains one of the same kind.
macro_rules! part {
    ($($Part:ident { $($field:ident: $Type:ty),* })*) => { $(
        #[derive(Serialize)]
        struct $Part {
            $($field: $Type),*
        }
        impl Part for $Part {
            fn name(&self) -> &'static str {
                stringify!($Part)
            }
        }
    )* };
}
part! {
    Around { inner: Box<dyn Part> }
    Shared { inner: Rc<RefCell<dyn Part>>, bare: Rc<dyn Part> }
    Leaf { value: u8 }
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    register!(registry, dyn Part { Around, Shared, Leaf }).unwrap();
    registry
}

fn leaf(value: u8) -> Leaf {
    Leaf { value }
}

#[test]
fn a_placeholder_ends() {
    on_stack(|| {
        let registry = registry();
        let options = Options::new().registry(&registry);
        let made: Box<dyn Part> = registry.make("Around", &options).unwrap();
        assert_eq!(made.name(), "Around");
        assert_eq!(Box::<dyn Part>::blank(&options).name(), "Leaf");
        for format in formats() {
            let shared = Shared { inner: Rc::new(RefCell::new(leaf(1))), bare: Rc::new(leaf(2)) };
            let parts: Vec<Box<dyn Part>> =
                vec![Box::new(Around { inner: Box::new(leaf(3)) }), Box::new(shared)];
            let bytes = format.to_vec_with(&parts, &options).unwrap();
            let loaded: Vec<Box<dyn Part>> = format.from_slice_with(&bytes, &options).unwrap();
            assert_eq!(loaded.len(), 2, "{format}");
            let again = format.to_vec_with(&loaded, &options).unwrap();
            assert_eq!(again, bytes, "{format}");
        }
    });
}

#[test]
fn without_a_finite_type_it_is_an_error() {
    on_stack(|| {
        let mut registry = Registry::new();
        register!(registry, dyn Part { Around, Shared }).unwrap();
        let options = Options::new().registry(&registry);
        let made = registry.make::<dyn Part>("Around", &options).err().unwrap();
        assert_eq!(made.kind(), ErrorKind::Endless, "{made}");
        assert!(made.message().contains("Part` contains itself"), "{made}");
        for format in forgiving() {
            let full = Options::new().registry(&self::registry());
            let parts: Vec<Box<dyn Part>> = vec![Box::new(Around { inner: Box::new(leaf(3)) })];
            let bytes = format.to_vec_with(&parts, &full).unwrap();
            let loaded = format.from_slice_with::<Vec<Box<dyn Part>>>(&bytes, &options);
            let error = loaded.map(drop).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Endless, "{format}: {error}");
        }
    });
}
