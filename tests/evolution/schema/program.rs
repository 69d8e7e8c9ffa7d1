//! A program: types, and what it does with files.

use std::rc::Rc;

use archive::tool::Watch;
use archive::{Error, Options, Report};

use crate::common::Format;

use super::data::Graph;
use super::node::{self, Object};
use super::run_time_shapes::Built;
use super::types::Schema;

/// What a program got from a file.
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
        go_on: bool,
    ) -> Result<Loaded, Error>;

    /// What is loaded without a report, saved again.
    fn load_without_report(
        &self,
        format: &Format,
        bytes: &[u8],
        watch: &Watch,
    ) -> Result<Vec<u8>, Error>;

    /// Loads over a value; what that is then.
    fn load_over(&self, format: &Format, bytes: &[u8], existing: &Graph) -> Result<Graph, Error>;

    /// Whether the classes are types of the program, known to the compiler. If not, the root and all
    /// shared objects are of one class. An array of another length than the file's keeps what it
    /// had when the load goes on, and a field of a compiled type does not: it is loaded in place.
    fn is_compiled(&self) -> bool {
        false
    }
}

/// A program whose types are known at run time alone.
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
        go_on: bool,
    ) -> Result<Loaded, Error> {
        let options = self.options().strict(strict).keep_going(go_on).each_error(true);
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
