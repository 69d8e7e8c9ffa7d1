//! `archive query`: a question in SQL about saves.

use archive::Result;

use crate::Outcome;
use crate::args::Query;

pub fn query(args: &Query) -> Result<Outcome> {
    let _ = args;
    Ok(Outcome::Failed)
}
