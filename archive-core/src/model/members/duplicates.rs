//! [`duplicate`]: finds names that occur twice in an object.

use std::collections::HashSet;

use super::search::{Keys, SEARCHES, State};
use crate::model::error::Result;

/// Returns the index of the second occurrence of a name among the keys from the index `from` on.
/// Members that were requested by name differ from each other, because the type names no member
/// twice. Therefore only the other keys are compared with all keys.
///
/// # Errors
/// Returns an error if a name cannot be read.
pub fn duplicate(keys: &impl Keys, from: usize) -> Result<Option<usize>> {
    let indices = || from..keys.count();
    let others = || indices().filter(|index| keys.state(*index) != State::Asked);
    if others().count() <= SEARCHES {
        for other in others() {
            let name = keys.name(other)?;
            if let Some(second) = indices().find(|index| *index != other && keys.is(*index, &name))
            {
                return Ok(Some(second.max(other)));
            }
        }
        return Ok(None);
    }
    let mut names = HashSet::with_capacity(keys.count() - from);
    for index in indices() {
        if !names.insert(keys.name(index)?) {
            return Ok(Some(index));
        }
    }
    Ok(None)
}
