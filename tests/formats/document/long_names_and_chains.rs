//! Files with types that no program has: long chains of them, and long repeated names.

use std::sync::OnceLock;

use archive::binary::{self, Document};
use archive::format::Source;
use archive::shape::{Absence, Class, Member, Shape, ShapeOf};
use archive::{Archive, ErrorKind, Result};

/// Empty, where a class could contain an option of a class, and so on.
struct Chain(&'static Shape);

impl Chain {
    fn new(classes: usize, name: &'static str) -> Chain {
        let mut next = ShapeOf::Data(leak(OnceLock::from(Shape::Primitive(
            archive::shape::Primitive::U8,
            "",
        ))));
        for _ in 0..classes {
            let members = leak([member(next)]);
            let class = Class::data(name).with_members(Some(members), None);
            let class = leak(class);
            let class = ShapeOf::Data(leak(OnceLock::from(Shape::Class(class))));
            next = ShapeOf::Data(leak(OnceLock::from(Shape::Option(class))));
        }
        Chain(next.get())
    }

    fn file(self) -> Vec<u8> {
        binary::to_vec(self).unwrap()
    }
}

fn member(shape: ShapeOf) -> Member {
    Member::new("next", shape).with_absence(Absence::Refused)
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

impl Source for Chain {
    fn shape(&self) -> &'static Shape {
        self.0
    }
}

impl archive::tool::Body for Chain {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.option(self.0, false, false, &mut Nothing).map(|_| ())
    }
}

struct Nothing;

impl archive::tool::Body for Nothing {
    fn run<A: Archive>(&mut self, _: &mut A) -> Result {
        Ok(())
    }
}

#[test]
fn long_chains_of_types() {
    for classes in [1, 100, 380] {
        super::unchanged(&Chain::new(classes, "Next").file());
    }
    let error = Document::from_slice(&Chain::new(1_000, "Next").file()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit, "{error}");
}

#[test]
fn long_names_again_and_again() {
    let name: &str = String::leak("n".repeat(100_000));
    let error = Document::from_slice(&Chain::new(300, name).file()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SizeLimit, "{error}");
}
