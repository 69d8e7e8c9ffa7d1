//! Paths to values: stored as text.

use crate::model::path::Path;
use crate::types::proxy::stored_as_text;

stored_as_text! {
    Path: "a path" {
        save: |path| path,
        load: |text| Path::parse(text).ok(),
        blank: |_| Path::new(),
    }
}
