//! The types of bodies, and whether bodies can be read by position as the types that the program
//! requests.

use std::any;

use archive_core::{Options, Shape};

use super::Decoder;
use crate::fast_path::Bodies;
use crate::objects::BodyType;
use crate::shapes::ShapeRef;
use crate::types::TypeId;

/// What is known about the types of bodies, by their numbers. For each, only the result of the last
/// comparison is stored.
#[derive(Default)]
pub(super) struct KnownBodies {
    /// The shape that was compared last, and whether bodies can be read by position as that shape.
    shapes: Vec<Option<(ShapeRef, bool)>>,
    /// The functions that load the bodies as objects of trait objects.
    functions: Vec<Option<(any::TypeId, Option<&'static Bodies>)>>,
}

impl<'a> Decoder<'a> {
    /// Returns the type of bodies with that number.
    #[inline]
    pub(super) fn concrete(&self, number: u32) -> BodyType<&'a str> {
        self.tables.body_types[number as usize]
    }

    /// Returns whether bodies with that type number can be read by position as values of the shape.
    #[inline]
    pub(crate) fn is_concrete(&mut self, number: u32, shape: &'static Shape) -> bool {
        let asked = ShapeRef::of(shape);
        match self.bodies.shapes.get(number as usize) {
            Some(Some((known, equal))) if *known == asked => *equal,
            _ => self.compare_concrete(number, asked),
        }
    }

    #[cold]
    fn compare_concrete(&mut self, number: u32, asked: ShapeRef) -> bool {
        let equal = self.equal(self.concrete(number).kind, asked);
        self.bodies.shapes.resize(self.tables.body_types.len(), None);
        self.bodies.shapes[number as usize] = Some((asked, equal));
        equal
    }

    /// Returns the functions that load bodies with that type number as values of a concrete type,
    /// if they were compiled and the bodies can be read by position.
    #[inline]
    pub(crate) fn bodies(
        &mut self,
        number: u32,
        concrete: any::TypeId,
        options: &Options<'_>,
    ) -> Option<&'static Bodies> {
        match self.bodies.functions.get(number as usize) {
            Some(Some((known, bodies))) if *known == concrete => *bodies,
            _ => self.find_bodies_of(number, concrete, options),
        }
    }

    #[cold]
    fn find_bodies_of(
        &mut self,
        number: u32,
        concrete: any::TypeId,
        options: &Options<'_>,
    ) -> Option<&'static Bodies> {
        let bodies = Bodies::find(concrete, options);
        let bodies = bodies.filter(|bodies| self.is_concrete(number, bodies.shape));
        self.bodies.functions.resize(self.tables.body_types.len(), None);
        self.bodies.functions[number as usize] = Some((concrete, bodies));
        bodies
    }

    /// Returns the file's type of bodies with that type number.
    pub(crate) fn type_of_body(&self, number: u32) -> TypeId {
        self.concrete(number).kind
    }
}
