//! Where serde formats differ from the table, and why they must.

use crate::table::{Outcome, Row, fails, loads};
use archive::ErrorKind::WrongType;

/// The table's row, with the expectations for serde formats.
pub fn in_serde(mut row: Row) -> Row {
    const TEXT: &[&str] = &["serde_json", "serde_json, converted", "ron", "ron, converted"];
    const NO_WIDTH: &[&str] = &[
        "serde_json",
        "serde_json, converted",
        "ron",
        "ron, converted",
        "ciborium",
        "ciborium, converted",
    ];
    const SAVED: &[&str] = &["serde_json", "rmp_serde named", "ciborium", "ron"];
    let other: Option<(&[&str], Outcome, &str)> = match row.what {
        "`f32` widened, endless in binary" => {
            Some((TEXT, loads("0.1"), "text has no width, as in JSON"))
        }
        "`f64` narrowed, rounded" => Some((
            NO_WIDTH,
            loads("0.1"),
            "text has no width, and ciborium hands out every float as an `f64`",
        )),
        "the same, with text" | "no longer shared, a map" => Some((
            SAVED,
            fails(WrongType, ""),
            "a map with text keys is a map, not a list of pairs",
        )),
        "a map that became a struct" => {
            let loaded = loads("Scores { ann: 3, bo: 0 }").absent("bo");
            Some((SAVED, loaded, "maps with text keys and objects are one"))
        }
        _ => None,
    };
    if let Some((formats, outcome, why)) = other {
        row.outcome.except.push((formats, outcome, why));
    }
    row
}
