//! Loading a file as a marked tree.

use super::Backend;
use crate::model::error::Result;
use crate::state::options::Options;
use crate::tree::value::{Marked, Value};
use crate::visit::serialize::Serialize;
use crate::visit::session::Session;

impl Marked {
    /// Loads a file as a marked tree.
    ///
    /// # Errors
    /// Those of the input.
    pub fn load<F: Backend>(input: &[u8], options: &Options<'_>) -> Result<Self> {
        let mut session = Session::new();
        session.trees.marks = true;
        let mut value = Value::Null;
        let mut decoder = F::decoder(input, options)?;
        F::load_root(&mut decoder, Value::SHAPE, &mut &mut value, &mut session, options)?;
        F::end(decoder)?;
        Ok(Marked(value))
    }
}
