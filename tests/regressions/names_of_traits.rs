//! A trait with the name of something that `polymorphic!` refers to was not found.

use archive::{Format, Options, Registry, polymorphic, register};

trait Shape: archive::Polymorphic {
    fn area(&self) -> u32;
}
polymorphic!(dyn Shape);
trait Boxed: archive::Polymorphic {}
polymorphic!(dyn Boxed + Send + Sync);
trait Result: archive::Polymorphic {}
polymorphic!(dyn self::Result);

#[derive(Default, archive::Serialize)]
struct Square(u32);
impl Shape for Square {
    fn area(&self) -> u32 {
        self.0 * self.0
    }
}
impl Boxed for Square {}
impl Result for Square {}

#[test]
fn are_free() {
    let mut registry = Registry::new();
    register!(registry, dyn Shape { Square }).unwrap();
    register!(registry, dyn Boxed + Send + Sync { Square }).unwrap();
    register!(registry, dyn Result { Square }).unwrap();
    let options = Options::new().registry(&registry);
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(3))];
    for format in Format::all() {
        let bytes = format.to_vec_with(&shapes, &options).unwrap();
        let loaded: Vec<Box<dyn Shape>> = format.from_slice_with(&bytes, &options).unwrap();
        assert_eq!(loaded[0].area(), 9);
    }
}
