//! `archive schema`: the types that a file states, or those observed in it.

mod observed;

use archive::{Format, Result, binary};

use crate::args::Schema;
use crate::input::{Input, options};
use crate::{Outcome, output};
use observed::Observed;

pub fn schema(args: &Schema) -> Result<Outcome> {
    let input = Input::open(&args.file)?;
    let text = if input.format == Format::Binary {
        let types = binary::inspect_types_with(&input.bytes, &options());
        types.map_err(|error| error.in_file(input.place_of_bytes()))?.to_string()
    } else {
        let mut observed = Observed::default();
        input.read_all(|from| observed.see(from))?;
        observed.to_string()
    };
    output::print(&text)?;
    Ok(Outcome::Done)
}
