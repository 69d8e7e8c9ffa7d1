//! The types of objects, and whether objects can be read by position as the requested types.

use std::any;

use archive_core::{Options, Shape};

use super::Decoder;
use crate::fast_path::Functions;
use crate::objects::PointeeType;
use crate::shapes::ShapeRef;
use crate::types::TypeId;

/// Results for the types of objects, by the numbers of the types. For each type, only the result of
/// the last comparison is stored.
#[derive(Default)]
pub(super) struct KnownPointees {
    /// The shape that was compared last, and whether objects can be read by position as that shape.
    shapes: Vec<Option<(ShapeRef, bool)>>,
    /// The functions that load the objects as trait objects.
    functions: Vec<Option<(any::TypeId, Option<&'static Functions>)>>,
}

impl<'a> Decoder<'a> {
    /// Returns the type with that number.
    #[inline]
    pub(super) fn concrete(&self, number: u32) -> PointeeType<&'a str> {
        self.tables.pointee_types[number as usize]
    }

    /// Returns whether objects with that type number can be read by position as values of the
    /// shape.
    #[inline]
    pub(crate) fn is_concrete(&mut self, number: u32, shape: &'static Shape) -> bool {
        let asked = ShapeRef::of(shape);
        match self.pointees.shapes.get(number as usize) {
            Some(Some((known, equal))) if *known == asked => *equal,
            _ => self.compare_concrete(number, asked),
        }
    }

    #[cold]
    fn compare_concrete(&mut self, number: u32, asked: ShapeRef) -> bool {
        let equal = self.equal(self.concrete(number).kind, asked);
        self.pointees.shapes.resize(self.tables.pointee_types.len(), None);
        self.pointees.shapes[number as usize] = Some((asked, equal));
        equal
    }

    /// Returns the functions that load objects with that type number as values of a concrete type,
    /// if they were compiled and the objects can be read by position.
    #[inline]
    pub(crate) fn functions(
        &mut self,
        number: u32,
        concrete: any::TypeId,
        options: &Options<'_>,
    ) -> Option<&'static Functions> {
        match self.pointees.functions.get(number as usize) {
            Some(Some((known, functions))) if *known == concrete => *functions,
            _ => self.find_functions_of(number, concrete, options),
        }
    }

    #[cold]
    fn find_functions_of(
        &mut self,
        number: u32,
        concrete: any::TypeId,
        options: &Options<'_>,
    ) -> Option<&'static Functions> {
        let functions = Functions::find(concrete, options);
        let functions = functions.filter(|functions| self.is_concrete(number, functions.shape));
        self.pointees.functions.resize(self.tables.pointee_types.len(), None);
        self.pointees.functions[number as usize] = Some((concrete, functions));
        functions
    }

    /// Returns the file's type of objects with that type number.
    pub(crate) fn type_of_pointee(&self, number: u32) -> TypeId {
        self.concrete(number).kind
    }
}
