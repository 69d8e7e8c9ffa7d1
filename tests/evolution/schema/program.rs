//! A program: types, and its operations on files.

use std::rc::Rc;

use archive::tool::Watch;
use archive::{Error, Options, Report};

use crate::common::Format;

use super::data::Graph;
use super::node::{self, Object};
use super::run_time_shapes::Built;
use super::types::Schema;

/// The result of loading a file.
pub struct Loaded {
    pub graph: Graph,
    pub report: Report,
    /// The value, saved again.
    pub saved: Vec<u8>,
}

pub trait Program {
    fn schema(&self) -> &Schema;

    fn save(&self, format: &Format, graph: &Graph) -> Vec<u8>;

    fn load(
        &self,
        format: &Format,
        bytes: &[u8],
        strict: bool,
        keep_going: bool,
    ) -> Result<Loaded, Error>;

    /// Loads a value without a report, and saves it again.
    fn load_without_report(
        &self,
        format: &Format,
        bytes: &[u8],
        watch: &Watch,
    ) -> Result<Vec<u8>, Error>;

    /// Loads over a value, and returns the result.
    fn load_over(&self, format: &Format, bytes: &[u8], existing: &Graph) -> Result<Graph, Error>;

    /// Whether the classes are types of the program, known to the compiler. If not, the root and
    /// all shared objects are of one class. An array of another length than the file's keeps its
    /// value when the load continues, and a field of a compiled type does not, because it is loaded
    /// in place.
    fn is_compiled(&self) -> bool {
        false
    }
}

/// A program whose types are known only at run time.
pub struct Dynamic(pub Rc<Built>);

impl Dynamic {
    pub fn new(schema: Schema) -> Self {
        Dynamic(Built::new(schema))
    }

    /// For one load.
    fn options(&self) -> Options<'static> {
        node::options(&self.0)
    }
}

impl Program for Dynamic {
    fn schema(&self) -> &Schema {
        &self.0.schema
    }

    fn save(&self, format: &Format, graph: &Graph) -> Vec<u8> {
        format.to_vec(&mut Object::new(&self.0, graph)).unwrap()
    }

    fn load(
        &self,
        format: &Format,
        bytes: &[u8],
        strict: bool,
        keep_going: bool,
    ) -> Result<Loaded, Error> {
        let options = self.options().strict(strict).keep_going(keep_going).each_error(true);
        let (mut value, report) = format.from_slice_report::<Object>(bytes, &options)?;
        Ok(Loaded { graph: value.graph(), report, saved: format.to_vec(&mut value).unwrap() })
    }

    fn load_without_report(
        &self,
        format: &Format,
        bytes: &[u8],
        watch: &Watch,
    ) -> Result<Vec<u8>, Error> {
        let mut value: Object = format.from_slice_with(bytes, &self.options().watch(watch))?;
        Ok(format.to_vec(&mut value).unwrap())
    }

    fn load_over(&self, format: &Format, bytes: &[u8], existing: &Graph) -> Result<Graph, Error> {
        let mut value = Object::new(&self.0, existing);
        format.load_into_with(&mut value, bytes, &self.options())?;
        Ok(value.graph())
    }
}
